"""The rules of a game, each compiled by itself, and compared with the interpreted ones."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

from plies import rules
from plies.check.report import Report
from plies.check.values import GENERATORS, brief, frozen
from plies.errors import BrokenRule
from plies.game import Game, State
from plies.validation import capped


class _Capped:
    """A game whose rules end: those that give more than they may, and may be endless, raise `BrokenRule`."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        rule = getattr(self._game, name)
        if name not in GENERATORS:
            return rule
        return lambda state, *args: capped(self._game, state, rule(state, *args), name)


class CompiledRules:
    """Every rule that compiles; those that do not are noted in the report."""

    def __init__(self, game: Game, report: Report) -> None:
        self.game = game
        self._compiled: dict[str, Callable[..., Any]] = {}
        report.why_not = _why_interpreted(game)
        if report.why_not:
            return
        try:
            self._compile(report)
        except Exception as error:  # a rule raises in the initial state, which the random games will report
            report.compiled, report.why_not = False, f"its rules raise errors ({type(error).__name__})"

    def _compile(self, report: Report) -> None:
        from plies.compiled import rule_kernels

        state = self.game.initial()
        failing = rule_kernels.failures(self.game, rules.UNSEARCHED)
        report.not_compiled = {rule: str(reason) for rule, reason in failing.items()}
        if not rule_kernels.can_omit(self.game, failing):
            report.why_not = next(iter(report.not_compiled.values()))
            return
        for rule in rules.RULES:
            if rule.name not in failing and (self.game.has(rule.name) or not rule.optional):
                self._compiled[rule.name] = rule_kernels.RULE_KERNELS[rule.name].compiled_for(
                    self.game, state
                )
        report.compiled = True

    def disagreements(self, state: State) -> Iterator[tuple[str, str]]:
        """The rules whose compiled form gives another answer, each with the difference."""
        if not self._compiled:
            return
        from plies.compiled import rule_kernels

        for rule, compiled in self._compiled.items():
            try:
                expected = rule_kernels.RULE_KERNELS[rule].interpreted(_Capped(self.game), state)
            except BrokenRule:  # which the examiner reports, too; others may call it, and take as long
                return
            except Exception:  # the examiner reports rules that raise
                continue
            try:
                got = compiled(self.game, state)
            except Exception as error:  # whatever a rule raises when it is compiled
                yield rule, f"{rule} raises {type(error).__name__} compiled: {error}"
                continue
            if frozen(expected) != frozen(got):
                one, other = _first_difference(expected, got)
                yield rule, f"{rule} differs: interpreted {brief(one)}, compiled {brief(other)}"


def _why_interpreted(game: Game) -> str:
    """Why nothing of a game is to be compiled; "" if it is."""
    if importlib.util.find_spec("numba") is None:
        return "Numba is not installed"
    from plies.compiled import interpreting

    if game.compiled is not False and not interpreting():
        return ""
    at_once = game.simultaneous and game.compiled is False
    return "its players move at once" if at_once else "compilation is switched off"


def _first_difference(expected: Any, got: Any) -> tuple[Any, Any]:
    """Two answers, or the items in which they differ first."""
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        return next((a, b) for a, b in zip(expected, got, strict=True) if frozen(a) != frozen(b))
    return expected, got
