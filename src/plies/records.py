"""Records: a game as text that can be read back, as JSON or in a format that the game brings, such as PGN.

A record is read only if every move of its main line is legal. Its variations, comments, headers and result
are kept: see `plies.variations`.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from plies.errors import IllegalMove, PliesError, UnknownGame
from plies.game import CHANCE, Action, Game, State, rule_parameters
from plies.history import LONGEST_GAME, History
from plies.record_format import AnnotatedGame, Annotations, RecordFormat
from plies.registry import game_class, game_names
from plies.variations import Tree, checked, is_plain, main_line, settled

LARGEST = 1_000_000
"""The most characters a record may have: a game of `LONGEST_GAME` moves fits. Not tuned."""

FIELDS = {"game", "parameters", "position", "moves"}
"""The keys that a record in JSON must have."""

MOST_HEADERS = 200
"""The most headers of a record. Not tuned."""

PAGE = "http://127.0.0.1:8000/"
"""The address of the page that `plies serve` shows by default."""


class GameRecord(NamedTuple):
    """What a record says: a game, its parameters, and the moves that were played."""

    game: str
    parameters: dict[str, Any]
    position: str
    """The position string of the first state; "" for the initial state."""
    moves: list[str]
    """Those of the main line."""
    headers: dict[str, str] = {}
    """Such as White, Black and Event."""
    result: str = ""
    """As the record says it; "" if it does not."""
    tree: Tree = []
    """The moves with variations and comments; empty if there are none."""
    left_out: tuple[str, ...] = ()
    """What could not be read, a sentence each."""


def formats(game: Game) -> list[str]:
    """The formats that records of a game can be written in, its own first."""
    return [*(form.name for form in game.record_formats()), "json"]


def known_formats() -> list[str]:
    """The formats of all installed games, and JSON."""
    return [*sorted({form.name for form in _installed_formats()[0]}), "json"]


def write(
    history: History,
    form: str,
    position: str = "",
    *,
    tree: Tree | None = None,
    headers: Mapping[str, str] | None = None,
    result: str = "",
) -> str:
    """The record of a game in a format; `position` is the string of its first state, if it has one.

    A `tree` has the moves with variations and comments (see `plies.variations`); its main line is the game.
    """
    tree = None if tree is None or (is_plain(tree) and tree == notation(history)) else tree
    more: dict[str, Any] = {"headers": dict(headers or {}), "result": result, "tree": tree or []}
    if form == "json":
        data = as_data(history, position) | {name: value for name, value in more.items() if value}
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    for own in history.game.record_formats():
        if own.name != form:
            continue
        if not any(more.values()):
            return own.write(history)
        if own.write_tree is None:
            raise PliesError(f"{form} has no place for variations, comments and headers: write json")
        moves = _settled(history, tree) if tree else notation(history)
        return own.write_tree(AnnotatedGame(history, moves, more["headers"], result))
    raise PliesError(f"{history.game.name} is written as {' or '.join(formats(history.game))}, not {form}")


def _settled(history: History, tree: Tree) -> Tree:
    """A tree whose moves are in notation; raises `PliesError` if one is not legal."""
    game = history.game

    def play(state: State, move: str) -> tuple[str, State]:
        action = read_move(game, state, move)
        return game.notation(state, action), game.result(state, action)

    left_out: list[str] = []
    found = settled(checked(tree), history.states[0], play, left_out)
    if left_out:
        raise PliesError(left_out[0])
    if main_line(found) != notation(history):
        raise PliesError("the main line of the tree is not the game")
    return found


def outcome(game: Game, form: str, winner: int | None, how: str) -> str:
    """The result, as a format writes it, of a game that was "resigned", lost on "time" or "agreed" a draw."""
    for own in game.record_formats():
        if own.name == form and own.outcome is not None:
            return own.outcome(winner, how)
    return "draw" if winner is None else f"{game.player_name(winner)} wins"


def write_annotated(history: History, form: str, annotations: Annotations) -> str:
    """The record of a game with its players, its result, and what is known about each move."""
    able = {own.name: own.annotated for own in history.game.record_formats() if own.annotated}
    if form not in able:
        if not able:
            raise PliesError(f"{history.game.name} has no record format such as PGN: save its games as JSON")
        known = " or ".join(f".{name}" for name in able)
        raise PliesError(f"games of {history.game.name} are recorded in a file that ends in {known}")
    return able[form](history, annotations)


def as_data(history: History, position: str = "") -> dict[str, Any]:
    """The record of a game as plain data."""
    return {
        "game": history.game.name,
        "parameters": rule_parameters(history.game),
        "position": position,
        "moves": notation(history),
    }


def notation(history: History) -> list[str]:
    """All moves of a game, and the outcomes of chance, as people write them."""
    return list(map(history.game.notation, history.states, history.actions))


def link(history: History, position: str = "", page: str = PAGE) -> str:
    """The address that shows a game, and where it stands, on the page of `plies serve`."""
    game, moves = history.game, notation(history)
    words = {"game": game.name}
    for name, parameter in inspect.signature(type(game)).parameters.items():
        value = rule_parameters(game).get(name)
        if value is not None and value != json.loads(json.dumps(parameter.default, default=str)):
            words[f"p.{name}"] = _written(value)
    if position:
        words["position"] = position
    if moves:
        plain = not any(";" in move or move.startswith("[") for move in moves)
        words["moves"] = ";".join(moves) if plain else json.dumps(moves, ensure_ascii=False)
    return f"{page}#{urlencode(words)}"


def _written(value: Any) -> str:
    """A parameter as people type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(item, int) for item in value):
        return ",".join(map(str, value))
    return str(value)


