"""The C that `make bench` measures the engine against does the same search: else the ratio means nothing."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from bench import against_c
from bench.common import Bare

from plies.compiled import interpreting
from plies.engine import Options

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
@pytest.mark.costly
def test_the_c_of_equal_features_visits_the_same_nodes(tmp_path: Path) -> None:
    library = str(tmp_path / "connect_four_pvs.so")
    subprocess.run([str(COMPILER), "-O2", "-shared", "-fPIC", "-o", library, against_c.REFINED], check=True)
    for depth in (1, 2, 5, 7) if interpreting() else (1, 2, 7, 12, 16):
        ours, c = (against_c.engine_run(Bare(), depth, Options(), given) for given in ("", library))
        assert ours[:2] == c[:2], depth
