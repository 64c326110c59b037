"""What a search works in, handed to kernels: a workspace of arrays, and a record of counters and settings."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np


class Workspace:
    """Named arrays, each an attribute, of one or two dimensions and C order."""

    __slots__ = ("__dict__", "__weakref__", "block")
    block: Any
    """Where the arrays are, for calls of machine code (see `loader.py`); None since one was replaced."""

    def __init__(self, **arrays: np.ndarray[Any, Any]) -> None:
        self.block = None
        for name, array in arrays.items():
            setattr(self, name, np.ascontiguousarray(array))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> np.ndarray[Any, Any]: ...

    def __setattr__(self, name: str, array: Any) -> None:
        super().__setattr__(name, array)
        if name != "block":
            super().__setattr__("block", None)

    def has(self, name: str) -> bool:
        """Whether there is an array of that name; if not, a kernel is compiled without what asks for it."""
        return name in vars(self)

    @property
    def layout(self) -> tuple[tuple[str, str, int], ...]:
        """Names and types, by which workspaces share machine code."""
        return tuple((name, array.dtype.str, array.ndim) for name, array in vars(self).items())


class Record:
    """Named numbers of 64 bits, whole or floating, each an attribute, which kernels read and write.

    NumPy's own records take microseconds to read one, and a small search reads a hundred.
    """

    __slots__ = ("address", "data", "floats", "integers")
    kind: ClassVar[np.dtype[Any]]
    """The names and types of the numbers."""

    def __init__(self) -> None:
        self.data = memoryview(bytearray(self.kind.itemsize))
        """The memory: compiled code looks for it here."""
        self.address: int = np.frombuffer(self.data, np.uint8).ctypes.data
        self.integers, self.floats = self.data.cast("q"), self.data.cast("d")

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def to_dict(self) -> dict[str, Any]:
        """The numbers by name."""
        return {name: getattr(self, name) for name in self.kind.names or ()}


@functools.cache
def record_type(kind: np.dtype[Any]) -> type[Record]:
    """The class of the records with these names and types."""
    members: dict[str, Any] = {"__slots__": (), "kind": kind}
    for place, name in enumerate(kind.names or ()):
        whole = kind[name] == np.int64
        assert whole or kind[name] == np.float64
        assert not hasattr(Record, name)
        members[name] = _integer(place) if whole else _float(place)
    return type("Record", (Record,), members)


def _integer(place: int) -> property:
    def write(record: Record, number: int) -> None:
        record.integers[place] = number

    return property(lambda record: record.integers[place], write)


def _float(place: int) -> property:
    def write(record: Record, number: float) -> None:
        record.floats[place] = number

    return property(lambda record: record.floats[place], write)


def prefetch(array: Any, index: int) -> None:
    """Prefetch an element into the cache; interpreted, this does nothing."""
