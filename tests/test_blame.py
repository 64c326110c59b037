"""Which rule is to blame, and in which state: one sentence, whatever a rule gives or raises."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

import plies
from plies import BrokenRule, book, validation
from plies.wrapper import Paranoid
from zoo import Beast, Count, Dicey, Three, twisted

pytestmark = pytest.mark.plain


def noted(rule: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(rule)
    def call(*args: Any) -> Any:
        return rule(*args)

    return call


class Other(Beast):
    """Its rules are decorated, or name the state otherwise."""

    @noted
    def result(self, state: Count, action: int) -> Count:
        if state.total > 1:
            raise ValueError("decorated")
        return Count(state.total + action, state.turn + 1)

    def to_move(self, s: Count) -> int:
        if s.total > 0:
            raise ValueError("another name")
        return 0


class NoBeginning(Beast):
    def initial(self) -> Count:
        raise ValueError("nowhere to begin")


@pytest.mark.parametrize("search", [book.minimax, plies.search])
def test_a_rule_is_found_by_its_code(search: Callable[..., Any]) -> None:
    with pytest.raises(BrokenRule, match=r"to_move\(\) raised ValueError: another name in the state Count"):
        search(Other(), depth=3)
    with pytest.raises(BrokenRule, match=r"initial\(\) raised ValueError: nowhere to begin \(NoBeginning"):
        search(NoBeginning(), depth=3)


def test_a_decorated_rule_is_that_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Other, "to_move")
    with pytest.raises(BrokenRule, match=r"result\(\) raised ValueError: decorated in the state Count"):
        book.minimax(Other())


@pytest.mark.parametrize(
    ("rule", "answer", "words"),
    [
        ("utility", None, "utility() for player 0 is None, not from -1 to 1, in the state Count("),
        ("evaluate", "much", "evaluate() for player 0 is 'much', not from -1 to 1, in the state Count("),
        ("actions", 3, "actions() raised TypeError: 'int' object is not iterable in the state Count("),
    ],
)
@pytest.mark.parametrize("algorithm", ["minimax", "alpha-beta", "max-n", "mcts", "star1"])
def test_an_answer_that_no_search_can_use(rule: str, answer: Any, words: str, algorithm: str) -> None:
    if (rule, algorithm) == ("evaluate", "mcts"):
        pytest.skip("it plays to the end")
    with pytest.raises(BrokenRule) as raised:
        book.ALGORITHMS[algorithm](twisted(rule, answer)(), depth=3 if rule == "evaluate" else None)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("rule", "answer", "words"),
    [
        ("key", 0.5, "key() is 0.5, and not a whole number of 64 bits,"),
        ("priority", "high", "priority() is 'high', and not a number,"),
    ],
)
def test_an_optional_rule(rule: str, answer: Any, words: str) -> None:
    with pytest.raises(BrokenRule) as raised:
        plies.AlphaBeta(twisted(rule, answer)(), options=plies.Options(history=True)).search(
            limit=plies.Limit(depth=4)
        )
    assert words in str(raised.value)


def test_the_game_that_is_wrapped_is_to_blame() -> None:
    with pytest.raises(BrokenRule, match=r"to_move\(\) is -7, and not from 0 to 2, .*\(Three.to_move"):
        plies.search(Paranoid(Three("mover negative")), depth=3)
    with pytest.raises(BrokenRule, match=r"utility\(\) raised ValueError: broken on purpose .*Three.util"):
        plies.search(Paranoid(Three("raise utility")))


def test_an_error_that_no_rule_is_to_blame_for_stays_as_it_is() -> None:
    def evaluate(state: Any, player: int) -> float:
        raise ZeroDivisionError("the caller's own")

    with pytest.raises(ZeroDivisionError, match="the caller's own"):
        book.minimax(Beast(), depth=2, evaluate=evaluate)


@pytest.mark.parametrize("engine", [plies.AlphaBeta, plies.MaxN])
@pytest.mark.parametrize(
    ("fault", "rule"),
    [
        ("later mover", "to_move() is 4611686018427387904, and not from 0 to 1,"),
        ("later no actions", "actions() gives nothing, though the game is not over,"),
        ("utility nan", "utility() for player 0 is nan, not from -1 to 1,"),
        ("evaluation outside", "evaluate() for player 0 is 1e+30, not from -1 to 1,"),
    ],
)
def test_what_a_kernel_finds(engine: type[Any], fault: str, rule: str) -> None:
    with pytest.raises(BrokenRule) as raised:
        engine(Beast(fault)).search(limit=plies.Limit(depth=8))
    assert rule in str(raised.value)


@pytest.mark.parametrize("algorithm", ["mcts", "proof-number"])
@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Beast("chance without dice"), "to_move() is CHANCE, though the game has no chance(), in the state"),
        (Dicey("chances none"), "chance() gives nothing, though the game is not over, in the state"),
        (Dicey("chances nan"), "the probabilities [nan, 0.5] do not sum to 1 in the state"),
        (twisted("chance", [1], Dicey)(), "chance() gives [1], not pairs of an outcome and its probability,"),
    ],
)
def test_chance(algorithm: str, game: Any, words: str) -> None:
    with pytest.raises(BrokenRule) as raised:
        book.ALGORITHMS[algorithm](game)
    assert words in str(raised.value)


def test_actions_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "MOST_ACTIONS", 10)
    assert list(validation.capped(Beast(), Count(0, 0), range(10))) == [*range(10)]
    with pytest.raises(BrokenRule, match=r"actions\(\) gives more than 10 actions in the state Count"):
        list(validation.capped(Beast(), Count(0, 0), range(11)))


def test_no_candidates() -> None:
    with pytest.raises(BrokenRule, match=r"actions\(\) gives no action, or more than 1,048,576 \(in Beast"):
        plies.AlphaBeta(Beast("candidates none")).search(limit=plies.Limit(depth=4))
