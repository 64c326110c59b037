"""Payoffs and probabilities as numbers that nothing rounds, and as people write them."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from numbers import Rational, Real
from typing import Any

from plies.errors import BadParameter

GREATEST = 10**300
"""The greatest payoff: sums of many still fit a floating-point number."""

LONGEST = 400
"""The most characters of a payoff. Not tuned: more than the greatest and the least payoff need."""

Number = Fraction | float

_WRITTEN = re.compile(r"[+-]?(\d+/\d+|(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?)", re.ASCII)


def payoff(entry: Any, where: str) -> Fraction:
    """An entry of a matrix as a fraction; a float counts as the decimal that it is written as."""
    number = _read(entry)
    if number is None:
        raise BadParameter(f"{where} must be a number, such as 2, -0.5 or 1/3, not {brief(entry)}")
    if abs(number) > GREATEST:
        raise BadParameter(f"{where} must be between -1e300 and 1e300, not {brief(entry)}")
    return number


def _read(entry: Any) -> Fraction | None:
    """The number that something is or says; None if it is none, or is infinite."""
    if isinstance(entry, Fraction):
        return entry
    if isinstance(entry, bool) or type(entry).__name__ == "bool_":
        return None
    if isinstance(entry, Rational):
        return Fraction(int(entry.numerator), int(entry.denominator))
    if isinstance(entry, str):
        text = entry.strip().replace("\N{MINUS SIGN}", "-")
        if len(text) > LONGEST or not _WRITTEN.fullmatch(text) or re.search(r"/0+$", text):
            return None
        return Fraction(text)
    if isinstance(entry, Decimal):
        return _read(str(entry))
    if isinstance(entry, Real):
        try:
            return Fraction(Decimal(repr(float(entry))))
        except (InvalidOperation, ValueError, OverflowError):  # NaN and infinity
            return None
    return None


def probabilities(weights: Any, count: int, whose: str) -> list[Number]:
    """A mixed strategy as it was given, checked: so many numbers from 0, which sum to 1."""
    try:
        given: list[Number] = [w if isinstance(w, Fraction) else float(w) for w in weights]
    except (TypeError, ValueError):
        raise BadParameter(
            f"{whose} strategy must be a list of probabilities, not {brief(weights)}"
        ) from None
    if len(given) != count:
        raise BadParameter(f"{whose} strategy must have {count} probabilities, not {len(given)}")
    if not all(w >= 0 for w in given) or not abs(float(sum(given)) - 1) <= 1e-9:
        raise BadParameter(f"{whose} strategy must be probabilities that sum to 1, not {brief(weights)}")
    return given


def shown(number: Number) -> str:
    """A number for people: exact where that is short."""
    if isinstance(number, Fraction) and number.denominator <= 9999 and abs(number) < 10**12:
        return str(number)
    return f"{float(number):.6g}"


def brief(thing: Any) -> str:
    """A thing as a message shows it."""
    try:
        text = repr(thing)
    except ValueError:  # a whole number with more digits than Python writes
        text = "a number of thousands of digits"
    return text if len(text) <= 60 else f"{text[:59]}…"
