"""Plots for those who measure: searches by depth, learning, matches, speed, errors. Matplotlib draws them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from plies.arena import Match
from plies.book.algorithms import BookAlgorithm
from plies.book.alpha_beta import alpha_beta
from plies.book.recorder import Counts
from plies.book.repeated_play import RepeatedPlay
from plies.book.table import SCHEMES
from plies.book.transposition_table import transposition_table
from plies.comparison import effective_branching_factor
from plies.draw.plot import COLOURS, Plot, checked, new_figure, note, panel, series_style, styled
from plies.engine import SearchResult
from plies.engine.algorithms import counts_simulations
from plies.errors import BadParameter
from plies.game import Game
from plies.pathology import ErrorsByDepth, NoisyLeaves

if TYPE_CHECKING:
    from plies.learn import Training
    from plies.learn.generation import Generation

__all__ = [
    "Plot", "checked", "convergence", "curves", "depths", "errors", "generations", "learning", "matches",
    "noise", "ratios", "table_sizes",
]  # fmt: skip


@styled
def depths(searches: Iterable[SearchResult] | Mapping[str, Iterable[SearchResult]]) -> Plot:
    """Value, nodes and effective branching factor by depth, of a search's results after each depth.

    `searches` are the infos of one search, such as `engine.infos(state, limit)`, or several by their names.
    Of Monte Carlo tree search, value and depth by simulations.
    """
    series = {"": searches} if not isinstance(searches, Mapping) else searches
    told = {name: _growing(results) for name, results in series.items()}
    if not told or not all(told.values()):
        raise BadParameter("there is nothing to plot: a search has no results")
    simulated = any(counts_simulations(results[-1].algorithm) for results in told.values())
    figure, axes = new_figure(1, 2 if simulated else 3, 10, 3.4)
    for place, (name, results) in enumerate(told.items()):
        look = series_style(place, name)
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
        panel(axes[0], "Value to the player to move", "simulations")
        panel(axes[1], "Depth of the best line", "simulations", "plies")
        for axis in axes:
            axis.set_xscale("log")
    else:
        panel(axes[0], "Value to the player to move", "depth")
        panel(axes[1], "Nodes, all depths together", "depth")
        panel(axes[2], "Effective branching factor", "depth")
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


@styled
def learning(training: Training) -> Plot:
    """Points a game against each opponent, give or take two standard errors, by games of self-play."""
    if not training.measures:
        raise BadParameter("there is nothing to plot: nothing has been measured yet")
    figure, (axis,) = new_figure(1, 1, 7, 4.2)
    games = [measure.games for measure in training.measures]
    told = []
    for place, name in enumerate(training.measures[0].points):
        means = [measure.points[name][0] for measure in training.measures]
        errors = [measure.points[name][1] for measure in training.measures]
        look = series_style(place, f"against {OPPONENTS.get(name, name)}")
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
    panel(axis, title, "games of self-play", "points a game")
    axis.legend()
    return Plot(figure, f"{title}: after {games[-1]:,} games, points a game are {', '.join(told)}.")


@styled
def generations(made: Sequence[Generation]) -> Plot:
    """Ratings of a training's networks by generation, and how much of held-out positions they explain."""
    if not made:
        raise BadParameter("there is nothing to plot: no generation is complete yet")
    from plies.learn.generation import fit_of, rated_generations

    found = rated_generations(made)
    numbers, elo, margins = [one.number for one in made], found.elo[2:], found.margins[2:]
    figure, (ratings, fits) = new_figure(1, 2, 10, 3.6)
    look = series_style(0, "rating")
    ratings.errorbar(numbers, elo, yerr=margins, capsize=3, **look)
    kept = [(one.number, rating) for one, rating in zip(made, elo, strict=True) if one.kept]
    ratings.plot(
        [number for number, _ in kept], [rating for _, rating in kept], "o", color=COLOURS[0], label="kept"
    )
    if any("evaluation" in one.pool for one in made):
        ratings.axhline(found.elo[1], color=COLOURS[1], linewidth=1, label="the game's evaluation")
    ratings.legend()
    fits.plot(numbers, [100 * fit_of(one).explained for one in made], **series_style(0, ""))
    panel(ratings, "Rating; no evaluation is 0", "generation", "Elo")
    panel(fits, "Explained of held-out positions", "generation", "per cent")
    for axis in (ratings, fits):
        axis.xaxis.get_major_locator().set_params(integer=True)
    told = f"after {made[-1].number} generations {elo[-1]:+.0f} Elo, give or take {margins[-1]:.0f}"
    return Plot(figure, f"Networks by self-play: {told}, no evaluation being 0.")


