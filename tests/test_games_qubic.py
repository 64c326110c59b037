"""Qubic: its 76 rows, a slow twin, forced wins, its symmetries and strings."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from oracles import oracle
from plies import BadParameter, BadPosition, IllegalMove, Qubic, Value, check_game, search, solve
from plies.bits import signed
from plies.compiled import interpreting
from plies.engine import kernels
from plies.games.qubic import CELLS, State, lines

GAME = Qubic()


def test_there_are_as_many_rows_as_published() -> None:
    facts = oracle("gomoku_renju/qubic.json")
    assert len(lines()) == len(set(lines())) == facts["lines_4x4x4"]
    through = Counter(cell for row in lines() for cell in row)
    assert Counter(through.values()) == {
        int(n): count for n, count in facts["points_by_number_of_lines"].items()
    }


def winner(cells: str) -> str:
    """Who has four in a row on a cube, walked from every cell in every direction."""
    for x in range(4):
        for y in range(4):
            for z in range(4):
                for way in range(1, 27):
                    dx, dy, dz = way % 3 - 1, way // 3 % 3 - 1, way // 9 - 1
                    row = [(x + i * dx, y + i * dy, z + i * dz) for i in range(4)]
                    if (dx or dy or dz) and all(0 <= place < 4 for cell in row for place in cell):
                        marks = {cells[a + 4 * b + 16 * c] for a, b, c in row}
                        if len(marks) == 1 and marks != {"."}:
                            return marks.pop()
    return ""


@pytest.mark.plain
@pytest.mark.no_cover
@pytest.mark.long
def test_random_games_end_as_a_slow_twin_says() -> None:
    ends = Counter()
    for seed in range(6):
        choice, state, cells = random.Random(seed), GAME.initial(), "." * CELLS
        while not winner(cells) and "." in cells:
            assert not GAME.is_terminal(state)
            assert list(GAME.actions(state)) == [i for i, cell in enumerate(cells) if cell == "."]
            action = choice.choice(list(GAME.actions(state)))
            cells = cells[:action] + "XO"[state.player] + cells[action + 1 :]
            state = GAME.result(state, action)
            assert GAME.position(state).replace("/", "") == cells
        assert GAME.is_terminal(state)
        assert not list(GAME.actions(state))
        won = {"X": 1, "O": -1, "": 0}[winner(cells)]
        assert GAME.utility(state, 0) == won == -GAME.utility(state, 1)
        ends[won] += 1
    assert ends[1]
    assert ends[-1]


@pytest.mark.skipif(interpreting(), reason="takes long interpreted")
def test_as_many_lines_as_there_are_ways_to_choose_cells() -> None:
    assert kernels.perft(GAME, GAME.initial(), 4) == 64 * 63 * 62 * 61  # nobody can win so early


@pytest.mark.plain
def test_all_images_of_the_cube_are_there() -> None:
    """As many as Silver (1967) has counted: 192 ways to exchange cells so that rows remain rows."""
    images = [list(GAME.symmetries(State(signed(1 << cell), 0, 0))) for cell in range(CELLS)]
    ways = {tuple(image.mine for image in way) for way in zip(*images, strict=True)}
    assert len(ways) == len(images[0]) == 192
    rows = {sum(1 << cell for cell in row) for row in lines()}
    for way in ways:
        assert {sum(way[cell] % 2**64 for cell in row) for row in lines()} == rows


def test_what_is_plausible() -> None:
    def candidates(moves: str) -> list[str]:
        state = GAME.parse_position(moves)
        return [GAME.notation(state, action) for action in GAME.candidates(state)]

    assert candidates("1a1 2a2 1b1 2b3 1c1 3c3") == ["1d1"]  # it wins
    assert candidates("1a1 2a2 1b1 2b3 1c1") == ["1d1"]  # it must be stopped
    assert candidates("1a1 2a2 2b2 3b3 3c3") == ["4d4"]
    assert len(candidates("1a1 2a2 1b1 2b3")) == 60


def test_noisy_moves_force_an_answer() -> None:
    state = GAME.parse_position("1a1 4b2 1b1 4c3")
    assert {GAME.notation(state, action) for action in GAME.noisy(state)} == {"1c1", "1d1"}
    crossing = GAME.parse_position("1a1 4b2 1b1 4c3 1d2 4d1 1d3 3a1")  # 1d1 makes two rows of three
    assert [GAME.notation(crossing, action) for action in GAME.noisy(crossing)] == ["1d1", "1c1", "1d4"]


def test_quiet_is_where_nobody_can_make_four() -> None:
    assert GAME.is_quiet(GAME.parse_position("1a1 4b2 1b1 4c3"))
    assert not GAME.is_quiet(GAME.parse_position("1a1 4b2 1b1 4c3 1c1"))  # O must stop it
    assert not GAME.is_quiet(GAME.parse_position("1a1 4b2 1b1 4c3 1c1 3a1"))  # X has four


def test_a_row_of_three_is_better_than_one_of_two() -> None:
    noinline, two = (
        GAME.evaluate(GAME.parse_position(moves), 0) for moves in ("1a1 4b2 2c1 3c2", "1a1 4b2 1b1 3c2")
    )
    assert noinline < two
    assert GAME.evaluate(GAME.parse_position("1a1 4b2 1b1 3c2 1c1"), 1) < -0.9
    first = max(GAME.actions(GAME.initial()), key=lambda action: GAME.priority(GAME.initial(), action))
    assert GAME.notation(GAME.initial(), first) in ("1a1", "2b2")  # a corner or a cell of the core


@pytest.mark.long
@pytest.mark.skipif(interpreting(), reason="takes minutes interpreted")
def test_a_forced_win_is_found_and_holds() -> None:
    """X has three cells of the core and a corner; O's stones are scattered. Threes force all the way."""
    state = GAME.parse_position("2b2 1b2 3b2 4c2 2c3 1d3 3c2 4a3")
    found = search(GAME, state, nodes=3_000_000)
    assert found.value.proved
    assert found.value.utility == 1
    choice = random.Random(1)
    while not GAME.is_terminal(state):  # whatever O does
        if state.player == 0:
            state = GAME.play(state, search(GAME, state, nodes=3_000_000).action)
        else:
            state = GAME.play(state, choice.choice(list(GAME.candidates(state))))
    assert GAME.utility(state, 0) == 1


