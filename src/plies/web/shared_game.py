"""A game of two people at two pages: whose seat is whose, the moves, the clocks, and what is offered.

The server keeps it. Nothing here knows of sockets or of rules: a position comes as the view that pages show.
"""

from __future__ import annotations

import asyncio
import hmac
import math
import time
from dataclasses import dataclass, field, replace
from typing import Any

from plies.errors import PliesError
from plies.game import CHANCE, SIMULTANEOUS
from plies.web.protocol import MOST_MOVES, PositionSpec

View = dict[str, Any]
"""A position as the page shows it."""

SHORTEST_KEY = 16
"""The fewest characters of the key to a seat, which its page makes by chance. Not tuned."""


@dataclass
class Seat:
    """A side of a shared game, and who has it."""

    key: str = ""
    """What its player's page proves itself by; "" while the seat is free."""
    left: float = math.inf
    """The seconds left on its clock when that was last stopped."""
    since: float | None = None
    """When its clock was started, if it runs."""
    choice: str | None = None
    """What it has chosen where all choose at once, unseen until all have."""
    sent: tuple[int, str] = (-1, "")
    """The ply and the text of its last move, which may be sent again after a lost connection."""

    def remaining(self, now: float) -> float:
        """The seconds left on its clock."""
        return self.left if self.since is None else max(0.0, self.left - (now - self.since))


