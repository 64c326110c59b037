"""Levels of strength: what they are, how they choose, where they are offered, and how they are fitted."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import plies
from dialogue import Inside
from plies.arena import Match
from plies.engine import Limit
from plies.engine.level_search import LevelSearch, chance
from plies.engine.value import Value
from plies.errors import PliesError
from plies.game import Game
from plies.levels import Level, levels_file, levels_of, read_levels, softmax
from plies.players import parse_player
from plies.tune import LevelFitting
from plies.tune.levels import Tried, _next
from test_cli import program

pytestmark = pytest.mark.plain

TREE = plies.Tree([1, 0, -1], levels=("max", "min"))
"""Three moves, which win, draw and lose."""

MEASURED = [name for name in plies.game_names() if plies.game(name).measured_levels]


def moves(game: Game, level: Level, count: int, state: Any = None) -> Counter[Any]:
    """How often a level plays each move, over so many seeds."""
    state = game.initial() if state is None else state
    searches = (LevelSearch(game, level, seed=seed) for seed in range(count))
    return Counter(search.search(state, Limit(nodes=level.nodes)).action for search in searches)


def test_a_weak_level_prefers_plausible_mistakes() -> None:
    wins, draws, losses = (moves(TREE, Level(1, 50, 0.5), 60)[action] for action in range(3))
    assert wins > draws > losses > 0
    assert moves(TREE, Level(1, 50, 0.05), 20) == {0: 20}


def test_weights_are_a_softmax() -> None:
    assert softmax([0.5, 0.4], 0.1) == pytest.approx([1, 0.36788], abs=1e-5)
    assert softmax([0.5, 0.4, 0.5], 0) == [1, 0, 1]


def test_a_quick_loss_looks_worse_than_a_slow_one() -> None:
    game = plies.TicTacToe()
    quick, slow = (chance(game, Value.of(game, -1, True, plies)) for plies in (2, 10))
    assert quick < slow < chance(game, Value.of(game, 0, True)) < chance(game, Value.of(game, 1, True, 9))


def test_the_mean_of_few_playouts_is_worth_less() -> None:
    game = plies.Go()
    lucky, sure = (chance(game, Value.of(game, value), visits) for value, visits in ((1, 1), (0.5, 400)))
    assert lucky < sure


def test_a_win_in_one_is_missed_at_the_lowest_two_levels_only() -> None:
    game = plies.TicTacToe()
    state = game.parse_position("1 4 2 5")  # 3 wins
    for number in (1, 2):
        assert 0 < moves(game, Level(number, 20, 1.0), 20, state)[3] < 20
    assert moves(game, Level(3, 20, 1.0), 20, state) == {3: 20}


def test_the_seed_and_the_position_decide() -> None:
    """What was searched before makes no difference."""
    game, level = plies.ConnectFour(), Level(3, 60, 0.3)
    states = [game.parse_position(text) for text in ("", "4", "4 4", "4 4 4", "1 7")]

    def played(seed: int, order: list[int]) -> list[Any]:
        search = LevelSearch(game, level, seed=seed)
        found = {place: search.search(states[place], Limit(nodes=60)).action for place in order}
        return [found[place] for place in sorted(found)]

    assert played(1, [0, 1, 2, 3, 4]) == played(1, [4, 2, 0, 3, 1])
    assert len({tuple(played(seed, [0, 1, 2, 3, 4])) for seed in range(4)}) > 1


def test_nothing_is_remembered_between_moves() -> None:
    game, level = plies.Go(size=5), Level(3, 30, 0.1)
    first = game.initial()
    after = game.result(first, game.parse_action(first, "C3"))
    search, fresh = (LevelSearch(game, level, seed=1) for _ in range(2))
    search.search(first, Limit(nodes=30))
    search.search(after, Limit(nodes=30))
    assert search.search(after, Limit(nodes=30)).visits == fresh.search(after, Limit(nodes=30)).visits


def test_too_few_nodes_still_look_at_every_move() -> None:
    game = plies.Gomoku()
    found = LevelSearch(game, Level(1, 20, 0.4), seed=0).search(game.parse_position("h8"), Limit(nodes=20))
    assert (found.depth, len(found.scores)) == (1, 224)


def test_dice_and_playouts_have_levels_too() -> None:
    for game in (plies.Pig(), plies.Go(size=5)):
        seat = parse_player("level:1", 7, game)
        state = game.initial()
        assert seat.choose(game, state) == parse_player("level:1", 7, game).choose(game, state)


def test_games_that_were_not_measured_say_so() -> None:
    levels = levels_of(plies.Nim())
    assert [one.number for one in levels.all] == [1, 2, 3, 4, 5, 6]
    assert "not measured" in levels.note
    assert [one.nodes is None for one in levels.all] == [False] * 5 + [True]  # only the highest has a clock
    assert "not measured" in levels_of(plies.ConnectFour(width=8)).note


@pytest.mark.parametrize("name", MEASURED)
def test_measured_levels_are_steps_that_can_be_taken(name: str) -> None:
    game = plies.game(name)
    table = read_levels(levels_file(game))
    if table.game != repr(game):  # of the game that this one is a variant of
        assert "not measured" in levels_of(game).note
        return
    assert levels_of(game).games == table.games == 60
    below, *above = table.levels
    assert below.score is None
    for one in above:
        assert one.score is not None
        assert 0.6 <= one.score <= 0.8
        assert below.nodes is not None
        assert one.nodes is not None
        assert one.nodes > below.nodes
        assert one.temperature < below.temperature
        below = one


def test_it_refuses_levels_that_there_are_not() -> None:
    for game, words in (("nim", "level:7"), ("nim", "level:0")):
        with pytest.raises(PliesError, match="from 1 to 6"):
            parse_player(words, game=plies.game(game))
    with pytest.raises(PliesError, match="levels are for two players"):
        parse_player("level:1", game=plies.game("peg-solitaire"))
    with pytest.raises(PliesError, match="a whole number"):
        parse_player("level:high")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[" * 100_000,
        "[]",
        '{"game": "Nim()", "games": 60, "levels": []}',
        '{"game": "Nim()", "games": 60, "levels": [{"nodes": 0, "temperature": 1, "score": null}]}',
        '{"game": "Nim()", "games": 60, "levels": [{"nodes": 9, "temperature": NaN, "score": null}]}',
        '{"game": "Nim()", "games": 60, "levels": [{"nodes": 9, "temperature": 1, "score": 7}]}',
        '{"game": "Nim()", "games": -1, "levels": [{"nodes": 9, "temperature": 1, "score": null}]}',
    ],
)
def test_a_file_that_holds_no_levels_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "levels.json"
    path.write_text(text)
    with pytest.raises(PliesError, match=r"levels\.json"):
        read_levels(path)
    with pytest.raises(PliesError, match="cannot be read"):
        read_levels(tmp_path / "none.json")


def test_an_engine_takes_a_level() -> None:
    with Inside(plies.Nim()) as engine:
        engine.send("uci")
        engine.expect("^option name Skill Level type spin default 6 min 1 max 6$")
        engine.send("setoption name Skill Level value 9", "setoption name skill level value 2")
        engine.expect("Skill Level must be a whole number from 1 to 6")
        engine.send("go depth 30")
        engine.expect("^bestmove")


def test_a_level_is_played_at_the_terminal() -> None:
    done = program("play", "nim", "--level", "2", "--seed", "1")
    assert (done.code, done.error) == (0, "")
    assert "(level 2) against" in done.out
    assert done.out == program("play", "nim", "--level", "2", "--seed", "1").out
    assert "plies tune nim --levels" in done.out
    assert "from 1 to 6" in program("play", "nim", "--level", "9").error
    assert "level:NUMBER" in program("play", "nim", "--level", "1", "--players", "human").error


def test_levels_are_fitted_and_kept(tmp_path: Path) -> None:
    run = ("tune", "tic-tac-toe", "--levels", "--games", "2", "--save", str(tmp_path))
    done = program(*run)
    assert (done.code, done.error) == (0, "")
    assert "by the clock" in done.out
    table = read_levels(tmp_path / "levels.json")
    assert (table.game, table.games) == ("TicTacToe()", 2)
    found = json.loads(program(*run, "--json").out)  # goes on from there
    assert [one["nodes"] for one in found["levels"]][: len(table.levels)] == [
        one.nodes for one in table.levels
    ]
    assert "leave out" in program("tune", "nim", "--levels", "--jobs", "2").error


def test_a_fitting_aims_between_what_is_too_near_and_too_far() -> None:
    assert _next([Tried(0.1, 0.95)]) < 0.1
    assert _next([Tried(0.1, 0.51)]) > 0.1
    assert 0.1 < _next([Tried(0.1, 0.55), Tried(0.2, 0.99)]) < 0.2
    assert 0.1 < _next([Tried(0.2, 0.99), Tried(0.1, 0.55)]) < 0.2


def test_a_fitting_stops_where_nothing_is_stronger() -> None:
    """Whoever moves first in a game of one move wins, whatever the level."""
    game = plies.Tree([1, -1], levels=("max", "min"))
    fitted = list(LevelFitting(game, games=2, openings=0).run())
    assert len(fitted) == 1


def test_ghosts_keep_up_with_a_held_key() -> None:
    from plies.web.levels import SHORT, STEERED, kind_named

    pacman, pirates = (kind_named(plies.game(name), "engine") for name in ("pacman", "pirates"))
    assert pacman.at("3").limit.time == STEERED < SHORT == pirates.at("3").limit.time
    assert pacman.at("3").limit.depth == pirates.at("3").limit.depth
    assert pacman.at("5").limit.time == 1  # what goes by the clock does


def test_a_fitting_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    """It plays the games that are missing, and finds what one in a single run finds."""

    def fitted(path: Path, games: int = 1000) -> list[Level]:
        """The levels, by a fitting that is interrupted after so many games."""
        played = 0

        def count(number: int, so_far: Match) -> None:
            nonlocal played
            played += 1
            if played > games:
                raise KeyboardInterrupt

        found = LevelFitting(plies.Nim(), games=4, openings=1, most=4, path=path / "levels.json", tell=count)
        try:
            list(found.run())
        except KeyboardInterrupt:
            found.interrupted = True
        lengths.append(played)
        return found.levels

    lengths: list[int] = []
    once, often = tmp_path / "once", tmp_path / "often"
    once.mkdir()
    often.mkdir()
    expected = fitted(once)
    for _ in range(3):
        fitted(often, games=3)
    assert fitted(often) == expected
    names = sorted(file.name for file in once.iterdir())
    assert sorted(file.name for file in often.iterdir()) == names
    assert len(names) > 2
    for name in names:  # all but the seconds is the same
        one, other = (re.sub(r'"seconds": \[.*?\]', "", (path / name).read_text()) for path in (once, often))
        assert one == other
    assert sum(lengths[1:]) >= lengths[0] > lengths[-1]


def test_a_level_looks_at_every_move_where_threats_would_take_millions_of_nodes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plies.engine.level_search.GLANCE", 50)
    game = plies.Gomoku()
    state = game.parse_position("h8 a1 h9 c1 h10 e1 h11 g1")  # h7 and h12 win
    assert moves(game, Level(1, 20, 0.01), 5, state).keys() <= {game.cell("h7"), game.cell("h12")}
    after = game.parse_position("h8 a1 h9 c1")
    found = LevelSearch(game, Level(1, 20, 0.4), seed=0).search(after, Limit(nodes=20))
    assert (found.depth, len(found.scores)) == (0, 221)
    assert found.nodes < 500
