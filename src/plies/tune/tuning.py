"""A tuning: trials decided by matches with a sequential test, kept in a folder as they are decided."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from plies.arena import Match, Sprt, match
from plies.engine import Options
from plies.engine.algorithms import algorithm_for
from plies.engine.limit import DEFAULT
from plies.errors import BadParameter, PliesError
from plies.game import Game
from plies.tune.measure import Scale, fitted_probcut, measured_scale
from plies.tune.trials import Trial, trials_for, written
from plies.work.code import made_by
from plies.work.differences import begun_otherwise
from plies.work.run import Where

HYPOTHESES = (0.0, 30.0)
"""The strengths that the test decides between, in normalised Elo."""

ADVICE = "go on with the settings it was begun with, or name another folder"

RESULT = "refinements.json"
"""The file in the folder that a game can read: see `plies.tuned`."""


@dataclass(frozen=True)
class Outcome:
    """A trial that was decided."""

    refinement: str
    changes: dict[str, Any]
    games: int
    elo: tuple[float, float, float]
    """The Elo difference to what was accepted before, and the ends of its interval."""
    accepted: bool


class Tuning:
    """Tries refinements on a game, one after the other, each against those accepted so far.

    `limit` is that of a move, in the words of a player: "0.02" or "nodes=2000". With `folder`, every trial is
    kept there, and a tuning of the same game and settings that was interrupted goes on.
    """

    def __init__(
        self,
        game: Game,
        *,
        limit: str = "0.02",
        games: int = 1500,
        openings: int = 6,
        jobs: int = 1,
        where: Where | None = None,
        seed: int = 0,
        folder: Path | None = None,
        tell: Callable[[Trial, Match], None] | None = None,
    ) -> None:
        if algorithm_for(game, DEFAULT) != "alpha-beta":
            raise BadParameter(
                f"only refinements of alpha-beta are tuned, and {game.name} is searched by "
                f"{algorithm_for(game, DEFAULT)}"
            )
        if games < 2:
            raise BadParameter(f"a trial needs 2 games or more, not {games}")
        self.game, self.limit, self.games, self.openings = game, limit, games, openings
        self.where, self.seed, self.folder, self.tell = where or Where(jobs), seed, folder, tell
        self.where.refuse_shards("a tuning")
        self.options: dict[str, Any] = dict(game.refinements)
        self.outcomes: list[Outcome] = []
        self.interrupted = False
        self.facts = {"game": repr(game), "limit": limit, "games": games, "openings": openings, "seed": seed}
        self.scale: Scale | None = None
        self.probcut: tuple[float, ...] | None = None
        if folder is not None:
            self.facts |= made_by(game)
            self._read(folder)

    def run(self) -> Iterator[Outcome]:
        """Decide all trials; yields each outcome, those of an earlier part first. Ctrl-C ends it."""
        known = list(self.outcomes)
        self.outcomes, self.options = [], dict(self.game.refinements)
        try:
            if self.scale is None:
                self.scale = measured_scale(self.game)
                self._write()
            for trial in trials_for(self.game, self.scale, lambda: self.options, self._fitted):
                if all(self._now(name) == value for name, value in trial.changes.items()):
                    continue
                outcome = self._kept(trial, known) or self._decided(trial)
                if outcome is None:
                    return
                self.outcomes.append(outcome)
                if outcome.accepted:
                    self.options |= outcome.changes
                self._write()
                yield outcome
        except KeyboardInterrupt:
            self.interrupted = True

    def _fitted(self) -> tuple[float, ...]:
        if self.probcut is None:
            self.probcut = fitted_probcut(self.game, Options(**self.options))
            self._write()
        return self.probcut

    def _now(self, name: str) -> Any:
        """The value of an option as accepted so far; None where it depends on the game."""
        return self.options.get(name, {one.name: one.default for one in fields(Options)}[name])

    def _kept(self, trial: Trial, known: list[Outcome]) -> Outcome | None:
        """The outcome of a trial in an earlier part of this tuning, or None."""
        place = len(self.outcomes)
        if place < len(known) and known[place].changes == dict(trial.changes):
            return known[place]
        return None

    def _decided(self, trial: Trial) -> Outcome | None:
        """Play the match of a trial; None if it was interrupted."""
        words = [f"{name}={written(value)}" for name, value in self.options.items()]
        before = ":".join([f"engine:{self.limit}", *words])
        changed = [word for word in words if word.partition("=")[0] not in trial.changes]
        after = ":".join([f"engine:{self.limit}", *changed, *trial.words()])
        path = None if self.folder is None else self.folder / f"match-{len(self.outcomes) + 1}.jsonl"
        played = match(
            self.game,
            after,
            before,
            games=self.games,
            openings=self.openings,
            seed=self.seed + len(self.outcomes),
            sprt=Sprt(*HYPOTHESES),
            where=replace(self.where, another=bool(self.outcomes)),
            save=path,
            resume=path is not None and path.exists(),
            tell=None if self.tell is None else lambda so_far: self.tell(trial, so_far),  # type: ignore[misc]
        )
        if played.ended == "interrupted":
            self.interrupted = True
            return None
        accepted = played.accepted == HYPOTHESES[1]
        return Outcome(trial.refinement, dict(trial.changes), len(played.games), played.elo, accepted)

    # -- The folder.

    def _read(self, folder: Path) -> None:
        path = folder / "tuning.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                return
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["facts"] != self.facts:
                raise begun_otherwise(path, dict(data["facts"]), self.facts, ADVICE)
            self.scale = None if data["scale"] is None else Scale(**data["scale"])
            self.probcut = None if data["probcut"] is None else tuple(data["probcut"])
            self.outcomes = [_outcome(one) for one in data["outcomes"]]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise PliesError(f"{str(path)!r} cannot be used: {getattr(error, 'strerror', error)}") from None

    def _write(self) -> None:
        if self.folder is None:
            return
        data = {
            "facts": self.facts,
            "scale": None if self.scale is None else asdict(self.scale),
            "probcut": self.probcut,
            "outcomes": [asdict(one) for one in self.outcomes],
        }
        try:
            for name, content in (("tuning.json", data), (RESULT, self.options)):
                partial = self.folder / f"{name}.partial"
                partial.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
                partial.replace(self.folder / name)
        except OSError as error:
            raise PliesError(f"{str(self.folder)!r} cannot be written: {error.strerror}") from None


def _outcome(data: dict[str, Any]) -> Outcome:
    changes = {
        name: tuple(value) if isinstance(value, list) else value for name, value in data["changes"].items()
    }
    return Outcome(**{**data, "changes": changes, "elo": tuple(data["elo"])})
