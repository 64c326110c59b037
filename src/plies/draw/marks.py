"""Marks on a board: the last move, legal moves, arrows, scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from math import hypot
from typing import Any, NamedTuple

from plies.draw import shapes
from plies.draw.svg import Markup, element, text_width
from plies.engine.result import value_text
from plies.engine.value import Value
from plies.game import CHANCE, Action, Game, State
from plies.scene import Cell, Scene

MOST = 2_000
"""The most legal actions that are marked. Not tuned."""


class Place(NamedTuple):
    """Where something happens, in cells."""

    x: float
    y: float


class Marks:
    """The marks on the board of one position."""

    def __init__(self, game: Game, state: State, scene: Scene) -> None:
        self.game = game
        self.state = state
        self.scene = scene
        self.captions: list[str] = []
        """Captions for actions without a cell."""
        self._at = {Place(cell.x, cell.y): cell for cell in scene.cells}
        self._cells = {cell.name: cell for cell in scene.cells}

    # -- The last move.

    def last(self, before: State, action: Action) -> Iterator[Markup]:
        """A frame where the last move ended, broken ones where it came from."""
        touched = self._touched(before, action)
        if not touched:
            self.captions.append(f"last move: {self.game.described(before, action)}")
        elif any(cell.look == "slot" for cell in touched):
            yield from self._changes(self.game.scene(before))
        for cell in dict.fromkeys(touched):
            if cell.look != "slot":
                yield self._frame(cell, "last" if cell == touched[-1] else "last from")

    def _changes(self, earlier: Scene | None) -> Iterator[Markup]:
        """Marks for new and removed pieces and lines, for moves whose cells do not show it."""
        if earlier is None:
            return
        for piece in Counter(self.scene.pieces) - Counter(earlier.pieces):
            yield shapes.circle(piece.x, piece.y, 0.45, class_="last")
        for piece in Counter(earlier.pieces) - Counter(self.scene.pieces):
            yield shapes.circle(piece.x, piece.y, 0.45, class_="last from")
        for line in Counter(self.scene.lines) - Counter(earlier.lines):
            if line.look != "row":
                yield shapes.stroke(line, class_="last")

    def _frame(self, cell: Cell, class_: str) -> Markup:
        if cell.look in ("point", "star", "hole", "slot"):
            return shapes.circle(cell.x, cell.y, 0.45, class_=class_)
        return shapes.box(cell, 0.05, 0.45 if cell.look == "pit" else 0.1, class_=class_)

    # -- Legal moves.

    def legal(self) -> Iterator[Markup]:
        """A dot where a legal move ends, a ring if something stands there; corners where one begins."""
        ends: dict[Place, None] = {}
        begins: dict[Cell, None] = {}
        for action in self._actions:
            touched = self._touched(self.state, action)
            end = self._end(action)
            if end is None:
                self.captions.append(f"legal, too: {self.game.described(self.state, action)}")
                continue
            ends[end] = None
            if touched[0] != touched[-1]:
                begins[touched[0]] = None
        taken = {(piece.x, piece.y) for piece in self.scene.pieces}
        for cell in begins:
            yield _corners(cell)
        for place in ends:
            if place in taken:
                yield self._frame(self._cell(place), "legal open")
            else:
                cell = self._cell(place)
                yield shapes.circle(*place, min(0.13, 0.35 * min(cell.width, cell.height)), class_="legal")

    # -- Scores.

    def scores(self, scores: Mapping[Action, Any]) -> Iterator[Markup]:
        """A score where each move ends; of several that end there, the best."""
        items = ranked(scores)
        here: dict[Place, list[tuple[Action, Any]]] = {}
        for action, value in items:
            end = self._end(action)
            if end is not None:
                here.setdefault(end, []).append((action, value))
            elif len(self.captions) < 3:
                self.captions.append(
                    f"{self.game.described(self.state, action)}: {in_words(value, self.game.unit)}"
                )
        taken = {(piece.x, piece.y) for piece in self.scene.pieces if piece.look != "seeds"}
        for place, found in here.items():
            yield self._score(place, found, best=found[0] == items[0], low=place in taken)

    def _score(self, place: Place, found: list[tuple[Action, Any]], best: bool, low: bool) -> Markup:
        """A score at a place, in the lower part of its cell if there is a piece."""
        text = brief(found[0][1], self.game.unit)
        words = ["score", *kinds(found[0][1]), *(["best"] if best else [])]
        each = [
            f"{self.game.described(self.state, action)}: {in_words(value, self.game.unit)}"
            for action, value in found
        ]
        return element(
            "g", element("title", "\n".join(each)), *self._badge(place, text, low), class_=" ".join(words)
        )

    # -- Arrows.

    def arrows(self, arrows: Iterable[Any]) -> Iterator[Markup]:
        """From the first to the last cell of a move; a ring where it has only one."""
        for item in arrows:
            action, text = item if self._is_pair(item) else (item, "")
            touched = self._touched(self.state, action)
            end = self._end(action)
            if end is None:
                continue
            begin = Place(touched[0].x, touched[0].y)
            if begin == end or len(touched) == 1:
                parts = [self._frame(self._cell(end), "ring")]
            else:
                parts = [_arrow(begin, end)]
            if text:
                parts += self._badge(Place((begin.x + end.x) / 2, (begin.y + end.y) / 2), text)
            yield element("g", *parts, class_="arrow")

    def _is_pair(self, item: Any) -> bool:
        pair = isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], str)
        return pair and item not in self._actions

    # -- Where moves begin and end.

    def _cell(self, place: Place) -> Cell:
        """The cell around a place, or a default one."""
        return self._at.get(place, Cell("", *place, "slot"))

    def _badge(self, place: Place, text: str, low: bool = False) -> list[Markup]:
        """A word on a plate that fits into the cell there, in the middle or low."""
        cell = self._cell(place)
        wide, high = max(0.92 * min(cell.width, 1), 0.5), min(cell.height, 1)
        size = shapes.fitted(text, 0.78 * wide, max((0.26 if low else 0.36) * high, 0.18))
        if low:
            place = Place(place.x, place.y + high / 2 - 0.75 * size)
        plate = Cell("", *place, width=min(wide, 1.1 * text_width(text, size) + 0.16), height=1.4 * size)
        return [shapes.box(plate, 0, 0.3 * size), shapes.word(*place, text, size, "word")]

    @cached_property
    def _actions(self) -> list[Action]:
        game, state = self.game, self.state
        if game.is_terminal(state) or game.to_move(state) == CHANCE:
            return []
        return list(islice(game.actions(state), MOST))

    def _touched(self, state: State, action: Action) -> list[Cell]:
        return [self._cells[name] for name in self.game.move_squares(state, action) if name in self._cells]

    def _end(self, action: Action) -> Place | None:
        """Where a move ends: its last cell or, in a large slot, the place of the new piece."""
        touched = self._touched(self.state, action)
        if not touched:
            return None
        cell = touched[-1]
        if cell.look == "slot" and cell.width * cell.height > 1:
            after = self.game.scene(self.game.result(self.state, action))
            new = list(Counter(after.pieces) - Counter(self.scene.pieces)) if after else []
            if len(new) == 1:
                return Place(new[0].x, new[0].y)
        return Place(cell.x, cell.y)


def ranked(scores: Mapping[Action, Any]) -> list[tuple[Action, Any]]:
    """Scores, the best first; words stay in the order they are given in."""
    items = list(scores.items())
    if all(isinstance(value, Value) for _, value in items):
        items.sort(key=lambda item: item[1], reverse=True)
    return items


def brief(value: Any, unit: float = 1) -> str:
    """A score in a few letters: a proved win in five plies is W5, a loss L5, a draw D; bounds are marked.

    Estimates are in units of the game, such as pawns.
    """
    if not isinstance(value, Value):
        return str(value)
    sign = {"=": "", ">=": "≥", "<=": "≤"}[value.bound]
    if not value.proved or value.mean:
        amount = value.utility / unit
        digits = 2 if abs(amount) < 1 else 1 if abs(amount) < 10 else 0
        return f"{sign}{amount:+.{digits}f}"
    letter = "W" if value.utility > 0 else "L" if value.utility < 0 else "D"
    return f"{sign}{letter}{value.plies or ''}" if value.utility else sign + letter


def in_words(value: Any, unit: float = 1) -> str:
    """A score in full."""
    return value_text(value, unit) if isinstance(value, Value) else str(value)


def kinds(value: Any) -> list[str]:
    """The style classes of a score: good or bad, proved or not."""
    if isinstance(value, Value):
        words = ["good"] if value.utility > 0 else ["bad"] if value.utility < 0 else []
        return [*words, *(["proved"] if value.proved else [])]
    text = str(value).strip().lower().lstrip("≥≤<>= ")
    if text.startswith(("+", "win")):
        return ["good"]
    return ["bad"] if text.startswith(("-", "\u2212", "loss")) else []


# -- Shapes.


def _corners(cell: Cell) -> Markup:
    """The four corners of a cell."""
    left, top, right, bottom = (
        edge + inset for edge, inset in zip(shapes.extent(cell), (0.07, 0.07, -0.07, -0.07), strict=True)
    )
    parts = [
        shapes.path([(x, y + step * down), (x, y), (x + step * across, y)])
        for x, across in ((left, 1), (right, -1))
        for y, down in ((top, 1), (bottom, -1))
        for step in (0.2,)
    ]
    return element("g", *parts, class_="legal from")


def _arrow(begin: Place, end: Place) -> Markup:
    length = hypot(end.x - begin.x, end.y - begin.y)
    x, y = (end.x - begin.x) / length, (end.y - begin.y) / length
    tip = (end.x - 0.1 * x, end.y - 0.1 * y)
    wings = [(tip[0] - 0.24 * x + side * 0.17 * y, tip[1] - 0.24 * y - side * 0.17 * x) for side in (1, -1)]
    return shapes.path([(begin.x + 0.2 * x, begin.y + 0.2 * y), tip, wings[0], tip, wings[1]])
