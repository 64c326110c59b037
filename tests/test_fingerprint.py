"""Games that differ in one place only, wherever that is, never share compiled code."""

from __future__ import annotations

import copy
import functools
import os
import subprocess
import sys
import textwrap
import types
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies.compiled import fingerprint_of, interpreting, kernel
from plies.compiled.fingerprint import Snapshot, fingerprint

compiling = pytest.mark.skipif(interpreting(), reason="compilation is switched off")

HEAD = """
import enum, functools
from typing import NamedTuple
import numpy as np
import plies
import near
from near import *

class State(NamedTuple):
    total: int
    player: int

class Base(plies.Game):
    base_value = @BASE@
    def initial(self): return State(0, 0)
    def to_move(self, state): return 0
    def actions(self, state): yield 1
    def result(self, state, action): return state
    def is_terminal(self, state): return state.total > 0
    def inherited(self): return @INHERITED@
    def stated(self): return 2
"""
NEAR = """
import far
STEP = @NEAR@
def add_step(x): return x + STEP
def goal_of(game): return game.goal
def goal_of_goal(game): return goal_of(game) + 1
def goal_by_name(game): return getattr(game, "goal")
def defaulted(x, y=@DEFAULT@): return x + y
def far_off(x): return x + far.DISTANCE
def make(k):
    def made(x): return x * k
    return made
times = make(@CLOSURE@)
"""
FAR = "DISTANCE = @FAR@\n"

# Each place by a name: what utility() returns, and what else the class has. The mark @ is 3 or 9.
PLACES = {
    "constant": "return @",
    "parameter": "return self.goal | def __init__(self): self.goal = @",
    "handed_on": "return goal_of(self) | def __init__(self): self.goal = @",
    "handed_on_twice": "return goal_of_goal(self) | def __init__(self): self.goal = @",
    "by_name": "return goal_by_name(self) | def __init__(self): self.goal = @",
    "by_lambda": "return (lambda game: game.goal)(self) | def __init__(self): self.goal = @",
    "in_lambda": "return (lambda x: x + @)(1)",
    "nested": (
        "return self.outer(2) | def outer(self, x):\n        def inner(y): return y + @\n"
        "        return inner(x)"
    ),
    "method": "return self.more() | def more(self): return @",
    "helper_method": "return self.more() | def more(self): return self.goal\n    goal = @",
    "class_attribute": "return self.goal | goal = @",
    "base_attribute": "return self.base_value",
    "inherited": "return self.inherited()",
    "property": "return self.goal | @property\n    def goal(self): return @",
    "property_of_object": (
        "return self.goal | @property\n    def goal(self): return self.settings['goal']\n"
        "    def __init__(self): self.settings = {'goal': @}"
    ),
    "cached_property": "return self.goal | @functools.cached_property\n    def goal(self): return @",
    "static_method": "return self.more() | @staticmethod\n    def more(): return @",
    "default": "return self.more() | def more(self, x=@): return x",
    "default_afar": "return defaulted(1)",
    "keyword_default": "return self.more(1) | def more(self, x, y=@): return x + y",
    "global_afar": "return add_step(1)",
    "global_of_module": "return near.STEP",
    "module_of_module": "return near.far.DISTANCE",
    "module_afar": "return far_off(1)",
    "module_of_game": "return self.helper.STEP | helper = near",
    "closure": "return times(2)",
    "closure_of_game": (
        "return self.more(1) | def __init__(self):\n        k = @\n        self.more = lambda x: x + k"
    ),
    "tuple": "return self.goals[1] | def __init__(self): self.goals = (1, @)",
    "tuple_in_tuple": "return self.goals[1][0] | def __init__(self): self.goals = (1, (@,))",
    "named_constant": "return self.start.player | start = State(4, @)",
    "enum": "return self.kind.value | kind = enum.Enum('Kind', {'GOAL': @}).GOAL",
    "int_enum": "return self.kind + 0 | kind = enum.IntEnum('Kind', {'GOAL': @}).GOAL",
    "kind_of_number": "return self.goal | goal = @KIND@",
    "sign_of_zero": "return self.goal | goal = @SIGN@",
    "kind_in_tuple": "return self.goals[0] | goals = (@KIND@,)",
    "array_of_property": ("return int(self.table[0]) | @property\n    def table(self): return np.array([@])"),
    "arrays_in_tuple": "return int(self.tables[0][0]) | tables = (np.array([@]), np.array([1]))",
    "game_within": "return self.game.goal | def __init__(self): self.game = Inner(@)",
    "rule_within": "return self.game.more(@REVERSED@) | def __init__(self): self.game = Inner(4)",
    "caught": (
        "return self.more() | def more(self):\n        y = 1\n        try:\n            y += @\n"
        "        except Exception:\n            y = 1\n        return y"
    ),
    "order_of_fields": "return Ordered(1, 2).a",
}
TAIL = """
class Inner(Base):
    def __init__(self, goal): self.goal = goal
    def utility(self, state, player): return 1
    def more(self, x): return x + @INNER@

class Ordered(NamedTuple):
    @ORDER@
"""
VALUES = (
    {"@KIND@": "3", "@SIGN@": "0.0", "@ORDER@": "a: int\n    b: int"},
    {"@KIND@": "3.0", "@SIGN@": "-0.0", "@ORDER@": "b: int\n    a: int"},
)

