"""Training: runs of self-play, which can be stopped or killed and resumed with the same result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from numbers import Integral, Real
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from plies import bits, neural_network
from plies.compiled.workspace import Workspace, record_type
from plies.engine.background import start
from plies.engine.root import blamed
from plies.errors import BadParameter, BrokenRule, PliesError, Unsuitable
from plies.game import Game
from plies.learn.td import LEARNING, contest, learn
from plies.learn.td_leaf import contest_leaves, learn_leaves
from plies.neural_network import Network, described
from plies.validation import MOST_ACTIONS, checked_bounds, place_of, refuse_simultaneous

BATCH = 100
"""Games between two updates of the learning rate, and two checks for a stop. Not tuned."""

CHECKPOINT = 10.0
"""Seconds between two checkpoints, the most that a killed run loses. Not tuned."""

MEASURES = 40
"""Measurements of strength in a run. Not tuned."""

CONTEST = 400
"""Games of a measurement against each opponent: a standard error of up to 0.05 where utilities are -1 to
1."""

LONGEST = 2000
"""The plies after which a game is given up. Not tuned."""

LAST_RATE = 0.1
"""The fraction of the learning rate that is left at the end of a run. Not tuned."""

OPPONENTS = ("random", "evaluation")
"""The opponents in measurements: random actions, and the game's own evaluation at depth 1."""


@dataclass(frozen=True)
class Measure:
    """The learner's strength after a number of games: mean utilities, each with its standard error."""

    games: int
    points: dict[str, tuple[float, float]]


