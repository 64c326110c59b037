"""`min`, `max` and `int` of numbers in kernels and rules: instructions, where Numba compiles a function.

Of other arguments, such as tuples, they are Numba's own.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

from numba import types
from numba.extending import lower_builtin

from plies.compiled.numba_internals import AbstractTemplate, infer_global, signature

NUMBERS = types.Integer | types.Boolean | types.Float


def min(*args: Any) -> Any:
    """The least of some numbers."""
    return builtins.min(*args)


def max(*args: Any) -> Any:
    """The greatest of some numbers."""
    return builtins.max(*args)


def int(x: Any) -> Any:
    """A number without its fraction."""
    return builtins.int(x)


OWN = {"min": min, "max": max, "int": int}
"""By the names of Python's functions: those that compiled code calls."""


def _register(function: Any, python: Any, result: Any, build: Any) -> None:
    """Have calls of a function with numbers become instructions, and others those of Python's function."""

    @infer_global(function)
    class Call(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            typ = None if kws else result(self.context, *args)
            if typ is not None:
                return signature(typ, *args)
            return self.context.resolve_value_type(python).get_call_type(self.context, args, kws)

    @lower_builtin(function, types.VarArg(types.Any))
    def call(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if result(context.typing_context, *sig.args) is not None:
            return build(context, builder, sig, args)
        return context.get_function(context.typing_context.resolve_value_type(python), sig)(builder, args)


def _common(context: Any, *args: Any) -> Any:
    """The type of the least of some numbers, which are two at least; None of anything else."""
    plain = len(args) > 1 and all(isinstance(arg, NUMBERS) for arg in args)
    return context.unify_types(*args) if plain else None


def _chosen(comparison: Any) -> Any:
    """The instructions that choose a number: another takes the place of the first only if it is beyond."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        typ = sig.return_type
        is_beyond = context.get_function(comparison, signature(types.boolean, typ, typ))
        best, *others = (
            context.cast(builder, arg, given, typ) for arg, given in zip(args, sig.args, strict=True)
        )
        for other in others:
            best = builder.select(is_beyond(builder, (other, best)), other, best)
        return best

    return build


def _whole(context: Any, *args: Any) -> Any:
    """The type of a number without its fraction; None of anything else."""
    if len(args) != 1 or not isinstance(args[0], NUMBERS):
        return None
    return args[0] if isinstance(args[0], types.Integer) else types.intp


def _cast(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.cast(builder, args[0], sig.args[0], sig.return_type)


_register(min, builtins.min, _common, _chosen(operator.lt))
_register(max, builtins.max, _common, _chosen(operator.gt))
_register(int, builtins.int, _whole, _cast)
