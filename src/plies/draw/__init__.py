"""Pictures of positions, trees and results, as SVG, drawn from scenes and traces, without any rules."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from plies.draw.board import board
from plies.draw.envelope import envelope
from plies.draw.explain import explain
from plies.draw.game_tree import game_tree
from plies.draw.large_type import large_type
from plies.draw.picture import Picture
from plies.draw.replay import Replay, replay
from plies.draw.steps import Steps, steps
from plies.draw.tree import tree

if TYPE_CHECKING:
    from plies.draw import plots

__all__ = [
    "Picture",
    "Replay",
    "Steps",
    "board",
    "envelope",
    "explain",
    "game_tree",
    "large_type",
    "plots",
    "replay",
    "steps",
    "tree",
]


def __getattr__(name: str) -> Any:
    if name != "plots":
        raise AttributeError(f"module 'plies.draw' has no attribute {name!r}")
    return importlib.import_module("plies.draw.plots")  # on first use, as it takes the engine and NumPy
