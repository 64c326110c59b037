"""A game as a Numba type: its rules are compiled methods of that type, its parameters constants.

NumPy arrays of the game are the exception: they are read when a kernel is called, so a game may have data
(weights, tables, a tree) that changes without compiling again.
"""

from __future__ import annotations

import types as python_types
from typing import Any, ClassVar

import numpy as np
from numba import typeof, types
from numba.core.errors import TypingError
from numba.extending import overload_attribute, typeof_impl

import plies.compiled.bit_operations
import plies.compiled.fence_operation
import plies.compiled.lane_operations
import plies.compiled.packing_operations
import plies.compiled.tuple_operations  # noqa: F401  (they register compiled meanings)
from plies.compiled.arrays import register_object, words_of
from plies.compiled.attributes import Attribute, Constant, HasMethod, Method, Unreadable
from plies.compiled.dependencies import (
    Dependencies,
    attribute_of,
    dependencies_named,
    dependencies_of,
    is_array_of,
    optional_rules,
)
from plies.compiled.jit import frozen, jit_function
from plies.compiled.numba_internals import Purpose
from plies.compiled.numba_messages import type_text
from plies.game import Game
from plies.validation import place_of, refuse_arrays


class GameType(types.Type):
    """The type of one game: one subclass and one instance for each fingerprint and type of states."""

    facts: ClassVar[dict[str, bool]] = {}
    """The boolean facts of the game, such as `cycles`."""
    given: ClassVar[frozenset[str]] = frozenset()
    """The rules that it defines."""

    def __init__(self, fingerprint: str, state: Any, number: int = 0) -> None:
        self.fingerprint = fingerprint
        self.state = state  # the type every state of this game has
        super().__init__(name=f"Game[{fingerprint}]" + (f"#{number}" if number else ""))

    def __reduce__(self) -> tuple[Any, ...]:
        return _game_type_named, (self.fingerprint,)  # what the disk cache stores: the name alone


_game_types: dict[tuple[str, Any], GameType] = {}
_latest: dict[str, GameType] = {}


def _game_type_named(fingerprint: str) -> GameType:
    return _latest.get(fingerprint) or GameType(fingerprint, None)


def game_type(game: Game, fingerprint: str) -> GameType:
    """The Numba type of a game, made on first use."""
    state = game.initial()
    refuse_arrays(game, state)
    if trouble := unfit(state, "the state"):
        raise TypingError(f"{trouble} ({place_of(game, 'initial')})")
    state_type = typeof(state)
    if (fingerprint, state_type) not in _game_types:
        # The class of the states may have been redefined, as by a notebook cell that is run twice.
        number = sum(name == fingerprint for name, _ in _game_types)
        cls = type(f"GameType_{fingerprint}_{number}", (GameType,), {})
        typ: GameType = cls(fingerprint, state_type, number)
        _register(cls, game, dependencies_named(fingerprint))
        _game_types[fingerprint, state_type] = typ
    _latest[fingerprint] = _game_types[fingerprint, state_type]
    return _latest[fingerprint]


def unfit(value: Any, what: str) -> str:
    """Why a value cannot be, or be part of, a state in compiled code, in words; "" if it can."""
    if isinstance(value, tuple):
        names = getattr(value, "_fields", range(len(value)))
        found = (unfit(item, f"field {name!r} of {what}") for name, item in zip(names, value, strict=True))
        return next(filter(None, found), "")
    if isinstance(value, bool | float | np.bool_ | np.integer | np.floating):
        return ""
    if isinstance(value, int):
        return "" if -(1 << 63) <= value < 1 << 64 else f"{what} has more than 64 bits; {_SEVERAL_WORDS}"
    kind = type(value).__name__
    shown = "None" if value is None else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
    return f"{what} is {shown}; {_INSTEAD.get(type(value), _NUMBERS)}"


_SEVERAL_WORDS = "make it a tuple of several ints, such as 60 cells in each"
_NUMBERS = "let a state be an int, a float, a bool or a tuple or NamedTuple of these"
_INSTEAD = {
    dict: "number its keys and make it a tuple with an item for each, or an int with a bit for each",
    set: "number what can be in it and make it an int with a bit for each (`plies.bits`)",
    frozenset: "number what can be in it and make it an int with a bit for each (`plies.bits`)",
    list: "make it a tuple, of the same length in every state",
    str: "make it a tuple of ints, or an int: `text` and `notation` are the place for letters",
    type(None): "use a number that means nothing else, such as -1",
}


