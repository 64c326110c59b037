"""The steps of a search in sentences: what happens at each, and why."""

from __future__ import annotations

from collections.abc import Sequence

from plies.book.events import NOT_PART, Cut, Enter, Event, Leaf, Leave, Node, Order, Update
from plies.book.recorder import ITERATIONS, Value, Window
from plies.book.tracing import Trace
from plies.draw.explain_best_first import BEST_FIRST
from plies.draw.known import Change, changes, shown
from plies.draw.names import Names, capital, listed

ENDS = {
    "terminal": "a leaf worth {}",
    "depth": "the depth bound, where the position is evaluated as {}",
    "cutoff": "the cut-off test, where the position is evaluated as {}",
    "goal": "the goal",
    "cycle": "a position that is already on the path, so it is no way to the goal",
    "repeated": "a position that was searched before, without success",
    "known": "a position that was searched before, worth {}",
    "table": "a position that is in the table, worth {}",
}
"""The words for a leaf, by why it is one."""

LIMITS = {"=": "", "<=": "at most ", ">=": "at least ", "~": "perhaps "}
"""The words for the relation of an exact value to the one found."""


def explain(trace: Trace) -> list[str]:
    """A sentence or two for each event of a trace: what happens, and why."""
    teller = BEST_FIRST.get(trace.algorithm, _Teller)(trace)
    following: Sequence[Event | None] = [*trace.events[1:], None]
    return [
        teller.tell(event, after, change)
        for event, after, change in zip(trace.events, following, changes(trace), strict=True)
    ]


