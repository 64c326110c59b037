"""What engines answer besides moves: `go perft`, `d`, `eval` and `bench`."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from plies.engine.driver import Search
from plies.engine.limit import Limit
from plies.engine.perft import DEEPEST
from plies.engine.perft import Perft as Count
from plies.engine.root import blamed
from plies.errors import BadPosition
from plies.game import Game
from plies.history import History
from plies.protocols.connection import Connection
from plies.protocols.info import hundredths
from plies.protocols.moves import move_text
from plies.protocols.running import Running
from plies.protocols.thinking import Thinker

BENCH_POSITIONS = 4
"""The positions of `bench`: the initial one, and others some random plies on. Not tuned."""

BENCH_PLIES = 6
"""The plies between two of them. Not tuned."""

BENCH_NODES = 50_000
"""The nodes searched in each; of Monte Carlo tree search, simulations. Not tuned."""


class Perft(Running):
    """`go perft`: the move sequences of a length, by first move."""

    def __init__(
        self, connection: Connection, say: Callable[[str], None], history: History, depth: int
    ) -> None:
        super().__init__(connection, say, history.game)
        with blamed(history.game, history.state):
            self.count = Count(history.game, max(0, min(DEEPEST, depth)), history.state)
        self.start()

    def work(self) -> None:
        for _ in self.count.run():
            if self.stopped.is_set():
                break

    def answer(self) -> list[str]:
        game, state = self.game, self.count.state
        if not self.count.complete:
            return ["info string perft was stopped before its end"]
        lines = [f"{move_text(game, state, action)}: {count}" for action, count in self.count.divided]
        return [*lines, "", f"Nodes searched: {self.count.nodes}"]


class Bench(Running):
    """`bench`: searches of a few positions to a number of nodes, in which one thread is always the same."""

    def __init__(self, connection: Connection, say: Callable[[str], None], thinker: Thinker) -> None:
        super().__init__(connection, say, thinker.game)
        self.thinker = thinker
        self.nodes, self.seconds, self.complete = 0, 0.0, False
        self.search: Search | None = None
        self.start()

    def work(self) -> None:
        thinker = self.thinker
        thinker.wait(self.stopped.is_set)
        limit = Limit(nodes=BENCH_NODES)
        for history in _positions(thinker.game):
            if self.stopped.is_set():
                return
            self.search = thinker.search_for(limit)
            self.search.clear()
            begun = time.perf_counter()
            found = self.search.search(history.state, limit, previous=history.previous)
            self.seconds += time.perf_counter() - begun
            self.nodes += found.nodes
        self.complete = not self.stopped.is_set()

    def interrupt(self) -> None:
        if self.search is not None:
            self.search.stop()

    def answer(self) -> list[str]:
        if not self.complete:
            return ["info string bench was stopped before its end"]
        speed = round(self.nodes / self.seconds) if self.seconds else 0
        return [
            f"Total time (ms) : {round(1000 * self.seconds)}",
            f"Nodes searched  : {self.nodes}",
            f"Nodes/second    : {speed}",
        ]


def _positions(game: Game) -> list[History]:
    """The positions of `bench`, always the same."""
    rng, found = random.Random(0), []
    for number in range(BENCH_POSITIONS):
        history = History(game)
        while len(history.actions) < number * BENCH_PLIES and not history.over:
            history.play(rng.choice(history.legal()))
        if history.over and history.actions:
            history.undo()
        if not history.over:
            found.append(history)
    return found


def display(history: History) -> list[str]:
    """The lines of `d`: a picture, the position, and who is to move."""
    game, state = history.game, history.state
    with blamed(game, state):
        lines = [*game.text(state).splitlines(), ""]
        try:
            lines.append(f"Fen: {game.position(state)}")
        except BadPosition:  # it has no position strings
            words = [move_text(game, *pair) for pair in zip(history.states, history.actions, strict=False)]
            lines.append(f"Moves: {' '.join(words)}")
        mover = "nobody: the game is over" if history.over else game.player_name(game.to_move(state))
    return [*lines, f"To move: {mover}"]


def static_evaluation(history: History) -> str:
    """The line of `eval`: the static evaluation, to the player to move, in hundredths of a unit."""
    game, state = history.game, history.state
    if history.over:
        return "Evaluation: none (the game is over)"
    with blamed(game, state):
        mover = game.to_move(state)
        lead = game.evaluate(state, mover) - game.draw_value
    return f"Evaluation: {hundredths(game, lead):+d} cp (for {game.player_name(mover)})"
