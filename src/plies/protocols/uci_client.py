"""A program that speaks UCI or UGI, asked for moves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from plies.engine.limit import Limit
from plies.engine.time_manager import Clock
from plies.errors import BadParameter, Forfeit, IllegalMove
from plies.game import Action, Game
from plies.history import History
from plies.protocols.moves import parse_move, position_text
from plies.protocols.process import Program, printable

STARTING = 15.0
"""The seconds that a program has to say who it is. Not tuned."""

PREPARING = 300.0
"""The seconds that a program has to get ready, which may mean to compile or to load a network. Not tuned."""

MOST_OPTIONS = 1_000
"""The most options that a program may have. Not tuned."""

LONGEST_MOVE = 200
"""The most characters of a move that are read: a longer one is illegal. Not tuned."""

LONGEST_OPTION = 10_000
"""The most characters that a program may describe an option with. Not tuned."""

OPTION = re.compile(r"option name (?P<name>.+?) type (?P<kind>\w+)(?P<rest>.*)")

CLOCKS = {"uci": ("wtime", "winc", "btime", "binc"), "ugi": ("p1time", "p1inc", "p2time", "p2inc")}
"""What a protocol calls the time and the increment of the first player, and of the second."""


class Found(NamedTuple):
    """What a program says about a position, from the side of the player to move."""

    cp: int | None
    """Its score, in hundredths of the game's unit,"""
    mate: int | None
    """or in how many moves the player wins or, below 0, loses."""
    depth: int
    nodes: int


class UciClient:
    """A running program, and what it was told last."""

    def __init__(self, command: Sequence[str], protocol: str, options: Mapping[str, str]) -> None:
        """Start a program of the protocol "uci" or "ugi", and set its options."""
        self.protocol = protocol
        self.program = Program(command)
        self.found: Found | None = None
        """What the program has said about its last move."""
        self._thinking = False
        self._asked = False  # whether what it says is about the move that it is asked for
        try:
            self._set(options, self._greet())
            self._wait()
        except BaseException:
            self.program.end()
            raise

    def _greet(self) -> dict[str, str]:
        """The program's options, as it describes them, by name in lower case."""
        offered: dict[str, str] = {}

        def read(line: str) -> bool | None:
            words = " ".join(line[:LONGEST_OPTION].split())
            if (option := OPTION.fullmatch(words)) and len(offered) < MOST_OPTIONS:
                offered[option["name"].lower()] = words
            return True if line == f"{self.protocol}ok" else None

        self.program.send(self.protocol)
        try:
            self.program.answer(STARTING, read)
        except Forfeit as error:
            name = self.protocol.upper()
            raise Forfeit(f"{self.program.name} does not speak {name}, or not now: {error}") from None
        return offered

    def _set(self, options: Mapping[str, str], offered: Mapping[str, str]) -> None:
        for name, value in options.items():
            option = OPTION.fullmatch(offered.get(name.lower(), ""))
            if option is None:
                names = [printable(line[1]) for line in map(OPTION.fullmatch, offered.values()) if line]
                raise BadParameter(
                    f"{self.program.name} has no option {name!r}; it has {', '.join(names[:40]) or 'none'} "
                    "(and a limit is a number of seconds, depth= or nodes=)"
                )
            if expected := _expected(option, value):
                raise BadParameter(f"{name} of {self.program.name} must be {expected}, not {value!r}")
            word = "" if option["kind"] == "button" else f" value {value}"
            self.program.send(f"setoption name {option['name']}{word}")

    def _wait(self) -> None:
        """Wait until the program has done what it was told."""
        self.program.send("isready")
        self.program.answer(PREPARING, lambda line: True if line == "readyok" else None)

    def new_game(self, game: Game) -> None:
        """Begin another game."""
        self.program.send(f"{self.protocol}newgame")
        self._wait()

    def choose(
        self, history: History, limit: Limit, clocks: Sequence[Clock] | None, patience: float
    ) -> Action:
        """The program's move, if it comes within `patience` seconds; Ctrl-C makes it move at once."""
        self._asked = False
        self.program.send("isready")  # what comes before "readyok" is no answer: a second "bestmove", say
        self.program.send(f"position {position_text(history)}")
        self.found, self._thinking = None, True
        self.program.send(f"go {self._limits(limit, clocks)}")
        try:
            move = self.program.answer(patience, self._best_move)
        except KeyboardInterrupt:
            self.stop()
            move = self.program.answer(STARTING, self._best_move)
        self._thinking = False
        try:
            return parse_move(history.game, history.state, move if len(move) <= LONGEST_MOVE else "")
        except IllegalMove:
            raise Forfeit(f"{self.program.name} played the illegal move {printable(move, 20)!r}") from None

    def stop(self) -> None:
        """Let the program move at once, if it thinks; may be called from any thread."""
        if self._thinking:
            self.program.send("stop")

    def _best_move(self, line: str) -> str | None:
        """The move in a line such as "bestmove e2e4 ponder e7e5"; what others say is kept."""
        word, *rest = line.split() or [""]
        self._asked = self._asked or word == "readyok"
        if not self._asked:
            return None
        if word == "info":
            self.found = _found(rest) or self.found
        return (rest[0] if rest else "") if word == "bestmove" else None

    def _limits(self, limit: Limit, clocks: Sequence[Clock] | None) -> str:
        words: dict[str, int | None] = {}
        if clocks is None:
            words["movetime"] = None if limit.time is None else _milliseconds(limit.time)
        else:
            times = [time for clock in clocks for time in (clock.remaining, clock.increment)]
            words.update(zip(CLOCKS[self.protocol], map(_milliseconds, times), strict=True))
            words["movestogo"] = clocks[0].moves_to_go
        words |= {"depth": limit.depth, "nodes": limit.nodes}
        return " ".join(f"{name} {number}" for name, number in words.items() if number is not None)

    def end(self) -> None:
        """End the program."""
        self.program.end("quit")


def _milliseconds(seconds: float) -> int:
    return max(1, round(1000 * seconds)) if seconds else 0


def _found(words: list[str]) -> Found | None:
    """What the words of an `info` say about the best line; None if that has no score."""
    numbers: dict[str, int] = {}
    for name, word in pairwise(words):
        if name == "string":
            break
        if re.fullmatch(r"-?\d{1,12}", word):
            numbers.setdefault(name, int(word))
    if numbers.get("multipv", 1) != 1 or not numbers.keys() & {"cp", "mate"}:
        return None
    return Found(numbers.get("cp"), numbers.get("mate"), numbers.get("depth", 0), numbers.get("nodes", 0))


def _expected(option: re.Match[str], value: str) -> str:
    """What the value of an option must be, if this one cannot be; else ""."""
    rest = option["rest"]
    if option["kind"] == "check" and value not in ("true", "false"):
        return "true or false"
    if option["kind"] == "spin":
        low, high = (re.search(rf"\b{word}\s+(-?\d{{1,18}})\b", rest) for word in ("min", "max"))
        number = int(value) if re.fullmatch(r"-?\d{1,18}", value) else None
        if low and high and (number is None or not int(low[1]) <= number <= int(high[1])):
            return f"a whole number from {low[1]} to {high[1]}"
    if option["kind"] == "combo":
        choices = [part.strip() for part in re.split(r"\bvar\s", rest)[1:]]
        if choices and value.lower() not in map(str.lower, choices):
            return printable(f"one of {', '.join(choices)}")
    return ""
