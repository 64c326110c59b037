"""Databases in play, and strategies where positions come up again: faults to be planted."""

from __future__ import annotations

from planted.mutant import plant, proofs

TESTS = "tests/test_probing.py"
CLOCK = f"{TESTS}::test_a_win_counts_if_the_clock_leaves_time_for_it"
PAST = f"{TESTS}::test_a_win_counts_if_the_past_is_not_in_the_way"
PLACES = f"{TESTS}::test_positions_that_differ_may_repeat_each_other"
TOO_LATE = f"{TESTS}::test_an_error_may_lead_to_a_greater_win_too_late"
KERNEL = "engine/kernels/databases.py"
CYCLES = "tests/test_strategy_cycles.py"
EARNED = "tests/test_earned.py"


def probing(*kinds: str) -> tuple[str, ...]:
    return proofs(*(f"alpha_beta_probing-{kind}" for kind in kinds))


OF_PROBING = [
    plant(KERNEL, "is_clear", "plies <= game.plies_left(state)", "True", CLOCK),
    plant(KERNEL, "is_clear", "plies <= game.plies_left(state)", "plies < game.plies_left(state)", CLOCK),
    plant(KERNEL, "is_clear", ">= work.database_barriers[ply, winner]", ">= 0", PAST),
    plant(KERNEL, "is_clear", "work.database_facts[LASTING] != 0 and ", "", PLACES),
    plant(KERNEL, "is_clear", "work.database_facts[TIMED] != 0 and ", "", TOO_LATE),
    plant(KERNEL, "is_clear", "= barrier", "= 0", f"{TESTS}::test_a_win_by_way_of_one_that_the_clock_ended"),
    plant(
        KERNEL,
        "rank",
        "level << 16 | ",
        "",
        f"{TESTS}::test_an_error_may_lead_to_a_greater_win_through_the_past",
    ),
    plant(KERNEL, "rank", "FARTHEST - int", "int", PAST),
    plant(KERNEL, "database_score", "if work.path[i] == here:", "if False:", *probing("Round")),
    plant(
        KERNEL,
        "database_score",
        "score <= alpha if won else score >= beta",
        "score >= alpha if won else score <= beta",
        CLOCK,
        *probing("TimelessRound"),
    ),
    plant(
        KERNEL,
        "database_score",
        "beta <= even if won",
        "True if won",
        f"{TESTS}::test_a_win_that_is_not_clear_may_be_won_another_way",
    ),
    plant(
        KERNEL,
        "database_answer",
        "wins and not is_clear(game, state, number, ply, work)",
        "False",
        f"{TESTS}::test_proof_numbers_know_the_clock",
    ),
    plant(
        "engine/kernels/uct.py",
        "adopt",
        "if not repeated and database_pays",
        "if database_pays",
        f"{TESTS}::test_a_move_back_is_no_win[MonteCarlo]",
    ),
    plant("engine/probing.py", "Prober.set_out", "repetitions - 1", "repetitions", PAST),
    plant(
        "engine/probing.py",
        "Prober.set_out",
        "[*previous, root]",
        "[*previous]",
        f"{TESTS}::test_a_move_back_is_no_win",
    ),
    plant(
        "engine/search_tree.py",
        "Tree._kept",
        "map(operator.le, self.prober.barriers, self.barriers)",
        "()",
        f"{PAST}[MonteCarlo]",
    ),
    plant(
        "engine/probing.py",
        "prober_for",
        "rules_fingerprint(database.game) != rules_fingerprint(game)",
        "False",
        f"{TESTS}::test_one_of_other_rules_is_refused",
    ),
    plant(
        "engine/kernels/repetitions.py",
        "recurred",
        "run.borrowed += place < run.previous",
        "run.borrowed += 0",
        f"{TESTS}::test_a_quicker_win_by_way_of_the_past",
    ),
    plant(
        "engine/retrograde.py",
        "DatabaseSolver._obstacle",
        "len(self.database.utilities) > 3",
        "False",
        TOO_LATE,
    ),
    plant("book/verify.py", "Replies.worst", "root.longest > (left", "0 > (left", CYCLES),
    plant("book/verify.py", "Replies._settle_endless", "found.utility < draw and ", "False and ", CYCLES),
    plant("book/verify.py", "Replies._settle", "node.longest + 1", "node.longest", CYCLES),
    plant("engine/strategy.py", "Strategy._verify", "if shortfall := ", "if not ", CYCLES),
    plant(
        "engine/probing.py",
        "unprobable",
        'game.has("earned")',
        "False",
        f"{EARNED}::test_a_clock_and_what_is_earned_do_not_go_together",
    ),
    plant(
        "engine/kernels/databases.py",
        "worth_of",
        "game.earned(state)",
        "0.0",
        f"{EARNED}::test_searches_add_what_was_earned",
    ),
    plant(
        "engine/kernels/databases.py",
        "database_score",
        "worth = worth_of(game, state, number, work)",
        "worth = utility_of(number, work)",
        f"{EARNED}::test_random_graphs_with_a_past[AlphaBeta]",
    ),
    plant(
        "engine/kernels/databases.py",
        "database_pays",
        "worth_of(game, state, number, work)",
        "utility_of(number, work)",
        f"{EARNED}::test_random_graphs_with_a_past[MonteCarlo]",
    ),
    plant(
        "games/mancala.py",
        "Mancala.state_at",
        "taken - taken // 2",
        "0",
        f"{EARNED}::test_kalah_has_the_values_of_another_program",
    ),
    plant(
        "engine/kernels/databases.py",
        "entry_of",
        'if game.has("index"):',
        "if False:",
        "tests/test_probing.py::test_numbered_states_are_probed",
    ),
]
