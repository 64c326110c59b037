"""The optional rules of a game, called in every state of a random game: heuristics, clocks, symmetries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plies.check.learners import check_indices, check_planes
from plies.check.numbering import check_number
from plies.check.points import check_points
from plies.check.values import frozen, is_number, is_whole
from plies.game import CHANCE, Action, State

if TYPE_CHECKING:
    from plies.check.examiner import Examiner


def check_optional(
    examiner: Examiner, state: State, mover: int, actions: list[Action], taken: list[Action]
) -> None:
    """Call the optional rules in a state in which a game is not over, and note what is wrong.

    `taken` are the actions that led there, after two that stand for none.
    """
    game, ask, problem = examiner.game, examiner.ask, examiner.problem
    legal = {frozen(action) for action in actions}
    for rule in ("noisy", "candidates"):
        if game.has(rule) and mover != CHANCE:
            given = {frozen(action) for action in ask(rule, state)}
            if not given <= legal:
                problem(rule, f"{rule}() gives an action that actions() does not")
            if rule == "candidates" and not given:
                problem("nothing plausible", "candidates() gives no action, where there are some")
    if game.has("playout") and mover != CHANCE:
        chosen = ask("playout", state, examiner.random.getrandbits(63), taken[-1], taken[-2])
        if frozen(chosen) not in legal:
            problem("playout", f"playout() is {chosen!r}, which is no legal action")
    if game.has("pattern") and mover != CHANCE:
        for action in actions:
            number = ask("pattern", state, action, taken[-1])
            if not is_whole(number) or not 0 <= number < len(game.pattern_weights):
                problem("pattern", f"pattern() is {number!r}, for which there is none of the pattern_weights")
            elif not is_number(weight := game.pattern_weights[number]) or not weight > 0:
                problem("pattern", f"the weight of pattern {number} is {weight!r}, not a number above 0")
    if game.has("prior") and mover != CHANCE:
        for action in actions:
            if not _is_prior(given := ask("prior", state, action, taken[-1])):
                problem("prior", f"prior() is {given!r}, not a pair of numbers from 0 on: games won and lost")
                break
    for rule in ("priority", "evaluate_action"):
        if game.has(rule) and not all(is_number(ask(rule, state, action)) for action in actions):
            problem(rule, f"{rule}() is not a finite number")
    if game.has("move_index") and not all(is_whole(ask("move_index", state, a)) for a in actions):
        problem("move_index", "move_index() is not a whole number")
    if game.move_indices and mover != CHANCE:
        check_indices(examiner, state, mover, actions)
    if game.has("planes"):
        check_planes(examiner, state)
    if game.has("plies_left"):
        left = ask("plies_left", state)
        if not is_whole(left) or left < 1:
            problem("plies_left", f"plies_left() is {left!r} where the game is not over")
    if game.has("proved_bounds") and mover in range(game.players) and game.players == 2:
        _check_bounds(examiner, state, mover, actions)
    if game.has("core"):
        core = ask("core", state)
        same = ask("to_move", core) == mover and {frozen(one) for one in ask("actions", core)} == legal
        if not same or frozen(ask("core", core)) != frozen(core):
            problem("core", f"{core} is no core: mover or actions differ, or it has another core itself")
    if game.has("points_and_rest"):
        check_points(examiner, state, mover, actions)
    if game.has("index"):
        check_number(examiner, state)
    if game.has("symmetries"):
        for image in ask("symmetries", state):
            same_mover = ask("to_move", image) == mover
            if not same_mover or len(ask("actions", image)) != len(actions):
                problem("symmetries", f"{image} is no symmetric image: mover or actions differ")


def _check_bounds(examiner: Examiner, state: State, mover: int, actions: list[Action]) -> None:
    """Compare the proved bounds of a state with those of the states that its actions lead to.

    So a bound that is false contradicts a terminal state sooner or later, if the bounds in between are tight.
    """
    total = examiner.game.total
    low, high = _bounds(examiner, state)
    if total is None or not is_number(total):
        return
    least, most = [], []
    for action in actions:
        child = examiner.ask("result", state, action)
        if examiner.ask("is_terminal", child):
            worst = best = examiner.ask("utility", child, mover)
        elif (other := examiner.ask("to_move", child)) == CHANCE:
            return
        else:
            worst, best = _bounds(examiner, child)
            worst, best = (worst, best) if other == mover else (total - best, total - worst)
        least.append(worst)
        most.append(best)
    if low > max(most) or high < max(least):
        found = f"from {max(least):g} to {max(most):g}"
        examiner.problem(
            "false bounds", f"proved_bounds() are {low:g} and {high:g}, but by the next states it is {found}"
        )


def _bounds(examiner: Examiner, state: State) -> tuple[float, float]:
    """The proved bounds of a state, asked for with a random window."""
    window = sorted(examiner.random.uniform(examiner.low, examiner.high) for _ in range(2))
    given = examiner.ask("proved_bounds", state, *window)
    if not (isinstance(given, tuple) and len(given) == 2 and all(isinstance(x, int | float) for x in given)):
        examiner.problem("proved_bounds", f"proved_bounds() is {given!r}, not a pair of numbers")
    elif not given[0] <= given[1]:
        examiner.problem("crossing bounds", f"proved_bounds() is {given!r}: the lower bound comes first")
    else:
        return given
    return examiner.low, examiner.high


def _is_prior(given: Any) -> bool:
    """Whether it is a pair of finite numbers from 0 on."""
    return (
        isinstance(given, tuple)
        and len(given) == 2
        and all(is_number(games) and games >= 0 for games in given)
    )
