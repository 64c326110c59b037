"""Go against published counts, solved boards, OpenSpiel, GNU Go and a slow twin; its records and strings."""

from __future__ import annotations

import itertools
import random
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import oracle
from plies import BadParameter, BadPosition, Go, IllegalMove, check_game
from plies.compiled import interpreting, kernel
from plies.engine import kernels
from plies.games import wide_bitboard as wide
from plies.games.go_board import COLUMNS, NOWHERE, State
from plies.games.go_sgf import read_sgf, write_sgf
from plies.history import History

NINE = Go()
GNU_GO = shutil.which("gnugo", path="/usr/games:/usr/local/bin:/usr/bin") or shutil.which("gnugo")


class Slow:
    """Go as a person plays it: stones in a dict, groups walked stone by stone."""

    def __init__(self, columns: int, rows: int, suicide: bool) -> None:
        self.points = [(column, row) for row in range(rows) for column in range(columns)]
        self.stones: dict[tuple[int, int], str] = {}
        self.suicide = suicide
        self.mover, self.other = "X", "O"
        self.before: list[dict[tuple[int, int], str]] = [{}]

    def beside(self, point: tuple[int, int]) -> list[tuple[int, int]]:
        column, row = point
        near = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
        return [place for place in near if place in self.points]

    def group(self, stones: dict[tuple[int, int], str], point: tuple[int, int]) -> tuple[set[Any], set[Any]]:
        """The group of a stone, and its liberties."""
        group, liberties, left = {point}, set(), [point]
        while left:
            for place in self.beside(left.pop()):
                if place not in stones:
                    liberties.add(place)
                elif stones[place] == stones[point] and place not in group:
                    group.add(place)
                    left.append(place)
        return group, liberties

    def after(self, point: tuple[int, int]) -> dict[tuple[int, int], str] | None:
        """The stones after a move there, None if it is not allowed."""
        if point in self.stones:
            return None
        stones = {**self.stones, point: self.mover}
        for place in self.beside(point):
            if stones.get(place) == self.other:
                group, liberties = self.group(stones, place)
                if not liberties:
                    stones = {key: value for key, value in stones.items() if key not in group}
        group, liberties = self.group(stones, point)
        if not liberties:
            if not self.suicide or len(group) == 1:
                return None
            stones = {key: value for key, value in stones.items() if key not in group}
        return stones

    def moves(self, superko: bool) -> set[str]:
        """The points that may be played: with superko, or with the ko rule that looks back two plies."""
        found = set()
        barred = self.before if superko else self.before[-2:-1]
        for point in self.points:
            stones = self.after(point)
            if stones is not None and stones not in barred:
                found.add(name(point))
        return found

    def play(self, move: str) -> None:
        if move != "pass":
            stones = self.after((COLUMNS.index(move[0]), int(move[1:]) - 1))
            assert stones is not None
            self.stones = stones
        self.before.append(self.stones)
        self.mover, self.other = self.other, self.mover

    def lead(self) -> int:
        """The area of X less that of O."""
        total = 0
        for point in self.points:
            reached = set(self.stones.get(point, ""))
            if not reached:
                region, left = {point}, [point]
                while left:
                    for place in self.beside(left.pop()):
                        if place in self.stones:
                            reached.add(self.stones[place])
                        elif place not in region:
                            region.add(place)
                            left.append(place)
            total += (reached == {"X"}) - (reached == {"O"})
        return total


def name(point: tuple[int, int]) -> str:
    return COLUMNS[point[0]] + str(point[1] + 1)


def moves_of(game: Go, actions: list[int]) -> set[str]:
    state = game.initial()
    return {game.notation(state, action) for action in actions} - {"pass"}


