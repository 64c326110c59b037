"""Whatever is called proved is true: random graphs against brute force, by every algorithm that proves.

Run as a program, this goes on for as many graphs as wanted: `make test-proofs COUNT=1000000 SEED=0`.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import itertools
import math
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any
from unittest import mock

import pytest

import graphs
import plies
from engine_games import ALWAYS, INEXACT, TINY, inexact_value, random_options
from plies.compiled import interpreting
from plies.engine import (
    AlphaBeta,
    Expectiminimax,
    Limit,
    MaxN,
    MctsOptions,
    MonteCarlo,
    SearchResult,
    Value,
    null_windows,
)
from plies.engine.runner import FIRST
from plies.engine.solution import Solution
from plies.engine.value import AT_LEAST, AT_MOST, EXACT

SHARE = 20 if interpreting() else 0.5
"""Interpreted, so many times fewer graphs; compiled, twice as many of the few classes that are tried."""

Outcome = graphs.Outcome


class Judge:
    """Brute force on one graph, and what it says of the answers of a search."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.value = graphs.reference(game)
        self.said: Counter[str] = Counter()

    def rank(self, utility: float, distance: int | None) -> tuple[float, int]:
        """How a player ranks an outcome: the quicker of equal wins, the slower of equal losses."""
        if self.game.players == 1:
            return utility, -(distance or 0)
        lead = utility - self.game.draw_value
        return utility, -(distance or 0) if lead > 0 else (distance or 0) if lead < 0 else 0

    def check(self, said: Value, outcome: Outcome, mover: int, what: str) -> None:
        """Whether a value that is called proved is true."""
        if not said.proved:
            return
        self.said["proved"] += 1
        truth, distance = outcome[0][mover], outcome[1]
        if self.game.stochastic or self.game.players > 2:
            assert said.plies is None, f"{what}: plies in a game in which they mean nothing"
        true, told = (truth, None), (said.utility, None)
        if said.plies is not None:
            true, told = (truth, distance), (said.utility, said.plies)
        if self.game.stochastic and self.game.total:  # 1 - sum(p * u) is rounded unlike sum(p * (1 - u))
            true = (said.utility, None) if abs(truth - said.utility) < 1e-12 else true
        sentence = f"{what} is said to be {said!r}, and is {truth!r} in {distance} plies"
        if said.bound == EXACT:
            assert self.rank(*told) == self.rank(*true), sentence
        elif said.bound == AT_MOST:
            assert self.rank(*true) <= self.rank(*told), sentence
        else:
            assert said.bound == AT_LEAST
            assert self.rank(*true) >= self.rank(*told), sentence

    def after(self, root: Any, action: Any, previous: Iterable[Any]) -> Outcome:
        """How the game goes on after an action; plies are those from the root."""
        utilities, distance = self.value(self.game.result(root, action), [*previous, root])
        return utilities, distance + 1

    def check_found(self, found: SearchResult, root: Any, previous: list[Any]) -> None:
        """Whether all that a search says is proved is true, and its action is the one that attains it."""
        mover = self.game.to_move(root)
        truth = self.value(root, previous)
        self.said["searched"] += 1
        self.check(found.value, truth, mover, "the root")
        for action, said in found.scores.items():
            self.check(said, self.after(root, action, previous), mover, f"action {action}")
        legal = plies.History(self.game, root, previous).legal()
        assert found.action in legal
        if found.value.proved and found.value.bound != AT_MOST:
            kept = self.after(root, found.action, previous)
            exact = dataclasses.replace(found.value, bound=AT_LEAST)
            self.check(exact, kept, mover, f"the chosen action {found.action}")

    def check_solution(self, solution: Solution) -> None:
        """Whether both bounds are true, and the action attains the lower."""
        root = solution.state
        mover, truth = self.game.to_move(root), self.value(root, [])
        self.said["searched"] += 1
        low, high = solution.low, solution.high
        assert low.utility <= high.utility, f"bounds cross: {solution}"
        if solution.solved:
            self.check(solution.value, truth, mover, "the solution")
        self.check(dataclasses.replace(low, bound=AT_LEAST), truth, mover, "the lower bound")
        self.check(dataclasses.replace(high, bound=AT_MOST), truth, mover, "the upper bound")
        if solution.action is not None:
            kept = self.after(root, solution.action, [])
            self.check(dataclasses.replace(low, bound=AT_LEAST), kept, mover, f"action {solution.action}")


