"""Players that are other programs, asked for moves by UCI, UGI or GTP."""

from __future__ import annotations

import os
import threading
import time as clock
import weakref
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from plies.engine.limit import DEFAULT, Limit
from plies.engine.result import SearchResult
from plies.engine.time_manager import Clock
from plies.engine.value import Value
from plies.errors import Forfeit, Unsuitable
from plies.game import Action, Game, State
from plies.history import History, legal_actions
from plies.protocols.gtp_client import GtpClient
from plies.protocols.moves import SERVED, checked_points
from plies.protocols.process import printable
from plies.protocols.uci_client import Found, UciClient

MARGIN = 5.0
"""The seconds beyond its time after which a program that has not moved has lost. Not tuned."""

LONGEST_MOVE = 600.0
"""The seconds after which a program has lost that was given a depth or a number of nodes alone. Not tuned."""

IDLE = 5.0
"""The seconds that a program is kept after a game, for the next game to begin with. Not tuned."""

Client = UciClient | GtpClient


class ExternalPlayer:
    """Another program: started when it is needed, kept during a game, and started again if it has died.

    A program that dies, is late, plays an illegal move or resigns raises `Forfeit`, and is ended.
    """

    def __init__(
        self,
        protocol: str,
        command: Sequence[str],
        limit: Limit = DEFAULT,
        options: Mapping[str, str] | None = None,
    ) -> None:
        """The protocol is "uci", "ugi" or "gtp"; `command` is the program and its arguments."""
        self.protocol, self.command, self.limit = protocol, tuple(command), limit
        self.options = dict(options or {})
        self.name = f"{protocol}:{printable(PurePath(self.command[0]).name.removesuffix('.exe'), 40)}"
        self.last: SearchResult | None = None
        """What the program said about its last move: an estimate, whatever it claims to have proved."""
        self._history: History | None = None
        self._client: Client | None = None
        self._last_resort: weakref.finalize[..., ExternalPlayer] | None = None

    def check(self, game: Game) -> None:
        """Raise `Unsuitable` if the protocol does not serve a game."""
        if self.protocol == "gtp":
            checked_points(game)
            return
        SERVED.check(game, self.protocol.upper())
        if self.protocol == "uci" and not game.has("uci"):
            raise Unsuitable(f"UCI is for chess; {game.name} is played by ugi: programs")

    def serves(self, game: Game) -> bool:
        """Whether the protocol serves a game."""
        try:
            self.check(game)
        except Unsuitable:
            return False
        return True

    def another(self) -> ExternalPlayer:
        """A player of the same words, with a program of its own."""
        return ExternalPlayer(self.protocol, self.command, self.limit, self.options)

    def prepare(self, game: Game) -> None:
        """Start the program now, not in the middle of a game."""
        self.check(game)
        self._ready(game)

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        """The program's move within the limit."""
        seconds = LONGEST_MOVE if self.limit.time is None else self.limit.time + MARGIN
        return self._ask(game, state, previous, None, seconds)

    def choose_on_clock(
        self, game: Game, state: State, previous: Sequence[State], clocks: Sequence[Clock]
    ) -> Action:
        """The program's move, which the clocks of the two players are for."""
        seconds = max(0.0, clocks[game.to_move(state)].remaining) + MARGIN
        return self._ask(game, state, previous, clocks, seconds)

    def stop(self) -> None:
        """Let the program move at once, if the protocol can say so; may be called from any thread."""
        if (client := self._client) is not None:
            client.stop()

    def close(self) -> None:
        """The game is over: end the program, unless another game begins soon."""
        if self._client is not None and self._last_resort is not None:
            self._last_resort.detach()
            _idle.put(self._key, self._client)
        self._client = self._history = None

    # -- One move.

    def _ask(
        self,
        game: Game,
        state: State,
        previous: Sequence[State],
        clocks: Sequence[Clock] | None,
        patience: float,
    ) -> Action:
        known = self._history
        self._history = history = line_through(game, [*previous, state], known)
        limit = self.limit if clocks is None else Limit(None, self.limit.depth, self.limit.nodes)
        client = self._ready(game)
        begun, self.last = clock.perf_counter(), None
        try:
            if known is not None and history is not known:
                client.new_game(game)
            action = client.choose(history, limit, clocks, patience)
            if action not in legal_actions(game, state, previous):
                move = game.described(state, action)
                raise Forfeit(f"{client.program.name} played the illegal move {printable(move, 20)!r}")
        except BaseException:
            self._end()
            raise
        if isinstance(client, UciClient) and client.found is not None:
            value, seconds = _value(game, client.found), clock.perf_counter() - begun
            depth, nodes = client.found.depth, client.found.nodes
            self.last = SearchResult(action, value, [action], depth, nodes, seconds, algorithm=self.name)
        return action

    @property
    def _key(self) -> tuple[object, ...]:
        """What programs have in common that can replace each other."""
        return os.getpid(), self.protocol, *self.command, *self.options.items()

    def _ready(self, game: Game) -> Client:
        if self._client is not None and self._client.program.owner != os.getpid():
            self._client = None  # it belongs to the process that this one was forked from
        if self._client is None:
            client = _idle.get(self._key) or self._started()
            self._last_resort = weakref.finalize(self, _idle.put, self._key, client)
            self._last_resort.atexit = False  # then all programs end
            self._client = client
            try:
                client.new_game(game)
            except BaseException:
                self._end()
                raise
        return self._client

    def _started(self) -> Client:
        if self.protocol == "gtp":
            return GtpClient(self.command)
        return UciClient(self.command, self.protocol, self.options)

    def _end(self) -> None:
        """End the program at once: what it would say now is no answer to anything."""
        if self._client is not None:
            self._client.program.end()
        if self._last_resort is not None:
            self._last_resort.detach()
        self._client = self._history = None


