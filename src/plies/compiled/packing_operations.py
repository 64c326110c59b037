"""The compiled form of `plies.compiled.packing`: a load or a store for each number."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from plies.compiled.packing import read_state, write_state


@intrinsic
def _write(typing, state, row):
    def put(context: Any, builder: Any, typ: Any, value: Any, base: Any, place: int) -> int:
        if isinstance(typ, types.BaseTuple):
            for i, item in enumerate(typ.types):
                place = put(context, builder, item, builder.extract_value(value, i), base, place)
            return place
        _check(typ)
        word = context.cast(builder, value, typ, types.int64)
        builder.store(word, builder.gep(base, [context.get_constant(types.intp, place)]))
        return place + 1

    def build(context, builder, signature, args):
        array = context.make_array(row)(context, builder, args[1])
        put(context, builder, state, args[0], array.data, 0)
        return context.get_dummy_value()

    return types.void(state, row), build


@intrinsic
def _read(typing, like, row):
    def take(context: Any, builder: Any, typ: Any, base: Any, place: int) -> tuple[Any, int]:
        if isinstance(typ, types.BaseTuple):
            items = []
            for item in typ.types:
                value, place = take(context, builder, item, base, place)
                items.append(value)
            return context.make_tuple(builder, typ, items), place
        _check(typ)
        word = builder.load(builder.gep(base, [context.get_constant(types.intp, place)]))
        return context.cast(builder, word, types.int64, typ), place + 1

    def build(context, builder, signature, args):
        array = context.make_array(row)(context, builder, args[1])
        return take(context, builder, like, array.data, 0)[0]

    return like(like, row), build


def _check(typ: Any) -> None:
    if not isinstance(typ, types.Integer | types.Boolean):
        raise TypingError(f"a state that holds {typ} is no row of whole numbers")


overload(write_state)(lambda state, row: lambda state, row: _write(state, row))
overload(read_state)(lambda like, row: lambda like, row: _read(like, row))
