"""Options: the refinements of the engine, each of which can be switched off, and the parameters of MCTS.

A refinement says which kernels read it, from the field of the same name in their record; which rule of the
game it needs; and whether values at a given depth stay exact. To add one, add an option and the step of a
kernel that reads it: `tests/test_options.py` fails if either is missing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property
from numbers import Real
from types import SimpleNamespace
from typing import Any

import numpy as np

from plies.errors import BadParameter
from plies.game import Game

DRIVERS = ("pvs", "mtd(f)")
"""How the root may be searched."""


def refinement(
    default: Any, *, kernels: tuple[str, ...] = ("pvs",), rules: tuple[str, ...] = (), exact: bool = True
) -> Any:
    """An option: its default, the kernels that read it, the rules of which it needs one, and exactness."""
    return field(default=default, metadata={"kernels": kernels, "rules": rules, "exact": exact})


ROOT: tuple[str, ...] = ()
"""For options that no kernel reads, only the root of the search."""

BOTH = ("pvs", "expectiminimax")
"""For options that both kernels read."""


@dataclass(frozen=True)
class Options:
    """The refinements of alpha-beta and expectiminimax.

    Those that give up exactness at a given depth say so; `inexact` lists the ones that are on.
    """

    table: bool = refinement(True, kernels=BOTH)
    """Transposition table: reuse the scores of positions searched before (Greenblatt et al. 1967)."""

    table_cuts: bool = refinement(True)
    """Enhanced transposition cut-offs: probe all replies before searching any (Plaat et al. 1996)."""

    table_cuts_depth: int = refinement(2)
    """The least depth at which enhanced transposition cut-offs are looked for. Not tuned."""

    null_window: bool = refinement(True)
    """Principal variation search: show with null windows that other moves are no better (Marsland 1982)."""

    aspiration: bool = refinement(True, kernels=ROOT)
    """Aspiration windows: start each depth with a narrow window around the last depth's score."""

    aspiration_width: float = refinement(0.0, kernels=ROOT)
    """The aspiration window to either side, in units of `evaluate`; a side that fails gets four times as wide
    at each step. 0: a 64th of the range of utilities, and a side that fails is opened."""

    driver: str = refinement("pvs", kernels=ROOT)
    """How the root is searched: "pvs", or "mtd(f)" by null windows alone (Plaat et al. 1996)."""

    candidates: bool = refinement(True, kernels=BOTH, rules=("candidates",))
    """Search only the game's `candidates`, which always include a best action."""

    priority: bool = refinement(True, kernels=BOTH, rules=("priority",))
    """Move ordering by the game's `priority`."""

    proved_bounds: bool = refinement(True, rules=("proved_bounds",))
    """Cut off by the game's `proved_bounds`, such as those of an endgame table or of stable discs. What
    they settle is the value of the game, and not one at the depth."""

    child_order: bool = refinement(False, kernels=BOTH)
    """Move ordering by the static evaluation of the positions that moves lead to."""

    killers: bool | None = refinement(None)
    """Killer moves: first try those that caused cut-offs at the same ply (Akl and Newborn 1977); None: if the
    game has no `priority`."""

    history: bool | None = refinement(None)
    """History heuristic: first try moves that caused cut-offs anywhere (Schaeffer 1983); None: as
    `killers`."""

    counter_moves: bool = refinement(False)
    """Counter moves: try what refuted the last move before (Uiterwijk 1992)."""

    continuation: bool = refinement(False)
    """Continuation history: the history of moves after the last one, and after the one before it."""

    symmetry: bool | None = refinement(None, rules=("symmetries",))
    """One table entry for symmetric positions; None: near a symmetric root that has few images."""

    points: bool = refinement(True, rules=("points_and_rest",))
    """One table entry for positions that differ in the points made so far, by the game's `points_and_rest`:
    only where plies do not count, as in `solve`, and there are neither cycles, clocks nor quiescence (the
    impartial table of Barker and Korf 2012)."""

    star1: bool = refinement(True, kernels=("expectiminimax",))
    """Star1: prune chance nodes by the bounds of the game's utilities (Ballard 1983)."""

    star2: bool = refinement(True, kernels=("expectiminimax",))
    """Star2: at chance nodes, first probe one move after each outcome (Ballard 1983)."""

    quiescence: bool = refinement(True, rules=("noisy", "is_quiet"))
    """Quiescence search: at the depth bound, go on with `noisy` moves until it `is_quiet` (Beal 1990)."""

    quiescence_table: bool = refinement(False, rules=("noisy",))
    """Quiescence search uses the transposition table; in `forcing` games it always does."""

    evaluation_table: bool = refinement(False, rules=("evaluate",))
    """Evaluation hash table: reuse the static evaluations of positions met before."""

    threats: int = refinement(4, kernels=ROOT)
    """In `forcing` games: the plies beyond twice the depth in which quiescence makes threats. Not tuned."""

    extensions: bool = refinement(True, kernels=ROOT, rules=("is_quiet",))
    """Extensions: search a ply deeper wherever the position is not quiet, as in check."""

    null_move: bool = refinement(False, rules=("null_move",), exact=False)
    """Null-move pruning: if passing fails high, prune (Beal 1989, Donninger 1993). Gives up exactness."""

    null_move_reduction: int = refinement(2)
    """The plies by which a null move is searched less deep; a ply more for each six left (Heinz 1999)."""

    verification: int = refinement(0)
    """From this depth on, a null move that fails high is verified by a search without null moves (Tabibi and
    Netanyahu 2002); 0: never."""

    reverse_futility: float = refinement(0.0, rules=("evaluate",), exact=False)
    """Reverse futility pruning (static null move): cut off where the evaluation is above beta by this much,
    in its own units, for each ply left; 0: never. Gives up exactness."""

    futility: float = refinement(0.0, rules=("evaluate",), exact=False)
    """Futility pruning (Heinz 1998): leave out quiet moves where the evaluation is below alpha by this much,
    in its own units, for each ply left and one more; 0: never. Gives up exactness."""

    late_moves: int = refinement(0, rules=("evaluate",), exact=False)
    """Late move pruning (move count pruning): leave out quiet moves after this many of them plus the depth
    squared, half as many where the evaluation does not improve; 0: never. Gives up exactness."""

    pruning_depth: int = refinement(8)
    """The greatest depth of reverse futility, futility and late move pruning. Not tuned."""

    reductions: bool = refinement(False, exact=False)
    """Late move reductions: search late, quiet moves less deep unless they fail high. Gives up exactness."""

    reduction_factor: float = refinement(0.0, kernels=ROOT)
    """Late moves are reduced by this times the logarithm of the depth and that of their number, in plies; 0:
    by one from the fourth move on, two from the ninth, three from the seventeenth if six plies are left."""

    history_reductions: float = refinement(1.0)
    """The plies by which the best history there is makes a reduction less, and the worst more."""

    quiet_priority: float = refinement(0.0, kernels=ROOT)
    """Moves of a `priority` above this are not quiet: they are neither reduced nor left out."""

    internal_reductions: int = refinement(0, exact=False)
    """Internal iterative reductions: from this depth on, a position without a hash move is searched a ply
    less deep; 0: never. Gives up exactness."""

    delta: float = refinement(0.0, rules=("noisy",), exact=False)
    """Delta pruning: quiescence search leaves out moves by whose `exchange` the evaluation stays below alpha
    by this much, in its own units; 0: none. Gives up exactness."""

    multi_probcut: tuple[float, ...] = refinement((), rules=("evaluate",), exact=False)
    """Multi-ProbCut (Buro 1997): five numbers for each depth at which a shallow search may cut off: that
    depth, the shallow one; slope, intercept and deviation of deep by shallow scores, in units of `evaluate`.
    `plies tune` fits them. Gives up exactness."""

    probcut: float = refinement(1.5)
    """How many deviations a shallow search must be past the window for Multi-ProbCut."""

    beam: int = refinement(0, exact=False)
    """Beam search: search only this many moves of each position; 0: all. Gives up exactness."""

    bias: float = refinement(0.0)
    """Added to static evaluations at an odd distance from the root, where its player has just moved."""

    def __post_init__(self) -> None:
        if self.driver not in DRIVERS:
            raise BadParameter(f"the driver must be 'pvs' or 'mtd(f)', not {self.driver!r}")
        if self.threats < 0:
            raise BadParameter(f"threats must be 0 plies or more, not {self.threats}")
        for name in (
            *("beam", "late_moves", "internal_reductions", "verification", "null_move_reduction"),
            *("reverse_futility", "futility", "delta", "aspiration_width", "reduction_factor", "probcut"),
            *("history_reductions", "pruning_depth"),
        ):
            if not 0 <= getattr(self, name) < math.inf:
                unit = "0 moves or more" if name == "beam" else "0 or more, and finite"
                raise BadParameter(f"{name} must be {unit}, not {getattr(self, name)}")
        rows = self.multi_probcut
        if len(rows) % 5 or not all(
            0 < shallow < deep and slope > 0 and deviation >= 0
            for deep, shallow, slope, _, deviation in zip(*[iter(rows)] * 5, strict=True)
        ):
            raise BadParameter(
                "multi_probcut has five numbers for each depth: the depth, a shallower one, a slope above 0, "
                "an intercept and a deviation"
            )

    @cached_property
    def inexact(self) -> list[str]:
        """The names of the options that are on and give up exactness at a given depth."""
        return [one.name for one in fields(self) if getattr(self, one.name) and not one.metadata["exact"]]


