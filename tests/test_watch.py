"""Watching a game: positions one after the other, in each other's place on a terminal, at once in a pipe."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pytest

import plies
from plies import BadParameter, tally
from plies.cli import run
from plies.players import parse_players
from plies.terminal.screen import Screen
from plies.terminal.watch import Watch

pytestmark = pytest.mark.plain


def test_in_a_pipe_positions_follow_each_other_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    begun = time.monotonic()
    words = ["watch", "pacman", "layout=cell", "limit=3", "--players", "reflex,random", "--seed", "1"]
    assert run([*words, "--delay", "3000"]) == 0
    assert time.monotonic() - begun < 60
    out = capsys.readouterr().out
    assert out.startswith("pacman: Pacman (reflex) against ghost 1 (random).\n")
    assert out.count("%%%%%\n%") == 7  # the beginning, and three moves of each
    assert "Pacman (reflex) plays " in out
    assert "\x1b" not in out
    assert run([*words]) == 0
    assert capsys.readouterr().out == out  # a seed repeats it


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_they_take_each_others_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    game, slept = plies.TicTacToe(), []
    clock = SimpleNamespace(sleep=slept.append, monotonic=time.monotonic)  # not that of other threads
    monkeypatch.setattr("plies.terminal.watch.time", clock)
    with mock.patch("sys.stdout", Terminal()) as out:
        screen = Screen()
        Watch(game, parse_players("random:1,random:2", game), screen, delay=50).run()
    frames = out.getvalue().split("\x1b[H\x1b[2J")
    count = len(frames) - 1
    assert 6 <= count <= 10  # the beginning and five to nine moves
    assert "plays" in frames[2]
    assert "after" in frames[-1]
    assert len(slept) == count
    assert slept[0] == 0
    assert all(40 < pause <= 50 for pause in slept[1:])


def test_people_and_odd_delays_are_refused() -> None:
    game = plies.TicTacToe()
    players = parse_players("human,random", game)
    with pytest.raises(BadParameter, match="use plies play"):
        Watch(game, players, Screen(plain=True))
    for delay in (-1, float("nan"), 1e9):
        with pytest.raises(BadParameter, match="the delay must be from 0"):
            Watch(game, parse_players("random,random", game), Screen(plain=True), delay=delay)


def test_dice_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", "pig", "target=10", "--players", "random,random", "--seed", "1"]) == 0
    assert "Chance: " in capsys.readouterr().out


# -- Many games in fixed seats.


def test_a_tally_is_what_each_game_brings_each_player() -> None:
    game = plies.Pirates(3, 2)
    assert tally(game, ["book:max-n"] * 3, games=2) == [(3, 0, 3), (3, 0, 3)]
    pacman = plies.Pacman("cell", limit=20)
    found = tally(pacman, ["reflex", "directional"], games=5, seed=2)
    assert found == tally(pacman, ["reflex", "directional"], games=5, seed=2)
    assert all(score == -other for score, other in found)
    assert len({score for score, _ in tally(pacman, ["random", "random"], games=8)}) > 2
    pig = tally(plies.Pig(target=10), ["random", "random"], games=30)
    assert {(1, -1), (-1, 1)} == set(pig)


def test_a_tally_refuses() -> None:
    for players, games, why in (
        (["random"], 1, "has 4 players, not 1"),
        (["random"] * 4, 0, "between 1 and 1,000,000"),
        (["human", *["random"] * 3], 1, "not human"),
    ):
        with pytest.raises(BadParameter, match=why):
            tally(plies.Pirates(), players, games=games)


HALVES = """
import plies

class Halves(plies.TicTacToe):
    total, bounds, compiled = 1, (0, 1), False

    def utility(self, state, player):
        return (super().utility(state, player) + 1) / 2

class Thirds(Halves):
    total, bounds = 3, (1, 2)

    def utility(self, state, player):
        return 1 + super().utility(state, player)
"""


def test_who_wins_a_game_of_a_constant_sum(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "halves.py"
    file.write_text(HALVES)
    words = ["--players", "random,random", "--position", "XX./OO./..."]
    assert run(["watch", f"{file}:Halves", *words, "--seed", "1"]) == 0
    assert re.search(r"\n[XO] \(random\) wins after \d moves\.\n$", capsys.readouterr().out)
    assert run(["watch", f"{file}:Halves", "--players", "random,random", "--position", "XOX/XOO/OX."]) == 0
    assert capsys.readouterr().out.endswith("\nIt is a draw after 1 move.\n")
    assert run(["watch", f"{file}:Thirds", *words, "--seed", "1"]) == 0
    assert re.search(r" wins after \d moves \(X gets \d, O gets \d\)\.\n$", capsys.readouterr().out)
