"""Records: a game as a JSON file of its moves in notation, read back only if every move is legal."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

from plies.errors import IllegalMove, PliesError
from plies.game import CHANCE, Action, Game, State
from plies.history import LONGEST_GAME, History

LARGEST_FILE = 1_000_000
"""The most bytes a record may have."""


def write_record(path: Path, position: str, history: History) -> None:
    """Write a game, from a position string ("" for the initial state), to a file that is not there yet."""
    game = history.game
    record = {
        "game": game.name,
        "parameters": _parameters(game),
        "position": position,
        "moves": list(map(game.notation, history.states, history.actions)),
    }
    try:
        with path.open("x", encoding="utf-8") as file:
            json.dump(record, file, ensure_ascii=False, indent=1)
            file.write("\n")
    except FileExistsError:
        raise PliesError(f"there is a file {str(path)!r} already; give another name") from None
    except (OSError, ValueError) as error:
        raise PliesError(f"{str(path)!r} cannot be written: {_reason(error)}") from None


def read_record(path: Path, game: Game) -> tuple[str, History]:
    """The position string that a game in a file began with, and the game."""
    record = _load(path)
    if not isinstance(record, dict) or not record.keys() >= {"game", "parameters", "position", "moves"}:
        raise PliesError(f"{str(path)!r} is not a record: it needs game, parameters, position and moves")
    if (record["game"], record["parameters"]) != (game.name, _parameters(game)):
        raise PliesError(f"{str(path)!r} is a record of another game than {game!r}")
    position, names = record["position"], record["moves"]
    if not isinstance(position, str) or not isinstance(names, list) or len(names) > LONGEST_GAME:
        raise PliesError(f"{str(path)!r} is not a record: position is text, moves at most {LONGEST_GAME:,}")
    history = History(game, game.parse_position(position) if position else None)
    for number, name in enumerate(names, 1):
        if history.over:
            raise PliesError(f"{str(path)!r} goes on after the end of the game, with move {number}")
        try:
            history.play(read_move(game, history.state, str(name)))
        except PliesError as error:
            raise PliesError(f"move {number} of {str(path)!r}: {error}") from None
    return position, history


def read_move(game: Game, state: State, text: str) -> Action:
    """The legal action, or the outcome of chance, that a text stands for."""
    if game.to_move(state) == CHANCE:
        for outcome, _ in game.chance(state):
            if game.notation(state, outcome).casefold() == text.strip().casefold():
                return outcome
        raise IllegalMove(f"{text[:40]!r} is no outcome of chance here")
    try:
        action = game.parse_action(state, text)
        game.play(state, action)  # raises where a game's own parser lets through what is not legal
    except IllegalMove:
        raise
    except (ValueError, LookupError, TypeError) as error:  # a game's own parser that cannot read this
        raise IllegalMove(f"{text[:40]!r} cannot be read as a move: {error}") from None
    return action


def _parameters(game: Game) -> Any:
    """The parameters as JSON gives them back; weights are left out, for with others it is the same game."""
    found = {name: getattr(game, name, None) for name in inspect.signature(type(game)).parameters}
    rules = {
        name: value for name, value in found.items() if hasattr(game, name) and not hasattr(value, "tolist")
    }
    return json.loads(json.dumps(rules, default=str))


def _load(path: Path) -> Any:
    try:
        if not path.is_file():
            raise PliesError(f"there is no file {str(path)!r}")
        if path.stat().st_size > LARGEST_FILE:
            raise PliesError(f"{str(path)!r} is too large for a record")
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise PliesError(f"{str(path)!r} cannot be read: {_reason(error)}") from None


def _reason(error: BaseException) -> str:
    return getattr(error, "strerror", None) or str(error)
