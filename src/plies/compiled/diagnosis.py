"""Why a rule does not compile, in words: the rule, the file and line, and the reason."""

from __future__ import annotations

import inspect
import linecache
import re
from types import FunctionType
from typing import Any

from numba import types

from plies import rules
from plies.compiled import rule_tried
from plies.compiled.dependencies import attribute_of
from plies.compiled.game_type import check_convertible
from plies.compiled.jit import jit_function
from plies.compiled.numba_messages import translate
from plies.errors import NotCompilable
from plies.game import Game
from plies.rules import Rule

_PLACE = re.compile(r'(?:File "|\bat |[Rr]aised from )([^"\n(]+?)(?:", line | \()(\d+)')


def diagnose(error: Exception, game: Game, typ: Any) -> NotCompilable:
    """The error for the author of a game that does not compile."""
    tried = rule_tried.get()
    for rule in rules.RULES:
        asked = game.has(rule.name) or not rule.optional if tried is None else rule.name == tried
        if asked and (words := _trouble(rule, game, typ)):
            return NotCompilable(words)
    if tried is not None:
        return NotCompilable(_sentence(error, f"{type(game).__name__}.{tried}", attribute_of(game, tried)))
    return NotCompilable(f"{type(game).__name__} does not compile: {translate(_plain(error))}")


def _trouble(rule: Rule, game: Game, typ: Any) -> str:
    """Why a rule does not compile by itself; "" if it does."""
    name = f"{type(game).__name__}.{rule.name}"
    function = attribute_of(game, rule.name)
    if isinstance(function, staticmethod):
        function = function.__func__
    if not isinstance(function, FunctionType):
        return f"{name} does not compile: it is not a plain method; take its decorator away"
    try:
        compiled = jit_function(function, {})
        compiled.compile((typ, *(_type_of(argument, game, typ) for argument in rule.arguments)))
        if rule.name in ("initial", "result", "null_move"):
            check_convertible(typ.state, compiled.nopython_signatures[0].return_type, "a state")
    except Exception as error:  # Numba may raise anything
        return _sentence(error, name, function)
    return ""


def _type_of(argument: str, game: Game, typ: Any) -> Any:
    """The type of a rule's argument."""
    if argument == "action":
        actions = jit_function(type(game).actions, {})
        actions.compile((typ, typ.state))
        returned = actions.nopython_signatures[0].return_type
        return types.unliteral(returned.iterator_type.yield_type)
    if argument == "into":
        return types.Array(types.float64, 1, "C")
    return typ.state if argument == "state" else types.int64


def _sentence(error: Exception, rule: str, function: Any) -> str:
    text = _plain(error)
    file, line = inspect.getsourcefile(function) or "", function.__code__.co_firstlineno
    before = text
    for match in _PLACE.finditer(text):  # the innermost place comes first
        if "plies/compiled/" not in match[1] and "site-packages/" not in match[1]:
            line, before = int(match[2]), text[: match.start()]
            if not file.endswith(match[1].lstrip("./")):
                file = match[1]
            break
    code = linecache.getline(file, line).strip()
    return f"{rule} does not compile: {file}, line {line}: `{code}`: {translate(before)}"


def _plain(error: Exception) -> str:
    """An error's message without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", str(error))
