"""Quoridor against published counts, OpenSpiel and a slow twin that searches for ways; its strings."""

from __future__ import annotations

import random
from typing import Any

import pytest

from oracles import oracle
from plies import BadParameter, BadPosition, IllegalMove, Quoridor, check_game
from plies.compiled import interpreting
from plies.engine import kernels
from plies.games.quoridor_board import State

GAME = Quoridor()
Place = tuple[int, int]
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))


class Slow:
    """Quoridor as a person plays it: walls as pairs of cells that are cut apart, ways found step by step."""

    def __init__(self, size: int, walls: int) -> None:
        self.size = size
        self.pawns = [(size // 2, 0), (size // 2, size - 1)]
        self.walls: list[str] = []
        self.left = [walls, walls]
        self.player = 0

    def cuts(self, wall: str) -> set[frozenset[Place]]:
        """The pairs of cells that a wall cuts apart."""
        x, y = "abcdefghi".index(wall[0]), int(wall[1]) - 1
        if wall[2] == "h":
            return {frozenset({(x + i, y), (x + i, y + 1)}) for i in (0, 1)}
        return {frozenset({(x, y + i), (x + 1, y + i)}) for i in (0, 1)}

    def free(self, one: Place, other: Place, walls: list[str]) -> bool:
        """Whether a step from one cell to the next stays on the board and meets no wall."""
        on_board = all(0 <= place < self.size for place in other)
        return on_board and not any(frozenset({one, other}) in self.cuts(wall) for wall in walls)

    def has_way(self, player: int, walls: list[str]) -> bool:
        cut = set().union(*map(self.cuts, walls)) if walls else set()
        seen, left = {self.pawns[player]}, [self.pawns[player]]
        while left:
            x, y = left.pop()
            for dx, dy in STEPS:
                there = x + dx, y + dy
                if (
                    all(0 <= place < self.size for place in there)
                    and there not in seen
                    and frozenset({(x, y), there}) not in cut
                ):
                    seen.add(there)
                    left.append(there)
        goal = (self.size - 1) * (1 - player)
        return any(y == goal for _, y in seen)

    def steps(self) -> set[Place]:
        (x, y), other = self.pawns[self.player], self.pawns[1 - self.player]
        found = set()
        for dx, dy in STEPS:
            there = x + dx, y + dy
            if not self.free((x, y), there, self.walls):
                continue
            if there != other:
                found.add(there)
                continue
            behind = x + 2 * dx, y + 2 * dy
            if self.free(there, behind, self.walls):
                found.add(behind)
            else:
                sides = [(there[0] + dy, there[1] + dx), (there[0] - dy, there[1] - dx)]
                found |= {side for side in sides if self.free(there, side, self.walls)}
        return found

    def fits(self, wall: str) -> bool:
        middle = wall[:2]
        overlap = any(self.cuts(wall) & self.cuts(other) for other in self.walls)
        return not overlap and not any(other[:2] == middle for other in self.walls)

    def moves(self) -> set[str]:
        found = {name(place) for place in self.steps()}
        if self.left[self.player]:
            for x in range(self.size - 1):
                for y in range(self.size - 1):
                    for kind in "hv":
                        wall = name((x, y)) + kind
                        if self.fits(wall) and all(self.has_way(p, [*self.walls, wall]) for p in (0, 1)):
                            found.add(wall)
        return found

    def play(self, move: str) -> None:
        if len(move) == 3:
            self.walls.append(move)
            self.left[self.player] -= 1
        else:
            self.pawns[self.player] = "abcdefghi".index(move[0]), int(move[1]) - 1
        self.player = 1 - self.player

    def over(self) -> bool:
        return self.pawns[0][1] == self.size - 1 or self.pawns[1][1] == 0


def name(place: Place) -> str:
    return "abcdefghi"[place[0]] + str(place[1] + 1)


def moves(game: Quoridor, state: State) -> set[str]:
    return {game.notation(state, action) for action in game.actions(state)}


def chosen(legal: set[str], choice: random.Random) -> str:
    """A random move, walls now and then, so that games are neither short nor all walls."""
    steps = [move for move in legal if len(move) == 2]
    return choice.choice(sorted(steps if steps and choice.random() < 0.5 else legal))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "games"), [(Quoridor(3), 20), (Quoridor(5, walls=8), 4), (Quoridor(7, walls=20), 1)]
)
@pytest.mark.no_cover
def test_random_games_as_the_slow_twin_plays_them(game: Quoridor, games: int) -> None:
    for seed in range(games):
        twin, choice, state = Slow(game.size, game.stock), random.Random(seed), game.initial()
        for _ in range(50):
            assert game.is_terminal(state) == twin.over()
            if twin.over():
                break
            legal = twin.moves()
            assert moves(game, state) == legal
            move = chosen(legal, choice)
            state = game.result(state, game.parse_action(state, move))
            twin.play(move)
            assert [name(place) for place in twin.pawns] == [
                game.point(state.first),
                game.point(state.second),
            ]
            assert [state.first_walls, state.second_walls] == twin.left
        if twin.over():
            winner = 0 if twin.pawns[0][1] == game.size - 1 else 1
            assert game.utility(state, winner) == 1 == -game.utility(state, 1 - winner)


