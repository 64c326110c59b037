"""Pacman among ghosts, with the rules and scores of the projects of Berkeley's course CS 188."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from plies.bits import mix
from plies.game import Policy
from plies.games import pacman_picture, pacman_position
from plies.games.pacman_evaluation import Evaluation
from plies.games.pacman_maze import STOP
from plies.games.pacman_policies import directional
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
from plies.games.wide_bitboard import Wide, holds, is_empty, key_of, single, without
from plies.scene import Scene

DIRECTIONS = ("north", "south", "east", "west", "stop")
WORDS = {  # what people may type
    word: direction
    for direction, words in enumerate(
        ("n north up", "s south down", "e east right", "w west left", "x stop wait")
    )
    for word in words.split()
}


class Pacman(Evaluation):
    """Pacman, player 0, and up to six ghosts. An action is a direction: NORTH, SOUTH, EAST, WEST or STOP.

    A ghost's utility is the negative of Pacman's score.
    """

    policies: Mapping[str, Callable[..., Policy]] = {"directional": directional}
    prompt = "Choose north, south, east, west or stop"
    rules = (
        "Pacman (P) moves first, then each ghost (G) in turn, one step through the maze. Pacman may also "
        "stop; a ghost neither stops nor reverses unless there is no other way. Each of Pacman's moves costs "
        "a point; food (.) is worth 10, the last food 500 more, which ends the game. A ghost that meets "
        "Pacman ends it, too: 500 points lost. A capsule (o) scares all ghosts for 40 of their moves. A "
        "scared ghost (g) needs two moves for a step, between which it is in both cells; if it meets Pacman "
        "it is caught, for 200 points, and starts again from where it began. A ghost that recovers between "
        "two cells is in the northern or eastern one. Once Pacman has made as many moves as the limit, and "
        "the ghosts theirs, the game is over. Pacman wants a high score, the ghosts a low one."
    )

    def __init__(
        self,
        layout: str = "small",
        ghosts: int | None = None,
        limit: int = 300,
        stop: bool = True,
        weights: Sequence[float] | None = None,
        action_weights: Sequence[float] | None = None,
    ) -> None:
        """A layout by name, as a file or as text, with its first `ghosts` ghosts, by default all.

        `limit` is the most moves that Pacman makes; `stop` says whether Pacman may stop where he can move.
        """
        super().__init__(layout, ghosts, limit, stop, weights, action_weights)

    # -- The six rules.

    def initial(self) -> State:
        words = self.food_words
        food = Wide(int(words[0]), int(words[1]), int(words[2]), int(words[3]), int(words[4]), int(words[5]))
        low = high = 0
        for i in range(self.count):
            begun = ghost(int(self.starts[i + 1]), STOP, 0, 0)
            if i < 3:
                low |= begun << DIGIT * i
            else:
                high |= begun << DIGIT * (i - 3)
        return State(food, int(self.numbers[1]), int(self.starts[0]), low, high, 0, 0, 0, PLAYING)

    def to_move(self, state: State) -> int:
        return state.turn

    def actions(self, state: State) -> Iterator[int]:
        if state.end == PLAYING:
            directions = self.legal_directions(state)
            for direction in range(5):
                if directions >> direction & 1:
                    yield direction

    def result(self, state: State, action: int) -> State:
        if state.turn == 0:
            return self.pacman_moved(state, action)
        return self.ghost_moved(state, action)

    def is_terminal(self, state: State) -> bool:
        return state.end != PLAYING

    def utility(self, state: State, player: int) -> int:
        return state.score if player == 0 else -state.score

    # -- Moves of Pacman and of a ghost.

    def pacman_moved(self, state: State, action: int) -> State:
        """The state after Pacman moves, eats, and meets ghosts."""
        cell = int(self.neighbours[state.pacman, action])
        score, capsules, end = state.score + MOVE, state.capsules, PLAYING
        food = state.food
        if holds(food, cell):
            food = without(food, single(cell))
            score += EAT
            if is_empty(food):
                score += CLEAR
                end = WON
        capsule = int(self.capsule_at[cell])
        scaring = capsule >= 0 and (capsules >> capsule & 1) != 0
        if scaring:
            capsules ^= 1 << capsule
        low = high = 0
        for i in range(self.count):
            other = self.ghost_at(state, i)
            if scaring:
                other = ghost(cell_of(other), direction_of(other), SCARED_TIME, is_halfway(other))
            if self.meets(other, cell):
                if scared_time(other) > 0:
                    score += CATCH
                    other = ghost(int(self.starts[i + 1]), STOP, 0, 0)
                elif end == PLAYING:
                    score += DIE
                    end = CAUGHT
            if i < 3:
                low |= other << DIGIT * i
            else:
                high |= other << DIGIT * (i - 3)
        moves = state.moves + 1
        if self.count == 0 and end == PLAYING and moves >= self.numbers[0]:
            end = LATE
        turn = 1 if self.count > 0 and end == PLAYING else 0
        return State(food, capsules, cell, low, high, score, moves, turn, end)

    def ghost_moved(self, state: State, action: int) -> State:
        """The state after a ghost moves, half a step if it is scared, and perhaps meets Pacman."""
        i = state.turn - 1
        mover = self.ghost_at(state, i)
        cell, scared, halfway = cell_of(mover), scared_time(mover), is_halfway(mover)
        there = int(self.neighbours[cell, action])
        if scared > 0 and halfway == 0 and action != STOP:
            halfway = 1
        else:
            cell, halfway = there, 0
        if scared > 0:
            scared -= 1
            if scared == 0 and halfway == 1:  # it recovers: NORTH and EAST are even
                halfway = 0
                cell = cell if action & 1 else there
        score, end = state.score, PLAYING
        mover = ghost(cell, action, scared, halfway)
        if self.meets(mover, state.pacman):
            if scared > 0:
                score += CATCH
                mover = ghost(int(self.starts[i + 1]), STOP, 0, 0)
            else:
                score += DIE
                end = CAUGHT
        low, high = state.low, state.high
        if i < 3:
            low = low & ~(((1 << DIGIT) - 1) << DIGIT * i) | mover << DIGIT * i
        else:
            high = high & ~(((1 << DIGIT) - 1) << DIGIT * (i - 3)) | mover << DIGIT * (i - 3)
        turn = state.turn + 1 if state.turn < self.count and end == PLAYING else 0
        if turn == 0 and end == PLAYING and state.moves >= self.numbers[0]:
            end = LATE
        return State(state.food, state.capsules, state.pacman, low, high, score, state.moves, turn, end)

    def key(self, state: State) -> int:
        numbers = (
            state.pacman
            | state.turn << 9
            | state.end << 12
            | state.moves << 14
            | (state.score + 1048576) << 32
        )
        return mix(mix(key_of(state.food, numbers) ^ state.low) ^ mix(state.high ^ state.capsules << 1))

    # -- Presentation.

    def notation(self, state: State, action: int) -> str:
        return DIRECTIONS[action]

    def parse_action(self, state: State, text: str) -> int:
        """The direction that a word denotes: "north", "n" or "up"; "stop", "x" or "wait"."""
        direction = WORDS.get(text.strip().casefold())
        action: int = super().parse_action(state, text if direction is None else DIRECTIONS[direction])
        return action

    def text(self, state: State) -> str:
        return pacman_picture.text(self, state)

    steered = True

    def standing(self, state: State) -> str:
        return f"score {state.score}"

    def ending(self, state: State) -> str:
        return {WON: "all food is eaten", CAUGHT: "Pacman is caught", LATE: "time is up"}.get(state.end, "")

    def scene(self, state: State) -> Scene:
        return pacman_picture.scene(self, state)

    def move_squares(self, state: State, action: int) -> Sequence[str]:
        """The cells where a step begins and ends."""
        if action == STOP:
            return ()
        cell = state.pacman if state.turn == 0 else cell_of(self.ghost_at(state, state.turn - 1))
        return self.point(cell), self.point(int(self.neighbours[cell, action]))

    # -- Position strings.

    def position(self, state: State) -> str:
        """The maze, Pacman, the ghosts, the score, the moves, and whose turn it is or how the game ended."""
        return pacman_position.write(self, state)

    def parse_position(self, text: str) -> State:
        """The state of a string as `position` writes it, or after moves from the start."""
        if "/" not in text and "%" not in text:
            played: State = super().parse_position(text)
            return played
        return pacman_position.read(self, text)
