"""Nonsense as positions, moves and records: nothing but Plies' own errors comes out, for every game."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plies
from plies.history import History
from plies.records import read_move
from plies.terminal.record import read_record, write_record

pytestmark = [pytest.mark.plain, pytest.mark.no_cover]

FEW = 25
MANY = 100_000

GAMES = [plies.game(name) for name in plies.game_names()]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
counts = pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])

ODD = "\0\t\n\r -+/.,;:=()[]{}#*xX0123456789\u00b2\u0663\u2460\u00df\u0130\u1e9e\u200b\ud800\U0001f600"
"""Signs that often mean something, and some that are digits or letters in unexpected ways."""


class Mischief:
    """Nonsense, much of it close to something sensible."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)

    def text(self, samples: list[str]) -> str:
        kind = self.random.randrange(8)
        if kind == 0:
            return self.random.randbytes(self.random.randrange(40)).decode("latin-1")
        if kind == 1:
            return self.random.randbytes(self.random.randrange(40)).decode("utf-8", "surrogateescape")
        if kind == 2:
            return "".join(self.random.choices(ODD, k=self.random.randrange(30)))
        sample = self.random.choice(samples)
        if kind == 3:  # other signs, of which the sample is made
            return "".join(self.random.choices(sample or ODD, k=self.random.randrange(len(sample) + 5)))
        for _ in range(self.random.choice((1, 1, 1, 2, 5))):
            sample = self.changed(sample, self.random.choice(samples))
        return sample

    def changed(self, text: str, other: str) -> str:
        """A text with one thing wrong."""
        i, j = sorted(self.random.choices(range(len(text) + 1), k=2))
        signs = other or ODD
        return self.random.choice(
            (
                text[:i] + text[j:],
                text[:j] + text[i:],
                text[:i] + self.random.choice(signs) + text[i + 1 :],
                text[:i] + self.random.choice(ODD) + text[i + 1 :],
                text[:i] + self.random.choice(signs) + text[i:],
                text[:i] + self.random.choice(ODD) + text[i:],
                text[:i] + text[i:j] * self.random.choice((3, 20)) + text[j:],
                text[:i] + other[i:],
                text[:i] + text[i:j][::-1] + text[j:],
                text[:i] + str(self.random.choice((-1, 0, 64, 255, 10**9, 2**63, 10**30))) + text[i:],
                text[:i] + "9" * 5_000 + text[i:],
                text.swapcase(),
            )
        )

    def data(self, samples: list[bytes]) -> bytes:
        kind = self.random.randrange(4)
        if kind == 0:
            return self.random.randbytes(self.random.randrange(60))
        if kind == 1:
            return self.text([sample.decode() for sample in samples]).encode("utf-8", "surrogatepass")
        sample = bytearray(self.random.choice(samples))
        for _ in range(self.random.choice((1, 1, 3))):
            sample[self.random.randrange(len(sample))] = self.random.randrange(256)
        return bytes(sample)


def games(game: plies.Game, seed: int, most: int = 60) -> History:
    """A random game, up to a random length."""
    generator = random.Random(f"{game.name} {seed}")
    history = History(game)
    for _ in range(generator.randrange(most)):
        if history.over:
            break
        actions = list(game.actions(history.state))
        try:
            history.play(generator.choice(actions))
        except plies.IllegalMove:  # superko
            break
    return history


def refused(error: plies.PliesError) -> None:
    """An error of Plies' own has something to say."""
    assert len(str(error)) > 10, repr(error)


def survives(game: plies.Game, state: Any) -> None:
    """A position that was let in is one that can be played, shown and written."""
    game.text(state)
    scene = game.scene(state)
    assert scene is None or scene.cells
    game.key(state)
    if game.is_terminal(state):
        assert not list(game.actions(state))
        assert all(isinstance(game.utility(state, player), int | float) for player in range(game.players))
        return
    actions = list(game.actions(state))
    assert actions
    for action in actions[:5]:
        assert game.parse_action(state, game.notation(state, action)) == action
        game.move_squares(state, action)
        game.result(state, action)
    if game.to_move(state) != plies.CHANCE:
        low, high = game.bounds
        assert low <= game.evaluate(state, 0) <= high


