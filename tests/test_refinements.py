"""Refinements that leave moves out: each does what its name says, once, and proves nothing by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

import plies
from plies.engine import AlphaBeta, Limit, Options, table
from plies.engine.kernels import move_ordering
from plies.engine.kernels.quiescence import quiescence_entry
from plies.engine.kernels.transpositions import cutoff_score, own_key, store
from plies.engine.root_search import RootSearch
from plies.engine.score import PLY_BITS, STEP, UNKNOWN

pytestmark = pytest.mark.plain


class Walk(NamedTuple):
    lead: int
    ply: int


class Counted(plies.Game):
    """Each player adds 0 to 8 points in turn, for 30 plies; the lead decides. Calls of rules are counted."""

    compiled = False
    bounds = (-300, 300)

    def __init__(self, length: int = 30) -> None:
        self.length = length
        self.calls: Counter[tuple[str, Any]] = Counter()

    def initial(self) -> Walk:
        return Walk(0, 0)

    def to_move(self, state: Walk) -> int:
        return state.ply % 2

    def actions(self, state: Walk) -> Iterator[int]:
        yield from range(5)

    def result(self, state: Walk, action: int) -> Walk:
        points = (state.lead * 13 ^ action * 29 + state.ply * 7) % 9
        return Walk(state.lead + (points if state.ply % 2 == 0 else -points), state.ply + 1)

    def is_terminal(self, state: Walk) -> bool:
        self.calls["is_terminal", state] += 1
        return state.ply == self.length

    def utility(self, state: Walk, player: int) -> int:
        return state.lead if player == 0 else -state.lead

    def evaluate(self, state: Walk, player: int) -> float:
        self.calls["evaluate", state] += 1
        return float(state.lead if player == 0 else -state.lead)

    def null_move(self, state: Walk) -> Walk:
        return Walk(state.lead, state.ply + 1)


class Tree(Counted):
    """The same, where no two ways lead to one position, so that a node is a position."""

    def result(self, state: Any, action: int) -> Any:
        after = super().result(Walk(state.lead // 4**20, state.ply), action)
        return Walk(after.lead * 4**20 + (state.lead % 4**20) * 5 + action + 1, after.ply)

    def utility(self, state: Walk, player: int) -> int:
        lead = state.lead // 4**20
        return lead if player == 0 else -lead

    def evaluate(self, state: Walk, player: int) -> float:
        self.calls["evaluate", state] += 1
        return float(self.utility(state, player))


PLAIN = {"table": False, "aspiration": False, "null_window": True, "history": False, "killers": False}
PRUNING: dict[str, dict[str, Any]] = {
    "reverse_futility": {"reverse_futility": 2.0},
    "futility": {"futility": 1.0},
    "late_moves": {"late_moves": 1},
    "null_move": {"null_move": True},
    "verification": {"null_move": True, "verification": 3},
    "reductions": {"reductions": True, "reduction_factor": 1.0},
    "internal_reductions": {"internal_reductions": 3, "table": False},
    "multi_probcut": {"multi_probcut": (4.0, 2.0, 1.0, 0.0, 1.0, 5.0, 3.0, 1.0, 0.0, 1.0)},
}


def nodes(depth: int = 6, **options: Any) -> tuple[int, Any]:
    """The nodes of a search to a depth, and its result."""
    engine = AlphaBeta(Counted(), memory=0.1, options=Options(**options))
    found = engine.search(limit=Limit(depth=depth))
    return found.nodes, found


@pytest.mark.parametrize("name", PRUNING)
def test_it_leaves_something_out_and_proves_nothing(name: str) -> None:
    more, _ = nodes(table=PRUNING[name].get("table", True))
    fewer, found = nodes(**PRUNING[name])
    if "null_move" in PRUNING[name]:  # passing fails high too seldom here to save what it costs
        more, fewer = fewer, nodes(null_move=name == "verification")[0]
    assert fewer < more
    assert not found.value.proved


def test_the_wider_the_margin_the_less_is_left_out() -> None:
    narrow, wide, wider = (nodes(reverse_futility=margin)[0] for margin in (0.1, 1.0, 2.0))
    assert narrow < wide < wider < nodes()[0] == nodes(futility=1e6)[0]


@pytest.mark.parametrize("change", [{"futility": 1e-6}, {"late_moves": 1}], ids=str)
def test_checks_are_not_left_out(change: dict[str, Any]) -> None:
    """A smothered mate: the queen is given for a check by the knight, a quiet move far behind."""
    game = plies.Chess()
    state = game.parse_position("r4r1k/6pp/7N/8/8/1Q6/6PP/6K1 w - - 0 1")
    engine = AlphaBeta(game, memory=0.1, options=Options(**PLAIN | change))
    found = engine.search(state, Limit(depth=3))
    assert game.notation(state, found.action) == "Qg8+"
    assert found.value.proved


@pytest.mark.parametrize("change", [{"reductions": True}, {"futility": 1.0}, {"late_moves": 1}], ids=str)
def test_a_search_to_the_end_leaves_nothing_out_at_last(change: dict[str, Any]) -> None:
    game = Counted(length=5)
    usual = AlphaBeta(game, memory=0.1).search(limit=Limit(depth=20))
    found = AlphaBeta(game, memory=0.1, options=Options(**change)).search(limit=Limit(depth=8))
    assert found.value.proved
    assert found.value == usual.value


@pytest.mark.parametrize("name", ["killers", "history", "counter_moves", "continuation"])
def test_an_order_changes_no_value(name: str) -> None:
    usual = nodes(8, killers=False, history=False)
    changed = nodes(8, **{"killers": False, "history": False, name: True})
    assert changed[0] != usual[0]
    assert changed[1].value == usual[1].value


def test_continuation_history_is_that_of_both_moves_before() -> None:
    engine = AlphaBeta(
        Counted(), memory=0.1, options=Options(killers=False, history=False, continuation=True)
    )
    worker = engine.runners[0]
    root = engine.game.initial()
    worker.begin(root)
    run, work = worker.run, worker.work
    work.moves[2:4] = 3, 1
    work.continuation[move_ordering.continued(4, 0, 3, work)] = 500
    work.continuation[move_ordering.continued(4, 1, 3, work)] = 60
    game = worker.game
    assert [move_ordering.score_move(game, root, 0, action, 3, run, work) for action in (3, 4)] == [0, 560]


@pytest.mark.parametrize("options", [{}, PRUNING["reverse_futility"], PRUNING["futility"]], ids=str)
def test_a_position_is_evaluated_once(options: dict[str, Any]) -> None:
    """In a search without a table of a tree, to one depth."""
    game = Tree(length=5)
    engine = AlphaBeta(game, memory=0.1, options=Options(**PLAIN | {"null_window": False} | options))
    root = game.initial()
    worker = engine.runners[0]
    worker.begin(root)
    game.calls.clear()
    for action in range(5):
        worker.score(action, game.result(root, action), 0, -(1 << 50), 1 << 50, 3, 1)
    most = Counter(
        {rule: max(n for (name, _), n in game.calls.items() if name == rule) for rule, _ in game.calls}
    )
    assert most == {"is_terminal": 1, "evaluate": 1}


def test_an_evaluation_table_saves_calls_and_changes_nothing() -> None:
    calls = []
    for on in (False, True):
        game = Counted()
        engine = AlphaBeta(game, memory=0.1, options=Options(evaluation_table=on))
        found = engine.search(limit=Limit(depth=6))
        calls.append(
            (found.nodes, found.value, sum(n for (rule, _), n in game.calls.items() if rule == "evaluate"))
        )
    assert calls[0][:2] == calls[1][:2]
    assert calls[1][2] < calls[0][2]


def test_aspiration_widens_by_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The side that failed gets four times as wide, beyond the score that was found; the other stays."""
    searched: list[tuple[int, int, int, int]] = []
    window = RootSearch._window

    def noted(search: RootSearch, depth: int, alpha: int, beta: int) -> int | None:
        score = window(search, depth, alpha, beta)
        assert score is not None
        searched.append((depth, alpha, beta, score))
        return score

    monkeypatch.setattr(RootSearch, "_window", noted)
    usual = nodes(depth=8, aspiration=False)
    searched.clear()
    assert nodes(depth=8, aspiration_width=0.5)[1].value == usual[1].value
    widened = 0
    for depth in range(3, 9):
        width = 0
        for (_, alpha, beta, score), (_, low, high, _) in pairwise(
            one for one in searched if one[0] == depth
        ):
            width = 4 * width or 2 * (beta - alpha)
            assert (low, high) in ((score - width, beta), (alpha, score + width))
            widened += 1
    assert widened > 2


