"""Matrix games: published values, proofs of optimality, saddle points, dominance, and what is refused."""

from __future__ import annotations

import itertools
import json
import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies import BadParameter, MatrixGame, PliesError, matrix_game
from plies.matrix import solve
from plies.matrix.linear_program import solve_in_floats
from plies.matrix.simplex import _Tableau

pytestmark = pytest.mark.plain

F = Fraction

SMALL = st.integers(1, 6).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(-4, 4), min_size=width, max_size=width), min_size=1, max_size=6
    )
)
"""Matrices with many equal entries, so that pivots are often degenerate."""


# -- Published games.


def morra(fingers: int) -> list[list[int]]:
    """Morra: both show some fingers and guess the other's number; who alone is right gets the sum of both."""
    calls = list(itertools.product(range(1, fingers + 1), repeat=2))
    return [
        [(mine + yours) * ((guess == yours) - (other == mine)) for yours, other in calls]
        for mine, guess in calls
    ]


def blotto(mine: int, yours: int) -> list[list[int]]:
    """Colonel Blotto, two posts: whoever has more regiments at one wins those of the other and the post."""

    def fight(a: int, b: int) -> int:
        return b + 1 if a > b else -a - 1 if a < b else 0

    def splits(count: int) -> list[tuple[int, int]]:
        return sorted(((a, count - a) for a in range(count + 1)), key=lambda pair: (-max(pair), -pair[0]))

    return [[sum(map(fight, ours, theirs)) for theirs in splits(yours)] for ours in splits(mine)]


PUBLISHED: list[
    tuple[str, list[list[int]], Fraction, tuple[Fraction, ...] | None, tuple[Fraction, ...] | None]
] = [
    # Name and source, payoffs, value, and the optimal strategies where they are the only ones.
    (
        "matching pennies, Ferguson, Game Theory, II.1",
        [[1, -1], [-1, 1]],
        F(0),
        (F(1, 2),) * 2,
        (F(1, 2),) * 2,
    ),
    ("rock, paper, scissors", [[0, -1, 1], [1, 0, -1], [-1, 1, 0]], F(0), (F(1, 3),) * 3, (F(1, 3),) * 3),
    (
        "odd or even, Ferguson, II.1.2",
        [[-2, 3], [3, -4]],
        F(1, 12),
        (F(7, 12), F(5, 12)),
        (F(7, 12), F(5, 12)),
    ),
    (
        "Holmes and Moriarty, von Neumann and Morgenstern 1944, 18.4.4",
        *([[100, 0], [-50, 100]], F(40), (F(3, 5), F(2, 5)), (F(2, 5), F(3, 5))),
    ),
    (
        "2 x 4, Ferguson, II.2.4",
        *([[2, 3, 1, 5], [4, 1, 6, 0]], F(17, 7), (F(5, 7), F(2, 7)), (F(0), F(5, 7), F(2, 7), F(0))),
    ),
    ("4 x 2, Ferguson, II.2.4", [[1, 5], [4, 4], [6, 2]], F(4), None, None),
    (
        "a saddle point, Ferguson, II.2.1",
        [[4, 1, -3], [3, 2, 5], [0, 1, 6]],
        F(2),
        (F(0), F(1), F(0)),
        (F(0), F(1), F(0)),
    ),
    ("two-finger Morra, Dresher 1961", morra(2), F(0), None, None),
    ("three-finger Morra, Williams 1954", morra(3), F(0), None, None),
    ("Colonel Blotto, 4 regiments against 3, Dresher 1961", blotto(4, 3), F(14, 9), None, None),
]


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case[0])
def test_published_games(case: Any) -> None:
    _, rows, value, row, column = case
    game = matrix_game(rows)
    assert game.exact
    assert game.value == value
    assert row is None or game.row_strategy == row
    assert column is None or game.column_strategy == column
    assert solve_in_floats(game.rows)[0] == pytest.approx(float(value), abs=1e-9)


