"""The compiled form of `plies.tuples`."""

from __future__ import annotations

from numba import types
from numba.core.errors import TypingError
from numba.extending import overload

from plies import tuples
from plies.compiled.numba_internals import tuple_setitem


@overload(tuples.replaced)
def _replaced(items, index, item):
    if not isinstance(items, types.UniTuple):
        raise TypingError("replaced() is for tuples whose items are of one type")

    def replaced(items, index, item):
        if index < 0 or index >= len(items):  # tuple_setitem does not check
            raise IndexError("replaced() needs an index from 0 to the length of the tuple - 1")
        return tuple_setitem(items, index, item)

    return replaced
