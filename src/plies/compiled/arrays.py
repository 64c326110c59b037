"""Objects that carry NumPy arrays into kernels as one pointer: games with data, and workspaces.

The pointer leads to a list of addresses and shapes, laid out when the kernel is called. The object outlives
the call, so no references need counting, and a recursion passes one word where an array would take seven.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import (
    NativeValue,
    intrinsic,
    models,
    overload,
    overload_attribute,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import carray

from plies.compiled.workspace import Workspace, prefetch

_word = ir.IntType(64)


class Argument:
    """The purpose that Numba's `typeof` is asked for: the type of an argument, not of a constant."""

    purpose = 2


class WorkspaceType(types.Type):
    """The type of workspaces with arrays of these names and types: one subclass for each layout."""

    def __init__(self, layout: tuple[tuple[str, str, int], ...]) -> None:
        self.layout = layout
        super().__init__(name=f"Workspace{layout}")

    def __reduce__(self) -> tuple[Any, ...]:
        return workspace_type, (self.layout,)


_workspace_types: dict[tuple[tuple[str, str, int], ...], WorkspaceType] = {}


def workspace_type(layout: tuple[tuple[str, str, int], ...]) -> WorkspaceType:
    """The Numba type of a workspace, made on first use."""
    if layout not in _workspace_types:
        cls = type(f"WorkspaceType_{len(_workspace_types)}", (WorkspaceType,), {})
        register_arrays(cls, {name: np.empty((0,) * ndim, dtype) for name, dtype, ndim in layout})
        _workspace_types[layout] = cls(layout)
    return _workspace_types[layout]


@typeof_impl.register(Workspace)
def _typeof_workspace(workspace, context):
    return workspace_type(workspace.layout)


def register_arrays(cls: type, arrays: dict[str, Any]) -> None:
    """Let the arrays of an object be read in kernels as attributes of its Numba type."""
    array_types = {}
    size = 0
    for name, array in arrays.items():
        array_types[name] = types.Array(typeof_impl(array, Argument()).dtype, array.ndim, "C")
        _register_array(cls, name, array_types[name], size)
        size += 1 + array.ndim

    if not arrays:
        register_model(cls)(_Empty)
        unbox(cls)(
            lambda typ, value, c: NativeValue(
                cgutils.create_struct_proxy(typ)(c.context, c.builder)._getvalue()
            )
        )
        return
    register_model(cls)(models.OpaqueModel)

    @unbox(cls)
    def unbox_arrays(typ, value, c):
        block = cgutils.alloca_once(c.builder, ir.ArrayType(_word, size))  # lives as long as the call
        failed = cgutils.false_bit
        words: list[Any] = []
        for name, array_type in array_types.items():
            attribute = c.pyapi.object_getattr_string(value, name)
            native = c.unbox(array_type, attribute)
            array = cgutils.create_struct_proxy(array_type)(c.context, c.builder, native.value)
            words.append(c.builder.ptrtoint(array.data, _word))
            words += [c.builder.extract_value(array.shape, axis) for axis in range(array_type.ndim)]
            c.context.nrt.decref(c.builder, array_type, native.value)
            c.pyapi.decref(attribute)
            failed = c.builder.or_(failed, native.is_error)
        for place, word in enumerate(words):
            c.builder.store(word, cgutils.gep_inbounds(c.builder, block, 0, place))
        return NativeValue(c.builder.bitcast(block, cgutils.voidptr_t), is_error=failed)


class _Empty(models.StructModel):
    def __init__(self, manager, typ):
        super().__init__(manager, typ, [])


def _unbox_empty(typ, value, c):
    return NativeValue(cgutils.create_struct_proxy(typ)(c.context, c.builder)._getvalue())


def _register_array(cls: type, name: str, array_type: Any, place: int) -> None:
    address = _reader(place, types.voidptr)
    dtype = array_type.dtype
    if array_type.ndim == 1:
        length = _reader(place + 1, types.intp)
        overload_attribute(cls, name)(lambda self: lambda self: carray(address(self), (length(self),), dtype))
    else:
        rows, columns = _reader(place + 1, types.intp), _reader(place + 2, types.intp)
        overload_attribute(cls, name)(
            lambda self: lambda self: carray(address(self), (rows(self), columns(self)), dtype)
        )


def _reader(place: int, typ: Any) -> Any:
    """A compiled function that reads one word of the list an object's pointer leads to."""

    @intrinsic
    def read(context, holder):
        def build(context, builder, signature, args):
            block = builder.bitcast(args[0], ir.PointerType(_word))
            word = builder.load(builder.gep(block, [ir.Constant(_word, place)]))
            return builder.inttoptr(word, cgutils.voidptr_t) if typ is types.voidptr else word

        return typ(holder), build

    return read


@intrinsic
def _prefetch(context, array, index):
    def build(context, builder, signature, args):
        data = cgutils.create_struct_proxy(array)(context, builder, args[0]).data
        address = builder.bitcast(builder.gep(data, [args[1]]), cgutils.voidptr_t)
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [cgutils.voidptr_t], kind)
        for_reading, keep, data_cache = (ir.Constant(number, n) for n in (0, 3, 1))
        builder.call(function, [address, for_reading, keep, data_cache])
        return context.get_dummy_value()

    return types.none(array, types.intp), build


overload(prefetch)(lambda array, index: lambda array, index: _prefetch(array, index))
