"""Roll-outs as EVAL: the mean result of random playouts from a state (Abramson 1990)."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from plies.errors import BadParameter
from plies.game import CHANCE, Action, Game, State
from plies.game_heuristics import NO_ACTION
from plies.needs import ANY
from plies.validation import capped, outcomes_in

if TYPE_CHECKING:
    from plies.book.decision import Evaluation

PLAYOUTS = 20
"""The playouts of an evaluation, by default: an error of at most 0.22 where utilities are -1 and 1. Not
tuned."""

LONGEST = 1_000
"""The most plies of a playout, by default. Not tuned."""


def rollout_evaluation(
    game: Game, *, playouts: int = PLAYOUTS, seed: int = 0, longest: int = LONGEST
) -> Evaluation:
    """An evaluation by playouts, for any game: the mean utility of some, played by the game's `playout`
    or `pattern`.

    It is a function of the seed and the state alone: minimax and alpha-beta meet the same values, and what
    all players expect has the sum that their utilities have. A playout that is not over after `longest` plies
    counts by the game's own evaluation.
    """
    ANY.check(game, "an evaluation by playouts")
    for name, number in (("playouts", playouts), ("longest", longest)):
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise BadParameter(f"{name} must be a whole number from 1 on, not {number!r}")

    def evaluate(state: State, player: int) -> float:
        rng = random.Random(f"{seed} {game.identity(state)!r}")
        return sum(playout(game, state, player, rng, longest) for _ in range(playouts)) / playouts

    return evaluate


def playout(game: Game, state: State, player: int, rng: random.Random, longest: int = LONGEST) -> float:
    """Play at random to the end of the game; what a player gets."""
    last = before = NO_ACTION
    for _ in range(longest):
        if game.is_terminal(state):
            return game.utility(state, player)
        last, before = _drawn(game, state, rng, last, before), last
        state = game.result(state, last)
    return game.utility(state, player) if game.is_terminal(state) else game.evaluate(state, player)


def _drawn(game: Game, state: State, rng: random.Random, last: Action, before: Action) -> Action:
    if game.to_move(state) == CHANCE:
        outcomes, chances = zip(*outcomes_in(game, state), strict=True)
        return rng.choices(outcomes, chances)[0]
    if game.has("playout"):
        return game.playout(state, rng.getrandbits(63), last, before)
    actions = list(capped(game, state, game.actions(state)))
    if game.has("pattern"):
        weights = [game.pattern_weights[game.pattern(state, action, last)] for action in actions]
        return rng.choices(actions, weights)[0]
    return rng.choice(actions)


ROLLOUTS = "rollouts"
"""The word for these evaluations, which a number of playouts may follow: "rollouts:50"."""


def evaluation_of(game: Game, given: Evaluation | str | None) -> Evaluation:
    """The evaluation that is given, that a word stands for, or, without either, the game's own."""
    if given is None:
        return game.evaluate
    if isinstance(given, str):
        return _named(game, given)
    if not callable(given):
        raise BadParameter(f"an evaluation is a function of a state and a player, not {given!r}")
    return given


def _named(game: Game, text: str) -> Evaluation:
    name, colon, number = (part.strip() for part in text.lower().partition(":"))
    if name != ROLLOUTS:
        raise BadParameter(f"there is no evaluation {text[:40]!r}; there is {ROLLOUTS}[:PLAYOUTS]")
    try:
        playouts = int(number) if colon else PLAYOUTS
    except ValueError:
        raise BadParameter(f"after {ROLLOUTS}: comes a number of playouts, not {number[:40]!r}") from None
    return rollout_evaluation(game, playouts=playouts)
