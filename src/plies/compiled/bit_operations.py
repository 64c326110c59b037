"""The compiled form of `plies.bits`: one machine instruction where there is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.extending import lower_builtin, register_jitable

from plies import bits
from plies.compiled.numba_internals import AbstractTemplate, ConcreteTemplate, infer_global, signature

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


_reversed = _llvm("llvm.bitreverse")

_leading_zeros = _llvm("llvm.ctlz", True)

_direct(bits.signed, 1, lambda builder, args: args[0])
_direct(bits.popcount, 1, _llvm("llvm.ctpop"))
_direct(bits.lowest, 1, _llvm("llvm.cttz", False))
_direct(bits.highest, 1, lambda builder, args: builder.xor(_leading_zeros(builder, args), _word(63)))
_direct(bits.swap_bytes, 1, _llvm("llvm.bswap"))
_direct(
    *(bits.reverse, 2),
    lambda builder, args: builder.lshr(_reversed(builder, args), builder.sub(_word(64), args[1])),
)
_direct(bits.left, 2, lambda builder, args: builder.shl(*args))
_direct(bits.right, 2, lambda builder, args: builder.lshr(*args))
_direct(bits.add, 2, lambda builder, args: builder.add(*args))  # overflow is defined, unlike that of +
_direct(bits.multiply, 2, lambda builder, args: builder.mul(*args))


# -- Hashes. They are made of instructions as well: a compiled function for each would take longer to compile
# than most rules. Each step is that of the function of the same name in `plies.bits`.


def _shifted(builder: Any, x: Any, n: int) -> Any:
    return builder.xor(x, builder.lshr(x, _word(n)))


def _mix(builder: Any, x: Any) -> Any:
    x = builder.add(x, _word(bits.GOLDEN))
    x = builder.mul(_shifted(builder, x, 30), _word(-4658895280553007687))
    x = builder.mul(_shifted(builder, x, 27), _word(-7723592293110705685))
    return _shifted(builder, x, 31)


def _check_number(builder: Any, x: Any) -> Any:
    x = builder.mul(builder.xor(x, _word(bits._CHECK_LEAF)), _word(bits._CHECK_ITEM))
    x = builder.mul(_shifted(builder, x, 29), _word(bits._CHECK_CHAIN))
    return _shifted(builder, x, 32)


def _check_chain(builder: Any, h: Any, item: Any) -> Any:
    h = builder.xor(builder.add(h, item), _word(bits._CHECK_ITEM))
    return _shifted(builder, builder.mul(h, _word(bits._CHECK_CHAIN)), 32)


_direct(bits.mix, 1, lambda builder, args: _mix(builder, *args))
_direct(bits._check_number, 1, lambda builder, args: _check_number(builder, *args))
_direct(bits.check_chain, 2, lambda builder, args: _check_chain(builder, *args))


def _number(context: Any, builder: Any, typ: Any, value: Any) -> Any:
    """A number as the word that is hashed."""
    if not isinstance(typ, types.Float):
        return context.cast(builder, value, typ, types.int64)
    positive = builder.fadd(context.cast(builder, value, typ, types.float64), ir.DoubleType()(0.0))
    return builder.bitcast(positive, _word)  # -0.0 has become 0.0


def _hashed(context: Any, builder: Any, typ: Any, value: Any) -> Any:
    if not isinstance(typ, types.BaseTuple):
        return _mix(builder, _number(context, builder, typ, value))
    h = _word(bits.mix(len(typ) ^ bits._TUPLE))
    for i, one in enumerate(typ.types):
        item = _hashed(context, builder, one, builder.extract_value(value, i))
        h = _mix(builder, builder.xor(h, item))
    return h


def _checked(context: Any, builder: Any, typ: Any, value: Any) -> Any:
    if isinstance(typ, types.Float):
        return _check_number(builder, builder.xor(_number(context, builder, typ, value), _word(1)))
    if not isinstance(typ, types.BaseTuple):
        return _check_number(builder, _number(context, builder, typ, value))
    h = _word(bits.multiply(len(typ) ^ bits._CHECK_TUPLE, bits._CHECK_CHAIN))
    for i, one in enumerate(typ.types):
        h = _check_chain(builder, h, _checked(context, builder, one, builder.extract_value(value, i)))
    return h


def _hash(function: Any, build: Callable[..., Any], refusal: str) -> None:
    """Have calls of a hash of numbers and tuples become instructions."""

    @infer_global(function)
    class Call(AbstractTemplate):
        key = function

        def generic(self, args, kws):
            if len(args) != 1 or kws:
                return None
            if stranger := _stranger(args[0]):
                raise TypingError(refusal.format(stranger))
            return signature(types.int64, types.unliteral(args[0]))

    @lower_builtin(function, types.Any)
    def call(context, builder, sig, args):
        return build(context, builder, sig.args[0], args[0])


def _stranger(typ: Any) -> Any:
    """What is neither a number nor a tuple of numbers in a type."""
    if isinstance(typ, types.BaseTuple):
        return next(filter(None, map(_stranger, typ.types)), None)
    return None if isinstance(typ, types.Integer | types.Boolean | types.Float) else typ


_hash(bits.hash64, _hashed, "a state holding {} needs a key() of its own to compile")
_hash(bits.check64, _checked, "a state holding {} has no verification key")

register_jitable(bits.indices)
