"""All pages of the site and its configuration: pages written by hand, and from facts of the code."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import yaml

import plies
from docs.pages import algorithms, benchmarks, browser, course, games, published_numbers
from docs.pages.written import DOCS

ROOT = DOCS.parent
ABOUT = ("CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "SECURITY.md")
"""Documents at the root of the repository that the site has as well."""


def write(folder: Path) -> str:
    """Write the sources of the site to a folder: its configuration, and its pages below `docs`.

    Returns what is missing, in a sentence, or "".
    """
    target = folder / "docs"
    shutil.copytree(DOCS, target, ignore=shutil.ignore_patterns("*.py", "__pycache__", "pages", "browser"))
    shutil.copytree(ROOT / "examples", target / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    for path, text in pages().items():
        (target / path).parent.mkdir(exist_ok=True)
        (target / path).write_text(text, encoding="utf-8")
    course.files(target / "course")
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(configuration(), sort_keys=False), encoding="utf-8")
    return browser.write(target)


def pages() -> dict[str, str]:
    """The pages that are not kept as they are in this folder, by their paths."""
    found = {"index.md": _from_root("README.md"), "benchmarks.md": benchmarks.page()}
    found["published-numbers.md"] = published_numbers.page()
    found |= {f"{Path(name).stem.lower()}.md": _from_root(name) for name in ABOUT}
    found["games/index.md"] = games.index()
    for name in plies.game_names():
        found[f"games/{name}.md"] = games.page(name)
        found[f"games/{name}.svg"] = games.picture(name)
    found["algorithms/index.md"] = algorithms.index()
    for name in algorithms.names():
        found[f"algorithms/{name}.md"] = algorithms.page(name)
        if picture := algorithms.picture(name):
            found[f"algorithms/{name}.svg"] = picture
    return found


def configuration() -> dict[str, Any]:
    """The configuration of the site: mkdocs.yml, with chapters, games and algorithms in its navigation."""
    found: dict[str, Any] = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    chapters = [*(chapter.stem for chapter in course.chapters()), "instructors-guide"]
    listed = {"course/*": chapters, "games/*": plies.game_names(), "algorithms/*": algorithms.names()}
    for entry in found["nav"]:
        for section, pattern in entry.items():
            if isinstance(pattern, str) and pattern in listed:
                kind = Path(pattern).parent
                entry[section] = [f"{kind}/index.md", *(f"{kind}/{name}.md" for name in listed[pattern])]
    return found


def _from_root(name: str) -> str:
    """A document at the root of the repository, with its links as they are from the pages."""
    text = (ROOT / name).read_text(encoding="utf-8")
    text = text.replace("](docs/", "](").replace("](README.md)", "](index.md)")
    for other in ABOUT:
        text = text.replace(f"]({other})", f"]({Path(other).stem.lower()}.md)")
    return text if text.startswith("#") else f"# Licence\n\n{text}"
