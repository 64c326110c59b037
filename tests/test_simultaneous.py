"""Simultaneous moves: a rule, solved by backward induction, served or refused by everything else."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import plies
from plies import SIMULTANEOUS, IllegalMove, PliesError, Unsuitable, book, records
from plies.benchmark import benchmark
from plies.book.backward_induction import fractions
from plies.draw.explain import explain
from plies.draw.marks import brief
from plies.engine import ALGORITHMS, Limit, algorithm_for, algorithms_for, engine_for
from plies.engine.result import mixed_strategies
from plies.games.goofspiel import State
from plies.history import History
from plies.models import Modelled, uniform
from plies.needs import Needs
from plies.notebook import show_found
from plies.players import BookPlayer, EnginePlayer, Human, Random, parse_player, taken
from plies.terminal.drawing import draw_position
from plies.terminal.screen import Screen
from plies.terminal.session import Session

pytestmark = pytest.mark.plain

NAMES = ("rock", "paper", "scissors")


class RockPaperScissors(plies.Game):
    """One round, in which rock that beats scissors counts twice: value 0, and paper half of the time."""

    bounds = (-2, 2)

    def initial(self) -> tuple[int, ...]:
        return ()

    def to_move(self, state: tuple[int, ...]) -> int:
        return SIMULTANEOUS

    def choices(self, state: tuple[int, ...], player: int) -> Iterator[int]:
        yield from range(3)

    def result(self, state: tuple[int, ...], action: tuple[int, int]) -> tuple[int, ...]:
        return action

    def is_terminal(self, state: tuple[int, ...]) -> bool:
        return len(state) > 0

    def utility(self, state: tuple[int, ...], player: int) -> int:
        mine, theirs = state[player], state[1 - player]
        if mine == theirs:
            return 0
        won = 1 if (mine - theirs) % 3 == 1 else -1
        return won * (2 if {mine, theirs} == {0, 2} else 1)

    def choice_notation(self, state: tuple[int, ...], player: int, choice: int) -> str:
        return NAMES[choice]


class Duel(plies.Game):
    """The second player picks a coin, the coin falls, then both show 0 or 1 at once.

    All three kinds of states, with a total of 1: the first player wins if the numbers agree and the coin
    fell heads, or differ and it fell tails; the second player's first move says how likely heads is.
    """

    total = 1
    bounds = (0, 1)

    def initial(self) -> tuple[Any, ...]:
        return ()

    def to_move(self, state: tuple[Any, ...]) -> int:
        return (1, plies.CHANCE, SIMULTANEOUS)[len(state)]

    def choices(self, state: tuple[Any, ...], player: int) -> Iterator[int]:
        yield from (3, 4) if not state else (0, 1) if player == 0 else (0, 1, 2)

    def chance(self, state: tuple[Any, ...]) -> Iterator[tuple[int, float]]:
        yield 0, 1 / state[0]
        yield 1, 1 - 1 / state[0]

    def result(self, state: tuple[Any, ...], action: Any) -> tuple[Any, ...]:
        return *state, action

    def is_terminal(self, state: tuple[Any, ...]) -> bool:
        return len(state) == 3

    def utility(self, state: tuple[Any, ...], player: int) -> float:
        _, coin, (first, second) = state
        given_up = 0.75 if coin else 0.25  # by the second player's choice of 2
        won = given_up if second == 2 else float((first == second) == (coin == 0))
        return won if player == 0 else 1 - won


class Three(RockPaperScissors):
    """The same for three, who get nothing."""

    players = 3

    def utility(self, state: tuple[int, ...], player: int) -> int:
        return 0


# -- The rule.


def test_actions_are_all_combinations_of_choices() -> None:
    game = RockPaperScissors()
    assert game.simultaneous
    assert not plies.TicTacToe().simultaneous
    assert list(game.actions(())) == [(i, j) for i in range(3) for j in range(3)]
    assert list(game.actions((1, 2))) == []
    assert len(list(Three().actions(()))) == 27
    assert game.compiled is False
    assert game.player_name(SIMULTANEOUS) == "both players"
    assert Three().player_name(SIMULTANEOUS) == "all players"


def test_states_of_all_kinds_in_one_game() -> None:
    game = Duel()
    assert list(game.actions(())) == [3, 4]
    assert list(game.actions((3,))) == [0, 1]
    assert list(game.actions((3, 1))) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert plies.check_game(game, games=30).ok


def test_a_game_without_choices_still_needs_actions() -> None:
    with pytest.raises(NotImplementedError, match="does not define actions"):
        plies.Game().actions(None)


def test_notation_and_reading() -> None:
    game = RockPaperScissors()
    assert game.notation((), (0, 2)) == "rock/scissors"
    assert game.parse_action((), "Rock / SCISSORS") == (0, 2)
    assert game.parse_choice((), 1, " Paper") == 1
    with pytest.raises(IllegalMove, match="'lizard' is not a legal choice; choices: rock, paper, scissors"):
        game.parse_choice((), 1, "lizard")
    assert game.parse_position("paper/rock") == (1, 0)
    with pytest.raises(IllegalMove):
        game.play((), (0, 3))


def test_check_game_finds_what_is_wrong() -> None:
    class NoChoices(plies.TicTacToe):
        compiled = False

        def to_move(self, state: Any) -> int:
            return SIMULTANEOUS

    class OneMissing(RockPaperScissors):
        def actions(self, state: Any) -> Any:
            return [] if state else [(0, 0), (1, 1)]

    class OneName(RockPaperScissors):
        def choice_notation(self, state: Any, player: int, choice: int) -> str:
            return "it"

        def notation(self, state: Any, action: Any) -> str:
            return str(action)

    class Nothing(RockPaperScissors):
        def choices(self, state: Any, player: int) -> Iterator[int]:
            yield from range(player)

    assert plies.check_game(RockPaperScissors()).ok
    assert "runs interpreted: its players move at once" in str(plies.check_game(RockPaperScissors()))
    for game, words in (
        (NoChoices(), "to_move() is SIMULTANEOUS, but there is no choices() rule"),
        (OneMissing(), "actions() does not combine the choices() of all players"),
        (OneName(), "notation 'it' of choice 1 is read as another choice"),
        (Nothing(), "a state that is not terminal has no actions"),
    ):
        assert words in str(plies.check_game(game, games=3))


def test_wrapped_games_keep_the_rule() -> None:
    game = plies.WithUtility(RockPaperScissors(), lambda payoff: payoff)
    assert game.simultaneous
    assert list(game.choices((), 0)) == [0, 1, 2]
    assert game.notation((), (0, 2)) == "rock/scissors"
    with pytest.raises(Unsuitable, match="a model of opponents is for games in which players move in turn"):
        Modelled(RockPaperScissors(), {1: uniform})
    with pytest.raises(Unsuitable, match="the paranoid reduction is for games in which"):
        plies.Paranoid(RockPaperScissors())


def test_histories_and_records_go_there_and_back() -> None:
    game = plies.Goofspiel(cards=3, prizes="random")
    history = History(game)
    for action in (3, (1, 3), 1, (2, 1)):
        history.play(action)
    assert records.notation(history) == ["3", "1/3", "1", "2/1"]
    again = records.replay(game, "", records.notation(history))
    assert again.states == history.states
    assert records.read(records.write(history, "json")).moves == ["3", "1/3", "1", "2/1"]
    assert history.undo() == (2, 1)
    assert history.redo() == (2, 1)
    assert "moves=3%3B1%2F3" in records.link(history)


# -- Solving.


def test_the_matrix_game_of_one_round() -> None:
    decision = book.backward_induction(RockPaperScissors())
    assert decision.value == 0
    assert decision.matrix is not None
    assert decision.matrix.row_strategy == (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    assert decision.matrix == plies.matrix_game(
        "0 -1 2; 1 0 -1; -2 1 0", row_names="rock,paper,scissors", column_names="rock,paper,scissors"
    )
    assert decision.action == (1, 1)


def test_each_player_as_max() -> None:
    """The matrix is the player's own: rows are their choices, and the values sum to the total."""
    game = Duel()
    first = book.backward_induction(game, (3, 1), player=0)
    second = book.backward_induction(game, (3, 1), player=1)
    assert first.value + second.value == 1
    assert first.matrix is not None
    assert second.matrix is not None
    assert first.matrix.column_names == second.matrix.row_names == ("0", "1", "2")
    assert first.matrix.rows == tuple(tuple(1 - second.matrix.rows[j][i] for j in range(3)) for i in range(2))


