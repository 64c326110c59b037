"""The steps of a search in sentences: what happens at each, and why."""

from __future__ import annotations

from collections.abc import Sequence

from plies.book.events import Cut, Enter, Event, Leaf, Leave, Node, Update
from plies.book.recorder import Value, Window
from plies.book.tracing import Trace
from plies.draw.known import Change, changes, shown

ENDS = {
    "terminal": "a leaf worth {}",
    "depth": "the depth bound, where the position is evaluated as {}",
    "cutoff": "the cut-off test, where the position is evaluated as {}",
    "goal": "the goal",
    "cycle": "a position that is already on the path, so it is no way to the goal",
    "repeated": "a position that was searched before, without success",
    "known": "a position that was searched before, worth {}",
}
"""The words for a leaf, by why it is one."""


def explain(trace: Trace) -> list[str]:
    """A sentence or two for each event of a trace: what happens, and why."""
    teller = _Teller(trace)
    following: Sequence[Event | None] = [*trace.events[1:], None]
    return [
        teller.tell(event, after, change)
        for event, after, change in zip(trace.events, following, changes(trace), strict=True)
    ]


def listed(names: Sequence[str]) -> str:
    """Names as people list them: "c2, c3 and c4"; of many, the first few."""
    if len(names) > 4:
        return f"{', '.join(names[:3])} and {len(names) - 3} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def name_of(by: Enter | Leaf) -> str:
    """The name of a node: that of its position if it is short, or the action that leads to it."""
    if by.position and len(by.position) <= 6 and by.position.isprintable() and "/" not in by.position:
        return by.position
    return f"the node after {by.action}" if by.action else "the root"


