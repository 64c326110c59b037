"""Unexpected errors, in a sentence that names the line they come from."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from traceback import FrameSummary, extract_tb

from plies.game import Game

PACKAGE = Path(__file__).parents[1]

LIBRARIES = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
"""Where code lives that is neither the user's nor ours."""

LONGEST = 400
"""The most characters of an error's message that are shown."""


def describe(error: BaseException) -> str:
    """An error and the line it comes from, in the user's own file if there is one on the way."""
    message = str(error)[:LONGEST]
    words = f"{type(error).__name__}: {message}" if message else type(error).__name__
    frames = extract_tb(error.__traceback__)[::-1]
    games = _files_of_games()
    frame = (
        next((frame for frame in frames if _is_users(frame, games)), None)
        or next((frame for frame in frames if Path(frame.filename).is_relative_to(PACKAGE)), None)
        or frames[0]
    )
    return f"{words} ({frame.filename}, line {frame.lineno})"


def _is_users(frame: FrameSummary, games: set[str]) -> bool:
    """Whether a line is in a file of the user's, or of an installed game."""
    file = Path(frame.filename)
    if file.is_relative_to(PACKAGE) or not file.is_absolute():  # code without a file is in "<string>"
        return False
    return frame.filename in games or not any(file.is_relative_to(folder) for folder in LIBRARIES)


def _files_of_games() -> set[str]:
    """The files that define games."""
    classes: list[type[Game]] = [Game]
    for cls in classes:  # which grows on the way
        classes += cls.__subclasses__()
    modules = [sys.modules.get(cls.__module__) for cls in classes]
    return {file for module in modules if (file := getattr(module, "__file__", None))}
