"""Which usual bug a program has: the one whose variant gives all of its answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import isinf
from typing import Any, NamedTuple

from plies.grade.bugs import BUGS, Bug
from plies.grade.child.calls import NOTHING
from plies.grade.trees import Answer, Case, answer_of
from plies.grade.variants import RIGHT, Variant


class Observed(NamedTuple):
    """A case, and what the student's search answered."""

    case: Case
    answer: Answer


@dataclass(frozen=True)
class Finding:
    """What is wrong with a function, and where it shows first."""

    function: str
    bugs: tuple[Bug, ...] = ()
    """The bug, or two that occur together; none if it has no name."""
    also: tuple[Bug, ...] = ()
    """Others that would give the same answers."""
    by_values: bool = False
    """Whether only the values agree with the bug, not the leaves that were looked at."""
    shown: Observed | None = None
    """The smallest case on which the bug shows."""
    right: Answer | None = None
    """What was to be found there."""
    variant: Variant | None = None
    """The program that answers as the student's does."""
    prunes: bool = False
    position: str = ""
    """In lab style, the smallest position on which the bug shows; the depth is in `words`."""
    depth: int = 0
    program: Any = field(default=None, hash=False, repr=False)
    """In lab style, the program that was recognised: a `LabProgram`."""
    words: str = ""
    """What else there is to say: an error's message, the line that is missing."""

    @property
    def title(self) -> str:
        """The bug in words."""
        if not self.bugs:
            return "wrong, but by none of the usual bugs"
        return ", and ".join(bug.name for bug in self.bugs)


def diagnose(
    function: str, observed: Sequence[Observed], prunes: bool, right: Variant = RIGHT
) -> Finding | None:
    """What is wrong with a search, by its answers; None if nothing is.

    A search without pruning has to find the values; one that prunes, by a look at the right leaves.
    """
    # Ghosts come last: what is wrong for two players already may have any effect on three.
    wrong = [one for one in observed if not agrees(one, prunes, right)]
    if not wrong:
        return None
    smallest = min(wrong, key=lambda one: one.case.size)
    finding = Finding(function, shown=smallest, right=answer_of(smallest.case, right, prunes), prunes=prunes)
    errors = [one for one in wrong if one.answer.error]
    if errors:
        first = min(errors, key=lambda one: one.case.size)
        return replace(
            finding,
            bugs=(BUGS["nothing" if first.answer.error == NOTHING else "error"],),
            shown=first,
            right=answer_of(first.case, right, prunes),
            words="" if first.answer.error == NOTHING else first.answer.error,
        )
    blind = [one.answer.value for one in wrong if not one.answer.leaves and one.case.depth is None]
    if blind:
        key = "no-leaves" if any(value is not None and isinf(value) for value in blind) else "no-search"
        return replace(finding, bugs=(BUGS[key],))
    two = [one for one in observed if len(one.case.tree.levels) < 3 or -1 in one.case.tree.levels]
    some = two if any(not agrees(one, prunes, right) for one in two) else observed
    ways = [(observed, True), (some, True)]
    if any(not agrees(one, False, right) for one in wrong):  # values that are right say nothing about the way
        ways.append((observed, False))
    for told, leaves in ways:
        found = list(_matching(told, prunes, leaves))
        if found:
            (bugs, variant, pruned), *rest = found
            also = tuple(dict.fromkeys(bug for other, *_ in rest for bug in other if bug not in bugs))
            return replace(
                finding, bugs=bugs, also=also, variant=variant, prunes=pruned, by_values=not leaves
            )
    return finding


def agrees(one: Observed, prunes: bool, right: Variant = RIGHT) -> bool:
    """Whether an answer is right: fail-soft or fail-hard."""
    return any(
        one.answer.agrees(answer_of(one.case, replace(right, fail_hard=hard), prunes), leaves=prunes)
        for hard in ((False, True) if prunes else (False,))
    )


def _matching(
    observed: Sequence[Observed], prunes: bool, leaves: bool
) -> Iterator[tuple[tuple[Bug, ...], Variant, bool]]:
    """The bugs whose variants give all the answers; pairs of bugs only if no single one does."""
    ordered = sorted(observed, key=lambda one: one.case.size)  # small ones are searched, and differ, sooner
    single = False
    for bugs, variant in _variants():
        if single and (len(bugs) > 1 or variant.by_window):
            return
        # A search that is called minimax may prune, and be wrong in that.
        for pruned in (True,) if prunes else (False, True)[: 1 + (len(bugs) == 1)]:
            if any(bug.prunes for bug in bugs) and not pruned:
                continue
            for hard in (False, True) if pruned else (False,):
                tried = replace(variant, fail_hard=hard)
                if all(
                    one.answer.agrees(answer_of(one.case, tried, pruned), leaves=leaves) for one in ordered
                ):
                    single = single or len(bugs) == 1
                    yield bugs, tried, pruned
                    break
            else:
                continue
            break


def _variants() -> Iterator[tuple[tuple[Bug, ...], Variant]]:
    single = [(bug, bug.variant) for bug in BUGS.values() if bug.variant]
    for bug, variant in single:
        yield (bug,), variant
    for bug, variant in single:
        if bug.prunes:  # many cut where alpha has reached beta, and there a bug may have other effects
            yield (bug,), replace(variant, by_window=True)
    for (one, first), (two, second) in combinations(single, 2):
        both = first.and_also(second)
        if both is not None:
            yield (one, two), both
