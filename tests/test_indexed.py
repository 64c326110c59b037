"""Databases of games that number their states: against brute force, awari's endings, and what is refused."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphs
import plies
from oracles import oracle_path
from plies.compiled import interpreting
from plies.retrograde import counting, indexed, indexed_database
from plies.retrograde.database_file import read_database
from plies.retrograde.indexed import estimated
from plies.retrograde.make import make_database
from plies.retrograde.verify import verify_database
from test_database import forged


@pytest.fixture(autouse=True)
def compile_small_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested compiled is compiled, however small."""
    monkeypatch.setattr(counting, "FEW_STEPS", 0)
    monkeypatch.setattr(counting, "FEW_ENTRIES", 0)


GRAPHS = 30 if interpreting() else 150


class Points(graphs.Round):
    bounds = (-100, 100)


class Numbered(Points):
    """A graph whose nodes are numbered within components, with holes; leaving one may earn something.

    The clock of a spot is what player 0 has earned.
    """

    def initial(self) -> graphs.Spot:
        return graphs.Spot(0, 0)

    def result(self, state: graphs.Spot, action: int) -> graphs.Spot:
        after = int(self.arrows[state.node, action])
        return graphs.Spot(after, state.clock + int(self.gains[state.node, action]))

    def utility(self, state: graphs.Spot, player: int) -> float:
        lead = float(self.payoffs[state.node, 0]) + state.clock
        return lead if player == 0 else -lead

    def repetition_value(self, state: graphs.Spot, player: int) -> float:
        return float(state.clock if player == 0 else -state.clock)

    def stages(self, ending: str) -> Iterator[tuple[int, int]]:
        for stage in range(int(self.stage_of.max()) + 1):
            yield stage, int(self.index_of[self.stage_of == stage].max()) + 2

    def stage(self, state: graphs.Spot) -> int:
        return int(self.stage_of[state.node])

    def index(self, state: graphs.Spot) -> int:
        return -1 if state.node < 0 else int(self.index_of[state.node])

    def state_at(self, stage: int, index: int) -> graphs.Spot:
        for node in range(len(self.stage_of)):
            if self.stage_of[node] == stage and self.index_of[node] == index:
                return graphs.Spot(node, 0)
        return graphs.Spot(-1, 0)

    def earned(self, state: graphs.Spot) -> float:
        return float(state.clock)

    def symmetries(self, state: graphs.Spot) -> Iterator[graphs.Spot]:
        yield state


def components(arrows: np.ndarray) -> list[int]:
    """For each node the number of its component, those first that others lead to, by brute force."""
    count = len(arrows)
    reached = np.eye(count, dtype=bool)
    for node in range(count):
        for after in arrows[node][arrows[node] >= 0]:
            reached[node, after] = True
    for middle in range(count):
        reached |= reached[:, [middle]] & reached[[middle], :]
    classes = {tuple(np.flatnonzero(reached[n] & reached[:, n])) for n in range(count)}
    ordered = sorted(classes, key=lambda nodes: (reached[nodes[0]].sum(), nodes))
    return [next(place for place, nodes in enumerate(ordered) if node in nodes) for node in range(count)]


def random_numbered(chance: random.Random, gains: bool) -> Numbered:
    plain = graphs.random_graph(graphs.Round, chance, 12, (-2.0, -1.0, 0.0, 1.0, 2.0))
    stages = np.array(components(plain.arrows))
    numbers = np.zeros_like(stages)
    for stage in set(stages.tolist()):
        nodes = np.flatnonzero(stages == stage)
        numbers[nodes] = chance.sample(range(len(nodes) + 3), len(nodes))
    earned = np.zeros_like(plain.arrows)
    for node, action in np.argwhere(plain.arrows >= 0):
        if gains and stages[plain.arrows[node, action]] != stages[node]:
            earned[node, action] = chance.choice([-2, -1, 0, 0, 1, 2])
    kept = {name: value for name, value in vars(plain).items() if name != "full"}
    return Numbered(**kept, full=np.array([0]), gains=earned, stage_of=stages, index_of=numbers)


