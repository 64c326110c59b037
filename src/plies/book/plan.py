"""Contingent plans: what to do, and then what to do in each case."""

from __future__ import annotations

from dataclasses import dataclass

from plies.game import Action, Game, State


@dataclass(frozen=True)
class Done:
    """The goal is reached."""


@dataclass(frozen=True)
class Do:
    """Take an action, and go on with a plan."""

    action: Action
    then: Plan


@dataclass(frozen=True)
class Cases:
    """A plan for each thing that the others, or chance, may do."""

    cases: tuple[tuple[Action, Plan], ...]

    def after(self, action: Action) -> Plan:
        """The plan for the case that this action was taken."""
        return next(plan for case, plan in self.cases if case == action)


Plan = Done | Do | Cases


def plan_text(game: Game, state: State, plan: Plan, indent: str = "") -> str:
    """A plan in words, a line for each action and, indented, each case."""
    if isinstance(plan, Do):
        name = game.notation(state, plan.action)
        return f"{indent}{name}\n" + plan_text(game, game.result(state, plan.action), plan.then, indent)
    if isinstance(plan, Cases):
        return "".join(
            f"{indent}if {game.notation(state, action)}:\n"
            + plan_text(game, game.result(state, action), then, indent + "  ")
            for action, then in plan.cases
        )
    return f"{indent}done\n"