def test_published_strategies_of_games_with_several() -> None:
    """Each is optimal: it is sure of the value."""
    two = matrix_game(morra(2))
    for odds in ((0, F(4, 7), F(3, 7), 0), (0, F(3, 5), F(2, 5), 0)):
        assert two.guarantee(odds) == two.concession(odds) == 0
    three = matrix_game(morra(3))
    best = {(1, 3): F(5, 12), (2, 2): F(4, 12), (3, 1): F(3, 12)}  # what is shown, and guessed
    odds = [best.get(call, F(0)) for call in itertools.product((1, 2, 3), repeat=2)]
    assert three.guarantee(odds) == three.concession(odds) == 0
    assert blotto(4, 3) == [[4, 0, 2, 1], [0, 4, 1, 2], [1, -1, 3, 0], [-1, 1, 0, 3], [-2, -2, 2, 2]]
    colonel = matrix_game(blotto(4, 3))
    assert colonel.guarantee((F(4, 9), F(4, 9), 0, 0, F(1, 9))) == F(14, 9)
    assert colonel.concession((F(1, 18), F(1, 18), F(4, 9), F(4, 9))) == F(14, 9)


# -- Proof: strategies that guarantee the value.


def assert_solved(rows: Any, game: MatrixGame) -> None:
    """Both strategies are distributions, and each is sure of the value: it can be neither more nor less."""
    for strategy, count in ((game.row_strategy, len(rows)), (game.column_strategy, len(rows[0]))):
        assert len(strategy) == count
        assert min(strategy) >= 0
        assert sum(strategy) == 1
    assert game.guarantee(game.row_strategy) == game.value == game.concession(game.column_strategy)
    assert game.payoff(game.row_strategy, game.column_strategy) == game.value
    assert game.exploitability(game.row_strategy, game.column_strategy) == 0


@given(SMALL)
def test_every_solution_is_its_own_proof(rows: list[list[int]]) -> None:
    assert_solved(rows, matrix_game(rows))


@given(SMALL.map(lambda rows: [[entry * 0.37 - 0.1 for entry in row] for row in rows]))
def test_floats_are_decimals(rows: list[list[float]]) -> None:
    game = matrix_game(rows)
    assert_solved(rows, game)
    assert [list(map(float, row)) for row in game.rows] == rows


def test_a_float_counts_as_the_decimal_that_people_write() -> None:
    assert matrix_game([[0.1]]).value == F(1, 10)
    assert matrix_game(np.array([[-2.5e-7]])).value == F(-1, 4_000_000)


@given(SMALL)
def test_highs_agrees_with_the_exact_value(rows: list[list[int]]) -> None:
    exact, floats = matrix_game(rows), matrix_game(rows, exact=False)
    assert isinstance(floats.value, float)
    assert floats.value == pytest.approx(float(exact.value), abs=1e-9)
    assert float(exact.exploitability(floats.row_strategy, floats.column_strategy)) == pytest.approx(
        0, abs=1e-9
    )


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_nashpy_agrees_on_random_games(seed: int) -> None:
    """It enumerates the vertices of the best-reply polytopes, which is another method than ours."""
    import nashpy  # here, for it takes half a second

    rng = np.random.default_rng(seed)
    payoffs = rng.integers(-50, 50, size=rng.integers(2, 7, size=2))
    game = matrix_game(payoffs)
    equilibria = list(nashpy.Game(payoffs).vertex_enumeration())
    assert equilibria
    for row, column in equilibria:
        assert row @ payoffs @ column == pytest.approx(float(game.value), abs=1e-7)
        assert (row @ payoffs).min() == pytest.approx((payoffs @ column).max(), abs=1e-7)


def test_a_large_game_is_solved_in_floating_point() -> None:
    payoffs = np.random.default_rng(1).normal(size=(60, 50))
    game = matrix_game(payoffs)
    assert not game.exact
    assert float(game.exploitability(game.row_strategy, game.column_strategy)) == pytest.approx(0, abs=1e-9)
    with pytest.raises(BadParameter, match="up to 1,600 entries"):
        game.dominance()
    assert "…" in game.table()


def test_a_large_game_with_a_saddle_point_is_exact() -> None:
    rows = [[i - j for j in range(50)] for i in range(50)]
    with mock.patch.dict("sys.modules", {"scipy.optimize": None}):
        assert matrix_game(rows).value == 0


