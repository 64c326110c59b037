"""What a person can type besides a move while playing: a function for each command."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from plies.compiled.background import watched
from plies.engine import SearchResult
from plies.engine.result import line_text, value_text
from plies.engine.search import analyse, search
from plies.errors import PliesError
from plies.records import PAGE, link
from plies.served_page import served_page
from plies.terminal.arguments import number_in, path_in
from plies.terminal.drawing import MOST_SCORES
from plies.terminal.formatting import (
    best_text,
    effort_text,
    matrix_text,
    mixed_text,
    progress_text,
    scores_text,
)
from plies.terminal.record import read_record, write_record

if TYPE_CHECKING:
    from plies.terminal.session import Session

HINT_SECONDS = 1.0
"""What a person who asks for a hint will wait."""

SCORE_SECONDS = 3.0
"""Scoring every move takes longer than finding the best; it ends as soon as all scores are exact."""

ANALYSIS_SECONDS, ANALYSIS_LINES = 5.0, 3
"""How long an analysis goes on unless a person says otherwise, and how many lines it shows."""

LONGEST_ANALYSIS = 3_600.0

MOVES_SHOWN = 60
"""The most legal moves that are listed: some three lines of them."""


class Command(NamedTuple):
    """A command."""

    usage: str
    help: str
    run: Callable[[Session, str], None]


def command_named(word: str) -> Command | None:
    """The command that a word names, if it does."""
    return COMMANDS.get(ALIASES.get(word.lower(), word.lower()))


def _help(session: Session, _: str) -> None:
    lines = [f"  {command.usage:<12}{command.help}" for command in COMMANDS.values()]
    session.screen.show("\n".join(["Type a move, or one of", *lines]))


def _rules(session: Session, _: str) -> None:
    session.screen.say(session.game.rules or f"{session.game.name} has no description of its rules.")


def _moves(session: Session, _: str) -> None:
    if session.over:
        raise PliesError("there are no moves: the game is over")
    game, state, person = session.game, session.state, session.chooser
    if person is None:
        names = [game.notation(state, action) for action in session.history.legal()]
    else:
        names = [game.choice_notation(state, person, choice) for choice in game.choices(state, person)]
    more = f" … ({len(names)} in all)" if len(names) > MOVES_SHOWN else ""
    between = ", " if any(" " in name for name in names) else " "
    session.screen.say(f"Legal moves: {between.join(names[:MOVES_SHOWN])}{more}")


def _hint(session: Session, _: str) -> None:
    found = _search(session)
    game, state = session.game, session.state
    session.hints += 1
    if found.matrix is not None:
        said = [
            f"Value for {game.player_name(0)}: {value_text(found.value)}.",
            *mixed_text(game, found.matrix),
        ]
        session.screen.show("\n".join(said))
    elif session.hints == 1:
        name = game.player_name(game.to_move(state))
        session.screen.say(f"For {name}: {value_text(found.value, game.unit)}. Type hint again for a move.")
    elif session.hints == 2:
        move = game.notation(state, found.action)
        session.screen.say(f"{move} looks best. Type hint again for the line.")
    else:
        session.screen.say(f"Best line: {' '.join(line_text(game, state, found.line))}.")


def _score(session: Session, _: str) -> None:
    count = len(session.history.legal())
    found = _search(session, count if count <= MOST_SCORES else 1, SCORE_SECONDS)
    if found.matrix is not None:
        session.screen.show("\n".join([*matrix_text(session.game, found.matrix), *effort_text(found)]))
        return
    scores = found.scores or {found.action: found.value}
    session.screen.show("\n".join(scores_text(session.game, session.state, scores)))
    if not found.scores:
        session.screen.say("The other moves are no better; how much worse they are is not known.")
    session.screen.show("\n".join(effort_text(found)))


def _analyse(session: Session, argument: str) -> None:
    """Search, and show what is found as it is found."""
    if session.over:
        raise PliesError("there is nothing to analyse: the game is over")
    seconds = _seconds(argument)
    game, state, screen = session.game, session.state, session.screen
    lines = min(ANALYSIS_LINES, len(session.history.legal()))
    found, latest = None, ""
    session.interrupts.noticed = False
    try:
        with watched(lambda compiling: screen.passing(f"{latest} {compiling}")):
            for found in analyse(game, state, time=seconds, lines=lines, previous=session.history.previous):
                latest = f"{progress_text(game, state, found)} (Ctrl-C stops)"
                screen.passing(latest)
    except KeyboardInterrupt:  # between two results, where the search does not notice
        if found is None:
            raise
    screen.passing()
    assert found is not None, "a search has a result"
    session.found = found
    screen.show("\n".join([*best_text(game, state, found), *effort_text(found)]))


def _seconds(argument: str) -> float:
    """The seconds after a command."""
    try:
        seconds = float(argument or ANALYSIS_SECONDS)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= LONGEST_ANALYSIS:  # false for nan, too
        raise PliesError(f"analyse takes a number of seconds up to {LONGEST_ANALYSIS:,.0f}: type analyse 10")
    return seconds


def _search(session: Session, lines: int = 1, seconds: float = HINT_SECONDS) -> SearchResult:
    """What the engine finds here, with exact values for so many moves."""
    if session.over:
        raise PliesError("there is nothing to search: the game is over")
    if session.found is None or len(session.found.lines) < lines:
        with session.screen.thinking("The engine"):
            previous = session.history.previous
            session.found = search(session.game, session.state, time=seconds, lines=lines, previous=previous)
    return session.found


def _expects(session: Session, _: str) -> None:
    session.screen.say(session.pondering.expects(session.state))


def _undo(session: Session, _: str) -> None:
    if session.resigned is not None and not session.forfeit:
        session.resigned = None
    else:
        if not any(map(session.decides, session.history.states[:-1])):
            raise PliesError("you have no move to take back")
        session.resigned, session.forfeit = None, ""
        session.history.undo()
        while not session.decides(session.state):
            session.history.undo()
    session.moved()


def _redo(session: Session, _: str) -> None:
    session.history.redo()
    while session.history.undone and not session.decides(session.state):
        session.history.redo()
    session.moved()


def _jump(session: Session, argument: str) -> None:
    session.history.jump(number_in(argument, "jump"))
    _arrive(session)


def _branch(session: Session, argument: str) -> None:
    number = number_in(argument, "branch")
    if not 1 <= number <= len(session.history.branches):
        raise PliesError(f"there is no branch {number}; game lists the branches")
    session.history.switch(number - 1)
    _arrive(session)


def _arrive(session: Session) -> None:
    """Redo moves until it is a person's turn, or there are no more."""
    while session.history.undone and not session.decides(session.state):
        session.history.redo()
    session.resigned, session.forfeit = None, ""
    session.moved()


