"""Players of training games: workers of alpha-beta with networks, in the compiled loop of self-play."""

from __future__ import annotations

from copy import copy
from types import SimpleNamespace
from typing import Any

import numpy as np

from plies import bits
from plies.compiled import Kernel
from plies.compiled.workspace import Workspace, record_type
from plies.engine import faults
from plies.engine.background import start
from plies.engine.networks import network_arrays
from plies.engine.options import checked_options, switched_off
from plies.engine.root import blamed
from plies.engine.runner import Code
from plies.engine.worker import Worker
from plies.errors import PliesError
from plies.game import Game, State
from plies.inputs import layout_of, range_of
from plies.learn.positions import Positions
from plies.learn.self_play import IMAGES, PLAY, play_games
from plies.network import Learned

MEMORY = 1
"""Megabytes of a side's table: many times the nodes of a search. Not tuned."""

LONGEST = 400
"""The plies after which a game is given up as a draw. Not tuned."""

ROOM = 400
"""Positions of a game that there is room for, images included. Not tuned."""

OPENING = 2, 6
"""The random moves at the beginning of a game: at least so many, and at most so many more."""

ATTEMPTS = 100
"""The openings that are tried if they end the game. Not tuned."""


class Assumed(Code):
    """The code of workers that run inside another kernel, which is compiled with theirs."""

    def __init__(self, compiled: bool) -> None:
        super().__init__()
        self.compiled = compiled

    def best_for(self, kernel: Kernel, game: Game, *args: Any, off: frozenset[str] = frozenset()) -> Any:
        return (lambda *_: 0) if self.compiled else kernel.interpreted


