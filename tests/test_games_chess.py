"""Chess against published counts and python-chess; its evaluation, positions, moves and records."""

from __future__ import annotations

import contextlib
import io
import random
from collections import Counter
from typing import Any

import chess as referee
import chess.pgn as referee_pgn
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import oracle, oracle_path
from plies import BadParameter, BadPosition, Chess, History, IllegalMove, PliesError, check_game
from plies.bits import mix
from plies.compiled import interpreting
from plies.engine import kernels
from plies.games.chess_pgn import Record, read_pgn, write_pgn

GAME = Chess()
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def at(fen: str) -> Any:
    return GAME.parse_position(fen)


def moves(fen: str) -> set[str]:
    return {GAME.notation(at(fen), action) for action in GAME.actions(at(fen))}


# -- Counts.


@pytest.mark.parametrize("number", range(6))
def test_standard_counts(number: int) -> None:
    position = oracle("chess/perft_standard.json")["positions"][number]
    most = 3_000 if interpreting() else 20_000_000
    for depth, count in enumerate(position["perft"], 1):
        if count <= most:
            assert kernels.perft(GAME, at(position["fen"]), depth) == count, depth


@pytest.mark.long
@pytest.mark.parametrize("number", range(6))
def test_standard_counts_beyond_ten_million(number: int) -> None:
    position = oracle("chess/perft_standard.json")["positions"][number]
    assert max(position["perft"]) > 10_000_000
    for depth, count in enumerate(position["perft"], 1):
        assert kernels.perft(GAME, at(position["fen"]), depth) == count, depth


class Endless(Chess):
    """Chess without draws, as counts of moves have it: a lone king plays on against another."""

    def is_drawn(self, state: Any) -> bool:
        return False


@pytest.mark.costly
def test_counts_of_many_positions() -> None:
    game = Endless()
    lines = oracle_path("chess/perft.epd").read_text().splitlines()
    assert len(lines) > 100
    most = 300 if interpreting() else 300_000
    for line in lines:
        fen, *counts = line.split(";")
        for word in counts:
            depth, count = word.split()
            if int(count) <= most:
                assert kernels.perft(game, at(fen), int(depth[1:])) == int(count), line


# -- A referee.


def compare(seed: int, longest: int) -> None:
    """A random game of so many plies at most, every position of it compared with python-chess."""
    choice = random.Random(seed)
    state, board = GAME.initial(), referee.Board()
    stood: Counter[int] = Counter()
    while True:
        assert sets(state) == their_sets(board)
        stood[GAME.key(state)] += 1
        actions = list(GAME.actions(state))
        if not actions or stood[GAME.key(state)] == 3:
            break
        assert sorted(actions) == sorted(map(action_of, board.legal_moves))
        every = state.ply % 32 == 31
        for action in actions if every else [choice.choice(actions)]:
            move = referee.Move.from_uci(uci(action))
            written = GAME.notation(state, action)
            assert written == board.san(move)
            if every:
                assert GAME.position(state) == board.fen()
                assert GAME.parse_action(state, written) == GAME.parse_action(state, uci(action)) == action
        if state.ply == longest:
            return
        state = GAME.result(state, action)
        board.push(move)
    assert board.is_repetition(3) == (stood[GAME.key(state)] == 3)
    if board.is_checkmate():
        assert GAME.utility(state, 0) == -GAME.utility(state, 1) == (-1 if board.turn else 1)
    else:
        dead = board.is_stalemate() or board.is_insufficient_material() or board.halfmove_clock >= 100
        assert GAME.is_terminal(state) == dead
        assert GAME.utility(state, 0) == GAME.utility(state, 1) == 0


def sets(state: Any) -> list[int]:
    """All of a state, in unsigned numbers."""
    return [number & (1 << 64) - 1 for number in state]


