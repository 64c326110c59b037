"""The user's own files, which travel with a job as text: a module, and what beside it that it imports.

A process that finds them where they are on the driver's machine, and the same, runs them there, so that they
find what else they read. Elsewhere they are unpacked into the cache.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import hashlib
import importlib
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from plies.compiled import disk_cache
from plies.errors import BadParameter, PliesError

INIT = "__init__.py"


def own_source(module: str) -> tuple[Path, str] | None:
    """The folder of a module that is not installed, and its file from there on: "rules.py" or
    "package/rules.py". None for others."""
    file = getattr(sys.modules.get(module), "__file__", None)
    packages = module.split(".")
    if not file or packages[0] == "plies" or packages[0] in sys.stdlib_module_names:
        return None
    path = Path(file).resolve()
    if path.suffix != ".py" or {"site-packages", "dist-packages"} & set(path.parts):
        return None
    up = len(packages) - (path.name != INIT)
    if up >= len(path.parents):
        return None
    return path.parents[up], "/".join(path.parts[-1 - up :])


class Sources:
    """Files that travel, with those beside them that they import."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        """The text of each, by its name from its folder on."""
        self.places: dict[str, str] = {}
        """Where each is here."""

    def add(self, root: Path, name: str) -> None:
        """Take in a file, and what it imports of the same folder."""
        path = root / name
        if name in self.files:
            if self.places[name] != str(path):
                raise BadParameter(
                    f"{self.places[name]!r} and {str(path)!r} cannot both be sent to other processes: "
                    f"both are {name} there; give one of them another name"
                )
            return
        self.places[name] = str(path)
        try:
            self.files[name] = source = path.read_text(encoding="utf-8")
            wanted = list(_imported(ast.parse(source), name.split("/")[:-1]))
        except (OSError, UnicodeDecodeError, SyntaxError) as error:
            raise PliesError(f"{str(path)!r} cannot be read, and so not be sent: {error}") from None
        for parts in wanted:
            for end in range(1, len(parts) + 1):
                module = "/".join(parts[:end])
                for beside in (f"{module}/{INIT}", f"{module}.py"):
                    if (root / beside).is_file():
                        self.add(root, beside)


def _imported(tree: ast.Module, package: list[str]) -> Iterator[list[str]]:
    """The modules that a file of a package may import, each as the parts of its name."""
    yield package
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base = [*base, *(node.module or "").split(".")] if node.module else base
            found = [[*base, alias.name] for alias in node.names]
        else:
            continue
        yield from (parts for parts in found if parts[0] not in {"plies", *sys.stdlib_module_names})


class Folder:
    """Where this process finds the files of a job."""

    def __init__(self, places: Mapping[str, Path]) -> None:
        self._places = places

    @classmethod
    def of(cls, files: Mapping[str, str], places: Mapping[str, str]) -> Folder:
        """The files where they are on the driver's machine, if this process sees the same there; else
        unpacked."""
        here = {name: Path(place) for name, place in places.items()}
        if here.keys() == files.keys() and all(_is(here[name], text) for name, text in files.items()):
            return cls(here)
        folder = _unpacked(files) if files else Path()
        return cls({name: folder / name for name in files})

    def load(self, module: str, name: str) -> None:
        """Import a file under the name that it has where it comes from: compiled code is kept by it."""
        path, stem = self._places[name], module.replace(".", "/")
        root = str(path.parents[name.count("/")])
        if root not in sys.path:
            sys.path.insert(0, root)  # so that it finds its neighbours
        try:
            if name in (f"{stem}.py", f"{stem}/{INIT}"):
                importlib.import_module(module)
            else:
                _run(module, path)
        except BaseException as error:
            raise PliesError(f"{path.name} could not be run: {type(error).__name__}: {error}") from error


def _run(module: str, path: Path) -> None:
    """Import a file under a name that is not its own."""
    spec = importlib.util.spec_from_file_location(module, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is not a Python file")
    sys.modules[module] = made = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(made)
    except BaseException:
        sys.modules.pop(module, None)
        raise


def _is(path: Path, text: str) -> bool:
    """Whether a file can be read and has this text."""
    try:
        return path.read_text(encoding="utf-8") == text
    except (OSError, UnicodeDecodeError):
        return False


def _unpacked(files: Mapping[str, str]) -> Path:
    """A folder with these files, the same one for the same files."""
    for name in files:
        parts = name.split("/")
        if not name.endswith(".py") or {"..", ".", ""} & set(parts) or {"\\", ":", "\0"} & set(name):
            raise PliesError(f"a job brings a file of the name {name[:80]!r}, which is no name of a module")
    digest = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:32]
    try:
        folder = _folder(digest)
        for name, text in files.items():
            path, data = folder / name, text.encode()
            if not path.is_file() or path.read_bytes() != data:
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                new = path.with_name(f"{path.name}.{os.getpid()}")
                new.write_bytes(data)
                new.replace(path)
    except OSError as error:
        raise PliesError(f"the files of a job cannot be kept: {error}") from None
    return folder


def _folder(digest: str) -> Path:
    """The folder for files of that digest in the cache or, where nothing can be kept, for this process."""
    root = disk_cache.folder()
    if root is not None and not disk_cache.trouble():
        with contextlib.suppress(OSError):
            folder = root / f"{disk_cache.SOURCES}{digest}"
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.utime(folder)  # it counts as used
            return folder
    folder = Path(tempfile.mkdtemp(prefix="plies-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
