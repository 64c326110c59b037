"""Training of networks in the search, and the tempo in TD-leaf: faults to be planted."""

from __future__ import annotations

from planted.mutant import LEARN, plant

TRAIN = "tests/test_train_network.py"
GRADIENTS = f"{TRAIN}::test_gradients_are_those_of_finite_differences"
RECORDED = f"{TRAIN}::test_what_is_recorded_is_what_the_players_saw"
KILLED = f"{TRAIN}::test_a_run_that_was_killed_ends_with_the_same_network"
TARGETS = f"{TRAIN}::test_targets_blend_scores_and_results"

OF_TRAINING = [
    plant("learn/trainer.py", "add_gradient", "was < one else nought", "was < one else one", GRADIENTS),
    plant("learn/trainer.py", "add_gradient", "gradient[offsets_at + bucket] += slope", "pass", GRADIENTS),
    plant("learn/trainer.py", "add_gradient", "bias_gradient[j] += slopes[j]", "pass", GRADIENTS),
    plant("learn/positions.py", "Positions.targets", "(1 - blend)", "blend", TARGETS),
    plant("learn/positions.py", "Positions.joined", "part.games + played", "part.games", TARGETS),
    plant("learn/self_play.py", "play_games", "ended if out.movers[k] == 0 else -ended", "ended", RECORDED),
    plant("learn/self_play.py", "play_games", "value if mover == 0 else -value", "value", RECORDED),
    plant("learn/self_play.py", "write_position", "1 - mover", "mover", RECORDED),
    plant("learn/players.py", "GamePlayer.pair", "first=seat", "first=0", RECORDED),
    plant(
        "learn/generations.py",
        "Generations._self_play",
        "seed = [self.seed, one.number, number]",
        "seed = [self.seed, one.number, time.time()]",
        KILLED,
    ),
    plant(
        "learn/td_leaf.py",
        "judged",
        "total = tempo * work.weights[len(features)]",
        "total = 0.0",
        "tests/test_learn.py::test_weights_judge_by_features",
        *LEARN,
    ),
]
