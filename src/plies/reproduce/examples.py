"""Published numbers of the games in `examples/`, which are there where the source is, not in the wheel."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from plies.reproduce.computing import result
from plies.reproduce.entry import Entry

EXAMPLES = Path(__file__).parents[3] / "examples"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "hex-value-5x5",
        "Hex 5x5, for the first player",
        "van Rijswijck",
        2002,
        "Queenbee's home page, cs.ualberta.ca/~queenbee: all opening moves on boards up to 6x6",
        "win",
        10,
        partial(result, f"{EXAMPLES}/hex.py:Hex", size=5),
    ),
    Entry(
        "domineering-value-7x7",
        "Domineering 7x7, for the first player",
        "Breuker, Uiterwijk & van den Herik",
        2000,
        "Solving 8x8 Domineering, Theoretical Computer Science 230",
        "win",
        20,
        partial(result, f"{EXAMPLES}/domineering.py:Domineering"),
    ),
)
"""Of Hex, that the first player wins is Nash's theorem as well: here it is proved move by move."""
if not EXAMPLES.is_dir():
    ENTRIES = ()
