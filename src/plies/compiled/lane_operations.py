"""The compiled form of `plies.compiled.lanes`: loops over vectors, written in LLVM's own instructions."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from plies.compiled.lanes import LANES, add_rows, clipped_product
from plies.compiled.numba_internals import cgutils

_short, _int, _word = ir.IntType(16), ir.IntType(32), ir.IntType(64)
_vector, _wide = ir.VectorType(_short, LANES), ir.VectorType(_int, LANES)


class _Rows:
    """An array of rows of 16-bit numbers in the code that is built."""

    def __init__(self, context: Any, builder: Any, typ: Any, value: Any) -> None:
        array = context.make_array(typ)(context, builder, value)
        self.builder, self.data = builder, array.data
        self.units = builder.extract_value(array.shape, 1)

    def lanes(self, row: Any, block: Any) -> Any:
        """The address of the vector of a row that begins at its number `block`."""
        place = self.builder.add(self.builder.mul(row, self.units), block)
        return self.builder.bitcast(self.builder.gep(self.data, [place]), _vector.as_pointer())

    def load(self, row: Any, block: Any) -> Any:
        """That vector."""
        return self.builder.load(self.lanes(row, block), align=2)

    def blocks(self) -> Any:
        """A loop over the vectors of a row: where each begins."""
        start, step = ir.Constant(_word, 0), ir.Constant(_word, LANES)
        return cgutils.for_range_slice(self.builder, start, self.units, step, _word)


@intrinsic
def _add_rows(typing, sums, source, target, rows, added, more, removed, less):
    def build(context, builder, signature, args):
        kept, weights = (_Rows(context, builder, signature.args[i], args[i]) for i in (0, 3))
        lists = []
        for numbers, count, step in ((4, args[5], builder.add), (6, args[7], builder.sub)):
            array = context.make_array(signature.args[numbers])(context, builder, args[numbers])
            lists.append((array.data, count, step))
        total = cgutils.alloca_once(builder, _vector)
        with kept.blocks() as (block, _):
            builder.store(kept.load(args[1], block), total)
            for numbers, count, step in lists:
                with cgutils.for_range(builder, count, intp=_word) as loop:
                    number = builder.load(builder.gep(numbers, [loop.index]))
                    builder.store(step(builder.load(total), weights.load(number, block)), total)
            builder.store(builder.load(total), kept.lanes(args[2], block), align=2)
        return context.get_dummy_value()

    number = types.int64
    return types.void(sums, number, number, rows, added, number, removed, number), build


@intrinsic
def _clipped_product(typing, sums, row, most, weights, other):
    def build(context, builder, signature, args):
        kept, outward = (_Rows(context, builder, signature.args[i], args[i]) for i in (0, 3))
        none, nothing = ir.Constant(_vector, None), ir.Constant(_vector, ir.Undefined)
        limit = builder.insert_element(nothing, builder.trunc(args[2], _short), ir.Constant(_int, 0))
        limit = builder.shuffle_vector(limit, nothing, ir.Constant(_wide, None))
        total = cgutils.alloca_once(builder, _wide)
        builder.store(ir.Constant(_wide, None), total)
        with kept.blocks() as (block, _):
            lanes = kept.load(args[1], block)
            lanes = builder.select(builder.icmp_signed("<", lanes, none), none, lanes)
            lanes = builder.select(builder.icmp_signed(">", lanes, limit), limit, lanes)
            weights = outward.load(args[4], block)
            product = builder.mul(builder.sext(lanes, _wide), builder.sext(weights, _wide))
            builder.store(builder.add(builder.load(total), product), total)
        kind, name = ir.FunctionType(_int, [_wide]), f"llvm.vector.reduce.add.v{LANES}i32"
        reduce = cgutils.get_or_insert_function(builder.module, kind, name)
        return builder.sext(builder.call(reduce, [builder.load(total)]), _word)

    number = types.int64
    return number(sums, number, number, weights, number), build


overload(add_rows)(
    lambda sums, source, target, rows, added, more, removed, less: (
        lambda sums, source, target, rows, added, more, removed, less: _add_rows(
            sums, source, target, rows, added, more, removed, less
        )
    )
)
overload(clipped_product)(
    lambda sums, row, most, weights, other: (
        lambda sums, row, most, weights, other: _clipped_product(sums, row, most, weights, other)
    )
)
