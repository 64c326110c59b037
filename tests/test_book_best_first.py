"""UCT and proof-number search: every step by its definition, and what they decide by brute force."""

from __future__ import annotations

from itertools import combinations
from math import inf, log, nan, sqrt
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import plies
from cyclic_games import Ring
from plies import BadParameter, BrokenRule, Unsuitable, book, draw
from plies.book import BackUp, Enter, Leaf, Playout, Trace, Visit
from plies.book.algorithms import PREFERRED, about, suited
from plies.cli import run
from plies.comparison import compare, suitable
from plies.engine import ALGORITHMS, Limit, algorithm_for, engine_for
from plies.engine.kernels.uct import select
from plies.engine.monte_carlo import MonteCarlo
from plies.games.tree import Tree, random_tree
from plies.players import BookPlayer, parse_player
from plies.web import learn

pytestmark = pytest.mark.plain

UNDECIDED = Tree([[[1, -1], [-1, 1, 1]], [[1], [-1, [1, -1]]]])
"""A tree of which proof-number search looks at one half and a bit."""


def small_trees() -> list[Tree]:
    return [random_tree(seed, branching=2 + seed % 2, depth=2 + seed % 3) for seed in range(12)]


# -- UCT.


def test_the_first_simulations_by_hand() -> None:
    """Every action once, in order, then that of the greatest bound: 14 + 0.7 * 28 * sqrt(ln 3)."""
    trace = book.trace(Tree(), algorithm="mcts", simulations=4)
    width = 0.7 * 28 * sqrt(log(3))
    assert trace.events[:6] == (
        Enter(0, None, None, None, "A", "max", 0, None),
        Visit(0, ()),
        Enter(1, 0, "a1", None, "B", "min", 1, None),
        Playout(1, ("b2",), 12),
        BackUp(1, 12, 1),
        BackUp(0, 12, 1),
    )
    assert trace.events[-7:] == (
        Visit(0, ()),
        Visit(3, (("a1", 12, width), ("a2", 4, width), ("a3", 14, width))),
        Leaf(4, 3, "d1", None, "/a3/d1", "terminal", 14),
        Playout(4, (), 14),
        BackUp(4, 14, 1),
        BackUp(3, 14, 2),
        BackUp(0, 11, 4),
    )
    assert (trace.value, trace.line) == (14, ("a3", "d1"))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("levels", [("max", "min"), ("max", "chance", "min"), ("max",)])
def test_counts_sum_and_means_are_those_of_the_playouts(seed: int, levels: Any) -> None:
    trace = book.trace(random_tree(seed, depth=4, levels=levels), algorithm="mcts", simulations=150)
    payoffs: dict[int, list[float]] = {}
    for event in trace.events:
        if isinstance(event, Playout):
            at: int | None = event.node
            while at is not None:
                payoffs.setdefault(at, []).append(event.value)
                at = trace.tree[at].entered.parent
    assert len(payoffs[0]) == 150
    for number, node in enumerate(trace.tree):
        below = sum(child.visits or 0 for child in node.children)
        assert node.visits == len(payoffs[number])
        assert node.value == pytest.approx(sum(payoffs[number]) / len(payoffs[number]))
        if node.children:  # all visits went on but the one that added the node
            assert node.visits == below + (number > 0)
        if isinstance(node.entered, Leaf):
            assert set(payoffs[number]) == {node.value}


@pytest.mark.parametrize("seed", range(8))
def test_selection_is_by_definition(seed: int) -> None:
    """Every node selected has the best bound, recomputed from the visits and means of that time."""
    game = random_tree(seed, depth=3)
    trace = book.trace(game, algorithm="mcts", simulations=80, exploration=0.4)
    low, high = game.bounds
    known: dict[int, BackUp] = {}
    selected = 0
    for event in trace.events:
        if isinstance(event, BackUp):
            known[event.node] = event
        if not isinstance(event, Visit) or event.node == 0:
            continue
        parent = trace.tree[trace.tree[event.node].entered.parent or 0]
        sign = 1 if parent.entered.kind == "max" else -1  # type: ignore[union-attr]
        visits = known[parent.entered.node].visits or 0
        bounds = {}
        for child in parent.children:
            mine = known[child.entered.node]
            bounds[child.entered.node] = sign * mine.value + 0.4 * (high - low) * sqrt(
                log(visits) / (mine.visits or 0)
            )
        assert max(bounds, key=lambda child: bounds[child]) == event.node
        selected += 1
    assert selected > 80


