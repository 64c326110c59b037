"""Compiled forms of kernels and rules, and of the plain functions that these call in turn."""

from __future__ import annotations

import types
from typing import Any

from numba import njit

from plies import bits
from plies.compiled import Kernel, copied, workspace
from plies.compiled.fingerprint import LIBRARIES

KERNEL_OPTIONS = {
    "error_model": "numpy",  # no test for division by zero at every division
    "nogil": True,
}
RULE_OPTIONS = {
    "error_model": "numpy",
    "no_cpython_wrapper": True,  # rules are called from kernels only
    "no_cfunc_wrapper": True,
    "forceinline": True,
}
APART_OPTIONS = {name: value for name, value in RULE_OPTIONS.items() if name != "forceinline"}


def compiled_kernel(kernel: Kernel, suffix: str) -> Any:
    """A kernel as Numba compiles it, under a name of its own."""
    return _compiled(kernel.function, KERNEL_OPTIONS, suffix, {})


def compiled_function(function: Any, made: dict[Any, Any]) -> Any:
    """A rule as Numba compiles it; `made` are the helpers that rules of the same game have needed before."""
    return _compiled(function, _rule_options(function), "", made)


def _rule_options(function: types.FunctionType) -> dict[str, Any]:
    """A rule or helper becomes part of every function that calls it, unless it is marked as `apart`."""
    return APART_OPTIONS if getattr(function, "apart", False) else RULE_OPTIONS


def _compiled(
    function: types.FunctionType, options: dict[str, Any], suffix: str, made: dict[Any, Any]
) -> Any:
    if function not in made:
        scope = dict(function.__globals__)
        copy = copied(function, scope)
        copy.__qualname__ += suffix
        made[function] = njit(**options)(copy)
        for name in function.__code__.co_names:
            if name in scope:
                scope[name] = _compiled_value(scope[name], function.__code__.co_names, suffix, made)
    return made[function]


def _compiled_value(value: Any, names: tuple[str, ...], suffix: str, made: dict[Any, Any]) -> Any:
    """A global as compiled code sees it: functions compiled, also those that are attributes of modules."""
    if isinstance(value, Kernel):
        return _compiled(value.function, KERNEL_OPTIONS, suffix, made)
    if isinstance(value, types.FunctionType) and not _is_library(value.__module__):
        return _compiled(value, _rule_options(value), suffix, made)
    if isinstance(value, types.ModuleType) and not _is_library(value.__name__):
        module = made.setdefault(value, types.ModuleType(value.__name__))
        for name in (set(names) & vars(value).keys()) - vars(module).keys():
            setattr(module, name, _compiled_value(vars(value)[name], names, suffix, made))
        return module
    return value


def _is_library(module: str) -> bool:
    """Whether Numba knows what the functions of a module mean."""
    return module.partition(".")[0] in LIBRARIES or module in (bits.__name__, workspace.__name__)
