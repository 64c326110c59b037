"""A picture: SVG for a file, a notebook or a page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from plies.errors import PliesError


@dataclass(frozen=True)
class Picture:
    """A drawing as SVG; a notebook shows it as it is."""

    svg: str

    def __str__(self) -> str:
        return self.svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write the picture to a file, whose name ends in ".svg"."""
        write(path, self.svg, "a picture is", ".svg")


def write(path: str | Path, text: str, what: str, *suffixes: str) -> None:
    """Write a text to a file whose name ends in one of some suffixes; `what` begins the sentence if not."""
    path = Path(path)
    if path.suffix.lower() not in suffixes:
        raise PliesError(f"{what} written to a file that ends in {suffixes[0]}, not to {str(path)!r}")
    try:
        path.write_text(text, encoding="utf-8", errors="replace")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PliesError(f"{str(path)!r} cannot be written: {reason}") from None