RUN = """
    import importlib, sys
    from plies.compiled import fingerprint_of, kernel
    names = sys.argv[1].split(",")
    @kernel
    def asked(game, state):
        return game.utility(state, 0)
    own = {"near", "far", *(f"by_{name}" for name in names)}
    for folder in sys.argv[2:]:
        for name in own:
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        sys.path.insert(0, folder)
        sys.dont_write_bytecode = True
        for name in names:
            game = importlib.import_module(f"by_{name}").Mine()
            state = game.initial()
            machine = asked.compiled_for(game, state)
            expected, got = asked.interpreted(game, state), machine(game, state)
            assert repr(got) == repr(expected), (folder, name, got, expected)
            print(name, expected, fingerprint_of(game)[0], "loaded" if machine.loaded else "compiled")
        sys.path.remove(folder)
"""


def written(folder: Path, which: int) -> Path:
    """A folder of modules, in each a game that reaches one of the places, which are one thing or another."""
    folder.mkdir(parents=True)
    for place, what in PLACES.items():
        body, _, more = what.partition(" | ")
        game = f"class Mine(Base):\n    def utility(self, state, player): {body}\n"
        if more:
            game += f"    {more}\n"
        (folder / f"by_{place}.py").write_text(filled(HEAD + TAIL + game, which))
    (folder / "near.py").write_text(filled(NEAR, which))
    (folder / "far.py").write_text(filled(FAR, which))
    return folder


def filled(text: str, which: int) -> str:
    for mark, value in VALUES[which].items():
        text = text.replace(mark, value)
    for mark in ("BASE", "INHERITED", "NEAR", "DEFAULT", "CLOSURE", "FAR", "INNER", "REVERSED"):
        text = text.replace(f"@{mark}@", "39"[which])
    return "".join(
        line if line.strip().startswith("@") else line.replace("@", "39"[which])
        for line in text.splitlines(keepends=True)
    )


