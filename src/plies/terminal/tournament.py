"""Tournaments: progress, ratings and the cross table as text and as JSON."""

from __future__ import annotations

import sys
from typing import Any

from plies.arena.tournament import Tournament
from plies.arena.units import visible
from plies.draw.standings import points
from plies.game import Game
from plies.terminal.match import conditions_text, sure
from plies.terminal.screen import Screen

WIDEST = 30
"""The most characters of a player's words in a table."""


class Progress:
    """A line of progress, on a terminal."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def __call__(self, tournament: Tournament) -> None:
        done = len(tournament.games)
        text = f"game {min(done + 1, tournament.planned):,} of {tournament.planned:,} (Ctrl-C stops)"
        self.screen.passing(text)

    def end(self) -> None:
        """Clear the line."""
        self.screen.passing()
        sys.stdout.flush()


def tournament_text(game: Game, tournament: Tournament) -> str:
    """The ratings and the cross table."""
    count = len(tournament.games)
    planned = f" of {tournament.planned:,}" if count < tournament.planned else ""
    lines = [
        f"{visible(game.name)}: {len(tournament.players)} players",
        f"games      {count:,}{planned}; seed {tournament.seed}; {tournament.openings}",
    ]
    if conditions := conditions_text(tournament.conditions):
        lines.append(f"conditions {'; '.join(conditions)}")
    if tournament.games:
        lines += ["", *_standings(tournament), "", *_cross(tournament), "", *notes(tournament)]
    if tournament.ended:
        lines.append(f"ended      {tournament.ended}")
    return "\n".join(lines)


def standings(tournament: Tournament) -> list[tuple[str, ...]]:
    """A row for every player, the best first, after one of headings."""
    ratings, ranking = tournament.ratings, tournament.ranking
    sign = "+" if tournament.anchor is None else ""
    rows: list[tuple[str, ...]] = [
        ("", "player", "Elo", "±", "points", "games", "won", "drawn", "lost", "score", "LOS")
    ]
    for rank, one in enumerate(ranking, 1):
        won, drawn, lost = tournament.results(one)
        score, games = tournament.points(one)
        sure_of = sure(ratings.superiority[one][ranking[rank]]) if rank < len(ranking) else ""
        rows.append(
            (
                *(str(rank), tournament.players[one], f"{ratings.elo[one]:{sign}.0f}"),
                *(f"{ratings.margins[one]:.0f}", points(score), str(games), str(won), str(drawn), str(lost)),
                *(f"{score / games:.1%}" if games else "", sure_of),
            )
        )
    return rows


def notes(tournament: Tournament) -> list[str]:
    """What the numbers mean, in sentences."""
    ratings = tournament.ratings
    found = [
        "Elo by maximum likelihood (Bradley and Terry), ± for 95 %.",
        "LOS is the likelihood that a player is stronger than the next.",
    ]
    if tournament.anchor is not None:
        one, elo = tournament.anchor
        found.append(f"{tournament.players[one]} is the anchor, at {elo:g}.")
    if ratings.prior:
        found.append(
            "Somebody has all points or none: a drawn game is added for every two, or Elo is infinite."
        )
    return found


def _standings(tournament: Tournament) -> list[str]:
    rows = standings(tournament)
    rows = [(row[0], _short(row[1]), *row[2:]) for row in rows]
    wide = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(f"{cell:{'<' if column == 1 else '>'}{wide[column]}}" for column, cell in enumerate(row))
        .rstrip()
        for row in rows
    ]  # fmt: skip


def _cross(tournament: Tournament) -> list[str]:
    """Points by player and opponent, in the order of the ratings."""
    ranking = tournament.ranking
    cells = [["", *(str(rank) for rank in range(1, len(ranking) + 1))]]
    for rank, one in enumerate(ranking, 1):
        row = [f"{rank}. {_short(tournament.players[one])}"]
        for other in ranking:
            score, games = tournament.points(one, other)
            row.append("—" if one == other else f"{points(score)}/{games}" if games else "")
        cells.append(row)
    wide = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    return [
        "  ".join(f"{cell:{'<' if column == 0 else '>'}{wide[column]}}" for column, cell in enumerate(row))
        .rstrip()
        for row in cells
    ]  # fmt: skip


def _short(words: str) -> str:
    return words if len(words) <= WIDEST else f"{words[: WIDEST - 1]}…"


def tournament_json(game: Game, tournament: Tournament) -> dict[str, Any]:
    """A tournament as plain data, the best player first."""
    ratings, ranking = tournament.ratings, tournament.ranking
    return {
        "game": repr(game),
        "seed": tournament.seed,
        "openings": tournament.openings,
        "conditions": tournament.conditions,
        "planned": tournament.planned,
        "games": len(tournament.games),
        "players": [
            {
                "player": tournament.players[one],
                "elo": ratings.elo[one],
                "margin": ratings.margins[one],
                **dict(zip(("won", "drawn", "lost"), tournament.results(one), strict=True)),
                "points": {
                    tournament.players[other]: list(tournament.points(one, other))
                    for other in ranking
                    if other != one
                },
                "superiority": {
                    tournament.players[other]: ratings.superiority[one][other]
                    for other in ranking
                    if other != one
                },
            }
            for one in ranking
        ],
        "prior": ratings.prior,
        "ended": tournament.ended,
    }
