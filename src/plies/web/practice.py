"""Practice: marks for predictions about a search, with reasons."""

from __future__ import annotations

import math
import re
from typing import Any

from plies.book.events import BackUp, Cut, Enter, Event, Leaf, Leave, Node, Update
from plies.book.recorder import Value
from plies.book.tracing import Trace
from plies.draw.explain import explain
from plies.draw.known import final, shown
from plies.draw.names import name_of

Path = tuple[str, ...]
"""The actions from the root to a node: what it is found by, as positions may recur."""


class Exercise:
    """A search to be predicted, and the tree to predict it in.

    `full` is a search that visits every node of the tree, `trace` the one to be predicted. Nodes have the
    numbers of `full`; a branch has that of the node it leads to.
    """

    depth: int | None = None
    """How deep it searches a position, if not to the end."""
    again = False
    """Whether `trace` is the last of several iterations."""
    drawn: set[int] | None = None
    """The nodes that are in the picture, which alone are marked; None: all."""
    other: tuple[str, Trace] | None = None
    """The search in the variant that was not chosen, and what that is called."""

    def __init__(self, trace: Trace, full: Trace, cut_on_equal: bool = True) -> None:
        self.trace, self.full, self.equal = trace, full, cut_on_equal
        self.visited, self.paths = by_path(trace), paths_of(full)
        self.said = explain(trace)

    @property
    def fits(self) -> bool:
        """Whether all that the search visits belongs to the tree, and leaves are worth the same in both."""
        known = by_path(self.full)
        return len(self.visited) == self.trace.nodes and all(
            path in known and (known[path].children or known[path].value == node.value)
            for path, node in self.visited.items()
        )

    @property
    def cuts(self) -> bool:
        """Whether branches can be cut, which is then to be predicted."""
        pruning = any(isinstance(event, Enter) and event.window for event in self.trace.events)
        return pruning and self.trace is not self.full

    @property
    def hint(self) -> str:
        """What an answer is, if not a number of the only iteration."""
        form = _form(self.trace.tree[0])
        words = ["Only its last iteration counts."] if self.again else []
        return " ".join([*words, *([] if form == "a number" else [f"An answer is {form}."])])

    def name(self, node: Node) -> str:
        """The name of a node of the tree, which no other has."""
        name, path = name_of(node.entered), self.paths[node.entered.node]
        return f"the node after {' '.join(path)}" if name.startswith("the node") else name

    def marks(self, typed: dict[int, str], guessed: set[int]) -> dict[str, Any]:
        """Marks for the values typed and the branches predicted to be cut."""
        seen = [node for node in self.full.tree if self.drawn is None or node.entered.node in self.drawn]
        inner = [node for node in seen if isinstance(node.entered, Enter)]
        values = [self._value(node, typed.get(node.entered.node, "")) for node in inner]
        branches = []
        if self.cuts or guessed:
            cuts = [self._cut(node, node.entered.node in guessed) for node in seen[1:]]
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
        number, name = node.entered.node, self.name(node)
        found = self.visited.get(self.paths[number])
        mark: dict[str, Any] = {"node": number, "typed": text}
        if found is None:
            blank = not text.strip() or text.strip() in ("-", "x")
            why = _capital(f"{name} is never visited: {self._end_above(self.paths[number])}.")
            said = f"Correct. {why}" if blank else why
            return {**mark, "right": blank, "expected": "", "why": said, "reason": why}
        expected = final(found)
        why = self._why(found)
        mark |= {"right": False, "expected": expected, "reason": why}
        if not text.strip():
            return {**mark, "why": _capital(f"{name} has no answer. {why}")}
        numbers = _numbers(text, found)
        if numbers is None:
            return {**mark, "why": f"{text.strip()!r} at {name} is not {_form(found)}. {why}"}
        right = _same(numbers, found.value)
        if right:
            sentence = f"Correct. {why}"
        elif variant := self._variant(number, numbers):
            sentence = f"{text.strip()} is the value of {name} by {variant}, which is not chosen here. {why}"
        elif found.relation != "=" and _same(numbers, node.value):
            sentence = (
                f"{shown(node.value)} is the exact value of {name}, but the search stops earlier. {why}"
            )
        else:
            sentence = _capital(f"{name} is not {text.strip()}. {why}")
        return {**mark, "right": right, "why": sentence}

    def _end_above(self, path: Path) -> str:
        """Why the search does not come to a node."""
        above = next(
            self.visited[path[:end]] for end in range(len(path), -1, -1) if path[:end] in self.visited
        )
        return "the search stops above it" if isinstance(above.entered, Leaf) else "a branch above it is cut"

    def _variant(self, number: int, numbers: list[float]) -> str:
        """What the variant is called that was not chosen, if it has these numbers at a node; or ""."""
        if self.other is None:
            return ""
        name, trace = self.other
        there = by_path(trace).get(self.paths[number])
        return name if there is not None and _same(numbers, there.value) else ""

    def _why(self, node: Node) -> str:
        """The explanation of a node's value, without what follows for its parent."""
        number = node.entered.node
        for event, sentence in reversed(list(zip(self.trace.events, self.said, strict=True))):
            if isinstance(event, Enter) and event.node == number and event.value is not None:
                return sentence
            if isinstance(event, Leave | Leaf | BackUp) and event.node == number:
                return re.match(r".*?[.](?= |$)(?! *\d)", sentence)[0]  # type: ignore[index]
        return ""

    # -- Branches.

    def _cut(self, node: Node, guessed: bool) -> dict[str, Any] | None:
        """A mark for a branch that is cut or was predicted to be; None for any other."""
        by = node.entered
        assert by.parent is not None
        parent = self.visited.get(self.paths[by.parent])
        if parent is None or not isinstance(parent.entered, Enter):  # below a branch that is cut
            return None
        event = self._cut_at(parent, by.action)
        cut = event is not None
        if not cut and not guessed:
            return None
        mark = {"node": by.node, "cut": cut, "right": cut == guessed}
        why = self._no_cut(parent, self.paths[by.node]) if event is None else self._sentence(event)
        verdict = f"{by.action} is cut. " if cut else f"{by.action} is not cut. "
        if cut and guessed:
            verdict = "Correct. "
        return {**mark, "why": verdict + why, "reason": why}

    def _cut_at(self, parent: Node, action: str | None) -> Cut | None:
        """The event that cuts an action of a node; None if it is searched."""
        number = parent.entered.node
        cuts = (event for event in self.trace.events if isinstance(event, Cut) and event.node == number)
        return next((event for event in cuts if action in event.skipped), None)

    def _sentence(self, event: Event) -> str:
        return next(said for one, said in zip(self.trace.events, self.said, strict=True) if one is event)

    def _no_cut(self, parent: Node, path: Path) -> str:
        """Why a branch is searched: its parent's value and window at that time."""
        entered, child = parent.entered, self.visited.get(path)
        assert isinstance(entered, Enter)
        if entered.window is None or child is None:
            return f"{self.trace.algorithm} cuts nothing here."
        if child is parent.children[0]:
            return "The first branch of a node is always searched."
        if entered.kind == "chance":
            return _capital(f"{name_of(entered)} may still be within its window: it may matter.")
        low = entered.kind == "min"
        alpha, beta = entered.window
        value: Value = beta if low else alpha  # fail-hard begins with it
        for event in self.trace.events:
            if isinstance(event, Enter | Leaf) and event.node == child.entered.node:
                break
            if isinstance(event, Update) and event.node == entered.node:
                value = event.value
        bound, word = (alpha, "alpha") if low else (beta, "beta")
        name = name_of(entered)
        if value == bound and not self.equal:
            return _capital(f"{name} has {shown(value)}, which equals {word}; cutting on equality is off.")
        relation = "above" if low else "below"
        has = f"{name} has {shown(value)} by then, still {relation} {word} ({shown(bound)})"
        return _capital(f"{has}: it may matter.")