def their_sets(board: referee.Board) -> list[int]:
    """The same of python-chess' board."""
    pieces = [board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings]
    passed = 1 << board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else 0
    sides = [board.occupied_co[referee.WHITE], board.occupied_co[referee.BLACK]]
    return [*pieces, *sides, board.clean_castling_rights(), passed, board.halfmove_clock, board.ply()]


def action_of(move: referee.Move) -> int:
    """A move of python-chess as an action."""
    return move.from_square | move.to_square << 6 | ((move.promotion or 1) - 1) << 12


def uci(action: int) -> str:
    """An action in python-chess' words."""
    promotion = action >> 12
    return referee.Move(action & 63, action >> 6 & 63, promotion + 1 if promotion else None).uci()


@pytest.mark.no_cover
def test_random_games_go_as_python_chess_says() -> None:
    for seed in range(10) if interpreting() else range(50, 60):  # the tests run both ways
        compare(seed, 10_000 if seed % 10 == 0 else 80)


@pytest.mark.long
def test_thousands_of_random_games_go_as_python_chess_says() -> None:
    for seed in range(1000, 4000):
        compare(seed, 10_000)


@pytest.mark.plain
@given(st.integers(0, 2**64 - 1))
def test_noisy_moves_are_legal_and_change_the_balance(seed: int) -> None:
    choice, state = random.Random(seed), GAME.initial()
    for _ in range(choice.randrange(80)):
        if GAME.is_terminal(state):
            return
        state = GAME.result(state, choice.choice(list(GAME.actions(state))))
    noisy, legal = list(GAME.noisy(state)), set(GAME.actions(state))
    board = referee.Board(GAME.position(state))
    if not GAME.is_terminal(state):
        assert set(noisy) <= legal
    assert len(noisy) == len(set(noisy))
    for action in noisy:
        move = referee.Move.from_uci(uci(action))
        assert board.is_capture(move) or move.promotion == referee.QUEEN
        assert GAME.priority(state, action) > 0


# -- Rules one by one.


@pytest.mark.parametrize(
    ("fen", "allowed"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", {"O-O", "O-O-O"}),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", {"O-O", "O-O-O"}),
        ("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", set()),  # the king or the rooks have moved
        ("r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1", set()),  # in check
        ("r3k2r/8/8/8/5r2/8/8/R3K2R w KQkq - 0 1", {"O-O-O"}),  # the king would pass f1
        ("r3k2r/8/8/8/6r1/8/8/R3K2R w KQkq - 0 1", {"O-O-O"}),  # it would arrive on g1
        ("r3k2r/8/8/8/1r6/8/8/R3K2R w KQkq - 0 1", {"O-O", "O-O-O"}),  # only the rook passes b1
        ("r3k2r/8/8/8/8/8/8/RN2K1NR w KQkq - 0 1", set()),  # something stands between
        ("4k3/8/8/8/8/8/8/R2nK2R w KQ - 0 1", {"O-O"}),  # though the king could capture
    ],
)
def test_castling(fen: str, allowed: set[str]) -> None:
    assert {move.rstrip("+#") for move in moves(fen) if move.startswith("O")} == allowed


def test_castling_moves_the_rook_and_is_lost_with_it() -> None:
    state = GAME.play(at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), 4 | 6 << 6)
    assert GAME.position(state) == "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"
    state = GAME.play(at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), 7 | 63 << 6)
    assert GAME.position(state) == "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1"