def stones_of(game: Go, state: State) -> dict[tuple[int, int], str]:
    return {
        (cell % game.size, cell // game.size): mark
        for mark, side in (("X", state.black), ("O", state.white))
        for cell in range(game.cells)
        if wide.holds(side, cell)
    }


@pytest.mark.long
@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "plies"),
    [
        (Go(1, komi=0, margin=True), 10),
        (Go(1, rows=5, komi=0, margin=True), 60),
        (Go(2, suicide=True, komi=0, margin=True), 60),
        (Go(3, komi=0, margin=True), 80),
        (Go(4, rows=3, suicide=True, komi=0, margin=True), 120),
        (Go(5, suicide=True, komi=0, margin=True), 120),
        (Go(7, komi=0, margin=True), 90),
        (Go(19, rows=2, komi=0, margin=True), 40),
        (Go(19, rows=8, komi=0, margin=True), 12),
    ],
)
@pytest.mark.no_cover
def test_random_games_as_the_slow_twin_plays_them(game: Go, plies: int) -> None:
    for seed in range(2):
        twin, choice = Slow(game.size, game.height, game.suicide), random.Random(seed)
        history = History(game)
        for _ in range(plies):
            state = history.state
            assert stones_of(game, state) == twin.stones
            assert moves_of(game, list(game.actions(state))) >= twin.moves(superko=True)
            legal = history.legal()
            assert moves_of(game, legal) == twin.moves(superko=True)
            action = choice.choice(legal[:-1] or legal)  # passes where there is nothing else, so games go on
            history.play(action)
            twin.play(game.notation(state, action))
            if history.over:
                break
        assert game.utility(history.state._replace(passes=2), 0) == twin.lead()


@pytest.mark.plain
@pytest.mark.parametrize("game", [Go(3), Go(5), Go(4, rows=2)])
def test_the_ko_point_is_what_looking_back_two_plies_forbids(game: Go) -> None:
    kos = 0
    for seed in range(10):
        twin, choice = Slow(game.size, game.height, False), random.Random(seed)
        state = game.initial()
        for _ in range(60):
            actions = list(game.actions(state))
            if len(actions) > 1:
                assert moves_of(game, actions) == twin.moves(superko=False)
            kos += state.ko != NOWHERE
            action = choice.choice(actions[:-1] or actions)
            twin.play(game.notation(state, action))
            state = game.result(state, action)
            if game.is_terminal(state):
                break
    assert kos > 0


@pytest.mark.plain
@pytest.mark.parametrize(("size", "games"), [(5, 6), (9, 3), (13, 1), (19, 1)])
@pytest.mark.no_cover
def test_random_games_as_openspiel_plays_them(size: int, games: int) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel (open_spiel) is not installed")
    game = Go(size)
    referee = pyspiel.load_game("go", {"board_size": size, "komi": 7.5})
    for seed in range(games):
        choice, state, history = random.Random(seed), referee.new_initial_state(), History(game)
        while not state.is_terminal() and len(history.actions) < 2000 // size:
            words = {
                state.action_to_string(action).split()[1].upper(): action for action in state.legal_actions()
            }
            actions = list(game.actions(history.state))
            assert {game.notation(history.state, action).upper() for action in actions} == set(words)
            action = choice.choice(actions[:-1] or [game.passing])
            child = game.result(history.state, action)
            if (child.black, child.white) in [(old.black, old.white) for old in history.states[:-1]]:
                break  # against superko: OpenSpiel ends the game there
            state.apply_action(words[game.notation(history.state, action).upper()])
            history.play(action)
        if history.over:
            assert [history.utility(player) for player in (0, 1)] == state.returns()


@pytest.mark.costly
def test_openspiel_counts_as_many_lines_on_3x3() -> None:
    published = oracle("misc/openspiel_perft.json")["perft"]["go(board_size=3)"]
    game = Go(3)
    depth = 4 if interpreting() else 5
    assert [kernels.perft(game, game.initial(), d + 1) for d in range(depth)] == published[:depth]


@pytest.mark.plain
@pytest.mark.skipif(GNU_GO is None, reason="GNU Go (Debian package gnugo) is not installed")
@pytest.mark.parametrize(("size", "plies"), [(5, 100), (9, 50), (19, 10)])
@pytest.mark.no_cover
def test_random_games_as_gnu_go_plays_them(size: int, plies: int) -> None:
    game, choice = Go(size), random.Random(size)
    commands = [f"boardsize {size}", "clear_board"]
    expected: list[set[str]] = []
    history = History(game)
    for _ in range(plies):
        state = history.state
        colour = "bw"[state.player]
        commands += ["list_stones black", "list_stones white", f"all_legal {colour}"]
        expected.append(moves_of(game, history.legal()))
        expected.append({name(point) for point, mark in stones_of(game, state).items() if mark == "X"})
        action = choice.choice(history.legal()[:-1] or [game.passing])
        commands.append(f"play {colour} {game.notation(state, action)}")
        history.play(action)
        if history.over:
            break
    said = subprocess.run(
        [str(GNU_GO), "--mode", "gtp", "--positional-superko"],
        input="\n".join([*commands, "quit\n"]),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n\n")[2:]
    for number in range(len(expected) // 2):
        black, _, legal, played = said[4 * number : 4 * number + 4]
        assert set(legal[1:].split()) - {"PASS"} == expected[2 * number]
        assert set(black[1:].split()) == expected[2 * number + 1]
        assert played.strip() == "="


def boards(game: Go) -> Iterator[str]:
    for cells in itertools.product(".XO", repeat=game.cells):
        rows = ["".join(cells[i : i + game.size]) for i in range(0, game.cells, game.size)]
        yield "/".join(rows) + " B"


def reads(game: Go, text: str) -> bool:
    try:
        game.parse_position(text)
    except BadPosition:
        return False
    return True


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (1, 2), (4, 1), (1, 6), (2, 2), (3, 2)])
def test_as_many_boards_are_legal_as_published(columns: int, rows: int) -> None:
    published = oracle("go/go_facts.json")["legal_positions_mxn"]["values"]
    game = Go(columns, rows=rows)
    count = sum(reads(game, board) for board in boards(game))
    assert count == published[f"{min(columns, rows)}x{max(columns, rows)}"]


