"""Gomoku and Renju: forbidden points and wins by continuous fours from test sets, OpenSpiel, a slow twin."""

from __future__ import annotations

import random
from typing import Any

import pytest

from oracles import oracle
from plies import BadParameter, BadPosition, Gomoku, IllegalMove, ProofNumberSearch, Renju, check_game
from plies.compiled import interpreting, kernel
from plies.engine import AlphaBeta, Limit, Value
from plies.games.gomoku_board import State
from plies.games.renju import DOUBLE_FOUR, DOUBLE_THREE, judged
from plies.games.wide_bitboard import holds, is_empty, single, wide

KINDS = ("", "", "overline", "double_four", "double_three")
FREE = Renju(opening=False)


def board(rows: list[str], player: int) -> State:
    """The state of a board in a test set, whose stones need not be as many as a game's."""
    stones = "".join(reversed(rows))
    black, white = (sum((stone == name) << i for i, stone in enumerate(stones)) for name in "XO")
    return State(wide(black), wide(white), player, 0)


def points(game: Gomoku, cells: Any) -> set[str]:
    return {game.point(cell).upper() for cell in range(game.cells) if holds(cells, cell)}


@pytest.mark.plain
@pytest.mark.no_cover
def test_points_are_forbidden_as_in_the_test_sets() -> None:
    cases = oracle("gomoku_renju/renju_forbidden.json")["point_cases"]
    assert len(cases) >= 50
    for case in cases:
        state = board(case["board"], ("black", "white").index(case["side"]))
        legal = holds(FREE.legal(state), FREE.cell(case["point"]))
        assert legal == (not case["forbidden"]), case


def test_all_forbidden_points_of_a_board_are_found_with_their_kinds() -> None:
    cases = oracle("gomoku_renju/renju_forbidden.json")["whole_board"]
    assert len(cases) >= 10
    for case in cases:
        state = board(case["board"], 0)
        empty = FREE.empty(state)
        kinds = {
            FREE.point(cell).upper(): KINDS[judged(FREE, state.black, state.white, cell)]
            for cell in range(FREE.cells)
            if holds(empty, cell)
        }
        assert {point: kind for point, kind in kinds.items() if kind} == case["forbidden_points"]
        assert points(FREE, FREE.forbidden_cells(state, empty)) == set(case["forbidden_points"])


def test_a_three_counts_only_if_black_may_make_it_a_straight_four() -> None:
    # With h8, black has two threes: g7-h8-i9, and h8-j6-k5, of which i7 makes a straight four. But with j7
    # there, i7 makes a second four, in row 7, and so is forbidden; and h8 makes one three alone.
    threes = FREE.parse_position("f7 a1 g7 o1 i9 a15 j6 o15 k5 a8")
    assert judged(FREE, threes.black, threes.white, FREE.cell("h8")) == DOUBLE_THREE
    assert FREE.cell("h8") not in list(FREE.actions(threes))
    one = FREE.parse_position("f7 a1 g7 o1 i9 a15 j6 o15 k5 a8 j7 o8")
    assert judged(FREE, one.black, one.white, FREE.cell("h8")) == 0
    assert FREE.cell("h8") in list(FREE.actions(one))
    after = FREE.result(one, FREE.cell("h8"))
    assert judged(FREE, after.black, after.white, FREE.cell("i7")) == DOUBLE_FOUR


def test_a_forbidden_point_is_refused_with_its_reason() -> None:
    game = Renju(opening=False)
    rows = "/".join(
        ["." * 15] * 7 + [".......XX......", "......X........", "......X........"] + ["." * 15] * 5
    )
    state = game.parse_position("O" + rows[1:14] + "O" + rows[15:-16] + "/O.............O B")
    with pytest.raises(IllegalMove, match="'g8' is not a legal move: black may not make a double three"):
        game.parse_action(state, "g8")


def test_wins_by_continuous_fours_are_forced_moves() -> None:
    """Each attacking move is among the noisy ones, and each answer the only plausible one."""
    replayed = 0
    for case in oracle("gomoku_renju/vcf_wins.json")["cases"]:
        line = case.get("vcf_line_found_here")
        if not line:
            continue
        state = board(case["board"], ("black", "white").index(case["to_move"]))
        for number, move in enumerate(line):
            if move in ("*", "forbidden-block"):
                break
            action = FREE.cell(move)
            assert action in list(FREE.noisy(state)), (case["name"], move)
            if number % 2:
                assert list(FREE.candidates(state)) == [action]
            state = FREE.result(state, action)
            replayed += 1
    assert replayed > 80