def _register(cls: type[GameType], game: Game, dependencies: Dependencies) -> None:
    """Register the rules, the parameters and the arrays of a game with Numba."""
    made: dict[Any, Any] = {}  # the helpers that rules share
    attributes: dict[str, Attribute] = {}
    for name in sorted(dependencies.attributes):
        value = attribute_of(game, name, dependencies.without)
        if isinstance(value, Game | classmethod) or is_array_of(game, name):
            continue
        if isinstance(value, python_types.FunctionType):
            kind = StateMethod if name in ("initial", "result", "core", "state_at") else Method
            attributes[name] = kind(cls, name, jit_function(value, made))
        elif isinstance(value, staticmethod):
            attributes[name] = Method(cls, name, jit_function(value.__func__, made), static=True)
        elif isinstance(value, bool | int | float | np.number | np.bool_) and _fits(value):
            attributes[name] = Constant(value)
        elif words := _refusal(name, value):
            attributes[name] = Unreadable(words)
        else:
            _register_value(cls, name, frozen(value))
    cls.facts = {
        name: bool(one.value)
        for name, one in attributes.items()
        if isinstance(one, Constant) and isinstance(one.value, bool | np.bool_)
    }
    cls.given = frozenset(optional_rules(game)) - dependencies.without
    attributes["has"] = HasMethod(cls, "has", cls.given)
    register_object(cls, arrays_of(game, dependencies), games_of(game, dependencies), attributes)


def _fits(value: Any) -> bool:
    return not isinstance(value, int) or -(1 << 63) <= value < 1 << 64


def arrays_of(game: Game, dependencies: Dependencies) -> dict[str, Any]:
    """The arrays of a game that kernels read."""
    return {name: getattr(game, name) for name in sorted(dependencies.attributes) if is_array_of(game, name)}


def games_of(game: Game, dependencies: Dependencies) -> dict[str, Any]:
    """The nested games: their types, and the words of their lists of arrays."""
    found = {}
    for name in sorted(dependencies.attributes):
        value = attribute_of(game, name)
        if isinstance(value, Game):
            inner = dependencies_of(value, dependencies.mentioned)
            words = words_of(arrays_of(value, inner), games_of(value, inner))
            found[name] = game_type(value, inner.name), words
    return found


def _refusal(name: str, value: Any) -> str:
    """Why an attribute cannot be read in kernels, in words; "" if it can."""
    kind = type(value).__name__
    if isinstance(value, dict | list | set | frozenset):
        return f"`self.{name}` is a {kind}: make it a tuple, or a NumPy array, indexed by numbers"
    try:
        isinstance(value, python_types.ModuleType) or typeof(value, Purpose.constant)
    except ValueError:
        return f"`self.{name}` is a {kind}: use numbers, tuples and plain functions"
    return ""


def _register_value(cls: type[GameType], name: str, value: Any) -> None:
    """Register a constant that may be large, such as a tuple, as a function that holds it once."""
    overload_attribute(cls, name)(lambda self: lambda self: value)


class StateMethod(Method):
    """A rule that returns a state.

    Its result is converted to the one type of this game's states: a recursive kernel whose argument types
    differ between calls would crash when loaded from the disk cache.
    """

    def returned(self, holder: Any, given: Any) -> Any:
        check_convertible(holder.state, given, "a state")
        return holder.state

    def converted(self, context: Any, builder: Any, value: Any, given: Any, wanted: Any) -> Any:
        return _convert(context, builder, value, given, wanted)


def check_convertible(wanted: Any, given: Any, what: str) -> None:
    """Raise an error if the type that a rule returns cannot be converted to that of the game's states."""
    given = types.unliteral(given)
    if wanted == given:
        return
    if isinstance(wanted, types.BaseTuple) and isinstance(given, types.BaseTuple):
        same_class = getattr(wanted, "instance_class", tuple) is getattr(given, "instance_class", tuple)
        if same_class and len(wanted) == len(given):
            fields = getattr(wanted, "fields", range(len(wanted)))
            for name, one, other in zip(fields, wanted.types, given.types, strict=True):
                check_convertible(one, other, f"field {name!r}")
            return
    whole = (types.Integer, types.Boolean)
    if isinstance(wanted, types.Integer) and isinstance(given, whole):
        return
    if isinstance(wanted, types.Float) and isinstance(given, (*whole, types.Float)):
        return
    raise TypingError(
        f"{what} is {type_text(given)} after result() but {type_text(wanted)} in initial(); keep one type"
    )


def _convert(context: Any, builder: Any, value: Any, given: Any, wanted: Any) -> Any:
    if isinstance(wanted, types.BaseTuple):
        items = [
            _convert(context, builder, builder.extract_value(value, i), given.types[i], typ)
            for i, typ in enumerate(wanted.types)
        ]
        return context.make_tuple(builder, wanted, items)
    return context.cast(builder, value, given, wanted)


@typeof_impl.register(Game)
def _typeof_game(game: Game, context: Any) -> Any:
    from plies.compiled import fingerprint_of

    return game_type(game, fingerprint_of(game)[0])
