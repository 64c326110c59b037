"""Pictures of a backgammon board: X's home is at the lower right, O's at the upper right.

A board is given by the checkers of X and of O as each counts: how many are off, on each point, on the bar.
"""

from __future__ import annotations

from collections.abc import Sequence

from plies.games.backgammon_board import BAR, OFF
from plies.scene import Cell, Label, Line, Piece, Scene

NAMES = "XO"

SHOWN = 5
"""How many checkers of a place are shown one by one."""

UPPER = tuple(range(13, 25))
"""X's numbers of the points of the upper half, from left to right."""

LOWER = tuple(range(12, 0, -1))


def numbers(points: Sequence[int], player: int) -> list[str]:
    """What a player calls points that X calls so."""
    return [str(25 - point if player == 1 else point) for point in points]


def drawn(sides: Sequence[Sequence[int]], player: int, words: Sequence[str]) -> str:
    """A picture in characters; the points are numbered as a player counts, and words stand in the middle."""
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
    """One row of checkers, the first the nearest to the edge; the bar is filled from the middle."""
    marks = []
    for point in points:
        held = [(player, sides[player][25 - point if player == 1 else point]) for player in (0, 1)]
        marks.append(next((_mark(player, number, depth) for player, number in held if number), "   "))
    bar = _mark(on_bar, sides[on_bar][BAR], SHOWN - 1 - depth)
    return f"|{''.join(marks[:6])}|{bar}|{''.join(marks[6:])}|"


def _mark(player: int, number: int, depth: int) -> str:
    """What is seen of the checkers of a place, so many from its beginning: the last says how many more."""
    if depth == SHOWN - 1 and number > SHOWN:
        return f"{number:>2} "
    return f" {NAMES[player]} " if depth < number else "   "


def scene(sides: Sequence[Sequence[int]], player: int, dice: str) -> Scene:
    """The points as upright cells, the bar in the middle, what is borne off at the right, and the dice.

    Cells have X's numbers, whoever is to move; beside the board stand the numbers of the player to move.
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
    return Scene(14, 11, cells, pieces, (Line(6, 0, 6, 11), Line(7, 0, 7, 11)), labels)


def _stack(owner: int, number: int, x: float, y: float, step: int) -> list[Piece]:
    """The checkers of one place; if there are too many to be shown, the last says how many there are."""
    return [
        Piece(x, y + i * step, owner, "disc", str(number) if i == SHOWN - 1 < number - 1 else NAMES[owner])
        for i in range(min(number, SHOWN))
    ]


def cell_name(place: int, player: int) -> str:
    """The cell of the scene that a player calls so."""
    if place == OFF:
        return f"{NAMES[player]} off"
    if place == BAR:
        return f"{NAMES[player]}'s bar"
    return str(25 - place if player == 1 else place)