def paths_of(trace: Trace) -> list[Path]:
    """The path to each node of a search, by its number."""
    paths: list[Path] = []
    for node in trace.tree:
        by = node.entered
        paths.append(() if by.parent is None else (*paths[by.parent], by.action or ""))
    return paths


def by_path(trace: Trace) -> dict[Path, Node]:
    """The nodes of a search by the paths to them."""
    return dict(zip(paths_of(trace), trace.tree, strict=True))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _numbers(text: str, node: Node) -> list[float] | None:
    """The numbers in a text such as "3", "1,75", "7/4", "1 3/4", "<= 2" or "(1, 2, 6)"; None where there are
    none.

    A comma is decimal where one number is wanted, and where semicolons are between numbers.
    Where the value is true or false, the text is yes or no. Proof and disproof numbers may be infinite.
    """
    if isinstance(node.value, bool):
        answer = {"yes": 1.0, "no": 0.0}.get(text.strip().lower())
        return None if answer is None else [answer]
    text = re.sub(r"[<>]=?|[=()≤≥≈~]", " ", text.replace("−", "-").replace("∞", "inf"))
    several = isinstance(node.value, tuple)
    if not several or ";" in text:
        text = re.sub(r"(?<=\d),(?=\d)", ".", text)
    if not several:
        text = re.sub(r"^\s*(-?)(\d+)\s+(\d+)\s*/\s*(\d+)\s*$", _mixed, text)
    text = re.sub(r"\s*/\s*", "/", text)
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    try:
        numbers = [_fraction(word) for word in words]
    except (ValueError, ZeroDivisionError):
        return None
    possible = (
        all(number >= 0 for number in numbers) if node.is_numbered else all(map(math.isfinite, numbers))
    )
    return numbers if numbers and possible else None


def _mixed(found: re.Match[str]) -> str:
    """A mixed number as a fraction: "1 3/4" is 7/4."""
    sign, whole, top, bottom = found.groups()
    return f"{sign}{int(whole) * int(bottom) + int(top)}/{bottom}"


def _fraction(word: str) -> float:
    top, slash, bottom = word.partition("/")
    return float(top) / float(bottom) if slash else float(top)


def _same(numbers: list[float], value: Value) -> bool:
    """Whether numbers equal a value, to the digits that are shown."""
    wanted = list(value) if isinstance(value, tuple) else [float(value)]
    return len(numbers) == len(wanted) and all(
        math.isclose(a, b, rel_tol=1e-3, abs_tol=1e-9) for a, b in zip(numbers, wanted, strict=True)
    )


def _form(node: Node) -> str:
    if isinstance(node.value, bool):
        return "yes or no"
    if node.is_numbered:
        return "the proof and the disproof number, such as 1, 2 or 0, inf"
    return "a number for each player, such as (1, 2, 6)" if isinstance(node.value, tuple) else "a number"