@pytest.mark.costly
@pytest.mark.skipif(interpreting(), reason="takes minutes interpreted")
def test_a_forced_win_is_proved() -> None:
    found = solve(GAME, GAME.parse_position("2b2 1a1 3c3 4d4 2c2 1b1"), algorithm="proof-number", memory=64)
    assert found.value == Value(1, True)


@pytest.mark.long
@pytest.mark.skipif(interpreting(), reason="takes hours interpreted")
def test_the_first_player_wins() -> None:
    """As Patashnik (1980) and Allis (1994) have proved; then X wins games, whatever O does."""
    found = solve(GAME, algorithm="proof-number", memory=1024)
    assert found.value == Value(1, True)
    strategy = found.strategy()
    for seed in range(20):
        state, choice = GAME.initial(), random.Random(seed)
        while not GAME.is_terminal(state):
            if state.player == 0:
                state = GAME.play(state, strategy.action(state))
            elif seed % 2:
                state = GAME.play(state, choice.choice(list(GAME.candidates(state))))
            else:
                state = GAME.play(state, search(GAME, state, nodes=2_000 + seed).action)
        assert GAME.utility(state, 0) == 1


def test_text_shows_the_levels_side_by_side() -> None:
    assert GAME.text(GAME.parse_position("1a1 2b3")) == (
        "  level 1   level 2   level 3   level 4\n"
        "1 X . . .   . . . .   . . . .   . . . .\n"
        "2 . . . .   . . . .   . . . .   . . . .\n"
        "3 . . . .   . O . .   . . . .   . . . .\n"
        "4 . . . .   . . . .   . . . .   . . . .\n"
        "  a b c d   a b c d   a b c d   a b c d"
    )


def test_a_scene_has_four_levels_and_the_row_that_won() -> None:
    state = GAME.parse_position("1a1 2a2 1b1 2b3 1c1 3c3 1d1")
    scene = GAME.scene(state)
    assert len(scene.cells) == len({cell.name for cell in scene.cells}) == CELLS
    places = {cell.name: (cell.x, cell.y) for cell in scene.cells}
    assert scene.lines == [(*places["1a1"], *places["1d1"], "row")]
    assert [(piece.x, piece.y) for piece in scene.pieces if piece.player == 1] == [
        places[name] for name in ("2a2", "2b3", "3c3")
    ]
    assert GAME.move_squares(state, 63) == ("4d4",)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("X.O", "'X.O' has 3 cells; a cube has 64"),
        (
            "5a1",
            "'5a1' is not a legal move: a move must be a level, a column and a row, from 1a1 to 4d4 "
            "(reading '5a1' as moves)",
        ),
        ("1a1 1a1", "'1a1' is not a legal move: the cell is occupied (reading '1a1 1a1' as moves)"),
        ("1a1 2a2 1b1 2b3 1c1 3c3 1d1 4d4", "'4d4' comes after the end of the game"),
    ],
)
def test_what_is_wrong_with_a_position(text: str, sentence: str) -> None:
    with pytest.raises(BadPosition) as caught:
        GAME.parse_position(text)
    assert str(caught.value) == sentence


def cube(**rows: str) -> str:
    """A cube with some of its sixteen rows as given, the others empty."""
    return "/".join(rows.get(f"r{i}", "....") for i in range(16))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (cube(r0="XX.."), "has 2 X and 0 O; X must have as many, or one more"),
        (cube(r0="XXXX", r2="OOO.", r5="O..."), "goes on after X has four in a row"),
        (
            cube(r0="XXXX", r2="XXXX", r5="OOO.", r7="OOO.", r9=".O.."),
            "has fours of X that no single stone completes",
        ),
    ],
)
def test_what_is_wrong_with_a_cube(text: str, words: str) -> None:
    with pytest.raises(BadPosition, match=words):
        GAME.parse_position(text)


def test_what_does_not_fit() -> None:
    with pytest.raises(BadParameter, match="there are 4 weights, not 3"):
        Qubic(weights=(1, 2, 3))
    state = State(0, signed(0b1111), 0)
    with pytest.raises(IllegalMove, match="'4d4' is not a legal move: the game is over"):
        GAME.parse_action(state, "4d4")


@pytest.mark.plain  # compiled, it is `test_check` that asks
@pytest.mark.no_cover
@pytest.mark.plain  # compiled, all rules of our games are checked in test_check.py
def test_every_rule_holds() -> None:
    report = check_game(GAME, games=1)
    assert report.ok, str(report)
    assert report.compiled or interpreting()
