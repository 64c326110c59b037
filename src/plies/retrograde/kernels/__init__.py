"""Kernels of retrograde analysis: those that know the game, and those that are the same for all games."""