def roots(game: Any, chance: random.Random, count: int) -> list[Any]:
    """States to be asked about, the same one more than once, at all sorts of clocks."""
    inner = [node for node in range(len(game.movers)) if game.arrows[node, 0] >= 0 and game.movers[node] >= 0]
    clocks = range(1, int(game.full[0]) + 1) if game.has("plies_left") else [0]
    return [graphs.Spot(chance.choice(inner), chance.choice(clocks)) for _ in range(count)]


def spots(game: Any) -> list[Any]:
    """All states of a graph in which the game goes on."""
    clocks = range(1, int(game.full[0]) + 1) if game.has("plies_left") else [0]
    nodes = [node for node in range(len(game.movers)) if game.arrows[node, 0] >= 0]
    return [graphs.Spot(node, clock) for node in nodes for clock in clocks]


def limits(chance: random.Random) -> Limit:
    """How long a search may take: mostly up to the end, unless a search round in circles has none."""
    most = 500 if interpreting() else 3_000
    return Limit(
        depth=chance.choice([1, 2, 3, 4, 6, 40, 40]), nodes=chance.choice([most, most, most, 20, 300])
    )


def some_actions(game: Any, root: Any, previous: list[Any]) -> list[Any] | None:
    """Now and then, the only actions that are to be searched at a root; by a seed of their own, so that all
    else is as it was before there was such a thing."""
    chance = random.Random(f"{game.arrows.tolist()} {root} {previous}")
    legal = plies.History(game, root, previous).legal()
    return chance.sample(legal, chance.randint(1, len(legal))) if chance.random() < 0.15 else None


# -- The algorithms: each asks one engine about several positions of one graph.


def database_of(game: Any, chance: random.Random) -> plies.Database:
    """The values of all nodes of a graph, or of those that some lead to."""
    nodes = spots(game)
    return plies.make_database(
        game, roots=chance.choice([nodes, nodes, chance.sample(nodes, 1)]), fold=chance.random() < 0.5
    )


def probing(algorithm: Callable[..., None]) -> Callable[[Any, Judge, random.Random], None]:
    """The same algorithm, with a database."""

    def run(game: Any, judge: Judge, chance: random.Random) -> None:
        algorithm(game, judge, chance, database=database_of(game, chance))

    run.__name__ = f"{algorithm.__name__}_probing"
    return run


def alpha_beta(game: Any, judge: Judge, chance: random.Random, **given: Any) -> None:
    options = random_options(
        chance,
        table=chance.random() < 0.9,  # which most false proofs come from
        **{one.name: inexact_value(one, chance.choice([0] * 8 + [1, 2])) for one in INEXACT},
    )
    engine = AlphaBeta(
        game,
        memory=chance.choice([TINY, 0.01, 0.01]),
        threads=chance.choice([1, 1, 1, 2]),
        options=chance.choice([options, options, None]),
        **given,
    )
    for root in roots(game, chance, 8):
        previous = graphs.random_past(game, root, chance, spots(game))
        if plies.History(game, root, previous).over:
            continue
        lines = chance.choice([1, 1, 1, 2, 3])
        asked = {"lines": lines, "previous": previous, "actions": some_actions(game, root, previous)}
        if chance.random() < 0.2:
            for found in engine.analyse(root, limits(chance), **asked):
                judge.check_found(found, root, previous)
        else:
            judge.check_found(engine.search(root, limits(chance), **asked), root, previous)


def solver(game: Any, judge: Judge, chance: random.Random, **given: Any) -> None:
    options = random_options(chance)
    one = plies.Solver(
        game,
        distance=chance.random() < 0.5,
        memory=chance.choice([TINY, 0.01]),
        threads=chance.choice([1, 1, 2]),
        options=options,
        **given,
    )
    for root in roots(game, chance, 4):
        limit = Limit(nodes=chance.choice([None, None, 10, 100]))
        with mock.patch.object(null_windows, "SOON", chance.choice([4, null_windows.SOON])):
            judge.check_solution(one.solve(root, limit))


def retrograde(game: Any, judge: Judge, chance: random.Random) -> None:
    for root in roots(game, chance, 4):
        judge.check_solution(plies.solve(game, root, algorithm="retrograde"))


def prover(game: Any, judge: Judge, chance: random.Random, **given: Any) -> None:
    memory, threads = chance.choice([TINY, 0.01]), chance.choice([1, 1, 2])
    one = plies.ProofNumberSearch(game, memory=memory, threads=threads, **given)
    for root in roots(game, chance, 4):
        judge.check_solution(one.solve(root, Limit(nodes=chance.choice([None, None, 10, 100]))))


