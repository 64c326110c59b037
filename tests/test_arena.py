"""Matches: fair, repeatable, kept through whatever ends them, and honest about what they show."""

from __future__ import annotations

import json
import math
import re
import subprocess
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import plies
from cyclic_games import Ring
from plies.arena import Match, MatchGame, elo_difference, match
from plies.history import History
from plies.players import Random
from plies.terminal.match import match_text
from plies.work.code import made_by
from programs import CTRL_C, PATIENCE, PROGRAM, Terminal, interactive, piped

pytestmark = pytest.mark.plain

GAME = plies.TicTacToe()


# -- What is played.


def test_sides_and_openings_alternate() -> None:
    result = match(GAME, "random", "book:minimax:1", games=12, openings=3, seed=5)
    assert [played.number for played in result.games] == list(range(12))
    assert [played.first for played in result.games] == [0, 1] * 6
    openings = [tuple(played.moves[: played.opening]) for played in result.games]
    assert all(len(opening) == 3 for opening in openings)
    assert openings[::2] == openings[1::2]  # each from both sides
    assert len(set(openings)) > 3


def test_every_game_is_legal_and_scored_as_it_ended() -> None:
    result = match(GAME, "random", "engine:depth=2", games=20, openings=2, seed=1)
    for played in result.games:
        history = History(GAME)
        for move in played.moves:
            history.play(GAME.parse_action(history.state, move))
        assert history.over
        assert played.score == (history.utility(played.first) + 1) / 2
    assert result.wins + result.draws + result.losses == 20
    assert result.losses > result.wins


def test_a_match_repeats_with_its_seed() -> None:
    def moves(seed: int) -> list[list[str]]:
        return [
            played.moves
            for played in match(plies.Pig(target=20), "random", "random", games=6, seed=seed).games
        ]

    assert moves(1) == moves(1) != moves(2)


def test_a_random_player_does_not_play_every_game_alike() -> None:
    result = match(GAME, "random", "random", games=10, openings=0)
    assert len({tuple(played.moves) for played in result.games}) == 10


@pytest.mark.no_cover
def test_an_opening_never_ends_the_game() -> None:
    result = match(plies.Nim((1, 1)), "random", "random", games=6, openings=50)
    assert {played.opening for played in result.games} == {1}


def test_players_may_be_made_by_functions_and_are_given_the_past() -> None:
    seen: list[tuple[Any, list[Any]]] = []

    class Careful(Random):
        def choose(self, game: plies.Game, state: Any, previous: Sequence[Any] = ()) -> Any:
            seen.append((state, list(previous)))
            return super().choose(game, state, previous)

    def careful(seed: int) -> Careful:
        return Careful(seed)

    result = match(Ring(size=6), careful, "random", games=4, openings=1)
    assert result.players == ("careful", "random")
    assert all(played.reason or played.moves[-1] == "goal" for played in result.games)
    assert any(previous for _, previous in seen)
    for state, previous in seen:
        assert len(previous) % 2 == state.player


def test_superko_holds_in_openings_and_in_games() -> None:
    game = Ring(size=8, superko=True, passing=True)
    for played in match(game, "random", "engine:depth=2", games=10, openings=3).games:
        history = History(game)
        for move in played.moves:
            history.play(game.parse_action(history.state, move))  # raises what superko forbids
        assert history.over


@pytest.mark.no_cover
@pytest.mark.long
def test_stronger_is_better() -> None:
    result = match(plies.ConnectFour(width=5, height=4), "engine:depth=6", "random", games=20, openings=2)
    assert result.score > 0.8
    assert result.elo[1] > 0  # and that is no accident


