"""Matches: many games between two players, with score, Elo difference and a sequential test of it."""

from plies.arena.match import match
from plies.arena.result import Match, MatchGame
from plies.arena.sprt import Sprt
from plies.arena.statistics import elo_difference
from plies.arena.table import Maker
from plies.arena.tally import tally

__all__ = ["Maker", "Match", "MatchGame", "Sprt", "elo_difference", "match", "tally"]
