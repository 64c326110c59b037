"""Rules and kernels as machine code: same answers, kept on disk, refused in words, never stale."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import plies
from plies import bits, rules
from plies.compiled import RULES, Kernel, fingerprint_of, interpreting, kernel, rule_kernels, usable
from plies.engine import kernels
from plies.engine.kernels import alpha_beta, counts, perft
from plies.engine.kernels.plain import UNIT
from plies.rules import Rule, noinline
from plies.tuples import replaced

GAMES = [
    plies.TicTacToe(),
    plies.ConnectFour(),
    plies.ConnectFour(width=4, height=3),
    plies.Nim(heaps=(2, 3)),
    plies.Nim(heaps=(2, 3), misere=True),
    plies.SumToTwo(),
    plies.Pig(target=5),
    plies.Tree(),
]
KERNELS = [value for value in vars(kernels).values() if isinstance(value, Kernel)]

compiling = pytest.mark.skipif(interpreting(), reason="compilation is switched off")


class Pair(NamedTuple):
    a: int
    b: int


class Counting(plies.Game):
    """Two players count to five in steps of 1 or 2."""

    def initial(self) -> Any:
        return Pair(0, 0)

    def to_move(self, state):
        return state.a % 2

    def actions(self, state):
        if not self.is_terminal(state):
            yield 1
            yield 2

    def result(self, state, action):
        return Pair(state.a + 1, state.b + action)

    def is_terminal(self, state):
        return state.b >= 5

    def utility(self, state, player):
        return 1 if player == state.a % 2 else -1


def arguments(run: Kernel, game: plies.Game) -> tuple[Any, ...]:
    """What each kernel is called with, from the initial state."""
    state = game.initial()
    return {
        "perft": (game, state, 3),
        "alpha_beta": (game, state, 0, -np.inf, np.inf, 3, 0, counts()),
    }[run.__name__]


@compiling
@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.parametrize("run", KERNELS, ids=repr)
def test_a_kernel_says_the_same_compiled_and_interpreted(run, game):
    args = arguments(run, game)
    machine = run.compiled_for(*args)
    assert machine(*args) == run.interpreted(*args)


@compiling
def test_every_kernel_runs_in_a_second_process_from_the_disk():
    program = """
        import sys
        sys.path.insert(0, sys.argv[1])
        from test_compiled import GAMES, KERNELS, arguments
        for game in GAMES:
            for run in KERNELS:
                args = arguments(run, game)
                machine = run.compiled_for(*args)
                assert machine.loaded
                print(machine(*args))
    """
    expected = []
    for game in GAMES:
        for run in KERNELS:
            args = arguments(run, game)
            machine = run.compiled_for(*args)
            assert machine.safe, "would crash when loaded"
            expected.append(str(machine(*args)))
    assert run_python(program, str(Path(__file__).parent)).split() == expected


def run_python(program: str, *args: str, cache: Path | None = None, code: int = 0) -> str:
    """What a program prints in a process of its own, with a cache of its own or that of all tests."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *args],
        capture_output=True,
        text=True,
        env=os.environ | ({"PLIES_CACHE_DIR": str(cache)} if cache else {}),
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stdout


# -- A fingerprint that never goes stale.

HELPER = "STEP = 1\ndef ahead(x):\n    return x + STEP\n"
BASE = """
import plies
class Base(plies.Game):
    def initial(self): return 0
    def to_move(self, state): return state % 2
    def is_terminal(self, state): return state >= 4
    def utility(self, state, player): return 1 if player == 0 else -1
"""
GAME = """
from base import Base
import helper
class Mine(Base):
    def __init__(self, top=3): self.top = top
    def actions(self, state):
        if state < 4:
            for action in range(self.top): yield action
    def result(self, state, action): return helper.ahead(state)
    def text(self, state): return "as it is"
"""
COUNT = """
    import sys
    sys.path.insert(0, sys.argv[1])
    import game
    from plies.compiled import interpreting
    from plies.engine.kernels import perft
    mine = game.Mine(int(sys.argv[2]))
    machine = perft.compiled_for(mine, 0, 3)
    print(machine(mine, 0, 3), "loaded" if machine.loaded else "compiled")
"""