def test_the_kernel_selects_the_same_child() -> None:
    """The engine's kernel with the same statistics. It counts the simulation under way as a visit, and
    payoffs as the player to move gets them."""
    generator = np.random.default_rng(1)
    chosen = set()
    for _ in range(300):
        count = int(generator.integers(2, 6))
        visits = generator.integers(1, 30, count)
        means = generator.uniform(-3, 5, count)
        mover = int(generator.integers(2))
        total, c = int(visits.sum()) + 1, 0.7
        sign = 1 if mover == 0 else -1
        bounds = means + sign * c * 8 * np.sqrt(log(total) / visits)
        work = SimpleNamespace(
            first=np.array([1]),
            siblings=np.array([1, count]),
            visits=np.array([total - 1, *visits]),
            sums=np.array([0, *(sign * means * visits)]),
            proved=np.zeros(count + 1),
            known=np.zeros(1),
        )
        low = -3 if mover == 0 else -5
        run = SimpleNamespace(exploration=c, priors=0, rave=0, low=low, unit=1 / 8, best=8, threads=1)
        best = int((sign * bounds).argmax())
        assert select(plies.TicTacToe(), 0, mover, 0, run, work) == 1 + best
        chosen.add(best)
    assert len(chosen) > 3


def test_it_converges_to_the_minimax_decision() -> None:
    right = 0
    for game in small_trees():
        best = book.minimax(game)
        found = book.mcts(game, simulations=1500)
        after = book.minimax(game, game.result(game.initial(), found.action), player=0).value
        right += after == best.value
        assert found.value == pytest.approx(best.value, abs=0.12 * (game.bounds[1] - game.bounds[0]))
    assert right >= 11  # two actions may be nearly as good
    few = [book.mcts(game, simulations=3).value - book.minimax(game).value for game in small_trees()]
    assert max(map(abs, few)) > 3  # or the trees would be too easy


def test_it_converges_with_dice_for_one_player_and_for_min() -> None:
    dice = Tree(
        {"children": [{"player": "chance", "probabilities": [0.9, 0.1], "children": [0, 30]}, 2]},
        ("max", "min"),
    )
    assert book.mcts(dice, simulations=600).action == book.expectiminimax(dice).action
    assert book.mcts(dice, simulations=600).value == pytest.approx(3, abs=1)
    alone = random_tree(3, depth=3, levels=("max",))
    end = alone.initial()
    for action in book.mcts(alone, simulations=600).line:
        end = alone.result(end, action)
    assert alone.utility(end, 0) == book.expectiminimax(alone).value == 9
    game = Tree([3, 1, 2], ("min", "max"))
    assert book.mcts(game, player=1, simulations=100).action == book.minimax(game, player=1).action == 1
    assert book.mcts(game, player=1, simulations=100).value == -1


def test_tic_tac_toe() -> None:
    game = plies.TicTacToe()
    winning = game.parse_position("XX./OO./...")
    assert game.notation(winning, book.mcts(game, winning, simulations=200).action) == "3"
    assert book.mcts(game, winning, simulations=200, depth=1).value > 0.9


def test_the_seed_decides_and_depth_bounds_the_tree() -> None:
    game = random_tree(5, branching=3, depth=5)
    same = [book.trace(game, algorithm="mcts", simulations=50, seed=seed) for seed in (4, 4, 5)]
    assert same[0] == same[1] != same[2]
    flat = book.trace(game, algorithm="mcts", simulations=50, depth=1)
    assert flat.nodes == 4
    assert sum(node.visits or 0 for node in flat.tree[1:]) == 50
    assert book.trace(game, algorithm="mcts", simulations=5, depth=0).line == ()
    over = book.mcts(Tree(4), simulations=3)
    assert (over.value, over.line) == (4, ())


