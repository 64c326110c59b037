"""The words for players that are other programs: "uci:stockfish:0.1:Skill Level=3".

After the protocol comes the program, with arguments if it has any, then a limit and options, with colons
between. Quotes, "…" or '…', keep colons and commas together. What looks like neither a limit nor an option
belongs to the program, as the colon of "C:\\engines\\one.exe" does.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Sequence
from typing import Any

from plies.engine.limit import DEFAULT, Limit
from plies.errors import BadParameter
from plies.protocols.player import ExternalPlayer
from plies.protocols.process import printable

PROTOCOLS = ("uci", "ugi", "gtp")
"""The first words of such players."""

LONGEST_TIME = 86_400.0
"""The most seconds for one move: a day. Not tuned."""

SECONDS = re.compile(r"\d+\.?\d*|\.\d+")
OPTION = re.compile(r"(?P<name>[^=/\\\"'-][^=/\\\"']*)=(?P<value>.*)", re.DOTALL)


def is_external(text: str) -> bool:
    """Whether words name another program."""
    head, colon, _ = text.partition(":")
    return bool(colon) and head.strip().lower() in PROTOCOLS


def split_outside_quotes(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that are not in quotes; a quote that never ends is none."""
    quoted = r"\"[^\"]*\"|'[^']*'"
    pieces = re.findall(rf"{quoted}|{re.escape(separator)}|.", text, re.DOTALL)
    parts = [""]
    for piece in pieces:
        if piece == separator:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def parse_external(text: str) -> ExternalPlayer:
    """The player for words such as `uci:stockfish:depth=4` or `gtp:"gnugo --mode gtp":5`."""
    protocol, _, rest = text.partition(":")
    protocol = protocol.strip().lower()
    if not rest.isprintable():
        raise BadParameter(f"the words of a player have no control characters: {printable(text)!r}")
    parts = split_outside_quotes(rest, ":")
    details: list[str] = []
    while len(parts) > 1 and _is_detail(parts[-1]):
        details.insert(0, parts.pop().strip())
    program = ":".join(parts).strip()
    if not program:
        raise BadParameter(f"after {protocol}: comes a program, as in {protocol}:{_example(protocol)}")
    limit, options = _read_details(protocol, details)
    return ExternalPlayer(protocol, command_for(program), limit, options)


def _is_detail(part: str) -> bool:
    part = part.strip()
    return bool(SECONDS.fullmatch(part) or OPTION.fullmatch(part))


def _read_details(protocol: str, details: Sequence[str]) -> tuple[Limit, dict[str, str]]:
    limits: dict[str, Any] = {}
    options: dict[str, str] = {}
    for detail in details:
        option = OPTION.fullmatch(detail)
        name = option["name"].strip() if option else "time"
        value = _unquoted(option["value"].strip()) if option else detail
        limited = name.lower() in ("depth", "nodes") or not option
        if (name.lower() in limits) if limited else name.lower() in map(str.lower, options):
            raise BadParameter(f"{name} is given twice, in {detail!r}")
        if limited:
            limits[name.lower()] = _number(protocol, name.lower(), value)
        else:
            options[name] = value
    if protocol == "gtp" and (options or limits.keys() - {"time"}):
        raise BadParameter(
            f"{details[-1]!r} cannot be said in GTP, which has seconds alone; give a program its options as "
            f"arguments: gtp:{_example('gtp')}"
        )
    return (Limit(**limits) if limits else DEFAULT), options


def _number(protocol: str, name: str, text: str) -> float | int:
    whole = name != "time" or protocol == "gtp"
    try:
        number = int(text) if whole else float(text)
    except ValueError:
        number = -1
    if not 0 < number <= (LONGEST_TIME if name == "time" else 10**12):
        what = "seconds" if name == "time" else name
        raise BadParameter(
            f"the {what} of {protocol}: must be {'a whole number' if whole else 'a number'} above 0"
            f"{' and at most a day' if name == 'time' else ''}, not {text!r}"
        )
    return number


def command_for(program: str) -> list[str]:
    """A program and its arguments, from a command line in which quotes keep spaces and a backslash is itself.

    Raises `BadParameter` if there is no such program.
    """
    program = _unquoted(program)
    if _found(program):  # a path with spaces
        return [_found(program)]
    lexer = shlex.shlex(program, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ""
    try:
        name, *arguments = list(lexer) or [""]
    except ValueError:
        raise BadParameter(f"a quote of {printable(program)!r} has no end") from None
    if found := _found(name):
        return [found, *arguments]
    shown, path = printable(name), os.path.expanduser(name)
    if os.path.isdir(path):
        raise BadParameter(f"{shown!r} is a folder, not a program")
    if os.path.isfile(path) and not os.access(path, os.X_OK):
        raise BadParameter(f"{shown!r} is not executable, so it is not a program that can be started")
    if os.path.isfile(path):
        raise BadParameter(f"{shown!r} is not on the PATH; for the file in this folder, write ./ before it")
    raise BadParameter(f"there is no program {shown!r}; give its path, or install it on the PATH")


def _found(name: str) -> str:
    """The path of a program, or "" if there is none."""
    return shutil.which(os.path.expanduser(name)) or ""


def _unquoted(text: str) -> str:
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" and text[0] not in text[1:-1]
    return text[1:-1] if quoted else text


def _example(protocol: str) -> str:
    examples = {"uci": "stockfish:0.5", "ugi": '"plies engine nim":1', "gtp": '"gnugo --mode gtp":5'}
    return examples[protocol]
