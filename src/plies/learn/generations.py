"""Networks in the search by generations: self-play, a fit, and matches that decide whether it is kept.

A run is the same on any number of cores and however often it was killed: units of work are pure, what came
out of them is kept until their generation is complete, and a fit depends on nothing but what it is given. Its
files are in a folder beside the network.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from plies.arena.sprt import Sprt
from plies.cores import usable_cores
from plies.errors import BadParameter, PliesError, Unsuitable
from plies.game import Game
from plies.inputs import identity_of
from plies.learn.generation import Generation, outcomes
from plies.learn.kinds import NETWORK, PATTERNS
from plies.learn.models import STAGES, model_of
from plies.learn.network_units import GAMES, NetworkGames, half_of, positions_of
from plies.learn.positions import Positions
from plies.network import Learned, load_network
from plies.neural_network import load_arrays, save_arrays
from plies.work.backends import Backend
from plies.work.differences import begun_otherwise
from plies.work.run import Where, in_order
from plies.work.store import Store
from plies.work.unit import Done, Job, Unit

FIRST, MOST = 30_000, 250_000
"""Positions of the first generation, and the most of one: each has twice as many as the one before. From
3,000 on, a network beats no evaluation; more than the most, and labels are renewed too seldom."""

WINDOW = 4
"""The generations whose positions are learned from. Not tuned."""

BLEND = 0.75
"""The share of the search's score in what is learned, the rest being the result: of 0, 0.5, 0.75 and 1 the
best in Breakthrough. Of games without any evaluation, which have no scores, 0."""

EPOCHS = 8
"""Passes over the positions: in Breakthrough, held-out positions are fitted no better after 8."""

GATE, GATE_PAIRS = Sprt(0, 60), 60
"""The test that a new network has to pass against the best so far, in normalised Elo, and its most pairs."""

POOL_PAIRS = 12
"""Pairs of games against every other member of the pool. Not tuned."""

WORSE = 0.1
"""A network whose score against the game's own evaluation is worse by this much is not kept. Not tuned."""

CHUNK = 4
"""Pairs for each core between two looks at a test. Not tuned."""


