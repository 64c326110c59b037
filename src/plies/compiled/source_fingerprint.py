"""The fingerprint of rules by their source, which is the same under every version of Python.

Machine code is kept for one version of Python, and compares bytecode (`dependencies.py`). What is handed from
one machine to another, such as an opening book, compares the words of the source: comments, docstrings and
layout do not count.
"""

from __future__ import annotations

import inspect
import io
import keyword
import textwrap
import tokenize
import types
import typing
from typing import Any

from plies.compiled.dependencies import _GameWalk, is_array_of
from plies.compiled.fingerprint import MISSING, Walk, _contents, is_library_function
from plies.errors import Unsuitable
from plies.game import Game

VALUES = frozenset(
    (
        *("initial", "is_terminal", "to_move", "actions", "result", "utility", "chance"),
        *("core", "symmetries", "repetition_value", "players", "total", "bounds", "cycles"),
    )
)
"""The rules and facts on which values and their backing up depend; one more here, and every opening book is
stale."""

_LAYOUT = frozenset(
    (
        *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
        *(tokenize.ENCODING, tokenize.ENDMARKER),
    )
)
_FSTRING = getattr(tokenize, "FSTRING_START", -1), getattr(tokenize, "FSTRING_END", -1)
"""Before Python 3.12, a formatted string is one token."""


def source_fingerprint(game: Game, names: frozenset[str]) -> str:
    """A digest of the source of what these attributes of a game can reach, and of the values it reads."""
    walk = _SourceWalk(game, names, frozenset())
    if not walk.stable:
        raise Unsuitable(
            f"the rules of {type(game).__name__} depend on an object that differs from process to process: "
            "let them read numbers, tuples, arrays and functions, in a file of their own"
        )
    return walk.name()


def words_of(source: str) -> list[str]:
    """The words of source code: its tokens, without comments, docstrings and layout."""
    words: list[str] = []
    lines = source.splitlines(keepends=True)
    begin, depth, fresh = (0, 0), 0, True  # of a formatted string; whether a statement begins
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == _FSTRING[0]:
            begin, depth = (begin if depth else token.start), depth + 1
        elif token.type == _FSTRING[1]:
            depth -= 1
            if not depth:
                words.append(_between(lines, begin, token.end))
                fresh = False
        elif token.type in _LAYOUT:
            fresh = fresh or token.type not in (tokenize.COMMENT, tokenize.NL)
        elif not depth and not (fresh and _is_docstring(token)):
            words.append(token.string)
            fresh = False
    return words


def _is_docstring(token: tokenize.TokenInfo) -> bool:
    """Whether a token that begins a statement is a string, and not a formatted one."""
    prefix = token.string.partition("'")[0].partition('"')[0]
    return token.type == tokenize.STRING and "f" not in prefix.lower()


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]]
    middle = lines[start[0] : end[0] - 1]
    return "".join([lines[start[0] - 1][start[1] :], *middle, lines[end[0] - 1][: end[1]]])


class _SourceWalk(_GameWalk):
    """A walk over a game that reads source instead of bytecode."""

    def _enter(self, game: Game) -> None:
        """Add a game, by its class alone: a heuristic that is new does not change the value of a position."""
        self.note("game", type(game).__module__, type(game).__qualname__)
        if id(game) in self.attributes:
            self.note("again", list(self.attributes).index(id(game)))
            return
        self.attributes[id(game)] = set()
        self._games.append(game)

    def _ask(self, game: Game, name: str) -> None:
        """Add an attribute; of an array also the contents, on which a value may depend."""
        super()._ask(game, name)
        if is_array_of(game, name):
            array = getattr(game, name)
            self.note("contents", array.dtype.str, array.shape)
            self._digest.update(array.tobytes())

    def _from_source(self, function: types.FunctionType, names: frozenset[str] | None) -> None:
        self.note("function", function.__module__, function.__qualname__)
        if is_library_function(function):
            return
        try:
            words = words_of(textwrap.dedent(inspect.getsource(function)))
        except (OSError, TypeError, tokenize.TokenError, SyntaxError):
            raise Unsuitable(
                f"the source of {function.__qualname__} cannot be read: keep the rules in a file"
            ) from None
        self.functions.append(function)
        self.note("source", *words)
        plain = {word.strip("'\"") for word in words}
        used = frozenset(word for word in plain if word.isidentifier() and not keyword.iskeyword(word))
        self.mentioned |= used
        for defaults in (function.__defaults__, function.__kwdefaults__):
            self.add(tuple(defaults.items()) if isinstance(defaults, dict) else defaults, used)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self.note("cell", name)
            if (contents := _contents(cell)) is not MISSING:
                self.add(contents, used)
        for name in sorted(used):
            value: Any = function.__globals__.get(name, MISSING)
            if value is not MISSING:
                self.note("global", name)
                self.add(value, used)


_ANNOTATIONS = types.GenericAlias | types.UnionType | typing.TypeVar
"""Types in annotations, which are part of the source."""

_SourceWalk._KINDS = (
    (_ANNOTATIONS, Walk._told),
    *(
        (kinds, _SourceWalk._from_source if kinds is types.FunctionType else method)
        for kinds, method in Walk._KINDS
    ),
)