class Training:
    """A run of self-play: `games` in all, of which `done` are played; the learning rate falls during the
    run."""

    kind = ""
    kept: tuple[str, ...] = ()
    """The arrays of a checkpoint, in addition to the numbers that all runs have."""
    parts = 1
    """The parts of a round, if it goes on by rounds: see `plies.learn.units`."""
    advance: Callable[[], int] | None = None
    """Plays a round, and returns its games."""

    def __init__(
        self, game: Game, *, games: int, rate: float, lambda_: float, random_moves: float, seed: int
    ) -> None:
        refuse_simultaneous(game, "learning")
        if game.players != 2 or not game.constant_sum:
            raise Unsuitable(f"learning is for two players against each other; {type(game).__name__} is not")
        if not game.encoding_size:
            raise Unsuitable(f"{type(game).__name__} has no features to learn the weights of")
        whole: dict[str, Any] = {"games": games, "the seed": seed}
        for name, number in whole.items():
            if not isinstance(number, Integral):
                raise BadParameter(f"{name} must be a whole number, not {number!r:.40}")
        if games < 1:
            raise BadParameter(f"games must be 1 or more, not {games}")
        parts: dict[str, Any] = {"rate": rate, "lambda": lambda_, "random moves": random_moves}
        for name, number in parts.items():
            if not (isinstance(number, Real) and 0 <= float(number) <= 1):
                raise BadParameter(f"{name} must be between 0 and 1, not {number}")
        self.game = game
        self.games, self.rate, self.seed = games, rate, seed
        self.done = 0
        self.measures: list[Measure] = []
        self.run: Any = record_type(LEARNING)()
        self.run.longest = LONGEST
        self.run.draw = game.draw_value
        self.run.most = max(abs(bound - game.draw_value) for bound in checked_bounds(game)) or 1.0
        self.run.lambda_, self.run.random_moves = lambda_, random_moves
        self.run.random = bits.hash64(("games", seed))
        self.stopped = False
        self._due = False  # a checkpoint is due at the end of the current game
        self._contested: Any = None  # the record of the current measurement

    # -- The run.

    def go(
        self,
        checkpoint: str | Path | None = None,
        progress: Callable[[Training], None] | None = None,
        measured: bool = True,
    ) -> None:
        """Play to the end of the run, or until Ctrl-C.

        The checkpoint is written at the beginning, every few seconds, and at the end.
        """
        failures: list[BaseException] = []

        def work() -> None:
            try:
                self._go(checkpoint, progress, measured)
            except BaseException as error:  # raised in the calling thread
                failures.append(error)

        if checkpoint is not None:
            self.save(checkpoint)
        task = start(work, "plies-training")
        while task.is_alive():
            try:
                task.join(CHECKPOINT)
                if task.is_alive() and checkpoint is not None:
                    self._due = True
                    self.run.stop = 1  # the kernel pauses after the current game
            except KeyboardInterrupt:
                self.stop()
        if failures:
            raise failures[0]
        if checkpoint is not None:
            self.save(checkpoint)

    def _go(
        self, checkpoint: str | Path | None, progress: Callable[[Training], None] | None, measured: bool
    ) -> None:
        batch = BATCH * self.parts
        every = max(batch, self.games // MEASURES // batch * batch)
        while True:
            if measured and self.done > 0 and (self.done % every == 0 or self.done == self.games):
                self._add_measure()
            if self._due and checkpoint is not None:
                self._due = False
                self.save(checkpoint)
            if self.done >= self.games or self.stopped:
                break
            end = min((self.done // BATCH + 1) * BATCH, self.games)
            previous = self.done // BATCH * BATCH / self.games
            self.run.rate = self.rate * (1 - (1 - LAST_RATE) * previous)
            if self.advance is not None:
                self.done += self.advance()
            else:
                self.run.games, self.run.limit = 0, end - self.done
                self.run.stop = int(self.stopped or self._due)
                with blamed(self.game, None):
                    self.play()
                self.done += int(self.run.games)
            if not all(np.isfinite(getattr(self.work, name)).all() for name in self.kept):
                raise PliesError(
                    f"after {self.done:,} games the weights are no longer finite: features or utilities "
                    f"of {type(self.game).__name__} are not finite, or the rate is too high"
                )
            if progress is not None:
                progress(self)

    def _add_measure(self) -> None:
        """Measure the strength, once at this point; if Ctrl-C interrupts it, when the run is resumed."""
        if self.stopped or (self.measures and self.measures[-1].games == self.done):
            return
        found = self.measure()
        if not self.stopped:
            self.measures.append(found)

    def stop(self) -> None:
        """End the run after the current game; may be called from any thread."""
        self.stopped = True
        self.run.stop = 1
        if self._contested is not None:
            self._contested.stop = 1

    def measure(self, games: int = CONTEST) -> Measure:
        """The learner's current strength, at depth 1."""
        found = {}
        for number, name in enumerate(OPPONENTS):
            self._contested = run = self._record()
            run.longest, run.most, run.draw, run.limit = LONGEST, self.run.most, self.run.draw, games
            run.random = bits.hash64((name, self.seed, self.done))
            with blamed(self.game, None):
                self._contest(number, run)
            self._refuse_endless(run)
            played = max(1, int(run.games))
            mean = float(run.won) / played
            found[name] = (mean, sqrt(max(0.0, float(run.squares) / played - mean * mean) / played))
        self._contested = None
        return Measure(self.done, found)

    def _refuse_endless(self, run: Any) -> None:
        if run.fault:
            where = place_of(self.game, "actions")
            raise BrokenRule(f"actions() gives more than {MOST_ACTIONS:,} actions of a state ({where})")

    # -- For subclasses.

    def play(self) -> None:
        """Play games and learn, as the record says."""
        self._play()
        self._refuse_endless(self.run)

    def _play(self) -> None:
        raise NotImplementedError

    def _contest(self, opponent: int, run: Any) -> None:
        raise NotImplementedError

    def _facts(self) -> dict[str, Any]:
        raise NotImplementedError

    # -- Machine code, if the game compiles.

    def _record(self) -> Any:
        """A fresh record of counters and settings."""
        if isinstance(self.run, SimpleNamespace):
            return SimpleNamespace(**record_type(LEARNING)().to_dict())
        return record_type(LEARNING)()

    def _interpret(self) -> None:
        self.run = SimpleNamespace(**self.run.to_dict())

    # -- Checkpoints.

    def settings(self) -> dict[str, Any]:
        """What it takes to make this run again, besides the game, as JSON."""
        settings = {"games": self.games, "rate": self.rate, "lambda": float(self.run.lambda_)}
        return {**settings, "random_moves": float(self.run.random_moves), "seed": self.seed, **self._facts()}

    def save(self, path: str | Path) -> None:
        """Write a checkpoint."""
        measures = [
            [m.games, *(number for one in OPPONENTS for number in m.points[one])] for m in self.measures
        ]
        arrays = {name: getattr(self.work, name) for name in self.kept}
        arrays |= {"done": np.array(self.done), "random": np.array(int(self.run.random))}
        more = {"parts": self.parts} if self.parts > 1 else {}
        arrays["measures"] = np.array(measures).reshape(len(measures), 1 + 2 * len(OPPONENTS))
        neural_network.save_arrays(
            path, arrays, described(kind=self.kind, game=repr(self.game), **self.settings(), **more)
        )

    work: Workspace

    def _restore(self, arrays: dict[str, Any], path: str | Path) -> None:
        for name in self.kept:
            mine = getattr(self.work, name)
            if name not in arrays or arrays[name].shape != mine.shape:
                raise PliesError(f"{str(path)!r} is not a checkpoint of this run: {name!r} does not fit")
            mine[:] = arrays[name]
        self.done, self.run.random = int(arrays["done"]), int(np.int64(arrays["random"].item()))
        if not 0 <= self.done <= self.games:
            raise PliesError(
                f"{str(path)!r} is not a checkpoint of this run: {self.done} games were played in it"
            )
        for row in arrays["measures"]:
            pairs = zip(row[1::2].tolist(), row[2::2].tolist(), strict=True)
            self.measures.append(Measure(int(row[0]), dict(zip(OPPONENTS, pairs, strict=True))))


class NetworkTraining(Training):
    """TD(lambda) with a network of some hidden units."""

    kind = "network"
    kept = ("inward", "biases", "outward")

    def __init__(
        self,
        game: Game,
        *,
        games: int = 100_000,
        hidden: int = 40,
        rate: float = 0.1,
        lambda_: float = 0.7,
        random_moves: float = 0.0,
        seed: int = 0,
        start: Network | None = None,
    ) -> None:
        """A new network of that many hidden units, or one to start from."""
        super().__init__(game, games=games, rate=rate, lambda_=lambda_, random_moves=random_moves, seed=seed)
        if start is not None:
            if len(start.inward) != game.encoding_size:
                raise BadParameter(
                    f"a network for {game.name} has {game.encoding_size} inputs, not {len(start.inward)}"
                )
            hidden = len(start.biases)
        if not 1 <= hidden <= 10_000:
            raise BadParameter(f"hidden must be between 1 and 10,000 units, not {hidden}")
        self.hidden = hidden
        count, number = game.encoding_size, np.float32
        generator = np.random.default_rng(seed)
        self.work = Workspace(
            inputs=np.zeros(count, number),  # the encoded state
            hidden=np.zeros(hidden, number),  # the hidden units' activations
            slopes=np.zeros(hidden, number),  # the gradient of the value by each hidden unit's input
            # The weights, as in `Network`; at first small and random, with a deviation of 0.1. Not tuned.
            inward=generator.normal(0, 0.1, (count, hidden)).astype(number),
            biases=np.zeros(hidden, number),
            outward=generator.normal(0, 0.1, hidden + 1).astype(number),
            # Their eligibility traces.
            inward_trace=np.zeros((count, hidden), number),
            bias_trace=np.zeros(hidden, number),
            outward_trace=np.zeros(hidden + 1, number),
        )
        if start is not None:
            for name in self.kept:
                getattr(self.work, name)[:] = getattr(start, name)
        self.learn = learn.best_for(game, game.initial(), self.run, self.work)
        self.contest = contest.best_for(game, game.initial(), 0, self.run, self.work)
        if self.learn is learn.interpreted:
            self._interpret()

    def _play(self) -> None:
        self.learn(self.game, self.game.initial(), self.run, self.work)

    def _contest(self, opponent: int, run: Any) -> None:
        self.contest(self.game, self.game.initial(), opponent, run, self.work)

    def _facts(self) -> dict[str, Any]:
        return {"hidden": self.hidden}

    @property
    def neural_network(self) -> Network:
        """The network as trained so far."""
        about = described(game=repr(self.game), games=self.done, hidden=self.hidden, seed=self.seed)
        work = self.work
        return Network(work.inward.copy(), work.biases.copy(), work.outward.copy(), about)


class WeightsTraining(Training):
    """TD-leaf(lambda) with the game's features, searched to a depth."""

    kind = "weights"
    kept = ("weights", "squares")

    def __init__(
        self,
        game: Game,
        *,
        games: int = 10_000,
        depth: int = 1,
        rate: float = 0.01,
        lambda_: float = 0.7,
        random_moves: float = 0.05,
        opening: int = 4,
        seed: int = 0,
    ) -> None:
        super().__init__(game, games=games, rate=rate, lambda_=lambda_, random_moves=random_moves, seed=seed)
        if not 1 <= depth <= 20:
            raise BadParameter(f"depth must be between 1 and 20, not {depth}")
        if opening < 0:
            raise BadParameter(f"opening must be 0 random plies or more, not {opening}")
        self.depth, self.opening = depth, opening
        count = len(game.features(game.initial())) + 1
        self.work = Workspace(
            weights=np.zeros(count),  # of the features, and of being to move
            squares=np.zeros(count),  # the running mean of each gradient's square
            gradient=np.zeros(count),  # of the current game
            trace=np.zeros(count),  # eligibility traces
            rows=np.zeros((depth + 2, count)),  # by ply: the features of its principal variation's leaf
            final=np.zeros(depth + 2, np.int64),  # by ply: 1 if that leaf is terminal
            opening=np.array([opening]),  # random plies at the beginning of a game
        )
        self.learn = learn_leaves.best_for(game, game.initial(), depth, 0, self.run, self.work)
        self.contest = contest_leaves.best_for(game, game.initial(), 0, 1, 0, self.run, self.work)
        if self.learn is learn_leaves.interpreted:
            self._interpret()

    def _play(self) -> None:
        self.learn(self.game, self.game.initial(), self.depth, 0, self.run, self.work)

    def _contest(self, opponent: int, run: Any) -> None:
        self.contest(self.game, self.game.initial(), opponent, 1, 0, run, self.work)

    def _facts(self) -> dict[str, Any]:
        return {"depth": self.depth, "opening": self.opening}

    @property
    def weights(self) -> list[float]:
        """The weights as trained so far, in units of utility, as the game takes them."""
        return [float(weight) * float(self.run.most) for weight in self.work.weights[:-1]]