def test_without_scipy_a_sentence_says_what_to_do() -> None:
    payoffs = np.random.default_rng(1).normal(size=(60, 50))
    with (
        mock.patch.dict("sys.modules", {"scipy.optimize": None}),
        pytest.raises(PliesError, match=r"60 × 50 is solved by SciPy: pip install 'plies\[lp\]'"),
    ):
        _ = matrix_game(payoffs).value


def test_a_pivot() -> None:
    """Worked by hand: a wrong one may go on for ever."""
    tableau = _Tableau([1, 1], [[3, 1], [1, 2]], [1, 1])
    tableau._pivot(0, 0)
    assert tableau.entries == [[1, 1, 1], [-1, 5, 2], [1, -2, 1]]
    assert (tableau.denominator, tableau.basis, tableau.outside) == (3, [0, 3], [2, 1])


def test_degenerate_games() -> None:
    """Many of their pivots leave the objective where it is."""
    for size in range(2, 12):
        rows = [[(i * j) % 3 - 1 for j in range(size)] for i in range(size)]
        assert_solved(rows, matrix_game(rows))
    assert solve([[0] * 5] * 5).value == 0
    assert solve([[0, -1, -1], [0, -1, 0], [0, 1, -1]]).value == Fraction(-1, 3)  # a pivot may not be 0


# -- Pure strategies.


def test_all_saddle_points() -> None:
    game = matrix_game([[2, 1, 1], [4, 1, 1], [0, 0, 1]])
    assert game.saddle_points == [(0, 1), (0, 2), (1, 1), (1, 2)]
    assert game.maximin == (1, (0, 1))
    assert game.minimax == (1, (1, 2))
    assert game.value == 1


@given(SMALL)
def test_saddle_points_are_equilibria_and_no_others_are(rows: list[list[int]]) -> None:
    game = matrix_game(rows)
    columns = list(zip(*rows, strict=True))
    found = [
        (i, j)
        for i, row in enumerate(rows)
        for j, entry in enumerate(row)
        if entry == min(row) and entry == max(columns[j])
    ]
    assert game.saddle_points == found
    assert game.maximin.value <= game.value <= game.minimax.value
    assert all(min(rows[i]) == game.maximin.value for i in game.maximin.choices)


@given(SMALL)
def test_the_one_who_moves_second_is_never_worse_off(rows: list[list[int]]) -> None:
    game = matrix_game(rows)
    for first, level in (("row", game.maximin), ("column", game.minimax)):
        tree = plies.Tree(game.extensive_form(first))
        assert plies.book.minimax(tree, player=0).value == level.value


def test_the_transposed_game_is_seen_by_column() -> None:
    game = matrix_game([[2, 3, 1, 5], [4, 1, 6, 0]], row_names="a,b")
    assert game.transposed.value == -game.value
    assert game.transposed.column_names == ("a", "b")
    assert game.transposed.transposed == game


# -- Dominance.


def test_dominance_step_by_step() -> None:
    game = matrix_game([[2, 0, 4], [1, 2, 3], [4, 1, 2]])  # Ferguson, II.2.2: value 7/4
    steps = game.dominance()
    assert list(map(str, steps)) == [
        "column c3 is strictly dominated by c2",
        "row r1 is strictly dominated by r3",
    ]
    assert steps[-1].left == matrix_game([[1, 2], [4, 1]], row_names="r2,r3")
    assert [step.left.value for step in steps] == [game.value] * 2 == [F(7, 4)] * 2


def test_dominance_by_a_mixture() -> None:
    (row, *rest) = matrix_game([[4, 0], [0, 4], [1, 1]]).dominance()
    assert str(row) == "row r3 is strictly dominated by 1/2 r1 + 1/2 r2"
    assert rest == []


def test_weak_dominance_is_for_those_who_ask() -> None:
    game = matrix_game([[1, 1], [1, 0]])
    assert game.dominance() == []
    assert list(map(str, game.dominance(weak=True))) == ["row r2 is weakly dominated by r1"]
    assert matrix_game([[1, 1], [1, 1]]).dominance(weak=True) == []  # equals dominate nobody


