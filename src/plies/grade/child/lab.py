"""What is asked of a file in lab style: the functions of the hand-out, on a board that changes."""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Callable, Iterable
from functools import partial
from types import CodeType, FunctionType
from typing import Any

from .calls import CannotCall, number
from .loading import Stopped, Student
from .tables import moves, positions, winner

FUNCTIONS = (
    "show",
    "clearBoard",
    "whoWon",
    "availableMoves",
    "getMoves",
    "makeMove",
    "checkWin",
    "gameOver",
    "minimax",
)
"""The methods of the hand-out's class."""


def lab_classes(student: Student) -> list[type]:
    """The classes of the file that have methods of the hand-out."""
    return [
        thing
        for thing in vars(student.module).values()
        if isinstance(thing, type) and callable(getattr(thing, "makeMove", None))
    ]


def looks_like_lab(student: Student) -> bool:
    """Whether the file has the hand-out's functions, in a class or without one."""
    return bool(lab_classes(student)) or callable(student.get("makeMove"))


class Board:
    """A board of the student's, set up and read by the functions of the hand-out."""

    def __init__(self, student: Student) -> None:
        self.student = student
        classes = lab_classes(student)
        self.cls = classes[0] if classes else None
        self.clear()
        self.cells = self.call_for_cells("availableMoves")
        if len(self.cells) != 9:
            raise CannotCall(f"availableMoves() gives {len(self.cells)} moves on the empty board, not 9")

    def clear(self) -> None:
        """Begin with an empty board."""
        if self.cls is not None:
            self.target: Any = self.cls()
        else:
            self.target = self.student.module
            self.call("clearBoard")

    def has(self, name: str) -> bool:
        return callable(getattr(self.target, name, None)) or callable(self.student.get(name))

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a function of the hand-out: a method, or a function of the file."""
        function = getattr(self.target, name, None) or self.student.get(name)
        if function is None:
            raise CannotCall(f"there is no {name}")
        return function(*arguments)

    def call_for_cells(self, name: str, *arguments: Any) -> list[Any]:
        """Call a function of the hand-out that gives cells."""
        answer = self.call(name, *arguments)
        if not isinstance(answer, Iterable):
            blank = ": is it still blank?" if answer is None else ""
            raise CannotCall(f"{name}() gives {answer!r:.60}, not the numbers of cells{blank}")
        return list(answer)

    def set(self, position: str) -> None:
        """Set up a position."""
        self.clear()
        for cell, mark in zip(self.cells, position, strict=True):
            if mark != ".":
                self.call("makeMove", cell, mark)

    def read(self) -> str:
        """The position on the board."""
        marks = ["."] * 9
        for mark in "XO":
            for cell in self.call_for_cells("getMoves", mark):
                marks[self.cells.index(cell)] = mark
        return "".join(marks)

    def key(self) -> str:
        """What is on the board, in any form that differs from position to position."""
        own = getattr(self.target, "board", None)
        return repr(own) if isinstance(own, list | dict) else self.read()

    def minimax(self, depth: int, player: str, *window: float | None) -> Any:
        """Call minimax with the board, a depth, whose move it is, and perhaps alpha and beta."""
        function = getattr(self.target, "minimax", None) or self.student.get("minimax")
        if function is None:
            raise CannotCall("there is no minimax")
        return function(**self._arguments(function, depth, player, *window))

    @property
    def prunes(self) -> bool:
        """Whether minimax takes alpha and beta."""
        function = getattr(self.target, "minimax", None) or self.student.get("minimax")
        return {"alpha", "beta"} <= {name.lower() for name in inspect.signature(function).parameters}

    def best_move(self, depth: int, player: str) -> Any:
        """Call make_best_move."""
        function = self.student.get("make_best_move") or getattr(self.target, "make_best_move", None)
        if function is None:
            raise CannotCall("there is no make_best_move")
        return function(**self._arguments(function, depth, player))

    def _arguments(
        self,
        function: Callable[..., Any],
        depth: int,
        player: str,
        alpha: float | None = None,
        beta: float | None = None,
    ) -> dict[str, Any]:
        given: dict[str, Any] = {}
        bounds = {"alpha": alpha, "beta": beta}
        node = self.target if self.cls is not None else self.student.get("board")
        for name, parameter in inspect.signature(function).parameters.items():
            word = name.lower()
            if "depth" in word:
                given[name] = depth
            elif "player" in word or word in ("turn", "mark"):
                given[name] = player
            elif "max" in word:
                given[name] = player == "X"
            elif bounds.get(word) is not None:
                given[name] = bounds[word]
            elif parameter.default is not parameter.empty:
                continue
            elif word in ("alpha", "beta"):
                given[name] = -math.inf if word == "alpha" else math.inf
            else:
                given[name] = node
        return given


def mover(position: str) -> str:
    """Whose move it is."""
    return "XO"[(9 - position.count(".")) % 2]


def functions(student: Student) -> dict[str, Any]:
    """The functions of the hand-out in every position: where each is wrong first, and how often."""
    board = Board(student)
    wrong: dict[str, list[Any]] = {}

    def compare(name: str, position: str, ask: Callable[[], Any], right: Any) -> None:
        if not board.has(name):
            return
        try:
            given = ask()
        except Exception as error:
            given = student.describe(error)
        if given != right:
            wrong.setdefault(name, [0, position, repr(given)[:100], repr(right)[:100]])[0] += 1

    for position in positions():
        board.set(position)
        won = winner(position)
        cells = {mark: [i for i in range(9) if position[i] == mark] for mark in "XO."}
        over = bool(won) or not cells["."]
        for mark in "XO":
            compare("getMoves", position, partial(_marked, board, mark), cells[mark])
        compare("makeMove", position, board.read, position)
        compare(
            "availableMoves",
            position,
            lambda: _places(board, board.call_for_cells("availableMoves")),
            cells["."],
        )
        compare("checkWin", position, partial(_who, board, "checkWin", won), won)
        if over:
            compare("whoWon", position, partial(_who, board, "whoWon", won), won)
        compare("gameOver", position, lambda: bool(board.call("gameOver")), over)
    for position in ("XOX.O..X.", "." * 9):
        board.set(position)
        compare("show", position, lambda: _printed(board), position.replace(".", ""))
    compare("clearBoard", "XOX.O..X.", lambda: _cleared(board), "." * 9)
    for mark, other in ("XO", "OX"):
        compare("changePlayer", mark, partial(board.call, "changePlayer", mark), other)
    missing = [name for name in (*FUNCTIONS, "changePlayer", "make_best_move") if not board.has(name)]
    return {"wrong": wrong, "missing": missing}


def _places(board: Board, cells: Any) -> list[int]:
    return sorted(board.cells.index(cell) if cell in board.cells else -1 for cell in cells)


def _marked(board: Board, mark: str) -> list[int]:
    return _places(board, board.call_for_cells("getMoves", mark))


def _who(board: Board, function: str, right: str) -> str:
    """A winner as "X", "O" or "": True stands for the one who has won."""
    answer = board.call(function)
    if answer is True:
        return right or "somebody"
    return answer if answer in ("X", "O") else ""


def _printed(board: Board) -> str:
    board.student.output.take()
    board.call("show")
    text = board.student.output.take()
    if not text.strip():
        return "nothing printed"
    return "".join(sign for sign in text if sign in "XO")


def _cleared(board: Board) -> str:
    board.set("XOX.O..X.")
    board.call("clearBoard")
    return board.read()


def minimax(student: Student, cases: list[list[Any]]) -> list[Any]:
    """The value of positions at depths, perhaps in a window; the board afterwards; how many calls it took."""
    board = Board(student)
    counter = Recursion(board) if cases else None
    answers: list[Any] = []
    for position, depth, *window in cases:
        board.set(position)
        if counter:
            counter.calls = 0
        try:
            value = number(board.minimax(depth, mover(position), *window))
            answer = {"value": value if math.isfinite(value) else str(value)}
        except Stopped:
            raise
        except BaseException as error:
            answer = {"error": student.describe(error)}
        counted = (
            {"calls": counter.calls, "touched": counter.touched, "prunes": board.prunes} if counter else {}
        )
        answers.append({**answer, **counted, "after": board.read()})
    return answers


def sweep(student: Student, direction: int) -> dict[str, Any]:
    """The value of every position and the best move there, each position searched once.

    The depth is what it would be in a search from the empty board, so that what was found for a position
    serves those before it.
    """
    board = Board(student)
    memory = Recursion(board)
    memory.remember = True
    values: list[float | None] = []
    best: list[int | None] = []
    places = positions()
    for position in reversed(places):
        depth = {1: 9 - position.count("."), -1: position.count("."), 0: 9}[direction]
        board.set(position)
        values.append(number(board.minimax(depth, mover(position))))
    has_best = board.has("make_best_move")
    for position in reversed(places):
        depth = {1: 9 - position.count("."), -1: position.count("."), 0: 9}[direction]
        if not has_best or not any(True for _ in moves(position)):
            best.append(None)
            continue
        board.set(position)
        best.append(_best(board, position, depth))
    return {"values": values[::-1], "best": best[::-1], "has_best": has_best}


def _best(board: Board, position: str, depth: int) -> int | None:
    """The cell, from 0, of the best move: returned, or made."""
    answer = board.best_move(depth, mover(position))
    if answer in board.cells:
        return board.cells.index(answer)
    after = board.read()
    changed = [i for i in range(9) if after[i] != position[i]]
    return changed[0] if len(changed) == 1 else None


class Recursion:
    """The function of the file that calls itself, with its calls counted, or its answers remembered."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.calls = 0
        self.touched = 0
        """The calls of functions of the file in a search of two plies: a table needs hardly any."""
        self.remember = False
        self.memory: dict[Any, Any] = {}
        code = self._find()
        for holder in (board.cls, board.student.module):
            for name, thing in list(vars(holder).items()) if holder is not None else ():
                original = inspect.unwrap(thing) if isinstance(thing, FunctionType) else None
                if isinstance(original, FunctionType) and original.__code__ is code:
                    setattr(holder, name, self._wrapped(original, is_method=holder is board.cls))

    def _find(self) -> CodeType | None:
        """The code that is entered while it runs already, the outermost such, in a search of two plies."""
        stack: list[CodeType] = []
        found: list[CodeType] = []

        def watch(frame: Any, event: str, _: Any) -> None:
            if frame.f_code.co_filename != self.board.student.path:
                return
            if event == "call":
                self.touched += 1
                if frame.f_code in stack and not frame.f_code.co_name.startswith("<"):
                    found.append(frame.f_code)
                stack.append(frame.f_code)
            elif event == "return" and stack:
                stack.pop()

        self.board.set("XOXXOO.X.")
        sys.setprofile(watch)
        try:
            self.board.minimax(2, "O")
        except Exception:  # which is reported where it is asked for
            return None
        finally:
            sys.setprofile(None)
        return found[0] if found else None

    def _wrapped(self, function: Callable[..., Any], is_method: bool) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*arguments: Any, **named: Any) -> Any:
            self.calls += 1
            if not self.remember:
                return function(*arguments, **named)
            own = arguments[1:] if is_method else arguments
            plain = [item for item in (*own, *named.values()) if isinstance(item, str | int | float)]
            key = (self.board.key(), *plain)
            if key not in self.memory:
                self.memory[key] = function(*arguments, **named)
            return self.memory[key]

        return call


OPERATIONS: dict[str, Callable[..., Any]] = {
    "lab_functions": functions,
    "lab_minimax": minimax,
    "lab_sweep": sweep,
}
