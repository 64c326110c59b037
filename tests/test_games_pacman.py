"""Pacman against a slow twin, positions worked out by hand, and what its layouts and policies are."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from plies import BadParameter, BadPosition, IllegalMove, Pacman, book, check_game
from plies.compiled import fingerprint_of, interpreting
from plies.engine.kernels import perft
from plies.games.pacman_maze import Maze, layout_names
from plies.games.pacman_policies import directional
from plies.games.pacman_state import SCARED_TIME, cell_of, is_halfway, scared_time

TINY = """
%%%%%%
%P. G%
%%%%%%
"""
CAPSULE = """
%%%%%%%%%
%.Po  G.%
%%%%%%%%%
"""
CROWD = """
%%%%%%%%%%%
%.o.Po oG.%
%o%%o%%.%.%
%GoGo..o G%
%o%%.%%o%.%
%..o.o.o G%
%%%%%%%%%%%
"""

ROOMS = """
%%%%%%%%%%%
%Poo..%   %
%.....% G %
%.o..o%   %
%.....%%%%%
%%%%%%%%%%%
"""


class Slow:
    """Pacman as the course projects describe it: places are x and y, upwards, and a scared ghost goes half
    steps."""

    WAYS = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0), "stop": (0, 0)}
    BACK = {"north": "south", "south": "north", "east": "west", "west": "east", "stop": "stop"}

    def __init__(self, text: str, ghosts: int, limit: int) -> None:
        lines = text.strip("\n").splitlines()
        self.limit, self.turn, self.score, self.moves, self.end = limit, 0, 0, 0, ""
        found: dict[str, list[tuple[float, float]]] = {c: [] for c in "%.oGP "}
        for y, line in enumerate(reversed(lines)):
            for x, c in enumerate(line):
                found[c].append((x, y))
        self.walls, self.food, self.capsules = set(found["%"]), set(found["."]), set(found["o"])
        self.pacman = found["P"][0]
        starts = sorted(found["G"], key=lambda place: (-place[1], place[0]))[:ghosts]
        self.ghosts = [{"start": s, "at": s, "way": "stop", "fear": 0} for s in starts]

    def legal(self) -> list[str]:
        if self.turn == 0:
            return self.open(self.pacman)
        ghost = self.ghosts[self.turn - 1]
        if ghost["at"] != (int(ghost["at"][0]), int(ghost["at"][1])):
            return [ghost["way"]]
        ways = self.open(ghost["at"])
        ways.remove("stop")
        if len(ways) > 1 and self.BACK[ghost["way"]] in ways:
            ways.remove(self.BACK[ghost["way"]])
        return ways or ["stop"]

    def open(self, place: Any) -> list[str]:
        return [
            way for way, (dx, dy) in self.WAYS.items() if (place[0] + dx, place[1] + dy) not in self.walls
        ]

    def play(self, way: str) -> None:
        dx, dy = self.WAYS[way]
        if self.turn == 0:
            self.pacman = (self.pacman[0] + dx, self.pacman[1] + dy)
            self.score -= 1
            self.moves += 1
            if self.pacman in self.food:
                self.food.remove(self.pacman)
                self.score += 10
                if not self.food:
                    self.score += 500
                    self.end = "won"
            if self.pacman in self.capsules:
                self.capsules.remove(self.pacman)
                for ghost in self.ghosts:
                    ghost["fear"] = SCARED_TIME
            for ghost in self.ghosts:
                self.meet(ghost)
        else:
            ghost = self.ghosts[self.turn - 1]
            speed = 0.5 if ghost["fear"] else 1
            ghost["at"] = (ghost["at"][0] + dx * speed, ghost["at"][1] + dy * speed)
            ghost["way"] = way
            if ghost["fear"] == 1:  # between two places, the one further up or to the right
                ghost["at"] = (int(ghost["at"][0] + 0.5), int(ghost["at"][1] + 0.5))
            ghost["fear"] = max(0, ghost["fear"] - 1)
            self.meet(ghost)
        self.turn = (self.turn + 1) % (len(self.ghosts) + 1)
        if self.turn == 0 and self.moves == self.limit and not self.end:
            self.end = "late"
        if self.end:
            self.turn = 0

    def meet(self, ghost: Any) -> None:
        if abs(ghost["at"][0] - self.pacman[0]) + abs(ghost["at"][1] - self.pacman[1]) > 0.7:
            return
        if ghost["fear"]:
            self.score += 200
            ghost["at"], ghost["way"], ghost["fear"] = ghost["start"], "stop", 0
        elif not self.end:
            self.score -= 500
            self.end = "caught"


def seen(game: Pacman, state: Any) -> Any:
    """A state of the game in the words of the twin."""
    maze = game._maze

    def place(cell: int) -> tuple[float, float]:
        return maze.places[cell][1], maze.height - 1 - maze.places[cell][0]

    ghosts = []
    for i in range(game.count):
        one = game.ghost_at(state, i)
        here = place(cell_of(one))
        way = list(Slow.WAYS)[one >> 9 & 7]
        if is_halfway(one):
            here = tuple(a + b / 2 for a, b in zip(here, Slow.WAYS[way], strict=True))
        ghosts.append((here, way, scared_time(one)))
    return (
        {place(cell) for cell in game.food_cells(state)},
        {place(cell) for cell in game.capsule_cells(state)},
        place(state.pacman),
        ghosts,
        (state.score, state.moves, state.turn, ("", "won", "caught", "late")[state.end]),
    )


def told(twin: Slow) -> Any:
    ghosts = [(g["at"], g["way"], g["fear"]) for g in twin.ghosts]
    return twin.food, twin.capsules, twin.pacman, ghosts, (twin.score, twin.moves, twin.turn, twin.end)


def hunted(twin: Slow, chance: random.Random) -> str:
    """A move: sometimes any, else for the twin's Pacman one that keeps away from active ghosts."""
    legal = twin.legal()
    if twin.turn or chance.random() < 0.2:
        return chance.choice(legal)

    def risk(way: str) -> float:
        x, y = (a + b for a, b in zip(twin.pacman, Slow.WAYS[way], strict=True))
        near = [g for g in twin.ghosts if abs(g["at"][0] - x) + abs(g["at"][1] - y) < 2]
        return sum(1 if g["fear"] == 0 else -1 for g in near) + chance.random() / 2

    return min(legal, key=risk)


