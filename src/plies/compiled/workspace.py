"""A workspace: the arrays that a search works in, handed to kernels as one argument."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np


class Workspace:
    """Named arrays, each an attribute, of one or two dimensions and C order."""

    __slots__ = ("__dict__", "__weakref__", "block")
    block: Any
    """Where the arrays are, for calls of machine code: see `loader.py`."""

    def __init__(self, **arrays: np.ndarray[Any, Any]) -> None:
        self.block = None
        for name, array in arrays.items():
            setattr(self, name, np.ascontiguousarray(array))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> np.ndarray[Any, Any]: ...

        def __setattr__(self, name: str, array: Any) -> None: ...

    @property
    def layout(self) -> tuple[tuple[str, str, int], ...]:
        """Names and types, by which workspaces share machine code."""
        return tuple((name, array.dtype.str, array.ndim) for name, array in vars(self).items())


def prefetch(array: Any, index: int) -> None:
    """Prefetch an element into the cache; interpreted, this does nothing."""
