"""Backgammon in writing: GNU Backgammon's Position ID, and plays as players note them."""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from plies.errors import BadPosition, IllegalMove
from plies.games.backgammon_board import BAR, CHECKERS, HOME, OFF, Side, counts_of, side_of

# -- Position IDs. A player's checkers are written as bits: for each point from 1 on, and then the bar, a one
# for each checker there, and a zero. Those of the player who has moved come first, then those of the player
# to move; the 80 bits, the first of them the lowest of the first byte, are given in base 64.

LENGTH = 14


def is_position_id(word: str) -> bool:
    """Whether a word has the form of a Position ID."""
    return re.fullmatch(rf"[A-Za-z0-9+/]{{{LENGTH}}}", word) is not None


def position_id(mine: Side, theirs: Side) -> str:
    """The Position ID of a board; mine are the checkers of the player to move."""
    bits = ""
    for side in (theirs, mine):
        bits += "".join("1" * number + "0" for number in counts_of(side)[1:])
    data = int(bits[::-1], 2).to_bytes(10, "little")
    return base64.b64encode(data).decode().rstrip("=")


def read_position_id(word: str) -> tuple[Side, Side]:
    """The checkers of the player to move and of the other; `word` must have the form of a Position ID."""
    number = int.from_bytes(base64.b64decode(word + "=="), "little")
    theirs, mine = [0], [0]  # the number off is known when the others are
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
        raise BadPosition(f"{word!r} has bits that mean nothing in a Position ID")
    for point in range(1, BAR):
        if mine[point] and theirs[BAR - point]:
            raise BadPosition(
                f"in {word!r} both players are on the point {point} of the player to move, "
                f"{BAR - point} of the other"
            )
    if mine[OFF] == CHECKERS:
        raise BadPosition(f"in {word!r} the player to move has no checkers left, and so has won before")
    if all(counts[BAR] and min(counts[1 : HOME + 1]) > 1 for counts in (mine, theirs)):
        raise BadPosition(f"in {word!r} neither player can ever enter again: both homes are closed")
    return sides


# -- Plays.


class Step(NamedTuple):
    """One checker moved by one die."""

    source: int
    target: int
    hit: bool


def written(steps: Sequence[Step]) -> str:
    """A play as players write it: "24/18 13/11", "bar/22*/18", "6/off(2)"; steps of one checker as one."""
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
    return "off" if place == OFF else "bar" if place == BAR else str(place)


def read_paths(text: str) -> list[tuple[int, ...]]:
    """The places that each checker comes to in a play as a person wrote it, from the first to the last."""
    paths = []
    joined = re.sub(r"\s*([/(])\s*|\s+(?=[*)])", r"\1", text.strip().casefold().replace("-", "/"))
    joined = joined.replace(")", ") ").strip()
    for word in re.split(r"[\s,;]+", joined):
        found = re.fullmatch(
            r"((?:bar|b|[0-9]{1,2})\*?(?:/(?:off|o|bar|[0-9]{1,2})\*?)+)(?:\(([1-4])\))?", word
        )
        if not found:
            raise IllegalMove(
                f"{text.strip()[:60]!r} is not a play: write the points from and to, as in 24/18 13/11, "
                "bar/22* or 6/off(2)"
            )
        names = found[1].replace("*", "").split("/")
        places = tuple(BAR if name[0] == "b" else OFF if name[0] == "o" else int(name) for name in names)
        if max(places) > BAR or any(a <= b for a, b in pairwise(places)):
            raise IllegalMove(f"{word!r} is not a move: checkers go from higher points, up to 24, to lower")
        paths += [places] * int(found[2] or 1)
    return paths