@pytest.mark.plain
@pytest.mark.parametrize(
    "layout", [*layout_names(), TINY, CAPSULE, CROWD, ROOMS], ids=lambda text: text.strip()[:9]
)
def test_random_games_as_the_slow_twin_plays_them(layout: str) -> None:
    for seed in range(10):
        chance = random.Random(seed)
        game = Pacman(layout, limit=chance.choice((30, 150)))
        text = "\n".join(game._maze.rows)
        twin, state = Slow(text, game.count, game.limit), game.initial()
        while not twin.end:
            assert seen(game, state) == told(twin)
            assert not game.is_terminal(state)
            assert game.to_move(state) == twin.turn
            legal = [game.notation(state, action) for action in game.actions(state)]
            assert sorted(legal) == sorted(twin.legal())
            way = hunted(twin, chance)
            state = game.result(state, game.parse_action(state, way))
            twin.play(way)
        assert seen(game, state) == told(twin)
        assert game.is_terminal(state)
        assert game.utility(state, 0) == twin.score
        assert all(game.utility(state, player) == -twin.score for player in range(1, game.players))


def test_all_that_can_happen_does_in_the_twins_games() -> None:
    """The comparison above is worth something: ghosts are caught, and fear ends between two cells."""
    caught, halfway, ends = 0, 0, set()
    for layout in (CROWD, ROOMS, TINY):
        for seed in range(4):
            chance = random.Random(seed)
            twin = Slow(layout, 6, chance.choice((30, 150)))
            while not twin.end:
                score, ghosts = twin.score, [(g["fear"], g["at"]) for g in twin.ghosts]
                twin.play(hunted(twin, chance))
                caught += twin.score - score > 100
                for (fear, (x, y)), g in zip(ghosts, twin.ghosts, strict=True):
                    halfway += (fear, g["fear"]) == (1, 0) and (x, y) == (int(x), int(y))
            ends.add(twin.end)
    assert caught > 3
    assert halfway > 0
    assert ends == {"caught", "late", "won"}


