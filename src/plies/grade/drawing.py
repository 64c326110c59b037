"""The smallest tree or position that shows a bug: as text, and as traces of the two programs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from plies.book.decision import Decision
from plies.book.events import Cut
from plies.book.tracing import Trace, Tracer, number
from plies.games.tic_tac_toe import TicTacToe
from plies.games.tree import Tree
from plies.grade.diagnosis import Finding
from plies.grade.trees import Answer, Case
from plies.grade.variants import RIGHT, Variant, VariantSearch

WRONG_CUTS = {
    "first": "it returns after the first child",
    "wrong alpha": "its value {} is compared with alpha {}, the wrong bound",
    "wrong beta": "its value {} is compared with beta {}, the wrong bound",
}
"""The words for cuts that no right program makes, by their kind."""


def drawn(finding: Finding) -> list[str]:
    """The case of a finding in lines of text: the tree or the board, and both answers."""
    if finding.position:
        board = TicTacToe()
        state = board.parse_position(finding.position)
        told = f"The smallest position that shows it ({finding.position}, depth {finding.depth}):"
        return [told, *(f"  {line}" for line in board.text(state).splitlines())]
    if finding.shown is None or finding.right is None:
        return []
    case, tree = finding.shown.case, game_tree(finding.shown.case)
    arguments = f" ({case.arguments})" if case.arguments else ""
    lines = [f"The smallest tree that shows it{arguments}:"]
    lines += [f"  {line}" for line in tree.text(0).splitlines()]
    for who, answer in (("yours", finding.shown.answer), ("right", finding.right)):
        lines.append(f"  {who}: {answer_text(answer, tree)}")
    return lines


def answer_text(answer: Answer, tree: Tree) -> str:
    """An answer in words: the action, or the value and the leaves in order, by their paths or names."""
    if answer.value is None:
        return answer.action or answer.error
    leaves = ", ".join(
        tree.position(leaf).lstrip("/").replace("/", " ") or "the root" for leaf in answer.leaves
    )
    return f"{number(answer.value)}, by a look at {leaves}" if leaves else number(answer.value)


def game_tree(case: Case) -> Tree:
    """The tree of a case as a game; its nodes have the same numbers."""
    return Tree(case.tree.nested(estimates=case.depth is not None))


class VariantTracer(Tracer):
    """A tracer of wrong programs, whose cuts have reasons of their own."""

    def cut(self, kind: str, value: float, bound: float, skipped: Iterable[Any]) -> None:
        if kind not in WRONG_CUTS:
            super().cut(kind, value, bound, skipped)
            return
        names = tuple(self._name(action) for action in skipped)
        if names:
            reason = WRONG_CUTS[kind].format(number(value), number(bound))
            self.events.append(Cut(self._path[-1].node, kind.replace(" ", "-"), names, reason))


def tree_trace(case: Case, variant: Variant, prunes: bool, algorithm: str) -> Trace:
    """The steps of a variant in a case."""
    game = game_tree(case)
    tracer = VariantTracer(game)
    movers = case.tree.tables["movers"]
    search = VariantSearch(game, variant, prunes=prunes, depth=case.depth, trace=tracer, movers=movers)
    value = search.run(0, case.alpha, case.beta)
    tracer.finish(algorithm, Decision(value, search.line))
    return replace(tracer.trace, variant=case.arguments)


def traces(finding: Finding) -> tuple[Trace | None, Trace] | None:
    """The steps of the student's program, as far as they are known, and of the right one."""
    if finding.position:
        from plies.grade.lab_variants import lab_traces

        return lab_traces(finding)
    if finding.shown is None:
        return None
    case = finding.shown.case
    algorithm = finding.function.replace("_", "-")
    theirs = None
    if finding.variant is not None:
        theirs = tree_trace(case, finding.variant, finding.prunes, algorithm)
    hard = finding.variant is not None and finding.variant.fail_hard
    ours = tree_trace(case, replace(RIGHT, fail_hard=hard), finding.prunes, algorithm)
    return theirs, ours
