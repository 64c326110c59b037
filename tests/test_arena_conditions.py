"""What holds for the games of a match: openings, clocks, ends by other than the rules, processes, records."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import plies
from plies import records
from plies.arena import MatchGame, Sprt, match
from plies.arena.clock import GameClock, TimeControl
from plies.arena.units import Games, played_game
from plies.engine import SearchResult, Value
from plies.engine.time_manager import Clock
from plies.errors import Forfeit
from plies.games.go_sgf import read_sgf
from plies.history import History
from plies.players import Random
from plies.work.processes import Processes
from plies.work.unit import Job, Unit
from programs import CTRL_C, PATIENCE, PROGRAM, UNTRACED, Terminal, interactive, piped

pytestmark = pytest.mark.plain

GAME = plies.TicTacToe()


class Says(Random):
    """Moves at random, and says what it was told about the game."""

    def __init__(self, seed: int, game: plies.Game, **value: Any) -> None:
        super().__init__(seed)
        self.last: SearchResult | None = SearchResult(None, Value.of(game, **value), [], 7, 1, 0.0)


class Sleepy(Random):
    """Takes its time over its second move."""

    moves = 0

    def choose(self, game: plies.Game, state: Any, previous: Sequence[Any] = ()) -> Any:
        self.moves += 1
        time.sleep(0.3 if self.moves == 2 else 0)
        return super().choose(game, state, previous)


class OnlyDice(plies.TicTacToe):
    """Dice are thrown for ever."""

    def to_move(self, state: Any) -> int:
        return plies.CHANCE

    def chance(self, state: Any) -> Any:
        return [(0, 1.0)]

    def result(self, state: Any, action: Any) -> Any:
        return state


class Broken(Random):
    """Fails to move."""

    def choose_at_once(self, game: plies.Game, state: Any, player: int) -> Any:
        raise Forfeit("its process ended with code 1")

    def choose(self, game: plies.Game, state: Any, previous: Sequence[Any] = ()) -> Any:
        raise Forfeit("its process ended with code 1")


# -- Openings.


def lines(tmp_path: Path, text: str, name: str = "openings.txt") -> Path:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return file


def test_openings_of_a_file_in_order_and_shuffled(tmp_path: Path) -> None:
    file = lines(tmp_path, "# corner first\n1 5\n\n5, 1\n2 5 8\n")
    result = match(GAME, "random", "random", games=8, openings=file)
    begun = [tuple(played.moves[: played.opening]) for played in result.games]
    assert begun[::2] == begun[1::2] == [("1", "5"), ("5", "1"), ("2", "5", "8"), ("1", "5")]
    assert "they repeat after 3 pairs, and intervals hold if games then differ" in result.openings
    orders = {
        tuple(
            played.moves[0]
            for played in match(
                GAME, "random", "random", games=6, openings=file, shuffle=True, seed=seed
            ).games
        )
        for seed in range(8)
    }
    assert len(orders) > 2
    assert {"".join(sorted(order)) for order in orders} == {"112255"}


def test_positions_as_openings(tmp_path: Path) -> None:
    epd = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -"
    file = lines(tmp_path, f'{epd} bm a6; id "Ruy Lopez";\n{epd}\n{epd} 3 3\ne4 c5 Nf3\n', "some.epd")
    result = match(plies.Chess(), "random", "random", games=8, openings=file, plies=4)
    starts = [(played.position.split(" ")[0], played.opening) for played in result.games[::2]]
    assert starts == [(epd.split(" ")[0], 0)] * 3 + [("", 3)]
    assert [played.position for played in result.games[::2]][:3] == [epd, epd, f"{epd} 3 3"]
    for played in result.games:
        history = records.replay(plies.Chess(), played.position, played.moves)
        assert len(history.actions) == 4
        assert played.reason == "drawn after 4 plies"
        assert played.score == 0.5
        assert played.termination == "adjudication"


def test_epd_keeps_the_whole_position(tmp_path: Path) -> None:
    """Who is to move, and castling rights, are words like an opcode: they must not be taken for one."""
    board = "r3k2r/8/8/8/8/8/4P3/R3K2R"
    given = [
        f"{board} b KQkq - hmvc 3; fmvn 20;",
        f'{board} b Kq - 0 1; c0 "a; b";',
        f"{board} w - - bm O-O e4;",
    ]
    file = lines(tmp_path, "\n".join(given), "castling.epd")
    found = match(plies.Chess(), "random", "random", games=6, openings=file, plies=1).games[::2]
    assert [game.position for game in found] == [f"{board} b KQkq -", f"{board} b Kq - 0 1", f"{board} w - -"]
    longest = lines(tmp_path, "x" + " y" * 100_000 + "; z", "long.epd")  # quadratic time would be hours
    with pytest.raises(plies.PliesError, match=r"line 1 of .* is neither"):
        match(plies.Chess(), "random", "random", openings=longest)


def test_a_record_of_another_board_is_no_opening(tmp_path: Path) -> None:
    file = lines(tmp_path, "(;GM[1]SZ[19];B[ar];W[bq])", "large.sgf")
    with pytest.raises(plies.PliesError, match=r"is of Go\(size=19.*, not of Go\(size=9"):
        match(plies.Go(9), "random", "random", openings=file)


def test_random_openings_of_games_that_end_sooner_or_never() -> None:
    assert match(GAME, "random", "random", games=2, openings=1_000).games[0].opening >= 4
    assert match(OnlyDice(), "random", "random", games=2, plies=9).draws == 2
    with pytest.raises(plies.PliesError, match=r"openings are|cannot be read"):
        match(GAME, "random", "random", openings="9" * 5_000)


def test_games_of_a_pgn_file_as_openings(tmp_path: Path) -> None:
    file = lines(tmp_path, '[Event "?"]\n\n1. e4 e5 2. Nf3 *\n\n[Event "?"]\n\n1. d4 *\n', "lines.pgn")
    result = match(plies.Chess(), "random", "random", games=4, openings=file, plies=5)
    assert [played.moves[: played.opening] for played in result.games[::2]] == [["e4", "e5", "Nf3"], ["d4"]]


def test_the_openings_of_chess_are_legal_and_differ() -> None:
    game = plies.Chess()
    after = set()
    for text in game.openings():
        history = records.replay(game, "", text.split())
        assert not history.over
        assert [game.notation(*step) for step in zip(history.states, history.actions, strict=False)] == (
            text.split()
        )
        assert 4 <= len(history.actions) <= 16
        after.add(game.position(history.state))
    assert len(after) == len(game.openings()) >= 50
    begun = match(game, "random", "random", games=2, openings="game", plies=20).games[0]
    assert " ".join(begun.moves[: begun.opening]) == game.openings()[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 5\n1 1\n", r"line 2 of .* is neither a position nor moves of tic-tac-toe"),
        ("1 4 2 5 3\n", "line 1 of .*: the game is over there"),
        ("", "holds no openings"),
        ("# nothing\n", "holds no openings"),
    ],
)
def test_openings_that_are_none(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(plies.PliesError, match=words):
        match(GAME, "random", "random", openings=lines(tmp_path, text))


def test_files_of_openings_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(plies.PliesError, match="there is no file 'none'"):
        match(GAME, "random", "random", openings="none")
    with pytest.raises(plies.PliesError, match="there is no file"):
        match(GAME, "random", "random", openings=tmp_path)
    with pytest.raises(plies.PliesError, match="comes with no openings"):
        match(GAME, "random", "random", openings="game")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(plies.PliesError, match="is not text in UTF-8"):
        match(GAME, "random", "random", openings=tmp_path / "bytes")


# -- Clocks.


def test_time_controls() -> None:
    assert TimeControl.parse("10+0.1") == TimeControl(10, 0.1)
    assert TimeControl.parse(" 40/60+1 ") == TimeControl(60, 1, 40)
    assert TimeControl.parse(".5") == TimeControl(0.5)
    for text in ("10+0.1", "40/60+1", "0.5"):
        assert str(TimeControl.parse(text)) == text
    for text in ("", "10+", "+1", "1e9", "-1", "10/", "x/10", "9999999", "٣"):
        with pytest.raises(plies.BadParameter, match="a clock "):
            TimeControl.parse(text)


def test_a_clock_runs_down_and_is_wound_up() -> None:
    clock = GameClock(TimeControl(10, 1, 2))
    assert clock.now == Clock(10, 1, 2)
    assert clock.spend(4)
    assert clock.now == Clock(7, 1, 1)
    assert clock.spend(5)
    assert clock.now == Clock(13, 1, 2)  # 2 left, the increment, ten for two more moves
    assert not clock.spend(13.5)


def test_whoever_oversteps_the_clock_loses() -> None:
    result = match(GAME, Sleepy, "random", games=2, openings=0, clock="0.2+0.05")
    assert [played.score for played in result.games] == [0, 0]
    assert [played.reason for played in result.games] == ["X loses on time", "O loses on time"]
    assert {played.termination for played in result.games} == {"time forfeit"}


def test_players_are_told_both_clocks() -> None:
    told: list[tuple[int, Sequence[Clock]]] = []

    class Timed(Random):
        def choose_on_clock(
            self, game: plies.Game, state: Any, previous: Sequence[Any], clocks: Sequence[Clock]
        ) -> Any:
            told.append((game.to_move(state), clocks))
            return self.choose(game, state, previous)

    match(GAME, Timed, Timed, games=1, openings=0, clock="3/100+5")
    assert [mover for mover, _ in told[:4]] == [0, 1, 0, 1]
    first, third = told[0][1], told[2][1]
    assert [clock.moves_to_go for clock in first] == [3, 3]
    assert [clock.moves_to_go for clock in third] == [2, 2]
    assert all(104 < clock.remaining <= 105 for clock in third)


def test_the_engine_keeps_within_its_clock() -> None:
    result = match(plies.ConnectFour(width=4, height=4), "engine", "random", games=2, clock="2+0.1")
    assert all(played.termination == "normal" for played in result.games)
    own = [s for game in result.games for s, d in zip(game.seconds, game.depths, strict=True) if d]
    assert own


# -- Resigning, proofs, most plies.


def test_a_player_resigns_who_is_far_behind_for_long() -> None:
    def gloomy(seed: int) -> Says:
        return Says(seed, GAME, utility=-0.6)

    result = match(GAME, gloomy, "random", games=2, openings=0, resign=(0.5, 2))
    assert [played.score for played in result.games] == [0, 0]
    assert [played.reason for played in result.games] == ["X resigns", "O resigns"]
    assert [len(played.moves) for played in result.games] == [2, 3]  # instead of the second move
    assert all(len(played.values) == len(played.moves) for played in result.games)
    for resign in ((0.7, 2), (0.5, 6)):
        assert not any(p.reason for p in match(GAME, gloomy, "random", games=4, resign=resign).games)


def test_a_player_that_recovers_does_not_resign() -> None:
    class Moody(Says):
        def choose(self, game: plies.Game, state: Any, previous: Sequence[Any] = ()) -> Any:
            assert self.last is not None
            value = Value.of(game, -self.last.value.utility)
            self.last = SearchResult(None, value, [], 7, 1, 0.0)
            return super().choose(game, state, previous)

    def moody(seed: int) -> Moody:
        return Moody(seed, GAME, utility=0.9)

    assert match(GAME, moody, moody, games=2, openings=0, resign=(0.5, 1)).games[0].reason == "X resigns"
    assert not any(played.reason for played in match(GAME, moody, moody, games=6, resign=(0.5, 2)).games)


def test_a_proved_loss_is_far_behind() -> None:
    def doomed(seed: int) -> Says:
        return Says(seed, GAME, utility=-1, proved=True)

    assert match(GAME, doomed, "random", games=1, resign=(99.0, 1)).games[0].reason == "X resigns"


@pytest.mark.parametrize(
    ("value", "score", "words"),
    [
        ({"utility": 1, "proved": True, "plies": 5}, 1, "X has proved a win in 5"),
        ({"utility": 0, "proved": True}, 0.5, "X has proved a draw"),
        ({"utility": -1, "proved": True}, 0, "X has proved a loss"),
        ({"utility": 1}, None, ""),
        ({"utility": 1, "proved": True, "bound": ">="}, None, ""),
    ],
)
def test_adjudication_by_proof(value: dict[str, Any], score: float | None, words: str) -> None:
    def sure(seed: int) -> Says:
        return Says(seed, GAME, **value)

    for played in match(GAME, sure, "random", games=2, openings=0, adjudicate=True).games:
        if score is None:
            assert (played.reason, played.termination) == ("", "normal")
            continue
        assert played.score == score
        assert played.termination == "adjudication"
        assert played.reason == f"adjudicated: {words if played.first == 0 else words.replace('X', 'O')}"
        assert len(played.moves) == 1 + played.first  # the move that it was proved of is played


def test_an_engine_proves_and_its_opponent_would_have_lost_too() -> None:
    whole = match(GAME, "engine:depth=9", "random", games=10, openings=3, seed=2)
    short = match(GAME, "engine:depth=9", "random", games=10, openings=3, seed=2, adjudicate=True)
    proved = [game for game in short.games if game.reason.startswith("adjudicated: ")]
    assert len(proved) > 5
    assert sum(len(game.moves) for game in short.games) < sum(len(game.moves) for game in whole.games)
    for one, other in zip(whole.games, short.games, strict=True):
        assert one.score >= other.score  # a drawn game may be won after all, against random moves
    with pytest.raises(plies.Unsuitable, match="adjudication by proof is for games without chance"):
        match(plies.Pig(), "random", "random", adjudicate=True)


def test_a_mean_or_a_lower_bound_is_not_a_proved_loss() -> None:
    def unlucky(seed: int) -> Says:
        return Says(seed, plies.Pig(), utility=plies.Pig().draw_value - 0.01, proved=True)

    def bounded(seed: int) -> Says:
        return Says(seed, GAME, utility=-1, proved=True, bound=">=")

    pig = match(plies.Pig(), unlucky, "random", games=2, resign=(0.5, 1), plies=50)
    assert not any(game.reason.endswith("resigns") for game in pig.games)
    assert not any(game.reason for game in match(GAME, bounded, "random", games=2, resign=(0.5, 1)).games)


def test_nobody_resigns_where_both_may_win() -> None:
    class Shared(plies.TicTacToe):
        total = None

    with pytest.raises(plies.Unsuitable, match="resigning is for zero-sum games"):
        match(Shared(), "random", "random", resign=(0.5, 1))


# -- Forfeits.


def test_a_player_that_fails_has_lost_that_game() -> None:
    broken = {1}

    def sometimes(seed: int) -> Random:
        broken.add(len(broken) + 1)
        return Broken(seed) if len(broken) == 4 else Random(seed)

    result = match(GAME, sometimes, "random", games=6, openings=0)
    lost = [played for played in result.games if played.termination == "abandoned"]
    assert len(lost) == 1
    assert lost[0].score == 0
    assert lost[0].reason == "O forfeits: its process ended with code 1"
    assert len(result.games) == 6


@pytest.mark.parametrize("seat", [0, 1])
def test_who_fails_to_choose_at_once_has_lost(seat: int) -> None:
    players = ["random", "random"]
    players.insert(seat, lambda seed: Broken(seed))  # type: ignore[arg-type]
    result = match(plies.game("goofspiel"), *players[:2], games=4)
    assert [game.score for game in result.games] == [seat] * 4
    assert [game.reason.split(" forfeits")[0] for game in result.games] == [
        f"player {(seat + number) % 2 + 1}" for number in range(4)
    ]


def test_a_match_ends_if_a_player_always_fails() -> None:
    result = match(GAME, "random", Broken, games=100)
    assert len(result.games) == 10
    assert result.wins == 10
    assert result.ended.startswith(
        "Broken has forfeited 10 games in a row, the last so: X forfeits: its process"
    )


# -- The sequential test ends the match, however it is played.


def test_the_sprt_ends_a_match_and_it_can_be_resumed(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    whole = match(GAME, "engine:depth=2", "random", games=400, sprt=(0, 100))
    assert whole.accepted == 100
    assert whole.ended == "the SPRT has accepted +100 normalised Elo"
    assert len(whole.games) < 100
    assert len(whole.games) % 2 == 0
    match(GAME, "engine:depth=2", "random", games=7, sprt=Sprt(0, 100), save=file)
    again = match(GAME, "engine:depth=2", "random", games=400, sprt=(0, 100), save=file, resume=True)
    assert again == whole
    more = match(GAME, "engine:depth=2", "random", games=400, sprt=(0, 100), save=file, resume=True)
    assert more == whole  # it has ended, and goes on no more


# -- Several processes.


def without_times(text: str) -> list[dict[str, Any]]:
    return [{k: v for k, v in json.loads(line).items() if k != "seconds"} for line in text.splitlines()]


def test_several_processes_play_the_same_match(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    pig = plies.Pig(target=20)
    told: list[int] = []
    alone = match(pig, "random", "engine:depth=1", games=9, seed=4, save=one, sprt=(0, 190))
    apart = match(
        pig, "random", "engine:depth=1", games=9, seed=4, save=two, sprt=(0, 190), jobs=2,
        tell=lambda match: told.append(len(match.games)),
    )  # fmt: skip
    assert apart == alone
    assert without_times(one.read_text()) == without_times(two.read_text())
    assert told == list(range(len(alone.games) + 1))


def test_a_process_that_is_killed_costs_its_game_alone() -> None:
    task = Games(GAME, ("random", "book:minimax:3"), plies.arena.table.Conditions(seed=1))
    units = [Unit(number, [0, 1, number]) for number in range(12)]
    with Processes(Job.of(task), 2) as workers:
        found = []
        for unit, future in [(unit, workers.submit(unit)) for unit in units]:
            found.append(played_game(unit, future.result()).game)
            if unit.number in (2, 6):
                os.kill(next(iter(workers.processes.values())).pid, signal.SIGKILL)
        processes = list(workers.processes.values())
    assert found == match(GAME, "random", "book:minimax:3", games=12, openings=0, seed=1).games
    assert all(process.poll() is not None for process in processes)


@pytest.mark.long
def test_a_game_that_kills_every_process_ends_the_match(tmp_path: Path) -> None:
    file = tmp_path / "deadly.py"
    file.write_text(
        "import os, sys\n"
        "import plies\n\n\n"
        "class Deadly(plies.TicTacToe):\n"
        "    def actions(self, state):\n"
        "        if 'plies.work.worker' in ' '.join(sys.orig_argv):\n"
        "            os._exit(3)\n"
        "        return super().actions(state)\n"
    )
    done = piped(
        "match", f"{file}:Deadly", "random", "random", "--games", "4", "--jobs", "2", "--openings", "0"
    )
    assert done.returncode == 2
    assert re.fullmatch(
        r"plies: game [01] was begun 3 times, and each time its process ended, at last with code 3\n",
        done.stderr,
    )


def test_what_processes_cannot_have() -> None:
    class Local(plies.TicTacToe):
        pass

    with pytest.raises(
        plies.BadParameter, match="several processes need a game and players that can be copied"
    ):
        match(Local(), "random", "random", games=2, jobs=2)


@pytest.mark.long
def test_a_game_of_a_file_on_several_processes(tmp_path: Path) -> None:
    file = tmp_path / "own_game.py"
    file.write_text(
        "import plies\n\n\n"
        "class Own(plies.TicTacToe):\n"
        "    def notation(self, state, action):\n"
        "        print('rules may print')\n"
        "        return super().notation(state, action)\n"
    )
    words = ("match", f"{file}:Own", "random", "random", "--games", "4", "--json")
    alone, apart = piped(*words), piped(*words, "--jobs", "2")
    assert apart.returncode == 0, apart.stderr
    assert json.loads(apart.stdout) == json.loads(alone.stdout.splitlines()[-1])


@interactive
def test_ctrl_c_ends_all_processes() -> None:
    words = ("match", "connect-four", "random", "book:minimax:2", "--games", "100000", "--jobs", "2")
    with Terminal(*words, "--sprt", "-1", "1") as terminal:
        terminal.expect("LLR ")
        children = Path(f"/proc/{terminal.process.pid}/task/{terminal.process.pid}/children")
        before = children.read_text().split() if children.exists() else []
        terminal.press(CTRL_C)
        terminal.expect("ended      interrupted")
        assert terminal.ends() == 0
        assert "Traceback" not in terminal.screen
        assert "KeyboardInterrupt" not in terminal.screen
        assert not any(Path(f"/proc/{pid}").exists() for pid in before)


# -- Records.


def test_pgn_with_evaluations_and_times_is_read_by_python_chess(tmp_path: Path) -> None:
    chess_pgn = pytest.importorskip("chess.pgn")
    file = tmp_path / "games.pgn"
    result = match(
        plies.Chess(), "engine:depth=1", "random", games=2, plies=12, clock="60+1", record=file, openings=3
    )
    text = io.StringIO(file.read_text())
    for played in result.games:
        game = chess_pgn.read_game(text)
        assert not game.errors
        assert game.headers["White"] == result.players[played.first]
        assert game.headers["Result"] == "1/2-1/2"
        assert game.headers["Termination"] == "adjudication"
        assert game.headers["TimeControl"] == "60+1"
        nodes = list(game.mainline())
        assert [node.san() for node in nodes] == played.moves
        assert " ".join(nodes[-1].comment.split()).endswith("drawn after 12 plies")
        engine_turn = bool(played.first)  # whether Black is the engine
        for ply, (node, value, seconds) in enumerate(zip(nodes, played.values, played.seconds, strict=True)):
            if ply < played.opening:
                assert node.comment == ""
                continue
            assert node.emt() == pytest.approx(seconds, abs=1e-3)
            assert 50 < node.clock() <= 65
            if value in (None, "win"):  # of a win in so many moves, not of any win, PGN has a word
                assert node.eval() is None
                continue
            assert engine_turn == bool(ply % 2)
            assert node.eval().relative.score() == pytest.approx(-100 * value, abs=1)  # to who moves next
            assert node.eval_depth() == 1
    assert chess_pgn.read_game(text) is None


def test_a_mate_is_written_in_moves() -> None:
    chess_pgn = pytest.importorskip("chess.pgn")
    from plies.record_format import Annotations, MoveNote

    history = records.replay(plies.Chess(), "", ["f3", "e5", "g4"])
    notes = [MoveNote(-0.5, 3), MoveNote("win in 3", 5, 0.25), MoveNote("loss in 2", 2)]
    about = Annotations(("a", "b"), 0, "White resigns", notes=notes)
    game = chess_pgn.read_game(io.StringIO(records.write_annotated(history, "pgn", about)))
    values = [node.eval().white() for node in game.mainline()]
    assert [value.mate() for value in values] == [None, -2, -1]
    assert values[0].score() == -50
    assert game.headers["Result"] == "0-1"
    assert str(notes[1]) == "win in 3/5 0.25s"


def test_sgf_and_pdn(tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    result = match(plies.Go(5), "random", "random", games=2, plies=10, clock="9+1", record=file, openings=2)
    first, second, _ = file.read_text().split("\n\n")
    for text, played in ((first, result.games[0]), (second, result.games[1])):
        history = read_sgf(text)
        assert records.notation(history) == played.moves
        assert "RE[0]" in text
        assert "OT[9+1]" in text
        assert text.count("BL[") == 4  # of eight moves after the opening
        assert "C[0s drawn after 10 plies]" in re.sub(r"[0-9.]+s", "0s", text)
    file = tmp_path / "games.pdn"
    result = match(plies.Checkers(), "random", "random", games=1, plies=6, record=file, openings=2)
    text = file.read_text()
    read = records.read(text, plies.Checkers())
    assert read.moves == result.games[0].moves
    assert "drawn after 6 plies}" in " ".join(text.split())


def test_a_record_goes_on_with_its_match(tmp_path: Path) -> None:
    save, file = tmp_path / "match.jsonl", tmp_path / "games.pgn"
    game = plies.Chess()
    match(game, "random", "random", games=2, plies=8, save=save, record=file)
    before = file.read_text()
    with pytest.raises(plies.PliesError, match="already; give another name"):
        match(game, "random", "random", games=2, plies=8, record=file)
    match(game, "random", "random", games=3, plies=8, save=save, resume=True, record=file)
    assert file.read_text().startswith(before)
    assert file.read_text().count("[Event ") == 3
    file.write_text("precious")
    with pytest.raises(plies.PliesError, match="holds other games than those of this match"):
        match(game, "random", "random", games=4, plies=8, save=save, resume=True, record=file)
    assert file.read_text() == "precious"


def test_a_match_resumed_to_fewer_games_keeps_its_record(tmp_path: Path) -> None:
    files: dict[str, Any] = {"save": tmp_path / "games.jsonl", "record": tmp_path / "games.pgn"}
    match(plies.Chess(), "random", "random", games=4, plies=6, **files)
    whole = files["record"].read_text()
    assert len(match(plies.Chess(), "random", "random", games=2, plies=6, resume=True, **files).games) == 2
    assert files["record"].read_text() == whole


def test_what_a_file_says_is_shown_without_control_characters(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    match(GAME, "random", "random", games=10, save=file)
    head, *games = map(json.loads, file.read_text().splitlines())
    for game in games:
        game |= {"termination": "abandoned", "score": 0, "reason": "X forfeits: \x1b[2J\n"}
    file.write_text("".join(json.dumps(line) + "\n" for line in [head, *games]))
    assert match(GAME, "random", "random", games=12, save=file, resume=True).ended.isprintable()
    for wrong in ({"moves": "123"}, {"opening": "four"}):
        nothing = {"values": [], "depths": [], "seconds": []}
        file.write_text("".join(json.dumps(line) + "\n" for line in [head, {**games[0], **nothing, **wrong}]))
        with pytest.raises(plies.PliesError, match=r"line 2 of .* is not part of a match"):
            match(GAME, "random", "random", games=12, save=file, resume=True)


def test_records_of_games_without_a_format(tmp_path: Path) -> None:
    with pytest.raises(plies.PliesError, match="tic-tac-toe has no record format such as PGN"):
        match(GAME, "random", "random", record=tmp_path / "games.pgn")
    with pytest.raises(plies.PliesError, match=r"games of chess are recorded in a file that ends in \.pgn"):
        match(plies.Chess(), "random", "random", record=tmp_path / "games.sgf")
    assert not list(tmp_path.iterdir())


def test_a_saved_game_has_values_depths_and_times(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    match(GAME, "engine:depth=2", "random", games=1, openings=1, save=file)
    played = MatchGame(**json.loads(file.read_text().splitlines()[1]))
    assert played.values[0] is played.depths[0] is played.seconds[0] is None  # the opening
    assert played.depths[2] == 2
    assert isinstance(played.values[2], float)
    assert all(seconds >= 0 for seconds in played.seconds[1:] if seconds is not None)
    history = History(GAME)
    for move in played.moves:
        history.play(GAME.parse_action(history.state, move))
    assert history.over


def test_the_command_with_everything(tmp_path: Path) -> None:
    done = piped(
        "match", "tic-tac-toe", "engine:depth=2", "random", "--games", "6", "--sprt", "0", "50",
        "--alpha", "0.1", "--clock", "5+1", "--resign", "0.9", "2", "--adjudicate", "--plies", "9", "--json",
    )  # fmt: skip
    data = json.loads(done.stdout)
    assert data["conditions"] == {
        "seed": 0, "openings": 4, "clock": "5+1", "resign": [0.9, 2], "adjudicate": True, "plies": 9,
        "ponder": False,
    }  # fmt: skip
    assert sum(data["pairs"]) == 3
    assert data["sprt"]["alpha"] == 0.1
    assert data["sprt"]["bounds"][0] < data["sprt"]["llr"] < data["sprt"]["bounds"][1]
    assert data["interval"][0] < data["score"] < data["interval"][1]
    for words, sentence in [
        (("--sprt", "5", "0"), "must rise"),
        (("--openings", "no-such-file"), "there is no file 'no-such-file'"),
        (("--resign", "1"), "requires 2 arguments"),
    ]:
        done = piped("match", "tic-tac-toe", "random", "random", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert sentence in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_killed_match_leaves_no_process_behind(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    words = ["match", "tic-tac-toe", "random", "book:minimax:3", "--games", "100000", "--jobs", "2", "--save"]
    process = subprocess.Popen([*PROGRAM, *words, str(file)], stdout=subprocess.DEVNULL, env=UNTRACED)
    deadline = time.monotonic() + PATIENCE
    while not (file.exists() and len(file.read_bytes().splitlines()) > 3):
        assert time.monotonic() < deadline, "no games were written"
        time.sleep(0.05)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    left = children.read_text().split() if children.exists() else []
    process.kill()
    process.wait()
    while any(Path(f"/proc/{pid}").exists() for pid in left):
        assert time.monotonic() < deadline, "its processes play on"
        time.sleep(0.05)