# -- By hand.


def ahead(game: Pacman, state: Any, rounds: int) -> float:
    """Pacman's minimax score by trying every line, at the end of which the score counts."""

    def worth(state: Any, rounds: int) -> float:
        if game.is_terminal(state) or (state.turn == 0 and rounds == 0):
            return state.score
        left = rounds - (state.turn == 0)
        values = [worth(game.result(state, action), left) for action in game.actions(state)]
        return max(values) if state.turn == 0 else min(values)

    return worth(state, rounds)


def score(state: Any, player: int) -> float:
    return state.score if player == 0 else -state.score


def test_values_of_a_tiny_corridor() -> None:
    """`%P. G%`: whoever goes for the last food has it at the first move, 10 + 500 - 1."""
    game = Pacman(TINY)
    assert book.minimax(game).value == 509
    assert game.notation(game.initial(), book.minimax(game).action) == "east"


TRAPPED = """
%%%%%%%%
%.    P%
%%%%%%G%
%%%%%%%%
"""


def test_values_of_a_trap_worked_out_by_hand() -> None:
    """Pacman in the corner g3, the ghost right below in a dead end, food five steps to the west.

    The ghost must go north: if Pacman stays, it meets him, 1 - 500. Going west, Pacman is one step ahead of
    the ghost, who cannot turn round: at every depth d up to 4 that costs d points, and the fifth move wins:
    it is the last food, 10 + 500 - 5.
    """
    game = Pacman(TRAPPED)
    for rounds, value in ((1, -1), (2, -2), (3, -3), (4, -4), (5, 505), (6, 505)):
        found = book.opponents(game, depth=rounds, evaluate=score)
        assert found.value == ahead(game, game.initial(), rounds) == value
        assert game.notation(game.initial(), found.action) == "west"
    stay = game.result(game.initial(), game.parse_action(game.initial(), "stop"))
    assert book.minimax(game, stay, player=0).value == -501


HOPELESS = """
%%%%%%%%%
%.G P G.%
%%%%%%%%%
"""


def test_where_there_is_no_way_out_minimax_makes_an_end_of_it() -> None:
    """Pacman between two ghosts in a corridor, each two steps away and on its way to him, so that it must go
    on.

    Depth 1: stop, and the ghosts come beside him: -1. From depth 2 on: whoever stops dies in the second
    round, -2 - 500; whoever goes towards a ghost is met in the first, -1 - 500, and that is the better of the
    two.
    """
    game = Pacman(HOPELESS)
    state = game.parse_position("%%%%%%%%%/%._____.%/%%%%%%%%% e2 c2e g2w 0 0 pacman")
    for rounds, value, way in ((1, -1, "stop"), (2, -501, "east"), (3, -501, "east"), (4, -501, "east")):
        found = book.opponents(game, state, depth=rounds, evaluate=score)
        assert found.value == ahead(game, state, rounds) == value
        assert game.notation(state, found.action) == way


def test_a_capsule_turns_the_hunt_round() -> None:
    """`%.Po  G.%`: east scares the ghost, which may then come to meet Pacman only to be caught."""
    game = Pacman(CAPSULE)
    state = game.parse_position("east")
    assert game.ghost_at(state, 0) >> 12 == SCARED_TIME
    assert state.score == -1
    for moves, where in (("east west", "g2w39+"), ("east west stop west", "f2w38")):
        assert game.position(game.parse_position(moves)).split()[2] == where
    # The ghost at e2 half way to d2, where Pacman stands, is in both, and caught: 200, and back to g2.
    state = game.parse_position("east west stop west stop west stop west stop west")
    assert (state.score, game.position(state).split()[2]) == (195, "g2-")


@pytest.mark.parametrize(
    ("way", "after"), [("north", "c4n"), ("south", "c3s"), ("east", "d3e"), ("west", "c3w")]
)
def test_fear_that_ends_halfway_leaves_the_ghost_in_the_northern_or_eastern_cell(
    way: str, after: str
) -> None:
    game = Pacman("%%%%%%%\n%   .P%\n% G % %\n%o  % %\n%%%%%%%")
    state = game.parse_position("%%%%%%%/%___._%/%___%_%/%___%_%/%%%%%%% f4 c3-1 -1 1 ghost1")
    state = game.play(state, game.parse_action(state, way))
    assert game.position(state).split()[2] == after