@pytest.mark.parametrize(
    ("before", "move", "passed", "captures"),
    [
        ("4k3/8/8/8/1p1p4/8/2P5/4K3 w - - 0 1", "c4", "c3", {"bxc3", "dxc3"}),
        ("4k3/8/8/8/8/8/2P5/4K3 w - - 0 1", "c4", "-", set()),  # nobody is there to capture
        ("8/8/8/8/k1p4R/8/3P4/4K3 w - - 0 1", "d4", "-", set()),  # both pawns gone, the rook gives check
        ("4k3/8/4r3/8/3p4/8/4P3/4K3 w - - 0 1", "e4", "e3", {"dxe3"}),
        ("8/8/8/2k5/1p6/8/2P5/4K3 w - - 0 1", "c4", "c3", {"bxc3"}),
        ("8/6b1/8/8/1k1p4/8/2P5/K7 w - - 0 1", "c4", "c3", {"dxc3"}),
    ],
)
def test_en_passant(before: str, move: str, passed: str, captures: set[str]) -> None:
    state = GAME.play(at(before), GAME.parse_action(at(before), move))
    assert GAME.position(state).split()[3] == passed
    actions = [action for action in GAME.actions(state) if state.en_passant == 1 << (action >> 6 & 63)]
    pawns = [action for action in actions if state.pawns >> (action & 63) & 1]
    assert {GAME.notation(state, action) for action in pawns} == captures
    for action in pawns:
        assert GAME.result(state, action).pawns.bit_count() == state.pawns.bit_count() - 1


def test_promotion() -> None:
    ways = {"b8=Q+", "b8=R+", "b8=B", "b8=N", "bxa8=Q+", "bxa8=R+", "bxa8=B", "bxa8=N"}
    assert {move for move in moves("r6k/1P6/8/8/8/8/8/1K6 w - - 0 1") if move.startswith("b")} == ways
    state = at("r6k/1P6/8/8/8/8/8/K7 w - - 0 1")
    after = GAME.play(state, GAME.parse_action(state, "bxa8=N"))
    assert GAME.position(after) == "N6k/8/8/8/8/8/8/K7 b - - 0 1"


@pytest.mark.parametrize(
    ("fen", "over", "white"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", True, -1),
        ("R5k1/5ppp/8/8/8/8/8/7K b - - 0 1", True, 1),
        ("R5k1/5ppp/8/8/8/8/8/7K b - - 100 80", True, 1),  # mate goes before the fifty moves
        ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", True, 0),  # stalemate
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 99 80", False, 0),
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 100 80", True, 0),
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", True, 0),
        ("7k/8/8/8/8/8/8/KN6 w - - 0 1", True, 0),
        ("7k/8/8/8/8/8/8/KNN5 w - - 0 1", False, 0),
        ("6bk/8/8/8/8/8/8/KB6 w - - 0 1", True, 0),  # b1 and g8 are both light
        ("5b1k/8/8/8/8/8/8/KB6 w - - 0 1", False, 0),
        ("6nk/8/8/8/8/8/8/KB6 w - - 0 1", False, 0),
        ("7k/7p/8/8/8/8/8/K7 w - - 0 1", False, 0),
    ],
)
def test_ends(fen: str, over: bool, white: int) -> None:
    state = at(fen)
    assert GAME.is_terminal(state) == over
    if over:
        assert (GAME.utility(state, 0), GAME.utility(state, 1)) == (white, -white)
        assert list(GAME.actions(state)) == []


def test_stalemates_and_mates_from_the_oracles() -> None:
    rows = oracle_path("chess/mates_checked.csv").read_text().splitlines()[1:]
    mates = [row.split(",") for row in rows if row.split(",")[2] == "1" and row.endswith("True")]
    assert mates
    for fen, _, _, move, _ in mates:
        state = at(fen)
        after = GAME.play(state, GAME.parse_action(state, move))
        assert GAME.utility(after, state.ply & 1) == 1, fen


def test_a_third_repetition_ends_the_game_whatever_the_clock_says() -> None:
    history = History(GAME)
    for move in 2 * ["Nf3", "Nf6", "Ng1", "Ng8"]:
        assert not history.over
        history.play(GAME.parse_action(history.state, move))
    assert history.over
    assert history.utility(0) == 0
    assert history.reason == "the position occurs for the third time"


