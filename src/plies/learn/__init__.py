"""Evaluations that learn from play: temporal differences, for weighted features and for small networks."""

from plies.learn.resuming import resume
from plies.learn.training import Measure, NetworkTraining, Training, WeightsTraining
from plies.neural_network import Network, load

__all__ = ["Measure", "Network", "NetworkTraining", "Training", "WeightsTraining", "load", "resume"]
