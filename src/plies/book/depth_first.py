"""Depth-first search: a path to the goal of a one-player puzzle."""

from __future__ import annotations

from collections.abc import Callable

from plies.book.decision import Cutoff, Decision, Line, algorithm, cutoff_test, start
from plies.book.recorder import Recorder
from plies.game import Action, Game, State
from plies.needs import Needs


@algorithm(
    "depth-first",
    Needs(players=1, deterministic=True, hashable=True),
    "depth-first search",
    chooses=False,
)
def depth_first(
    game: Game,
    state: State | None = None,
    *,
    depth: int | None = None,
    cutoff: Cutoff | None = None,
    goal: Callable[[State], bool] | None = None,
    trace: Recorder | None = None,
) -> Decision[bool]:
    """The first line found that leads to the goal; the value is whether there is one.

    The default goal is to end the game with a positive utility. No state is searched a second time, unless
    the depth is bounded and the state is reached in fewer moves.
    """
    state, player = start(game, state, None)
    cut_off = cutoff_test(depth, cutoff)
    bounded = depth is not None or cutoff is not None
    trace = trace or Recorder()
    reached: dict[State, int] = {}

    def won(state: State) -> bool:
        return game.is_terminal(state) and game.utility(state, player) > 0

    is_goal = goal or won

    def search(action: Action, state: State, ply: int) -> Line | None:
        if is_goal(state):
            trace.leaf(action, state, "goal", True)
            return ()
        if game.is_terminal(state):
            trace.leaf(action, state, "terminal", False)
            return None
        if state in reached and (not bounded or reached[state] <= ply):
            trace.leaf(action, state, "repeated", False)
            return None
        if why := cut_off(state, ply):
            trace.leaf(action, state, why, False)
            return None
        reached[state] = ply
        trace.enter(action, state, "or")
        actions = iter(game.actions(state))
        for a in actions:
            line = search(a, game.result(state, a), ply + 1)
            if line is not None:
                trace.cut("or", True, True, actions)
                trace.leave(True)
                return (a, *line)
        trace.leave(False)
        return None

    found = search(None, state, 0)
    return trace.finish("depth-first", Decision(found is not None, found or ()))
