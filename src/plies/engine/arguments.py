"""The options of every algorithm, the engine's and the book's: from words such as threads=2 to a search."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from plies.book.algorithms import ALGORITHMS as BOOK
from plies.book.arguments import Argument, option_name, read_options
from plies.book.arguments import arguments_of as book_arguments_of
from plies.engine.algorithms import ALGORITHMS, ENGINE, algorithm, algorithm_for
from plies.engine.limit import DEFAULT, Limit
from plies.engine.networks import YES
from plies.engine.options import DRIVERS, MctsOptions, Options
from plies.errors import BadParameter
from plies.game import Game
from plies.registry import function

REFINED: dict[str, tuple[str, ...]] = {
    "alpha-beta": ("pvs", ""),
    "expectiminimax": ("expectiminimax",),
    "expectimax": ("expectiminimax",),
    "paranoid": ("pvs", "expectiminimax", ""),
}
"""The algorithms that take `Options`, and the kernels of those that they read; "" is the root."""

CHOICES = {"driver": DRIVERS}
"""The options that are one of several words."""

KINDS = {
    "bool": "bool",
    "int": "int",
    "float": "float",
    "str": "text",
    "tuple[float, ...]": "numbers",
    "Database | bool": "bool",  # in words, whether any is probed
    "str | Learned": "text",
}
"""The kind of an option by its type."""

LIMITS = {
    "depth": Argument("depth", "int", "plies"),
    "nodes": Argument("nodes", "int", "nodes"),
    "simulations": Argument("simulations", "int", "simulations"),
}
"""The limits that are written like options."""


def arguments_of(name: str) -> dict[str, Argument]:
    """The options of an algorithm by name, the engine's or the book's, each with its default."""
    book, _, own = name.rpartition(":")
    if book == "book" and own in BOOK:
        return book_arguments_of(own)
    one = algorithm(name)
    parameters = inspect.signature(one.make).parameters
    found = {
        key: _argument(key, parameters[key].annotation, parameters[key].default)
        for key in one.takes
        if key != "options"
    }
    record = MctsOptions if name == "mcts" else Options if name in REFINED else None
    for one_field in fields(record) if record else ():
        if record is MctsOptions or {*(one_field.metadata["kernels"] or ("",))} & {*REFINED[name]}:
            found[one_field.name] = _argument(one_field.name, one_field.type, one_field.default)
    return found


def _argument(name: str, annotation: Any, default: Any) -> Argument:
    plain = annotation.removesuffix(" | None")
    kind = "choice" if name in CHOICES else KINDS[plain]
    return Argument(name, kind, "", CHOICES.get(name, ()), plain != annotation, default)


def keywords(game: Game, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `engine_for` for options by name: refinements go together, beside the game's own."""
    record: Any = MctsOptions if name == "mcts" else Options
    own = {field.name for field in fields(record)} if name == "mcts" or name in REFINED else set()
    refined = {key: value for key, value in given.items() if key in own}
    rest = {key: value for key, value in given.items() if key not in own}
    if refined:
        usual = record(**(game.mcts_options if name == "mcts" else game.refinements))
        rest["options"] = replace(rest.get("options") or usual, **refined)
    return rest


def split_options(text: str) -> tuple[str, list[str]]:
    """A name and the options after it: "book:minimax:4:quick=10" is "book:minimax:4" and ["quick=10"]."""
    head, *words = re.split(r"\s*:\s*(?=[\w-]+\s*=)", text.strip())
    return head, words


def read_words(
    words: Sequence[str],
    name: str,
    game: Game | None = None,
    limits: Sequence[str] = (),
    timed: bool = False,
) -> dict[str, Any]:
    """The options, and limits, of an algorithm written NAME=VALUE; `timed` if it has a time limit."""
    own = searching(name, game, _limit_in(words, timed), _network_in(words))
    allowed = {limit: LIMITS[limit] for limit in limits} | own
    return read_options(words, allowed, name, function)


def _limit_in(words: Sequence[str], timed: bool) -> Limit:
    """A limit of the kind that is given, which decides what the engine is: a depth alone, or any other."""
    return Limit(depth=1) if not timed and {*map(option_name, words)} & {*LIMITS} == {"depth"} else DEFAULT


def _network_in(words: Sequence[str]) -> str:
    """The network that is given, with which a game without an evaluation has one."""
    given = [word.partition("=")[2].strip() for word in words if option_name(word) == "network"]
    return given[-1] if given else YES


def read_refinements(words: Iterable[str]) -> Options:
    """Refinements of alpha-beta alone, in place of the defaults."""
    own = {field.name for field in fields(Options)}
    taken = {key: argument for key, argument in arguments_of("alpha-beta").items() if key in own}
    return Options(**read_options(words, taken, "solving by alpha-beta"))


def searching(
    name: str, game: Game | None, limit: Limit = DEFAULT, network: str = YES
) -> dict[str, Argument]:
    """The options of an algorithm, or of the engine: of what suits a game, or else of all that it may be."""
    if name != ENGINE:
        return arguments_of(name)
    if game is not None:
        return arguments_of(algorithm_for(game, limit, network))
    every = (arguments_of(one) for one in reversed(ALGORITHMS) if not ALGORITHMS[one].book)
    return {key: argument for options in every for key, argument in options.items()}


def options_of(text: str, game: Game, limit: Limit | None = None) -> dict[str, Argument]:
    """The options of a player or algorithm of these words; none, unless it searches."""
    head, words = split_options(text)
    name, _, detail = (part.strip().lower() for part in head.partition(":"))
    if name == "book":
        name = f"book:{detail.partition(':')[0].strip()}"
    searches = name == ENGINE or name in ALGORITHMS or name.removeprefix("book:") in BOOK
    limit = limit or _limit_in(words, bool(detail))
    return searching(name, game, limit, _network_in(words)) if searches else {}


def shared(
    names: Sequence[str], words: Iterable[str], options: Sequence[Mapping[str, Argument]]
) -> list[str]:
    """Players or algorithms with options appended, for each that has them and says nothing else itself.

    `options` are those that each has. An option that none has is an error.
    """
    result = list(names)
    for word in words:
        key = option_name(word)
        if not any(key in own for own in options):
            has = {name.strip(): ", ".join(own) or "none" for name, own in zip(names, options, strict=True)}
            found = "; ".join(f"{name} has {own}" for name, own in has.items())
            raise BadParameter(f"there is no option {key[:40]!r}: {found}")
        for place, name in enumerate(names):
            said = [option_name(mine) for mine in split_options(name)[1]]
            if key in options[place] and key not in said:
                result[place] += f":{word.strip()}"
    return result
