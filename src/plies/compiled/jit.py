"""Compiled forms of kernels and rules, and of the functions that they call."""

from __future__ import annotations

import contextlib
import types
from typing import Any

import numpy as np
from numba import njit

from plies import bits, tuples
from plies.compiled import Kernel, copied, lanes, packing, workspace
from plies.compiled.fingerprint import is_library, is_library_function
from plies.compiled.number_operations import OWN
from plies.compiled.pipeline import Pipeline

KERNEL_OPTIONS = {
    "error_model": "numpy",  # no test for division by zero at every division
    "nogil": True,
    "no_cfunc_wrapper": True,  # kernels are not called from C
    "forceinline": False,  # not even those that rules or helpers call
    "pipeline_class": Pipeline,
}
"""Numba's options for kernels: searches run in threads, and so without the global lock."""

RULE_OPTIONS = {
    "error_model": "numpy",
    "no_cpython_wrapper": True,  # rules are called from kernels only
    "no_cfunc_wrapper": True,
    "forceinline": True,
    "pipeline_class": Pipeline,
}
"""Numba's options for rules and helpers, which become part of the kernel."""

APART_OPTIONS = RULE_OPTIONS | {"forceinline": False}  # or else it is that of the function that calls it
"""Numba's options for functions marked as `noinline`."""


def jit_kernel(kernel: Kernel, suffix: str) -> Any:
    """A kernel as Numba compiles it, under a name of its own."""
    return _compiled(kernel.function, KERNEL_OPTIONS, suffix, {})


def jit_function(function: Any, made: dict[Any, Any]) -> Any:
    """A rule as Numba compiles it; `made` are the helpers compiled so far for rules of the same game."""
    return _compiled(function, _rule_options(function), "", made)


def _rule_options(function: types.FunctionType) -> dict[str, Any]:
    """A rule or helper is inlined wherever it is called, unless it is marked as `noinline`."""
    return APART_OPTIONS if getattr(function, "noinline", False) else RULE_OPTIONS


def _compiled(
    function: types.FunctionType, options: dict[str, Any], suffix: str, made: dict[Any, Any]
) -> Any:
    """A function with its globals and closure compiled as well, as they are now."""
    if function not in made:
        scope = dict(function.__globals__)
        cells = tuple(types.CellType() for _ in function.__closure__ or ())
        copy = copied(function, scope, cells)
        copy.__qualname__ += suffix
        made[function] = njit(**options)(copy)
        names = function.__code__.co_names
        for name in names:
            if name not in scope:
                scope |= {name: OWN[name]} if name in OWN else {}
            else:
                scope[name] = _compiled_value(scope[name], names, suffix, made)
        for cell, before in zip(cells, function.__closure__ or (), strict=True):
            with contextlib.suppress(ValueError):  # a cell not filled yet
                cell.cell_contents = _compiled_value(before.cell_contents, names, suffix, made)
    return made[function]


def _compiled_value(value: Any, names: tuple[str, ...], suffix: str, made: dict[Any, Any]) -> Any:
    """A global as compiled code sees it: functions compiled, also those that are attributes of modules."""
    if isinstance(value, Kernel):
        return _compiled(value.function, KERNEL_OPTIONS, suffix, made)
    if isinstance(value, types.FunctionType) and not _is_known(value.__module__, value):
        return _compiled(value, _rule_options(value), suffix, made)
    if isinstance(value, types.ModuleType) and not _is_known(value.__name__):
        module = made.setdefault(value, types.ModuleType(value.__name__))
        for name in (set(names) & vars(value).keys()) - vars(module).keys():
            setattr(module, name, _compiled_value(vars(value)[name], names, suffix, made))
        return module
    return frozen(value)


def frozen(value: Any) -> Any:
    """A copy of a value as it is now: Numba may read constants much later."""
    if isinstance(value, np.ndarray):
        return value.copy(order="K")
    if isinstance(value, tuple) and any(isinstance(item, np.ndarray | tuple) for item in value):
        items = map(frozen, value)
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


def _is_known(module: str, function: types.FunctionType | None = None) -> bool:
    """Whether Numba has compiled forms of the functions of a module."""
    if module in (one.__name__ for one in (bits, tuples, workspace, packing, lanes)):
        return True
    return is_library(module) if function is None else is_library_function(function)
