"""What if the other player is not rational? Pacman by minimax and by expectimax, against two kinds of ghosts.

`python -m bench.rationality` plays all games anew and prints the tables of
docs/what-if-they-are-not-rational.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import plies
from plies.arena import tally

ROUNDS = 3
"""How far everybody looks ahead."""

LIMIT = 40
LAYOUTS = ("trap", "dilemma")


def players(game: plies.Game) -> tuple[dict[str, str], dict[str, str]]:
    """Pacman's two ways to think, and the ghosts' two, in words that the arena understands.

    All ghosts get Pacman's score with a minus, so that max^n, which the engine runs for three players, is
    minimax.
    """
    minimax = f"engine:depth={ROUNDS * game.players}"
    return (
        {"minimax": minimax, "expectimax": f"expectimax:{ROUNDS}:uniform"},
        {"adversarial": minimax, "random": "uniform"},
    )


def scores(layout: str, pacman: str, ghosts: str, games: int, seed: int = 1) -> list[float]:
    """Pacman's scores in some games."""
    game = plies.Pacman(layout, limit=LIMIT)
    ways, kinds = players(game)
    seats = [ways[pacman], *[kinds[ghosts]] * game.count]
    return [payoffs[0] for payoffs in tally(game, seats, games=games, seed=seed)]


def table(layout: str, games: int) -> Iterator[str]:
    """The lines of a table: a row for each way to think, a column for each kind of ghosts."""
    yield f"| `{layout}` | adversarial ghosts | random ghosts |"
    yield "| --- | --- | --- |"
    for pacman in ("minimax", "expectimax"):
        cells = []
        for ghosts in ("adversarial", "random"):
            found = scores(layout, pacman, ghosts, games)
            won = sum(score > 0 for score in found)
            cells.append(f"mean score {sum(found) / games:.1f}, won {won} of {games}")
        yield f"| {pacman} Pacman | {' | '.join(cells)} |"


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.rationality", description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="how many games for each cell")
    games = parser.parse_args().games
    for layout in LAYOUTS:
        for line in table(layout, games):
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
