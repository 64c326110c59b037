"""A game in progress: its states, and the rules that depend on earlier ones, repetition and superko.

A state does not know how it was reached, so everything that plays whole games keeps a `History`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from plies.errors import IllegalMove, PliesError
from plies.game import CHANCE, Action, Game, State
from plies.validation import capped

LONGEST_GAME = 10_000
"""The most moves that programs play before they stop a game, rolls of the dice included. Not tuned."""

TIMES = ("", "first", "second", "third", "fourth", "fifth")
"""Ordinals in words, for `History.reason`."""


class History:
    """The states and actions of one game, from the initial state or another one on.

    In games with cycles, the last of a position's `repetitions` ends the game; with superko, a move that
    would repeat an earlier position is illegal. A pass, which leaves the position as it is or has no cells to
    click, is always legal. `before` are states that the game went through before `start`.
    """

    def __init__(self, game: Game, start: State | None = None, before: Sequence[State] = ()) -> None:
        self.game = game
        self.states: list[State] = []
        """All states, the current one last."""
        self.actions: list[Action] = []
        """All actions and outcomes of chance: one fewer than there are states."""
        self.branches: list[list[Action]] = []
        """Variations that were left for another line: all actions of each, from the start."""
        self._undone: list[Action] = []
        self._before = list(before)
        self._stood = Counter(map(self._position, self._before if game.cycles else ()))  # occurrences
        self._add(game.initial() if start is None else start)

    # -- The current position.

    @property
    def state(self) -> State:
        """The current state."""
        return self.states[-1]

    @property
    def previous(self) -> Sequence[State]:
        """The earlier states: a search finds repetitions by them, and another program the moves."""
        return self._before + self.states[:-1]

    def legal(self) -> list[Action]:
        """The legal actions; at a chance node, its outcomes."""
        return [] if self.over else list(self._allowed())

    @property
    def over(self) -> bool:
        """Whether the game is over, by its rules or by its history."""
        return bool(self.game.is_terminal(self.state) or self.reason)

    @property
    def reason(self) -> str:
        """How a repetition or superko has ended the game; "" if neither has."""
        if self.game.is_terminal(self.state):
            return ""
        if self._repeated():
            count = self._stood[self._position(self.state)]
            return f"the position occurs for the {TIMES[count] if count < len(TIMES) else f'{count}th'} time"
        if self._stuck():
            return "every move would repeat an earlier position"
        return ""

    def utility(self, player: int) -> float:
        """The utility of the finished game to a player."""
        if self.game.is_terminal(self.state):
            return self.game.utility(self.state, player)
        if self._repeated():
            if self.game.players == 1 and not self.game.has("repetition_value"):
                return self.game.bounds[0]
            return self.game.repetition_value(self.state, player)
        if self._stuck():
            mover = self.game.to_move(self.state)
            children = [self.game.result(self.state, action) for action in self.game.actions(self.state)]
            forced = max(children, key=lambda child: self.game.repetition_value(child, mover))
            return self.game.repetition_value(forced, player)
        raise PliesError("the game is not over, so it has no utility yet")

    # -- Playing, taking back, going back and forth.

    def play(self, action: Action) -> None:
        """Play an action or an outcome of chance; raises `IllegalMove` if it is not legal."""
        self._check(action)
        if self._undone and self._undone[-1] != action:
            self.branches.append(self.line)
            self._undone.clear()
        del self._undone[-1:]  # the move that was taken back: what followed it can still be redone
        self._take(action)

    def undo(self) -> Action:
        """Take back the last action, and return it."""
        if not self.actions:
            raise PliesError("there is no move to take back")
        if self.game.cycles:
            self._stood[self._position(self.state)] -= 1
        self.states.pop()
        self._undone.append(self.actions.pop())
        return self._undone[-1]

    def redo(self) -> Action:
        """Play the action that was taken back last, and return it."""
        if not self._undone:
            raise PliesError("there is nothing to redo")
        self._take(self._undone.pop())
        return self.actions[-1]

    @property
    def undone(self) -> bool:
        """Whether there is an action to redo."""
        return bool(self._undone)

    @property
    def line(self) -> list[Action]:
        """All actions of the game, and those that were taken back and can be redone."""
        return self.actions + self._undone[::-1]

    def jump(self, number: int) -> None:
        """Go to the position after `number` actions of the line, back or forth."""
        if not 0 <= number <= len(self.line):
            raise PliesError(f"the move must be between 0 and {len(self.line)}, not {number}")
        while len(self.actions) > number:
            self.undo()
        while len(self.actions) < number:
            self.redo()

    def switch(self, number: int) -> None:
        """Go to the end of one of the `branches`; the current line takes its place there."""
        if not 0 <= number < len(self.branches):
            raise PliesError(f"there is no branch {number}; there are {len(self.branches)}, counted from 0")
        other, self.branches[number] = self.branches[number], self.line
        shared = 0
        while shared < min(len(self.actions), len(other)) and self.actions[shared] == other[shared]:
            shared += 1
        self.jump(shared)
        self._undone = other[shared:][::-1]
        self.jump(len(other))

    def clear(self) -> None:
        """Discard what was taken back, and all branches."""
        self.branches.clear()
        self._undone.clear()

    def copy(self) -> History:
        """The same game, to go on from separately; without what was taken back, and without branches."""
        other = History.__new__(History)
        other.game, other.states, other.actions = self.game, self.states[:], self.actions[:]
        other.branches, other._undone = [], []
        other._before, other._stood = self._before, self._stood.copy()
        return other

    def _check(self, action: Action) -> None:
        game, state = self.game, self.state
        if reason := self.reason:
            raise IllegalMove(f"{game.described(state, action)} cannot be played: {reason}")
        if not game.is_terminal(state) and game.to_move(state) == CHANCE:
            if action not in [outcome for outcome, _ in game.chance(state)]:
                raise IllegalMove(f"{game.described(state, action)} is not an outcome of chance here")
            return
        game.play(state, action)
        if self._offends(action):
            raise IllegalMove(f"{game.described(state, action)} would repeat an earlier position")

    def _take(self, action: Action) -> None:
        self._add(self.game.result(self.state, action))
        self.actions.append(action)

    def _add(self, state: State) -> None:
        self.states.append(state)
        if self.game.cycles:
            self._stood[self._position(state)] += 1

    # -- Repetition.

    def _position(self, state: State) -> int | tuple[int, int]:
        """What repeated positions share: the repetition key and, without superko, the player to move."""
        if self.game.superko or self.game.is_terminal(state):
            return self.game.repetition_key(state)
        return self.game.repetition_key(state), self.game.to_move(state)

    def _repeated(self) -> bool:
        if not self.game.cycles or self.game.superko:
            return False
        return self._stood[self._position(self.state)] >= self.game.repetitions

    def _allowed(self) -> Iterator[Action]:
        if self.game.to_move(self.state) == CHANCE:
            yield from (
                outcome
                for outcome, _ in capped(self.game, self.state, self.game.chance(self.state), "chance")
            )
        else:
            actions = capped(self.game, self.state, self.game.actions(self.state))
            yield from (action for action in actions if not self._offends(action))

    def _stuck(self) -> bool:
        """Whether superko leaves no legal action."""
        if not (self.game.cycles and self.game.superko) or self.game.to_move(self.state) == CHANCE:
            return False
        return all(map(self._offends, capped(self.game, self.state, self.game.actions(self.state))))

    def _offends(self, action: Action) -> bool:
        """Whether superko forbids an action."""
        game, state = self.game, self.state
        if not (game.cycles and game.superko):
            return False
        child = game.result(state, action)
        if self._position(child) == self._position(state) or (
            game.has("move_squares") and not game.move_squares(state, action)
        ):
            return False
        return self._stood[self._position(child)] > 0


def legal_actions(game: Game, state: State, previous: Sequence[State] = ()) -> list[Action]:
    """The legal actions in a state, given the earlier states of the game."""
    return (
        History(game, state, previous).legal()
        if game.superko
        else list(capped(game, state, game.actions(state)))
    )
