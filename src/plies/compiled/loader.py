"""Machine code in an entry of the disk cache, linked and called without Numba, which takes long to import.

It is object code with one function, `int entry(int64 *words, int64 *result)`, and a description of its words:
`entry.py` makes both. A number is one word, and a tuple the words of its items. An object with arrays is the
address of a block that has the address and the shape of each array.
"""

from __future__ import annotations

import ctypes
import functools
import json
import operator
import pickle
import struct
import sys
from collections.abc import Callable, Iterable
from typing import Any

import llvmlite.binding as llvm
import numpy as np

OWN_CODE = sys.platform == "linux" and struct.calcsize("P") == 8 and sys.byteorder == "little"
"""Whether kernels are linked and called by this module: elsewhere, in Numba's own way."""

SYSTEM = frozenset(
    (
        *("acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "exp", "exp2", "expm1", "fabs", "floor"),
        *("fmod", "log", "log10", "log1p", "log2", "memcpy", "memmove", "memset", "pow", "round", "sin"),
        *("sinh", "sqrt", "tan", "tanh", "trunc"),
    )
)
"""The functions of the C library that object code may call: what else it calls, only Numba has."""


# -- Linking.


@functools.cache
def _target() -> Any:
    """This machine, as LLVM knows it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    # LLVM finds functions of the C library only after an engine has opened the program itself.
    llvm.create_mcjit_compiler(llvm.parse_assembly(""), target.create_target_machine(jit=True))
    return target


def _linked(code: bytes) -> Any:
    """An execution engine with object code."""
    machine = _target().create_target_machine(jit=True)  # owned by the engine from now on
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


def can_link(symbols: Iterable[str]) -> bool:
    """Whether all that object code calls is there: LLVM ends the process if something is not."""
    _target()
    return all(name in SYSTEM and llvm.address_of_symbol(name) is not None for name in symbols)


def entry_name(code: str) -> str:
    """The name of the entry of a kernel whose machine code has this fingerprint."""
    return f"plies_entry_{code}"


def packed(note: dict[str, Any], code: bytes) -> bytes:
    """A description and object code as the contents of an entry of the disk cache."""
    return json.dumps(note).encode() + b"\n" + code


def load(content: bytes, code: str, loaded: bool = True) -> LoadedKernel | None:
    """The kernel of that fingerprint; None if it is another one, or calls what this system lacks."""
    note, _, machine_code = content.partition(b"\n")
    described = json.loads(note)
    if described["entry"] != entry_name(code) or not can_link(described["calls"]):
        return None
    return LoadedKernel(described, machine_code, loaded)


# -- Calling.


class LoadedKernel:
    """A kernel's machine code for one game and one set of argument types."""

    safe = True
    """Whether it can be loaded in another process: see `compiler.CompiledKernel`."""

    def __init__(self, note: dict[str, Any], code: bytes, loaded: bool) -> None:
        self.loaded = loaded
        """Whether it came from the disk."""
        self._engine = _linked(code)  # the code lives as long as this
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)  # lets go of Python's lock
        self._function = kind(self._engine.get_function_address(note["entry"]))
        self._writers = [_writer(description) for description in note["arguments"]]
        self._pack = struct.Struct("=" + "".join(map(_format, note["arguments"]))).pack
        self._format = struct.Struct("=" + (_format(note["result"]) or "q"))
        self._read = _reader(note["result"])
        self._size = self._format.size

    def __call__(self, *args: Any) -> Any:
        words: list[Any] = []
        alive: list[Any] = []
        try:
            for write, arg in zip(self._writers, args, strict=True):
                write(arg, words, alive)
            given = self._pack(*words)
        except (struct.error, ValueError, AttributeError) as error:
            raise TypeError(
                f"an argument is not of the type that this code was compiled for ({error})"
            ) from None
        result = ctypes.create_string_buffer(self._size)
        status = self._function(given, result)
        if status:
            raise _raised(status, result.raw)
        return self._read(iter(self._format.unpack(result.raw)))


Writer = Callable[[Any, list[Any], list[Any]], None]
"""Appends the words of an argument, and what must live as long as the call."""


def _format(description: Any) -> str:
    """The format of the words of an argument or a result, for `struct`."""
    match description:
        case ["tuple", *items]:
            return "".join(map(_format, items))
        case ["none"]:
            return ""
        case [("q" | "Q" | "d") as code]:
            return str(code)
    return "q"  # a bool, or an address


