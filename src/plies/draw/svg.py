"""SVG as text: elements that escape whatever they are given."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from plies.draw import theme

# Characters that no XML document may hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


class Markup(str):
    """Text that is already SVG, and must not be escaped."""

    __slots__ = ()


def escape(text: object) -> str:
    """Any text as XML shows it, inside of an element or an attribute."""
    return _FORBIDDEN.sub("\ufffd", str(text)).translate(_ENTITIES)


def number(value: float) -> str:
    """A length, with no more digits than a picture needs."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def element(name: str, *inside: str, **attributes: object) -> Markup:
    """An element with attributes and what is inside it: text, which is escaped, or other elements.

    In the name of an attribute, "_" stands for "-", and one at the end for nothing, as in `class_`.
    Attributes that are None are left out.
    """
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            shown = number(value) if isinstance(value, int | float) else escape(value)
            words.append(f'{key.rstrip("_").replace("_", "-")}="{shown}"')
    content = join(inside)
    opening = " ".join(words)
    return Markup(f"<{opening}>{content}</{name}>" if content else f"<{opening}/>")


def join(parts: Iterable[str]) -> Markup:
    """Parts one after the other: text, which is escaped, and elements."""
    return Markup("".join(part if isinstance(part, Markup) else escape(part) for part in parts))


def text_width(text: str, size: float) -> float:
    """The approximate width of a text: a little more than in most fonts."""
    return size * sum(1.0 if ord(letter) > 0x2E80 else 0.6 for letter in text)


def document(
    kind: str,
    box: tuple[float, float, float, float],
    title: str,
    description: str,
    inside: Iterable[str],
    size: float,
    style: str = "",
) -> str:
    """A whole picture: its root with title, description and stylesheet.

    `box` is what the picture shows: left, top, width and height; the longer side becomes `size` pixels.
    The names of elements are made from what is in it, so that many pictures can share a page.
    """
    content = join(inside)
    seed = "\0".join((kind, title, description, content)).encode(errors="replace")
    name = f"plies-{hashlib.sha256(seed).hexdigest()[:10]}"
    scale = size / max(box[2], box[3])
    root = element(
        "svg",
        element("title", title, id=f"{name}-title"),
        element("desc", description, id=f"{name}-desc"),
        element("style", Markup(theme.STYLE + style)),
        element("rect", class_="ground", x=box[0], y=box[1], width=box[2], height=box[3]),
        content,
        xmlns="http://www.w3.org/2000/svg",
        class_=f"plies {kind}",
        role="img",
        viewBox=" ".join(number(value) for value in box),
        width=round(box[2] * scale),
        height=round(box[3] * scale),
        aria_labelledby=f"{name}-title {name}-desc",
    )
    return str(root)
