"""Pictures of a backgammon board: X's home is at the lower right, O's at the upper right.

A board is given by the numbers of checkers of X and of O: off, on each point as each counts, and on the bar.
"""

from __future__ import annotations

from collections.abc import Sequence

from plies.games.backgammon_board import BAR, OFF
from plies.scene import Cell, Label, Line, Piece, Scene

NAMES = "XO"

SHOWN = 5
"""How many checkers of a place are drawn; the last shows the number if there are more."""

UPPER = tuple(range(13, 25))
"""The points of the upper half from left to right, as X counts."""

LOWER = tuple(range(12, 0, -1))
"""The points of the lower half from left to right, as X counts."""


def numbers(points: Sequence[int], player: int) -> list[str]:
    """The numbers of some of X's points, as a player counts."""
    return [str(25 - point if player == 1 else point) for point in points]


def drawn(sides: Sequence[Sequence[int]], player: int, words: Sequence[str]) -> str:
    """A picture in characters, with points numbered as a player counts, and words beside the middle."""
    rows = [_numbered(UPPER, player), _border()]
    rows += [_row(sides, UPPER, 1, depth) for depth in range(SHOWN)]
    rows.append(f"|{'':18}|BAR|{'':18}|")
    rows += [_row(sides, LOWER, 0, depth) for depth in reversed(range(SHOWN))]
    rows += [_border(), _numbered(LOWER, player)]
    pips = [sum(place * number for place, number in enumerate(side)) for side in sides]
    rows[2] += f"  O: {pips[1]} pips" + (f", {sides[1][OFF]} off" if sides[1][OFF] else "")
    rows[-3] += f"  X: {pips[0]} pips" + (f", {sides[0][OFF]} off" if sides[0][OFF] else "")
    for number, line in enumerate(words):
        rows[7 - len(words) // 2 + number] += f"  {line}"
    return "\n".join(rows)


def _numbered(points: Sequence[int], player: int) -> str:
    names = [f"{name:>2} " for name in numbers(points, player)]
    return (" " + "".join(names[:6]) + "     " + "".join(names[6:])).rstrip()


def _border() -> str:
    return "+" + "-" * 18 + "+---+" + "-" * 18 + "+"


def _row(sides: Sequence[Sequence[int]], points: Sequence[int], on_bar: int, depth: int) -> str:
    """One row of checkers; row 0 is at the edge, and the bar is filled from the middle."""
    marks = []
    for point in points:
        held = [(player, sides[player][25 - point if player == 1 else point]) for player in (0, 1)]
        marks.append(next((_mark(player, number, depth) for player, number in held if number), "   "))
    bar = _mark(on_bar, sides[on_bar][BAR], SHOWN - 1 - depth)
    return f"|{''.join(marks[:6])}|{bar}|{''.join(marks[6:])}|"


def _mark(player: int, number: int, depth: int) -> str:
    """The character of a place at a depth from the edge; the last is the number if there are more."""
    if depth == SHOWN - 1 and number > SHOWN:
        return f"{number:>2} "
    return f" {NAMES[player]} " if depth < number else "   "


def scene(sides: Sequence[Sequence[int]], player: int, dice: str) -> Scene:
    """The points, the bar in the middle, the checkers borne off at the right, and the dice.

    Cells are named by X's numbers; the labels beside the board are those of the player to move.
    """
    cells, pieces, labels = [], [], []
    halves = ((UPPER, 2.5, 0.5, 1, "down"), (LOWER, 8.5, 10.5, -1, "up"))
    for points, centre, edge, inwards, tip in halves:
        for column, (point, name) in enumerate(zip(points, numbers(points, player), strict=True)):
            x = column + 0.5 + (column >= 6)
            cells.append(Cell(str(point), x, centre, "light" if point % 2 else "dark", 1, 5, tip))
            labels.append(Label(x, edge - 0.85 * inwards, name))
            for owner in (0, 1):
                pieces += _stack(owner, sides[owner][25 - point if owner == 1 else point], x, edge, inwards)
    for owner, name in enumerate(NAMES):
        centre, edge, inwards = (8.5, 10.5, -1) if owner == 0 else (2.5, 0.5, 1)
        cells.append(Cell(f"{name}'s bar", 6.5, centre, "plain", 1, 5))
        pieces += _stack(owner, sides[owner][BAR], 6.5, edge + 4 * inwards, -inwards)
        cells.append(Cell(f"{name} off", 13.5, centre, "plain", 1, 5))
        labels += [
            Label(6.5, edge - 0.85 * inwards, "bar"),
            Label(13.5, edge - 0.85 * inwards, "off"),
        ]
        pieces += _stack(owner, sides[owner][OFF], 13.5, edge, inwards)
    for number, die in enumerate(dice):
        pieces.append(Piece(9.5 + number, 5.5, None, "sign", "⚀⚁⚂⚃⚄⚅"[int(die) - 1]))
    return Scene(14, 11, cells, pieces, (Line(6, 0, 6, 11), Line(7, 0, 7, 11)), labels, ("white", "black"))


def _stack(owner: int, number: int, x: float, y: float, step: int) -> list[Piece]:
    """The checkers of a place; if there are more than `SHOWN`, the last has their number on it."""
    return [
        Piece(x, y + i * step, owner, "disc", str(number) if i == SHOWN - 1 < number - 1 else "")
        for i in range(min(number, SHOWN))
    ]


def cell_name(place: int, player: int) -> str:
    """The name of the cell of a place, as a player counts."""
    if place == OFF:
        return f"{NAMES[player]} off"
    if place == BAR:
        return f"{NAMES[player]}'s bar"
    return str(25 - place if player == 1 else place)