@pytest.mark.long
@pytest.mark.parametrize(("columns", "rows"), [(3, 3), (2, 5), (1, 8)])
def test_as_many_larger_boards_are_legal_as_published(columns: int, rows: int) -> None:
    test_as_many_boards_are_legal_as_published(columns, rows)


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (2, 1), (1, 3), (1, 4), (5, 1), (2, 2), (2, 3)])
def test_as_many_boards_are_reached_as_published(columns: int, rows: int) -> None:
    published = oracle("go/go_facts.json")["legal_positions_mxn"]["values"]
    game = Go(columns, rows=rows)
    seen, left = {game.initial()}, [game.initial()]
    while left:
        state = left.pop()
        for action in game.actions(state):
            child = game.result(state, action)
            if child not in seen:
                seen.add(child)
                left.append(child)
    positions = {(state.black, state.white) for state in seen}
    assert len(positions) == published[f"{min(columns, rows)}x{max(columns, rows)}"]


def solved(game: Go, state: State, seen: set[Any], alpha: float, beta: float) -> float:
    """What a state is worth to black between alpha and beta, by alpha-beta with positional superko."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    sign = 1 if state.player == 0 else -1
    best = -float("inf") * sign
    for action in [game.passing, *list(game.actions(state))[:-1]]:
        child = game.result(state, action)
        board = (child.black, child.white)
        if action != game.passing and board in seen:
            continue
        value = solved(game, child, seen | {board}, alpha, beta)
        best = max(best, value) if sign > 0 else min(best, value)
        alpha, beta = (max(alpha, value), beta) if sign > 0 else (alpha, min(beta, value))
        if alpha >= beta:
            break
    return best


@pytest.mark.parametrize("board", ["1x1", "1x2", "1x3", "1x4"])
def test_small_boards_are_worth_what_is_published(board: str) -> None:
    facts = oracle("go/go_facts.json")["exact_by_own_search_PSK_area"]
    game = Go(int(board[2]), rows=int(board[0]), komi=0, margin=True)
    start = game.initial()
    empty = {(start.black, start.white)}
    infinity = float("inf")
    assert solved(game, start, empty, -infinity, infinity) == facts["values"][board]
    for action, published in enumerate(facts["per_first_move"].get(board, [])):
        child = game.result(start, action)
        seen = empty | {(child.black, child.white)}
        assert solved(game, child, seen, -infinity, infinity) == published


# -- Single facts.


def after(game: Go, moves: str) -> State:
    state: State = game.parse_position(moves)
    return state


def test_a_group_without_liberties_is_taken() -> None:
    game = Go(5)
    state = after(game, "B2 A2 C2 B3 E5 C3 E4 D2 E3 B1 E2 C1")
    assert game.position(state) == "....X/....X/.OO.X/O..OX/.OO.. B"


def test_taking_comes_before_suicide() -> None:
    game = Go(3)
    state = game.parse_position(".OX/OOX/XX. B")
    assert holds(game, state, "A3")
    assert game.position(game.result(state, game.cell("A3"))) == "X.X/..X/XX. W"


def holds(game: Go, state: State, point: str) -> bool:
    return game.cell(point) in list(game.actions(state))


def test_suicide_is_forbidden_unless_allowed_and_never_of_one_stone() -> None:
    board = ".XO/XXO/OOO B"
    with pytest.raises(IllegalMove, match="'A3' is not a legal move: the stone would have no liberty"):
        Go(3).parse_action(Go(3).parse_position(".O./O../... B"), "A3")
    with pytest.raises(BadPosition, match=r"the white group at A1 of .* has no liberty"):
        Go(3).parse_position(board)
    game = Go(3, suicide=True)
    state = game.parse_position("..O/XOO/OO. B")
    assert game.position(game.result(state, game.cell("A3"))) == "X.O/XOO/OO. W"
    state = game.parse_position("X.O/XOO/OO. B")
    assert game.position(game.result(state, game.cell("B3"))) == "..O/.OO/OO. W"
    assert not holds(game, game.parse_position(".O./O.O/.O. B"), "B2")
    assert not holds(Go(3), Go(3).parse_position("X.O/XOO/OO. B"), "B3")


def test_a_ko_may_not_be_taken_back_at_once() -> None:
    game = Go(4)
    state = game.parse_position(".XO./XO.O/.XO./.... B")
    state = game.result(state, game.cell("C3"))
    assert game.position(state) == ".XO./X.XO/.XO./.... W ko B3"
    with pytest.raises(IllegalMove, match=r"'b3' is not a legal move: that would retake the ko at once"):
        game.parse_action(state, "b3")
    state = game.result(game.result(state, game.cell("A1")), game.cell("D1"))
    assert holds(game, state, "B3")


def test_superko_forbids_what_the_ko_point_does_not() -> None:
    """On two by two points, black and white take each other's stones until a board would come up again."""
    game = Go(2)
    history = History(game)
    for move in ("A1", "B2", "A2", "B1"):  # the last one takes both black stones
        history.play(game.cell(move))
    assert game.position(history.state) == ".O/.O B"
    history.play(game.cell("A2"))
    assert game.position(history.state) == "XO/.O W"
    history.play(game.passing)
    history.play(game.cell("A1"))  # takes both white stones
    assert game.position(history.state) == "X./X. W"
    assert history.state.ko == NOWHERE
    again = game.cell("B2")  # would leave the board as it was after the third move
    assert again in list(game.actions(history.state))
    assert history.legal() == [game.cell("B1"), game.passing]
    with pytest.raises(IllegalMove, match="B2 would repeat an earlier position"):
        history.play(again)


