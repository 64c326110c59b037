"""Databases in play: which are probed, what they prove at each clock and after any past, and what is said.

That nothing proved by way of a database is false is tested on random graphs in test_proofs.py.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphs
import plies
from plies.compiled import interpreting
from plies.engine import AlphaBeta, Limit, MonteCarlo
from plies.engine.probing import prober_for
from plies.retrograde.indexed_database import IndexedDatabase
from test_cli import program

plain = pytest.mark.plain
compiled = pytest.mark.skipif(
    interpreting(), reason="hundreds of thousands of positions take an hour interpreted"
)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLIES_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


def interpreted(game: Any) -> Any:
    game.compiled = False
    return game


@pytest.fixture(scope="module")
def database() -> plies.Database:
    return plies.make_database(interpreted(plies.TicTacToe()))


GAME = interpreted(plies.TicTacToe())
START = "Values of positions are taken from the database of tic-tac-toe."


# -- Which database is probed.


@plain
def test_a_search_probes_the_database_that_was_made(database: plies.Database) -> None:
    before = AlphaBeta(GAME).search(limit=Limit(depth=1))
    assert not before.value.proved
    assert START not in before.rests_on
    plies.save_database(database)
    found = AlphaBeta(GAME).search(limit=Limit(depth=1))
    assert (str(found.value), found.value.proved, found.database) == ("draw", True, "tic-tac-toe: draw")
    assert found.rests_on.endswith(START)
    assert found.to_dict()["database"] == "tic-tac-toe: draw"
    without = AlphaBeta(GAME, database=False).search(limit=Limit(depth=1))
    assert (without.value, without.database) == (before.value, "")


@plain
def test_one_may_be_given(database: plies.Database) -> None:
    state = GAME.parse_position("X.O/.../...")
    for engine in (AlphaBeta(GAME, database=database), MonteCarlo(GAME, seed=1, database=database)):
        found = engine.search(state, Limit(nodes=20))
        assert (found.value.utility, found.value.proved) == (1.0, True)
        assert found.rests_on.endswith(START)
    solution = plies.Solver(GAME, distance=True, memory=1, database=database).solve()
    assert (str(solution.value), solution.nodes) == ("draw", 10)  # the root is asked twice: win? draw?
    assert solution.rests_on.endswith(START)
    proof = plies.ProofNumberSearch(GAME, memory=1, database=database).solve(state)
    assert (str(proof.value), proof.nodes) == ("win", 1)
    assert proof.rests_on.endswith(START)


@plain
def test_one_of_other_rules_is_refused(database: plies.Database) -> None:
    with pytest.raises(plies.BadParameter, match=r"for other rules: it was made for TicTacToe\(\)"):
        AlphaBeta(plies.ConnectFour(4, 4), database=database)
    with pytest.raises(plies.BadParameter, match=r"a database is one of open_database\(\), or True"):
        AlphaBeta(GAME, database="tic-tac-toe")


@plain
def test_a_damaged_one_is_left_out_with_a_warning(database: plies.Database) -> None:
    file = plies.save_database(database)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.warns(plies.PliesWarning, match="a search goes without its database: .* is damaged"):
        assert AlphaBeta(GAME).prober is None
    assert AlphaBeta(GAME).prober is None  # and said once


class Endings(plies.Nim):
    """Nim with endings by the number of heaps' objects that are left."""

    compiled = False
    name = "nim-endings"

    def roots(self, ending: str) -> list[Any]:
        return [self.parse_position(ending or "3/3")]


@plain
def test_of_several_the_one_with_the_position_is_probed() -> None:
    game = Endings((3, 3))
    for ending in ("1/2", "2/2", "1/1"):
        plies.save_database(plies.make_database(game, ending))
    prober = prober_for(game, True)
    assert prober is not None
    named = []
    for position in ("1/2", "1/1", "2/2", "3/3"):
        prober.set_out(game.parse_position(position), ())
        named.append((prober.name, bool(prober.says(game.parse_position(position)))))
    assert named == [
        ("nim-endings 1/2", True),
        ("nim-endings 1/1", True),
        ("nim-endings 2/2", True),
        ("nim-endings 2/2", False),  # the largest
    ]