class Generations:
    """A training of networks for a game, in a folder beside the file of the best one."""

    def __init__(
        self,
        game: Game,
        out: str | Path,
        *,
        kind: str = NETWORK,
        units: int = 32,
        stages: int = STAGES,
        nodes: int = 400,
        seed: int = 0,
        first: int = FIRST,
        where: Where | None = None,
        command: str = "",
    ) -> None:
        if game.stochastic:
            raise Unsuitable(f"{game.name} has dice: train a network by temporal differences (--kind td)")
        size = {"stages": stages} if kind == PATTERNS else {"units": units}
        self.model = model_of(game, kind, **size)
        for name, number, least, most in (("nodes", nodes, 10, 10**7), ("positions", first, 20, 10**7)):
            if not least <= number <= most:
                raise BadParameter(f"{name} must be between {least:,} and {most:,}, not {number}")
        self.game, self.out, self.command = game, Path(out), command
        self.settings: dict[str, Any] = {**size, "nodes": nodes, "seed": seed, "first": first}
        if kind != NETWORK:
            self.settings["kind"] = kind
        self.nodes, self.seed, self.first = nodes, seed, first
        self.half = half_of(game)
        self.where = where or Where(0)
        self.where.refuse_shards("a training")
        if self.where.units is not None:
            raise BadParameter("a training keeps its own units: leave out units")
        self.generations: list[Generation] = []
        self.best: Learned | None = None
        self.last: Learned | None = None
        self.tell: Callable[[str], None] = lambda text: None
        self._window: list[tuple[Generation, Positions]] = []
        """The last generations and their positions, to be learned from again."""

    # -- Files.

    @property
    def folder(self) -> Path:
        """Where the run is kept."""
        return self.out.with_name(self.out.stem + ".training")

    def begin(self, resume: bool = False) -> None:
        """Make the folder, or read the run in it."""
        if (self.folder / "run.json").exists():
            if not resume:
                raise PliesError(f"{str(self.folder)!r} holds a training already: --resume continues it")
            self._read()
            return
        if self.out.exists():
            raise PliesError(f"{str(self.out)!r} exists already: name another file with --out")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PliesError(f"{str(self.folder)!r} cannot be made: {error.strerror}") from None
        self._write()

    def _facts(self) -> dict[str, Any]:
        return {**identity_of(self.game), **self.settings}

    def _write(self) -> None:
        made = [asdict(one) for one in self.generations]
        data = {"run": self._facts(), "command": self.command, "generations": made}
        text = json.dumps(data, indent=1)
        beside = self.folder / ".run.json"
        try:
            beside.write_text(text, encoding="utf-8")
            beside.replace(self.folder / "run.json")
        except OSError as error:
            raise PliesError(f"{str(self.folder)!r} cannot be written to: {error.strerror}") from None

    def _read(self) -> None:
        path = self.folder / "run.json"
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            facts, made = data["run"], [Generation(**one) for one in data["generations"]]
            self.command = str(data["command"])
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            raise PliesError(f"{str(path)!r} is no training: it cannot be resumed") from None
        asked = json.loads(json.dumps(self._facts()))
        if facts != asked:
            raise begun_otherwise(path, facts if isinstance(facts, dict) else {}, asked)
        self.generations = made
        for one in made:
            network = load_network(self._network_file(one.number))
            self.model.check(network)
            self.best, self.last = (network if one.kept else self.best), network
            if self._positions_file(one.number).exists():
                arrays, _ = load_arrays(self._positions_file(one.number))
                if arrays.keys() != {part.name for part in fields(Positions)}:
                    raise PliesError(f"{str(path)!r} has positions of another version: it cannot be resumed")
                self._window.append((one, Positions(**arrays)))
        self._window = self._kept_positions()

    def _network_file(self, number: int) -> Path:
        return self.folder / f"network-{number}.npz"

    def _positions_file(self, number: int) -> Path:
        return self.folder / f"positions-{number}.npz"

    def _kept_positions(self) -> list[tuple[Generation, Positions]]:
        """The positions to learn from again: of the last generations, with scores as soon as some have."""
        scored = [(one, part) for one, part in self._window if one.blend > 0]
        return (scored or self._window)[-WINDOW + 1 :]

    # -- The run.

    def go(self, generations: int | None = None, minutes: float | None = None) -> Iterator[Generation]:
        """Go on up to so many generations in all, or while the next one fits into so many minutes in all."""
        with self._backend() as backend:
            while True:
                spent = sum(one.took for one in self.generations)
                if generations is not None and len(self.generations) >= generations:
                    return
                if minutes is not None and self.generations and spent + self.next_cost() > 60 * minutes:
                    return
                yield self._generation(backend)

    @contextmanager
    def _backend(self) -> Iterator[Backend]:
        task = NetworkGames(self.model, self.nodes)
        self._job = Job.of(task)
        if self.where.ray is None:
            self.tell("compiling")
            task.prepare()  # before the clock runs, and for all processes
        with self.where.opened(task) as backend:
            yield backend

    def next_cost(self) -> float:
        """The seconds that the next generation is expected to take."""
        last = self.generations[-1]
        more = self._wanted(last.number + 1) / max(1, last.positions)
        return sum(seconds * (1 if part == "matches" else more) for part, seconds in last.seconds.items())

    def _wanted(self, number: int) -> int:
        return int(min(self.first * 2 ** (number - 1), max(MOST, self.first)))

    def _generation(self, backend: Backend) -> Generation:
        """Make the next generation; what is known of its units from before is not done again."""
        one = Generation(len(self.generations) + 1)
        store_file = self.folder / "units.sqlite"
        with Store(store_file) as store:
            known = store.begin(self._job)

            def done(units: Iterable[Unit]) -> Iterator[tuple[Unit, Done]]:
                return in_order(backend, units, known, lambda unit, what: store.keep(self._job, unit, what))

            begun = time.perf_counter()
            positions = self._self_play(one, done)
            begun = self._clock(one, "self-play", begun)
            network = self._fit(one, positions)
            begun = self._clock(one, "fit", begun)
            self._matches(one, network, done)
            self._clock(one, "matches", begun)
        self._keep(one, network, positions)
        for path in (store_file, *self.folder.glob("units.sqlite-*")):
            path.unlink(missing_ok=True)
        return one

    def _clock(self, one: Generation, part: str, begun: float) -> float:
        now = time.perf_counter()
        one.seconds[part] = now - begun
        return now

    def _self_play(self, one: Generation, done: Any) -> Positions:
        """The positions of a generation's self-play, by the best network so far."""
        network = None if self.best is None else self.model.text(self.best)
        wanted = self._wanted(one.number)

        def unit(number: int) -> Unit:
            seed = [self.seed, one.number, number]
            data = {"what": "self-play", "networks": [network], "games": GAMES, "seed": seed}
            return Unit(number, data)

        parts: list[Positions] = []
        units = [unit(0)]
        while units:
            for _, what in done(units):
                parts.append(positions_of(what))
                one.games += what.result["counted"]["games"]
                one.nodes += what.result["counted"]["visited"]
                one.positions += len(parts[-1])
                self.tell(f"self-play: game {one.games:,}, position {one.positions:,} of {wanted:,}")
            if one.positions == 0 and one.games >= 20 * GAMES:
                raise PliesError(
                    f"there is nothing to learn: searches of {self.nodes:,} nodes prove every position of "
                    f"{self.game.name} that comes up, or none is quiet; fewer nodes leave more to learn"
                )
            # As many units as are expected to be enough: by what is known in order, so the same everywhere.
            short, mean = wanted - one.positions, max(1.0, one.positions / len(parts))
            more = min(-(-int(short) // int(mean)), 4 * len(parts)) if short > 0 else 0
            units = [unit(number) for number in range(len(parts), len(parts) + more)]
        return Positions.joined(parts)

    def _fit(self, one: Generation, positions: Positions) -> Learned:
        """A network that fits the positions of the last generations."""
        one.blend = BLEND if self.best is not None else 0.0
        window = [(past.blend, part) for past, part in self._window] + [(one.blend, positions)]
        joined = Positions.joined([part for _, part in window])
        targets = np.concatenate([part.targets(blend, self.half) for blend, part in window])
        warm = self.best is not None and any(past.blend > 0 for past in self.generations)
        network, fits = self.model.fit(
            joined,
            targets,
            positions,
            best=self.best,
            warm=warm,
            half=self.half,
            epochs=EPOCHS,
            seeds=(self.seed, self.seed + one.number),
            threads=self.where.jobs or usable_cores(),
            tell=lambda share: self.tell(
                f"fit: {100 * share:.0f} % of {EPOCHS} passes, {len(joined):,} positions"
            ),
        )
        one.fits = [asdict(fit) for fit in fits]
        about = {
            **self._facts(),
            "generation": one.number,
            "games": sum(past.games for past in self.generations) + one.games,
            "positions": sum(past.positions for past in self.generations) + one.positions,
            "command": self.command,
        }
        made: Learned = replace(network, about=about)
        return made

    # -- Matches.

    def _matches(self, one: Generation, network: Learned, done: Any) -> None:
        """Play against the pool, and decide whether the network is the best so far."""
        pairs = self._pairs(one, "none", network, None, done)
        one.kept = float(np.mean(pairs)) > 0.5
        if self.best is not None:
            pairs = self._pairs(one, "best", network, self.best, done, GATE)
            accepted = GATE.accepted(outcomes(pairs))
            one.kept = accepted == GATE.elo1 or (accepted is None and float(np.mean(pairs)) > 0.5)
            if self.last is not self.best:
                self._pairs(one, "last", network, self.last, done)
        if self.game.has("evaluate"):
            self._pairs(one, "evaluation", network, None, done)
            best = next((past for past in reversed(self.generations) if past.kept), None)
            if best is not None and one.score("evaluation") < best.score("evaluation") - WORSE:
                one.kept = False

    def _pairs(
        self,
        one: Generation,
        name: str,
        network: Learned,
        other: Learned | None,
        done: Any,
        test: Sprt | None = None,
    ) -> list[list[float]]:
        """Pairs of games against a member of the pool, until a test has decided or there are enough."""
        most = POOL_PAIRS if test is None else GATE_PAIRS
        texts = [self.model.text(network), None if other is None else self.model.text(other)]
        what = "evaluation" if name == "evaluation" else "pair"
        pairs: list[list[float]] = []
        one.pool[name] = pairs
        chunk = CHUNK * (self.where.jobs or usable_cores())
        while len(pairs) < most:
            numbers = range(len(pairs), min(most, len(pairs) + chunk))
            units = [
                Unit(
                    number,
                    {"what": what, "networks": texts, "seed": [self.seed, one.number, name, number]},
                )
                for number in numbers
            ]
            for _, found in done(units):
                pairs.append(found.result["scores"])
                self.tell(f"match against {name}: {100 * one.score(name):.0f} % after {len(pairs)} pairs")
                if test is not None and test.accepted(outcomes(pairs)) is not None:
                    return pairs
        return pairs

    def _keep(self, one: Generation, network: Learned, positions: Positions) -> None:
        """Write what a generation has made, and then that it is complete."""
        network.save(self._network_file(one.number))
        save_arrays(self._positions_file(one.number), positions.arrays())
        self._window = [*self._window, (one, positions)]
        self._window = self._kept_positions()
        self.last = network
        if one.kept:
            self.best = network
            network.save(self.out)
        self.generations.append(one)
        self._write()
        kept = {past.number for past, _ in self._window}
        for past in self.generations:
            if past.number not in kept:
                self._positions_file(past.number).unlink(missing_ok=True)

    def clean(self) -> None:
        """Delete all that a run has left but its network."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def learned(self) -> bool:
        """Whether any network is better than none, beyond chance."""
        return any(one.kept and one.interval("none")[0] > 0.5 for one in self.generations)