def test_area_is_stones_and_what_only_they_reach() -> None:
    game = Go(5, komi=0.5, margin=True)
    state = game.parse_position(".X.O./.X.O./.X.OO/XX.O./..... W pass pass")
    assert game.score(state) == 8 - 7 - 0.5
    assert game.utility(state, 1) == -0.5
    assert Go(5, komi=1.5).utility(state, 1) == 1
    assert Go(5, komi=1).utility(state, 0) == 0


def test_noisy_moves_take_more_than_one_stone() -> None:
    game = Go(5)
    state = game.parse_position("XO.X./XO.O./.X.X./OOX../..X.. B")
    assert {game.notation(state, action) for action in game.noisy(state)} <= {
        game.notation(state, action) for action in game.actions(state)
    }
    state = game.parse_position("OOX../.XO../...../...../..... B")
    assert [game.notation(state, action) for action in game.noisy(state)] == ["A4"]
    state = game.parse_position("O.X../X.O../...../...../..... W")
    assert not list(game.noisy(state))


def test_a_stone_more_and_a_capture_are_good() -> None:
    game = Go(5, komi=0)
    even = game.evaluate(game.parse_position("...../.X.../...../...O./..... B"), 0)
    taken = game.evaluate(game.parse_position("...../.X.../...../..X../..... B"), 0)
    assert 0 < even < taken
    order = sorted(game.actions(game.initial()), key=lambda a: -game.priority(game.initial(), a))
    assert order[-1] == game.passing


@kernel
def roll_out(game, state, seed):  # type: ignore[no-untyped-def]
    moves = 0
    while not game.is_terminal(state) and moves < 400:
        cells = game.sensible(state)
        action = game.passing
        if not wide.is_empty(cells):
            seed = (seed * 48271 + 11) % 2147483647
            for _ in range(seed % wide.size(cells)):
                cells = wide.rest(cells)
            action = wide.first(cells)
        state = game.result(state, action)
        moves += 1
    return state


@pytest.mark.costly
def test_random_play_that_keeps_its_eyes_comes_to_an_end_with_no_point_in_dispute() -> None:
    game = Go(7)
    for seed in range(1, 4):
        state = roll_out(game, game.initial(), seed)
        assert state.passes == 2
        black, white = game.areas(state)
        assert wide.size(black) + wide.size(white) >= game.cells - 2  # but for a seki


# -- Wide bitboards.

