"""A runner: a kernel for one game with its record and arrays; a search has one for each thread."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from plies.compiled import Kernel, usable
from plies.compiled.workspace import Workspace
from plies.engine import faults
from plies.game import Game, State

INFINITY = 1 << 60
"""Beyond every score, and more nodes than anybody counts."""

LAST_PLY = 2000
"""How deep the recursion may go compiled, and interpreted a tenth of that: Python's own stack ends there."""

Arrays = dict[str, np.ndarray[Any, Any]]


class Runner:
    """Runs a kernel over positions of one game, as machine code if the game compiles.

    `record` is the type of what the kernel counts and obeys, `fields` what stands in it at first. `arrays`
    makes what it works in: from the length of its stack and the type of actions. `stacked` names those that
    are as long as the stack; if a kernel finds it full, they are doubled and it runs again.
    """

    stacked: tuple[str, ...] = ()
    recursive = True
    """Whether the kernel calls itself, so that interpreted it can go less deep."""

    def __init__(
        self,
        game: Game,
        kernel: Kernel,
        record: np.dtype[Any],
        fields: dict[str, Any],
        arrays: Callable[[int, Any], Arrays],
        args: tuple[Any, ...],
        stack: int = 1,
    ) -> None:
        self.game = game
        self.stopped = False
        self.bottom = 0
        """Where the stack begins."""
        self.run: Any = np.zeros(1, record).view(np.recarray)[0]
        for name, value in {"limit": INFINITY, "last_ply": LAST_PLY, **fields}.items():
            setattr(self.run, name, value)
        self.work = Workspace(**arrays(stack, np.int64))
        self.kernel = kernel.best_for(game, *args, self.run, self.work)
        self.compiled = self.kernel is not kernel.interpreted
        if not self.compiled:  # actions may be any objects, and the record is read faster as a namespace
            self.run = SimpleNamespace(**{name: self.run[name].item() for name in record.names or ()})
            if self.recursive:
                self.run.last_ply = LAST_PLY // 10
            self.work = Workspace(**arrays(stack, object))

    def uses(self, rule: str) -> bool:
        """Whether the kernel asks the game's own rule: not if it does not compile and the others do."""
        return usable(self.game, rule) if self.compiled else self.game.has(rule)

    def reset(self, *names: str) -> None:
        """Set counters to 0, and be ready to run."""
        self.stopped = False
        for name in (*names, "stop"):
            setattr(self.run, name, 0)

    def call(self, root: State, *args: Any) -> Any:
        """Run the kernel; a rule that is at fault below the root raises `BrokenRule`."""
        while True:
            if self.stacked:
                self.run.top = self.bottom
            answer = faults.call(
                self.kernel, self.game, root, self.run, self.work, *args, self.run, self.work
            )
            if not self.stacked or not self.run.full:
                return answer
            for name in self.stacked:
                array = getattr(self.work, name)
                setattr(self.work, name, np.resize(array, 2 * len(array)))
            self.run.full = 0
            self.run.stop = int(self.stopped)  # which may have been set while the stack was full

    def stop(self) -> None:
        """End the run under way; may be called from any thread."""
        self.stopped = True
        self.run.stop = 1


def plain(action: Any) -> Any:
    """An action as Python's own number, if a kernel has it as NumPy's."""
    return int(action) if isinstance(action, np.integer) else action
