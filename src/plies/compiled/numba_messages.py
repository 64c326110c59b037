"""Numba's error messages in the terms of a game's author, each with what to write instead."""

from __future__ import annotations

import re
from typing import Any

from numba import types

_CHANGE = "to change one cell of a board, write `replaced(board, cell, value)` of plies.tuples"

# Patterns of Numba's messages, in the order in which they are tried, and what they mean for a rule's author.
_MEANINGS: tuple[tuple[str, str], ...] = (
    (r"getitem\(\w*Tuple\(.*slice", f"a tuple cannot be cut at a variable place: {_CHANGE}"),
    (r"setitem\(\w*(Tuple)?\(", f"a tuple cannot be changed: {_CHANGE}"),
    (r">>> tuple\(", f"only a tuple of a known length compiles, none made of a list: {_CHANGE}"),
    (
        r"getitem\(Tuple\(.*int",
        "a tuple whose items are of different types cannot be indexed by a variable: give them one type, or "
        "names, in a NamedTuple",
    ),
    (r"yield in a closure", "a generator expression, as in `any(… for …)`, does not compile: write a loop"),
    (r"\(GET_YIELD_FROM_ITER\)", "`yield from …` does not compile: write `for x in …: yield x`"),
    (r"\(STORE_GLOBAL\)", "a rule cannot set a global name: what changes belongs in the state"),
    (r"\(UNPACK_EX\)", "`first, *rest = …` does not compile: take items by their index"),
    (r"unsupported opcode \((\w+)\)", r"this kind of statement (\1) does not compile: write simpler ones"),
    (r"Cannot resolve setattr", "a rule cannot set attributes: what changes belongs in the state"),
    (
        r"Unknown attribute '_replace'",
        "`_replace` does not compile: write the new state with all its fields, as in `State(…, …)`",
    ),
    (
        r"Unknown attribute '(\w+)' of type Game\[",
        r"`self.\1` is not known in compiled code: it is not set, or a class method, which does not compile",
    ),
    (
        r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'",
        r"there is no compiled form of \2.\1: write it out, in a loop perhaps",
    ),
    (
        r"Unknown attribute '(\w+)' of type (UniTuple|Tuple)\(",
        r"there is no compiled form of `.\1` of a tuple: write a loop",
    ),
    (r"Unknown attribute '(\w+)' of type (\w+)", r"\2 has no `.\1` in compiled code"),
    (
        r"Untyped global name 'super'",
        "`super()` does not compile: make what the base class does a method of another name, and call that",
    ),
    (
        r"Untyped global name '(\w+)':.*<class '(dict|list|set|frozenset)'>",
        r"\1 is a \2: make it a tuple, or a NumPy array on `self`, indexed by numbers",
    ),
    (
        r"Untyped global name '(\w+)':.*<class 'builtin_function_or_method'>",
        r"there is no compiled form of `\1`: write a loop",
    ),
    (
        r"Untyped global name '(\w+)':.*<class 'type'>",
        r"the class \1 is not one of NamedTuples or enums: use functions and values of the module instead",
    ),
    (
        r"Untyped global name '(\w+)':.*<class '([\w.]+)'>",
        r"\1 is of the type \2, which does not compile: use numbers, tuples and plain functions",
    ),
    (
        r"The use of a reflected (list|set).* variable '(\w+)'",
        r"\2 is a \1: make it a tuple, or a NumPy array on `self`",
    ),
    (r"unexpected keyword argument '(\w+)'", r"the argument `\1=` does not compile here: write a loop"),
    (r"Exception matching is limited", "only `except Exception` compiles: test beforehand what would raise"),
    (
        r"compiler re-entrant",
        "a rule that calls itself through `self` does not compile: let a function of the module call itself",
    ),
    (r"'with \(context manager\)", "`with` does not compile: a rule opens nothing"),
    (r"Can't index at \[\d+\] in", "defaults of a NamedTuple do not compile: write all its fields"),
    (r"takes \d+ arguments", "it takes other arguments than the rules of `plies.Game` do"),
)

# Lines of Numba's message that say where it was, not what was wrong.
_NOISE = re.compile(
    r"^(During|File|Failed in|There (are|is)|- Of which|Of which|(Operator )?Overload |With argument|Rejected"
    r"|raised from"
    r"|- Resolution|Return of: |None$|>>>|TypingError: Failed|<source elided>|def |\^|Enable |This error"
    r"|No match|\* \()"
)


def translate(text: str) -> str:
    """The meaning of a message of Numba's."""
    for pattern, words in _MEANINGS:
        if match := re.search(pattern, text):
            return match.expand(words)
    if match := re.search(r"Can't unify return type from the following types: (.+)", text):
        return f"it returns {_worded_types(match[1])}: let it return one type everywhere"
    if match := re.search(r"Cannot unify (.+) and (.+) for '([$A-Za-z_]\w*)", text):
        kinds = _worded_types(f"{match[1]}, {match[2]}")
        if match[3].startswith("$"):  # of the compiler's own, as for `x if … else y`
            return f"the branches give {kinds}: let them give one type"
        return f"the variable {match[3]} is {kinds}: let it be of one type"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not _NOISE.match(line)]
    last = telling[-1] if telling else lines[-1] if lines else "no reason given"
    if last.startswith("No implementation of function"):
        called = [line[4:] for line in lines if line.startswith(">>>")]
        return f"there is no compiled form of {_worded_call(called[-1]) if called else last}"
    return re.sub(r"^(TypingError|NameError|UnsupportedError): ", "", last)


def _worded_call(call: str) -> str:
    """A call as Numba shows it, such as `mod(Literal[str](%d), int64)`, in words."""
    name, _, arguments = call.partition("(")
    strings = "; strings compile in part only" if re.search(r"Literal\[str\]|unicode", arguments) else ""
    return f"`{name}` for {_worded_types(arguments.removesuffix(')'))}{strings}"


def _worded_types(text: str) -> str:
    """A list of types as Numba shows them, in words."""
    parts, depth, part = [], 0, ""
    for letter in text:
        depth += (letter in "([<") - (letter in ")]>")
        if letter == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += letter
    found = dict.fromkeys(_worded_name(name.strip()) for name in (*parts, part))
    *first, last = found
    return f"{', '.join(first)} and {last}" if first else last


def _worded_name(name: str) -> str:
    """The name of a type in words."""
    for pattern, words in _NAMES:
        if match := re.match(pattern, name):
            return match.expand(words)
    return name


_NAMES = (
    (r"(Literal\[int\]|u?int\d+)", "an int"),
    (r"float\d+", "a float"),
    (r"(Literal\[bool\]|bool)", "a bool"),
    (r"(Literal\[str\]|unicode_type)", "a string"),
    (r"none|None", "None"),
    (r"OptionalType\((.*)\)|Optional\((.*)\)", "something or None"),
    (r"UniTuple\(int\d+ x (\d+)\)", r"a tuple of \1 ints"),
    (r"UniTuple\(.* x (\d+)\)", r"a tuple of length \1"),
    (r"Tuple\(\)", "an empty tuple"),
    (r"Tuple\(", "a tuple"),
    (r"(reflected )?list\(", "a list"),
    (r"(reflected )?set\(", "a set"),
    (r"DictType", "a dict"),
    (r"array\(", "an array"),
    (r".* generator\(", "a generator"),
    (r"(\w+)\(.*\)$", r"a \1"),
)


def type_text(typ: Any) -> str:
    """A type in words."""
    return _worded_name(str(types.unliteral(typ)))