@pytest.mark.parametrize("clock", [0, 1, 50, 99])
def test_the_clock_runs_for_as_many_plies_as_it_says(clock: int) -> None:
    """Kings walk up and down, and fifty moves of each bring a draw, as python-chess says."""
    fen = f"k7/8/8/8/8/8/8/K6R w - - {clock} 90"
    state, board, plies = at(fen), referee.Board(fen), 0
    while not GAME.is_terminal(state):
        assert not board.is_fifty_moves()
        kings = [a for a in GAME.actions(state) if GAME.notation(state, a) in {"Kb1", "Ka1", "Kb8", "Ka8"}]
        board.push_san(GAME.notation(state, kings[0]))
        state, plies = GAME.result(state, kings[0]), plies + 1
    assert board.is_fifty_moves()
    assert plies == GAME.plies_left(at(fen))


def test_castling_rights_and_en_passant_make_another_position() -> None:
    same = "r3k2r/8/8/8/2pP4/8/8/R3K2R b {} {} 0 1"
    keys = {
        GAME.key(at(same.format(castling, passed)))
        for castling in ("KQkq", "Qkq", "-")
        for passed in ("d3", "-")
    }
    assert len(keys) == 6
    mover = at(same.format("-", "-"))
    assert GAME.key(mover._replace(ply=0)) not in keys
    assert GAME.key(mover._replace(clock=7, ply=9)) == GAME.key(mover)


def test_keys_are_well_spread() -> None:
    keys, state = set(), GAME.initial()
    states = {state}
    for _ in range(2):
        states = {GAME.result(state, action) for state in states for action in GAME.actions(state)}
    keys = {GAME.key(state) for state in states}
    assert len(keys) == len({(*state[:10], state.ply & 1) for state in states}) == 400
    assert len({key >> 48 for key in keys}) > 390
    assert mix(0) not in keys


# -- Evaluation.


def mirrored(fen: str) -> str:
    """The position with colours exchanged."""
    board = referee.Board(fen)
    return board.mirror().fen()


