"""Agents: which actions a program with a bug would choose in a tree, and so which bug one has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import NamedTuple

from plies.grade.bugs import BUGS
from plies.grade.diagnosis import Finding, Observed
from plies.grade.trees import Answer, Case
from plies.grade.variants import RIGHT, Variant, VariantSearch

AT_THE_ROOT = {"always-max": Variant(roles="max at the root"), "always-min": Variant(roles="min at the root")}
"""Bugs of agents alone, by key: values below the root are right."""


class Chosen(NamedTuple):
    """A case, and the action that the student's agent chose there."""

    case: Case
    action: str


def choices(case: Case, variant: Variant) -> set[str]:
    """The actions that an agent with a variant may choose at the root: of equal ones, any."""
    search = _search(case, variant)
    actions = search._actions(0)
    if search.bound < 1:  # the root is evaluated before an action is tried
        return set(actions)
    values = worth(case, variant)
    best = (max if search._maximises(0, 0) else min)(values.values())
    return {action for action, value in values.items() if value == best}


def worth(case: Case, variant: Variant) -> dict[str, float]:
    """The value of each action at the root."""
    search = _search(case, variant)
    return {
        action: search._value(action, search.game.result(0, action), -inf, inf, 1)[0]
        for action in search._actions(0)
    }


def _search(case: Case, variant: Variant) -> VariantSearch:
    game = case.tree.game
    search = VariantSearch(game, variant, prunes=False, depth=case.depth, movers=game.movers)
    search.first = max(0, game.to_move(0))
    return search


def diagnose_agent(function: str, observed: Sequence[Chosen], others: Sequence[Finding]) -> Finding | None:
    """What is wrong with an agent; None if nothing is, or only what a search that it may call has already."""
    wrong = [one for one in observed if one.action not in choices(one.case, RIGHT)]
    if not wrong:
        return None
    case, action = min(wrong, key=lambda one: one.case.size)
    best = " or ".join(sorted(choices(case, RIGHT)))
    values = ", ".join(f"{name} {value:g}" for name, value in worth(case, RIGHT).items())
    finding = Finding(
        function,
        shown=Observed(case, Answer(None, action=action)),
        right=Answer(None, action=best),
        words=f"In the tree below the actions are worth: {values}.",
    )
    fitting = [
        (bug, variant)
        for bug in BUGS.values()
        if (variant := AT_THE_ROOT.get(bug.key, bug.variant)) is not None
        and not bug.prunes
        and variant.chance == "expected"
        and variant.keep == "best"  # whoever takes the first action, or the last, may have other reasons
        and all(one.action in choices(one.case, variant) for one in observed)
    ]
    if any(bug in other.bugs for bug, _ in fitting for other in others):
        return None
    if not fitting:
        return None if others else finding
    # The bug that leaves the agent least choice says most.
    bug, variant = min(fitting, key=lambda one: sum(len(choices(seen.case, one[1])) for seen in observed))
    return replace(finding, bugs=(bug,), variant=variant)
