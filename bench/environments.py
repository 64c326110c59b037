"""Steps a second of games as environments of PettingZoo, beside its own."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from statistics import median

from bench import environment
from bench.common import Row, in_turn, progress
from bench.peers.run_pettingzoo import played
from plies.interop.pettingzoo import env

TITLE = "Environments: steps a second beside PettingZoo's own"
COLUMNS = ("random games", "Plies", "PettingZoo", "times as fast")
NOTE = (
    "CPU time of one core, in turn, median of the runs. Both are played by the same loop, with random "
    "actions from the action mask. PettingZoo's are as its documents make them, env() with its wrappers, and "
    "raw_env() without; ours needs none. PettingZoo's run in a virtual environment of their own."
)
REPETITIONS = 3
GAMES = {"connect-four": "connect_four_v3", "tic-tac-toe": "tictactoe_v3"}


def rows(quick: bool) -> Iterator[Row]:
    """A row for each game, with PettingZoo's wrappers and without."""
    steps = 2_000 if quick else 20_000
    reason = environment.install("pettingzoo") or environment.install("pygame")
    for ours, theirs in GAMES.items():
        for maker in ("env", "raw_env"):
            label = f"{theirs}.{maker}()"
            asked = {"game": theirs, "maker": maker, "steps": steps}
            if not reason:
                progress(f"{steps:,} steps of {ours} against {label}")
                try:
                    made = env(ours)
                    mine, other = in_turn(
                        REPETITIONS,
                        lambda made=made: played(made, steps),
                        lambda asked=asked: environment.ask("pettingzoo", asked),
                    )
                except subprocess.CalledProcessError as error:
                    reason = environment.why_not(error)
            if reason:
                yield Row((ours, "", f"{label}: {reason}", ""), {"what": ours, "missing": reason})
                continue
            rate, rate_of_theirs = steps / median(mine), steps / median(run["seconds"] for run in other)
            yield Row(
                (ours, f"{rate:,.0f}", f"{label}: {rate_of_theirs:,.0f}", f"{rate / rate_of_theirs:.1f}"),
                {
                    "what": ours,
                    "peer": label,
                    "version": other[0]["version"],
                    "plies": rate,
                    "against": rate_of_theirs,
                    "ratio": rate / rate_of_theirs,
                },
            )