class Captures(Counted):
    """Every action is noisy, and gains its points."""

    compiled = False

    def noisy(self, state: Walk) -> Iterator[int]:
        if state.ply < 8:
            yield from range(5)

    def exchange(self, state: Walk, action: int) -> float:
        self.calls["exchange", state] += 1
        return float((state.lead * 13 ^ action * 29 + state.ply * 7) % 9)


def test_delta_pruning_leaves_out_what_gains_too_little() -> None:
    counts = []
    for delta in (0.0, 100.0, 0.5):
        game = Captures()
        found = AlphaBeta(game, memory=0.1, options=Options(delta=delta)).search(limit=Limit(depth=2))
        counts.append(found.nodes)
        assert any(rule == "exchange" for rule, _ in game.calls) == (delta > 0)
    assert counts[0] == counts[1] > counts[2]


def test_a_table_in_quiescence_saves_nodes_and_changes_no_value() -> None:
    found = [
        AlphaBeta(Captures(), memory=0.1, options=Options(quiescence_table=on)).search(limit=Limit(depth=2))
        for on in (False, True)
    ]
    assert found[1].nodes < found[0].nodes
    assert found[1].value == found[0].value


def test_an_entry_of_a_child_cuts_off_only_where_it_fails_low() -> None:
    """Seen from the child, which is the opponent's; and only if it was searched deep enough."""
    game = Counted()
    worker = AlphaBeta(game, memory=0.1).runners[0]
    root, score = game.initial(), 7 << PLY_BITS
    worker.begin(root)
    child = game.result(root, 1)
    run, work = worker.run, worker.work
    work.actions[0] = 1
    work.keys[0] = key = own_key(worker.game, child, 1, run)
    for bound, depth, beta, cuts in (
        (table.UPPER, 2, score - STEP, True),
        (table.EXACT, 2, score - STEP, True),
        (table.LOWER, 2, score - STEP, False),
        (table.UPPER, 1, score - STEP, False),
        (table.UPPER, 2, score + STEP, False),
    ):
        work.table[:] = 0
        data = table.pack(-score, 0, depth, bound, run.age)
        store(worker.game, child, key, data, 1, run, work)
        found = cutoff_score(worker.game, root, 0, beta, 3, 0, 1, 0, run, work)
        assert (found >= beta) == cuts == (found != UNKNOWN)


