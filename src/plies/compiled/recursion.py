"""Spares Numba needless work on recursive kernels, which are the large ones.

To type a call of a function by itself, Numba types the whole function once more, leaving out such calls, and
that at every call and in every round. The answer is nearly always the same, so it is asked for once.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from numba.core.typeinfer import TypeInferer


class Unsettled(Exception):
    """What a recursive function was first thought to return is not what it returns in the end."""


@contextlib.contextmanager
def settled_return_types() -> Iterator[None]:
    """Take the first answer for what a recursive function returns; `Unsettled` if it was not the last."""
    partial, final = TypeInferer.return_types_from_partial, TypeInferer.get_return_type
    first: dict[Any, Any] = {}

    def return_types_from_partial(self: Any) -> Any:
        if first.get(self) is None:
            first[self] = partial(self)
        return first[self]

    def get_return_type(self: Any, typemap: Any) -> Any:
        found = final(self, typemap)
        if first.get(self, found) != found:
            raise Unsettled
        return found

    TypeInferer.return_types_from_partial = return_types_from_partial
    TypeInferer.get_return_type = get_return_type
    try:
        yield
    finally:
        TypeInferer.return_types_from_partial = partial
        TypeInferer.get_return_type = final
