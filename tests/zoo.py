"""A zoo of broken games: whatever a rule gives, Python lives, and the user reads one sentence.

Each broken game is handed to every algorithm in a process of its own, with the allocator's checks on, and
once more with Numba's checks of array bounds. Most are one class whose fault is chosen by an array on the
game, so that they share one machine code. `make zoo` has them all; `tests/test_zoo.py` one of each class.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import math
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import plies
from plies.book.algorithms import about
from plies.book.arguments import TRACED
from plies.engine.runner import FIRST
from plies.game import CHANCE

PATIENCE = 60.0
"""Seconds that one algorithm may compute with one game, compiling included, before it counts as hung; by the
clock, ten times as many."""

LIMIT = 0.1
"""Seconds that each search is given."""

SLACK = 5.0
"""Seconds by which a search may exceed that, on a busy machine, compiling not counted."""

# What may be wrong with a `Beast`: the number that its array holds.
(
    NONE,
    MOVER_ONE_HIGHER,
    MOVER_NEGATIVE,
    MOVER_HUGE,
    CHANCE_WITHOUT_DICE,
    LATER_MOVER,
    INDEX_NEGATIVE,
    INDEX_HUGE,
    MANY_ACTIONS,
    ENDLESS_ACTIONS,
    LATER_ENDLESS_ACTIONS,
    NO_ACTIONS,
    LATER_NO_ACTIONS,
    UTILITY_NAN,
    UTILITY_INF,
    UTILITY_OUTSIDE,
    UTILITY_SUM,
    EVALUATION_NAN,
    EVALUATION_INF,
    EVALUATION_OUTSIDE,
    EVALUATION_SUM,
    KEY_CONSTANT,
    PRIORITY_NAN,
    PRIORITY_INF,
    PRIORITY_HUGE,
    SYMMETRY_ILLEGAL,
    SYMMETRY_NONE,
    SYMMETRY_MANY,
    NOISY_ILLEGAL,
    NOISY_ENDLESS,
    CANDIDATES_ILLEGAL,
    CANDIDATES_NONE,
    CANDIDATES_ENDLESS,
    NEVER_ENDS,
    TERMINAL_AT_RANDOM,
    TERMINAL_WITH_ACTIONS,
    NULL_MOVE_ANYWHERE,
    PLAYOUT_ILLEGAL,
    REPETITION_KEY_CONSTANT,
    REPETITION_VALUE_OUTSIDE,
    REPETITION_VALUE_NAN,
    FEATURES_NAN,
    CHANCES_TOO_FEW,
    CHANCES_TOO_MANY,
    CHANCES_NEGATIVE,
    CHANCES_NAN,
    CHANCES_NONE,
    RAISE_ACTIONS,
    RAISE_RESULT,
    RAISE_TO_MOVE,
    RAISE_IS_TERMINAL,
    RAISE_UTILITY,
    RAISE_EVALUATE,
    RAISE_KEY,
    RAISE_PRIORITY,
    RAISE_NOISY,
    RAISE_IS_QUIET,
    RAISE_CANDIDATES,
    RAISE_SYMMETRIES,
    RAISE_NULL_MOVE,
    RAISE_MOVE_INDEX,
    RAISE_CHANCE,
    RAISE_REPETITION_VALUE,
    RAISE_PLAYOUT,
    RAISE_FEATURES,
) = range(65)

FAULTS = {
    name.lower().replace("_", " "): number
    for name, number in dict(globals()).items()
    if type(number) is int and name != "CHANCE"
}
"""The same by name."""

HUGE = 1 << 62


class Count(NamedTuple):
    total: int
    turn: int


class Beast(plies.Game):
    """Players in turn add 1 or 2 to a number; who comes to 6 wins. With a fault, chosen by its number."""

    goal = 6
    feature_names = ("total",)

    def __init__(self, fault: str = "none") -> None:
        self.fault = np.array([FAULTS[fault]])
        self.asked = np.zeros(1, np.int64)

    def is_fault(self, number: int) -> bool:
        return self.fault[0] == number

    def initial(self) -> Count:
        return Count(0, 0)

    def mover(self, state: Count) -> int:
        return state.turn % self.players

    def to_move(self, state: Count) -> int:
        if self.is_fault(RAISE_TO_MOVE) and state.total > 1:
            raise ValueError("broken on purpose")
        if self.is_fault(MOVER_ONE_HIGHER):
            return self.mover(state) + 1
        if self.is_fault(MOVER_NEGATIVE):
            return -7
        if self.is_fault(MOVER_HUGE) or (self.is_fault(LATER_MOVER) and state.total > 2):
            return HUGE
        if self.is_fault(CHANCE_WITHOUT_DICE) and state.total > 2:
            return CHANCE
        return self.mover(state)

    def actions(self, state: Count) -> Iterator[int]:
        if self.is_fault(RAISE_ACTIONS) and state.total > 1:
            raise ValueError("broken on purpose")
        later = state.total > 2
        if self.is_fault(MANY_ACTIONS):
            for action in range(20_000):
                yield 1 + action % 2
        while self.is_fault(ENDLESS_ACTIONS) or (self.is_fault(LATER_ENDLESS_ACTIONS) and later):
            yield 1
        over = state.total >= self.goal and not self.is_fault(TERMINAL_WITH_ACTIONS)
        none = self.is_fault(NO_ACTIONS) or (self.is_fault(LATER_NO_ACTIONS) and later)
        if not over and not none:
            yield 1
            yield 2

    def result(self, state: Count, action: int) -> Count:
        if self.is_fault(RAISE_RESULT) and state.total > 1:
            raise ValueError("broken on purpose")
        if self.is_fault(NEVER_ENDS):
            return Count(state.total % 3, state.turn + 1)
        return Count(state.total + action, state.turn + 1)

    def is_terminal(self, state: Count) -> bool:
        if self.is_fault(RAISE_IS_TERMINAL) and state.total > 2:
            raise ValueError("broken on purpose")
        if self.is_fault(TERMINAL_AT_RANDOM) and state.total > 0:
            self.asked[0] += 1
            return self.asked[0] % 3 == 0
        return state.total >= self.goal and not self.is_fault(NEVER_ENDS)

    def worth(self, state: Count, player: int) -> float:
        return 1.0 if (state.turn - 1) % 2 == player else -1.0

    def utility(self, state: Count, player: int) -> float:
        if self.is_fault(RAISE_UTILITY):
            raise ValueError("broken on purpose")
        if self.is_fault(UTILITY_NAN):
            return math.nan
        if self.is_fault(UTILITY_INF):
            return math.inf
        if self.is_fault(UTILITY_OUTSIDE):
            return 3.0 * self.worth(state, player)
        if self.is_fault(UTILITY_SUM):
            return 1.0
        return self.worth(state, player)

    def evaluate(self, state: Count, player: int) -> float:
        if self.is_fault(RAISE_EVALUATE):
            raise ValueError("broken on purpose")
        if self.is_fault(EVALUATION_NAN):
            return math.nan
        if self.is_fault(EVALUATION_INF):
            return -math.inf
        if self.is_fault(EVALUATION_OUTSIDE):
            return 1e30
        if self.is_fault(EVALUATION_SUM):
            return 0.9
        return 0.0

    def features(self, state: Count) -> tuple[float]:
        if self.is_fault(RAISE_FEATURES):
            raise ValueError("broken on purpose")
        return (math.nan if self.is_fault(FEATURES_NAN) else 0.1 * state.total,)

    def key(self, state: Count) -> int:
        if self.is_fault(RAISE_KEY) and state.total > 1:
            raise ValueError("broken on purpose")
        return 7 if self.is_fault(KEY_CONSTANT) else plies.bits.hash64(state)

    def move_index(self, state: Count, action: int) -> int:
        if self.is_fault(RAISE_MOVE_INDEX):
            raise ValueError("broken on purpose")
        if self.is_fault(INDEX_NEGATIVE):
            return -5 - action
        return HUGE + action if self.is_fault(INDEX_HUGE) else action

    def priority(self, state: Count, action: int) -> float:
        if self.is_fault(RAISE_PRIORITY) and state.total > 1:
            raise ValueError("broken on purpose")
        if self.is_fault(PRIORITY_NAN):
            return math.nan
        if self.is_fault(PRIORITY_INF):
            return math.inf
        return 1e300 if self.is_fault(PRIORITY_HUGE) else 1.0 * action

    def noisy(self, state: Count) -> Iterator[int]:
        if self.is_fault(RAISE_NOISY):
            raise ValueError("broken on purpose")
        if self.is_fault(NOISY_ILLEGAL):
            yield -77
        while self.is_fault(NOISY_ENDLESS):
            yield 1
        if state.total < self.goal:
            yield 2

    def is_quiet(self, state: Count) -> bool:
        if self.is_fault(RAISE_IS_QUIET):
            raise ValueError("broken on purpose")
        return state.total != 3

    def candidates(self, state: Count) -> Iterator[int]:
        if self.is_fault(RAISE_CANDIDATES):
            raise ValueError("broken on purpose")
        if self.is_fault(CANDIDATES_ILLEGAL):
            yield -99
        while self.is_fault(CANDIDATES_ENDLESS):
            yield 1
        if not self.is_fault(CANDIDATES_NONE):
            for action in self.actions(state):
                yield action

    def symmetries(self, state: Count) -> Iterator[Count]:
        if self.is_fault(RAISE_SYMMETRIES):
            raise ValueError("broken on purpose")
        if self.is_fault(SYMMETRY_ILLEGAL):
            yield Count(-5, HUGE)
        if self.is_fault(SYMMETRY_MANY):
            for _ in range(1000):
                yield state
        if not self.is_fault(SYMMETRY_NONE):
            yield state

    def null_move(self, state: Count) -> Count:
        if self.is_fault(RAISE_NULL_MOVE):
            raise ValueError("broken on purpose")
        return Count(-9, -9) if self.is_fault(NULL_MOVE_ANYWHERE) else Count(state.total, state.turn + 1)

    def playout(self, state: Count, random: int, last: int, before: int) -> int:
        if self.is_fault(RAISE_PLAYOUT):
            raise ValueError("broken on purpose")
        return -99 if self.is_fault(PLAYOUT_ILLEGAL) else 1 + random % 2


class Cyclic(Beast):
    """Positions may come up again."""

    cycles = True

    def result(self, state: Count, action: int) -> Count:
        if self.is_fault(RAISE_RESULT) and state.total > 1:
            raise ValueError("broken on purpose")
        return Count(state.total + (action if action == 2 else -(state.total % 2)), 1 - state.turn)

    def repetition_key(self, state: Count) -> int:
        return 7 if self.is_fault(REPETITION_KEY_CONSTANT) else plies.bits.hash64(state)

    def repetition_value(self, state: Count, player: int) -> float:
        if self.is_fault(RAISE_REPETITION_VALUE):
            raise ValueError("broken on purpose")
        if self.is_fault(REPETITION_VALUE_OUTSIDE):
            return 9.0
        return math.nan if self.is_fault(REPETITION_VALUE_NAN) else 0.0


class Dicey(Beast):
    """Every third number is for chance."""

    def mover(self, state: Count) -> int:
        return CHANCE if state.total % 3 == 2 else state.turn % 2

    def chance(self, state: Count) -> Iterator[tuple[int, float]]:
        if self.is_fault(RAISE_CHANCE):
            raise ValueError("broken on purpose")
        if not self.is_fault(CHANCES_NONE):
            yield (
                1,
                -0.5 if self.is_fault(CHANCES_NEGATIVE) else math.nan if self.is_fault(CHANCES_NAN) else 0.5,
            )
            if self.is_fault(CHANCES_TOO_MANY):
                yield 2, 0.7
            yield (
                2,
                1.5 if self.is_fault(CHANCES_NEGATIVE) else 0.25 if self.is_fault(CHANCES_TOO_FEW) else 0.5,
            )


class Alone(Beast):
    players = 1
    total = None


class Three(Beast):
    players = 3
    total = None


# -- Games broken in ways that do not compile, or that are facts of a game.


class Board(NamedTuple):
    cells: Any
    turn: int


class ArrayState(Beast):
    """The state is an array."""

    def initial(self) -> Any:
        return np.zeros(3, np.int64)

    def to_move(self, state: Any) -> int:
        return int(state[1]) % 2

    def actions(self, state: Any) -> Iterator[int]:
        if state[0] < 6:
            yield 1
            yield 2

    def result(self, state: Any, action: int) -> Any:
        after = state.copy()
        after[0] += action
        after[1] += 1
        return after

    def is_terminal(self, state: Any) -> bool:
        return bool(state[0] >= 6)

    def utility(self, state: Any, player: int) -> float:
        return 1.0 if (state[1] - 1) % 2 == player else -1.0

    features = plies.Game.features
    is_quiet, noisy, candidates = plies.Game.is_quiet, plies.Game.noisy, plies.Game.candidates
    symmetries, null_move, key, playout = (
        *(plies.Game.symmetries, plies.Game.null_move),
        *(plies.Game.key, plies.Game.playout),
    )


class ArrayField(ArrayState):
    """A field of the state is an array."""

    def initial(self) -> Any:
        return Board(np.zeros(2, np.int64), 0)

    def to_move(self, state: Any) -> int:
        return state.turn % 2

    def actions(self, state: Any) -> Iterator[int]:
        if state.cells[0] < 6:
            yield 1
            yield 2

    def result(self, state: Any, action: int) -> Any:
        cells = state.cells.copy()
        cells[0] += action
        return Board(cells, state.turn + 1)

    def is_terminal(self, state: Any) -> bool:
        return bool(state.cells[0] >= 6)

    def utility(self, state: Any, player: int) -> float:
        return 1.0 if (state.turn - 1) % 2 == player else -1.0


def broken(name: str, base: type[Any] = Beast, **members: Any) -> Callable[[], Any]:
    """A maker of games of a class with other members."""
    return lambda: type(name, (base,), members)()


def twisted(rule: str, answer: Any, base: type[Any] = Beast, after: int = 0) -> Callable[[], Any]:
    """A maker of games in which a rule gives something else where the number is at least so large.

    They do not compile, so most are tried interpreted only.
    """

    def other(self: Any, *args: Any) -> Any:
        if rule == "initial" or args[0].total >= after:
            return answer
        return getattr(super(cls, self), rule)(*args)

    cls = type(f"Twisted{rule.title().replace('_', '')}", (base,), {rule: other})
    return cls


@dataclass(frozen=True)
class Cage:
    """A broken game, what it is an example of, and the rule that a sentence about it names, if one must."""

    name: str
    kind: str
    make: Callable[[], Any]
    rule: str = ""
    must: bool = False
    """Whether every engine that serves such games is bound to meet the fault, and so to tell of it."""
    modes: tuple[str, ...] = ("heap", "bounds", "plain")
    """Compiled with the allocator's checks; compiled with Numba's checks; interpreted."""


RULES = {
    "mover": "to_move",
    "chance": "to_move",
    "endless": "actions",
    "no": "actions",
    "utility": "utilit",
    "evaluation": "evaluate",
    "chances": "chance",
    "repetition": "repetition_value",
}
"""The rule that a sentence names, by the first word of the fault."""

MUST = (
    *("mover one higher", "mover huge", "mover negative", "no actions", "endless actions"),
    *("utility nan", "utility inf", "utility outside", "raise result", "raise to move"),
    *("later mover", "later no actions"),
)
"""The faults that no search can miss."""


def beasts() -> Iterator[Cage]:
    """All whose fault is chosen by a number, of every kind of game in which it can be."""
    for fault in FAULTS:
        words = fault.split()
        must = fault in MUST
        rule = RULES.get(words[0], "")
        if words[0] == "raise":
            rule = "_".join(words[1:])
            if rule == "actions":
                rule = ""  # or that of candidates(), which calls it
        elif words[0] == "later":
            rule = "to_move" if words[-1] == "mover" else "actions"
        kinds: dict[str, type[Any]] = {"": Beast, " alone": Alone, " of three": Three}
        if words[0] == "chances" or fault == "raise chance":
            kinds = {"": Dicey}
        elif "repetition" in fault:
            kinds = {"": Cyclic}
        elif words[0] in ("mover", "utility", "later", "never", "terminal"):
            kinds |= {" with dice": Dicey, " in circles": Cyclic}
        for where, base in kinds.items():
            yield Cage(
                fault + where, words[0], lambda base=base, fault=fault: base(fault), rule, must and not where
            )


PARTLY = ("result", "key", "priority")
"""Rules tried where others compile, too: without `result` or `key` none do, without `priority` all others."""


def strangers() -> Iterator[Cage]:
    """All others."""
    yield Cage("array as a state", "arrays", ArrayState, must=True)
    yield Cage("array in a state", "arrays", ArrayField, must=True)
    yield Cage("array later", "arrays", twisted("result", Board(np.zeros(2), 1), after=2))
    for name, bounds in {
        "infinite": (-math.inf, math.inf), "nan": (math.nan, 1), "crossed": (1, -1), "words": ("a", "b"),
        "one": (1,), "none": None,
    }.items():  # fmt: skip
        yield Cage(f"bounds {name}", "bounds", broken("Bounds", bounds=bounds), must=True)
    for players in (0, -2, 2.5, "two", None, 1 << 40):
        yield Cage(f"players {players!r}", "players", broken("Players", players=players))
    for total in (math.nan, math.inf, "zero", 5):
        yield Cage(f"total {total!r}", "total", broken("Total", total=total))
    for rule, answers in {
        "initial": (None, [], "start", {}),
        "to_move": (None, "x", 0.5, math.nan),
        "actions": (None, 3, "ab", [[1]], [None], {1: 2}),
        "result": (None, "over", 3, Count(9, 0)._replace(total="many"), (1, 2, 3)),
        "is_terminal": (None, "no", np.zeros(2)),
        "utility": (None, "much", 1j, True),
        "evaluate": (None, "much", 1j, [0.5]),
        "key": (None, "key", 1 << 70, 0.5),
        "move_index": (None, "move_index", 1 << 70, 0.5),
        "priority": (None, "high", 1j),
        "exchange": (None, "much", 1j),
        "candidates": (None, 3, "ab"),
        "proved_bounds": (None, (1, -1), (0, math.nan), ("low", "high"), (0, 0, 0), 0.5),
        "noisy": (None, 3, [None]),
        "symmetries": (None, 3, ["mirror"], []),
        "null_move": (None, "skip"),
        "is_quiet": (None, np.zeros(2)),
        "playout": (None, "x", 0.5),
        "identity": (None, [1], "here", np.zeros(2)),
    }.items():
        for answer in answers:
            for after in (0, 3):
                if rule != "initial" or not after:
                    when = " later" if after else ""
                    name = f"{rule} is {answer!r:.20}{when}"
                    modes = ("heap", "plain") if answer is None and rule in PARTLY else ("plain",)
                    yield Cage(name, "strange", twisted(rule, answer, after=after), modes=modes)

    for rule, answers in {
        "repetition_key": (None, "key", 1 << 70),
        "repetition_value": (None, "draw"),
        "plies_left": (-3, None, 1 << 70),
    }.items():
        for answer in answers:
            name = f"{rule} is {answer!r:.20}"
            yield Cage(name, "strange", twisted(rule, answer, Cyclic), modes=("plain",))
    for answer in (None, 3, [1], [(1, "x")], [(1, 0.5, 2)], [(None, 1.0)], {1: 1.0}):
        name = f"chance is {answer!r:.20}"
        yield Cage(name, "strange", twisted("chance", answer, Dicey), modes=("plain",))


CAGES = {cage.name: cage for cage in [*beasts(), *strangers()]}


# -- What they are handed to.


def _engine(game: Any) -> Any:
    options = plies.Options(null_move=True, reductions=True, killers=True, history=True, symmetry=True)
    return plies.AlphaBeta(game, memory=0.01, options=options).search(limit=_limit())


def _limit() -> Any:
    return plies.Limit(time=LIMIT, depth=8, nodes=20_000)


def _by_name(name: str) -> Callable[[Any], Any]:
    small = {"memory": 0.01} if name in ("expectimax", "paranoid") else {}  # a large one takes the time given
    return lambda game: plies.engine_for(game, name, **small).search(limit=_limit())


def _book(name: str) -> Callable[[Any], Any]:
    budget = {known: most for known, most in TRACED.items() if known == about(name).budget}
    return lambda game: plies.book.ALGORITHMS[name](game, depth=3, **budget)


def _mcts(game: Any) -> Any:
    options = plies.MctsOptions(rave=50, priors=True, evaluation=0.5)
    limit = plies.Limit(time=LIMIT, nodes=500)
    return plies.MonteCarlo(game, memory=0.1, seed=1, options=options).search(limit=limit)


def _train(game: Any) -> Any:
    from plies.learn import NetworkTraining

    training = NetworkTraining(game, games=20, hidden=2)
    training.go()
    return training.measures


ALGORITHMS: dict[str, Callable[[Any], Any]] = {
    "alpha-beta": _engine,
    "plain alpha-beta": lambda game: plies.AlphaBeta(
        game, memory=0.01, options=plies.Options(table=False, candidates=False)
    ).search(limit=_limit()),
    "two threads": lambda game: plies.AlphaBeta(game, memory=0.01, threads=2).search(limit=_limit()),
    "solve": lambda game: plies.solve(game, time=LIMIT, memory=0.01),
    "proof-number": lambda game: plies.solve(game, time=LIMIT, memory=0.01, algorithm="proof-number"),
    "expectiminimax": lambda game: plies.Expectiminimax(game, memory=0.01).search(limit=_limit()),
    "max-n": lambda game: plies.MaxN(game).search(limit=_limit()),
    "mcts": _mcts,
    "plain mcts": lambda game: plies.MonteCarlo(game, memory=0.1, seed=1).search(
        limit=plies.Limit(time=LIMIT, nodes=500)
    ),
    "flat": lambda game: plies.engine_for(game, "flat", memory=0.1, seed=1).search(
        limit=plies.Limit(time=LIMIT, nodes=500)
    ),
    "training": _train,
    "check": lambda game: plies.check_game(game, games=3),
    **{f"book {name}": _book(name) for name in plies.book.ALGORITHMS},
}
ALGORITHMS |= {
    name: _by_name(name) for name, one in plies.ALGORITHMS.items() if not one.book and name not in ALGORITHMS
}
"""Every way to search a game: some with options that try more of them, and all by name."""

FAMILIES = tuple(
    name for name in ALGORITHMS if name not in ("plain alpha-beta", "two threads", "plain mcts", "training")
)
"""Each algorithm once."""


TRAINED = ("mover", "utility", "evaluation", "features", "raise", "none")
"""The kinds of faults that training is tried with: it has no limit, so long games are not for it."""


UNREAD = ("many", "endless", "later")
"""The kinds of faults that the book is not tried with: without a limit it would visit every child."""


def served(cage: Cage, algorithms: Sequence[str]) -> list[str]:
    """The algorithms that a broken game is handed to."""
    chosen = [name for name in algorithms if not (name.startswith("book") and cage.kind in UNREAD)]
    trained = cage.kind in TRAINED and isinstance(cage.make(), Beast) and not cage.make().cycles
    return [name for name in chosen if name != "training" or trained]


def feed(cage: Cage, algorithm: str) -> dict[str, Any]:
    """Hand a broken game to an algorithm, and tell what became of it."""
    begun = time.process_time()  # for others may keep the machine busy
    try:
        game = cage.make()
        found = ALGORITHMS[algorithm](game)
        outcome, said = "found", str(found)
        value = getattr(found, "value", None)
        if isinstance(value, plies.Value) and not math.isfinite(value.utility):
            outcome = "a value that is no number"
    except plies.PliesError as error:
        outcome, said = type(error).__name__, str(error)
        if not said or ("\n" in said.strip() and outcome != "NotCompilable"):
            outcome = "not one sentence"
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        outcome = "bare error"
        said = f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"
    return {"algorithm": algorithm, "outcome": outcome, "said": said, "seconds": time.process_time() - begun}


REFUSED = ("Unsuitable", "BadParameter")
WRONG = ("bare error", "a value that is no number", "not one sentence")


def wrong(cage: Cage, told: dict[str, Any]) -> str:
    """What is wrong about an outcome; "" if nothing is."""
    outcome, said = told["outcome"], told["said"]
    if outcome in WRONG:
        return f"{outcome}: {said}"
    nameless = said.startswith("a rule raised") and "()" not in said
    if outcome == "BrokenRule" and (nameless or cage.rule not in said):
        return f"does not name {cage.rule or 'a rule'}(): {said}"
    lenient = told["algorithm"].startswith(("book", "training"))
    if told["algorithm"] == "flat" and cage.name.startswith("later no actions"):
        lenient = True  # below the root it takes those of `playout`
    if (
        outcome == "found"
        and cage.must
        and not lenient
        and (told["algorithm"] != "check" or "every rule holds" in said)
    ):
        return f"not a word of it: {said}"
    limited = told["algorithm"] != "check"  # which plays its games to the end
    if (
        limited and told["seconds"] > LIMIT + SLACK and "NUMBA_DISABLE_JIT" in os.environ
    ):  # else it may compile
        return f"took {told['seconds']:.1f} seconds"
    return ""


# -- Processes.


def environment(mode: str, cache: Path) -> dict[str, str]:
    """The environment of a process with checks on: of the allocator ("heap") or of Numba ("bounds")."""
    tests = Path(__file__).parent
    env = {**os.environ, "PYTHONFAULTHANDLER": "1", "PYTHONWARNINGS": "ignore"}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [str(tests), os.environ.get("PYTHONPATH", "")]))
    env["PLIES_CACHE_DIR"] = str(cache / f"zoo-{mode}")
    env[FIRST] = "1"  # else a search of a tenth of a second may never see machine code
    env.pop("NUMBA_DISABLE_JIT", None)
    if mode == "plain":  # Python alone writes beyond no array
        env["NUMBA_DISABLE_JIT"] = "1"
    elif mode == "bounds":
        env["NUMBA_BOUNDSCHECK"] = "1"
    else:  # since glibc 2.34 the checks are in a library of their own
        env["LD_PRELOAD"] = "libc_malloc_debug.so.0"
        env["MALLOC_CHECK_"] = "3"
        env["GLIBC_TUNABLES"] = "glibc.malloc.check=3"
    return env


OVERFLOW = """
import ctypes, os
import numpy as np
array = np.zeros(5000)
ctypes.memset(array.ctypes.data, 65, array.nbytes + 1)
del array
print("alive", flush=True)
os._exit(0)
"""
"""Writes one byte beyond the end of an array, which the allocator's checks see when it is freed."""