def test_an_entry_ends_quiescence_search_only_where_it_decides() -> None:
    game = Captures()
    worker = AlphaBeta(game, memory=0.1, options=Options(quiescence_table=True)).runners[0]
    root = game.initial()
    worker.begin(root)
    key, score = 12345, 7 << PLY_BITS
    for bound, window, found in (
        (table.LOWER, (score - 2, score - 1), score),
        (table.LOWER, (score, score + 1), UNKNOWN),
        (table.UPPER, (score, score + 1), score),
        (table.UPPER, (score - 2, score - 1), UNKNOWN),
        (table.EXACT, (score, score + 1), score),
    ):
        data = table.pack(score, -1, 0, bound, worker.run.age)
        store(worker.game, root, key, data, 0, worker.run, worker.work)
        entry = quiescence_entry(worker.game, root, key, *window, 0, worker.run, worker.work)
        assert entry == (found, key)


@pytest.mark.parametrize(
    "wrong",
    [
        *({name: -1} for name in ("late_moves", "futility", "reverse_futility", "delta", "verification")),
        {"reverse_futility": float("nan")},
        {"multi_probcut": (4.0, 2.0, 1.0)},
        {"multi_probcut": (2.0, 4.0, 1.0, 0.0, 0.1)},
        {"multi_probcut": (4.0, 2.0, 0.0, 0.0, 0.1)},
    ],
    ids=str,
)
def test_options_that_make_no_sense(wrong: dict[str, Any]) -> None:
    with pytest.raises(plies.BadParameter, match=next(iter(wrong))):
        Options(**wrong)
