"""Plies inside a browser: answers to a page whose Python runs in the page itself, without a server.

The page's worker hands in each message as JSON and gets its answer as JSON. Lessons are those of the Learn
page; games are played against the algorithms of the book. The engine needs NumPy and Numba, which a browser
has not.
"""

from __future__ import annotations

import inspect
import json
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from plies.book.algorithms import ALGORITHMS, about, as_player, needs_of
from plies.check import check_game
from plies.draw.board import board
from plies.errors import BadParameter, BadPosition, PliesError
from plies.game import CHANCE, Game
from plies.grade.pasted import grade_pasted
from plies.history import History
from plies.records import read_move
from plies.registry import game as make_game
from plies.registry import game_class, parse_parameters
from plies.web import learn
from plies.web.game_form import game_entry
from plies.web.learn import Subject
from plies.web.tree_json import read

GAMES = ("tic-tac-toe", "sum-to-two", "nim", "pig", "connect-four")
"""The games that do without NumPy."""

RANDOM = "random"
"""The opponent who plays any legal move."""

_own: dict[str, type[Game]] = {}
"""The games that were written on the page, by their names."""


def answer(request: str) -> str:
    """The answer to a message: `result`, or an `error` in a sentence."""
    message = json.loads(request)
    fields = {name: value for name, value in message.items() if name not in ("id", "type")}
    try:
        handler = _HANDLERS.get(message["type"])
        if handler is None:
            raise PliesError(f"{message['type']!r} is not something that this page can do")
        reply = {"result": handler(**fields)}
    except PliesError as error:
        reply = {"error": str(error)}
    except RecursionError:
        reply = {"error": "the recursion is too deep for a browser: give a smaller depth"}
    return json.dumps({"id": message.get("id"), **reply})


# -- Games.


def lessons() -> dict[str, Any]:
    """What the Learn page begins with, and the games of this page."""
    return {**learn.lessons(), "games": games()}


def games() -> list[dict[str, Any]]:
    """The games that can be played: those written here first."""
    found = [game_entry(name, cls) for name, cls in _own.items()]
    return found + [game_entry(name, game_class(name)) for name in GAMES]


def define(names: Mapping[str, Any]) -> dict[str, Any]:
    """Take the games among what a cell has defined, and check the rules of each."""
    own = {
        value().name: value
        for value in names.values()
        if isinstance(value, type) and issubclass(value, Game) and _is_own(value)
    }
    _own.update(own)
    return {"games": list(own), "checks": [str(check_game(cls(), games=20)) for cls in own.values()]}


def _is_own(cls: type[Game]) -> bool:
    """Whether a class was written here, and needs no arguments."""
    given = inspect.signature(cls).parameters.values()
    return not cls.__module__.startswith("plies.") and all(p.default is not p.empty for p in given)


def _game(name: str, parameters: Mapping[str, str]) -> Game:
    words = [f"{key}={value}" for key, value in parameters.items()]
    if name in _own:
        return _own[name](**parse_parameters(_own[name], words))
    if name not in GAMES:
        raise PliesError(f"{name} needs NumPy, which this page has not: there are {', '.join(GAMES)}")
    return make_game(name, **parse_parameters(game_class(name), words))


def opponents(game: str, parameters: Mapping[str, str] = {}) -> list[dict[str, str]]:
    """The algorithms of the book that can play a game, and chance."""
    one = _game(game, parameters)
    suited = [name for name in ALGORITHMS if needs_of(name).serve(one) and not _against_all(name, one)]
    return [
        *({"name": name, "label": about(name).label} for name in suited),
        {"name": RANDOM, "label": "random"},
    ]


def _against_all(name: str, game: Game) -> bool:
    return needs_of(name).opponents and game.players < 3


def play(
    game: str,
    moves: Sequence[str],
    you: int,
    opponent: str,
    depth: int | None = None,
    parameters: Mapping[str, str] = {},
    seed: int | None = None,
) -> dict[str, Any]:
    """Play on from some moves until it is your turn or the game is over."""
    one = _game(game, parameters)
    history = History(one)
    rng = random.Random(seed)
    written = []
    for move in moves:
        action = one.parse_action(history.state, move)
        written.append(one.notation(history.state, action))
        history.play(action)
    while not history.over and (mover := one.to_move(history.state)) != you:
        action = _throw(one, history, rng) if mover == CHANCE else _choose(one, history, opponent, depth, rng)
        written.append(one.notation(history.state, action))
        history.play(action)
    legal = [] if history.over else [one.notation(history.state, action) for action in history.legal()]
    picture = board(one, history.state) if one.scene(history.state) is not None else None
    return {
        "moves": written,
        "legal": legal,
        "over": history.over,
        "says": _says(one, history, you),
        "text": one.text(history.state),
        "position": _position(one, history, written),
        "svg": None if picture is None else str(picture),
        "players": [one.player_name(player) for player in range(one.players)],
    }


