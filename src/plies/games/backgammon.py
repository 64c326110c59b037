"""Backgammon, without the doubling cube."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plies.bits import mix
from plies.errors import BadPosition, IllegalMove
from plies.game import CHANCE
from plies.games import backgammon_picture as picture
from plies.games.backgammon_board import (
    BAR,
    CHECKERS,
    DIGIT,
    FAR,
    OFF,
    OPENING,
    START,
    STEP,
    State,
    count,
    counts_of,
    landing,
    moved,
    rearmost,
)
from plies.games.backgammon_evaluation import Evaluation
from plies.games.backgammon_notation import (
    is_position_id,
    position_id,
    read_action,
    read_position_id,
    steps_of,
    write_action,
)
from plies.neural_network import Network
from plies.scene import Scene


class Backgammon(Evaluation):
    """Backgammon. A roll is an action of chance, 31 for a 3 and a 1; a whole play of it is an action, too.

    A play has five bits for each checker moved: where it starts, 25 being the bar. The first five are for the
    higher number of the dice, the next five for the lower; a double has up to four such moves. The bits are 0
    where a number cannot be played. Plays that lead to the same position are one play.
    """

    player_names = ("White", "Black")
    marks = ("X", "O")
    two_sided = True
    prompt = "Play the dice, as in 24/18 13/11"
    rules = (
        "Each player brings 15 checkers home, from the points 24 down to 6 to 1, and then bears them off; "
        "whoever first has borne off all wins. White (X) and Black (O) count the points from opposite ends. "
        "At first each rolls one die; the higher number begins, with both numbers; from then on the players "
        "roll two dice in turn. Each number moves one checker by that many points; a double moves four. A "
        "checker may not move to a point where the other player has two or more; a single one there, a "
        "blot, is hit and put on the bar. Checkers on the bar must enter first: a 1 enters on the 24 point, "
        "a 6 on the 19. With all checkers at home, a number bears off from its point, or from the furthest "
        "point if that is nearer. As many of the numbers as possible must be played; if either can be but "
        "not both, the higher. Write a move from point to point, as in 24/18 13/11, bar/22* (a hit), "
        "6/off(2) (two checkers). A win counts once; twice, a gammon, if the loser has borne off nothing; "
        "three times, a backgammon, if the loser also has a checker on the bar or in the winner's home. "
        "There is no doubling cube."
    )
    measured_levels = "levels/backgammon.json"

    def __init__(
        self,
        gammons: bool = True,
        weights: Sequence[float] | None = None,
        network: bool | str | Network = True,
    ) -> None:
        """With `gammons`, a win may count double or triple; without, every win counts once.

        `network` evaluates positions: True for the one trained for this game, a file, or a network. Where it
        is False, or `weights` are given, a weighted sum of features does.
        """
        super().__init__(gammons, weights, network)

    # -- The six rules.

    def initial(self) -> State:
        return State(START, START, OPENING, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.dice == 0 else state.player

    def actions(self, state: State) -> Iterator[int]:
        if state.dice == 0:
            if not self.is_terminal(state):
                for roll, _ in self.chance(state):
                    yield roll
        elif state.dice // 10 == state.dice % 10:
            for play in self.plays_of_double(state):
                yield play
        else:
            for play in self.plays_of_two(state):
                yield play

    def chance(self, state: State) -> Iterator[tuple[int, float]]:
        """The 21 rolls; for the opening roll, of one die each (X's first) until they differ, there are 30."""
        for first in range(1, 7):
            for second in range(1, 7):
                if state.player == OPENING:
                    if first != second:
                        yield 10 * first + second, 1 / 30
                elif first >= second:
                    yield 10 * first + second, 1 / 36 if first == second else 1 / 18

    def result(self, state: State, action: int) -> State:
        mine, theirs, player, dice = state
        if dice == 0:
            first, second = action // 10, action % 10
            if player == OPENING:
                player = 0 if first > second else 1
            return State(mine, theirs, player, 10 * max(first, second) + min(first, second))
        die = dice // 10
        while action != 0:
            source = action & 31
            if source != 0:
                target = landing(source, die)
                mine = moved(mine, source, target)
                if target != OFF and count(theirs, 25 - target) == 1:
                    theirs = moved(theirs, 25 - target, BAR)
            action >>= STEP
            die = dice % 10
        return State(theirs, mine, 1 - player, 0)

    def is_terminal(self, state: State) -> bool:
        return state.theirs.near == CHECKERS  # the player who has just moved has borne off all

    def utility(self, state: State, player: int) -> int:
        """The points won: 1, 2 for a gammon, 3 for a backgammon."""
        points = 1
        if self.gammons and count(state.mine, OFF) == 0:
            points = 3 if rearmost(state.mine, BAR) >= 19 else 2
        return -points if player == state.player else points

    def key(self, state: State) -> int:
        h = mix(state.mine.near | state.dice << FAR * DIGIT | state.player + 1 << 60)
        h = mix(h ^ state.mine.far)
        h = mix(h ^ state.theirs.near)
        return mix(h ^ state.theirs.far)

    # -- Presentation.

    def notation(self, state: State, action: int) -> str:
        """A roll, "31", or a play: "24/18 13/11", "bar/22*", "6/off(2)"."""
        return write_action(state, action)

    def parse_action(self, state: State, text: str) -> int:
        """The roll or the play that a text denotes, its moves in any order, one by one or combined."""
        return read_action(self, state, text)

    def position(self, state: State) -> str:
        """GNU Backgammon's Position ID, the player to move, and the dice if they are rolled: "… X 31".

        Before the opening roll, "start" stands in place of the player.
        """
        board = position_id(state.mine, state.theirs)
        if state.player == OPENING:
            return f"{board} start"
        return f"{board} {self.marks[state.player]}" + (f" {state.dice}" if state.dice else "")

    def parse_position(self, text: str) -> State:
        """The state of a string such as "4HPwATDgc/ABMA X 31", or after rolls and plays from the start.

        A Position ID alone means that X is to roll.
        """
        words = text.split()
        if not words or not is_position_id(words[0]):
            return self._replayed(words)
        mine, theirs = read_position_id(words[0])
        player = words[1].upper() if len(words) > 1 else "X"
        dice = "".join(words[2:])
        if player == "START" and not dice:
            if (mine, theirs) != (START, START):
                raise BadPosition(f"{text.strip()!r} is not where a game starts: that is {self._start()!r}")
            return self.initial()
        if player not in self.marks:
            raise BadPosition(f"the player to move in {text.strip()!r} must be X or O, not {words[1]!r}")
        if dice and not re.fullmatch("[1-6]{2}", dice):
            raise BadPosition(f"the dice in {text.strip()!r} must be two numbers, such as 31, not {dice!r}")
        if dice and count(theirs, OFF) == CHECKERS:
            raise BadPosition(f"{text.strip()!r} has dice after the end of the game")
        return State(mine, theirs, self.marks.index(player), int("".join(sorted(dice)[::-1]) or 0))

    def _start(self) -> str:
        return self.position(self.initial())

    def _replayed(self, words: list[str]) -> State:
        """The state after rolls and plays, such as "31 8/5 6/5 62 24/18 13/11"."""
        state = self.initial()
        while words:
            length = 1
            if state.dice:  # a play extends to the next roll
                while length < len(words) and not re.fullmatch("[1-6]{2}", words[length]):
                    length += 1
            move, words = " ".join(words[:length]), words[length:]
            if self.is_terminal(state):
                raise BadPosition(f"{move[:60]!r} comes after the end of the game")
            try:
                state = self.result(state, self.parse_action(state, move))
            except IllegalMove as error:
                raise BadPosition(
                    f"{error} (reading rolls and plays, since there is no Position ID)"
                ) from None
        return state

    def _sides(self, state: State) -> list[list[int]]:
        """The numbers of checkers of X and of O: off, on each point and on the bar."""
        sides = (state.theirs, state.mine) if state.player == 1 else (state.mine, state.theirs)
        return [counts_of(side) for side in sides]

    def text(self, state: State) -> str:
        if self.is_terminal(state):
            words = f"{self._called(1 - state.player)} has borne off all"
        elif state.player == OPENING:
            words = "each throws a die"
        else:
            dice = f"plays {state.dice // 10} {state.dice % 10}" if state.dice else "throws"
            words = f"{self._called(state.player)} {dice}"
        return picture.drawn(self._sides(state), state.player, [words])

    def _called(self, player: int) -> str:
        return f"{self.player_name(player)} ({self.marks[player]})"

    def scene(self, state: State) -> Scene:
        return picture.scene(self._sides(state), state.player, str(state.dice or ""))

    def standing(self, state: State) -> str:
        if self.is_terminal(state):
            return ""
        pips = (sum(place * number for place, number in enumerate(side)) for side in self._sides(state))
        return f"pips: {self.by_player(*pips)}"

    def ending(self, state: State) -> str:
        points = max(self.utility(state, player) for player in (0, 1))
        return ("", "", "a gammon", "a backgammon")[points]

    def move_squares(self, state: State, action: int) -> Sequence[str]:
        """The cells that each checker leaves and reaches in turn; none for a roll or a pass."""
        if state.dice == 0:
            return ()
        places = [place for step in steps_of(state, action) for place in (step.source, step.target)]
        return [picture.cell_name(place, state.player) for place in places]
