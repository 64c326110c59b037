"""One game of a ladder: two players, a referee who trusts neither, and the result in words."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from plies.errors import PliesError
from plies.game import CHANCE, Action, Game
from plies.history import LONGEST_GAME, History
from plies.ladder.child import choices
from plies.players import Player as HousePlayer
from plies.sandbox.process import Ended, Limits, Program, StudentProcess, Unreadable, read_source

LOADING = 10.0
"""The seconds of computing in which a file must be loaded. Not tuned."""


class Fault(Exception):
    """A player has lost by a mistake: its kind, and what it was, in words."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(words)
        self.kind, self.words = kind, words


class Seat(Protocol):
    """Whoever plays: a file in a process, or a player of Plies."""

    def begin(self) -> None: ...
    def choose(self, history: History, news: Sequence[int], number: int) -> Action: ...
    def end(self) -> None: ...


class FileSeat:
    """A student's file."""

    def __init__(self, file: Path, game: str, words: list[str], time: float, limits: Limits) -> None:
        self.file, self.time, self.limits = file, time, limits
        reads: tuple[Path, ...] = ()
        if own := re.fullmatch(r"(.+\.py)(:.*)?", game):  # a file, which the process looks for from elsewhere
            reads = (Path(own[1]).resolve(),)
            game = f"{reads[0]}{own[2] or ''}"
        self.program = Program("plies.ladder.child", setup={"game": game, "words": words}, reads=reads)
        self.process: StudentProcess | None = None
        self.lacks: list[str] = []
        """The protections that this machine does not have."""

    def begin(self, position: str = "") -> None:
        """Start the process and load the file, for a game from the initial position or another one."""
        try:
            source = read_source(self.file)
        except Unreadable as error:
            words = str(error).replace(str(self.file), self.file.name)
            raise Fault("not loaded", f"cannot be loaded: {words}") from None
        self.process = StudentProcess(source, self.program, self.limits)
        self.lacks = self.process.missing
        late = f"is not loaded after {LOADING:g} s"
        answer = self._ask({"name": self.file.name, "position": position}, LOADING, late, "cannot be loaded")
        if "error" in answer:
            raise Fault("not loaded", f"cannot be loaded: {answer['error']}")

    def choose(self, history: History, news: Sequence[int], number: int) -> Action:
        """The agent's move; `news` are the moves since its last one."""
        late = f"takes longer than {self.time:g} s for move {number}"
        answer = self._ask({"moves": list(news)}, self.time, late, f"ends at move {number}")
        if "error" in answer:
            raise Fault("crash", f"crashes at move {number}: {answer['error']}")
        if "illegal" in answer:
            raise Fault("illegal move", f"plays {answer['illegal']!r} at move {number}, which is illegal")
        legal, move = history.legal(), answer.get("move")
        options = choices(history.game, history.state)
        if not isinstance(move, int) or not 0 <= move < len(options) or options[move] not in legal:
            raise Fault(
                "illegal move", f"answers {str(answer)[:80]!r} at move {number}, which is no legal move"
            )
        return options[move]

    def _ask(self, message: dict[str, Any], seconds: float, late: str, gone: str) -> dict[str, Any]:
        assert self.process is not None
        try:
            return self.process.ask(message, seconds, computing=True)
        except Ended as how:
            raise (Fault("time", late) if how.late else Fault("crash", f"{gone}: {how}")) from None

    def end(self) -> None:
        if self.process is not None:
            self.process.end()
            self.process = None


class HouseSeat:
    """A player of Plies, which is trusted and has no limits."""

    def __init__(self, player: HousePlayer) -> None:
        self.player = player

    def begin(self) -> None: ...

    def choose(self, history: History, news: Sequence[int], number: int) -> Action:
        return self.player.choose(history.game, history.state, history.previous)

    def end(self) -> None: ...


@dataclass
class Result:
    """How a game went: who played, the moves by their numbers, the points, and the words."""

    names: list[str]
    points: list[float]
    words: str
    moves: list[int] = field(default_factory=list)
    fault: str = ""
    """The kind of mistake that decided it; "" for none."""
    culprit: int | None = None

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


def play(game: Game, names: Sequence[str], seats: Sequence[Seat], seed: str) -> Result:
    """Play a game; whoever makes a mistake has lost it."""
    rng = random.Random(seed)
    history = History(game)
    moves: list[int] = []
    seen = [0, 0]
    turn = 0
    try:
        for turn in (0, 1):
            seats[turn].begin()
        while not history.over and len(moves) < LONGEST_GAME:
            options = choices(game, history.state)
            turn = game.to_move(history.state)
            if turn == CHANCE:
                outcomes = list(game.chance(history.state))
                action = rng.choices([one for one, _ in outcomes], [chance for _, chance in outcomes])[0]
            else:
                action = seats[turn].choose(history, moves[seen[turn] :], len(moves) + 1)
                seen[turn] = len(moves)
            moves.append(options.index(action))
            history.play(action)
    except Fault as fault:
        points = [1.0, 1.0]
        points[turn] = 0.0
        words = f"{names[1 - turn]} wins: {names[turn]} {fault.words}"
        return Result(list(names), points, words, moves, fault.kind, turn)
    finally:
        for seat in seats:
            seat.end()
    return Result(list(names), *_counted(history, names), moves)


def _counted(history: History, names: Sequence[str]) -> tuple[list[float], str]:
    """The points of a game that has ended, and how in words."""
    count = f"in {len(history.actions)} moves"
    if not history.over:
        return [0.5, 0.5], f"a draw: the game was stopped after {len(history.actions):,} moves"
    first, second = history.utility(0), history.utility(1)
    if first == second:
        return [0.5, 0.5], f"a draw {count}"
    winner = 0 if first > second else 1
    return [1.0 - winner, float(winner)], f"{names[winner]} wins {count}"


def replayed(game: Game, moves: Sequence[int]) -> History:
    """The game of moves that were noted by their numbers, or an error if they are not of this game."""
    history = History(game)
    for number in moves:
        options = [] if history.over else choices(game, history.state)
        if not 0 <= number < len(options):
            raise PliesError("the moves that were noted are not moves of this game")
        history.play(options[number])
    return history
