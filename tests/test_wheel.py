"""The wheel, which is what people install: everything that belongs in it, nothing else, and it works."""

from __future__ import annotations

import configparser
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import plies
from documents import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as pip builds it, with the build tool that is installed here."""
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT))
    built = list(folder.glob("*.whl"))
    assert len(built) == 1
    return built[0]


def pip(*words: str) -> None:
    command = [sys.executable, "-m", "pip", *words, "--quiet", "--disable-pip-version-check", "--no-input"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_it_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    package = {
        str(path.relative_to(ROOT / "src"))
        for path in (ROOT / "src" / "plies").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert "plies/py.typed" in package
    about = {name for name in names if name.split("/")[0].endswith(".dist-info")}
    assert names - about == package
    assert {name.partition("/")[2] for name in about} == {
        "METADATA",
        "RECORD",
        "WHEEL",
        "entry_points.txt",
        "licenses/LICENSE",
    }


def test_it_says_what_it_is(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    about = next(name.split("/")[0] for name in archive.namelist() if ".dist-info/" in name)
    metadata = archive.read(f"{about}/METADATA").decode()
    assert "\nName: plies\n" in metadata
    assert "\nLicense-Expression: MIT\n" in metadata
    assert "\nRequires-Python: <3.15,>=3.11\n" in metadata
    assert "# Plies" in metadata
    entries = configparser.ConfigParser()
    entries.read_string(archive.read(f"{about}/entry_points.txt").decode())
    assert dict(entries["console_scripts"]) == {"plies": "plies.cli:main"}
    assert sorted(entries["plies.games"]) == plies.game_names()


def test_it_works_when_installed(wheel: Path, tmp_path: Path) -> None:
    pip("install", "--no-deps", "--target", str(tmp_path), str(wheel))
    program = (
        "import plies, sys; print(plies.__file__); from plies.cli import run; sys.exit(run(['games', 'nim']))"
    )
    # Coverage is measured of the source, not of this copy of it.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=environment | {"PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path))
    assert "Two players take turns" in done.stdout
