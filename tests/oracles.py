"""Facts that this project did not make up; where their folder is missing, tests skip and say so."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(os.environ.get("PLIES_ORACLES", Path(__file__).parents[2] / "shared" / "oracles"))


def oracle_path(name: str) -> Path:
    """The file of an oracle, such as "trees/cs188_trees.json"."""
    if not FOLDER.is_dir():
        pytest.skip(f"no folder of oracles at {FOLDER}; set PLIES_ORACLES to where it is")
    return FOLDER / name


def oracle(name: str) -> Any:
    """What the JSON file of an oracle says."""
    return json.loads(oracle_path(name).read_text(encoding="utf-8"))
