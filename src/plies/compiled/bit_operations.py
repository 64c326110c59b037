"""The compiled form of `plies.bits`: one machine instruction where there is one."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import literal_unroll, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload, register_jitable

from plies import bits

_word = ir.IntType(64)


def _unary(name: str, *flags: bool) -> Any:
    """A compiled function for an LLVM operation on one 64-bit word."""

    @intrinsic
    def operation(context, x):
        def build(context, builder, signature, args):
            kinds = [_word] + [ir.IntType(1)] * len(flags)
            function = builder.module.declare_intrinsic(name, [_word], ir.FunctionType(_word, kinds))
            return builder.call(function, [args[0], *(ir.Constant(ir.IntType(1), int(f)) for f in flags)])

        return types.int64(types.int64), build

    return operation


def _binary(name: str) -> Any:
    """A compiled function for an LLVM instruction on two 64-bit words, with defined overflow."""

    @intrinsic
    def operation(context, x, y):
        def build(context, builder, signature, args):
            return getattr(builder, name)(*args)

        return types.int64(types.int64, types.int64), build

    return operation


@intrinsic
def _float_bits(context, x):
    def build(context, builder, signature, args):
        return builder.bitcast(args[0], _word)

    return types.int64(types.float64), build


_count = _unary("llvm.ctpop")
_trailing_zeros = _unary("llvm.cttz", False)
_leading_zeros = _unary("llvm.ctlz", True)
_left, _right, _add, _multiply = _binary("shl"), _binary("lshr"), _binary("add"), _binary("mul")

overload(bits.signed)(lambda x: lambda x: np.int64(x))
overload(bits.popcount)(lambda x: lambda x: _count(np.int64(x)))
overload(bits.lowest)(lambda x: lambda x: _trailing_zeros(np.int64(x)))
overload(bits.highest)(lambda x: lambda x: 63 ^ _leading_zeros(np.int64(x)))
overload(bits.left)(lambda x, n: lambda x, n: _left(np.int64(x), np.int64(n)))
overload(bits.right)(lambda x, n: lambda x, n: _right(np.int64(x), np.int64(n)))
overload(bits.add)(lambda x, y: lambda x, y: _add(np.int64(x), np.int64(y)))
overload(bits.multiply)(lambda x, y: lambda x, y: _multiply(np.int64(x), np.int64(y)))

register_jitable(bits.mix)
register_jitable(bits.check_chain)
register_jitable(bits._check_number)
register_jitable(bits.indices)


@overload(bits.hash64)
def _hash64(value):
    if isinstance(value, types.Integer | types.Boolean):
        return lambda value: bits.mix(np.int64(value))
    if isinstance(value, types.Float):
        return lambda value: bits.mix(_float_bits(np.float64(value) + 0.0))
    if isinstance(value, types.BaseTuple):
        return _hash_tuple
    raise TypingError(f"a state holding {value} needs a key() of its own to compile")


def _hash_tuple(value):
    h = bits.mix(len(value) ^ bits._TUPLE)
    for item in literal_unroll(value):
        h = bits.mix(h ^ bits.hash64(item))
    return h


@overload(bits.check64)
def _check64(value):
    if isinstance(value, types.Integer | types.Boolean):
        return lambda value: bits._check_number(np.int64(value))
    if isinstance(value, types.Float):
        return lambda value: bits._check_number(_float_bits(np.float64(value) + 0.0) ^ 1)
    if isinstance(value, types.BaseTuple):
        return _check_tuple
    raise TypingError(f"a state holding {value} has no verification key")


def _check_tuple(value):
    h = bits.multiply(len(value) ^ bits._CHECK_TUPLE, bits._CHECK_CHAIN)
    for item in literal_unroll(value):
        h = bits.check_chain(h, bits.check64(item))
    return h
