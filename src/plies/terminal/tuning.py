"""Tuning: progress, and what each refinement brought, as text and as JSON."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plies.arena import Match
from plies.errors import PliesError
from plies.game import Game
from plies.levels import Level
from plies.terminal.match import Progress
from plies.terminal.screen import Screen
from plies.tune import LevelFitting, Outcome, Trial, Tuning, fitted_weights, weights_match
from plies.work.run import Where

LEVELS = "levels.json"
"""The file in the folder that a game can read."""


class TuningRun:
    """A tuning from the command line."""

    def __init__(self, screen: Screen) -> None:
        self.progress = Progress(screen)
        self.shown = not screen.plain
        self.trial = ""

    def run(self, as_json: bool, game: Game, **settings: Any) -> str:
        """Tune to the end, or to Ctrl-C; returns the result."""
        tuning = Tuning(game, tell=self._tell, **settings)
        for outcome in tuning.run():
            self.progress.end()
            if self.shown:
                print(outcome_text(outcome), flush=True)
        self.progress.end()
        return json.dumps(_data(tuning)) if as_json else tuning_text(tuning, self.shown)

    def weights(
        self,
        as_json: bool,
        game: Game,
        played: int,
        *,
        limit: str,
        seed: int,
        where: Where,
        **settings: Any,
    ) -> str:
        """Learn weights, and play them against those of the game; returns both."""

        def tell(over: int) -> None:
            self.progress.show(f"{over} of {played} games of self-play")

        found = fitted_weights(game, played, seed, where=where, tell=tell)
        lines = [
            f"{game.name}: {found.positions:,} quiet positions of {found.played:,} games of self-play",
            f"bits       {found.before:.4f} with the game's weights, {found.after:.4f} with these, held out",
        ]
        data = asdict(found)
        if found.played == played:
            result = weights_match(
                game, found.weights, limit, seed=seed, where=where, tell=self.progress, **settings
            )
            accepted = result.accepted is not None and result.accepted > 0
            ends = [x if math.isfinite(x) else None for x in result.elo]
            data |= {"games": len(result.games), "elo": ends, "accepted": accepted}
            elo, low, high = map(_elo, result.elo)
            verdict = "accepted" if accepted else "not accepted"
            lines.append(f"match      {elo} [{low}, {high}] in {len(result.games):,} games: {verdict}")
        else:
            lines.append("match      none: interrupted")
        self.progress.end()
        if as_json:
            return json.dumps(data)
        for name, weight in zip(game.feature_names, found.weights, strict=True):
            lines.append(f"weight     {weight:+.4g}  {name}")
        lines.append(f"weights={','.join(f'{weight:g}' for weight in found.weights)}")
        return "\n".join(lines)

    def levels(self, as_json: bool, game: Game, *, folder: Path | None, **settings: Any) -> str:
        """Fit levels, to the end or to Ctrl-C; returns the table."""
        path = None
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise PliesError(f"{str(folder)!r} cannot be made: {error.strerror}") from None
            path = folder / LEVELS
        fitting = LevelFitting(game, path=path, tell=self._tell_level, **settings)
        fitted = []
        for level in fitting.run():
            self.progress.end()
            fitted.append(level)
            if self.shown:
                print(level_text(level), flush=True)
        self.progress.end()
        if as_json:
            rows = [asdict(level) for level in fitted]
            data = {"game": repr(game), "games": fitting.games, "interrupted": fitting.interrupted}
            return json.dumps({**data, "levels": rows})
        lines = [] if self.shown else [level_text(level) for level in fitted]
        if fitting.interrupted:
            lines.append("Interrupted: there may be room for more levels.")
        lines.append(f"{len(fitted) + 1:>5}  by the clock")
        if path is not None:
            lines.append(f'saved to   {path}; a game reads it by measured_levels = "{path.absolute()}"')
        return "\n".join(lines)

    def _tell_level(self, number: int, match: Match) -> None:
        if self.shown and f"level {number}" != self.trial:
            self.trial = f"level {number}"
            self.progress.end()
        self.progress(match)

    def _tell(self, trial: Trial, match: Match) -> None:
        if self.shown and trial.refinement != self.trial:
            self.trial = trial.refinement
            self.progress.end()
        self.progress(match)


def level_text(level: Level) -> str:
    """A line of the table of levels."""
    score = "" if level.score is None else f", {level.score:.1%} against level {level.number - 1}"
    return f"{level.number:>5}  {level.nodes:,} nodes, temperature {level.temperature:g}{score}"


def outcome_text(outcome: Outcome) -> str:
    """A line of the table: what was tried, what it brought, and whether it was accepted."""
    elo, low, high = map(_elo, outcome.elo)
    verdict = "accepted" if outcome.accepted else "off"
    return f"{outcome.refinement:<46} {elo:>5} [{low}, {high}] in {outcome.games:,} games: {verdict}"


def tuning_text(tuning: Tuning, shown: bool) -> str:
    """The table, unless it was shown, and the line to paste."""
    lines = [] if shown else [outcome_text(one) for one in tuning.outcomes]
    if tuning.interrupted:
        lines.append("Interrupted: other refinements were not tried.")
    if tuning.scale is not None:
        swing = tuning.scale.swing
        lines.append(
            f"{tuning.game.name}: the evaluation changes by {swing:.3g} over two plies (standard deviation)"
        )
    lines.append(f"refinements = {tuning.options!r}")
    if tuning.folder is not None:
        lines.append(f"saved to   {tuning.folder}; a game reads it by plies.tuned(FILE)")
    return "\n".join(lines)


def _data(tuning: Tuning) -> dict[str, Any]:
    return {
        **tuning.facts,
        "swing": None if tuning.scale is None else tuning.scale.swing,
        "interrupted": tuning.interrupted,
        "outcomes": [
            {**asdict(one), "elo": [x if math.isfinite(x) else None for x in one.elo]}
            for one in tuning.outcomes
        ],
        "refinements": tuning.options,
    }


def _elo(value: float) -> str:
    return f"{value:+.0f}" if math.isfinite(value) else ("+inf" if value > 0 else "-inf")