def turned_over(size: int, move: str) -> str:
    """A move in OpenSpiel's words, who counts rows from the top."""
    return move[0] + str((size + 1 if len(move) == 2 else size) - int(move[1])) + move[2:]


@pytest.mark.plain
@pytest.mark.parametrize(("size", "games"), [(3, 10), (5, 5), (9, 2)])
@pytest.mark.no_cover
def test_random_games_as_openspiel_plays_them(size: int, games: int) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel (open_spiel) is not installed")
    game, referee = Quoridor(size), pyspiel.load_game(f"quoridor(board_size={size})")
    for seed in range(games):
        choice, state, theirs = random.Random(seed), game.initial(), referee.new_initial_state()
        while not theirs.is_terminal() and theirs.move_number() < referee.max_game_length() - 1:
            words = {turned_over(size, theirs.action_to_string(a)): a for a in theirs.legal_actions()}
            assert moves(game, state) == set(words)
            move = chosen(set(words), choice)
            state = game.result(state, game.parse_action(state, move))
            theirs.apply_action(words[move])
        assert game.is_terminal(state) == theirs.is_terminal()
        if theirs.is_terminal():
            assert [game.utility(state, player) for player in (0, 1)] == theirs.returns()


@pytest.mark.parametrize(
    ("size", "name"),
    [
        (9, "9x9_10walls"),
        pytest.param(5, "5x5_3_or_5_walls", marks=pytest.mark.costly),
        pytest.param(3, "3x3_1wall", marks=pytest.mark.plain),
    ],
)
def test_as_many_lines_as_published(size: int, name: str) -> None:
    published = oracle("misc/quoridor_nim_and_other.json")["quoridor_perft"][name]
    game = Quoridor(size)
    depth = len(published) - (interpreting() and size > 3)
    assert [kernels.perft(game, game.initial(), d + 1) for d in range(depth)] == published[:depth]


# -- Single facts.


def after(text: str) -> set[str]:
    game = Quoridor(5)
    return {move for move in moves(game, game.parse_position(text)) if len(move) == 2}


def test_pawns_jump_straight_or_aside() -> None:
    assert after("X c3 3 O c4 3 X") == {"b3", "d3", "c2", "c5"}
    assert after("X c3 3 O c4 2 c4h X") == {"b3", "d3", "c2", "b4", "d4"}  # a wall behind
    assert after("X c3 2 O c4 2 c4h b4v X") == {"b3", "d3", "c2", "d4"}  # and one aside
    assert after("X c3 3 O c4 2 c3h X") == {"b3", "d3", "c2"}  # a wall between
    assert after("X d3 3 O e3 3 X") == {"c3", "d2", "d4", "e2", "e4"}  # the edge behind


@pytest.mark.plain
@pytest.mark.parametrize(("size", "games"), [(3, 60), (5, 15)])
def test_there_is_always_a_step(size: int, games: int) -> None:
    """Walls first, as many as fit, then steps: the pawns meet in narrow ways."""
    game = Quoridor(size, walls=20)
    for seed in range(games):
        choice, state = random.Random(seed), game.initial()
        for _ in range(60):
            if game.is_terminal(state):
                break
            legal = moves(game, state)
            walls = sorted(move for move in legal if len(move) == 3)
            steps = sorted(legal - set(walls))
            assert steps
            state = game.result(state, game.parse_action(state, choice.choice(walls or steps)))


def test_a_wall_may_not_shut_a_pawn_off() -> None:
    game = Quoridor(5, walls=4)
    state = game.parse_position("X c1 3 O c5 3 a1h c1h X")
    with pytest.raises(
        IllegalMove, match="'d1v' is not a legal move: it would leave a pawn no path to its goal"
    ):
        game.parse_action(state, "d1v")
    assert "d2v" in moves(game, state)
    with pytest.raises(IllegalMove, match="'e1v' is not a legal move: a wall there would not fit"):
        game.parse_action(state, "e1v")
    with pytest.raises(
        IllegalMove, match="'a1v' is not a legal move: it would overlap or cross another wall"
    ):
        game.parse_action(state, "a1v")


def test_why_a_move_is_refused() -> None:
    game = Quoridor(5, walls=3)
    shut = game.parse_position("X a1 1 O c5 3 a1v b1h X")
    with pytest.raises(IllegalMove, match="'a2h' is not a legal move: it would leave a pawn no path"):
        game.parse_action(game.parse_position("X a1 2 O c5 3 a1v X"), "a2h")
    with pytest.raises(IllegalMove, match="'c4' is not a legal move: the pawn cannot move there"):
        game.parse_action(shut, "c4")
    with pytest.raises(IllegalMove, match="'a3h' is not a legal move: White has no walls left"):
        game.parse_action(game.parse_position("X a1 0 O c5 3 a1v b2h d4h X"), "a3h")
    with pytest.raises(IllegalMove, match="'c9' is not a legal move: a move must be a cell from a1 to e5"):
        game.parse_action(shut, "c9")