def test_two_ghosts_at_once_catch_pacman_once_and_the_last_food_comes_before_a_ghost() -> None:
    both = Pacman("%%%%%%%\n%P GG.%\n%%%%%%%")
    state = both.parse_position("%%%%%%%/%____.%/%%%%%%% b2 c2w c2w -3 3 pacman")
    assert both.result(state, both.parse_action(state, "east")).score == -3 - 1 - 500
    last = Pacman("%%%%%%%\n%P.G  %\n%%%%%%%")
    state = last.parse_position("%%%%%%%/%_.___%/%%%%%%% b2 c2w -1 1 pacman")
    won = last.result(state, last.parse_action(state, "east"))
    assert (won.score, last.position(won).split()[-1]) == (508, "won")


@pytest.mark.plain  # compiled, all rules of our games are checked in test_check.py
def test_alone_in_the_maze() -> None:
    game = Pacman("cell", ghosts=0)
    assert (game.players, game.zero_sum) == (1, False)
    game.compiled = False
    assert check_game(game, games=5).ok
    assert book.max_n(game, depth=6).value == (10 * 4 + 500 - 6,)


def test_who_cannot_move_stays() -> None:
    game = Pacman("%%%%%%\n%P.%G%\n%%%%%%")
    state = game.parse_position("stop")
    assert [game.notation(state, action) for action in game.actions(state)] == ["stop"]
    fixed = Pacman("%%%%%%\n%P.%G%\n%%%%%%", stop=False)
    assert [fixed.notation(fixed.initial(), a) for a in fixed.actions(fixed.initial())] == ["east"]


def test_the_game_ends_with_the_limit_once_all_have_moved() -> None:
    game = Pacman("field", limit=2)
    state = game.parse_position("stop north stop")
    assert not game.is_terminal(state)
    state = game.play(state, next(iter(game.actions(state))))
    assert game.is_terminal(state)
    assert (game.utility(state, 0), game.utility(state, 1)) == (-2, 2)
    assert game.position(state).endswith(" late")


# -- Layouts.


def test_the_layouts_there_are() -> None:
    names = layout_names()
    assert len(names) >= 8
    for name in names:
        maze = Maze(name)
        assert 4 <= maze.height <= 11
        assert 5 <= maze.width <= 20
        assert all(row[0] == row[-1] == "%" for row in maze.rows)
        assert {*maze.rows[0], *maze.rows[-1]} == {"%"}


def test_a_layout_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.lay"
    file.write_text(TINY)
    assert Pacman(str(file)).text(Pacman(TINY).initial()) == Pacman(TINY).text(Pacman(TINY).initial())


@pytest.mark.parametrize(
    ("layout", "why"),
    [
        ("nowhere", "there is no layout 'nowhere'; there are cell"),
        ("gone.lay", "there is no layout"),
        ("%P.Q%", "'Q' in row 1, column 4"),
        ("%..%", "one P, for Pacman, not 0"),
        ("%PP.%", "one P, for Pacman, not 2"),
        ("%P %", "must have food"),
        ("%P%.%", "cannot reach food at d1"),
        ("%P.%o%", "cannot reach a capsule at e1"),
        ("%P.GGGGGGG%", "at most 6 ghosts, not 7"),
        ("\n\n", "from 1 to 60 rows"),
        ("%P.%" + "%" * 60, "from 1 to 60 rows"),
        ("\n".join(["P" + "." * 39] + ["." * 40] * 9), "at most 378 free cells"),
    ],
)
def test_layouts_that_make_no_maze(layout: str, why: str) -> None:
    with pytest.raises(BadParameter, match=why):
        Pacman(layout)


def test_parameters() -> None:
    for parameters, why in (
        ({"ghosts": 3}, "between 0 and 2 in this layout, not 3"),
        ({"ghosts": "many"}, "in this layout, not 'many'"),
        ({"limit": 0}, "limit"),
        ({"weights": (1, 2)}, "6 weights"),
        ({"action_weights": (1, 2)}, "7 weights"),
    ):
        with pytest.raises(BadParameter, match=why):
            Pacman(**parameters)  # type: ignore[arg-type]
    assert Pacman(ghosts="1").players == 2  # type: ignore[arg-type]  # as the program hands it on


