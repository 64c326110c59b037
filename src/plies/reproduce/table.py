"""The table of all entries, and how they are found by their names."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from plies.errors import BadParameter
from plies.reproduce.entry import Entry

KINDS = ("perft", "positions", "values", "examples", "endings", "trees", "theory")
"""The files of entries, in the order in which they run."""


def all_entries() -> list[Entry]:
    """All entries, in the order in which they run."""
    return [entry for kind in KINDS for entry in import_module(f"plies.reproduce.{kind}").ENTRIES]


def find(words: Sequence[str] = (), *, everything: bool = False) -> list[Entry]:
    """The entries whose names have one of these words in them; without words, the quick set, or everything.

    A word that is the whole name of an entry stands for that entry alone.
    """
    entries = all_entries()
    if not words:
        return [entry for entry in entries if everything or entry.cost == "quick"]
    names = {entry.name for entry in entries}
    wanted: set[str] = set()
    for word in words:
        plain = "-".join(word.casefold().replace("_", " ").split())
        matching = {plain} & names or {name for name in names if plain and plain in name}
        if not matching:
            raise BadParameter(f"no entry has {word!r} in its name; --list shows them all")
        wanted |= matching
    return [entry for entry in entries if entry.name in wanted]
