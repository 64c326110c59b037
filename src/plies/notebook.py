"""The display of positions, games, searches, traces and matches in a notebook.

`import plies` sets this up where it runs in IPython; nothing else is imported before something is shown.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plies.arena import Match
    from plies.book.tracing import Trace
    from plies.engine import SearchResult
    from plies.engine.solution import Solution
    from plies.game import Action, Game, State
    from plies.history import History
    from plies.matrix import MatrixGame

SIZE = 320
"""The pixels of the longer side of a board. Not tuned."""

MOST_SCORES = 12
"""The most moves that are listed with their scores. Not tuned."""

TABLES = (
    ("plies.book.normal_form", "NormalForm"),
    ("plies.book.repeated_play", "RepeatedPlay"),
    ("plies.pathology.leaves", "NoisyLeaves"),
    ("plies.pathology.measured", "ErrorsByDepth"),
)
"""What is shown as its text: a table."""

# -- Setting up.


def register(shell: Any) -> None:
    """Register the formatters with a running IPython."""
    html = shell.display_formatter.formatters["text/html"]
    html.for_type(tuple, _asking(shell, show_state))  # a state is a NamedTuple, of whatever game
    html.for_type_by_name("plies.history", "History", _careful(show_history))
    html.for_type_by_name("plies.engine.result", "SearchResult", _careful(show_found))
    html.for_type_by_name("plies.book.tracing", "Trace", _careful(show_trace))
    html.for_type_by_name("plies.engine.solution", "Solution", _careful(show_solution))
    html.for_type_by_name("plies.arena.result", "Match", _careful(show_match))
    html.for_type_by_name("plies.matrix.game", "MatrixGame", _careful(show_matrix_game))
    for module, name in TABLES:
        html.for_type_by_name(module, name, lambda thing: f"<pre>{escape(str(thing))}</pre>")
    html.for_type_by_name("plies.game", "Game", _careful(show_game))


def _asking(
    shell: Any, show: Callable[[State, Mapping[str, Any]], str | None]
) -> Callable[[Any], str | None]:
    return _careful(lambda thing: show(thing, shell.user_ns))


def _careful(show: Callable[[Any], str | None]) -> Callable[[Any], str | None]:
    """If a rule of a game raises, show the `repr` as Python does, with a warning that says why."""

    def shown(thing: Any) -> str | None:
        try:
            return show(thing)
        except Exception as error:
            warnings.warn(f"this cannot be drawn: {type(error).__name__}: {error}", stacklevel=2)
            return None

    return shown


def live(
    game: Game,
    state: State | None = None,
    *,
    algorithm: str | None = None,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    lines: int = 1,
    **options: Any,
) -> SearchResult:
    """Search like `plies.search`, and show the results as they improve.

    Interrupting the kernel ends the search with the best so far.
    """
    from IPython import display

    from plies.compiled.background import watched
    from plies.engine.search import analyse

    limits: dict[str, Any] = {"algorithm": algorithm, "time": time, "depth": depth, "nodes": nodes}
    library: Any = display
    shown: Any = None
    found: SearchResult | None = None

    def show(thing: Any) -> None:
        nonlocal shown
        if shown is None:
            shown = library.display(thing, display_id=True)
        else:
            shown.update(thing)

    def refresh(compiling: str) -> None:
        show(library.HTML(f"<p>{escape(compiling)}</p>") if found is None else found)

    with watched(refresh):
        for found in analyse(game, state, lines=lines, **limits, **options):
            show(found)
    assert found is not None
    return found


# -- Positions and games.


def show_state(state: State, variables: Mapping[str, Any]) -> str | None:
    """The board of a position, if a game in the notebook's variables has such positions."""
    game = _game_of(state, variables)
    return None if game is None else _figure(_board(game, state), _string(game, state))


