"""Game trees as lectures draw them: boards in rows, symmetric moves folded, dots for the rest, ends below."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from plies.draw import thumbnails
from plies.draw.board import board
from plies.draw.layout import tidy
from plies.draw.picture import Picture
from plies.draw.svg import Markup, document, element, number, text_width
from plies.draw.theme import colour
from plies.errors import BadParameter
from plies.game import CHANCE, Action, Game, State
from plies.validation import refuse_simultaneous
from plies.wrapper import Folded

SIDE = 84
"""The pixels of the longer side of a board. Not tuned."""

GAP, FAMILY_GAP = 22, 34
"""The pixels between siblings, and between other neighbours. Not tuned."""

LEVEL_GAP, MOST_LEVEL_GAP = 62, 150
"""The pixels between rows: as many as fill a slide, within these limits. Not tuned."""

SLIDE = 9 / 16
"""The height of a slide, in parts of its width."""

MOST_BOARDS = 14
"""The most boards in a row of which every node is opened. Not tuned."""

TYPE, SHARE = 22, 0.021
"""The least size of letters in pixels, and their part of a wide picture: it can be read on a slide."""

MARGIN = 20
"""The pixels around the tree. Not tuned."""

MOST_DEPTH, MOST_WIDTH = 8, 12
"""The limits of a picture that can be read. Not tuned."""

MOVES, MOST_ENDS = 500, 7
"""The moves of random playouts in which ends are looked for, and the most ends. Not tuned."""

STYLE = (
    f".gametree .wire{{{colour('quiet', 'stroke')};stroke-width:2;fill:none}}"
    ".gametree .rest{stroke-linecap:round}"
    f".gametree .dots{{{colour('quiet', 'stroke')};stroke-width:5;stroke-dasharray:0 11}}"
    f".gametree .halo{{{colour('ground', 'stroke')};stroke-width:14}}"
    ".gametree .caption{font-weight:600;text-anchor:start}.gametree .utility{font-weight:700}"
    f".gametree .times{{{colour('quiet')}}}"
)


@dataclass(eq=False)
class _Node:
    """A position in the picture; without a state, dots that stand for the moves left out."""

    parent: _Node | None
    state: State | None
    action: Action | None = None
    stands_for: int = 1
    below: list[_Node] = field(default_factory=list)
    board: Markup | None = None
    utility: float | None = None
    """What it is worth to the first player, if the game ends here."""
    x: float = 0


def game_tree(game: Game, state: State | None = None, *, depth: int = 2, width: int = 7) -> Picture:
    """A picture of the first plies of a game's tree, with boards in the nodes, and of ways in which it ends.

    Of symmetric moves the first stands for all, and says for how many. All nodes of a level are opened if
    there is room, else the first; up to `width` of its moves are drawn. Dots are the rest. The bottom row has
    a terminal position for every utility that random playouts find, and what it is worth to the first player.
    """
    refuse_simultaneous(game, "a picture of the tree")
    for name, value, most in (("depth", depth, MOST_DEPTH), ("width", width, MOST_WIDTH)):
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            raise BadParameter(f"{name} must be between 1 and {most}, not {value!r}")
    return _Drawing(game, game.initial() if state is None else state, depth, width).picture()


class _Drawing:
    """The nodes of the picture, with their boards and places."""

    def __init__(self, game: Game, state: State, depth: int, width: int) -> None:
        self.game = game
        self.folded = Folded(game)
        self.rows = [[_Node(None, state)]]
        for _ in range(depth):
            inner = [node for node in self.rows[-1] if self._goes_on(node)]
            boards = sum(min(len(self.folded.orbits(node.state)), width) for node in inner)
            opened = inner if boards <= MOST_BOARDS else inner[:1]
            row = [child for node in opened for child in self._open(node, width)]
            if not row:
                break
            self.rows.append(row)
        self._place(self._in_order(self.rows[0][0]))
        self.ends = self._ends()

    def _goes_on(self, node: _Node) -> bool:
        return node.state is not None and not self.game.is_terminal(node.state)

    def _moves(self, state: State) -> list[Action]:
        if self.game.to_move(state) == CHANCE:
            return [outcome for outcome, _ in self.game.chance(state)]
        return list(self.game.actions(state))

    def _open(self, node: _Node, width: int) -> list[_Node]:
        """Add the nodes below a node."""
        orbits = self.folded.orbits(node.state)
        for action, count in orbits[:width]:
            child = _Node(node, self.game.result(node.state, action), action, count)
            if self.game.is_terminal(child.state):
                child.utility = self.game.utility(child.state, 0)
            node.below.append(child)
        if len(orbits) > width:
            node.below.append(_Node(node, None))
        return node.below

    def _in_order(self, node: _Node) -> list[_Node]:
        return [node, *(item for child in node.below for item in self._in_order(child))]

    def _place(self, nodes: list[_Node]) -> None:
        for node in nodes:
            if node.state is not None:
                node.board = self._board(node.state, node.parent and node.parent.state, node.action)
        self.tall = max(thumbnails.size(node.board)[1] for node in nodes if node.board)
        places = {id(node): i for i, node in enumerate(nodes)}
        below = [[places[id(child)] for child in node.below] for node in nodes]
        widths = [thumbnails.size(node.board)[0] if node.board else SIDE / 2 for node in nodes]
        for node, x in zip(nodes, tidy(below, widths, GAP, FAMILY_GAP), strict=True):
            node.x = x
        self.wide = max(node.x + width / 2 for node, width in zip(nodes, widths, strict=True))
        self.letters = max(TYPE, SHARE * self.wide)

    def _board(self, state: State, before: State | None, action: Action | None) -> Markup:
        last = None if before is None or action is None else (before, action)
        return thumbnails.small(board(self.game, state, last=last, size=SIDE))

    def _ends(self) -> list[_Node]:
        """A terminal position for each utility to the first player, the least first, below the last row."""
        starts = [node for node in self.rows[-1] if self._goes_on(node)]
        found: dict[float, tuple[State, State, Action]] = {}
        rng, playout = random.Random(0), 0  # the same picture every time
        state = starts[0].state if starts else None
        for _ in range(MOVES if starts else 0):
            before, action = state, rng.choice(self._moves(state))
            state = self.game.result(before, action)
            if self.game.is_terminal(state):
                found.setdefault(self.game.utility(state, 0), (state, before, action))
                playout += 1
                state = starts[playout % len(starts)].state
        ends = []
        shown = sorted(found)[:: max(1, len(found) - 1)] if len(found) > MOST_ENDS else sorted(found)
        for i, utility in enumerate(shown):
            state, before, action = found[utility]
            node = _Node(None, state, board=self._board(state, before, action), utility=utility)
            node.x = self.wide * (i + 0.5) / len(shown)
            ends.append(node)
        return ends

    # -- The picture.

    def picture(self) -> Picture:
        captions = [self._caption(row) for row in self.rows] + (["TERMINAL", "utility"] if self.ends else [])
        left = max(text_width(caption, self.letters) for caption in captions) + 2 * MARGIN
        width = self.wide + left + 2 * MARGIN
        levels = len(self.rows) + bool(self.ends)
        rest = levels * self.tall + 2 * MARGIN + 1.6 * self.letters
        self.gap = min(max(LEVEL_GAP, (SLIDE * width - rest) / max(1, levels - 1)), MOST_LEVEL_GAP)
        inside = [*self._words(captions, -left), *self._wires(), *self._dots(), *self._nodes()]
        height = rest + (levels - 1) * self.gap
        box = (-left - MARGIN, -self.tall / 2 - MARGIN, width, height)
        title = f"the game tree of {self.game.name}"
        return Picture(document("gametree", box, title, self._described(), inside, max(box[2:]), STYLE))

    def _y(self, level: int) -> float:
        return level * (self.tall + self.gap)

    def _caption(self, row: list[_Node]) -> str:
        """Who moves in a row."""
        movers = {self.game.to_move(node.state) for node in row if self._goes_on(node)}
        if len(movers) != 1:
            return "" if movers else "TERMINAL"
        mover = movers.pop()
        if mover == CHANCE:
            return "CHANCE"
        name = self.game.player_name(mover)
        if self.game.players > 2 or name in ("MAX", "MIN"):
            return name
        return f"{('MAX', 'MIN')[mover]} ({name})"

    def _words(self, captions: list[str], left: float) -> Iterator[Markup]:
        for level, caption in enumerate(captions):
            low = (
                self.tall / 2 + 1.1 * self.letters - self.tall - self.gap
                if caption == "utility"
                else 0.35 * self.letters
            )
            yield self._text("caption", caption, left, self._y(level) + low)

    def _text(self, name: str, text: str, x: float, y: float, size: float = 1) -> Markup:
        return element("text", text, class_=name, x=x, y=y, font_size=size * self.letters)

    def _wires(self) -> Iterator[Markup]:
        for level, row in enumerate(self.rows[1:], 1):
            for node in row:
                assert node.parent is not None
                top, end = self._y(level - 1) + self.tall / 2 + 3, self._y(level) - self.tall / 2 - 3
                yield element("line", class_="wire", x1=node.parent.x, y1=top, x2=node.x, y2=end)

    def _dots(self) -> Iterator[Markup]:
        """Dots below every node that goes on and is not opened, and in the place of moves left out."""
        for level, row in enumerate(self.rows):
            for node in row:
                x, y = node.x, self._y(level)
                if node.state is None:
                    yield from _dotted(x - 11, y, x + 12, y)
                elif self._goes_on(node) and not node.below:
                    top = y + self.tall / 2 + 12
                    yield from _dotted(x, top, x, top + 23)

    def _nodes(self) -> Iterator[Markup]:
        for level, row in enumerate([*self.rows, self.ends]):
            for node in row:
                if node.board is None:
                    continue
                width, height = thumbnails.size(node.board)
                place = f"translate({number(node.x - width / 2)} {number(self._y(level) - height / 2)})"
                yield element("g", node.board, transform=place)
                if node.stands_for > 1:
                    assert node.parent is not None
                    side = -26 if node.x < node.parent.x else 26  # away from the edge
                    y = self._y(level) - self.tall / 2 - 8
                    yield self._text("times", f"×{node.stands_for}", node.x + side, y, 0.8)
                if node.utility is not None:
                    y = self._y(level) + self.tall / 2 + 1.1 * self.letters
                    sign = f"{node.utility:+g}".replace("-", "−") if node.utility else "0"
                    yield self._text("utility", sign, node.x, y)

    def _described(self) -> str:
        """The picture in words, for screen readers."""
        lines = []
        for row in self.rows[1:]:
            names = []
            for node in row:
                if node.parent is None or node.state is None:
                    names.append("…")
                    continue
                times = f" (for {node.stands_for} moves)" if node.stands_for > 1 else ""
                names.append(self.game.notation(node.parent.state, node.action) + times)
            lines.append(f"{self._caption([row[0].parent] if row[0].parent else [])}: {', '.join(names)}")
        if self.ends:
            lines.append(f"Ends are worth {', '.join(f'{node.utility:g}' for node in self.ends)}.")
        return "\n".join(lines)


def _dotted(x1: float, y1: float, x2: float, y2: float) -> Iterator[Markup]:
    """Three dots, which edges behind them leave room for."""
    for name in ("halo", "dots"):
        yield element("line", class_=f"rest {name}", x1=x1, y1=y1, x2=x2, y2=y2)
