"""The course: chapters run and show what they say, exercises have solutions, and notebooks are the same."""

from __future__ import annotations

import json
import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest
from docs.pages import course

from plies.cli import run as program
from plies.compiled import interpreting
from programs import UNTRACED

pytestmark = pytest.mark.plain
interpreted = pytest.mark.skipif(not interpreting(), reason="pages are written interpreted")

CHAPTERS = course.chapters()
every = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)


@interpreted
@pytest.mark.parametrize(
    "chapter",
    [pytest.param(path, marks=pytest.mark.long if course.number(path) == 2 else ()) for path in CHAPTERS],
    ids=lambda path: path.stem,
)
def test_a_chapter_shows_what_it_does(chapter: Path, tmp_path: Path) -> None:
    assert course.run(chapter, tmp_path) > 3
    text = chapter.read_text(encoding="utf-8")
    assert text.startswith(f"# {course.number(chapter)}. ")
    made = set(re.findall(r"\]\(([\w-]+\.(?:svg|html))\)", text))
    assert made == {path.name for path in tmp_path.iterdir()}, "pictures that no block draws"


@every
def test_exercises_have_an_id_and_a_solution(chapter: Path) -> None:
    text = chapter.read_text(encoding="utf-8")
    found = [tuple(map(int, pair)) for pair in course.EXERCISE.findall(text)]
    assert found == [(course.number(chapter), i) for i in range(1, len(found) + 1)]
    assert found
    _, *exercises = course.EXERCISE.split(text)[::3]
    for exercise in exercises:
        assert exercise.count('<details markdown="1">\n<summary>Solution</summary>') == 1
        assert exercise.count("</details>") == 1


def test_no_two_chapters_draw_the_same_picture() -> None:
    names = [
        made["name"]
        for chapter in CHAPTERS
        for before, part in pairwise(course.parts(chapter))
        if before.language == "python" and (made := course.MADE.match(part.text))
    ]
    assert sorted(names) == sorted(set(names))


def test_the_index_lists_the_chapters() -> None:
    index = (course.FOLDER / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| \[[^\]]*\]\((\S+)\)", index, re.MULTILINE) == [path.name for path in CHAPTERS]


GUIDE = (course.FOLDER / "instructors-guide.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"`plies ((?!serve|play)[^`]+)` \|", GUIDE)


@interpreted
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_for_the_projector_works(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert program(shlex.split(command)) == 0
    assert capsys.readouterr().out or list(tmp_path.iterdir())


def test_the_guide_names_every_chapter_and_erratum() -> None:
    assert re.findall(r"^\| \[[^\]]*\]\((\S+)\)", GUIDE, re.MULTILINE) == [path.name for path in CHAPTERS]
    named = re.findall(r"^\| 00\d \|.*\| ([\d, ]+) \|$", GUIDE, re.MULTILINE)
    for chapter in CHAPTERS:
        shown = chapter.read_text(encoding="utf-8").count("> **Erratum.**")
        listed = sum(str(course.number(chapter)) in row.split(", ") for row in named)
        assert listed >= shown, chapter.name


# -- Notebooks.


@every
def test_a_notebook_has_the_cells_of_its_chapter(chapter: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.reads(course.notebook(chapter), as_version=4)
    nbformat.validate(notebook)
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code" and cell.source[0] != "!"]
    assert code == [part.text.rstrip() for part in course.parts(chapter) if part.language == "python"]
    words = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert "```" not in words
    assert not re.search(r"\]\([\w-]+\.svg\)", words), "a cell shows its own picture"


SLOW = (0, 1, 2, 4)
"""The chapters that take longest. Their cells have run above, if not in a kernel."""


@pytest.mark.parametrize(
    "chapters",
    [
        [chapter for chapter in CHAPTERS if course.number(chapter) not in SLOW],
        pytest.param(
            [chapter for chapter in CHAPTERS if course.number(chapter) in SLOW], marks=pytest.mark.long
        ),
    ],
    ids=["quick", "slow"],
)
def test_notebooks_run(chapters: list[Path], tmp_path: Path) -> None:
    """All in one kernel, which takes a second to start; the commands of `sh` blocks are tested above."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    cells = []
    for chapter in chapters:
        cells.append(nbformat.v4.new_code_cell("%reset -f"))  # each chapter imports what it uses
        cells += nbformat.reads(course.notebook(chapter), as_version=4).cells
    python = [cell for cell in cells if cell.cell_type == "code" and not cell.source.startswith("!")]
    for i, cell in enumerate(python):
        cell.id = f"cell-{i}"
    notebook = nbformat.v4.new_notebook(cells=python)
    folders = {"IPYTHONDIR": str(tmp_path), "JUPYTER_DATA_DIR": str(tmp_path)}
    environment = UNTRACED | folders | {"NUMBA_DISABLE_JIT": "1"}
    resources = {"metadata": {"path": str(tmp_path)}}
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources)
    client.execute(env=environment)  # raises what a cell raises
    outputs = [output for cell in notebook.cells for output in cell.outputs]
    assert sum("image/svg+xml" in output.get("data", ()) for output in outputs) >= len(chapters)


# -- How chapters are read.


CHAPTER = """# 7. Test

```python
print("a\\nb\\nc")
```

```text
a
…
c
```

```sh
plies trace slides:aima
```

```text
alpha-beta on tree: value 3, line a1 b1
…
```
"""


def test_what_is_shown_is_compared(tmp_path: Path) -> None:
    chapter = tmp_path / "7-test.md"
    chapter.write_text(CHAPTER)
    assert course.run(chapter, tmp_path) == 2
    for right, wrong in (("\nc\n```", "\nd\n```"), ("value 3", "value 4"), ("slides:aima", "slides:none")):
        chapter.write_text(CHAPTER.replace(right, wrong, 1))
        with pytest.raises(course.Wrong, match=r"7-test.md, line \d+: "):
            course.run(chapter, tmp_path)


@pytest.mark.parametrize(
    ("block", "sentence"),
    [
        ("1\n```\n\n![One](one.svg)", "its last line is 1, which is no picture one.svg"),
        ("print(1)\n```", "not shown"),
    ],
)
def test_what_is_not_shown_is_found(tmp_path: Path, block: str, sentence: str) -> None:
    chapter = tmp_path / "7-test.md"
    chapter.write_text(f"# 7. Test\n\n```python\n{block}\n")
    with pytest.raises(course.Wrong, match=sentence):
        course.run(chapter, tmp_path)


def test_a_solution_is_folded_in_notebooks(tmp_path: Path) -> None:
    chapter = tmp_path / "7-test.md"
    summary = '<details markdown="1">\n<summary>Solution</summary>'
    folded = f"{summary}\n\nIt is [1](../x.md).\n\n```python\n1\n```\n\n</details>"
    chapter.write_text(f"# 7. Test\n\n{folded}\n\nAfter.\n")
    _, words, code, after = json.loads(course.notebook(chapter))["cells"]
    assert words["source"] == "<details>\n<summary>Solution</summary>\n\nIt is [1](../x.html).\n\n</details>"
    assert code["metadata"]["jupyter"] == {"source_hidden": True}
    assert after["source"] == "After."
