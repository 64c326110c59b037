"""A runner: a kernel for one game with its record and arrays; a search has one for each thread."""

from __future__ import annotations

import os
from collections.abc import Callable
from copy import copy
from types import SimpleNamespace
from typing import Any

import numpy as np

from plies.compiled import Kernel, usable
from plies.compiled.background import Compilation, sample
from plies.compiled.workspace import Workspace, record_type
from plies.engine import faults
from plies.game import Game, State
from plies.network import Learned

INFINITY = 1 << 60
"""Beyond every score, which have 38 bits, and more nodes than any search visits."""

LAST_PLY = 2000
"""The deepest ply when compiled; interpreted, a tenth of that, as Python's recursion limit is 1000. Not
tuned."""

Arrays = dict[str, np.ndarray[Any, Any]]

FIRST = "PLIES_COMPILE_FIRST"
"""The environment variable with which every search waits for the compiler."""


class Code:
    """Which code the runners of a search run: machine code, or plain Python until that is there.

    With `wait`, the compiler is waited for.
    """

    def __init__(self, wait: bool = True) -> None:
        self.wait = wait or os.environ.get(FIRST, "0") not in ("", "0")
        self.awaited: tuple[Kernel, Game, tuple[Any, ...], frozenset[str]] | None = None
        """The kernel that is not compiled yet, with what it is to be compiled for."""

    def best_for(
        self, kernel: Kernel, game: Game, *args: Any, off: frozenset[str] = frozenset()
    ) -> Callable[..., Any]:
        """The function that a runner calls."""
        if self.wait or game.compiled or (self.awaited is None and kernel.is_ready(game, *args, off=off)):
            return kernel.best_for(game, *args, off=off)
        self.awaited = kernel, game, sample(args), off
        return kernel.interpreted

    def is_ready(self) -> bool:
        """Whether the machine code that was awaited is there."""
        if self.awaited is None:
            return True
        kernel, game, args, off = self.awaited
        return kernel.is_ready(game, *args, off=off)

    def prepare(self) -> Compilation:
        """Begin to compile what is awaited."""
        assert self.awaited is not None
        kernel, game, args, off = self.awaited
        return kernel.prepare(game, *args, off=off)


class Runner:
    """Runs a kernel on positions of one game, as machine code if the game compiles.

    `record` is the type of the kernel's counters and settings, `fields` their initial values. `arrays` makes
    its arrays from the length of the stack and the type of actions. `stacked` names those that are as long as
    the stack; if the stack overflows, they are doubled and the kernel runs again. `off` names fields that
    stay 0, so that what they switch on need not be compiled.
    """

    stacked: tuple[str, ...] = ()
    network: Learned | None = None
    """What it evaluates states by, in place of the game's `evaluate`."""
    recursive = True
    """Whether the kernel recurses, so that interpreted it cannot go as deep."""

    def __init__(
        self,
        game: Game,
        kernel: Kernel,
        record: np.dtype[Any],
        fields: dict[str, Any],
        arrays: Callable[[int, Any], Arrays],
        args: tuple[Any, ...],
        stack: int = 1,
        off: frozenset[str] = frozenset(),
        code: Code | None = None,
    ) -> None:
        self.game = game
        self.stopped = False
        self.bottom = 0
        """The first place of the stack that the kernel may use."""
        self.run: Any = record_type(record)()
        for name, value in {"limit": INFINITY, "last_ply": LAST_PLY, **fields}.items():
            setattr(self.run, name, value)
        self.work = Workspace(**arrays(stack, np.int64))
        code = code or Code()
        self.kernel = code.best_for(kernel, game, *args, self.run, self.work, off=off)
        if code.awaited is not None:  # nor may kernels be compiled that this one calls by way of functions
            self.game = copy(game)
            self.game.compiled = False
        self.compiled = self.kernel is not kernel.interpreted
        if not self.compiled:  # actions may be any objects, and a namespace is read faster than a record
            self.run = SimpleNamespace(**self.run.to_dict())
            if self.recursive:
                self.run.last_ply = LAST_PLY // 10
            self.work = Workspace(**arrays(stack, object))

    def uses(self, rule: str) -> bool:
        """Whether the kernel calls the game's own rule: not if the others compile and this one does not.

        A network stands for `evaluate`.
        """
        if self.network is not None and rule == "evaluate":
            return True
        return usable(self.game, rule) if self.compiled else self.game.has(rule)

    def evaluate(self, state: State, player: int) -> float:
        """The static evaluation of a state to a player."""
        if self.network is None:
            return self.game.evaluate(state, player)
        return self.network.estimate(self.game, state, player)

    def reset(self, *names: str) -> None:
        """Set counters to 0, and be ready to run."""
        self.stopped = False
        for name in (*names, "stop"):
            setattr(self.run, name, 0)

    def call(self, root: State, *args: Any) -> Any:
        """Run the kernel; a broken rule below the root raises `BrokenRule`."""
        while True:
            if self.stacked:
                self.run.top = self.bottom
            answer = faults.call(
                self.kernel, self.game, root, self.run, self.work, *args, self.run, self.work
            )
            if not self.stacked or not self.run.full:
                return answer
            self.enlarge_stack()
            self.run.stop = int(self.stopped)  # the overflow set it, and so may `stop`

    def enlarge_stack(self) -> None:
        """Double the stack, which was full."""
        for name in self.stacked:
            array = getattr(self.work, name)
            setattr(self.work, name, np.resize(array, 2 * len(array)))
        self.run.full = 0

    def stop(self) -> None:
        """End the current run; may be called from any thread."""
        self.stopped = True
        self.run.stop = 1


def unfilled(room: int, actions: Any) -> np.ndarray[Any, Any]:
    """An array for so many actions, which takes no time: its memory is used as it is filled."""
    return np.empty(room, actions) if actions is object else np.zeros(room, actions)


def plain(action: Any) -> Any:
    """An action as a Python integer, if it is NumPy's."""
    return int(action) if isinstance(action, np.integer) else action
