"""The features of Othello's evaluation, and their weights."""

from __future__ import annotations

# The features by name, each with its weight in discs on the empty board and on the full one, interpolated in
# between. Fitted to searches of six plies.
WEIGHTS = {
    "mobility": (0.5, 2.1),
    "potential mobility": (0.55, 0.0),
    "corners": (23.5, -3.0),
    "X-squares of empty corners": (-21.5, 0.5),
    "C-squares of empty corners": (-6.0, 0.5),
    "stable discs": (1.5, 1.0),
    "edges": (1.8, -0.8),
    "discs": (-1.05, 0.1),
    "parity": (-2.0, 2.2),
    "tempo": (-3.0, 0.0),
}
EARLY, LATE = zip(*WEIGHTS.values(), strict=True)
