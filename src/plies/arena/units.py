"""Games of matches and tournaments as units of work: by who plays, and the number of the game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from plies.arena.keeper import read_game
from plies.arena.table import Conditions, Maker, Played, Table, maker, prepared
from plies.engine.interrupts import Interrupts
from plies.errors import PliesError
from plies.game import Game
from plies.protocols.words import is_external
from plies.work.code import Code, Loader
from plies.work.unit import Done, Task, Unit


class Games(Task):
    """Plays games between some players, two at a time."""

    kind = "games"
    noun = "game"

    def __init__(
        self,
        game: Game,
        players: Sequence[str | Maker],
        conditions: Conditions,
        interrupts: Interrupts | None = None,
    ) -> None:
        self.game, self.players, self.conditions = game, players, conditions
        self.interrupts = interrupts or Interrupts()
        self.makers = [maker(player, game) for player in players]

    def do(self, unit: Unit) -> Done:
        """Play a game; what it took in seconds is no part of the result."""
        first, second, number = unit.data
        conditions = replace(self.conditions, seed=pair_seed(self.conditions.seed, first, second))
        table = Table(self.game, [self.makers[first], self.makers[second]], conditions, self.interrupts)
        played = table.play(number)
        game = asdict(played.game)
        seconds = game.pop("seconds")
        return Done({"game": game, "ponder": [list(one) for one in played.ponder]}, {"seconds": seconds})

    def facts(self, code: Code) -> dict[str, Any]:
        players = [
            {"words": words_of(player)} | ({"code": code.maker(player)} if callable(player) else {})
            for player in self.players
        ]
        conditions = self.conditions.as_data()
        lines = conditions["openings"].pop("lines")
        return {
            "game": code.game(self.game),
            "players": players,
            "conditions": conditions,
            "extent": {"lines": lines},
        }

    @classmethod
    def made(cls, facts: dict[str, Any], loader: Loader) -> Games:
        players = [
            loader.maker(player["code"]) if "code" in player else player["words"]
            for player in facts["players"]
        ]
        conditions = Conditions.of_data(facts["conditions"], facts["extent"]["lines"])
        made = cls(loader.game(facts["game"]), players, conditions)
        prepared(made.makers, made.game)
        return made


def pair_seed(seed: int, first: int, second: int) -> int:
    """The seed of the games between two players of a tournament; of the first two, it is that of a match."""
    return (
        seed if (first, second) == (0, 1) else random.Random(f"{seed} pair {first} {second}").getrandbits(62)
    )


def played_game(unit: Unit, done: Done) -> Played:
    """The game that came out of a unit."""
    try:
        game = read_game(unit.data[2], {**done.result["game"], **done.measured})
        return Played(game, [(hits, tries) for hits, tries in done.result["ponder"]])
    except (ValueError, TypeError, KeyError):
        raise PliesError(f"what came out of game {unit.number} is no game") from None


def name_of(player: str | Maker) -> str:
    """What a player is called, in tables, pages and records."""
    return visible(words_of(player))


def visible(text: str) -> str:
    """A text on one line, in which what cannot be seen is escaped; different texts stay different."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text
    )


def words_of(player: str | Maker) -> str:
    """The words of a player, or the name of the function that makes it."""
    if callable(player):
        return getattr(player, "__name__", repr(player))
    return player.strip() if is_external(player) else player.strip().lower()
