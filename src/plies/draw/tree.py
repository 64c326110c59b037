"""Trees: what a search walked, drawn from its trace."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plies.book.events import Cut, Leaf
from plies.book.tracing import Trace
from plies.draw import forms, svg, thumbnails
from plies.draw.explain import explain
from plies.draw.forms import LABEL, SMALL, VALUE
from plies.draw.known import Change, changes, shown
from plies.draw.layout import tidy
from plies.draw.outline import Drawn, Item, More, Stubs, outline
from plies.draw.picture import Picture
from plies.draw.svg import Markup, element, text_width
from plies.errors import BadParameter
from plies.game import Game

LIMIT = 300
"""How many nodes a picture shows, unless told."""

GAP, FAMILY_GAP, MARGIN = 10, 20, 16
LABEL_ROOM = 20
"""How much room the name of an action has above the node it leads to."""

CROSS = 0.66
"""How far along a branch that was cut its cross stands."""


def tree(trace: Trace, *, step: int | None = None, boards: Game | None = None, limit: int = LIMIT) -> Picture:
    """A picture of the tree that a search walked, with values, windows, the chosen line and what was cut.

    With `step`, it shows what is known after so many events. `boards` is the game, whose positions are then
    drawn in the nodes; a trace that was read from JSON has none. Of a tree with more nodes than `limit` the
    rest is counted: the chosen line is always there.
    """
    return Drawing(trace, boards=boards, limit=limit).picture(step)


class Drawing:
    """A tree with a place for everything, which can be shown as it is after any step."""

    def __init__(self, trace: Trace, *, boards: Game | None = None, limit: int = LIMIT) -> None:
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            raise BadParameter(f"a picture of a tree has room for 1 node or more, not {limit!r}")
        self.trace = trace
        self.changes = changes(trace)
        self.sentences = explain(trace)
        self.items = outline(trace, limit)
        self.nodes = [item for item in self.items if isinstance(item, Drawn)]
        self.boards = self._boards(boards)
        self._values = self._widest_values()
        self._windows = self._widest_windows()
        for item in self.items:
            item.width, item.height = self._size(item)
        self._place()

    def picture(self, step: int | None = None) -> Picture:
        """The tree after so many events; after all of them, unless told."""
        total = len(self.changes)
        step = total if step is None else step
        if isinstance(step, bool) or not isinstance(step, int) or not 0 <= step <= total:
            raise BadParameter(f"this trace has steps 0 to {total}, not {step!r}")
        known = {change.node: change for change in self.changes[:step]}
        cut = {event.node for event in self.trace.events[:step] if isinstance(event, Cut)}
        path = self._path(self.changes[step - 1].node) if 0 < step < total else []
        inside = [
            *self._captions(),
            *(self._edge(item, known, path) for item in self.nodes if item.parent),
            *(self._more(item) for item in self.items if isinstance(item, More)),
            *(part for item in self.items if isinstance(item, Stubs) for part in _stubs(item, cut)),
            *(self._node(item, known, path) for item in self.nodes),
        ]
        content = element("g", *inside, class_="whole done" if step == total else "whole")
        box = self._box()
        title = f"{self.trace.algorithm} on {self.trace.game}"
        return Picture(
            svg.document("tree", box, title, self._words(step), [content], max(box[2:]), forms.STYLE)
        )

    @property
    def height(self) -> float:
        """How high the picture is, in pixels."""
        return self._box()[3]

    def _words(self, step: int) -> str:
        """The tree for those who do not see it."""
        if step == len(self.changes):
            lines = str(self.trace).split("\n")
            return "\n".join(lines[:100]) + ("\n…" if len(lines) > 100 else "")
        said = self.sentences[step - 1] if step else "The search has not begun."
        return f"Step {step} of {len(self.changes)}. {said}"

    # -- Sizes and places.

    def _boards(self, game: Game | None) -> dict[int, Markup]:
        if game is None:
            return {}
        small = thumbnails.Thumbnails(game, self.trace.game, self.trace.tree)
        boards = {item.number: small.board(item.node) for item in self.nodes}
        return {number: board for number, board in boards.items() if board}

    def _widest_values(self) -> dict[int, float]:
        """The most room that the value of each node ever takes."""
        widest: dict[int, float] = {}
        for change in self.changes:
            width = text_width(change.value, VALUE)
            widest[change.node] = max(widest.get(change.node, 0), width)
        return widest

    def _widest_windows(self) -> dict[int, float]:
        widest: dict[int, float] = {}
        for change in self.changes:
            width = max((text_width(f"α {bound}", SMALL) for bound in change.window or ()), default=0)
            widest[change.node] = max(widest.get(change.node, 0), width)
        return widest

    def _size(self, item: Item) -> tuple[float, float]:
        if isinstance(item, More):
            return text_width(_more_text(item), SMALL) + 4, 18
        if isinstance(item, Stubs):
            reason = text_width(short_reason(item.cut), SMALL) + 6
            return max(sum(_stub_widths(item)), reason), 18
        assert isinstance(item, Drawn)
        width, height = self._form_size(item)
        beside = [self._windows[item.number], text_width(self._name(item), LABEL)]
        beside.append(text_width(self._whose(item), SMALL))
        width += 2 * (max(beside) + 4) if any(beside) else 0
        return max(width, text_width(_label(item), LABEL) + 4), height

    def _form_size(self, item: Drawn) -> tuple[float, float]:
        if item.number not in self.boards:
            return forms.size(kind(item), self._values[item.number])
        width, height = thumbnails.size(self.boards[item.number])
        return max(width, self._values[item.number] + 26) + 8, height + 28

    def _place(self) -> None:
        """Put every item in its place: columns by the layout, rows far enough apart for their edges."""
        numbers = {id(item): number for number, item in enumerate(self.items)}
        below = [[numbers[id(child)] for child in item.below] for item in self.items]
        places = tidy(below, [item.width for item in self.items], GAP, FAMILY_GAP)
        for item, x in zip(self.items, places, strict=True):
            item.x = x
        rows: dict[int, list[Item]] = {}
        for item in self.items:
            rows.setdefault(item.level, []).append(item)
        bottom = 0.0
        for row in rows.values():
            height = max(item.height for item in row)
            fan = max((abs(item.x - item.parent.x) for item in row if item.parent), default=0)
            top = bottom + (LABEL_ROOM + min(max(34.0, 0.12 * fan), 150.0) if bottom else 0)
            for item in row:
                item.y = top + (height if isinstance(item, Drawn) else item.height) / 2
            bottom = top + height

    def _box(self) -> tuple[float, float, float, float]:
        left = max((text_width(caption, LABEL) + 12 for _, caption in self._caption_rows()), default=0)
        right = max(item.x + item.width / 2 for item in self.items)
        bottom = max(item.y + item.height / 2 for item in self.items)
        return -left - MARGIN, -MARGIN, right + left + 2 * MARGIN, bottom + 2 * MARGIN

    # -- Parts.

    def _caption_rows(self) -> Iterator[tuple[float, str]]:
        """Who moves at a level, where all its nodes agree."""
        rows: dict[int, list[Drawn]] = {}
        for item in self.nodes:
            if not isinstance(item.node.entered, Leaf):
                rows.setdefault(item.level, []).append(item)
        for row in rows.values():
            movers = {self._mover(item) for item in row}
            if len(movers) == 1:
                yield row[0].y, movers.pop()

    def _captions(self) -> Iterator[Markup]:
        left = self._box()[0] + MARGIN
        for y, caption in self._caption_rows():
            yield element("text", caption, class_="caption", x=left, y=y + 0.35 * LABEL)

    def _mover(self, item: Drawn) -> str:
        by = item.node.entered
        if isinstance(by, Leaf):
            return ""
        if by.kind == "player" or (by.kind == "min" and len(self.trace.players) > 2):
            return self.trace.players[by.player]
        return "chance" if by.kind == "chance" else by.kind.upper()

    def _name(self, item: Drawn) -> str:
        """The name of the position, where it is short enough to stand beside the node."""
        name = item.node.entered.position or ""
        long = len(name) > 6 or not name.isprintable() or item.number in self.boards
        return "" if long or isinstance(item.node.entered, Leaf) else name

    def _whose(self, item: Drawn) -> str:
        """Whose node it is, where the form does not say it."""
        return self._mover(item) if self._mover(item) not in ("MAX", "MIN", "chance") else ""

    def _path(self, number: int) -> list[int]:
        """The numbers of a node and of those above it; of a node that is not drawn, from the nearest."""
        path: list[int] = []
        at: int | None = number
        while at is not None:
            path.append(at)
            at = self.trace.tree[at].entered.parent
        return path

    def _node(self, item: Drawn, known: dict[int, Change], path: list[int]) -> Markup:
        change = known.get(item.number)
        states = [("chosen", item.chosen), ("unseen", change is None), ("open", change and change.open)]
        states.append(("current", path[:1] == [item.number]))
        by = item.node.entered
        bound = isinstance(by, Leaf) and by.why not in ("terminal", "goal")
        width, height = self._form_size(item)
        value, window = (change.value, change.window) if change else ("", None)
        parts = [element("title", self._tip(item))]
        if board := self.boards.get(item.number):
            parts += _with_board(kind(item), width, height, board)
            parts.append(_text("value", value, 10, height / 2 - 8))
        else:
            parts.append(forms.form(kind(item), width, height))
            parts.append(_text("value", value, 0, forms.value_place(kind(item), height)))
        name, whose = self._name(item), self._whose(item)
        if name:
            parts.append(_text("name", name, -width / 2 - 3, -1 if whose else 4))
        if whose:
            parts.append(_text("whose", whose, -width / 2 - 3, 12 if name else 4))
        if self._windows[item.number]:
            alpha, beta = window or ("", "")
            parts.append(_text("window alpha", alpha and f"α {alpha}", width / 2 + 4, -3))
            parts.append(_text("window beta", beta and f"β {beta}", width / 2 + 4, 10))
        classes = ["node", kind(item), *(["bound"] if bound else []), *(name for name, on in states if on)]
        place = f"translate({svg.number(item.x)} {svg.number(item.y)})"
        return element("g", *parts, class_=" ".join(classes), data_node=item.number, transform=place)

    def _tip(self, item: Drawn) -> str:
        """What a node is, in words; its value stands in it."""
        by = item.node.entered
        ends = {"depth": "evaluated at the depth bound", "cycle": "a position that was on the path already"}
        ends |= {"repeated": "a position that was searched already", "goal": "a goal"}
        what = ends.get(by.why, "the end of the game") if isinstance(by, Leaf) else self._mover(item)
        words = [what, by.position or "", f"after {by.action}" if by.action else ""]
        return " ".join(word for word in words if word)

    def _edge(self, item: Drawn, known: dict[int, Change], path: list[int]) -> Markup:
        assert item.parent is not None
        states = [("chosen", item.chosen), ("unseen", item.number not in known)]
        states.append(("path", item.number in path))
        classes = " ".join(["edge", *(name for name, on in states if on)])
        label = _label(item)
        top = item.y - item.height / 2
        parts = [_wire(item.parent, item.x, top - (LABEL_ROOM - 3 if label else 0))]
        if label:
            parts.append(_text("action", label, item.x, top - 5))
        return element("g", *parts, class_=classes, data_node=item.number)

    def _more(self, item: More) -> Markup:
        assert item.parent is not None
        top = item.y - item.height / 2
        tip = f"{item.count} more {'nodes are' if item.count > 1 else 'node is'} not drawn here"
        return element(
            "g",
            element("title", tip),
            _wire(item.parent, item.x, top - 8),
            _text("count", _more_text(item), item.x, top + 6),
            class_="more",
        )


def kind(item: Drawn) -> str:
    """What kind of node it is: "max", "min", "chance", "player", "or", "and" or "leaf"."""
    by = item.node.entered
    return "leaf" if isinstance(by, Leaf) else by.kind


def short_reason(cut: Cut) -> str:
    """Why branches were cut, as briefly as can be: "2 ≤ α 3"."""
    found = re.match(r"value (\S+) (<=|>=) (alpha|beta) ([^:\s]+)", cut.reason)
    if not found:
        return cut.reason
    value, relation, bound, other = found.groups()
    sign, letter = ("≤" if relation == "<=" else "≥"), ("α" if bound == "alpha" else "β")
    return f"{_signs(value)} {sign} {letter} {_signs(other)}"


def _signs(text: str) -> str:
    return text.replace("inf", "∞").replace("-", "−")


def _label(item: Drawn) -> str:
    by = item.node.entered
    chance = "" if by.probability is None else f" ({shown(by.probability)})"
    return f"{_brief(by.action or '')}{chance}"


def _brief(name: str) -> str:
    return name if len(name) <= 12 else f"{name[:11]}…"


def _more_text(item: More) -> str:
    return f"… {item.count:,} more"


def _stub_texts(item: Stubs) -> list[str]:
    rest = len(item.cut.skipped) - len(item.names)
    return [*(_brief(name) for name in item.names), *([f"… {rest} more"] if rest else [])]


def _stub_widths(item: Stubs) -> list[float]:
    return [max(26.0, text_width(text, LABEL) + 8) for text in _stub_texts(item)]


def _stubs(item: Stubs, cut: set[int]) -> Iterator[Markup]:
    """Branches that were cut, each crossed out, and the reason below them."""
    parent = item.parent
    assert isinstance(parent, Drawn)
    unseen = "" if parent.number in cut else " unseen"
    top = item.y - item.height / 2
    left = item.x - sum(_stub_widths(item)) / 2
    start = parent.y + parent.height / 2
    for index, (text, width) in enumerate(zip(_stub_texts(item), _stub_widths(item), strict=True)):
        x, y = left + width / 2, top - LABEL_ROOM + 3
        left += width
        at_x, at_y = parent.x + CROSS * (x - parent.x), start + CROSS * (y - start)
        cross = f"M{svg.number(at_x - 5)} {svg.number(at_y - 5)}l10 10m0 -10l-10 10"
        yield element(
            "g",
            element("title", f"{', '.join(item.cut.skipped[:20])}: cut, for {item.cut.reason}"),
            _wire(parent, x, y),
            element("path", class_="cross", d=cross),
            _text("action", text, x, top - 5),
            class_=f"cut{unseen}",
            data_parent=parent.number,
            data_index=item.first + index,
        )
    reason = short_reason(item.cut)
    yield element("text", reason, class_=f"reason{unseen}", x=item.x, y=top + 9, data_parent=parent.number)


def _wire(parent: Item, x: float, y: float) -> Markup:
    return element("line", class_="wire", x1=parent.x, y1=parent.y + parent.height / 2, x2=x, y2=y)


def _text(name: str, text: str, x: float, y: float) -> Markup:
    return element("text", text, class_=name, x=x, y=y)


def _with_board(kind: str, width: float, height: float, board: Markup) -> list[Markup]:
    """A frame with the board, and below it a small form of its kind."""
    frame = element("rect", class_="form", x=-width / 2, y=-height / 2, width=width, height=height, rx=4)
    wide, _ = thumbnails.size(board)
    place = f"translate({svg.number(-wide / 2)} {svg.number(4 - height / 2)})"
    small = forms.form(kind, 16, 14)
    at = f"translate({svg.number(14 - width / 2)} {svg.number(height / 2 - 13)})"
    return [
        frame,
        element("g", board, transform=place, class_="thumbnail"),
        element("g", small, transform=at, class_=kind),
    ]
