"""Arguments of the commands that a person types while playing: a number, or a file."""

from __future__ import annotations

from pathlib import Path

from plies.errors import PliesError


def number_in(argument: str, command: str) -> int:
    """The number after a command."""
    if not (argument.isascii() and argument.isdigit() and len(argument) < 9):
        raise PliesError(f"{command} needs a number: type {command} N, such as {command} 1")
    return int(argument)


def path_in(argument: str, command: str) -> Path:
    """The file after a command."""
    if not argument:
        raise PliesError(f"{command} needs a file: type {command} FILE, such as {command} game.json")
    try:
        return Path(argument).expanduser()
    except RuntimeError:  # no such user
        return Path(argument)
