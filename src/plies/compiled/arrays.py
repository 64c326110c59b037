"""Objects that carry NumPy arrays into kernels as one pointer: games with data, and workspaces.

The pointer leads to a list of addresses and shapes, laid out when the kernel is called. The object outlives
the call, so no references need counting, and a recursion passes one word where an array would take seven.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.extending import (
    NativeValue,
    intrinsic,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

from plies.compiled.attributes import (
    WORD,
    Array,
    Attribute,
    HasMethod,
    NestedGame,
    Unreadable,
    register_attributes,
)
from plies.compiled.numba_internals import cgutils
from plies.compiled.workspace import Record, Workspace, prefetch


class WorkspaceType(types.Type):
    """The type of workspaces with arrays of these names and types: one subclass for each layout."""

    facts: dict[str, bool] = {}  # a workspace has none: see pipeline.py
    given: frozenset[str]

    def __init__(self, layout: tuple[tuple[str, str, int], ...]) -> None:
        self.layout = layout
        super().__init__(name=f"Workspace{layout}")

    def __reduce__(self) -> tuple[Any, ...]:
        return workspace_type, (self.layout,)


_workspace_types: dict[tuple[tuple[str, str, int], ...], WorkspaceType] = {}


def workspace_type(layout: tuple[tuple[str, str, int], ...]) -> WorkspaceType:
    """The Numba type of a workspace, made on first use."""
    if layout not in _workspace_types:
        given = frozenset(name for name, _, _ in layout)
        cls = type(f"WorkspaceType_{len(_workspace_types)}", (WorkspaceType,), {"given": given})
        arrays = {name: np.empty((0,) * ndim, dtype) for name, dtype, ndim in layout}
        register_object(cls, arrays, {}, {"has": HasMethod(cls, "has", given)})
        _workspace_types[layout] = cls(layout)
    return _workspace_types[layout]


@typeof_impl.register(Workspace)
def _typeof_workspace(workspace, context):
    return workspace_type(workspace.layout)


@typeof_impl.register(Record)
def _typeof_record(record, context):
    return typeof(np.zeros(1, record.kind)[0])  # NumPy's own: both have their numbers at `data`


def register_object(
    cls: type, arrays: dict[str, Any], games: dict[str, Any], others: dict[str, Attribute]
) -> None:
    """Register an object's arrays, nested games and other attributes, so that kernels can read them.

    `games` are, by name, the Numba type of each nested game and the words of its own list, which is part of
    this one: see `words_of`.
    """
    attributes: dict[str, Attribute] = {}
    place = 0
    for name, array in arrays.items():
        if trouble := _unfit(array):
            attributes[name] = Unreadable(f"the array {name!r} of the game {trouble}")
            continue
        array_type = _array_type(array)
        attributes[name] = Array(array_type, place)
        place += 1 + array_type.ndim
    for name, (game_type, inner) in games.items():
        attributes[name] = NestedGame(game_type, place, len(inner))
        place += len(inner)
    register_attributes(cls, attributes | others)

    words = words_of(arrays, games)
    if not words:
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
        block = cgutils.alloca_once(c.builder, ir.ArrayType(WORD, len(words)))  # lives as long as the call
        failed = cgutils.false_bit
        for i, (path, array_type, axis) in enumerate(words):
            if axis is None:  # the address; the words of the shape follow
                holder = value
                for name in path:  # each is kept alive by its holder
                    holder = c.pyapi.object_getattr_string(holder, name)
                    c.pyapi.decref(holder)
                native = c.unbox(array_type, holder)
                array = cgutils.create_struct_proxy(array_type)(c.context, c.builder, native.value)
                c.context.nrt.decref(c.builder, array_type, native.value)
                failed = c.builder.or_(failed, native.is_error)
                word = c.builder.ptrtoint(array.data, WORD)
            else:
                word = c.builder.extract_value(array.shape, axis)
            c.builder.store(word, cgutils.gep_inbounds(c.builder, block, 0, i))
        return NativeValue(c.builder.bitcast(block, cgutils.voidptr_t), is_error=failed)


def words_of(arrays: dict[str, Any], games: dict[str, Any]) -> list[tuple[tuple[str, ...], Any, int | None]]:
    """The words behind an object's pointer: the path to the array, its type, and the axis; None: its
    address."""
    words: list[tuple[tuple[str, ...], Any, int | None]] = []
    for name, array in arrays.items():
        if _unfit(array):
            continue
        array_type = _array_type(array)
        words += [((name,), array_type, axis) for axis in (None, *range(array_type.ndim))]
    for name, (_, inner) in games.items():
        words += [((name, *path), array_type, axis) for path, array_type, axis in inner]
    return words


def _unfit(array: Any) -> str:
    """Why kernels cannot read an array, in words; "" if they can."""
    if array.ndim not in (1, 2):
        return f"has {array.ndim} dimensions; give it one or two"
    if not (array.flags.c_contiguous and array.flags.aligned):
        return "is not contiguous; store `np.ascontiguousarray(…)` of it"
    if array.dtype.hasobject or array.dtype.kind not in "biuf":
        return f"holds {array.dtype}; let it hold ints, floats or bools"
    return ""


def _array_type(array: Any) -> Any:
    return types.Array(typeof(array).dtype, array.ndim, "C")


class _Empty(models.StructModel):
    def __init__(self, manager, typ):
        super().__init__(manager, typ, [])


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