# -- What helps a search, and policies.


def test_features_of_a_state_and_of_an_action() -> None:
    game = Pacman(CAPSULE)
    assert game.features(game.initial()) == (0, 1, 2, 1, 4, 0)
    scared = game.parse_position("east west")
    assert game.features(scared) == (-1, 2, 2, 0, 5, 1 / 4)
    east, stop = (game.parse_action(game.initial(), way) for way in ("east", "stop"))
    assert game.action_features(game.initial(), east) == (0, 1 / 3, 1, 0, 0, 0, 0)
    assert game.action_features(game.initial(), stop) == (0, 1 / 2, 0, 0, 0, 1, 0)
    turn = game.parse_position("west")
    west, east = (game.parse_action(turn, way) for way in ("west", "east"))
    assert game.action_features(turn, west)[-1] == -4
    assert game.evaluate_action(turn, west) > game.evaluate_action(turn, east)
    assert game.priority(turn, west) == game.evaluate_action(turn, west) == -4


def test_the_estimate_is_the_weighted_sum() -> None:
    game = Pacman(CAPSULE, weights=(1, 0, 0, 0, 0, 100))
    scared = game.parse_position("east west")
    assert game.evaluate(scared, 0) == -1 + 25 == -game.evaluate(scared, 1)
    assert Pacman(CAPSULE, weights=(0, 0, 9e9, 0, 0, 0)).evaluate(scared, 0) == game.bounds[1] - 0.5


def test_directional_ghosts_come_nearer_and_scared_ones_flee() -> None:
    game = Pacman(CAPSULE)
    turn = game.parse_position("west")
    ways = {game.notation(turn, a): p for a, p in directional(0.8)(game, turn)}
    assert ways == {"west": pytest.approx(0.9), "east": pytest.approx(0.1)}
    scared = game.parse_position("east")
    ways = {game.notation(scared, a): p for a, p in directional(0.8, 0.5)(game, scared)}
    assert ways == {"east": pytest.approx(0.75), "west": pytest.approx(0.25)}
    assert [game.notation(turn, a) for a, _ in directional(1.0)(game, turn)] == ["west"]
    with pytest.raises(BadParameter, match="between 0 and 1, not 2"):
        directional(2)


def test_directional_as_the_course_reckons_it() -> None:
    """Distances |dx| + |dy| of the places a move leads to, a scared ghost's half a step away."""
    game, chance = Pacman(CROWD, limit=100), random.Random(5)
    for _ in range(4 if interpreting() else 12):
        state, twin = game.initial(), Slow("\n".join(game._maze.rows), game.count, 100)
        while not twin.end:
            legal = twin.legal()
            if twin.turn:
                ghost = twin.ghosts[twin.turn - 1]
                speed = 0.5 if ghost["fear"] else 1

                def far(way: str) -> float:
                    dx, dy = Slow.WAYS[way]
                    x, y = ghost["at"][0] + dx * speed, ghost["at"][1] + dy * speed  # noqa: B023
                    return abs(x - twin.pacman[0]) + abs(y - twin.pacman[1])  # noqa: B023

                best = (max if ghost["fear"] else min)(map(far, legal))
                wanted = [way for way in legal if far(way) == best]
                shares = {w: 0.2 / len(legal) + (w in wanted) * 0.8 / len(wanted) for w in legal}
                found = {game.notation(state, a): p for a, p in directional()(game, state)}
                assert found == pytest.approx(shares)
            way = chance.choice(legal)
            state = game.result(state, game.parse_action(state, way))
            twin.play(way)


# -- Words and pictures.


def test_words_for_ways() -> None:
    game = Pacman("field")
    state = game.parse_position("south north south north")
    for words, way in (("n up North", 0), ("s down", 1), ("e right", 2), ("x wait stop", 4)):
        assert {game.parse_action(state, word) for word in words.split()} == {way}
    with pytest.raises(IllegalMove, match="'west' is not a legal move"):
        game.parse_action(state, "w")


