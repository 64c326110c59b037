"""Nim with any heaps, normal or misère play."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plies.bits import highest
from plies.errors import BadParameter, BadPosition
from plies.game import Game
from plies.scene import Cell, Label, Piece, Scene


class State(NamedTuple):
    """The heaps packed into a number, the first heap lowest, and the player to move."""

    heaps: int
    player: int


class Nim(Game):
    """Nim with any heaps. An action is the number that `result` subtracts: matches of one heap."""

    prompt = "Choose heap:matches, such as 1:2"
    rules = (
        "Two players take turns to take as many matches as they like, at least one, from one heap. "
        "Whoever takes the last match wins; in the misère game, loses."
    )

    def __init__(self, heaps: tuple[int, ...] = (3, 4, 5), misere: bool = False) -> None:
        heaps = tuple(heaps)
        if not heaps or any(not isinstance(heap, int) or heap < 1 for heap in heaps):
            raise BadParameter(f"heaps must have one match or more each, not {heaps}")
        self.digit = max(heaps).bit_length()  # how many bits a heap takes
        if len(heaps) * self.digit > 63:
            raise BadParameter(f"{len(heaps)} heaps of up to {max(heaps)} matches do not fit in 63 bits")
        self.heaps = heaps
        self.misere = misere
        self.move_indices = len(heaps) * max(heaps)
        self.plane_shape = (len(heaps), self.digit)

    def initial(self) -> State:
        heaps = 0
        for heap in range(len(self.heaps)):
            heaps |= self.heaps[heap] << (heap * self.digit)
        return State(heaps, 0)

    def to_move(self, state: State) -> int:
        return state.player

    def actions(self, state: State) -> Iterator[int]:
        for heap in range(len(self.heaps)):
            for matches in range(1, self.size(state, heap) + 1):
                yield matches << (heap * self.digit)

    def result(self, state: State, action: int) -> State:
        return State(state.heaps - action, 1 - state.player)

    def is_terminal(self, state: State) -> bool:
        return state.heaps == 0

    def utility(self, state: State, player: int) -> int:
        winner = state.player if self.misere else 1 - state.player
        return 1 if player == winner else -1

    def size(self, state: State, heap: int) -> int:
        return state.heaps >> (heap * self.digit) & ((1 << self.digit) - 1)

    def move_index(self, state: State, action: int) -> int:
        heap = highest(action) // self.digit
        return heap * max(self.heaps) + (action >> heap * self.digit) - 1

    def planes(self, state: State, player: int) -> tuple[int]:
        """The size of each heap in binary, the lowest digit first."""
        return (state.heaps,)

    # -- Presentation.

    def notation(self, state: State, action: int) -> str:
        """The number of the heap and how many matches to take: "2:3"."""
        heap = (action.bit_length() - 1) // self.digit
        return f"{heap + 1}:{action >> (heap * self.digit)}"

    def parse_action(self, state: State, text: str) -> int:
        """The action of "2:3", of "2 3", or of "take 3 from heap 2"."""
        words = re.fullmatch(
            r"(?:take)?\s*([0-9]+)\s*from\s*(?:heap)?\s*([0-9]+)", text.strip(), re.IGNORECASE
        )
        pair = re.fullmatch(r"([0-9]+)\s+([0-9]+)", text.strip())
        if words:
            text = f"{words[2]}:{words[1]}"
        elif pair:
            text = f"{pair[1]}:{pair[2]}"
        action: int = super().parse_action(state, text)
        return action

    def text(self, state: State) -> str:
        sizes = [self.size(state, heap) for heap in range(len(self.heaps))]
        return "\n".join(f"heap {heap}: {'|' * size} {size}" for heap, size in enumerate(sizes, 1))

    def scene(self, state: State) -> Scene:
        """A row for each heap: a click on a match takes it and those to its right."""
        cells, pieces = [], []
        for heap, full in enumerate(self.heaps):
            for place in range(full):
                cells.append(Cell(f"{heap + 1}:{place + 1}", place + 0.5, heap + 0.5, "slot"))
                if place < self.size(state, heap):
                    pieces.append(Piece(place + 0.5, heap + 0.5, None, "sign", "|"))
        labels = [Label(-0.35, heap + 0.5, str(heap + 1)) for heap in range(len(self.heaps))]
        return Scene(max(self.heaps), len(self.heaps), cells, pieces, (), labels)

    def move_squares(self, state: State, action: int) -> Sequence[str]:
        heap = (action.bit_length() - 1) // self.digit
        return (f"{heap + 1}:{self.size(state, heap) - (action >> heap * self.digit) + 1}",)

    def position(self, state: State) -> str:
        """The sizes of the heaps and the player to move: "3/0/5 2"."""
        sizes = [str(self.size(state, heap)) for heap in range(len(self.heaps))]
        return f"{'/'.join(sizes)} {state.player + 1}"

    def parse_position(self, text: str) -> State:
        """The state of "3/0/5 2", of "3/0/5" with player 1 to move, or after moves from the start."""
        found = re.fullmatch(r"([0-9]{1,9}(?:[/,][0-9]{1,9})*)(?:\s+([0-9]{1,9}))?", text.strip())
        if not found:
            played: State = super().parse_position(text)
            return played
        sizes = [int(size) for size in re.split("[/,]", found[1])]
        if len(sizes) != len(self.heaps):
            raise BadPosition(f"{text!r} has {len(sizes)} heaps; this game has {len(self.heaps)}")
        for heap, (size, full) in enumerate(zip(sizes, self.heaps, strict=True), 1):
            if size > full:
                raise BadPosition(f"heap {heap} of {text!r} has {size} matches; it starts with {full}")
        player = int(found[2] or 1) - 1
        if player not in (0, 1):
            raise BadPosition(f"the player to move in {text!r} must be 1 or 2, not {found[2]}")
        taken = [full - size for size, full in zip(sizes, self.heaps, strict=True) if size < full]
        if (
            sum(taken) == len(taken) and len(taken) % 2 != player
        ):  # with one match a heap, the number of moves is known
            raise BadPosition(f"in {text!r} player {2 - player} is to move, not player {player + 1}")
        return State(sum(size << (heap * self.digit) for heap, size in enumerate(sizes)), player)