sets = st.sets(st.integers(0, wide.CELLS - 1), max_size=40)


@given(sets, sets)
def test_wide_sets_are_sets(one: set[int], other: set[int]) -> None:
    x, y = (wide.wide(sum(1 << cell for cell in cells)) for cells in (one, other))
    as_set = lambda z: {cell for cell in range(wide.CELLS) if wide.holds(z, cell)}  # noqa: E731
    assert as_set(wide.either(x, y)) == one | other
    assert as_set(wide.both(x, y)) == one & other
    assert as_set(wide.without(x, y)) == one - other
    assert wide.size(x) == len(one)
    assert wide.is_empty(x) == (not one)
    assert wide.same(x, y) == (one == other)
    assert (wide.key_of(x, 1) == wide.key_of(y, 1)) == (one == other)
    assert wide.whole(x) == sum(1 << cell for cell in one)
    found = []
    while not wide.is_empty(x):
        found.append(wide.first(x))
        x = wide.rest(x)
    assert found == sorted(one)
    assert all(as_set(wide.single(cell)) == {cell} for cell in one)


@given(st.integers(1, 19), st.integers(1, 19), st.data())
def test_neighbours_are_beside(columns: int, rows: int, data: Any) -> None:
    game = Go(columns, rows=rows)
    cell = data.draw(st.integers(0, game.cells - 1))
    near = {
        row * columns + column
        for row, column in (
            (cell // columns + down, cell % columns + across)
            for down, across in ((0, 1), (0, -1), (1, 0), (-1, 0))
        )
        if 0 <= row < rows and 0 <= column < columns
    }
    found = game.neighbours(wide.single(cell))
    assert {cell for cell in range(game.cells) if wide.holds(found, cell)} == near
    assert wide.size(found) == len(near)


# -- Strings and records.


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("X../... B", "'X../... B' has 2 rows; this board has 3"),
        ("X../.../.. B", "row 3 of 'X../.../.. B' has 2 cells; this board has 3"),
        ("X../.../...", "'X../.../...' must have the player to move, B or W, after the board, not nothing"),
        ("X../.../... C", "'X../.../... C' must have the player to move, B or W, after the board, not 'C'"),
        (
            "X../.../... B pass pass pass",
            "'X../.../... B pass pass pass' may have only 'ko' and a point, 'pass' or 'pass pass' after the "
            "player to move",
        ),
        ("X../.../... B ko Z9", "'Z9' in 'X../.../... B ko Z9' is not a point of this board"),
        (
            "X../.../... B ko A1",
            "no stone can just have been captured in a ko at A1 of 'X../.../... B ko A1'",
        ),
        ("XO./OX./... B", "the black group at A3 of 'XO./OX./... B' has no liberty"),
        (
            "A4",
            "'A4' is not a legal move: a move is a point from A1 to C3, or pass (reading 'A4' as moves)",
        ),
        ("A1 A1", "'A1' is not a legal move: the point is occupied (reading 'A1 A1' as moves)"),
        ("pass pass A1", "'A1' comes after the end of the game"),
    ],
)
def test_what_is_wrong_with_a_position(text: str, sentence: str) -> None:
    with pytest.raises(BadPosition) as caught:
        Go(3).parse_position(text)
    assert str(caught.value) == sentence


def test_text_shows_stones_and_coordinates() -> None:
    game = Go(3)
    assert game.text(game.parse_position("B2 C3")) == " 3 . . O\n 2 . X .\n 1 . . .\n   A B C"


def test_columns_have_no_i() -> None:
    game = Go(19)
    assert game.point(8) == "J1"
    assert game.cell("i1") == NOWHERE
    assert game.point(game.cells - 1) == "T19"


def test_a_scene_has_points_stones_and_lines() -> None:
    game = Go(5)
    state = game.parse_position("C3 B1")
    scene = game.scene(state)
    assert len(scene.cells) == 25
    places = {cell.name: (cell.x, cell.y) for cell in scene.cells}
    assert [(piece.x, piece.y, piece.player) for piece in scene.pieces] == [
        (*places["C3"], 0),
        (*places["B1"], 1),
    ]
    assert places["A1"] == (0.5, 4.5)
    assert len(scene.lines) == 10
    assert game.move_squares(state, 0) == ("A1",)
    assert game.move_squares(state, game.passing) == ()


