"""Pacman positions as strings, in and out."""

from __future__ import annotations

import re

from plies.bits import popcount
from plies.errors import BadPosition
from plies.games.pacman_board import Board
from plies.games.pacman_maze import STOP
from plies.games.pacman_state import (
    CATCH,
    CAUGHT,
    CLEAR,
    DIE,
    DIGIT,
    EAT,
    LATE,
    MOVE,
    PLAYING,
    SCARED_TIME,
    WON,
    State,
    cell_of,
    direction_of,
    ghost,
    is_halfway,
    scared_time,
)
from plies.games.wide_bitboard import is_empty, size, wide

ENDS = ("", "won", "caught", "late")
"""The last word of a game that is over, by PLAYING, WON, CAUGHT and LATE."""


def write(game: Board, state: State) -> str:
    """The string of a state, such as "%%%%%/%_..%/%%%%% b2 d2w39+ -1 1 pacman".

    It has the rows of the maze from the top, with empty cells as _; Pacman's cell; for each ghost its cell,
    its last direction, its scared time and + if it is halfway; the score; the moves; and the player to move
    or how the game ended.
    """
    board = game._maze.board(game.food_cells(state), game.capsule_cells(state), "_")
    words = ["/".join("".join(line) for line in board), game.point(state.pacman)]
    for i in range(game.count):
        other = game.ghost_at(state, i)
        fear = str(scared_time(other)) if scared_time(other) else ""
        words.append(
            f"{game.point(cell_of(other))}{'nsew-'[direction_of(other)]}{fear}{'+' * is_halfway(other)}"
        )
    words += [str(state.score), str(state.moves)]
    turn = "pacman" if state.turn == 0 else f"ghost{state.turn}"
    return " ".join([*words, ENDS[state.end] or turn])


def read(game: Board, text: str) -> State:
    """The state of a string as `write` makes it; raises `BadPosition` for one that no game leads to."""
    return _Reading(game, text).state()


