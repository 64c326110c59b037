"""Tuning: which refinements of alpha-beta help in a game, and by how much; and its levels of strength."""

from plies.tune.levels import LevelFitting
from plies.tune.measure import Scale, fitted_probcut, measured_scale
from plies.tune.trials import Trial, trials_for
from plies.tune.tuning import Outcome, Tuning
from plies.tune.weights import FittedWeights, fitted_weights, weights_match, with_weights

__all__ = [
    "FittedWeights",
    "LevelFitting",
    "Outcome",
    "Scale",
    "Trial",
    "Tuning",
    "fitted_probcut",
    "fitted_weights",
    "measured_scale",
    "trials_for",
    "weights_match",
    "with_weights",
]
