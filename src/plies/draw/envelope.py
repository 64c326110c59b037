"""A matrix game with two rows or two columns as lines: the envelope, and where it gives the value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from plies.draw.picture import Picture
from plies.draw.svg import Markup, document, element, text_width
from plies.draw.theme import colour
from plies.errors import BadParameter
from plies.matrix.game import MatrixGame
from plies.matrix.numbers import shown

WIDTH, HEIGHT = 480, 300
"""The field between the two axes, in pixels. Not tuned."""

MARGIN, SIZE = 16, 15
"""The margin and the size of letters, in pixels. Not tuned."""

GAP = 19
"""The least distance between the names of lines, in pixels. Not tuned."""

COLOURS = ("blue", "orange", "green", "purple", "red")
DASHES = (None, "9 5", "3 4", "12 4 3 4")
"""Lines differ in more than their colour; each has its name at its end, too."""

STYLE = (
    f".plies.envelope .axis{{{colour('quiet', 'stroke')};stroke-width:1.5}}"
    f".plies.envelope .scale{{{colour('quiet', 'stroke')};stroke-width:1;opacity:.25}}"
    ".plies.envelope .payoff{stroke-width:2}"
    + "".join(f".plies.envelope .payoff.{name}{{{colour(name, 'stroke')}}}" for name in COLOURS)
    + f".plies.envelope .sure{{{colour('accent')};opacity:.1}}"
    f".plies.envelope .edge{{fill:none;{colour('accent', 'stroke')};stroke-width:5;stroke-linejoin:round;"
    "stroke-linecap:round;opacity:.75}"
    f".plies.envelope .drop{{{colour('accent', 'stroke')};stroke-width:1.5;stroke-dasharray:4 4}}"
    f".plies.envelope .optimum{{{colour('accent')};{colour('ground', 'stroke')};stroke-width:2}}"
    f".plies.envelope .found{{{colour('accent')};font-weight:700;{colour('ground', 'stroke')};stroke-width:4;"
    "paint-order:stroke;stroke-linejoin:round}"
    ".plies.envelope .begin{text-anchor:start}.plies.envelope .end{text-anchor:end}"
    ".plies.envelope .name{font-weight:600}"
)


def envelope(game: MatrixGame) -> Picture:
    """A picture of a 2 × n game: Row's payoff against each column, by how often Row plays the second row.

    The lower envelope, what Row is sure of, is highest at Row's optimal mixture, and is the value there. A
    game of m × 2 is drawn for Column: each row is a line, and the upper envelope is lowest at Column's
    optimal mixture.
    """
    for_row = len(game.rows) == 2
    if not for_row and len(game.rows[0]) != 2:
        raise BadParameter(
            f"the picture is for games with two rows or two columns; this one is {len(game.rows)} × "
            f"{len(game.rows[0])}: dominance may leave less, see game.dominance()"
        )
    return _Drawing(game, for_row).picture()


class _Drawing:
    """The lines of a game, and where everything stands."""

    def __init__(self, game: MatrixGame, for_row: bool) -> None:
        self.game, self.for_row = game, for_row
        self.who = "Row" if for_row else "Column"
        self.choices = game.row_names if for_row else game.column_names
        self.names = game.column_names if for_row else game.row_names
        lines = list(zip(*game.rows, strict=True)) if for_row else game.rows
        self.lines = [(float(left), float(right)) for left, right in lines]
        strategy = game.row_strategy if for_row else game.column_strategy
        self.optimum, self.value = strategy[1], float(game.value)
        payoffs = [payoff for line in self.lines for payoff in line]
        self.ticks = _ticks(min(payoffs), max(payoffs))
        self.low, self.high = self.ticks[0], self.ticks[-1]

    def picture(self) -> Picture:
        left = MARGIN + max(text_width(_tick(tick), SIZE) for tick in self.ticks) + 10
        right = MARGIN + max(text_width(name, SIZE) for name in self.names) + 12
        left = max(left, text_width(self.choices[0], SIZE) / 2 + MARGIN)
        right = max(right, text_width(self.choices[1], SIZE) / 2 + MARGIN)
        box = (-left, -MARGIN - SIZE, WIDTH + left + right, HEIGHT + 4.6 * SIZE + 2 * MARGIN)
        title = f"What {self.who} is sure of, by mixture"
        parts = [*self._axes(), *self._envelope(), *self._payoffs(), *self._found()]
        return Picture(document("envelope", box, title, self._words(), parts, max(box[2:]), STYLE))

    def _words(self) -> str:
        against = [
            f"against {name}, from {_tick(left)} to {_tick(right)}"
            for name, (left, right) in zip(self.names, self.lines, strict=True)
        ]
        best = "highest" if self.for_row else "lowest"
        return (
            f"Row's payoff as {self.who} goes from {self.choices[0]} to {self.choices[1]}: "
            f"{'; '.join(against)}. "
            f"The envelope is {best} where {self.choices[1]} has probability {shown(self.optimum)}: "
            f"the value, {shown(self.game.value)}."
        )

    # -- Parts.

    def _axes(self) -> Iterator[Markup]:
        for tick in self.ticks:
            y = self._y(tick)
            yield element("line", class_="scale", x1=0, y1=y, x2=WIDTH, y2=y)
            yield _text(-8, y, _tick(tick), "label end")
        for x in (0, WIDTH):
            yield element("line", class_="axis", x1=x, y1=0, x2=x, y2=HEIGHT)
        yield element("line", class_="axis", x1=0, y1=HEIGHT, x2=WIDTH, y2=HEIGHT)
        below = HEIGHT + 1.1 * SIZE
        yield _text(0, below, "0", "label")
        yield _text(WIDTH, below, "1", "label")
        yield _text(0, below + 1.3 * SIZE, self.choices[0], "name")
        yield _text(WIDTH, below + 1.3 * SIZE, self.choices[1], "name")
        yield _text(
            WIDTH / 2, below + 2.6 * SIZE, f"probability that {self.who} plays {self.choices[1]}", "label"
        )

    def _payoffs(self) -> Iterator[Markup]:
        """The lines, and their names at the right end, none of them over another."""
        for place, (left, right) in enumerate(self.lines):
            look = COLOURS[place % len(COLOURS)]
            yield element(
                "line", class_=f"payoff {look}", stroke_dasharray=DASHES[place % len(DASHES)],
                x1=0, y1=self._y(left), x2=WIDTH, y2=self._y(right),
            )  # fmt: skip
        order = sorted(range(len(self.lines)), key=lambda i: (-self.lines[i][1], -self.lines[i][0]))
        heights = _apart([self._y(self.lines[i][1]) for i in order])
        for i, y in zip(order, heights, strict=True):
            yield _text(WIDTH + 10, y, self.names[i], "begin")

    def _envelope(self) -> Iterator[Markup]:
        corners = [(x * WIDTH, self._y(self._edge(x))) for x in self._corners()]
        floor = HEIGHT if self.for_row else 0
        points = " ".join(f"{x:.2f},{y:.2f}" for x, y in corners)
        yield element("polygon", class_="sure", points=f"0,{floor} {points} {WIDTH},{floor}")
        yield element("polyline", class_="edge", points=points)

    def _found(self) -> Iterator[Markup]:
        x, y = float(self.optimum) * WIDTH, self._y(self.value)
        yield element("line", class_="drop", x1=x, y1=y, x2=x, y2=HEIGHT)
        yield element("line", class_="drop", x1=0, y1=y, x2=x, y2=y)
        yield element("circle", class_="optimum", cx=x, cy=y, r=7)
        # On the side of the envelope where no line runs, unless there is no room.
        inside = y + 36 if self.for_row else y - 36
        beside = y - 18 if inside > HEIGHT - 8 else y + 18 if inside < 8 else inside
        text = f"value {shown(self.game.value)}"
        room = text_width(text, SIZE) / 2 + 6
        yield _text(min(max(x, room), WIDTH - room), beside, text, "found")
        if 0 < float(self.optimum) < 1:
            yield _text(x, HEIGHT + 1.1 * SIZE, shown(self.optimum), "found")

    # -- Geometry.

    def _y(self, payoff: float) -> float:
        return HEIGHT * (self.high - payoff) / (self.high - self.low)

    def _edge(self, x: float) -> float:
        """The envelope: the least payoff at a mixture, or the greatest if Column mixes."""
        payoffs = [left + (right - left) * x for left, right in self.lines]
        return min(payoffs) if self.for_row else max(payoffs)

    def _corners(self) -> list[float]:
        """Where two lines meet on the envelope, and both ends."""
        crossings = {0.0, 1.0}
        for i, (left, right) in enumerate(self.lines):
            for other_left, other_right in self.lines[:i]:
                gap = (left - right) - (other_left - other_right)
                if gap and 0 < (x := (left - other_left) / gap) < 1:
                    crossings.add(x)
        return sorted(crossings)


def _text(x: float, y: float, text: str, class_: str) -> Markup:
    return element("text", text, class_=class_, x=x, y=y + 0.35 * SIZE, font_size=SIZE)


def _apart(heights: Sequence[float]) -> list[float]:
    """Heights from top to bottom, moved until they are `GAP` apart, and not far from where they were."""
    placed: list[float] = []
    for y in heights:
        placed.append(max(y, placed[-1] + GAP) if placed else y)
    excess = placed[-1] - max(heights[-1], HEIGHT)
    for i in range(len(placed) - 1, -1, -1):
        if excess <= 0:
            break
        above = placed[i - 1] + GAP if i else -math.inf
        placed[i] = placed[i] - excess
        excess = above - placed[i]
    return placed


def _ticks(low: float, high: float) -> list[float]:
    """About five round numbers that reach from below the least payoff to above the greatest."""
    if low == high:
        low, high = low - 1, high + 1
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * size for size in (1, 2, 5, 10) if power * size >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [i * step for i in range(first, last + 1)]


def _tick(number: float) -> str:
    return shown(Fraction(number)) if number == int(number) and abs(number) < 1e6 else f"{number:.4g}"