@dataclass
class SharedGame:
    """A game that two people share."""

    id: str
    spec: PositionSpec
    """Where it began."""
    names: list[str]
    """What the players are called."""
    view: View
    """The position now."""
    minutes: float = 0.0
    """The time of each player for the game; 0 for none."""
    increment: float = 0.0
    """The seconds that a player gets for each move."""
    seats: list[Seat] = field(default_factory=lambda: [Seat(), Seat()])
    outcome: dict[str, Any] | None = None
    """How it ended, if not by its rules: the `winner`, None for a draw, and `how`."""
    offered: dict[str, int] = field(default_factory=dict)
    """Who has offered a "draw" or a "rematch"."""
    round: int = 1
    """Counts rematches."""
    begun: bool = False
    """Whether anybody has moved: clocks start with the first move."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Moves are made one at a time."""
    used: float = field(default_factory=time.monotonic)
    """When somebody last did something here."""

    def __post_init__(self) -> None:
        self._first_view = self.view
        self._wind()

    # -- Who.

    def seat_of(self, key: str) -> int | None:
        """The seat that a key opens; None for somebody who watches."""
        for number, seat in enumerate(self.seats):
            if seat.key and hmac.compare_digest(seat.key.encode(), key.encode()):
                return number
        return None

    def take(self, key: str, wanted: int | None = None) -> int | None:
        """The seat of whoever comes with a key: their own, or a free one, if there is any."""
        if len(key) < SHORTEST_KEY:
            raise PliesError(f"the key to a seat must have {SHORTEST_KEY} characters or more")
        number = self.seat_of(key)
        if number is None:
            free = [number for number, seat in enumerate(self.seats) if not seat.key]
            number = wanted if wanted in free else next(iter(free), None)
            if number is not None:
                self.seats[number].key = key
        return number

    @property
    def full(self) -> bool:
        """Whether both seats are taken."""
        return all(seat.key for seat in self.seats)

    # -- Moves.

    @property
    def now(self) -> PositionSpec:
        """The position, as messages name it."""
        return replace(self.spec, moves=tuple(self.view["moves"]))

    @property
    def ply(self) -> int:
        """The number of moves from the start, those of chance included."""
        return len(self.view["moves"])

    @property
    def over(self) -> bool:
        """Whether the game has ended, by its rules or otherwise."""
        return bool(self.view["over"]) or self.outcome is not None

    def to_act(self) -> list[int]:
        """The seats that are to move or to choose."""
        mover = self.view["mover"]
        if self.over or mover == CHANCE:
            return []
        if mover == SIMULTANEOUS:
            return [number for number, seat in enumerate(self.seats) if seat.choice is None]
        return [mover]

    def was_made(self, number: int, ply: int, move: str) -> bool:
        """Whether a move was made already: its answer was lost, and the page has sent it again."""
        return self.seats[number].sent == (ply, move)

    def check_turn(self, number: int, ply: int) -> None:
        """Raise `PliesError` unless that player may make a move at that ply."""
        if not self.full:
            raise PliesError("wait for the other player: the link is for them")
        if self.over:
            raise PliesError("the game is over")
        if number not in self.to_act():
            raise PliesError("it is not your turn")
        if ply != self.ply:
            raise PliesError(f"that was a move for ply {ply + 1}, and the game is at ply {self.ply + 1}")
        if self.ply >= MOST_MOVES:
            raise PliesError(f"a game on the page has at most {MOST_MOVES:,} moves")

    def moved(self, number: int, sent: tuple[int, str], when: float) -> None:
        """Note that a player has moved, or chosen: the clock stops, and an offer of the other is declined."""
        seat = self.seats[number]
        seat.sent, self.begun = sent, True
        if seat.since is not None:
            seat.left = seat.remaining(when) + self.increment
            seat.since = None
        if self.offered.get("draw") == 1 - number:
            del self.offered["draw"]

    def show(self, view: View) -> None:
        """Go on to a position."""
        self.view = view
        for seat in self.seats:
            seat.choice = None
        self.start_clocks(time.monotonic())

    # -- Clocks.

    def _wind(self) -> None:
        for seat in self.seats:
            seat.left, seat.since = (60 * self.minutes or math.inf), None

    def start_clocks(self, now: float) -> None:
        """Start the clocks of those who are to act, and stop the others."""
        acting = self.to_act() if self.begun and self.minutes else []
        for number, seat in enumerate(self.seats):
            if number not in acting:
                seat.left, seat.since = seat.remaining(now), None
            elif seat.since is None:
                seat.since = now

    def time_left(self, now: float) -> float:
        """The seconds until the first clock runs out; infinite if none runs."""
        running = [seat.remaining(now) for seat in self.seats if seat.since is not None]
        return min(running, default=math.inf)

    def time_is_over(self, now: float) -> bool:
        """Whether somebody's time is over, which ends the game."""
        for number, seat in enumerate(self.seats):
            if seat.since is not None and seat.remaining(now) <= 0:
                self.end(1 - number, "time")
                return True
        return False

    # -- Ends.

    def end(self, winner: int | None, how: str) -> None:
        """End the game otherwise than by its rules."""
        self.outcome = {"winner": winner, "how": how}
        self.start_clocks(time.monotonic())
        self.offered.clear()

    def act(self, number: int, action: str) -> None:
        """Resign, offer or accept a draw or a rematch, or decline one."""
        if action == "decline":
            self.offered = {what: who for what, who in self.offered.items() if who == number}
            return
        if (action == "rematch") != self.over:
            raise PliesError("the game is over" if self.over else "a rematch comes after the game")
        if not self.full:
            raise PliesError("wait for the other player: the link is for them")
        if action == "resign":
            self.end(1 - number, "resigned")
        elif self.offered.setdefault(action, number) != number:
            if action == "draw":
                self.end(None, "agreed")
            else:
                self._again()

    def _again(self) -> None:
        """Begin the rematch, with sides swapped."""
        self.seats.reverse()
        self.outcome, self.view, self.begun = None, self._first_view, False
        self.offered.clear()
        self.round += 1
        for seat in self.seats:
            seat.choice, seat.sent = None, (-1, "")
        self._wind()

    # -- What pages are told.

    def state(self, number: int | None, here: list[bool]) -> dict[str, Any]:
        """All that the page of a seat shows, or with None that of somebody who watches.

        `here` says which players are connected.
        """
        now = time.monotonic()
        return {
            "game": self.spec.game,
            "parameters": dict(self.spec.parameters),
            "position": self.spec.position,
            "view": self.view,
            "seat": number,
            "taken": [bool(seat.key) for seat in self.seats],
            "here": here,
            "acts": self.to_act(),
            "clocks": [round(seat.remaining(now), 2) for seat in self.seats] if self.minutes else None,
            "running": [seat.since is not None for seat in self.seats],
            "outcome": self.outcome,
            "offered": dict(self.offered),
            "round": self.round,
        }