@pytest.mark.parametrize("fen", [KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"])
def test_an_estimate_does_not_depend_on_the_colour(fen: str) -> None:
    assert GAME.evaluate(at(fen), 0) == GAME.evaluate(at(mirrored(fen)), 1)
    assert GAME.features(at(fen)) == tuple(-x for x in GAME.features(at(mirrored(fen))))


def features(fen: str) -> dict[str, float]:
    return dict(zip(GAME.feature_names, GAME.features(at(fen)), strict=True))


def test_features_by_name() -> None:
    found = features("4k3/p1p1p3/8/8/8/P7/P3P2P/2B1KB2 w - - 0 1")
    assert found["pawns"] == 1
    assert found["bishops"] == 2
    assert found["pair of bishops"] == 1
    assert found["doubled pawns"] == 1
    assert found["isolated pawns"] == 4 - 3
    assert found["rooks on open files"] == 0
    ahead = features("4k3/8/8/8/8/8/4K1P1/8 w - - 0 1"), features("4k3/8/6P1/8/8/8/4K3/8 w - - 0 1")
    assert ahead[0]["passed pawns, end game"] == 0 < ahead[1]["passed pawns, end game"] == 16
    stopped = features("4k3/7p/8/6P1/8/8/4K3/8 w - - 0 1")
    assert stopped["passed pawns, end game"] == 0
    assert features("4k3/8/8/8/8/8/P7/R3K2R w - - 0 1")["rooks on open files"] == 2
    attacked = features("4k3/8/2r1q3/1n1P1r2/8/3N4/8/R3K3 w - - 0 1")
    assert attacked["pieces attacked by pawns"] == 2  # c6, e6
    assert attacked["pieces attacked by lesser ones"] == 0
    assert features("4k3/8/8/2r5/4n3/3N4/8/R3K3 w - - 0 1")["pieces attacked by lesser ones"] == 1
    bare = features("4k3/pppp1ppp/8/8/8/8/PPP2PP1/R2QK2R w - - 0 1")["files near the king without pawns"]
    assert bare > 0  # two of White's, one of Black's


def test_weights_are_handed_in() -> None:
    weights = [0.0] * len(GAME.feature_names)
    weights[0] = 200
    game = Chess(weights)
    assert game.evaluate(at("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1"), 1) == -0.04
    with pytest.raises(BadParameter, match="23 weights, not 3"):
        Chess([1, 2, 3])
    with pytest.raises(BadParameter, match="weights must be finite numbers"):
        Chess([np.inf] * 23)


def test_no_weight_makes_an_estimate_a_win() -> None:
    for weight in (1e9, -1e9):
        assert 0.9 < abs(Chess([weight] * 23).evaluate(at(KIWIPETE), 0)) < 1


@pytest.mark.parametrize(
    ("fen", "move", "wins"),
    [
        # Captures of a pawn and of a knight from the literature on static exchange evaluation.
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", True),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", False),
        ("4k3/8/3p4/4p3/8/8/4R3/4K3 w - - 0 1", "Rxe5+", False),  # guarded by a pawn
        ("4k3/8/8/4p3/8/8/4R3/4K3 w - - 0 1", "Rxe5+", True),
        ("4k3/8/3r4/4p3/8/2B5/8/4K3 w - - 0 1", "Bxe5", True),
        ("4k3/8/3p4/4n3/8/2B5/8/4K3 w - - 0 1", "Bxe5", False),  # by a hair: a bishop is worth a little more
        ("4r1k1/4r3/8/4p3/8/8/4R3/4R1K1 w - - 0 1", "Rxe5", False),  # a rook stands behind the rook
        ("4k3/4r3/8/4p3/8/8/4R3/4R1K1 w - - 0 1", "Rxe5", True),
        ("8/8/3k4/4p3/8/4R3/8/4R1K1 w - - 0 1", "Rxe5", True),  # a king does not capture what is guarded
        ("8/8/3k4/4p3/8/4R3/8/6K1 w - - 0 1", "Rxe5", False),
    ],
)
def test_exchanges(fen: str, move: str, wins: bool) -> None:
    state = at(fen)
    action = GAME.parse_action(state, move)
    assert GAME.wins_exchange(state, action & 63, action >> 6 & 63) == wins
    assert (GAME.priority(state, action) > 0) == wins
    assert (action in list(GAME.noisy(state))) == wins


def test_the_greatest_captures_come_first() -> None:
    state = at("3q1k2/2P1r3/8/3b4/4P3/8/3R4/3K4 w - - 0 1")
    order = sorted(GAME.actions(state), key=lambda action: -GAME.priority(state, action))
    assert [GAME.notation(state, action) for action in order][:4] == ["cxd8=Q+", "c8=Q", "exd5", "Rxd5"]


# -- Words.


def test_moves_are_read_in_many_ways() -> None:
    state = at("r3k2r/1P6/8/2p5/3P4/8/4N3/RN2K2R w KQkq - 0 1")
    for written in ("O-O", "0-0", "o-o", "e1g1", "Ke1-g1", "OO", "0-0!"):
        assert GAME.notation(state, GAME.parse_action(state, written)) == "O-O"
    for written in ("dxc5", "d4xc5", "dc5", "d4c5", "d4:c5", "dxc5!?", " d x c5 ", "DXC5"):
        assert GAME.notation(state, GAME.parse_action(state, written)) == "dxc5"
    for written in ("b8=Q", "b8Q", "b8(Q)", "b7b8q", "b8=Q+", "b7-b8=Q"):
        assert GAME.notation(state, GAME.parse_action(state, written)) == "b8=Q+"
    for written in ("Nbc3", "Nb1c3", "N1c3", "nbc3"):
        assert GAME.notation(state, GAME.parse_action(state, written)) == "Nbc3"


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("Nc3", "'Nc3' could be Nbc3 or Nec3"),
        ("BXC3", "'BXC3' is not a legal move; legal moves: "),
        ("", "'' is not a legal move; legal moves: "),
        ("b8", "'b8' is not a legal move; legal moves: "),
        ("N" * 1000, "'" + "N" * 77 + "…' is not a legal move; legal moves: "),
    ],
)
def test_moves_that_cannot_be_read(written: str, sentence: str) -> None:
    state = at("r3k2r/1P6/8/2p5/3P4/8/4N3/RN2K2R w KQkq - 0 1")
    with pytest.raises(IllegalMove) as caught:
        GAME.parse_action(state, written)
    assert str(caught.value).startswith(sentence)