def checked_options(options: Options | None, game: Game) -> Options:
    """The options given, or else the game's own `refinements`."""
    if options is None:
        return Options(**game.refinements)
    if not isinstance(options, Options):
        raise BadParameter(f"options are given as Options(…), not as {options!r}")
    return options


def option_fields(kernel: str) -> list[tuple[str, Any]]:
    """The fields that options add to the record of a kernel."""
    return [
        (one.name, np.float64 if isinstance(one.default, float) else np.int64)
        for one in fields(Options)
        if kernel in one.metadata["kernels"]
    ]


def switched_off(kernel: str, options: Options, game: Game, learned: bool = False) -> frozenset[str]:
    """The fields of a kernel's record without which it is compiled: the options that a game leaves off.

    Options that switch more off share that code; if they switch any of it on, the kernel has the code of all.
    With a network, `learned`, every game has an evaluation.
    """
    own = _off(kernel, checked_options(None, game), game, learned)
    return own if own <= _off(kernel, options, game, learned) else frozenset()


def _off(kernel: str, options: Options, game: Game, learned: bool) -> frozenset[str]:
    record = SimpleNamespace()
    write_options(record, kernel, options, lambda rule: game.has(rule) or (learned and rule == "evaluate"))
    return frozenset(name for name, value in vars(record).items() if not value) - {"symmetry"}