def deepening(engine: Any, game: Any, judge: Judge, chance: random.Random) -> None:
    for root in roots(game, chance, 4):
        previous = graphs.random_past(game, root, chance, spots(game))
        if not plies.History(game, root, previous).over:
            lines = chance.choice([1, 1, 2, 3])
            actions = some_actions(game, root, previous) if engine.restricts else None
            found = engine.search(root, limits(chance), lines=lines, previous=previous, actions=actions)
            judge.check_found(found, root, previous)


def expectiminimax(game: Any, judge: Judge, chance: random.Random) -> None:
    options = random_options(chance, star1=chance.random() < 0.7, star2=chance.random() < 0.7)
    deepening(Expectiminimax(game, memory=chance.choice([TINY, 0.01]), options=options), game, judge, chance)


def max_n(game: Any, judge: Judge, chance: random.Random) -> None:
    deepening(MaxN(game, pruning=chance.random() < 0.7), game, judge, chance)


def puzzle(game: Any, judge: Judge, chance: random.Random) -> None:
    for root in roots(game, chance, 4):
        if chance.random() < 0.5 and not game.cycles:
            judge.check_solution(plies.solve(game, root, nodes=chance.choice([None, None, 10])))
            continue
        previous = graphs.random_past(game, root, chance, spots(game))
        if not plies.History(game, root, previous).over:
            depth = chance.choice([None, None, 2, 4])
            nodes = 10_000 if depth is None else None
            judge.check_found(
                plies.search(game, root, depth=depth, nodes=nodes, previous=previous), root, previous
            )


def monte_carlo(game: Any, judge: Judge, chance: random.Random, **given: Any) -> None:
    options = MctsOptions(
        rave=chance.choice([0, 0, 50]),
        priors=chance.random() < 0.3,
        evaluation=chance.choice([0, 0, 0.5, 1]),
        widening=chance.choice([0, 0, 1]),
        expansion_threshold=chance.choice([1, 1, 3]),
    )
    engine = MonteCarlo(
        game,
        memory=chance.choice([0.002, 0.02]),
        threads=chance.choice([1, 1, 1, 2]),
        seed=chance.randrange(1000),
        options=options,
        **given,
    )
    for root in roots(game, chance, 4):
        previous = graphs.random_past(game, root, chance, spots(game))
        while root is not None and not plies.History(game, root, previous).over:
            simulations = chance.choice([10, 100, 300]) // (5 if interpreting() else 1)
            found = engine.search(
                root,
                Limit(nodes=simulations),
                previous=previous,
                actions=some_actions(game, root, previous),
            )
            judge.check_found(found, root, previous)
            previous, root = (
                [*previous, root],
                game.result(root, found.action),
            )  # as a game goes on, the tree is kept
            if chance.random() < 0.5 or game.is_terminal(root) or game.to_move(root) < 0:
                root = None


@dataclasses.dataclass(frozen=True)
class Case:
    """A class of graphs with an algorithm, and how many graphs are tried in a run of all tests."""

    kind: type[Any]
    algorithm: Callable[[Any, Judge, random.Random], None]
    size: int
    """Nodes; brute force on cycles takes exponential time."""
    count: int
    decided: bool = False
    """Whether all ends are wins, losses and draws."""
    compiled: bool = True
    """Whether the tests try it compiled: a class more takes long to compile. The program tries them all."""

    @property
    def name(self) -> str:
        return f"{self.algorithm.__name__}-{self.kind.__name__}"