def test_nearer_is_better_and_so_are_walls() -> None:
    game = Quoridor()
    texts = ("X e1 10 O a9 9 e1h X", "X e1 10 O a9 10 X", "X e3 10 O a9 10 X")
    detour, even, nearer = (game.evaluate(game.parse_position(text), 0) for text in texts)
    assert detour < even < nearer
    assert game.features(game.parse_position(texts[0])) == (-1.0, 1.0, 1.0)
    order = sorted(game.actions(game.initial()), key=lambda action: -game.priority(game.initial(), action))
    assert game.notation(game.initial(), order[0]) == "e2"


def test_text_shows_pawns_and_walls() -> None:
    game = Quoridor(3, walls=2)
    assert game.text(game.parse_position("X b1 1 O b3 1 a1h a2v X")) == (
        "3 .|O .\n\n2 .|. .\n  - -\n1 . X .\n  a b c\nwalls left: X 1, O 1"
    )


def test_a_scene_has_cells_slots_pawns_and_walls() -> None:
    game = Quoridor(3, walls=2)
    state = game.parse_position("X b1 1 O b3 1 a1h a2v X")
    scene = game.scene(state)
    names = [cell.name for cell in scene.cells]
    assert len(names) == len(set(names)) == 9 + 8
    for action in game.actions(state):
        assert set(game.move_squares(state, action)) <= set(names)
    assert game.move_squares(state, game.parse_action(state, "a1")) == ("b1", "a1")
    placed, left = scene.lines[:2], scene.lines[2:]
    assert [tuple(line) for line in placed] == [(0, 2, 2, 2, "wall"), (1, 0, 1, 2, "wall")]
    assert [line.y1 < 0 or line.y1 > 3 for line in left] == [True, True]  # one for each, beside the board
    assert [(piece.x, piece.y, piece.player) for piece in scene.pieces] == [(1.5, 2.5, 0), (1.5, 0.5, 1)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("X e1", "is not of the form 'X e1 10 O e9 10 e3h d4v X'"),
        ("X c1 3 O c1 3 X", "both pawns of 'X c1 3 O c1 3 X' are on c1"),
        ("X c1 4 O c5 3 X", "X of 'X c1 4 O c5 3 X' has 4 walls left of 3"),
        ("X c1 3 O c5 3 a1h X", "has 1 walls placed and 3 and 3 left; together there are 6"),
        ("X c1 2 O c5 2 a1h b1h X", "the wall b1h of .* overlaps or crosses another"),
        ("X c1 2 O c5 2 a1h a1v X", "the wall a1v of .* overlaps or crosses another"),
        ("X a1 2 O c5 2 a1v a1h X", "the wall a1h of .* overlaps or crosses another"),
        ("X a1 2 O c5 2 a2h b1v X", "X of 'X a1 2 O c5 2 a2h b1v X' has no path to its goal"),
        ("X c5 3 O c3 3 X", "goes on after X has reached the goal"),
        ("c9", "'c9' is not a legal move: a move must be a cell from a1 to e5"),
    ],
)
def test_what_is_wrong_with_a_position(text: str, words: str) -> None:
    with pytest.raises(BadPosition, match=words):
        Quoridor(5).parse_position(text)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"size": 4}, "size must be 3, 5, 7 or 9, not 4"),
        ({"walls": 21}, "walls must be between 0 and 20, not 21"),
        ({"weights": (1,)}, "there are 3 weights, not 1"),
    ],
)
def test_parameters_that_do_not_fit(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(BadParameter, match=words):
        Quoridor(**parameters)


@pytest.mark.plain  # compiled, it is `test_check` that asks
@pytest.mark.no_cover
@pytest.mark.plain  # compiled, all rules of our games are checked in test_check.py
def test_every_rule_holds() -> None:
    report = check_game(Quoridor(5), games=1)
    assert report.ok, str(report)
    assert report.compiled or interpreting()


def test_what_is_typed_is_taken_if_and_only_if_it_is_legal():
    """Every step and every wall there is, in positions of random games, against the list of legal ones."""
    game = Quoridor(size=5)
    generator = random.Random(7)
    state = game.initial()
    for _ in range(60):
        legal = set(game.actions(state))
        for action in range(3 * game.cells):
            if action in legal:
                assert game.parse_action(state, game.notation(state, action)) == action
            else:
                with pytest.raises(IllegalMove):
                    game.parse_action(state, game.notation(state, action))
        state = game.result(state, generator.choice(sorted(legal))) if legal else game.initial()
