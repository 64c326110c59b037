"""The compiler pipeline for kernels and rules: conditions on facts of the game are folded first.

A kernel serves every game, and parts of it only some: `if game.cycles:`, `if game.has("noisy"):`. Where such
a condition is false for a game, the part is removed before type inference. So is what an option switches on
that is off for good: `if run.null_move:`.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types

from plies.compiled.numba_internals import (
    CompilerBase,
    FunctionPass,
    PassManager,
    get_definition,
    guard,
    ir,
    nopython_passes,
    register_pass,
    settle_branch,
)

HAS = "has"
"""The method of a game that returns whether it defines a rule."""


@register_pass(mutates_CFG=True, analysis_only=False)
class FoldFacts(FunctionPass):  # type: ignore[misc]
    """Makes conditions on facts of a game constant, so that Numba removes the dead branch.

    Only conditions: an argument of another function stays an ordinary bool, as a constant one has a type of
    its own.
    """

    _name = "plies_fold_facts"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        function = state.func_ir
        for block in function.blocks.values():
            branch = block.body[-1]
            if not isinstance(branch, ir.Branch):
                continue
            test = guard(get_definition, function, branch.cond)
            if not isinstance(test, ir.Expr) or test.op != "call" or len(test.args) != 1:
                continue
            known = _known(function, test.args[0], state.args)
            if known is not None:
                settle_branch(function, block, test, known)
        return True


def _known(function: Any, variable: Any, arguments: Any) -> bool | None:
    """Whether a condition holds, if it is a fact of a game or whether it defines a rule; else None."""
    value = guard(get_definition, function, variable)
    if not isinstance(value, ir.Expr):
        return None
    if value.op == "unary" and value.fn is operator.not_:
        known = _known(function, value.value, arguments)
        return None if known is None else not known
    if value.op == "getattr":
        holder = _holder(function, value, arguments)
        return None if holder is None else holder.facts.get(value.attr)
    if value.op == "binop":
        return _compared(function, value, arguments)
    return _gives(function, value, arguments)


def _compared(function: Any, value: Any, arguments: Any) -> bool | None:
    """Whether a field that is always 0 compares so with a constant; None for any other expression."""
    left = guard(get_definition, function, value.lhs)
    right = guard(get_definition, function, value.rhs)
    if value.fn not in _COMPARISONS or not isinstance(right, ir.Const | ir.Global):
        return None
    holder = _holder(function, left, arguments)
    is_zero = isinstance(holder, types.Record) and holder.facts.get(left.attr) is False
    return bool(value.fn(0, right.value)) if is_zero and isinstance(right.value, int | float) else None


_COMPARISONS = (operator.eq, operator.ne, operator.gt, operator.ge, operator.lt, operator.le)


def _gives(function: Any, value: Any, arguments: Any) -> bool | None:
    """Whether a game defines a rule, if `value` is a call of `has`; else None."""
    if value.op != "call" or len(value.args) != 1:
        return None
    called = guard(get_definition, function, value.func)
    game = _holder(function, called, arguments)
    if game is None or called.attr != HAS:
        return None
    rule = guard(get_definition, function, value.args[0])
    return rule.value in game.given if isinstance(rule, ir.Const) else None


def _holder(function: Any, value: Any, arguments: Any) -> Any:
    """The type of the game, or of the record with fields that are always 0, that has a value as attribute."""
    if not isinstance(value, ir.Expr) or value.op != "getattr":
        return None
    holder = guard(get_definition, function, value.value)
    typ = arguments[holder.index] if isinstance(holder, ir.Arg) else None
    return typ if hasattr(typ, "facts") else None


class Pipeline(CompilerBase):  # type: ignore[misc]
    """Numba's pipeline, with `FoldFacts`."""

    def define_pipelines(self) -> list[PassManager]:
        return [nopython_passes(self.state, FoldFacts)]
