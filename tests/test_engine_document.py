"""The dialogues of docs/engine-protocols.md take place as they are printed there."""

from __future__ import annotations

import re
import shlex
import subprocess

import pytest

from documents import ROOT, blocks
from programs import PROGRAM, UNTRACED

pytestmark = pytest.mark.plain

DOCUMENT = ROOT / "docs" / "engine-protocols.md"
DIALOGUES = [
    block.text.splitlines()
    for block in blocks(DOCUMENT)
    if block.language == "text" and block.text.startswith("$ plies engine ")
]


def pattern(lines: list[str]) -> str:
    """What is printed, as a regular expression: … is any text, and alone any lines."""
    parts = ["(.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + "\n" for line in lines]
    return "".join(parts)


@pytest.mark.long
@pytest.mark.parametrize("lines", DIALOGUES, ids=lambda lines: lines[0])
def test_a_dialogue_takes_place_as_it_is_printed(lines: list[str]) -> None:
    words = shlex.split(lines[0].removeprefix("$ plies "))
    with subprocess.Popen(
        [*PROGRAM, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**UNTRACED, "NUMBA_DISABLE_JIT": "1"},
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        waited: list[str] = []
        for line in [*lines[1:], "> "]:
            if not line.startswith("> "):
                waited.append(line)
                continue
            heard = ""
            while waited and not re.fullmatch(pattern(waited), heard):
                more = process.stdout.readline()
                assert more, f"expected {waited}, heard {heard!r}"
                heard += more
            waited = []
            if line != "> ":
                process.stdin.write(line.removeprefix("> ") + "\n")
                process.stdin.flush()
        assert process.stdout.read() == ""
        assert process.wait(60) == 0


def test_each_protocol_has_a_dialogue() -> None:
    firsts = [next(line for line in lines if line.startswith("> ")) for lines in DIALOGUES]
    assert firsts == ["> uci", "> ugi", "> 1 protocol_version"]
