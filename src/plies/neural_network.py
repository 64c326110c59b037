"""Small neural networks: one hidden layer between the encoding of a state and its value.

Games use one to evaluate states; `plies.learn` trains them. The output lies between -1 and 1.
"""

from __future__ import annotations

import json
import math
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plies.errors import PliesError

LARGEST = 1 << 28
"""The most bytes of all arrays of a file together: 64 million weights. Not tuned."""

MOST_ARRAYS = 100
"""The most arrays of a file. Not tuned; ours have about ten."""


@dataclass(frozen=True, eq=False)
class Network:
    """The weights of a network, as 32-bit floats."""

    inward: np.ndarray[Any, Any]
    """From the inputs to the hidden units: a row for each input."""
    biases: np.ndarray[Any, Any]
    """Of the hidden units."""
    outward: np.ndarray[Any, Any]
    """From each hidden unit to the output; the last is the output's bias."""
    about: str = ""
    """How it was trained, in words."""

    def value(self, inputs: np.ndarray[Any, Any]) -> float:
        """The output of the network."""
        hidden = self.biases.copy()
        return float(output(inputs, hidden, self.inward, self.outward))

    def save(self, path: str | Path) -> None:
        """Write the network to a file, atomically."""
        save_arrays(path, {"inward": self.inward, "biases": self.biases, "outward": self.outward}, self.about)


def load(path: str | Path) -> Network:
    """Read a network from a file."""
    arrays, about = load_arrays(path)
    try:
        inward, biases, outward = (arrays[name] for name in ("inward", "biases", "outward"))
    except KeyError as error:
        raise PliesError(f"{str(path)!r} holds no network: {error.args[0]!r} is missing") from None
    fits = inward.ndim == 2 and biases.shape == inward.shape[1:] and outward.shape == (len(biases) + 1,)
    if not fits:
        raise PliesError(f"{str(path)!r} holds no network: its arrays do not fit together")
    with np.errstate(over="ignore"):  # reported below
        weights = [np.ascontiguousarray(array, np.float32) for array in (inward, biases, outward)]
    if not all(np.isfinite(array).all() for array in weights):
        raise PliesError(f"{str(path)!r} holds no network: its weights are too large")
    inward, biases, outward = weights
    return Network(inward, biases, outward, about)


def save_arrays(path: str | Path, arrays: dict[str, Any], about: str = "") -> None:
    """Write arrays and a description to a file, atomically: a reader finds the old file or the new one."""
    path = Path(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            np.savez_compressed(file, about=np.array(about), **arrays)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise PliesError(f"{str(path)!r} cannot be written: {error.strerror}") from None


def load_arrays(path: str | Path) -> tuple[dict[str, Any], str]:
    """The arrays, of finite numbers, and the description in a file; nothing in it is run.

    A file is not trusted: sizes are checked before anything of that size is read.
    """
    try:
        if not Path(path).is_file():  # a pipe, or a device, may have no end
            raise PliesError(f"{str(path)!r} cannot be read: there is no such file")
        with open(path, "rb") as file, zipfile.ZipFile(file) as archive:
            arrays = dict(_members(archive))
    except PliesError:
        raise
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be read: {error.strerror or error}") from None
    except Exception as error:  # reading what is no archive of arrays may raise anything
        raise PliesError(f"{str(path)!r} holds no network: {_reason(error)}") from None
    about = arrays.pop("about", None)
    for name, array in arrays.items():
        if array.dtype.kind not in "fiu" or not np.isfinite(array).all():
            raise PliesError(f"{str(path)!r} holds no network: {name!r} is not made of finite numbers")
    return arrays, str(about) if about is not None and about.dtype.kind == "U" else ""


def _members(archive: zipfile.ZipFile) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """The arrays in an archive, by name; an error if they are too many or too large."""
    members = archive.infolist()
    if len(members) > MOST_ARRAYS or sum(info.file_size for info in members) > LARGEST:
        raise ValueError(f"it has more than {MOST_ARRAYS} arrays, or more than {LARGEST:,} bytes")
    for info in members:
        with archive.open(info) as file:
            version = np.lib.format.read_magic(file)
            if version not in HEADERS:
                raise ValueError("one of its arrays is of another version")
            shape, by_columns, dtype = HEADERS[version](file)
            size = math.prod(shape) * dtype.itemsize
            if dtype.kind not in "fiuU" or min(shape, default=0) < 0 or size != info.file_size - file.tell():
                raise ValueError("one of its arrays is not made of numbers, or not as large as it says")
            data = np.frombuffer(file.read(size), dtype).copy() if size else np.zeros(0, dtype)
        yield info.filename.removesuffix(".npy"), data.reshape(shape, order="F" if by_columns else "C")


HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
"""The functions that read an array's header, by version of NumPy's format."""


def _reason(error: Exception) -> str:
    """What is wrong with a file, in a few words."""
    return " ".join(str(error).split())[:100] or type(error).__name__


def described(**facts: Any) -> str:
    """Facts as a description that `facts_of` reads."""
    return json.dumps(facts)


def facts_of(about: str) -> dict[str, Any]:
    """The facts that `described` wrote; none if the description has another form."""
    try:
        found = json.loads(about)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def output(inputs: Any, hidden: Any, inward: Any, outward: Any) -> float:
    """The output for some inputs; `hidden` holds the biases before, and the activations after.

    Hidden units are x / (1 + |x|) (softsign), the output is a hyperbolic tangent.
    """
    for i in range(len(inputs)):
        given = inputs[i]
        if given != 0:
            for j in range(len(hidden)):
                hidden[j] += given * inward[i, j]
    one = np.float32(1)
    for j in range(len(hidden)):
        hidden[j] = hidden[j] / (one + abs(hidden[j]))
    total = np.float64(outward[len(hidden)])
    for j in range(len(hidden)):
        total += np.float64(hidden[j]) * np.float64(outward[j])
    return math.tanh(total)
