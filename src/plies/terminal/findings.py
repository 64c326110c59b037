"""What a search found, in words for people and in JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plies.engine import Found, Value
from plies.game import Action, Game, State


def found_text(game: Game, state: State, found: Found) -> str:
    """The best move, its value and line, and how far the search went."""
    speed = f", {found.nodes / found.seconds:,.0f} a second" if found.seconds > 0 else ""
    lines = [
        f"{game.name}, {game.player_name(game.to_move(state))} to move",
        f"best move  {game.notation(state, found.action)}",
        f"value      {value_text(found.value)}",
        f"line       {' '.join(line_text(game, state, found.line))}",
        f"depth      {found.depth}",
        f"nodes      {found.nodes:,} in {found.seconds:.3g} s{speed}",
    ]
    if found.scores:
        lines.append("every move:")
    return "\n".join(lines + scores_text(game, state, found.scores))


def scores_text(game: Game, state: State, scores: dict[Action, Value]) -> list[str]:
    """What each action is worth, the best first, a line each."""
    ranked = sorted(scores.items(), key=lambda item: item[1], reverse=True)
    return [f"  {game.notation(state, action)}: {value_text(value)}" for action, value in ranked]


def value_text(value: Value) -> str:
    """A value with the words that keep what is proved apart from what is estimated."""
    return str(value) if value.proved else f"{value} (estimate)"


def line_text(game: Game, state: State, actions: Iterable[Action]) -> list[str]:
    """Actions, one after the other, in notation."""
    names = []
    for action in actions:
        names.append(game.notation(state, action))
        state = game.result(state, action)
    return names


def found_json(game: Game, state: State, found: Found) -> dict[str, Any]:
    """The same as plain data."""
    scores = {game.notation(state, action): _value_json(value) for action, value in found.scores.items()}
    return {
        "game": repr(game),
        "player": game.player_name(game.to_move(state)),
        "action": game.notation(state, found.action),
        "value": _value_json(found.value),
        "line": line_text(game, state, found.line),
        "depth": found.depth,
        "nodes": found.nodes,
        "seconds": found.seconds,
        "scores": scores,
    }


def _value_json(value: Value) -> dict[str, Any]:
    return {"utility": float(value.utility), "proved": bool(value.proved), "plies": value.plies}