class Undated(graphs.Round):
    """A database that leaves something out, nobody knows what."""

    def core(self, state: Any) -> Any:
        return graphs.Spot(state.node, 0)


@plain
def test_what_core_leaves_out_must_be_known() -> None:
    game = interpreted(graphs.random_graph(Undated, random.Random(1), 6))
    database = plies.make_database(game)
    assert prober_for(game, True) is None
    with pytest.raises(plies.Unsuitable, match=r"core\(\), and has no plies_left\(\)"):
        AlphaBeta(game, database=database)


# -- What it proves.


def lone(
    kind: type[Any],
    arrows: list[list[int]],
    clock: int = 0,
    resets: Sequence[tuple[int, int]] = (),
    **given: Sequence[float],
) -> Any:
    """A graph on which player 0 alone moves, to win where no way leads on; `resets` start the clock anew.

    `movers`, `places` and what each node is `worth` to player 0 may be given.
    """
    own = dict(vars(graphs.random_graph(kind, random.Random(1), 2)))
    count = len(arrows)
    worth = given.get("worth", [0.0 if row else 1.0 for row in arrows])
    own["arrows"] = np.array([[*row, -1, -1, -1][: graphs.WIDTH] for row in arrows])
    own["movers"] = np.array(given.get("movers", [0] * count))
    own["payoffs"] = own["estimates"] = np.array([[one, -one] for one in worth])
    own["urgency"], own["calm"] = np.zeros((count, graphs.WIDTH)), np.ones(count, bool)
    own["skips"] = own["mirror"] = np.arange(count)
    own["places"] = np.array(given.get("places", range(count)))
    own["resets"] = np.zeros((count, graphs.WIDTH), bool)
    for node, action in resets:
        own["resets"][node, action] = True
    own["full"] = np.array([clock])
    return interpreted(kind(**own))


def ladder(kind: type[Any], clock: int) -> Any:
    """Nodes in a row, each with a way on and one back: a win in 5 plies."""
    return lone(kind, [[1, 0], [2, 0], [3, 1], [4, 2], [5, 3], []], clock)


@plain
@pytest.mark.parametrize("left", range(1, 9))
@pytest.mark.parametrize("search", [AlphaBeta, MonteCarlo])
def test_a_win_counts_if_the_clock_leaves_time_for_it(search: type[Any], left: int) -> None:
    game = ladder(graphs.TimelessRound, 8)
    engine = search(game, database=plies.make_database(game))
    found = engine.search(graphs.Spot(0, left), Limit(nodes=4))
    assert (found.value.proved and found.value.utility == 1) == (left >= 5)
    words = "" if left >= 5 else f", which is no proof here: the clock leaves {left} plies"
    assert found.database == f"timeless-round: win in 5{words}"


@plain
@pytest.mark.parametrize("search", [AlphaBeta, MonteCarlo])
def test_a_win_counts_if_the_past_is_not_in_the_way(search: type[Any]) -> None:
    """After nodes 3 and 1, the win leads through a position of the game so far."""
    game = ladder(graphs.Round, 0)
    engine = search(game, database=plies.make_database(game))
    spots = [graphs.Spot(node, 0) for node in range(5)]
    assert engine.search(spots[2], Limit(nodes=4), previous=[spots[1], spots[0]]).value.proved
    found = engine.search(spots[2], Limit(nodes=4), previous=[spots[4], spots[3]])
    assert not found.value.proved or found.value.utility == 0
    assert found.database == (
        "round: win in 3, which is no proof here: the way may lead through a position of the game so far"
    )
    thrice = ladder(graphs.ThriceRound, 0)
    engine = search(thrice, database=plies.make_database(thrice))
    assert engine.search(spots[2], Limit(nodes=4), previous=[spots[4], spots[3]]).value.proved
    past = [spots[4], spots[3], spots[4], spots[3]]
    found = engine.search(spots[2], Limit(nodes=4), previous=past)
    assert not found.value.proved or found.value.utility == 0


