"""Plots for those who measure: searches by depth, learning, matches, and speed. Matplotlib draws them."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec
from xml.sax.saxutils import escape

from plies.arena import Match
from plies.comparison import effective_branching_factor
from plies.engine import SearchResult
from plies.errors import BadParameter, PliesError

if TYPE_CHECKING:
    from plies.learn import Training

P = ParamSpec("P")

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#6b6b6b", "#e69f00")
"""Told apart by people who see colours differently, too (after Okabe and Ito) …"""
MARKERS = ("o", "s", "^", "D", "v", "P")
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1)), (0, (1, 1)))
"""… and besides, no two series have the same marks or the same lines."""

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
    """A file that a plot can be written to, refused before anybody waits for it."""
    path = Path(path)
    if path.suffix.lower() not in ENDINGS:
        raise PliesError(
            f"a plot is written to a file that ends in {' or '.join(ENDINGS)}, not to {str(path)!r}"
        )
    if not path.parent.is_dir():
        raise PliesError(f"{str(path)!r} cannot be written: there is no folder {str(path.parent)!r}")
    _matplotlib()
    return path


def _styled(draw: Callable[P, Plot]) -> Callable[P, Plot]:
    """Have a plot drawn in the style of all of them."""

    @functools.wraps(draw)
    def drawn(*args: P.args, **options: P.kwargs) -> Plot:
        with _matplotlib().rc_context(STYLE):
            return draw(*args, **options)

    return drawn


@_styled
def depths(searches: Iterable[SearchResult] | Mapping[str, Iterable[SearchResult]]) -> Plot:
    """Value, nodes and effective branching factor by depth, of what a search told after each depth.

    `searches` are the infos of one search, such as `engine.infos(state, limit)`, or several by their names.
    Of Monte Carlo tree search, value and depth by simulations.
    """
    series = {"": searches} if not isinstance(searches, Mapping) else searches
    told = {name: _growing(results) for name, results in series.items()}
    if not told or not all(told.values()):
        raise BadParameter("there is nothing to plot: a search has told nothing")
    simulated = any(results[-1].algorithm in ("mcts", "flat") for results in told.values())
    figure, axes = _figure(1, 2 if simulated else 3, 10, 3.4)
    for place, (name, results) in enumerate(told.items()):
        look = _look(place, name)
        if simulated:
            nodes = [found.nodes for found in results]
            axes[0].plot(nodes, [found.value.utility for found in results], **look)
            axes[1].plot(nodes, [found.depth for found in results], **look)
            continue
        plies = [found.depth for found in results]
        axes[0].plot(plies, [found.value.utility for found in results], **look)
        axes[1].plot(plies, [found.nodes for found in results], **look)
        axes[2].plot(plies, [effective_branching_factor(f.nodes, f.depth) for f in results], **look)
        proved = [found for found in results if found.value.proved]
        if proved:
            axes[0].plot(
                proved[0].depth, proved[0].value.utility, marker="*", markersize=13, color=look["color"],
                linestyle="", markeredgecolor="white", label=f"proved{f' ({name})' if name else ''}",
            )  # fmt: skip
    if simulated:
        _panel(axes[0], "Value to the player to move", "simulations")
        _panel(axes[1], "Depth of the best line", "simulations", "plies")
        for axis in axes:
            axis.set_xscale("log")
    else:
        _panel(axes[0], "Value to the player to move", "depth")
        _panel(axes[1], "Nodes, all depths together", "depth")
        _panel(axes[2], "Effective branching factor", "depth")
        axes[1].set_yscale("log")
        for axis in axes:
            axis.xaxis.get_major_locator().set_params(integer=True)
    if axes[0].get_legend_handles_labels()[0]:
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    last = {name: results[-1] for name, results in told.items()}
    words = "; ".join(
        f"{f'{name}: ' if name else ''}value {found.value} at depth {found.depth} after {found.nodes:,} nodes"
        for name, found in last.items()
    )
    return Plot(figure, f"A search by depth. {words}.")


@_styled
def learning(training: Training) -> Plot:
    """Points a game against each opponent, give or take two standard errors, by games of self-play."""
    if not training.measures:
        raise BadParameter("there is nothing to plot: nothing has been measured yet")
    figure, (axis,) = _figure(1, 1, 7, 4.2)
    games = [measure.games for measure in training.measures]
    told = []
    for place, name in enumerate(training.measures[0].points):
        means = [measure.points[name][0] for measure in training.measures]
        errors = [measure.points[name][1] for measure in training.measures]
        look = _look(place, f"against {OPPONENTS.get(name, name)}")
        axis.plot(games, means, **look)
        axis.fill_between(
            games,
            [mean - 2 * error for mean, error in zip(means, errors, strict=True)],
            [mean + 2 * error for mean, error in zip(means, errors, strict=True)],
            color=look["color"],
            alpha=0.15,
            linewidth=0,
        )
        told.append(f"{means[-1]:+.2f} {look['label']}")
    axis.axhline(0, color="#8a8a8a", linewidth=1)
    title = f"{training.game.name}, learned by self-play (seed {training.seed})"
    _panel(axis, title, "games of self-play", "points a game")
    axis.legend()
    return Plot(figure, f"{title}: after {games[-1]:,} games, points a game are {', '.join(told)}.")


OPPONENTS = {"random": "random play", "evaluation": "the game's evaluation"}
"""How the opponents of a training are called."""


@_styled
def matches(results: Match | Sequence[Match], title: str = "") -> Plot:
    """The first player's score in each match, with the interval of 95 %, and wins, draws and losses."""
    results = [results] if isinstance(results, Match) else list(results)
    if not results or not all(result.games for result in results):
        raise BadParameter("there is nothing to plot: a match has no games")
    figure, (scores, counts) = _figure(1, 2, 10, 1.4 + 0.62 * len(results), share_y=True)
    for place, result in enumerate(results):
        low, high = (100 * end for end in result.interval)
        scores.plot([low, high], [place, place], color=COLOURS[0], linewidth=3, solid_capstyle="butt")
        scores.plot(100 * result.score, place, "o", color=COLOURS[0], markersize=8, markeredgecolor="white")
        _note(scores, f"{result.score:.1%}", (100 * result.score, place), (0, 9), ha="center")
        left = 0
        parts = ((result.wins, COLOURS[0], "", "won"), (result.draws, "#d9d9d9", "", "drawn"))
        for count, colour, hatch, word in (*parts, (result.losses, "#f3c9ab", "///", "lost")):
            label = word if place == 0 else None
            counts.barh(
                place, count, left=left, color=colour, hatch=hatch, edgecolor="white", height=0.6, label=label
            )
            if count >= 0.06 * max(len(one.games) for one in results):
                paper = "none" if word == "won" else "white"
                counts.text(
                    left + count / 2, place, str(count), ha="center", va="center",
                    color="white" if word == "won" else "#222222",
                    bbox={"facecolor": paper, "edgecolor": "none", "pad": 1.2},
                )  # fmt: skip
            left += count
    scores.axvline(50, color="#8a8a8a", linewidth=1)
    scores.set(xlim=(-5, 105), ylim=(len(results) - 0.4, -0.6))
    names = [f"{first}\nagainst {second}" for first, second in (result.players for result in results)]
    scores.set_yticks(range(len(results)), names)
    for axis in (scores, counts):
        axis.grid(visible=False, axis="y")
        axis.tick_params(axis="y", length=0)
    _panel(scores, "Score, and where it lies with 95 % certainty", "percent of the points")
    _panel(counts, "Games", "games")
    counts.xaxis.get_major_locator().set_params(integer=True)
    counts.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3, borderaxespad=0.2, handlelength=1.2)
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
    words = "; ".join(
        f"{result.players[0]} against {result.players[1]}: {result.wins} won, {result.draws} drawn, "
        f"{result.losses} lost, {result.score:.1%}, from {result.interval[0]:.1%} to {result.interval[1]:.1%}"
        for result in results
    )
    return Plot(figure, f"{title}{': ' if title else ''}{words}.")


