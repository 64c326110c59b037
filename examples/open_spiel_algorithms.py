"""Three algorithms of OpenSpiel on games of Plies: CFR, Monte Carlo tree search, and policy evaluation.

Needs OpenSpiel: pip install 'plies[open_spiel]'.
"""

import numpy as np

import plies

try:
    import pyspiel
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, mcts
    from open_spiel.python.policy import UniformRandomPolicy
except ImportError:
    raise SystemExit("this example needs OpenSpiel: pip install 'plies[open_spiel]'") from None

from plies.interop.open_spiel import register


def regret_minimisation() -> None:
    """CFR plays Nim against itself, and its average policy becomes optimal."""
    game = pyspiel.load_game(register("nim", heaps=(1, 2)))
    solver = cfr.CFRSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    policy, start = solver.average_policy(), game.new_initial_state()
    best = max(policy.action_probabilities(start).items(), key=lambda item: item[1])[0]
    first = round(expected_game_score.policy_value(start, [policy] * 2)[0])
    print("CFR on nim 1, 2: exploitability below 0.05:", exploitability.exploitability(game, policy) < 0.05)
    print(f"  the first player takes {start.action_to_string(best)}, and the value is {first}")
    print("  Plies:", plies.solve(plies.Nim((1, 2))).value)


def tree_search() -> None:
    """MCTS, as a solver, finds the move that blocks in Tic-Tac-Toe."""
    game = pyspiel.load_game(register("tic-tac-toe"))
    state = game.new_initial_state()
    for cell in (0, 4, 8, 2):  # O threatens 3, 5, 7
        state.apply_action(cell)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2, 100, evaluator, solve=True, random_state=np.random.RandomState(1))
    print(
        "MCTS in Tic-Tac-Toe, where O threatens the diagonal, plays", state.action_to_string(bot.step(state))
    )


def policy_evaluation() -> None:
    """What a tree with a die is worth if both players move at random, and what to those who search."""
    levels = {"player": "chance", "children": [[[1, 7], [3, 5]], [[4, 6], [8, 2]]]}
    game = pyspiel.load_game(register("tree", tree=levels))
    uniform = UniformRandomPolicy(game)
    value = expected_game_score.policy_value(game.new_initial_state(), [uniform] * 2)[0]
    print(f"at random, a tree is worth {value:g}; by expectiminimax,", end=" ")
    print(f"{plies.book.expectiminimax(plies.Tree(levels)).value:g}")


if __name__ == "__main__":
    regret_minimisation()
    tree_search()
    policy_evaluation()
