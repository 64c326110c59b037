"""`check_game` finds each way a game can be broken, and nothing wrong with a sound one."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import plies
import plies.scene
from plies.compiled import interpreting
from plies.registry import game_class


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
    def move_squares(self, state, action):
        return ("a1",)


class Pictured(Sound):
    def scene(self, state):
        return plies.scene.Scene(2, 1, [plies.scene.Cell("1", 0.5, 0.5), plies.scene.Cell("2", 1.5, 0.5)])

    def move_squares(self, state, action):
        return (str(action),)


class TouchesNothingKnown(Pictured):
    def move_squares(self, state, action):
        return ("1", "3")


class NamesTwice(Pictured):
    def scene(self, state):
        return plies.scene.Scene(1, 1, [plies.scene.Cell("1", 0.5, 0.5)] * 2)

    def move_squares(self, state, action):
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


class Circles(Sound):
    """Adds modulo 7, so that it never ends, and does not say that positions come again."""

    def result(self, state, action):
        return Count((state.total + action) % 7, 1 - state.ply)


class NeverEnds(Sound):
    def actions(self, state):
        yield 1

    def is_terminal(self, state):
        return False


class ActsWithoutEnd(Sound):
    def actions(self, state):
        action = 0
        while True:
            action += 1
            yield action


class HoldsAnArray(Sound):
    def initial(self):
        return Count(np.zeros(3), 0)


class HasNoBounds(Sound):
    bounds = (-math.inf, math.inf)


class BoundsCross(Sound):
    bounds = (1, -1)


class WorthNothing(Sound):
    def utility(self, state, player):
        return math.nan


class WorthMuch(Sound):
    def utility(self, state, player):
        return math.inf if player == 0 else -math.inf


class EvaluatesToNan(Sound):
    def evaluate(self, state, player):
        return math.nan


class HalfAPoint(Sound):
    """A win is worth 1 and a loss 0, but nobody said so."""

    bounds = (0, 1)

    def utility(self, state, player):
        return 0 if player == state.ply % 2 else 1


class NearlyZeroSum(Sound):
    def utility(self, state, player):
        return 1e-10 if player == 0 else 2e-10


class MoverIsAFloat(Sound):
    def to_move(self, state):
        return float(state.ply % 2)


class ImplausiblePlausible(Sound):
    def candidates(self, state):
        yield 5


class NothingPlausible(Sound):
    def candidates(self, state):
        return ()


class RollsOutOfPlace(Sound):
    def playout(self, state, random, last, before):
        return 3


class PatternWithoutWeight(Sound):
    pattern_weights = (1.0, 0.0)

    def pattern(self, state, action, last):
        return 1


class PatternOutOfRange(Sound):
    def pattern(self, state, action, last):
        return 0


class BoundsAreFalse(Sound):
    def proved_bounds(self, state, alpha, beta):
        return 1.0, 1.0  # whoever moves wins


class BoundsAreCrossed(Sound):
    def proved_bounds(self, state, alpha, beta):
        return 0.5, -0.5


class BoundsAreOne(Sound):
    def proved_bounds(self, state, alpha, beta):
        return 0.5


class PriorIsNegative(Sound):
    def prior(self, state, action, last):
        return 1.0, -1.0


class PriorIsNoPair(Sound):
    def prior(self, state, action, last):
        return 3.0


class PlayoutRepeats(Sound):
    """It takes what was taken last, which is not always there; and at first, nothing was."""

    def playout(self, state, random, last, before):
        return last


class CodeIsNoNumber(Sound):
    def move_index(self, state, action):
        return str(action)


class KeyIsNoNumber(Sound):
    def key(self, state):
        return "key"


class ClockRunsBackwards(Sound):
    def plies_left(self, state):
        return 4 - state.ply


class RepeatsForTooMuch(Sound):
    cycles = True

    def repetition_value(self, state, player):
        return 7 if player == 0 else -7


# -- Keys that leave out what matters, in games with cycles and without.


class Field(NamedTuple):
    place: int
    mover: int
    forbidden: int
    """An action that is not allowed, as by ko."""
    last: int


class Walk(plies.Game):
    """Two players push a counter around a ring of eight; a step ahead cannot be taken back at once."""

    cycles = True

    def initial(self):
        return Field(0, 0, 0, 0)

    def to_move(self, state):
        return state.mover

    def actions(self, state):
        for step in (1, 2, 7):
            if step != state.forbidden and not self.is_terminal(state):
                yield step

    def result(self, state, action):
        return Field((state.place + action) % 8, 1 - state.mover, 8 - action if action == 1 else 0, action)

    def is_terminal(self, state):
        return state.place == 5

    def utility(self, state, player):
        return 1 if player == state.last % 2 else -1

    def identity(self, state):
        return state.place, state.mover, state.forbidden, state.last * (state.place == 5)


class WithoutMover(Walk):
    def key(self, state):
        return state.place + 8 * state.forbidden + 64 * state.last


class WithoutKo(Walk):
    def identity(self, state):
        return state.place, state.mover, state.last * (state.place == 5)


class WithoutUtility(Walk):
    def identity(self, state):
        return state.place, state.mover, state.forbidden


class WithoutEnd(Sound):
    """The game is also over after four plies, of which the key knows nothing."""

    def actions(self, state):
        if not self.is_terminal(state):
            yield 1
            yield 2

    def is_terminal(self, state):
        return state.total >= 7 or state.ply == 4

    def key(self, state):
        return state.total * 2 + state.ply % 2


class WithoutResult(Walk):
    """The state holds one thing more, which changes where an action leads."""

    def result(self, state, action):
        far = 1 if state.last == 7 else 0
        return Field(
            (state.place + action + far) % 8, 1 - state.mover, 8 - action if action == 1 else 0, action
        )


class Superko(WithoutMover):
    superko = True


class SamePlaceByAnotherWay(Sound):
    """The sum alone, without the players, in a game without cycles."""

    def result(self, state, action):
        return Count(state.total + action, state.ply + 1)

    def to_move(self, state):
        return 0

    def utility(self, state, player):
        return (1 if state.ply > 4 else -1) * (1 if player == 0 else -1)

    def key(self, state):
        return state.total


class Clocked(Walk):
    """A clock that is not part of the key."""

    def initial(self):
        return Field(0, 0, 0, 30)

    def actions(self, state):
        if not self.is_terminal(state):
            yield 1
            yield 2

    def result(self, state, action):
        return Field((state.place + action) % 8, 1 - state.mover, 0, state.last - 1)

    def is_terminal(self, state):
        return state.place == 5 or state.last == 0

    def utility(self, state, player):
        if state.place != 5:
            return 0
        return 1 if player == state.mover else -1

    def identity(self, state):
        return state.place, state.mover

    def plies_left(self, state):
        return state.last


class ClockForgotten(Clocked):
    """The same clock, but nobody knows of it."""

    plies_left = plies.Game.plies_left


class ClockWoundUp(Clocked):
    """A clock that starts anew on the way round: every position comes up again."""

    cycles = True

    def result(self, state, action):
        place = (state.place + action) % 8
        return Field(place, 1 - state.mover, 0, 30 if place == 0 else state.last - 1)


class ClockThatMattersMore(Clocked):
    def actions(self, state):
        if not self.is_terminal(state):
            yield 1
            if state.last % 3:
                yield 2


KEYS = [
    (WithoutMover(), "is to move in one"),
    (WithoutKo(), "they have different actions"),
    (WithoutUtility(), "their utilities are"),
    (WithoutEnd(), "only one of them is terminal"),
    (WithoutResult(), "leads to different states"),
    (Superko(), "is to move in one"),
    (SamePlaceByAnotherWay(), "leads to different states"),
    (ClockForgotten(), "leads to different states"),
    (ClockThatMattersMore(), "they have different actions"),
]


@pytest.mark.plain
@pytest.mark.parametrize(("game", "words"), KEYS, ids=lambda value: getattr(value, "name", ""))
def test_a_key_that_leaves_out_what_matters_is_found(game, words):
    game.compiled = False
    report = plies.check_game(game, games=20)
    (problem,) = [problem for problem in report.problems if "two different states have the key" in problem]
    assert words in problem


@pytest.mark.plain
@pytest.mark.parametrize("game", [Walk(), Clocked()], ids=lambda game: game.name)
def test_a_key_that_leaves_out_what_does_not_matter_is_right(game):
    game.compiled = False
    report = plies.check_game(game, games=20)
    assert report.ok, report


BROKEN = [
    (Circles(), "a position has come up again, though `cycles` is not set to True"),
    (NeverEnds(), "no random game was over after 2,000 plies"),
    (ClockWoundUp(), "plies_left() has started anew, and then a position from before came up again"),
    (ActsWithoutEnd(), "actions() gives more than 1,048,576 things: does it end?"),
    (HoldsAnArray(), "field 'total' of a state of HoldsAnArray is a NumPy array"),
    (HasNoBounds(), "the bounds of HasNoBounds are (-inf, inf)"),
    (BoundsCross(), "the bounds of BoundsCross are (1, -1)"),
    (WorthNothing(), "utility() for player 0 is nan, not a finite number"),
    (WorthMuch(), "utility() for player 0 is inf, not a finite number"),
    (EvaluatesToNan(), "evaluate() is nan, not a number from -1 to 1"),
    (HalfAPoint(), "does not sum to 0"),
    (NearlyZeroSum(), "does not sum to 0"),
    (MoverIsAFloat(), "to_move() is 0.0, not a whole number"),
    (ImplausiblePlausible(), "candidates() gives an action that actions() does not"),
    (NothingPlausible(), "candidates() gives no action"),
    (RollsOutOfPlace(), "playout() is 3, which is no legal action"),
    (PlayoutRepeats(), "playout() is -1, which is no legal action"),
    (PatternWithoutWeight(), "the weight of pattern 1 is 0.0, not a number above 0"),
    (PatternOutOfRange(), "pattern() is 0, for which there is none of the pattern_weights"),
    (BoundsAreFalse(), "proved_bounds() are 1 and 1, but by the next states it is from -1 to -1"),
    (BoundsAreCrossed(), "proved_bounds() is (0.5, -0.5): the lower bound comes first"),
    (BoundsAreOne(), "proved_bounds() is 0.5, not a pair of numbers"),
    (PriorIsNegative(), "prior() is (1.0, -1.0), not a pair of numbers from 0 on"),
    (PriorIsNoPair(), "prior() is 3.0, not a pair of numbers from 0 on"),
    (CodeIsNoNumber(), "move_index() is not a whole number"),
    (KeyIsNoNumber(), "key() is 'key', not a whole number"),
    (ClockRunsBackwards(), "plies_left() is 0 where the game is not over"),
    (RepeatsForTooMuch(), "repetition_value() is 7, outside the bounds -1 to 1"),
    (RejectsAnAction(), "result() raised ValueError: no room for 2"),
    (ActsAfterTheEnd(), "a terminal state has actions: 1, 2"),
    (StuckBeforeTheEnd(), "a state that is not terminal has no actions"),
    (UnfairDie(), "the probabilities [0.5, 0.4] do not sum to 1"),
    (OtherOutcomes(), "chance() and actions() give different outcomes"),
    (NoChanceRule(), "to_move() is CHANCE, but there is no chance() rule"),
    (MutatesItsState(), "result() changed the state it was given"),
    (NotZeroSum(), "utility() gives [1, 0], which does not sum to 0"),
    (OneKeyForAll(), "two different states have the key"),
    (RepeatsAnAction(), "actions() gives an action twice"),
    (PlaysAnUnknownPlayer(), "to_move() is 2; players are 0 to 1"),
    (OutOfBounds(), "outside the bounds -1 to 1"),
    (EvaluatesBeyondAWin(), "evaluate() is 3, not a number from -1 to 1"),
    (ForgetsToReturn(), "result() of the legal action"),
    (ReadsItselfWrongly(), "notation 'add' of action 2 is read as another action"),
    (NoisyWithoutReason(), "noisy() gives an action that actions() does not"),
    (FalseSymmetry(), "is no symmetric image"),
    (ScenelessTouches(), "there is move_squares(), but no scene() whose cells it could name"),
    (TouchesNothingKnown(), "move_squares() names '3', which is no cell of the scene"),
    (NamesTwice(), "two cells of the scene have the same name"),
    (FeatureWithoutName(), "there are 2 features, and 1 feature_names"),
    (FeatureWithoutNumber(), "features() are nan, 0.0, not all of them finite numbers"),
    (NamesWithoutFeatures(), "there are feature_names, but no features()"),
]


@pytest.mark.plain
@pytest.mark.parametrize(("game", "words"), BROKEN, ids=lambda value: getattr(value, "name", ""))
def test_a_broken_rule_is_reported_in_words(game, words):
    game.compiled = False
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


@pytest.mark.plain
def test_random_games_are_told_in_numbers():
    told = []
    report = plies.check_game(Sound(), games=40, progress=lambda done, games: told.append((done, games)))
    assert told == [(number, 40) for number in range(1, 41)]
    statistics = report.statistics
    assert len(statistics.lengths) == 40
    assert min(statistics.lengths) >= 4
    assert max(statistics.lengths) <= 7
    assert statistics.actions == 2 * statistics.choices
    assert statistics.choices == sum(statistics.lengths)
    wins = [sum(payoff[player] == 1 for payoff in statistics.payoffs) for player in range(2)]
    assert sum(wins) == 40
    words = str(report)
    mean = sum(statistics.lengths) / 40
    assert (
        f"length: {mean:.1f} plies on average, {min(statistics.lengths)} to {max(statistics.lengths)}"
        in words
    )
    assert "branching: 2.0 actions on average, at most 2" in words
    assert f"player 1 wins {wins[0] * 2.5:.0f}%, player 2 wins {wins[1] * 2.5:.0f}%" in words


@pytest.mark.plain
def test_ctrl_c_leaves_what_was_found():
    def stop(done, games):
        if done == 3:
            raise KeyboardInterrupt

    report = plies.check_game(NotZeroSum(), games=40, progress=stop)
    assert report.stopped
    assert report.games == 3
    assert len(report.problems) == 1
    assert "stopped early" in str(report)


@pytest.mark.plain
def test_a_constant_sum_is_what_the_game_says():
    class AsInALecture(HalfAPoint):
        total = 1

        def evaluate(self, state, player):
            return 0.5

    assert plies.check_game(AsInALecture()).ok


@pytest.mark.plain
def test_dice_fall_by_their_probabilities():
    class Loaded(Sound):
        def to_move(self, state):
            return plies.CHANCE

        def chance(self, state):
            yield 1, 1.0
            yield 2, 0.0

    assert set(plies.check_game(Loaded(), games=5).statistics.lengths) == {7}


@pytest.mark.plain
def test_a_position_may_come_again_by_the_dice():
    class Snakes(Sound):
        """Sixes lead back to the beginning."""

        compiled = False

        def to_move(self, state):
            return plies.CHANCE if state.ply % 2 else 0

        def actions(self, state):
            if state.total < 7:
                yield 1
                yield 2

        def chance(self, state):
            yield 1, 0.5
            yield 2, 0.5

        def result(self, state, action):
            if state.ply == 0:
                return Count(state.total, 1)
            return Count(0 if action == 2 else state.total + 2, 0)

    report = plies.check_game(Snakes())
    assert report.ok, report


class OrdersByDict(Sound):
    order = {1: 2, 2: 1}

    def priority(self, state, action):
        return self.order[action]

    def features(self, state):
        return (float(len({state.total: 1})), sum(1.0 for _ in range(3)))


@pytest.mark.skipif(interpreting(), reason="compilation is switched off")
def test_every_rule_that_does_not_compile_is_told_with_its_line():
    report = plies.check_game(OrdersByDict(), games=2)
    assert report.ok
    assert report.compiled
    assert list(report.not_compiled) == ["features", "priority"]
    assert "test_check.py, line " in report.not_compiled["priority"]
    assert "`self.order` is a dict: make it a tuple" in report.not_compiled["priority"]
    assert "compiled searches do without priority(): OrdersByDict.priority does not compile" in str(report)


LARGE = (
    *("awari", "backgammon", "checkers", "chess", "go", "gomoku", "kalah", "othello", "pacman"),
    *("connect-four", "peg-solitaire", "pirates", "qubic", "quoridor", "renju"),
)
"""Games whose rules, compiled one by one, take long."""

SMALLER = {"go": {"size": 5}, "gomoku": {"size": 7}, "quoridor": {"size": 5}, "renju": {"size": 7}}


@pytest.mark.skipif(interpreting(), reason="asks the rules both ways, where they are compiled")
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long if name in LARGE else ()) for name in plies.game_names()],
)
def test_our_own_games_are_sound(name):
    game = plies.game(name, **SMALLER.get(name, {}))
    report = plies.check_game(game, games=1)
    assert report.ok, report
    assert report.compiled != game.simultaneous, report


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


@pytest.mark.skipif(interpreting(), reason="compilation is switched off")
def test_a_rule_that_no_search_can_do_without_is_why_a_game_runs_interpreted():
    class ActsByDict(Sound):
        moves: Any = {0: (1, 2), 1: (1,)}

        def actions(self, state):
            return self.moves[state.ply % 2] if state.total < 7 else ()

    report = plies.check_game(ActsByDict(), games=2)
    assert report.ok
    assert not report.compiled
    assert list(report.not_compiled) == ["actions"]
    assert report.why_not.startswith("ActsByDict.actions does not compile: ")
    assert "`self.moves` is a dict" in report.why_not


@pytest.mark.plain
@pytest.mark.parametrize("games", [0, -1])
def test_no_games_are_no_check(games: int) -> None:
    with pytest.raises(plies.BadParameter, match="at least 1, not"):
        plies.check_game(plies.TicTacToe(), games=games)


DotsAndBoxes: Any = game_class(str(Path(__file__).parents[1] / "examples" / "dots_and_boxes.py"))


class PointsAreLeftOut(DotsAndBoxes):
    def points_and_rest(self, state):
        return 0, state.lines


class RestLeavesSomethingOut(DotsAndBoxes):
    def points_and_rest(self, state):
        return state.margin, state.lines & 7


@pytest.mark.plain
@pytest.mark.parametrize("kind", [PointsAreLeftOut, RestLeavesSomethingOut])
def test_points_and_a_rest_that_do_not_add_up_are_reported(kind):
    """Else `solve`, which keeps one entry for each rest, would prove what is false."""
    assert plies.check_game(DotsAndBoxes(2, 1)).ok
    report = plies.check_game(kind(2, 1))
    assert "one rest, but they lead to other rests or gains" in str(report)
    assert not report.ok
