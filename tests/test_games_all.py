"""What every game of Plies keeps to: facts about rules, notation and position strings, on random play."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from golden import names
from plies import CHANCE, SIMULTANEOUS, BadPosition, Game, IllegalMove
from plies.compiled.dependencies import dependencies_of
from plies.compiled.source_fingerprint import VALUES
from plies.opening_book.fingerprint import book_fingerprint
from plies.registry import game_class
from plies.retrograde.fingerprint import rules_fingerprint

pytestmark = [pytest.mark.plain, pytest.mark.no_cover]

LISTED: list[Game] = [
    plies.Awari(),
    plies.Awari(houses=1, seeds=3),
    plies.Awari(houses=3, seeds=2, grand_slam="forbidden", stuck="lose", repetition="split"),
    plies.Backgammon(),
    plies.Backgammon(gammons=False),
    plies.Checkers(),
    plies.Checkers(no_progress=3),
    plies.Chess(),
    plies.ConnectFour(),
    plies.ConnectFour(width=1, height=5),
    plies.ConnectFour(width=3, height=20),
    plies.ConnectFour(width=4, height=4),
    plies.ConnectFour(width=31, height=1),
    plies.Go(size=3, suicide=True, komi=0.5),
    plies.Go(size=4, rows=2, margin=True, komi=0),
    plies.Gomoku(size=5, exact=True),
    plies.Goofspiel(),
    plies.Goofspiel(cards=3, prizes="random", ties="carry"),
    plies.Kalah(),
    plies.Kalah(houses=1, seeds=3),
    plies.Kalah(houses=3, seeds=20, empty_capture=True),
    plies.Nim(),
    plies.Nim(heaps=(6,)),
    plies.Nim(heaps=(1, 3, 5, 7), misere=True),
    plies.Othello(),
    plies.Othello(size=4),
    plies.Othello(size=6, empties_to_winner=False),
    plies.Pacman(layout="cell", limit=20),
    plies.Pacman(layout="fork", limit=12),
    plies.PegSolitaire(),
    plies.PegSolitaire(layout="triangle"),
    plies.Pig(),
    plies.Pig(target=10),
    plies.Pirates(),
    plies.Pirates(pirates=5, coins=2),
    plies.Qubic(),
    plies.Quoridor(size=3, walls=2),
    plies.Quoridor(size=3),
    plies.Renju(size=5),
    plies.SumToTwo(),
    plies.TicTacToe(),
]
"""Games with parameters that make the tests quick, or the rules odd."""

GAMES = LISTED + [
    plies.game(name) for name in names() if name != "tree" and game_class(name) not in map(type, LISTED)
]
"""Every game; but a tree has numbers for states and no position strings."""

CASE_COUNTS = (plies.Backgammon, plies.Chess)
"""Games in which capitals differ from small letters: bxc3 is not Bxc3, nor is p P in a FEN or Position ID."""

every_game = pytest.mark.parametrize("game", GAMES, ids=repr)
choices = st.lists(st.integers(0, 999), max_size=70)


def played(game: Game, choices: list[int]) -> Any:
    """The state after as many random moves as there are choices, or where the game ends."""
    state = game.initial()
    for choice in choices:
        if game.is_terminal(state):
            break
        actions = list(game.actions(state))
        state = game.play(state, actions[choice % len(actions)])
    return state


@every_game
@given(choices=choices)
def test_actions_are_distinct_and_read_back(game: Game, choices: list[int]) -> None:
    state = played(game, choices)
    actions = list(game.actions(state))
    if game.is_terminal(state):
        assert not actions
        return
    assert 0 < len(actions) == len(set(actions))
    for action in actions:
        written = game.notation(state, action)
        assert game.parse_action(state, written) == action
        spoken = written if isinstance(game, CASE_COUNTS) else written.upper()
        assert game.parse_action(state, f"  {spoken} ") == action


@every_game
@given(choices=choices)
def test_position_strings_read_back(game: Game, choices: list[int]) -> None:
    state = played(game, choices)
    written = game.position(state)
    assert game.parse_position(written) == state
    spoken = written if isinstance(game, CASE_COUNTS) else written.lower()
    assert game.parse_position(f" {spoken}\n") == state


@every_game
@given(choices=choices)
def test_the_moves_made_are_a_position_string(game: Game, choices: list[int]) -> None:
    state, moves = game.initial(), []
    for choice in choices:
        if game.is_terminal(state):
            break
        actions = list(game.actions(state))
        moves.append(game.notation(state, actions[choice % len(actions)]))
        state = game.result(state, actions[choice % len(actions)])
    assert game.parse_position(" ".join(moves)) == state


@every_game
@given(choices=choices)
def test_states_compile_values_add_up_and_chance_moves_where_the_die_rolls(
    game: Game, choices: list[int]
) -> None:
    """Three facts about one position, for to reach it takes longest."""
    state = played(game, choices)
    if game.compiled is not False:
        assert holds_plain_ints(state)
    low, high = game.bounds
    if game.is_terminal(state):
        utilities = [game.utility(state, player) for player in range(game.players)]
        assert all(utility in range(int(low), int(high) + 1) for utility in utilities)
        assert sum(utilities) == 0 or not game.zero_sum
        return
    estimates = [game.evaluate(state, player) for player in range(game.players)]
    assert all(low < estimate < high for estimate in estimates)  # none beats a win
    assert sum(estimates) == 0 or not game.zero_sum
    if game.to_move(state) == CHANCE:
        outcomes = dict(game.chance(state))
        assert list(outcomes) == list(game.actions(state))
        assert sum(outcomes.values()) == pytest.approx(1, abs=1e-12)
    else:
        assert game.to_move(state) in (SIMULTANEOUS, *range(game.players))
        assert (game.to_move(state) == SIMULTANEOUS) == game.simultaneous


def holds_plain_ints(state: Any) -> bool:
    fields = [item for field in state for item in (field if isinstance(field, tuple) else (field,))]
    return {type(field) for field in fields} == {int}


@pytest.mark.parametrize("game", [game for game in GAMES if game.has("symmetries")], ids=repr)
@given(choices=choices)
def test_symmetric_states_are_worth_the_same_and_lead_to_symmetric_states(
    game: Game, choices: list[int]
) -> None:
    state = played(game, choices)
    images = list(game.symmetries(state))
    assert images[0] == state
    for image in images if len(images) <= 8 else images[96:97]:  # of many, one
        assert set(game.symmetries(image)) == set(images)
        assert game.is_terminal(image) == game.is_terminal(state)
        if game.is_terminal(state):
            assert game.utility(image, 0) == game.utility(state, 0)
        else:
            assert game.evaluate(image, 0) == game.evaluate(state, 0)
            children = {min(game.symmetries(game.result(state, action))) for action in game.actions(state)}
            assert {min(game.symmetries(game.result(image, a))) for a in game.actions(image)} == children


near_misses = st.text("XOxo./|0123456789 +?:,;-after\nrollhd", max_size=60)


@every_game
@given(text=st.text(max_size=30) | near_misses)
def test_any_text_is_a_position_or_one_sentence(game: Game, text: str) -> None:
    try:
        state = game.parse_position(text)
    except BadPosition:
        return
    assert game.parse_position(game.position(state)) == state


@every_game
@given(choices=choices, text=st.text(max_size=10) | near_misses)
def test_any_text_is_a_legal_action_or_one_sentence(game: Game, choices: list[int], text: str) -> None:
    state = played(game, choices)
    if game.is_terminal(state):
        return
    try:
        action = game.parse_action(state, text)
    except IllegalMove:
        return
    assert action in list(game.actions(state))


@every_game
def test_a_person_is_told_what_to_do(game: Game) -> None:
    assert game.rules.endswith(".")
    assert game.prompt
    assert game.text(game.initial())


@pytest.mark.plain
@every_game
def test_machine_code_databases_and_books_are_good_for_other_processes(game: Game) -> None:
    if type(game).__module__.startswith("plies.games."):
        assert dependencies_of(game, VALUES).stable
        assert rules_fingerprint(game)
        assert book_fingerprint(game)


def test_a_number_too_long_for_python_to_read_is_refused_in_words() -> None:
    long = "9" * 5000
    for game, text in (
        (plies.Nim(), f"{long}/1/1"),
        (plies.Pig(), f"{long}/2 1+2"),
        (plies.SumToTwo(), f"{long} after 2"),
    ):
        with pytest.raises(BadPosition):
            game.parse_position(text)
    with pytest.raises(IllegalMove):
        plies.Nim().parse_action(plies.Nim().initial(), f"take {long} from {long}")
