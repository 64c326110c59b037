"""Monte Carlo tree search: simulations per second on one thread, against OpenSpiel's bot in C++."""

from __future__ import annotations

import math
import subprocess
import time
from collections.abc import Iterator
from functools import partial
from statistics import median
from typing import Any

import plies
from bench import environment
from bench.common import Row, in_turn, progress
from plies.engine import Limit, MctsOptions, MonteCarlo

TITLE = "Monte Carlo tree search: simulations per second"
COLUMNS = ("from the beginning of", "simulations", "Plies", "OpenSpiel, C++", "times as many", "aim")
NOTE = (
    "One thread, CPU time, as many simulations for both, each from an empty tree: plain UCT with the same "
    "exploration (the square root of 2, for values from -1 to 1), one random game for each simulation, "
    "nothing proved, no RAVE, a position put in the tree at its second visit. Go is 9x9, komi 7.5. 'Any "
    "move': random games of both take any legal move, and end after two passes; OpenSpiel's end after 162 "
    "moves at the latest, ours go on. 'Policy': ours choose as the game's own policy does, which fills no "
    "eyes, saves and captures stones, and lets the game end by itself; this is how Plies plays."
)
REPETITIONS = 3
EXPLORATION = math.sqrt(2)
SUBJECTS: tuple[tuple[str, plies.Game, str, int, bool, int | None], ...] = (
    ("Connect Four", plies.ConnectFour(), "connect_four", 100_000, False, 5),
    ("Othello", plies.Othello(), "othello", 6_000, False, 10),
    ("go, any move", plies.Go(size=9, komi=7.5), "go(board_size=9,komi=7.5)", 12_000, False, 3),
    ("go, policy", plies.Go(size=9, komi=7.5), "go(board_size=9,komi=7.5)", 12_000, True, None),
)
"""What it is called, our game, theirs, how many simulations, whether our policy plays, and the aim."""


def rows(quick: bool) -> Iterator[Row]:
    """A row for each game, or for each way to play it."""
    reason = environment.install("open_spiel")
    for name, game, theirs, simulations, policy, aim in SUBJECTS:
        number = simulations // 10 if quick else simulations
        progress(f"{name}: {number:,} simulations")
        engine = _engine(game, policy)
        _simulate(engine, 100)
        asked = {"game": theirs, "simulations": number, "exploration": EXPLORATION, "seed": 1}
        yield _row(name, number, engine, asked, aim, 1 if quick else REPETITIONS, reason)


def _row(
    name: str,
    number: int,
    engine: MonteCarlo,
    asked: dict[str, Any],
    aim: int | None,
    times: int,
    reason: str,
) -> Row:
    """Both in turn; where the peer is missing, the reason in its place."""
    peer = partial(environment.ask, "open_spiel_mcts", asked)
    try:
        ours, theirs = in_turn(times, partial(_simulate, engine, number), (lambda: None) if reason else peer)
    except subprocess.CalledProcessError as error:
        reason = environment.why_not(error)
        ours, theirs = [_simulate(engine, number)], []
    rate = number / median(ours)
    figures: dict[str, Any] = {"game": name, "simulations": number, "plies": rate, "aim": aim}
    if reason:
        return Row((name, f"{number:,}", f"{rate:,.0f}", reason), {**figures, "missing": reason})
    for answer in theirs:
        if answer["visits"] != number:
            raise SystemExit(f"bench: OpenSpiel made {answer['visits']} simulations, not {number}")
    peer_rate = number / median(answer["seconds"] for answer in theirs)
    ratio = rate / peer_rate
    return Row(
        (
            name,
            f"{number:,}",
            f"{rate:,.0f}",
            f"{theirs[0]['version']}: {peer_rate:,.0f}",
            f"{ratio:.1f}",
            "" if aim is None else f"{aim}",
        ),
        {**figures, "against": peer_rate, "version": theirs[0]["version"], "ratio": ratio},
    )


def _engine(game: plies.Game, policy: bool) -> MonteCarlo:
    """Plain UCT. Our values lie between 0 and 1, half as far apart as theirs, and so is what explores."""
    options = MctsOptions(solver=False, exploration=EXPLORATION / 2, policy=policy)
    return MonteCarlo(game, memory=256, seed=1, options=options)


def _simulate(engine: MonteCarlo, number: int) -> float:
    """CPU seconds of a search from an empty tree."""
    engine.clear()
    start = time.process_time()
    found = engine.search(limit=Limit(nodes=number))
    duration = time.process_time() - start
    if found.nodes != number:
        raise SystemExit(f"bench: {found.nodes} simulations were made, not {number}")
    return duration
