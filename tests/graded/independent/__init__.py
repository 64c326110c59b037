"""Wrong programs by somebody who had not seen the grader, and what it must call their bugs."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent


class Expected(NamedTuple):
    """What the grader must say of a program: all bugs that it names, by function, and nothing else."""

    bugs: dict[str, str]
    tests: tuple[str, ...]
    """The quickest tests that are enough to see it."""


ENDINGS = ("minimax: positions", "minimax: quick")
MINIMAX = ("minimax: trees", "minimax: two", "minimax: depth")
ALPHA_BETA = ("alpha_beta: trees", "alpha_beta: cut", "alpha_beta: windows")
GHOSTS = ("minimax: trees", "minimax: two", "alpha_beta: trees", "alpha_beta: two")

EXPECTED = {
    "01_slow_wins": Expected({"minimax": "depth-sign"}, ENDINGS),
    "02_o_depth_sign": Expected({"minimax": "depth-sign-of-min"}, ENDINGS),
    "03_min_no_undo": Expected({"minimax": "undo"}, ENDINGS),
    "04_undo_after_break": Expected({"minimax": "undo"}, ENDINGS),
    "05_min_for_max": Expected({"minimax": "swapped"}, (*MINIMAX, "best_action")),
    "06_choice_swapped": Expected({"make_best_move": "choice-swapped"}, ("make_best_move",)),
    "07_outer_alpha": Expected({"alpha_beta": "alpha-not-raised"}, ALPHA_BETA),
    "08_window_dropped": Expected({"minimax": "window-not-handed-on"}, ("minimax: calls",)),
    "09_max_cuts_on_alpha": Expected({"alpha_beta": "max-cuts-at-alpha"}, ALPHA_BETA),
    "10_beta_for_both": Expected({"alpha_beta": "min-cuts-above-its-beta"}, ALPHA_BETA),
    "11_strict_cuts": Expected({"alpha_beta": "strict"}, ALPHA_BETA),
    "12_min_strict": Expected({"alpha_beta": "strict-min"}, ALPHA_BETA),
    "13_root_ply_not_counted": Expected({"best_action": "depth-too-deep"}, (*MINIMAX, "best_action")),
    "14_parent_ply": Expected({"minimax": "depth-too-deep"}, MINIMAX),
    "15_strict_alternation": Expected({"minimax": "one-min-layer", "alpha_beta": "one-min-layer"}, GHOSTS),
    "16_only_player_one_is_min": Expected({"minimax": "only-one-min"}, GHOSTS),
    "17_plain_average": Expected({"expectiminimax": "chance-not-weighted"}, ("expectiminimax",)),
    "18_same_player_again": Expected({"minimax": "player-not-changed"}, ENDINGS),
}
"""By program."""