def run(names: str, *folders: Path, cache: Path) -> list[list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(RUN), names, *map(str, folders)],
        capture_output=True,
        text=True,
        env=os.environ | {"PLIES_CACHE_DIR": str(cache)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [line.split() for line in done.stdout.splitlines()]


@compiling
@pytest.mark.costly
def test_games_that_differ_in_one_place_share_no_code_in_a_process_or_on_disk(tmp_path):
    one, two = written(tmp_path / "one", 0), written(tmp_path / "two", 1)
    names = ",".join(PLACES)
    first = run(names, one, cache=tmp_path / "cache")
    second = run(names, two, one, cache=tmp_path / "cache")
    assert [line[0] for line in first] == list(PLACES)
    changed, again = second[: len(PLACES)], second[len(PLACES) :]
    for before, other, same in zip(first, changed, again, strict=True):
        assert before[2] != other[2], f"{before[0]} is not part of the fingerprint"
        assert other[3] == "compiled", f"{before[0]} was loaded with another value"
        assert same[:3] == before[:3]
        assert before[1] != other[1], f"{before[0]} shows nothing"


# -- In one process: whatever is changed later is seen, and what is equal need not be the same.


class Pair(NamedTuple):
    a: int
    b: int


STEP = 3


def add_step(x, by=1):
    return x + STEP * by


class Counting(plies.Game):
    """A game that is over at once: all that counts is what `utility` reads."""

    goal: Any = 3

    def initial(self) -> Any:
        return Pair(0, 0)

    def to_move(self, state):
        return 0

    def actions(self, state):
        yield 1

    def result(self, state, action):
        return state

    def is_terminal(self, state):
        return True

    def utility(self, state, player):
        return add_step(self.more(self.goal))

    def more(self, x):
        return x


@kernel
def asked(game, state):
    return game.utility(state, 0)


def told(game: plies.Game) -> Any:
    """What a game says, compiled where that is possible, which must be what it says interpreted."""
    if interpreting():
        return asked.interpreted(game, game.initial())
    got = asked.compiled_for(game, game.initial())(game, game.initial())
    assert got == game.utility(game.initial(), 0)
    return got


def fresh() -> plies.Game:
    """A game of a class of its own, so that a test may change it."""
    return types.new_class("Fresh", (Counting,))()


def replaced_method(game: Any, _: Any) -> None:
    type(game).more = lambda self, x: x + 10


def replaced_attribute(game: Any, _: Any) -> None:
    type(game).goal = 4


def replaced_parameter(game: Any, _: Any) -> None:
    game.goal = 4


def replaced_kind(game: Any, _: Any) -> None:
    game.goal = True


def replaced_global(game: Any, monkeypatch: Any) -> None:
    monkeypatch.setitem(globals(), "STEP", 4)


def replaced_helper(game: Any, monkeypatch: Any) -> None:
    monkeypatch.setitem(globals(), "add_step", lambda x: x)


def replaced_default(game: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(add_step, "__defaults__", (2,))


def replaced_code(game: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(add_step, "__code__", (lambda x, by=1: x - by).__code__)


def replaced_base(game: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(Counting, "more", lambda self, x: x + 20)


@pytest.mark.parametrize(
    "change",
    [
        replaced_method,
        replaced_attribute,
        replaced_parameter,
        replaced_kind,
        replaced_global,
        replaced_helper,
        replaced_default,
        replaced_code,
        replaced_base,
    ],
)
def test_what_is_changed_after_compiling_is_seen(change, monkeypatch):
    game = fresh()
    before, name = told(game), fingerprint_of(game)
    change(game, monkeypatch)
    assert fingerprint_of(game) != name
    assert told(game) != before


def test_a_changed_cell_of_a_closure_is_seen():
    k = 3

    class Local(Counting):
        def more(self, x):
            return x + k

    game = Local()
    assert told(game) == 9
    k = 5
    assert told(game) == 11


def test_code_is_that_of_the_game_it_was_asked_for_not_of_one_that_was_changed_since():
    def made(k):
        class Local(Counting):
            def more(self, x):
                return x + k

            def later(self, k_now):
                nonlocal k
                k = k_now

        return Local()

    one, two = made(3), made(3)
    assert fingerprint_of(one) == fingerprint_of(two)
    assert told(one) == 9
    one.later(50)  # its rules are those that were compiled for both
    assert told(one) == 56
    state = two.initial()
    if not interpreting():
        assert twice.compiled_for(two, state)(two, state) == 18


@kernel
def twice(game, state):
    return 2 * game.utility(state, 0)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, 1.0),
        (0.0, -0.0),
        ((1, 2), (1.0, 2)),
        ((0.0,), (-0.0,)),
        ([1, 2], [1, 2.0]),
        ({1: 2}, {True: 2}),
        ({1}, {True}),
        (np.int64(1), np.int32(1)),
        (np.float64(0.0), np.float64(-0.0)),
        ("a", b"a"),
        (("a", "b"), ("a\x1fb",)),
        ((1, (2,)), ((1, 2),)),
        (Pair(1, 2), (1, 2)),
        (range(3), range(4)),
    ],
)
def test_parameters_that_are_equal_to_python_but_not_the_same(one, other):
    first, second = Counting(), Counting()
    first.goal, second.goal = one, other
    if isinstance(one, list | dict | set):  # which do not compile, so that what they hold is not looked at
        assert fingerprint_of(first) == fingerprint_of(second)
    else:
        assert fingerprint_of(first) != fingerprint_of(second)
        assert fingerprint_of(first) != fingerprint_of(second)  # remembered by now
    assert fingerprint(one) != fingerprint(other)


@pytest.mark.plain
def test_an_array_that_is_a_constant_and_is_changed_in_place_is_seen():
    game = Counting()
    game.goal = (np.array([1]), np.array([2]))
    before = fingerprint_of(game)
    game.goal[1][0] = 3
    assert fingerprint_of(game) != before


@pytest.mark.plain
def test_a_rule_may_keep_what_it_has_worked_out():
    game: Any = Remembers()
    before = fingerprint_of(game)
    game.utility(Pair(0, 0), 0)
    assert game.memo
    assert MEMO
    assert fingerprint_of(game) == before


@functools.cache
def five() -> int:
    return 5


class Cached(Counting):
    def utility(self, state, player):
        return five()


@pytest.mark.plain
def test_a_function_that_is_cached_is_as_good_as_the_function(monkeypatch):
    before, stable = fingerprint(Cached)
    assert stable
    monkeypatch.setitem(globals(), "five", functools.cache(lambda: 6))
    assert fingerprint(Cached)[0] != before


MEMO: dict[Any, Any] = {}


class Remembers(Counting):
    def __init__(self):
        self.memo = {}

    def utility(self, state, player):
        MEMO[state] = self.memo[state] = 1
        return 1


@pytest.mark.plain
def test_a_game_within_a_game_is_seen():
    inner = Counting()
    game = plies.Wrapper(plies.Wrapper(inner))
    before = fingerprint_of(game)
    inner.goal = 8
    assert fingerprint_of(game) != before


@pytest.mark.plain
def test_a_file_may_have_the_name_of_a_standard_module(tmp_path, monkeypatch):
    (tmp_path / "antigravity.py").write_text("def more(x):\n    return x + 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = []
    for text in ("x + 1", "x + 2"):
        (tmp_path / "antigravity.py").write_text(f"def more(x):\n    return {text}\n")
        module = types.ModuleType("antigravity")
        module.__file__ = str(tmp_path / "antigravity.py")
        exec(compile((tmp_path / "antigravity.py").read_text(), module.__file__, "exec"), vars(module))
        found.append(fingerprint(module.more))
    assert found[0] != found[1]


@compiling
def test_a_class_defined_twice_compiles_twice():
    def defined():  # as a cell of a notebook that is run again
        class State(NamedTuple):
            a: int

        class Local(Counting):
            def initial(self):
                return State(0)

        return Local()

    one, two = defined(), defined()
    assert fingerprint_of(one) == fingerprint_of(two)
    assert told(one) == told(two) == 6


class Reading(Counting):
    """A game that reads a table."""

    def __init__(self, table):
        self.table = table

    def utility(self, state, player):
        return int(self.table[1])


@compiling
@pytest.mark.parametrize(
    ("table", "words"),
    [
        (np.arange(6)[::2], "the array 'table' of the game is not contiguous"),
        (np.zeros((2, 2, 2)), "the array 'table' of the game has 3 dimensions"),
        (np.array(["a", "b"]), "the array 'table' of the game holds <U1"),
    ],
)
def test_an_array_that_kernels_cannot_read_is_refused_in_words(table, words):
    assert told(Reading(np.array([1, 7]))) == 7
    with pytest.raises(plies.NotCompilable, match=words):
        asked.compiled_for(Reading(table), Pair(0, 0))


numbers = st.integers() | st.floats(allow_nan=False) | st.booleans() | st.text(max_size=3)
values = st.recursive(numbers, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=5)


@pytest.mark.plain
@given(values, values)
def test_any_two_parameters_that_differ_make_two_fingerprints(one, other):
    first, second = Counting(), Counting()
    first.goal, second.goal = one, other
    assert (fingerprint_of(first) == fingerprint_of(second)) == (repr(one) == repr(other))


def test_copying_a_game_does_not_change_its_class():
    class Copied(plies.TicTacToe):
        pass

    game, snapshot = Copied(), Snapshot()
    snapshot.cls(Copied)
    copy.copy(game)
    assert "__slotnames__" in vars(Copied)
    assert snapshot.holds()
    Copied.__slotnames__ = Copied.other = None
    assert not snapshot.holds()
