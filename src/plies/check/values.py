"""Values returned by rules: compared, and shown."""

from __future__ import annotations

import itertools
import math
from typing import Any

from plies.arrays import ARRAYS, NUMBERS, SCALARS, WHOLE
from plies.rules import RULES
from plies.validation import MOST_ACTIONS

GENERATORS = {rule.name for rule in RULES if rule.generator}
"""The rules that yield any number of items."""

IMMUTABLE = {bool, bytes, int, str, type(None)}
"""What is its own copy."""


def usable(rule: str, answer: Any) -> Any:
    """The answer of a rule in the form that searches use; raises if it cannot be used so."""
    if rule == "is_terminal":
        return bool(answer)
    if rule not in GENERATORS:
        return answer
    items = list(itertools.islice(answer, MOST_ACTIONS + 1))
    return [(outcome, chance) for outcome, chance in items] if rule == "chance" else items


def frozen(value: Any) -> Any:
    """An immutable copy of a value, equal for equal values, arrays and NaN included."""
    if type(value) in IMMUTABLE:
        return value
    if isinstance(value, (tuple, list)):
        return tuple(map(frozen, value))
    if isinstance(value, ARRAYS):
        return "array", value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, SCALARS):
        return frozen(value.item())
    if isinstance(value, float) and math.isnan(value):
        return "nan"
    if isinstance(value, dict):
        return "dict", frozenset((frozen(key), frozen(item)) for key, item in value.items())
    if isinstance(value, set | frozenset):
        return "set", frozenset(map(frozen, value))
    if hasattr(value, "__dict__"):  # an object of a class of the user's own, which may be mutable
        return type(value).__qualname__, frozen(vars(value))
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value


def is_number(value: Any) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, NUMBERS) and math.isfinite(value)


def is_whole(value: Any) -> bool:
    """Whether a value is an int, Python's or NumPy's."""
    return isinstance(value, WHOLE)


def sums_to(values: list[float], total: float) -> bool:
    """Whether values sum to a total, but for what rounding does to numbers of their size."""
    return abs(math.fsum(values) - total) <= 1e-9 * max(abs(total), 0.0, *map(abs, values))


def listed(values: list[Any]) -> str:
    """The first few values."""
    return ", ".join(map(str, values[:10])) + (", …" if len(values) > 10 else "")


def brief(value: Any) -> str:
    """A value as text, shortened."""
    text = str(value)
    return text if len(text) <= 120 else text[:117] + "…"
