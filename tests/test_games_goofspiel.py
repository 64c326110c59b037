"""Goofspiel: its rules, its positions, and its value and strategies against other ways to find them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import factorial

import pytest

import plies
from plies import BadParameter, BadPosition, book
from plies.book.backward_induction import fractions
from plies.games.goofspiel import ORDERS, TIES, Goofspiel, State

pytestmark = pytest.mark.plain


def test_the_higher_card_wins_the_prize() -> None:
    game = Goofspiel(cards=3)
    state = game.initial()
    assert (state.prize, state.deck) == (3, (1, 2))
    state = game.play(state, (1, 3))
    assert state == State(((2, 3), (1, 2)), (1,), 2, 0, (0, 3))
    state = game.play(state, (2, 2))  # nobody gets the prize
    assert state.points == (0, 3)
    state = game.play(state, (3, 1))
    assert game.is_terminal(state)
    assert state.points == (1, 3)
    assert [game.utility(state, player) for player in (0, 1)] == [-2, 2]


def test_the_orders_of_prizes() -> None:
    assert Goofspiel(cards=4, prizes="ascending").initial().prize == 1
    game = Goofspiel(cards=3, prizes="random")
    start = game.initial()
    assert game.to_move(start) == plies.CHANCE
    assert list(game.chance(start)) == [(1, 1 / 3), (2, 1 / 3), (3, 1 / 3)]
    drawn = game.result(start, 2)
    assert (drawn.prize, drawn.deck) == (2, (1, 3))
    assert game.to_move(drawn) == plies.SIMULTANEOUS
    last = game.result(game.result(game.result(drawn, (1, 2)), 3), (2, 3))
    assert last.prize == 1  # the last prize needs no lot
    assert game.to_move(last) == plies.SIMULTANEOUS


def test_ties_carry_over_if_they_are_to() -> None:
    game = Goofspiel(cards=3, ties="carry")
    state = game.play(game.initial(), (2, 2))
    assert (state.prize, state.carried) == (2, 3)
    won = game.play(state, (3, 1))
    assert (won.points, won.carried) == ((5, 0), 0)
    twice = game.play(state, (1, 1))
    assert (twice.prize, twice.carried) == (1, 5)
    assert game.play(twice, (3, 3)).points == (0, 0)  # nobody gets what is left at the end


@pytest.mark.parametrize("cards", [1, 2, 3])
def test_there_are_as_many_games_as_orders_of_three_suits(cards: int) -> None:
    # Rhoads and Bartholdi (2012): (N!)^3 if prizes are drawn; the last is not drawn, and has no ply here
    drawn = plies.perft(Goofspiel(cards, "random"), 2 * cards - 1)
    assert drawn == factorial(cards) ** 3
    assert plies.perft(Goofspiel(cards), cards) == factorial(cards) ** 2


@pytest.mark.parametrize("prizes", ORDERS)
@pytest.mark.parametrize("ties", TIES)
def test_the_rules_hold_together(prizes: str, ties: str) -> None:
    report = plies.check_game(Goofspiel(4, prizes, ties), games=15)
    assert report.ok, report


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1.2/1.2/1 3 0:0", "do not come in descending order"),
        ("1.2.3/1.2/1.2 3 0:0", "as many cards in each hand"),
        ("2.1/1.2/1 2 0:0", "ascending order"),
        ("1.9/1.2/1 2 0:0", "cards from 1 to 3"),
        ("1.2/1.2/1 2 9:0", "more than the prizes"),
        ("1.2/1.2/1 2 0:0", ""),
        ("1.2/1.3/2 1 0:0", "do not come in descending order"),
        ("1.2/1.3/1.2 ? 0:0", "which prize is up"),
        ("1.2/1.3/1 1 0:0", "once"),
        ("1.2/1.3/1 2+3 0:0", "more than the prizes"),
        ("what", "not a legal move"),
    ],
)
def test_positions(text: str, words: str) -> None:
    game = Goofspiel(cards=3)
    if words:
        with pytest.raises(BadPosition, match=words):
            game.parse_position(text)
    else:
        assert game.position(game.parse_position(text)) == text


@pytest.mark.parametrize(
    "options", [{"cards": 0}, {"cards": 14}, {"cards": True}, {"prizes": "up"}, {"ties": "split"}]
)
def test_bad_parameters(options: dict[str, object]) -> None:
    with pytest.raises(BadParameter):
        Goofspiel(**options)  # type: ignore[arg-type]


# -- What it is worth.


def by_linear_programming(cards: int, order: str) -> dict[int, float]:
    """The value to the first player of each pair of first bids for the highest prize.

    The recurrence of Rhoads and Bartholdi (2012), in which points won earlier do not matter, over another
    representation, and solved by SciPy.
    """
    optimize = pytest.importorskip("scipy.optimize")

    def solved(rows: list[list[float]]) -> float:
        lowest = min(map(min, rows)) - 1
        shifted = [[entry - lowest for entry in row] for row in rows]
        columns = [[-row[j] for row in shifted] for j in range(len(rows[0]))]
        found = optimize.linprog([1] * len(rows), A_ub=columns, b_ub=[-1] * len(columns), method="highs")
        return float(1 / found.fun + lowest)

    @cache
    def value(mine: frozenset[int], theirs: frozenset[int], deck: frozenset[int]) -> float:
        if not deck:
            return 0.0
        ups = sorted(deck)
        ups = ups if order == "random" else ups[-1:] if order == "descending" else ups[:1]
        return sum(solved(matrix(mine, theirs, deck - {up}, up)) for up in ups) / len(ups)

    def matrix(
        mine: frozenset[int], theirs: frozenset[int], deck: frozenset[int], up: int
    ) -> list[list[float]]:
        return [
            [up * ((i > j) - (i < j)) + value(mine - {i}, theirs - {j}, deck) for j in sorted(theirs)]
            for i in sorted(mine)
        ]

    suit = frozenset(range(1, cards + 1))
    up = 1 if order == "ascending" else cards
    return matrix(suit, suit, suit - {up}, up)  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("cards", "order"), [(3, "descending"), (4, "descending"), (4, "ascending"), (3, "random"), (4, "random")]
)
def test_values_are_those_of_linear_programming(cards: int, order: str) -> None:
    game = Goofspiel(cards, order)
    state = game.initial() if order != "random" else game.result(game.initial(), cards)
    decision = book.backward_induction(game, state)
    assert decision.value == 0  # the game is symmetric
    assert decision.matrix is not None
    expected = by_linear_programming(cards, order)
    for row, other in zip(decision.matrix.rows, expected, strict=True):
        assert list(map(float, row)) == pytest.approx(other, abs=1e-9)


@pytest.mark.parametrize("game", [Goofspiel(4), Goofspiel(3, "random"), Goofspiel(3, ties="carry")], ids=repr)
@pytest.mark.parametrize("player", [0, 1])
def test_no_reply_gains_against_the_mixed_strategies(game: Goofspiel, player: int) -> None:
    """The best reply to a player's strategies in all states gets the opponent no more than the value."""

    @cache
    def best_reply(state: State) -> Fraction:
        if game.is_terminal(state):
            return Fraction(game.utility(state, 1 - player))
        if game.to_move(state) == plies.CHANCE:
            outcomes = fractions(game.chance(state))
            return sum((share * best_reply(game.result(state, a)) for a, share in outcomes), Fraction(0))
        matrix = book.backward_induction(game, state, player=player).matrix
        assert matrix is not None
        weights = dict(zip(game.choices(state, player), matrix.row_strategy, strict=True))

        def gets(reply: int) -> Fraction:
            pairs = {mine: (mine, reply) if player == 0 else (reply, mine) for mine in weights}
            return sum(
                (Fraction(weights[mine]) * best_reply(game.result(state, pairs[mine])) for mine in weights),
                Fraction(0),
            )

        return max(gets(reply) for reply in game.choices(state, 1 - player))

    assert best_reply(game.initial()) == 0


def test_five_cards_need_a_mixture() -> None:
    solution = plies.solve(Goofspiel(5))
    assert solution.value.utility == 0
    assert solution.matrix is not None
    chances = [float(chance) for chance in solution.matrix.row_strategy]
    assert chances == pytest.approx([0.115828, 0.0320316, 0, 0, 0.85214], abs=1e-5)
    assert solution.matrix.exploitability(solution.matrix.row_strategy, solution.matrix.row_strategy) == 0
