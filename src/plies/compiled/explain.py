"""Why a rule does not compile, in words: which rule, which line of whose file, and what about it."""

from __future__ import annotations

import inspect
import linecache
import re
from collections.abc import Iterator
from typing import Any

from numba import types

from plies.compiled.game_type import check_convertible
from plies.compiled.helpers import compiled_function
from plies.errors import NotCompilable
from plies.game import Game

# Lines of Numba's message that tell where it was, not what was wrong.
_NOISE = re.compile(
    r"^(During|File|Failed in|There (are|is)|- Of which|Of which|Overload |With argument|Rejected|raised from"
    r"|- Resolution|Return of: |None$|>>>|TypingError: Failed|<source elided>|def |\^|Enable |This error)"
)
_PLACE = re.compile(r'(?:File "|\bat |[Rr]aised from )([^"\n(]+?\.py)(?:", line | \()(\d+)')


def explain(error: Exception, game: Game, typ: Any) -> NotCompilable:
    """What to tell the writer of a game that an error came up in compiling."""
    for rule, function, signature in _rules(game, typ):
        try:
            compiled = compiled_function(function, {})
            compiled.compile(signature)
            if rule in ("initial", "result"):
                check_convertible(typ.state, compiled.nopython_signatures[0].return_type, "a state")
        except Exception as trouble:  # whatever Numba raised for this rule alone is what its writer must know
            return NotCompilable(_sentence(trouble, f"{type(game).__name__}.{rule}", function))
    return NotCompilable(f"{type(game).__name__} does not compile: {_reason(str(error))}")


def _rules(game: Game, typ: Any) -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """Each rule of a game that kernels call, with the types it is called with."""
    state, player = typ.state, types.int64
    yield "initial", type(game).initial, (typ,)
    for rule in ("to_move", "is_terminal"):
        yield rule, getattr(type(game), rule), (typ, state)
    for rule in ("utility", "evaluate"):
        yield rule, getattr(type(game), rule), (typ, state, player)
    for rule in ("actions", "chance", "noisy", "symmetries", "features", "key"):
        if rule == "actions" or game.has(rule):
            yield rule, getattr(type(game), rule), (typ, state)
    actions = compiled_function(type(game).actions, {})
    actions.compile((typ, state))  # known to work by now
    action = actions.nopython_signatures[0].return_type.iterator_type.yield_type
    for rule in ("result", "priority"):
        yield rule, getattr(type(game), rule), (typ, state, types.unliteral(action))


def _sentence(error: Exception, rule: str, function: Any) -> str:
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    file, line = inspect.getsourcefile(function) or "", function.__code__.co_firstlineno
    before = text
    for match in _PLACE.finditer(text):  # the innermost place comes first
        if "plies/compiled/" not in match[1] and "site-packages/" not in match[1]:
            line, before = int(match[2]), text[: match.start()]
            if not file.endswith(match[1].lstrip("./")):
                file = match[1]
            break
    code = linecache.getline(file, line).strip()
    return f"{rule} does not compile: {file}, line {line}: `{code}`: {_reason(before)}"


def _reason(text: str) -> str:
    """The line of a message that says what is wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not _NOISE.match(line)]
    reason = telling[-1] if telling else lines[-1] if lines else "no reason given"
    if reason.startswith("No implementation of function"):
        called = [line[4:] for line in lines if line.startswith(">>>")]
        return f"there is no compiled form of {called[-1] if called else reason}"
    return re.sub(r"^(TypingError|NameError): ", "", reason)
