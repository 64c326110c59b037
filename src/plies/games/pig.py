"""Pig, the dice game: roll again, or hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plies.errors import BadParameter, BadPosition
from plies.game import CHANCE, Game
from plies.games import weights as evaluation
from plies.scene import Cell, Label, Line, Piece, Scene

# The actions of a player; those of the die are its faces, 1 to 6.
HOLD = 0
ROLL = 7


WEIGHTS = (1.0,)
"""The weight of a lead by the whole target, which nobody has before the end. Set by hand."""


class State(NamedTuple):
    """The scores as the player to move sees them, and the points of the turn."""

    mine: int
    theirs: int
    turn: int  # points of this turn, lost with a 1
    player: int  # the player whose turn it is
    rolling: int  # 1 while the die rolls


class Pig(Game):
    """Pig for two, to any target. A player's action is ROLL or HOLD, the die's is a face, 1 to 6."""

    prompt = "Roll or hold"
    rules = (
        "In your turn you roll a die as often as you like, at least once. A 2 to 6 adds to the points of "
        "the turn; a 1 loses them and ends the turn. Hold to add them to your score and end the turn. "
        "The first to reach the target, the points of the turn included, wins."
    )

    feature_names = ("lead",)
    move_indices = 2
    refinements = {"star2": False}  # there are too few actions for the heuristic to learn from

    def __init__(self, target: int = 100, weights: Sequence[float] | None = None) -> None:
        if target < 2:
            raise BadParameter(f"target must be 2 or more, not {target}")
        self.target = target
        self.plane_shape = ((target + 5).bit_length(),)  # a turn ends at the target or at most 5 above
        self.weights = evaluation.chosen(WEIGHTS, weights)

    def initial(self) -> State:
        return State(0, 0, 0, 0, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.rolling else state.player

    def actions(self, state: State) -> Iterator[int]:
        if state.rolling:
            for face in range(1, 7):
                yield face
        elif not self.is_terminal(state):
            yield ROLL
            if state.turn > 0:  # a turn begins with a roll
                yield HOLD

    def chance(self, state: State) -> Iterator[tuple[int, float]]:
        for face in range(1, 7):
            yield face, 1 / 6

    def result(self, state: State, action: int) -> State:
        if action == ROLL:
            return State(state.mine, state.theirs, state.turn, state.player, 1)
        if action == HOLD:
            return State(state.theirs, state.mine + state.turn, 0, 1 - state.player, 0)
        if action == 1:
            return State(state.theirs, state.mine, 0, 1 - state.player, 0)
        return State(state.mine, state.theirs, state.turn + action, state.player, 0)

    def is_terminal(self, state: State) -> bool:
        return state.mine + state.turn >= self.target

    def utility(self, state: State, player: int) -> int:
        return 1 if player == state.player else -1

    def move_index(self, state: State, action: int) -> int:
        """0 for HOLD, 1 for ROLL."""
        return action // ROLL

    def planes(self, state: State, player: int) -> tuple[int, ...]:
        """The score of the player, of the opponent, and the points of the turn, in binary; whose turn it
        is."""
        mine, theirs = state.mine, state.theirs
        if player != state.player:
            mine, theirs = theirs, mine
        return mine, theirs, state.turn, int(player == state.player)

    def evaluate(self, state: State, player: int) -> float:
        """The weighted feature, clipped short of a win."""
        value = max(-0.999, min(0.999, self.features(state)[0] * float(self.weights[0])))
        return value if player == 0 else -value

    def features(self, state: State) -> tuple[float, ...]:
        """Player 1's lead, the points of the turn included, as a share of the target."""
        lead = (state.mine + state.turn - state.theirs) / self.target
        return (lead if state.player == 0 else -lead,)

    # -- Presentation.

    def notation(self, state: State, action: int) -> str:
        return "roll" if action == ROLL else "hold" if action == HOLD else str(action)

    def text(self, state: State) -> str:
        scores = (state.mine, state.theirs) if state.player == 0 else (state.theirs, state.mine)
        lines = [f"{self.player_name(player)}: {score}" for player, score in enumerate(scores)]
        lines[state.player] += f" + {state.turn}" + (", the die is rolling" if state.rolling else "")
        return "\n".join([*lines, f"target: {self.target}"])

    def scene(self, state: State) -> Scene:
        """The two actions, and below them the scores as bars, the points of the turn thick."""
        cells = [Cell("roll", 1.5, 0.5, width=2.8), Cell("hold", 4.5, 0.5, width=2.8)]
        pieces = [Piece(0.7, 0.5, None, "sign", "⚄"), Piece(1.9, 0.5, None, "sign", "roll")]
        pieces.append(Piece(4.5, 0.5, None, "sign", "hold"))
        lines, labels = [], []
        scores = (state.mine, state.theirs) if state.player == 0 else (state.theirs, state.mine)
        words = self.text(state).split("\n")
        for player, score in enumerate(scores):
            y = 2.1 + 1.5 * player
            labels.append(Label(3, y - 0.65, words[player]))
            lines.append(Line(0.5, y, 5.5, y))
            turn = state.turn if player == state.player else 0
            begin, end = (0.5 + 5 * min(1, points / self.target) for points in (score, score + turn))
            if turn:
                lines.append(Line(begin, y, end, y, "wall"))
            pieces.append(Piece(begin, y, player, "disc", str(player + 1)))
        labels.append(Label(3, 4.5, words[-1]))
        return Scene(6, 4.2, cells, pieces, lines, labels)

    def move_squares(self, state: State, action: int) -> Sequence[str]:
        """The cell of an action; none for a roll of the die."""
        return (self.notation(state, action),) if action in (ROLL, HOLD) else ()

    def position(self, state: State) -> str:
        """The two scores, the player to move with the points of the turn, and ? while the die rolls."""
        scores = f"{state.mine}/{state.theirs}" if state.player == 0 else f"{state.theirs}/{state.mine}"
        return f"{scores} {state.player + 1}+{state.turn}{'?' if state.rolling else ''}"

    def parse_position(self, text: str) -> State:
        """The state of a string such as "40/32 1+12", or after moves and rolls from the start."""
        found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})\s+([12])\s*\+\s*([0-9]{1,9})\s*(\??)", text.strip())
        if not found:
            played: State = super().parse_position(text)
            return played
        first, second, turn = int(found[1]), int(found[2]), int(found[4])
        for score in (first, second):
            if score >= self.target:
                raise BadPosition(
                    f"a score of {score} in {text!r} is past the end: the target is {self.target}"
                )
        if 1 in (first, second, turn):
            raise BadPosition(f"{text!r} has a 1, which no rolls add up to")
        player = int(found[3]) - 1
        mine, theirs = (first, second) if player == 0 else (second, first)
        rolling = 1 if found[5] else 0
        if mine + turn >= self.target + (0 if rolling else 6):
            raise BadPosition(f"{mine} + {turn} in {text!r} is past the end: the target is {self.target}")
        return State(mine, theirs, turn, player, rolling)
