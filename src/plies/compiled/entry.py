"""The entry of a kernel: a function of two pointers that unpacks the arguments and packs the result.

It takes the place of Numba's wrapper for Python, so that `loader.py` can call a kernel without Numba.
"""

from __future__ import annotations

import functools
import struct
from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba import types

from plies.compiled.arrays import WorkspaceType, words_of
from plies.compiled.attributes import WORD, filled_array
from plies.compiled.dependencies import dependencies_named
from plies.compiled.game_type import GameType, arrays_of, games_of
from plies.game import Game

WORDS = WORD.as_pointer()


class Undescribed(Exception):
    """Raised for a type that has no words."""


# -- Descriptions, as `loader.py` reads them.


def described(typ: Any, value: Any = None) -> list[Any]:
    """How an argument or a result of a type stands in words; `value` is an example of an argument."""
    if isinstance(typ, types.Boolean):
        return ["bool"]
    if isinstance(typ, types.Integer):
        return ["q" if typ.signed else "Q"]
    if isinstance(typ, types.Float):
        return ["d"]
    if isinstance(typ, types.NoneType):
        return ["none"]
    if isinstance(typ, types.BaseTuple) and not (value is None and isinstance(typ, types.BaseNamedTuple)):
        items = value or (None,) * len(typ)
        return ["tuple", *(described(one, item) for one, item in zip(typ.types, items, strict=True))]
    if value is None:
        raise Undescribed(typ)  # a result
    if isinstance(typ, types.Record):
        return ["record"]
    if isinstance(typ, types.Array) and typ.layout == "C" and typ.ndim in (1, 2):
        return ["array", value.dtype.str, value.ndim]
    if isinstance(typ, WorkspaceType):
        return ["workspace", typ.layout]
    if isinstance(typ, GameType):
        return ["game", _arrays(value, typ)]
    raise Undescribed(typ)


def _arrays(game: Game, typ: GameType) -> list[Any]:
    """The arrays behind a game's pointer: the path to each, and its type."""
    dependencies = dependencies_named(typ.fingerprint)
    words = words_of(arrays_of(game, dependencies), games_of(game, dependencies))
    paths = [path for path, _, axis in words if axis is None]
    arrays: list[Any] = [functools.reduce(getattr, path, game) for path in paths]
    return [[path, array.dtype.str, array.ndim] for path, array in zip(paths, arrays, strict=True)]


# -- Code.


@dataclass(frozen=True)
class Entry:
    """The entry of a kernel."""

    function: str
    """The qualified name of the kernel's function."""
    name: str
    """The entry's own name in object code."""

    def emit(self, context: Any, library: Any, fndesc: Any) -> None:
        """Add it to the library of the function, given by its descriptor."""
        described(fndesc.restype)  # or raise `Undescribed`
        module = context.create_module(self.name)
        kind = context.call_conv.get_function_type(fndesc.restype, fndesc.argtypes)
        callee = ir.Function(module, kind, fndesc.llvm_func_name)
        entry = ir.Function(module, ir.FunctionType(ir.IntType(32), [WORDS, WORDS]), self.name)
        builder = ir.IRBuilder(entry.append_basic_block())
        words = _Words(builder, entry.args[0])
        args = [_unpacked(context, builder, typ, words) for typ in fndesc.argtypes]
        status, result = context.call_conv.call_function(
            builder, callee, fndesc.restype, fndesc.argtypes, args
        )
        with builder.if_else(status.is_ok) as (returned, raised):
            with returned:
                _pack(builder, fndesc.restype, result, _Words(builder, entry.args[1]))
            with raised:
                builder.store(builder.ptrtoint(status.excinfoptr, WORD), entry.args[1])
        builder.ret(status.code)
        library.add_ir_module(module)


class _Words:
    """A place in a list of words, which moves on."""

    def __init__(self, builder: Any, start: Any) -> None:
        self.builder = builder
        self.start = start
        self.place = 0

    def next(self) -> Any:
        """The address of the next word."""
        self.place += 1
        return self.builder.gep(self.start, [ir.Constant(WORD, self.place - 1)])


def _unpacked(context: Any, builder: Any, typ: Any, words: _Words) -> Any:
    """The value of an argument."""
    if isinstance(typ, types.BaseTuple):
        items = [_unpacked(context, builder, item, words) for item in typ.types]
        return context.make_tuple(builder, typ, items)
    word = builder.load(words.next())
    kind = context.get_value_type(typ)
    if isinstance(typ, types.Boolean):
        return builder.icmp_unsigned("!=", word, ir.Constant(WORD, 0))
    if isinstance(typ, types.Integer):
        return word if typ.bitwidth == WORD.width else builder.trunc(word, kind)
    if isinstance(typ, types.Float):
        number = builder.bitcast(word, ir.DoubleType())
        return number if typ.bitwidth == WORD.width else builder.fptrunc(number, kind)
    if isinstance(typ, types.Array):
        return filled_array(context, builder, typ, builder.inttoptr(word, WORDS), 0)
    if isinstance(kind, ir.PointerType):  # a record, or an object with arrays
        return builder.inttoptr(word, kind)
    return ir.Constant(kind, None)  # a game without arrays, which has no contents


def _pack(builder: Any, typ: Any, value: Any, words: _Words) -> None:
    """Store a result."""
    if isinstance(typ, types.NoneType):
        return
    if isinstance(typ, types.BaseTuple):
        for i, item in enumerate(typ.types):
            _pack(builder, item, builder.extract_value(value, i), words)
        return
    if isinstance(typ, types.Float):
        number = value if typ.bitwidth == WORD.width else builder.fpext(value, ir.DoubleType())
        word = builder.bitcast(number, WORD)
    elif value.type.width == WORD.width:
        word = value
    else:
        signed = isinstance(typ, types.Integer) and typ.signed
        word = builder.sext(value, WORD) if signed else builder.zext(value, WORD)
    builder.store(word, words.next())


# -- Object code.

_SYMBOLS = 2  # the type of the section with the symbols of an ELF file


def undefined_symbols(code: bytes) -> list[str]:
    """What object code, as an ELF file of 64 bits, calls or reads of others."""
    sections, size, count = (*struct.unpack_from("<Q", code, 40), *struct.unpack_from("<HH", code, 58))
    headers = [struct.unpack_from("<IIQQQQIIQQ", code, sections + size * i) for i in range(count)]
    found = []
    for _, kind, _, _, offset, length, linked, _, _, step in headers:
        if kind == _SYMBOLS:
            names = headers[linked][4]
            for place in range(offset + step, offset + length, step):
                name, _, _, section = struct.unpack_from("<IBBH", code, place)
                if section == 0:
                    start = names + name
                    found.append(code[start : code.index(b"\0", start)].decode())
    return found
