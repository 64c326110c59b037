"""A student's file: run in a module of its own, its questions answered, what it prints kept in part."""

from __future__ import annotations

import builtins
import io
import sys
from types import ModuleType
from typing import Any

from .calls import CannotCall

PRINTED = 20_000
"""The characters of output that are kept. Not tuned."""

MOST_PRINTED = 5_000_000
"""The characters after which a file that prints is stopped. Not tuned."""

MOST_ASKED = 200
"""The questions that are answered: a game of Tic-Tac-Toe asks five, or some more if it refuses a cell."""


class Stopped(BaseException):
    """The file did too much of something; no `except Exception` of its own catches it."""


class Output(io.TextIOBase):
    """Standard output of the file: the first characters are kept, and it may not go on for ever."""

    def __init__(self) -> None:
        self.kept = ""
        self.length = 0

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        self.length += len(text)
        if len(self.kept) < PRINTED:
            self.kept += text[: PRINTED - len(self.kept)]
        if self.length > MOST_PRINTED:
            raise Stopped(f"it printed more than {MOST_PRINTED:,} characters")
        return len(text)

    def take(self) -> str:
        """What was printed since the last time."""
        text, self.kept, self.length = self.kept, "", 0
        return text


class Person(io.TextIOBase):
    """Who answers the file's questions: by 1, 2, …, 9, and again, so that a free cell is among them."""

    def __init__(self, output: Output) -> None:
        self.output = output
        self.asked = 0
        self.prompts: list[str] = []

    def readable(self) -> bool:
        return True

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        return self.answer("") + "\n"

    def answer(self, prompt: object = "") -> str:
        """The answer to `input(prompt)`."""
        printed = self.output.kept.splitlines()
        self.output.write(str(prompt))
        words = str(prompt).strip() or (printed[-1] if printed else "")
        self.asked += 1
        if len(self.prompts) < 20:
            self.prompts.append(words[:200])
        if self.asked > MOST_ASKED:
            raise Stopped(f"it asked more than {MOST_ASKED} questions, and took no answer")
        return str((self.asked - 1) % 9 + 1)


class Student:
    """The file of a student."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.output = Output()
        self.person = Person(self.output)
        self.module = ModuleType("student")
        sys.stdout = sys.stderr = self.output
        sys.stdin = self.person
        builtins.input = self.person.answer
        sys.argv = [path]

    def load(self, name: str) -> str:
        """Run the file as a module of that name; returns what went wrong, in words, or ""."""
        module = self.module = ModuleType(name)
        module.__file__ = self.path
        sys.modules[name] = module
        try:
            with open(self.path, "rb") as file:
                code = compile(file.read(), self.path, "exec")
            exec(code, module.__dict__)
        except BaseException as error:
            return self.describe(error)
        return ""

    def describe(self, error: BaseException) -> str:
        """An error in words, with the line of the file that it comes from."""
        if isinstance(error, SyntaxError) and error.filename == self.path:
            return f"SyntaxError: {error.msg} (line {error.lineno})"
        line, trace = 0, error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.path:
                line = trace.tb_lineno
            trace = trace.tb_next
        where = f" (line {line})" if line else ""
        if isinstance(error, Stopped | CannotCall):
            return f"{error}{where}"
        if isinstance(error, SystemExit):
            return f"it calls exit(){where}"
        if isinstance(error, RecursionError):
            return f"it calls itself without end{where}"
        if isinstance(error, BlockingIOError):  # of fork, by the limit on processes
            return f"it starts more processes than it may{where}"
        if isinstance(error, MemoryError):
            return f"it needs more memory than it may have{where}"
        try:
            text = " ".join(str(error).split())[:300]
        except Exception:  # the error's own words are in error
            text = ""
        return f"{type(error).__name__}: {text}{where}" if text else f"{type(error).__name__}{where}"

    def get(self, name: str) -> Any:
        """A function or a value of the file by name, or None."""
        return vars(self.module).get(name)
