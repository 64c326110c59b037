"""Games and search results as JSON for the page, with values in words and moves in notation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from plies import records
from plies.engine import SearchResult, Value
from plies.engine.pondering import too_few_cores
from plies.engine.value import decisive_lead
from plies.game import Action, Game, State
from plies.matrix import MatrixGame
from plies.protocols.player import ExternalPlayer
from plies.web.levels import NO_PROGRAMS, kinds

LONGEST_LINE = 40
"""The most moves of a line that are shown. Not tuned."""


def game_details(game: Game, programs: Mapping[str, ExternalPlayer] = NO_PROGRAMS) -> dict[str, Any]:
    """A game's details for the page: players, algorithms with their levels, formats of records."""
    return {
        "players": [game.player_name(player) for player in range(game.players)],
        "dice": game.stochastic,
        "steered": game.steered,
        "pairs": game.numbered_in_pairs,
        "turns": game.two_sided,
        "null_move": game.has("null_move"),
        "versus": game.players == 2 and game.constant_sum,
        "kinds": [
            {
                "name": kind.name,
                "label": kind.label,
                "algorithm": kind.algorithm or kind.label,
                "group": kind.group,
                "analyses": kind.analyses,
                "level": kind.default(),
                "levels": [{"name": level.name, "label": level.label} for level in kind.levels],
            }
            for kind in kinds(game, programs)
        ],
        "formats": [*records.formats(game), "svg", "html"],
        "position": _position(game),
        "no_pondering": too_few_cores(),
    }


def _position(game: Game) -> str:
    return game.position(game.initial()) if game.has("position") else ""


def search_info(game: Game, state: State, found: SearchResult, effort: tuple[int, float]) -> dict[str, Any]:
    """The result of a search so far; `effort` is the nodes and seconds of all its slices.

    Its best action comes first in the scores and in the lines, whatever else looks as good.
    """
    nodes, seconds = effort

    def rank(item: tuple[Action, Value]) -> tuple[bool, int, Value]:
        action, worth = item
        return action == found.action, found.visits.get(action, 0), worth

    return {
        "algorithm": found.algorithm,
        "move": game.notation(state, found.action),
        "squares": list(game.move_squares(state, found.action)),
        "value": value_info(game, found.value),
        "rests_on": found.rests_on if found.value.proved else found.database,
        "book": bool(found.book),
        "lines": [line(game, state, actions) for actions in _lines(found)],
        "scores": [
            {"move": game.notation(state, action), "value": value_info(game, worth)}
            | ({"visits": found.visits[action]} if action in found.visits else {})
            for action, worth in sorted(found.scores.items(), key=rank, reverse=True)
        ],
        "depth": found.depth,
        "nodes": nodes,
        "seconds": round(seconds, 3),
        "speed": round(nodes / seconds) if seconds > 0 else 0,
        "cuts": found.cuts,
        "hits": found.hits,
        "compiled": found.compiled,
        "mixed": None if found.matrix is None else mixed(game, found.matrix),
    }


def mixed(game: Game, matrix: MatrixGame) -> list[str]:
    """The mixed strategies of two players who choose at once, a sentence each."""
    strategies = (matrix.row_names, matrix.row_strategy), (matrix.column_names, matrix.column_strategy)
    shares = [
        [f"{name} ({float(weight):.3g})" for name, weight in zip(*one, strict=True) if weight]
        for one in strategies
    ]
    return [f"{game.player_name(player)} plays {', '.join(one)}" for player, one in enumerate(shares)]


def _lines(found: SearchResult) -> list[list[Action]]:
    lines = [actions for actions in found.lines or [found.line] if actions]
    return sorted(lines, key=lambda actions: bool(actions[0] != found.action))


def value_info(game: Game, worth: Value) -> dict[str, Any]:
    """A value as text, as a number, as a lead over a draw, and as the mover's winning chance.

    Estimates are in the game's unit, such as pawns. With two players, `other` is the same for the other one.
    """
    versus = game.players == 2 and game.constant_sum
    return _shown(game, worth) | ({"other": _shown(game, -worth)} if versus else {})


def _shown(game: Game, worth: Value) -> dict[str, Any]:
    unit = 1.0 if worth.proved else game.unit
    error = None if worth.error is None else worth.error / unit
    counted = replace(worth, utility=_finite(worth.utility / unit), error=error)
    return {
        **({} if error is None else {"error": _finite(error)}),
        "text": str(worth) if worth.proved else str(counted),
        "utility": counted.utility,
        "lead": _finite(worth.lead / unit),
        "proved": bool(worth.proved),
        "bound": worth.bound,
        "chance": round(worth.winning_chance(decisive_lead(game)), 4),
    }


def _finite(number: float) -> float:
    return max(-1e300, min(1e300, float(number)))


def line(game: Game, state: State, actions: Iterable[Action]) -> list[str]:
    """A line of actions in notation."""
    names: list[str] = []
    for action in actions:
        if len(names) >= LONGEST_LINE or game.is_terminal(state):
            break
        names.append(game.notation(state, action))
        state = game.result(state, action)
    return names