def test_weak_dominance_by_a_mixture() -> None:
    game = matrix_game([[4, 0, 1], [0, 4, 1], [2, 2, 0]])
    assert game.dominance() == []
    (row,) = game.dominance(weak=True)
    assert str(row) == "row r3 is weakly dominated by 1/2 r1 + 1/2 r2"


def test_what_weak_dominance_leaves_depends_on_the_order() -> None:
    game = matrix_game([[1, 2, 0], [1, 0, 2], [1, 1, 0]])
    rows_first, columns_first = game.dominance(weak=True), game.transposed.dominance(weak=True)
    assert list(map(str, rows_first)) == ["row r3 is weakly dominated by r1"]
    assert list(map(str, columns_first)) == [
        "row c1 is weakly dominated by 1/2 c2 + 1/2 c3",  # which were equal without r3
        "column r3 is strictly dominated by 3/4 r1 + 1/4 r2",
    ]
    assert rows_first[-1].left.value == -columns_first[-1].left.value == game.value


def test_weak_dominance_on_kuhn_poker() -> None:
    """Kuhn (1950) reduced his poker to 8 × 4 strategies, of value -1/18; a mixture dominates one of the 8."""
    bet, fold, call = range(3)  # the first player bets at once, or passes and then folds or calls

    def payoff(mine: int, yours: int, first: int, second: tuple[bool, bool]) -> int:
        calls, bets = second
        sign = 1 if mine > yours else -1
        if first == bet:
            return 2 * sign if calls else 1
        return sign if not bets else -1 if first == fold else 2 * sign

    firsts = list(itertools.product(range(3), repeat=3))
    responses = list(itertools.product((False, True), repeat=2))
    seconds = [(low, middle, (True, True)) for low in responses for middle in responses]
    deals = list(itertools.permutations(range(3), 2))
    rows = [[F(sum(payoff(a, b, s[a], t[b]) for a, b in deals), 6) for t in seconds] for s in firsts]
    game = matrix_game(rows, row_names=[str(i) for i in range(27)], column_names=[str(j) for j in range(16)])
    left = game.dominance(weak=True)[-1].left
    kuhn = set(itertools.product((bet, fold), (fold, call), (bet, call)))
    remaining = {firsts[int(name)] for name in left.row_names}
    assert kuhn - remaining == {(fold, fold, call)}
    assert remaining < kuhn
    low, middle = ([(False, False), (False, True)], [(False, False), (True, False)])
    assert {seconds[int(name)][:2] for name in left.column_names} == set(itertools.product(low, middle))
    assert left.value == game.value == F(-1, 18)


@given(SMALL)
def test_weak_dominance_agrees_with_floating_point(rows: list[list[int]]) -> None:
    """A row is weakly dominated if the others can be mixed to be never worse, and better in sum."""
    optimize = pytest.importorskip("scipy.optimize")
    steps = {step.name for step in matrix_game(rows).dominance(weak=True)[:1] if step.player == "row"}
    dominated = set()
    for i, row in enumerate(rows):
        others = np.array([other for k, other in enumerate(rows) if k != i])
        if len(others):
            gain = others - np.array(row)
            found = optimize.linprog(
                -gain.sum(axis=1), -gain.T, np.zeros(len(row)), np.ones((1, len(others))), [1]
            )
            if found.status == 0 and found.fun < -1e-7:
                dominated.add(f"r{i + 1}")
    assert steps <= dominated
    assert bool(dominated) <= bool(matrix_game(rows).dominance(weak=True))


@given(SMALL, st.booleans())
def test_what_is_eliminated_is_dominated_and_the_value_stays(rows: list[list[int]], weak: bool) -> None:
    game = before = matrix_game(rows)
    for step in game.dominance(weak=weak):
        mine = before if step.player == "row" else before.transposed
        lost = mine.rows[mine.row_names.index(step.name)]
        mixed = [
            sum(weight * mine.rows[mine.row_names.index(name)][j] for name, weight in step.by.items())
            for j in range(len(lost))
        ]
        assert sum(step.by.values()) == 1
        assert step.name not in step.by
        if step.strict:
            assert all(a > b for a, b in zip(mixed, lost, strict=True))
        else:
            assert all(a >= b for a, b in zip(mixed, lost, strict=True))
            assert any(a > b for a, b in zip(mixed, lost, strict=True))
        assert step.left.value == game.value
        before = step.left
    for mine in (before, before.transposed):
        for one, other in itertools.permutations(mine.rows, 2):
            assert not all(a > b for a, b in zip(one, other, strict=True)), "nothing is left to eliminate"


