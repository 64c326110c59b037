"""The user's own files, which travel with a job: packages, odd names, rules that end Python or never end."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

import plies
from plies.arena.table import Conditions
from plies.arena.units import Games
from plies.work.code import Code, Loader
from plies.work.processes import Processes
from plies.work.unit import Job, Unit
from plies.work.worker import reply_to, task_of
from test_cli import program

pytestmark = pytest.mark.plain

RULES = """
import plies
{imports}

class Own(plies.TicTacToe):
    def notation(self, state, action):
        return {mark} + super().notation(state, action)

    def parse_action(self, state, text):
        return super().parse_action(state, text[1:])
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the user's, from which modules are forgotten afterwards."""
    before = set(sys.modules)
    path = list(sys.path)
    monkeypatch.setenv("PLIES_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "own").mkdir()
    yield tmp_path / "own"
    sys.path[:] = path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def first_move(game: plies.Game) -> str:
    """The first move of a game that another process has played."""
    with Processes(Job.of(Games(game, ("random", "reflex"), Conditions())), 1) as processes:
        done = processes.submit(Unit(0, [0, 1, 0])).result()
    return str(done.result["game"]["moves"][0])


def test_a_package_beside_a_file_travels(folder: Path) -> None:
    """With what it imports, by relative imports and from functions, and nothing else of the folder."""
    write(folder, "marks/__init__.py", "from . import inner\n")
    write(folder, "marks/inner/__init__.py", "")
    write(folder, "marks/inner/letters.py", "import random\nfrom ..upper import MARK\n")
    write(folder, "marks/upper.py", "MARK = 'a'\n")
    write(folder, "marks/unused.py", "boom")
    write(folder, "random.py", "boom")
    file = write(folder, "rules.py", RULES.format(imports="", mark="self.mark()"))
    text = "\n    def mark(self):\n        from marks.inner.letters import MARK\n\n        return MARK\n"
    file.write_text(file.read_text() + text)
    game = plies.game(f"{file}:Own")
    job = Job.of(Games(game, ("random", "reflex"), Conditions()))
    inner = {f"marks/{name}.py" for name in ("__init__", "upper", "inner/__init__", "inner/letters")}
    assert set(job.files) == {"rules.py", *inner}
    folder.rename(folder.with_name("elsewhere"))
    with Processes(job, 1) as processes:
        done = processes.submit(Unit(0, [0, 1, 0])).result()
    assert done.result["game"]["moves"][0].startswith("a")


def test_a_game_in_a_package_travels(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(folder)
    write(folder, "mygames/__init__.py", "")
    write(folder, "mygames/marks.py", "MARK = 'b'\n")
    write(folder, "mygames/rules.py", RULES.format(imports="from .marks import MARK", mark="MARK"))
    from mygames.rules import Own  # type: ignore[import-not-found]

    job = Job.of(Games(Own(), ("random", "reflex"), Conditions()))
    assert set(job.files) == {"mygames/__init__.py", "mygames/rules.py", "mygames/marks.py"}
    folder.rename(folder.with_name("elsewhere"))
    with Processes(job, 1) as processes:
        done = processes.submit(Unit(0, [0, 1, 0])).result()
    assert done.result["game"]["moves"][0].startswith("b")


def test_a_file_is_run_where_it_is_if_it_is_there(folder: Path) -> None:
    """It may read other files beside it, which do not travel."""
    write(folder, "mark.txt", "c")
    imports = "from pathlib import Path\nMARK = Path(__file__).with_name('mark.txt').read_text()"
    file = write(folder, "rules.py", RULES.format(imports=imports, mark="MARK"))
    assert first_move(plies.game(f"{file}:Own")).startswith("c")


@pytest.mark.parametrize("name", ["my rules.py", "my.rules.v2.py", "1st-try.py", "ünï (2).py"])
def test_odd_names_of_files(folder: Path, name: str) -> None:
    file = write(folder, name, RULES.format(imports="", mark="'d'"))
    game = plies.game(f"{file}:Own")
    job = Job.of(Games(game, ("random", "reflex"), Conditions()))
    assert list(job.files) == [name]
    code = Code()
    described = code.game(game)
    module = described["class"]["module"]
    file.unlink()
    del sys.modules[module]
    made = Loader(code.sources.files, code.sources.places).game(described)
    assert made.notation(made.initial(), 1) == "d1"


def test_two_files_of_one_name_are_refused(folder: Path) -> None:
    """Two versions of a player, say: the workers would know but one."""
    text = "from plies.players import Random\n\ndef player(seed):\n    return Random(seed)\n"
    players = [
        plies.registry.function(f"{write(folder, f'{version}/player.py', text)}:player")
        for version in ("v1", "v2")
    ]
    with pytest.raises(plies.BadParameter, match=r"v1/player.py' and '.*v2/player.py' cannot both be sent"):
        Job.of(Games(plies.TicTacToe(), players, Conditions()))


def test_a_neighbour_with_an_error_is_named(folder: Path) -> None:
    write(folder, "beside.py", "def broken(:\n")
    later = "\n    def later(self):\n        import beside\n"
    file = write(folder, "rules.py", RULES.format(imports="", mark="'e'") + later)
    done = program("match", f"{file}:Own", "random", "reflex", "--games", "2", "--jobs", "2")
    assert (done.code, done.out, done.error.count("\n")) == (2, "", 1)
    assert "beside.py' cannot be read, and so not be sent: invalid syntax (<unknown>, line 1)" in done.error


@pytest.mark.parametrize(
    "name", ["../evil.py", "/evil.py", "a/../../evil.py", "a//evil.py", "C:evil.py", "evil.so"]
)
def test_files_stay_in_their_folder(name: str) -> None:
    with pytest.raises(plies.PliesError, match="no name of a module"):
        Loader({name: "boom"})


def test_a_job_of_another_version_is_refused_before_it_is_read() -> None:
    text = json.dumps({"plies": "9.9", "field": "of the future"})
    with pytest.raises(plies.PliesError, match=r"the job is of Plies 9\.9: install the same version"):
        Job.read(text, sha256(text.encode()).hexdigest())


def test_what_a_module_does_not_have_is_named() -> None:
    with pytest.raises(plies.PliesError, match=r"what is worked on here: plies\.errors has no Gone"):
        Loader({}).thing({"module": "plies.errors", "name": "Gone"})


# -- Rules that end Python, or never end.

ENDLESS = """
import plies
from pathlib import Path


class Endless(plies.TicTacToe):
    def result(self, state, action):
        Path(__file__).with_name("begun").touch()
        while True:
            pass


class Leaves(plies.TicTacToe):
    def result(self, state, action):
        raise SystemExit(0)
"""


def test_a_worker_ends_with_its_driver(folder: Path) -> None:
    """Whatever it is at: nobody waits for it any more."""
    game = plies.game(f"{write(folder, 'endless.py', ENDLESS)}:Endless")
    job = Job.of(Games(game, ("random", "reflex"), Conditions()))
    head = {"path": sys.path, "job": job.text, "checksum": job.checksum}
    command = [sys.executable, "-P", "-m", "plies.work.worker"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as worker:
        assert worker.stdin is not None
        worker.stdin.write(json.dumps(head).encode() + b"\n" + b"[0, [0, 1, 0]]\n")
        worker.stdin.flush()
        try:
            for _ in range(6000):
                if (folder / "begun").exists():
                    break
                time.sleep(0.01)
            assert worker.poll() is None
            worker.stdin.close()  # as the system does when the driver has been killed
            assert worker.wait(60) == 0
        finally:
            worker.kill()


def test_rules_do_not_end_the_program(folder: Path) -> None:
    """A status of 0 would say that all has gone well."""
    file = write(folder, "leaves.py", ENDLESS)
    done = program("match", f"{file}:Leaves", "random", "reflex", "--games", "2")
    assert (done.code, done.out) == (2, "")
    assert done.error == f"plies: SystemExit: 0 ({file}, line 15)\n"
    job = Job.of(Games(plies.game(f"{file}:Leaves"), ("random", "reflex"), Conditions()))
    with pytest.raises(plies.PliesError, match=r"^SystemExit: 0 \(leaves\.py, line 15\)$"):
        reply_to(task_of(job.text, job.checksum), Unit(0, [0, 1, 0]))
