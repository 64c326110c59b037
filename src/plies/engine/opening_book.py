"""What an opening book says of the root of a search and of its actions: exact values without a search."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plies.engine.job import Job
from plies.engine.result import SearchResult
from plies.engine.score import UNKNOWN, bound_score, from_table
from plies.engine.value import EXACT, Value
from plies.errors import BadParameter
from plies.game import Action, Game, State
from plies.history import legal_actions
from plies.opening_book.book import Entry, OpeningBook
from plies.opening_book.folder import book_for, open_book

YES, NO = "yes", "no"
"""The words that take a book of proved positions where there is one, or none; another word is a file."""


VARIABLE = "PLIES_BOOK"
"""The environment variable that is "no" where no search is to take a book, unless it is named."""


def chosen_book(game: Game, word: str) -> OpeningBook | None:
    """The book that a word stands for: only a file that is named may hold estimates."""
    if not isinstance(word, str):
        raise BadParameter(f"book is {YES}, {NO} or the name of a file, not {word!r}")
    if word == NO:
        return None
    if word != YES:
        return open_book(game, Path(word))
    return None if os.environ.get(VARIABLE) == NO else book_for(game)


@dataclass(frozen=True)
class BookRoot:
    """What a book knows of the root of a search."""

    book: OpeningBook
    value: Value | None
    """The value of the position, if it is known, and an action that attains it."""
    action: Action | None
    scores: dict[Action, Value]
    """The values of the actions that are known."""

    @property
    def rests_on(self) -> str:
        """What its values rest on, in a sentence."""
        if not self.book.proved:
            return f"Estimates are from a book of searched positions, made by {self.book.made_by}."
        return f"Values are from a book of proved positions, made by {self.book.made_by}."

    def settles(self, job: Job) -> bool:
        """Whether there is nothing left to search for."""
        known = len(self.scores) == len(job.actions)
        return known or (self.value is not None and job.lines == 1)

    def line_of(self, state: State, action: Action) -> list[Action]:
        """An action, and what follows by the book."""
        game, line = self.book.game, [action]
        state = game.result(state, action)
        while not game.is_terminal(state):
            found = root_in_book(self.book, game, state, legal_actions(game, state))
            if found is None or found.action is None:
                break
            line.append(found.action)
            state = game.result(state, found.action)
        return line


def root_in_book(
    book: OpeningBook | None, game: Game, state: State, actions: list[Action]
) -> BookRoot | None:
    """What a book knows of a position and of some actions there; None if it is nothing."""
    if book is None:
        return None
    found = book.successors(state)
    scores = {
        action: book_value(book, entry)
        for action, entry in found.items()
        if entry is not None and action in actions
    }
    complete = all(action in actions for action in found)
    entry = book.probe(state) if complete else None
    value = None if entry is None else book_value(book, entry)
    action = None if value is None else _attaining(book, state, value, scores)
    if action is None:
        value = None
    elif value is not None:
        scores.setdefault(action, value)
    return BookRoot(book, value, action, scores) if scores else None


def book_value(book: OpeningBook, entry: Entry) -> Value:
    """An entry as a value."""
    return Value.of(book.game, entry.utility, book.proved, entry.plies if book.proved else None)


def _attaining(book: OpeningBook, state: State, value: Value, scores: dict[Action, Value]) -> Action | None:
    """An action that attains the value: by the plies that are known, the quickest win or the slowest loss."""
    best = [action for action, one in scores.items() if one.utility == value.utility]
    if not best:
        return book.action(state)
    counted = [action for action in best if scores[action].plies is not None]
    if not counted or value.lead == 0:
        return best[0]
    if value.lead > 0 or len(counted) == len(best):
        return max(counted, key=lambda action: scores[action])
    return best[0]


# -- Beside a search.


def known_score(value: Value | None, run: Any) -> int | None:
    """The score of what a book knows of an action; None if plies are missing."""
    if value is None or run.coarse:
        return None
    score = bound_score(value.utility, run)
    if score == UNKNOWN or (run.prefer_quick and score and value.plies is None):
        return None
    return from_table(score, (value.plies or 0) * int(run.prefer_quick))


def left_to_search(known: BookRoot, job: Job) -> Job:
    """The search of what the book does not know."""
    actions = [action for action in job.actions if action not in known.scores]
    return replace(job, actions=actions, lines=min(job.lines, len(actions)), threads=[])


def merged(known: BookRoot, found: SearchResult | None, job: Job) -> SearchResult:
    """A result with what the book knows; `found` is that of a search of the other actions, if any."""
    game, state = job.game, job.state
    action, value = _best(known, found, game)
    ranked = sorted(known.scores, key=lambda one: (one == action, known.scores[one]), reverse=True)
    lines = {one: known.line_of(state, one) for one in ranked[: job.lines]}
    scores = {**(found.scores if found else {}), **known.scores}
    # A search that has only begun has lines of actions without a score: nobody knows what they are worth.
    lines |= {line[0]: line for line in (found.lines if found else []) if line[0] in {action, *scores}}
    ranked = sorted(lines, key=lambda one: (one == action, scores.get(one, value)), reverse=True)
    listed = [lines[one] for one in ranked[: job.lines]]
    if found is None:
        return SearchResult(
            action=action,
            value=value,
            line=list(lines[action]),
            depth=0,
            nodes=0,
            seconds=job.seconds,
            scores=scores,
            lines=listed,
            rests_on=known.rests_on,
            book=known.rests_on,
            game=game,
            state=state,
        )
    return replace(
        found,
        action=action,
        value=value,
        line=list(lines.get(action, [action])),
        seconds=job.seconds,
        scores=scores,
        lines=listed,
        rests_on=f"{known.rests_on} {found.rests_on}",
        book=known.rests_on,
    )


def _best(known: BookRoot, found: SearchResult | None, game: Game) -> tuple[Action, Value]:
    """The best action and the value of the position, by the book and a search of the other actions."""
    if known.value is not None:
        return known.action, known.value
    first = max(known.scores, key=lambda action: known.scores[action])
    if found is None:  # all actions that are searched are known, though not all that are legal
        return first, known.scores[first]
    if not found.scores:
        return first, replace(known.scores[first], proved=False, plies=None)
    values = {**known.scores, found.action: found.value}
    best = found.action if found.value >= known.scores[first] else first
    value = values[best]
    settled = found.value.proved and known.book.proved and found.value.bound == EXACT
    if not settled:
        sure = value.proved and value.bound == EXACT and value.utility >= game.bounds[1]
        return best, replace(value, proved=sure, plies=None)
    equal = [one.plies for one in values.values() if one.utility == value.utility]
    return best, value if None not in equal else replace(value, plies=None)