def test_without_exploration_it_is_greedy_and_with_much_it_is_even() -> None:
    game = Tree([5, 4, 3])
    visits = {
        c: [
            child.visits
            for child in book.trace(game, algorithm="mcts", simulations=90, exploration=c).tree[0].children
        ]
        for c in (0, 1000)
    }
    assert visits[0] == [88, 1, 1]
    assert visits[1000] == [30, 30, 30]


def test_the_most_visited_action_is_taken_though_another_looks_better() -> None:
    better = 0
    for seed in range(20):
        trace = book.trace(random_tree(seed), algorithm="mcts", simulations=13)
        children = trace.tree[0].children
        taken = next(child for child in children if child.entered.action == trace.action)
        assert taken.visits == max(child.visits or 0 for child in children)
        assert trace.value == taken.value
        better += any(child.value > taken.value for child in children)  # type: ignore[operator]
    assert better


# -- Proof numbers.


def test_proof_and_disproof_numbers_by_hand() -> None:
    """The first branch proves the root; the second waits with two leaves to prove, or one to disprove."""
    trace = book.trace(UNDECIDED, algorithm="proof-number")
    assert str(trace) == "\n".join(
        [
            "proof-number on tree: value yes, line a1",
            "12 nodes, 5 leaves, cut-offs: none",
            "",
            "OR A proof 0, disproof +inf",
            "  a1: AND B proof 0, disproof +inf",
            "    b1: OR D proof 0, disproof +inf",
            "      d1: proof 0, disproof +inf",
            "      d2: proof +inf, disproof 0",
            "    b2: OR E proof 0, disproof +inf",
            "      e1: proof +inf, disproof 0",
            "      e2: proof 0, disproof +inf",
            "      e3: proof 0, disproof +inf",
            "  a2: AND C proof 2, disproof 1",
            "    c1: OR F proof 1, disproof 1",
            "    c2: OR G proof 1, disproof 1",
        ]
    )
    stopped = book.trace(UNDECIDED, algorithm="proof-number", nodes=7)
    assert (stopped.value, stopped.nodes, stopped.tree[0].value) == (None, 7, (2, 2))


def test_numbers_are_the_fewest_leaves_that_decide() -> None:
    """By definition, brute force over sets of leaves; and the most-proving node is in a least set of both."""
    for seed in range(6):
        game = random_tree(seed, branching=2 + seed % 2, depth=4, values=(-3, 2))
        for nodes in (4, 8, 12, 16):
            trace = book.trace(game, algorithm="proof-number", nodes=nodes)
            frontier = [
                node.entered.node
                for node in trace.tree
                if isinstance(node.entered, Enter) and not node.children
            ]
            for node in trace.tree:
                if node.children and len(frontier) <= 10:
                    assert node.value == (
                        fewest(trace, frontier, node.entered.node, True),
                        fewest(trace, frontier, node.entered.node, False),
                    )


def fewest(trace: Trace, frontier: list[int], root: int, wanted: bool) -> float:
    """The least number of leaves that, if all have the value wanted, give it to a node."""
    for count in range(len(frontier) + 1):
        for chosen in combinations(frontier, count):
            if truth(trace, root, dict.fromkeys(chosen, wanted)) is wanted:
                return count
    return inf


def truth(trace: Trace, number: int, assumed: dict[int, bool]) -> bool | None:
    """The value of a node by those below it; None if they leave it open."""
    node = trace.tree[number]
    if isinstance(node.entered, Leaf):
        return node.entered.why == "goal"
    if not node.children:
        return assumed.get(number)
    below = [truth(trace, child.entered.node, assumed) for child in node.children]
    decisive = node.entered.kind == "or"
    return decisive if decisive in below else None if None in below else not decisive


