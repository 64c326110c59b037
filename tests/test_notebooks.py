"""The example notebooks: kept without outputs, and every cell runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from programs import UNTRACED

nbformat = pytest.importorskip("nbformat")

pytestmark = pytest.mark.plain

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
PICTURES = {"define-a-game": 4, "watch-alpha-beta": 5, "compare-algorithms": 6, "dice": 4}
"""How many outputs of each are more than text, at least."""

every = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def test_there_is_one_for_each_subject() -> None:
    assert {path.stem for path in NOTEBOOKS} == set(PICTURES)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for path in NOTEBOOKS:
        assert f"examples/{path.name}" in readme


@every
def test_outputs_are_not_kept(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@every
def test_links_lead_somewhere(path: Path) -> None:
    words = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    for link in re.findall(r"\]\(([^)#]+)", words):
        assert (path.parent / link).exists(), link


QUICK = ("define-a-game", "watch-alpha-beta")
"""Those that take a second or two; the others compare searches."""


@pytest.mark.parametrize("quick", [True, pytest.param(False, marks=pytest.mark.long)])
def test_every_cell_runs(quick: bool, tmp_path: Path) -> None:
    """Several in one kernel, which takes a second to start."""
    nbclient = pytest.importorskip("nbclient")
    paths = [path for path in NOTEBOOKS if (path.stem in QUICK) == quick]
    code = {path.stem: [cell for cell in read(path).cells if cell.cell_type == "code"] for path in paths}
    cells = []
    for own in code.values():
        cells += [nbformat.v4.new_code_cell("%reset -f"), *own]  # each imports what it uses
    for i, cell in enumerate(cells):
        cell.id = f"cell-{i}"
    notebook = nbformat.v4.new_notebook(cells=cells)
    environment = UNTRACED | {"IPYTHONDIR": str(tmp_path), "JUPYTER_DATA_DIR": str(tmp_path)}
    resources = {"metadata": {"path": str(tmp_path)}}
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources)
    client.execute(env=environment)  # raises what a cell raises
    for stem, own in code.items():
        outputs = [output for cell in own for output in cell.outputs]
        kinds = [set(output.get("data", ())) for output in outputs]
        pictures = sum(bool(kind & {"text/html", "image/svg+xml"}) for kind in kinds)
        assert pictures >= PICTURES[stem]
        words = "".join(output.get("text", "") for output in outputs)
        assert "Traceback" not in words
        assert "Warning" not in words