def test_chance_and_single_movers_below() -> None:
    # If the coin falls 0, both mixing gives 1/2, and giving up 1/4; if it falls 1, 1/2 and 3/4.
    game = Duel()
    assert book.backward_induction(game, (3, 0)).value == Fraction(1, 4)
    assert book.backward_induction(game, (3, 1)).value == Fraction(1, 2)
    assert book.backward_induction(game, (3,)).value == Fraction(1, 4) / 3 + Fraction(1, 2) * Fraction(2, 3)
    decision = book.backward_induction(game)
    assert decision.value == 1 - (Fraction(1, 12) + Fraction(1, 3))  # to the second player, who moves
    assert decision.action == 3
    assert decision.matrix is None
    assert book.backward_induction(game, player=0).value == 1 - decision.value


def test_probabilities_are_the_fractions_they_are_written_for() -> None:
    assert fractions([("a", 1 / 3), ("b", 2 / 3)]) == [("a", Fraction(1, 3)), ("b", Fraction(2, 3))]
    assert fractions([("a", 0.1), ("b", 0.9)]) == [("a", Fraction(1, 10)), ("b", Fraction(9, 10))]
    odd = 0.12345678901234567
    assert fractions([("a", odd), ("b", 1 - odd)])[0] == ("a", Fraction(odd))