SOURCES = {"helper.py": HELPER, "base.py": BASE, "game.py": GAME}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source of a game, and machine code for it in a cache."""
    folder = tmp_path_factory.mktemp("played")
    place, cache = folder / "source", folder / "cache"
    place.mkdir()
    for name, text in SOURCES.items():
        (place / name).write_text(text)
    assert run_python(COUNT, str(place), "3", cache=cache) == "27 compiled\n"
    assert run_python(COUNT, str(place), "3", cache=cache) == "27 loaded\n"
    assert run_python(COUNT, str(place), "2", cache=cache) == "8 compiled\n"
    return folder


@compiling
@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("game.py", "range(self.top)", "range(self.top - 1)", "8 compiled"),
        pytest.param("base.py", "state >= 4", "state >= 2", "0 compiled", marks=pytest.mark.costly),
        pytest.param("helper.py", "STEP = 1", "STEP = 2", "0 compiled", marks=pytest.mark.costly),
        pytest.param("helper.py", "x + STEP", "x + STEP + 9", "0 compiled", marks=pytest.mark.costly),
        ("game.py", '"as it is"', '"as it was"', "27 loaded"),
        pytest.param("helper.py", "STEP = 1", "# a comment\nSTEP = 1", "27 loaded", marks=pytest.mark.costly),
    ],
)
def test_a_change_anywhere_in_the_rules_is_seen_in_the_next_process(
    played, tmp_path, file, old, new, expected
):
    place, cache = (shutil.copytree(played / name, tmp_path / name) for name in ("source", "cache"))
    assert old in SOURCES[file]
    (place / file).write_text(SOURCES[file].replace(old, new))
    assert run_python(COUNT, str(place), "3", cache=cache) == f"{expected}\n"


def test_every_rule_that_a_kernel_asks_for_is_part_of_the_fingerprint():
    files = Path(kernels.__file__).parent.glob("*.py")
    asked = {name for file in files for name in re.findall(r"\bgame\.(\w+)", file.read_text())}
    assert {"result", "null_move", "chance", "playout"} <= asked
    assert asked <= {*RULES, "has", "pattern_weights"}, asked - set(RULES)  # the weights, by the kernel's own


def test_every_rule_can_be_compiled_by_itself():
    assert rule_kernels.RULE_KERNELS.keys() == {rule.name for rule in rules.RULES}


def test_a_parameter_changed_after_making_the_game_changes_the_fingerprint():
    game = plies.ConnectFour()
    before = fingerprint_of(game)
    game.width = 5
    assert fingerprint_of(game) != before


@compiling
def test_arrays_of_a_game_are_read_at_run_time():
    one, two = plies.Tree([[3, 12], [2, 4]]), plies.Tree([[-7, 5], [-9, 8], [-20, 1]])
    assert fingerprint_of(one) == fingerprint_of(two)
    for game, value in ((one, 3), (two, -7)):
        machine = alpha_beta.compiled_for(*arguments(alpha_beta, game))
        score = machine(*arguments(alpha_beta, game))
        assert round(score / UNIT) == value


# -- What does not compile says so, and plays all the same.


def helped(x):
    return x + 1


class UsesSuper(Counting):
    def result(self, state, action):
        return super().result(state, action)


class UsesUnknownName(Counting):
    def utility(self, state, player):
        return nowhere_defined  # noqa: F821


class ChangesType(Counting):
    def result(self, state, action):
        return Pair(state.a + 1, state.b + 0.5 * action)


class UsesYieldFrom(Counting):
    def actions(self, state):
        yield from (1, 2) if state.b < 5 else ()


class HasListState(Counting):
    def initial(self):
        return [0, 0]


class SetsAttribute(Counting):
    def utility(self, state, player):
        self.last = state
        return 1 if player == state.a % 2 else -1


@compiling
@pytest.mark.parametrize(
    ("game", "rule", "line", "reason"),
    [
        (UsesSuper(), "UsesSuper.result", "return super().result(state, action)", "super"),
        (UsesUnknownName(), "UsesUnknownName.utility", "", "name 'nowhere_defined' is not defined"),
        (ChangesType(), "ChangesType.result", "", "field 'b' is a float after result() but an int in init"),
        (UsesYieldFrom(), "UsesYieldFrom.actions", "yield from", ""),
        (HasListState(), "HasListState", "", "the state is a list; make it a tuple"),
        (SetsAttribute(), "SetsAttribute.utility", "self.last = state", ""),
    ],
    ids=repr,
)
def test_a_rule_that_does_not_compile_is_named_with_its_line(game, rule, line, reason):
    with pytest.raises(plies.NotCompilable) as error:
        alpha_beta.compiled_for(*arguments(alpha_beta, game))
    words = str(error.value)
    assert words.startswith(f"{rule} does not compile")
    assert line in words
    assert reason in words
    if "." in rule:
        assert "test_compiled.py, line " in words


def test_what_does_not_compile_runs_interpreted():
    counted = perft(Counting(), Pair(0, 0), 3)
    assert perft(UsesYieldFrom(), Pair(0, 0), 3) == counted
    assert perft(UsesSuper(), Pair(0, 0), 3) == counted


@compiling
def test_a_game_that_insists_on_compiling_raises():
    game = UsesSuper()
    game.compiled = True
    with pytest.raises(plies.NotCompilable, match=r"UsesSuper\.result"):
        perft(game, Pair(0, 0), 3)


@compiling
def test_a_game_that_forbids_compiling_is_left_alone():
    game = Counting()
    game.compiled = False
    assert perft.best_for(game, Pair(0, 0), 3) is perft.interpreted


class UsesHelper(Counting):
    step = 1

    @property
    def goal(self):
        return 5 * self.step

    @staticmethod
    def enough(total, goal):
        return total >= goal

    @noinline
    def is_terminal(self, state):
        return self.enough(state.b, self.goal)

    def result(self, state, action):
        return Pair(helped(state.a), state.b + action)


@compiling
def test_helpers_properties_and_static_methods_compile():
    game = UsesHelper()
    assert perft.compiled_for(game, Pair(0, 0), 3)(game, Pair(0, 0), 3) == perft(Counting(), Pair(0, 0), 3)


@compiling
def test_two_games_may_have_state_classes_of_one_name():
    def play(reverse):
        class Pair(NamedTuple):  # the same name and fields for two classes
            a: int
            b: int

        class Local(Counting):
            def initial(self):
                return Pair(0, 0)

            def result(self, state, action):
                return Pair(state.a + 1, state.b + (3 - action if reverse else action))

        return Local(), Pair(0, 0)

    for reverse in (False, True):
        game, state = play(reverse)
        assert perft.compiled_for(game, state, 3)(game, state, 3) == perft(Counting(), Pair(0, 0), 3)


# -- The crash that a cached recursion can cause is met before it happens.


def countdown(x, begun):
    return 0 if x <= 0 else 1 + countdown(x - 1, True)  # a literal, where the first call has a variable


class RecursesOnALiteral(Counting):
    def is_terminal(self, state):
        return countdown(state.b, state.a > 0) >= 5


@compiling
def test_a_recursion_that_would_crash_from_disk_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("PLIES_CACHE_DIR", str(tmp_path))
    game = RecursesOnALiteral()
    machine = perft.compiled_for(game, Pair(0, 0), 3)
    assert machine(game, Pair(0, 0), 3) == 8
    assert not machine.safe
    assert list(tmp_path.glob("*.plies")) == []


# -- What a recursive kernel returns is found out once, and once more if that was wrong.


@kernel
def halved(game, x, times):
    if times == 0:
        return x
    return halved(game, x, times - 1) / 2


@compiling
def test_a_recursion_whose_last_return_type_is_not_its_first(tmp_path, monkeypatch):
    monkeypatch.setenv("PLIES_CACHE_DIR", str(tmp_path))
    machine = halved.compiled_for(Number(), 3, 2)
    assert machine(Number(), 3, 2) == 0.75
    assert machine(Number(), 3, 0) == 3


# -- Bits mean the same compiled.


@kernel
def bit_facts(game, x, y):
    total = 0
    for index in bits.indices(x):
        total = total * 3 + index
    first = bits.lowest(x) if x != 0 else -1
    last = bits.highest(x) if x != 0 else -1
    return (
        (bits.popcount(x), first, last, bits.left(x, y & 63), bits.right(x, y & 63)),
        (
            bits.multiply(x, y),
            bits.add(x, y),
            bits.mix(x),
            bits.hash64((x, y, True)),
            bits.hash64(x * 0.5),
            total & 0xFFFF,
        ),
        (bits.check64((x, (y, True))), bits.check64(x * 0.5), bits.check_chain(x, y)),
    )


class Number(Counting):
    """A game whose state is one number."""

    def initial(self):
        return 0


@kernel
def least_hash(game, x):
    """The least hash of five: what the compiler concludes from a comparison must hold for hashes as well."""
    least = bits.mix(x)
    for i in range(1, 5):
        other = bits.mix(bits.add(x, i))
        if other < least:
            least = other
    return least


@compiling
def test_overflow_means_the_same_compiled_and_interpreted():
    machine = least_hash.compiled_for(Number(), 1)
    for x in range(1000):
        assert machine(Number(), x) == least_hash.interpreted(Number(), x)


@compiling
def test_bits_mean_the_same_compiled_and_interpreted():
    machine = bit_facts.compiled_for(Number(), 1, 1)
    generator = np.random.default_rng(0)
    numbers = [0, 1, -1, 1 << 62, -(1 << 63), (1 << 63) - 1]
    numbers += map(int, generator.integers(-(2**63), 2**63 - 1, 500))
    for x, y in zip(numbers, reversed(numbers), strict=True):
        expected = bit_facts.interpreted(Number(), x, y)
        got = machine(Number(), x, y)
        assert got == expected


# -- A rule that only says where to look first is left out where it does not compile; the rest compiles.


class OrdersByDict(Counting):
    order: Any = {1: 2, 2: 1}

    def priority(self, state, action):
        return self.order[action]


class SeveralDoNot(OrdersByDict):
    def noisy(self, state):
        yield from self.actions(state)

    def is_quiet(self, state):
        return state.b % 2 == 0


class ForcingWithout(SeveralDoNot):
    forcing = True


class EvaluatesByDict(Counting):
    worth: Any = {0: 0.5, 1: -0.5}

    def evaluate(self, state, player):
        return self.worth[player]


@kernel
def ordered(game, state):
    """What all rules say that may be left out, summed up."""
    total = 1000 if game.is_quiet(state) else 0
    for action in game.actions(state):
        total += game.priority(state, action) + game.evaluate(state, 0)
    for _ in game.noisy(state):
        total += 100
    return total


@compiling
def test_a_rule_that_does_not_compile_and_can_be_spared_is_left_out_with_a_warning():
    game, state = OrdersByDict(), Pair(0, 0)
    with pytest.warns(
        plies.errors.PliesWarning, match=r"OrdersByDict\.priority does not compile: .*line \d+"
    ):
        machine = ordered.best_for(game, state)
    assert machine is not ordered.interpreted
    assert machine(game, state) == ordered.interpreted(Counting(), state)
    assert ordered.interpreted(game, state) == machine(game, state) + 3
    assert not usable(game, "priority")
    assert not usable(game, "evaluate")  # the game does not give it
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # told once
        ordered.best_for(game, state)


@compiling
def test_a_game_that_insists_on_compiling_insists_on_every_rule():
    game = OrdersByDict()
    game.compiled = True
    with pytest.raises(plies.NotCompilable, match=r"OrdersByDict\.priority.*`self\.order` is a dict"):
        ordered(game, Pair(0, 0))


@compiling
@pytest.mark.filterwarnings("ignore::plies.errors.PliesWarning")
def test_only_what_does_not_compile_is_left_out():
    game, state = SeveralDoNot(), Pair(0, 0)
    machine = ordered.best_for(game, state)
    assert machine is not ordered.interpreted
    assert machine(game, state) == 1000  # is_quiet() is there
    assert [rule for rule in ("priority", "noisy", "is_quiet") if usable(game, rule)] == ["is_quiet"]


@compiling
@pytest.mark.parametrize("game", [ForcingWithout(), EvaluatesByDict()], ids=repr)
def test_a_rule_that_values_depend_on_is_not_left_out(game):
    with pytest.warns(plies.errors.PliesWarning, match="runs interpreted"):
        assert ordered.best_for(game, Pair(0, 0)) is ordered.interpreted
    assert all(usable(game, rule) == game.has(rule) for rule in ("priority", "noisy", "evaluate"))


@compiling
@pytest.mark.long
def test_what_is_left_out_is_known_in_the_next_process(tmp_path):
    program = """
        import sys, warnings
        sys.path.insert(0, sys.argv[1])
        warnings.simplefilter("ignore")
        from plies.compiled import usable
        from test_compiled import OrdersByDict, Pair, ordered
        game = OrdersByDict()
        machine = ordered.best_for(game, Pair(0, 0))
        print(machine(game, Pair(0, 0)), usable(game, "priority"), machine.loaded)
    """
    first, second = (run_python(program, str(Path(__file__).parent), cache=tmp_path) for _ in range(2))
    assert first == "1000 False False\n"
    assert second == "1000 False True\n"


# -- Boards of tuples, and states that cannot be compiled.


@kernel
def changed(game, state, cell):
    return replaced((1, 2, 3), cell, 7)


@compiling
def test_one_cell_of_a_board_changes_the_same_compiled_and_interpreted():
    machine = changed.compiled_for(Counting(), Pair(0, 0), 0)
    for cell in range(3):
        assert machine(Counting(), Pair(0, 0), cell) == changed.interpreted(Counting(), Pair(0, 0), cell)
    for cell in (-1, 3):
        for form in (machine, changed.interpreted):
            with pytest.raises(IndexError, match="an index from 0"):
                form(Counting(), Pair(0, 0), cell)


@compiling
def test_a_state_that_holds_an_array_is_refused_in_words():
    class HoldsAnArray(Counting):
        def initial(self):
            return Pair(np.zeros(3), 0)

    game = HoldsAnArray()
    with pytest.raises(
        plies.errors.BrokenRule, match="field 'a' of a state of HoldsAnArray is a NumPy array"
    ):
        perft.compiled_for(game, game.initial(), 3)


@compiling
@pytest.mark.parametrize(
    ("field", "words"),
    [
        ({}, "field 'a' of the state is a dict; number its keys"),
        ([1], "field 'a' of the state is a list; make it a tuple"),
        ("x", "field 'a' of the state is a str; make it a tuple of ints"),
        (None, "field 'a' of the state is None; use a number"),
        ({1}, "field 'a' of the state is a set; number what can be in it"),
        (1 << 70, "field 'a' of the state has more than 64 bits"),
        ((1, {}), "field 1 of field 'a' of the state is a dict"),
    ],
)
def test_what_a_state_cannot_hold_is_told_with_what_to_write_instead(field, words):
    class Holds(Counting):
        def initial(self):
            return Pair(field, 0)

    with pytest.raises(plies.NotCompilable) as error:
        perft.compiled_for(Holds(), Holds().initial(), 3)
    assert words in str(error.value)
    assert "test_compiled.py, line " in str(error.value)


TABLE = {1: 2}
NUMBERS = [1, 2]


class Board(NamedTuple):
    cells: tuple[int, ...]
    mover: int


class Slips(plies.Game):
    """A board of three cells; each method is a way to write something that does not compile."""

    def initial(self):
        return Board((0, 0, 0), 0)

    def cut(self, state, a):
        return state.cells[:a] + (1,) + state.cells[a + 1 :]  # noqa: RUF005

    def assigned(self, state, a):
        state.cells[a] = 1

    def made_of_a_list(self, state, a):
        return tuple([1, 2])  # noqa: C409

    def generated(self, state, a):
        return sum(cell for cell in state.cells)

    def replaced(self, state, a):
        return state._replace(mover=1)

    def a_dict(self, state, a):
        return TABLE[a]

    def a_list(self, state, a):
        return NUMBERS[a]

    def counted(self, state, a):
        return state.cells.count(0)

    def keyed(self, state, a):
        return max(state.cells, key=lambda x: -x)

    def unpacked(self, state, a):
        first, *_ = state.cells
        return first

    def two_types(self, state, a):
        return (1, 2) if a else 0


@compiling
@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("cut", "a tuple cannot be cut at a variable place: to change one cell of a board, write `replaced("),
        ("assigned", "a tuple cannot be changed: to change one cell"),
        ("made_of_a_list", "only a tuple of a known length compiles"),
        ("generated", "a generator expression, as in `any(… for …)`, does not compile: write a loop"),
        ("replaced", "`_replace` does not compile: write the new state with all its fields"),
        ("a_dict", "TABLE is a dict: make it a tuple"),
        ("a_list", "NUMBERS is a list: make it a tuple"),
        ("counted", "there is no compiled form of `.count` of a tuple: write a loop"),
        ("keyed", "the argument `key=` does not compile here"),
        ("unpacked", "`first, *rest = …` does not compile"),
        ("two_types", "the branches give a tuple and an int: let them give one type"),
    ],
)
def test_reasons_are_in_the_words_of_who_writes_a_game(method, words):
    cls = type("Slip", (Slips,), {"to_move": getattr(Slips, method), "arguments": None})
    rule = Rule("to_move", ("state", "player"), optional=False)
    from plies.compiled.diagnosis import _trouble
    from plies.compiled.game_type import game_type

    typ = game_type(cls(), fingerprint_of(cls())[0])
    told = _trouble(rule, cls(), typ)
    assert told.startswith("Slip.to_move does not compile: ")
    assert "test_compiled.py, line " in told
    assert words in told