@pytest.mark.parametrize("seed", range(6))
def test_the_most_proving_node_brings_either_goal_nearer(seed: int) -> None:
    """Allis' theorem: proved, it lowers the proof number of the root by 1; disproved, the disproof number."""
    trace = book.trace(random_tree(seed, depth=4, values=(-3, 2)), algorithm="proof-number", nodes=60)
    numbers: dict[int, Any] = {}
    checked = 0
    for event, after in zip(trace.events, trace.events[1:], strict=False):
        if isinstance(event, Enter | Leaf | BackUp):
            numbers[event.node] = event.value
        elif isinstance(event, Visit) and isinstance(after, Enter | Leaf):
            proof, disproof = numbers[0]
            assert changed(trace, numbers, event.node, (0, inf))[0] == proof - 1
            assert changed(trace, numbers, event.node, (inf, 0))[1] == disproof - 1
            checked += 1
    assert checked > 2


def changed(trace: Trace, numbers: dict[int, Any], leaf: int, to: tuple[float, float]) -> tuple[float, float]:
    """The numbers of the root if those of a leaf were others."""

    def now(number: int) -> Any:
        below = [child.entered.node for child in trace.tree[number].children if child.entered.node in numbers]
        if number == leaf or not below:
            return to if number == leaf else numbers[number]
        proofs, disproofs = zip(*map(now, below), strict=True)
        if trace.tree[number].entered.kind == "or":  # type: ignore[union-attr]
            return min(proofs), sum(disproofs)
        return sum(proofs), min(disproofs)

    return now(0)  # type: ignore[no-any-return]


@pytest.mark.parametrize("levels", [("max", "min"), ("max", "chance", "min"), ("max",), (0, 1, 2)])
def test_what_is_proved_is_true(levels: Any) -> None:
    seen = set()
    for seed in range(25):
        values = (-4, 3) if len(levels) > 1 else (-40, 2)
        game = random_tree(seed, branching=2 + seed % 2, depth=4, values=values, levels=levels)
        if levels == (0, 1, 2):
            game = three_players(seed)
        found = book.proof_number(game)
        assert found.value == forced(game, game.initial()) == book.and_or(game, player=0).value
        if found.value:
            assert forced(game, game.result(game.initial(), found.action))
        seen.add(found.value)
    assert seen == {True, False}


def three_players(seed: int) -> Tree:
    generator = np.random.default_rng(seed)
    leaves = [tuple(map(int, generator.integers(-4, 8, 3))) for _ in range(16)]
    nodes: list[Any] = leaves
    for _ in range(4):
        nodes = [nodes[i : i + 2] for i in range(0, len(nodes), 2)]
    return Tree(nodes[0], (0, 1, 2))


def forced(game: Tree, state: int) -> bool:
    """Whether player 0 can force a positive utility, by brute force."""
    if game.is_terminal(state):
        return game.utility(state, 0) > 0
    chance = game.to_move(state) == plies.CHANCE
    actions = [a for a, _ in game.chance(state)] if chance else game.actions(state)
    below = [forced(game, game.result(state, action)) for action in actions]
    return any(below) if game.to_move(state) == 0 else all(below)


def test_it_agrees_with_the_engine() -> None:
    decided = set()
    for heaps in ((1, 2), (2, 2), (1, 2, 3), (1, 1, 2), (3, 1)):
        game = plies.Nim(heaps=heaps)
        found, proved = book.proof_number(game), plies.solve(game, algorithm="proof-number")
        assert found.value == (float(proved.value) > 0)
        decided.add(found.value)
    for seed in range(10):
        game = random_tree(seed, depth=4, values=(-1, 1))
        proved = plies.solve(game, algorithm="proof-number")
        assert book.proof_number(game).value == (float(proved.value) > 0)
    assert decided == {True, False}


def test_a_position_on_the_path_is_no_proof() -> None:
    for size in (3, 4, 5):
        for place in range(size):
            game = Ring(size)
            state = game.initial()._replace(place=place)
            assert book.proof_number(game, state).value == book.and_or(game, state).value
    trace = book.trace(Ring(4), algorithm="proof-number")
    assert any(isinstance(event, Leaf) and event.why == "cycle" for event in trace.events)


