"""The rules of a game: the six that every game has, the ones it may add, and the facts about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from plies import bits
from plies.errors import BadParameter

State = Any
"""A state is an immutable value; a NamedTuple of ints compiles at no cost."""

Action = Any
"""An action is an immutable value; an int compiles at no cost."""

CHANCE = -1
"""The player to move at a chance node, where dice are rolled."""

SIMULTANEOUS = -2
"""The player to move where all players choose at once, before any choice is shown."""


class Rules:
    """The first part of `plies.Game`: how the game is played."""

    players: int = 2
    """How many players there are, chance not counted."""

    total: float | None = 0
    """The sum of all players' utilities in every terminal state: 0 in a zero-sum game, 1 where a win is worth
    1 and a draw ½ each; None if it varies."""

    bounds: tuple[float, float] = (-1, 1)
    """The least and the greatest utility there can be; evaluations lie between them."""

    cycles: bool = False
    """Whether a position can be repeated within a game."""

    repetitions: int = 2
    """In games with cycles: the occurrence of a position that ends the game, with `repetition_value`."""

    superko: bool = False
    """In games with cycles: whether a move that would repeat an earlier position is illegal."""

    exact_key: bool = False
    """Whether `key` is injective: states of equal keys have equal identities, so no collision is possible."""

    compiled: bool | None = None
    """True: compile the rules, or raise. False: never compile. None: compile where that works."""

    @property
    def constant_sum(self) -> bool:
        """Whether the utilities of all players have the same sum in every terminal state."""
        return self.total is not None

    @property
    def zero_sum(self) -> bool:
        """Whether the utilities of all players sum to zero in every terminal state."""
        return self.total == 0

    @property
    def draw_value(self) -> float:
        """The utility of a draw to each player: an equal share of the total."""
        return 0.0 if self.total is None else self.total / self.players

    # -- The six rules.

    def initial(self) -> State:
        """The state the game starts in."""
        raise self._missing("initial")

    def to_move(self, state: State) -> int:
        """The player to move in a non-terminal state, or CHANCE, or SIMULTANEOUS."""
        raise self._missing("to_move")

    def actions(self, state: State) -> Iterable[Action]:
        """The legal actions, each once: none in a terminal state, at least one in any other.

        A game of simultaneous moves has them from its `choices`, and need not define this rule.
        """
        if not self.simultaneous:
            raise self._missing("actions")
        return self._from_choices(state)

    def result(self, state: State, action: Action) -> State:
        """The state after a legal action. Unchecked: `play` checks."""
        raise self._missing("result")

    def is_terminal(self, state: State) -> bool:
        """Whether the game is over."""
        raise self._missing("is_terminal")

    def utility(self, state: State, player: int) -> float:
        """The utility of a terminal state to a player."""
        raise self._missing("utility")

    # -- Optional rules; `Game.has` reports which of them a game defines.

    def chance(self, state: State) -> Iterable[tuple[Action, float]]:
        """The outcomes of a chance node, each an action with its probability."""
        for outcome in range(0):
            yield outcome, 0.0

    def choices(self, state: State, player: int) -> Iterable[Action]:
        """In a game of simultaneous moves: the choices of a player who moves, alone or with the others.

        Where all move at once, an action of the game is a tuple of one choice each, in the order of players.
        """
        for choice in range(0):
            yield choice

    @property
    def simultaneous(self) -> bool:
        """Whether there are states in which all players choose at once."""
        raise NotImplementedError

    def _from_choices(self, state: State) -> Iterable[Action]:
        if self.is_terminal(state):
            return
        mover = self.to_move(state)
        if mover == SIMULTANEOUS:
            yield from product(*(list(self.choices(state, player)) for player in range(self.players)))
        elif mover == CHANCE:
            yield from (outcome for outcome, _ in self.chance(state))
        else:
            yield from self.choices(state, mover)

    def identity(self, state: State) -> Any:
        """The part of a state that decides how the game goes on: without a move number, for instance.

        A transposition table takes states of one identity for one position.
        """
        return state

    def key(self, state: State) -> int:
        """A 64-bit hash of the `identity`, such as a Zobrist key (1970), for transposition tables."""
        return bits.hash64(self.identity(state))

    def repetition_key(self, state: State) -> int:
        """A 64-bit hash of what makes a position a repetition of an earlier one: by default, the `key`.

        In Go it is a hash of the stones alone.
        """
        return self.key(state)

    def plies_left(self, state: State) -> int:
        """The plies left on a clock such as the fifty-move rule, where `identity` leaves the clock out.

        At 0 the game is over, and drawn unless it has ended otherwise. It may start anew after moves that
        cannot be taken back: no position from before comes up again.
        """
        return 0

    def repetition_value(self, state: State, player: int) -> float:
        """The utility to a player of a game that ends by repetition: a draw, by default.

        For a one-player game without this rule, it is the lower bound.
        """
        return self.draw_value

    def core(self, state: State) -> State:
        """The state without what a database leaves out: clock and move number are as at the beginning.

        It must be a state that the other rules understand, with the same mover, and its own core. A database
        then holds values as if there were no clock.
        """
        return state

    def roots(self, ending: str) -> Iterable[State]:
        """The states from which a database of an ending, such as "KQK", is made: by default the initial one.

        What they lead to follows. Never compiled; where there are millions, NumPy arrays with the numbers of
        a core state in each row may take the place of states.
        """
        if ending:
            raise BadParameter(f"{type(self).__name__} names no endings, such as {ending!r}")
        yield self.initial()

    # -- Numbers for states, by which a database needs no table to find them.

    endings: Sequence[str] = ()
    """Names of endings that `roots` or `stages` know, for examples: "KQK"."""

    def endings_after(self, state: State) -> Iterable[str]:
        """Names of endings that `stages` knows and play from a state runs into, the smaller ones first.

        `solve` makes a database of one before a long search. By default there are none. Never compiled.
        """
        return ()

    def stages(self, ending: str) -> Iterable[tuple[int, int]]:
        """The stages of an ending whose states `index` numbers, each with how many numbers it has.

        No stage leads to one that follows. By default there are none. Never compiled.
        """
        return ()

    def stage(self, state: State) -> int:
        """The stage that a state belongs to: what is left of the game and never comes back, such as the
        pieces on the board."""
        return 0

    def index(self, state: State) -> int:
        """The number of a state within its stage, from 0; -1 if it has none.

        States that differ in symmetry, in their clock or in what was `earned` may have the same number.
        """
        return -1

    def state_at(self, stage: int, index: int) -> State:
        """A state of this number; if none has it, any state that has another number or -1."""
        return self.initial()

    def earned(self, state: State) -> float:
        """The utility to player 0 that was earned before and that `index` leaves out: the seeds in stores.

        It does not change within a stage; what can still be earned does not depend on it.
        """
        return 0.0

    def points_and_rest(self, state: State) -> tuple[float, Any]:
        """The utility to player 0 of the points made so far, and the part of the `identity` that decides
        what the player to move can still gain.

        The value of a state is the points plus what is gained from the rest. Where the other player would
        gain as much from the rest if it were their turn, it need not say who is to move.
        """
        return 0.0, self.identity(state)

    def symmetries(self, state: State) -> Iterable[State]:
        """This state and its rotations and reflections, all of the same value."""
        yield state

    def _missing(self, rule: str) -> NotImplementedError:
        return NotImplementedError(f"{type(self).__name__} does not define {rule}()")
