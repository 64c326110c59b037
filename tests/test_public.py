"""The public names: exactly those of `__all__`, documented, typed, and there without Numba."""

from __future__ import annotations

import ast
import doctest
import inspect
import itertools
import pydoc
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import plies
import plies.book
import plies.engine
from plies.compiled import interpreting

MODULES = [plies, plies.book, plies.engine]
THINGS = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in MODULES
    for name in module.__all__
    if inspect.isclass(getattr(module, name)) or inspect.isfunction(getattr(module, name))
}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_public_names_are_there(module: ModuleType) -> None:
    assert len(set(module.__all__)) == len(module.__all__)
    for name in module.__all__:
        assert getattr(module, name) is not None


def test_plies_shows_its_public_names_and_no_others() -> None:
    assert sorted(dir(plies)) == sorted(plies.__all__)
    held = python("import plies; print(*(name for name in vars(plies) if not name.startswith('_')))").split()
    others = {name for name in held if not isinstance(getattr(plies, name), ModuleType)} - set(plies.__all__)
    assert others == {"annotations", "Any", "TYPE_CHECKING"}  # what the module itself needs


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'plies' has no attribute 'chess'"):
        plies.chess  # noqa: B018


def test_every_public_name_is_known_to_type_checkers() -> None:
    """What is loaded on first use is imported for type checkers under the same names."""
    source = inspect.getsource(plies)
    block = source.split("if TYPE_CHECKING:\n")[1].split("\n\n")[0]
    imports = [node for node in ast.parse(textwrap.dedent(block)).body if isinstance(node, ast.ImportFrom)]
    named = {alias.name for node in imports for alias in node.names}
    assert named == set(plies._LAZY)


# -- Documented and typed.


@pytest.mark.plain
def test_help_opens_with_a_screenful_that_works() -> None:
    text = pydoc.plain(pydoc.render_doc(plies))
    opening = text[: text.index("PACKAGE CONTENTS")]
    assert 20 <= opening.count("\n") <= 40
    assert doctest.testmod(plies).attempted > 0
    assert doctest.testmod(plies).failed == 0
    for name in re.findall(r"^    (\w+)", plies.__doc__ or "", re.MULTILINE):
        assert name in plies.__all__, f"help names {name}"


def members(thing: Any) -> list[tuple[str, Any]]:
    """A public function or class, with the public methods and properties that the class defines itself."""
    found = [(thing.__qualname__, thing)]
    if inspect.isclass(thing):
        for name, member in vars(thing).items():
            if isinstance(member, property):
                member = member.fget
            member = inspect.unwrap(getattr(member, "__func__", member))
            if inspect.isfunction(member) and (not name.startswith("_") or name == "__init__"):
                found.append((f"{thing.__qualname__}.{name}", member))
    return found


@pytest.mark.plain
def test_what_is_public_says_what_it_is() -> None:
    assert [name for name, thing in THINGS.items() if not (inspect.getdoc(thing) or "").strip()] == []


@pytest.mark.plain
def test_what_is_public_has_types() -> None:
    for name, member in itertools.chain.from_iterable(map(members, THINGS.values())):
        if not inspect.isfunction(member) or member.__module__.partition(".")[0] != "plies":
            continue
        signature = inspect.signature(member)
        assert signature.return_annotation is not signature.empty, f"{name} does not say what it returns"
        for parameter in list(signature.parameters.values()):
            if parameter.name not in ("self", "cls"):
                assert parameter.annotation is not parameter.empty, f"{name}: {parameter.name} has no type"


# -- Quick to start.


def python(program: str) -> str:
    """What a program prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "program",
    [
        "import plies",
        "from plies.cli import run; assert run([]) == 0",
        "from plies.cli import run; assert run(['--help']) == 0",
        "from plies.cli import run; assert run(['games']) == 0",
        "from plies.cli import run; assert run(['games', 'nim']) == 0",
        "import plies; print(plies.trace(plies.Tree()))",
    ],
)
def test_what_should_be_quick_does_without_numba(program: str) -> None:
    loaded = python(f"{program}\nimport sys\nprint('numba' in sys.modules, 'llvmlite' in sys.modules)")
    assert loaded.splitlines()[-1] == "False False"


def test_a_game_that_is_compiled_does_load_numba(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail: this is what it would see."""
    if interpreting():
        pytest.skip("compilation is switched off")
    monkeypatch.setenv("PLIES_CACHE_DIR", str(tmp_path))
    program = "import sys, plies; plies.perft(plies.Nim(), 1); print('numba' in sys.modules)"
    assert python(program) == "True\n"
