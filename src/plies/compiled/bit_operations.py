"""The compiled form of `plies.bits`: one machine instruction where there is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import literal_unroll, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, lower_builtin, overload, register_jitable

from plies import bits
from plies.compiled.numba_internals import ConcreteTemplate, infer_global, signature

_word = ir.IntType(64)


Build = Callable[[Any, Any], Any]
"""Makes the instructions of a call, given a builder and the values of the arguments."""


def _direct(function: Any, arguments: int, build: Build) -> None:
    """Have calls of a function of words become instructions, without a compiled function for them."""
    words = [types.int64] * arguments

    @infer_global(function)
    class Call(ConcreteTemplate):
        key = function
        cases = [signature(types.int64, *words)]  # other numbers are converted, as by np.int64()

    lower_builtin(function, *words)(lambda context, builder, sig, args: build(builder, args))


def _llvm(name: str, *flags: bool) -> Build:
    """An LLVM operation on one 64-bit word."""

    def build(builder: Any, args: Any) -> Any:
        kinds = [_word] + [ir.IntType(1)] * len(flags)
        operation = builder.module.declare_intrinsic(name, [_word], ir.FunctionType(_word, kinds))
        return builder.call(operation, [args[0], *(ir.Constant(ir.IntType(1), int(f)) for f in flags)])

    return build


_leading_zeros = _llvm("llvm.ctlz", True)

_direct(bits.signed, 1, lambda builder, args: args[0])
_direct(bits.popcount, 1, _llvm("llvm.ctpop"))
_direct(bits.lowest, 1, _llvm("llvm.cttz", False))
_direct(bits.highest, 1, lambda builder, args: builder.xor(_leading_zeros(builder, args), _word(63)))
_direct(bits.left, 2, lambda builder, args: builder.shl(*args))
_direct(bits.right, 2, lambda builder, args: builder.lshr(*args))
_direct(bits.add, 2, lambda builder, args: builder.add(*args))  # overflow is defined, unlike that of +
_direct(bits.multiply, 2, lambda builder, args: builder.mul(*args))


@intrinsic
def _float_bits(context, x):
    def build(context, builder, signature, args):
        return builder.bitcast(args[0], _word)

    return types.int64(types.float64), build


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
