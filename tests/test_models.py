"""Opponent models: a player with a policy is dice to the others, and the search plays against that."""

from __future__ import annotations

from typing import Any

import pytest
from bench.rationality import LAYOUTS, scores, table
from hypothesis import given
from hypothesis import strategies as st

import plies
from documents import ROOT
from plies import CHANCE, BadParameter, BrokenRule, Modelled, book, check_game
from plies.compiled import interpreting, kernel
from plies.games.pacman_policies import directional
from plies.games.tree import Tree
from plies.models import POLICIES, greedy, policy_named, uniform
from strategies import payoff_trees
from zoo import Three


def skewed(game: Any, state: Any) -> Any:
    """The first action with probability 3/4, the last with the rest."""
    actions = list(game.actions(state))
    yield actions[0], 0.75 if len(actions) > 1 else 1.0
    if len(actions) > 1:
        yield actions[-1], 0.25


def expected(tree: Tree, node: int, player: int, policies: dict[int, Any]) -> float:
    """What a node is worth to the one player who chooses, without a model."""
    if tree.is_terminal(node):
        return tree.utility(node, player)
    mover = tree.to_move(node)
    if mover == player:
        return max(expected(tree, tree.result(node, a), player, policies) for a in tree.actions(node))
    return sum(
        p * expected(tree, tree.result(node, a), player, policies) for a, p in policies[mover](tree, node)
    )


@given(payoff_trees(3), st.integers(0, 2), st.permutations([uniform, greedy(), skewed]))
def test_expectiminimax_plays_against_any_policies(tree: Tree, player: int, policies: list[Any]) -> None:
    others = {other: policies[other] for other in range(3) if other != player}
    model = Modelled(tree, others)
    assert (model.players, model.stochastic, model.zero_sum) == (1, True, False)
    decision = book.expectiminimax(model, player=0)
    assert decision.value == pytest.approx(expected(tree, 0, player, others), abs=1e-9)


@given(payoff_trees(3))
def test_who_chooses_keeps_their_order(tree: Tree) -> None:
    model = Modelled(tree, {1: uniform})
    assert model.players == 2
    for node in range(len(tree.mover)):
        if tree.is_terminal(node):
            assert [model.utility(node, p) for p in range(2)] == [tree.utility(node, p) for p in (0, 2)]
        else:
            assert model.to_move(node) == {0: 0, 1: CHANCE, 2: 1}[tree.to_move(node)]


def test_policies_for_any_game() -> None:
    game = plies.TicTacToe()
    assert dict(uniform(game, game.initial())) == dict.fromkeys(range(1, 10), 1 / 9)
    state = game.parse_position("XX.OO....")
    assert [game.notation(state, a) for a, _ in greedy()(game, state)] == ["3"]
    corners = greedy(lambda state, player: float(state[0] & 0b101000101 != 0))
    chosen = dict(corners(game, game.initial()))
    assert set(chosen.values()) == {1 / len(chosen)}
    assert policy_named(game, "greedy") is greedy()
    assert set(POLICIES) == {"uniform", "greedy"}
    with pytest.raises(BadParameter, match="tic-tac-toe has no policy 'directional'; it has uniform, greedy"):
        policy_named(game, "directional")
    with pytest.raises(BadParameter, match="does not take 3 numbers"):
        policy_named(plies.Pacman(), "directional", 1, 1, 1)


def test_a_lucky_opponent_of_tic_tac_toe_is_worth_less_than_a_perfect_one() -> None:
    """Against who moves at random X expects more than a draw; the greedy one with no evaluation is random."""
    game = plies.TicTacToe()
    state = game.parse_position("X...O....")
    value = book.expectiminimax(Modelled(game, {1: uniform}), state).value
    assert book.minimax(game, state).value == 0 < value < 1


def test_dice_of_the_game_itself_stay_dice() -> None:
    model = Modelled(plies.Pig(target=10), {1: uniform})
    rolling = model.result(model.initial(), 7)
    assert model.to_move(rolling) == CHANCE
    assert dict(model.chance(rolling)) == dict.fromkeys(range(1, 7), 1 / 6)
    theirs = model.result(rolling, 1)
    assert (model.to_move(theirs), list(model.chance(theirs))) == (CHANCE, [(7, 1.0)])
    model.compiled = False
    assert check_game(model, games=5).ok


def test_it_refuses() -> None:
    game = plies.Pacman("fork")
    for policies, why in (
        ({}, "at least one player"),
        ({3: uniform}, "between 0 and 2, not 3"),
        (dict.fromkeys(range(3), uniform), "at least one must have none"),
    ):
        with pytest.raises(BadParameter, match=why):
            Modelled(game, policies)


