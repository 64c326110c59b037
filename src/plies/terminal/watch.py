"""A game to watch: an animation, each position in place of the one before."""

from __future__ import annotations

import time

from plies.errors import BadParameter
from plies.game import Game
from plies.players import Player
from plies.terminal.screen import Screen
from plies.terminal.session import Session

LONGEST_DELAY = 3_600.0


class Watch(Session):
    """A game between players who are not human, animated on a terminal."""

    def __init__(
        self,
        game: Game,
        players: list[Player],
        screen: Screen,
        *,
        delay: float = 0.3,
        position: str = "",
        seed: int | None = None,
    ) -> None:
        """`delay` is how long a terminal shows each position, in seconds, thinking time included."""
        if not 0 <= delay <= LONGEST_DELAY:  # false for nan too
            raise BadParameter(f"the delay must be from 0 to {LONGEST_DELAY:,.0f} seconds, not {delay:g}")
        super().__init__(game, players, screen, position=position, seed=seed)
        if self.people:
            raise BadParameter("plies watch is for players who are not human: use plies play")
        self.delay = delay
        self.due = 0.0  # when the next position may be shown
        self.word = self._introduction()  # what is told below the board

    def _show(self) -> None:
        if self.shown:
            return
        if self.screen.plain:
            super()._show()
            return
        time.sleep(max(0.0, self.due - time.monotonic()))
        self.screen.clear()
        super()._show()
        self.screen.say(self.word)
        self.due = time.monotonic() + self.delay

    def _tell(self, text: str, style: str | None = None) -> None:
        if self.screen.plain:
            super()._tell(text, style)
        self.word = text
