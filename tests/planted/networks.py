"""Networks in the search: faults to be planted."""

from __future__ import annotations

from planted.mutant import plant

NETWORK = "tests/test_network.py"
PATTERNS = "tests/test_patterns.py"
TRAIN = "tests/test_train_network.py"

OF_NETWORKS = [
    plant("engine/kernels/network.py", "updated", "old & ~word", "old & word", NETWORK),
    plant("engine/kernels/network.py", "updated", "if changed == 0:", "if changed < 2:", NETWORK),
    plant("engine/kernels/network.py", "updated", "seen[row, i] = word", "seen[source, i] = word", NETWORK),
    plant(
        "engine/kernels/network.py",
        "updated",
        "= len(seen) - 1",
        "= 0",
        NETWORK,
        why="every row carries the planes it is the sums of, so any will do; this one takes longer",
    ),
    plant("engine/kernels/network.py", "network_value", "row + 1 - mover, ONE", "row + mover, ONE", NETWORK),
    plant(
        "engine/kernels/network.py",
        "static_value",
        "value if mover == player else",
        "value if True else",
        NETWORK,
    ),
    plant("engine/networks.py", "has_network", "word != NO", "True", NETWORK),
    plant("engine/monte_carlo.py", "MonteCarlo.__init__", "evaluation=1)", "evaluation=0)", NETWORK),
    plant("inputs.py", "output_of", "(1 - abs(share))", "(1 + abs(share))", NETWORK),
    plant("network.py", "Network.check", '"parameters", ', "", NETWORK),
    plant("inputs.py", "layout_of", "number * cells + WORD * i", "number * cells + 64 * i", NETWORK),
    plant("network.py", "_check_weights", "(np.diff(thresholds) < 0).any()", "False", NETWORK),
    plant("compiled/lanes.py", "clipped_product", "0, most", "0, most + 1", NETWORK),
    plant("games/quoridor.py", "Quoridor.planes", "down(horizontal, self.size + 1)", "horizontal", NETWORK),
    plant("engine/kernels/patterns.py", "rows_of", "^ int(flips[state, j])", "", PATTERNS),
    plant("engine/kernels/patterns.py", "pattern_value", "count * chosen[plane]", "count", PATTERNS),
    plant("engine/kernels/patterns.py", "pattern_value", "& 65535", "& 32767", PATTERNS),
    plant("engine/pattern_arrays.py", "_rows", "WORD if pieces > 1 else 64", "64", PATTERNS),
    plant("patterns/shapes.py", "_least", "list(way)", "sorted(way)", PATTERNS),
    plant("patterns/shapes.py", "_images", "in found for", "is not None for", PATTERNS),
    plant("patterns/tables.py", "_check_arrays", "(largest[kinds] != sizes).any()", "False", PATTERNS),
    plant("patterns/tables.py", "_check_arrays", "found.cells < cells", "found.cells <= cells", PATTERNS),
    plant("learn/pattern_trainer.py", "learn_patterns", "squares[place] += squared", "pass", PATTERNS),
    plant(
        "learn/pattern_trainer.py", "write_entries", "(work.stages[size] + 1)", "work.stages[size]", PATTERNS
    ),
    plant("learn/pattern_trainer.py", "PatternTrainer.tables", "[:, self.same]", "", PATTERNS),
    plant("learn/models.py", "PatternModel.check", '"cells", ', "", PATTERNS),
    plant(
        "engine/kernels/network.py",
        "updated",
        "network_phase[row] != phase",
        "network_phase[row] < 0",
        NETWORK,
    ),
    plant("engine/kernels/network.py", "updated", "work.network_phase[row] = phase", "pass", NETWORK),
    plant("engine/kernels/network.py", "network_value", "phase * work.network_shape[2]", "phase", NETWORK),
    plant("learn/self_play.py", "write_position", "phase_of(game, state, play.phases)", "0", TRAIN),
    plant(
        "learn/trainer.py",
        "Trainer.workspace",
        "np.repeat(phases * self.inputs, 2)",
        "np.repeat(phases, 2)",
        TRAIN,
    ),
]