OPPONENTS = {"random": "random play", "evaluation": "the game's evaluation"}
"""The opponents of a training, in words."""


@styled
def matches(results: Match | Sequence[Match], title: str = "") -> Plot:
    """The first player's score in each match, with the interval of 95 %, and wins, draws and losses."""
    results = [results] if isinstance(results, Match) else list(results)
    if not results or not all(result.games for result in results):
        raise BadParameter("there is nothing to plot: a match has no games")
    figure, (scores, counts) = new_figure(1, 2, 10, 1.4 + 0.62 * len(results), share_y=True)
    for place, result in enumerate(results):
        low, high = (100 * end for end in result.interval)
        scores.plot([low, high], [place, place], color=COLOURS[0], linewidth=3, solid_capstyle="butt")
        scores.plot(100 * result.score, place, "o", color=COLOURS[0], markersize=8, markeredgecolor="white")
        note(scores, f"{result.score:.1%}", (100 * result.score, place), (0, 9), ha="center")
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
    panel(scores, "Score, and where it lies with 95 % certainty", "percent of the points")
    panel(counts, "Games", "games")
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


@styled
def ratios(bars: Mapping[str, float], title: str, words: str = "") -> Plot:
    """How many times as fast as something else, on a scale on which twice and half are equally far from 1."""
    bars = {name: ratio for name, ratio in bars.items() if ratio > 0}
    if not bars:
        raise BadParameter("there is nothing to plot: there are no ratios")
    figure, (axis,) = new_figure(1, 1, 8, 1.2 + 0.34 * len(bars))
    for place, (_, ratio) in enumerate(bars.items()):
        colour = COLOURS[0] if ratio >= 1 else COLOURS[1]
        axis.plot([1, ratio], [place, place], color=colour, linewidth=2.4, solid_capstyle="butt")
        axis.plot(ratio, place, "o" if ratio >= 1 else "s", color=colour, markersize=7)
        right = ratio >= 1
        side = (8, 0) if right else (-8, 0)
        note(axis, f"{ratio:.3g} ×", (ratio, place), side, ha="left" if right else "right")
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
    panel(axis, title, words or "times as fast")
    told = ", ".join(f"{name} {ratio:.3g}" for name, ratio in bars.items())
    return Plot(figure, f"{title}: {told}.")


@styled
def curves(
    series: Mapping[str, Mapping[float, float]], title: str, x: str, y: str = "", *, log: str = ""
) -> Plot:
    """Numbers by another number, a curve for each name: `{"alpha-beta": {1: 8, 2: 20}}`.

    `log` names the axes with a logarithmic scale: "x", "y" or "xy".
    """
    if not series or not all(series.values()):
        raise BadParameter("there is nothing to plot: a curve has no points")
    if log not in ("", "x", "y", "xy"):
        raise BadParameter(f"log must be 'x', 'y' or 'xy', not {log!r}")
    figure, (axis,) = new_figure(1, 1, 7, 4.2)
    for place, (name, points) in enumerate(series.items()):
        axis.plot(list(points), list(points.values()), **series_style(place, name))
    if "x" in log:
        axis.set_xscale("log")
    elif all(float(place).is_integer() for points in series.values() for place in points):
        axis.xaxis.get_major_locator().set_params(integer=True)
    if "y" in log:
        axis.set_yscale("log")
    panel(axis, title, x, y)
    if any(series):
        figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    told = "; ".join(
        f"{f'{name}: ' if name else ''}{', '.join(f'{b:.4g} at {a:.4g}' for a, b in points.items())}"
        for name, points in series.items()
    )
    return Plot(figure, f"{title}. {told}.")


