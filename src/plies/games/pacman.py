"""Pacman among ghosts, with the rules and scores of the well-known course projects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from plies.bits import mix, popcount
from plies.errors import BadParameter, BadPosition
from plies.game import Game, Policy
from plies.games import weights as evaluation
from plies.games.pacman_maze import FLOOR, STOP, Maze
from plies.games.wide_bitboard import Wide, first, holds, is_empty, key_of, rest, single, size, wide, without
from plies.scene import Cell, Label, Piece, Scene, coordinates

MOVE, EAT, CLEAR, CATCH, DIE = -1, 10, 500, 200, -500
"""What it brings Pacman to move, to eat food, to eat the last of it, to catch a ghost, to be caught."""

SCARED = 40
"""For how many of its moves a ghost is scared."""

PLAYING, WON, CAUGHT, LATE = range(4)
"""How a game stands: it goes on, all food is eaten, Pacman is caught, or the moves are used up."""

DIGIT = 19
"""How many bits a ghost takes: 9 for its cell, 3 for its way, 6 for its fear, 1 for being halfway."""

FAR = 5
"""An active ghost that is further away is as good as none."""

WEIGHTS = (1.0, -1.5, -1.0, -10.0, 4.0, 60.0)
"""What one more of each feature is worth, in points."""

ACTION_WEIGHTS = (1.0, 3.0, 2.0, -10.0, 5.0, -0.5, 1.0)
"""What one more of each feature of an action is worth."""

WAYS = ("north", "south", "east", "west", "stop")
WORDS = {
    word: way
    for way, words in enumerate(("n north up", "s south down", "e east right", "w west left", "x stop wait"))
    for word in words.split()
}
ENDS = ("", "won", "caught", "late")


class State(NamedTuple):
    """Where everybody is and how the score stands; cells are numbered row by row from the top."""

    food: Wide
    capsules: int  # a bit for each capsule of the layout that is still there
    pacman: int
    low: int  # the first three ghosts, as digits of one number,
    high: int  # and the next three
    score: int
    moves: int  # of Pacman
    turn: int  # whose turn it is: 0 is Pacman, 1 the first ghost
    end: int  # PLAYING, or how the game has ended


def ghost(cell: int, way: int, fear: int, half: int) -> int:
    """A ghost as one number: its cell, the way it went last, for how many moves it is scared, and whether it
    is halfway from its cell to the next."""
    return cell | way << 9 | fear << 12 | half << 18


def cell_of(ghost: int) -> int:
    return ghost & 511


def way_of(ghost: int) -> int:
    return ghost >> 9 & 7


def fear_of(ghost: int) -> int:
    return ghost >> 12 & 63


def half_of(ghost: int) -> int:
    return ghost >> 18 & 1


def directional(attack: float = 0.8, flee: float | None = None) -> Policy:
    """Ghosts that come nearer to Pacman with a probability, else go anywhere; when scared, they flee
    likewise.

    Distances are as on an open field, walls left out. Pacman, if asked, goes anywhere.
    """
    flight = attack if flee is None else flee
    for probability in (attack, flight):
        if not 0 <= probability <= 1:
            raise BadParameter(f"a probability is from 0 to 1, not {probability:g}")

    def policy(game: Any, state: State) -> Iterator[tuple[int, float]]:
        share = 0.0
        if state.turn > 0:
            share = flight if fear_of(game.ghost_at(state, state.turn - 1)) > 0 else attack
        count = 0
        least = 1 << 30
        ways = 0
        for action in game.actions(state):
            ways += 1
            distance = game.open_distance(state, action)
            if distance < least:
                least = distance
                count = 0
            if distance == least:
                count += 1
        for action in game.actions(state):
            chosen = share / count if game.open_distance(state, action) == least else 0.0
            probability = chosen + (1 - share) / ways
            if probability > 0:
                yield action, probability

    policy.__name__ = "directional"
    return policy


class Pacman(Game):
    """Pacman, player 0, and up to six ghosts. An action is a way: NORTH, SOUTH, EAST, WEST or STOP.

    A ghost's utility is Pacman's score with a minus. All that depends on the layout is data in arrays, so
    that layouts with equally many ghosts share one compilation.
    """

    feature_names = (
        "score",
        "steps to food",
        "food",
        "capsules",
        "steps to an active ghost",
        "nearness of a scared ghost",
    )
    action_feature_names = (
        "food eaten",
        "nearness of food",
        "capsule eaten",
        "active ghosts beside",
        "ghosts caught",
        "standing still",
        "a ghost's success",
    )
    policies: Mapping[str, Callable[..., Policy]] = {"directional": directional}
    prompt = "Choose north, south, east, west or stop"
    rules = (
        "Pacman (P) moves first, then each ghost (G) in turn, one step through the maze. Pacman may also "
        "stop; a ghost neither stops nor turns round unless there is no other way. Each of Pacman's moves "
        "costs a point, food (.) is worth 10, the last of it 500 more, which ends the game. So does a ghost "
        "that meets Pacman: 500 points lost. A capsule (o) scares all ghosts for 40 of their moves. "
        "Scared, a ghost (g) needs two moves for a step, between which it is in both cells, and if it meets "
        "Pacman it is caught: 200 points, and it begins anew where it started. Where its fear ends between "
        "two cells, it is in the northern or eastern one. Once Pacman has made as many moves as the limit, "
        "and the ghosts theirs, the game is over. Pacman wants a high score, the ghosts a low one."
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
        """A layout by its name, in a file, or as text; with so many of its ghosts, all unless told.

        `limit` is the most moves that Pacman makes; `stop`: whether Pacman may stop where there is a way to
        go.
        """
        self.layout = layout
        self._maze = maze = Maze(layout)
        if str(ghosts).isdecimal():  # the program hands it on as it is typed
            ghosts = int(str(ghosts))
        if ghosts is not None and (not isinstance(ghosts, int) or not 0 <= ghosts <= len(maze.ghosts)):
            raise BadParameter(f"the layout has {len(maze.ghosts)} ghosts; {ghosts!r} cannot take part")
        if not 1 <= limit <= 100_000:
            raise BadParameter(f"the limit is from 1 to 100,000 moves, not {limit}")
        self.ghosts = ghosts
        self.limit = limit
        self.stop = stop
        self.count = len(maze.ghosts) if ghosts is None else ghosts
        self.players = self.count + 1
        self.total = 0 if self.count == 1 else None
        self.player_names = ("Pacman", *(f"ghost {i + 1}" for i in range(self.count)))
        # The least score is to be caught at the last move, the greatest to catch each ghost after each
        # capsule.
        least = DIE + MOVE * limit
        greatest = CLEAR + EAT * len(maze.food) + CATCH * self.count * len(maze.capsules) + MOVE
        most = max(-least, greatest)
        self.bounds = (-most, most)
        self.weights = evaluation.chosen(WEIGHTS, weights)
        self.action_weights = evaluation.chosen(ACTION_WEIGHTS, action_weights)
        # What follows is read by the rules.
        self.ways = maze.ways()
        self.distance = maze.distances()
        self.nearest = np.argsort(
            self.distance, axis=1, kind="stable"
        )  # for each cell all cells, near ones first
        self.place = np.array(maze.places)
        self.capsule_at = np.full(len(maze.places), -1)
        self.capsule_at[maze.capsules] = np.arange(len(maze.capsules))
        self.food_words = np.array(wide(sum(1 << cell for cell in maze.food)))
        self.starts = np.array([maze.pacman, *(maze.number[place] for place in maze.ghosts)])
        self.numbers = np.array([limit, (1 << len(maze.capsules)) - 1, most])

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
            ways = self.open_ways(state)
            for way in range(5):
                if ways >> way & 1:
                    yield way

    def result(self, state: State, action: int) -> State:
        if state.turn == 0:
            return self.moved(state, action)
        return self.haunted(state, action)

    def is_terminal(self, state: State) -> bool:
        return state.end != PLAYING

    def utility(self, state: State, player: int) -> int:
        return state.score if player == 0 else -state.score

    # -- Moves.

    def ghost_at(self, state: State, i: int) -> int:
        """The ghost of that number, from 0."""
        word = state.low >> DIGIT * i if i < 3 else state.high >> DIGIT * (i - 3)
        return word & (1 << DIGIT) - 1

    def open_ways(self, state: State) -> int:
        """The ways that whose turn it is may go, as a set of bits."""
        cell = state.pacman
        found = 0
        if state.turn > 0:
            mover = self.ghost_at(state, state.turn - 1)
            if half_of(mover):
                return 1 << way_of(mover)
            cell = cell_of(mover)
        for way in range(STOP):
            if self.ways[cell, way] >= 0:
                found |= 1 << way
        if state.turn > 0:
            last = way_of(self.ghost_at(state, state.turn - 1))
            if last != STOP and found & ~(1 << (last ^ 1)):
                found &= ~(1 << (last ^ 1))  # no turning round, since there is another way
        if found == 0 or (state.turn == 0 and self.stop):
            found |= 1 << STOP
        return found

    def moved(self, state: State, action: int) -> State:
        """Pacman goes, eats, and meets ghosts."""
        cell = int(self.ways[state.pacman, action])
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
                other = ghost(cell_of(other), way_of(other), SCARED, half_of(other))
            if self.meets(other, cell):
                if fear_of(other) > 0:
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

    def haunted(self, state: State, action: int) -> State:
        """A ghost goes, half a step if it is scared, and may meet Pacman."""
        i = state.turn - 1
        mover = self.ghost_at(state, i)
        cell, fear, half = cell_of(mover), fear_of(mover), half_of(mover)
        there = int(self.ways[cell, action])
        if fear > 0 and half == 0 and action != STOP:
            half = 1
        else:
            cell, half = there, 0
        if fear > 0:
            fear -= 1
            if fear == 0 and half == 1:  # north and east have even numbers
                half = 0
                cell = cell if action & 1 else there
        score, end = state.score, PLAYING
        mover = ghost(cell, action, fear, half)
        if self.meets(mover, state.pacman):
            if fear > 0:
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

    def meets(self, ghost: int, cell: int) -> bool:
        """Whether a ghost is in a cell; halfway, it is in two."""
        here = cell_of(ghost)
        return here == cell or (half_of(ghost) == 1 and int(self.ways[here, way_of(ghost)]) == cell)

    # -- What helps a search.

    def steps_to_food(self, food: Wide, cell: int) -> int:
        """How far the nearest food is; 0 where there is none."""
        if is_empty(food):
            return 0
        for i in range(self.nearest.shape[1]):
            other = int(self.nearest[cell, i])
            if holds(food, other):
                return int(self.distance[cell, other])
        return 0

    def features(self, state: State) -> tuple[float, ...]:
        """The score, how far food is, how much is left, and how far ghosts are, through the maze.

        A scared ghost counts if Pacman can get to it in time.
        """
        active, scared = FAR, 0.0
        for i in range(self.count):
            other = self.ghost_at(state, i)
            steps = int(self.distance[state.pacman, cell_of(other)])
            if fear_of(other) == 0:
                active = min(active, steps)
            elif steps <= fear_of(other):
                scared = max(scared, 1.0 / (1 + steps))
        return (
            float(state.score),
            float(self.steps_to_food(state.food, state.pacman)),
            float(size(state.food)),
            float(popcount(state.capsules)),
            float(active),
            scared,
        )

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, kept within the bounds."""
        features = self.features(state)
        value = 0.0
        for i in range(len(WEIGHTS)):
            value += features[i] * self.weights[i]
        most = float(self.numbers[2]) - 0.5
        value = max(-most, min(most, value))
        return float(value if player == 0 else -value)

    def action_features(self, state: State, action: int) -> tuple[float, ...]:
        """What an action does at once, for a reflex agent: for Pacman all numbers but the last, for a ghost
        that."""
        if state.turn > 0:
            mover = self.ghost_at(state, state.turn - 1)
            there = int(self.ways[cell_of(mover), action])
            steps = float(self.distance[there, state.pacman])
            return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, steps if fear_of(mover) > 0 else -steps
        cell = int(self.ways[state.pacman, action])
        capsule = int(self.capsule_at[cell])
        beside = caught = 0.0
        for i in range(self.count):
            other = self.ghost_at(state, i)
            if fear_of(other) == 0:
                beside += self.distance[cell, cell_of(other)] <= 1
            else:
                caught += self.meets(other, cell)
        eaten = holds(state.food, cell)
        return (
            1.0 if eaten else 0.0,
            1.0 if eaten else 1.0 / (1 + self.steps_to_food(state.food, cell)),
            1.0 if capsule >= 0 and (state.capsules >> capsule & 1) != 0 else 0.0,
            float(beside),
            float(caught),
            1.0 if action == STOP else 0.0,
            0.0,
        )

    def priority(self, state: State, action: int) -> float:
        """The weighted sum of the features of an action: a reflex agent takes the action where it is
        highest."""
        features = self.action_features(state, action)
        value = 0.0
        for i in range(len(ACTION_WEIGHTS)):
            value += features[i] * self.action_weights[i]
        return float(value)

    def open_distance(self, state: State, action: int) -> int:
        """How far from Pacman, in half steps on an open field, a ghost's action leaves it; if scared, with a
        minus."""
        if state.turn == 0:
            return 0
        mover = self.ghost_at(state, state.turn - 1)
        cell, fear = cell_of(mover), fear_of(mover)
        there = int(self.ways[cell, action])
        total = 0
        for axis in range(2):
            here, next_one = int(self.place[cell, axis]), int(self.place[there, axis])
            between = here + next_one if fear > 0 and half_of(mover) == 0 else 2 * next_one
            total += abs(between - 2 * int(self.place[state.pacman, axis]))
        return -total if fear > 0 else total

    def key(self, state: State) -> int:
        numbers = (
            state.pacman
            | state.turn << 9
            | state.end << 12
            | state.moves << 14
            | (state.score + 1048576) << 32
        )
        return mix(mix(key_of(state.food, numbers) ^ state.low) ^ mix(state.high ^ state.capsules << 1))

    # -- For people.

    def point(self, cell: int) -> str:
        """What people call a cell."""
        return self._maze.name(self._maze.places[cell])

    def food_cells(self, state: State) -> set[int]:
        """The cells where food is."""
        cells, food = set(), state.food
        while not is_empty(food):
            cells.add(first(food))
            food = rest(food)
        return cells

    def capsule_cells(self, state: State) -> set[int]:
        """The cells where capsules are."""
        return {cell for i, cell in enumerate(self._maze.capsules) if state.capsules >> i & 1}

    def notation(self, state: State, action: int) -> str:
        return WAYS[action]

    def parse_action(self, state: State, text: str) -> int:
        """The way that a word stands for: "north", "n" or "up"; "stop", "x" or "wait"."""
        way = WORDS.get(text.strip().casefold())
        action: int = super().parse_action(state, text if way is None else WAYS[way])
        return action

    def text(self, state: State) -> str:
        """The maze, scared ghosts in small letters and halfway ones where they come from, and how it
        stands."""
        board = self._maze.board(self.food_cells(state), self.capsule_cells(state), FLOOR)
        marks = [(state.pacman, "P")]
        for i in range(self.count):
            other = self.ghost_at(state, i)
            marks.append((cell_of(other), "g" if fear_of(other) else "G"))
        for cell, mark in marks:  # a ghost that has caught Pacman is on top
            row, column = self._maze.places[cell]
            board[row][column] = mark
        stands = f"score {state.score}, {state.moves} of {self.limit} moves"
        if state.end == PLAYING:
            stands += f", {self.player_name(state.turn)} to move"
        else:
            stands += ("", ", all food eaten", ", caught", ", out of moves")[state.end]
        return "\n".join(["".join(line).rstrip() for line in board] + [stands])

    def scene(self, state: State) -> Scene:
        """The maze, walls dark; a ghost that is halfway stands between its cells."""
        maze = self._maze
        cells = [
            Cell(maze.name((y, x)), x + 0.5, y + 0.5, "plain" if maze.is_free((y, x)) else "wall")
            for y in range(maze.height)
            for x in range(maze.width)
        ]
        pieces = []
        for found, sign in ((self.food_cells(state), "·"), (self.capsule_cells(state), "•")):
            for row, column in sorted(maze.places[cell] for cell in found):
                pieces.append(Piece(column + 0.5, row + 0.5, None, "sign", sign))
        row, column = maze.places[state.pacman]
        pieces.append(Piece(column + 0.5, row + 0.5, 0, "sign", "ᗧ"))
        for i in range(self.count):
            other = self.ghost_at(state, i)
            places = [maze.places[cell_of(other)]]
            if half_of(other):
                places.append(maze.places[int(self.ways[cell_of(other), way_of(other)])])
            y, x = (sum(numbers) / len(places) + 0.5 for numbers in zip(*places, strict=True))
            sign = "👻" if fear_of(other) else "ᗣ"
            pieces.append(Piece(x, y, i + 1, "sign", f"{sign}{i + 1}"))
        labels = coordinates(maze.columns, [str(maze.height - row) for row in range(maze.height)])
        labels.append(Label(maze.width / 2, maze.height + 1.15, self.text(state).rpartition("\n")[2]))
        colours = ("yellow", *("red", "blue", "orange", "purple", "green")[: self.count])
        return Scene(maze.width, maze.height, cells, pieces, (), labels, colours)

    def move_squares(self, state: State, action: int) -> Sequence[str]:
        """Where a step begins and ends."""
        if action == STOP:
            return ()
        cell = state.pacman if state.turn == 0 else cell_of(self.ghost_at(state, state.turn - 1))
        return self.point(cell), self.point(int(self.ways[cell, action]))

    # -- Position strings.

    def position(self, state: State) -> str:
        """The rows of the maze from the top, free cells as _, Pacman's cell, each ghost's with the way it
        went last, how long it is scared and + if it is halfway, the score, the moves, and whose turn it is or
        how the game ended: "%%%%%/%_..%/%%%%% b2 d2w39+ -1 1 pacman"."""
        board = self._maze.board(self.food_cells(state), self.capsule_cells(state), "_")
        words = ["/".join("".join(line) for line in board), self.point(state.pacman)]
        for i in range(self.count):
            other = self.ghost_at(state, i)
            fear = str(fear_of(other)) if fear_of(other) else ""
            words.append(f"{self.point(cell_of(other))}{'nsew-'[way_of(other)]}{fear}{'+' * half_of(other)}")
        words += [str(state.score), str(state.moves)]
        turn = "pacman" if state.turn == 0 else f"ghost{state.turn}"
        return " ".join([*words, ENDS[state.end] or turn])

    def parse_position(self, text: str) -> State:
        """The state of a string as `position` writes it, or of the moves that lead there."""
        if "/" not in text and "%" not in text:
            played: State = super().parse_position(text)
            return played
        return _Reading(self, text).state()


