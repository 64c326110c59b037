"""Go positions as strings, in and out: rows of stones, the player to move, a ko or passes."""

from __future__ import annotations

from plies.errors import BadPosition
from plies.games.go_board import NOWHERE, Board, State
from plies.games.wide_bitboard import (
    Wide,
    both,
    either,
    first,
    holds,
    is_empty,
    nothing,
    single,
    size,
    wide,
    without,
)


def write(game: Board, state: State) -> str:
    """The string of a state: rows from the top of X (black), O and .; B or W; "ko" and a point, or passes."""
    words = [stones_of(game, state), "BW"[state.player]]
    if state.ko != NOWHERE:
        words += ["ko", game.point(state.ko)]
    return " ".join(words + ["pass"] * state.passes)


def read(game: Board, text: str) -> State | None:
    """The state of a string that begins with a board; None if it does not."""
    words = text.replace("|", " ").upper().split()
    board: list[str] = []
    while words and set(words[0]) <= set("XO./"):
        board += filter(None, words.pop(0).split("/"))
    if not board:
        return None
    black, white = _read_board(game, board, text)
    player = {"B": 0, "BLACK": 0, "W": 1, "WHITE": 1}.get(words[0] if words else "")
    if player is None:
        given = f"{words[0]!r}" if words else "nothing"
        raise BadPosition(f"{text!r} must have the player to move, B or W, after the board, not {given}")
    atari = _atari(game, black, white, text)
    state = State(black, white, atari, NOWHERE, 0, player)
    match words[1:]:
        case []:
            return state
        case ["PASS"] | ["PASS", "PASS"]:
            return state._replace(passes=len(words) - 1)
        case ["KO", point]:
            return _with_ko(game, state, point, text)
    raise BadPosition(
        f"{text!r} may have only 'ko' and a point, 'pass' or 'pass pass' after the player to move"
    )


def _read_board(game: Board, rows: list[str], text: str) -> tuple[Wide, Wide]:
    if len(rows) != game.height:
        raise BadPosition(f"{text!r} has {len(rows)} rows; this board has {game.height}")
    for number, row in enumerate(rows, 1):
        if len(row) != game.size:
            raise BadPosition(f"row {number} of {text!r} has {len(row)} cells; this board has {game.size}")
    stones = "".join(reversed(rows))
    black, white = (sum((stone == name) << i for i, stone in enumerate(stones)) for name in "XO")
    return wide(black), wide(white)


def _atari(game: Board, black: Wide, white: Wide, text: str) -> Wide:
    """The stones whose group has one liberty; raises `BadPosition` for a group that has none."""
    empty = without(game.board, either(black, white))
    atari = nothing()
    for stones, name in ((black, "black"), (white, "white")):
        left = stones
        while not is_empty(left):
            stone = single(first(left))
            group = game.group_in_atari(stone, stones, empty)
            if not is_empty(group) and is_empty(both(game.neighbours(group), empty)):
                raise BadPosition(f"the {name} group at {game.point(first(left))} of {text!r} has no liberty")
            atari = either(atari, group)
            left = without(left, game.connected(stone, stones))
    return atari


def _with_ko(game: Board, state: State, point: str, text: str) -> State:
    """The state with a ko point, if a single stone can just have been captured there by a single stone."""
    cell = game.cell(point)
    if cell == NOWHERE:
        raise BadPosition(f"{point!r} in {text!r} is not a point of this board")
    near = game.neighbours(single(cell))
    mine, theirs = game.sides(state)
    takers = both(both(near, theirs), state.atari)
    alone = size(game.connected(takers, theirs)) == 1
    if holds(either(mine, theirs), cell) or not is_empty(without(near, theirs)) or not alone:
        raise BadPosition(f"no stone can just have been captured in a ko at {game.point(cell)} of {text!r}")
    return state._replace(ko=cell)


def stones_of(game: Board, state: State) -> str:
    """The rows from the top, of X, O and ., separated by /."""
    marks = [
        "X" if holds(state.black, cell) else "O" if holds(state.white, cell) else "."
        for cell in range(game.cells)
    ]
    rows = ["".join(marks[i : i + game.size]) for i in range(0, game.cells, game.size)]
    return "/".join(reversed(rows))
