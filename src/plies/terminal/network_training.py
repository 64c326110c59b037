"""Training of networks in the search: what a generation gained, what the next will cost, the result."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plies.draw import plots
from plies.errors import PliesError
from plies.learn.generation import Generation, fit_of, gained
from plies.learn.generations import Generations
from plies.terminal.screen import Screen

OFTEN = 0.1
"""Seconds between two looks at the progress. Not tuned."""


class NetworkTrainingRun:
    """A training of networks from the command line."""

    def __init__(self, run: Generations, screen: Screen, as_json: bool, curve: Path | None) -> None:
        self.run, self.shown, self.as_json, self.curve = run, not screen.plain, as_json, curve
        self._told = 0.0
        self._stopped = False
        folder = run.out.parent
        if not folder.is_dir():  # before anybody waits for it
            raise PliesError(f"{str(run.out)!r} cannot be written: there is no folder {str(folder)!r}")
        if curve is not None:
            plots.checked(curve)

    def go(self, why: str, resume: bool, generations: int | None, minutes: float | None) -> str:
        """Train until a limit or Ctrl-C; returns what is left to say, or the result as JSON."""
        run = self.run
        run.begin(resume)
        run.tell = self._tell
        self._say(f"{run.game.name}: {run.model.words} ({why}), {run.nodes:,} nodes a move, seed {run.seed}")
        for one in run.generations:
            self._say(self._line(one))
        try:
            for one in run.go(generations, minutes):
                self._say(
                    self._line(one), f"next: generation {one.number + 1}, about {run.next_cost():,.0f} s"
                )
                if self.curve is not None:
                    plots.generations(run.generations).save(self.curve)
        except KeyboardInterrupt:
            self._stopped = True
        self._clear()
        return json.dumps(self._data()) if self.as_json else "\n".join(self._end())

    def _tell(self, text: str) -> None:
        now = time.perf_counter()
        if self.shown and now - self._told >= OFTEN:
            self._told = now
            number = len(self.run.generations) + 1
            sys.stdout.write(f"\r\x1b[Kgeneration {number}, {text} (Ctrl-C stops)"[:200])
            sys.stdout.flush()

    def _clear(self) -> None:
        if self.shown:
            sys.stdout.write("\r\x1b[K")
            sys.stdout.flush()

    def _say(self, *lines: str) -> None:
        if not self.as_json:
            self._clear()
            for line in lines:
                print(line, flush=True)

    def _line(self, one: Generation) -> str:
        """A generation in a line."""
        scores = [
            f"{100 * one.score(name):.0f} % against {WORDS[name]}" for name in WORDS if name in one.pool
        ]
        words = [
            f"generation {one.number}: {one.positions:,} positions of {one.games:,} games",
            f"explains {100 * fit_of(one).explained:.0f} % of those held out",
            *filter(None, [gained(one)]),
            *scores,
            f"{'kept' if one.kept else 'not kept'}, {one.took:,.0f} s",
        ]
        return "; ".join(words)

    def _end(self) -> list[str]:
        run = self.run
        lines = []
        if self._stopped:
            lines.append(f"stopped; --resume continues, from generation {len(run.generations) + 1}")
        if run.generations and not run.learned:
            lines.append(
                "nothing was learned: no generation is better than none, beyond chance. Planes that show "
                "more of what matters, more --nodes or more --minutes may help"
            )
        if run.best is not None:
            lines.append(f"saved to   {run.out} (generation {run.best.about.get('generation')})")
        return lines

    def _data(self) -> dict[str, Any]:
        run = self.run
        return {
            "game": repr(run.game),
            **run.settings,
            "generations": [asdict(one) for one in run.generations],
            "learned": run.learned,
            "network": str(run.out) if run.best is not None else None,
        }


WORDS = {"none": "no evaluation", "last": "the last", "evaluation": "the game's evaluation"}
"""The members of the pool, besides the best, in words."""
