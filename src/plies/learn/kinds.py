"""Which kind of evaluation is learned for a game: a network in the search, pattern tables, a network by
temporal differences, or weights."""

from __future__ import annotations

from pathlib import Path

from plies.errors import BadParameter, Unsuitable
from plies.game import Game
from plies.neural_network import facts_of, load_arrays

NETWORK, PATTERNS, TD, WEIGHTS = "network", "patterns", "td", "weights"
KINDS = (NETWORK, PATTERNS, TD, WEIGHTS)
"""The kinds, by their words: see `chosen_kind`."""


CHECKPOINTS = {"network": TD, "weights": WEIGHTS}
"""The kinds, by the names in checkpoints."""


def kind_of(path: Path) -> str | None:
    """The kind of the training whose checkpoint is in a file; None if it is none of temporal differences."""
    if not path.is_file():
        return None
    return CHECKPOINTS.get(str(facts_of(load_arrays(path)[1]).get("kind")))


def chosen_kind(game: Game, kind: str | None = None) -> tuple[str, str]:
    """The kind to train, the given one or the one that suits the game best, and why, in words."""
    if kind is not None:
        if kind not in KINDS:
            raise BadParameter(f"kind must be one of {', '.join(KINDS)}, not {kind!r:.40}")
        return kind, "as asked for"
    if game.has("planes") and game.players == 2 and game.constant_sum and not game.stochastic:
        return NETWORK, "it has planes, and two players without dice"
    if game.stochastic and game.has("encode"):
        return TD, "it has dice, and an encoding for a network"
    if len(game.feature_names):
        return WEIGHTS, "it has features" + (" and dice" if game.stochastic else ", but no planes")
    raise Unsuitable(
        f"{game.name} has nothing to learn from: give it planes(), which a network in the search sees, or "
        "features()"
    )
