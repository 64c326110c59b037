"""Training: progress, the result as text and as JSON, and the learning curve."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from plies.draw import plots
from plies.errors import BadParameter, PliesError
from plies.game import Game
from plies.learn import NetworkTraining, Training, WeightsTraining, load
from plies.learn import resume as resume_run
from plies.learn.kinds import CHECKPOINTS
from plies.learn.units import rounds
from plies.terminal.screen import Screen
from plies.work.differences import begun_otherwise
from plies.work.run import Where


class TrainingRun:
    """A training run from the command line."""

    training: Training

    def __init__(self, screen: Screen, save: Path | None, curve: Path | None) -> None:
        self.shown = not screen.plain
        self.save, self.curve = save, curve
        self.note = self.why = ""
        if save is not None and not save.parent.is_dir():  # before anybody waits for it
            raise PliesError(f"{str(save)!r} cannot be written: there is no folder {str(save.parent)!r}")
        if curve is not None:
            plots.checked(curve)

    def prepare(
        self,
        game: Game,
        resume: bool,
        *,
        hidden: int | None,
        start: Path | None,
        depth: int,
        rate: float | None,
        random_moves: float | None,
        parts: int = 1,
        given: Mapping[str, Any] = MappingProxyType({}),
        **settings: Any,
    ) -> None:
        """Start a new run, or read the one to resume: what is `given` for that must be what it has."""
        if resume:
            if self.save is None:
                raise BadParameter("--resume needs --out FILE, the run to resume")
            if self.save.exists():
                self.training = resume_run(self.save, game)
                self._check(given)
                return
            self.note = f"There is no checkpoint {str(self.save)!r} yet: starting a new run."
        elif self.save is not None and self.save.exists():
            raise PliesError(f"{str(self.save)!r} already exists: --resume continues it")
        settings["random_moves"] = (
            (0.0 if game.stochastic else 0.05) if random_moves is None else random_moves
        )
        if start is not None:
            if hidden is not None:
                raise BadParameter("--start has its own number of hidden units: leave out --hidden")
            first = 0.1 if rate is None else rate
            self.training = NetworkTraining(game, start=load(start), rate=first, **settings)
        elif hidden is not None:
            self.training = NetworkTraining(
                game, hidden=hidden, rate=0.1 if rate is None else rate, **settings
            )
        else:
            self.training = WeightsTraining(
                game, depth=depth, rate=0.01 if rate is None else rate, **settings
            )
        self.training.parts = parts

    def _check(self, given: Mapping[str, Any]) -> None:
        """Refuse other settings than those of the run that is resumed."""
        training = self.training
        kept = {**training.settings(), "kind": CHECKPOINTS[training.kind], "parts": training.parts}
        asked = {name: value for name, value in given.items() if value is not None}
        kept = {name: kept.get(name) for name in asked}
        if kept != asked:
            raise begun_otherwise(str(self.save), kept, asked)

    def run(self, as_json: bool, where: Where | None = None) -> str:
        """Train to the end, or to Ctrl-C; returns the result."""
        self.begun, self.before = time.perf_counter(), self.training.done
        with rounds(self.training, where or Where()):
            self.training.go(self.save, self._tell)
        if self.shown:
            sys.stdout.write("\r\x1b[K")
        if self.curve is not None:
            plots.learning(self.training).save(self.curve)
        return json.dumps(self._data()) if as_json else self._text()

    def _tell(self, training: Training) -> None:
        if self.shown:
            seconds = time.perf_counter() - self.begun
            speed = (training.done - self.before) / seconds if seconds > 0 else 0
            left = (training.games - training.done) / speed if speed > 0 else 0
            text = f"game {training.done:,} of {training.games:,}, {speed:,.0f} a second, {left:,.0f} s left"
            if training.measures:
                text += "; points a game: " + ", ".join(
                    f"{mean:+.2f} against {plots.OPPONENTS[name]}"
                    for name, (mean, _) in training.measures[-1].points.items()
                )
            sys.stdout.write(f"\r\x1b[K{text} (Ctrl-C stops)"[:200])
            sys.stdout.flush()

    def _text(self) -> str:
        training = self.training
        planned = f" of {training.games:,}" if training.done < training.games else ""
        lines = [self.note] if self.note else []
        kind = "weights of features" if isinstance(training, WeightsTraining) else "a network by TD"
        why = f" ({self.why})" if self.why else ""
        lines += [
            f"{training.game.name}: {kind}{why}, {training.done:,}{planned} games of self-play, seed "
            f"{training.seed}"
        ]
        if training.measures:  # of a run that was stopped, the last there is
            last = training.measures[-1]
            after = "" if last.games == training.done else f", after {last.games:,} games"
            for name, (mean, error) in last.points.items():
                against = f"a game against {plots.OPPONENTS[name]}, standard error {error:.3f}{after}"
                lines.append(f"points     {mean:+.3f} {against}")
        if isinstance(training, WeightsTraining):
            for feature, weight in zip(training.game.feature_names, training.weights, strict=True):
                lines.append(f"weight     {weight:+.4f}  {feature}")
            lines.append(f"weights={','.join(f'{weight:.4g}' for weight in training.weights)}")
        if self.save is not None:
            lines.append(f"saved to   {self.save}")
        return "\n".join(lines)

    def _data(self) -> dict[str, Any]:
        training = self.training
        data: dict[str, Any] = {
            "game": repr(training.game),
            "games": training.done,
            "seed": training.seed,
            "measures": [{"games": one.games, **one.points} for one in training.measures],
        }
        if isinstance(training, WeightsTraining):
            data["weights"] = training.weights
        return data
