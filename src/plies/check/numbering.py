"""The numbers of states, by which databases find them: `index` and `state_at` must be inverse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plies.check.values import is_number, is_whole
from plies.game import State

if TYPE_CHECKING:
    from plies.check.examiner import Examiner

SAMPLE = 200
"""Numbers at random that are looked up of each ending. Not tuned."""

DENSE = 0.1
"""The least share of the numbers that must stand for states: others take memory all the same. Not tuned."""


MOST_COMPARED = 100
"""States at most, of all random games, that are compared with those of their numbers. Not tuned."""


def check_number(examiner: Examiner, state: State) -> None:
    """Compare a state in which a game is not over with the one that its number stands for."""
    ask, problem = examiner.ask, examiner.problem
    index, stage = ask("index", state), ask("stage", state)
    if not is_whole(index) or not is_whole(stage) or index < -1:
        problem("index", f"index() is {index!r} and stage() {stage!r}, not whole numbers from -1 and 0 on")
    elif index >= 0 and examiner.numbers_compared < MOST_COMPARED:
        examiner.numbers_compared += 1
        same = ask("state_at", stage, index)
        if (ask("stage", same), ask("index", same)) != (stage, index):
            problem("state_at", f"state_at({stage}, {index}) is {same}, which has another number")
        elif _ways_on(examiner, state) != _ways_on(examiner, same):
            problem("index", f"{state} and {same} have the number {index}, but go on in different ways")


def check_endings(examiner: Examiner) -> None:
    """Look up some numbers of the endings that a game names: most of them must stand for states, and none may
    lead to a later stage, or to a number that there is none of."""
    game, problem = examiner.game, examiner.problem
    examiner.path = []
    for ending in game.endings if game.has("index") else ():
        stages = [(int(stage), int(size)) for stage, size in game.stages(ending)]
        sizes, order = dict(stages), [stage for stage, _ in stages]
        met = tried = 0
        for place, (stage, size) in enumerate(stages):
            for index in examiner.random.sample(range(size), min(size, 1 + SAMPLE // len(stages))):
                tried += 1
                state = examiner.ask("state_at", stage, index)
                if (examiner.ask("stage", state), examiner.ask("index", state)) != (stage, index):
                    continue
                met += 1
                if examiner.ask("is_terminal", state):
                    continue
                check_number(examiner, state)
                for after in _successors(examiner, state):
                    number, where = examiner.ask("index", after), examiner.ask("stage", after)
                    if where not in order[: place + 1] or not 0 <= number < sizes[where]:
                        problem(
                            "stages",
                            f"{state} of {ending} leads to {after}, which is not in an earlier stage",
                        )
        if met < DENSE * tried:
            problem("sparse", f"of {tried:,} numbers of {ending}, only {met:,} stand for states")


def _successors(examiner: Examiner, state: State) -> list[State]:
    return [examiner.ask("result", state, action) for action in examiner.ask("actions", state)]


def _ways_on(examiner: Examiner, state: State) -> Any:
    """How a state goes on: its mover, and what its successors are numbered and earn; or how it ends."""
    before = examiner.ask("earned", state)
    if not is_number(before):
        examiner.problem("earned", f"earned() is {before!r}, not a finite number")
        return None
    if examiner.ask("is_terminal", state):
        return examiner.ask("utility", state, 0) - before
    ways = [
        (examiner.ask("stage", after), examiner.ask("index", after), examiner.ask("earned", after) - before)
        for after in _successors(examiner, state)
    ]
    return examiner.ask("to_move", state), sorted(ways)