def write_options(record: Any, kernel: str, options: Options, uses: Callable[[str], bool]) -> None:
    """Write options to the record of a kernel; one whose rules the kernel cannot use is off."""
    for one in fields(Options):
        if kernel not in one.metadata["kernels"]:
            continue
        value, rules = getattr(options, one.name), one.metadata["rules"]
        if value is None:
            value = not uses("priority")
        if isinstance(value, tuple):
            value = bool(value)
        if rules and not any(map(uses, rules)):
            value = type(value)(0)
        setattr(record, one.name, value)


@dataclass(frozen=True)
class MctsOptions:
    """The parameters of Monte Carlo tree search."""

    exploration: float = 0.7
    """UCB's exploration constant, relative to the range of utilities (Kocsis and Szepesvári 2006): half of
    UCB1's, which is the square root of 2. Not tuned; games set their own."""

    rave: float = 0
    """RAVE's equivalence parameter: the visits at which a move's own mean weighs as much as its mean by
    all-moves-as-first, AMAF, over many visits (Gelly and Silver 2007); 0: no RAVE. For games in which moves
    commute."""

    priors: bool = False
    """PUCT (Rosin 2011, Silver et al. 2017): prior probabilities by a softmax of the game's `priority`."""

    evaluation: float = 0
    """How much of a leaf's value comes from static evaluation, from 0 to 1; the rest from a playout."""

    widening: float = 0
    """Progressive widening at chance nodes: this times the square root of the visits outcomes (Couëtoux et
    al. 2011); 0: all."""

    expansion_threshold: int = 1
    """Visits before a leaf is expanded."""

    policy: bool = True
    """Playouts by the game's own `playout` policy, or by its `pattern` weights, if it has either."""

    virtual: bool = True
    """Virtual games: count those of the game's `prior`, if it has one, as visits (Gelly and Silver 2007)."""

    solver: bool = True
    """MCTS-Solver: back up proved values (Winands et al. 2008), for one player or two against each other."""

    early: bool = False
    """Stop before the limit once no other move can become the most visited (Huang, Coulom and Lin 2010)."""

    flat: bool = False
    """Flat Monte Carlo: no tree, playouts shared equally among the root's moves."""

    def __post_init__(self) -> None:
        for name in ("exploration", "rave", "widening"):
            if not 0 <= self._number(name) < math.inf:
                raise BadParameter(f"{name} must be 0 or more, and finite, not {getattr(self, name)}")
        if not 0 <= self._number("evaluation") <= 1:
            raise BadParameter(f"evaluation must be between 0 and 1, not {self.evaluation}")
        if self._number("expansion_threshold") < 1 or self.expansion_threshold != int(
            self.expansion_threshold
        ):
            raise BadParameter(
                f"expansion_threshold must be a whole number from 1 on, not {self.expansion_threshold}"
            )

    def _number(self, name: str) -> float:
        given = getattr(self, name)
        if not isinstance(given, Real):
            raise BadParameter(f"{name} must be a number, not {given!r}")
        return float(given)
