"""Connect Four against published counts and scores, on many boards; its columns and position strings."""

from __future__ import annotations

import csv
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import oracle, oracle_path
from plies import BadParameter, BadPosition, ConnectFour
from plies.games.connect_four import State

GAME = ConnectFour()


def following(game: ConnectFour, level: Counter[State]) -> Counter[State]:
    """The states one ply on, and how many sequences of moves lead to each."""
    states: Counter[State] = Counter()
    for state, sequences in level.items():
        if not game.is_terminal(state):
            for column in game.actions(state):
                states[game.result(state, column)] += sequences
    return states


def reachable(game: ConnectFour) -> set[State]:
    found: set[State] = set()
    level = Counter({game.initial(): 1})
    while level:
        found |= set(level)
        level = following(game, level)
    return found


@pytest.mark.long
@pytest.mark.no_cover
def test_perft_with_finished_games() -> None:
    level = Counter({GAME.initial(): 1})
    for row in list(csv.DictReader(oracle_path("connect4/perft_7x6.csv").read_text().splitlines()))[:8]:
        open_games = Counter({state: n for state, n in level.items() if not GAME.is_terminal(state)})
        assert level.total() == int(row["sequences"])
        assert open_games.total() == int(row["sequences_not_ended"])
        assert len(level) == int(row["distinct_positions"])
        assert len(level) - len(open_games) == int(row["distinct_terminal"])
        level = following(GAME, level)


# As counted by Tromp, and again by M. Böck, arXiv 2507.05267 (2025).
@pytest.mark.parametrize(
    ("width", "height", "count"),
    [(1, 1, 2), (7, 1, 750), (5, 2, 4688), (3, 3, 869), (4, 3, 12031), (1, 3, 4)],
)
def test_reachable_positions_of_small_boards(width: int, height: int, count: int) -> None:
    game = ConnectFour(width, height)
    states = reachable(game)
    assert len(states) == count
    assert len({game.key(state) for state in states}) == count


def test_reachable_positions_by_board() -> None:
    small = {
        board: n
        for board, n in oracle("connect4/position_counts_by_board.json")["counts"].items()
        if n < 8000
    }
    assert len(small) > 20
    for board, count in small.items():
        width, height = map(int, board.split("x"))
        assert len(reachable(ConnectFour(width, height))) == count, board


