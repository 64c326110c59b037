"""Moves and positions of the protocols read back, in every game; and no clock runs out."""

from __future__ import annotations

import random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies import BadPosition, Game, History, IllegalMove
from plies.engine.time_manager import LEAST, OVERHEAD, Clock, time_for_move
from plies.protocols.moves import (
    SERVED,
    Played,
    move_text,
    parse_move,
    parse_position_text,
    parse_vertex,
    points,
    position_text,
    vertex,
)
from test_games_all import GAMES

pytestmark = [pytest.mark.plain, pytest.mark.no_cover]

TREE = plies.Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
PLAYED = [game for game in [*GAMES, TREE] if SERVED.serve(game)]
PLACING = [game for game in PLAYED if points(game)]


def random_game(game: Game, seed: int, plies: int = 40) -> History:
    history, rng = History(game), random.Random(seed)
    while len(history.actions) < plies and not history.over:
        history.play(rng.choice(history.legal()))
    return history


@pytest.mark.parametrize("game", PLAYED, ids=repr)
def test_moves_read_back(game: Game) -> None:
    for seed in range(3):
        for state in random_game(game, seed).states:
            actions = list(game.actions(state))
            written = [move_text(game, state, action) for action in actions]
            assert all(text and not set(text) & set(" \t\n") for text in written)
            assert [parse_move(game, state, text) for text in written] == actions


@pytest.mark.parametrize("game", PLAYED, ids=repr)
def test_positions_read_back_with_all_that_went_before(game: Game) -> None:
    for seed in range(3):
        history = random_game(game, seed)
        text = position_text(history)
        assert "\n" not in text
        again = parse_position_text(game, text)
        assert (again.states, again.actions) == (history.states, history.actions)


@pytest.mark.parametrize("game", [game for game in PLAYED if game is not TREE], ids=repr)
def test_positions_in_the_middle_of_a_game_read_back(game: Game) -> None:
    rng = random.Random(1)
    whole = random_game(game, 4)
    history = History(game, whole.states[len(whole.states) // 2])
    for _ in range(3):
        if not history.over:
            history.play(rng.choice(history.legal()))
    again = parse_position_text(game, position_text(history))
    assert (again.states, again.actions) == (history.states, history.actions)


@pytest.mark.parametrize("game", [plies.Chess(), plies.Go(size=5), plies.Kalah(houses=3, seeds=2)], ids=repr)
def test_one_position_follows_another(game: Game) -> None:
    """Forth and back, with moves in common or without, as a client that ponders sends them."""
    played, rng = Played(game), random.Random(3)
    games = [random_game(game, seed) for seed in (1, 1, 2)]
    middle = History(game, games[0].states[3])
    for _ in range(30):
        whole = rng.choice([*games, middle])
        history = History(game, whole.states[0])
        for action in whole.actions[: rng.randrange(len(whole.actions) + 1)]:
            history.play(action)
        if not history.over and rng.random() < 0.5:
            history.play(rng.choice(history.legal()))
        played.move_to(position_text(history))
        assert (played.history.states, played.history.actions) == (history.states, history.actions)
        assert played.history.legal() == history.legal()


def test_moves_of_chess_are_those_of_uci() -> None:
    game, rng = plies.Chess(), random.Random(2)
    for _ in range(10):
        board, state = chess.Board(), game.initial()
        while not game.is_terminal(state) and board.ply() < 120:
            written = {move_text(game, state, action): action for action in game.actions(state)}
            assert set(written) == {move.uci() for move in board.legal_moves}
            move = rng.choice(sorted(written))
            board.push_uci(move)
            state = game.result(state, written[move])


def test_games_whose_moves_are_points_have_vertices() -> None:
    assert {"go", "gomoku", "renju", "othello"} <= {game.name for game in PLACING}
    assert not {"chess", "connect-four", "nim", "kalah"} & {game.name for game in PLACING}


@pytest.mark.parametrize("game", PLACING, ids=repr)
def test_vertices_read_back(game: Game) -> None:
    for state in random_game(game, 5, 12).states:
        for action in game.actions(state):
            text = vertex(game, state, action)
            assert text == "pass" or (text[0] in "ABCDEFGHJKLMNOPQRSTUVWXYZ" and int(text[1:]) > 0)
            assert parse_vertex(game, state, text) == action == parse_vertex(game, state, f" {text.lower()} ")


def test_vertices_have_no_column_i() -> None:
    gomoku, go = plies.Gomoku(), plies.Go(size=19)
    start = gomoku.initial()
    assert vertex(gomoku, start, gomoku.parse_action(start, "i8")) == "J8"
    assert vertex(gomoku, start, gomoku.parse_action(start, "h8")) == "H8"
    assert vertex(go, go.initial(), go.parse_action(go.initial(), "T19")) == "T19"
    assert vertex(go, go.initial(), go.passing) == "pass"
    with pytest.raises(IllegalMove, match="not a vertex"):
        parse_vertex(gomoku, start, "I8")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "startpos, or fen"),
        ("startpos e2e4", "startpos, or fen"),
        ("fen", "startpos, or fen"),
        ("startpos moves e2e5", "not a legal move"),
        ("fen 8/8 w", "ranks"),
        ("startpos moves f2f3 e7e5 g2g4 d8h4 a2a3", "over"),
    ],
)
def test_bad_positions_are_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises((BadPosition, IllegalMove), match=sentence):
        parse_position_text(plies.Chess(), text)


# -- Clocks.

clocks = st.builds(
    Clock, st.floats(0, 1e5), st.sampled_from([0.0, 0.01, 1.0, 60.0]), st.none() | st.integers(-1, 300)
)


@given(clock=clocks)
def test_no_move_takes_more_than_there_is(clock: Clock) -> None:
    soft, hard = time_for_move(clock)
    assert LEAST <= soft <= hard
    assert hard <= max(LEAST, clock.remaining - OVERHEAD)


@given(
    seconds=st.floats(2, 3600),
    increment=st.sampled_from([0.0, 0.1, 5.0]),
    period=st.none() | st.integers(1, 60),
)
def test_no_game_is_lost_on_time(seconds: float, increment: float, period: int | None) -> None:
    left = seconds
    for move in range(25):
        to_go = None if period is None else period - move % period
        hard = time_for_move(Clock(left, increment, to_go))[1]
        left -= hard + OVERHEAD / 2
        assert left > 0
        left += increment + (seconds if to_go == 1 else 0)


def test_the_last_move_before_more_time_may_take_nearly_all_of_it() -> None:
    assert time_for_move(Clock(10, 0, 1))[0] == pytest.approx(10 - OVERHEAD)
    assert time_for_move(Clock(60))[0] < 3
    assert time_for_move(Clock(60, 10))[0] > 7