def test_states_that_come_again_are_not_searched_again() -> None:
    game, counts = plies.Goofspiel(cards=4), book.Counts()
    book.backward_induction(game, trace=counts)
    tree = sum(plies.perft(game, depth) for depth in range(5))
    assert counts.nodes < 0.6 * tree
    trace = plies.trace(game)
    assert trace.algorithm == "backward-induction"
    assert {event.why for event in trace.events if isinstance(event, book.Leaf)} == {"terminal", "known"}


def test_a_depth_bound_evaluates() -> None:
    game = plies.Goofspiel(cards=4)
    decision = book.backward_induction(game, depth=1)
    assert decision.matrix is not None
    assert decision.matrix.rows[0] == (0, -4, -4, -4)
    assert book.backward_induction(game, depth=0).value == 0
    found = plies.search(game, depth=1)
    assert not found.value.proved
    assert plies.search(game, depth=4).value.proved


def test_search_and_solve() -> None:
    game = RockPaperScissors()
    found = plies.search(game)
    assert found.algorithm == "book:backward-induction"
    assert found.value.proved
    assert str(found.value) == "0 on average"
    assert found.scores[0, 2].utility == 2
    assert mixed_strategies(found) == [{0: 0.25, 1: 0.5, 2: 0.25}] * 2
    assert json.loads(json.dumps(found.to_dict()))["matrix"]["row_strategy"] == ["1/4", "1/2", "1/4"]
    solution = plies.solve(game)
    assert solution.solved
    assert solution.matrix == found.matrix
    with pytest.raises(PliesError, match="players who move in turn"):
        solution.strategy()
    stopped = plies.solve(plies.Goofspiel(cards=6), nodes=200)
    assert not stopped.solved
    assert (stopped.low.utility, stopped.high.utility) == (-21, 21)
    for options in ({"algorithm": "proof-number"}, {"distance": True}):
        with pytest.raises(Unsuitable, match="move at once"):
            plies.solve(game, **options)  # type: ignore[arg-type]
    with pytest.raises(PliesError, match="mixed strategies only where"):
        mixed_strategies(plies.search(plies.TicTacToe(), depth=1))


def test_a_mean_is_not_a_win() -> None:
    """A proved average says nothing about who wins the next game."""
    value = plies.search(plies.Goofspiel(cards=3), State(((2, 3), (1, 2)), (1,), 2, 0, (0, 3))).value
    assert str(value) == "-0.666667 on average"
    assert value.proved
    assert 0 < value.winning_chance(3) < 0.5
    assert brief(value) == "-0.67"
    alone = plies.search(Duel())  # where one player moves, too
    assert str(alone.value) == "0.583333 on average"


