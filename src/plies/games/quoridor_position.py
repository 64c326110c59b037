"""Quoridor positions as strings, in and out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from plies.errors import BadPosition
from plies.games.quoridor_board import COLUMNS, Board, State
from plies.games.wide_bitboard import holds, nothing

if TYPE_CHECKING:
    from plies.games.quoridor import Quoridor


def write(game: Board, state: State) -> str:
    """The string of a state: X with its cell and walls left, O likewise, the walls, the player to move."""
    pawns = [
        f"X {game.point(state.first)} {state.first_walls}",
        f"O {game.point(state.second)} {state.second_walls}",
    ]
    return " ".join([*pawns, *walls_of(game, state), game.marks[state.player]])


def read(game: Quoridor, text: str) -> State | None:
    """The state of a string that `write` makes; None if it does not begin with X."""
    words = text.casefold().split()
    if not words or words[0] != "x":
        return None
    last = COLUMNS[game.size - 1], game.size
    pawn = rf"([a-{last[0]}][1-{last[1]}]) ([0-9]{{1,2}})"
    wall = rf"[a-{COLUMNS[game.size - 2]}][1-{game.size - 1}][hv]"
    found = re.fullmatch(rf"x {pawn} o {pawn}((?: {wall})*) ([xo])", " ".join(words), re.ASCII)
    if found is None:
        raise BadPosition(
            f"{text!r} is not of the form 'X e1 10 O e9 10 e3h d4v X': each pawn with its cell and walls "
            f"left, the walls, the player to move (cells are a1 to {last[0]}{last[1]})"
        )
    state = State(
        game.cell(found[1]),
        game.cell(found[3]),
        nothing(),
        nothing(),
        int(found[2]),
        int(found[4]),
        "xo".index(found[6]),
    )
    for name in found[5].split():
        cell, kind = game.cell(name), "hv".index(name[2])
        if not holds(game.places(state, kind)[0], cell):
            raise BadPosition(f"the wall {name} of {text!r} overlaps or crosses another")
        action = (kind + 1) * game.cells + cell
        state = game.result(state, action)._replace(
            first_walls=state.first_walls, second_walls=state.second_walls, player=state.player
        )
    return _checked(game, state, text)


def _checked(game: Board, state: State, text: str) -> State:
    """The state; raises `BadPosition` for one that no game leads to."""
    if state.first == state.second:
        raise BadPosition(f"both pawns of {text!r} are on {game.point(state.first)}")
    for player, walls in enumerate((state.first_walls, state.second_walls)):
        if walls > game.stock:
            raise BadPosition(f"{game.marks[player]} of {text!r} has {walls} walls left of {game.stock}")
    placed = len(walls_of(game, state))
    if placed + state.first_walls + state.second_walls != 2 * game.stock:
        raise BadPosition(
            f"{text!r} has {placed} walls placed and {state.first_walls} and {state.second_walls} left; "
            f"together there are {2 * game.stock}"
        )
    north, east = game.open_sides(state.horizontal, state.vertical)
    for player, pawn in enumerate((state.first, state.second)):
        if game.distance(pawn, player, north, east) < 0:
            raise BadPosition(f"{game.marks[player]} of {text!r} has no path to its goal")
        if holds(game.goals[player], pawn) and state.player == player:
            raise BadPosition(f"{text!r} goes on after {game.marks[player]} has reached the goal")
    return state


def walls_of(game: Board, state: State) -> list[str]:
    """The names of the walls on the board."""
    return [
        game.point(cell) + sign
        for sign, walls in (("h", state.horizontal), ("v", state.vertical))
        for cell in range(game.cells)
        if holds(walls, cell)
    ]
