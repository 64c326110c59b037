"""What an analysis keeps in its checkpoint, and how it goes on from there.

The states and edges found are kept; values are found again, which takes about a fifth of the time.
"""

from __future__ import annotations

import hashlib
import math
from typing import Any

import numpy as np

from plies.game import CHANCE
from plies.retrograde.checkpoint import Checkpoint
from plies.retrograde.enumeration import FILL, UTILITIES, Enumeration, Part, run
from plies.retrograde.indexed import Maker, Numbering
from plies.retrograde.kernels import passes
from plies.retrograde.kernels.passes import NO_STATE
from plies.retrograde.layout import Array, Layout
from plies.retrograde.storage import Storage

Arrays = dict[str, Array]


# -- States that were reached.


def resume_enumeration(enumeration: Enumeration, checkpoint: Checkpoint, job: str) -> Arrays:
    """Go on with an enumeration where its checkpoint is, if there is one, and keep it there from now on.

    Returns the arrays that were kept: those of what comes after the enumeration as well.
    """
    digest = hashlib.blake2b(np.ascontiguousarray(enumeration.roots).tobytes(), digest_size=8).hexdigest()
    settings = f"threads={enumeration.threads}, fold={enumeration.fold}, roots={digest}"
    if (found := checkpoint.open(f"{job}, {settings}")) is not None:
        try:
            _restore(enumeration, *found)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError, _Nonsense):
            raise checkpoint.damaged("what it holds makes no sense") from None

    def keep(one: Enumeration) -> None:
        if checkpoint.due:
            checkpoint.save(*kept_enumeration(one))

    enumeration.keep = keep
    return {name: array for name, array in found[1].items() if name == "bounds"} if found else {}


class _Nonsense(Exception):
    """Raised where what was kept cannot be."""


def _require(condition: Any) -> None:
    if not condition:
        raise _Nonsense


def kept_enumeration(enumeration: Enumeration) -> tuple[dict[str, Any], Arrays]:
    layout, epoch = enumeration.layout, enumeration.layouts
    facts = {
        "low": layout.low,
        "seen": layout.seen,
        "epoch": epoch,
        "layers": enumeration.layers,
        "ends": enumeration.ends,
        "parts": [_facts_of(part) for part in enumeration.parts],
    }
    arrays: Arrays = {}
    for number, part in enumerate(enumeration.parts):
        name = f"{number}_{epoch}"
        arrays[f"states{name}"] = part.states[: part.n]
        arrays |= _edges_of(part, name)
    return facts, arrays


def resume_bounds(kept: Arrays, checkpoint: Checkpoint, begins: Array, order: Array, bounds: Array) -> int:
    """Write the bounds of values that were kept, two columns, state by state in order; returns how many
    components are done, which begin where `begins` says."""
    if "bounds" not in kept:
        return 0
    found = kept["bounds"]
    try:
        done = int(np.searchsorted(begins, len(found)))
        _require(found.dtype == np.float64 and found.ndim == 2 and found.shape[1] == 2)
        _require(done < len(begins) and begins[done] == len(found))
        low, high = bounds[:, 0].min(initial=0), bounds[:, 1].max(initial=0)
        _require(np.all((low <= found[:, 0]) & (found[:, 0] <= found[:, 1]) & (found[:, 1] <= high)))
    except (IndexError, _Nonsense):
        raise checkpoint.damaged("what it holds makes no sense") from None
    bounds[order[: len(found)]] = found
    return done


def _facts_of(part: Part) -> dict[str, Any]:
    return {"done": part.done, "utilities": part.work.utilities[: part.work.status[2]].tolist()}


def _edges_of(part: Part, name: str) -> Arrays:
    return {
        f"info{name}": part.info[: part.done],
        f"children{name}": part.children[: part.m],
        f"parents{name}": part.parents[: part.m],
    }


def _restore(enumeration: Enumeration, facts: dict[str, Any], arrays: Arrays) -> None:
    layout = Layout([int(low) for low in facts["low"]], [int(seen) for seen in facts["seen"]])
    _require(len(layout.low) == len(enumeration.layout.low))
    _require(all(-(1 << 63) <= low <= 0 for low in layout.low))
    threads, epoch = len(facts["parts"]), int(facts["epoch"])
    _require(threads in (1, enumeration.threads))
    parts = [enumeration.new_part(layout, threads) for _ in range(threads)]
    storage = enumeration.storage
    size = sum(array.nbytes for array in arrays.values())
    storage.on_disk = storage.disk is not None and 2 * size > storage.budget.bytes
    for number, (part, kept) in enumerate(zip(parts, facts["parts"], strict=True)):
        name = f"{number}_{epoch}"
        states = arrays[f"states{name}"]
        part.n = len(states)
        _require(states.dtype == np.int64 and states.shape == (part.n, layout.words))
        part.states = storage.moved(states)
        _restore_edges(part, kept, name, arrays, storage)
        size = len(part.slots)
        while part.n > FILL * size:
            size *= 2
        part.slots = np.zeros(size, np.int64)
        run(passes.rehash, part.states, part.n, part.slots, 65 - size.bit_length(), small=enumeration.small)
    _check_edges(parts)
    movers = {0, 1, CHANCE} if enumeration.game.stochastic else {0, 1}
    _require(all(set(np.unique(part.info[: part.done, 1]).tolist()) <= movers for part in parts))
    enumeration.layout, enumeration.layouts, enumeration.parts = layout, epoch, parts
    enumeration.layers = [int(layer) for layer in facts["layers"]]
    enumeration.ends = [int(end) for end in facts["ends"]]
    _require(sum(enumeration.layers) <= enumeration.count and min(enumeration.layers) >= 0)
    both = zip(parts, enumeration.ends, strict=True)
    _require(all(part.done <= end <= part.n for part, end in both))


