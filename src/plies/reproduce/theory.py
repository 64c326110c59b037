"""Published results of game theory: matrix games, mixed strategies, dice, and pathology."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import permutations, product
from typing import Any

from plies.reproduce.entry import Entry

BET, FOLD, CALL = range(3)
"""In Kuhn's poker, the first player bets at once, or passes and then folds or calls."""


def _matrix(rows: list[list[Any]], *, strategies: bool = False) -> Any:
    """The value of a matrix game, as a fraction, and perhaps the optimal strategies."""
    from plies.matrix import matrix_game

    game = matrix_game(rows, exact=True)
    if not strategies:
        return str(game.value)
    return [str(game.value), [[str(p) for p in mixed] for mixed in (game.row_strategy, game.column_strategy)]]


def _morra(fingers: int) -> str:
    """Morra: both show fingers and guess the other's number; who alone is right gets the sum."""
    calls = list(product(range(1, fingers + 1), repeat=2))
    return _matrix(  # type: ignore[no-any-return]
        [
            [(mine + yours) * ((guess == yours) - (other == mine)) for yours, other in calls]
            for mine, guess in calls
        ]
    )


def _blotto(mine: int, yours: int) -> str:
    """Colonel Blotto at two posts: who has more regiments at one wins those of the other, and the post."""

    def fight(ours: int, theirs: int) -> int:
        return theirs + 1 if ours > theirs else -ours - 1 if ours < theirs else 0

    def splits(count: int) -> list[tuple[int, int]]:
        return [(first, count - first) for first in range(count + 1)]

    return _matrix([[sum(map(fight, a, b)) for b in splits(yours)] for a in splits(mine)])  # type: ignore[no-any-return]


def _kuhn_poker() -> str:
    """Kuhn's poker as a matrix: a strategy says what to do with each of the three cards."""

    def payoff(mine: int, yours: int, first: int, second: tuple[bool, ...]) -> int:
        calls, bets = second
        sign = 1 if mine > yours else -1
        if first == BET:
            return 2 * sign if calls else 1
        return sign if not bets else -1 if first == FOLD else 2 * sign

    firsts = product((BET, FOLD, CALL), repeat=3)
    responses = list(product((False, True), repeat=2))
    seconds = list(product(responses, repeat=3))
    deals = list(permutations(range(3), 2))
    return _matrix(  # type: ignore[no-any-return]
        [
            [Fraction(sum(payoff(a, b, one[a], other[b]) for a, b in deals), 6) for other in seconds]
            for one in firsts
        ]
    )


def _hold_at_20() -> list[float]:
    """Pig: the chances of gaining 0, 20, 21, … 25 points in a turn of holding at 20."""
    from plies.games.pig import HOLD, ROLL, Pig

    game = Pig()
    gains: dict[int, float] = {}
    open_turns = [(game.initial(), 1.0)]
    while open_turns:
        state, chance = open_turns.pop()
        if state.turn >= 20:
            ended = game.result(state, HOLD)
            gains[ended.theirs] = gains.get(ended.theirs, 0.0) + chance
            continue
        rolling = game.result(state, ROLL)
        for face, probability in game.chance(rolling):
            child = game.result(rolling, face)
            if child.player == state.player:
                open_turns.append((child, chance * probability))
            else:
                gains[child.theirs] = gains.get(child.theirs, 0.0) + chance * probability
    return [round(gains[points], 4) for points in sorted(gains)]


def _pathology(kind: str) -> str:
    """Whether minimax decides better or worse at 8 plies than at 1, where leaves are drawn at random."""
    from plies.pathology import random_trees

    found = random_trees(kind, height=10, decisions=2000)
    shallow, deep = found.errors[1].rate, found.errors[8].rate
    if 8 in found.worse:
        return "worse"
    return "better" if deep < shallow else "no difference"


def _nau(kind: str, expected: str, author: str, year: int, source: str) -> Entry:
    return Entry(
        f"pathology-{kind}-leaves",
        f"minimax of 8 plies against 1, trees with {kind} leaves: are its decisions better or worse?",
        author,
        year,
        source,
        expected,
        2,
        partial(_pathology, kind),
    )


def _pennies(name: str, what: str, author: str, year: int, source: str, rows: Any, expected: Any) -> Entry:
    compute = partial(_matrix, rows, strategies=True)
    return Entry(f"matrix-{name}", what, author, year, source, expected, 1, compute)


ENTRIES = (
    _pennies(
        "matching-pennies",
        "Matching Pennies: value, optimal strategies",
        "von Neumann & Morgenstern",
        1944,
        "Theory of Games and Economic Behavior",
        [[1, -1], [-1, 1]],
        ["0", [["1/2", "1/2"], ["1/2", "1/2"]]],
    ),
    _pennies(
        "rock-paper-scissors",
        "Rock, Paper, Scissors: value, optimal strategies",
        "von Neumann & Morgenstern",
        1944,
        "Theory of Games and Economic Behavior",
        [[0, -1, 1], [1, 0, -1], [-1, 1, 0]],
        ["0", [["1/3", "1/3", "1/3"], ["1/3", "1/3", "1/3"]]],
    ),
    _pennies(
        "holmes-and-moriarty",
        "Holmes and Moriarty: value, optimal strategies",
        "von Neumann & Morgenstern",
        1944,
        "Theory of Games and Economic Behavior, 18.4.4",
        [[100, 0], [-50, 100]],
        ["40", [["3/5", "2/5"], ["2/5", "3/5"]]],
    ),
    _pennies(
        "odd-and-even",
        "two-finger Morra, Even against Odd: value, optimal strategies",
        "Russell & Norvig",
        2010,
        "Artificial Intelligence: A Modern Approach, 3rd edition, 17.5",
        [[2, -3], [-3, 4]],
        ["-1/12", [["7/12", "5/12"], ["7/12", "5/12"]]],
    ),
    Entry(
        "matrix-morra-3-fingers",
        "three-finger Morra: value",
        "Williams",
        1954,
        "The Compleat Strategyst",
        "0",
        1,
        partial(_morra, 3),
    ),
    Entry(
        "matrix-colonel-blotto",
        "Colonel Blotto, 4 regiments against 3 at two posts: value",
        "Dresher",
        1961,
        "Games of Strategy: Theory and Applications",
        "14/9",
        1,
        partial(_blotto, 4, 3),
    ),
    Entry(
        "matrix-kuhn-poker",
        "Kuhn's poker as a matrix of 27 by 64: value",
        "Kuhn",
        1950,
        "A Simplified Two-Person Poker, Contributions to the Theory of Games 1",
        "-1/18",
        2,
        _kuhn_poker,
    ),
    Entry(
        "pig-hold-at-20",
        "Pig, chances of gaining 0, 20, 21, … 25 points in a turn of holding at 20",
        "Neller & Presser",
        2004,
        "Optimal Play of the Dice Game Pig, UMAP Journal 25",
        [0.6245, 0.0997, 0.095, 0.0742, 0.0542, 0.0352, 0.0172],
        3,
        _hold_at_20,
    ),
    _nau(
        "independent",
        "worse",
        "Nau",
        1982,
        "An Investigation of the Causes of Pathology in Games, Artificial Intelligence 19",
    ),
    _nau(
        "incremental",
        "better",
        "Nau",
        1982,
        "An Investigation of the Causes of Pathology in Games, Artificial Intelligence 19",
    ),
)
