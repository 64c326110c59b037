"""A job: one search, from the request to its end."""

from __future__ import annotations

import time as clock
from collections.abc import Sequence
from dataclasses import dataclass, field

from plies.compiled.background import Compilation
from plies.engine.background import Task
from plies.engine.limit import Limit
from plies.game import Action, Game, State


@dataclass
class Job:
    """One search: the request, and when it began."""

    game: Game
    state: State
    actions: list[Action]
    limit: Limit
    lines: int = 1
    previous: Sequence[State] = ()
    streaming: bool = False
    """Whether results before the last are wanted."""
    restricted: bool = False
    """Whether `actions` are not all legal ones, so that their values do not settle the position's."""
    begun: float = field(default_factory=clock.perf_counter)
    ended: float | None = None
    compilation: Compilation | None = None
    """What the interpreted search goes on until."""
    failure: BaseException | None = None
    """An error in a thread other than the first."""
    threads: list[Task] = field(default_factory=list)

    @property
    def player(self) -> int:
        """The player to move at the root."""
        return self.game.to_move(self.state)

    @property
    def seconds(self) -> float:
        """The time it has taken."""
        return (self.ended or clock.perf_counter()) - self.begun

    @property
    def left(self) -> float | None:
        """The seconds left, if there is a limit."""
        passed = clock.perf_counter() - self.begun
        return None if self.limit.time is None else max(0.0, self.limit.time - passed)
