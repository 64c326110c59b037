"""The fingerprint of the rules that a database depends on: a database made by other rules is stale."""

from __future__ import annotations

import functools
import hashlib

from plies.compiled.dependencies import dependencies_of
from plies.errors import Unsuitable
from plies.game import Game

RULES = frozenset(
    (
        *("initial", "is_terminal", "to_move", "actions", "result", "utility", "chance"),
        *("core", "symmetries", "repetition_value", "players", "total"),
        *("stage", "index", "state_at", "earned"),
    )
)
"""The rules and facts on which the values of states depend."""


def rules_fingerprint(game: Game) -> str:
    """A digest of the rules of a game and of all that they read, the same in every process.

    It changes with the version of Python, too, by whose bytecode rules are compared.
    """
    dependencies = dependencies_of(game, RULES)
    if not dependencies.stable:
        raise Unsuitable(
            f"the rules of {type(game).__name__} depend on an object that differs from process to process: "
            "let them read numbers, tuples, arrays and functions, in a file of their own"
        )
    digest = hashlib.blake2b(dependencies.name.encode(), digest_size=10)
    for path in _arrays(game):
        array = functools.reduce(getattr, path, game)
        digest.update(repr((path, array.dtype.str, array.shape)).encode())  # type: ignore[attr-defined]
        digest.update(array.tobytes())  # type: ignore[attr-defined]
    return digest.hexdigest()


def _arrays(game: Game, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The paths to the arrays that the rules of a game, and of games that it is made of, may read."""
    from plies.compiled.dependencies import attribute_of, is_array_of

    found: list[tuple[str, ...]] = []
    for name in sorted(dependencies_of(game, RULES).attributes):
        if is_array_of(game, name):
            found.append((*path, name))
        elif isinstance(inner := attribute_of(game, name), Game) and len(path) < 8:
            found += _arrays(inner, (*path, name))
    return found