def test_a_capital_tells_a_bishop_from_a_pawn() -> None:
    state = at("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1")
    assert GAME.notation(state, GAME.parse_action(state, "bxc3")) == "bxc3"
    assert GAME.notation(state, GAME.parse_action(state, "Bxc3")) == "Bxc3"
    with pytest.raises(IllegalMove, match="'BXC3' could be bxc3 or Bxc3"):
        GAME.parse_action(state, "BXC3")


def test_moves_lead_to_a_position() -> None:
    fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    for text in ("e4 e5", "e2e4 e7e5", "1. e4 e5", "1.e4 e5", "1. e4 1... e5"):
        assert GAME.position(at(text)) == fen
    assert at("") == GAME.initial()
    short = at("4k3/8/8/8/8/8/8/R3K3 b")
    assert GAME.position(short) == "4k3/8/8/8/8/8/8/R3K3 b - - 0 1"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("8/8/8/8/8/8/8 w - - 0 1", "the board of a FEN has 8 ranks, not 7: '8/8/8/8/8/8/8'"),
        ("9/8/8/8/8/8/8/8", "'9' on rank 8 is not a piece: KQRBNP are White's, kqrbnp Black's"),
        ("8/8/8/8/8/8/44/8", "rank 2, '44', has two numbers in a row"),
        ("8/8/8/8/8/8/8/7", "rank 1, '7', has 7 squares, not 8"),
        ("8/8/8/8/8/8/8/ppppppppp", "rank 1, 'ppppppppp', has 9 squares, not 8"),
        ("8/8/8/8/8/8/8/K7 w", "Black has 0 kings, not 1"),
        ("k7/8/8/8/8/8/8/KK6 w", "White has 2 kings, not 1"),
        ("k6P/8/8/8/8/8/8/K7 w", "there is a pawn on h8, where none can be"),
        ("k7/8/8/8/8/PPPPPPPP/P7/K7 w", "White has 9 pawns, more than 8"),
        ("k7/8/8/8/8/8/QQQQQQQQ/KQQ5 w", "White has 9 promoted pieces besides 0 pawns, more than 8 together"),
        ("k7/8/8/8/8/8/8/K7 x", "the side to move in a FEN must be w or b, not 'x'"),
        (
            "k7/8/8/8/8/8/8/K7 w kK",
            "castling in a FEN must be some of KQkq, in this order, or -, not 'kK'",
        ),
        (
            "k7/8/8/8/8/8/8/4K3 w Q",
            "Q says that White may castle, but there is no king on e1 or no rook on a1",
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - e3",
            "the en passant square in a FEN must be one of rank 6, or -, not 'e3'",
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - e6",
            "no pawn has passed over e6: one would stand on e5, with e6 and e7 empty",
        ),
        ("k7/8/8/8/8/8/8/K7 w - - x", "the half-move clock in a FEN must be between 0 and 9999, not 'x'"),
        (
            "k7/8/8/8/8/8/8/K7 w - - 0 12345",
            "the move number in a FEN must be between 0 and 9999, not '12345'",
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - 0 1 2",
            "a FEN has up to six fields, not 7: 'k7/8/8/8/8/8/8/K7 w - - 0 1 2'",
        ),
        ("kR6/8/8/8/8/8/8/K7 w", "Black is in check, but it is White's move"),
        (
            "k6R/8/8/3Q4/8/8/8/R3K3 b",
            "3 pieces give check to Black, more than any move can bring about",
        ),
        ("e4 e4", "'e4' is not a legal move; legal moves: "),
        ("f3 e5 g4 Qh4 a3", "'a3' comes after the end of the game"),
    ],
)
def test_positions_that_cannot_be_read(text: str, sentence: str) -> None:
    with pytest.raises(BadPosition) as caught:
        at(text)
    assert str(caught.value).startswith(sentence)


