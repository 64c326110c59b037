"""The base class `plies.Game`: what follows from six rules, and the words for what goes wrong."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterable
from typing import Any

import pytest

from plies import CHANCE, BadPosition, BrokenRule, Game, IllegalMove, Unsuitable
from plies.compiled.rule_kernels import RULE_KERNELS
from plies.needs import Needs
from plies.rules import RULES, Rule
from plies.validation import MOST_ACTIONS, capped


class Countdown(Game):
    """Take one or two from a number; a state is the number, an action a word."""

    def __init__(self, start: int = 3, *, step: int = 2) -> None:
        self.start = start
        self.step = step

    def initial(self) -> int:
        return self.start

    def to_move(self, state: int) -> int:
        return (self.start - state) % 2

    def actions(self, state: int) -> list[str]:
        return [name for name, n in (("One less", 1), ("Two less", self.step)) if n <= state]

    def result(self, state: int, action: str) -> int:
        return state - (1 if action == "One less" else self.step)

    def is_terminal(self, state: int) -> bool:
        return state == 0

    def utility(self, state: int, player: int) -> int:
        return 1 if player == 0 else -1


def test_actions_without_end_are_told() -> None:
    """As many as there may be are all given; one more, and there may be no end to them."""
    game = Countdown()
    assert sum(1 for _ in capped(game, 3, range(MOST_ACTIONS))) == MOST_ACTIONS
    given = capped(game, 3, itertools.count())
    with pytest.raises(BrokenRule, match=r"more than 1,048,576 actions in the state 3 \(Countdown.actions"):
        sum(1 for _ in itertools.islice(given, MOST_ACTIONS + 1))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_table_of_rules_describes_the_game(rule: Rule) -> None:
    method = inspect.signature(getattr(Game, rule.name))
    assert ("self", *rule.arguments) == tuple(method.parameters)
    assert rule.generator == str(method.return_annotation).startswith("Iterable")
    assert rule.optional or not rule.dispensable


def test_every_rule_can_be_tried_by_itself() -> None:
    assert set(RULE_KERNELS) == {rule.name for rule in RULES}


class Empty(Game):
    pass


class Coin(Countdown):
    players = 3
    total = None

    def chance(self, state: int) -> Iterable[tuple[str, float]]:
        return [("One less", 1.0)]


def test_play_applies_a_legal_action() -> None:
    game = Countdown()
    assert game.play(3, "Two less") == 1


@pytest.mark.parametrize("action", ["Two less", "nonsense", 7, None])
def test_play_refuses_an_illegal_action_and_names_the_legal_ones(action: Any) -> None:
    with pytest.raises(IllegalMove) as caught:
        Countdown().play(1, action)
    assert str(caught.value) == f"{action} is not a legal move; legal moves: One less"


def test_play_refuses_any_action_after_the_end() -> None:
    with pytest.raises(IllegalMove, match=r"^One less cannot be played: the game is over$"):
        Countdown().play(0, "One less")


def test_result_is_the_unchecked_way() -> None:
    assert Countdown().result(1, "Two less") == -1


def test_an_illegal_action_without_a_notation_is_shown_as_it_is() -> None:
    class Named(Countdown):
        def notation(self, state: int, action: str) -> str:
            return {"One less": "-1", "Two less": "-2"}[action]

    with pytest.raises(IllegalMove, match=r"^'up' is not a legal move; legal moves: -1, -2$"):
        Named().play(2, "up")


def test_a_long_list_of_legal_moves_is_cut() -> None:
    class Wide(Countdown):
        def actions(self, state: int) -> range:  # type: ignore[override]
            return range(100)

    with pytest.raises(IllegalMove, match=r"legal moves: 0, 1, .*, 29, … \(100 in all\)$"):
        Wide().play(3, "100")


@pytest.mark.parametrize("text", ["One less", "one less", "  ONE   LESS ", "oneless", "One\tless\n"])
def test_parse_action_forgives_spaces_and_case(text: str) -> None:
    assert Countdown().parse_action(3, text) == "One less"


@pytest.mark.parametrize("text", ["", "one", "one lesser", "three less"])
def test_parse_action_refuses_what_is_not_legal(text: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        Countdown().parse_action(3, text)
    assert str(caught.value) == f"{text!r} is not a legal move; legal moves: One less, Two less"


def test_a_position_is_the_moves_that_lead_there() -> None:
    game = Countdown()
    assert game.parse_position("") == game.parse_position("  ") == 3
    assert game.parse_position("oneless, twoless") == 0
    assert game.parse_position("oneless;oneless\noneless") == 0
    with pytest.raises(BadPosition, match=r"^'oneless' comes after the end of the game$"):
        game.parse_position("oneless twoless oneless")
    with pytest.raises(
        BadPosition, match=r"^'up' is not a legal move; .* \(reading 'oneless up' as moves\)$"
    ):
        game.parse_position("oneless up")
    with pytest.raises(BadPosition, match=r"^countdown has no position strings of its own: give the moves"):
        game.position(3)


def test_defaults() -> None:
    game = Countdown()
    assert (game.players, game.zero_sum, game.stochastic, game.compiled) == (2, True, False, None)
    assert game.evaluate(2, 0) == game.priority(2, "One less") == 0
    assert game.notation(2, "One less") == "One less"
    assert game.text(2) == "2"
    assert game.prompt == "Your move"
    assert game.key(2) == game.key(2) != game.key(3)


def test_has_tells_which_rules_a_game_adds() -> None:
    assert [rule for rule in ("chance", "evaluate", "features", "symmetries") if Coin().has(rule)] == [
        "chance"
    ]
    assert Coin().stochastic


@pytest.mark.parametrize(
    ("rule", "arguments"),
    [
        ("initial", ()),
        ("to_move", (0,)),
        ("actions", (0,)),
        ("result", (0, 0)),
        ("is_terminal", (0,)),
        ("utility", (0, 0)),
    ],
)
def test_a_rule_left_out_is_named(rule: str, arguments: tuple[int, ...]) -> None:
    with pytest.raises(NotImplementedError, match=rf"^Empty does not define {rule}\(\)$"):
        getattr(Empty(), rule)(*arguments)


def test_names() -> None:
    class ThreeMensMorris(Countdown):
        player_names = ("white", "black")

    assert ThreeMensMorris().name == "three-mens-morris"
    assert [ThreeMensMorris().player_name(player) for player in (0, 1, CHANCE)] == [
        "white",
        "black",
        "chance",
    ]
    assert [Countdown().player_name(player) for player in (0, 1)] == ["player 1", "player 2"]


def test_repr_is_how_to_make_the_game() -> None:
    assert repr(Countdown(5)) == "Countdown(start=5, step=2)"
    assert repr(Empty()) == "Empty()"


def test_needs_name_the_algorithm_and_the_game() -> None:
    with pytest.raises(Unsuitable, match=r"^minimax is for 2 players; Coin has 3$"):
        Needs(players=2).check(Coin(), "minimax")
    with pytest.raises(Unsuitable, match=r"^depth-first search is for one player; Coin has 3$"):
        Needs(players=1).check(Coin(), "depth-first search")
    with pytest.raises(Unsuitable, match=r"^minimax is for zero-sum games; Coin is not one$"):
        Needs(zero_sum=True).check(Coin(), "minimax")
    with pytest.raises(Unsuitable, match=r"^alpha-beta is for games without chance; Coin has chance nodes$"):
        Needs(deterministic=True).check(Coin(), "alpha-beta")


def test_needs_accept_a_game_that_suits() -> None:
    Needs(players=2, zero_sum=True, deterministic=True).check(Countdown(), "minimax")
    Needs().check(Coin(), "max^n")


def test_an_optional_rule_left_out_has_a_plain_meaning() -> None:
    game = Empty()
    assert list(game.chance(0)) == []
    assert list(game.noisy(0)) == []
    assert list(game.symmetries(7)) == [7]
    assert game.features(0) == ()
    assert (game.evaluate(0, 0), game.priority(0, 5), game.move_index(0, 5)) == (0, 0, 5)
