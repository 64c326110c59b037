"""Retrograde analysis, databases and value iteration: faults to be planted."""

from __future__ import annotations

from planted.mutant import plant

GRAPHS = "tests/test_retrograde.py::test_random_graphs"
ROUND = f"{GRAPHS}[False-Round]"
FOLDED = f"{GRAPHS}[True-Round]"
FILES = "tests/test_database.py"
NUMBERS = "tests/test_indexed.py"
KEPT = "tests/test_checkpoint.py"

OF_RETROGRADE = [
    plant(
        "retrograde/kernels/passes.py",
        "decide",
        "info[number, 1] == winner",
        "info[number, 1] != winner",
        ROUND,
    ),
    plant("retrograde/kernels/passes.py", "decide", "= distance", "= distance + 1", ROUND),
    plant("retrograde/kernels/passes.py", "announce", "info[number, 2] > 0", "info[number, 2] < 0", ROUND),
    plant(
        "retrograde/kernels/passes.py",
        "insert",
        "states[(entry & NUMBER) - 1, i] == incoming[base + j, i]",
        "True",
        "tests/test_retrograde.py::test_two_threads_and_small_outboxes_find_the_same",
        why="two states of one 32-bit tag in one place are met in large games only",
    ),
    plant("retrograde/values.py", "Values._find_level", "distance += 1", "distance += 2", ROUND),
    plant(
        "retrograde/values.py",
        "Values.find",
        "range(len(self.levels), 0, -1)",
        "range(1, len(self.levels) + 1)",
        ROUND,
    ),
    plant(
        "retrograde/kernels/successors.py",
        "represent",
        "precedes(work.packed, 1, 0)",
        "precedes(work.packed, 0, 1)",
        FOLDED,
        why="the last of the images stands for them as well as the first",
    ),
    plant(
        "retrograde/kernels/successors.py",
        "represent",
        "state = game.core(state)",
        "state = state",
        "tests/test_retrograde.py::test_a_clock_is_left_out_where_the_game_says_so",
    ),
    plant(
        "retrograde/layout.py",
        "pack",
        "lost |= number & ~int(numbers[i, 1])",
        "lost |= 0",
        "tests/test_retrograde.py::test_a_layout_that_is_too_narrow_is_widened",
    ),
    plant(
        "retrograde/layout.py",
        "Layout.widened",
        "np.maximum(greatest, rows.max(0))",
        "rows.max(0)",
        "tests/test_retrograde.py::test_what_is_packed_is_unpacked",
    ),
    plant(
        "retrograde/kernels/verification.py",
        "follows",
        "plies[number] == nearest + 1",
        "plies[number] >= 0",
        "tests/test_retrograde.py::test_verification_finds_one_wrong_entry[distance]",
        "tests/test_retrograde.py::test_wins_that_rest_on_each_other_are_no_proof",
    ),
    plant(
        "retrograde/kernels/verification.py",
        "follows",
        "if place < 0:\n            return False",
        "if place < 0:\n            continue",
        "tests/test_retrograde.py::test_verification_finds_one_wrong_entry[missing]",
    ),
    plant(
        "retrograde/database_file.py",
        "_check_digest",
        "digest.hexdigest() != header.digest",
        "not header.digest",
        f"{FILES}::test_a_file_that_is_cut_off_or_changed_is_refused",
    ),
    plant(
        "retrograde/database_file.py",
        "read_database",
        "if not header.describes(game):",
        "if not header.rules:",
        f"{FILES}::test_a_database_of_other_rules_is_stale",
    ),
    plant(
        "retrograde/kernels/lookup.py",
        "find",
        "number < last and number < len(words)",
        "number < last",
        f"{FILES}::test_arrays_made_to_harm_lead_nowhere",
    ),
    plant(
        "retrograde/kernels/components.py",
        "close_in",
        "if mover == 0:",
        "if mover == 1:",
        "tests/test_value_iteration.py::test_random_graphs_without_cycles_have_the_exact_values",
    ),
    plant(
        "retrograde/kernels/components.py",
        "close_in",
        "high[state] = min(b, high[state])",
        "high[state] = low[state]",
        "tests/test_value_iteration.py::test_bounds_that_do_not_meet_are_reported",
    ),
    plant(
        "engine/retrograde.py",
        "DatabaseSolver._obstacle",
        "entry.plies > left",
        "entry.plies < 0",
        "tests/test_solve.py::test_a_win_that_the_clock_may_end_before_is_a_bound",
    ),
    plant(
        "retrograde/kernels/numbers.py",
        "send_successors",
        "away < plies if lead > 0 else away > plies",
        "away > plies if lead > 0 else away < plies",
        f"{NUMBERS}::test_random_graphs[False]",
    ),
    plant(
        "retrograde/kernels/numbers.py",
        "send_successors",
        "work.worths[work.codes[place]] + gain - draw",
        "work.worths[work.codes[place]] - draw",
        f"{NUMBERS}::test_random_graphs[True]",
    ),
    plant(
        "retrograde/kernels/numbers.py",
        "send_successors",
        "return inside + 1",
        "return inside",
        f"{NUMBERS}::test_random_graphs[False]",
    ),
    plant(
        "retrograde/kernels/numbers.py",
        "send_successors",
        "work.status[0] = REPETITION",
        "work.status[0] = FITS",
        f"{NUMBERS}::test_rules_that_number_badly_are_named",
    ),
    plant(
        "retrograde/kernels/number_verification.py",
        "follows",
        "strange += 1",
        "strange += 0",
        f"{NUMBERS}::test_states_that_share_a_number_though_they_differ_are_noticed",
    ),
    plant(
        "retrograde/kernels/number_verification.py",
        "follows",
        "plies[here] == nearest + 1",
        "plies[here] >= 0",
        f"{NUMBERS}::test_verification_finds_one_wrong_entry[distance]",
    ),
    plant(
        "retrograde/kernels/number_verification.py",
        "compare",
        "there == (codes[offset + index] != NOTHING)",
        "True",
        f"{NUMBERS}::test_verification_finds_one_wrong_entry[state]",
    ),
    plant(
        "games/awari.py",
        "Awari.earned",
        "state.player == 0",
        "state.player == 1",
        f"{NUMBERS}::test_awari_has_the_histograms_of_another_program",
    ),
    plant(
        "games/chess_endings.py",
        "Endings.index",
        "number = min(number, self.numbered(state, place, turn, True))",
        "number = self.numbered(state, place, turn, False)",
        f"{NUMBERS}::test_chess_numbers",
    ),
    plant(
        "retrograde/checkpoint.py",
        "Checkpoint._append",
        "file.truncate(have * _width(kept))",
        "file.tell()",
        f"{KEPT}::test_a_kill_before_the_record_costs_only_what_came_after_the_last",
    ),
    plant(
        "retrograde/checkpoint.py",
        "Checkpoint._read",
        "_digest(array[first : first + count].tobytes()) != digest",
        "not digest",
        f"{KEPT}::test_damage_is_refused",
    ),
    plant(
        "retrograde/resuming.py",
        "_check_edges",
        "part.m == 0 or int(part.children.max()) < part.n",
        "True",
        f"{KEPT}::test_edges_made_to_harm_are_refused",
    ),
    plant(
        "retrograde/counting.py",
        "is_small",
        "waiting.append(game.core(after))",
        "steps += 0",
        "tests/test_retrograde.py::test_states_are_counted_up_to_a_limit",
    ),
]