def _game(session: Session, _: str) -> None:
    history, start = session.history, session.history.states[0]
    here = len(history.actions)
    names = line_text(session.game, start, history.line)
    words = [f"{n}. {name}{' (here)' if n == here else ''}" for n, name in enumerate(names, 1)]
    session.screen.say(", ".join(words) or "No moves yet.")
    for number, line in enumerate(history.branches, 1):
        session.screen.say(f"Branch {number}: {' '.join(line_text(session.game, start, line))}")


def _resign(session: Session, _: str) -> None:
    if session.over:
        raise PliesError("the game is already over")
    chooser = session.chooser
    mover = session.game.to_move(session.state) if chooser is None else chooser
    session.resigned, session.shown = mover, False


def _new(session: Session, _: str) -> None:
    session.restart()


def _position(session: Session, _: str) -> None:
    session.screen.show(session.game.position(session.state))


def _link(session: Session, _: str) -> None:
    page = served_page()
    session.screen.show(link(session.history, session.position, page or PAGE))
    if not page:
        session.screen.say("The page is not served yet: plies serve does it.")


def _save(session: Session, argument: str) -> None:
    path = path_in(argument, "save")
    write_record(path, session.position, session.history)
    session.screen.say(f"Saved to {path}.")


def _load(session: Session, argument: str) -> None:
    session.position, history = read_record(path_in(argument, "load"), session.game)
    session.continue_with(history)


def _quit(session: Session, _: str) -> None:
    session.quitting = True


COMMANDS = {
    command.usage.split()[0]: command
    for command in (
        Command("moves", "list the legal moves", _moves),
        Command("hint", "your prospects; again, a move; again, the best line", _hint),
        Command("scores", "score every legal move", _score),
        Command("analyse S", "search for S seconds, or until Ctrl-C, and show what is found", _analyse),
        Command("expects", "the reply that an engine that thinks on your time expects", _expects),
        Command("undo", "take back your last move and the replies", _undo),
        Command("redo", "replay what undo took back", _redo),
        Command("game", "the moves so far, and abandoned branches", _game),
        Command("jump N", "go to the position after N moves", _jump),
        Command("branch N", "switch to a branch that game lists", _branch),
        Command("rules", "the rules", _rules),
        Command("position", "the position as a string", _position),
        Command("link", "a link to the game on the page of plies serve", _link),
        Command("save FILE", "save the game as .json, or .pgn, .sgf, .pdn", _save),
        Command("load FILE", "load a game", _load),
        Command("resign", "resign", _resign),
        Command("new", "start again", _new),
        Command("help", "this list", _help),
        Command("quit", "quit", _quit),
    )
}
ALIASES = {"score": "scores", "analyze": "analyse", "?": "help", "h": "help", "q": "quit", "exit": "quit"}