def _position(game: Game, history: History, moves: Sequence[str]) -> str:
    """The position as `parse_position` reads it: the moves, where a game has no strings of its own."""
    try:
        return game.position(history.state)
    except BadPosition:
        return " ".join(moves)


def _throw(game: Game, history: History, rng: random.Random) -> Any:
    outcomes, chances = zip(*game.chance(history.state), strict=True)
    return rng.choices(outcomes, chances)[0]


def _choose(game: Game, history: History, name: str, depth: int | None, rng: random.Random) -> Any:
    legal = history.legal()
    if name == RANDOM:
        return rng.choice(legal)
    if name not in ALGORITHMS:
        raise BadParameter(f"there is no algorithm {name!r}")
    decision = ALGORITHMS[name](game, history.state, depth=depth, **as_player(name, game, {}))
    return decision.line[0] if decision.line and decision.line[0] in legal else legal[0]


def _says(game: Game, history: History, you: int) -> str:
    """Who is to move, or how the game has ended."""
    if not history.over:
        return "Your move."
    mine = history.utility(you)
    others = [history.utility(player) for player in range(game.players) if player != you]
    if not others:
        return f"The game is over: you got {mine:g}."
    if mine == max(others):
        return "The game is over: a draw."
    return f"The game is over: you {'win' if mine > max(others) else 'lose'}."


# -- Lessons: the messages of the Learn page.


def _subject(
    tree: Any = None,
    game: str | None = None,
    parameters: Mapping[str, str] = {},
    position: str = "",
    moves: Sequence[str] = (),
    depth: int | None = None,
) -> Subject:
    if tree is not None:
        return Subject(read(tree), depth=depth)
    if game is None:
        raise PliesError("a lesson is about a tree or a position of a game: give one of them")
    one = _game(game, parameters)
    state = one.parse_position(position) if position else one.initial()
    for move in moves:
        state = one.result(state, read_move(one, state, move))
    return Subject(one, state, depth)


def _lesson(function: Callable[..., Any]) -> Callable[..., Any]:
    """A lesson about the subject that a message names, with the rest of its fields."""
    names = inspect.signature(_subject).parameters

    def handler(**fields: Any) -> Any:
        about_it = {name: value for name, value in fields.items() if name in names}
        rest = {name: value for name, value in fields.items() if name not in names}
        return function(_subject(**about_it), **rest)

    return handler


def random_tree(seed: int, branching: int, depth: int, levels: list[str | int]) -> dict[str, Any]:
    """A tree of one branching and depth with random leaves."""
    return learn.draw(Subject(learn.random_tree(seed, branching, depth, levels)))


_HANDLERS: dict[str, Callable[..., Any]] = {
    "lessons": lessons,
    "random_tree": random_tree,
    "draw_tree": _lesson(learn.draw),
    "search_steps": _lesson(learn.steps),
    "compare_searches": _lesson(learn.compare),
    "practice_tree": _lesson(learn.exercise),
    "check_practice": _lesson(learn.check),
    "games": games,
    "opponents": opponents,
    "play": play,
}


def cell() -> dict[str, Any]:
    """The names that a cell begins with: those of a module, which classes of the cell may ask for."""
    module = sys.modules["cell"] = ModuleType("cell")
    return vars(module)


def graded(names: Mapping[str, Any]) -> str:
    """The grade of the functions that a cell has defined, as JSON."""
    try:
        return json.dumps({"result": grade_pasted(names)})
    except PliesError as error:
        return json.dumps({"error": str(error)})


def shown(value: Any) -> str:
    """The value of a cell as JSON: a picture or a page where it has one, else text."""
    for kind, method in (("svg", "_repr_svg_"), ("html", "_repr_html_")):
        if callable(picture := getattr(value, method, None)) and not isinstance(value, type):
            return json.dumps({kind: picture()})
    return json.dumps({"text": "" if value is None else str(value)})