@styled
def convergence(plays: RepeatedPlay | Sequence[RepeatedPlay]) -> Plot:
    """Fictitious play or regret matching, round by round: the bounds close in on the value, the gap goes
    to 0.
    """
    runs = [plays] if isinstance(plays, RepeatedPlay) else list(plays)
    if not runs:
        raise BadParameter("there is nothing to plot: nothing has been played")
    figure, (bounds, gaps) = new_figure(1, 2, 10, 3.8)
    value = float(runs[0].game.value)
    for place, run in enumerate(runs):
        style = {**series_style(place, run.algorithm), "marker": ""}
        rounds = np.unique(np.geomspace(1, len(run), 400).astype(int))
        bounds.plot(rounds, run.upper[rounds - 1], **style)
        bounds.plot(rounds, run.lower[rounds - 1], **{**style, "label": None})
        gaps.plot(rounds, np.maximum(run.exploitability[rounds - 1], 1e-12), **style)
    bounds.axhline(value, color="#222222", linewidth=1, label=f"value {value:.4g}")
    panel(bounds, "What the averages are sure of", "rounds", "payoff")
    panel(gaps, "Exploitability", "rounds")
    for axis in (bounds, gaps):
        axis.set_xscale("log")
    gaps.set_yscale("log")
    figure.legend(*bounds.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    told = "; ".join(
        f"{run.algorithm}: from {run.lower[-1]:.4g} to {run.upper[-1]:.4g} after {len(run):,} rounds"
        for run in runs
    )
    return Plot(figure, f"The value is {value:.4g}. {told}.")


@styled
def errors(results: ErrorsByDepth | Sequence[ErrorsByDepth], title: str = "Wrong decisions by depth") -> Plot:
    """The share of wrong decisions by the depth of the search, with the interval of 95 %."""
    runs = [results] if isinstance(results, ErrorsByDepth) else list(results)
    if not runs:
        raise BadParameter("there is nothing to plot: nothing has been measured")
    figure, (axis,) = new_figure(1, 1, 7, 4.2)
    for place, run in enumerate(runs):
        style = series_style(place, run.title)
        plies, shares = list(run.errors), list(run.errors.values())
        axis.plot(plies, [100 * share.rate for share in shares], **style)
        low, high = ([100 * share.interval[end] for share in shares] for end in (0, 1))
        axis.fill_between(plies, low, high, color=style["color"], alpha=0.15, linewidth=0)
    axis.set_ylim(bottom=0)
    axis.xaxis.get_major_locator().set_params(integer=True)
    panel(axis, title, "depth in plies", "percent wrong")
    figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center")
    told = "; ".join(
        f"{run.title}: {', '.join(f'{share.rate:.1%} at {depth}' for depth, share in run.errors.items())}"
        for run in runs
    )
    return Plot(figure, f"{title}. {told}.")


@styled
def noise(result: NoisyLeaves) -> Plot:
    """How often each branch is truly the best, by the error of the leaves, with the interval of 95 %."""
    figure, (axis,) = new_figure(1, 1, 7, 4.2)
    sigmas = [sigma for sigma in result.best if sigma > 0]
    if not sigmas:
        raise BadParameter("there is nothing to plot: every sigma is 0")
    for place, name in enumerate(result.branches):
        style = series_style(place, f"{name}{' (what minimax takes)' if name == result.chosen else ''}")
        shares = [result.best[sigma][place] for sigma in sigmas]
        axis.plot(sigmas, [100 * share.rate for share in shares], **style)
        low, high = ([100 * share.interval[end] for share in shares] for end in (0, 1))
        axis.fill_between(sigmas, low, high, color=style["color"], alpha=0.15, linewidth=0)
    axis.set_xscale("log")
    axis.set_ylim(0, 100)
    panel(axis, "Which branch is truly the best", "standard deviation of the leaves", "percent of trials")
    axis.legend()
    told = "; ".join(
        f"sigma {sigma:g}: "
        + ", ".join(f"{name} {share.rate:.1%}" for name, share in zip(result.branches, shares, strict=True))
        for sigma, shares in result.best.items()
    )
    return Plot(figure, f"Minimax takes {result.chosen}; truly the best is, by {told}.")


def table_sizes(game: Game, sizes: Sequence[int], *, depth: int | None = None) -> Plot:
    """The nodes of alpha-beta with a transposition table by its size, for each scheme, and without a table.

    The searches are the book's, of the initial position, to a depth or to the end.
    """

    def nodes(search: BookAlgorithm, **options: Any) -> int:
        counts = Counts()
        search(game, depth=depth, trace=counts, **options)
        return counts.nodes

    series: dict[str, dict[float, float]] = {
        scheme: {size: nodes(transposition_table, size=size, replacement=scheme) for size in sorted(sizes)}
        for scheme in SCHEMES
    }
    series["no table"] = dict.fromkeys(sorted(sizes), nodes(alpha_beta))
    return curves(series, f"Nodes of {game.name} by the size of the table", "entries", "nodes", log="x")


def _growing(results: Iterable[SearchResult]) -> list[SearchResult]:
    """The last result at each depth, or for simulations at each number of them."""
    told: dict[int, SearchResult] = {}
    for found in results:
        if found.depth > 0:
            told[found.nodes if counts_simulations(found.algorithm) else found.depth] = found
    return [told[key] for key in sorted(told)]
