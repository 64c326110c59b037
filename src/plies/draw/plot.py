"""How every plot looks, and where it goes: Matplotlib draws it, a file or a notebook shows it."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec
from xml.sax.saxutils import escape

from plies.draw.large_type import scale
from plies.errors import PliesError

P = ParamSpec("P")

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#6b6b6b", "#e69f00")
"""The colours of series, which colour-blind people can distinguish (after Okabe and Ito 2008)."""

MARKERS = ("o", "s", "^", "D", "v", "P")
"""The markers of series: no two have the same."""

LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1)), (0, (1, 1)))
"""The line styles of series: no two have the same."""

STYLE: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#8a8a8a",
    "axes.grid": True,
    "axes.labelcolor": "#222222",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "figure.facecolor": "white",
    "font.family": "sans-serif",
    "font.size": 10,
    "grid.color": "#e4e4e4",
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "svg.fonttype": "none",  # words stay words
    "svg.hashsalt": "plies",  # the same plot is the same file
    "xtick.color": "#444444",
    "ytick.color": "#444444",
}

ENDINGS = (".svg", ".png", ".pdf")


class Plot:
    """A drawing of Matplotlib's: `figure` is yours to change; a notebook shows it, a file keeps it."""

    def __init__(self, figure: Any, words: str) -> None:
        self.figure = figure
        self.words = words
        """What it shows, for those who cannot see it."""

    def save(self, path: str | Path) -> None:
        """Write the plot to a file, whose name ends in ".svg", ".png" or ".pdf"."""
        path = checked(path)
        try:
            path.write_bytes(self.svg.encode() if path.suffix.lower() == ".svg" else self._bytes(path.suffix))
        except OSError as error:
            raise PliesError(f"{str(path)!r} cannot be written: {error.strerror or error}") from None

    @property
    def svg(self) -> str:
        """The plot as SVG, with its words inside."""
        text = self._bytes(".svg").decode()
        begin = text.index(">", text.index("<svg")) + 1
        title = f'<title id="plies-plot">{escape(self.words)}</title>'
        shown = 'role="img" aria-labelledby="plies-plot" style="max-width: 100%; height: auto"'
        root = text[:begin].replace("<svg", f"<svg {shown}", 1)
        return root + title + text[begin:]

    def _repr_svg_(self) -> str:
        svg = self.svg
        return svg[svg.index("<svg") :]

    def _bytes(self, ending: str) -> bytes:
        kind = ending.lower().lstrip(".")
        date: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
        written = io.BytesIO()
        with _matplotlib().rc_context(STYLE):
            self.figure.savefig(written, format=kind, metadata=date, dpi=160)
        return written.getvalue()


def checked(path: str | Path) -> Path:
    """A file that a plot can be written to, checked before the work begins."""
    path = Path(path)
    if path.suffix.lower() not in ENDINGS:
        raise PliesError(
            f"a plot is written to a file that ends in {' or '.join(ENDINGS)}, not to {str(path)!r}"
        )
    if not path.parent.is_dir():
        raise PliesError(f"{str(path)!r} cannot be written: there is no folder {str(path.parent)!r}")
    _matplotlib()
    return path


def styled(draw: Callable[P, Plot]) -> Callable[P, Plot]:
    """Have a plot drawn in the style of all of them."""

    @functools.wraps(draw)
    def drawn(*args: P.args, **options: P.kwargs) -> Plot:
        with _matplotlib().rc_context(_style()):
            return draw(*args, **options)

    return drawn


def _style() -> dict[str, Any]:
    """The style of plots, with larger type and thicker lines within `large_type`."""
    sized = ("axes.titlesize", "font.size", "lines.linewidth", "lines.markersize")
    return STYLE | {name: scale() * STYLE[name] for name in sized}


def new_figure(
    rows: int, columns: int, width: float, height: float, *, share_y: bool = False
) -> tuple[Any, Any]:
    from matplotlib.figure import Figure  # not pyplot, which would keep every figure and choose a window

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharey=share_y)
    return figure, list(axes.flat)


def series_style(place: int, name: str) -> dict[str, Any]:
    return {
        "color": COLOURS[place % len(COLOURS)],
        "marker": MARKERS[place % len(MARKERS)],
        "linestyle": LINES[place % len(LINES)],
        **({"label": name} if name else {}),
    }


def note(axis: Any, text: str, at: tuple[float, float], away: tuple[float, float], ha: str) -> None:
    """A text beside a point, at a distance in typographic points."""
    axis.annotate(text, at, away, textcoords="offset points", ha=ha, va="bottom" if away[1] else "center")


def panel(axis: Any, title: str, x: str, y: str = "") -> None:
    axis.set_title(title)
    axis.set_xlabel(x)
    axis.set_ylabel(y)


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise PliesError("plots are drawn by Matplotlib: pip install 'plies[plots]'") from None
    return matplotlib