def fours(game: Gomoku, state: State, seen: set[Any]) -> bool:
    """Whether the player to move wins by continuous fours: a plain search through the noisy moves."""
    for action in game.noisy(state):
        child = game.result(state, action)
        if child.won:
            return True
        if child in seen:
            continue
        seen.add(child)
        if not is_empty(game.threats(child, child.player).fives) or game.is_quiet(child):
            continue
        if all(fours(game, game.result(child, answer), seen) for answer in game.noisy(child)):
            return True
    return False


def test_a_search_through_noisy_moves_finds_a_win() -> None:
    case = oracle("gomoku_renju/vcf_wins.json")["cases"][0]
    assert fours(FREE, board(case["board"], 0), set())
    assert not fours(FREE, board(case["board"], 1), set())


def continuous_fours() -> list[State]:
    """Positions that are won by them."""
    cases = oracle("gomoku_renju/vcf_wins.json")["cases"]
    return [board(case["board"], ("black", "white").index(case["to_move"])) for case in cases]


@pytest.mark.skipif(interpreting(), reason="takes minutes interpreted")
@pytest.mark.long
def test_the_engine_proves_wins_by_continuous_fours() -> None:
    """The first eight of ten, each within a million nodes; the two deep ones take more."""
    for state in continuous_fours()[:8]:
        proved = False
        for found in AlphaBeta(FREE, memory=16).analyse(state, Limit(nodes=1_000_000)):
            proved = found.value.proved and found.value.utility == 1
            if proved:
                break
        assert proved, FREE.text(state)


@pytest.mark.long
@pytest.mark.skipif(interpreting(), reason="takes hours interpreted")
def test_proof_number_search_proves_them_all() -> None:
    prover = ProofNumberSearch(FREE, memory=64)
    for state in continuous_fours():
        assert prover.solve(state).value == Value(1, True), FREE.text(state)


def test_a_quiescence_search_proves_a_double_four() -> None:
    """At depth 1: white cannot stop both, and nobody may stop where a five has to be stopped."""
    game = Gomoku(9)
    game.compiled = False  # it takes longer to compile than to run
    state = game.parse_position("c3 b3 d3 f7 e3 a9 f4 a7 f5 c9 f6 e9")
    found = AlphaBeta(game).search(state, Limit(depth=1))
    assert game.notation(state, found.action) == "f3"
    assert found.value.proved
    assert found.value.utility == 1


def longest(stones: dict[tuple[int, int], str], cell: tuple[int, int]) -> set[int]:
    """The lengths of the rows through a stone, walked cell by cell."""
    lengths = set()
    for across, upward in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        length = 1
        for sign in (1, -1):
            column, row = cell[0] + sign * across, cell[1] + sign * upward
            while stones.get((column, row)) == stones[cell]:
                length += 1
                column, row = column + sign * across, row + sign * upward
        lengths.add(length)
    return lengths