def warm_up(cages: Sequence[Cage], algorithms: Sequence[str]) -> None:
    """Compile what the cages need, with games that are not broken, before there are processes."""
    bases = {type(cage.make()) for cage in cages if cage.kind not in ("strange", "arrays", "bounds")}
    for base in (Beast, Alone, Three, Dicey, Cyclic):
        for algorithm in algorithms if base in bases else ():
            told = feed(Cage("none", "none", base), algorithm)
            if told["outcome"] not in ("found", *REFUSED):
                print(
                    f"{base.__name__}, not broken, {algorithm}: {told['outcome']}, {told['said']}", flush=True
                )


def visit(cage: Cage, algorithms: Sequence[str], mode: str) -> list[str]:
    """Hand one broken game to algorithms in a process of its own: all that is wrong, in words."""
    algorithms = served(cage, algorithms)
    read, write = os.pipe()
    with tempfile.TemporaryFile("w+") as errors:
        child = os.fork()
        if child == 0:
            os.dup2(errors.fileno(), 2)
            for algorithm in algorithms:
                os.write(write, json.dumps(feed(cage, algorithm)).encode() + b"\n")
            gc.collect()  # so that what was written beyond an array is seen
            os._exit(0)
        os.close(write)
        found, left = [], list(algorithms)
        for line in _lines(read, child):
            told = json.loads(line)
            left.remove(told["algorithm"])
            if fault := wrong(cage, told):
                found.append(f"{cage.name}, {told['algorithm']}, {mode}: {fault}")
        hung = left and os.waitpid(child, os.WNOHANG) == (0, 0)
        if hung:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            found.append(f"{cage.name}, {left[0]}, {mode}: hangs")
            return found
        with contextlib.suppress(ChildProcessError):
            _, status = os.waitpid(child, 0)
            left = left if os.WIFSIGNALED(status) or os.WEXITSTATUS(status) else []
        errors.seek(0)
        if left:
            last = errors.read().strip().splitlines()[:1] or [""]
            found.append(f"{cage.name}, {left[0]}, {mode}: Python died; {last[0]}")
    return found