@every_game
@counts
def test_positions(game: plies.Game, count: int) -> None:
    mischief = Mischief(f"positions {game.name} {count}")
    histories = [games(game, seed) for seed in range(5 if count == FEW else 30)]
    samples = [" ".join(map(game.notation, history.states, history.actions)) for history in histories[:5]]
    if game.has("position"):
        samples += [game.position(history.state) for history in histories]
    for _ in range(count):
        text = mischief.text(samples)
        try:
            state = game.parse_position(text)
            written = game.position(state) if game.has("position") else None
        except plies.PliesError as error:
            refused(error)
            continue
        except Exception as error:
            raise AssertionError(f"{text!r} is refused with {type(error).__name__}: {error}") from error
        try:
            survives(game, state)
            assert written is None or game.parse_position(written) == state
        except Exception as error:
            raise AssertionError(f"{text!r} is let in: {type(error).__name__}: {error}") from error


@every_game
@counts
def test_moves(game: plies.Game, count: int) -> None:
    mischief = Mischief(f"moves {game.name} {count}")
    states = [games(game, seed).state for seed in range(5 if count == FEW else 30)]
    states = [state for state in states if not game.is_terminal(state)] or [game.initial()]
    notes = {state: [game.notation(state, action) for action in game.actions(state)] for state in states}
    everywhere = [note for written in notes.values() for note in written]
    for number in range(count):
        state = states[number % len(states)]
        text = mischief.text(everywhere if number % 3 else notes[state])
        for read in (game.parse_action, lambda state, text: read_move(game, state, text)):
            try:
                action = read(state, text)
            except plies.PliesError as error:
                refused(error)
            except Exception as error:
                raise AssertionError(f"{text!r} is refused with {type(error).__name__}: {error}") from error
            else:
                assert action in list(game.actions(state)), text


@every_game
@counts
def test_records(game: plies.Game, count: int, tmp_path: Path) -> None:
    mischief = Mischief(f"records {game.name} {count}")
    samples = []
    for seed in range(5):
        history = games(game, seed, most=20)
        position = ""
        if seed == 4 and game.has("position"):
            position, history = game.position(history.state), History(game, history.state)
        write_record(tmp_path / f"{seed}.json", position, history)
        samples.append((tmp_path / f"{seed}.json").read_bytes())
    file = tmp_path / "fuzz.json"
    for number in range(count):
        data = mischief.data(samples) if number % 2 else json.dumps(_bent(mischief, samples)).encode()
        file.write_bytes(data)
        try:
            position, history = read_record(file, game)
        except plies.PliesError as error:
            refused(error)
        except Exception as error:
            raise AssertionError(f"{data!r} is refused with {type(error).__name__}: {error}") from error
        else:
            assert isinstance(position, str)
            assert len(history.states) == len(history.actions) + 1


def _bent(mischief: Mischief, samples: list[bytes]) -> Any:
    """A record that is JSON, with something wrong in it."""
    record = json.loads(mischief.random.choice(samples))
    nonsense: list[Callable[[], Any]] = [
        lambda: None,
        lambda: mischief.random.choice((0, -1, 2**70, 1e308, True, [], {}, [[]], {"": 0})),
        lambda: mischief.text([str(value) for value in record.values()]),
    ]
    moves = record["moves"]
    if moves and mischief.random.random() < 0.6:
        place = mischief.random.randrange(len(moves))
        moves[place] = mischief.text(moves) if mischief.random.random() < 0.8 else nonsense[1]()
    else:
        record[mischief.random.choice(list(record))] = mischief.random.choice(nonsense)()
    return record