class GamePlayer:
    """Plays games between two networks, or one and itself, a number of nodes a move."""

    def __init__(self, game: Game, like: Learned, games: int = 16) -> None:
        """Networks must have the shape of `like`; positions of so many games can be recorded at once."""
        self.game, self.like = game, like
        self.layout = layout_of(game)
        self.options = checked_options(None, game)
        self.start = game.initial()
        self._equip(True, games)
        (run, work), (other_run, other_work) = ((side.run, side.work) for side in self.sides)
        given = (1, self.play, self.out, run, work, other_run, other_work)
        off = switched_off("pvs", self.options, game, True)
        self.kernel = play_games.best_for(game, self.start, *given, off=off)
        self.compiled = self.kernel is not play_games.interpreted
        if not self.compiled:
            self.game = copy(game)
            self.game.compiled = False  # nor may kernels be compiled that this one calls by way of functions
            self._equip(False, games)

    def _equip(self, compiled: bool, games: int) -> None:
        code = Assumed(compiled)
        given = (self.game, self.start, self.options, MEMORY)
        self.sides = [Worker(*given, code=code, network=self.like) for _ in range(2)]
        play: Any = record_type(PLAY)()
        self.play = play if compiled else SimpleNamespace(**play.to_dict())
        self.play.longest, self.play.phases = LONGEST, self.game.phases
        self.play.even, self.play.reach = range_of(self.game)
        self.play.room = self.layout.planes * self.layout.cells
        positions = games * ROOM
        actions = np.int64 if compiled else object
        self.out = Workspace(
            inputs=np.zeros(positions * min(self.play.room, 256) * 2, np.uint16),
            starts=np.zeros(2 * positions + 1, np.int64),
            scores=np.zeros(positions, np.float32),
            results=np.zeros(positions, np.float32),
            phases=np.zeros(positions, np.int8),
            movers=np.zeros(positions, np.int8),
            games=np.zeros(positions, np.int32),
            line=np.zeros(LONGEST + 1, actions),  # the actions of the current game
            words=np.zeros(self.layout.words, np.int64),  # of the planes of a view
            places=self.layout.places,
            first=self.layout.first,
            masks=self.layout.masks,
        )

    def stop(self) -> None:
        """End the current games; may be called from any thread."""
        self.play.stop = 1
        for side in self.sides:
            side.stop()

    # -- Games.

    def self_play(
        self, network: Learned, games: int, nodes: int, seed: Any, images: bool = True
    ) -> tuple[Positions, dict[str, int]]:
        """The positions of some games of a network against itself, with an image of each if the game has
        symmetries and they are wanted; and what they took."""
        self._seat(0, network)
        self._set(nodes, seed, games=games, first=-1, recording=IMAGES if images else 1, both=False)
        self._go((0, 0))
        count, used = int(self.play.count), int(self.play.used)
        out = self.out
        positions = Positions(
            out.inputs[:used].copy(),
            out.starts[: 2 * count + 1].copy(),
            out.scores[:count].copy(),
            out.results[:count].copy(),
            out.games[:count].copy(),
            out.phases[:count].copy(),
        )
        counted = {name: int(getattr(self.play, name)) for name in ("games", "lost", "searches", "visited")}
        return positions, {**counted, "depths": int(self.play.depths)}

    def pair(self, first: Learned, second: Learned, nodes: int, seed: Any) -> list[float]:
        """The scores, 0 to 1, of the first of two networks in two games from the same random opening."""
        self._seat(0, first)
        self._seat(1, second)
        scores: list[float] = []
        for attempt in range(ATTEMPTS):
            for seat in range(2):
                self._set(nodes, (seed, attempt), games=1, first=seat, recording=0, both=True)
                self._go((0, 1))
                if self.play.lost:  # the opening ended the game
                    break
                value = float(self.play.value) * (1 if seat == 0 else -1)
                scores.append((np.sign(value) + 1) / 2)
            if len(scores) == 2:
                return [float(score) for score in scores]
        raise PliesError(f"{self.game!r} is over after a few random moves: there is nothing to learn")

    def opening(self, seed: Any) -> list[Any]:
        """The moves of a random opening that does not end the game."""
        for attempt in range(ATTEMPTS):
            self._set(1, (seed, attempt), games=1, first=-1, recording=0, both=True)
            self.play.longest = 0  # given up as soon as the opening is over
            self._go((0, 1))
            self.play.longest = LONGEST
            if not self.play.lost:
                return [
                    action.item() if hasattr(action, "item") else action
                    for action in self.out.line[: int(self.play.ply)]
                ]
        raise PliesError(f"{self.game!r} is over after a few random moves: there is nothing to learn")

    def _seat(self, side: int, network: Learned) -> None:
        """Give a side a network, and forget what it found with another."""
        worker = self.sides[side]
        worker.network = network
        for name, array in network_arrays(network, self.game).items():
            setattr(worker.work, name, array)

    def _set(self, nodes: int, seed: Any, *, games: int, first: int, recording: int, both: bool) -> None:
        play = self.play
        for name in ("games", "lost", "count", "used", "searches", "visited", "depths", "depth", "stop"):
            setattr(play, name, 0)
        play.random = bits.hash64(("self-play", repr(seed)))
        play.opening, play.opening_more = OPENING
        play.nodes, play.limit, play.first, play.recording = nodes, games, first, recording
        with blamed(self.game, self.start):
            for worker in self.sides[: 1 + both]:
                worker.clear()
                worker.begin(self.start)

    def _go(self, sides: tuple[int, int]) -> None:
        """Run the loop; again with more room or other scores if need be."""
        workers = [self.sides[side] for side in sides]
        kept = self.play.to_dict() if self.compiled else dict(vars(self.play))
        while self._again(workers, self._run_kernel(workers)):
            for name, value in kept.items():
                setattr(self.play, name, value)

    def _run_kernel(self, workers: list[Worker]) -> BaseException | None:
        """Run the kernel in a thread with a large stack; returns what it raised."""
        failures: list[BaseException] = []
        (run, work), (other_run, other_work) = ((worker.run, worker.work) for worker in workers)

        def work_on() -> None:
            try:
                self.kernel(self.game, self.start, 1, self.play, self.out, run, work, other_run, other_work)
            except BaseException as error:  # raised in the calling thread
                failures.append(error)

        task = start(work_on, "plies-self-play")
        try:
            task.join()
        except KeyboardInterrupt:
            self.stop()
            task.join()
            raise
        return failures[0] if failures else None

    def _again(self, workers: list[Worker], error: BaseException | None) -> bool:
        """Whether the games are to be played again, with what they lacked; a broken rule raises an error."""
        if error is not None and (isinstance(error, PliesError) or not isinstance(error, Exception)):
            raise error
        for worker in workers:
            if error is not None or worker.run.fault:
                raise faults.broken(self.game, self._reached(), int(worker.run.fault), error) from error
        if any(worker.run.full for worker in workers):
            for worker in {id(worker): worker for worker in workers}.values():
                worker.enlarge_stack()
            return True
        coarse = {id(worker): worker for worker in workers if worker.run.coarse < 0}.values()
        for worker in coarse:
            worker.note_utilities()
        return bool(coarse)

    def _reached(self) -> State:
        """The last position of the current game."""
        state = self.start
        for action in self.out.line[: int(self.play.ply)]:
            state = self.game.result(state, action.item() if hasattr(action, "item") else action)
        return state
