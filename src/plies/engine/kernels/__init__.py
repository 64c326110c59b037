"""The kernels: searches over any game, written once, run as machine code or interpreted.

A recursive kernel is handed run-time values only, never a literal: see docs/how-a-game-is-compiled.md.
"""

from plies.engine.kernels.plain import alpha_beta, counts, perft

__all__ = ["alpha_beta", "counts", "perft"]