CASES = [
    Case(graphs.Graph, alpha_beta, 14, 300, compiled=False),
    Case(graphs.Wide, alpha_beta, 14, 400, compiled=False),
    Case(graphs.Share, alpha_beta, 14, 300, compiled=False),
    Case(graphs.Bounded, alpha_beta, 14, 300, compiled=False),
    Case(graphs.BoundedShare, alpha_beta, 14, 300, compiled=False),
    Case(graphs.Clock, alpha_beta, 10, 300, compiled=False),
    Case(graphs.Round, alpha_beta, 8, 400, compiled=False),
    Case(graphs.Centred, alpha_beta, 8, 400, compiled=False),
    Case(graphs.Places, alpha_beta, 8, 400, compiled=False),
    Case(graphs.ClockRound, alpha_beta, 6, 300, compiled=False),
    Case(graphs.Loop, alpha_beta, 8, 600, compiled=False),
    Case(graphs.Cycle, alpha_beta, 8, 500, compiled=False),
    Case(graphs.Superko, alpha_beta, 7, 300, compiled=False),
    Case(graphs.Thrice, alpha_beta, 5, 300, compiled=False),
    Case(graphs.ThriceRound, alpha_beta, 5, 300, compiled=False),
    Case(graphs.ShareCycle, alpha_beta, 7, 300, compiled=False),
    Case(graphs.ClockCycle, alpha_beta, 6, 400),
    Case(graphs.Graph, solver, 14, 200, compiled=False),
    Case(graphs.Wide, solver, 14, 200, compiled=False),
    Case(graphs.Share, solver, 14, 200, compiled=False),
    Case(graphs.Bounded, solver, 14, 200, compiled=False),
    Case(graphs.BoundedShare, solver, 14, 200, compiled=False),
    Case(graphs.Clock, solver, 10, 200, compiled=False),
    Case(graphs.Points, solver, 14, 300, compiled=False),
    Case(graphs.TimelessClock, retrograde, 10, 200, compiled=False),
    Case(graphs.Round, retrograde, 8, 200, compiled=False),
    Case(graphs.ThriceRound, retrograde, 5, 200, compiled=False),
    Case(graphs.TimelessRound, retrograde, 6, 200, compiled=False),
    Case(graphs.Graph, prover, 14, 200, decided=True, compiled=False),
    Case(graphs.Share, prover, 14, 200, decided=True, compiled=False),
    Case(graphs.Clock, prover, 10, 200, decided=True, compiled=False),
    Case(graphs.Round, prover, 8, 300, decided=True, compiled=False),
    Case(graphs.Centred, prover, 8, 200, decided=True, compiled=False),
    Case(graphs.ThriceRound, prover, 5, 200, decided=True, compiled=False),
    Case(graphs.ClockRound, prover, 6, 300, decided=True, compiled=False),
    Case(graphs.Dice, expectiminimax, 12, 300, compiled=False),
    Case(graphs.ShareDice, expectiminimax, 12, 200, compiled=False),
    Case(graphs.CycleDice, expectiminimax, 6, 200, compiled=False),
    Case(graphs.Three, max_n, 12, 200, compiled=False),
    Case(graphs.ShareThree, max_n, 12, 200, compiled=False),
    Case(graphs.CycleThree, max_n, 6, 200, compiled=False),
    Case(graphs.Puzzle, puzzle, 12, 200, compiled=False),
    Case(graphs.CyclePuzzle, puzzle, 7, 200, compiled=False),
    Case(graphs.Graph, monte_carlo, 10, 200, compiled=False),
    Case(graphs.Share, monte_carlo, 10, 200, compiled=False),
    Case(graphs.Clock, monte_carlo, 8, 200, compiled=False),
    Case(graphs.Cycle, monte_carlo, 7, 200),
    Case(graphs.Superko, monte_carlo, 7, 200, compiled=False),
    Case(graphs.Thrice, monte_carlo, 5, 200, compiled=False),
    Case(graphs.Dice, monte_carlo, 10, 200, compiled=False),
    Case(graphs.Puzzle, monte_carlo, 10, 200, compiled=False),
    Case(graphs.Wide, probing(alpha_beta), 14, 200, compiled=False),
    Case(graphs.Share, probing(alpha_beta), 14, 200, compiled=False),
    Case(graphs.TimelessClock, probing(alpha_beta), 10, 300, compiled=False),
    Case(graphs.Round, probing(alpha_beta), 8, 400, compiled=False),
    Case(graphs.Centred, probing(alpha_beta), 8, 300, compiled=False),
    Case(graphs.Places, probing(alpha_beta), 8, 300, compiled=False),
    Case(graphs.TimelessRound, probing(alpha_beta), 6, 400, compiled=False),
    Case(graphs.ThriceRound, probing(alpha_beta), 5, 300, compiled=False),
    Case(graphs.TimelessThrice, probing(alpha_beta), 4, 200, compiled=False),
    Case(graphs.TimelessClock, probing(solver), 10, 200, compiled=False),
    Case(graphs.TimelessClock, probing(prover), 10, 200, decided=True, compiled=False),
    Case(graphs.TimelessClock, probing(monte_carlo), 8, 200, compiled=False),
    Case(graphs.Round, probing(monte_carlo), 7, 200, compiled=False),
    Case(graphs.TimelessRound, probing(monte_carlo), 6, 200, compiled=False),
    Case(graphs.TimelessThrice, probing(monte_carlo), 4, 200, compiled=False),
]


def graph_of(case: Case, chance: random.Random) -> Any:
    """A random graph for a case."""
    palette = None
    if case.decided:
        palette = graphs.HALVES if case.kind.bounds == (0, 1) else graphs.DECIDED
    return graphs.random_graph(case.kind, chance, case.size, palette)