def test_a_goal_of_ones_own_and_bounds() -> None:
    game = Tree()
    aims = {
        least: book.proof_number(
            game, goal=lambda state, least=least: game.is_terminal(state) and game.utility(state, 0) >= least
        )
        for least in (3, 4)
    }
    assert (aims[3].value, aims[3].line, aims[4].value, aims[4].line) == (True, (0,), False, ())
    assert book.proof_number(game, depth=1).value is False
    assert book.proof_number(game, cutoff=lambda state, ply: ply == 1).value is False
    assert book.proof_number(Tree(1)).value is True
    assert book.proof_number(Tree(-1)).value is False


# -- Traces.

UCT_TOLD = """\
The search begins at A, where MAX moves.
Simulation 1 begins at A.
Expand: action a1 is not tried yet. It adds B, where MIN moves.
Simulate: a random game from here, b1, is worth 1.
Back up: B has 1 visit, with a mean of 1.
Back up: A has 1 visit, with a mean of 1.
Simulation 2 begins at A.
Expand: action a2 is not tried yet. It adds the end of the game.
Simulate: the game is over here, worth 0.
Back up: the node after a2 has 1 visit, with a mean of 0.
Back up: A has 2 visits, with a mean of 0.5.
Simulation 3 begins at A.
Select: UCB of a1 is 1 + 1.166 = 2.166, of a2 is 0 + 1.166 = 1.166. MAX selects a1, the greatest.
Expand: action b1 is not tried yet. It adds the end of the game.
Simulate: the game is over here, worth 1.
Back up: the node after b1 has 1 visit, with a mean of 1.
Back up: B has 2 visits, with a mean of 1.
Back up: A has 3 visits, with a mean of 0.6667.
Simulation 4 begins at A.
Select: UCB of a1 is 1 + 1.038 = 2.038, of a2 is 0 + 1.467 = 1.467. MAX selects a1, the greatest.
Select: lower bound of b1 is 1 − 1.166 = −0.1656. MIN selects b1, the least.
Simulate: the game is over here, worth 1.
Back up: the node after b1 has 2 visits, with a mean of 1.
Back up: B has 3 visits, with a mean of 1.
Back up: A has 4 visits, with a mean of 0.75. The search is over: a1 has the most visits, 3 of 4.
"""

PROOF_TOLD = """\
The search begins at A, where the player moves (OR). Its proof and disproof number are 1 until it is expanded.
A is the most-proving node: it is expanded.
Action a1 leads to the end of the game, which is no goal: disproved, ∞ and 0.
Action a2 leads to B, where anybody else moves (AND). Its proof and disproof number are 1 until it is \
expanded.
A (OR): proof number min(∞, 1) = 1, disproof number 0 + 1 = 1.
A is neither proved nor disproved. From there to the most-proving node.
At A (OR) the least proof number leads on: a2 has 1, a1 has ∞. Select a2. B is the most-proving node: it is \
expanded.
Action b1 leads to the goal: proved, 0 and ∞.
Action b2 leads to C, where the player moves (OR). Its proof and disproof number are 1 until it is expanded.
B (AND): proof number 0 + 1 = 1, disproof number min(∞, 1) = 1.
A (OR): proof number min(∞, 1) = 1, disproof number 0 + 1 = 1.
A is neither proved nor disproved. From there to the most-proving node.
At A (OR) the least proof number leads on: a2 has 1, a1 has ∞. Select a2.
At B (AND) the least disproof number leads on: b2 has 1, b1 has ∞. Select b2. C is the most-proving node: it \
is expanded.
Action c1 leads to the goal: proved, 0 and ∞.
C (OR): proof number 0, disproof number ∞. It is proved.
B (AND): proof number 0 + 0 = 0, disproof number min(∞, ∞) = ∞. It is proved.
A (OR): proof number min(∞, 0) = 0, disproof number 0 + ∞ = ∞. It is proved. The search is over: the goal \
can be forced, by a2.
"""


def test_sentences() -> None:
    uct = book.trace(Tree([[1], 0]), algorithm="mcts", simulations=4)
    assert draw.explain(uct) == UCT_TOLD.splitlines()
    proof = book.trace(Tree([-1, [1, [1]]]), algorithm="proof-number")
    assert draw.explain(proof) == PROOF_TOLD.splitlines()


