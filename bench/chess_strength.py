"""How strong the engine plays chess: test positions solved, and a rating from games against Stockfish.

`python -m bench.chess_strength wac|bk|elo`; `--help` tells the options. These take minutes to hours, and want
a machine with nothing else to do.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import NormalDist, median

import chess as python_chess
import chess.engine

import plies
from plies.history import History

ORACLES = Path(os.environ.get("PLIES_ORACLES", Path(__file__).parents[2] / "shared" / "oracles")) / "chess"
SETS = {"wac": "win_at_chess_test.epd", "bk": "bratko_kopec_test.epd"}
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
OPENING = 8
"""How many random moves a game begins with, before the players take over."""

LEVEL = 80
"""By how many hundredths of a pawn an opening may favour one side, as Stockfish sees it."""


def main() -> None:
    """Read what is asked for, and do it."""
    parser = argparse.ArgumentParser(prog="python -m bench.chess_strength", description=__doc__)
    parser.add_argument("what", choices=[*SETS, "elo"])
    parser.add_argument("--seconds", type=float, default=1.0, help="for each position or move")
    parser.add_argument("--every", type=int, default=1, help="take only each so-manieth position")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--elo", type=int, nargs="+", default=[1500], help="of Stockfish; several take turns")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--memory", type=float, default=64, help="megabytes of the table")
    parser.add_argument("--options", nargs="*", default=[], metavar="NAME=0|1", help="of the engine")
    given = parser.parse_args()
    game = plies.Chess()
    changes = {name: value != "0" for name, value in (option.split("=") for option in given.options)}
    options = plies.Options(**{**game.refinements, **changes})
    engine = plies.AlphaBeta(game, memory=given.memory, threads=given.threads, options=options)
    engine.search(limit=plies.Limit(depth=1))  # compiled before any clock runs
    if given.what == "elo":
        play_match(engine, given.games, given.elo, given.seconds)
    else:
        solve(engine, given.what, given.seconds, given.every)


# -- Test positions.


def solve(engine: plies.AlphaBeta, name: str, seconds: float, every: int) -> None:
    """Solve a set of positions, and tell which not."""
    game, solved, depths = engine.game, 0, []
    for line in (ORACLES / SETS[name]).read_text(encoding="utf-8").splitlines()[::every]:
        state, best, avoid, label = read_epd(game, line)
        found = engine.search(state, plies.Limit(time=seconds))
        right = found.action in best if best else found.action not in avoid
        solved += right
        depths.append(found.depth)
        if not right:
            wanted = " or ".join(game.notation(state, action) for action in best)
            played = game.notation(state, found.action)
            print(f"{label}: {played} at depth {found.depth} ({found.value}), not {wanted}", flush=True)
    print(
        f"{name}: {solved} of {len(depths)} solved at {seconds} s each, depth {median(depths)} in the middle"
    )


def read_epd(game: plies.Game, line: str) -> tuple[plies.game.State, list[int], list[int], str]:
    """The state, the best moves, the moves to avoid and the name of a test position."""
    words = line.split(None, 4)
    state = game.parse_position(" ".join(words[:4]))
    operations = dict(re.findall(r'(\w+) ("[^"]*"|[^;]*);', words[4]))
    best, avoid = (
        [game.parse_action(state, move) for move in operations.get(name, "").split()] for name in ("bm", "am")
    )
    return state, best, avoid, operations.get("id", "?").strip('"')


# -- Games.


def play_match(engine: plies.AlphaBeta, games: int, ratings: Sequence[int], seconds: float) -> None:
    """Play against Stockfish at the given ratings in turn, from balanced openings, each from both sides."""
    if STOCKFISH is None:
        sys.exit("bench: Stockfish is not installed (the Debian package stockfish)")
    results: list[tuple[int, float]] = []  # the opponent's rating, and what was scored
    with chess.engine.SimpleEngine.popen_uci(STOCKFISH) as opponent:
        openings = balanced(engine.game, opponent)
        opening: list[int] = []
        for number in range(games):
            if number % 2 == 0:
                opening = next(openings)
            elo = ratings[number // 2 % len(ratings)]
            opponent.configure({"UCI_LimitStrength": True, "UCI_Elo": elo})
            score = play(engine, opponent, opening, number % 2, seconds)
            results.append((elo, score))
            rating, low, high = rated(results)
            total = sum(score for _, score in results)
            print(
                f"game {number + 1}: {score} against {elo}; {total} of {number + 1}, "
                + (
                    f"rating {rating:.0f} ({low:.0f} to {high:.0f})"
                    if 0 < total < number + 1
                    else "no rating yet"
                ),
                flush=True,
            )


def balanced(game: plies.Game, opponent: chess.engine.SimpleEngine) -> Iterator[list[int]]:
    """Openings of random moves, the same each time, after which neither side is far ahead."""
    generator = random.Random(1)
    while True:
        history = History(game)
        for _ in range(OPENING):
            if not history.over:
                history.play(generator.choice(history.legal()))
        if history.over:
            continue
        opponent.configure({"UCI_LimitStrength": False})
        board = python_chess.Board(game.position(history.state))
        info = opponent.analyse(board, chess.engine.Limit(nodes=50_000))
        if abs(info["score"].white().score(mate_score=10_000)) <= LEVEL:
            yield list(history.actions)


def play(
    engine: plies.AlphaBeta,
    opponent: chess.engine.SimpleEngine,
    opening: list[int],
    player: int,
    seconds: float,
) -> float:
    """One game: what the engine, who plays as that player, scores of 1."""
    game = engine.game
    history, board = History(game), python_chess.Board()
    for action in opening:
        board.push(uci(action))
        history.play(action)
    while not history.over:
        if game.to_move(history.state) == player:
            limit = plies.Limit(time=seconds)
            action = engine.search(history.state, limit, previous=history.previous).action
        else:
            move = opponent.play(board, chess.engine.Limit(time=seconds)).move
            action = game.parse_action(history.state, str(move))
        board.push(uci(action))
        history.play(action)
    return (1 + history.utility(player)) / 2


def uci(action: int) -> python_chess.Move:
    """An action as python-chess has it."""
    promotion = action >> 12
    return python_chess.Move(action & 63, action >> 6 & 63, promotion + 1 if promotion else None)


def rated(results: Sequence[tuple[int, float]]) -> tuple[float, float, float]:
    """The rating at which these scores are to be expected, and the interval that holds it 19 times of 20."""
    score = sum(points for _, points in results)
    count = len(results)
    z = NormalDist().inv_cdf(0.975)
    share = score / count  # Wilson's interval for the share, each end turned into a rating
    centre = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return _rating(results, share), _rating(results, centre - half), _rating(results, centre + half)


def _rating(results: Sequence[tuple[int, float]], share: float) -> float:
    """The rating with which the expected share of the points against these opponents is the given one."""
    low, high = -1000.0, 5000.0
    while high - low > 0.5:
        middle = (low + high) / 2
        expected = sum(1 / (1 + 10 ** ((elo - middle) / 400)) for elo, _ in results) / len(results)
        low, high = (middle, high) if expected < share else (low, middle)
    return (low + high) / 2


if __name__ == "__main__":
    main()