class _Teller:
    """Puts events into words one after the other, and remembers each node's value and window so far."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.nodes = trace.tree
        self.values: dict[int, Value] = {}
        self.windows: dict[int, Window | None] = {}

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
        else:
            text = self._leave(event) + self._no_change(self.nodes[event.node], after)
        return _capital(text)

    # -- Names.

    def name(self, number: int) -> str:
        """The name of a node."""
        return name_of(self.nodes[number].entered)

    def mover(self, number: int) -> str:
        by = self.nodes[number].entered
        assert isinstance(by, Enter)
        if by.kind == "player":
            return self.trace.players[by.player]
        if by.kind in ("max", "min"):
            return by.kind.upper()
        return {"or": "the player", "and": "anybody else", "chance": "chance", "matrix": "both"}[by.kind]

    def action(self, event: Enter | Leaf) -> str:
        return f"{'Action' if event.probability is None else 'Outcome'} {event.action}"

    # -- Events.

    def _enter(self, event: Enter) -> str:
        self.windows[event.node] = event.window
        name, moves = self.name(event.node), f"where {self.mover(event.node)} moves"
        if event.kind == "chance":
            moves = "where chance decides"
        elif event.kind == "matrix":
            moves = "where both choose at once: what may follow is a matrix game"
        if event.parent is None:
            begin = f"The search begins at {name}, {moves}."
        elif name.startswith("the node"):
            begin = f"{self.action(event)} leads to a position {moves}."
        else:
            begin = f"{self.action(event)} leads to {name}, {moves}."
        return begin + (_window(event.window, first=event.parent is None) if event.window else "")

    def _leaf(self, event: Leaf) -> str:
        self.values[event.node] = event.value
        what = ENDS[event.why].format(shown(event.value))
        if isinstance(event.value, bool) and event.why == "terminal":
            what = "the end of the game, which is no goal"
        elif isinstance(event.value, bool) and event.why in ("depth", "cutoff"):
            what = (
                "the depth bound" if event.why == "depth" else "the cut-off test, which ends the search here"
            )
        begin = f"{self.action(event)} leads to" if event.action else "The root is"
        return f"{begin} {what}."

    def _update(self, event: Update, change: Change) -> str:
        before = self.values.get(event.node)
        self.values[event.node] = event.value
        name = self.name(event.node)
        by = self.nodes[event.node].entered
        assert isinstance(by, Enter)
        if by.kind == "chance":
            return self._chance(event, before, name)
        if by.kind == "player":
            return self._payoff(event, before, by.player, name)
        who, value = self.mover(event.node), shown(event.value)
        better = "" if before is None else f", better than {shown(before)}"
        text = f"{who} has {value} at {name} by {event.action}{better}"
        if change.value[0] in "≥≤":
            limit = "at least" if by.kind == "max" else "at most"
            text += f", so {name} is worth {limit} {value}"
        return text + "." + self._bounds(event)

    def _bounds(self, event: Update) -> str:
        """How an update changed the window of its node."""
        before, now = self.windows.get(event.node), event.window
        self.windows[event.node] = now
        if before is None or now is None:
            return ""
        if now[0] > before[0]:
            return f" Alpha rises to {shown(now[0])}."
        if now[1] < before[1]:
            return f" Beta falls to {shown(now[1])}."
        return f" The window stays {shown(now[0])} to {shown(now[1])}."

    def _chance(self, event: Update, before: Value | None, name: str) -> str:
        child = next(c for c in self.nodes[event.node].children if c.entered.action == event.action)
        share = shown(child.entered.probability or 0.0)
        if isinstance(child.value, tuple):
            sum_of = f"{share} of {shown(child.value)}"
        else:
            sum_of = f"{share} × {shown(child.value)}"
        added = " to begin with" if before is None else f" is added to {shown(before)}"
        return (
            f"Outcome {event.action} has probability {share}: {sum_of}{added}, "
            f"and {name} stands at {shown(event.value)} so far."
        )

    def _payoff(self, event: Update, before: Value | None, player: int, name: str) -> str:
        who, value = self.trace.players[player], event.value
        assert isinstance(value, tuple)
        than = f", more than {shown(before[player])}" if isinstance(before, tuple) else ""
        gets = f"by {event.action} {who} gets {shown(value[player])}{than}"
        return f"{gets}: {name} stands at {shown(value)} so far."

    def _cut(self, event: Cut) -> str:
        many = len(event.skipped) > 1
        names = f"Action{'s' if many else ''} {listed(event.skipped)}"
        cut = f"{names} {'are' if many else 'is'} cut"
        name, value = self.name(event.node), self.values.get(event.node)
        window = self.windows.get(event.node)
        if event.kind in ("alpha", "beta") and window and value is not None:
            alpha = event.kind == "alpha"
            bound, other = shown(window[0] if alpha else window[1]), "MAX" if alpha else "MIN"
            limit = "at most" if alpha else "at least"
            whatever = "whatever they hold" if many else "whatever it holds"
            return (
                f"{cut}: {name} is worth {limit} {shown(value)}, and {other} already has {bound} elsewhere "
                f"({event.kind}), so {other} has no reason to come here, {whatever}."
            )
        if event.kind == "lot":
            return f"{names} {'are' if many else 'is'} not sampled."
        return f"{cut}: {event.reason}."

    def _leave(self, event: Leave) -> str:
        node = self.nodes[event.node]
        had, self.values[event.node] = self.values.get(event.node), event.value
        name = self.name(event.node)
        relation = {"=": "", "<=": "at most ", ">=": "at least "}[node.relation]
        if isinstance(event.value, bool):
            sure = "reached whatever happens" if event.value else "not sure to be reached"
            worth = f"from {name} the goal is {sure}"
        else:
            worth = f"{name} is worth {relation}{shown(event.value)}"
        pruning = isinstance(node.entered, Enter) and node.entered.window
        if pruning and had != event.value and node.relation != "=":
            bound = "alpha" if node.relation == "<=" else "beta"
            worth += f", for fail-hard returns {bound}" + (
                "" if had is None else f" in place of {shown(had)}"
            )
        if isinstance(node.entered, Enter) and node.entered.kind == "matrix":
            text = f"All pairs of choices at {name} are searched: {worth}, the value of their matrix game."
        elif node.cut and node.cut.kind != "lot":
            text = f"{worth}, and that is enough to know."
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
        return f" {_capital(who)} has {shown(mine)} at {self.name(parent)} already: nothing changes."


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _window(window: Window, first: bool) -> str:
    """A sentence on the window of a node that is entered."""
    alpha, beta = shown(window[0]), shown(window[1])
    text = f" Alpha is {alpha} and beta {beta}"
    if first:
        return text + (": nothing is known yet." if (alpha, beta) == ("−∞", "+∞") else ".")
    sure = [f"MAX already has {alpha}"] if alpha != "−∞" else []
    sure += [f"MIN already has {beta}"] if beta != "+∞" else []
    return text + (f": {' and '.join(sure)} elsewhere." if sure else ".")
