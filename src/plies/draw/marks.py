"""What is said about a position, drawn over its board: the last move, legal moves, arrows, scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import hypot
from typing import Any, NamedTuple

from plies.draw import shapes
from plies.draw.shapes import UNIT
from plies.draw.svg import Markup, element
from plies.engine.value import Value
from plies.game import CHANCE, Action, Game, State
from plies.scene import Cell, Scene


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
        self.cells = {cell.name: cell for cell in scene.cells}
        self.taken = {(piece.x, piece.y) for piece in scene.pieces}

    # -- The last move.

    def last(self, before: State, action: Action) -> Iterator[Markup]:
        """A frame where the last move ended, broken ones where it came from."""
        earlier = self.game.scene(before)
        touched = self._touched(before, action)
        if earlier is not None and any(cell.look == "slot" for cell in touched):
            yield from self._changes(earlier)
            return
        for number, cell in enumerate(dict.fromkeys(touched)):
            end = cell == touched[-1]
            yield self._frame(cell, "last" if end or number == len(touched) - 1 else "last from")

    def _changes(self, earlier: Scene) -> Iterator[Markup]:
        """What is new and what is gone, for moves that point to no place of their own."""
        for piece in Counter(self.scene.pieces) - Counter(earlier.pieces):
            yield shapes.circle(piece.x, piece.y, 0.44, class_="last")
        for piece in Counter(earlier.pieces) - Counter(self.scene.pieces):
            yield shapes.circle(piece.x, piece.y, 0.4, class_="last from")
        for line in Counter(self.scene.lines) - Counter(earlier.lines):
            yield element(
                "line",
                class_="last",
                x1=line.x1 * UNIT,
                y1=line.y1 * UNIT,
                x2=line.x2 * UNIT,
                y2=line.y2 * UNIT,
            )

    def _frame(self, cell: Cell, class_: str) -> Markup:
        if cell.look in ("point", "star", "hole"):
            return shapes.circle(cell.x, cell.y, 0.44, class_=class_)
        return shapes.box(cell, 0.05, 0.08, class_=class_)

    # -- Legal moves.

    def legal(self) -> Iterator[Markup]:
        """A dot where a legal move ends, a ring if something stands there; a broken ring where one begins."""
        ends: dict[Place, None] = {}
        begins: dict[Place, None] = {}
        for action in self._actions():
            touched = self._touched(self.state, action)
            if end := self._end(action):
                ends[end] = None
            if len(touched) > 1:
                begins[Place(touched[0].x, touched[0].y)] = None
        for place in ends:
            if place in self.taken:
                yield shapes.circle(*place, 0.44, class_="legal open")
            else:
                yield shapes.circle(*place, 0.13, class_="legal")
        for place in begins.keys() - ends.keys():
            yield shapes.circle(*place, 0.44, class_="legal open from")

    # -- Scores.

    def scores(self, scores: Mapping[Action, Any]) -> Iterator[Markup]:
        """A word where each move ends; of several that end there, the one of the best."""
        items = list(scores.items())
        if items and all(isinstance(value, Value) for _, value in items):
            items.sort(key=lambda item: item[1], reverse=True)
        here: dict[Place, list[tuple[Action, Any]]] = {}
        for action, value in items:
            if end := self._end(action):
                here.setdefault(end, []).append((action, value))
        for place, found in here.items():
            yield self._score(place, found, best=found[0] == items[0])

    def _score(self, place: Place, found: list[tuple[Action, Any]], best: bool) -> Markup:
        text = brief(found[0][1])
        words = ["score", *kinds(found[0][1]), *(["best"] if best else [])]
        each = [f"{self.game.described(self.state, action)}: {value}" for action, value in found]
        return element("g", element("title", "\n".join(each)), *_badge(place, text), class_=" ".join(words))

    # -- Arrows.

    def arrows(self, arrows: Sequence[Any]) -> Iterator[Markup]:
        """From the first to the last cell of a move; a ring where it has only one."""
        for item in arrows:
            action, text = item if self._is_pair(item) else (item, "")
            touched = self._touched(self.state, action)
            if not touched:
                continue
            end = self._end(action) or Place(touched[-1].x, touched[-1].y)
            parts = [_arrow(touched[0], end) if len(touched) > 1 else shapes.circle(*end, 0.42)]
            if text:
                middle = (
                    end
                    if len(touched) == 1
                    else Place((touched[0].x + end.x) / 2, (touched[0].y + end.y) / 2)
                )
                parts += _badge(middle, text)
            yield element("g", *parts, class_="arrow")

    def _is_pair(self, item: Any) -> bool:
        if not (isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], str)):
            return False
        return item not in self._actions()

    # -- Where moves begin and end.

    def _actions(self) -> list[Action]:
        game, state = self.game, self.state
        if game.is_terminal(state) or game.to_move(state) == CHANCE:
            return []
        return list(game.actions(state))

    def _touched(self, state: State, action: Action) -> list[Cell]:
        return [self.cells[name] for name in self.game.touches(state, action) if name in self.cells]

    def _end(self, action: Action) -> Place | None:
        """Where a move ends: the last cell it touches; of a slot, where the new piece comes to stand."""
        touched = self._touched(self.state, action)
        if not touched:
            return None
        cell = touched[-1]
        if cell.look == "slot":
            after = self.game.scene(self.game.result(self.state, action))
            new = list(Counter(after.pieces) - Counter(self.scene.pieces)) if after else []
            if len(new) == 1:
                return Place(new[0].x, new[0].y)
        return Place(cell.x, cell.y)


def brief(value: Any) -> str:
    """A score in a few letters: a proved win in five plies is W5, a loss L5, a draw D."""
    if not isinstance(value, Value):
        return str(value)
    if not value.proved:
        return f"{value.utility:+.2g}"
    letter = "D" if value.utility == 0 else "W" if value.utility > 0 else "L"
    return f"{letter}{value.plies or ''}" if value.utility else letter


def kinds(value: Any) -> list[str]:
    """What a score looks like: good or bad, proved or not."""
    if isinstance(value, Value):
        words = ["good"] if value.utility > 0 else ["bad"] if value.utility < 0 else []
        return [*words, *(["proved"] if value.proved else [])]
    text = str(value).lstrip()
    return (
        ["good"] if text[:1] == "+" or text[:3] == "win" else ["bad"] if text[:1] in ("-", "\u2212") else []
    )


def _badge(place: Place, text: str) -> list[Markup]:
    size = shapes.fitted(text, 0.8, 0.34)
    around = Cell(
        "", place.x, place.y, width=min(0.94, shapes.text_width(text, size) + 0.14), height=size + 0.1
    )
    return [shapes.box(around, 0, 0.1), shapes.word(place.x, place.y, text, size, "")]


def _arrow(begin: Cell, end: Place) -> Markup:
    dx, dy = end.x - begin.x, end.y - begin.y
    length = hypot(dx, dy) or 1
    ux, uy = dx / length, dy / length
    tip = Place(end.x - 0.12 * ux, end.y - 0.12 * uy)
    wings = [
        Place(tip.x - 0.24 * ux + side * 0.16 * uy, tip.y - 0.24 * uy - side * 0.16 * ux) for side in (1, -1)
    ]
    points = [Place(begin.x + 0.2 * ux, begin.y + 0.2 * uy), tip, wings[0], tip, wings[1]]
    return element("path", d="M" + "L".join(f"{p.x * UNIT:.1f} {p.y * UNIT:.1f}" for p in points))
