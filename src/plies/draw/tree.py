"""Trees: the tree that a search visited, drawn from its trace."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from plies.book.events import Cut, Leaf
from plies.book.recorder import ITERATIONS
from plies.book.tracing import Trace
from plies.draw import forms, svg, thumbnails
from plies.draw.explain import explain
from plies.draw.forms import Type
from plies.draw.known import Change, changes, shown
from plies.draw.large_type import scale
from plies.draw.outline import Drawn, Item, More, Stubs, brief, outline
from plies.draw.picture import Picture
from plies.draw.placing import Across, Box, Down, Point, Way, rows
from plies.draw.svg import Markup, element, text_width
from plies.errors import BadParameter
from plies.game import Game

LIMIT = 300
"""The most nodes of a picture, by default. Not tuned."""

WIDEST = 2_500
"""The width in pixels beyond which a tree is drawn from left to right. Not tuned."""

MARGIN = 16
"""The pixels around the tree. Not tuned."""

CROSS = 0.66
"""The place of the cross on a branch that was cut, in parts of its length. Not tuned."""

ENDS = {
    "terminal": "the end of the game",
    "depth": "evaluated at the depth bound",
    "cutoff": "evaluated by the cut-off test",
    "goal": "the goal",
    "cycle": "a position already on the path",
    "repeated": "a position that was searched already",
    "known": "a position that was searched already",
    "table": "known from the transposition table",
    "stand-pat": "evaluated, if no noisy action is better",
}


def tree(
    trace: Trace,
    *,
    step: int | None = None,
    boards: Game | None = None,
    limit: int = LIMIT,
    across: bool | None = None,
) -> Picture:
    """A picture of the tree that a search visited, with values, windows, the chosen line and cut-offs.

    With `step`, it shows the tree after that number of events. `boards` is the game, whose positions are then
    drawn in the nodes; a trace that was read from JSON has none. Of a tree with more nodes than `limit` the
    rest is counted: the chosen line is always there. With `across` the root is on the left, else on top;
    by default, only wide trees are drawn so.
    """
    return Drawing(trace, boards=boards, limit=limit, across=across).picture(step)


class Drawing:
    """A tree with its layout, which can be shown after any step."""

    def __init__(
        self,
        trace: Trace,
        *,
        boards: Game | None = None,
        limit: int = LIMIT,
        across: bool | None = None,
        opened: Collection[int] = (),
    ) -> None:
        """Below nodes that are `opened`, some more are drawn than `limit` has room for."""
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            raise BadParameter(f"limit must be 1 node or more, not {limit!r}")
        self.trace = trace
        self.type = Type.of(scale())
        self.changes = changes(trace)
        self.sentences = explain(trace)
        self.items = outline(trace, limit, opened)
        self.nodes = [item for item in self.items if isinstance(item, Drawn)]
        self.boards = self._boards(boards)
        self._measure()
        self._captions = self._find_captions()
        self.way, self.box = self._placed(across)

    def picture(self, step: int | None = None) -> Picture:
        """The tree after a number of events; by default, after all of them."""
        total = len(self.changes)
        step = total if step is None else step
        if isinstance(step, bool) or not isinstance(step, int) or not 0 <= step <= total:
            raise BadParameter(f"step must be between 0 and {total}, not {step!r}")
        known = {change.node: change for change in self.changes[:step]}
        cut = {(event.node, event.kind) for event in self.trace.events[:step] if isinstance(event, Cut)}
        path = self._path(self.changes[step - 1].node) if 0 < step < total else []
        inside = [
            *(self._caption(item, text) for item, text in self._captions),
            *(self._edge(item, known, path) for item in self.nodes if item.parent),
            *(self._more(item) for item in self.items if isinstance(item, More)),
            *(part for item in self.items if isinstance(item, Stubs) for part in self._stubs(item, cut)),
            *(self._node(item, known, path) for item in self.nodes),
        ]
        content = element("g", *inside, class_=f"whole {self.way.name}{' done' if step == total else ''}")
        box = self.box
        outer = box.left - MARGIN, box.top - MARGIN, box.width + 2 * MARGIN, box.height + 2 * MARGIN
        words, style = self._words(step), forms.style(self.type)
        kind = "tree large" if self.type.scale > 1 else "tree"
        return Picture(svg.document(kind, outer, self.trace.heading, words, [content], max(outer[2:]), style))

    def unsolved(self) -> Picture:
        """The tree as an exercise: the values of its leaves, and nothing that a search has found."""
        leaves = {item.number for item in self.nodes if item.kind == "leaf"}
        known = {change.node: change for change in self.changes if change.node in leaves}
        inside = [
            *(self._caption(item, text) for item, text in self._captions),
            *(self._edge(item, known, []) for item in self.nodes if item.parent),
            *(self._node(item, known, []) for item in self.nodes),
        ]
        content = element("g", *inside, class_=f"whole {self.way.name}")
        box = self.box
        outer = box.left - MARGIN, box.top - MARGIN, box.width + 2 * MARGIN, box.height + 2 * MARGIN
        words, style = "A tree to be searched by hand.", forms.style(self.type)
        drawn = svg.document("tree", outer, "A tree", words, [content], max(outer[2:]), style)
        return Picture(re.sub(r'(class="[a-z ]*?)(?: chosen| unseen)+', r"\1", drawn))

    def _words(self, step: int) -> str:
        """The description of the tree, for screen readers."""
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

    def _measure(self) -> None:
        """The sizes of all items: a node's are those of its widest value, so that it need not grow."""
        values: dict[int, float] = {}
        windows: dict[int, float] = {}
        for change in self.changes:
            bounds = [text_width(f"α {bound}", self.type.small) for bound in change.window or ()]
            values[change.node] = max(values.get(change.node, 0), text_width(change.value, self.type.value))
            windows[change.node] = max(windows.get(change.node, 0), *bounds, 0)
        for item in self.items:
            if isinstance(item, Drawn):
                item.form = self._form_size(item, values[item.number])
                item.label = text_width(_label(item), self.type.label)
                item.left = max(
                    text_width(self._name(item), self.type.label),
                    text_width(self._whose(item), self.type.small),
                )
                item.right = windows[item.number]
            elif isinstance(item, More):
                item.form = text_width(item.text, self.type.small), self.type.line
            elif isinstance(item, Stubs):
                item.form = 0, self.type.line
                item.widths = [
                    max(26.0 * self.type.scale, text_width(text, self.type.label) + 8) for text in item.texts
                ]
                item.right = text_width(short_reason(item.cut), self.type.small)

    def _form_size(self, item: Drawn, value: float) -> tuple[float, float]:
        if item.number not in self.boards:
            return forms.size(item.kind, value, self.type.scale)
        width, height = thumbnails.size(self.boards[item.number])
        return max(width, value + 26 * self.type.scale) + 8, height + 28 * self.type.scale

    def _placed(self, across: bool | None) -> tuple[Way, Box]:
        """Place all items, in the direction requested or the one that suits the tree."""
        captions = max((text_width(text, self.type.label) for _, text in self._captions), default=0)
        way: Way = Across(self.type) if across else Down(self.type)
        way.place(self.items)
        if across is None and way.box(self.items, captions).width > WIDEST:
            return self._placed(across=True)
        return way, way.box(self.items, captions)

    # -- Words.

    def _find_captions(self) -> list[tuple[Drawn, str]]:
        """Who moves at each level, if all its nodes agree."""
        inner = [item for item in self.nodes if item.kind != "leaf"]
        found = []
        for row in rows(inner):
            movers = {self._mover(item) for item in row if isinstance(item, Drawn)}
            if len(movers) == 1 and isinstance(row[0], Drawn):
                found.append((row[0], movers.pop()))
        return found

    def _mover(self, item: Drawn) -> str:
        by = item.node.entered
        if isinstance(by, Leaf):
            return ""
        if by.kind == "player" or (by.kind == "min" and len(self.trace.players) > 2):
            return self.trace.players[by.player]
        words = {"chance": "chance", "matrix": "both", ITERATIONS: "iterations"}
        return words.get(by.kind) or by.kind.upper()

    def _name(self, item: Drawn) -> str:
        """The name of the position, if it is short enough to go beside the node."""
        name = item.node.entered.position or ""
        long = len(name) > 6 or not name.isprintable() or item.number in self.boards
        return "" if long or item.kind == "leaf" else name

    def _whose(self, item: Drawn) -> str:
        """Whose node it is, if its form does not show it."""
        return (
            self._mover(item)
            if self._mover(item) not in ("MAX", "MIN", "chance", "both", "iterations")
            else ""
        )

    def _tip(self, item: Drawn) -> str:
        """What a node is, in words."""
        by = item.node.entered
        what = ENDS.get(by.why, by.why) if isinstance(by, Leaf) else self._mover(item)
        words = [what, by.position or "", f"after {by.action}" if by.action else ""]
        return ", ".join(word for word in words if word)

    def _path(self, number: int) -> list[int]:
        """The numbers of a node and of those above it."""
        path: list[int] = []
        at: int | None = number
        while at is not None:
            path.append(at)
            at = self.trace.tree[at].entered.parent
        return path

    # -- Parts.

    def _caption(self, item: Drawn, text: str) -> Markup:
        return _text("caption", text, self.way.caption(self.box, item))

    def _node(self, item: Drawn, known: dict[int, Change], path: list[int]) -> Markup:
        change = known.get(item.number)
        by = item.node.entered
        classes = {
            "bound": isinstance(by, Leaf) and by.why not in ("terminal", "goal"),
            "chosen": item.chosen,
            "unseen": change is None,
            "open": change is not None and change.open,
            "current": path[:1] == [item.number],
        }
        return element(
            "g",
            element("title", self._tip(item)),
            *self._form(item, change.value if change else ""),
            *self._beside(item, change.window if change else None),
            class_=_classes(f"node {item.kind}", classes),
            data_node=item.number,
            transform=f"translate({svg.number(item.x)} {svg.number(item.y)})",
        )

    def _form(self, item: Drawn, value: str) -> Iterator[Markup]:
        """The form of a node with its value, and its board if it has one."""
        width, height = item.form
        board = self.boards.get(item.number)
        if board is None:
            yield forms.form(item.kind, width, height)
            yield _text("value", value, Point(0, forms.value_place(item.kind, height, self.type.scale)))
            return
        yield element("rect", class_="form", x=-width / 2, y=-height / 2, width=width, height=height, rx=4)
        place = f"translate({svg.number(-thumbnails.size(board)[0] / 2)} {svg.number(4 - height / 2)})"
        yield element("g", board, transform=place, class_="thumbnail")
        k = self.type.scale
        place = f"translate({svg.number(14 * k - width / 2)} {svg.number(height / 2 - 13 * k)})"
        yield element("g", forms.form(item.kind, 16 * k, 14 * k), transform=place, class_=item.kind)
        yield _text("value", value, Point(10 * k, height / 2 - 8 * k))

    def _beside(self, item: Drawn, window: tuple[str, str] | None) -> Iterator[Markup]:
        """The name of a node and whose it is on its left, and the window on its right."""
        left, right = -item.form[0] / 2 - 4, item.form[0] / 2 + 4
        name, whose, k = self._name(item), self._whose(item), self.type.scale
        if name:
            yield _text("name", name, Point(left, (-1 if whose else 4) * k))
        if whose:
            yield _text("whose", whose, Point(left, (12 if name else 4) * k))
        if item.right:
            yield _text("window alpha", f"α {window[0]}" if window else "", Point(right, -3 * k))
            yield _text("window beta", f"β {window[1]}" if window else "", Point(right, 10 * k))

    def _edge(self, item: Drawn, known: dict[int, Change], path: list[int]) -> Markup:
        states = {"chosen": item.chosen, "unseen": item.number not in known, "path": item.number in path}
        parts = [self._wire(item, self.way.entry(item))]
        if item.label:
            parts.append(_text("action", _label(item), self.way.action(item)))
        return element("g", *parts, class_=_classes("edge", states), data_node=item.number)

    def _more(self, item: More) -> Markup:
        tip = f"{item.count:,} more {'nodes are' if item.count > 1 else 'node is'} not drawn here"
        return element(
            "g",
            element("title", tip),
            self._wire(item, self.way.entry(item)),
            _text("count", item.text, self.way.more(item)),
            class_="more",
            data_parent=item.parent.number if isinstance(item.parent, Drawn) else None,
        )

    def _stubs(self, item: Stubs, cut: set[tuple[int, str]]) -> Iterator[Markup]:
        """Branches that were cut, each crossed out, and the reason beside them."""
        parent = item.cut.node
        unseen = {"unseen": (parent, item.cut.kind) not in cut}
        title = f"{', '.join(item.cut.skipped[:20])}: {_why(item.cut)}"
        for index, (text, (end, place)) in enumerate(
            zip(item.texts, self.way.stubs(item), strict=True), start=item.first
        ):
            yield element(
                "g",
                element("title", title),
                self._wire(item, end),
                element("path", class_="cross", d=self._cross(item, end)),
                _text("action", text, place),
                class_=_classes("cut", unseen),
                data_parent=parent,
                data_cut=item.cut.kind,
                data_index=index,
            )
        x, y = self.way.reason(item)
        classes = _classes("reason", unseen)
        data = {"data_parent": parent, "data_cut": item.cut.kind}
        yield element("text", short_reason(item.cut), class_=classes, x=x, y=y, **data)

    def _cross(self, item: Item, end: Point) -> str:
        assert item.parent is not None
        start = self.way.exit(item.parent)
        x, y = start.x + CROSS * (end.x - start.x), start.y + CROSS * (end.y - start.y)
        return f"M{svg.number(x - 5)} {svg.number(y - 5)}l10 10m0 -10l-10 10"

    def _wire(self, item: Item, end: Point) -> Markup:
        assert item.parent is not None
        start = self.way.exit(item.parent)
        return element("line", class_="wire", x1=start.x, y1=start.y, x2=end.x, y2=end.y)


