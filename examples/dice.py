"""Pig to 50 points: at how many points in a turn should you hold? That depends on the depth."""

import plies
from plies.games.pig import HOLD, State

game = plies.Pig(target=50)
for depth in (5, 7, 9):
    for turn in range(2, 50):
        if plies.book.expectiminimax(game, State(0, 0, turn, 0, 0), depth=depth).action == HOLD:
            print(f"expectiminimax {depth} plies ahead holds from {turn} points")
            break