@pytest.mark.plain
@given(st.text("KQRBNPkqrbnp12345678/ w-bKQkqe3d60", min_size=10, max_size=80), st.data())
def test_any_fen_is_read_as_python_chess_does_or_refused(text: str, data: Any) -> None:
    mixed = list(KIWIPETE)
    for _ in range(data.draw(st.integers(1, 4))):
        mixed[data.draw(st.integers(0, len(mixed) - 1))] = data.draw(st.sampled_from("KQRBNPkqrbnp1234/ w-b"))
    for fen in (text, "".join(mixed)):
        try:
            state = at(fen)
        except BadPosition:
            continue
        assert at(GAME.position(state)) == state
        if "/" in fen:
            board = referee.Board(
                " ".join([*fen.split(), *["w", "-", "-", "0", "1"][len(fen.split()) - 1 :]])
            )
            assert board.fen() == GAME.position(state)
            assert sorted(map(uci, GAME.actions(state))) == sorted(
                [] if GAME.is_drawn(state) else [move.uci() for move in board.legal_moves]
            )


def test_text_and_scene() -> None:
    assert GAME.text(at("e4")).splitlines()[4:6] == ["4 . . . . P . . .", "3 . . . . . . . ."]
    scene = GAME.scene(at("e4"))
    assert len(scene.cells) == 64
    assert len(scene.pieces) == 32
    cells = {cell.name: cell for cell in scene.cells}
    assert (cells["a1"].look, cells["h1"].look, cells["a8"].look) == ("dark", "light", "light")
    king = next(piece for piece in scene.pieces if piece.text == "♔")
    assert (king.x, king.y, king.player) == (cells["e1"].x, cells["e1"].y, 0)
    assert GAME.move_squares(GAME.initial(), 12 | 28 << 6) == ("e2", "e4")


# -- Records.