# -- Reading and writing.


def test_many_ways_to_give_a_matrix(tmp_path: Path) -> None:
    wanted = matrix_game([[1, F(-1, 2)], [-1, 1]])
    (tmp_path / "plain.csv").write_text("1,-1/2\n-1,1\n")
    (tmp_path / "game.json").write_text(json.dumps(wanted.to_dict()))
    for given_so in (
        "1 -1/2; -1 1",
        "1, -0.5\n-1, 1\n",
        "[[1, -0.5], [-1, 1]]",
        [[1, "-1/2"], ["-1", 1.0]],
        [(1, Decimal("-0.5")), (-1, True + 0)],
        np.array([[1, -0.5], [-1, 1]]),
        [np.array([1, -0.5]), np.array([-1, 1])],
        wanted,
        wanted.to_dict(),
        tmp_path / "plain.csv",
        str(tmp_path / "game.json"),
    ):
        assert matrix_game(given_so) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "move,rock,paper\nup,1,2\ndown,3,4\n",
        ",rock,paper\nup,1,2\ndown,3,4\n",
        "rock;paper\nup;1;2\ndown;3;4\n",
        "\trock\tpaper\nup\t1\t2\ndown\t3\t4\n",
        "move rock paper\nup 1  2\ndown 3 4\n",
    ],
)
def test_csv_with_names(tmp_path: Path, text: str) -> None:
    (tmp_path / "game.csv").write_text(text)
    game = matrix_game(tmp_path / "game.csv")
    assert game == matrix_game([[1, 2], [3, 4]], row_names="up,down", column_names=["rock", "paper"])


def test_the_repr_makes_the_game_again() -> None:
    game = matrix_game([[F(1, 3), -2], [0, 4]], row_names=["up there", "down"])
    assert eval(repr(game)) == game
    assert repr(matrix_game([[0] * 50] * 2)) == "<MatrixGame of 2 × 50>"


def test_what_a_game_says() -> None:
    game = matrix_game([[3, 0, 2], [1, 2, 4], [0, 1, 1]], row_names="a,b,c")
    assert str(game) == (
        "   c1  c2  c3\n"
        "a   3   0   2\n"
        "b   1   2   4\n"
        "c   0   1   1\n"
        "\n"
        "value          3/2\n"
        "Row plays      a 1/4, b 3/4\n"
        "Column plays   c1 1/2, c2 1/2\n"
        "saddle points  none: pure maximin 1 < minimax 2"
    )
    assert json.loads(json.dumps(game.to_dict()))["row_strategy"] == ["1/4", "3/4", 0]
    assert "saddle points  r2/c1" in str(matrix_game("1 2; 3 4"))