def test_more_sentences() -> None:
    dice = Tree({"children": [{"player": "chance", "children": [0, 3]}]}, ("max", "min"))
    told = draw.explain(book.trace(dice, algorithm="mcts", simulations=9))
    assert "Expand: action a1 is not tried yet. It adds B, where chance decides." in told
    assert "Expand: outcome b2 is drawn for the first time. It adds the end of the game." in told
    assert "Select: chance draws b2." in told
    wide = Tree([1] * 7)
    told = draw.explain(book.trace(wide, algorithm="mcts", simulations=8))
    assert told[-4].endswith(", and 3 more. MAX selects a1, the greatest.")
    told = draw.explain(book.trace(Tree([-1] * 8), algorithm="proof-number"))
    assert told[-1] == (
        "A (OR): proof number min(∞, ∞, ∞, ∞, …, ∞) = ∞, disproof number 0 + 0 + 0 + 0 + … + 0 = 0. "
        "It is disproved. The search is over: the goal cannot be forced."
    )
    told = draw.explain(book.trace(UNDECIDED, algorithm="proof-number", nodes=3))
    assert told[-1].endswith(
        "The search ends undecided, for it has its number of nodes. a1 has the least proof number."
    )
    ring = draw.explain(book.trace(Ring(4), algorithm="proof-number"))
    assert any(s.endswith("a position that is already on the path: disproved, ∞ and 0.") for s in ring)
    told = draw.explain(book.trace(UNDECIDED, algorithm="proof-number", depth=1))
    assert "Action a1 leads to the depth bound: disproved, ∞ and 0." in told
    told = draw.explain(book.trace(UNDECIDED, algorithm="proof-number", cutoff=lambda _, ply: ply == 1))
    assert "Action a1 leads to the cut-off test, which ends the search here: disproved, ∞ and 0." in told
    assert draw.explain(book.trace(Tree(2), algorithm="proof-number")) == [
        "The search begins at the goal: proved, 0 and ∞. The search is over: the goal can be forced."
    ]


@pytest.mark.parametrize("name", ["mcts", "proof-number"])
@pytest.mark.parametrize("levels", [("max", "min"), ("max", "chance")])
def test_traces_are_read_back_told_and_drawn(name: str, levels: Any) -> None:
    limits = {"mcts": {"simulations": 25}, "proof-number": {"nodes": 25}}
    trace = book.trace(random_tree(2, depth=3, values=(-5, 2), levels=levels), algorithm=name, **limits[name])
    assert Trace.from_json(trace.to_json()) == trace
    steps = draw.steps(trace)
    assert len(steps.sentences) == len(trace.events)
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in steps.sentences)
    pictures = [ElementTree.fromstring(str(frame)) for frame in steps.frames()]
    drawn = [values(picture) for picture in pictures]
    assert drawn[0] == dict.fromkeys(range(trace.nodes), "")
    for before, after, event in zip(drawn, drawn[1:], trace.events, strict=False):
        assert {number for number in after if after[number] != before[number]} <= {event.node}
        if isinstance(event, Visit | Playout):
            assert after == before
        if isinstance(event, BackUp):
            assert after[event.node] == (
                ", ".join("∞" if one == inf else str(one) for one in event.value)  # type: ignore[union-attr]
                if name == "proof-number"
                else f"{event.value:.4g} ({event.visits})".replace("-", "−")
            )
    assert "showSteps" in steps.html


def values(picture: ElementTree.Element) -> dict[int, str]:
    """The values that a picture shows in its nodes."""
    found = {}
    for node in picture.iter():
        if "node" in node.get("class", "").split():
            text = next(part for part in node if part.get("class") == "value")
            found[int(node.get("data-node", ""))] = text.text or ""
    return found


def test_a_trace_stops_at_its_limit() -> None:
    with pytest.raises(plies.PliesError, match="more than 5 nodes"):
        book.trace(Tree(), algorithm="mcts", limit=5)


# -- Everywhere else.


