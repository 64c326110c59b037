"""Practice: marks for predictions about a search, with reasons."""

from __future__ import annotations

import math
import re
from typing import Any

from plies.book.events import Cut, Enter, Leaf, Leave, Node, Update
from plies.book.recorder import Value, Window
from plies.book.tracing import Trace
from plies.draw.explain import explain
from plies.draw.known import shown


def marked(
    trace: Trace, full: Trace, typed: dict[int, str], guessed: set[int], equal: bool
) -> dict[str, Any]:
    """Marks for the values typed and the branches predicted to be cut.

    `full` is a search that visits every node of the tree, `trace` the one to be predicted. Nodes have the
    numbers of `full`; a branch has that of the node it leads to.
    """
    return _Marker(trace, full, equal).marks(typed, guessed)


class _Marker:
    """Compares predictions with what the search did at every node of the tree."""

    def __init__(self, trace: Trace, full: Trace, equal: bool) -> None:
        self.trace, self.full, self.equal = trace, full, equal
        self.visited = {node.entered.state: node for node in trace.tree}
        self.said = explain(trace)

    def marks(self, typed: dict[int, str], guessed: set[int]) -> dict[str, Any]:
        inner = [node for node in self.full.tree if isinstance(node.entered, Enter)]
        values = [self._value(node, typed.get(node.entered.node, "")) for node in inner]
        cuts = [self._cut(node, node.entered.node in guessed) for node in self.full.tree[1:]]
        branches = [mark for mark in cuts if mark is not None]
        marks = [*values, *branches]
        right = sum(mark["right"] for mark in marks)
        return {
            "values": values,
            "cuts": branches,
            "right": right,
            "all": len(marks),
            "summary": self._summary(right, len(marks)),
        }

    def _summary(self, right: int, all_: int) -> str:
        if right == all_:
            return f"All {all_} correct. Well done!"
        return f"{right} of {all_} correct."

    # -- Values.

    def _value(self, node: Node, text: str) -> dict[str, Any]:
        """A mark for the value of a node; one that is never visited must be left empty."""
        by = node.entered
        name = by.position or "the node"
        found = self.visited.get(by.state)
        mark: dict[str, Any] = {"node": by.node, "typed": text}
        if found is None:
            blank = not text.strip() or text.strip() in ("-", "x")
            why = f"{name} is never visited: a branch above it is cut."
            said = f"Correct. {why}" if blank else why
            return {**mark, "right": blank, "expected": "", "why": said, "reason": why}
        relation = {"=": "", "<=": "≤ ", ">=": "≥ "}[found.relation]
        expected = relation + shown(found.value)
        why = self._why(found)
        mark |= {"right": False, "expected": expected, "reason": why}
        if not text.strip():
            return {**mark, "why": f"{name} has no answer. {why}"}
        numbers = _numbers(text)
        if numbers is None:
            return {**mark, "why": f"{text.strip()!r} at {name} is not a number{_form(found.value)}. {why}"}
        right = _same(numbers, found.value)
        if right:
            sentence = f"Correct. {why}"
        elif found.relation != "=" and _same(numbers, node.value):
            sentence = (
                f"{shown(node.value)} is the exact value of {name}, but the search stops earlier. {why}"
            )
        else:
            sentence = f"{name} is not {text.strip()}. {why}"
        return {**mark, "right": right, "why": sentence}

    def _why(self, node: Node) -> str:
        """The explanation of a node's value, without what follows for its parent."""
        number = node.entered.node
        for event, sentence in zip(self.trace.events, self.said, strict=True):
            if isinstance(event, Leave) and event.node == number:
                return re.match(r".*?[.](?= |$)(?! *\d)", sentence)[0]  # type: ignore[index]
        return ""

    # -- Branches.

    def _cut(self, node: Node, guessed: bool) -> dict[str, Any] | None:
        """A mark for a branch that is cut or was predicted to be; None for any other."""
        by = node.entered
        assert by.parent is not None
        parent = self.visited.get(self.full.tree[by.parent].entered.state)
        if parent is None:  # below a branch that is cut
            return None
        cut = parent.cut is not None and by.action in parent.cut.skipped
        if not cut and not guessed:
            return None
        mark = {"node": by.node, "cut": cut, "right": cut == guessed}
        why = self._cut_reason(parent) if cut else self._no_cut(parent, node)
        verdict = f"{by.action} is cut. " if cut else f"{by.action} is not cut. "
        if cut and guessed:
            verdict = "Correct. "
        return {**mark, "why": verdict + why, "reason": why}

    def _cut_reason(self, parent: Node) -> str:
        for event, sentence in zip(self.trace.events, self.said, strict=True):
            if isinstance(event, Cut) and event.node == parent.entered.node:
                return sentence
        return ""

    def _no_cut(self, parent: Node, node: Node) -> str:
        """Why a branch is searched: its parent's value and window at that time."""
        number, name = parent.entered.node, parent.entered.position or "the node"
        value: Value | None = None
        window: Window | None = None
        for event in self.trace.events:
            if isinstance(event, Enter | Leaf) and event.state == node.entered.state:
                break
            if isinstance(event, Enter) and event.node == number:
                window = event.window
            if isinstance(event, Update) and event.node == number:
                value = event.value
        if window is None:
            return f"{self.trace.algorithm} cuts nothing."
        if value is None:
            return "The first branch of a node is always searched."
        assert isinstance(parent.entered, Enter)
        alpha, beta = parent.entered.window or window
        low = parent.entered.kind == "min"
        bound, word = (alpha, "alpha") if low else (beta, "beta")
        if value == bound and not self.equal:
            return f"{name} has {shown(value)}, which equals {word}; cutting on equality is off."
        relation = "above" if low else "below"
        return f"{name} has {shown(value)} by then, still {relation} {word} ({shown(bound)}): it may matter."


def _numbers(text: str) -> list[float] | None:
    """The numbers in a text such as "3", "<= 2", "≤2" or "(1, 2, 6)"; None where there are none."""
    text = text.replace("−", "-").replace("≤", " ").replace("≥", " ")
    text = re.sub(r"[<>]=?|[=()]", " ", text)
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    try:
        numbers = [_fraction(word) for word in words]
    except (ValueError, ZeroDivisionError):
        return None
    return numbers if numbers and all(map(math.isfinite, numbers)) else None


def _fraction(word: str) -> float:
    top, slash, bottom = word.partition("/")
    return float(top) / float(bottom) if slash else float(top)


def _same(numbers: list[float], value: Value) -> bool:
    """Whether numbers equal a value, to the digits that are shown."""
    wanted = list(value) if isinstance(value, tuple) else [float(value)]
    return len(numbers) == len(wanted) and all(
        math.isclose(a, b, rel_tol=1e-3, abs_tol=1e-9) for a, b in zip(numbers, wanted, strict=True)
    )


def _form(value: Value) -> str:
    return " for each player, such as (1, 2, 6)" if isinstance(value, tuple) else ""
