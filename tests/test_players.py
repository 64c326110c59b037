"""Players: what people may write, what each refuses, and the machine at Tic-Tac-Toe."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from cyclic_games import Ring, Walk
from plies import BadParameter, Game, PliesError, Unsuitable
from plies.book import ALGORITHMS
from plies.engine import Limit, SearchResult, algorithm_for
from plies.games.tic_tac_toe import State
from plies.history import legal_actions
from plies.models import POLICIES
from plies.players import (
    BookPlayer,
    EnginePlayer,
    Human,
    Random,
    Reflex,
    parse_player,
    parse_players,
)

pytestmark = pytest.mark.plain

GAME = plies.TicTacToe()


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("human", Human, "human"),
        (" HUMAN ", Human, "human"),
        ("random", Random, "random"),
        ("random:7", Random, "random"),
        ("Engine: 0.5", EnginePlayer, "engine"),
        ("MCTS", EnginePlayer, "mcts"),
        ("mcts: simulations = 50", EnginePlayer, "mcts"),
        ("flat:0.1", EnginePlayer, "flat"),
        ("alpha-beta: depth=4", EnginePlayer, "alpha-beta"),
        ("paranoid", EnginePlayer, "paranoid"),
        ("book:sampled:3", BookPlayer, "book:sampled"),
        ("Book: Alpha-Beta : 4", BookPlayer, "book:alpha-beta"),
        ("book:minimax", BookPlayer, "book:minimax"),
    ],
)
def test_players_as_people_write_them(text: str, kind: type, name: str) -> None:
    player = parse_player(text)
    assert type(player) is kind
    assert player.name == name


def test_the_numbers_that_players_are_given() -> None:
    engine, algorithm = parse_player("engine:0.25"), parse_player("book:max-n:3")
    assert isinstance(engine, EnginePlayer)
    assert engine.limit == Limit(time=0.25)
    assert isinstance(algorithm, BookPlayer)
    assert algorithm.depth == 3


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("engine", Limit(time=1)),
        ("engine:depth=2", Limit(depth=2)),
        ("Engine: Nodes = 10_000", Limit(nodes=10_000)),
        ("mcts", Limit(time=1)),
        ("mcts:0.5", Limit(time=0.5)),
        ("mcts:simulations=50", Limit(nodes=50)),
        ("Flat: Simulations = 1_000", Limit(nodes=1000)),
    ],
)
def test_limits_of_the_engine(text: str, limit: Limit) -> None:
    engine = parse_player(text)
    assert isinstance(engine, EnginePlayer)
    assert engine.limit == limit


def test_the_engine_remembers_from_move_to_move() -> None:
    game = plies.ConnectFour(width=4, height=4)
    engine = EnginePlayer(depth=6)
    engine.prepare(game)
    engine.choose(game, game.initial())
    kept = engine._engine
    assert kept is not None
    state = game.parse_position("12")
    engine.choose(game, state)
    assert engine._engine is kept
    engine.choose(plies.TicTacToe(), plies.TicTacToe().initial())
    assert engine._engine is not kept


def test_players_look_back() -> None:
    """After a step on, superko forbids the step back; and nobody chooses it."""
    game = Ring(superko=True, size=6)
    previous = [game.initial(), Walk(1, 1, 0)]
    for text in (
        "random:1",
        "engine:depth=1",
        "engine:depth=4",
        "alpha-beta:depth=3",
        "book:minimax:2",
        "book:alpha-beta:3",
    ):
        player = parse_player(text)
        for _ in range(5):
            assert player.choose(game, Walk(2, 0, 0), previous) == 1, text


def test_the_engine_chooses_what_is_legal_though_all_is_lost() -> None:
    """Every way loses, and one of them is forbidden."""
    game = Ring(superko=True, size=4)
    previous = [game.initial(), Walk(3, 1, 0)]
    assert legal_actions(game, Walk(2, 0, 0), previous) == [-1]
    assert EnginePlayer(depth=3).choose(game, Walk(2, 0, 0), previous) == -1
    assert legal_actions(game, Walk(2, 0, 0)) == [1, -1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bob", "there is no player 'bob'"),
        ("minimax:3", r"there is no player 'minimax:3'; do you mean book:minimax\?$"),
        ("engin:0.5", r"there is no player 'engin:0.5'; do you mean engine\?$"),
        ("book:bob", "there is no book:bob; there are book:minimax"),
        ("book", "there is no book:; there are"),
        ("", "there is no player ''"),
        ("human:3", "there is no player"),
        ("book:minimax:x", "after book:minimax: comes a whole number, not 'x'"),
        ("book:minimax:", "after book:minimax: comes a whole number"),
        ("book:minimax:0", "the depth of book:minimax must be 1 or more, not 0"),
        ("engine:soon", "after engine: comes a number of seconds"),
        ("engine:nan", "must be above 0"),
        ("engine:-1", "must be above 0"),
        ("engine:inf", "up to 86,400 seconds"),
        ("engine:plies=3", r"engine has no option 'plies'; it has .*depth \(a whole number\).*nodes"),
        ("engine:depth=x", "depth must be a whole number, not 'x'"),
        ("engine:depth=0", "the limit depth must be above 0, not 0"),
        ("random:1.5", "after random: comes a whole number"),
        (
            "mcts:soon",
            "after mcts: comes a number of seconds, or simulations= and a whole number, not 'soon'",
        ),
        ("mcts:depth=3", r"mcts has no option 'depth'; it has .*simulations \(a whole number\)"),
        ("mcts:simulations=x", "simulations must be a whole number, not 'x'"),
        ("mcts:simulations=0", "the limit nodes must be above 0, not 0"),
        ("mcts:0", "must be above 0"),
        ("flat:many", "after flat: comes a number of seconds, or simulations="),
        ("flat:-1", "must be above 0"),
    ],
)
def test_no_such_player(text: str, words: str) -> None:
    with pytest.raises(BadParameter, match=words):
        parse_player(text)


def test_an_unknown_player_is_told_what_is_allowed() -> None:
    with pytest.raises(BadParameter) as refused:
        parse_player("bob")
    for allowed in ("human", "random[:seed]", "engine[:limit]", *plies.ALGORITHMS):
        assert allowed in str(refused.value)


@given(st.text(max_size=20))
def test_any_text_is_a_player_or_is_refused(text: str) -> None:
    try:
        player = parse_player(text)
    except PliesError:
        return
    named = ("human", "random", "engine", "reflex", *POLICIES)
    assert player.name in (*named, *plies.ALGORITHMS, *(f"book:{name}" for name in ALGORITHMS))


# -- The quicker win.


@cache
def hurried(state: State) -> int:
    """The lab's value to whoever is to move: ten for a win, less the plies to it; below 0, the other's."""
    if GAME.is_terminal(state):
        return -10 if GAME.utility(state, GAME.to_move(state)) else 0
    values = [-hurried(GAME.result(state, action)) for action in GAME.actions(state)]
    return max(value - 1 if value > 0 else value + 1 if value < 0 else 0 for value in values)


def endgames(most: int) -> list[State]:
    """Every position of Tic-Tac-Toe with up to so many empty squares that can be reached."""
    seen, fresh = set(), {GAME.initial()}
    while fresh:
        seen |= fresh
        fresh = {
            GAME.result(state, action)
            for state in fresh
            if not GAME.is_terminal(state)
            for action in GAME.actions(state)
        }
    few = [state for state in seen if not GAME.is_terminal(state) and len(list(GAME.actions(state))) <= most]
    return sorted(few, key=GAME.position)


def test_the_lab_scores_a_win_in_two_plies_above_a_win_in_four() -> None:
    for position, value in (("X.X/.O./X.O", 8), ("XO./X../...", 6)):
        state = GAME.parse_position(position)
        for search in (ALGORITHMS["minimax"], ALGORITHMS["alpha-beta"]):
            assert search(GAME, state, player=0, quick=10).value == value == -hurried(state)


@pytest.mark.parametrize("name", ["minimax", "alpha-beta"])
@pytest.mark.long
def test_minimax_and_alpha_beta_take_the_quicker_win_and_the_slower_loss(name: str) -> None:
    player = parse_player(f"book:{name}")
    positions = endgames(4)
    assert len(positions) > 1000
    slow = 0
    for state in positions:
        best = hurried(state)
        after = -hurried(GAME.result(state, player.choose(GAME, state)))
        assert (after - 1 if after > 0 else after + 1 if after < 0 else 0) == best
        plain = -hurried(GAME.result(state, ALGORITHMS[name](GAME, state).action))
        slow += (plain - 1 if plain > 0 else plain + 1 if plain < 0 else 0) != best
    assert slow > 50  # where the first of equal actions would not have done


@pytest.mark.parametrize("name", ["book:minimax", "book:alpha-beta"])
def test_as_a_search_they_hurry_too_and_the_value_is_that_of_the_game(name: str) -> None:
    for state in endgames(3)[::20]:
        found = plies.search(GAME, state, algorithm=name, depth=9)
        best = hurried(state)
        after = -hurried(GAME.result(state, found.action))
        assert (after - 1 if after > 0 else after + 1 if after < 0 else 0) == best
        assert found.value.utility == (best > 0) - (best < 0)
        assert found.value.proved
    narrow = plies.search(
        GAME,
        GAME.parse_position("XX./OO./..."),
        algorithm=name,
        depth=2,
        **({"alpha": 0.0} if name == "book:alpha-beta" else {"quick": 50.0}),
    )
    assert narrow.value.utility == 1


def test_the_engine_takes_the_seats_left_over() -> None:
    assert [player.name for player in parse_players("random:1", GAME)] == ["random", "engine"]


def test_more_players_than_seats() -> None:
    with pytest.raises(BadParameter, match="tic-tac-toe has 2 players, not 3"):
        parse_players("human,human,human", GAME)


@pytest.mark.parametrize(
    "name", ["book:minimax:3", "alpha-beta", "book:opponents:1", "book:paranoid:1", "depth-first"]
)
def test_an_algorithm_refuses_dice_before_the_game(name: str) -> None:
    with pytest.raises(Unsuitable, match="Pig"):
        parse_players(f"human,{name}", plies.Pig(target=10))


@pytest.mark.parametrize(
    ("game", "name"),
    [
        (GAME, "alpha-beta"),
        (plies.Pig(), "expectiminimax"),
        (plies.Tree([[(1, 2, 3), (3, 2, 1)]], levels=(0, 1, 2)), "max-n"),
        (plies.Tree([1, 2], levels=(0,)), "depth-first"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_the_algorithm_that_suits(game: Game, name: str) -> None:
    assert plies.book.suited(game)[0] == name
    BookPlayer(name).prepare(game)


@pytest.mark.parametrize("name", ["minimax", "alpha-beta", "expectiminimax", "max-n", "opponents"])
def test_algorithms_play_what_the_book_decides(name: str) -> None:
    tree = plies.Tree()
    assert BookPlayer(name).choose(tree, 0) == 0  # MAX has 3 in B, 2 in C and in D
    assert BookPlayer(name, 2).choose(tree, 3) == 2  # MIN takes the last of 14, 5, 2


def test_depth_bounds_an_algorithm() -> None:
    tree = plies.Tree({"children": [{"children": [1], "evaluate": 0}, {"children": [-1], "evaluate": 9}]})
    assert BookPlayer("minimax", 1).choose(tree, 0) == 1
    assert BookPlayer("minimax", 2).choose(tree, 0) == 0


def test_without_a_plan_there_is_still_a_move() -> None:
    assert BookPlayer("and-or").choose(plies.Tree([[-1], [-1]]), 0) == 0


def test_an_interrupted_algorithm_moves_now() -> None:
    class Interrupted(plies.Nim):
        patience = 5

        def result(self, state, action):  # type: ignore[no-untyped-def]
            Interrupted.patience -= 1
            if Interrupted.patience == 0:
                raise KeyboardInterrupt
            return super().result(state, action)

    game = Interrupted()
    action = BookPlayer("minimax").choose(game, game.initial())
    assert action in list(game.actions(game.initial()))
    assert Interrupted.patience < 0


def test_an_engine_interrupted_while_it_tells_moves_now() -> None:
    """Ctrl-C may come while a result is written to the screen, not only while the search is waited for."""

    def interrupted(found: SearchResult) -> None:
        told.append(found)
        raise KeyboardInterrupt

    told: list[SearchResult] = []
    game = plies.ConnectFour()
    player = EnginePlayer(3600)
    player.tell = interrupted
    assert player.choose(game, game.initial()) in list(game.actions(game.initial()))
    assert told


def test_random_players_repeat_with_their_seed_and_try_everything() -> None:
    first = [Random(5).choose(GAME, GAME.initial()) for _ in range(3)]
    assert len(set(first)) == 1
    player = Random(5)
    assert {player.choose(GAME, GAME.initial()) for _ in range(300)} == set(range(1, 10))


def test_a_person_is_asked_until_the_move_is_legal(capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter(["ten", "10", " 5 "])
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return next(answers)

    assert Human(ask).choose(GAME, GAME.initial()) == 5
    assert asked == ["You are X: Choose number from 1-9: "] * 3
    assert capsys.readouterr().out.count("is not a legal move") == 2


# -- The lab: the machine never loses, and wins as fast as it can.


@cache
def outcome(state: State) -> tuple[int, int]:
    """What a state is worth to whoever is to move, and in how many plies it ends, by brute force.

    Of two wins the quicker is better, of two losses the slower.
    """
    if GAME.is_terminal(state):
        return GAME.utility(state, GAME.to_move(state)), 0
    return max((reached(state, action) for action in GAME.actions(state)), key=preference)


def reached(state: State, action: int) -> tuple[int, int]:
    value, plies = outcome(GAME.result(state, action))
    return -value, plies + 1


def preference(outcome: tuple[int, int]) -> tuple[int, int]:
    value, plies = outcome
    return value, -value * plies


@pytest.mark.long
@pytest.mark.parametrize("machine", [0, 1])
@pytest.mark.no_cover
def test_the_machine_never_loses_and_wins_as_fast_as_it_can(machine: int) -> None:
    player = EnginePlayer(seconds=60)
    answers: dict[State, int] = {}
    results = set()

    def play(state: State) -> None:
        if GAME.is_terminal(state):
            results.add(GAME.utility(state, machine))
        elif GAME.to_move(state) == machine:
            if state not in answers:
                answers[state] = player.choose(GAME, state)
                assert preference(reached(state, answers[state])) == preference(outcome(state)), state
                play(GAME.result(state, answers[state]))
        else:
            for action in GAME.actions(state):
                play(GAME.result(state, action))

    play(GAME.initial())
    assert results == {0, 1}  # against all lines of play there are draws and wins, and no loss
    assert len(answers) > 50


# -- Random games.


@pytest.mark.parametrize("name", ["mcts", "flat"])
def test_random_games_find_what_wins_at_once(name: str) -> None:
    state = GAME.parse_position("1 4 2 5")
    player = parse_player(f"{name}:simulations=60", seed=1)
    player.prepare(GAME)
    assert player.choose(GAME, state) == 3


@pytest.mark.parametrize("name", ["mcts", "flat"])
def test_random_games_repeat_with_their_seed(name: str) -> None:
    def played(seed: int) -> list[int]:
        players = parse_players(f"{name}:simulations=20,{name}:simulations=20", GAME, seed)
        state, actions = GAME.initial(), []
        while not GAME.is_terminal(state):
            actions.append(players[GAME.to_move(state)].choose(GAME, state))
            state = GAME.result(state, actions[-1])
        return actions

    once = played(1)
    assert played(1) == once
    assert any(played(seed) != once for seed in range(2, 7))


def test_random_games_with_dice() -> None:
    game = plies.Pig(target=20)
    player = parse_player("mcts:simulations=100", seed=1)
    assert (
        game.notation(game.initial(), player.choose(game, game.initial())) == "roll"
    )  # there is nothing else
    ahead = game.parse_position("15/0 1+4")
    assert player.choose(game, ahead) in list(game.actions(ahead))


# -- Reflexes, policies and expectimax.


def test_a_reflex_takes_the_action_that_is_evaluated_best_or_what_looks_best_after_it() -> None:
    pacman = plies.Pacman("%%%%%%\n%P.  %\n%G%% %\n%%%%%%")
    assert pacman.notation(pacman.initial(), Reflex(1).choose(pacman, pacman.initial())) == "east"
    tree = plies.Tree(
        [{"player": "min", "evaluate": 5, "children": [1]}, {"evaluate": 7, "children": [0]}, 6]
    )
    assert not tree.has("evaluate_action")
    assert [tree.evaluate_action(0, action) for action in tree.actions(0)] == [5, 7, 6]
    assert Reflex().choose(tree, 0) == 1
    game = plies.SumToTwo()
    chosen = {Reflex(seed).choose(game, game.initial()) for seed in range(20)}
    assert chosen == set(game.actions(game.initial()))  # nothing to tell them apart


class Contrary(plies.Nim):
    """Nim with an evaluation of pairs that likes to take few matches, and an order that is the opposite."""

    def evaluate_action(self, state, action):  # type: ignore[no-untyped-def]
        return -action

    def priority(self, state, action):  # type: ignore[no-untyped-def]
        return -self.evaluate_action(state, action)


def test_a_reflex_goes_by_pairs_of_state_and_action_not_by_the_order_of_search() -> None:
    game = Contrary((3,))
    assert game.notation(game.initial(), Reflex().choose(game, game.initial())) == "1:1"
    assert Reflex().choose(plies.Wrapper(game), game.initial()) == Reflex().choose(game, game.initial())
    assert plies.check_game(game, games=5).ok


def test_a_reflex_looks_at_a_wrapped_game_through_the_wrapper() -> None:
    """For the coalition of a paranoid game, what is best is what is worst for the player it is against."""
    tree = plies.Tree({"player": 1, "children": [(0, 5, 0), (3, 9, 0), (9, 4, 9)]}, levels=None)
    assert Reflex().choose(tree, 0) == 1
    assert Reflex().choose(plies.Paranoid(tree, 0), 0) == 0


def test_a_policy_plays_by_its_probabilities() -> None:
    game = plies.Pacman("dead-end")
    state = game.parse_position("stop")
    ways = [game.notation(state, action) for action in game.actions(state)]
    assert ways == ["west"]
    open_game = plies.Pacman("%%%%%%%%%\n%.Po  G.%\n%%%%%%%%%")
    turn = open_game.parse_position("west")
    player = parse_player("directional:0.6", 1, open_game)
    west = sum(open_game.notation(turn, player.choose(open_game, turn)) == "west" for _ in range(2000))
    assert 1520 < west < 1680  # 0.6 + 0.4 / 2, within four standard deviations
    assert parse_player("uniform").name == "uniform"
    with pytest.raises(BadParameter, match="there is no player 'directional'"):
        parse_player("directional")
    with pytest.raises(BadParameter, match=r"after directional: comes a number, not 'x'"):
        parse_player("directional:x", game=open_game)


def test_expectimax_takes_what_is_best_against_the_policy_it_is_told() -> None:
    tree = plies.Tree([[10, 0], [4, 4]])
    assert parse_player("expectimax:1").choose(tree, 0) == 0  # 5 on average
    assert parse_player("expectimax:1:greedy").choose(tree, 0) == 1  # the other picks 0 at once
    assert parse_player("expectimax").name == "expectimax"
    word = parse_player("expectimax:3:directional:0.9")
    assert isinstance(word, EnginePlayer)
    assert word.limit == Limit(depth=3)
    assert word._options == {"policy": "directional", "numbers": (0.9,)}


def test_expectimax_refuses() -> None:
    with pytest.raises(Unsuitable, match="expectimax needs an opponent; PegSolitaire has none"):
        parse_player("expectimax").prepare(plies.PegSolitaire())
    with pytest.raises(BadParameter, match="has no policy 'directional'"):
        parse_players("expectimax:2:directional", plies.SumToTwo())
    with pytest.raises(BadParameter, match="must be 1 or more, not 0"):
        parse_player("expectimax:0")
    with pytest.raises(BadParameter, match="comes a number of rounds"):
        parse_player("expectimax:deep")


def test_players_who_draw_lots_have_lots_of_their_own() -> None:
    game = plies.Pacman("fork")
    players = parse_players("random,random,random", game, 5)
    draws = [[player.generator.random() for _ in range(3)] for player in players]  # type: ignore[attr-defined]
    assert len({tuple(draw) for draw in draws}) == 3


def test_a_game_may_choose_its_engine_unless_plies_are_counted():
    """Go is searched by simulations; its depth-first cousins are asked for by their depth."""
    game = plies.Go(size=5)
    assert algorithm_for(game) == "mcts"
    assert algorithm_for(game, Limit(depth=2)) == "alpha-beta"
    assert algorithm_for(game, Limit(time=1, depth=2)) == "mcts"
    assert plies.search(game, nodes=20).algorithm == "mcts"
    assert plies.search(game, depth=1).algorithm == "alpha-beta"
    for words, algorithm in (("engine:nodes=20", "mcts"), ("engine:depth=1", "alpha-beta")):
        player = parse_player(words, seed=1, game=game)
        player.prepare(game)
        assert player.choose(game, game.initial()) in list(game.actions(game.initial()))
        assert player._algorithm_for(game) == algorithm


def test_random_games_have_no_depth():
    with pytest.raises(plies.BadParameter, match="no depth"):
        plies.search(plies.TicTacToe(), algorithm="mcts", depth=3)


def test_a_game_that_begins_with_dice_is_prepared_for_its_first_move(monkeypatch: pytest.MonkeyPatch) -> None:
    game, searched = plies.Backgammon(), []
    engine = EnginePlayer(depth=1)
    search = engine._ready(game)
    monkeypatch.setattr(search, "search", lambda state, limit: searched.append(game.to_move(state)))
    engine.prepare(game)
    assert searched in ([0], [1])
