"""A board on a terminal, drawn from its scene: pieces as shapes in colour, coordinates, the last move marked.

It draws boards of squares, holes or points in a grid with coordinates. Other games are shown by their `text`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plies.game import Action, Game, State
from plies.scene import Cell, Label, Piece, Scene

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

BACKGROUNDS = {
    "light": "#b8a07a",
    "dark": "#77593b",
    "felt": "#2b7a3a",
    "hole": "#1f4fb5",
    "point": "#c79a4e",
    "star": "#c79a4e",
}
"""The colour behind a cell, by its look: between black and white, so that both are seen on it."""

FAINT = {"light": "#7b6848", "dark": "#b09372", "felt": "#1f5a2b", "hole": "#12306e"}
"""The colour of what is seen of an empty cell."""

LINE = "#5d431b"
"""The lines of a board that is played on points."""

MARKED = {"light": "#d8c34a", "dark": "#b39b25", "felt": "#5fa52f", "hole": "#4f86e8"}
MARKED_POINT = "#e8d36a"
"""The colour behind the last move."""

COLOURS = {
    "black": "#000000",
    "white": "#ffffff",
    "red": "#ff4b3e",
    "yellow": "#ffd60a",
    "blue": "#5aa9ff",
    "orange": "#ff9f45",
    "green": "#53d769",
    "purple": "#c792ea",
}
DEFAULT = ("blue", "orange")
"""The colours of the players, where a scene names none."""

FILLED = str.maketrans("♔♕♖♗♘♙", "♚♛♜♝♞♟")
"""White chess pieces are outlines in print; in colour, both sides are filled."""

EMPTY = {"hole": "●", "felt": "·"}
"""What is seen of an empty cell."""

SHAPES = {"disc": "●", "king": "♛"}
CROSSINGS = "┌┬┐├┼┤└┴┘"
"""Where lines cross, by row and column: first, inner and last."""

SEEN = "●♛♚┼"
"""Characters that a terminal must be able to show."""

Place = tuple[int, int]


class Grid(NamedTuple):
    """What is where on a board, by column and row."""

    looks: dict[Place, str]
    pieces: dict[Place, Piece]
    numbers: dict[Place, str]
    """Labels inside cells."""
    marked: set[Place]
    """The cells of the last move."""


def can_draw(console: Console) -> bool:
    """Whether a terminal has the colours and the characters for boards."""
    try:
        SEEN.encode(console.encoding)
    except (LookupError, UnicodeEncodeError):
        return False
    return not console.no_color and console.color_system in ("256", "truecolor", "windows")


def board_text(game: Game, state: State, last: tuple[State, Action] | None = None) -> Text | None:
    """A position as coloured text, with the last move, given by its state and action, marked; None if the
    game has no board that can be drawn."""
    from rich.text import Text

    scene = game.scene(state)
    grid = None if scene is None else _grid(game, scene, last)
    if scene is None or grid is None:
        return None
    rows, columns = _labels(scene)
    margin = max(map(len, rows.values())) + 1
    board = Text("\n")
    for y in range(int(scene.height)):
        board.append(f"{rows.get(y, ''):>{margin}} ", "dim")
        for x in range(int(scene.width)):
            _append(board, grid, scene, (x, y))
        board.append("\n")
    wide = 2 if "point" in grid.looks.values() else 3
    names = "".join(f"{columns.get(x, ''):^{wide}}" for x in range(int(scene.width)))
    shift = " " * (margin + 1)
    return board.append(f"{shift}{names.rstrip()}\n", "dim")


def _grid(game: Game, scene: Scene, last: tuple[State, Action] | None) -> Grid | None:
    """The cells by column and row; None if they are not a grid of known looks with coordinates."""
    cells = [cell for cell in scene.cells if cell.look != "slot"]
    looks = {(int(cell.x), int(cell.y)): cell.look for cell in cells}
    regular = all(
        (cell.width, cell.height, cell.x % 1, cell.y % 1) == (1, 1, 0.5, 0.5) and cell.look in BACKGROUNDS
        for cell in cells
    )
    walls = any(line.look == "wall" for line in scene.lines)
    if not (regular and scene.labels and len(looks) == len(cells) > 1) or walls:
        return None
    numbers = {_place(label): label.text for label in scene.labels if label.look == "inside"}
    pieces = {_place(piece): piece for piece in scene.pieces if piece.look in SHAPES or piece.text}
    return Grid(looks, pieces, numbers, _marked(game, scene, pieces, last))


def _marked(
    game: Game, scene: Scene, pieces: dict[Place, Piece], last: tuple[State, Action] | None
) -> set[Place]:
    """The cells that the last move names, or else those where a piece is new."""
    if last is None:
        return set()
    named = set(game.move_squares(*last))
    found = {_place(cell) for cell in scene.cells if cell.name in named and cell.look != "slot"}
    before = game.scene(last[0])
    if found or before is None or not named:
        return found
    return set(pieces) - {_place(piece) for piece in before.pieces}


def _append(board: Text, grid: Grid, scene: Scene, place: Place) -> None:
    """Add one cell to a row."""
    look, piece = grid.looks.get(place), grid.pieces.get(place)
    if look is None:
        board.append("   ")
        return
    if look in ("point", "star"):
        _append_point(board, grid, scene, place)
        return
    behind = (MARKED if place in grid.marked else BACKGROUNDS)[look]
    if piece is not None:
        board.append(f" {_shape(piece)} ", f"bold {_colour(scene, piece)} on {behind}")
    else:
        empty = grid.numbers.get(place, EMPTY.get(look, ""))
        board.append(f"{empty:^3}", f"{FAINT[look]} on {behind}")


def _append_point(board: Text, grid: Grid, scene: Scene, place: Place) -> None:
    """Add a point of a board of lines, and the line to the next one."""
    (x, y), piece = place, grid.pieces.get(place)
    behind, back = BACKGROUNDS["point"], MARKED_POINT if place in grid.marked else BACKGROUNDS["point"]
    last_x, last_y = int(scene.width) - 1, int(scene.height) - 1
    if piece is not None:
        board.append(_shape(piece), f"bold {_colour(scene, piece)} on {back}")
    else:
        row, column = 0 if y == 0 else 2 if y == last_y else 1, 0 if x == 0 else 2 if x == last_x else 1
        sign = "╋" if grid.looks[place] == "star" else CROSSINGS[3 * row + column]
        board.append(sign, f"{LINE} on {back}")
    board.append("─" if x < last_x else " ", f"{LINE} on {behind}")


def _shape(piece: Piece) -> str:
    return SHAPES.get(piece.look) or piece.text[:1].translate(FILLED)


def _colour(scene: Scene, piece: Piece) -> str:
    names = scene.colours or DEFAULT
    return "default" if piece.player is None else COLOURS[names[piece.player % len(names)]]


def _labels(scene: Scene) -> tuple[dict[int, str], dict[int, str]]:
    """The labels of rows and of columns, by their numbers."""
    beside = [label for label in scene.labels if label.look == "beside"]
    rows = {int(label.y): label.text for label in beside if label.x < 0}
    columns = {int(label.x): label.text for label in beside if label.x > 0 and label.y > scene.height}
    return rows or {0: ""}, columns


def _place(thing: Cell | Piece | Label) -> Place:
    return int(thing.x), int(thing.y)
