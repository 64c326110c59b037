"""The table of the book's arguments: every one is in it, and is read from words or refused in a sentence."""

from __future__ import annotations

import inspect
import math

import pytest

from plies import BadParameter
from plies.book import ALGORITHMS
from plies.book.arguments import ARGUMENTS, COMMON, KINDS, Argument, arguments_of, listed, read_options

pytestmark = pytest.mark.plain


def test_every_argument_of_every_algorithm_is_in_the_table_and_no_other() -> None:
    taken = {
        parameter
        for search in ALGORITHMS.values()
        for parameter in inspect.signature(search).parameters
        if parameter not in COMMON
    }
    assert taken == set(ARGUMENTS)
    for one in ARGUMENTS.values():
        assert one.kind in (*KINDS, "choice", "function"), one.name
        assert bool(one.choices) == (one.kind == "choice" or one.name == "evaluate"), one.name
        assert one.description, one.name


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_defaults_are_values_of_the_kind(algorithm: str) -> None:
    types = {"bool": bool, "int": int, "float": float | int, "text": str, "choice": str, "widths": int}
    for one in arguments_of(algorithm).values():
        if one.default is None:
            assert one.optional, one.name
        else:
            assert isinstance(one.default, types[one.kind]), one.name
            assert isinstance(one.default, bool) == (one.kind == "bool"), one.name


def test_words_are_read() -> None:
    words = ["cut-on-equal=no", " quick = 10", "alpha=-inf", "BETA=2.5"]
    assert read_options(words, arguments_of("alpha-beta"), "alpha-beta") == {
        "cut_on_equal": False,
        "quick": 10,
        "alpha": -math.inf,
        "beta": 2.5,
    }
    assert read_options(["width=3", "seed=none"], arguments_of("sampled"), "sampled") == {
        "width": 3,
        "seed": None,
    }
    for text, width in (("3", 3), ("3/2/1", (3, 2, 1))):
        assert read_options([f"width={text}"], arguments_of("beam"), "beam") == {"width": width}
    colour = {"colour": Argument("colour", "choice", "", ("red", "blue"))}
    assert read_options(["colour=Red"], colour, "paint") == {"colour": "red"}
    found = read_options(
        ["evaluate=my.py:f"], arguments_of("minimax"), "minimax", {"my.py:f": abs}.__getitem__
    )
    assert found == {"evaluate": abs}


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("quick", "an option is written NAME=VALUE, not 'quick'"),
        (
            "speed=1",
            r"alpha-beta has no option 'speed'; it has alpha \(a number\), beta .*cut_on_equal \(yes or no\)",
        ),
        ("quick=soon", "quick must be a number, or none, not 'soon'"),
        ("alpha=nan", "alpha must be a number, not 'nan'"),
        ("alpha=none", "alpha must be a number, not 'none'"),
        ("cut_on_equal=maybe", "cut_on_equal must be yes or no, not 'maybe'"),
        ("evaluate=my.py:f", "evaluate is a function, and given in Python only"),
    ],
)
def test_words_are_refused(word: str, sentence: str) -> None:
    with pytest.raises(BadParameter, match=sentence):
        read_options([word], arguments_of("alpha-beta"), "alpha-beta")


def test_more_refusals() -> None:
    with pytest.raises(BadParameter, match="the option quick is given twice"):
        read_options(["quick=1", "quick=2"], arguments_of("minimax"), "minimax")
    with pytest.raises(BadParameter, match="colour must be red or blue, not 'green'"):
        Argument("colour", "choice", "", ("red", "blue")).read("green")
    with pytest.raises(BadParameter, match="stone has no option 'a'; it has none"):
        read_options(["a=1"], {}, "stone")
    assert listed({}) == "none"
