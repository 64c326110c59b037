"""The usual bugs: how each is recognised, what it is called, and what to do about it."""

from __future__ import annotations

from typing import NamedTuple

from plies.grade.variants import Variant


class Bug(NamedTuple):
    """A usual bug."""

    key: str
    name: str
    """What it is, in words."""
    hint: str
    """Where to look."""
    variant: Variant | None = None
    """The program that has it; None if it is recognised otherwise."""
    prunes: bool = False
    """Whether it is a bug of pruning."""


_ALL = [
    Bug(
        "swapped",
        "max and min are swapped",
        "MAX, the first player, takes the largest value of its children, MIN the smallest.",
        Variant(roles="swapped"),
    ),
    Bug(
        "one-min-layer",
        "one MIN layer for several ghosts",
        "MAX and MIN do not simply take turns: ask the game who is to move, every ghost is a MIN layer.",
        Variant(roles="alternate"),
    ),
    Bug(
        "only-one-min",
        "only player 1 is MIN: later ghosts maximise",
        "Whoever is not MAX is MIN: ask whether to_move is 0, not whether it is 1.",
        Variant(roles="all but 1"),
    ),
    Bug(
        "all-max",
        "every layer maximises",
        "MIN is to take the smallest value; does the player change from layer to layer?",
        Variant(roles="all-max"),
    ),
    Bug(
        "all-min",
        "every layer minimises",
        "MAX is to take the largest value; does the player change from layer to layer?",
        Variant(roles="all-min"),
    ),
    Bug(
        "choice-swapped",
        "max and min are swapped in the choice of the move: it takes the worst",
        "The values below are right: at the root MAX takes the largest of them, MIN the smallest.",
        Variant(roles="swapped at the root"),
    ),
    Bug(
        "max-starts-at-zero",
        "MAX begins with 0",
        "If all children are negative, 0 wins: begin with minus infinity.",
        Variant(max_start=0),
    ),
    Bug(
        "min-starts-at-zero",
        "MIN begins with 0",
        "If all children are positive, 0 wins: begin with plus infinity.",
        Variant(min_start=0),
    ),
    Bug(
        "both-start-at-zero",
        "MAX and MIN begin with 0",
        "Begin with minus infinity for MAX and plus infinity for MIN.",
        Variant(max_start=0, min_start=0),
    ),
    Bug(
        "last-child",
        "the last child overwrites the others",
        "Keep the best value so far: compare each child with it.",
        Variant(keep="last"),
    ),
    Bug(
        "first-child",
        "it returns after the first child",
        "The return stands inside of the loop: indent it less.",
        Variant(keep="first"),
    ),
    Bug("skips-last", "the last child is left out", "Does the loop end early?", Variant(leaves_out="last")),
    Bug("skips-first", "the first child is left out", "Does it begin late?", Variant(leaves_out="first")),
    Bug(
        "depth-too-deep",
        "depth off by one: a ply too deep",
        "At depth 0 a position is evaluated, not searched; is one taken from the depth too late?",
        Variant(depth_shift=1),
    ),
    Bug(
        "depth-too-shallow",
        "depth off by one: a ply too shallow",
        "At depth 1 the moves are still searched; only at depth 0 a position is evaluated.",
        Variant(depth_shift=-1),
    ),
    Bug(
        "depth-not-counted",
        "the depth is not counted down",
        "Hand on depth - 1, or the bound is never reached.",
        Variant(counts_depth=False),
    ),
    Bug(
        "no-evaluation",
        "the depth bound does not evaluate",
        "At the depth bound, return what EVAL says of the position, not 0.",
        Variant(evaluates=False),
    ),
    Bug(
        "no-negation",
        "negamax without the minus sign",
        "What is good for one side is bad for the other: value = -negamax(child).",
        Variant(roles="all-max", view="mover", estimate_view="mover"),
    ),
    Bug(
        "view-of-the-mover",
        "leaves are worth what the player to move gets",
        "Values are MAX's throughout: ask for the utility of player 0.",
        Variant(view="mover"),
    ),
    Bug(
        "estimate-of-the-mover",
        "estimates are those of the player to move",
        "Values are MAX's throughout: ask for the evaluation of player 0.",
        Variant(estimate_view="mover"),
    ),
    Bug(
        "all-of-the-mover",
        "leaves and estimates are worth what the player to move gets",
        "Values are MAX's throughout: ask for the utility and the evaluation of player 0.",
        Variant(view="mover", estimate_view="mover"),
    ),
    Bug(
        "alpha-not-raised",
        "alpha not handed on: MAX does not raise it",
        "After each child, alpha = max(alpha, value), so that the next one is searched with it.",
        Variant(max_updates=""),
        True,
    ),
    Bug(
        "beta-not-lowered",
        "beta not handed on: MIN does not lower it",
        "After each child, beta = min(beta, value), so that the next one is searched with it.",
        Variant(min_updates=""),
        True,
    ),
    Bug(
        "window-not-handed-on",
        "alpha and beta are not handed on",
        "Call the search of a child with the alpha and beta of this node.",
        Variant(hands_alpha=False, hands_beta=False),
        True,
    ),
    Bug(
        "alpha-not-handed-on",
        "alpha not handed on: children begin with minus infinity",
        "Call the search of a child with the alpha of this node.",
        Variant(hands_alpha=False),
        True,
    ),
    Bug(
        "beta-not-handed-on",
        "beta not handed on: children begin with infinity",
        "Call the search of a child with the beta of this node.",
        Variant(hands_beta=False),
        True,
    ),
    Bug(
        "neither-moves",
        "alpha is not raised and beta is not lowered",
        "After each child MAX raises alpha to its value, and MIN lowers beta.",
        Variant(max_updates="", min_updates=""),
        True,
    ),
    Bug(
        "min-updates-alpha",
        "MIN moves alpha instead of beta",
        "Alpha belongs to MAX. MIN lowers beta: beta = min(beta, value).",
        Variant(min_updates="alpha"),
        True,
    ),
    Bug(
        "max-updates-beta",
        "MAX moves beta instead of alpha",
        "Beta belongs to MIN. MAX raises alpha: alpha = max(alpha, value).",
        Variant(max_updates="beta"),
        True,
    ),
    Bug(
        "alpha-lowered",
        "MAX lowers alpha: min for max",
        "Alpha is the best that MAX has so far, so it only rises: alpha = max(alpha, value).",
        Variant(max_updates="alpha down"),
        True,
    ),
    Bug(
        "beta-raised",
        "MIN raises beta: max for min",
        "Beta is the best that MIN has so far, so it only falls: beta = min(beta, value).",
        Variant(min_updates="beta up"),
        True,
    ),
    Bug(
        "max-cuts-at-alpha",
        "cut with the wrong bound: MAX compares with alpha",
        "MAX cuts when its value reaches beta, what MIN has elsewhere.",
        Variant(max_cut="alpha"),
        True,
    ),
    Bug(
        "min-cuts-at-beta",
        "cut with the wrong bound: MIN compares with beta",
        "MIN cuts when its value reaches alpha, what MAX has elsewhere.",
        Variant(min_cut="beta"),
        True,
    ),
    Bug(
        "max-cuts-below-alpha",
        "cut with the wrong bound: MAX compares with alpha (<=)",
        "One test does not serve both: MAX cuts at >= beta, MIN at <= alpha.",
        Variant(max_cut="alpha", max_turned=True),
        True,
    ),
    Bug(
        "min-cuts-above-beta",
        "cut with the wrong bound: MIN compares with beta (>=)",
        "One test does not serve both: MAX cuts at >= beta, MIN at <= alpha.",
        Variant(min_cut="beta", min_turned=True),
        True,
    ),
    Bug(
        "max-cuts-below-its-alpha",
        "cut with the wrong bound: MAX compares with alpha (<=), which it has just raised",
        "It stops after its first child. MAX cuts at >= beta, MIN at <= alpha.",
        Variant(max_cut="alpha", max_turned=True, moves_first=True),
        True,
    ),
    Bug(
        "min-cuts-above-its-beta",
        "cut with the wrong bound: MIN compares with beta (>=), which it has just lowered",
        "It stops after its first child. MAX cuts at >= beta, MIN at <= alpha.",
        Variant(min_cut="beta", min_turned=True, moves_first=True),
        True,
    ),
    Bug(
        "bounds-exchanged",
        "cut with the wrong bound: MAX compares with alpha and MIN with beta",
        "MAX cuts when its value reaches beta, MIN when it reaches alpha.",
        Variant(max_cut="alpha", min_cut="beta"),
        True,
    ),
    Bug(
        "strict",
        "strict for non-strict: a value that equals the bound does not cut",
        "Values are right, but more is searched than need be: cut at >= beta and <= alpha.",
        Variant(max_strict=True, min_strict=True),
        True,
    ),
    Bug(
        "strict-max",
        "strict for non-strict: MAX does not cut at beta itself",
        "Values are right, but more is searched than need be: cut at >= beta.",
        Variant(max_strict=True),
        True,
    ),
    Bug(
        "strict-min",
        "strict for non-strict: MIN does not cut at alpha itself",
        "Values are right, but more is searched than need be: cut at <= alpha.",
        Variant(min_strict=True),
        True,
    ),
    Bug(
        "never-cuts",
        "it never cuts",
        "Leave the loop when MAX's value reaches beta, or MIN's alpha.",
        Variant(max_cut="", min_cut=""),
        True,
    ),
    Bug("max-never-cuts", "MAX never cuts", "MAX leaves its loop at >= beta.", Variant(max_cut=""), True),
    Bug("min-never-cuts", "MIN never cuts", "MIN leaves its loop at <= alpha.", Variant(min_cut=""), True),
    Bug(
        "window-not-turned",
        "negamax hands its window on as it is",
        "The other side sees it from the other side: negamax(child, -beta, -alpha).",
        Variant(turn="negated"),
        True,
    ),
    Bug(
        "window-reversed",
        "alpha and beta are handed on in the wrong order",
        "The search of a child takes alpha first, then beta.",
        Variant(turn="reversed"),
        True,
    ),
    Bug(
        "chance-not-weighted",
        "chance takes the mean, without the probabilities",
        "Multiply each outcome's value by its probability, and add them up.",
        Variant(chance="mean"),
    ),
    Bug(
        "chance-summed",
        "chance adds up values without the probabilities",
        "Multiply each outcome's value by its probability before adding it.",
        Variant(chance="sum"),
    ),
    Bug("chance-as-max", "chance is treated as MAX", "Take the expected value.", Variant(chance="max")),
    Bug("chance-as-min", "chance is treated as MIN", "Take the expected value.", Variant(chance="min")),
    Bug(
        "chance-whole",
        "expected values are cut to whole numbers",
        "Use / and floats: an expected value has decimals.",
        Variant(chance="whole"),
    ),
    # -- Those of the lab, and those that are recognised by other signs.
    Bug(
        "depth-sign",
        "the sign of the depth is wrong: it prefers the slower win",
        "A win is worth 10 less the plies it takes, a loss -10 and the plies: quick wins, slow losses.",
    ),
    Bug(
        "depth-sign-of-max",
        "the sign of the depth is wrong for X: it prefers the slower win",
        "A win of X is worth 10 less the plies it takes.",
    ),
    Bug(
        "depth-sign-of-min",
        "the sign of the depth is wrong for O: it prefers the slower win",
        "A win of O is worth -10 and the plies it takes.",
    ),
    Bug(
        "undo",
        "forgotten undo: a move that was tried stays on the board",
        "After the recursive call, empty the cell again.",
    ),
    Bug(
        "player-not-changed",
        "the player does not change",
        "Hand on changePlayer(player): whoever moves next is the other.",
    ),
    Bug(
        "roles",
        "O maximises and X minimises",
        "The hand-out has X as the maximizer: a win of X is the highest value.",
    ),
    Bug(
        "line-missing",
        "a line is missing in checkWin",
        "There are eight lines: three rows, three columns, two diagonals.",
    ),
    Bug(
        "always-max",
        "it takes the largest value for MIN as well",
        "MIN's best move, that of O in the hand-out, has the smallest value: ask who is to move.",
    ),
    Bug(
        "always-min",
        "it takes the smallest value for MAX as well",
        "MAX's best move, that of X in the hand-out, has the largest value: ask who is to move.",
    ),
    Bug(
        "prompt",
        "the prompt is not that of the hand-out",
        'Ask with input("You are X: Choose number from 1-9: ").',
    ),
    Bug(
        "ends",
        "the ends of the game are worth the wrong values",
        "A win of X is to be worth more than a draw, and a draw more than a win of O.",
    ),
    Bug(
        "no-leaves",
        "it looks at no end of the game",
        "Is the test for the end missing, or the call of itself?",
    ),
    Bug(
        "no-search",
        "the answer does not come from a search",
        "It was given without a look at the game: from a table, or a constant?",
    ),
    Bug(
        "nothing",
        "it returns nothing",
        "Is it still blank? Or else a return is missing: every way through it has to end with one.",
    ),
    Bug("error", "an error", "Read its message, and the line that it names."),
]

BUGS: dict[str, Bug] = {bug.key: bug for bug in _ALL}
"""All bugs by key, the more usual of two that look alike first."""
