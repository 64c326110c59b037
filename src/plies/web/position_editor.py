"""A position that is set up cell by cell, in any game whose position strings have a sign for each cell.

Nothing is known about the game: which sign stands for which cell, and what it means, is found out by
comparing position strings with pictures along a game. Runs of empty cells may be numbers, as in FEN.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from plies.draw import board
from plies.errors import PliesError
from plies.game import CHANCE, Game, State
from plies.web.game_form import without_style
from plies.web.position import Position, cells_in_words

LISTS = re.compile("[WB](:[WB](K?[0-9]+,)*K?[0-9]+){2}")
"""A position string of PDN."""

SAMPLES = 40
"""The positions along a game that are compared. Not tuned."""

EMPTY = "."
"""Stands for an empty cell where position strings count these."""


def edited(position: Position, edits: Mapping[str, str]) -> dict[str, Any]:
    """A position after some cells got other signs, and what signs there are.

    The `position` as text, its picture as `svg`, and what is wrong with it, in a sentence, as `problem`.
    """
    game = position.game
    initial = game.position(game.initial())
    grid: Grid | Lists = Lists() if LISTS.fullmatch(initial) else Grid(game)
    text = grid.put(game.position(position.state), edits)
    found: dict[str, Any] = {"signs": grid.signs, "position": text, "svg": None, "problem": ""}
    try:
        text, state = _parsed(game, text)
        found |= {"position": text, "svg": without_style(str(board(game, state)))}
    except PliesError as error:
        found["problem"] = str(error)
    return found


def _parsed(game: Game, text: str) -> tuple[str, State]:
    """A position; if its text is like FEN, without the castling and en passant that it does not allow."""
    try:
        return text, game.parse_position(text)
    except PliesError:
        words = text.split(" ")
        if len(words) != 6:
            raise
        without = " ".join([*words[:2], "-", "-", *words[4:]])
    return without, game.parse_position(without)  # what is wrong then is wrong with the pieces


class Grid:
    """The cells of a game in the order of its position strings, and what the signs there mean."""

    def __init__(self, game: Game) -> None:
        self.signs: dict[str, str] = {}
        """What each sign means, in words; "" for an empty cell."""
        samples = list(_samples(game))
        texts = [_board_of(text) for text, _ in samples]
        self.counts = any(char.isdigit() for text in texts for char in text)
        for cells in _orders(game):
            boards = [_expanded(text).replace("/", "") for text in texts]
            signs = _meanings(boards, [words for _, words in samples], cells)
            if len(signs) > 1:
                self.cells, self.signs = cells, signs
                return
        raise PliesError(f"positions of {game.name} are not set up cell by cell: type the position")

    def put(self, text: str, edits: Mapping[str, str]) -> str:
        """A position string with other signs in some cells."""
        head, space, rest = text.partition(" ")
        rows = [_expanded(row) for row in head.split("/")]
        signs = list("".join(rows))
        for cell, sign in edits.items():
            if cell not in self.cells or sign not in self.signs:
                raise PliesError(f"{sign[:10]!r} cannot be put on {cell[:20]!r}")
            signs[self.cells.index(cell)] = sign
        for number, row in enumerate(rows):
            rows[number], signs = "".join(signs[: len(row)]), signs[len(row) :]
        if self.counts:
            rows = [re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows]
        return "/".join(rows) + space + rest


class Lists:
    """Positions that list the cells of each side, as in PDN: "B:W21,K22:B1,2", kings with a K."""

    signs = {EMPTY: "", "W": "White man", "WK": "White king", "B": "Black man", "BK": "Black king"}

    def put(self, text: str, edits: Mapping[str, str]) -> str:
        """A position string with other signs in some cells."""
        mover, *sides = text.split(":")
        stands = {cell: side[0] + king for side in sides for king, cell in re.findall("(K?)([0-9]+)", side)}
        for cell, sign in edits.items():
            if not re.fullmatch("[0-9]{1,2}", cell) or sign not in self.signs:
                raise PliesError(f"{sign[:10]!r} cannot be put on {cell[:20]!r}")
            stands[cell] = sign
        lists = [
            side[0]
            + ",".join(
                stands[cell][1:] + cell for cell in sorted(stands, key=int) if stands[cell][0] == side[0]
            )
            for side in sides
        ]
        return ":".join([mover, *lists])


def _samples(game: Game) -> Iterator[tuple[str, dict[str, str]]]:
    """Positions along a game, as text and in words."""
    state = game.initial()
    for number in range(SAMPLES):
        yield game.position(state), cells_in_words(game, state, without=("check",))
        if game.is_terminal(state):
            return
        if game.to_move(state) == CHANCE:
            state = game.result(state, next(iter(game.chance(state)))[0])
        else:
            actions = list(game.actions(state))
            state = game.result(state, actions[(7 * number + 3) % len(actions)])


def _board_of(text: str) -> str:
    return text.partition(" ")[0]


def _expanded(text: str) -> str:
    return re.sub("[0-9]+", lambda run: EMPTY * min(int(run[0]), 1_000), text)


def _orders(game: Game) -> Iterator[list[str]]:
    """Orders in which position strings may name the cells: as the picture does, by rows from either end."""
    scene = game.scene(game.initial())
    cells = scene.cells if scene is not None else ()
    looks = {cell.look for cell in cells}
    for some in [list(cells), *([cell for cell in cells if cell.look == look] for look in sorted(looks))]:
        yield [cell.name for cell in some]
        yield [cell.name for cell in sorted(some, key=lambda cell: (cell.y, cell.x))]
        yield [cell.name for cell in sorted(some, key=lambda cell: (-cell.y, cell.x))]


def _meanings(texts: list[str], words: list[dict[str, str]], cells: list[str]) -> dict[str, str]:
    """What the signs mean if the cells stand in that order; empty if that makes no sense."""
    signs: dict[str, str] = {}
    inverse: dict[str, str] = {}
    for text, said in zip(texts, words, strict=True):
        if len(text) != len(cells):
            return {}
        for sign, cell in zip(text, cells, strict=True):
            meaning = said[cell]
            if signs.setdefault(sign, meaning) != meaning or inverse.setdefault(meaning, sign) != sign:
                return {}
    return signs