# -- What is refused.


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"games": 0}, "games must be between 1 and 1,000,000, not 0"),
        ({"openings": -1}, "openings must be between 0 and 1,000 random moves, not -1"),
        ({"openings": "1001"}, "openings must be between 0 and 1,000 random moves, not 1001"),
        ({"jobs": -1}, r"jobs must be between 0 \(one for each core\) and 256, not -1"),
        ({"plies": 0}, "plies must be between 1 and 10,000, not 0"),
        ({"sprt": (5, 5)}, "the hypotheses of an SPRT must rise"),
        ({"sprt": (0, math.nan)}, "the hypotheses of an SPRT must rise"),
        ({"sprt": (0, 1000)}, "lie within 200 normalised Elo of zero"),
        ({"clock": "ten"}, r"a clock is SECONDS, .* not 'ten'"),
        ({"clock": "0+1"}, "a clock has more than 0"),
        ({"clock": "0/5+1"}, "a clock has more than 0"),
        ({"resign": (0.0, 3)}, "resigning takes a score above 0 and 1 to 1,000 moves"),
        ({"resign": (math.nan, 3)}, "resigning takes a score above 0"),
        ({"shuffle": True}, "random moves have no order to shuffle"),
        ({"resume": True}, "there is nothing to resume: no file is named"),
    ],
)
def test_numbers_out_of_range(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(plies.BadParameter, match=words):
        match(GAME, "random", "random", **arguments)


def test_players_and_games_that_do_not_suit() -> None:
    with pytest.raises(plies.BadParameter, match="a match is for players who are not human"):
        match(GAME, "random", "human")
    with pytest.raises(plies.BadParameter, match="there is no player 'bob'"):
        match(GAME, "bob", "random")
    with pytest.raises(plies.Unsuitable, match="a match is for 2 players; Tree has 3"):
        match(plies.Tree([[(1, 2, 3), (3, 2, 1)]], levels=(0, 1, 2)), "random", "random")
    with pytest.raises(plies.Unsuitable, match="Pig"):
        match(plies.Pig(), "random", "book:minimax:2")


# -- What it tells.


def scored(wins: int, draws: int, losses: int) -> Match:
    scores = [1.0] * wins + [0.5] * draws + [0.0] * losses
    return Match(("a", "b"), 0, len(scores), [MatchGame(n, n % 2, s, 0, []) for n, s in enumerate(scores)])


@pytest.mark.parametrize(
    ("score", "elo"),
    [
        (0.5, 0),
        (0.75, 190.85),
        (0.64, 99.95),
        (0.909090909, 400),
        (0.25, -190.85),
        (1, math.inf),
        (0, -math.inf),
    ],
)
def test_elo_of_a_score(score: float, elo: float) -> None:
    assert elo_difference(score) == pytest.approx(elo, abs=0.01)


def test_a_match_counts() -> None:
    result = scored(3, 2, 1)
    assert (result.wins, result.draws, result.losses) == (3, 2, 1)
    assert result.score == pytest.approx(4 / 6)
    elo, low, high = result.elo
    assert low < 0 < elo < high
    assert scored(2, 0, 0).elo[0] == scored(2, 0, 0).elo[2] == math.inf


# -- Kept in a file.


def test_a_match_goes_on_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    whole = match(GAME, "random", "book:minimax:2", games=8, seed=3)
    match(GAME, "random", "book:minimax:2", games=3, seed=3, save=file)
    lines = file.read_bytes()
    assert len(lines.splitlines()) == 4
    file.write_bytes(lines + b'{"number": 3, "fir')  # killed while it wrote
    resumed = match(GAME, "random", "book:minimax:2", games=8, seed=3, save=file, resume=True)
    assert resumed == whole
    assert file.read_bytes().startswith(lines)
    assert [json.loads(line)["number"] for line in file.read_text().splitlines()[1:]] == list(range(8))
    again = match(GAME, "random", "book:minimax:2", games=5, seed=3, save=file, resume=True)
    assert again.games == whole.games[:5]  # fewer than there are: nothing is played, nothing lost
    assert len(file.read_text().splitlines()) == 9


def test_a_file_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    file.write_text("precious\n")
    with pytest.raises(plies.PliesError, match="already; resume it, or give another name"):
        match(GAME, "random", "random", games=1, save=file)
    with pytest.raises(plies.PliesError, match=r"line 1 of .* is not part of a match"):
        match(GAME, "random", "random", games=1, save=file, resume=True)
    assert file.read_text() == "precious\n"
    with pytest.raises(plies.PliesError, match="cannot be used: No such file or directory"):
        match(GAME, "random", "random", games=1, save=tmp_path / "no" / "file")


HEAD = {
    "game": "TicTacToe()",
    "players": ["random", "random"],
    "seed": 0,
    "openings": 4,
    "clock": None,
    "resign": None,
    "adjudicate": False,
    "plies": 10_000,
    **made_by(GAME),
}
GONE = {"number": 0, "first": 0, "score": 1, "opening": 0, "moves": ["5"]}


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "holds no match to resume"),
        ([HEAD | {"seed": 1}], "was begun with seed 1, not 0: go on with the settings"),
        ([HEAD, {"number": 1, "first": 1, "score": 1, "opening": 0, "moves": []}], "line 2 of"),
        ([HEAD, {"number": 0, "first": 0, "score": 7, "opening": 0, "moves": []}], "line 2 of"),
        ([HEAD, [1, 2]], "line 2 of"),
        ([HEAD, {"number": 0}], "line 2 of"),
        ([HEAD, GONE | {"moves": [5]}], "line 2 of"),
        ([HEAD, GONE | {"values": [1, 2]}], "line 2 of"),
        ([HEAD, GONE | {"seconds": ["long"]}], "line 2 of"),
        ([HEAD, GONE | {"depths": 1}], "line 2 of"),
        ([HEAD, GONE | {"values": [[]]}], "line 2 of"),
        ([HEAD, GONE | {"termination": "won"}], "line 2 of"),
        ([HEAD, GONE | {"position": None}], "line 2 of"),
    ],
    ids=range(13),
)
def test_a_file_of_something_else(tmp_path: Path, lines: list[Any], words: str) -> None:
    file = tmp_path / "match.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    before = file.read_bytes()
    with pytest.raises(plies.PliesError, match=words):
        match(GAME, "random", "random", save=file, resume=True)
    assert file.read_bytes() == before


