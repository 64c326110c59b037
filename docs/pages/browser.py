"""Plies in the browser: Pyodide from npm's package, Plies in a zip file, and the two pages that run it."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from importlib import metadata, resources
from pathlib import Path

from docs.pages.written import DOCS
from plies.draw import forms, theme

PYODIDE = "0.29.4"
"""The version of Pyodide, which is CPython 3.13 for WebAssembly."""

DIGEST = "tCseTsqU3kSxZIjkue5zXxTMNEwrKZwOIIEQRBA/VzHxFN1hoCxe4w41phfCdHd9it9RcCNQb5K/Re0InqMgvA=="
"""SHA-512 of the package, as npm publishes it: another file of that name is refused."""

FILES = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of the package that a page loads: the interpreter and the standard library."""

CACHE = DOCS.parent / "build" / "npm"
"""Where the package is kept between builds."""

MARK = "<!-- in the browser -->"
"""The line of docs/in-the-browser.md that is replaced by links to the pages, or by what is missing."""

LINKS = """[Open Learn](in-the-browser/learn.html){ .md-button .md-button--primary }
[Open the lab](in-the-browser/lab.html){ .md-button }"""


class Missing(Exception):
    """Why there is no Pyodide, in a sentence."""


def package(folder: Path = CACHE) -> Path:
    """The npm package of Pyodide, fetched by npm unless it is in a folder; raises `Missing`."""
    kept = folder / f"pyodide-{PYODIDE}.tgz"
    if not kept.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise Missing("npm is not installed")
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as beside:  # nobody is to read half a file
            _fetch(npm, Path(beside)).replace(kept)
    if base64.b64encode(hashlib.sha512(kept.read_bytes()).digest()).decode() != DIGEST:
        raise Missing(f"{kept.name} is not the file that npm publishes: delete it and build again")
    return kept


def _fetch(npm: str, folder: Path) -> Path:
    """The package, fetched to a folder; raises `Missing`."""
    command = [npm, "pack", f"pyodide@{PYODIDE}", "--silent", "--pack-destination", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        raise Missing("npm did not answer within five minutes") from None
    fetched = folder / f"pyodide-{PYODIDE}.tgz"
    if done.returncode or not fetched.exists():
        said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        raise Missing(f"npm could not fetch pyodide {PYODIDE}{f' ({said[0]})' if said else ''}")
    return fetched


def write(target: Path, folder: Path = CACHE) -> str:
    """Write the pages and all they load to a folder of the site; what is missing in a sentence, or ""."""
    page = target / "in-the-browser.md"
    text = page.read_text(encoding="utf-8")
    try:
        kept = package(folder)
    except Missing as reason:
        lack = f"This copy of the site was built without Pyodide, so Plies cannot run in it: {reason}."
        page.write_text(text.replace(MARK, f'!!! warning "Missing"\n    {lack}'), encoding="utf-8")
        return lack
    page.write_text(text.replace(MARK, LINKS), encoding="utf-8")
    pages = target / "in-the-browser"
    _unpack(kept, pages / "pyodide")
    _pack(pages / "plies.zip")
    _static(pages / "static")
    (pages / "lab.html").write_text((DOCS / "browser" / "lab.html").read_text("utf-8"), encoding="utf-8")
    (pages / "learn.html").write_text(_learn(), encoding="utf-8")
    return ""


def _unpack(kept: Path, folder: Path) -> None:
    """Those files of the package that a page loads."""
    folder.mkdir(parents=True)
    with tarfile.open(kept) as archive:
        for name in FILES:
            member = archive.extractfile(f"package/{name}")
            assert member is not None, f"{name} is not in {kept}"
            content = member.read()
            if name == "pyodide-lock.json":  # of its many packages none is served, and none is to be fetched
                lock = json.loads(content)
                content = json.dumps({**lock, "packages": {}}).encode()
            (folder / name).write_bytes(content)


def _pack(path: Path) -> None:
    """Plies as it would be installed: its modules, and what it says of itself."""
    root = Path(str(resources.files("plies")))
    about = metadata.distribution("plies")
    info = f"plies-{about.version}.dist-info"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(root.rglob("*")):
            if file.suffix in (".py", ".js", ".css") and "static" not in file.parts:
                archive.write(file, Path("plies", file.relative_to(root)))
        for name in ("METADATA", "entry_points.txt"):
            archive.writestr(f"{info}/{name}", about.read_text(name) or "")


def _static(folder: Path) -> None:
    """Scripts and styles: those of `plies serve`, but for the connection, and those of the lab."""
    pictures = Path(str(resources.files("plies.draw")))
    shutil.copytree(Path(str(resources.files("plies.web"))) / "static", folder)
    for page in folder.glob("*.html"):
        page.unlink()
    for name in ("steps.js", "steps.css"):
        shutil.copy(pictures / name, folder)
    (folder / "picture.css").write_text(theme.STYLE, encoding="utf-8")
    (folder / "tree.css").write_text(forms.STYLE, encoding="utf-8")
    for name in ("connection.js", "worker.js", "lab.js", "lab.css"):
        shutil.copy(DOCS / "browser" / name, folder)


def _learn() -> str:
    """The Learn page of `plies serve`, with links to the pages that are here."""
    text = resources.files("plies.web").joinpath("static/learn.html").read_text(encoding="utf-8")
    start, end = text.index('<nav aria-label="Pages">'), text.index("</nav>")
    links = '<a href="learn.html" aria-current="page">Learn</a> <a href="lab.html">Lab</a>'
    text = text[:start] + '<nav aria-label="Pages">' + links + text[end:]
    return text.replace('"/static/', '"static/').replace('href="/"', 'href="../in-the-browser.html"')