def test_they_are_nobodys_default() -> None:
    assert {"mcts", "proof-number"}.isdisjoint(PREFERRED)
    for name in plies.game_names():
        game = plies.game(name)
        assert not any("mcts" in one or "proof" in one for one in suitable(game))
        assert algorithm_for(game) not in ("book:mcts", "book:proof-number")
    assert ALGORITHMS["mcts"].make is MonteCarlo
    assert "book:proof-number" not in ALGORITHMS  # it proves a goal, and is traced, played and compared
    assert not about("proof-number").chooses
    assert suited(Tree(), ["mcts", "proof-number"]) == ["mcts", "proof-number"]


def test_as_searches() -> None:
    game = plies.TicTacToe()
    found = plies.search(game, algorithm="book:mcts", simulations=100)
    assert (found.nodes, found.algorithm, found.value.proved) == (100, "book:mcts", False)
    assert found.action == book.mcts(game, simulations=100).action
    counted = [one.nodes for one in plies.analyse(game, algorithm="book:mcts", simulations=10)]
    assert counted == [0, 1, 2, 4, 8, 10]
    search = engine_for(game, "book:mcts", seed=3, exploration=1.0)
    timed = search.search(limit=Limit(0.05))
    assert 1 <= timed.nodes < 100_000
    assert search.search(limit=Limit(depth=2)).nodes == 1000


def test_as_players() -> None:
    game = plies.TicTacToe()
    state = game.parse_position("XX./OO./...")
    for word in ("book:mcts:simulations=60", "book:mcts:2:exploration=1:simulations=60", "book:proof-number"):
        assert game.notation(state, parse_player(word).choose(game, state)) == "3"
    lost = game.parse_position("X.X/O../X.O")
    assert parse_player("book:proof-number").choose(game, lost) in game.actions(lost)
    assert parse_player("book:mcts", 5).options == parse_player("book:mcts:seed=5", 6).options == {"seed": 5}  # type: ignore[attr-defined]
    with pytest.raises(BadParameter, match=r"book:mcts has no option 'width'; it has evaluate .*simulations"):
        parse_player("book:mcts:width=2")


def test_an_interrupted_player_decides_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []

    def impatient(*_: Any, simulations: int = 1000, depth: int | None = None) -> Any:
        given.append(simulations)
        if len(given) == 1:
            raise KeyboardInterrupt
        return book.mcts(plies.TicTacToe(), simulations=simulations, depth=depth)

    impatient.about = about("mcts")  # type: ignore[attr-defined]
    monkeypatch.setitem(book.ALGORITHMS, "mcts", impatient)
    game = plies.TicTacToe()
    assert BookPlayer("mcts").choose(game, game.initial()) in game.actions(game.initial())
    assert given == [1000, 20]


def test_compared() -> None:
    rows = compare(Tree(), algorithms=["book:minimax", "book:mcts", "book:proof-number"]).rows
    assert [row.nodes for row in rows] == [13, 13, 7]
    assert rows[1].value == pytest.approx(3, abs=1)
    assert rows[2].value == 1  # yes
    assert not compare(plies.TicTacToe(), algorithms=["book:proof-number"], limit=50).rows[0].finished


def test_practice_of_proof_numbers() -> None:
    subject = learn.Subject(UNDECIDED)
    task = learn.exercise(subject, "proof-number", {"nodes": "7"})
    assert task["hint"] == "An answer is the proof and the disproof number, such as 1, 2 or 0, inf."
    assert not task["cuts"]
    answers = {"0": "2, 2", "1": "(2 1)", "2": "1, 2", "3": "1", "4": "1, ∞", "5": "what", "6": ""}
    marks = learn.check(subject, "proof-number", {"nodes": "7"}, answers, [])
    assert [mark["right"] for mark in marks["values"]] == [True, True, *[False] * 5]
    assert [mark["why"] for mark in marks["values"][:3]] == [
        "Correct. A (OR): proof number min(2, 2) = 2, disproof number 1 + 1 = 2.",
        "Correct. B (AND): proof number 1 + 1 = 2, disproof number min(1, 1) = 1.",
        "C is not 1, 2. C (AND): proof number 1 + 1 = 2, disproof number min(1, 1) = 1.",
    ]
    assert marks["values"][5]["why"].startswith("'what' at F is not the proof and the disproof number")
    assert marks["values"][6]["expected"] == "1, 1"
    proved = learn.check(subject, "proof-number", {}, {"0": "0, ∞", "1": "0 inf"}, [])
    assert [mark["right"] for mark in proved["values"][:2]] == [True, True]


