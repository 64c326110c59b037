"""Chess games in Portable Game Notation (PGN), in and out."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from plies.errors import BadPosition, IllegalMove, PliesError
from plies.games.chess import Chess
from plies.games.chess_board import State
from plies.games.chess_fen import short
from plies.history import History
from plies.record_format import AnnotatedGame, Annotations, MoveNote, RecordFormat
from plies.variations import (
    MARKS,
    Tree,
    TreeBuilder,
    braced,
    commented,
    has_letters,
    movetext,
    settled,
)

LONGEST = 1 << 24
"""The most characters that are read at once. Not tuned."""

RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}
"""The result of a game, by its utility for White."""

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
"""The seven-tag roster, without the result, and its values where nothing is known."""

DERIVED = ("Result", "SetUp", "FEN")
"""Tags that say what the game says itself."""

UNCLAIMED = 5
"""Repetitions that end a game nobody claims a draw in (FIDE Laws of Chess, 9.6): threefold is claimed."""

TOKEN = re.compile(
    r"""\s*(?:
    \[\s*(?P<tag>\w{1,255})\s+"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]
    | (?P<comment>\{[^}]*\} | ;[^\n]*) | (?P<skipped>^%[^\n]* | e\.p\.) | (?P<mark>\$[0-9]+ | [!?]+)
    | (?P<open>\() | (?P<close>\))
    | (?P<result>1/2-1/2 | 1-0 | 0-1 | \*)
    | (?P<number>[0-9]+(?:\.+|(?=\s)))
    | (?P<move>[A-Za-z0][A-Za-z0-9+\#=:/-]*)
    | (?P<unknown>\S+)
    )""",
    re.VERBOSE | re.ASCII | re.MULTILINE,
)


class Record(NamedTuple):
    """A game, and what its record says about it."""

    tags: dict[str, str]
    history: History
    result: str
    """"1-0", "0-1", "1/2-1/2", or "*" if the record does not say; a result may have been agreed on."""
    tree: Tree = []
    """The moves with their variations and comments."""
    left_out: tuple[str, ...] = ()
    """Variations that could not be read to their end, and why."""


def write_pgn(
    history: History,
    tags: Mapping[str, str] | None = None,
    result: str | None = None,
    comments: Sequence[str] = (),
    tree: Tree | None = None,
) -> str:
    """The record of a game, with tags such as Event, White and Black.

    The result of a game that is not over is "*", unless one is given: it may have been agreed on. `comments`
    are by move, with "" for none; a `tree` of moves has variations, too.
    """
    game, start = history.game, history.states[0]
    if not isinstance(game, Chess):
        raise PliesError(f"PGN is for games of chess, not of {game.name}")
    if result is None:
        result = RESULTS[int(history.utility(0))] if history.over else "*"
    elif result not in (*RESULTS.values(), "*"):
        raise PliesError(f"the result must be 1-0, 0-1, 1/2-1/2 or *, not {short(result)}")
    shown = {**ROSTER, **(tags or {}), "Result": result}
    if start != game.initial():
        shown |= {"SetUp": "1", "FEN": game.position(start)}
    for name in shown:
        if not re.fullmatch(r"\w{1,255}", name, re.ASCII):
            raise PliesError(f"the name of a tag must have letters, digits and _ only, not {short(name)}")
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in shown.items()]
    words = movetext(tree if tree is not None else commented(history, comments), start.ply, braced)
    moves = textwrap.fill(" ".join([*words, result]), 79, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", moves, ""])


def write_annotated_pgn(history: History, about: Annotations) -> str:
    """The record of a game with evaluations and times, as [%eval], [%clk] and [%emt]."""
    white, black = about.players
    tags = {"Event": about.event, "Round": about.round, "White": white, "Black": black}
    if about.time_control:
        tags["TimeControl"] = about.time_control
    tags["Termination"] = about.termination
    result = RESULTS[round(2 * about.score - 1)]
    comments = [_comment(*pair) for pair in zip(history.states, about.notes, strict=False)]
    if about.reason and comments:
        comments[-1] = f"{comments[-1]} {about.reason}".strip()
    return write_pgn(history, tags, result, comments)


def _comment(state: State, note: MoveNote) -> str:
    """What is known about a move; evaluations are to White, in pawns, or moves to mate."""
    sign = 1 if state.ply % 2 == 0 else -1
    words = []
    depth = "" if note.depth is None else f",{note.depth}"
    if note.mate is not None:
        words.append(f"[%eval #{sign * int(math.copysign((abs(note.mate) + 1) // 2, note.mate))}{depth}]")
    elif note.value == "draw" or isinstance(note.value, int | float):
        value = 0.0 if note.value == "draw" else sign * float(note.value)
        words.append(f"[%eval {value + 0.0:.2f}{depth}]")
    for name, seconds in (("clk", note.clock), ("emt", note.seconds)):
        if seconds is not None:
            minutes, rest = divmod(max(0.0, seconds), 60)
            words.append(f"[%{name} {int(minutes) // 60}:{int(minutes) % 60:02}:{rest:06.3f}]")
    return " ".join(words)


def read_pgn(text: str, cls: type[Chess] = Chess) -> list[Record]:
    """The games in a text, each move checked, with variations and comments.

    A game may continue after threefold repetition, since a draw has to be claimed.
    """
    if len(text) > LONGEST:
        raise PliesError(f"PGN is read up to {LONGEST:,} characters at once, not {len(text):,}")
    game = cls()
    game.repetitions = UNCLAIMED
    return [_played(game, number, *parts) for number, parts in enumerate(_split(text), 1)]


def _played(game: Chess, number: int, tags: dict[str, str], moves: Tree, result: str) -> Record:
    """A game replayed from its tags and moves, each with its line; `number` is its place in the text."""
    try:
        start = game.parse_position(tags["FEN"]) if "FEN" in tags else game.initial()
    except BadPosition as error:
        raise BadPosition(f"game {number}, tag FEN: {error}") from None
    history = History(game, start)

    def play(state: State, given: tuple[str, str]) -> tuple[str, State]:
        move, place = given
        where = f"game {number}, {place}, move {state.ply // 2 + 1}"
        if game.is_terminal(state) or (state is history.state and history.over):
            raise IllegalMove(f"{where}: {short(move)} comes after the end of the game")
        try:
            action = game.parse_action(state, move)
            if state is history.state:
                history.play(action)
                return game.notation(state, action), history.state
            return game.notation(state, action), game.result(state, action)
        except IllegalMove as error:
            raise IllegalMove(f"{where}: {error}") from None

    left_out: list[str] = []
    tree = settled(moves, history.state, play, left_out)
    return Record(tags, history, result, tree, tuple(left_out))


def _split(text: str) -> Iterator[tuple[dict[str, str], Tree, str]]:
    """The tags, the moves with their lines, and the result of each game in a text."""
    tags: dict[str, str] = {}
    moves = TreeBuilder()
    line, seen = 1, 0
    text = text.removeprefix("\ufeff").rstrip()
    for token in TOKEN.finditer(text):
        kind = token.lastgroup if token.lastgroup != "value" else "tag"
        begin = token.start(kind or 0)
        line, seen = line + text.count("\n", seen, begin), begin
        if kind == "open":
            moves.open()
        elif kind == "close":
            if not moves.depth:
                raise PliesError(f"line {line}: ')' without '('")
            moves.close()
        elif kind == "unknown":
            raise PliesError(f"line {line}: {short(token['unknown'])} is not PGN")
        elif kind == "comment":
            moves.note("comment", " ".join(token["comment"].strip("{};").split()))
        elif kind == "mark":
            moves.note("marks", MARKS.get(token["mark"], token["mark"]))
        elif kind == "move":
            moves.move((token["move"], f"line {line}"))
        elif moves.depth or kind in ("number", "skipped"):
            continue
        elif kind == "tag":
            if moves.begun:  # the result of the game before is missing
                yield tags, moves.tree, _said(tags)
                tags, moves = {}, TreeBuilder()
            tags[token["tag"]] = re.sub(r"\\(.)", r"\1", token["value"])
        else:
            yield tags, moves.tree, token["result"]
            tags, moves = {}, TreeBuilder()
    if moves.depth:
        raise PliesError(f"line {line}: the text ends in a variation")
    if moves.begun or tags:
        yield tags, moves.tree, _said(tags)


def _said(tags: dict[str, str]) -> str:
    """The result in the tags, or "*"."""
    result = tags.get("Result", "*")
    return result if result in RESULTS.values() else "*"


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _looks_like_pgn(text: str) -> bool:
    """Whether a text is not SGF, which begins with "(", nor PDN, whose moves have no letters."""
    return not text.startswith("(") and "GameType" not in text and has_letters(text)


def _read_tree(text: str, cls: type[Chess]) -> list[AnnotatedGame]:
    games = []
    for tags, history, result, tree, left_out in read_pgn(text, cls):
        headers = {name: value for name, value in tags.items() if value.strip("?.") and name not in DERIVED}
        games.append(AnnotatedGame(history, tree, headers, result.strip("*"), left_out))
    return games


def _write_tree(game: AnnotatedGame) -> str:
    result = game.result if game.result in (*RESULTS.values(), "*") else None
    return write_pgn(game.history, game.headers, result, tree=game.tree)


def _outcome(winner: int | None, how: str) -> str:
    return RESULTS[0 if winner is None else 1 - 2 * winner]


PGN = RecordFormat(
    "pgn",
    write_pgn,
    lambda text, cls: [record.history for record in read_pgn(text, cls)],
    _looks_like_pgn,
    write_annotated_pgn,
    _read_tree,
    _write_tree,
    _outcome,
)
"""Portable Game Notation."""
