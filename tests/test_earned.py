"""Databases of what is still to be earned, in searches: against brute force, and Kalah as published."""

from __future__ import annotations

import functools
import json
import random
from typing import Any

import numpy as np
import pytest

import plies
import plies.engine.retrograde as engine_retrograde
import plies.engine.solve as engine_solve
from oracles import oracle_path
from plies.engine.alpha_beta import AlphaBeta
from plies.engine.limit import Limit
from plies.engine.monte_carlo import MonteCarlo
from plies.engine.solve import Solver
from plies.engine.value import EXACT
from plies.retrograde.make import make_database
from plies.retrograde.verify import verify_database
from test_indexed import Numbered, random_numbered

pytestmark = pytest.mark.plain

GRAPHS = 25


def worth(game: Numbered, state: Any, past: list[Any]) -> float:
    """What a state is worth to player 0 after others, which may not come up again: minimax over all games."""

    @functools.cache
    def value(state: Any, past: frozenset[Any]) -> float:
        if game.is_terminal(state):
            return game.utility(state, 0)
        if state in past:
            return game.repetition_value(state, 0)
        after = frozenset(one for one in {*past, state} if game.stage(one) == game.stage(state))
        best = max if game.to_move(state) == 0 else min
        return best(value(game.result(state, action), after) for action in game.actions(state))

    after = frozenset({*past, state})
    best = max if game.to_move(state) == 0 else min
    return best(value(game.result(state, action), after) for action in game.actions(state))


def walk(game: Numbered, chance: random.Random) -> tuple[list[Any], Any]:
    """Some states of a game, and the one after them; none of them twice."""
    going_on = [node for node in range(len(game.arrows)) if game.arrows[node, 0] >= 0]
    state = game.initial()._replace(node=chance.choice(going_on), clock=chance.randrange(-3, 4))
    past: list[Any] = []
    for _ in range(chance.randrange(6)):
        after = [game.result(state, action) for action in game.actions(state)]
        after = [one for one in after if one not in [*past, state] and not game.is_terminal(one)]
        if not after:
            break
        past.append(state)
        state = chance.choice(after)
    return past, state


@pytest.mark.parametrize("search", [AlphaBeta, MonteCarlo])
@pytest.mark.long
def test_random_graphs_with_a_past(search: Any) -> None:
    chance = random.Random("earned")
    proved = probed = 0
    for _ in range(GRAPHS):
        game = random_numbered(chance, True)
        database = make_database(game)
        for _ in range(4):
            past, state = walk(game, chance)
            limit = Limit(depth=chance.randrange(1, 4), nodes=300 if search is AlphaBeta else 30)
            found = search(game, database=database).search(state, limit, previous=past)
            sign = 1 if game.to_move(state) == 0 else -1
            if found.value.proved and found.value.bound == EXACT:
                proved += 1
                probed += "database" in found.rests_on
                assert found.value.utility == sign * worth(game, state, past)
                assert found.value.plies is None or not probed
    assert proved > GRAPHS
    assert probed > GRAPHS // 2


def ladder() -> Numbered:
    """Nodes in a row, each with a way on and one back, and 2 to earn by the last step; player 0 moves."""
    game = random_numbered(random.Random(1), True)
    own = dict(vars(game))
    own["arrows"] = np.array([[1, 0, -1], [2, 0, -1], [3, 1, -1], [4, 2, -1], [5, 3, -1], [-1, -1, -1]])
    own["gains"] = np.array([[0, 0, 0]] * 4 + [[2, 0, 0]] + [[0, 0, 0]])
    own["movers"], own["skips"], own["calm"] = np.zeros(6, int), np.arange(6), np.ones(6, bool)
    own["payoffs"] = own["estimates"] = np.zeros((6, 2))
    own["urgency"] = np.zeros((6, 3))
    own["stage_of"], own["index_of"] = np.array([1] * 5 + [0]), np.array([0, 1, 2, 3, 4, 0])
    made = Numbered(**own)
    made.compiled = False
    return made


@pytest.mark.parametrize("search", [AlphaBeta, MonteCarlo])
def test_a_gain_counts_if_the_past_is_not_in_the_way(search: Any) -> None:
    """After nodes 4 and 3, the only way to the gain leads through a position of the game so far."""
    game = ladder()
    engine = search(game, database=make_database(game))
    spots = [game.initial()._replace(node=node, clock=7) for node in range(5)]
    found = engine.search(spots[2], Limit(nodes=60), previous=[spots[1], spots[0]])
    assert found.value.utility == 9
    assert found.value.proved or search is MonteCarlo  # which proves nothing by a repetition
    assert found.database == "numbered: win by 9"
    found = engine.search(spots[2], Limit(nodes=60), previous=[spots[4], spots[3]])
    assert found.value.utility < 9 or not found.value.proved
    assert "the way may lead through a position of the game so far" in found.database


