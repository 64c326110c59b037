"""Backgammon's bear-off tables: against published tables, and against the rules, one roll at a time."""

from __future__ import annotations

import csv
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from oracles import oracle_path
from plies import Backgammon, search
from plies.games import backgammon_bear_off as bear_off
from plies.games.backgammon_board import CHECKERS, HOME, State, counts_of, side_of

pytestmark = pytest.mark.plain
GAME = Backgammon()


def home(*counts: int) -> Any:
    """The side with so many checkers on the points 1 to 6, and the rest off."""
    return side_of([CHECKERS - int(sum(counts)), *map(int, counts)])


def rows_of(name: str) -> list[list[str]]:
    text = oracle_path(f"backgammon/{name}").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line[0] != "#"]
    return list(csv.reader(lines))[1:]


def number(counts: Any) -> int:
    return bear_off.index(home(*(int(digit) for digit in counts)))


def test_positions_are_numbered() -> None:
    every = bear_off.positions()
    assert len(every) == 54264
    assert (bear_off.numbers(every) == np.arange(len(every))).all()
    for i in random.Random(1).sample(range(len(every)), 200):
        assert bear_off.index(home(*every[i])) == i
        assert tuple(counts_of(home(*every[i]))[1 : HOME + 1]) == tuple(every[i])


def test_one_sided_is_as_published() -> None:
    rows = rows_of("bearoff_onesided_mean_rolls.csv")
    expected, done = bear_off.one_sided(6)
    for *counts, mean, at_once in rows:
        assert expected[number(counts)] == pytest.approx(float(mean), abs=1e-11)
        if at_once:
            assert done[number(counts), 1] == pytest.approx(float(Fraction(at_once)), abs=1e-12)
    assert len(rows) == len(expected) - 1


def test_two_sided_is_as_published() -> None:
    rows = rows_of("bearoff_twosided_cubeless.csv")
    wins = bear_off.two_sided(2)
    for mine, theirs, fraction, _ in rows:
        chance = float(Fraction(fraction))
        assert wins[number(mine), number(theirs)] == pytest.approx(chance, abs=1e-12)
        state = State(home(*map(int, mine)), home(*map(int, theirs)), 0, 0)
        assert GAME.evaluate(state, 0) == pytest.approx(2 * chance - 1, abs=2 / bear_off.UNIT)
    assert len(rows) == (len(wins) - 1) ** 2


def after_a_roll(game: Backgammon, state: State) -> float:
    """What a position is worth to the player to roll: by the rules, and by the tables after the play."""
    worth = 0.0
    for roll, chance in game.chance(state):
        thrown = game.result(state, roll)
        after = [game.result(thrown, play) for play in game.actions(thrown)]
        worth += chance * max(
            game.utility(one, state.player) if game.is_terminal(one) else game.evaluate(one, state.player)
            for one in after
        )
    return worth


@pytest.mark.parametrize(("checkers", "slack"), [(6, 6 / bear_off.UNIT), (14, 0.02)])
def test_an_entry_follows_from_those_a_roll_later(checkers: int, slack: float) -> None:
    """With few checkers exactly, up to rounding; else as nearly as hurrying is best."""
    chance = random.Random(2)
    every = bear_off.positions(checkers)
    for player in (0, 1) * 8:
        mine, theirs = (home(*every[chance.randrange(1, len(every))]) for _ in range(2))
        state = State(mine, theirs, player, 0)
        assert GAME.bearing_off(state)
        assert GAME.evaluate(state, player) == pytest.approx(after_a_roll(GAME, state), abs=slack)
        assert GAME.evaluate(state, 1 - player) == -GAME.evaluate(state, player)


def test_a_search_to_the_end_finds_the_same() -> None:
    state = State(home(0, 0, 0, 1, 1, 0), home(0, 0, 0, 0, 1, 0), 1, 21)
    found = search(GAME, state, depth=9)
    assert found.value.proved
    by_table = max(GAME.evaluate(GAME.result(state, play), 1) for play in GAME.actions(state))
    assert by_table == pytest.approx(found.value.utility, abs=3 / bear_off.UNIT)


def test_gammons_and_checkers_outside_are_not_in_the_tables() -> None:
    full, few = home(0, 0, 0, 0, 0, 15), home(1, 0, 0, 0, 0, 0)
    assert not GAME.bearing_off(State(full, few, 0, 0))
    assert not GAME.bearing_off(State(few, full, 0, 0))
    assert Backgammon(gammons=False).bearing_off(State(full, few, 0, 0))
    outside = side_of([14, 0, 0, 0, 0, 0, 0, 1])
    assert not GAME.bearing_off(State(outside, few, 0, 0))
    assert not GAME.bearing_off(State(few, side_of([14] + [0] * 23 + [1]), 0, 0))


def test_what_is_shipped_is_what_the_command_makes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done, wins = bear_off.tables()
    few = bear_off.rounded(bear_off.one_sided(6)[1])[:, : done.shape[1]]
    assert (done[: len(few)] == few).all()
    assert (done[:, -1] == bear_off.UNIT).all()
    few = bear_off.rounded(bear_off.two_sided(3))
    assert (wins[: len(few), : len(few)] == few).all()
    monkeypatch.setattr("sys.argv", ["bear-off"])
    with pytest.raises(SystemExit, match="usage"):
        bear_off.main()


@pytest.mark.long
def test_the_whole_file(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["bear-off", str(tmp_path / "made.npz")])
    bear_off.main()
    with np.load(tmp_path / "made.npz") as made, np.load(bear_off.FILE) as shipped:
        assert all((made[name] == shipped[name]).all() for name in shipped.files)
        assert made.files == shipped.files
