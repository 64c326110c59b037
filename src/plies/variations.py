"""The moves of a record with its variations and comments, as a tree: a list that reads like a book.

A text is a move. A list after a move is a variation that replaces it. An object after a move says more
about it: a `comment`, `marks` such as "$1" (PGN's numeric annotation glyphs), and further `properties` (SGF);
at the beginning of a list, it comes before the first move.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from plies.errors import PliesError

Note = dict[str, Any]
"""What is said about a move: "comment", "marks", "properties", each if there is any."""

Tree = list[Any]
"""Moves (texts), notes (objects) and variations (trees)."""

MOST_ITEMS = 50_000
"""The most moves and notes of a tree. Not tuned."""

DEEPEST = 60
"""The deepest variation of a variation. Not tuned."""

MARKS = {"!": "$1", "?": "$2", "!!": "$3", "??": "$4", "!?": "$5", "?!": "$6"}
"""The signs after a move, and their numbers in PGN."""


def checked(tree: Any) -> Tree:
    """A tree that came from elsewhere; raises `PliesError` if it is none."""
    count = 0
    work = [(tree, 0)]
    while work:
        items, depth = work.pop()
        if not isinstance(items, list) or depth > DEEPEST:
            raise PliesError(f"a tree of moves is a list, with variations at most {DEEPEST} deep")
        count += len(items) + 1
        if count > MOST_ITEMS:
            raise PliesError(f"a tree has at most {MOST_ITEMS:,} moves and notes")
        moves = 0
        for item in items:
            if isinstance(item, list):
                if not moves:
                    raise PliesError("a variation replaces the move before it, and there is none")
                work.append((item, depth + 1))
            elif isinstance(item, dict):
                _check_note(item)
            elif isinstance(item, str) and len(item) <= 200:
                moves += 1
            else:
                raise PliesError("a tree of moves has texts, notes and variations, and nothing else")
    assert isinstance(tree, list)
    return tree


def _check_note(note: Note) -> None:
    values = note.get("properties", {})
    if not (
        note.keys() <= {"comment", "marks", "properties"}
        and isinstance(note.get("comment", ""), str)
        and isinstance(values, dict)
        and all(_are_texts(one) for one in (note.get("marks", []), *values.values()))
    ):
        raise PliesError("a note has a comment (text), marks (texts) and properties (lists of texts)")


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def main_line(tree: Tree) -> list[str]:
    """The moves without variations."""
    return [item for item in tree if isinstance(item, str)]


def is_plain(tree: Tree) -> bool:
    """Whether a tree is one line without a note."""
    return all(isinstance(item, str) for item in tree)


class TreeBuilder:
    """Builds a tree from tokens, as PGN and PDN have them."""

    def __init__(self) -> None:
        self.tree: Tree = []
        self._open: list[Tree] = [self.tree]

    @property
    def depth(self) -> int:
        """How many variations are open."""
        return len(self._open) - 1

    @property
    def begun(self) -> bool:
        """Whether there is anything in it."""
        return bool(self.tree)

    def move(self, text: Any) -> None:
        """Add a move to the line that is open."""
        self._open[-1].append(text)

    def note(self, kind: str, text: str) -> None:
        """Add a "comment" or "marks" to the last move, or before the first."""
        line = self._open[-1]
        at = next((i for i in reversed(range(len(line))) if not isinstance(line[i], list | dict)), -1)
        if at + 1 == len(line) or not isinstance(line[at + 1], dict):
            line.insert(at + 1, {})
        note = line[at + 1]
        if kind == "marks":
            note.setdefault("marks", []).append(text)
        else:
            note["comment"] = f"{note['comment']} {text}" if note.get("comment") else text

    def open(self) -> None:
        """Begin a variation of the last move."""
        if not any(not isinstance(item, list | dict) for item in self._open[-1]):
            raise PliesError("a variation stands before the first move")
        if self.depth >= DEEPEST:
            raise PliesError(f"variations are read at most {DEEPEST} deep")
        self._open[-1].append([])
        self._open.append(self._open[-1][-1])

    def close(self) -> None:
        """End the variation."""
        self._open.pop()


Play = Callable[[Any, Any], tuple[str, Any]]
"""Takes a state and a move of a tree; returns the move in notation and the state after it, or raises
`PliesError`."""


def settled(tree: Tree, state: Any, play: Play, left_out: list[str], main: bool = True) -> Tree:
    """A tree whose moves are legal and in notation; a variation that is not is cut short, which is noted.

    An illegal move of the main line is an error.
    """
    result: Tree = []
    before = state
    for item in tree:
        if isinstance(item, list):
            if variation := settled(item, before, play, left_out, main=False):
                result.append(variation)
        elif isinstance(item, dict):
            result.append(item)
        else:
            try:
                move, after = play(state, item)
            except PliesError as error:
                if main:
                    raise
                left_out.append(f"a variation is cut short: {error}")
                break
            result.append(move)
            before, state = state, after
    return result if main or main_line(result) else []


def commented(history: Any, comments: Sequence[str]) -> Tree:
    """The moves of a game with comments, "" for none, as a tree."""
    tree: Tree = []
    for number, (state, action) in enumerate(zip(history.states, history.actions, strict=False)):
        tree.append(history.game.notation(state, action))
        if number < len(comments) and comments[number]:
            tree.append({"comment": comments[number]})
    return tree


def movetext(tree: Tree, ply: int, notes: Callable[[Note], Iterator[str]]) -> list[str]:
    """A tree in words, numbered as in chess: "1.", "e4", "e5", "(1...", "c5)"."""
    words: list[str] = []
    fresh = True  # the number is said, whoever moves
    for item in tree:
        if isinstance(item, list):
            inner = movetext(item, ply - 1, notes)
            words += [f"({inner[0]}", *inner[1:]]
            words[-1] += ")"
            fresh = True
        elif isinstance(item, dict):
            said = list(notes(item))
            words += said
            fresh = fresh or any(word.startswith("{") for word in said)
        else:
            if ply % 2 == 0 or fresh:
                words.append(f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'}")
            words.append(item)
            fresh = False
            ply += 1
    return words


def braced(note: Note) -> Iterator[str]:
    """A note as PGN and PDN write it; a closing brace would end the comment."""
    yield from note.get("marks", [])
    for name, values in note.get("properties", {}).items():
        yield "{" + f"[%{name} {','.join(values)}]".replace("}", ")") + "}"
    if note.get("comment"):
        yield "{" + " ".join(note["comment"].split()).replace("}", ")") + "}"


def has_letters(text: str) -> bool:
    """Whether moves of a record have letters, as in PGN, or none but the "x" of a capture, as in PDN."""
    moves = re.sub(r"^\s*\[.*$|;.*$|\{[^}]*\}", "", text, flags=re.MULTILINE)
    return any(sign.isalpha() and sign not in "xX" for sign in moves)
