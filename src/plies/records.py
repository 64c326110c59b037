"""Records: a game as text that can be read back: JSON for any game, PGN, SGF and PDN where they are at home.

A record is read only if every move of it is legal.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from plies.errors import IllegalMove, PliesError
from plies.game import CHANCE, Action, Game, State
from plies.games.checkers import Checkers
from plies.games.chess import Chess
from plies.games.chess_pgn import read_pgn, write_pgn
from plies.games.go import Go
from plies.games.go_sgf import read_sgf, write_sgf
from plies.games.pdn import read_pdn, write_pdn
from plies.history import LONGEST_GAME, History

LARGEST = 1_000_000
"""The most characters a record may have."""

FIELDS = {"game", "parameters", "position", "moves"}
"""What a record in JSON holds."""

PAGE = "http://127.0.0.1:8000/"
"""Where `plies serve` shows its page, unless told."""

OWN = {Chess: "pgn", Go: "sgf", Checkers: "pdn"}
"""The formats that belong to one game."""


class GameRecord(NamedTuple):
    """A game as a record tells it."""

    game: str
    parameters: dict[str, Any]
    position: str
    """Where it began; "" at the initial state."""
    moves: list[str]


def formats(game: Game) -> list[str]:
    """The formats that records of a game can be written in, its own first."""
    return [*([OWN[type(game)]] if type(game) in OWN else []), "json"]


def write(history: History, form: str, position: str = "") -> str:
    """The record of a game in a format; `position` is the string that stands for where it began, if any."""
    if form not in formats(history.game):
        raise PliesError(
            f"{history.game.name} is written as {' or '.join(formats(history.game))}, not {form}"
        )
    if form == "json":
        return json.dumps(as_data(history, position), ensure_ascii=False, indent=1) + "\n"
    if form == "pgn":
        return write_pgn(history)
    return write_sgf(history) if form == "sgf" else write_pdn(history)


def as_data(history: History, position: str = "") -> dict[str, Any]:
    """The record of a game as plain data."""
    return {
        "game": history.game.name,
        "parameters": parameters(history.game),
        "position": position,
        "moves": notation(history),
    }


def notation(history: History) -> list[str]:
    """All moves of a game, and the outcomes of chance, as people write them."""
    return list(map(history.game.notation, history.states, history.actions))


def parameters(game: Game) -> Any:
    """The parameters as JSON gives them back; weights are left out, for with others it is the same game."""
    found = {name: getattr(game, name, None) for name in inspect.signature(type(game)).parameters}
    rules = {
        name: value for name, value in found.items() if hasattr(game, name) and not hasattr(value, "tolist")
    }
    return json.loads(json.dumps(rules, default=str))


def link(history: History, position: str = "", page: str = PAGE) -> str:
    """The address of a game and where it stands, on the page of `plies serve`."""
    game, moves = history.game, notation(history)
    words = {"game": game.name}
    for name, parameter in inspect.signature(type(game)).parameters.items():
        value = parameters(game).get(name)
        if value is not None and value != json.loads(json.dumps(parameter.default, default=str)):
            words[f"p.{name}"] = _written(value)
    if position:
        words["position"] = position
    if moves:
        plain = not any(";" in move or move.startswith("[") for move in moves)
        words["moves"] = ";".join(moves) if plain else json.dumps(moves, ensure_ascii=False)
    return f"{page}#{urlencode(words)}"


def _written(value: Any) -> str:
    """A parameter as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(item, int) for item in value):
        return ",".join(map(str, value))
    return str(value)


def read(text: str) -> GameRecord:
    """What a text tells in whichever format it is: JSON, PGN, SGF or PDN; of several games, the first.

    The moves of a record in JSON are not looked at: whoever knows the game replays them.
    """
    if len(text) > LARGEST:
        raise PliesError(f"a record has up to {LARGEST:,} characters, not {len(text):,}")
    try:
        return _read(text.lstrip("\ufeff \t\r\n"))
    except PliesError:
        raise
    except Exception as error:  # a reader need not foresee whatever a file may say
        raise PliesError(f"the record cannot be read: {type(error).__name__}: {str(error)[:200]}") from error


def _read(start: str) -> GameRecord:
    """What a text tells that begins without spaces."""
    if start.startswith("{"):
        return _from_json(start)
    if start.startswith("("):
        return _from_history(read_sgf(start))
    if "GameType" in start or not any(letter.isalpha() for letter in _moves_part(start)):
        played = [record.history for record in read_pdn(start)]
    else:
        played = [record.history for record in read_pgn(start)]
    if not played:
        raise PliesError("the record is empty")
    return _from_history(played[0])


def _moves_part(text: str) -> str:
    """The lines of a record that are not tags."""
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("["))


def _from_history(history: History) -> GameRecord:
    game, start = history.game, history.states[0]
    position = "" if start == game.initial() else game.position(start)
    return GameRecord(game.name, parameters(game), position, notation(history))


def _from_json(text: str) -> GameRecord:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PliesError(f"the record is not JSON: {error}") from None
    if not isinstance(record, dict) or not record.keys() >= FIELDS:
        raise PliesError("that is not a record: it needs game, parameters, position and moves")
    game, given, position, moves = (record[name] for name in ("game", "parameters", "position", "moves"))
    if not (isinstance(game, str) and isinstance(given, dict) and isinstance(position, str)):
        raise PliesError("that is not a record: game and position are text, parameters are names and values")
    if not isinstance(moves, list) or len(moves) > LONGEST_GAME:
        raise PliesError(f"that is not a record: moves is a list of at most {LONGEST_GAME:,}")
    if not all(isinstance(move, str | int | float) for move in moves):
        raise PliesError("that is not a record: a move is a word")
    return GameRecord(game, given, position, [str(move) for move in moves])


def replay(game: Game, position: str, moves: Sequence[str]) -> History:
    """The game that begins at a position ("" for the initial state) and goes on with these moves."""
    history = History(game, game.parse_position(position) if position else None)
    for number, move in enumerate(moves, 1):
        if history.over:
            raise PliesError(f"move {number} comes after the end of the game")
        try:
            history.play(read_move(game, history.state, move))
        except PliesError as error:
            raise PliesError(f"move {number}: {error}") from None
    return history


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