def _restore_edges(part: Part, kept: dict[str, Any], name: str, arrays: Arrays, storage: Storage) -> None:
    """What `_facts_of` and `_edges_of` have kept of a part with n states."""
    part.done = int(kept["done"])
    info, children, parents = (arrays[f"{what}{name}"] for what in ("info", "children", "parents"))
    part.m = len(children)
    _require(0 <= part.done <= part.n and info.dtype == np.int16 and info.shape == (part.done, 4))
    _require(all(one.dtype == np.uint32 and one.shape == (part.m,) for one in (children, parents)))
    part.children, part.parents = storage.moved(children), storage.moved(parents)
    utilities = [float(utility) for utility in kept["utilities"]]
    _require(len(utilities) <= UTILITIES and all(map(math.isfinite, utilities)))
    part.work.utilities[: len(utilities)] = utilities
    part.work.status[2] = len(utilities)
    ends = info[(info[:, 0] == 0) & (info[:, 1] != NO_STATE)]
    _require(np.all(info[:, 0] >= 0) and np.all((ends[:, 2] >= 0) & (ends[:, 2] < len(utilities))))
    _require(np.all(info[:, 3] == 0))
    if len(part.info) < part.n:
        part.info = storage.grown(storage.moved(info), part.n)
    else:
        part.info[: part.done] = info


def _check_edges(parts: list[Part]) -> None:
    """Edges must be between states that there are."""
    sizes = np.array([part.n for part in parts])
    for part in parts:
        children, parents = part.children[: part.m], part.parents[: part.m]
        _require(part.m == 0 or int(children.max()) < part.n)
        _require(np.all(parents // len(parts) < sizes[parents % len(parts)]))


# -- States that are numbered.


def resume_maker(maker: Maker, checkpoint: Checkpoint, job: str) -> None:
    """Go on with stages where a checkpoint is, if there is one, and keep them there from now on."""
    found = checkpoint.open(f"{job}, threads={maker.threads}")
    checkpoint.check_room(maker.estimate.disk, f"{maker.ending or maker.game.name} takes about")
    if found is not None:
        try:
            _restore_stages(maker, *found)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError, _Nonsense):
            raise checkpoint.damaged("what it holds makes no sense") from None

    def keep(numbering: Numbering | None) -> None:
        if checkpoint.due:
            checkpoint.save(*_kept_stages(maker, numbering))

    maker.keep = keep


def _kept_stages(maker: Maker, numbering: Numbering | None) -> tuple[dict[str, Any], Arrays]:
    arrays: Arrays = {"codes": maker.codes[: maker.offset], "plies": maker.plies[: maker.offset]}
    parts = numbering.parts if numbering else []
    for number, part in enumerate(parts):
        assert part.exits is not None
        name = f"{number}_{maker.solved}"
        arrays |= {**_edges_of(part, name), f"exits{name}": part.exits[: part.done]}
    facts = {"solved": maker.solved, "worths": maker.worths, "parts": [_facts_of(part) for part in parts]}
    return facts, arrays


def _restore_stages(maker: Maker, facts: dict[str, Any], arrays: Arrays) -> None:
    solved, worths = int(facts["solved"]), [float(worth) for worth in facts["worths"]]
    _require(0 <= solved <= len(maker.stages))
    _require(len(worths) <= 2 * UTILITIES and all(map(math.isfinite, worths)))
    maker.solved, maker.worths = solved, worths
    codes, plies = arrays["codes"], arrays["plies"]
    _require(codes.dtype == plies.dtype == np.int16 and len(codes) == len(plies) == maker.offset)
    _require(np.all((codes >= -1) & (codes < len(worths))) and np.all(plies >= -1))
    maker.codes[: maker.offset], maker.plies[: maker.offset] = codes, plies
    if not facts["parts"]:
        return
    numbering = maker.begun()
    _require(len(facts["parts"]) == len(numbering.parts))
    for number, (part, kept) in enumerate(zip(numbering.parts, facts["parts"], strict=True)):
        name = f"{number}_{solved}"
        _restore_edges(part, kept, name, arrays, numbering.storage)
        exits = arrays[f"exits{name}"]
        assert part.exits is not None
        _require(exits.dtype == np.int16 and exits.shape == (part.done, 2) and np.all(exits >= 0))
        _require(np.all(exits[:, 0] <= part.work.status[2]))
        part.exits[: part.done] = exits
    _check_edges(numbering.parts)
    movers = {0, 1, NO_STATE}
    _require(all(set(np.unique(part.info[: part.done, 1]).tolist()) <= movers for part in numbering.parts))
    maker.numbering = numbering