@plain
@pytest.mark.parametrize("search", [AlphaBeta, MonteCarlo])
def test_a_win_by_way_of_one_that_the_clock_ended(search: type[Any]) -> None:
    """From node 4 by node 0, too late to win there, to node 3, where the clock starts anew: but from there,
    the only way leads through node 0 again."""
    game = lone(graphs.TimelessRound, [[1, 3], [2], [5], [0], [0], []], 5, [(0, 1)])
    found = search(game, database=plies.make_database(game, roots=[graphs.Spot(4, 5)])).search(
        graphs.Spot(4, 3), Limit(nodes=100)
    )
    assert not found.value.proved or found.value.utility == 0
    assert found.database == "timeless-round: win in 4, which is no proof here: the clock leaves 3 plies"


@plain
@pytest.mark.parametrize("search", [AlphaBeta, MonteCarlo])
def test_a_move_back_is_no_win(search: type[Any]) -> None:
    """From node 0 by node 1 to the end, or by node 3 back to node 0."""
    game = lone(graphs.Round, [[1, 3], [2], [], [0]])
    engine = search(game, database=plies.make_database(game))
    found = engine.search(graphs.Spot(0, 0), Limit(nodes=50), lines=2)
    assert (found.value.utility, found.value.proved) == (1, True)
    assert not (1 in found.scores and found.scores[1].proved and found.scores[1].utility == 1)
    found = engine.search(graphs.Spot(0, 0), Limit(nodes=50), previous=[graphs.Spot(1, 0)])
    assert found.value.utility < 0.5  # by Monte Carlo, an estimate


@plain
def test_positions_that_differ_may_repeat_each_other() -> None:
    game = lone(graphs.Places, [[1], [2], [3], []], places=[0, 1, 0, 2])
    found = AlphaBeta(game, database=plies.make_database(game)).search(limit=Limit(depth=6))
    assert not found.value.proved or found.value.utility == 0
    assert found.database.endswith("no proof here: positions that differ count as repetitions of each other")


LATE = {"movers": [0, 1, 0, 0, 0, 0, 0, 0], "worth": [0, 0, 0, 0, 0, 0, 0.5, 1]}
"""Player 1, at node 1, may lose a half at once, or all in 4 plies more."""


@plain
def test_an_error_may_lead_to_a_greater_win_too_late() -> None:
    arrows = [[1], [6, 2], [3], [4], [5], [7], [], []]
    game = lone(graphs.TimelessClock, arrows, 8, **LATE)
    database = plies.make_database(game)
    assert database.probe(game.initial()) == (0.5, 2)
    for search in (AlphaBeta, MonteCarlo):
        found = search(game, database=database).search(graphs.Spot(0, 3), Limit(nodes=50))
        assert found.value.utility == 0
        assert found.database.endswith("win by 0.5 in 2, which is no proof here: it may take too long")
    solution = plies.solve(game, graphs.Spot(0, 3), algorithm="retrograde")
    assert (solution.low.utility, solution.high.utility) == (0, 0.5)


@plain
def test_an_error_may_lead_to_a_greater_win_through_the_past() -> None:
    arrows = [[1], [6, 2], [3, 0], [4, 0], [5, 0], [7, 0], [], []]
    game = lone(graphs.Round, arrows, **LATE)
    database = plies.make_database(game)
    for search in (AlphaBeta, MonteCarlo):
        engine = search(game, database=database)
        assert engine.search(graphs.Spot(0, 0), Limit(nodes=50)).value.utility == 0.5
        found = engine.search(graphs.Spot(0, 0), Limit(nodes=50), previous=[graphs.Spot(2, 0)])
        assert found.value.utility < 0.1  # by Monte Carlo, an estimate


@plain
def test_a_win_that_is_not_clear_may_be_won_another_way() -> None:
    """The quickest way leads through node 1, where the game has been; another one does not."""
    game = lone(graphs.Round, [[1, 2], [5], [3], [4], [5], [], [0]])
    database = plies.make_database(game, roots=[graphs.Spot(6, 0)])
    found = AlphaBeta(game, database=database).search(
        graphs.Spot(6, 0), Limit(depth=8), previous=[graphs.Spot(1, 0)]
    )
    assert (found.value.utility, found.value.proved, found.value.plies) == (1, True, 5)


