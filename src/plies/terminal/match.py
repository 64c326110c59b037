"""Matches: progress, and the result as text and as JSON."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from plies.arena import Match
from plies.game import Game
from plies.history import LONGEST_GAME
from plies.terminal.screen import Screen

OUTCOMES = ("LL", "LD", "DD or WL", "DW", "WW")
"""The outcomes of a pair of games, for the first player."""


class Progress:
    """A line of progress, on a terminal."""

    def __init__(self, screen: Screen) -> None:
        self.shown = not screen.plain
        self.width = screen.width

    def __call__(self, match: Match) -> None:
        text = f"game {min(len(match.games) + 1, match.planned)} of {match.planned}"
        if match.games:
            elo, low, high = map(_elo, match.elo)
            text += f": {match.wins} won, {match.draws} drawn, {match.losses} lost, {match.score:.1%}"
            text += f", Elo {elo} [{low}, {high}]"
            text += f", {_llr(match)}" if match.sprt else ""
        self.show(text)

    def end(self) -> None:
        """Clear the line."""
        self._write("")

    def show(self, text: str) -> None:
        """Show a line of another kind of progress."""
        line = f"{text} (Ctrl-C stops)"
        self._write(line if len(line) < self.width else text[: self.width - 1])  # a longer one would scroll

    def _write(self, text: str) -> None:
        if not self.shown:
            return
        sys.stdout.write(f"\r\x1b[K{text}")
        sys.stdout.flush()


def match_text(game: Game, match: Match) -> str:
    """Wins, draws and losses of the first player, score and Elo difference with their intervals."""
    first, second = match.players
    count = len(match.games)
    planned = f" of {match.planned}" if count < match.planned else ""
    lines = [
        f"{game.name}: {first} against {second}",
        f"games      {count}{planned}; seed {match.seed}; {match.openings}",
    ]
    if conditions := conditions_text(match.conditions):
        lines.append(f"conditions {'; '.join(conditions)}")
    if match.games:
        lines += _statistics(match)
    if match.sprt:
        lines.append(f"SPRT       {_sprt(match)}")
    if match.ended:
        lines.append(f"ended      {match.ended}")
    return "\n".join(lines)


def conditions_text(facts: dict[str, Any]) -> list[str]:
    """What was agreed on besides openings, if it is not the default."""
    found = [f"clock {facts['clock']}"] if facts.get("clock") else []
    if facts.get("resign"):
        score, moves = facts["resign"]
        found.append(f"resigned {score:g} behind for {moves} moves")
    found += ["ended once proved"] if facts.get("adjudicate") else []
    found += (
        [f"drawn after {facts['plies']:,} plies"] if facts.get("plies", LONGEST_GAME) < LONGEST_GAME else []
    )
    return found + (["engines ponder"] if facts.get("ponder") else [])


def _statistics(match: Match) -> Iterable[str]:
    """What the games show, a line for each number."""
    low, high = match.interval
    elo, normalised = (list(map(_elo, numbers)) for numbers in (match.elo, match.normalised_elo))
    yield f"won        {match.wins}"
    yield f"drawn      {match.draws}"
    yield f"lost       {match.losses}"
    yield f"pairs      {', '.join(f'{n} {name}' for name, n in zip(OUTCOMES, match.pairs, strict=True))}"
    yield f"score      {match.score:.1%}; 95 % interval {low:.1%} to {high:.1%}"
    yield f"Elo        {elo[0]}; 95 % interval {elo[1]} to {elo[2]} (400 log10(score / (1 - score)))"
    value, *ends = normalised
    yield f"normalised {value}; 95 % interval {' to '.join(ends)} (by a game's standard deviation)"
    yield f"superior   {sure(match.superiority)} (likelihood of superiority)"
    reasons = _reasons(match)
    if reasons:
        yield f"ends       {', '.join(f'{count} {reason}' for reason, count in reasons.items())}"
    hits = [f"{name} {h} of {n}" for name, (h, n) in zip(match.players, match.ponder, strict=True) if n]
    if hits:
        yield f"ponder hits  {', '.join(hits)}"


def _reasons(match: Match) -> dict[str, int]:
    """How often games were ended by other than the rules of the game."""
    counts: dict[str, int] = {}
    for played in match.games:
        if played.termination != "normal" or played.reason.endswith(" resigns"):
            word = "by resigning" if played.termination == "normal" else f"by {played.termination}"
            word = {"by abandoned": "forfeited", "by time forfeit": "lost on time"}.get(word, word)
            counts[word] = counts.get(word, 0) + 1
    return counts


def _sprt(match: Match) -> str:
    """The test and where it stands."""
    assert match.sprt is not None
    sprt = match.sprt
    tested = f"{sprt.elo0:+g} against {sprt.elo1:+g} normalised Elo"
    verdict = "undecided" if match.accepted is None else f"{match.accepted:+g} accepted"
    return f"{verdict}; {tested}; {_llr(match)}; alpha {sprt.alpha:g}, beta {sprt.beta:g}"


def _llr(match: Match) -> str:
    assert match.sprt is not None
    low, high = match.sprt.bounds
    return f"LLR {match.llr:.2f} [{low:.2f}, {high:.2f}]"


def sure(likelihood: float) -> str:
    """A likelihood in per cent; none is certain."""
    return "< 0.1%" if likelihood < 0.001 else "> 99.9%" if likelihood > 0.999 else f"{likelihood:.1%}"


def _elo(value: float) -> str:
    return f"{value:+.0f}" if math.isfinite(value) else "+∞" if value > 0 else "-∞"


def match_json(game: Game, match: Match) -> dict[str, Any]:
    """A match as plain data; an infinite Elo difference is null."""
    elo, low, high = map(_finite, match.elo)
    normalised, least, most = map(_finite, match.normalised_elo)
    sprt = None
    if match.sprt is not None:
        sprt = {
            **asdict(match.sprt),
            "llr": match.llr,
            "bounds": list(match.sprt.bounds),
            "accepted": match.accepted,
        }
    return {
        "game": repr(game),
        "players": list(match.players),
        "seed": match.seed,
        "openings": match.openings,
        "conditions": match.conditions,
        "planned": match.planned,
        "games": len(match.games),
        "wins": match.wins,
        "draws": match.draws,
        "losses": match.losses,
        "pairs": list(match.pairs),
        "score": match.score,
        "interval": list(match.interval),
        "elo": elo,
        "elo_interval": [low, high],
        "normalised_elo": normalised,
        "normalised_elo_interval": [least, most],
        "superiority": match.superiority,
        "sprt": sprt,
        "ends": _reasons(match),
        "ended": match.ended,
        "ponder": [list(one) for one in match.ponder],
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