def test_pictures_notebooks_and_benchmarks() -> None:
    game = plies.Goofspiel(cards=3)
    picture = str(plies.draw.board(game, game.initial()))
    assert "both players to move" in picture
    with pytest.raises(PliesError, match="no moves to score, but pairs of choices"):
        draw_position(History(game), seconds=0.1)
    shown = show_found(plies.search(game))
    assert "both players" in shown
    assert "saddle points" in shown
    steps = explain(plies.trace(plies.Goofspiel(cards=2)))
    assert "where both choose at once: what may follow is a matrix game" in steps[0]
    assert "the value of their matrix game" in steps[-1]
    assert benchmark(game, seconds=0.01).rates["interpreted"]["evaluate"]


# -- Who serves, and who refuses.


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name != "book:backward-induction"])
def test_every_other_algorithm_refuses_in_a_sentence(name: str) -> None:
    one = ALGORITHMS[name]
    assert not one.needs.serve(RockPaperScissors())
    with pytest.raises(Unsuitable, match="players move in turn; in RockPaperScissors they move at once"):
        engine_for(RockPaperScissors(), name).search(None, Limit(nodes=10))


@pytest.mark.parametrize("name", [name for name in book.ALGORITHMS if name != "backward-induction"])
def test_every_other_algorithm_of_the_book_refuses(name: str) -> None:
    with pytest.raises(Unsuitable, match="move at once"):
        book.ALGORITHMS[name](RockPaperScissors())


@pytest.mark.parametrize(
    "refused",
    [
        lambda game: book.normal_form(game),
        lambda game: book.best_pair(game),
        lambda game: book.strategies(game, 0),
        lambda game: book.count_strategies(game, 0),
        lambda game: plies.pathology.noisy_evaluation(game, sigma=1),
    ],
)
def test_what_is_not_a_search_refuses_too(refused: Any) -> None:
    with pytest.raises(Unsuitable, match="is for games in which players move in turn"):
        refused(RockPaperScissors())


def test_it_refuses_games_in_turn_and_of_three() -> None:
    with pytest.raises(
        Unsuitable,
        match="backward induction is for games of simultaneous moves; in TicTacToe players move in turn",
    ):
        book.backward_induction(plies.TicTacToe())
    assert algorithms_for(Three()) == []
    for refused in (algorithm_for, plies.search, plies.trace, plies.solve):
        with pytest.raises(Unsuitable, match="is for 2 players; Three has 3"):
            refused(Three())
    assert "simultaneous moves" in str(Needs(players=2, simultaneous=True))


# -- Players.


def test_players_draw_from_the_mixture_with_a_seed() -> None:
    game = RockPaperScissors()
    for make in (
        lambda seed: EnginePlayer(1.0, seed=seed),
        lambda seed: BookPlayer("backward-induction", seed=seed),
    ):
        player = make(1)
        player.prepare(game)
        drawn = [player.choose_at_once(game, (), 0) for _ in range(60)]
        again = make(1)
        assert drawn == [again.choose_at_once(game, (), 0) for _ in range(60)]
        counts = Counter(drawn)
        assert counts[1] > max(counts[0], counts[2]) > 3


def test_players_of_both_seats_see_their_own_side() -> None:
    class Handicap(RockPaperScissors):
        """The second player has no scissors."""

        def choices(self, state: Any, player: int) -> Iterator[int]:
            yield from range(3 - player)

    game = Handicap()
    for player in (BookPlayer("backward-induction", seed=1), EnginePlayer(1.0, seed=1), Random(1)):
        drawn = {player.choose_at_once(game, (), 1) for _ in range(40)}
        assert drawn <= {0, 1}
    assert taken([Random(1), Random(2)], game, ()) in list(game.actions(()))


@pytest.mark.parametrize(
    "name", ["reflex", "greedy", "uniform", "mcts", "book:minimax", "alpha-beta", "expectimax:1"]
)
def test_players_that_cannot_say_so(name: str) -> None:
    player = parse_player(name)
    with pytest.raises(Unsuitable, match="in which players move in turn"):
        player.prepare(RockPaperScissors())


