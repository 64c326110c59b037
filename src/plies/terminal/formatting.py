"""Results of searches, as text and as JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from plies.engine import SearchResult, Value
from plies.engine.result import line_text, value_text
from plies.engine.solution import Solution
from plies.game import Action, Game, State
from plies.matrix import MatrixGame
from plies.matrix.game import mixture


def found_text(game: Game, state: State, found: SearchResult) -> str:
    """The best move, its value and line, and the effort."""
    lines = [
        f"{game.name}, {game.player_name(game.to_move(state))} to move",
        *best_text(game, state, found),
        *([f"database   {found.database}"] if found.database else []),
        *effort_text(found),
    ]
    if found.book:
        lines.append(found.book)
    if found.matrix is not None:
        return "\n".join([*lines, *matrix_text(game, found.matrix)])
    if found.scores:
        lines.append("every move:")
    return "\n".join(lines + scores_text(game, state, found.scores))


def best_text(game: Game, state: State, found: SearchResult) -> list[str]:
    """The best move, its value and the best lines, a line each."""
    value = f"value      {value_text(found.value, game.unit)}"
    if found.matrix is not None:
        return [f"{value}, for {game.player_name(0)}", *mixed_text(game, found.matrix)]
    lines = found.lines or [found.line]
    return [
        f"best move  {game.notation(state, found.action)}",
        value,
        *(f"line       {' '.join(line_text(game, state, line))}" for line in lines),
    ]


def mixed_text(game: Game, matrix: MatrixGame) -> list[str]:
    """The mixed strategies of players who move at once, a line each."""
    return [
        f"{game.player_name(0)} plays  {mixture(matrix.row_names, matrix.row_strategy)}",
        f"{game.player_name(1)} plays  {mixture(matrix.column_names, matrix.column_strategy)}",
    ]


def matrix_text(game: Game, matrix: MatrixGame) -> list[str]:
    """What each pair of choices is worth to the first player, as a table."""
    return [f"choices of {game.player_name(0)} (rows) and {game.player_name(1)}:", matrix.table()]


def effort_text(found: SearchResult) -> list[str]:
    """Depth, nodes, cut-offs and table hits of a search, a line each."""
    cuts = [f"cut-offs   {found.cuts:,}"] if found.cuts else []
    hits = [f"table hits {found.hits:,}"] if found.hits else []
    return [f"depth      {found.depth}", _nodes_text(found), *cuts, *hits]


def progress_text(game: Game, state: State, found: SearchResult) -> str:
    """The result so far in one line, which fits most terminals."""
    move, value = game.notation(state, found.action), value_text(found.value, game.unit)
    return f"{counters_text(found)}: {move} {value}"


def counters_text(found: SearchResult) -> str:
    """How far a search is, in a few words."""
    counts = [
        f"depth {found.depth}",
        f"{_short(found.nodes)} {'simulations' if found.visits else 'nodes'}",
        f"{_short(found.speed)}/s",
    ]
    counts += [f"{_short(found.cuts)} cut-offs"] if found.cuts else []
    counts += [f"{_short(found.hits)} table hits"] if found.hits else []
    return ", ".join(counts)


def _short(number: float) -> str:
    """A number, shortened: 950, 12k, 3.4M."""
    if number < 10_000:
        return f"{number:.0f}"
    return f"{number / 1e3:.0f}k" if number < 1e6 else f"{number / 1e6:.1f}M"


def scores_text(game: Game, state: State, scores: dict[Action, Value]) -> list[str]:
    """The score of each action, best first, a line each."""
    ranked = sorted(scores.items(), key=lambda item: item[1], reverse=True)
    return [f"  {game.notation(state, action)}: {value_text(value, game.unit)}" for action, value in ranked]


def found_json(game: Game, state: State, found: SearchResult) -> dict[str, Any]:
    """The result of a search as plain data; a value says whether it is proved, and whether it is a bound."""
    return {
        "game": repr(game),
        "player": game.player_name(game.to_move(state)),
        **replace(found, game=game, state=state).to_dict(),
        "cuts": found.cuts,
        "hits": found.hits,
        "lines": [line_text(game, state, line) for line in found.lines or [found.line]],
    }


def solution_text(game: Game, solution: Solution) -> str:
    """The proved value and an action that attains it; or bounds, and why there is no proof."""
    state, action = solution.state, solution.action
    lines = [f"{game.name}, {game.player_name(game.to_move(state))} to move"]
    if solution.solved:
        lines.append(f"value      {solution.value}, proved")
    if solution.matrix is not None:
        lines += [*mixed_text(game, solution.matrix), *matrix_text(game, solution.matrix)]
    elif solution.solved:
        lines.append(f"best move  {game.notation(state, action)}")
    else:
        lines.append(f"value      from {solution.low} to {solution.high}; {solution.reason}")
        if action is not None:
            lines.append(f"move       {game.notation(state, action)}, for at least the lower bound")
    if solution.book:
        lines.append(solution.book)
    return "\n".join([*lines, _nodes_text(solution)])


def solution_json(game: Game, solution: Solution) -> dict[str, Any]:
    """A solution as plain data."""
    state, action = solution.state, solution.action
    return {
        "game": repr(game),
        "player": game.player_name(game.to_move(state)),
        "solved": solution.solved,
        "value": solution.value.to_dict() if solution.solved else None,
        "low": solution.low.to_dict(),
        "high": solution.high.to_dict(),
        "action": None if action is None else game.notation(state, action),
        "nodes": solution.nodes,
        "seconds": solution.seconds,
        "reason": solution.reason,
        "rests_on": solution.rests_on,
        **({} if solution.matrix is None else {"matrix": solution.matrix.to_dict()}),
    }


def _nodes_text(result: SearchResult | Solution) -> str:
    if isinstance(result, Solution) and not result.nodes:  # looked up, or proved in parts that do not count
        return f"time       {result.seconds:.3g} s"
    speed = f", {result.speed:,.0f} a second" if result.seconds > 0 else ""
    return f"nodes      {result.nodes:,} in {result.seconds:.3g} s{speed}"