def read(text: str, game: Game | None = None) -> GameRecord:
    """The record in a text, in JSON or in a format of an installed game; of several games, the first.

    The formats of `game` are tried first. The moves of a record in JSON are not checked: `replay` does that.
    """
    if len(text) > LARGEST:
        raise PliesError(f"a record has up to {LARGEST:,} characters, not {len(text):,}")
    try:
        return _read(text.lstrip("\ufeff \t\r\n"), game)
    except PliesError:
        raise
    except Exception as error:  # a reader need not foresee whatever a file may say
        raise PliesError(f"the record cannot be read: {type(error).__name__}: {str(error)[:200]}") from error


def _read(text: str, game: Game | None) -> GameRecord:
    """The record in a text without leading space."""
    if text.startswith("{"):
        return _from_json(text)
    installed, broken = _installed_formats()
    own = [(form, type(game)) for form in game.record_formats()] if game else []
    for form, cls in [*own, *installed.items()]:
        if form.recognises(text):
            played = form.read_tree(text, cls) if form.read_tree else list(map(_plain, form.read(text, cls)))
            if not played:
                raise PliesError("the record is empty")
            more = (f"the first of {len(played)} games",) if len(played) > 1 else ()
            return _from_annotated(played[0], more)
    known = ", ".join(dict.fromkeys(form.name for form in installed))
    raise PliesError("; ".join([f"the record is not in a known format ({known}, json)", *broken]))


def _installed_formats() -> tuple[dict[RecordFormat, type[Game]], list[str]]:
    """The formats of all installed games, by class, and what keeps other games from loading."""
    found: dict[RecordFormat, type[Game]] = {}
    broken = []
    for name in game_names():
        try:
            cls = game_class(name)
        except UnknownGame as error:  # it may be the one whose format this is
            broken.append(str(error))
            continue
        for form in cls.record_formats():
            if issubclass(found.get(form, cls), cls):  # a subclass inherits the format, and does not bring it
                found[form] = cls
    return found, broken


def _plain(history: History) -> AnnotatedGame:
    return AnnotatedGame(history, notation(history))


def _from_annotated(played: AnnotatedGame, more: tuple[str, ...]) -> GameRecord:
    history, tree, headers, result, left_out = played
    game, start = history.game, history.states[0]
    position = "" if start == game.initial() else game.position(start)
    tree = [] if is_plain(tree) else tree
    given = rule_parameters(game)
    return GameRecord(
        game.name, given, position, notation(history), headers, result, tree, (*more, *left_out)
    )


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
    headers, result, tree = record.get("headers", {}), record.get("result", ""), record.get("tree", [])
    if not (
        isinstance(headers, dict)
        and len(headers) <= MOST_HEADERS
        and all(isinstance(value, str) for value in headers.values())
        and isinstance(result, str)
    ):
        raise PliesError("that is not a record: headers are names and texts, the result is text")
    told = [str(move) for move in moves]
    if tree and main_line(checked(tree)) != told:
        raise PliesError("that is not a record: the main line of its tree is not its moves")
    return GameRecord(game, given, position, told, headers, result, tree)


def replay(game: Game, position: str, moves: Sequence[str]) -> History:
    """The game that begins at a position ("" for the initial state) and continues with these moves."""
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
    """The legal action, or the outcome of chance, that a text denotes."""
    if game.to_move(state) == CHANCE:
        for outcome, _ in game.chance(state):
            if game.notation(state, outcome).casefold() == text.strip().casefold():
                return outcome
        raise IllegalMove(f"{text[:40]!r} is not an outcome of chance here")
    try:
        action = game.parse_action(state, text)
        game.play(state, action)  # raises where a game's own parser lets through what is not legal
    except IllegalMove:
        raise
    except (ValueError, LookupError, TypeError) as error:  # a game's own parser that cannot read this
        raise IllegalMove(f"{text[:40]!r} cannot be read as a move: {error}") from None
    return action
