"""The wheel, which is what people install: everything that belongs in it, nothing else.

It works with what it requires and no more, and the source distribution builds it again.
"""

from __future__ import annotations

import configparser
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import plies
from documents import ROOT

pytestmark = pytest.mark.plain


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


def required(name: str) -> set[str]:
    """The names of the distributions that one requires, directly or not, without extras."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for line in distribution(waiting.pop()).requires or ():
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting += {requirement.name} - found
                found.add(requirement.name)
    return found


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python of its own that has the wheel, what it requires (linked: no network), and no more."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False, symlinks=True)
    packages = next(folder.glob("lib*/python*/site-packages"), folder / "Lib" / "site-packages")
    pip("install", "--no-deps", "--no-compile", "--target", str(packages), str(wheel))
    for name in required("plies"):
        installed = distribution(name)
        for top in {file.parts[0] for file in installed.files or ()} - {"..", "__pycache__"}:
            (packages / top).symlink_to(Path(str(installed.locate_file(top))))
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("games nim", "Two players take turns"),
        ("trace tree", "alpha-beta on tree: value 3"),
        ("best tic-tac-toe 1 5 --depth 3", "best move"),
        ("solve nim", "win"),
    ],
)
def test_it_works_with_what_it_requires_and_no_more(
    bare: Path, tmp_path: Path, command: str, expected: str
) -> None:
    done = subprocess.run(
        [bare, "-m", "plies", *command.split()],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={"NUMBA_DISABLE_JIT": "1", "HOME": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    assert expected in done.stdout


def test_the_bare_environment_is_bare(bare: Path) -> None:
    program = "import plies, sys; print(plies.__file__); import pytest"
    done = subprocess.run([bare, "-c", program], capture_output=True, text=True, check=False, env={})
    assert done.stdout.startswith(str(bare.parents[1]))
    assert "No module named 'pytest'" in done.stderr


@pytest.mark.long
def test_the_source_distribution_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    (source,) = tmp_path.glob("plies-*.tar.gz")
    with tarfile.open(source) as archive:
        top = {name.split("/")[1] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "src", "tests", "docs"} <= top
    assert not top & {".venv", ".git", "build", "dist"}
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path), str(source))
    (again,) = tmp_path.glob("*.whl")
    first, second = zipfile.ZipFile(wheel), zipfile.ZipFile(again)
    assert first.namelist() == second.namelist()
    assert {name: first.read(name) for name in first.namelist()} == {
        name: second.read(name) for name in second.namelist()
    }
