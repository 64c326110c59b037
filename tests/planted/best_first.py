"""Trees that are searched best first: faults to be planted."""

from __future__ import annotations

from planted.mutant import plant

BEST_FIRST = "tests/test_book_best_first.py"

OF_BEST_FIRST = [
    plant(
        "book/mcts.py",
        "confidence_bounds",
        "sign = 1 if",
        "sign = -1 if",
        "tests/test_book_best_first.py::test_the_first_simulations_by_hand",
        BEST_FIRST,
    ),
    plant(
        "book/mcts.py",
        "confidence_bounds",
        "log(node.visits)",
        "log(child.visits)",
        "tests/test_book_best_first.py::test_the_first_simulations_by_hand",
        BEST_FIRST,
    ),
    plant(
        "book/mcts.py",
        "chosen",
        "max if node.kind",
        "min if node.kind",
        "tests/test_book_best_first.py::test_the_first_simulations_by_hand",
        BEST_FIRST,
    ),
    plant(
        "book/mcts.py",
        "mcts",
        "node.ply < bound",
        "True",
        "tests/test_book_best_first.py::test_the_seed_decides_and_depth_bounds_the_tree",
        BEST_FIRST,
    ),
    plant(
        "book/mcts.py",
        "mcts",
        "node = node.parent",
        "node = None",
        "tests/test_book_best_first.py::test_the_first_simulations_by_hand",
        BEST_FIRST,
    ),
    plant(
        "book/mcts.py",
        "drawn",
        "rng.choices(outcomes, probabilities)",
        "rng.choices(outcomes)",
        "tests/test_book_best_first.py::test_it_converges_with_dice_for_one_player_and_for_min",
        BEST_FIRST,
    ),
    plant(
        "book/mcts.py",
        "most_visited",
        "(child.visits, sign * child.mean)",
        "sign * child.mean",
        "tests/test_book_best_first.py::test_the_most_visited_action_is_taken_though_another_looks_better",
        BEST_FIRST,
    ),
    plant(
        "book/proof_number.py",
        "proof_number",
        'if node.kind == "or":',
        'if node.kind == "and":',
        "tests/test_book_best_first.py::test_proof_and_disproof_numbers_by_hand",
        BEST_FIRST,
    ),
    plant(
        "book/proof_number.py",
        "proof_number",
        '"proof" if node.kind',
        '"disproof" if node.kind',
        "tests/test_book_best_first.py::test_proof_and_disproof_numbers_by_hand",
        BEST_FIRST,
    ),
    plant(
        "book/proof_number.py",
        "proof_number",
        " and count < nodes",
        "",
        "tests/test_book_best_first.py::test_proof_and_disproof_numbers_by_hand",
        BEST_FIRST,
    ),
    plant(
        "book/tracing.py",
        "Tracer.add",
        "[self._places[node.parent]]",
        "[self._path[0]]",
        "tests/test_book_best_first.py::test_the_first_simulations_by_hand",
        BEST_FIRST,
    ),
    plant("engine/book_search.py", "BookSearch._steps", "given *= 2", "given += 1", BEST_FIRST),
    plant(
        "draw/known.py",
        "changes",
        "_replace(open=True)",
        "_replace(value='')",
        "tests/test_book_best_first.py::test_traces_are_read_back_told_and_drawn",
        BEST_FIRST,
    ),
]
