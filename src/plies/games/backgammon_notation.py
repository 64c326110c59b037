"""Backgammon notation: GNU Backgammon's Position ID, and plays as players write them."""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from plies.errors import BadPosition, IllegalMove
from plies.games.backgammon_board import (
    BAR,
    CHECKERS,
    HOME,
    OFF,
    OPENING,
    PASS,
    STEP,
    Side,
    State,
    count,
    counts_of,
    landing,
    moved,
    side_of,
)

if TYPE_CHECKING:
    from plies.games.backgammon import Backgammon

# -- Position IDs. A player's checkers are written as bits: for each point from 1 on, and then the bar, a one
# for each checker there, and a zero. Those of the player who has moved come first, then those of the player
# to move; the 80 bits, the first of them the lowest of the first byte, are given in base 64.

LENGTH = 14
"""The characters of a Position ID."""


def is_position_id(word: str) -> bool:
    """Whether a word has the form of a Position ID."""
    return re.fullmatch(rf"[A-Za-z0-9+/]{{{LENGTH}}}", word) is not None


def position_id(mine: Side, theirs: Side) -> str:
    """The Position ID of a board; `mine` are the checkers of the player to move."""
    bits = ""
    for side in (theirs, mine):
        bits += "".join("1" * number + "0" for number in counts_of(side)[1:])
    data = int(bits[::-1], 2).to_bytes(10, "little")
    return base64.b64encode(data).decode().rstrip("=")


def read_position_id(word: str) -> tuple[Side, Side]:
    """The checkers of the player to move and of the other; `word` must have the form of a Position ID."""
    number = int.from_bytes(base64.b64decode(word + "=="), "little")
    theirs, mine = [0], [0]  # the number borne off is what the others leave
    for counts in (theirs, mine):
        for _ in range(BAR):
            ones = 0
            while number & 1:
                ones += 1
                number >>= 1
            counts.append(ones)
            number >>= 1
    for whose, counts in (("the player to move", mine), ("the other player", theirs)):
        if sum(counts) > CHECKERS:
            raise BadPosition(f"in {word!r} {whose} has {sum(counts)} checkers, more than {CHECKERS}")
        counts[OFF] = CHECKERS - sum(counts)
    sides = side_of(mine), side_of(theirs)
    if position_id(*sides) != word:
        raise BadPosition(f"{word!r} has bits that no Position ID has")
    for point in range(1, BAR):
        if mine[point] and theirs[BAR - point]:
            raise BadPosition(
                f"in {word!r} both players are on the point {point} of the player to move, "
                f"{BAR - point} of the other"
            )
    if mine[OFF] == CHECKERS:
        raise BadPosition(f"in {word!r} the player to move has no checkers left, and has won already")
    if all(counts[BAR] and min(counts[1 : HOME + 1]) > 1 for counts in (mine, theirs)):
        raise BadPosition(f"in {word!r} neither player can ever enter: both home boards are closed")
    return sides


# -- Plays.


class Step(NamedTuple):
    """One checker moved by one die."""

    source: int
    target: int
    hit: bool