def test_a_player_of_ones_own_without_the_method() -> None:
    class First:
        name = "first"

        def prepare(self, game: plies.Game) -> None:
            """Nothing to do."""

        def choose(self, game: plies.Game, state: Any, previous: Any = ()) -> Any:
            return next(iter(game.actions(state)))

    with pytest.raises(Unsuitable, match="first is for games in which players move in turn"):
        taken([First(), First()], RockPaperScissors(), ())


def test_a_person_is_asked_for_a_choice(capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter(["nothing", "paper"])
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return next(answers)

    assert Human(ask).choose_at_once(RockPaperScissors(), (), 1) == 1
    assert asked == ["You are player 2: Your move: "] * 2
    assert "not a legal choice" in capsys.readouterr().out


def test_matches() -> None:
    found = plies.match(plies.Goofspiel(cards=3), "engine:depth=3", "random", games=20, seed=1, openings=0)
    assert found.wins > found.losses
    payoffs = plies.tally(RockPaperScissors(), ["random", "engine:depth=1"], games=20)
    assert all(first == -second for first, second in payoffs)


# -- At the terminal.


class Typed(Screen):
    """A screen on which the answers are given, and what was asked is kept."""

    def __init__(self, answers: list[str]) -> None:
        super().__init__(plain=True)
        self.answers, self.secret = answers, 0

    def ask(self, question: str) -> str:
        print(question)
        return self._next()

    def ask_secretly(self, question: str) -> str:
        print(question)
        self.secret += 1
        return self._next()

    def _next(self) -> str:
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)


class Fixed:
    """Always chooses the same, and keeps what it was shown."""

    name = "fixed"

    def __init__(self, choice: int) -> None:
        self.choice, self.seen = choice, 0

    def prepare(self, game: plies.Game) -> None:
        """Nothing to do."""

    def choose(self, game: plies.Game, state: Any, previous: Any = ()) -> Any:
        raise AssertionError

    def choose_at_once(self, game: plies.Game, state: Any, player: int) -> int:
        self.seen += 1
        return self.choice


def test_a_person_chooses_before_the_machine_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    machine = Fixed(2)
    screen = Typed(["moves", "lizard", "rock", "undo", "paper", "quit"])
    Session(RockPaperScissors(), [Human(), machine], screen).run()
    out = capsys.readouterr().out
    before, *_ = out.split("plays rock")
    assert "Legal moves: rock paper scissors" in before
    assert "'lizard' is not a legal choice" in before
    assert "scissors" not in before.split("'lizard' is not a legal choice; choices: rock, paper, scissors")[1]
    assert "player 1 (you) plays rock, player 2 (fixed) plays scissors." in out
    assert "player 1 (you) wins after 1 move" in out
    assert "player 1 (you) plays paper, player 2 (fixed) plays scissors." in out
    assert machine.seen == 2
    assert screen.secret == 0  # nobody looks on


def test_two_people_at_one_terminal_do_not_see_each_others_choice(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Typed(["rock", "paper", "quit"])
    Session(RockPaperScissors(), [Human(), Human()], screen).run()
    out = capsys.readouterr().out
    assert screen.secret == 2
    assert "rock" not in out.split("You are player 1")[1].split("You are player 2")[0]
    assert "player 1 (human) plays rock, player 2 (human) plays paper." in out


def test_what_is_typed_in_secret_is_not_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("rock\n"))
    assert Screen(plain=True).ask_secretly("You are player 1:") == "rock"
    assert capsys.readouterr().out == "You are player 1: …\n"


def test_the_commands_of_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Typed(["hint", "score", "resign", "quit"])
    Session(RockPaperScissors(), [Fixed(0), Human()], screen).run()
    out = capsys.readouterr().out
    assert "Value for player 1: 0 on average.\nplayer 1 plays  rock 1/4, paper 1/2, scissors 1/4" in out
    assert "choices of player 1 (rows) and player 2:" in out
    assert "player 2 (you) resigns after 0 moves; player 1 (fixed) wins." in out


def test_the_only_choice_is_made_without_asking(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Typed(["2"])
    Session(plies.Goofspiel(cards=2), [Human(), Random(1)], screen).run()
    out = capsys.readouterr().out
    assert out.count("Choose a card") == 1
    assert "player 1 (you) plays 2, " in out
    assert "player 1 (you) plays 1, " in out
    assert "after 2 moves" in out
