"""The heuristics of a game: they help a search or a learner, and do not change how the game is played."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from plies.game_rules import Action, Rules, State

Policy = Callable[[Any, State], Iterable[tuple[Action, float]]]
"""A mixed strategy: given a game and a state, the mover's actions, each with its probability. A generator of
numbers compiles."""


NO_ACTION = -1
"""Stands for an action that there is none of: in the initial state, the last one."""


class Heuristics(Rules):
    """The second part of `plies.Game`: evaluation, move ordering, playouts, and options for the engine."""

    forcing: bool = False
    """Whether `noisy` gives all candidates of a state that is not quiet, so that no search may stand pat
    there."""

    refinements: Mapping[str, Any] = {}
    """The engine's options for this game, by name: `Options` such as {"reductions": True}."""

    algorithm: str | None = None
    """The search that plays this game best, such as "mcts"; None for the usual one of its kind of game."""

    mcts_options: Mapping[str, Any] = {}
    """Options of Monte Carlo tree search for this game: `MctsOptions` by name."""

    measured_levels: str = ""
    """The file with the levels of strength of this game, which `plies tune GAME --levels` writes; a relative
    path begins beside the file of the class that names it."""

    network_file: str = ""
    """The file of the network that evaluates this game in searches; a relative path begins beside the file of
    the class that names it."""

    pattern_weights: Sequence[float] = ()
    """How often playouts take an action of each `pattern`, relative to the others: a NumPy array compiles."""

    feature_names: Sequence[str] = ()
    """The names of the numbers that `features` returns, in order."""

    move_indices: int = 0
    """How many values `action_index` can have, from 0 on, if no two actions of a state share one: the size of
    the action space that learners choose from. 0 if the game does not say."""

    plane_shape: tuple[int, ...] = ()
    """The shape of a plane, such as rows and columns: the lowest bit is the first cell of the first row."""

    other_view: Sequence[int] = ()
    """Where the board is not turned: the numbers of the `planes` of a player, from 0, in the order in which
    they are those of the opponent, such as (1, 0). A network then asks for the planes once."""

    plane_names: Sequence[str] = ()
    """The names of what `planes` returns, in order, such as "own pawns"."""

    phases: int = 1
    """How many networks evaluate positions, each those of one `phase`."""

    pattern_planes: Sequence[int] = ()
    """The numbers of the `planes` by which pattern tables tell the states of a cell, such as (0, 1). If the
    game does not say, all of them."""

    pattern_cells: Sequence[Any] = ()
    """The sets of cells that pattern tables look at, such as ((0, 1, 2), (0, 4, 8)), each with its images
    under `symmetries`; sets within another tuple share a table. If the game does not say, lines and blocks of
    its board."""

    policies: Mapping[str, Callable[..., Policy]] = {}
    """Policies that this game brings, by name: functions of numbers with defaults that return a policy."""

    @property
    def encoding_size(self) -> int:
        """The number of values that `encode` writes."""
        return len(self.feature_names)

    def evaluate(self, state: State, player: int) -> float:
        """The static evaluation (EVAL): an estimate of a non-terminal state's value to a player."""
        return 0

    def evaluate_action(self, state: State, action: Action) -> float:
        """An evaluation of a pair of state and action, to the player who moves: a reflex agent maximises it.

        By default, it is the utility or static evaluation of the state after the action. A game may define it
        to tell from the pair itself, without that state, and need not keep to the bounds.
        """
        mover = self.to_move(state)
        after = self.result(state, action)
        return self.utility(after, mover) if self.is_terminal(after) else self.evaluate(after, mover)

    def features(self, state: State) -> tuple[float, ...]:
        """The terms of a linear evaluation, as player 0 sees them."""
        return ()

    def encode(self, state: State, player: int, into: Any) -> None:
        """Write a state, as a player sees it, into an array of `encoding_size` numbers for a neural network.

        The default writes the features.
        """
        features = self.features(state)
        for i in range(len(features)):
            into[i] = features[i] if player == 0 else -features[i]

    def planes(self, state: State, player: int) -> tuple[Any, ...]:
        """A state, as a player sees it, as bitboards for learners: what is the player's own comes first.

        Every set bit is an input. The board is turned so that both players see the same picture. Wide
        bitboards will do, too; `plane_shape` says where the bits are.
        """
        return ()

    def phase(self, state: State) -> int:
        """The number of the network that evaluates a state, from 0 to `phases` - 1: for a game that changes
        its nature, such as from contact to a race."""
        return 0

    def candidates(self, state: State) -> Iterable[Action]:
        """Actions that always include a best one: all of them, unless the game can prune some.

        Where a game has no `priority`, they come best first.
        """
        for action in self.actions(state):
            yield action

    def noisy(self, state: State) -> Iterable[Action]:
        """The actions, such as captures, that quiescence search looks at."""
        for action in range(0):
            yield action

    def exchange(self, state: State, action: Action) -> float:
        """Static exchange evaluation (SEE): what a noisy action gains after all recaptures, in units of
        `evaluate`. Quiescence search leaves out those that gain too little (`delta`)."""
        return 0

    def is_quiet(self, state: State) -> bool:
        """Whether a search may stand pat here; if not, as in check, it extends by a ply."""
        return True

    def null_move(self, state: State) -> State:
        """The state after a null move, for null-move pruning; the same state where that is unsafe."""
        return state

    def proved_bounds(self, state: State, alpha: float, beta: float) -> tuple[float, float]:
        """Bounds that the value of a non-terminal state to the player to move is sure to have.

        As from a table of endgames, stable discs or a short search. They are bounds of the value, whatever
        alpha and beta are; a search gains nothing by bounds that tell more than whether the value is up to
        alpha, from beta on, or which it is in between.
        """
        return -math.inf, math.inf

    def priority(self, state: State, action: Action) -> float:
        """Move ordering: actions of higher priority are searched first."""
        return 0

    def playout(self, state: State, random: int, last: Action, before: Action) -> Action:
        """The action of a playout, chosen by a random number from 0 to 2^63 - 1: uniformly, by default.

        `last` is the action that led to the state, and `before` the one before it, dice included; -1 if there
        is none, or nobody knows it.
        """
        count = 0
        for _ in self.actions(state):
            count += 1
        chosen = 0
        wanted = random % count
        for action in self.actions(state):
            if wanted == 0:
                chosen = action
            wanted -= 1
        return chosen

    def pattern(self, state: State, action: Action, last: Action) -> int:
        """The number of the pattern that an action fits, for playouts of a game without a `playout` rule.

        They take actions in proportion to the `pattern_weights` (Coulom 2007). `last` is as in `prior`.
        """
        return 0

    def prior(self, state: State, action: Action, last: Action) -> tuple[float, float]:
        """Prior knowledge: games won and lost that an action counts as having played before its first visit.

        `last` is the action that led to the state, or -1. Gelly and Silver 2007.
        """
        return 0.0, 0.0

    def move_index(self, state: State, action: Action) -> int:
        """An index for an action that is the same in every state, for the history heuristic and RAVE."""
        return action  # type: ignore[no-any-return]

    def action_index(self, state: State, action: Action) -> int:
        """The index by which learners choose an action: `move_index`, unless a game has one that suits them
        better. Never compiled."""
        return self.move_index(state, action)