def brute_force(game: Any) -> list[float]:
    """What each node is worth beyond what was earned: in one component after the other, minimax to a horizon
    that moves further."""
    spots = [graphs.Spot(node, 0) for node in range(len(game.arrows))]
    worth = [game.utility(spot, 0) if game.is_terminal(spot) else 0.0 for spot in spots]
    for stage in range(int(game.stage_of.max()) + 1):
        here = [s for s in spots if game.stage(s) == stage and not game.is_terminal(s)]
        for _ in range(4 * len(here)):
            new = list(worth)
            for spot in here:
                arrows, gains = game.arrows[spot.node].tolist(), game.gains[spot.node].tolist()
                found = [worth[arrows[action]] + gains[action] for action in game.actions(spot)]
                new[spot.node] = max(found) if game.to_move(spot) == 0 else min(found)
            worth = new
    return worth


@pytest.mark.parametrize("gains", [pytest.param(False, marks=pytest.mark.plain), True])
@pytest.mark.costly
def test_random_graphs(gains: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(f"numbered {gains}")
    decided = drawn = 0
    for number in range(GRAPHS):
        game = random_numbered(chance, gains)
        monkeypatch.setattr(indexed, "FEW", 0 if number % 2 else 100)
        database = make_database(game, threads=2)
        assert isinstance(database, indexed_database.IndexedDatabase)
        assert len(database) == len(game.arrows)
        for node, worth in enumerate(brute_force(game)):
            entry = database.probe(graphs.Spot(node, 7))
            assert entry is not None
            assert entry.utility == worth + 7
            state = graphs.Spot(node, 0)
            if worth and not game.is_terminal(state):
                assert len(database.line(state)) >= (entry.plies or 0) > 0
        assert verify_database(database).holds
        decided += sum(database.counts()[::2])
        drawn += database.counts()[1]
        if not gains:  # the same states in a table
            table = make_database(
                Points(**vars(game)), roots=[graphs.Spot(n, 0) for n in range(len(game.arrows))], fold=False
            )
            for node in range(len(game.arrows)):
                assert database.probe(graphs.Spot(node, 0)) == table.probe(graphs.Spot(node, 0))
    assert decided
    assert drawn


# -- Awari.


@pytest.mark.plain
@pytest.mark.parametrize(
    ("file", "settings"),
    [
        ("G0_E0", {"grand_slam": "nothing", "stuck": "keep"}),
        ("G1_E0", {"grand_slam": "forbidden", "stuck": "keep"}),
        ("G1_E1", {"grand_slam": "forbidden", "stuck": "lose"}),
    ],
)
def test_awari_has_the_histograms_of_another_program(file: str, settings: dict[str, str]) -> None:
    """All boards of up to four seeds; up to seven where that is compiled, in the long tests."""
    check_awari(file, settings, 3)


@pytest.mark.long
@pytest.mark.skipif(interpreting(), reason="a hundred thousand boards take minutes interpreted")
@pytest.mark.parametrize("file", ["G0_E0", "G1_E0", "G1_E1"])
def test_awari_of_seven_seeds(file: str) -> None:
    slam = "forbidden" if "G1" in file else "nothing"
    check_awari(file, {"grand_slam": slam, "stuck": "lose" if "E1" in file else "keep"}, 7)


def check_awari(file: str, settings: dict[str, str], seeds: int) -> None:
    game = plies.Awari(repetition="split", **settings)
    database = make_database(game, str(seeds))
    assert isinstance(database, indexed_database.IndexedDatabase)
    rows = oracle_path(f"mancala/awari_endgame_{file}.jsonl").read_text().splitlines()
    start = 0
    for line, (stage, size) in zip(rows, database.stages, strict=False):
        row = json.loads(line)
        assert (row["stones"], 2 * row["positions"]) == (stage, size)
        places = database.places()[start : start + size : 2]  # South to move
        found = Counter(int(database.utilities[place]) for place in places)
        assert found == {int(value): count for value, count in row["hist"].items()}
        start += size
    assert len(database.stages) == seeds + 1
    assert verify_database(database).holds
    state = game.parse_position("0/0/0/0/0/1:20 0/0/0/1/0/0:26 South")
    entry = database.probe(state)
    assert entry is not None
    relative = database.probe(game.state_at(game.stage(state), game.index(state)))
    assert relative is not None
    assert entry.utility == relative.utility - 6


@pytest.mark.plain
def test_awari_numbers_are_dense() -> None:
    game = plies.Awari()
    for stage, size in game.stages("2"):
        states = [game.state_at(stage, index) for index in range(size)]
        assert [game.index(state) for state in states] == list(range(size))
        assert len(set(states)) == size
        assert {game.stage(state) for state in states} == {stage}
    assert game.index(game.initial()) >= 0
    with pytest.raises(plies.BadParameter, match="named by the most seeds in the houses, 1 to 48, not '0'"):
        list(game.stages("0"))
    with pytest.raises(plies.Unsuitable, match=r"takes a repetition for a draw; in Awari repetition_value"):
        make_database(game, "3")


@pytest.mark.plain
def test_chess_numbers() -> None:
    game = plies.Chess()
    chance = random.Random(4)
    for ending in ("KQKR", "KPK", "KRRK", "KBKN"):
        stages = dict(game.stages(ending))
        met = 0
        for _ in range(150):
            stage = list(stages)[-1]
            index = chance.randrange(stages[stage])
            state = game.state_at(stage, index)
            if game.index(state) != index:
                continue
            met += 1
            assert game.stage(state) == stage
            assert game.parse_position(game.position(state)) == state
            for image in _images(state, bool(state.pawns)):
                assert game.index(image) == index
        assert met > 20
    assert list(game.stages("KPKP")) == []  # which may capture en passant
    assert game.index(game.initial()) == -1
    assert game.index(game.parse_position("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")) == -1


def _images(state: Any, pawns: bool) -> Iterator[Any]:
    """The reflections of a chess position, square by square."""
    turns = [
        (flip, rank, swap)
        for flip in (0, 7)
        for rank in ((0,) if pawns else (0, 56))
        for swap in (False, True)
    ]
    for flip, rank, swap in turns:
        if swap and pawns:
            continue
        boards = []
        for board in state[:8]:
            squares = [square for square in range(64) if board >> square & 1]
            moved = [square ^ flip ^ rank for square in squares]
            moved = [(s & 7) << 3 | s >> 3 for s in moved] if swap else moved
            number = sum(1 << square for square in moved)
            boards.append(number - (1 << 64) if number >> 63 else number)
        yield type(state)(*boards, *state[8:])


# -- What is refused, and what is noticed.


class Hole(Numbered):
    """A node has a number, but the number stands for nothing."""

    def state_at(self, stage: int, index: int) -> graphs.Spot:
        found = super().state_at(stage, index)
        return graphs.Spot(-1, 0) if found.node == self.hole else found


def holed() -> Hole:
    """A game with such a node, to which only nodes of its own stage lead."""
    for seed in range(1000):
        game = random_numbered(random.Random(seed), True)
        pairs = [
            pair
            for pair in map(tuple, np.argwhere(game.arrows >= 0).tolist())
            if game.arrows[pair[0], 0] >= 0
        ]
        stages = {
            node: {int(game.stage_of[n]) for n, a in pairs if game.arrows[n, a] == node} for node in range(12)
        }
        for node, before in stages.items():
            if before == {int(game.stage_of[node])} and any(game.arrows[n, a] == node != n for n, a in pairs):
                return Hole(**vars(game), hole=node)
    raise AssertionError("there is none")


def broken(**changes: Any) -> Numbered:
    game = random_numbered(random.Random(11), True)
    for name, value in changes.items():
        setattr(game, name, value)
    return game


@pytest.mark.plain
def test_rules_that_number_badly_are_named() -> None:
    sound = broken()
    leading = [(n, a) for n, a in np.argwhere(sound.arrows >= 0) if not sound.is_terminal(graphs.Spot(n, 0))]
    inside = [(n, a) for n, a in leading if sound.stage_of[sound.arrows[n, a]] == sound.stage_of[n]]
    earned = sound.gains.copy()
    earned[inside[0]] = 1
    cases = [
        (broken(gains=earned), r"Numbered\.earned changes within a stage"),
        (broken(stage_of=sound.stage_of.max() - sound.stage_of), r"Numbered\.stages does not give the stage"),
    ]
    for game, words in cases:
        with pytest.raises(plies.BrokenRule, match=words):
            make_database(game)
    with pytest.raises(plies.Unsuitable, match="takes a repetition for a draw; in Keeping repetition_value"):
        make_database(Keeping(**vars(sound)))
    with pytest.raises(plies.BrokenRule, match=r"Lost\.index gives no number of the stage to a successor"):
        make_database(Lost(**vars(sound)))
    with pytest.raises(plies.BrokenRule, match=r"Hole\.index gives no number of the stage to a successor"):
        make_database(holed())
    with pytest.raises(plies.BrokenRule, match=r"Twice\.stages gives a stage twice"):
        make_database(Twice(**vars(sound)))


class Keeping(Numbered):
    def repetition_value(self, state: graphs.Spot, player: int) -> float:
        return 1.0 if player == 0 else -1.0


class Lost(Numbered):
    def index(self, state: graphs.Spot) -> int:
        return (
            -1 if state.node == int(self.arrows[0, 0]) or state.node < 0 else int(self.index_of[state.node])
        )


class Twice(Numbered):
    def stages(self, ending: str) -> Iterator[tuple[int, int]]:
        yield 0, 1
        yield 0, 1


@pytest.mark.plain
def test_states_that_share_a_number_though_they_differ_are_noticed() -> None:
    """Both are verified by way of the state that their number stands for, so values alone would hold."""
    game = Muddled()
    database = make_database(game)
    found = verify_database(database)
    assert found.confused
    assert not found.holds
    report = plies.check_game(game, games=5)
    assert any("have the number 1, but go on in different ways" in problem for problem in report.problems)


class Muddled(plies.Game):
    """From 0 to 1 or 2; 1 leads to a win, and 2, which has the number of 1, to a loss."""

    endings = ("all",)

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> Iterator[int]:
        if state == 0:
            yield 1
            yield 2
        elif state < 3:
            yield state + 2

    def result(self, state: int, action: int) -> int:
        return action

    def is_terminal(self, state: int) -> bool:
        return state > 2

    def utility(self, state: int, player: int) -> int:
        return (1 if state == 3 else -1) * (1 if player == 0 else -1)

    def stages(self, ending: str) -> Iterator[tuple[int, int]]:
        yield 0, 5

    def index(self, state: int) -> int:
        return 1 if state == 2 else state

    def state_at(self, stage: int, index: int) -> int:
        return index


@pytest.mark.plain
@pytest.mark.parametrize("fault", ["value", "distance", "hole", "state"])
def test_verification_finds_one_wrong_entry(fault: str) -> None:
    for seed in range(6):
        database = make_database(random_numbered(random.Random(seed), True))
        assert isinstance(database, indexed_database.IndexedDatabase)
        for number in range(len(database.values)):
            gone = database.distances[number] == database.gone
            if gone != (fault == "state"):
                continue
            values, distances = database.values.copy(), database.distances.copy()
            if fault == "value":
                values[number] = 1 if values[number] < 1 else -1
            elif fault == "distance":
                distances[number] = 3 if distances[number] != 3 else 1
            else:
                distances[number] = 0 if fault == "state" else database.gone
            assert not verify_database(replace(database, values=values, distances=distances)).holds, number


@pytest.mark.plain
def test_states_of_other_stages_are_not_there() -> None:
    game = plies.Awari(houses=2, seeds=2, repetition="split")
    database = make_database(game, "3")
    sizes = dict(game.stages("4"))
    for stage, size in sizes.items():
        for index in range(size):
            assert (database.probe(game.state_at(stage, index)) is None) == (stage == 4)


# -- Size, and files.


@pytest.mark.plain
def test_the_size_is_estimated_before_work_begins() -> None:
    game = plies.Awari(repetition="split")
    stages = list(game.stages("12"))
    estimate = estimated(game, stages)
    assert estimate.numbers == estimate.states == sum(size for _, size in stages)
    assert 30 * estimate.numbers < estimate.memory < estimate.disk < 60 * estimate.numbers
    with pytest.raises(plies.PliesError, match=r"12 takes about .* states under .* more than the 10 MB"):
        make_database(game, "12", memory=10)


@pytest.mark.plain
def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLIES_DATA_DIR", str(tmp_path))
    game = plies.Awari(houses=2, seeds=2, repetition="split")
    database = make_database(game, "3")
    path = plies.save_database(database)
    read = plies.open_database(game, "3")
    assert dict(read.states()) == dict(database.states())
    assert len(read) == len(database) == 2 * (1 + 4 + 10 + 20)
    assert verify_database(read).holds
    for changes in (
        {"stages": [[0, 70]]},
        {"stages": [[0, 2], [1, 8]]},
        {"stages": [1]},
        {"ending": "2"},
        {"stages": []},
    ):
        plies.save_database(database)
        forged(path, **changes)
        with pytest.raises(plies.PliesError, match="is damaged"):
            read_database(game, path)