@pytest.mark.plain
@pytest.mark.parametrize("policy", [uniform, greedy(), greedy(lambda state, player: 0.0)])
def test_a_broken_game_is_to_blame_not_the_model(policy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (plies.models, plies.validation):
        monkeypatch.setattr(module, "MOST_ACTIONS", 100)
    for fault, sentence in (
        ("later endless actions", r"actions\(\) gives more than 100 actions .*Three.actions"),
        ("later no actions", r"actions\(\) gives nothing.*Three.actions"),
        ("mover huge", r"to_move\(\) is 4611686018427387904, .*Three.to_move"),
    ):
        game = Modelled(Three(fault), {1: policy, 2: policy})
        with pytest.raises(BrokenRule, match=sentence):
            plies.search(game, depth=5)


@kernel
def drawn(game, state):  # type: ignore[no-untyped-def]
    """The outcomes of chance as one number that tells them apart."""
    total = 0.0
    for action, probability in game.chance(state):
        total = 10 * total + (1 + action) * probability
    return total


@pytest.mark.parametrize(
    "policy", [uniform, greedy(), directional(0.7)], ids=["uniform", "greedy", "directional"]
)
def test_it_compiles_where_the_policy_does(policy: Any) -> None:
    model = Modelled(plies.Pacman("cell", limit=10), {1: policy})
    state = model.parse_position("east")
    assert (drawn.best_for(model, state) is drawn.interpreted) == interpreting()
    assert drawn(model, state) == pytest.approx(drawn.interpreted(model, state))


@pytest.mark.costly
def test_the_engine_plays_against_a_model_as_the_book_does() -> None:
    model = Modelled(plies.Pacman("cell", limit=10), {1: uniform})
    found = plies.search(model, depth=6)
    assert float(found.value.utility) == pytest.approx(book.expectiminimax(model, depth=6).value)
    assert book.expectiminimax(model, rounds=3).value == book.expectiminimax(model, depth=6).value
    model.compiled = False
    assert check_game(model, games=3).ok


def test_different_policies_run_interpreted() -> None:
    model = Modelled(plies.Pacman("fork", limit=10), {1: uniform, 2: directional()})
    assert drawn.best_for(model, model.parse_position("stop")) is drawn.interpreted
    model.compiled = False
    assert check_game(model, games=2).ok


def test_positions_and_moves_are_those_of_the_game() -> None:
    game = plies.Pacman("fork")
    model = Modelled(game, {1: uniform, 2: uniform})
    assert model.player_name(0) == "Pacman"
    assert model.parse_position("stop") == game.parse_position("stop")
    assert "Modelled(Pacman(layout='fork'" in repr(model)


# -- The worked example: see docs/what-if-they-are-not-rational.md.


@pytest.mark.long
@pytest.mark.skipif(interpreting(), reason="takes minutes interpreted")
def test_a_pessimist_gives_up_too_early_and_an_optimist_is_trapped() -> None:
    def mean(layout: str, pacman: str, ghosts: str) -> float:
        found = scores(layout, pacman, ghosts, 1 if ghosts == "adversarial" else 30)
        return sum(found) / len(found)

    assert mean("dilemma", "minimax", "adversarial") > 500  # wins against the worst,
    assert mean("dilemma", "expectimax", "adversarial") < -500  # who catch the one that trusts in luck;
    assert mean("dilemma", "expectimax", "random") > mean("dilemma", "minimax", "random") + 100
    assert mean("trap", "minimax", "adversarial") == -501  # a quick end is the best there is,
    assert mean("trap", "expectimax", "adversarial") == -502
    assert mean("trap", "expectimax", "random") > mean("trap", "minimax", "random") + 100  # unless one hopes


def test_at_the_trap_minimax_runs_into_a_ghost_and_expectimax_waits() -> None:
    game = plies.Pacman("trap")
    doomed = book.opponents(game, depth=3)
    assert doomed.value < -500
    hopeful = book.expectiminimax(Modelled(game, {1: uniform, 2: uniform}), rounds=2)
    assert hopeful.value > -300
    assert hopeful.action != doomed.action


def test_the_document_has_a_table_for_each_layout() -> None:
    text = (ROOT / "docs" / "what-if-they-are-not-rational.md").read_text(encoding="utf-8")
    for layout in LAYOUTS:
        assert f"| `{layout}` | adversarial ghosts | random ghosts |" in text


@pytest.mark.long
def test_the_tables_of_the_document_are_what_is_played() -> None:
    text = (ROOT / "docs" / "what-if-they-are-not-rational.md").read_text(encoding="utf-8")
    for layout in LAYOUTS:
        assert "\n".join(table(layout, 200)) in text