def examine(case: Case, seed: int) -> Counter[str]:
    """Try one graph; a false proof is an AssertionError that says how to see it again."""
    chance = random.Random(f"{case.name} {seed}")
    game = graph_of(case, chance)
    judge = Judge(game)
    try:
        case.algorithm(game, judge, chance)
    except plies.Unsuitable:
        judge.said["refused"] += 1
    except Exception as error:
        how = f"python tests/test_proofs.py --only {case.name} --seed {seed} --count 1"
        arrays = {name: array.tolist() for name, array in vars(game).items()}
        error.add_note(f"again: {how}\n{arrays}")
        raise
    return judge.said


TESTED = [case for case in CASES if case.compiled or interpreting()]


@pytest.mark.early
@pytest.mark.parametrize("case", TESTED, ids=lambda case: case.name)
@pytest.mark.no_cover
def test_nothing_proved_is_false(case: Case) -> None:
    said: Counter[str] = Counter()
    for seed in range(max(6, int(case.count / SHARE))):
        said += examine(case, seed)
    assert said["proved"] > said["searched"] / 10, f"hardly anything is proved any more: {said}"


@pytest.mark.plain
def test_images_of_a_position_have_another_game_behind_them() -> None:
    """With symmetry, what is proved of a position is no proof for its image if the game so far matters."""
    examine(next(case for case in CASES if case.name == "alpha_beta-Cycle"), 10000010)


@pytest.mark.plain
def test_plies_where_nodes_count_as_one_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were left out, though a search without repetitions settles them there as well."""
    wins: list[int | None] = []
    check = Judge.check_found

    def note(judge: Judge, found: SearchResult, root: Any, previous: list[Any]) -> None:
        check(judge, found, root, previous)
        if found.value.proved and (root.node, len(previous)) == (4, 0):
            wins.append(found.value.plies)

    monkeypatch.setattr(Judge, "check_found", note)
    in_one_thread = functools.partial(AlphaBeta, threads=1)
    monkeypatch.setattr(
        sys.modules[__name__], "AlphaBeta", lambda game, threads, **given: in_one_thread(game, **given)
    )
    examine(next(case for case in CASES if case.name == "alpha_beta-Places"), 170)
    assert set(wins) == {1}


TELLING = [("alpha_beta-Loop", 437), ("alpha_beta-Clock", 314), ("alpha_beta-Superko", 43)]
"""Graphs that show a planted fault which few others do."""


@pytest.mark.plain
@pytest.mark.parametrize(("name", "seed"), TELLING)
def test_graphs_that_tell(name: str, seed: int) -> None:
    examine(next(case for case in CASES if case.name == name), seed)


# -- As many as wanted.


def main() -> int:
    """Try graphs of all cases in turn, and report how many were tried, also if a signal ends it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=1_000_000, help="graphs, over all cases together")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after so many")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--keep-going", action="store_true", help="go on after a false proof, and count them")
    asked = parser.parse_args()
    cases = [case for case in CASES if asked.only in case.name]
    if not cases:
        parser.error(f"no case contains {asked.only!r}; there are {', '.join(case.name for case in CASES)}")
    stopped: list[int] = []
    for one in (signal.SIGINT, signal.SIGTERM):  # Ctrl-C would end no more than the current search
        signal.signal(one, lambda number, frame: stopped.append(number))
    ALWAYS.clear()
    os.environ[FIRST] = "1"  # a process of its own, of low priority, would have to be waited for
    begun, done = time.monotonic(), 0
    said: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    shown, end = begun, begun + 60 * asked.minutes
    for seed in itertools.count(asked.seed):
        if done >= asked.count or stopped or time.monotonic() > end or (wrong and not asked.keep_going):
            break
        for case in cases:
            try:
                said += examine(case, seed)
            except Exception as error:
                wrong[case.name] += 1
                print(f"\n{case.name}, seed {seed}: {type(error).__name__}: {error}", flush=True)
                print("\n".join(error.__notes__), flush=True)
            done += 1
        if time.monotonic() - shown > 1:
            shown = time.monotonic()
            rate = done / (shown - begun)
            print(f"\r{done:,} of {asked.count:,} graphs, {rate:.0f} a second ", end="", file=sys.stderr)
    searches = f"{said['searched']:,} searches, {said['proved']:,} proved values, {said['refused']:,} refused"
    seeds = f"seeds {asked.seed} to {seed - 1}"
    print(f"\n{done:,} graphs, {seeds}: {searches}; wrong: {dict(wrong) or 'none'}; goes on with {seed}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
