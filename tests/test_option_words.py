"""Options on the command line: read once, for every algorithm, player and command, or refused."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

import plies
from plies import BadParameter, book
from plies.engine import ALGORITHMS, Limit, engine_for
from plies.engine.arguments import (
    REFINED,
    arguments_of,
    keywords,
    options_of,
    read_words,
    shared,
    split_options,
)
from plies.engine.options import MctsOptions, Options
from plies.players import BookPlayer, EnginePlayer, parse_player
from test_cli import program

pytestmark = pytest.mark.plain

GAMES = (
    plies.TicTacToe(),
    plies.Pig(target=6),
    plies.Pirates(pirates=3, coins=2),
    plies.PegSolitaire(),
    plies.Goofspiel(cards=2),
)

OWN = """
def evaluate(state, player):
    return float(state)

def early(state, ply):
    return ply == 1

text = "no function"
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A file with functions of one's own."""
    path = tmp_path / "own_functions.py"
    path.write_text(OWN, encoding="utf-8")
    return path


def other(argument: book.arguments.Argument) -> str:
    """A word for a value that is not the default."""
    if argument.kind == "choice":
        return next(choice for choice in argument.choices if choice != argument.default)
    return {
        "bool": "no" if argument.default else "yes",
        "int": "2",
        "float": "0.5",
        "text": "greedy",
        "numbers": "0.5",
        "widths": "3/2",
        "function": "none",
    }[argument.kind]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_option_of_every_algorithm_is_read_and_taken(name: str) -> None:
    game = next(game for game in GAMES if ALGORITHMS[name].needs.serve(game))
    for key, argument in arguments_of(name).items():
        special = {"memory": "8", "book": "no", "network": "no", "multi_probcut": "4,2,1,0,0.5"}
        words = [f"{key}={special.get(key) or other(argument)}"]
        words += ["policy=greedy"] if key == "numbers" else []
        given = read_words(words, name)
        made = engine_for(game, name, **keywords(game, name, given))
        if not name.startswith("book:") and key in {
            field.name for field in fields(MctsOptions if name == "mcts" else Options)
        }:
            record = getattr(made, "options", None) or made._options["options"]  # type: ignore[attr-defined]
            assert getattr(record, key) == given[key]


def test_refinements_that_are_not_given_are_the_games_own() -> None:
    game = plies.Chess()
    assert keywords(game, "alpha-beta", {"beam": 3})["options"] == Options(**{**game.refinements, "beam": 3})
    go = plies.Go(size=5)
    assert keywords(go, "mcts", {"rave": 7.0})["options"] == MctsOptions(**{**go.mcts_options, "rave": 7.0})
    assert keywords(go, "mcts", {}) == {}


def test_algorithms_have_only_options_that_they_read() -> None:
    assert "star1" not in arguments_of("alpha-beta")
    assert "null_move" not in arguments_of("expectiminimax")
    assert {"star1", "null_move"} <= {*arguments_of("paranoid")}
    assert "aspiration" in arguments_of("alpha-beta")
    assert {*REFINED} <= {*ALGORITHMS}
    assert arguments_of("book:and-or").keys() == {"cutoff", "goal"}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("book:minimax:4", ("book:minimax:4", [])),
        (" book:minimax:4:quick=10 : fail-hard = yes", ("book:minimax:4", ["quick=10", "fail-hard = yes"])),
        ("a:evaluate=x/My.py:f:quick=1", ("a", ["evaluate=x/My.py:f", "quick=1"])),
        ("engine: depth=2", ("engine", ["depth=2"])),
        ("my.py:search", ("my.py:search", [])),
    ],
)
def test_options_after_a_name(text: str, parts: tuple[str, list[str]]) -> None:
    assert split_options(text) == parts


def test_players_with_options() -> None:
    player = parse_player("book:alpha-beta:4:fail_hard=yes:quick=100")
    assert isinstance(player, BookPlayer)
    assert (player.depth, player.options) == (4, {"fail_hard": True, "quick": 100})
    engine = parse_player("alpha-beta:depth=3:nodes=500:threads=2:beam=3")
    assert isinstance(engine, EnginePlayer)
    assert engine.limit == Limit(depth=3, nodes=500)
    game = plies.TicTacToe()
    assert engine._ready(game).options == Options(**{**game.refinements, "beam": 3})  # type: ignore[attr-defined]
    mcts = parse_player("mcts:simulations=20:exploration=1.5:seed=3")
    assert mcts._ready(game).options.exploration == 1.5  # type: ignore[attr-defined]
    assert mcts.choose(game, game.initial()) in range(9)
    timed = parse_player("mcts:0.5:rave=2")._ready(game).options  # type: ignore[attr-defined]
    assert (timed.early, timed.rave) == (True, 2)
    assert parse_player("expectimax:1:greedy:memory=8").choose(game, game.initial()) in range(9)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("book:minimax:4:fail_hard=yes", "book:minimax has no option 'fail_hard'; it has cutoff .*quick"),
        ("book:alpha-beta:quick=soon", "quick must be a number, or none, not 'soon'"),
        ("book:sampled:2:width=2:width=3", "the option width is given twice"),
        ("alpha-beta:star1=no", "alpha-beta has no option 'star1'; it has aspiration"),
        ("alpha-beta:driver=best", r"driver must be pvs or mtd\(f\), not 'best'"),
        ("random:seed=3", "there is no player 'random:seed=3'"),
        ("human:quick=3", "there is no player"),
        ("book:minimax:evaluate=none.py:f", "there is no file 'none.py'"),
        ("book:minimax:evaluate=f", "a function is given as FILE.py:NAME, not 'f'"),
    ],
)
def test_players_without_them(text: str, sentence: str) -> None:
    with pytest.raises(BadParameter, match=sentence):
        parse_player(text)


