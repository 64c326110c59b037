"""The matches of the course at full size: EVAL rich or fast, beams in chess, samples in go, plies with dice.

`python -m bench.course evaluation` plays those of one question anew and prints its table, as it stands in
docs/course/2-adversarial-search.md; others are `beam`, `sampling` and `plies`. `depth` prints how deep
searches get in a million nodes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import plies
from plies.arena import Maker
from plies.bits import popcount
from plies.players import EnginePlayer

SECONDS = 0.05
"""What everybody gets for a move where time is equal."""


class CountingMaterial(plies.Chess):
    """Chess with an evaluation that counts pieces and nothing else."""

    def evaluate(self, state: Any, player: int) -> float:
        lead = (
            100 * (popcount(state.pawns & state.white) - popcount(state.pawns & state.black))
            + 330 * (popcount(state.knights & state.white) - popcount(state.knights & state.black))
            + 340 * (popcount(state.bishops & state.white) - popcount(state.bishops & state.black))
            + 520 * (popcount(state.rooks & state.white) - popcount(state.rooks & state.black))
            + 980 * (popcount(state.queens & state.white) - popcount(state.queens & state.black))
        ) / 10_000
        return lead if player == 0 else -lead


class CountingDiscs(plies.Othello):
    """Othello with an evaluation that counts discs and nothing else."""

    def evaluate(self, state: Any, player: int) -> float:
        lead = float(popcount(state.mine) - popcount(state.theirs))
        return lead if player == state.player else -lead


class CountingOpenFours(plies.ConnectFour):
    """Connect Four with an evaluation that counts open fours and nothing else."""

    def __init__(self, width: int = 7, height: int = 6) -> None:
        super().__init__(width, height, weights=[0.05, 0, 0, 0, 0, 0, 0])


class KnowingNothing(CountingOpenFours):
    """Connect Four with an evaluation that is always 0."""

    def evaluate(self, state: Any, player: int) -> float:
        return 0.0


class OfOne:
    """The engine on a game of its own, with the rules of the match but another evaluation."""

    def __init__(self, game: plies.Game, seconds: float) -> None:
        self.game, self.engine = game, EnginePlayer(seconds)
        self.name = type(game).__name__

    def prepare(self, game: plies.Game) -> None:
        """Compile now, not in the middle of the game."""
        self.engine.prepare(self.game)

    def choose(self, game: plies.Game, state: Any, previous: Sequence[Any] = ()) -> Any:
        return self.engine.choose(self.game, state, previous)


def with_game(game: plies.Game, seconds: float = SECONDS) -> Maker:
    """A player for the arena whose evaluation is that of a game."""
    return lambda seed: OfOne(game, seconds)


Question = Iterator[tuple[str, plies.Game, str | Maker, str | Maker]]
"""The matches of a question: what each is called, its game and players."""


def evaluation() -> Question:
    """Rich and slow against plain and fast, at equal time."""
    for plain in (CountingMaterial(), CountingDiscs(), KnowingNothing()):
        game = type(plain).__mro__[1]()
        yield f"{game.name}: rich against {type(plain).__name__}", game, with_game(game), with_game(plain)


def beam() -> Question:
    """The moves that look best by EVAL against all of them, in chess, at equal nodes."""
    for width in (6, 12, 24):
        everything = "alpha-beta:nodes=5000:child_order=yes"  # in the same order
        yield f"chess: {width} moves against all", plies.Chess(), f"{everything}:beam={width}", everything


def sampling() -> Question:
    """Monte Carlo tree search against alpha-beta, at equal time, in go and in chess."""
    for game in (plies.Go(size=5), plies.Go(size=9), plies.Chess()):
        size = f" {game.size}x{game.size}" if isinstance(game, plies.Go) else ""
        yield f"{game.name}{size}: samples against alpha-beta", game, "mcts:0.1", "alpha-beta:0.1"


def plies_more() -> Question:
    """Three plies against one, with dice and without."""
    for game in (plies.Backgammon(), plies.Othello(), plies.Chess()):
        yield f"{game.name}: 3 plies against 1", game, "engine:depth=3", "engine:depth=1"


QUESTIONS = {"evaluation": evaluation, "beam": beam, "sampling": sampling, "plies": plies_more}


def table(question: str, games: int) -> Iterator[str]:
    """The lines of a table: a row for each match, with its interval."""
    yield "| match | games | score | 95 % interval |"
    yield "| --- | --- | --- | --- |"
    for name, game, first, second in QUESTIONS[question]():
        openings = 0 if game.stochastic else 4
        played = plies.match(game, first, second, games=games, openings=openings)
        low, high = played.interval
        yield f"| {name} | {games} | {played.score:.0%} | {low:.0%} to {high:.0%} |"


PLAIN = plies.Options(
    table=False, null_window=False, aspiration=False, killers=False, history=False, quiescence=False,
    extensions=False,
)  # fmt: skip
"""Alpha-beta with nothing but an order of moves, by the game's `priority`."""


def depths(game: plies.Game, nodes: int = 1_000_000) -> Iterator[str]:
    """The lines of a table: how deep each search of a game gets, from the start, in as many nodes."""
    yield "| search | depth in plies |"
    yield "| --- | --- |"
    depth = visited = 0
    while (visited := visited + plies.perft(game, depth)) <= nodes:
        depth += 1
    yield f"| minimax | {depth - 1} |"
    for name, options in (("alpha-beta", PLAIN), ("all refinements", None)):
        found = plies.search(game, algorithm="alpha-beta", nodes=nodes, options=options)
        yield f"| {name} | {found.depth} |"


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.course", description=__doc__)
    parser.add_argument("question", choices=("depth", *QUESTIONS))
    parser.add_argument("--games", type=int, default=40, help="of each match")
    given = parser.parse_args()
    depth = given.question == "depth"
    for line in depths(plies.Chess()) if depth else table(given.question, given.games):
        print(line, flush=True)


if __name__ == "__main__":
    main()
