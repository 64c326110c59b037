"""Plots: every one is drawn, says what it shows, and is refused in a sentence where it cannot be."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from bench.__main__ import speeds

import plies
from plies import BadParameter, PliesError, book
from plies.arena import Match, MatchGame
from plies.comparison import effective_branching_factor
from plies.draw import plots
from plies.engine import Limit
from test_cli import program

pytestmark = pytest.mark.plain

SVG = "{http://www.w3.org/2000/svg}"


def words(plot: plots.Plot) -> str:
    """All that stands in a plot, as text."""
    root = ElementTree.fromstring(plot.svg)
    return " ".join(text.strip() for text in root.itertext())


def told(depth: int = 4, **options: Any) -> list[plies.SearchResult]:
    return list(plies.AlphaBeta(plies.TicTacToe(), **options).analyse(limit=Limit(depth=depth)))


def played(wins: int, draws: int, losses: int, players: tuple[str, str] = ("engine:1", "random")) -> Match:
    scores = [1.0] * wins + [0.5] * draws + [0.0] * losses
    games = [MatchGame(number, 0, score, 0, []) for number, score in enumerate(scores)]
    return Match(players, 0, len(games), games)


def trained() -> Any:
    measures = [
        SimpleNamespace(
            games=100 * i, points={"random": (0.1 * i, 0.05), "evaluation": (0.1 * i - 0.3, 0.05)}
        )
        for i in range(5)
    ]
    return SimpleNamespace(game=plies.TicTacToe(), seed=7, measures=measures)


def lines(axis: Any) -> list[list[tuple[float, float]]]:
    """The points of each line of a panel."""
    return [[tuple(point) for point in line.get_xydata().tolist()] for line in axis.get_lines()]


# -- What they show.


def test_a_search_by_depth() -> None:
    results = told(5)
    plot = plots.depths(results)
    value, nodes, factor = plot.figure.axes
    searched = [found for found in results if found.depth > 0]
    assert lines(value) == [[(found.depth, found.value.utility) for found in searched]]
    assert lines(nodes) == [[(found.depth, found.nodes) for found in searched]]
    assert lines(factor) == [
        [(found.depth, effective_branching_factor(found.nodes, found.depth)) for found in searched]
    ]
    assert nodes.get_yscale() == "log"
    assert f"at depth 5 after {results[-1].nodes:,} nodes" in plot.words


@pytest.mark.long
def test_several_searches_have_names_and_differ_in_more_than_colour() -> None:
    plain = plies.Options(table=False)
    plot = plots.depths({"with a table": told(), "without": told(options=plain)})
    with_table, without = plot.figure.axes[1].get_lines()
    assert with_table.get_marker() != without.get_marker()
    assert with_table.get_linestyle() != without.get_linestyle()
    assert "with a table" in words(plot)
    assert "without" in words(plot)


def test_what_is_proved_has_a_star() -> None:
    game = plies.Nim(heaps=(1, 2))
    results = list(plies.AlphaBeta(game).analyse(limit=Limit(depth=9)))
    assert results[-1].value.proved
    assert "proved" in words(plots.depths(results))


def test_simulations() -> None:
    engine = plies.MonteCarlo(plies.TicTacToe(), seed=1)
    plot = plots.depths(engine.analyse(limit=Limit(nodes=300)))
    value, depth = plot.figure.axes
    assert value.get_xscale() == depth.get_xscale() == "log"
    assert lines(value)[0][-1][0] == 300


def test_a_learning_curve() -> None:
    plot = plots.learning(trained())
    (axis,) = plot.figure.axes
    assert lines(axis)[0] == [(100 * i, pytest.approx(0.1 * i)) for i in range(5)]
    assert len(axis.collections) == 2  # the bands of two standard errors
    assert "+0.40 against random play, +0.10 against the game's evaluation" in plot.words


def test_matches_with_their_intervals() -> None:
    results = [played(15, 3, 2), played(1, 0, 9, ("a<b", "c&d"))]
    plot = plots.matches(results, "nim")
    scores, counts = plot.figure.axes
    ends = lines(scores)
    for place, result in enumerate(results):
        low, high = result.interval
        assert ends[2 * place] == [(pytest.approx(100 * low), place), (pytest.approx(100 * high), place)]
        assert ends[2 * place + 1] == [(pytest.approx(100 * result.score), place)]
    widths = [patch.get_width() for patch in counts.patches]
    assert widths == [15, 3, 2, 1, 0, 9]
    assert "82.5%" in words(plot)
    assert "a<b against c&d: 1 won, 0 drawn, 9 lost" in plot.words


def test_ratios_on_a_scale_of_factors() -> None:
    plot = plots.ratios({"slower": 0.5, "faster": 40.0}, "Speed")
    (axis,) = plot.figure.axes
    assert axis.get_xscale() == "log"
    low, high = axis.get_xlim()
    assert low < 0.5 < 40 < high
    assert "0.5 ×" in words(plot)
    assert "40 ×" in words(plot)


def test_the_ratios_of_the_benchmarks() -> None:
    figures = {
        "c": [{"what": "alpha-beta", "ratio": 0.6}],
        "peers": [
            {"what": "depth 8", "peer": "easyAI", "ratio": 120.0},
            {"peer": "x", "missing": "no wheel"},
        ],
        "simulations": [{"game": "nim", "ratio": 2.0}],
        "chess": [
            {"program": program, "what": "walks", "position": "start", "ratio": ratio}
            for program, ratio in (("Plies", 1.0), ("Stockfish", 0.2))
        ],
        "threads": [{"speed_ratio": 1.9}],
    }
    assert speeds(figures) == {
        "alpha-beta: C": 0.6,
        "depth 8: easyAI": 120.0,
        "Monte Carlo, nim: OpenSpiel": 2.0,
        "chess, walks, start: Stockfish": 0.2,
    }


def test_curves() -> None:
    series = {"minimax": {1: 4, 2: 13}, "alpha-beta": {1: 4, 2: 11}}
    plot = plots.curves(series, "Nodes", "depth", "nodes", log="y")
    (axis,) = plot.figure.axes
    assert lines(axis) == [[(1, 4), (2, 13)], [(1, 4), (2, 11)]]
    assert (axis.get_xscale(), axis.get_yscale()) == ("linear", "log")
    assert plot.words == "Nodes. minimax: 4 at 1, 13 at 2; alpha-beta: 4 at 1, 11 at 2."
    assert "alpha-beta" in words(plot)
    assert not plots.curves({"": {0.5: 1}}, "One", "x").figure.legends
    for wrong in ({}, {"a": {}}):
        with pytest.raises(BadParameter, match="there is nothing to plot"):
            plots.curves(wrong, "", "")
    with pytest.raises(BadParameter, match="log must be 'x', 'y' or 'xy', not 'z'"):
        plots.curves(series, "", "", log="z")


@pytest.mark.long
def test_learning_to_play_a_matrix_game() -> None:
    game = plies.matrix_game("2 -1; -1 1")
    runs = [plies.book.fictitious_play(game, rounds=300), plies.book.regret_matching(game, rounds=200)]
    plot = plots.convergence(runs)
    bounds, gaps = plot.figure.axes
    assert [len(axis.get_lines()) for axis in (bounds, gaps)] == [5, 2]  # two bounds each, and the value
    upper, lower = lines(bounds)[:2]
    assert upper[-1] == (300, pytest.approx(runs[0].upper[-1]))
    assert lower[0] == (1, pytest.approx(runs[0].lower[0]))
    assert lines(gaps)[1][-1] == (200, pytest.approx(runs[1].exploitability[-1]))
    assert gaps.get_yscale() == "log"
    assert plot.words.startswith("The value is 0.2. fictitious play: from ")
    assert "regret matching" in words(plots.convergence(runs[1]))


def test_table_sizes():
    game = plies.Nim(heaps=(1, 2, 2))
    plot = plots.table_sizes(game, (40, 2), depth=6)
    lines = {line.get_label(): list(line.get_ydata()) for line in plot.figure.axes[0].get_lines()}
    assert list(lines) == ["always", "depth-preferred", "two-tier", "no table"]
    for scheme in list(lines)[:3]:
        counts = book.Counts()
        book.transposition_table(game, depth=6, size=40, replacement=scheme, trace=counts)
        assert lines[scheme][1] == counts.nodes < lines[scheme][0]
    without = book.Counts()
    book.alpha_beta(game, depth=6, trace=without)
    assert lines["no table"] == [without.nodes] * 2
    assert "Nodes of nim by the size of the table" in words(plot)


def test_errors_by_depth() -> None:
    shares = {depth: plies.pathology.Share(10 * depth, 100) for depth in (1, 2, 3)}
    results = [plies.pathology.ErrorsByDepth(name, shares) for name in ("a <game>", "another")]
    plot = plots.errors(results)
    (axis,) = plot.figure.axes
    assert lines(axis)[0] == [(1, 10), (2, 20), (3, 30)]
    assert len(axis.collections) == 2  # the intervals
    assert "a <game>: 10.0% at 1, 20.0% at 2, 30.0% at 3" in plot.words
    assert "another" in words(plots.errors(results[1]))


def test_noise_on_leaves() -> None:
    tree = plies.Tree([[1, 3], [2, 2]])
    result = plies.pathology.noisy_leaves(tree, sigmas=(0, 1, 10), samples=1000)
    plot = plots.noise(result)
    (axis,) = plot.figure.axes
    rates = [100 * result.best[sigma][1].rate for sigma in (1.0, 10.0)]
    assert lines(axis)[1] == [(1, pytest.approx(rates[0])), (10, pytest.approx(rates[1]))]
    assert axis.get_xscale() == "log"
    assert "a2 (what minimax takes)" in words(plot)


# -- Where they go.


def test_files_of_each_kind(tmp_path: Path) -> None:
    plot = plots.matches(played(3, 2, 1))
    for ending, begin in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
        plot.save(tmp_path / f"plot{ending}")
        assert (tmp_path / f"plot{ending}").read_bytes().startswith(begin)


def test_the_same_plot_is_the_same_file() -> None:
    assert plots.matches(played(3, 2, 1)).svg == plots.matches(played(3, 2, 1)).svg


def test_a_plot_has_words_for_those_who_cannot_see_it_and_shows_itself() -> None:
    plot = plots.matches(played(3, 2, 1, ("<script>", "&")))
    root = ElementTree.fromstring(plot._repr_svg_())
    assert root.get("role") == "img"
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.get("id") == root.get("aria-labelledby")
    assert title.text == plot.words
    assert "<script>" not in plot.svg


def test_refusals(tmp_path: Path) -> None:
    plot = plots.matches(played(1, 0, 0))
    with pytest.raises(PliesError, match=r"ends in \.svg or \.png or \.pdf, not to 'plot\.jpg'"):
        plot.save("plot.jpg")
    with pytest.raises(PliesError, match="there is no folder"):
        plot.save(tmp_path / "nowhere" / "plot.svg")
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(PliesError, match="cannot be written"):
        plot.save(tmp_path / "folder.svg")
    certain = plies.pathology.noisy_leaves(plies.Tree(), sigmas=(0,), samples=1)
    for nothing in (
        *(lambda: plots.depths([]), lambda: plots.depths({}), lambda: plots.matches([])),
        *(lambda: plots.convergence([]), lambda: plots.errors([]), lambda: plots.noise(certain)),
    ):
        with pytest.raises(BadParameter, match="there is nothing to plot"):
            nothing()
    for empty in (lambda: plots.ratios({}, ""), lambda: plots.matches(played(0, 0, 0))):
        with pytest.raises(BadParameter, match="there is nothing to plot"):
            empty()


def test_without_matplotlib_a_sentence_says_what_to_do() -> None:
    with (
        mock.patch.dict("sys.modules", {"matplotlib": None}),
        pytest.raises(PliesError, match=r"pip install 'plies\[plots\]'"),
    ):
        plots.matches(played(1, 0, 0))


# -- From the command line.


def test_a_search_from_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "search.svg"
    done = program("best", "tic-tac-toe", "1 5 2", "--depth", "3", "--plot", str(file))
    assert done.code == 0
    assert (
        done.out == program("best", "tic-tac-toe", "1 5 2", "--depth", "3").out or "best move  3" in done.out
    )
    assert "at depth 3 after" in file.read_text(encoding="utf-8")


def test_a_match_from_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "match.svg"
    assert program("match", "nim", "random", "random", "--games", "4", "--plot", str(file)).code == 0
    assert "random against random" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("command", [("best", "nim"), ("match", "nim", "random", "random", "--games", "2")])
def test_the_command_line_refuses_before_anybody_waits(command: tuple[str, ...], tmp_path: Path) -> None:
    for name, sentence in (("x.txt", "ends in .svg"), ("nowhere/x.svg", "there is no folder")):
        done = program(*command, "--plot", str(tmp_path / name))
        assert (done.code, done.out) == (2, "")
        assert sentence in done.error
