"""Matches: progress, and the result as text and as JSON."""

from __future__ import annotations

import math
import sys
from typing import Any

from plies.arena import Match
from plies.game import Game
from plies.terminal.screen import Screen


class Progress:
    """A line of progress, on a terminal."""

    def __init__(self, screen: Screen) -> None:
        self.shown = not screen.plain

    def __call__(self, match: Match) -> None:
        if self.shown:
            text = f"game {min(len(match.games) + 1, match.planned)} of {match.planned}"
            if match.games:
                text += f": {match.wins} won, {match.draws} drawn, {match.losses} lost, {match.score:.1%}"
            self._write(f"{text} (Ctrl-C stops)")

    def end(self) -> None:
        """Clear the line."""
        if self.shown:
            self._write("")

    def _write(self, text: str) -> None:
        sys.stdout.write(f"\r\x1b[K{text}")
        sys.stdout.flush()


def match_text(game: Game, match: Match, openings: int) -> str:
    """Wins, draws and losses of the first player, score and Elo difference with their intervals."""
    first, second = match.players
    count = len(match.games)
    planned = f" of {match.planned}" if count < match.planned else ""
    begun = f"openings of {openings} random moves, each from both sides" if openings else "no openings"
    lines = [
        f"{game.name}: {first} against {second}",
        f"games      {count}{planned}; seed {match.seed}; {begun}",
    ]
    if not match.games:
        return "\n".join(lines)
    hits = [f"{name} {h} of {n}" for name, (h, n) in zip(match.players, match.ponder, strict=True) if n]
    low, high = match.interval
    elo, least, most = (f"{e:+.0f}" if math.isfinite(e) else "+∞" if e > 0 else "-∞" for e in match.elo)
    return "\n".join(
        [
            *lines,
            f"won        {match.wins}",
            f"drawn      {match.draws}",
            f"lost       {match.losses}",
            f"score      {match.score:.1%}; 95 % interval {low:.1%} to {high:.1%} (Wilson)",
            f"Elo        {elo}; 95 % interval {least} to {most} (400 log10(score / (1 - score)))",
            *([f"ponder hits  {', '.join(hits)}"] if hits else []),
        ]
    )


def match_json(game: Game, match: Match, openings: int) -> dict[str, Any]:
    """A match as plain data; an infinite Elo difference is null."""
    elo, least, most = (e if math.isfinite(e) else None for e in match.elo)
    return {
        "game": repr(game),
        "players": list(match.players),
        "seed": match.seed,
        "openings": openings,
        "planned": match.planned,
        "games": len(match.games),
        "wins": match.wins,
        "draws": match.draws,
        "losses": match.losses,
        "score": match.score,
        "interval": list(match.interval),
        "elo": elo,
        "elo_interval": [least, most],
        "ponder": [list(one) for one in match.ponder],
    }