@_styled
def ratios(bars: Mapping[str, float], title: str, words: str = "") -> Plot:
    """How many times as fast as something else, on a scale on which twice and half are equally far from 1."""
    bars = {name: ratio for name, ratio in bars.items() if ratio > 0}
    if not bars:
        raise BadParameter("there is nothing to plot: there are no ratios")
    figure, (axis,) = _figure(1, 1, 8, 1.2 + 0.34 * len(bars))
    for place, (_, ratio) in enumerate(bars.items()):
        colour = COLOURS[0] if ratio >= 1 else COLOURS[1]
        axis.plot([1, ratio], [place, place], color=colour, linewidth=2.4, solid_capstyle="butt")
        axis.plot(ratio, place, "o" if ratio >= 1 else "s", color=colour, markersize=7)
        right = ratio >= 1
        side = (8, 0) if right else (-8, 0)
        _note(axis, f"{ratio:.3g} ×", (ratio, place), side, ha="left" if right else "right")
    axis.axvline(1, color="#8a8a8a", linewidth=1)
    axis.set_xscale("log")
    least, most = min(1, *bars.values()), max(1, *bars.values())
    room = (most / least) ** 0.16 * 1.25
    axis.set_xlim(least / room if least < 1 else 1 / room**0.3, most * room if most > 1 else room**0.3)
    ticks = [10.0**power * step for power in range(-6, 9) for step in (1, 2, 5)]
    lower, upper = axis.get_xlim()
    shown = [tick for tick in ticks if lower <= tick <= upper]
    if len(shown) > 8:
        shown = [tick for tick in shown if f"{tick:e}".startswith("1.0")]
    axis.set_xticks(shown, [f"{tick:g}" for tick in shown])
    axis.minorticks_off()
    axis.set_yticks(range(len(bars)), list(bars))
    axis.set_ylim(len(bars) - 0.4, -0.6)
    axis.grid(visible=False, axis="y")
    axis.tick_params(axis="y", length=0)
    _panel(axis, title, words or "times as fast")
    told = ", ".join(f"{name} {ratio:.3g}" for name, ratio in bars.items())
    return Plot(figure, f"{title}: {told}.")