# -- Refusals: a sentence each.


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([], "this one is empty"),
        ([[]], "row 1 is empty"),
        ("", "this one is empty"),
        (" ; ", "this one is empty"),
        ([[1, 2], [3]], "equally long; row 1 has 2 entries, row 2 1"),
        ("1 2; 3", "equally long"),
        ([[1, "two"]], "row 1, column 2 of a matrix must be a number, such as 2, -0.5 or 1/3, not 'two'"),
        ("1 2; x 4", "row 2, column 1 of a matrix must be a number"),
        ([[1, math.inf]], "must be a number, such as 2, -0.5 or 1/3, not inf"),
        ([[1, math.nan]], "not nan"),
        ("[[1, NaN]]", "not nan"),
        ([["1/0"]], "not '1/0'"),
        ([["1e999999999"]], "not '1e999999999'"),
        ([["1e301"]], "between -1e300 and 1e300"),
        ([[10**301]], "between -1e300 and 1e300"),
        ([[10**5000]], "not a number of thousands of digits"),
        ([[Decimal("inf")]], "not Decimal"),
        ([[None]], "not None"),
        ([[True]], "not True"),
        ([[1j]], "not 1j"),
        ([[[1]]], r"not \[1\]"),
        ([1, 2], "row 1 of a matrix must be a list of numbers, not 1"),
        (["12", "34"], "row 1 of a matrix must be a list of numbers"),
        (5, "a matrix is a list of rows"),
        (None, "a matrix is a list of rows"),
        ({"row": [[1]]}, "'rows' is missing"),
        ('{"rows": [[1]', "the matrix is not JSON"),
        ("[" * 100_000, "the matrix is not JSON"),
        ("no/such.csv", "cannot be read: No such file"),
        ([[0] * 501] * 500, "250,000 entries; this one has 500 × 501"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 60 else "",
)
def test_bad_matrices_get_a_sentence(rows: Any, sentence: str) -> None:
    with pytest.raises(BadParameter, match=sentence) as refused:
        matrix_game(rows)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 250


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["a"], "there must be 2 names of rows, not 1"),
        (["a", "a"], "must be distinct"),
        (["a", " "], "must be distinct and not empty"),
        (["a", 2], "must be text"),
        ("a,b,c", "not 3"),
    ],
)
def test_bad_names_get_a_sentence(names: Any, sentence: str) -> None:
    with pytest.raises(BadParameter, match=sentence):
        matrix_game([[1], [2]], row_names=names)


def test_bad_files_get_a_sentence(tmp_path: Path) -> None:
    for name, content, sentence in (
        ("text.csv", b"a,b\nc,d\n", "must be a number"),
        ("bytes.csv", b"\xff\xfe\x00", "it is no text in UTF-8"),
        ("empty.csv", b"\n\n", "is empty"),
        ("ragged.csv", b"1,2\n3\n", "equally long"),
        ("names.csv", b"a,b\n", "must be a number|is empty"),
        ("deep.json", b"[[", "is not JSON"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(BadParameter, match=sentence):
            matrix_game(tmp_path / name)
    with pytest.raises(BadParameter, match="cannot be read"):
        matrix_game(tmp_path)


def test_bad_strategies_get_a_sentence() -> None:
    game = matrix_game("1 -1; -1 1")
    with pytest.raises(BadParameter, match="Row's strategies have numbers 0 to 1, not 2"):
        game.payoff(2, 0)
    with pytest.raises(BadParameter, match="Column's strategy must have 2 probabilities, not 3"):
        game.payoff(0, [1, 0, 0])
    for nonsense in ("ab", None, [[1], [2]], 0.5):
        with pytest.raises(BadParameter, match="Row's strategy must be a list of probabilities"):
            game.guarantee(nonsense)
    assert game.payoff(np.int64(0), np.array([0.5, 0.5])) == 0
    for bad in ([0.5, 0.6], [-1, 2], [math.nan, 1]):
        with pytest.raises(BadParameter, match="probabilities that sum to 1"):
            game.guarantee(bad)
    with pytest.raises(BadParameter, match="first must be 'row' or 'column'"):
        game.extensive_form("both")


@pytest.mark.parametrize(
    ("rows", "value"),
    [
        ([[0, 0, 1], [1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 0, 0]], Fraction(1, 2)),
        ([[1, 2, 2, 3], [3, 0, 2, 1], [3, 3, 2, 1], [2, 3, 3, 3], [3, 1, 2, 0]], Fraction(7, 3)),
    ],
)
def test_a_tie_of_rows_that_do_not_limit_what_grows(rows: list[list[int]], value: Fraction) -> None:
    """Degenerate: some variables of the basis are 0. What both strategies guarantee shows the value."""
    found = solve(rows)
    assert found.value == value
    shares = found.row_strategy, found.column_strategy
    assert [sum(strategy) for strategy in shares] == [1, 1]
    assert (
        min(sum(p * row[j] for p, row in zip(shares[0], rows, strict=True)) for j in range(len(rows[0])))
        == value
    )
    assert max(sum(q * x for q, x in zip(shares[1], row, strict=True)) for row in rows) == value