def steps_of(state: State, play: int) -> list[Step]:
    """The checker moves of a play, in an order in which they can be made."""
    found, number, hit = [], 0, set()
    while play >> STEP * number:
        source = play >> STEP * number & 31
        if source:
            target = landing(source, state.dice // 10 if number == 0 else state.dice % 10)
            found.append((source, target))
        number += 1
    found.sort(reverse=True)
    steps = []
    for source, target in found:
        hits = target != OFF and count(state.theirs, 25 - target) == 1 and target not in hit
        steps.append(Step(source, target, hits))
        if hits:
            hit.add(target)
    return steps


def write_action(state: State, action: int) -> str:
    """A roll, or a play as `written` has it, or "pass"."""
    if state.dice == 0:
        return str(action)
    return written(steps_of(state, action)) if action != PASS else "pass"


def written(steps: Sequence[Step]) -> str:
    """A play as players write it, steps of one checker combined: "24/18 13/11", "bar/22*/18", "6/off(2)"."""
    hits = {step.target for step in steps if step.hit}
    left = Counter((step.source, step.target) for step in steps)
    words: Counter[str] = Counter()
    for source, target in sorted(left, key=lambda step: (-step[0], step[1])):
        while left[source, target]:
            left[source, target] -= 1
            word, place = _place(source), target
            while True:
                further = [step for step in left if left[step] and step[0] == place]
                if not further:
                    break
                if place in hits:
                    word += f"/{place}*"
                left[further[0]] -= 1
                place = further[0][1]
            words[f"{word}/{_place(place)}{'*' if place in hits else ''}"] += 1
    return " ".join(word + (f"({number})" if number > 1 else "") for word, number in words.items())


def _place(place: int) -> str:
    """The name of a place."""
    return "off" if place == OFF else "bar" if place == BAR else str(place)


def read_paths(text: str) -> list[tuple[int, ...]]:
    """The places that each checker of a play passes through, as a person wrote it."""
    paths = []
    joined = re.sub(r"\s*([/(])\s*|\s+(?=[*)])", r"\1", text.strip().casefold().replace("-", "/"))
    joined = joined.replace(")", ") ").strip()
    for word in re.split(r"[\s,;]+", joined):
        found = re.fullmatch(
            r"((?:bar|b|[0-9]{1,2})\*?(?:/(?:off|o|bar|[0-9]{1,2})\*?)+)(?:\(([1-4])\))?", word
        )
        if not found:
            raise IllegalMove(
                f"{text.strip()[:60]!r} is not a play: write moves from point to point, as in 24/18 13/11, "
                "bar/22* or 6/off(2)"
            )
        names = found[1].replace("*", "").split("/")
        places = tuple(BAR if name[0] == "b" else OFF if name[0] == "o" else int(name) for name in names)
        if max(places) > BAR or any(a <= b for a, b in pairwise(places)):
            raise IllegalMove(f"{word!r} is not a move: checkers move from higher points, up to 24, to lower")
        paths += [places] * int(found[2] or 1)
    return paths


def read_action(game: Backgammon, state: State, text: str) -> int:
    """The roll or the play that a text denotes, its moves in any order, one by one or combined."""
    word = "".join(text.split()).casefold()
    legal = list(game.actions(state))
    if state.dice == 0:
        for roll in legal:
            if word == str(roll) or (state.player != OPENING and word[::-1] == str(roll)):
                return roll
        raise IllegalMove(f"{text.strip()[:40]!r} is not a roll of the dice here")
    if legal == [PASS]:
        if word == "pass":
            return PASS
        raise IllegalMove(f"neither number of {state.dice} can be played: pass")
    paths = read_paths(text)
    found = _meant(game, state, legal, paths)
    if len(found) == 1:
        return found[0]
    if found:
        ways = " or ".join(game.notation(state, action) for action in found)
        raise IllegalMove(f"{text.strip()[:60]!r} can be played in two ways: {ways}")
    raise IllegalMove(f"{text.strip()[:60]!r} is not a legal play of {state.dice}; {game.legal_moves(state)}")


def _meant(game: Backgammon, state: State, legal: list[int], paths: list[tuple[int, ...]]) -> list[int]:
    """The plays that lead to the position that the paths lead to, by the points that these name."""
    high, low = state.dice // 10, state.dice % 10
    numbers = {high, low, high + low} if high != low else {n * low for n in range(1, 5)}
    if len(paths) > 4:
        return []
    for path in paths:
        for source, target in pairwise(path):
            if target != OFF and (source - target not in numbers or count(state.theirs, 25 - target) > 1):
                return []
    wanted = state.mine
    for path in paths:
        wanted = moved(wanted, path[0], path[-1])
    found = {}
    for play in legal:
        if game.result(state, play).theirs == wanted:
            found[play] = steps_of(state, play)[0]
    if len(found) > 1:  # one checker moves by both numbers, and hits on one path or on both
        named = {place for path in paths for place in path}
        through = [play for play, first in found.items() if first.target in named]
        straight = [play for play, first in found.items() if not first.hit]
        for choice in (through, straight):
            if len(choice) == 1:
                return choice
    return list(found)