def _lines(pipe: int, child: int) -> Iterator[str]:
    """What comes through a pipe, line by line, for as long as something comes within `PATIENCE`."""
    with open(pipe, "rb", buffering=0) as stream, selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        text = b""
        while True:
            begun, spent = time.monotonic(), _seconds(child)
            while not selector.select(1.0):
                if _seconds(child) - spent > PATIENCE or time.monotonic() - begun > 10 * PATIENCE:
                    return
            some = stream.read(1 << 16)
            if not some:
                return
            *lines, text = (text + some).split(b"\n")
            yield from (line.decode() for line in lines)


def _seconds(process: int) -> float:
    """The time that a process has computed for: others may keep the machine busy."""
    if not Path("/proc/self/stat").exists():
        return time.monotonic()
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def keep(mode: str, cages: Sequence[Cage], algorithms: Sequence[str]) -> list[str]:
    """Open cages one after the other: all that is wrong."""
    cages = [cage for cage in cages if mode in cage.modes]
    if mode != "plain":
        warm_up(cages, algorithms)
    found: list[str] = []
    for number, cage in enumerate(cages, 1):
        faults = visit(cage, algorithms, mode)
        for fault in faults:
            print(fault, flush=True)
        found += faults
        if sys.stderr.isatty():
            print(f"\r{mode}: {number} of {len(cages)} ", end="", file=sys.stderr, flush=True)
    print(f"{mode}: {len(cages)} broken games, {len(algorithms)} algorithms: {len(found)} wrong", flush=True)
    return found


