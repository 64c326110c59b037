"""`plies engine` with machine code: it is there after `isready`, and nobody waits for it before."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

import plies
from dialogue import Inside, Outside
from plies.compiled import interpreting

pytestmark = pytest.mark.skipif(interpreting(), reason="compilation is switched off")


@pytest.mark.costly
def test_after_isready_it_searches_compiled() -> None:
    with Inside(plies.TicTacToe()) as client:
        client.ask("ugi", "position startpos")
        client.send("go infinite")
        client.expect("info depth 9 score cp 0 ")
        begun = time.perf_counter()
        client.send("stop")
        client.expect("^bestmove [1-9]$")
        assert time.perf_counter() - begun < 1  # 50 ms on a machine that does nothing else
        client.send("bench")
        first = client.expect("Nodes searched")
        client.send("bench")
        assert client.expect("Nodes searched") == first


@pytest.mark.long
def test_it_searches_interpreted_until_it_is_compiled(tmp_path: Path) -> None:
    """Without anything in the cache: an answer in time, and then the speed of machine code."""
    tmp_path.chmod(0o700)
    with Outside("connect-four", PLIES_CACHE_DIR=str(tmp_path)) as client:
        begun = time.perf_counter()
        client.send("uci", "position startpos", "go movetime 500")
        client.expect("^bestmove")
        assert time.perf_counter() - begun < 15  # compiling takes as long as that, or longer
        client.send("isready", "go movetime 1000")
        client.expect("^bestmove")
        assert max(int(speed) for line in client.heard for speed in re.findall(r"nps (\d+)", line)) > 50_000
