"""Build the documentation site in build/site (`make docs`), or the course's notebooks (`make notebooks`)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from docs.pages import course
from docs.pages.site import ROOT, write


def main(folder: Path = ROOT / "build") -> int:
    """Write all pages and their configuration to a folder, and build the site there, strictly."""
    folder.mkdir(exist_ok=True)
    for name in ("docs", "site"):
        shutil.rmtree(folder / name, ignore_errors=True)
    missing = write(folder)
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    done = subprocess.run([*command, "--config-file", str(folder / "mkdocs.yml")], cwd=folder, check=False)
    if missing:
        print(f"docs: {missing}")
    if done.returncode == 0:
        print(f"docs: the site is in {folder / 'site'}: open index.html there")
    return done.returncode


def notebooks(folder: Path = ROOT / "build" / "notebooks") -> int:
    """Write the chapters of the course as notebooks."""
    folder.mkdir(parents=True, exist_ok=True)
    for chapter in course.chapters():
        (folder / f"{chapter.stem}.ipynb").write_text(course.notebook(chapter), encoding="utf-8")
    print(f"docs: the notebooks are in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(notebooks() if sys.argv[1:] == ["notebooks"] else main())