@pytest.mark.plain
@pytest.mark.parametrize("game", [Gomoku(5), Gomoku(6, exact=True), Gomoku(9), Gomoku(19, exact=True)])
@pytest.mark.no_cover
def test_random_games_end_as_a_slow_twin_says(game: Gomoku) -> None:
    wins = 0
    for seed in range(8):
        choice, state = random.Random(seed), game.initial()
        stones: dict[tuple[int, int], str] = {}
        while True:
            free = [cell for cell in range(game.cells) if (cell % game.size, cell // game.size) not in stones]
            if game.is_terminal(state):
                assert not list(game.actions(state))
                break
            assert list(game.actions(state)) == free
            if game.size == 19:  # one corner is enough, and fills up
                free = [cell for cell in free if cell % 19 > 11 and cell // 19 > 11] or free
            action = choice.choice(free)
            mover = state.player
            state = game.result(state, action)
            cell = action % game.size, action // game.size
            stones[cell] = "XO"[mover]
            rows = longest(stones, cell)
            assert state.won == (5 in rows if game.exact else max(rows) >= 5)
        if state.won:
            wins += 1
            assert game.utility(state, mover) == 1 == -game.utility(state, 1 - mover)
        else:
            assert game.utility(state, 0) == 0
    assert wins > 0


def test_random_games_as_openspiel_plays_them() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel (open_spiel) is not installed")
    game, referee = Gomoku(9), pyspiel.load_game("gomoku(size=9)")
    for seed in range(2 if interpreting() else 5):
        choice, mine, theirs = random.Random(seed), game.initial(), referee.new_initial_state()
        while not theirs.is_terminal():
            assert not game.is_terminal(mine)
            assert list(game.actions(mine)) == sorted(theirs.legal_actions())
            action = choice.choice(theirs.legal_actions())
            mine = game.result(mine, action)
            theirs.apply_action(action)
        assert game.is_terminal(mine)
        assert [game.utility(mine, player) for player in (0, 1)] == theirs.returns()


@kernel
def value(game, state, player, depth, candidates):  # type: ignore[no-untyped-def]
    """What a state is worth to the player to move, by all actions or by the plausible ones."""
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return 0
    best = -1
    if candidates:
        for action in game.candidates(state):
            child = game.result(state, action)
            best = max(best, -value(game, child, 1 - player, depth - 1, candidates))
            if best == 1:
                return best
    else:
        for action in game.actions(state):
            child = game.result(state, action)
            best = max(best, -value(game, child, 1 - player, depth - 1, candidates))
            if best == 1:
                return best
    return best


@pytest.mark.skipif(interpreting(), reason="takes minutes interpreted")
@pytest.mark.parametrize("game", [Gomoku(7), pytest.param(Gomoku(7, exact=True), marks=pytest.mark.long)])
@pytest.mark.long
def test_what_is_not_plausible_is_not_needed(game: Gomoku) -> None:
    """In crowded random positions, as many plies ahead as there are free cells."""
    decided = 0
    for seed in range(60):
        choice, state = random.Random(seed), game.initial()
        while not game.is_terminal(state) and len(list(game.actions(state))) > 9:
            quiet = [a for a in game.actions(state) if not game.result(state, a).won]
            state = game.result(state, choice.choice(quiet or list(game.actions(state))))
        if not game.is_terminal(state):
            worth = value(game, state, state.player, 9, False)
            assert value(game, state, state.player, 9, True) == worth
            decided += worth != 0
    assert decided > 5


def test_what_is_plausible() -> None:
    game = Gomoku(9)

    def candidates(moves: str) -> set[str]:
        state = game.parse_position(moves)
        return {game.notation(state, action) for action in game.candidates(state)}

    assert candidates("e5 a1 f5 b1 g5 c1 d5 i9") in ({"c5"}, {"h5"})  # a five
    assert candidates("e5 a1 f5 c2 g5 e1 d5") == {"c5", "h5"}  # what stops a five
    assert candidates("e5 a1 f5 c2 g5 i9") in ({"d5"}, {"h5"})  # a straight four
    assert candidates("e5 a1 f5 c2 g5") == {"d5", "h5"}  # in every row of six
    assert len(candidates("e5 a1 f5 c2")) == 77


def test_the_most_promising_comes_first() -> None:
    game = Gomoku()

    def order(moves: str) -> list[str]:
        state = game.parse_position(moves)
        return [game.notation(state, action) for action in game.candidates(state)]

    assert "h8" in order("")[:25]
    assert set(order("h8 a1 i8 o15")[:4]) == {"f8", "g8", "j8", "k8"}  # an open three
    assert set(order("h8 a1 i8")[:4]) == {"f8", "g8", "j8", "k8"}
    assert sorted(order("h8 a1 i8 o15")) == sorted(
        game.notation(game.initial(), action) for action in game.actions(game.parse_position("h8 a1 i8 o15"))
    )


def test_quiet_is_where_nobody_can_make_five() -> None:
    game = Gomoku(9)
    assert game.is_quiet(game.parse_position("e5 a1 f5 c2 g5 i9"))
    assert not game.is_quiet(game.parse_position("e5 a1 f5 c2 g5 i9 d5"))  # white must stop it
    assert not game.is_quiet(game.parse_position("e5 a1 f5 c2 g5 i9 d5 c5"))  # black has five


def test_what_is_forced_when_all_is_lost() -> None:
    """Two straight fours to come, and no way to stop both: one move is as good as any."""
    game = Gomoku()
    state = game.parse_position("c3 a15 d3 o15 e3 a1 l12 o1 l11 h15 l10")
    assert len(list(game.candidates(state))) == 1


def test_an_open_row_is_good() -> None:
    game = Gomoku()
    even = game.evaluate(game.parse_position("h8 a1 b1 h7"), 0)
    two = game.evaluate(game.parse_position("h8 a1 h9 o1"), 0)
    three = game.evaluate(game.parse_position("h8 a1 h9 o1 h10 o3"), 0)
    threatened = game.evaluate(game.parse_position("h8 a1 h9 o1 h10 o3 h11"), 1)
    assert even < two < three
    assert threatened < -0.9


def test_the_opening_of_renju_is_in_the_centre() -> None:
    game = Renju()
    assert [game.notation(game.initial(), action) for action in game.actions(game.initial())] == ["h8"]
    state = game.parse_position("h8")
    assert len(list(game.actions(state))) == 8
    assert len(list(game.actions(game.parse_position("h8 h9")))) == 23
    with pytest.raises(IllegalMove, match="the second stone must be at most 1 from the centre"):
        game.parse_action(state, "h10")
    with pytest.raises(IllegalMove, match="the first stone must be in the centre"):
        game.parse_action(game.initial(), "a1")


def test_black_passes_where_all_is_forbidden() -> None:
    game = Renju(size=7, opening=False)
    row, hole = 0b1111111 << 21, 1 << 24  # the middle row, black but for its middle: seven would be too many
    state = State(wide(row & ~hole), wide((1 << 49) - 1 & ~row), 0, 0)
    assert list(game.actions(state)) == list(game.candidates(state)) == [game.passing]
    assert game.parse_action(state, "pass") == game.passing
    assert list(game.actions(state._replace(player=1))) == [24]  # white may
    after = game.result(state, game.passing)
    assert after == State(state.black, state.white, 1, 0)
    assert game.notation(state, game.passing) == "pass"
    assert game.move_squares(state, game.passing) == ()


def test_white_may_make_six_in_renju_and_black_not() -> None:
    black = "XXX.XX" + "." * 9
    blank = "/".join(["." * 15] * 13)
    state = FREE.parse_position(f"{black}/{blank}/OO.OOO......... B")
    assert FREE.cell("d15") not in list(FREE.actions(state))
    white = state._replace(player=1)
    assert FREE.result(white, FREE.cell("c1")).won == 1
    exact = Gomoku(exact=True)
    assert exact.result(white, exact.cell("c1")).won == 0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("...../.....", "'...../.....' has 2 rows; this board has 5"),
        (
            "...../...../...../...../.... B",
            "row 5 of '...../...../...../...../.... B' has 4 cells; this board has 5",
        ),
        (
            "...../...../...../...../.....",
            "'...../...../...../...../.....' must have B or W after the board, not 'nothing'",
        ),
        (
            "X..../...../...../...../..... B",
            "'X..../...../...../...../..... B' has 1 X and 0 O; X must have as many before a move of X, "
            "and one more after it",
        ),
        (
            "XXXXX/OOOO./...../...../O.... B",
            "'XXXXX/OOOO./...../...../O.... B' goes on after black has five in a row",
        ),
        ("a6", "'a6' is not a legal move: a move must be a point from a1 to e5 (reading 'a6' as moves)"),
        ("a1 a1", "'a1' is not a legal move: the point is occupied (reading 'a1 a1' as moves)"),
    ],
)
def test_what_is_wrong_with_a_position(text: str, sentence: str) -> None:
    with pytest.raises(BadPosition) as caught:
        Gomoku(5).parse_position(text)
    assert str(caught.value) == sentence


def test_no_one_stone_completes_two_rows_apart() -> None:
    with pytest.raises(BadPosition, match="has fives of black that no single stone completes"):
        Gomoku(6).parse_position("XXXXX./OOOO../OOOO../....O./XXXXX./...... W")


def test_a_scene_shows_the_row_that_won() -> None:
    game = Gomoku(6)
    state = game.parse_position("a1 a2 b1 b2 c1 c2 d1 d2 e1")
    scene = game.scene(state)
    assert len(scene.cells) == 36
    assert [line for line in scene.lines if line.look == "row"] == [(0.5, 5.5, 4.5, 5.5, "row")]
    assert len(scene.pieces) == 9
    assert game.text(state).splitlines()[-2:] == [" 1 X X X X X .", "   a b c d e f"]
    assert game.move_squares(state, 35) == ("f6",)


@pytest.mark.parametrize("size", [3, 21])
def test_boards_that_do_not_fit(size: int) -> None:
    with pytest.raises(BadParameter, match=f"size must be between 5 and 19, not {size}"):
        Renju(size)
    with pytest.raises(BadParameter, match="there are 6 weights, not 1"):
        Gomoku(weights=(1,))
    with pytest.raises(BadParameter, match="size must be odd, so that the board has a centre, not 14"):
        Renju(14)


def test_single_cells_far_apart_have_different_keys() -> None:
    game = Gomoku(19)
    states = [State(single(cell), wide(0), 1, 0) for cell in range(361)]
    states += [State(wide(0), single(cell), 1, 0) for cell in range(361)]
    assert len({game.key(state) for state in states}) == 722


@pytest.mark.parametrize("game", [Renju(7)])
@pytest.mark.long  # compiled, all rules of our games are checked in test_check.py
def test_every_rule_holds(game: Gomoku) -> None:
    report = check_game(game, games=2)
    assert report.ok, str(report)
    assert report.compiled or interpreting()