@pytest.mark.parametrize("rule", ["rule_irving_empty_capture", "rule_standard_nonempty_capture"])
def test_kalah_has_the_values_of_another_program(rule: str) -> None:
    values = json.loads(oracle_path("mancala/kalah.json").read_text())[rule]["own_solver"]
    for houses, seeds in ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1)):
        game = plies.Kalah(houses, seeds, empty_capture=rule == "rule_irving_empty_capture")
        game.compiled = False
        database = make_database(game, str(game.stock))
        entry = database.probe(game.initial())
        assert entry is not None
        assert entry.utility == values[f"{houses},{seeds}"]
        assert verify_database(database).holds


def test_searches_add_what_was_earned() -> None:
    """Kalah from the first board on, with a database of up to five seeds: the value as published."""
    game = plies.Kalah(3, 1)
    game.compiled = False
    database = make_database(game, "5")
    value = json.loads(oracle_path("mancala/kalah.json").read_text())["rule_standard_nonempty_capture"]
    expected = value["own_solver"]["3,1"]
    solution = Solver(game, database=database).solve(game.initial())
    assert solution.value is not None
    assert (solution.value.utility, solution.value.plies) == (expected, None)
    assert "database of kalah 5" in solution.rests_on
    state = game.result(game.initial(), 2)  # an extra turn
    found = AlphaBeta(game, database=database).search(state, Limit(depth=1))
    assert found.value.proved
    assert found.database == f"kalah 5: {found.value}"
    with pytest.raises(plies.BadParameter, match="does not tell how soon the game ends"):
        Solver(game, distance=True, database=database)


@pytest.mark.parametrize("seeds", [0, 1, 2, 4, 20, 45])
def test_a_board_with_other_seeds_than_the_game_has_no_number(seeds: int) -> None:
    """It would be that of another board, whose value would be taken for its own."""
    game = plies.Kalah(6, 4)
    right = game.parse_position("3/0/0/0/0/0:20 0/0/0/0/0/0:25 South")
    assert game.index(right) >= 0
    for house in range(6):
        wrong = right._replace(mine=right.mine - 3 + (seeds << house * game.digit))
        assert game.stage(wrong) == 3
        assert game.index(wrong) == -1


def test_a_clock_and_what_is_earned_do_not_go_together() -> None:
    class Clocked(Numbered):
        def plies_left(self, state: Any) -> int:
            return 100

    game = random_numbered(random.Random(1), True)
    clocked = Clocked(**vars(game))
    clocked.compiled = False
    with pytest.raises(plies.Unsuitable, match=r"earned\(\) and plies_left\(\)"):
        AlphaBeta(clocked, database=make_database(clocked))


def test_a_long_proof_makes_a_database_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    game = plies.Kalah(3, 3)
    game.compiled = False
    wanted = plies.solve(game)
    assert wanted.value.utility == 2  # Kalah(3, 3) by the standard rule, as another program has it
    assert "database" not in wanted.rests_on
    monkeypatch.setattr(engine_solve, "SHORT", 300)
    monkeypatch.setattr(engine_retrograde, "LARGEST", 3_000)
    assert [*game.endings_after(game.initial())] == [str(seeds) for seeds in range(1, 18)]
    assert engine_retrograde.ending_for(game, game.initial()) == "6"
    found = plies.solve(game)
    assert found.value == wanted.value
    assert "taken from the database of kalah 6" in found.rests_on
    assert found.nodes > 300
    for given in (
        {"distance": True},
        {"nodes": 10**9},
    ):  # which a database does not tell, and must not change
        assert "database" not in plies.solve(game, **given).rests_on
    monkeypatch.setattr(engine_retrograde, "kept_databases", lambda game: ["one"])
    assert engine_retrograde.ending_for(game, game.initial()) == ""
    assert engine_retrograde.ending_for(plies.Awari(), plies.Awari().initial()) == ""  # it is not searched


def test_a_database_that_is_not_made_ends_in_bounds_or_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    game = plies.Kalah(3, 3)
    game.compiled = False
    monkeypatch.setattr(engine_solve, "SHORT", 300)

    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(engine_retrograde, "make_database", interrupted)
    found = plies.solve(game)
    assert not found.solved
    assert found.reason == "it was interrupted"

    def refused(*_: Any, **__: Any) -> Any:
        raise plies.PliesError("too large")

    monkeypatch.setattr(engine_retrograde, "make_database", refused)
    with pytest.warns(plies.PliesWarning, match="goes without a database: too large"):
        assert plies.solve(game).value.utility == 2
