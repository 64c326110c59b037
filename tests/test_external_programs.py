"""Other people's programs as players: Stockfish, Fairy-Stockfish, GNU Go, and Plies itself from outside.

A program that is not installed is not played against. Debian has the first three, in packages of their own
names; its package pachi is a platform game, not the Go program.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

import plies
from plies.engine.time_manager import Clock
from plies.history import History
from plies.players import parse_player
from plies.protocols.player import ExternalPlayer
from programs import WHERE

pytestmark = pytest.mark.plain

PLIES = f"'{sys.executable}' -m plies engine"
GNU_GO = (
    "--mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead --seed 1 --never-resign"
)


def installed(name: str) -> str:
    """The path of a program; where it is not installed, the test is skipped."""
    found = shutil.which(name, path=WHERE)
    if found is None:
        pytest.skip(f"{name} is not installed (the Debian package {name})")
    return found


def moves(game: plies.Game, player: ExternalPlayer, plies_: int, history: History) -> list[str]:
    """Some moves of a game that a program plays against itself, each legal; the program is ended."""
    while not history.over and len(history.actions) < plies_:
        history.play(player.choose(game, history.state, history.previous))
    player.close()
    return [game.notation(*one) for one in zip(history.states, history.actions, strict=False)]


def external(words: str, game: plies.Game) -> ExternalPlayer:
    player = parse_player(words, game=game)
    assert isinstance(player, ExternalPlayer)
    return player


@pytest.mark.parametrize("name", ["stockfish", "fairy-stockfish"])
def test_chess_programs_find_a_mate_and_play_on(name: str) -> None:
    game = plies.Chess()
    player = external(f"uci:{installed(name)}:depth=4:Hash=1:Threads=1", game)
    mate_in_one = game.parse_position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    assert moves(game, player, 1, History(game, mate_in_one)) == ["Rd8#"]
    promotion = game.parse_position("7k/2P5/6K1/8/8/8/8/8 w - - 0 1")
    assert moves(game, player, 1, History(game, promotion))[0] in ("c8=Q#", "c8=R#")
    assert len(moves(game, player, 6, History(game))) == 6


def test_stockfish_knows_what_has_been_repeated() -> None:
    """It is lost, but for the third occurrence; of that it knows only if it is told the whole game."""
    game = plies.Chess()
    history = History(game, game.parse_position("7K/2qk4/8/8/8/8/8/8 b - - 0 1"))
    for move in ("Kc6", "Kg8", "Kd7", "Kh8", "Kc6", "Kg8", "Kd7"):
        history.play(game.parse_action(history.state, move))
    player = external(f"uci:{installed('stockfish')}:depth=6:Hash=1", game)
    assert moves(game, player, 8, history)[-1] == "Kh8"
    assert history.reason == "the position occurs for the third time"


def test_stockfish_on_a_clock() -> None:
    game = plies.Chess()
    player = external(f"uci:{installed('stockfish')}:Hash=1", game)
    action = player.choose_on_clock(game, game.initial(), (), (Clock(0.2, 0.01), Clock(100)))
    player.close()
    assert action in list(game.actions(game.initial()))


def test_gnu_go_plays_go() -> None:
    game = plies.Go(5, komi=0.5)
    player = external(f'gtp:"{installed("gnugo")} {GNU_GO}":1', game)
    assert len(moves(game, player, 10, History(game))) == 10
    capture = History(game, game.parse_position("b1 a1 c3"))
    assert moves(game, player, 2, capture)  # set up stone by stone
    player = external(f'gtp:"{installed("gnugo")} {GNU_GO}"', game)
    history = History(game)
    action = player.choose_on_clock(game, history.state, (), (Clock(30), Clock(30)))
    player.close()
    assert game.notation(history.state, action).lower() == "c3"


def test_a_platform_game_is_no_go_program() -> None:
    """Debian's pachi prints pictures; the Go program of that name would do better."""
    pachi = installed("pachi")
    if not Path("/usr/share/doc/pachi-data").exists():
        pytest.skip("this is not Debian's pachi")
    with pytest.raises(plies.PliesError, match="pachi does not speak GTP"):
        parse_player(f"gtp:{pachi}").prepare(plies.Go(5))


# -- Plies from outside.


@pytest.mark.parametrize(
    ("words", "game"),
    [
        (f'ugi:"{PLIES} nim":depth=3', plies.Nim()),
        (f'gtp:"{PLIES} othello size=4":1', plies.Othello(4)),
    ],
    ids=["nim by UGI", "Othello by GTP"],
)
def test_plies_plays_through_its_own_protocols(words: str, game: plies.Game) -> None:
    played = plies.match(game, words, "random:1", games=2)
    assert len(played.games) == 2
    assert not any(one.reason for one in played.games)


@pytest.mark.long
@pytest.mark.parametrize("name", plies.game_names())
def test_every_game_that_ugi_serves_is_played_through_it(name: str) -> None:
    game = plies.game(name)
    player = parse_player(f'ugi:"{PLIES} {name}":nodes=50')
    assert isinstance(player, ExternalPlayer)
    if not player.serves(game):
        pytest.skip(f"UGI does not serve {name}")
    assert moves(game, player, 6, History(game))


@pytest.mark.long
def test_gnu_go_plays_a_match_against_the_engine() -> None:
    played = plies.match(plies.Go(5), f'gtp:"{installed("gnugo")} {GNU_GO}":1', "engine:nodes=20", games=2)
    assert len(played.games) == 2
    assert not any("illegal" in one.reason for one in played.games)
