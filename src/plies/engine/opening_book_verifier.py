"""Verifying an opening book: by the rules and by searches without it, not by the code that made it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from plies.engine.alpha_beta import AlphaBeta
from plies.engine.limit import Limit
from plies.engine.opening_book import NO
from plies.engine.solve import Solver
from plies.engine.value import Value
from plies.errors import BadPosition
from plies.game import Game, State
from plies.opening_book.book import Entry, OpeningBook


@dataclass
class Verified:
    """What was verified, and the faults that were found, in words."""

    backed_up: int = 0
    layer: int = 0
    solved: int = 0
    wrong: list[str] = field(default_factory=list)


def verify(
    book: OpeningBook, samples: int, seed: int = 0, show: Callable[[str], None] = lambda text: None
) -> Verified:
    """Compare every entry with those of its successors, and solve some positions of the layer again."""
    found, game = Verified(), book.game
    entries = dict(book.entries())
    before, layer = _listed(game, book.plies, show)
    for state, entry in entries.items():
        if state in before:
            found.backed_up += 1
            fault = _compared(game, state, entry, entries)
            if fault and state not in layer:
                found.wrong.append(f"{_name(game, state)} {fault}")
        if state in layer:
            found.layer += 1
        elif state not in before:
            found.wrong.append(f"{_name(game, state)} is not reached within {book.plies} plies")
    if (found.layer, len(layer)) != (book.known, book.layer):
        found.wrong.append(
            f"{found.layer:,} of {len(layer):,} positions of the layer are there, not {book.known:,} of "
            f"{book.layer:,}"
        )
    chosen = random.Random(seed).sample(
        [state for state in entries if state in layer], min(samples, found.layer)
    )
    again = _SolvedAgain(book)
    for state in chosen:
        show(f"plies: {found.solved:,} of {len(chosen):,} positions solved again …")
        fault = again.fault(state, entries[state])
        if fault:
            found.wrong.append(f"{_name(game, state)} {fault}")
        found.solved += 1
    return found


def _listed(game: Game, plies: int, show: Callable[[str], None]) -> tuple[set[State], set[State]]:
    """The positions before the layer in which the game goes on, and those of the layer: one of each image."""
    before: set[State] = set()
    level = {min(game.symmetries(game.initial()))}
    for ply in range(plies):
        show(f"plies: {len(before):,} positions listed, ply {ply} …")
        before |= level
        children = {game.result(state, action) for state in level for action in game.actions(state)}
        level = {min(game.symmetries(child)) for child in children if not game.is_terminal(child)}
    return before, level


def _compared(game: Game, state: State, entry: Entry, entries: dict[State, Entry]) -> str:
    """How an entry before the layer differs from what its successors say, in words."""
    mover, draw = game.to_move(state), game.draw_value
    worth: list[tuple[float, int | None]] = []
    missing = 0
    for action in game.actions(state):
        child = game.result(state, action)
        if game.is_terminal(child):
            worth.append((float(game.utility(child, mover)), 0))
            continue
        known = entries.get(min(game.symmetries(child)))
        if known is None:
            missing += 1
        elif game.to_move(child) == mover:
            worth.append((known.utility, known.plies))
        else:
            worth.append((2 * draw - known.utility, known.plies))
    best = max((utility for utility, _ in worth), default=None)
    if best is None or (missing and best < max(game.bounds)):
        return "does not follow from what is known after it"
    if entry.utility != best:
        return f"is {entry.utility:g} in the book, and {best:g} by what comes after it"
    if entry.plies is None:
        return ""
    plies = [1 + number for utility, number in worth if utility == best and number is not None]
    whole = not missing and len(plies) == sum(utility == best for utility, _ in worth)
    right = whole and best != draw and entry.plies == (min(plies) if best > draw else max(plies))
    return "" if right else f"does not take the {entry.plies} plies that the book says"


class _SolvedAgain:
    """Positions of the layer, solved again without the book."""

    def __init__(self, book: OpeningBook) -> None:
        self.book, self.game = book, book.game
        self.solvers: dict[bool, Solver] = {}

    def fault(self, state: State, entry: Entry) -> str:
        """How an entry differs from a new solution, in words."""
        if not self.book.proved:
            return self._as_searched(state, entry)
        distance = entry.plies is not None
        value = self._solved(state, distance)
        if value.utility != entry.utility or (distance and value.plies != entry.plies):
            return f"is worth {value}, not {entry.utility:g}" + (f" in {entry.plies}" if distance else "")
        if entry.move is None:
            return ""
        game, actions = self.game, list(self.game.actions(state))
        if entry.move >= len(actions):
            return "has no such move"
        child, mover = game.result(state, actions[entry.move]), game.to_move(state)
        if game.is_terminal(child):
            reached = float(game.utility(child, mover))
        else:
            after = self._solved(child, False).utility
            reached = after if game.to_move(child) == mover else 2 * game.draw_value - after
        return "" if reached == entry.utility else f"has a move that is worth {reached:g}"

    def _solved(self, state: State, distance: bool) -> Value:
        if distance not in self.solvers:
            self.solvers[distance] = Solver(self.game, distance=distance, book=NO)
        return self.solvers[distance].solve(state).value

    def _as_searched(self, state: State, entry: Entry) -> str:
        """How an estimate is at odds with the rules, or with a value that the same search proves."""
        found = AlphaBeta(self.game, book=NO).search(state, Limit(nodes=self.book.nodes)).value
        if entry.move is None or entry.move >= len(list(self.game.actions(state))):
            return "has no such move"
        return f"is proved to be worth {found}" if found.proved and found.utility != entry.utility else ""


def _name(game: Game, state: State) -> str:
    try:
        return game.position(state)
    except BadPosition:  # the game has no position strings
        return repr(state)