@plain
def test_proof_numbers_know_the_clock() -> None:
    game = lone(graphs.TimelessClock, [[1], [2], [3], [4], [5], []], 8)
    database = plies.make_database(game)
    for left, value in ((5, "win"), (4, "draw")):
        solution = plies.ProofNumberSearch(game, memory=1, database=database).solve(graphs.Spot(0, left))
        assert str(solution.value) == value


@plain
def test_a_quicker_win_by_way_of_the_past() -> None:
    """It takes 2 plies by node 0, which the game has been through and may come to once more."""
    game = lone(graphs.ThriceRound, [[1], [], [3, 0], [4], [1], [2]])
    found = AlphaBeta(game, database=False).search(
        graphs.Spot(2, 0), Limit(depth=4), previous=[graphs.Spot(0, 0)]
    )
    assert (found.value.utility, found.value.proved, found.value.plies) == (1, True, None)


@plain
def test_monte_carlo_wins_by_the_quickest_way() -> None:
    game = ladder(graphs.ThriceRound, 0)
    engine = MonteCarlo(game, seed=1, database=plies.make_database(game))
    state, previous = game.initial(), []
    for _ in range(5):
        previous, state = (
            [*previous, state],
            game.result(state, engine.search(state, Limit(nodes=4), previous=previous).action),
        )
    assert game.is_terminal(state)


@compiled
@pytest.mark.costly
@pytest.mark.parametrize("ending", ["KRK", "KQK"])
def test_chess_endings_at_every_clock(ending: str) -> None:
    """Only the capture of the last piece starts the clock anew, so a win counts if it is in time."""
    game = plies.Chess()
    database = plies.make_database(game, ending)
    assert isinstance(database, IndexedDatabase)
    numbers = np.flatnonzero(database.distances != database.gone).tolist()
    chance = random.Random(1)
    alpha_beta, tree = AlphaBeta(game, database=database), MonteCarlo(game, seed=1, database=database)
    won = 0
    for clock in range(101):
        for number in chance.sample(numbers, 12):
            state, entry = database.state(number)._replace(clock=clock), database.entry(number)
            if game.is_terminal(state):
                continue
            sign = 1 if game.to_move(state) == 0 else -1
            in_time = entry.plies is not None and entry.plies <= 100 - clock
            truth = sign * entry.utility if in_time else 0.0
            for engine, limit in ((alpha_beta, Limit(depth=2)), (tree, Limit(nodes=30))):
                found = engine.search(state, limit)
                if in_time or (entry.utility == 0 and engine is alpha_beta):
                    assert found.value.proved
                    assert found.value.utility == truth
                    won += truth > 0
                elif found.value.proved:
                    assert found.value.utility == 0
                if engine is alpha_beta and found.value.proved and truth:
                    assert found.value.plies == entry.plies
                for action, value in found.scores.items():
                    after = database.probe(child := game.result(state, action))
                    if value.proved and value.bound == "=" and not game.is_terminal(child):
                        assert after is not None
                        fits = after.plies is not None and after.plies <= game.plies_left(child)
                        assert value.utility == (sign * after.utility if fits else 0)
    assert won > 100


# -- In the program.


@plain
def test_best_says_what_a_database_says(database: plies.Database) -> None:
    plies.save_database(database)
    done = program("best", "tic-tac-toe", "--depth", "1")
    assert "value      draw\n" in done.out
    assert "database   tic-tac-toe: draw\n" in done.out
    found = json.loads(
        program("best", "tic-tac-toe", "--depth", "1", "--json", "--option", "database=no").out
    )
    assert "database" not in found
    assert not found["value"]["proved"]


@pytest.mark.plain
def test_numbered_states_are_probed() -> None:
    game = plies.Chess()
    game.compiled = False
    stages = list(game.stages("KQK"))
    state = game.parse_position("8/8/8/4k3/8/8/3QK3/8 w - - 0 1")
    assert [stage for stage, _ in stages][1] == game.stage(state)
    codes, distances = (np.full(sum(size for _, size in stages), -1) for _ in range(2))
    place = stages[0][1] + game.index(state)
    codes[place], distances[place] = 1, 13
    database = IndexedDatabase.of_codes(game, "KQK", stages, codes, distances, [0.0, 1.0])
    found = AlphaBeta(game, database=database).search(state, Limit(depth=1))
    assert found.database == "chess KQK: win in 13"