# -- How all of them look.


def _growing(results: Iterable[SearchResult]) -> list[SearchResult]:
    """The last thing told at each depth, or for simulations at each number of them."""
    told: dict[int, SearchResult] = {}
    for found in results:
        if found.depth > 0:
            told[found.nodes if found.algorithm in ("mcts", "flat") else found.depth] = found
    return [told[key] for key in sorted(told)]


def _figure(
    rows: int, columns: int, width: float, height: float, *, share_y: bool = False
) -> tuple[Any, Any]:
    from matplotlib.figure import Figure  # not pyplot, which would keep every figure and choose a window

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharey=share_y)
    return figure, list(axes.flat)


def _look(place: int, name: str) -> dict[str, Any]:
    return {
        "color": COLOURS[place % len(COLOURS)],
        "marker": MARKERS[place % len(MARKERS)],
        "linestyle": LINES[place % len(LINES)],
        **({"label": name} if name else {}),
    }


def _note(axis: Any, text: str, at: tuple[float, float], away: tuple[float, float], ha: str) -> None:
    """Words beside a point, so many printer's points away from it."""
    axis.annotate(text, at, away, textcoords="offset points", ha=ha, va="bottom" if away[1] else "center")


def _panel(axis: Any, title: str, x: str, y: str = "") -> None:
    axis.set_title(title)
    axis.set_xlabel(x)
    axis.set_ylabel(y)


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise PliesError("plots are drawn by Matplotlib: pip install 'plies[plots]'") from None
    return matplotlib