SHORT = {
    "lot": "not sampled",
    "forward": "pruned forward",
    "quiet": "not noisy",
    "probe": "not probed",
    "or": "one is enough",
    "and": "one is enough",
}
"""Why branches were cut, in short, by the kind of the cut."""


def short_reason(cut: Cut) -> str:
    """Why branches were cut, in short: "2 ≤ α 3"."""
    found = re.match(r"value (\S+) (<=|>=) (alpha|beta) ([^:,\s]+)", cut.reason)
    if not found:
        return SHORT.get(cut.kind, cut.reason)
    value, relation, bound, other = found.groups()
    sign, letter = ("≤" if relation == "<=" else "≥"), ("α" if bound == "alpha" else "β")
    return f"{_signs(value)} {sign} {letter} {_signs(other)}"


def _why(cut: Cut) -> str:
    return cut.reason if cut.kind in SHORT else f"cut, for {cut.reason}"


def _signs(text: str) -> str:
    return text.replace("inf", "∞").replace("-", "−")


def _label(item: Drawn) -> str:
    by = item.node.entered
    chance = "" if by.probability is None else f" ({shown(by.probability)})"
    return f"{brief(by.action or '')}{chance}"


def _classes(name: str, states: dict[str, bool]) -> str:
    return " ".join([name, *(state for state, holds in states.items() if holds)])


def _text(name: str, text: str, place: Point) -> Markup:
    return element("text", text, class_=name, x=place.x, y=place.y)