class _Teller(Names):
    """Puts events into words one after the other, and remembers each node's value and window so far."""

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace)
        self.values: dict[int, Value] = {}
        self.windows: dict[int, Window | None] = {}
        self.latest: dict[int | None, int] = {}
        """By number, the last child of a node that was left."""

    def tell(self, event: Event, after: Event | None, change: Change) -> str:
        """The sentences for an event, given the next one and its change."""
        if isinstance(event, Enter):
            text = self._enter(event)
        elif isinstance(event, Leaf):
            text = self._leaf(event) + self._no_change(self.nodes[event.node], after)
        elif isinstance(event, Update):
            text = self._update(event, change)
        elif isinstance(event, Cut):
            text = self._cut(event)
        elif isinstance(event, Order):
            text = self._order(event)
        else:
            assert isinstance(event, Leave)
            text = self._leave(event) + self._no_change(self.nodes[event.node], after)
        if isinstance(event, Leaf | Leave):
            by = self.nodes[event.node].entered
            self.latest[by.parent] = event.node
        return capital(text)

    # -- Nodes.

    def under_chance(self, number: int | None) -> bool:
        """Whether the window of a node comes from a chance node above it."""
        while number is not None:
            number = self.nodes[number].entered.parent
            if number is not None and self.kind(number) == "chance":
                return self.nodes[number].entered.window is not None  # type: ignore[union-attr]
        return False

    def kind(self, number: int) -> str:
        by = self.nodes[number].entered
        return by.kind if isinstance(by, Enter) else "leaf"

    def is_probe(self, node: Node) -> bool:
        return any(cut.kind == "probe" for cut in node.cuts)

    # -- Events.

    def _enter(self, event: Enter) -> str:
        self.windows[event.node] = event.window
        name = self.name(event.node)
        if event.kind == ITERATIONS:
            return f"{name} is searched to depth 1, then again a ply deeper, and so on."
        moves = f"where {self.mover(event.node)} moves"
        if event.kind == "chance":
            moves = "where chance decides"
        elif event.kind == "matrix":
            moves = "where both choose at once: what may follow is a matrix game"
        if event.parent is not None and self.kind(event.parent) == ITERATIONS:
            begin = f"The search to {event.action} begins at {name}, {moves}."
        elif event.parent is None:
            begin = f"The search begins at {name}, {moves}."
        elif name.startswith("the node"):
            begin = f"{self.action(event)} leads to a position {moves}."
        else:
            begin = f"{self.action(event)} leads to {name}, {moves}."
        if self.is_probe(self.nodes[event.node]):
            begin += " Only one action is searched for now, to probe what the outcome is worth."
        if event.window is None:
            return begin
        above = event.parent
        if self.under_chance(event.node):
            return begin + self._needed(event.window, above)
        return begin + _window(event.window, first=above is None or self.kind(above) == ITERATIONS)

    def _needed(self, window: Window, above: int | None) -> str:
        """A sentence on the window of a node below a chance node."""
        alpha, beta = shown(window[0]), shown(window[1])
        text = f" Alpha is {alpha} and beta {beta}"
        limits = [f"{alpha} or less"] * (alpha != "−∞") + [f"{beta} or more"] * (beta != "+∞")
        if not limits or above is None:
            return text + "."
        if self.kind(above) == "chance" and any(self.is_probe(node) for node in self.nodes[above].children):
            return f"{text}: the probes and the window of {self.name(above)} leave no more to be found out."
        if self.kind(above) == "chance":
            outside = f"{self.name(above)} is outside of its window, whatever is left"
            return f"{text}: with {' or '.join(limits)}, {outside}."
        return f"{text}: by how much a value is beyond them no longer matters above."

    def _leaf(self, event: Leaf) -> str:
        self.values[event.node] = event.value
        if event.why == "stand-pat":
            return f"Whoever moves may stand pat: stop here, where EVAL is {shown(event.value)}."
        what = ENDS[event.why].format(LIMITS[event.relation] + shown(event.value))
        if isinstance(event.value, bool) and event.why == "terminal":
            what = "the end of the game, which is no goal"
        elif isinstance(event.value, bool) and event.why in ("depth", "cutoff"):
            what = (
                "the depth bound" if event.why == "depth" else "the cut-off test, which ends the search here"
            )
        begin = f"{self.action(event)} leads to" if event.action else "The root is"
        if event.parent is not None and self.kind(event.parent) == ITERATIONS:
            begin = "The root is"
        return f"{begin} {what}."

    def _order(self, event: Order) -> str:
        name, who = self.name(event.node), self.mover(event.node)
        if event.why == "line":
            return f"Action {event.actions[0]}, the best at {name} so far, is searched first."
        looks = [f"{a} ({shown(e)})" for a, e in zip(event.actions, event.estimates, strict=True)]
        first = "highest" if self.kind(event.node) == "max" else "lowest"
        order = f"By EVAL of what they lead to, the order of actions is {listed(looks)}"
        return f"{order}: {who} tries the {first} first."

    def _update(self, event: Update, change: Change) -> str:
        before = self.values.get(event.node)
        self.values[event.node] = event.value
        name = self.name(event.node)
        by = self.nodes[event.node].entered
        assert isinstance(by, Enter)
        if by.kind == ITERATIONS:
            return f"To {event.action}, {name} is worth {shown(event.value)}."
        if by.kind == "chance":
            return self._chance(event, before, name)
        if by.kind == "player":
            return self._payoff(event, before, by.player, name)
        who, value = self.mover(event.node), shown(event.value)
        better = "" if before is None else f", better than {shown(before)}"
        text = f"{who} has {value} at {name} by {event.action.replace('stand pat', 'standing pat')}{better}"
        if change.value[0] in "≥≤":
            limit = "at least" if by.kind == "max" else "at most"
            text += f", so {name} is worth {limit} {value}"
        return text + "." + self._bounds(event)

    def _bounds(self, event: Update) -> str:
        """How an update changed the window of its node."""
        before, now = self.windows.get(event.node), event.window
        self.windows[event.node] = now
        if before is None or now is None or self.is_probe(self.nodes[event.node]):
            return ""
        if now[0] > before[0]:
            return f" Alpha rises to {shown(now[0])}."
        if now[1] < before[1]:
            return f" Beta falls to {shown(now[1])}."
        return f" The window stays {shown(now[0])} to {shown(now[1])}."

    def _chance(self, event: Update, before: Value | None, name: str) -> str:
        child = self.nodes[self.latest[event.node]]
        share = shown(child.entered.probability or 0.0)
        ends = ""
        if event.bounds and event.bounds[0] < event.bounds[1]:
            ends = f" In the end it will be from {shown(event.bounds[0])} to {shown(event.bounds[1])}."
        if self.is_probe(child):
            self.values.pop(event.node)  # nothing is searched yet
            return f"Outcome {event.action} is worth {LIMITS[child.relation]}{shown(child.value)}.{ends}"
        if isinstance(child.value, tuple):
            sum_of = f"{share} of {shown(child.value)}"
        else:
            sum_of = f"{share} × {shown(child.value)}"
        added = " to begin with" if before is None else f" is added to {shown(before)}"
        return (
            f"Outcome {event.action} has probability {share}: {sum_of}{added}, "
            f"and {name} stands at {shown(event.value)} so far.{ends}"
        )

    def _payoff(self, event: Update, before: Value | None, player: int, name: str) -> str:
        who, value = self.trace.players[player], event.value
        assert isinstance(value, tuple)
        than = f", more than {shown(before[player])}" if isinstance(before, tuple) else ""
        gets = f"by {event.action} {who} gets {shown(value[player])}{than}"
        return f"{gets}: {name} stands at {shown(value)} so far."

    def _cut(self, event: Cut) -> str:
        many = len(event.skipped) > 1
        what = "Outcome" if self.kind(event.node) == "chance" else "Action"
        names = f"{what}{'s' if many else ''} {listed(event.skipped or ('',))}"
        cut = f"{names} {'are' if many else 'is'} cut"
        name, value = self.name(event.node), self.values.get(event.node)
        window = self.windows.get(event.node)
        if self.kind(event.node) == "chance":
            limit = "at most" if event.kind == "alpha" else "at least"
            bound = f"{event.kind} is {shown(window[event.kind == 'beta'])}" if window else event.reason
            worth = f"{name} is worth {limit} {shown(self.nodes[event.node].value)}"
            if not event.skipped:
                return f"Whatever is left to be found out, {worth}, and {bound}."
            return f"{cut}: whatever {'they hold' if many else 'it holds'}, {worth}, and {bound}."
        if event.kind in ("alpha", "beta") and window and value is not None:
            alpha = event.kind == "alpha"
            bound, other = shown(window[0] if alpha else window[1]), "MAX" if alpha else "MIN"
            limit = "at most" if alpha else "at least"
            whatever = "whatever they hold" if many else "whatever it holds"
            if self.under_chance(event.node):
                return (
                    f"{cut}: {name} is worth {limit} {shown(value)}, and beyond {bound} ({event.kind}) it "
                    f"no longer matters above by how much, {whatever}."
                )
            return (
                f"{cut}: {name} is worth {limit} {shown(value)}, and {other} already has {bound} elsewhere "
                f"({event.kind}), so {other} has no reason to come here, {whatever}."
            )
        if event.kind == "lot":
            return f"{names} {'are' if many else 'is'} not sampled."
        if event.kind == "forward":
            return (
                f"{names} {'are' if many else 'is'} pruned forward, {event.reason}. Should that be wrong, "
                f"{self.mover(event.node)} will not notice."
            )
        if event.kind == "quiet":
            return f"{names} {'are' if many else 'is'} {event.reason}, and left out."
        if event.kind == "probe":
            return f"{names} {'are' if many else 'is'} left for later: {event.reason}."
        return f"{cut}: {event.reason}."

    def _leave(self, event: Leave) -> str:
        node = self.nodes[event.node]
        had, self.values[event.node] = self.values.get(event.node), event.value
        name = self.name(event.node)
        relation = LIMITS[node.relation]
        if isinstance(event.value, bool):
            sure = "reached whatever happens" if event.value else "not sure to be reached"
            worth = f"from {name} the goal is {sure}"
        else:
            worth = f"{name} is worth {relation}{shown(event.value)}"
        pruning = self.kind(event.node) in ("max", "min") and node.entered.window  # type: ignore[union-attr]
        if pruning and had != event.value and node.relation != "=":
            bound = "alpha" if node.relation == "<=" else "beta"
            worth += f", for fail-hard returns {bound}" + (
                "" if had is None else f" in place of {shown(had)}"
            )
        if isinstance(node.entered, Enter) and node.entered.kind == "matrix":
            text = f"All pairs of choices at {name} are searched: {worth}, the value of their matrix game."
        elif self.is_probe(node):
            text = f"{worth}: so much one action shows."
        elif any(cut.kind == "forward" for cut in node.cuts) and not any(
            cut.kind in ("alpha", "beta") for cut in node.cuts
        ):
            text = f"The branches of {name} that were not pruned are searched: {worth}."
        elif any(cut.kind not in NOT_PART for cut in node.cuts):
            text = f"{worth}, and that is enough to know."
        elif self.kind(event.node) == ITERATIONS:
            text = f"{node.children[-1].entered.action} is the last: {worth}."
        else:
            text = f"All branches of {name} are searched: {worth}."
        if event.node == 0:
            best = f": best is {', then '.join(self.trace.line[:6])}" if self.trace.line else ""
            text += f" The search is over{best}."
        return text

    def _no_change(self, node: Node, after: Event | None) -> str:
        """A sentence on the parent, if no update of it follows."""
        parent = node.entered.parent
        if parent is None or isinstance(after, Update):
            return ""
        by = self.nodes[parent].entered
        has = self.values.get(parent)
        if not isinstance(by, Enter) or by.kind not in ("max", "min", "player"):
            return ""
        who = self.mover(parent)
        if has is None and by.window:  # fail-hard, where a value begins at the bound
            bound = by.window[0] if by.kind == "max" else by.window[1]
            return f" {who} already has {shown(bound)} elsewhere: nothing changes."
        if has is None:
            return ""
        mine = has[by.player] if isinstance(has, tuple) and by.kind == "player" else has
        return f" {capital(who)} has {shown(mine)} at {self.name(parent)} already: nothing changes."


def _window(window: Window, first: bool) -> str:
    """A sentence on the window of a node that is entered."""
    alpha, beta = shown(window[0]), shown(window[1])
    text = f" Alpha is {alpha} and beta {beta}"
    if first:
        return text + (": nothing is known yet." if (alpha, beta) == ("−∞", "+∞") else ".")
    sure = [f"MAX already has {alpha}"] if alpha != "−∞" else []
    sure += [f"MIN already has {beta}"] if beta != "+∞" else []
    return text + (f": {' and '.join(sure)} elsewhere." if sure else ".")