def test_an_option_for_all() -> None:
    game = plies.TicTacToe()
    names = ["book:minimax:2", "book:alpha-beta:fail_hard=no", "random"]
    each = [options_of(name, game) for name in names]
    assert shared(names, ["quick=9", "fail-hard=yes"], each) == [
        "book:minimax:2:quick=9",
        "book:alpha-beta:fail_hard=no:quick=9",
        "random",
    ]
    with pytest.raises(BadParameter, match=r"no option 'width': book:minimax:2 has .*; random has none"):
        shared(names, ["width=2"], each)


def test_the_engine_is_what_the_limit_makes_it() -> None:
    """Go is played by Monte Carlo tree search, unless the limit is a depth."""
    game = plies.Go(size=2)
    for text, option, refused in (
        ("engine:depth=2", "beam=2", "rave=2"),
        ("engine:nodes=9", "rave=2", "beam=2"),
        ("engine:0.1", "rave=2", "beam=2"),
        ("engine:0.1:depth=3", "rave=2", "beam=2"),
        ("engine", "rave=2", "beam=2"),
    ):
        parse_player(f"{text}:{option}", game=game).prepare(game)
        assert shared([text], [option], [options_of(text, game)]) == [f"{text}:{option}"]
        with pytest.raises(BadParameter, match="no option"):
            parse_player(f"{text}:{refused}", game=game)
        with pytest.raises(BadParameter, match="no option"):
            shared([text], [refused], [options_of(text, game)])
    assert plies.compare(game, depth=2, algorithms=["engine:beam=2"]).rows[0].algorithm == "alpha-beta:beam=2"
    for words in ("best go size=2 --option rave=2", "best go size=2 --depth 2 --option beam=2"):
        assert program(*words.split()).code == 0
    done = program(
        *["compare", "go", "size=2", "--depth", "2", "--algorithms", "engine", "--option", "beam=2"]
    )
    assert "alpha-beta:beam=2" in done.out


def test_functions_in_files(own: Path) -> None:
    tree = plies.Tree([[3, 12], [2, 4]])
    words = [f"evaluate={own}:evaluate", f"cutoff={own}:early"]
    given = read_words(words, "book:minimax")
    assert book.minimax(tree, **given) == book.minimax(tree, depth=1, evaluate=lambda state, _: state)
    for name in ("text", "nothing"):
        with pytest.raises(BadParameter, match=f"has no function '{name}'; it has early, evaluate"):
            read_words([f"evaluate={own}:{name}"], "book:minimax")


# -- The commands.


def test_trace(own: Path) -> None:
    done = program("trace", "tree", "--option", "fail_hard=yes")
    assert "a3: MIN D <= 3  window (3, +inf)" in done.out
    done = program("trace", "tree", "--option", f"cutoff={own}:early", "--option", f"evaluate={own}:evaluate")
    assert "a1: 1 (cutoff)" in done.out


def test_best() -> None:
    words = ("best", "tic-tac-toe", "--depth", "4", "--json")
    plain, narrow = (json.loads(program(*words, *more).out) for more in ((), ("--option", "beam=1")))
    assert narrow["nodes"] < plain["nodes"]
    booked = program(*words, "--algorithm", "book:alpha-beta", "--option", "cut_on_equal=no")
    assert json.loads(booked.out)["algorithm"] == "book:alpha-beta"


def test_solve() -> None:
    words = ("solve", "tic-tac-toe", "XX./OO./...")
    plain, without = (program(*words, *more).out.splitlines() for more in ((), ("--option", "table=no")))
    assert plain[:-1] == without[:-1] != []  # the last line says how long it took
    for more, sentence in (
        (("--option", "beam=2"), "a proof allows no inexact options: switch off beam"),
        (("--option", "table=no", "--algorithm", "proof-number"), "options are for solving by alpha-beta"),
        (("--option", "threads=2"), "solving by alpha-beta has no option 'threads'"),
    ):
        done = program(*words, *more)
        assert (done.code, done.out) == (2, "")
        assert sentence in done.error


def test_play_watch_and_match() -> None:
    options = ("--option", "fail_hard=yes", "--option", "seed=1")
    done = program("play", "tic-tac-toe", "--players", "book:alpha-beta:2,book:sampled:1", *options)
    assert done.code == 0, done.error
    done = program("watch", "nim", "--players", "book:alpha-beta:2", "--option", "threads=1", "--delay", "0")
    assert done.code == 0, done.error  # the engine in the seat left over
    players = ("book:sampled:1:width=3", "book:sampled:1")
    done = program("match", "nim", *players, "--games", "2", "--option", "width=1", "--json")
    assert json.loads(done.out)["players"] == ["book:sampled:1:width=3", "book:sampled:1:width=1"]


@pytest.mark.parametrize(
    "words",
    [
        "trace nim",
        "best nim",
        "best nim --algorithm book:minimax",
        "solve nim",
        "compare nim",
        "play nim --players engine,random",
        "watch nim",
        "match nim random engine",
    ],
)
def test_every_command_refuses_in_a_sentence(words: str) -> None:
    for option in ("magic=1", "magic", "quick=soon", "=", ""):
        done = program(*words.split(), "--option", option)
        assert (done.code, done.out, done.error.count("\n")) == (2, "", 1), (words, option)


def test_help_lists_the_options() -> None:
    text = " ".join(program("trace", "--help").out.split())
    assert "fail_hard: whether alpha-beta returns its bound" in text
    text = " ".join(program("best", "--help").out.split())
    assert "beta: memory, threads, database, book, network, table," in text
    assert "book:minimax: evaluate, cutoff, quick." in text
