"""How the error of Monte Carlo tree search falls as simulations grow, on games whose values are known.

`python -m bench.convergence docs/uct-error.svg` searches all positions anew and draws the picture of
docs/dice-and-roll-outs.md; it prints the figures behind it as well.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

import plies
from bench.common import after, progress, random_openings
from plies.engine import Limit, MctsOptions, MonteCarlo

GAMES: dict[str, tuple[plies.Game, Sequence[int]]] = {
    "Tic-Tac-Toe": (plies.TicTacToe(), [1, 2, 3] * 8),
    "Connect Four, 5 wide and 4 high": (plies.ConnectFour(width=5, height=4), [2, 4, 6] * 8),
}
"""Games, and how many random moves lead to each position."""

WAYS = {
    "random games alone": MctsOptions(flat=True, solver=False),
    "UCT": MctsOptions(solver=False),
    "UCT that proves": MctsOptions(),
}
STYLES = {"random games alone": "s:", "UCT": "o-", "UCT that proves": "^--"}
NUMBERS = (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000)


def errors(game: plies.Game, states: Sequence[Any], options: MctsOptions, number: int) -> float:
    """The mean distance of the value found after so many simulations from the exact one."""
    total = 0.0
    for seed, state in enumerate(states):
        engine = MonteCarlo(game, memory=64, seed=seed, options=options)
        found = engine.search(state, Limit(nodes=number))
        total += abs(found.value.utility - plies.solve(game, state, memory=8).value.utility)
    return total / len(states)


def measured(numbers: Sequence[int]) -> dict[str, dict[str, list[float]]]:
    """Errors for each game, for each way to search it, for each number of simulations."""
    found: dict[str, dict[str, list[float]]] = {}
    for name, (game, lengths) in GAMES.items():
        states = [after(game, moves) for moves in random_openings(game, lengths, seed=3)]
        found[name] = {}
        for way, options in WAYS.items():
            progress(f"{name}: {way}")
            found[name][way] = [errors(game, states, options, number) for number in numbers]
            print(f"{name}, {way}: " + ", ".join(f"{error:.3f}" for error in found[name][way]), flush=True)
    return found


def draw(found: dict[str, dict[str, list[float]]], numbers: Sequence[int], path: Path) -> None:
    """A panel for each game, a curve for each way."""
    matplotlib.use("agg")
    matplotlib.rcParams["svg.hashsalt"] = "plies"  # the same file for the same figures
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(found), figsize=(9, 4), layout="constrained", sharey=True)
    top = 1.05 * max(max(values) for curves in found.values() for values in curves.values())
    for panel, (name, curves) in zip(panels, found.items(), strict=True):
        for way, values in curves.items():
            panel.plot(numbers, values, STYLES[way], label=way, markersize=4)
        panel.set_xscale("log")
        panel.set_ylim(0, top)
        panel.grid(alpha=0.3)
        panel.set_title(name, fontsize=11)
        panel.set_xlabel("simulations")
    panels[0].set_ylabel("mean error of the value (a win is 1)")
    panels[0].legend(frameon=False)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)


def main() -> None:
    """Search, print and draw."""
    parser = argparse.ArgumentParser(prog="python -m bench.convergence", description=__doc__)
    parser.add_argument("picture", type=Path, help="the file to draw to, .svg or .png")
    parser.add_argument("--quick", action="store_true", help="no more than 3,000 simulations")
    given = parser.parse_args()
    numbers = [number for number in NUMBERS if number <= 3000] if given.quick else NUMBERS
    draw(measured(numbers), numbers, given.picture)


if __name__ == "__main__":
    main()
