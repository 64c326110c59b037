"""Signs as paths: fonts show them in different ways, or not at all.

A figure lies in a square of 100 around the middle, y down. Its body has the colour of its owner, its marks a
contrasting colour.
"""

from __future__ import annotations

from typing import NamedTuple


class Figure(NamedTuple):
    """A sign as paths."""

    body: str
    marks: str = ""
    """Lines on the body."""
    dots: str = ""
    """Filled dots on the body, such as eyes."""
    look: str = "body"
    """How the body is painted: as a "body" with an edge, as a "stroke", or "solid"."""
    word: float = 0.0
    """How far below the middle a text on it is, in cells."""


def ball(x: float, y: float, radius: float) -> str:
    """A circle as a path."""
    half = f"a{radius:g} {radius:g} 0 1 1"
    return f"M{x - radius:g} {y:g}{half} {2 * radius:g} 0{half} {-2 * radius:g} 0z"


KING = Figure(
    "M-22 37V30L-20 17C-43 3-33-23-14-19.5C-9-18.5-5-15-3.5-11V-25H-9V-31.5H-3.5V-38H3.5V-31.5H9V-25H3.5V-11"
    "C5-15 9-18.5 14-19.5C33-23 43 3 20 17L22 30V37Z",
    "M-20 17C-8 12 8 12 20 17M-21 25.5C-8 21 8 21 21 25.5M0-10V12",
)
QUEEN = Figure(
    "M-22 37V30L-20 22C-22 12-27 0-33-14L-19-1L-17.5-24L-8-4L0-27L8-4L17.5-24L19-1L33-14"
    "C27 0 22 12 20 22L22 30V37Z"
    + ball(-33.5, -17, 4.2)
    + ball(-17.5, -27, 4.2)
    + ball(0, -31, 4.6)
    + ball(17.5, -27, 4.2)
    + ball(33.5, -17, 4.2),
    "M-20 21C-8 16 8 16 20 21M-21 29C-8 25 8 25 21 29",
)
ROOK = Figure(
    "M-26 37V29H-20V23L-15 18V-10L-22-16V-32H-13V-26H-5V-32H5V-26H13V-32H22V-16L15-10V18L20 23V29H26V37Z",
    "M-15-10H15M-15 18H15M-20 29H20",
)
BISHOP = Figure(
    "M-26 37V31C-16 30-9 30-6 26H-12V19C-22 8-17-11 0-24C17-11 22 8 12 19V26H6C9 30 16 30 26 31V37Z"
    + ball(0, -29, 5),
    "M0-12V6M-8-4H8M-12 19H12",
)
KNIGHT = Figure(
    "M-18 37C-20 19 4 12 1-3C-5 2-10 4-15 6C-18 12-25 11-28 6C-30 1-21-10-17-20L-16.5-34L-6-27"
    "C18-27 29-5 25 37Z",
    "M-18 37M8-21C18-14 20 6 18 30",
    ball(-8, -15, 3) + ball(-24, 4, 1.8),
)
PAWN = Figure(
    "M-22 37V32C-22 23-9 19-7.5 2H-14V-4H-8C-15-10-13-27 0-27C13-27 15-10 8-4H14V2H7.5C9 19 22 23 22 32V37Z"
)


def die(number: int) -> Figure:
    """A die with that number of pips."""
    places = {
        1: ["cc"],
        2: ["lt", "rb"],
        3: ["lt", "cc", "rb"],
        4: ["lt", "lb", "rt", "rb"],
        5: ["lt", "lb", "rt", "rb", "cc"],
        6: ["lt", "lb", "rt", "rb", "lc", "rc"],
    }[number]
    at = {"l": -19, "t": -19, "c": 0, "r": 19, "b": 19}
    body = "M-28-38H28Q38-38 38-28V28Q38 38 28 38H-28Q-38 38-38 28V-28Q-38-38-28-38Z"
    return Figure(body, dots="".join(ball(at[place[0]], at[place[1]], 7.5) for place in places))


GHOST = "M-34 36V-4A34 34 0 0 1 34-4V36L22.7 25L11.3 36L0 25L-11.3 36L-22.7 25Z"

FIGURES: dict[str, Figure] = {
    "X": Figure("M-27-27L27 27M-27 27L27-27", look="stroke"),
    "O": Figure(ball(0, 0, 28), look="stroke"),
    "·": Figure(ball(0, 0, 11), look="solid"),
    "•": Figure(ball(0, 0, 24), look="solid"),
    "●": Figure(ball(0, 0, 33)),
    "▲": Figure("M0-42L46 36H-46Z", word=0.14),
    "▼": Figure("M0 42L46-36H-46Z", word=-0.14),
    "■": Figure("M-36-30H36V30H-36Z"),
    "|": Figure("M-6-24V40H6V-24Z" + ball(0, -31, 9), look="solid"),
    "ᗧ": Figure("M0 0L34-20A39 39 0 1 0 34 20Z", dots=ball(3, -21, 5)),
    "ᗣ": Figure(GHOST, dots=ball(-13, -14, 7) + ball(13, -14, 7), word=0.13),
    "👻": Figure(
        GHOST, "M-20-2L-12-8L-4-2L4-8L12-2L20-8", ball(-12, -20, 4.5) + ball(12, -20, 4.5), word=0.14
    ),
    **{chr(0x2654 + i): figure for i, figure in enumerate((KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN))},
    **{chr(0x265A + i): figure for i, figure in enumerate((KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN))},
    **{chr(0x2680 + i): die(i + 1) for i in range(6)},
}
"""The signs that are drawn: letters of players, food, a match, Pac-Man and ghosts, chess pieces, dice."""
