"""The types of calls, each found once for a kernel.

To find the type of `x + y`, Numba tries dozens of meanings that `+` might have, at every `+`, in every round
of type inference and once more to make code. That took a fifth of a kernel's compile time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_known: ContextVar[dict[Any, Any] | None] = ContextVar("call_types", default=None)


@contextmanager
def remembered() -> Iterator[None]:
    """Within this context, remember the types of calls."""
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def call_type(function: Any, context: Any, args: tuple[Any, ...]) -> Any:
    """The signature of a function, given by its type, for arguments of these types."""
    known = _known.get()
    if known is None:
        return function.get_call_type(context, args, {})
    found = known.get((function, args))
    if found is None:
        found = function.get_call_type(context, args, {})
        if found is not None and found.return_type.is_precise():
            known[function, args] = found
    return found