class _Reading:
    """A position string, word by word."""

    def __init__(self, game: Pacman, text: str) -> None:
        self.game, self.maze, self.text = game, game._maze, text
        self.words = text.casefold().split()
        self.cells = {self.maze.name(place): cell for cell, place in enumerate(self.maze.places)}

    def refuse(self, why: str) -> BadPosition:
        return BadPosition(f"{why} (reading {self.text.strip()[:200]!r})")

    def state(self) -> State:
        game, words = self.game, self.words
        if len(words) != 5 + game.count:
            raise self.refuse(
                "a position is the maze, Pacman's cell, one for each ghost, the score, the moves and whose "
                "turn "
                f"it is, {5 + game.count} words, not {len(words)}"
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
        """The food and the capsules that are left."""
        maze = self.maze
        rows = word.split("/")
        if [len(row) for row in rows] != [maze.width] * maze.height:
            raise self.refuse(f"the maze has {maze.height} rows of {maze.width} characters")
        found: dict[str, set[int]] = {".": set(), "o": set()}
        full = {".": maze.food, "o": maze.capsules}
        for y, row in enumerate(rows):
            for x, character in enumerate(row):
                where = maze.name((y, x))
                if maze.is_free((y, x)) != (character != "%"):
                    raise self.refuse(f"walls are where the layout has them, which is not so at {where}")
                if character in found:
                    cell = maze.number.get((y, x), -1)
                    if cell not in full[character]:
                        raise self.refuse(f"the layout has no {character!r} at {where}")
                    found[character].add(cell)
                elif character not in "%_":
                    raise self.refuse(f"{character!r} at {where} is none of % . o _")
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
                f"a ghost is a cell, the way it went (n s e w -), its fear and +, not {word[:20]!r}"
            )
        cell, way = self.cell(found[1], f"ghost {i + 1}"), "nsew-".index(found[2])
        fear, half = int(found[3] or 0), len(found[4])
        if fear > SCARED or found[3].startswith("0"):
            raise self.refuse(f"the fear of {word!r} is from 1 to {SCARED}, or left out")
        if half and (way == STOP or game.ways[cell, way] < 0 or not fear >= 1):
            raise self.refuse(f"{word!r} cannot be halfway there: a wall is in the way, or it is not scared")
        ways = [bool(game.ways[cell, w] >= 0) for w in range(STOP)]
        if way == STOP and cell != game.starts[i + 1]:
            raise self.refuse(f"{word!r} has gone nowhere, and is not where it started")
        if way != STOP and not (ways[way] or ways[way ^ 1]):
            raise self.refuse(f"{word!r} cannot have gone that way")
        return ghost(cell, way, fear, half)

    def number(self, word: str, what: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,7}", word) or word != str(int(word)):
            raise self.refuse(f"the {what} is a whole number, not {word[:20]!r}")
        return int(word)

    def turn(self, word: str) -> tuple[int, int]:
        turns = ["pacman", *(f"ghost{i + 1}" for i in range(self.game.count))]
        if word in turns:
            return turns.index(word), PLAYING
        if word in ENDS[1:]:
            return 0, ENDS.index(word)
        raise self.refuse(f"the last word is one of {', '.join([*turns, *ENDS[1:]])}, not {word[:20]!r}")

    def check(self, state: State, eatable: set[int]) -> None:
        """What the rules say of every state."""
        game, maze = self.game, self.maze
        if state.pacman in eatable:
            raise self.refuse("Pacman has eaten what is in his cell")
        if not 0 <= state.moves <= game.limit:
            raise self.refuse(f"{state.moves} is not a number of moves from 0 to {game.limit}")
        if (state.end == WON) != is_empty(state.food):
            raise self.refuse("a game is won exactly if all food is eaten")
        if state.moves == game.limit and state.turn == 0 and state.end == PLAYING:
            raise self.refuse(f"after {game.limit} moves the game is late")
        if state.end == LATE and state.moves != game.limit:
            raise self.refuse(f"the game is late after {game.limit} moves, not {state.moves}")
        active = [game.ghost_at(state, i) for i in range(game.count)]
        if state.end == CAUGHT and not any(
            fear_of(one) == 0 and game.meets(one, state.pacman) for one in active
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
        if any(fear_of(one) for one in active) and not used:
            raise self.refuse("a ghost is scared, and no capsule is eaten")