class _Idle:
    """Programs between two games, each for some seconds: to start one may take longer than to play."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a player may be collected, and call `put`, while it is held
        self._waiting: dict[object, tuple[tuple[object, ...], Client]] = {}

    def put(self, key: tuple[object, ...], client: Client) -> None:
        """Keep a program that nobody uses any more."""
        if client.program.owner != os.getpid():
            return
        ticket = object()
        with self._lock:
            self._waiting[ticket] = key, client
        timer = threading.Timer(IDLE, self._end, [ticket])
        timer.daemon = True
        timer.start()

    def get(self, key: tuple[object, ...]) -> Client | None:
        """A program that waits for its next game, if there is one."""
        with self._lock:
            fitting = [ticket for ticket, (own, _) in self._waiting.items() if own == key]
            clients = [self._waiting.pop(ticket)[1] for ticket in fitting[:1]]
        return clients[0] if clients and clients[0].program.alive else None

    def _end(self, ticket: object) -> None:
        with self._lock:
            _, client = self._waiting.pop(ticket, (None, None))
        if client is not None:
            client.end()


_idle = _Idle()


def _value(game: Game, found: Found) -> Value:
    """What a program thinks of a position; of a mate it may be sure, but nobody here has proved it."""
    draw = game.draw_value or 0.0
    if found.cp is not None:
        return Value.of(game, draw + found.cp / 100 * game.unit)
    low, high = game.bounds
    return Value.of(game, high if (found.mate or 0) > 0 else low)


def line_through(game: Game, states: Sequence[State], known: History | None) -> History:
    """A game through these states: the known one, if it has come here, or else the moves that connect them.

    Where no move does, it begins anew: the states before are of no use to a program.
    """
    history = known
    if history is None or history.game is not game or history.states != list(states[: len(history.states)]):
        history = History(game, states[0])
    for state in states[len(history.states) :]:
        moves = (action for action in history.legal() if game.result(history.state, action) == state)
        action = next(moves, None)
        if action is None:
            history = History(game, state)
        else:
            history.play(action)
    return history
