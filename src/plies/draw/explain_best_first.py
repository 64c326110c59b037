"""The steps of UCT and proof-number search, which go best first, in sentences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from plies.book.events import BackUp, Enter, Event, Leaf, Playout, Visit
from plies.book.tracing import Trace
from plies.draw.known import Change, numbers, shown
from plies.draw.names import Names, capital

MOST = 4
"""The most children of which a sentence tells the numbers. Not tuned."""

MOVES = 8
"""The most moves of a playout that are told. Not tuned."""


class _BestFirst(Names, ABC):
    """Puts the steps of a search into words, event by event."""

    def tell(self, event: Event, after: Event | None, change: Change) -> str:
        """The sentences for an event, given the next one."""
        if isinstance(event, Enter | Leaf):
            text = self.added(event)
        elif isinstance(event, Visit):
            text = self.visited(event, after)
        elif isinstance(event, Playout):
            text = self.played(event)
        else:
            assert isinstance(event, BackUp)
            text = self.backed_up(event)
        return capital(text + (f" {self.end()}" if after is None else ""))

    @abstractmethod
    def added(self, event: Enter | Leaf) -> str:
        """A node joins the tree."""

    @abstractmethod
    def visited(self, event: Visit, after: Event | None) -> str:
        """A node is selected."""

    @abstractmethod
    def played(self, event: Playout) -> str:
        """A playout has ended."""

    @abstractmethod
    def backed_up(self, event: BackUp) -> str:
        """A node has a new value."""

    @abstractmethod
    def end(self) -> str:
        """What the search has found."""

    def place(self, event: Enter) -> str:
        """A node that joins the tree, and who moves there."""
        name = self.name(event.node)
        moves = "chance decides" if event.kind == "chance" else f"{self.mover(event.node)} moves"
        return f"a position where {moves}" if name.startswith("the node") else f"{name}, where {moves}"

    def chosen(self, event: Visit) -> tuple[int, str, list[tuple[str, float, float]]]:
        """The node at which a child was selected, the action to it, and all scores, its own first."""
        by = self.nodes[event.node].entered
        assert by.parent is not None
        assert by.action is not None
        return by.parent, by.action, sorted(event.scores, key=lambda score: score[0] != by.action)


class Uct(_BestFirst):
    """Selection, expansion, simulation and back-up."""

    simulations = 0

    def added(self, event: Enter | Leaf) -> str:
        if event.parent is None:
            return f"The search begins at {self._begin(event)}."
        first = "drawn for the first time" if event.probability is not None else "not tried yet"
        what = "the end of the game" if isinstance(event, Leaf) else self.place(event)
        return f"Expand: {self.action(event).lower()} is {first}. It adds {what}."

    def _begin(self, event: Enter | Leaf) -> str:
        return "the end of the game" if isinstance(event, Leaf) else self.place(event)

    def visited(self, event: Visit, after: Event | None) -> str:
        if event.node == 0:
            self.simulations += 1
            return f"Simulation {self.simulations} begins at {self.name(0)}."
        parent, action, scores = self.chosen(event)
        if not scores:
            return f"Select: chance draws {action}."
        best, word = ("greatest", "UCB") if self.mover(parent) == "MAX" else ("least", "lower bound")
        told = [
            f"{f'{word} of ' if name == action else 'of '}{name} is {shown(mean)} "
            f"{'+' if width >= 0 else '−'} {shown(abs(width))} = {shown(mean + width)}"
            for name, mean, width in scores[:MOST]
        ]
        more = f", and {len(scores) - MOST} more" if len(scores) > MOST else ""
        return f"Select: {', '.join(told)}{more}. {self.mover(parent)} selects {action}, the {best}."

    def played(self, event: Playout) -> str:
        if not event.line:
            return f"Simulate: the game is over here, worth {shown(event.value)}."
        moves = " ".join(event.line[:MOVES]) + (" …" if len(event.line) > MOVES else "")
        return f"Simulate: a random game from here, {moves}, is worth {shown(event.value)}."

    def backed_up(self, event: BackUp) -> str:
        visits = "1 visit" if event.visits == 1 else f"{event.visits} visits"
        return f"Back up: {self.name(event.node)} has {visits}, with a mean of {shown(event.value)}."

    def end(self) -> str:
        root = self.nodes[0]
        if not self.trace.line:
            return "The search is over."
        child = next(child for child in root.children if child.entered.action == self.trace.action)
        return (
            f"The search is over: {self.trace.action} has the most visits, {child.visits} of {root.visits}."
        )


class ProofNumber(_BestFirst):
    """Proof and disproof numbers, and the most-proving node."""

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace)
        self.numbers: dict[int, Any] = {}

    def added(self, event: Enter | Leaf) -> str:
        self.numbers[event.node] = event.value
        root = event.parent is None
        begin = "The search begins at" if root else f"{self.action(event)} leads to"
        if isinstance(event, Enter):
            first = "Its proof and disproof number are 1 until it is expanded."
            return f"{begin} {self.place(event)} ({event.kind.upper()}). {first}"
        if event.why == "goal":
            return f"{begin} the goal: proved, 0 and ∞."
        what = {
            "terminal": "the end of the game, which is no goal",
            "cycle": "a position that is already on the path",
            "depth": "the depth bound",
            "cutoff": "the cut-off test, which ends the search here",
        }[event.why]
        return f"{begin} {what}: disproved, ∞ and 0."

    def visited(self, event: Visit, after: Event | None) -> str:
        name = self.name(event.node)
        most = f"{capital(name)} is the most-proving node: it is expanded."
        expanded = isinstance(after, Enter | Leaf)
        if event.node == 0:
            return (
                most
                if expanded
                else f"{name} is neither proved nor disproved. From there to the most-proving node."
            )
        parent, action, scores = self.chosen(event)
        by = self.nodes[parent].entered
        assert isinstance(by, Enter)
        kind = "proof" if by.kind == "or" else "disproof"
        told = [
            f"{name} has {numbers(proof if kind == 'proof' else disproof)}"
            for name, proof, disproof in scores[:MOST]
        ]
        more = [f"and {len(scores) - MOST} more"] if len(scores) > MOST else []
        where = f"{self.name(parent)} ({by.kind.upper()})"
        said = f"At {where} the least {kind} number leads on: {', '.join([*told, *more])}."
        return f"{said} Select {action}." + (f" {most}" if expanded else "")

    def played(self, event: Playout) -> str:
        raise AssertionError("proof-number search has no playouts")

    def backed_up(self, event: BackUp) -> str:
        self.numbers[event.node] = event.value
        node = self.nodes[event.node]
        assert isinstance(node.entered, Enter)
        assert isinstance(event.value, tuple)
        below = [self.numbers[child.entered.node] for child in node.children]
        proofs, disproofs = zip(*below, strict=True)
        kind = node.entered.kind.upper()
        how = (_least, _sum) if kind == "OR" else (_sum, _least)
        proof, disproof = how[0](proofs, event.value[0]), how[1](disproofs, event.value[1])
        text = f"{self.name(event.node)} ({kind}): proof number {proof}, disproof number {disproof}."
        if 0 in event.value:
            text += f" It is {'proved' if event.value[0] == 0 else 'disproved'}."
        return text

    def end(self) -> str:
        if self.trace.value is None:
            least = f" {self.trace.action} has the least proof number." if self.trace.line else ""
            return f"The search ends undecided, for it has its number of nodes.{least}"
        by = f", by {self.trace.action}" if self.trace.line else ""
        return (
            f"The search is over: the goal can be forced{by}."
            if self.trace.value
            else ("The search is over: the goal cannot be forced.")
        )


BEST_FIRST: dict[str, type[_BestFirst]] = {"mcts": Uct, "proof-number": ProofNumber}
"""The algorithms that go best first, and what puts their steps into words."""


def _least(values: Sequence[float], least: float) -> str:
    return numbers(least) if len(values) == 1 else f"min({_listed(values)}) = {numbers(least)}"


def _sum(values: Sequence[float], total: float) -> str:
    if len(values) == 1:
        return numbers(total)
    return f"{_listed(values, ' + ')} = {numbers(total)}"


def _listed(values: Sequence[float], between: str = ", ") -> str:
    told = [numbers(value) for value in values]
    return between.join(told if len(told) <= 6 else [*told[:4], "…", told[-1]])