def _game_of(state: State, variables: Mapping[str, Any]) -> Game | None:
    """The newest game whose states are of this type."""
    from plies.game import Game

    if not hasattr(state, "_fields"):
        return None
    for name, value in reversed(list(variables.items())):
        if not name.startswith("_") and isinstance(value, Game) and _begins_like(value, state):
            return value
    return None


def _begins_like(game: Game, state: State) -> bool:
    try:
        return type(game.initial()) is type(state)
    except Exception:  # a game that is still being written
        return False


def _board(game: Game, state: State, last: tuple[State, Action] | None = None, **said: Any) -> str:
    from plies import draw

    return str(draw.board(game, state, last=last, size=SIZE, **said))


def _string(game: Game, state: State) -> str:
    return game.position(state) if game.has("position") else ""


def show_game(game: Game) -> str:
    """The board a game begins with, and its rules."""
    told = (
        f'<div style="max-width:45em"><strong>{escape(repr(game))}</strong><p>{escape(game.rules)}</p></div>'
    )
    return _side_by_side([_figure(_board(game, game.initial()), _string(game, game.initial())), told])


def show_history(history: History) -> str:
    """The current position with the last move, and a slider to go back and forth."""
    from plies import draw

    return draw.replay(history, size=SIZE).part()


# -- Searches.


def show_found(found: SearchResult) -> str:
    """The board with a score on every move, the value, the line, and the effort of the search."""
    from plies.compiled.background import under_way
    from plies.engine.result import line_text, value_text

    game, state = found.game, found.state
    rows = [("value", value_text(found.value, game.unit if game else 1)), ("depth", str(found.depth))]
    what = "simulations" if found.visits else "nodes"
    rows.append((what, f"{found.nodes:,} in {found.seconds:.3g} s, {found.speed:,.0f} a second"))
    if found.cuts:
        share = f", {found.first_cuts / found.cuts:.0%} with the first move" if found.first_cuts else ""
        rows.append(("cut-offs", f"{found.cuts:,}{share}"))
    if found.hits:
        rows.append(("table hits", f"{found.hits:,}"))
    rows.append(("algorithm", found.algorithm))
    if not found.compiled and (compiling := under_way()):
        rows.append(("code", f"interpreted, and still {compiling[0]}"))
    if game is None:
        return _table([("best move", str(found.action)), *rows])
    if found.matrix is not None:
        value, *effort = rows
        mover = ("to move", game.player_name(game.to_move(state)))
        table = _table([mover, (f"value for {game.player_name(0)}", value[1]), *effort])
        board = _figure(_board(game, state), _string(game, state))
        return _side_by_side([board, table, show_matrix_game(found.matrix)])
    lines = [" ".join(line_text(game, state, line)) for line in found.lines or [found.line]]
    rows = [
        ("to move", game.player_name(game.to_move(state))),
        ("best move", game.notation(state, found.action)),
        rows[0],
        *(("line", line) for line in lines[:MOST_SCORES]),
        *rows[1:],
    ]
    board = _board(game, state, scores=found.scores, arrows=[found.action])
    scores = _scores(game, state, found)
    return _side_by_side([_figure(board, _string(game, state)), _table(rows), scores])


def _scores(game: Game, state: State, found: SearchResult) -> str:
    """The values of the best moves, in a table."""
    from plies.engine.result import value_text

    ranked = sorted(found.scores.items(), key=lambda item: item[1], reverse=True)
    rows = [
        (
            game.notation(state, action),
            value_text(value, game.unit),
            *([f"{found.visits[action]:,}"] if found.visits else []),
        )
        for action, value in ranked[:MOST_SCORES]
    ]
    if len(ranked) > MOST_SCORES:
        rows.append((f"… {len(ranked)} in all", *[""] * (len(rows[0]) - 1)))
    return _table(rows, ("move", "value", *(["simulations"] if found.visits else []))) if rows else ""


