"""The picture of a matrix game with two rows or two columns: its lines, its envelope and its value."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden import ENVELOPE, matrix_picture
from plies import BadParameter, MatrixGame, matrix_game
from plies.draw import envelope
from plies.draw.envelope import GAP, HEIGHT, WIDTH, _apart, _ticks

pytestmark = pytest.mark.plain

SVG = "{http://www.w3.org/2000/svg}"
NARROW = st.integers(1, 6).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(-9, 9), min_size=width, max_size=width), min_size=2, max_size=2
    )
)


def drawn(game: MatrixGame) -> ElementTree.Element:
    return ElementTree.fromstring(str(envelope(game)))


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [part for part in root.iter() if name in part.get("class", "").split()]


def test_the_picture_of_the_documents() -> None:
    assert str(matrix_picture()) == ENVELOPE.read_text(encoding="utf-8")


def test_lines_names_and_the_optimum() -> None:
    game = matrix_game("2 3 11; 7 5 2", row_names="attack,defend", column_names="north,south,west")
    root = drawn(game)
    assert len(of_class(root, "payoff")) == 3
    text = [part.text for part in root.iter(f"{SVG}text")]
    for word in ("attack", "defend", "north", "south", "west", "value 49/11", "8/11"):
        assert word in text
    (dot,) = of_class(root, "optimum")
    assert float(dot.get("cx", "")) == pytest.approx(WIDTH * 8 / 11, abs=0.01)
    description = root.find(f"{SVG}desc")
    assert description is not None
    assert "probability 8/11: the value, 49/11" in (description.text or "")


@given(NARROW)
def test_the_optimum_is_the_top_of_the_envelope(rows: list[list[int]]) -> None:
    root = drawn(matrix_game(rows))
    points = re.findall(r"([\d.-]+),([\d.-]+)", of_class(root, "edge")[0].get("points", ""))
    (dot,) = of_class(root, "optimum")
    assert float(dot.get("cy", "")) == pytest.approx(min(float(y) for _, y in points), abs=0.02)
    for part in of_class(root, "payoff"):
        assert all(-0.01 <= float(part.get(y, "")) <= HEIGHT + 0.01 for y in ("y1", "y2"))


@given(NARROW.filter(lambda rows: len(rows[0]) != 2))
def test_two_columns_are_drawn_for_column(rows: list[list[int]]) -> None:
    root = drawn(matrix_game(list(zip(*rows, strict=True))))
    points = re.findall(r"([\d.-]+),([\d.-]+)", of_class(root, "edge")[0].get("points", ""))
    (dot,) = of_class(root, "optimum")
    assert float(dot.get("cy", "")) == pytest.approx(max(float(y) for _, y in points), abs=0.02)


def test_other_sizes_are_refused() -> None:
    with pytest.raises(BadParameter, match="two rows or two columns; this one is 3 × 3"):
        envelope(matrix_game([[0] * 3] * 3))


@given(st.lists(st.floats(0, HEIGHT), min_size=1, max_size=10).map(sorted))
def test_names_stand_apart(heights: list[float]) -> None:
    placed = _apart(heights)
    assert all(low - high >= GAP - 1e-6 for high, low in pairwise(placed))
    assert placed[-1] <= HEIGHT + 1e-6


@given(st.fractions(-1000, 1000), st.fractions(0, 1000))
def test_ticks_are_round_and_reach_around(low: Fraction, size: Fraction) -> None:
    ticks = _ticks(float(low), float(low + size))
    assert 2 <= len(ticks) <= 9
    assert ticks[0] <= float(low) + 1e-6 * float(size)
    assert ticks[-1] >= float(low + size) - 1e-6 * float(size)


def test_names_are_escaped() -> None:
    game = matrix_game([[1, 2], [3, 4]], row_names=["<script>", "&"])
    assert "<script>" not in str(envelope(game))