BOARD = "%%%%%%%%%/%._o___.%/%%%%%%%%%"


@pytest.mark.parametrize(
    ("position", "why"),
    [
        (f"{BOARD} c2 g2- 0 0", "7 words|6 words"),
        ("%%/%% c2 g2- 0 0 pacman", "3 rows of 9 characters"),
        (f"{BOARD.replace('%.', '__', 1)} c2 g2- 0 0 pacman", "unlike at a2"),
        (f"{BOARD.replace('_o', 'o_')} c2 g2- 0 0 pacman", "no 'o' at c2"),
        (f"{BOARD.replace('_o', '?o')} c2 g2- 0 0 pacman", "is not one of"),
        (f"{BOARD} c3 g2- 0 0 pacman", "Pacman cannot be at 'c3'"),
        (f"{BOARD} b2 g2- 0 0 pacman", "Pacman's cell cannot have food"),
        (f"{BOARD} c2 g2 0 0 pacman", "a ghost must be a cell"),
        (f"{BOARD} c2 g2n 0 0 pacman", "cannot have moved in that direction"),
        (f"{BOARD} c2 f2- 0 0 pacman", "not where it started"),
        (f"{BOARD} c2 g2w41 0 0 pacman", "between 1 and 40"),
        (f"{BOARD} c2 g2w+ 0 0 pacman", "cannot be halfway"),
        (f"{BOARD} c2 g2w9 0 0 pacman", "no capsule is eaten"),
        (f"{BOARD} c2 g2- x 0 pacman", "score must be a whole number"),
        (f"{BOARD} c2 g2- 5 0 pacman", "score of 5 does not follow"),
        (f"{BOARD} c2 g2- 0 301 pacman", "moves must be between 0 and 300"),
        (f"{BOARD} c2 g2- -300 300 pacman", "the game is late"),
        (f"{BOARD} c2 g2- 0 0 late", "late after 300 moves"),
        (f"{BOARD} c2 g2- 0 0 won", "if and only if all food"),
        (f"{BOARD} c2 g2- -500 0 caught", "no active ghost"),
        (f"{BOARD} c2 g2- 0 0 ghost2", "the last word must be one of"),
    ],
)
def test_positions_that_cannot_be(position: str, why: str) -> None:
    with pytest.raises(BadPosition, match=why):
        Pacman(CAPSULE).parse_position(position)


def test_text_and_picture() -> None:
    game = Pacman(CAPSULE)
    state = game.parse_position("east west")
    assert game.text(state).split("\n") == [
        "%%%%%%%%%",
        "%. P  g.%",
        "%%%%%%%%%",
        "score -1, 1 of 300 moves, Pacman to move",
    ]
    pieces = game.scene(state).pieces
    assert [(p.x, p.y, p.player, p.text) for p in pieces[-2:]] == [(3.5, 1.5, 0, "ᗧ"), (6, 1.5, 1, "👻1")]
    assert game.move_squares(state, 3) == ("d2", "c2")
    assert game.move_squares(state, 4) == ()


@pytest.mark.parametrize("layout", ["cell", "fork", "small", CROWD], ids=lambda text: text.strip()[:9])
@pytest.mark.plain  # compiled, all rules of our games are checked in test_check.py
def test_the_rules_hold_together(layout: str) -> None:
    assert check_game(Pacman(layout, limit=60), games=2 if interpreting() else 10).ok


def test_layouts_share_machine_code() -> None:
    assert fingerprint_of(Pacman("small")) == fingerprint_of(Pacman("medium", limit=7))
    assert fingerprint_of(Pacman("small")) != fingerprint_of(Pacman("small", ghosts=1))


@pytest.mark.skipif(interpreting(), reason="counts what is compiled")
def test_lines_of_play_compiled() -> None:
    game = Pacman(CROWD, ghosts=2)

    def lines(state: Any, depth: int) -> int:
        if depth == 0 or game.is_terminal(state):
            return int(depth == 0)
        return sum(lines(game.result(state, action), depth - 1) for action in game.actions(state))

    assert perft(game, game.initial(), 8) == lines(game.initial(), 8)
