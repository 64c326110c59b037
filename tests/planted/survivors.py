"""The seven that no test had noticed when this list was begun, and Renju's: faults to be planted."""

# ruff: noqa: E501 (a text is as long as it is)
from __future__ import annotations

from planted.mutant import DICE, LEARN, PROOFS, TREE, plant

SURVIVORS = [
    plant(
        "learn/td.py",
        "learn",
        "else -run.lambda_",
        "else run.lambda_",
        "tests/test_survivors.py::test_temporal_differences_are_those_of_one_point_of_view",
        *LEARN,
    ),
    plant(
        "compiled/fingerprint.py",
        "Walk._function",
        "for defaults in (function.__defaults__, function.__kwdefaults__):",
        "for defaults in (function.__kwdefaults__,):",
        "tests/test_fingerprint.py",
        "tests/test_compiled.py",
        compiled=True,
    ),
    plant(
        "engine/kernels/chance_nodes.py",
        "beyond",
        "if low >= beta:",
        "if high >= beta:",
        "tests/test_engine_chance.py::test_bounds_of_star2_are_tight_and_true",
        *DICE,
    ),
    plant(
        "engine/kernels/quiescence.py",
        "quiesce",
        "        if best >= beta:\n            bound = table.LOWER\n        elif best <= alpha:\n            bound = table.UPPER",
        "        if best >= beta:\n            bound = table.UPPER\n        elif best <= alpha:\n            bound = table.LOWER",
        "tests/test_survivors.py::test_threats_that_lead_to_the_same_position_are_worth_the_same",
        "tests/test_survivors.py",
    ),
    plant(
        "engine/kernels/pruning.py",
        "next_cut",
        "abs(beta) >= run.best - STEP",
        "abs(beta) >= run.best",
        *PROOFS,
        why="no estimate reaches a beta beyond that, and the next condition asks for one that does",
    ),
    plant(
        "engine/kernels/selection.py",
        "select",
        "if work.exact[i, mover] >= run.best:\n                return i",
        "if False:\n                return i",
        "tests/test_engine_monte_carlo.py::test_who_can_win_at_once_need_not_try_anything_else",
        *TREE,
    ),
    plant(
        "engine/kernels/selection.py",
        "select",
        "seen * tried / run.rave",
        "seen * tried / (3.0 * run.rave)",
        "tests/test_engine_monte_carlo.py::test_after_as_many_visits_as_rave_says_what_is_known_elsewhere_weighs_half",
        *TREE,
    ),
    plant(
        "games/renju.py",
        "judged",
        "game.steps[way]) == 0",
        "game.steps[way]) >= 0",
        "tests/test_games_gomoku.py::test_a_three_counts_only_if_black_may_make_it_a_straight_four",
        "tests/test_games_gomoku.py",
    ),
]
