"""Advice: which search a game gets and why, what would make it stronger, and evaluations that do not help."""

from __future__ import annotations

import random
import time as clock

from plies.engine.algorithms import ALGORITHMS, algorithm_for, is_blind
from plies.engine.game_size import is_small
from plies.engine.limit import DEFAULT, Limit
from plies.game import CHANCE, Game
from plies.history import legal_actions

STATES = 200
"""The positions of random games in which an evaluation is called. Not tuned."""

FEWEST = 20
"""The fewest of them by which it is judged. Not tuned."""

SECONDS = 0.1
"""The most time that takes. Not tuned."""

MOST_OF_THE_TIME = 0.95
"""The share of the rules' time, interpreted, from which an evaluation is said to take most of it. Compiled it
is another one; that of Connect Four takes 0.92, and is worth it."""


def chosen(game: Game, limit: Limit = DEFAULT) -> str:
    """The search that suits a game, and why, in a sentence."""
    name = algorithm_for(game, limit)
    label = ALGORITHMS[name].label
    if name == game.algorithm:
        return f"{label}, as the game says"
    if not is_blind(game):
        return f"{label}, the usual one for such a game"
    if name == "mcts":
        return f"{label}, as there is no evaluate(), and too much to search to the end"
    if is_small(game):
        return f"{label}, as the game is small enough to be searched to its end"
    return f"{label}, as the limit is a depth; but there is no evaluate(), so it sees only what ends in time"


def what_helps(game: Game, limit: Limit = DEFAULT) -> str:
    """The rules that would make this search stronger, in a sentence; "" if nothing comes to mind."""
    name = algorithm_for(game, limit)
    if name == "mcts":
        missing = [] if game.has("playout") or game.has("pattern") else ["playout() or pattern()"]
        missing += [] if game.has("prior") else ["prior()"]
        if not game.mcts_options.get("rave", 0):
            missing.append("RAVE (mcts_options), if moves commute")
        if is_blind(game):
            missing.append("evaluate(), with which alpha-beta can look ahead")
        return f"would make it stronger: {'; '.join(missing)}" if missing and game.algorithm is None else ""
    if is_blind(game) and not is_small(game):
        return "would make it stronger: evaluate(), or a limit of time, for Monte Carlo tree search"
    return ""


def evaluation_warnings(game: Game) -> list[str]:
    """What is wrong with an evaluation, as random games show: it never differs, or takes most of the time."""
    if not game.has("evaluate") or game.simultaneous:
        return []
    values: list[float] = []
    spent = {"evaluate": 0.0, "rules": 0.0}
    try:
        _play_at_random(game, values, spent)
    except Exception:  # a rule may raise anything; `plies check` reports it, and this is but advice
        return []
    if len(values) < FEWEST:
        return []
    found = []
    if len(set(values)) == 1 and not is_small(game):
        always = f"evaluate() is {values[0]:g} in all of {len(values)} positions of random games"
        found.append(f"{always}: it tells a search nothing")
    share = spent["evaluate"] / (spent["evaluate"] + spent["rules"])
    if share > MOST_OF_THE_TIME:
        found.append(f"evaluate() takes {share:.0%} of the time of the rules, interpreted: is it worth that?")
    return found


def _play_at_random(game: Game, values: list[float], spent: dict[str, float]) -> None:
    """Play random games; note evaluations, and the seconds that they and the other rules have taken."""
    rng, end = random.Random(0), clock.perf_counter() + SECONDS
    state = game.initial()
    while len(values) < STATES and clock.perf_counter() < end:
        if game.is_terminal(state):
            state = game.initial()
            if game.is_terminal(state):
                return
        start = clock.perf_counter()
        if game.to_move(state) == CHANCE:
            outcomes, chances = zip(*game.chance(state), strict=True)
            state = game.result(state, rng.choices(outcomes, chances)[0])
            continue
        child = game.result(state, rng.choice(legal_actions(game, state)))
        game.is_terminal(child)
        middle = clock.perf_counter()
        values.append(game.evaluate(state, 0))
        spent["rules"] += middle - start
        spent["evaluate"] += clock.perf_counter() - middle
        state = child
