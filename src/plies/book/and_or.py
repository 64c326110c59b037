"""AND-OR search: a plan that reaches the goal whatever the others, or the dice, do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from plies.book.decision import Cutoff, Decision, algorithm, cutoff_test, start
from plies.book.plan import Cases, Do, Done, Plan
from plies.book.recorder import Recorder
from plies.game import CHANCE, Action, Game, State
from plies.validation import refuse_arrays


@algorithm("and-or", chooses=False)
def and_or(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    cutoff: Cutoff | None = None,
    goal: Callable[[State], bool] | None = None,
    trace: Recorder | None = None,
) -> Decision[bool]:
    """A plan that leads a player to the goal in every case; the value is whether there is one.

    The player picks one action (OR); all others and chance may take any (AND). The default goal is to end the
    game with more than a draw. A state that is already on the path is a dead end: a plan that works
    from there would have worked the first time.
    """
    state, player = start(game, state, player)
    refuse_arrays(game, state)  # states on the path are compared
    cut_off = cutoff_test(depth, cutoff)
    trace = trace or Recorder()

    def won(state: State) -> bool:
        return game.is_terminal(state) and game.utility(state, player) > game.draw_value

    is_goal = goal or won

    def search(action: Action, state: State, path: tuple[State, ...]) -> Plan | None:
        if is_goal(state):
            trace.leaf(action, state, "goal", True)
            return Done()
        if game.is_terminal(state):
            trace.leaf(action, state, "terminal", False)
            return None
        if state in path:
            trace.leaf(action, state, "cycle", False)
            return None
        if why := cut_off(state, len(path)):
            trace.leaf(action, state, why, False)
            return None
        if game.to_move(state) == player:
            return or_search(action, state, path)
        return and_search(action, state, path)

    def or_search(action: Action, state: State, path: tuple[State, ...]) -> Plan | None:
        trace.enter(action, state, "or")
        actions = iter(game.actions(state))
        for a in actions:
            plan = search(a, game.result(state, a), (state, *path))
            if plan is not None:
                trace.cut("or", True, True, actions)
                trace.leave(True)
                return Do(a, plan)
        trace.leave(False)
        return None

    def and_search(action: Action, state: State, path: tuple[State, ...]) -> Plan | None:
        trace.enter(action, state, "and")
        cases: tuple[tuple[Action, Plan], ...] = ()
        actions = replies(state)
        for a in actions:
            plan = search(a, game.result(state, a), (state, *path))
            if plan is None:
                trace.cut("and", False, False, actions)
                trace.leave(False)
                return None
            cases = (*cases, (a, plan))
        trace.leave(True)
        return Cases(cases)

    def replies(state: State) -> Iterator[Action]:
        if game.to_move(state) == CHANCE:
            return (outcome for outcome, _ in game.chance(state))
        return iter(game.actions(state))

    plan = search(None, state, ())
    line = (plan.action,) if isinstance(plan, Do) else ()
    return trace.finish("and-or", Decision(plan is not None, line, plan))