class _Reading:
    """A reader of position strings, word by word."""

    def __init__(self, game: Board, text: str) -> None:
        self.game, self.maze, self.text = game, game._maze, text
        self.words = text.casefold().split()
        self.cells = {self.maze.name(place): cell for cell, place in enumerate(self.maze.places)}

    def refuse(self, why: str) -> BadPosition:
        return BadPosition(f"{why} (reading {self.text.strip()[:200]!r})")

    def state(self) -> State:
        game, words = self.game, self.words
        if len(words) != 5 + game.count:
            raise self.refuse(
                f"a position must have {5 + game.count} words, not {len(words)}: the maze, Pacman's cell, a "
                "word for each ghost, the score, the moves and the player to move"
            )
        food, capsules = self.board(words[0])
        pacman = self.cell(words[1], "Pacman")
        ghosts = [self.ghost(i, word) for i, word in enumerate(words[2 : 2 + game.count])]
        score, moves = self.number(words[-3], "score"), self.number(words[-2], "number of moves")
        turn, end = self.turn(words[-1])
        low = sum(one << DIGIT * i for i, one in enumerate(ghosts[:3]))
        high = sum(one << DIGIT * i for i, one in enumerate(ghosts[3:]))
        mask = sum(1 << i for i, cell in enumerate(self.maze.capsules) if cell in capsules)
        state = State(wide(sum(1 << cell for cell in food)), mask, pacman, low, high, score, moves, turn, end)
        self.check(state, food | capsules)
        return state

    def board(self, word: str) -> tuple[set[int], set[int]]:
        """The cells of the food and of the capsules that are left."""
        maze = self.maze
        rows = word.split("/")
        if [len(row) for row in rows] != [maze.width] * maze.height:
            raise self.refuse(f"the maze must have {maze.height} rows of {maze.width} characters")
        found: dict[str, set[int]] = {".": set(), "o": set()}
        full = {".": maze.food, "o": maze.capsules}
        for y, row in enumerate(rows):
            for x, character in enumerate(row):
                where = maze.name((y, x))
                if maze.is_free((y, x)) != (character != "%"):
                    raise self.refuse(f"the walls must be those of the layout, unlike at {where}")
                if character in found:
                    cell = maze.number.get((y, x), -1)
                    if cell not in full[character]:
                        raise self.refuse(f"the layout has no {character!r} at {where}")
                    found[character].add(cell)
                elif character not in "%_":
                    raise self.refuse(f"{character!r} at {where} is not one of % . o _")
        return found["."], found["o"]

    def cell(self, word: str, who: str) -> int:
        if word not in self.cells:
            raise self.refuse(f"{who} cannot be at {word[:20]!r}")
        return self.cells[word]

    def ghost(self, i: int, word: str) -> int:
        game = self.game
        found = re.fullmatch(r"([a-z]{1,2}[0-9]{1,2})([nsew-])([0-9]{0,2})(\+?)", word)
        if not found:
            raise self.refuse(
                f"a ghost must be a cell, a direction (n s e w -), its scared time and +, not {word[:20]!r}"
            )
        cell, direction = self.cell(found[1], f"ghost {i + 1}"), "nsew-".index(found[2])
        scared, halfway = int(found[3] or 0), len(found[4])
        if scared > SCARED_TIME or found[3].startswith("0"):
            raise self.refuse(f"the scared time of {word!r} must be between 1 and {SCARED_TIME}, or left out")
        if halfway and (direction == STOP or game.neighbours[cell, direction] < 0 or not scared >= 1):
            raise self.refuse(f"{word!r} cannot be halfway: a wall is in the way, or it is not scared")
        open_to = [bool(game.neighbours[cell, other] >= 0) for other in range(STOP)]
        if direction == STOP and cell != game.starts[i + 1]:
            raise self.refuse(f"{word!r} has not moved, and is not where it started")
        if direction != STOP and not (open_to[direction] or open_to[direction ^ 1]):
            raise self.refuse(f"{word!r} cannot have moved in that direction")
        return ghost(cell, direction, scared, halfway)

    def number(self, word: str, what: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,7}", word) or word != str(int(word)):
            raise self.refuse(f"the {what} must be a whole number, not {word[:20]!r}")
        return int(word)

    def turn(self, word: str) -> tuple[int, int]:
        turns = ["pacman", *(f"ghost{i + 1}" for i in range(self.game.count))]
        if word in turns:
            return turns.index(word), PLAYING
        if word in ENDS[1:]:
            return 0, ENDS.index(word)
        raise self.refuse(f"the last word must be one of {', '.join([*turns, *ENDS[1:]])}, not {word[:20]!r}")

    def check(self, state: State, eatable: set[int]) -> None:
        """Raise `BadPosition` for a state that the rules cannot lead to."""
        game, maze = self.game, self.maze
        if state.pacman in eatable:
            raise self.refuse("Pacman's cell cannot have food or a capsule")
        if not 0 <= state.moves <= game.limit:
            raise self.refuse(f"the moves must be between 0 and {game.limit}, not {state.moves}")
        if (state.end == WON) != is_empty(state.food):
            raise self.refuse("a game is won if and only if all food is eaten")
        if state.moves == game.limit and state.turn == 0 and state.end == PLAYING:
            raise self.refuse(f"after {game.limit} moves the game is late")
        if state.end == LATE and state.moves != game.limit:
            raise self.refuse(f"the game is late after {game.limit} moves, not {state.moves}")
        active = [game.ghost_at(state, i) for i in range(game.count)]
        if state.end == CAUGHT and not any(
            scared_time(one) == 0 and game.meets(one, state.pacman) for one in active
        ):
            raise self.refuse("Pacman is caught, and no active ghost is there")
        eaten = len(maze.food) - size(state.food)
        rest = state.score - EAT * eaten - MOVE * state.moves
        rest -= CLEAR if state.end == WON else DIE if state.end == CAUGHT else 0
        used = len(maze.capsules) - popcount(state.capsules)
        if rest % CATCH or not 0 <= rest // CATCH <= used * game.count:
            raise self.refuse(
                f"a score of {state.score} does not follow from what is eaten and the moves made"
            )
        if any(scared_time(one) for one in active) and not used:
            raise self.refuse("a ghost is scared, and no capsule is eaten")
