"""Perft on the screen: a line for each depth or first move, as soon as it is counted."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

from plies.engine.perft import Perft
from plies.game import Game, State
from plies.terminal.screen import Screen

SHORTEST = 0.01
"""Seconds below which no speed is shown: it would say more about the clock. Not tuned."""

REFRESH = 0.1
"""Seconds between two looks of the progress. Not tuned."""


class PerftRun:
    """Counts from one position, shown on a screen, or `quiet`."""

    def __init__(self, game: Game, state: State, screen: Screen, quiet: bool) -> None:
        self.game, self.state = game, state
        self.screen, self.quiet = screen, quiet

    def up_to(self, depth: int) -> dict[str, Any]:
        """Count at every depth from 1, or at 0; returns the counts as plain data."""
        count = Perft(self.game, depth, self.state)  # refused before anything is counted
        rows, plies, complete = [], 0, False
        self._say(f"{'depth':>5} {'nodes':>20} {'seconds':>9} {'nodes per second':>17}")
        try:
            for plies in range(min(depth, 1), depth + 1):
                count = Perft(self.game, plies, self.state)
                self._run(count)
                speed = f"{count.nodes / count.seconds:,.0f}" if count.seconds >= SHORTEST else ""
                self._say(f"{plies:>5} {count.nodes:>20,} {count.seconds:>9.3f} {speed:>17}".rstrip())
                rows.append({"depth": plies, "nodes": count.nodes, "seconds": count.seconds})
            complete = True
        except KeyboardInterrupt:
            self._say(f"Stopped at depth {plies}, after {count.nodes:,} nodes.")
        return {"game": repr(self.game), "perft": rows, "complete": complete}

    def divide(self, depth: int) -> dict[str, Any]:
        """Count at one depth, by first moves; returns the counts as plain data."""
        count = Perft(self.game, depth, self.state)
        with suppress(KeyboardInterrupt):
            self._run(count)
        moves = {self.game.notation(self.state, action): nodes for action, nodes in count.divided}
        for move, nodes in moves.items():
            self._say(f"{move}: {nodes:,}")
        if count.complete:
            self._say(f"{len(moves)} moves, {count.nodes:,} nodes at depth {depth} in {count.seconds:.3g} s")
        else:
            self._say(f"Stopped after {len(moves)} of {len(count.actions)} moves, {count.nodes:,} nodes.")
        return {
            "game": repr(self.game),
            "depth": depth,
            "divide": moves,
            "nodes": count.nodes,
            "seconds": count.seconds,
            "complete": count.complete,
        }

    def _run(self, count: Perft) -> None:
        """Count, and show how far it is."""
        shown = time.perf_counter()
        try:
            for share in count.run():
                if (now := time.perf_counter()) - shown > REFRESH:
                    shown = now
                    bar = self.screen.bar(share)
                    self.screen.passing(f"depth {count.depth}: {bar} {count.nodes:,} nodes (Ctrl-C stops)")
        finally:
            self.screen.passing()

    def _say(self, line: str) -> None:
        if not self.quiet:
            print(line, flush=True)
