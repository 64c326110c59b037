"""Pictures of Pacman, in characters and as a scene."""

from __future__ import annotations

from plies.games.pacman_board import Board
from plies.games.pacman_maze import FLOOR
from plies.games.pacman_state import PLAYING, State, cell_of, direction_of, is_halfway, scared_time
from plies.scene import Cell, Label, Piece, Scene, coordinates


def text(game: Board, state: State) -> str:
    """The maze, with scared ghosts in lower case and halfway ones where they come from, and a status line."""
    board = game._maze.board(game.food_cells(state), game.capsule_cells(state), FLOOR)
    marks = [(state.pacman, "P")]
    for i in range(game.count):
        other = game.ghost_at(state, i)
        marks.append((cell_of(other), "g" if scared_time(other) else "G"))
    for cell, mark in marks:  # a ghost that has caught Pacman is on top
        row, column = game._maze.places[cell]
        board[row][column] = mark
    stands = f"score {state.score}, {state.moves} of {game.limit} moves"
    if state.end == PLAYING:
        stands += f", {game.player_name(state.turn)} to move"
    else:
        stands += ("", ", all food eaten", ", caught", ", out of moves")[state.end]
    return "\n".join(["".join(line).rstrip() for line in board] + [stands])


def scene(game: Board, state: State) -> Scene:
    """The maze; a halfway ghost is drawn between its two cells."""
    maze = game._maze
    cells = [
        Cell(maze.name((y, x)), x + 0.5, y + 0.5, "plain" if maze.is_free((y, x)) else "wall")
        for y in range(maze.height)
        for x in range(maze.width)
    ]
    pieces = []
    for found, sign in ((game.food_cells(state), "·"), (game.capsule_cells(state), "•")):
        for row, column in sorted(maze.places[cell] for cell in found):
            pieces.append(Piece(column + 0.5, row + 0.5, None, "sign", sign))
    row, column = maze.places[state.pacman]
    pieces.append(Piece(column + 0.5, row + 0.5, 0, "sign", "ᗧ"))
    for i in range(game.count):
        other = game.ghost_at(state, i)
        places = [maze.places[cell_of(other)]]
        if is_halfway(other):
            places.append(maze.places[int(game.neighbours[cell_of(other), direction_of(other)])])
        y, x = (sum(numbers) / len(places) + 0.5 for numbers in zip(*places, strict=True))
        sign = "👻" if scared_time(other) else "ᗣ"
        pieces.append(Piece(x, y, i + 1, "sign", f"{sign}{i + 1}"))
    labels = coordinates(maze.columns, [str(maze.height - row) for row in range(maze.height)])
    labels.append(Label(maze.width / 2, maze.height + 1.15, text(game, state).rpartition("\n")[2]))
    colours = ("yellow", *("red", "blue", "orange", "purple", "green")[: game.count])
    return Scene(maze.width, maze.height, cells, pieces, (), labels, colours)
