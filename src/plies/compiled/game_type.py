"""A game as a Numba type: its rules are compiled functions of that type, its parameters constants of it.

NumPy arrays on the game are the exception: they are read when a kernel is called, so a game may carry data
(weights, tables, a tree given by hand) that changes without compiling anew.
"""

from __future__ import annotations

import inspect
import types as python_types
from typing import Any

import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
from numba.extending import intrinsic, lower_builtin, overload_attribute, overload_method, typeof_impl

import plies.compiled.bit_operations  # noqa: F401  (registers the compiled meaning of plies.bits)
from plies.compiled.arrays import Argument, register_arrays, words_of
from plies.compiled.helpers import compiled_function
from plies.game import Game


class GameType(types.Type):
    """The type of one game: one subclass and one instance for each fingerprint."""

    def __init__(self, fingerprint: str, game: Game | None) -> None:
        self.fingerprint = fingerprint
        self.game = game
        self.state: Any = None  # the type every state of this game has
        super().__init__(name=f"Game[{fingerprint}]")

    def __reduce__(self) -> tuple[Any, ...]:
        return _game_type_named, (self.fingerprint,)  # what the disk cache stores: the name alone


_game_types: dict[str, GameType] = {}


def _game_type_named(fingerprint: str) -> GameType:
    return _game_types.get(fingerprint) or GameType(fingerprint, None)


def game_type(game: Game, fingerprint: str) -> GameType:
    """The Numba type of a game, made on first use."""
    if fingerprint not in _game_types:
        cls = type(f"GameType_{fingerprint}", (GameType,), {})
        typ: GameType = cls(fingerprint, game)
        typ.state = typeof_impl(game.initial(), Argument())
        _check_state_type(game, typ.state)
        _register(cls, game)
        _game_types[fingerprint] = typ
    return _game_types[fingerprint]


def _check_state_type(game: Game, typ: Any) -> None:
    allowed = (types.Integer, types.Float, types.Boolean, types.BaseTuple, types.Array)
    if not isinstance(typ, allowed):
        raise TypingError(f"a state is {typ}; ints, floats, bools, arrays and named tuples of these compile")
    if isinstance(typ, types.BaseTuple):
        for item in typ.types:
            _check_state_type(game, item)


def _register(cls: type[GameType], game: Game) -> None:
    """Tell Numba the rules, the parameters and the arrays of a game."""
    made: dict[Any, Any] = {}  # the helpers that rules share
    for name in _members(game):
        member = inspect.getattr_static(game, name)
        if isinstance(member, np.ndarray | Game):
            continue
        if isinstance(member, python_types.FunctionType | staticmethod):
            _register_rule(cls, name, member, made)
        else:
            _register_parameter(cls, name)
    register_arrays(cls, _arrays(game), _games(game))


def _members(game: Game) -> list[str]:
    return sorted(name for name in {*dir(type(game)), *vars(game)} if not name.startswith("__"))


def _arrays(game: Game) -> dict[str, Any]:
    found = {name: inspect.getattr_static(game, name) for name in _members(game)}
    return {name: value for name, value in found.items() if isinstance(value, np.ndarray)}


def _games(game: Game) -> dict[str, Any]:
    """The games that this one is made of: their types, and the words of their lists of arrays."""
    from plies.compiled import fingerprint_of

    found = {name: inspect.getattr_static(game, name) for name in _members(game)}
    inner = {name: value for name, value in found.items() if isinstance(value, Game)}
    return {
        name: (game_type(value, fingerprint_of(value)[0]), words_of(_arrays(value), _games(value)))
        for name, value in inner.items()
    }


def _register_rule(cls: type[GameType], name: str, member: Any, made: dict[Any, Any]) -> None:
    if isinstance(member, staticmethod):
        static = compiled_function(member.__func__, made)
        overload_method(cls, name)(lambda self, *args: lambda self, *args: static(*args))
        return
    rule = compiled_function(member, made)
    if name in ("initial", "result"):
        # Whatever the rule returns becomes the one type that states of this game have: a recursive kernel
        # whose argument types differ between calls would crash when loaded from the disk cache.
        overload_method(cls, name)(lambda self, *args: lambda self, *args: _as_state(self, rule(self, *args)))
    else:
        _register_call(cls, name, rule)


def _register_call(cls: type[GameType], name: str, rule: Any) -> None:
    """Have `game.name(…)` call a compiled rule without more ado.

    An `overload_method` would do as well, but compile a function that calls the rule, and for each set of
    options that callers are compiled with another.
    """

    class Method(AbstractTemplate):
        key = f"{cls.__name__}.{name}"
        this: Any

        def generic(self, args, kws):
            plain = [types.unliteral(arg) for arg in (self.this, *args)]
            return types.Dispatcher(rule).get_call_type(self.context, tuple(plain), kws).as_method()

    @infer_getattr
    class Attribute(AttributeTemplate):
        key = cls

        def generic_resolve(self, typ, attr):
            return types.BoundFunction(Method, typ) if attr == name else None

    @lower_builtin(Method.key, cls, types.VarArg(types.Any))
    def call(context, builder, signature, args):
        called = types.Dispatcher(rule)
        whole = called.get_call_type(context.typing_context, signature.args, {})
        function = context.get_function(called, whole)
        context.add_linking_libs(getattr(function, "libs", ()))
        return function(builder, args)


def _register_parameter(cls: type[GameType], name: str) -> None:
    @overload_attribute(cls, name)
    def parameter(self):
        value = getattr(self.game, name)
        return lambda self: value


@intrinsic
def _as_state(context, game, value):
    """Convert what a rule returned to the type that the game's states have."""
    wanted = game.state
    check_convertible(wanted, value, "a state")

    def build(context, builder, signature, args):
        return _convert(context, builder, args[1], value, wanted)

    return wanted(game, value), build


def check_convertible(wanted: Any, given: Any, what: str) -> None:
    """Raise, in words, where a value that a rule returned does not have the type a game's states have."""
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
    raise TypingError(f"{what} is {given} after result() but {wanted} in initial(); keep one type")


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