@pytest.mark.plain
def test_records_are_written_and_read() -> None:
    for game, seed in ((Go(9), 1), (Go(5, komi=0, suicide=True), 2), (Go(4, rows=3, komi=0.5), 3)):
        choice, history = random.Random(seed), History(game)
        while not history.over and len(history.actions) < 40:
            history.play(choice.choice(history.legal()))
        written = write_sgf(history, {"PB": "A [very] \\odd name", "PW": "B"})
        again = read_sgf(written)
        for fact in ("size", "height", "komi", "suicide"):
            assert getattr(again.game, fact) == getattr(game, fact)
        assert again.states == history.states
        assert again.actions == history.actions


def test_a_record_with_handicap_variations_and_comments() -> None:
    text = r"""(;GM[1]FF[4]SZ[9]KM[0.5]HA[2]AB[gc][cg]C[a (comment\] ;)]
        ;W[cc];B[gg](;W[ee]C[main line];B[])(;W[aa];B[bb]))"""
    history = read_sgf(text)
    game = history.game
    assert game.position(history.states[0]).endswith(" W")
    assert [game.notation(history.state, action) for action in history.actions] == ["C7", "G3", "E5", "pass"]
    assert read_sgf(write_sgf(history)).states == history.states


def test_who_moves_twice_in_a_record_was_passed_to() -> None:
    history = read_sgf("(;SZ[5];B[aa];B[bb])")
    assert [history.game.notation(history.state, a) for a in history.actions] == ["A5", "pass", "B4"]
    assert read_sgf("(;SZ[5];W[aa])").states[0].player == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the record is empty"),
        ("hello", "the record must begin with '(;', not 'hello'"),
        ("(;SZ[9]", "the record ends before its last ')'"),
        ("(;SZ[9];B[zz])", "'zz' is not a point: SGF has two letters from a to s"),
        ("(;SZ[9];B[ss])", "'ss' is not on this board of 9x9"),
        ("(;SZ[99])", "a Go board must have from 1 to 19 columns and rows, not 99x99"),
        ("(;SZ[x])", "the size must be a number or columns:rows, such as 19 or 9:7, not 'x'"),
        ("(;KM[six])", "komi must be a number, not 'six'"),
        ("(;GM[2])", "GM must be 1, for Go, not '2'"),
        ("(SZ[9])", "'SZ' stands before the first node, which begins with ';'"),
        ("(;[9])", "the value '[9]' belongs to no property"),
        ("(;SZ[9];AB[aa])", "node 2 sets up stones; only the first node may"),
        ("(;SZ[9]AB[])", "'' is not a point to set up a stone at"),
        ("(;SZ[9]PL[X])", "the player to move must be B or W, not 'X'"),
        ("(;SZ[9] 9)", "the record cannot be read from '9)' on"),
        (
            "(;SZ[9];B[aa];W[aa])",
            "the move 'aa' of node 3 cannot be played: A9 is not a legal move; legal moves: "
            "A1, B1, C1, D1, E1, F1, G1, H1, J1, A2, B2, C2, D2, E2, F2, G2, H2, J2, A3, B3, C3, D3, E3, "
            "F3, G3, H3, J3, A4, B4, C4, … (81 in all)",
        ),
        ("(;SZ[9];B[];W[];B[aa])", "the move 'aa' of node 4 cannot be played: the game is over"),
    ],
)
def test_what_is_wrong_with_a_record(text: str, sentence: str) -> None:
    with pytest.raises(BadPosition) as caught:
        read_sgf(text)
    assert str(caught.value) == sentence


@given(st.text(max_size=60) | st.text("();[]ABWCSZKM:19aest\\ \n", max_size=80))
def test_any_text_is_a_record_or_one_sentence(text: str) -> None:
    try:
        history = read_sgf(text)
    except BadPosition:
        return
    assert read_sgf(write_sgf(history)).states == history.states


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"size": 0}, "a Go board must have from 1 to 19 columns and rows, not 0x0"),
        ({"size": 9, "rows": 20}, "a Go board must have from 1 to 19 columns and rows, not 9x20"),
        ({"komi": 0.3}, "komi must be a multiple of ½ between -400 and 400, not 0.3"),
        ({"weights": (1, 2)}, "there are 5 weights, not 2"),
    ],
)
def test_parameters_that_do_not_fit(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadParameter) as caught:
        Go(**parameters)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("game", [Go(3, suicide=True, komi=0)])
@pytest.mark.plain  # compiled, all rules of our games are checked in test_check.py
def test_every_rule_holds(game: Go) -> None:
    report = check_game(game, games=2)
    assert report.ok, str(report)
    assert report.compiled or interpreting()