def test_a_killed_match_keeps_its_games(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    command = ["match", "tic-tac-toe", "random", "book:minimax:4", "--games", "100000", "--save", str(file)]
    process = subprocess.Popen([*PROGRAM, *command], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + PATIENCE
    while not (file.exists() and len(file.read_bytes().splitlines()) > 5):
        assert time.monotonic() < deadline, "no games were written"
        time.sleep(0.05)
    process.kill()
    process.wait()
    kept = len(file.read_bytes().splitlines()) - 1
    result = match(GAME, "random", "book:minimax:4", games=kept + 2, save=file, resume=True)
    assert result.games == match(GAME, "random", "book:minimax:4", games=kept + 2).games


# -- From the command line.


def test_the_command() -> None:
    done = piped(
        "match", "tic-tac-toe", "book:minimax", "random", "--games", "4", "--openings", "2", "--seed", "9"
    )
    assert done.returncode == 0
    assert done.stderr == ""
    first, games, won, drawn, lost, pairs, score, elo, normalised, superior = done.stdout.splitlines()
    assert first == "tic-tac-toe: book:minimax against random"
    assert games == "games      4; seed 9; openings of 2 random moves, each from both sides"
    counts = [int(line.split()[1]) for line in (won, drawn, lost)]
    assert sum(counts) == 4
    assert score.startswith(f"score      {(counts[0] + counts[1] / 2) / 4:.1%}; 95 % interval ")
    assert elo.startswith("Elo ")
    assert "400 log10(score / (1 - score))" in elo
    assert sum(map(int, re.findall("[0-9]+", pairs))) == 2
    assert normalised.startswith("normalised ")
    assert normalised.endswith(" (by a game's standard deviation)")
    assert superior.endswith("% (likelihood of superiority)")


def test_the_command_in_json_with_parameters() -> None:
    done = piped(
        "match", "nim", "engine:nodes=500", "random", "heaps=1,2", "--games", "2", "--json", "--openings", "0"
    )
    data = json.loads(done.stdout)
    assert data["game"] == "Nim(heaps=(1, 2), misere=False)"
    assert data["games"] == data["planned"] == 2
    assert data["wins"] + data["draws"] + data["losses"] == 2


def test_conditions_are_reported_and_no_likelihood_is_certain() -> None:
    played = match(GAME, "book:minimax:2", "random", games=4, clock="60+1", resign=(3, 2), plies=50)
    text = match_text(GAME, played)
    assert "\nconditions clock 60+1; resigned 3 behind for 2 moves; drawn after 50 plies\n" in text
    won = [replace(game, score=1.0) for game in played.games for _ in range(10)]
    certain = replace(played, games=[replace(game, number=number) for number, game in enumerate(won)])
    assert "superior   > 99.9% (likelihood of superiority)" in match_text(GAME, certain)
    lost = replace(certain, games=[replace(game, score=0.0) for game in certain.games])
    assert "superior   < 0.1% (likelihood of superiority)" in match_text(GAME, lost)


def test_parameters_may_come_before_the_players() -> None:
    words = ("--games", "2", "--openings", "0")
    before = piped("match", "nim", "heaps=1,2", "random", "random:2", *words)
    assert before.returncode == 0
    assert before.stdout == piped("match", "nim", "random", "random:2", "heaps=1,2", *words).stdout


def test_the_command_refuses_in_a_sentence(tmp_path: Path) -> None:
    for arguments, words in [
        (("tic-tac-toe", "human", "random"), "a match is for players who are not human"),
        (("tic-tac-toe", "random", "random", "--resume"), "there is nothing to resume"),
        (("tic-tac-toe", "random"), "Missing argument"),
        (("nim", "heaps=1,2", "random"), "a match has two players: 'heaps=1,2' is for a parameter"),
        (("nim", "random", "random", "random"), "'random' is not a parameter of Nim"),
    ]:
        done = piped("match", *arguments)
        assert done.returncode == 2
        assert words in done.stderr
        assert done.stderr.count("\n") == 1


@interactive
def test_ctrl_c_keeps_the_result_so_far() -> None:
    """Pressed while the engine thinks, which it only makes move: still the match ends."""
    with Terminal("match", "connect-four", "engine:0.2", "random", "--games", "100000") as terminal:
        terminal.expect("game 1 of 100000")
        terminal.expect("game 2 of 100000: ")
        terminal.press(CTRL_C)
        assert " of 100000; seed 0;" in terminal.expect("ended      interrupted")
        assert terminal.ends() == 0
        assert "Traceback" not in terminal.screen


@pytest.mark.plain
def test_a_constant_sum_counts_as_a_sum_of_zero_does() -> None:
    class Halves(plies.TicTacToe):
        """A win is worth 1, a loss 0, a draw a half."""

        total, bounds, compiled = 1, (0, 1), False

        def utility(self, state: Any, player: int) -> float:
            return (super().utility(state, player) + 1) / 2

        def evaluate(self, state: Any, player: int) -> float:
            return (super().evaluate(state, player) + 1) / 2

    plain, halves = (
        plies.match(game, "reflex", "random", games=20, seed=3) for game in (plies.TicTacToe(), Halves())
    )
    assert (halves.wins, halves.draws, halves.losses) == (plain.wins, plain.draws, plain.losses)
    assert plain.wins > plain.draws
    assert set(plies.tally(Halves(), ["random", "random"], games=30)) == {(1, 0), (0, 1), (0.5, 0.5)}
