"""Minimax, alpha-beta and expectiminimax with a switch for each usual bug: what wrong programs find."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from math import inf
from typing import Any

from plies.book.recorder import Recorder


@dataclass(frozen=True)
class Variant:
    """How a program differs from the right one, if it does."""

    roles: str = "normal"
    """Who maximises: "normal", "swapped", "all-max", "all-min", "alternate", whoever is to move, "all but 1":
    every player but 1, the first that is to minimise; or only the root is "swapped at the root", or always
    "max at the root" or "min at the root"."""
    max_start: float = -inf
    """The value that MAX begins with."""
    min_start: float = +inf
    """The value that MIN begins with."""
    keep: str = "best"
    """The value that a node keeps: of the "best" child, the "last", or the "first", where it returns."""
    leaves_out: str = ""
    """The child that is not searched: "first" or "last"."""
    depth_shift: int = 0
    """How many plies too deep it searches."""
    counts_depth: bool = True
    """Whether it takes one from the depth when it goes deeper."""
    evaluates: bool = True
    """Whether it evaluates at the depth bound; or else takes 0."""
    view: str = "max"
    """Whose utility an end of the game has: that of "max", or of the "mover"."""
    estimate_view: str = "max"
    """Whose estimate is taken at the depth bound."""
    chance: str = "expected"
    """The value of a chance node: "expected", "mean", "sum", "max", "min", or "whole" (cut to an integer)."""
    max_updates: str = "alpha"
    """The bound that MAX moves to its value: "alpha", "beta" or none, ""; "alpha down" is the wrong way."""
    min_updates: str = "beta"
    """The bound that MIN moves to its value; "beta up" is the wrong way."""
    hands_alpha: bool = True
    """Whether alpha is handed on to the children, or minus infinity is."""
    hands_beta: bool = True
    """Whether beta is handed on to the children, or infinity is."""
    turn: str = ""
    """What becomes of the window on the way down: "reversed" is (beta, alpha), "negated" (-beta, -alpha)."""
    max_cut: str = "beta"
    """The bound that MAX compares its value with to cut: "beta", "alpha" or none, ""."""
    min_cut: str = "alpha"
    """The bound that MIN compares its value with to cut."""
    max_strict: bool = False
    """Whether MAX cuts only above its bound, not at it."""
    min_strict: bool = False
    """Whether MIN cuts only below its bound, not at it."""
    max_turned: bool = False
    """Whether MAX cuts at or below its bound, as MIN does."""
    min_turned: bool = False
    """Whether MIN cuts at or above its bound, as MAX does."""
    moves_first: bool = False
    """Whether the window is moved before the test for a cut, which is right as well."""
    by_window: bool = False
    """Whether it cuts where alpha, once moved, has reached beta, which is right as well."""
    fail_hard: bool = False
    """Whether it returns alpha or beta for a value outside of them, which is right as well."""

    def differs(self) -> dict[str, Any]:
        """The switches that are not as in the right program."""
        return {one.name: value for one in fields(self) if (value := getattr(self, one.name)) != one.default}

    def and_also(self, other: Variant) -> Variant | None:
        """Both bugs at once; None if they are about the same switch."""
        mine, theirs = self.differs(), other.differs()
        return None if mine.keys() & theirs.keys() else replace(self, **theirs)


RIGHT = Variant()
STRICT = Variant(max_strict=True, min_strict=True)
"""Right as well, where equality is not to cut (CS188)."""


class VariantSearch:
    """A search by a variant on a game: six rules, `chance` and `evaluate`; `movers` are by state."""

    def __init__(
        self,
        game: Any,
        variant: Variant,
        *,
        prunes: bool,
        depth: int | None = None,
        trace: Recorder | None = None,
        movers: list[int] | None = None,
    ) -> None:
        self.game, self.variant, self.prunes = game, variant, prunes
        self.movers = movers
        self.trace = trace or Recorder()
        bound = inf if depth is None else depth + variant.depth_shift
        self.bound = bound if variant.counts_depth or bound <= 0 else inf
        self.first = 0
        self.line: tuple[Any, ...] = ()

    def run(self, state: Any, alpha: float = -inf, beta: float = inf) -> float:
        """The value of a state."""
        self.first = max(0, self.game.to_move(state))
        return self._value(None, state, alpha, beta, 0)[0]

    def _value(
        self, action: Any, state: Any, alpha: float, beta: float, ply: int
    ) -> tuple[float, tuple[Any, ...]]:
        game, variant = self.game, self.variant
        if game.is_terminal(state):
            viewer = self._viewer(state, ply) if variant.view == "mover" else 0
            return self.trace.leaf(action, state, "terminal", game.utility(state, viewer)), ()
        if ply == self.bound:
            viewer = self._viewer(state, ply) if variant.estimate_view == "mover" else 0
            value = game.evaluate(state, viewer) if variant.evaluates else 0.0
            return self.trace.leaf(action, state, "depth", value), ()
        if game.to_move(state) == -1 and variant.chance not in ("max", "min"):
            return self._chance(action, state, ply), ()
        is_max = self._maximises(state, ply)
        kind = "max" if is_max else "min"
        self.trace.enter(action, state, kind, (alpha, beta) if self.prunes else None)
        value, line = self._node(state, alpha, beta, ply, is_max)
        if ply == 0:
            self.line = line
        return self.trace.leave(value), line

    def _viewer(self, state: Any, ply: int) -> int:
        """The player to move at a leaf, if the game knows; or else the players take turns."""
        if self.movers is None:
            return (self.first + ply) % 2
        return max(0, self.movers[state]) and 1

    def _maximises(self, state: Any, ply: int) -> bool:
        mover, roles = self.game.to_move(state), self.variant.roles
        if mover == -1:
            return self.variant.chance == "max"
        if roles == "alternate":
            return (self.first + ply) % 2 == 0
        if roles.startswith("all-"):
            return roles == "all-max"
        if roles == "all but 1":
            return bool(mover != 1)
        if ply == 0 and roles in ("max at the root", "min at the root"):
            return roles == "max at the root"
        swapped = roles == "swapped" or (roles == "swapped at the root" and ply == 0)
        return bool((mover == 0) != swapped)

    def _node(
        self, state: Any, alpha: float, beta: float, ply: int, is_max: bool
    ) -> tuple[float, tuple[Any, ...]]:
        """The value of a node of MAX or MIN, and the line to it."""
        variant = self.variant
        value = variant.max_start if is_max else variant.min_start
        if variant.fail_hard and self.prunes and abs(value) == inf:
            value = alpha if is_max else beta
        line: tuple[Any, ...] = ()
        actions = iter(self._actions(state))
        for action in actions:
            child = self.game.result(state, action)
            found, after = self._value(action, child, *self._handed(alpha, beta), ply + 1)
            better = found > value if is_max else found < value
            if better or not line or variant.keep == "last":
                line = (action, *after)
            if better or variant.keep == "last":
                value = found
                self.trace.update(action, value, self._window(value, alpha, beta, is_max))
            if variant.keep == "first":
                self.trace.cut("first", value, value, actions)
                break
            if self.prunes and self._cuts(value, alpha, beta, is_max):
                self._note_cut(value, alpha, beta, is_max, actions)
                break
            alpha, beta = self._moved(value, alpha, beta, is_max)
        if variant.fail_hard and self.prunes:
            value = min(value, beta) if is_max else max(value, alpha)
        return value, line

    def _actions(self, state: Any) -> list[Any]:
        if self.game.to_move(state) == -1:
            actions = [action for action, _ in self.game.chance(state)]
        else:
            actions = list(self.game.actions(state))
        if self.variant.leaves_out and len(actions) > 1:
            return actions[1:] if self.variant.leaves_out == "first" else actions[:-1]
        return actions

    def _handed(self, alpha: float, beta: float) -> tuple[float, float]:
        """The window of a child."""
        variant = self.variant
        low, high = alpha if variant.hands_alpha else -inf, beta if variant.hands_beta else inf
        if variant.turn == "reversed":
            return high, low
        return (-high, -low) if variant.turn == "negated" else (low, high)

    def _moved(self, value: float, alpha: float, beta: float, is_max: bool) -> tuple[float, float]:
        """The window after a child."""
        which = self.variant.max_updates if is_max else self.variant.min_updates
        if which == "alpha":
            alpha = max(alpha, value)
        elif which == "beta":
            beta = min(beta, value)
        elif which == "alpha down":
            alpha = min(alpha, value)
        elif which == "beta up":
            beta = max(beta, value)
        return alpha, beta

    def _window(self, value: float, alpha: float, beta: float, is_max: bool) -> tuple[float, float] | None:
        return self._moved(value, alpha, beta, is_max) if self.prunes else None

    def _cuts(self, value: float, alpha: float, beta: float, is_max: bool) -> bool:
        variant = self.variant
        if not (variant.max_cut if is_max else variant.min_cut):
            return False
        strict = variant.max_strict if is_max else variant.min_strict
        if variant.by_window:
            alpha, beta = self._moved(value, alpha, beta, is_max)
            return alpha > beta or (alpha == beta and not strict)
        bound = self._bound(value, alpha, beta, is_max)
        above = is_max != (variant.max_turned if is_max else variant.min_turned)
        return (value > bound if above else value < bound) or (value == bound and not strict)

    def _bound(self, value: float, alpha: float, beta: float, is_max: bool) -> float:
        """The bound that a value is compared with to cut."""
        if self.variant.moves_first:
            alpha, beta = self._moved(value, alpha, beta, is_max)
        which = self.variant.max_cut if is_max else self.variant.min_cut
        return alpha if which == "alpha" else beta

    def _note_cut(self, value: float, alpha: float, beta: float, is_max: bool, skipped: Any) -> None:
        which = self.variant.max_cut if is_max else self.variant.min_cut
        right = "beta" if is_max else "alpha"
        kind = right if which == right else f"wrong {which}"
        self.trace.cut(kind, value, self._bound(value, alpha, beta, is_max), skipped)

    def _chance(self, action: Any, state: Any, ply: int) -> float:
        """The value of a chance node, whose outcomes are searched with an open window."""
        self.trace.enter(action, state, "chance")
        rule = self.variant.chance
        total, outcomes = 0.0, list(self.game.chance(state))
        for outcome, probability in outcomes:
            found, _ = self._value(outcome, self.game.result(state, outcome), -inf, inf, ply + 1)
            weight = {"mean": 1 / len(outcomes), "sum": 1.0}.get(rule, probability)
            total += weight * found
            self.trace.update(outcome, total)
        return self.trace.leave(float(int(total)) if rule == "whole" else total)
