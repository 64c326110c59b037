"""Checkers games in Portable Draughts Notation (PDN), in and out."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from plies.errors import IllegalMove, PliesError
from plies.games.checkers import Checkers
from plies.history import History
from plies.record_format import Annotations, RecordFormat

RESULTS = {1: "0-1", 0: "1/2-1/2", -1: "1-0"}
"""The result of a game, by its utility for Black: White's points come first in PDN."""

TOKEN = re.compile(
    r"""\s*(?:
    \[\s*(?P<tag>\w+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\]
    | (?P<comment>\{[^}]*\} | ;[^\n]* | \$[0-9]+)
    | (?P<open>\() | (?P<close>\))
    | (?P<result>1/2-1/2 | 1-0 | 0-1 | 0-0 | 2-0 | 0-2 | 1-1 | \*)(?![0-9x:-])
    | (?P<number>[0-9]+\.+)
    | (?P<move>[0-9]+(?:[-x:][0-9]+)+)[!?*]*
    | (?P<unknown>\S+)
    )""",
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)


class Record(NamedTuple):
    """A game, and the tags of its record."""

    tags: dict[str, str]
    history: History


def write_pdn(
    history: History,
    tags: Mapping[str, str] | None = None,
    result: str | None = None,
    comments: Sequence[str] = (),
) -> str:
    """The record of a game, with tags such as Event, Black and White; `comments` are by move, "" for none."""
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
    words = []
    for ply, (state, action) in enumerate(zip(history.states, history.actions, strict=False), start.player):
        if ply % 2 == 0:
            words.append(f"{ply // 2 + 1}.")
        elif not words or words[-1].endswith("}"):
            words.append(f"{ply // 2 + 1}...")
        words.append(game.notation(state, action))
        if (number := ply - start.player) < len(comments) and comments[number]:
            words.append(f"{{{comments[number].replace('}', ')')}}}")
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
    """The games in a text, each move checked; comments and variations are skipped."""
    game = game or Checkers()
    records = []
    for number, (tags, moves) in enumerate(_split(text), 1):
        where = f"game {number} of the record"
        start = game.parse_position(tags["FEN"]) if "FEN" in tags else game.initial()
        history = History(game, start)
        for ply, move in enumerate(moves, 1):
            try:
                if history.over:
                    raise IllegalMove(f"{move!r} comes after the end of the game")
                history.play(game.parse_action(history.state, move))
            except IllegalMove as error:
                raise IllegalMove(f"{where}, ply {ply}: {error}") from None
        records.append(Record(tags, history))
    return records


def _split(text: str) -> Iterator[tuple[dict[str, str], list[str]]]:
    """The tags and the moves of each game in a text."""
    tags: dict[str, str] = {}
    moves: list[str] = []
    depth = 0  # of variations
    begun = False  # whether moves or a result have followed the tags
    for token in TOKEN.finditer(text.strip()):
        kind = token.lastgroup if token.lastgroup != "value" else "tag"
        if kind == "open" or kind == "close":
            depth += 1 if kind == "open" else -1
            if depth < 0:
                raise PliesError(f"{_place(text, token)}: ')' without '('")
        elif kind == "unknown":
            raise PliesError(f"{_place(text, token)}: {token['unknown'][:40]!r} is not PDN")
        elif depth or kind in ("comment", "number"):
            continue
        elif kind == "tag":
            if begun:
                yield tags, moves
                tags, moves, begun = {}, [], False
            tags[token["tag"]] = re.sub(r"\\(.)", r"\1", token["value"])
        elif kind == "move":
            moves.append(token["move"])
            begun = True
        else:
            yield tags, moves
            tags, moves, begun = {}, [], False
    if depth:
        raise PliesError("the record ends in a variation")
    if begun or tags:
        yield tags, moves


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _place(text: str, token: re.Match[str]) -> str:
    """The line of a token in a text."""
    before = text.strip()[: token.start(token.lastgroup or 0)]
    return f"line {before.count(chr(10)) + 1}"


def _looks_like_pdn(text: str) -> bool:
    """Whether a text has PDN's tag GameType, or moves without letters, unlike PGN and SGF."""
    moves = (line for line in text.splitlines() if not line.lstrip().startswith("["))
    return not text.startswith("(") and ("GameType" in text or not any(map(str.isalpha, "".join(moves))))


PDN = RecordFormat(
    "pdn",
    write_pdn,
    lambda text, cls: [record.history for record in read_pdn(text, cls())],
    _looks_like_pdn,
    write_annotated_pdn,
)
"""Portable Draughts Notation."""