OPERA = """[Event "Paris"]
[White "Morphy"]
[Result "1-0"]

% a line for programs
1. e4 e5 2. Nf3 d6 {Philidor (not so good)} 3. d4 Bg4?! $6 (3... exd4 4. Qxd4 (4. Nxd4) Nc6) 4. dxe5 Bxf3
5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 ; castled
13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""


def test_a_record_is_read() -> None:
    (record,) = read_pgn(OPERA)
    assert record.tags == {"Event": "Paris", "White": "Morphy", "Result": "1-0"}
    assert record.result == "1-0"
    assert len(record.history.actions) == 33
    assert record.history.over
    assert record.history.utility(0) == 1
    theirs = referee_pgn.read_game(io.StringIO(OPERA))
    assert theirs is not None
    assert [uci(action) for action in record.history.actions] == [m.uci() for m in theirs.mainline_moves()]


def test_a_record_is_written_as_others_read_it() -> None:
    history = History(GAME, at("4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"))
    for move in ("Kd7", "e4", "Ke6"):
        history.play(GAME.parse_action(history.state, move))
    written = write_pgn(history, {"White": 'A "quoted" \\ name', "Note": "x"}, "1/2-1/2")
    theirs = referee_pgn.read_game(io.StringIO(written))
    assert theirs is not None
    assert theirs.errors == []
    assert theirs.headers["Result"] == "1/2-1/2"
    assert theirs.end().board().fen() == GAME.position(history.state)
    (record,) = read_pgn(written)
    assert record.history.states == history.states
    assert record.tags["White"] == 'A "quoted" \\ name'
    assert "40... Kd7 41. e4 Ke6 1/2-1/2" in written


@pytest.mark.plain
@given(st.lists(st.integers(0, 999), max_size=120))
def test_records_read_back(choices: list[int]) -> None:
    history = History(GAME)
    for choice in choices:
        if history.over:
            break
        legal = history.legal()
        history.play(legal[choice % len(legal)])
    written = write_pgn(history)
    first, second = read_pgn(written + "\n" + written)
    assert isinstance(first, Record)
    assert first.history.actions == second.history.actions == history.actions
    assert write_pgn(first.history, first.tags, first.result) == written


def test_a_game_goes_on_after_a_third_repetition_that_nobody_claimed() -> None:
    shuffle = "Nf3 Nf6 Ng1 Ng8 "
    (record,) = read_pgn(shuffle * 3 + "*")
    assert len(record.history.actions) == 12
    with pytest.raises(IllegalMove, match=r"line 1, move 9: 'Nf3' comes after the end of the game"):
        read_pgn(shuffle * 5)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1. e4 e5\n2. Ke3", "game 1, line 2, move 2: 'Ke3' is not a legal move; legal moves: "),
        ("1. e4 *\n1. d4 d5 2. e5", "game 2, line 2, move 2: 'e5' is not a legal move; legal moves: "),
        ("1. e4 ) e5", "line 1: ')' without '('"),
        ("1. e4 (1. d4", "line 1: the text ends in a variation"),
        ("1. e4 {no end", "line 1: '{no' is not PGN"),
        ("[Event]\n1. e4", "line 1: '[Event]' is not PGN"),
        ('[FEN "8/8"]\n1. e4', "game 1, tag FEN: the board of a FEN has 8 ranks, not 2: '8/8'"),
    ],
)
def test_faults_of_a_record(text: str, sentence: str) -> None:
    with pytest.raises(PliesError) as caught:
        read_pgn(text)
    assert str(caught.value).startswith(sentence)


def test_what_is_not_written() -> None:
    from plies import TicTacToe

    with pytest.raises(PliesError, match="PGN is for games of chess, not of tic-tac-toe"):
        write_pgn(History(TicTacToe()))
    with pytest.raises(PliesError, match="the result must be 1-0, 0-1, 1/2-1/2 or \\*, not 'won'"):
        write_pgn(History(GAME), result="won")
    with pytest.raises(PliesError, match="the name of a tag must have letters, digits and _ only, not 'a b'"):
        write_pgn(History(GAME), {"a b": "c"})


pieces_of_records = st.lists(
    st.sampled_from(
        [
            "1.",
            "e4",
            "e5",
            "Nf3",
            "{",
            "}",
            "(",
            ")",
            "*",
            "1-0",
            "$3",
            ";",
            "\n",
            "%",
            '[A "b"]',
            "[",
            '"',
            "0-0",
        ]
    )
    | st.text(max_size=4),
    max_size=30,
)


@given(pieces_of_records.map(" ".join) | st.text(max_size=60))
def test_any_text_is_a_record_or_one_sentence(text: str) -> None:
    try:
        records = read_pgn(text)
    except PliesError:
        return
    for record in records:
        assert record.history.states[0] == GAME.initial()


@pytest.mark.long
def test_a_hundred_thousand_texts_are_read_or_refused() -> None:
    choice = random.Random(1)
    letters = 'KQRBNPkqrbnp12345678/ -wbxO=+#.[]{}()$;%*"\n\\\0é♔'
    for _ in range(100_000):
        words = list(choice.choice([KIWIPETE, OPERA[:300], "Nbxd7+", "e8=Q#", "O-O-O"]))
        for _ in range(choice.randrange(4)):
            words[choice.randrange(len(words))] = choice.choice(letters)
        text = "".join(words)
        for read in (at, lambda text: GAME.parse_action(GAME.initial(), text), read_pgn):
            with contextlib.suppress(PliesError):
                read(text)


@pytest.mark.plain  # compiled, it is `test_check` that asks
@pytest.mark.no_cover
@pytest.mark.plain  # compiled, all rules of our games are checked in test_check.py
@pytest.mark.long
def test_every_rule_holds() -> None:
    report = check_game(GAME, games=1)
    assert report.ok, str(report)
    assert report.compiled or interpreting()
