"""Perft of chess against other programs: how quickly moves are made, and how quickly only counted."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from statistics import median

import chess

import plies
from bench.common import Row, in_turn, millions, progress
from plies.compiled import kernel
from plies.engine import kernels

TITLE = "Chess: perft against other programs"
COLUMNS = ("program", "what it does", "position", "lines", "lines/s", "Plies is times as fast")
NOTE = (
    "CPU time, one thread, each measured in turn in one run: every line walked to its end, or only counted "
    "at the last ply. python-chess goes one or two plies less deep, Stockfish, where installed, one deeper. "
    "Its CPU time includes the start of the program."
)
POSITIONS = {
    "start": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    "middle game": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
}
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")


@kernel
def counted(game, state, depth):  # type: ignore[no-untyped-def]
    """Perft that only counts the actions of the last ply; depth is at least 1."""
    total = 0
    if depth == 1:
        for _ in game.actions(state):
            total += 1
    elif not game.is_terminal(state):
        for action in game.actions(state):
            total += counted(game, game.result(state, action), depth - 1)
    return total


def rows(quick: bool) -> Iterator[Row]:
    """Each program on each position."""
    game = plies.Chess()
    for name, (fen, deepest) in POSITIONS.items():
        progress(f"chess perft, {name}")
        depth = deepest - quick
        state, board = game.parse_position(fen), chess.Board(fen)
        measures = [
            lambda state=state, depth=depth: _rate(lambda: kernels.perft(game, state, depth)),
            lambda state=state, depth=depth: _rate(lambda: counted(game, state, depth)),
            lambda board=board, depth=depth: _rate(lambda: walk(board, depth - 2)),
            lambda board=board, depth=depth: _rate(lambda: count(board, depth - 1)),
        ]
        whose = [
            ("Plies", "walks"),
            ("Plies", "counts"),
            ("python-chess", "walks"),
            ("python-chess", "counts"),
        ]
        if STOCKFISH:
            measures.append(lambda fen=fen, depth=depth: _stockfish(fen, depth + 1))
            whose.append(("Stockfish", "counts"))
        kernels.perft(game, state, 1), counted(game, state, 1)
        rounds = in_turn(1 if quick else 3, *measures)
        rates = [median(rate for _, rate in column) for column in rounds]
        for (program, what), column, rate in zip(whose, rounds, rates, strict=True):
            ratio = rates[what == "counts"] / rate
            yield Row(
                (program, what, name, f"{column[0][0]:,}", f"{millions(rate)}/s", f"{ratio:,.2f}"),
                {"program": program, "what": what, "position": name, "rate": rate, "ratio": ratio},
            )


def walk(board: chess.Board, depth: int) -> int:
    """Perft in python-chess, every move made."""
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += walk(board, depth - 1)
        board.pop()
    return total


def count(board: chess.Board, depth: int) -> int:
    """Perft in python-chess, the moves of the last ply only counted."""
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total


def _rate(perft: Callable[[], int]) -> tuple[int, float]:
    """Lines, and lines per second of CPU time."""
    start = time.process_time()
    lines = perft()
    return lines, lines / (time.process_time() - start)


def _stockfish(fen: str, depth: int) -> tuple[int, float]:
    """The same by Stockfish, with its CPU time as `times` of the shell tells it."""
    commands = f"position fen {fen}\ngo perft {depth}\nquit\n"
    script = f"{STOCKFISH}; times"
    done = subprocess.run(["sh", "-c", script], input=commands, capture_output=True, text=True, check=True)
    lines = int(re.findall(r"Nodes searched: (\d+)", done.stdout)[0])
    minutes, seconds = re.findall(r"(\d+)m([\d.]+)s", done.stdout)[-2]
    return lines, lines / (60 * int(minutes) + float(seconds))
