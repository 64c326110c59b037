"""What is asked of a file in book style: its rules, its searches, its evaluation, its agent."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .calls import CannotCall, Search, action, number
from .loading import Stopped, Student
from .tables import TableGame, moves, positions, tic_tac_toe, winner

RULES = ("initial", "to_move", "actions", "result", "is_terminal", "utility")


def game_classes(student: Student) -> list[type]:
    """The classes of the file that have the six rules."""
    return [
        thing
        for thing in vars(student.module).values()
        if isinstance(thing, type)
        and thing.__module__ == student.module.__name__
        and all(callable(getattr(thing, rule, None)) for rule in RULES)
    ]


def takes(student: Student, function: str) -> list[str]:
    """What a search function takes beside a game and a state."""
    return Search(student.get(function)).takes


def search(student: Student, function: str, trees: list[Any], cases: list[Any]) -> list[Any]:
    """The value and the leaves that a search finds in each case: a tree, a depth and a window."""
    run = Search(student.get(function))
    answers: list[Any] = []
    for tree, depth, alpha, beta in cases:
        game = TableGame(**trees[tree])
        low, high = -math.inf if alpha is None else alpha, math.inf if beta is None else beta
        try:
            value = number(run.call(game, 0, depth, low, high))
            answers.append({"value": _plain(value), "leaves": game.leaves})
        except Stopped:
            raise
        except BaseException as error:
            answers.append({"error": student.describe(error), "leaves": game.leaves})
    return answers


def agent(student: Student, function: str, trees: list[Any], depths: list[Any]) -> list[Any]:
    """The action that an agent chooses at the root of each tree, at a depth each."""
    run = Search(student.get(function))
    answers: list[Any] = []
    for tree, depth in zip(trees, depths, strict=True):
        try:
            answers.append({"action": action(run.call(TableGame(**tree), 0, depth))})
        except Stopped:
            raise
        except BaseException as error:
            answers.append({"error": student.describe(error)})
    return answers


def sweep(student: Student, function: str, view: str) -> list[Any]:
    """The value of every position of Tic-Tac-Toe, those with most marks first solved.

    What was found for a position counts as its value when those before it are searched: so every position is
    searched by the student's function, and none twice.
    """
    run, game = Search(student.get(function)), tic_tac_toe()
    for state in reversed(range(len(game.movers))):
        value = number(run.call(game, state, None))
        game.solved[state] = -value if view == "mover" and game.movers[state] == 1 else value
    return [_plain(game.solved[state]) for state in range(len(game.movers))]


def count(student: Student, function: str, position: str) -> dict[str, Any]:
    """The value of a position, and the number of leaves that the search looked at."""
    game = tic_tac_toe()
    value = number(Search(student.get(function)).call(game, positions().index(position), None))
    return {"value": _plain(value), "leaves": game.evaluations}


def rules(student: Student) -> dict[str, Any]:
    """The rules of the student's Tic-Tac-Toe beside ours, on every position.

    Of each rule, on how many positions it is wrong, and the first of them with what it gave and should give.
    """
    theirs = game_classes(student)[0]()
    start = theirs.initial()
    names = _actions(theirs, start)
    wrong: dict[str, list[Any]] = {}

    def compare(rule: str, position: str, ask: Callable[[], Any], right: Any) -> None:
        try:
            given = ask()
        except Exception as error:
            given = student.describe(error)
        if given != right:
            entry = wrong.setdefault(rule, [0, position, repr(given)[:80], repr(right)[:80]])
            entry[0] += 1

    compare("actions", "." * 9, lambda: len(names), 9)
    if wrong:
        return {"wrong": wrong, "positions": 1}
    reached: dict[str, Any] = {"." * 9: start}
    total = 0
    for position in positions():
        if position not in reached:
            continue
        total += 1
        _compare_position(theirs, position, reached, names, compare)
    return {"wrong": wrong, "positions": total}


def _actions(game: Any, state: Any) -> list[Any]:
    """The actions of a state, if the rule is not blank."""
    found = game.actions(state)
    if found is None:
        raise CannotCall("actions() returned None, not actions: is it still blank?")
    return list(found)


def _compare_position(
    theirs: Any, position: str, reached: dict[str, Any], names: list[Any], compare: Callable[..., None]
) -> None:
    """Compare the rules in one position, and reach those after it."""
    state, won = reached[position], winner(position)
    over = bool(won) or "." not in position
    compare("is_terminal", position, lambda: bool(theirs.is_terminal(state)), over)
    if over:
        for player, mark in enumerate("XO"):
            right = 0 if not won else 1 if won == mark else -1
            compare("utility", position, lambda p=player: _sign(theirs.utility(state, p)), right)
        return
    below = list(moves(position))
    compare("to_move", position, lambda: theirs.to_move(state), (9 - position.count(".")) % 2)
    compare(
        "actions",
        position,
        lambda: sorted(names.index(name) + 1 if name in names else 0 for name in theirs.actions(state)),
        [cell for cell, _ in below],
    )
    before = repr(state)
    for cell, after in below:
        if after not in reached:
            try:
                reached[after] = theirs.result(state, names[cell - 1])
            except Exception as error:
                compare("result", position, lambda e=error: f"{type(e).__name__}: {e}", after)
                continue
            compare("result", position, lambda: repr(state), before)  # a state must stay as it is


def evaluation(student: Student) -> dict[str, Any]:
    """The evaluation of the student's game in every position before the end, and what is wrong with it."""
    game = game_classes(student)[0]()
    states, seen = [game.initial()], {repr(game.initial())}
    wrong: dict[str, list[Any]] = {}
    win = 1.0
    for state in states:  # which grows on the way
        if game.is_terminal(state):
            win = max(win, abs(float(game.utility(state, 0))))
            continue
        mine, other = game.evaluate(state, 0), game.evaluate(state, 1)
        if mine is None or other is None:
            raise CannotCall("evaluate() returned None, not a number: is it still blank?")
        mine, other = float(mine), float(other)
        if not math.isfinite(mine):
            wrong.setdefault("finite", [0, repr(state)[:80], mine, other])[0] += 1
        if not math.isclose(mine, -other, abs_tol=1e-9):
            wrong.setdefault("opposite", [0, repr(state)[:80], mine, other])[0] += 1
        if not abs(mine) < win:
            wrong.setdefault("less than a win", [0, repr(state)[:80], mine, win])[0] += 1
        for name in _actions(game, state):
            child = game.result(state, name)
            if repr(child) not in seen:
                seen.add(repr(child))
                states.append(child)
    return {"wrong": wrong, "positions": len(states)}


def _sign(value: Any) -> int:
    return int(value > 0) - int(value < 0)


def _plain(value: float) -> float | str:
    """A number that JSON can hold."""
    return value if math.isfinite(value) else str(value)


OPERATIONS: dict[str, Callable[..., Any]] = {
    "takes": takes,
    "search": search,
    "agent": agent,
    "sweep": sweep,
    "count": count,
    "rules": rules,
    "evaluation": evaluation,
}
