"""Checkers games in Portable Draughts Notation (PDN), in and out."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from plies.errors import IllegalMove, PliesError
from plies.games.checkers import Checkers
from plies.history import History
from plies.record_format import AnnotatedGame, Annotations, RecordFormat
from plies.variations import (
    MARKS,
    Play,
    Tree,
    TreeBuilder,
    braced,
    commented,
    has_letters,
    movetext,
    settled,
)

RESULTS = {1: "0-1", 0: "1/2-1/2", -1: "1-0"}
"""The result of a game, by its utility for Black: White's points come first in PDN."""

DERIVED = ("GameType", "Result", "SetUp", "FEN")
"""Tags that say what the game says itself."""

TOKEN = re.compile(
    r"""\s*(?:
    \[\s*(?P<tag>\w+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\]
    | (?P<comment>\{[^}]*\} | ;[^\n]*) | (?P<mark>\$[0-9]+)
    | (?P<open>\() | (?P<close>\))
    | (?P<result>1/2-1/2 | 1-0 | 0-1 | 0-0 | 2-0 | 0-2 | 1-1 | \*)(?![0-9x:-])
    | (?P<number>[0-9]+\.+)
    | (?P<move>[0-9]+(?:[-x:][0-9]+)+)(?P<sign>[!?*]*)
    | (?P<unknown>\S+)
    )""",
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)


class Record(NamedTuple):
    """A game, and what its record says about it."""

    tags: dict[str, str]
    history: History
    result: str = "*"
    tree: Tree = []
    """The moves with their variations and comments."""
    left_out: tuple[str, ...] = ()
    """Variations that could not be read to their end, and why."""


def write_pdn(
    history: History,
    tags: Mapping[str, str] | None = None,
    result: str | None = None,
    comments: Sequence[str] = (),
    tree: Tree | None = None,
) -> str:
    """The record of a game, with tags such as Event, Black and White.

    `comments` are by move, "" for none; a `tree` of moves has variations, too.
    """
    game = history.game
    if not isinstance(game, Checkers):
        raise PliesError(f"PDN is for games of checkers, not of {game.name}")
    if result is None:
        result = RESULTS[int(history.utility(0))] if history.over else "*"
    start = history.states[0]
    own = {"GameType": "21", "Result": result}  # 21 is English draughts
    if start != game.initial():
        own |= {"SetUp": "1", "FEN": game.position(start)}
    shown = {**(tags or {}), **own}
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in shown.items()]
    words = movetext(tree if tree is not None else commented(history, comments), start.player, braced)
    moves = textwrap.fill(" ".join([*words, result]), 79, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", moves, ""])


def write_annotated_pdn(history: History, about: Annotations) -> str:
    """The record of a game with evaluations and times as comments."""
    tags = {"Event": about.event, "Round": about.round, "Black": about.players[0], "White": about.players[1]}
    if about.time_control:
        tags["TimeControl"] = about.time_control
    comments = [str(note) for note in about.notes]
    if about.reason and comments:
        comments[-1] = f"{comments[-1]} {about.reason}".strip()
    return write_pdn(history, tags, RESULTS[round(2 * about.score - 1)], comments)


def read_pdn(text: str, game: Checkers | None = None) -> list[Record]:
    """The games in a text, each move checked, with variations and comments."""
    game = game or Checkers()
    records = []
    for number, (tags, moves, result) in enumerate(_split(text), 1):
        start = game.parse_position(tags["FEN"]) if "FEN" in tags else game.initial()
        history = History(game, start)
        left_out: list[str] = []
        play = _player(history, f"game {number} of the record")
        tree = settled(moves, history.state, play, left_out)
        records.append(Record(tags, history, result, tree, tuple(left_out)))
    return records


def _player(history: History, where: str) -> Play:
    """Plays the moves of a record; those of the main line in a history, too."""
    game = history.game

    def play(state: Any, move: str) -> tuple[str, Any]:
        main = state is history.state
        try:
            if game.is_terminal(state) or (main and history.over):
                raise IllegalMove(f"{move!r} comes after the end of the game")
            action = game.parse_action(state, move)
            if main:
                history.play(action)
        except IllegalMove as error:
            place = f", ply {len(history.actions) + 1}" if main else ", in a variation"
            raise IllegalMove(f"{where}{place}: {error}") from None
        return game.notation(state, action), history.state if main else game.result(state, action)

    return play


def _split(text: str) -> Iterator[tuple[dict[str, str], Tree, str]]:
    """The tags, the moves and the result of each game in a text."""
    tags: dict[str, str] = {}
    moves = TreeBuilder()
    for token in TOKEN.finditer(text.strip()):
        kind = {"value": "tag", "sign": "move"}.get(token.lastgroup or "", token.lastgroup)
        if kind == "open":
            moves.open()
        elif kind == "close":
            if not moves.depth:
                raise PliesError(f"{_place(text, token)}: ')' without '('")
            moves.close()
        elif kind == "unknown":
            raise PliesError(f"{_place(text, token)}: {token['unknown'][:40]!r} is not PDN")
        elif kind == "comment":
            moves.note("comment", " ".join(token["comment"].strip("{};").split()))
        elif kind == "mark":
            moves.note("marks", token["mark"])
        elif kind == "move":
            moves.move(token["move"])
            if token["sign"].strip("*"):
                moves.note("marks", MARKS.get(token["sign"], token["sign"]))
        elif moves.depth or kind == "number":
            continue
        elif kind == "tag":
            if moves.begun:
                yield tags, moves.tree, tags.get("Result", "*")
                tags, moves = {}, TreeBuilder()
            tags[token["tag"]] = re.sub(r"\\(.)", r"\1", token["value"])
        else:
            yield tags, moves.tree, token["result"]
            tags, moves = {}, TreeBuilder()
    if moves.depth:
        raise PliesError("the record ends in a variation")
    if moves.begun or tags:
        yield tags, moves.tree, tags.get("Result", "*")


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _place(text: str, token: re.Match[str]) -> str:
    """The line of a token in a text."""
    before = text.strip()[: token.start(token.lastgroup or 0)]
    return f"line {before.count(chr(10)) + 1}"


def _looks_like_pdn(text: str) -> bool:
    """Whether a text has PDN's tag GameType, or moves without letters, unlike PGN and SGF."""
    return not text.startswith("(") and ("GameType" in text or not has_letters(text))


def _read_tree(text: str, cls: type[Checkers]) -> list[AnnotatedGame]:
    games = []
    for tags, history, result, tree, left_out in read_pdn(text, cls()):
        headers = {name: value for name, value in tags.items() if value.strip("?.") and name not in DERIVED}
        games.append(AnnotatedGame(history, tree, headers, result.strip("*"), left_out))
    return games


def _write_tree(game: AnnotatedGame) -> str:
    return write_pdn(game.history, game.headers, game.result or None, tree=game.tree)


def _outcome(winner: int | None, how: str) -> str:
    return RESULTS[0 if winner is None else 1 - 2 * winner]


PDN = RecordFormat(
    "pdn",
    write_pdn,
    lambda text, cls: [record.history for record in read_pdn(text, cls())],
    _looks_like_pdn,
    write_annotated_pdn,
    _read_tree,
    _write_tree,
    _outcome,
)
"""Portable Draughts Notation."""
