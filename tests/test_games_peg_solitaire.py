"""Peg solitaire against published counts and a slow twin; its boards, notation and positions."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import plies
from oracles import oracle
from plies import BadParameter, BadPosition, PegSolitaire
from plies.compiled import fingerprint_of, interpreting, kernel
from plies.compiled.workspace import Workspace
from plies.games.peg_solitaire import LAYOUTS, State

GAME = PegSolitaire()
every_board = pytest.mark.parametrize("layout", LAYOUTS)


class Slow:
    """Peg solitaire as a person plays it: pegs on a grid, and jumps looked for around each."""

    def __init__(self, layout: str, free: tuple[int, int]) -> None:
        board = LAYOUTS[layout]
        lines = board.rows.split()
        self.pegs = {
            (row, column): (row, column) != free
            for row, line in enumerate(lines)
            for column, hole in enumerate(line)
            if hole == "o"
        }
        self.ways = [(0, 1), (0, -1), (1, 0), (-1, 0)]
        if board.triangular:
            self.ways += [(1, 1), (-1, -1)]

    def jumps(self) -> set[tuple[tuple[int, int], ...]]:
        found = set()
        for (row, column), peg in self.pegs.items():
            for down, across in self.ways:
                over, end = (row + down, column + across), (row + 2 * down, column + 2 * across)
                if peg and self.pegs.get(over) and self.pegs.get(end) is False:
                    found.add(((row, column), over, end))
        return found

    def play(self, jump: tuple[tuple[int, int], ...]) -> None:
        begin, over, end = jump
        self.pegs[begin] = self.pegs[over] = False
        self.pegs[end] = True


@pytest.mark.plain
@every_board
@pytest.mark.parametrize("seed", range(5))
def test_random_games_as_the_slow_twin_plays_them(layout: str, seed: int) -> None:
    choice = random.Random(seed)
    places = list(Slow(layout, (-1, -1)).pegs)
    names = [cell.name for cell in PegSolitaire(layout).scene(State(0)).cells]
    game = PegSolitaire(layout, start=choice.choice(names), goal="any")
    twin, state = Slow(layout, places[names.index(game.start)]), game.initial()
    while True:
        assert state.pegs == sum(peg << hole for hole, peg in enumerate(twin.pegs.values()))
        jumps = {f"{names[places.index(a)]}-{names[places.index(c)]}": (a, b, c) for a, b, c in twin.jumps()}
        assert {game.notation(state, action) for action in game.actions(state)} == set(jumps)
        assert game.is_terminal(state) == (not jumps)
        if not jumps:
            break
        move = choice.choice(sorted(jumps))
        state = game.play(state, game.parse_action(state, move))
        twin.play(jumps[move])
    left = sum(twin.pegs.values())
    assert game.utility(state, 0) == (1 if left == 1 else -left)


# -- Counts.


@pytest.mark.plain
def test_positions_by_the_number_of_jumps() -> None:
    facts = oracle("misc/peg_solitaire_english_central.json")
    assert len(GAME.changed) == facts["jumps"]
    level = {GAME.initial()}
    for published in facts["levels"][:7]:
        classes = {min(GAME.symmetries(state)) for state in level}
        dead = [state for state in level if GAME.is_terminal(state)]
        assert len(level) == published["positions"]
        assert len(classes) == published["classes"]
        assert len(dead) == published["dead_positions"]
        level = {GAME.result(state, jump) for state in level for jump in GAME.actions(state)}


@kernel
def put_least_images(game, state, work):  # type: ignore[no-untyped-def]
    """Replace each position of an array by the least of its images."""
    for i in range(len(work.pegs)):
        least = work.pegs[i]
        for image in game.symmetries(State(work.pegs[i])):
            least = min(least, image.pegs)
        work.pegs[i] = least
    return 0


def images(pegs: Any) -> Any:
    """The least image of each position of an array."""
    work = Workspace(pegs=pegs.copy())
    put_least_images(GAME, GAME.initial(), work)
    return work.pegs


@pytest.mark.skipif(interpreting(), reason="takes hours interpreted")
@pytest.mark.long
def test_all_positions() -> None:
    facts = oracle("misc/peg_solitaire_english_central.json")
    levels = [images(GAME.ends[:1])]
    for published in facts["levels"]:
        level, following = levels[-1], []
        dead = np.ones(len(level), bool)
        for needed, changed in zip(GAME.needed, GAME.changed, strict=True):
            able = level & changed == needed
            dead &= ~able
            following.append(np.unique(images(level[able] ^ changed)))
        assert (len(level), dead.sum()) == (published["classes"], published["dead_classes"])
        levels.append(np.unique(np.concatenate(following)))
    assert len(levels[-1]) == 0
    winning = GAME.ends[1:]  # and back: who can reach the goal?
    for number, level in reversed(list(enumerate(levels[:-2]))):
        wins = np.zeros(len(level), bool)
        for needed, changed in zip(GAME.needed, GAME.changed, strict=True):
            able = np.flatnonzero(level & changed == needed)
            wins[able[np.isin(images(level[able] ^ changed), winning)]] = True
        winning = level[wins]
        assert len(winning) == facts["winning_classes_by_moves"][number]


# -- Solutions.


@pytest.mark.skipif(interpreting(), reason="takes minutes interpreted")
@every_board
def test_every_board_is_solved_from_its_start(layout: str) -> None:
    game = PegSolitaire(layout)
    found = plies.search(game, nodes=5_000_000)
    assert str(found.value).split(" in ")[0] == "solved"  # in how many moves at least, takes longer to prove
    assert len(found.line) == game.holes - 2
    state = game.initial()
    for action in found.line:
        state = game.play(state, action)
    assert game.utility(state, 0) == 1


def test_the_triangle_is_solved() -> None:
    """From the middle of the board the last peg cannot end where the first was missing."""
    assert str(plies.search(PegSolitaire("triangle"), time=60).value) == "solved in 13 moves"
    assert plies.solve(PegSolitaire("triangle", start="1", goal="1")).value.utility == 1
    assert plies.solve(PegSolitaire("triangle", start="5", goal="5")).value.utility == -1


def test_the_book_solves_it_too() -> None:
    decision = plies.book.depth_first(PegSolitaire("triangle"))
    assert decision.value
    assert len(decision.line) == 13


def test_all_boards_share_one_compilation() -> None:
    games = [PegSolitaire(layout) for layout in LAYOUTS]
    assert len({fingerprint_of(game) for game in games}) == 1


# -- Evaluation, order and symmetry.


@pytest.mark.parametrize(
    ("name", "value"), [("pegs", 4), ("jumps", 2), ("isolated pegs", 2), ("pegs in corners", 1)]
)
def test_a_feature(name: str, value: float) -> None:
    state = GAME.parse_position("o../.../..o..../...oo../......./.../...")
    features = dict(zip(GAME.feature_names, GAME.features(state), strict=True))
    assert features[name] == value


def test_weights_may_be_given() -> None:
    game = PegSolitaire(weights=[-0.5, 0, 0, 0])
    assert game.evaluate(game.initial(), 0) == -16
    with pytest.raises(BadParameter, match="there are 4 weights, not 1"):
        PegSolitaire(weights=[1])


def test_jumps_towards_the_goal_come_first() -> None:
    state = GAME.parse_position("oo./.../......./......./......./.oo/...")
    order = sorted(GAME.actions(state), key=lambda jump: -GAME.priority(state, jump))
    assert [GAME.notation(state, jump) for jump in order] == ["c1-e1", "e6-c6"]


@pytest.mark.parametrize(
    ("layout", "goal", "turns"),
    [
        ("english", "", 8),
        ("english", "d1", 2),
        ("english", "any", 8),
        ("triangle", "", 6),
        ("triangle", "1", 2),
    ],
)
def test_symmetries_leave_the_goal_where_it_is(layout: str, goal: str, turns: int) -> None:
    game = PegSolitaire(layout, goal=goal)
    images = list(game.symmetries(game.initial()))
    assert len(images) == turns
    for image in images:
        assert len(list(game.actions(image))) == len(list(game.actions(game.initial())))


# -- For people.


def test_text_and_scene() -> None:
    state = GAME.parse_position("d2-d4")
    assert GAME.text(state) == (
        "1      o o o\n"
        "2      o . o\n"
        "3  o o o . o o o\n"
        "4  o o o o o o o\n"
        "5  o o o o o o o\n"
        "6      o o o\n"
        "7      o o o\n"
        "   a b c d e f g"
    )
    scene = GAME.scene(state)
    names = {(cell.x, cell.y): cell.name for cell in scene.cells}
    assert len(names) == 33
    assert set(names.values()) - {names[piece.x, piece.y] for piece in scene.pieces} == {"d2", "d3"}
    assert names[3.5, 1.5] == "d2"
    triangle = PegSolitaire("triangle")
    assert triangle.text(triangle.initial()) == (
        " 1      .\n 2     o o\n 4    o o o\n 7   o o o o\n11  o o o o o"
    )
    places = {cell.name: (cell.x, cell.y) for cell in triangle.scene(triangle.initial()).cells}
    assert (places["1"], places["2"], places["5"]) == ((2.5, 0.5), (2, 1.5), (2.5, 2.5))
    assert triangle.move_squares(triangle.initial(), next(iter(triangle.actions(triangle.initial())))) == (
        "4",
        "1",
    )


@pytest.mark.parametrize(
    "text",
    [
        "d2-d4",
        " D2-D4\n",
        "ooo/o.o/ooo.ooo/ooooooo/ooooooo/ooo/ooo",
        "  OOO\n  O.O\nOOO.OOO\nOOOOOOO\nOOOOOOO\n  OOO\n  OOO\n",
    ],
)
def test_ways_to_write_a_position(text: str) -> None:
    assert GAME.position(GAME.parse_position(text)) == "ooo/o.o/ooo.ooo/ooooooo/ooooooo/ooo/ooo"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("o/oo/ooo", "'o/oo/ooo' has 3 rows; the triangle board has 5"),
        ("o/oo/oo/oooo/ooooo", "row 3 of 'o/oo/oo/oooo/ooooo' has 2 holes; it should have 3"),
        ("o/oo/oxo/oooo/ooooo", "'x' in row 3 of 'o/oo/oxo/oooo/ooooo' is neither o nor ."),
        ("o/oo/ooo/oooo/ooooo", "'o/oo/ooo/oooo/ooooo' has a peg in every hole"),
        ("./../.../..../.....", "'./../.../..../.....' has no pegs"),
        ("4-2", "'4-2' is not a legal move; legal moves: 4-1, 6-1 (reading '4-2' as moves)"),
    ],
)
def test_what_is_wrong_with_a_position(text: str, sentence: str) -> None:
    with pytest.raises(BadPosition) as caught:
        PegSolitaire("triangle").parse_position(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        (
            {"layout": "round"},
            "there is no board 'round'; there are english, european, german, asymmetric, triangle",
        ),
        ({"start": "a1"}, "start must be a hole of the english board, not 'a1'"),
        ({"goal": "a1"}, "goal must be a hole of the english board or 'any', not 'a1'"),
    ],
)
def test_boards_that_do_not_exist(parameters: Any, sentence: str) -> None:
    with pytest.raises(BadParameter) as caught:
        PegSolitaire(**parameters)
    assert str(caught.value) == sentence
