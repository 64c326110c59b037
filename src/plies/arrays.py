"""Arrays of numbers that rules read: NumPy's, or tuples where NumPy is not installed, as in a browser.

Compiled code needs NumPy. Interpreted rules read a tuple just as well, if they turn what they read into an
`int` or a `float`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

try:
    import numpy as np
except ModuleNotFoundError as error:
    if error.name != "numpy":
        raise
    ARRAYS: tuple[Any, ...] = ()
    SCALARS: tuple[Any, ...] = ()
    NUMBERS: tuple[Any, ...] = (int, float)
    WHOLE: tuple[Any, ...] = (int,)

    class _Numbers(tuple[float, ...]):
        """A tuple that is known as an array by what arrays are known by."""

        def tolist(self) -> list[float]:
            return list(self)

    def integers(values: Iterable[int]) -> Any:
        """Whole numbers, to be read by rules."""
        return _Numbers(map(int, values))

    def floats(values: Iterable[float]) -> Any:
        """Numbers, to be read by rules."""
        return _Numbers(map(float, values))

else:
    ARRAYS = (np.ndarray,)
    SCALARS = (np.generic,)
    NUMBERS = (int, float, np.number, np.bool_)
    WHOLE = (int, np.integer)

    def integers(values: Iterable[int]) -> Any:
        """Whole numbers, to be read by rules."""
        return np.array(list(values), dtype=np.int64)

    def floats(values: Iterable[float]) -> Any:
        """Numbers, to be read by rules."""
        return np.array(list(values), dtype=np.float64)