MODES = ("heap", "bounds", "plain")


def main() -> int:
    """Open cages, all of them unless some are asked for."""
    parser = argparse.ArgumentParser(description="Hand broken games to every algorithm.")
    parser.add_argument("--algorithms", default=",".join(ALGORITHMS), help="names, separated by commas")
    parser.add_argument("--only", default="", help="games whose name contains one of these, with commas")
    parser.add_argument("--modes", default=",".join(MODES), help="of heap, bounds, plain")
    parser.add_argument("--cache", type=Path, help="where machine code is kept")
    parser.add_argument("--exactly", action="store_true", help="games whose name is one of those")
    parser.add_argument("--here", action="store_true", help="in this process, whose environment is set")
    asked = parser.parse_args()
    if asked.here:
        wanted = asked.only.split(",")
        cages = [
            cage
            for cage in CAGES.values()
            if (cage.name in wanted if asked.exactly else any(part in cage.name for part in wanted))
        ]
        return 1 if keep(asked.modes, cages, asked.algorithms.split(",")) else 0
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for mode in asked.modes.split(","):
            command = [sys.executable, __file__, "--here", "--modes", mode, "--only", asked.only]
            command += ["--algorithms", asked.algorithms]
            with contextlib.suppress(KeyboardInterrupt):
                failed |= subprocess.run(
                    command, env=environment(mode, asked.cache or Path(folder))
                ).returncode
    return failed


if __name__ == "__main__":
    sys.exit(main())
