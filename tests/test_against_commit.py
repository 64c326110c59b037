"""Today's engine against the one of a commit: how the commit is prepared, and a match."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bench import against_commit

import plies
from plies.protocols.words import parse_external

pytestmark = [
    pytest.mark.plain,
    pytest.mark.skipif(not (against_commit.ROOT / ".git").exists(), reason="this is no repository of git"),
]


def test_a_commit_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert against_commit.main(["no-such-commit", "nim"]) == 2
    assert against_commit.main(["", "nim"]) == 2
    assert "bench: there is no commit 'no-such-commit' in this repository" in capsys.readouterr().err


def test_the_words_for_a_source() -> None:
    words = against_commit.words(sys.executable, Path("/my commits/1"), ["nim", "heaps=1,2"], "depth=2")
    player = parse_external(words)
    assert player.command[2:] == ("/my commits/1", "engine", "nim", "heaps=1,2")
    assert player.limit == plies.Limit(depth=2)


def test_a_commit_runs_its_own_source(tmp_path: Path) -> None:
    python, source = against_commit.opponent("HEAD", tmp_path)
    assert python == sys.executable, "it wants the packages of today"
    assert source.parts[: len(tmp_path.parts)] == tmp_path.parts
    (source / "plies" / "cli" / "__init__.py").write_text("def main(): print('then')\n")
    command = [python, str(against_commit.LAUNCHER), str(source), "engine", "nim"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "then\n"


def test_a_commit_without_an_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, source = against_commit.opponent("HEAD", tmp_path)
    (source / "plies" / "cli" / "engine.py").unlink()
    with pytest.raises(plies.BadParameter, match="has no `plies engine` yet, so nobody can play against it"):
        against_commit.opponent("HEAD", tmp_path)


@pytest.mark.long
def test_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(against_commit, "COMMITS", tmp_path)
    assert against_commit.main(["HEAD", "tic-tac-toe", "--limit", "depth=2", "--games", "2"]) == 0
    said = capsys.readouterr()
    assert "tic-tac-toe: ugi:" in said.out
    assert "score" in said.out


def test_every_benchmark_can_be_imported() -> None:
    """No other test runs them; each has a title, columns, a note and rows."""
    from bench.__main__ import SUBJECTS

    for subject in SUBJECTS.values():
        assert subject.TITLE
        assert subject.COLUMNS
        assert subject.NOTE
        assert callable(subject.rows)
