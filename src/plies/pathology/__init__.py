"""Pathology: does a deeper search decide better? Errors of decisions by depth, on random trees and real
games.

Beal (1980) and Nau (1982) found that with errors in the evaluation, minimax may decide worse the deeper it
looks; Pearl (1983) and Nau that this takes values which are independent of each other, and that those of real
games are not.
"""

from plies.pathology.leaves import NoisyLeaves, noisy_leaves
from plies.pathology.measured import ErrorsByDepth, Share
from plies.pathology.noisy_games import noisy_evaluation
from plies.pathology.random_trees import random_trees

__all__ = ["ErrorsByDepth", "NoisyLeaves", "Share", "noisy_evaluation", "noisy_leaves", "random_trees"]
