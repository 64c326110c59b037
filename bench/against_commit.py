"""Today's engine against the one of a commit, as `plies match` plays them.

`python -m bench.against_commit COMMIT GAME [PARAM=VALUE ...] [--limit LIMIT]`; any other option is one of
`plies match`, such as `--games 100`. The commit's source goes to bench/.commits, and both sides are programs
that speak UGI, so neither has an advantage by how it is called.

If the commit wants the same packages as today, it runs with those installed here: nothing is installed, and
the two differ in Plies alone, not in the version of Numba. Else it gets an environment of its own.
"""

from __future__ import annotations

import argparse
import io
import os
import shlex
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import plies
from bench.common import progress
from plies.cli import run
from plies.errors import BadParameter, PliesError

ROOT = Path(__file__).parents[1]
COMMITS = Path(__file__).parent / ".commits"
LAUNCHER = Path(__file__).parent / "run_commit.py"
TODAY = Path(plies.__file__).parents[1]


def main(arguments: list[str] | None = None) -> int:
    """Prepare the commit, and play; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.against_commit",
        description="Play today's engine against the one of a commit.",
        epilog="Other options are those of plies match, such as --games 100.",
    )
    parser.add_argument("commit", help="a hash, a tag or a branch")
    parser.add_argument("game")
    parser.add_argument("parameters", nargs="*", metavar="PARAM=VALUE", help="the game's parameters")
    parser.add_argument("--limit", default="0.1", help="for each move: seconds, depth=4 or nodes=1000")
    given, more = parser.parse_known_args(arguments)
    try:
        then = opponent(given.commit)
    except PliesError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    progress(f"the engine in {TODAY} against that in {then[1]}")
    game = [given.game, *given.parameters]
    players = [words(python, source, game, given.limit) for python, source in ((sys.executable, TODAY), then)]
    return run(["match", given.game, *players, *given.parameters, *more])


def words(python: str, source: Path, game: list[str], limit: str) -> str:
    """The words for the player that a source is."""
    command = shlex.join([python, str(LAUNCHER), str(source), "engine", *game])
    return f'ugi:"{command}":{limit}'


def opponent(commit: str, folder: Path | None = None) -> tuple[str, Path]:
    """The interpreter and the source of a commit, made unless they are there."""
    full = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}", commit=commit)
    name = full.decode().strip()
    place = (folder or COMMITS) / name[:12]
    if not (place / "src").is_dir():
        progress(f"fetching {name[:12]} from the repository")
        packed = _git("archive", "--format=tar", name, commit=commit)
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(place, filter="data")
    python = _python(place)
    source = place / "src"
    look = [python, str(LAUNCHER), str(source), "engine", "--help"]
    if subprocess.run(look, capture_output=True, check=False).returncode:
        raise BadParameter(f"{name[:12]} has no `plies engine` yet, so nobody can play against it")
    return python, source


def _git(*arguments: str, commit: str) -> bytes:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, check=False)
    if done.returncode:
        raise BadParameter(f"there is no commit {commit[:60]!r} in this repository")
    return done.stdout


def _python(place: Path) -> str:
    """The interpreter for a commit: this one, or one with the packages that the commit wants."""
    if _wanted(place) == _wanted(ROOT):
        return sys.executable
    environment = place / ".venv"
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    try:
        if not python.exists():
            progress("it wants other packages: making an environment for it")
            subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True, capture_output=True)
        if not (environment / "ready").exists():
            install = [str(python), "-m", "pip", "install", "--quiet", "--no-input", str(place)]
            subprocess.run(install, check=True, capture_output=True)
            (environment / "ready").touch()
    except (OSError, subprocess.CalledProcessError):
        raise PliesError(f"the packages of {place.name} do not install on this machine") from None
    return str(python)


def _wanted(place: Path) -> set[str]:
    project = tomllib.loads((place / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return set(project["dependencies"])


if __name__ == "__main__":
    sys.exit(main())