def test_on_the_learn_page() -> None:
    lessons = learn.lessons()["algorithms"]
    budget = {one["name"]: one["default"] for one in lessons["mcts"]["arguments"]}
    assert budget == {"simulations": "30", "exploration": "0.7", "seed": "0"}
    subject = learn.Subject(Tree())
    steps = learn.steps(subject, "mcts", {"simulations": "12"})
    assert steps["steps"][-1]["value"] == "6.917 (12)"
    assert len(learn.steps(subject, "mcts", {})["steps"]) > len(steps["steps"])
    with pytest.raises(plies.PliesError, match="UCT plays at random, and cannot be predicted"):
        learn.exercise(subject, "mcts", {})
    with pytest.raises(BadParameter, match="simulations must be from -250 to 250 on this page"):
        learn.steps(subject, "mcts", {"simulations": "251"})
    large = learn.Subject(plies.TicTacToe())
    elided = learn.steps(large, "proof-number", {"nodes": "250"})
    assert elided["nodes"] > 250
    assert elided["svg"].count('class="node ') < 100
    both = learn.compare(learn.Subject(UNDECIDED), ("proof-number", {"nodes": "3"}), ("and-or", {}))
    assert not both["same"]
    assert both["both"][0]["value"] == "unknown"


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["trace", "tic-tac-toe", "--algorithm", "mcts"]) == 0
    assert "= 0.166667, 30 visits" in capsys.readouterr().out
    assert run(["trace", "tic-tac-toe", "--algorithm", "proof-number"]) == 0
    assert "proof-number (nodes 100) on tic-tac-toe: value unknown, line 1" in capsys.readouterr().out
    words = [
        "trace",
        "tree",
        "--algorithm",
        "mcts",
        "--option",
        "simulations=7",
        "--option",
        "seed=2",
        "--json",
    ]
    assert run(words) == 0
    assert Trace.from_json(capsys.readouterr().out).tree[0].visits == 7
    assert run(["trace", "goofspiel", "--algorithm", "mcts"]) == 2
    assert "UCT" in capsys.readouterr().err


# -- Errors.


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("mcts", {"simulations": 0}, "simulations must be a whole number from 1 on, not 0"),
        ("mcts", {"simulations": 2.5}, "simulations must be a whole number from 1 on, not 2.5"),
        ("mcts", {"exploration": -1}, "exploration must be 0 or more, and finite, not -1"),
        ("mcts", {"exploration": nan}, "exploration must be 0 or more, and finite, not nan"),
        ("mcts", {"exploration": inf}, "exploration must be 0 or more, and finite, not inf"),
        ("proof-number", {"nodes": True}, "nodes must be a whole number from 1 on, not True"),
    ],
)
def test_arguments_are_refused(name: str, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadParameter, match=sentence):
        book.ALGORITHMS[name](Tree(), **options)


def test_games_are_refused() -> None:
    with pytest.raises(Unsuitable, match="UCT is for 2 players; Tree has 3"):
        book.mcts(three_players(0))
    for search, name in ((book.mcts, "UCT"), (book.proof_number, "proof-number search")):
        with pytest.raises(Unsuitable, match=f"{name} is for .* in turn|{name} .*Goofspiel"):
            search(plies.game("goofspiel"))


class Stuck(plies.Game):
    """A game whose player to move has no action, though it is not over."""

    compiled = False

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> list[int]:
        return [] if state else [1]

    def result(self, state: int, action: int) -> int:
        return action

    def is_terminal(self, state: int) -> bool:
        return False

    def utility(self, state: int, player: int) -> float:
        return 0


@pytest.mark.parametrize("name", ["mcts", "proof-number"])
def test_a_state_without_actions_is_a_broken_rule(name: str) -> None:
    with pytest.raises(BrokenRule, match=r"actions\(\) gives no action in the state 1 \(.*test_book_best"):
        book.ALGORITHMS[name](Stuck())
