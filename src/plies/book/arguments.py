"""The arguments of the book's algorithms, by name: a table for help, traces, players, `compare` and Learn."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from plies.book.algorithms import ALGORITHMS
from plies.book.rollouts import ROLLOUTS
from plies.book.table import SCHEMES
from plies.errors import BadParameter

COMMON = ("game", "state", "player", "depth", "trace")
"""The parameters that are no options: every command has its own way to give them."""

Load = Callable[[str], Callable[..., Any]]
"""Finds the function that a word such as FILE.py:NAME stands for."""


def _yes_or_no(text: str) -> bool:
    return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[text.lower()]


def _number(text: str) -> float:
    number = float(text)
    if math.isnan(number):
        raise ValueError
    return number


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(_number(word) for word in text.split(","))


def _widths(text: str) -> int | tuple[int, ...]:
    numbers = tuple(map(int, text.split("/")))
    return numbers if len(numbers) > 1 else numbers[0]


KINDS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "bool": ("yes or no", _yes_or_no),
    "int": ("a whole number", int),
    "float": ("a number", _number),
    "numbers": ("numbers with commas between", _numbers),
    "text": ("text", str),
    "widths": ("a whole number, or several such as 3/2/1", _widths),
}
"""The kinds of arguments that are written as words: what such a word is, and how it is read."""


@dataclass(frozen=True)
class Argument:
    """An argument of an algorithm, the same for every algorithm that has one of this name."""

    name: str
    kind: str
    """One of `KINDS`; "choice", one of the `choices`; or "function", which a word gives as FILE.py:NAME or as
    one of the `choices`, which a colon and a number may follow."""
    description: str
    choices: tuple[str, ...] = ()
    optional: bool = False
    """Whether it may be "none"."""
    default: Any = None
    """The default of one algorithm: see `arguments_of`."""

    @property
    def expected(self) -> str:
        """What its value is, in words."""
        if self.kind == "function":
            kind = " or ".join((*self.choices, "FILE.py:FUNCTION"))
        else:
            kind = " or ".join(self.choices) or KINDS[self.kind][0]
        return f"{kind}, or none" if self.optional else kind

    def read(self, text: str, load: Load | None = None) -> Any:
        """The value that a person wrote. Functions are not loaded from files unless `load` is given."""
        text = text.strip()
        if self.optional and text.lower() == "none":
            return None
        if self.kind == "function":
            if text.partition(":")[0].lower() in self.choices:
                return text.lower()
            if load is None:
                raise BadParameter(f"{self.name} is a function, and given in Python only")
            return load(text)
        if self.kind == "choice":
            if text.lower() in self.choices:
                return text.lower()
        else:
            try:
                return KINDS[self.kind][1](text)
            except (ValueError, KeyError):
                pass
        raise BadParameter(f"{self.name} must be {self.expected}, not {text[:40]!r}")


ARGUMENTS: dict[str, Argument] = {
    one.name: one
    for one in (
        Argument("alpha", "float", "what MAX is sure of before the search"),
        Argument("beta", "float", "what MIN is sure of before the search"),
        Argument("bias", "float", "added to EVAL at an odd distance from the root"),
        Argument("cut_on_equal", "bool", "whether a value that equals the bound cuts, too"),
        Argument("cutoff", "function", "CUTOFF-TEST(state, ply), beside the depth", optional=True),
        Argument("evaluate", "function", "EVAL(state, player), in place of the game's", (ROLLOUTS,), True),
        Argument("exploration", "float", "c of UCB, relative to the range of utilities"),
        Argument("fail_hard", "bool", "whether alpha-beta returns its bound for any value beyond it"),
        Argument("goal", "function", "GOAL-TEST(state), in place of a won game", optional=True),
        Argument("nodes", "int", "the nodes at which an undecided search ends"),
        Argument("quick", "float", "the value of a win at the root, less 1 a ply", optional=True),
        Argument("replacement", "choice", "who has to go where two positions want one entry", SCHEMES),
        Argument("rounds", "int", "the depth in moves of MAX", optional=True),
        Argument("seed", "int", "the seed of what is drawn at random", optional=True),
        Argument("simulations", "int", "the simulations of a search"),
        Argument("size", "int", "the entries of the transposition table", optional=True),
        Argument("width", "widths", "the actions searched in each position, or one number for each ply"),
    )
}
"""Every argument of the book's algorithms, by name."""


TRACED = {"simulations": 30, "nodes": 100}
"""The budgets of searches that are shown step by step, by default: as much as is read. Not tuned."""


def arguments_of(algorithm: str) -> dict[str, Argument]:
    """The arguments of an algorithm of the book, each with its default."""
    parameters = inspect.signature(ALGORITHMS[algorithm]).parameters
    return {
        name: replace(ARGUMENTS[name], default=parameter.default)
        for name, parameter in parameters.items()
        if name not in COMMON
    }


def variant(algorithm: str, options: Mapping[str, Any]) -> str:
    """The options of a search that are not the defaults, in words: "fail-hard, quick 10, depth 3"."""
    parameters = inspect.signature(ALGORITHMS[algorithm]).parameters
    told = []
    for name, value in options.items():
        if name == "player" or value == parameters[name].default:
            continue
        if isinstance(value, bool):
            told.append(f"{'' if value else 'no '}{name.replace('_', '-')}")
        else:
            told.append(f"{name} {written(value)}")
    return ", ".join(told)


def written(value: Any) -> str:
    """The value of an argument as a person would write it; a function by its name."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return "/".join(map(written, value))
    return f"{value:g}" if isinstance(value, int | float) else str(getattr(value, "__name__", value))


def read_options(
    words: Iterable[str], arguments: Mapping[str, Argument], whose: str, load: Load | None = None
) -> dict[str, Any]:
    """The values of options written NAME=VALUE, out of the arguments of an algorithm, player or command."""
    given: dict[str, Any] = {}
    for word in words:
        name = option_name(word)
        if name not in arguments:
            raise BadParameter(f"{whose} has no option {name[:40]!r}; it has {listed(arguments)}")
        if name in given:
            raise BadParameter(f"the option {name} is given twice")
        given[name] = arguments[name].read(word.partition("=")[2], load)
    return given


def option_name(word: str) -> str:
    """The name in an option written NAME=VALUE; - and _ are the same."""
    name, equals, _ = word.partition("=")
    if not equals:
        raise BadParameter(f"an option is written NAME=VALUE, not {word[:40]!r}")
    return name.strip().lower().replace("-", "_")


def listed(arguments: Mapping[str, Argument]) -> str:
    """The names of arguments, with what each is: "quick (a number, or none), width (a whole number)"."""
    return ", ".join(f"{name} ({one.expected})" for name, one in sorted(arguments.items())) or "none"
