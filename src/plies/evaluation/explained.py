"""EVAL taken apart: each feature with its weight and its share, and the evaluation of each action."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plies.book import Evaluation, evaluation_of
from plies.engine.root import blamed
from plies.errors import BadParameter, BrokenRule, PliesError
from plies.evaluation.tables import as_html, as_text
from plies.game import CHANCE, SIMULTANEOUS, Game, State
from plies.models import action_value
from plies.validation import in_state


@dataclass(frozen=True)
class Term:
    """A term of a weighted sum: a feature and its weight."""

    name: str
    feature: float
    """The feature, as the player sees it."""
    weight: float
    product: float
    """Feature times weight."""
    share: float
    """The product, as a share of all products without their signs."""


@dataclass(frozen=True)
class Explanation:
    """The evaluation of a position to a player, taken apart; a table as text and in a notebook."""

    game: Game
    state: State
    player: int
    value: float
    """EVAL, in units of utility."""
    terms: tuple[Term, ...] = ()
    """The terms of the weighted sum; none where EVAL is made in another way."""
    source: str = ""
    """Where the value comes from, if not from the terms, in a sentence."""
    actions: tuple[tuple[str, float], ...] = ()
    """Each action in notation, with its `evaluate_action`, the best first; only where a player moves."""

    @property
    def total(self) -> float:
        """The weighted sum, which the game scales, clips or squashes to make EVAL of it."""
        return sum(term.product for term in self.terms)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {
            "game": repr(self.game),
            "position": self.game.position(self.state),
            "player": self.player,
            "value": self.value,
            "sum": self.total if self.terms else None,
            "terms": [vars(term) for term in self.terms],
            "source": self.source,
            "actions": dict(self.actions),
        }

    def __str__(self) -> str:
        lines = [self._title(), ""]
        if self.terms:
            lines += [*as_text(HEADINGS, self._rows()), ""]
        lines += self._value_lines()
        if self.actions:
            lines += ["", *as_text(("action", "evaluate_action"), self._action_rows())]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        tables = as_html(self._title(), HEADINGS, self._rows(), self._value_lines())
        if self.actions:
            tables += as_html("Actions", ("action", "evaluate_action"), self._action_rows())
        return tables

    def _title(self) -> str:
        game, mover = self.game, self.game.to_move(self.state)
        turn = {CHANCE: "chance", SIMULTANEOUS: "all"}.get(mover) or game.player_name(mover)
        return f"{game.name}, {turn} to move: EVAL for {game.player_name(self.player)}"

    def _rows(self) -> list[tuple[str, ...]]:
        return [
            (
                term.name,
                f"{term.feature:.4g}",
                f"{term.weight:.4g}",
                f"{term.product:+.4g}" if term.product else "0",
                f"{term.share:+.0%}" if term.share else "0%",
            )
            for term in self.terms
        ]

    def _action_rows(self) -> list[tuple[str, ...]]:
        return [(name, f"{value:.4g}") for name, value in self.actions]

    def _value_lines(self) -> list[str]:
        game, (low, high) = self.game, self.game.bounds
        lines = [f"weighted sum  {self.total:+.4g}"] if self.terms else []
        unit = "" if game.unit == 1 else f", {self.value / game.unit:+.3g} in units of {game.unit:g}"
        lines.append(f"EVAL          {self.value:+.4g}{unit} (utilities are from {low:g} to {high:g})")
        return [*lines, *([self.source] if self.source else [])]


HEADINGS = ("feature", "value", "weight", "product", "share")
"""The columns of the table."""


def explain_evaluation(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    evaluate: Evaluation | str | None = None,
    actions: bool = False,
) -> Explanation:
    """EVAL of a position to a player, by default the one to move: features, weights and shares.

    A game with `features` and as many `weights` has terms; of any other, only the value is known. `evaluate`
    is another evaluation than the game's own: a function of a state and a player, or a name such as
    "rollouts". With `actions`, every legal action has its `evaluate_action`, too.
    """
    state = game.initial() if state is None else state
    with blamed(game, state):
        if game.is_terminal(state):
            results = ", ".join(f"{game.utility(state, one):g}" for one in range(game.players))
            raise PliesError(f"there is nothing to evaluate: the game is over, with utilities {results}")
        mover = game.to_move(state)
        if player is None:
            player = max(mover, 0)
        if player not in range(game.players):
            raise BadParameter(f"{game.name} has players 0 to {game.players - 1}, not {player!r}")
        valued = evaluation_of(game, evaluate)
        value = float(valued(state, player))
        if math.isnan(value):
            raise BrokenRule(f"evaluate() for player {player} is nan {in_state(game, state, 'evaluate')}")
        terms, source = _terms(game, state, player) if evaluate is None else ((), "")
        rated: list[tuple[str, float]] = []
        if actions and mover >= 0:
            rated = [
                (game.notation(state, action), float(action_value(game, state, action)))
                for action in game.actions(state)
            ]
        rated.sort(key=lambda pair: -pair[1])
    return Explanation(game, state, player, value, tuple(terms), source, tuple(rated))


def _terms(game: Game, state: State, player: int) -> tuple[Sequence[Term], str]:
    """The terms of the weighted sum, or why there are none."""
    if not game.has("evaluate"):
        return (), f"{game.name} has no evaluation: where a search stops, the value is taken for 0."
    features = [float(feature) for feature in game.features(state)]
    weights = _weights(game)
    if not features or len(weights) != len(features):
        return (), f"{game.name} has no features with weights: its evaluation gives the value alone."
    if not _weighs(game, state, features):
        return (), "It does not depend on the weights of features here: a network, or a rule, gives it."
    sign = 1 if player == 0 else -1
    products = [sign * feature * weight for feature, weight in zip(features, weights, strict=True)]
    size = sum(map(abs, products))
    names = game.feature_names or [f"feature {number}" for number in range(1, len(features) + 1)]
    return [
        Term(name, sign * feature or 0.0, weight, product or 0.0, product / size if size else 0.0)
        for name, feature, weight, product in zip(names, features, weights, products, strict=True)
    ], ""


def _weights(game: Game) -> list[float]:
    """The weights of a game that has some; a game may call anything `weights`."""
    try:
        return [float(weight) for weight in np.ravel(getattr(game, "weights", ()))]
    except (TypeError, ValueError):
        return []


def _weighs(game: Game, state: State, features: Sequence[float]) -> bool:
    """Whether EVAL depends on the weights: it changes as they do, unless all features are 0."""
    other = copy.copy(game)
    values = set()
    for factor in (0.0, 1.0, -1.0):
        other.weights = factor * np.array(_weights(game))  # type: ignore[attr-defined]
        values.add(float(other.evaluate(state, 0)))
    return len(values) > 1 or not any(features)
