"""`check_game` finds each way a game can be broken, and nothing wrong with a sound one."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import plies
import plies.scene
from plies.compiled import interpreting


class Count(NamedTuple):
    total: int
    ply: int


class Sound(plies.Game):
    """Take turns to add 1 or 2; whoever reaches 7 wins."""

    def initial(self) -> Any:
        return Count(0, 0)

    def to_move(self, state):
        return state.ply % 2

    def actions(self, state):
        if state.total < 7:
            yield 1
            yield 2

    def result(self, state, action):
        return Count(state.total + action, state.ply + 1)

    def is_terminal(self, state):
        return state.total >= 7

    def utility(self, state, player):
        return -1 if player == state.ply % 2 else 1


class RejectsAnAction(Sound):
    def result(self, state, action):
        if action == 2 and state.total == 4:
            raise ValueError("no room for 2")
        return Count(state.total + action, state.ply + 1)


class ActsAfterTheEnd(Sound):
    def actions(self, state):
        yield 1
        yield 2


class StuckBeforeTheEnd(Sound):
    def actions(self, state):
        if state.total < 5:
            yield 1
            yield 2


class UnfairDie(Sound):
    def to_move(self, state):
        return plies.CHANCE if state.total == 3 else state.ply % 2

    def chance(self, state):
        yield 1, 0.5
        yield 2, 0.4


class OtherOutcomes(UnfairDie):
    def chance(self, state):
        yield 1, 1.0


class NoChanceRule(Sound):
    def to_move(self, state):
        return plies.CHANCE


class MutatesItsState(Sound):
    def initial(self):
        return [0, 0]

    def to_move(self, state):
        return state[1] % 2

    def actions(self, state):
        return [1, 2] if state[0] < 7 else []

    def result(self, state, action):
        state[0] += action
        state[1] += 1
        return state

    def is_terminal(self, state):
        return state[0] >= 7

    def utility(self, state, player):
        return -1 if player == state[1] % 2 else 1


class NotZeroSum(Sound):
    def utility(self, state, player):
        return 1 if player == 0 else 0


class DisagreesWhenCompiled(Sound):
    def result(self, state, action):
        # Whole numbers have no end in Python and 64 bits in machine code.
        return Count(state.total + (action if 1 << (60 + state.total) > 0 else 1), state.ply + 1)


class OneKeyForAll(Sound):
    def key(self, state):
        return state.total


class RepeatsAnAction(Sound):
    def actions(self, state):
        if state.total < 7:
            yield 1
            yield 1


class PlaysAnUnknownPlayer(Sound):
    def to_move(self, state):
        return 2


class OutOfBounds(Sound):
    def utility(self, state, player):
        return -5 if player == state.ply % 2 else 5


class EvaluatesBeyondAWin(Sound):
    def evaluate(self, state, player):
        return 3 if player == 0 else -3


class ForgetsToReturn(Sound):
    def result(self, state, action):
        Count(state.total + action, state.ply + 1)


class ReadsItselfWrongly(Sound):
    def notation(self, state, action):
        return "add"


class NoisyWithoutReason(Sound):
    def noisy(self, state):
        yield 3


class FalseSymmetry(Sound):
    def symmetries(self, state):
        yield Count(state.total, state.ply + 1)


class ScenelessTouches(Sound):
    def touches(self, state, action):
        return ("a1",)


class Pictured(Sound):
    def scene(self, state):
        return plies.scene.Scene(2, 1, [plies.scene.Cell("1", 0.5, 0.5), plies.scene.Cell("2", 1.5, 0.5)])

    def touches(self, state, action):
        return (str(action),)


class TouchesNothingKnown(Pictured):
    def touches(self, state, action):
        return ("1", "3")


class NamesTwice(Pictured):
    def scene(self, state):
        return plies.scene.Scene(1, 1, [plies.scene.Cell("1", 0.5, 0.5)] * 2)

    def touches(self, state, action):
        return ()


class Featured(Sound):
    feature_names = ("total", "ply")

    def features(self, state):
        return (float(state.total), float(state.ply))


class FeatureWithoutName(Featured):
    feature_names = ("total",)


class FeatureWithoutNumber(Featured):
    def features(self, state):
        return (float("nan"), 0.0)


class NamesWithoutFeatures(Sound):
    feature_names = ("total",)


BROKEN = [
    (RejectsAnAction(), "result() raised ValueError: no room for 2"),
    (ActsAfterTheEnd(), "a terminal state has actions: 1, 2"),
    (StuckBeforeTheEnd(), "a state that is not terminal has no actions"),
    (UnfairDie(), "the probabilities [0.5, 0.4] do not sum to 1"),
    (OtherOutcomes(), "chance() and actions() give different outcomes"),
    (NoChanceRule(), "to_move() is CHANCE, but there is no chance() rule"),
    (MutatesItsState(), "result() changed the state it was given"),
    (NotZeroSum(), "utilities [1, 0] do not sum to zero, though zero_sum is declared"),
    (OneKeyForAll(), "two different states have the key"),
    (RepeatsAnAction(), "actions() gives an action twice"),
    (PlaysAnUnknownPlayer(), "to_move() is 2; players are 0 to 1"),
    (OutOfBounds(), "outside the bounds -1 to 1"),
    (EvaluatesBeyondAWin(), "evaluate() is 3, not a number from -1 to 1"),
    (ForgetsToReturn(), "result() of the legal action"),
    (ReadsItselfWrongly(), "notation 'add' of action 2 is read as another action"),
    (NoisyWithoutReason(), "noisy() gives an action that actions() does not"),
    (FalseSymmetry(), "is no symmetric image"),
    (ScenelessTouches(), "there is touches(), but no scene() whose cells it could name"),
    (TouchesNothingKnown(), "touches() names '3', which is no cell of the scene"),
    (NamesTwice(), "two cells of the scene have the same name"),
    (FeatureWithoutName(), "there are 2 features, and 1 feature_names"),
    (FeatureWithoutNumber(), "features() are nan, 0.0, not all of them finite numbers"),
    (NamesWithoutFeatures(), "there are feature_names, but no features()"),
]


@pytest.mark.plain
@pytest.mark.parametrize(("game", "words"), BROKEN, ids=lambda value: getattr(value, "name", ""))
def test_a_broken_rule_is_reported_in_words(game, words):
    report = plies.check_game(game)
    assert any(words in problem for problem in report.problems), report
    assert not report.ok


@pytest.mark.skipif(interpreting(), reason="compilation is switched off")
def test_compiled_and_interpreted_rules_that_disagree_are_reported():
    report = plies.check_game(DisagreesWhenCompiled())
    assert report.compiled
    assert any("result differs: interpreted Count(total=" in problem for problem in report.problems), report


@pytest.mark.parametrize("game", [Pictured(), Featured()], ids=lambda game: game.name)
def test_scenes_and_features_that_are_sound(game):
    assert plies.check_game(game).ok


def test_a_problem_tells_where_it_showed():
    (problem,) = plies.check_game(RejectsAnAction()).problems
    assert problem.endswith(")")
    path = problem[problem.rindex("(after ") + 7 : -1].split()
    assert sum(map(int, path[:-1])) == 4


SMALLER = {"go": {"size": 5}, "gomoku": {"size": 7}, "quoridor": {"size": 5}, "renju": {"size": 7}}


@pytest.mark.skipif(interpreting(), reason="asks the rules both ways, where they are compiled")
@pytest.mark.parametrize("name", plies.game_names())
def test_our_own_games_are_sound(name):
    report = plies.check_game(plies.game(name, **SMALLER.get(name, {})), games=1)
    assert report.ok, report
    assert report.compiled, report


def test_a_game_that_cannot_be_compiled_is_sound_all_the_same():
    class Words(Sound):
        def initial(self):
            return "start"

        def to_move(self, state):
            return len(state) % 2

        def actions(self, state):
            return ["a", "b"] if len(state) < 9 else []

        def result(self, state, action):
            return state + action

        def is_terminal(self, state):
            return len(state) >= 9

        def utility(self, state, player):
            return (1 if state.endswith("a") else -1) * (1 if player == 0 else -1)

    report = plies.check_game(Words())
    assert report.ok, report
    assert not report.compiled
    assert report.why_not
