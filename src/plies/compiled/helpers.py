"""Compiled forms of the plain functions that a rule calls: helpers in its own file or in another module."""

from __future__ import annotations

import types
from typing import Any

from numba import njit

from plies import bits
from plies.compiled.fingerprint import LIBRARIES

RULE_OPTIONS = {
    "error_model": "numpy",  # no test for division by zero at every division
    "no_cpython_wrapper": True,  # rules are called from kernels only
    "no_cfunc_wrapper": True,
    "forceinline": True,
}


def compiled_function(function: Any, made: dict[Any, Any] | None = None) -> Any:
    """A function as Numba compiles it, and likewise each plain function that it mentions."""
    made = {} if made is None else made
    if function not in made:
        scope = dict(function.__globals__)
        copy = types.FunctionType(
            function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
        )
        copy.__qualname__ = function.__qualname__
        made[function] = njit(**RULE_OPTIONS)(copy)
        for name in function.__code__.co_names:
            if name in scope:
                scope[name] = _compiled_value(scope[name], function.__code__.co_names, made)
    return made[function]


def _compiled_value(value: Any, names: tuple[str, ...], made: dict[Any, Any]) -> Any:
    if isinstance(value, types.FunctionType) and not _is_library(value.__module__):
        return compiled_function(value, made)
    if isinstance(value, types.ModuleType) and not _is_library(value.__name__):
        if value not in made:
            made[value] = types.ModuleType(value.__name__)
            for name in set(names) & vars(value).keys():
                setattr(made[value], name, _compiled_value(vars(value)[name], names, made))
        return made[value]
    return value


def _is_library(module: str) -> bool:
    """Whether Numba knows what the functions of a module mean."""
    return module.partition(".")[0] in LIBRARIES or module == bits.__name__
