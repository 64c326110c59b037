"""Whether `points_and_rest` adds up: states with the same rest lead to the same rests, and gain as much."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plies.check.values import frozen, is_number
from plies.game import Action, State

if TYPE_CHECKING:
    from plies.check.examiner import Examiner


def check_points(examiner: Examiner, state: State, mover: int, actions: list[Action]) -> None:
    """Compare what a state leads to, and the gains, with the first state that was met with the same rest."""
    points, rest = _split(examiner, state)
    if rest is None:
        return
    sign = 1 if mover == 0 else -1
    found: set[Any] = set()
    for action in actions:
        child = examiner.ask("result", state, action)
        if examiner.ask("is_terminal", child):
            found.add(("end", sign * (examiner.ask("utility", child, 0) - points)))
            continue
        after, left = _split(examiner, child)
        if left is None:
            return
        found.add((left, examiner.ask("to_move", child) == mover, sign * (after - points)))
    before, wanted = examiner.rests.setdefault(rest, (state, found))
    if found != wanted:
        examiner.problem(
            "points_and_rest",
            f"points_and_rest() gives {before} and {state} one rest, but they lead to other rests or gains",
        )


def _split(examiner: Examiner, state: State) -> tuple[Any, Any]:
    """The points of a state and its rest as something to compare, or None if it is no pair."""
    given = examiner.ask("points_and_rest", state)
    if isinstance(given, tuple) and len(given) == 2 and is_number(given[0]):
        return given[0], frozen(given[1])
    examiner.problem(
        "points_and_rest", f"points_and_rest() is {given!r}, not a number and the rest of a state"
    )
    return 0, None