def show_solution(solution: Solution) -> str | None:
    """The board, the value or its bounds, and an action that attains it."""
    if solution.solver is None:
        return None
    game, state = solution.solver.game, solution.state
    rows = [("to move", game.player_name(game.to_move(state)))]
    if solution.solved:
        rows.append(("value", f"{solution.value}, proved"))
    else:
        rows.append(("value", f"from {solution.low} to {solution.high}; {solution.reason}"))
    if solution.action is not None:
        rows.append(("best move" if solution.solved else "move", game.notation(state, solution.action)))
    rows.append(("nodes", f"{solution.nodes:,} in {solution.seconds:.3g} s, {solution.speed:,.0f} a second"))
    board = _board(game, state, arrows=[] if solution.action is None else [solution.action])
    return _side_by_side([_figure(board, _string(game, state)), _table(rows)])


def show_trace(trace: Trace) -> str:
    """The tree of a search."""
    from plies import draw

    return str(draw.tree(trace))


# -- Matches.


def show_match(match: Match) -> str:
    """Wins, draws and losses of both players, and the first one's score with its interval."""
    first, second = match.players
    rows: list[tuple[str, ...]] = [
        (first, str(match.wins), str(match.draws), str(match.losses), f"{match.score:.1%}"),
        (second, str(match.losses), str(match.draws), str(match.wins), f"{1 - match.score:.1%}"),
    ]
    low, high = match.interval
    elo, least, most = (f"{e:+.0f}" if math.isfinite(e) else "+∞" if e > 0 else "-∞" for e in match.elo)
    count = len(match.games)
    planned = f" of {match.planned}" if count < match.planned else ""
    sure = (
        f"{count}{planned} games. {first} scores {match.score:.1%}, 95 % interval {low:.1%} to {high:.1%}: "
        f"{elo} Elo, from {least} to {most}."
    )
    return _table(rows, ("player", "won", "drawn", "lost", "score")) + f"<p>{escape(sure)}</p>"


# -- Matrix games.


def show_matrix_game(game: MatrixGame) -> str:
    """The table with what each player plays, the value, and, with two rows or columns, the envelope."""
    from plies import draw
    from plies.matrix.numbers import shown

    if len(game.rows) > MOST_SCORES or len(game.rows[0]) > MOST_SCORES:
        return f"<pre>{escape(str(game))}</pre>"
    rows = [
        (name, *map(shown, entries), shown(weight))
        for name, entries, weight in zip(game.row_names, game.rows, game.row_strategy, strict=True)
    ]
    rows.append(("Column plays", *map(shown, game.column_strategy), ""))
    facts = [(name, said) for name, said in game.facts().items() if not name.endswith("plays")]
    tables = _table(rows, ("", *game.column_names, "Row plays")) + _table(facts)
    lines = str(draw.envelope(game)) if 2 in (len(game.rows), len(game.rows[0])) else ""
    return _side_by_side([tables, lines])


# -- HTML.


def _figure(svg: str, caption: str) -> str:
    """A picture with a line below it."""
    said = f'<figcaption style="font-size:smaller">{escape(caption)}</figcaption>' if caption else ""
    return f'<figure style="margin:0">{svg}{said}</figure>'


def _table(rows: Iterable[tuple[str, ...]], head: tuple[str, ...] = ()) -> str:
    top = "".join(f'<th scope="col" style="text-align:left">{escape(word)}</th>' for word in head)
    body = "".join(
        "<tr>"
        + f'<th scope="row" style="text-align:left">{escape(row[0])}</th>'
        + "".join(f'<td style="text-align:left">{escape(word)}</td>' for word in row[1:])
        + "</tr>"
        for row in rows
    )
    return f"<table>{f'<thead><tr>{top}</tr></thead>' if top else ''}<tbody>{body}</tbody></table>"


def _side_by_side(parts: Iterable[str]) -> str:
    style = "display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start"
    return f'<div style="{style}">{"".join(f"<div>{part}</div>" for part in parts if part)}</div>'
