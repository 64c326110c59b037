"""The shapes of the answers to the grader's questions: what has another shape, the grader did not write."""

from __future__ import annotations

import re
from typing import Any

from plies.grade.truth import POSITIONS

NUMBER = (int, float, "inf", "-inf", "nan")
"""A number; JSON has no words for those that are not finite."""


def _counted(data: Any) -> bool:
    """How often something is wrong, where first, what was given there, and what is right."""
    return isinstance(data, list) and len(data) == 4 and fits(data[:2], [int, str])


def _on_board(data: Any) -> bool:
    """The same, on a board."""
    return _counted(data) and re.fullmatch("[XO.]{9}|[XO]", data[1]) is not None


LOADED: dict[str, Any] = {
    "error": str,
    "prompts": [str],
    "asked": int,
    "printed": str,
    "names": [str],
    "lab": bool,
    "rules": bool,
}
"""What is told of a file that was loaded."""

RESULTS: dict[str, Any] = {
    "takes": [str],
    "search": [{"value": NUMBER, "leaves": [int]}, {"error": str, "leaves": [int]}],
    "agent": [{"action": str}, {"error": str}],
    "sweep": [NUMBER],
    "count": {"value": NUMBER, "leaves": int},
    "rules": {"wrong": {str: _on_board}, "positions": int},
    "evaluation": {
        "wrong": {"finite?": _counted, "opposite?": _counted, "less than a win?": _counted},
        "positions": int,
    },
    "lab_functions": {"wrong": {str: _on_board}, "missing": [str]},
    "lab_minimax": [
        {"value": NUMBER, "after": str, "calls": int, "touched": int, "prunes": bool},
        {"error": str, "after": str, "calls": int, "touched": int, "prunes": bool},
    ],
    "lab_sweep": {"values": [(int, float)], "best": [int, None], "has_best": bool},
}
"""By question, what is answered: a type, a value, a tuple of what may be, a list of any number of such items,
a dictionary with names ("?" for those that may be missing), or with any names ({str: …})."""


def fits(data: Any, shape: Any) -> bool:
    """Whether data have a shape."""
    if isinstance(shape, tuple):
        return any(fits(data, one) for one in shape)
    if isinstance(shape, type):
        return isinstance(data, shape) and not (shape is int and isinstance(data, bool))
    if isinstance(shape, list):
        return isinstance(data, list) and all(fits(item, tuple(shape)) for item in data)
    if callable(shape):
        return bool(shape(data))
    if not isinstance(shape, dict):
        return bool(data == shape)
    if not isinstance(data, dict):
        return False
    if str in shape:
        return all(fits(item, shape[str]) for item in data.values())
    kinds = {name.rstrip("?"): kind for name, kind in shape.items()}
    needed = {name for name in shape if not name.endswith("?")}
    return needed <= data.keys() <= kinds.keys() and all(fits(data[name], kinds[name]) for name in data)


def answers(question: str, request: dict[str, Any], result: Any) -> bool:
    """Whether a result answers a question."""
    if not fits(result, RESULTS[question]):
        return False
    if question in ("sweep", "lab_sweep"):
        lists = [result] if question == "sweep" else [result["values"], result["best"]]
        return all(len(one) == POSITIONS for one in lists)
    asked = request.get("cases", request.get("trees"))
    if asked is not None and len(result) != len(asked):
        return False
    if question != "search":
        return True
    sizes = [len(request["trees"][tree]["movers"]) for tree, *_ in asked or ()]
    return all(0 <= leaf < size for one, size in zip(result, sizes, strict=True) for leaf in one["leaves"])