def _writer(description: Any) -> Writer:
    """What writes an argument as words."""
    match description:
        case ["tuple", *items]:
            return _tuple_writer(items)
        case ["bool"]:
            return lambda arg, words, alive: words.append(1 if arg else 0)
        case ["record"]:
            return lambda arg, words, alive: words.append(arg.address)
        case ["array", dtype, ndim]:
            return _block_writer([([], dtype, ndim)])
        case ["workspace", arrays]:
            return _workspace_writer(arrays)
        case ["game", arrays]:
            return _block_writer(arrays) if arrays else lambda arg, words, alive: words.append(0)
    return lambda arg, words, alive: words.append(arg)


def _tuple_writer(items: list[Any]) -> Writer:
    length, writers = len(items), [_writer(item) for item in items]
    plain = all(item in (["q"], ["Q"], ["d"]) for item in items)

    def write(arg: Any, words: list[Any], alive: list[Any]) -> None:
        if not isinstance(arg, tuple) or len(arg) != length:
            raise ValueError(f"{arg!r} is not a tuple of {length}")
        if plain:
            words.extend(arg)
        else:
            for writer, item in zip(writers, arg, strict=True):
                writer(item, words, alive)

    return write


def _block(arrays: list[Any], types: list[tuple[str, int]]) -> np.ndarray[Any, Any]:
    """The address and shape of each array, one after the other."""
    words: list[int] = []
    for array, (dtype, ndim) in zip(arrays, types, strict=True):
        if array.dtype.str != dtype or array.ndim != ndim or not array.flags.c_contiguous:
            raise ValueError(f"an array of {array.dtype} has another type or layout than at first")
        words += (array.ctypes.data, *array.shape)
    return np.array(words, np.int64)


def _block_writer(arrays: list[Any]) -> Writer:
    """What writes the address of a block for arrays at the end of paths of attributes.

    The last block is kept: to make one takes longer than a small search.
    """
    paths = [path for path, _, _ in arrays]
    types = [(dtype, ndim) for _, dtype, ndim in arrays]
    last: tuple[Any, ...] = [], [], None, 0

    def write(arg: Any, words: list[Any], alive: list[Any]) -> None:
        nonlocal last
        found = [functools.reduce(getattr, path, arg) for path in paths]
        shapes = [array.shape for array in found]
        known = last
        if shapes != known[1] or not all(map(operator.is_, found, known[0])):
            block = _block(found, types)
            last = known = found, shapes, block, block.ctypes.data
        alive.append(known)
        words.append(known[3])

    return write


def _workspace_writer(arrays: list[Any]) -> Writer:
    """What writes the address of a workspace's block, which is made again when it has a new array."""
    names = [name for name, _, _ in arrays]
    types = [(dtype, ndim) for _, dtype, ndim in arrays]

    def write(arg: Any, words: list[Any], alive: list[Any]) -> None:
        known = arg.block
        if known is None or known[0] is not names:
            found = [getattr(arg, name) for name in names]
            block = _block(found, types)
            known = arg.block = names, found, block, block.ctypes.data
        alive.append(known)
        words.append(known[3])

    return write


def _reader(description: Any) -> Callable[[Any], Any]:
    """What reads a result from its words."""
    match description:
        case ["tuple", *items]:
            readers = [_reader(item) for item in items]
            return lambda words: tuple(read(words) for read in readers)
        case ["bool"]:
            return lambda words: bool(next(words))
        case ["none"]:
            return lambda words: None
    return next


RAISED = 1
"""The status of a kernel in which something was raised. (Numba's `RETCODE_USEREXC`.)"""


class _Raised(ctypes.Structure):
    """How Numba describes an exception whose arguments are constants: a pickle of its class and these."""

    _fields_ = [("pickle", ctypes.c_void_p), ("size", ctypes.c_int32)]


def _raised(status: int, result: bytes) -> BaseException:
    """The exception raised in a kernel; its pickle is part of the machine code, and trusted like that."""
    (address,) = struct.unpack_from("=q", result)
    if status != RAISED or not address:
        return RuntimeError(f"machine code ended with status {status}")
    found = _Raised.from_address(address)
    kind, args, _ = pickle.loads(ctypes.string_at(found.pickle, found.size))
    error: BaseException = kind(*args) if kind else RuntimeError("no active exception to reraise")
    return error