@pytest.mark.plain
@pytest.mark.parametrize("name", ["L1_R1", "L1_R2", "L1_R3", "L2_R1", "L2_R2", "L3_R1"])
@pytest.mark.no_cover
def test_a_win_in_one_is_where_the_solver_of_pons_says(name: str) -> None:
    # A score is how many stones the winner has left at the end, plus one: the highest there is wins at once.
    for line in oracle_path(f"connect4/pons_Test_{name}.txt").read_text().splitlines():
        moves, score = line.split()
        state = GAME.parse_position(moves)
        assert GAME.parse_position(GAME.position(state)) == state
        assert not GAME.is_terminal(state)
        children = [GAME.result(state, column) for column in GAME.actions(state)]
        wins = [child for child in children if GAME.utility(child, GAME.to_move(state)) == 1]
        assert bool(wins) == (int(score) == (7 * 6 + 1 - state.ply) // 2)


@pytest.mark.parametrize("moves", ["1213141", "1122334", "12233434414", "76655454474", "72233445"])
def test_a_win_in_every_direction_is_the_last_movers(moves: str) -> None:
    before, after = GAME.parse_position(moves[:-1]), GAME.parse_position(moves)
    assert not GAME.is_terminal(before)
    assert GAME.is_terminal(after)
    assert GAME.utility(after, GAME.to_move(before)) == 1


Cell = tuple[int, int]


def fours(game: ConnectFour) -> list[set[Cell]]:
    """Every four cells in a row, found without bitboards."""
    cells = {(column, row) for column in range(game.width) for row in range(game.height)}
    steps = [(0, 1), (1, -1), (1, 0), (1, 1)]
    rows = [{(column + i * x, row + i * y) for i in range(4)} for column, row in cells for x, y in steps]
    return [row for row in rows if row <= cells]


def bitboard(game: ConnectFour, cells: set[Cell]) -> int:
    return sum(1 << (column * (game.height + 1) + row) for column, row in cells)


@st.composite
def boards(draw: st.DrawFn) -> tuple[ConnectFour, set[Cell], set[Cell]]:
    """A board of any size, and two sets of cells that do not meet."""
    height = draw(st.integers(1, 62))
    game = ConnectFour(draw(st.integers(1, 63 // (height + 1))), height)
    cells = [(column, row) for column in range(game.width) for row in range(game.height)]
    owner = draw(st.lists(st.sampled_from("xo."), min_size=len(cells), max_size=len(cells)))
    x, o = ({cell for cell, who in zip(cells, owner, strict=True) if who == name} for name in "xo")
    return game, x, o


@pytest.mark.plain
@given(boards())
def test_four_in_a_row_as_a_plain_search_finds_it(board: tuple[ConnectFour, set[Cell], set[Cell]]) -> None:
    game, x, _ = board
    assert game.four_in_a_row(bitboard(game, x)) == any(four <= x for four in fours(game))


@pytest.mark.plain
@given(boards())
def test_open_fours_as_a_plain_search_counts_them(board: tuple[ConnectFour, set[Cell], set[Cell]]) -> None:
    game, x, o = board
    assert game.open_fours(bitboard(game, x), bitboard(game, o)) == sum(
        len(four & x) for four in fours(game) if not four & o
    )


@pytest.mark.plain
@given(boards())
def test_winning_cells_as_a_plain_search_finds_them(board: tuple[ConnectFour, set[Cell], set[Cell]]) -> None:
    game, x, o = board
    cells = {(column, row) for column in range(game.width) for row in range(game.height)}
    free = {(column, row) for column, row in cells if not {(column, r) for r in range(row + 1)} <= x | o}
    x, o = x - free, o - free  # stones stand upon each other
    wins = {cell for cell in free if any(four - x == {cell} for four in fours(game))}
    assert game.winning_cells(bitboard(game, x), bitboard(game, x | o)) == bitboard(game, wins)


@pytest.mark.parametrize("gap", range(4))
def test_a_gap_anywhere_in_a_row_is_a_winning_cell(gap: int) -> None:
    """In every direction, on the board as it is sold; upright, only the highest is free."""
    for four in fours(GAME):
        cell = sorted(four)[gap]
        stones = bitboard(GAME, four - {cell})
        upright = len({column for column, _ in four}) == 1
        found = GAME.winning_cells(stones, stones) & bitboard(GAME, {cell})
        assert bool(found) == (gap == 3 or not upright)


def test_full_board_is_a_draw() -> None:
    game = ConnectFour(width=3, height=2)
    state = game.parse_position("112233")
    assert game.is_terminal(state)
    assert game.utility(state, 0) == game.utility(state, 1) == 0


def test_columns_centre_first_and_full_ones_left_out() -> None:
    assert list(GAME.actions(GAME.initial())) == [3, 2, 4, 1, 5, 0, 6]
    assert list(ConnectFour(width=6).actions(GAME.initial())) == [3, 2, 4, 1, 5, 0]
    assert list(GAME.actions(GAME.parse_position("444444"))) == [2, 4, 1, 5, 0, 6]


def test_columns_past_nine_have_letters() -> None:
    game = ConnectFour(width=12, height=4)
    assert [game.notation(game.initial(), column) for column in range(12)] == list("123456789abc")
    assert game.parse_position("9aBc") == game.parse_position("9 a b c")


def test_the_centre_is_better_than_the_edge() -> None:
    assert GAME.features(GAME.parse_position("4"))[0] == 7  # seven fours run through the bottom centre
    assert GAME.features(GAME.parse_position("1"))[0] == 3
    assert GAME.features(GAME.parse_position("41"))[0] == (7 - 1) - 2  # each blocks one of the other's
    for sign in (1, -1):
        game = ConnectFour(weights=(0.05 * sign, 0, 0, 0, 0, 0, 0))
        assert game.evaluate(game.parse_position("4"), 0) == pytest.approx(sign * 7 / 27)


def named(game: ConnectFour, board: str) -> dict[str, float]:
    return dict(zip(game.feature_names, game.features(game.parse_position(board)), strict=True))


@pytest.mark.parametrize(
    ("board", "features"),
    [
        # X threatens d3, an odd cell; it is O's turn.
        (
            "......./......./......./XXX..../OOX..../XOOXO..",
            {"good threats": 1, "zugzwang": 1, "tempo": -1},
        ),
        # O threatens d3, for which an odd row is not good.
        (
            "......./......./......./OOO..../OXX...X/XOO.X.X",
            {"other threats": -1, "good threats": 0, "zugzwang": 0, "tempo": 1},
        ),
        # O threatens d2, where X will have to play.
        ("......./......./......./......./OOO..../XXOXX..", {"good threats": 0, "zugzwang": -1, "tempo": 1}),
        # X wins at once.
        ("......./......./......./......./......./XXX.OOO", {"a win at once": 1, "tempo": 1}),
    ],
)
def test_threats_by_the_parity_of_their_rows(board: str, features: dict[str, float]) -> None:
    found = named(GAME, board)
    assert {name: found[name] for name in features} == features


@given(boards())
@pytest.mark.plain
def test_above_is_all_that_is_higher_in_the_column(board: tuple[ConnectFour, set[Cell], set[Cell]]) -> None:
    game, x, _ = board
    higher = {(column, row) for column, low in x for row in range(low + 1, game.height)}
    assert game.above(bitboard(game, x)) == bitboard(game, higher)


def test_text_shows_stones_and_column_numbers() -> None:
    assert ConnectFour(width=4, height=2).text(ConnectFour(width=4, height=2).parse_position("2231")) == (
        ". O . .\nO X X .\n1 2 3 4"
    )


@pytest.mark.parametrize(
    "text",
    [
        "4453",
        "4 4 5 3",
        "......./......./......./......./...O.../..OXX..",
        "|.......|" * 4 + "|...o...|..oxx..|",
    ],
)
def test_ways_to_write_a_position(text: str) -> None:
    assert GAME.parse_position(text) == GAME.parse_position("4453")


SMALL = ConnectFour(width=4, height=4)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("..../..../X...", "'..../..../X...' has 3 rows; this board has 4"),
        ("..../..../.../X...", "row 3 of '..../..../.../X...' has 3 cells; this board has 4"),
        ("..../..../..../X..?", "'?' in row 4, column 4 of '..../..../..../X..?' is not one of X, O and ."),
        ("..../..../.X../O...", "the X in row 3, column 2 of '..../..../.X../O...' has no disc below it"),
        (
            "..../..../..../XX..",
            "'..../..../..../XX..' has 2 X and 0 O; X must have as many, or one more",
        ),
        (
            "..../..../..../.XOO",
            "'..../..../..../.XOO' has 1 X and 2 O; X must have as many, or one more",
        ),
        ("..../O.../OOO./XXXX", "'..../O.../OOO./XXXX' goes on after X has four in a row"),
        ("..../X.../XXXX/OOOO", "'..../X.../XXXX/OOOO' goes on after O has four in a row"),
        ("..../..../OOOO/XXXX", "'..../..../OOOO/XXXX' goes on after X has four in a row"),
        ("..../O.../OXOO/XXXX", "'..../O.../OXOO/XXXX' has fours of X that no single disc completes"),
        ("5", "'5' is not a legal move; legal moves: 3, 2, 4, 1 (reading '5' as moves)"),
        ("12131414", "'4' comes after the end of the game"),
    ],
)
def test_what_is_wrong_with_a_position(text: str, sentence: str) -> None:
    with pytest.raises(BadPosition) as caught:
        SMALL.parse_position(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(("width", "height"), [(8, 7), (10, 6), (0, 6), (7, 0), (-1, 5), (64, 1)])
def test_boards_that_do_not_fit(width: int, height: int) -> None:
    with pytest.raises(BadParameter, match=f"{width}x{height} does not fit"):
        ConnectFour(width, height)


def test_the_largest_boards_that_fit() -> None:
    for width, height in ((9, 6), (7, 8), (1, 62), (31, 1)):
        assert ConnectFour(width, height).board < 1 << 63


@pytest.mark.plain
def test_proved_bounds_hold() -> None:
    """On all positions after some: pairs of cells need tall columns, and many of them."""
    starts = [
        (4, 2, ""),
        (5, 2, ""),
        (4, 4, "22334"),
        (4, 5, "12341234"),
        (5, 4, "3315243"),
        (5, 4, "42133544"),  # four cells are left over, of which X gets two
        (4, 6, "23314344213413"),  # X wins by one of two cells
        (4, 6, "43414414142132322122"),  # X wins by a column
    ]
    kinds = Counter[tuple[int, int, int]]()
    for width, height, moves in starts:
        game = ConnectFour(width, height)
        values: dict[State, int] = {}

        def value(state: State, game: ConnectFour = game, values: dict[State, int] = values) -> int:
            if game.is_terminal(state):
                return game.utility(state, game.to_move(state))
            if state not in values:
                values[state] = max(-value(game.result(state, column)) for column in game.actions(state))
                low, high = game.proved_bounds(state, -1, 1)
                assert low <= values[state] <= high, game.position(state)
                kinds[low, high, game.to_move(state)] += 1
            return values[state]

        value(game.parse_position(moves))
    assert len(kinds) == 8  # a win, a loss and nothing known for both; X at most draws, or O at least


@pytest.mark.plain
@pytest.mark.parametrize(
    ("moves", "bounds"),
    [
        ("1411", (-1, 0)),  # O answers on top of X, and gets one of two cells that are left over
        ("13331", (0, 1)),  # the same, with O to move
        ("243322", (-1, -1)),  # and has a threat on an even row
        ("24241443", (1, 1)),  # O will have to play below a threat of X on an odd row
        ("", (-1, 1)),
    ],
)
def test_proved_bounds_by_pairs_of_cells(moves: str, bounds: tuple[int, int]) -> None:
    game = ConnectFour(4, 4)
    assert game.proved_bounds(game.parse_position(moves), -1, 1) == bounds
