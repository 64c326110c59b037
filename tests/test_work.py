"""Units of work: the same bytes from every back end, nothing lost and nothing counted twice after kills."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from forked_drivers import PLAYERS
from plies.arena import match
from plies.arena.openings import Openings
from plies.arena.table import Conditions
from plies.arena.tournament import tournament
from plies.arena.units import Games
from plies.compiled import disk_cache
from plies.compiled.packing import numbers_of
from plies.engine.book_units import Positions, solve_in_parts
from plies.learn import WeightsTraining, resume
from plies.learn.models import NetworkModel
from plies.learn.network_units import NetworkGames
from plies.learn.units import SelfPlay, rounds, weights_of
from plies.opening_book.folder import open_book
from plies.players import Random
from plies.reproduce.table import find
from plies.reproduce.units import Numbers
from plies.tune.samples import Samples
from plies.work.code import Code, Loader
from plies.work.processes import Processes
from plies.work.run import Where, done_in_order, in_order
from plies.work.store import Store, _checksum, merge
from plies.work.unit import KINDS, Done, Job, Task, Unit, canonical
from plies.work.worker import reply_to
from programs import UNTRACED
from test_cli import program

pytestmark = pytest.mark.plain

HAS_RAY = importlib.util.find_spec("ray") is not None
needs_ray = pytest.mark.skipif(not HAS_RAY, reason="Ray is not installed: pip install 'plies[ray]'")

GAME = plies.TicTacToe()
SMALL = plies.ConnectFour(width=3, height=3)


def games(players: tuple[Any, ...] = ("random", "book:minimax:2", "reflex")) -> tuple[Task, list[Unit]]:
    pairs = [(0, 1), (0, 2), (1, 2)] if len(players) > 2 else [(0, 1)]
    units = [Unit(n, [*pairs[n % len(pairs)], n // len(pairs)]) for n in range(9)]
    return Games(GAME, players, Conditions(seed=5)), units


def numbers() -> tuple[Task, list[Unit]]:
    task = Numbers(find(["matrix", "pig-hold-at-20", "aima"]))
    return task, list(task.units())


def positions() -> tuple[Task, list[Unit]]:
    game = plies.Nim(heaps=(2, 3))
    states = [game.result(game.initial(), action) for action in game.actions(game.initial())]
    return Positions(game, memory=1), [Unit(n, numbers_of(state)) for n, state in enumerate(states)]


def self_play() -> tuple[Task, list[Unit]]:
    training = WeightsTraining(plies.Othello(size=4), games=100, seed=3)
    given = {"done": 0, "games": 2, "rate": 0.1, "arrays": weights_of(training)}
    return SelfPlay(training), [Unit(part, {**given, "part": part}) for part in range(3)]


def samples() -> tuple[Task, list[Unit]]:
    return Samples(plies.ConnectFour(width=4, height=3), seed=2, nodes=20), [
        Unit(number) for number in range(4)
    ]


def network_games() -> tuple[Task, list[Unit]]:
    given = {"what": "self-play", "networks": [None], "games": 1}
    units = [Unit(number, {**given, "seed": [0, 1, number]}) for number in range(2)]
    return NetworkGames(NetworkModel(SMALL, 16), 5), units


MAKERS = {
    "games": games,
    "numbers": numbers,
    "book": positions,
    "self-play": self_play,
    "samples": samples,
    "network games": network_games,
}


def bytes_of(task: Task, units: list[Unit], where: Where) -> list[bytes]:
    done = list(done_in_order(task, units, where))
    assert [unit for unit, _ in done] == list(where.share(units))
    return [canonical(one.result).encode() for _, one in done]


@pytest.fixture(scope="module")
def expected() -> dict[str, list[bytes]]:
    assert MAKERS.keys() == KINDS.keys()
    return {kind: bytes_of(*make(), Where()) for kind, make in MAKERS.items()}


def test_units_are_pure(expected: dict[str, list[bytes]]) -> None:
    """What comes out does not depend on what was done before."""
    for kind, make in MAKERS.items():
        task, units = make()
        assert bytes_of(task, units[::-1], Where()) == expected[kind][::-1], kind
        assert len(set(expected[kind])) > 1, kind


ELSEWHERE = """
import json, sys
from plies.work.unit import Unit
from plies.work.worker import reply_to, task_of
for text, checksum, units in json.load(sys.stdin):
    task = task_of(text, checksum)
    print(json.dumps([json.loads(reply_to(task, Unit(*unit)))["result"] for unit in units]))
"""


def test_processes_give_the_same_bytes(expected: dict[str, list[bytes]]) -> None:
    """Games in two processes of their own; one does the other kinds, as workers do."""
    assert bytes_of(*games(), Where(jobs=2)) == expected["games"]
    kinds, jobs = sorted(MAKERS.keys() - {"games"}), []
    for kind in kinds:
        task, units = MAKERS[kind]()
        job = Job.of(task)
        jobs.append([job.text, job.checksum, [[unit.number, unit.data] for unit in units]])
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], input=json.dumps(jobs), capture_output=True, text=True, check=True
    )
    for kind, line in zip(kinds, done.stdout.splitlines(), strict=True):
        assert [canonical(one).encode() for one in json.loads(line)] == expected[kind], kind


def test_shards_give_the_same_bytes(expected: dict[str, list[bytes]], tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.db", [tmp_path / f"{number}.db" for number in (1, 2, 3)]
    for kind, make in MAKERS.items():
        task, units = make()
        for number, part in enumerate(parts, 1):
            bytes_of(task, units, Where(shard=f"{number}/3", units=part, another=True))
        merge(parts, whole)
        for part in parts:
            part.chmod(0o400)
        assert merge(parts, whole)[1] == 0  # twice counts once
        for part in parts:
            part.chmod(0o600)
        assert bytes_of(Refusing(task), units, Where(units=whole)) == expected[kind], kind


class Refusing(Task):
    """A task that has nothing left to do."""

    def __init__(self, task: Task) -> None:
        self.task, self.facts, self.kind = task, task.facts, task.kind  # type: ignore[misc, method-assign]

    def do(self, unit: Unit) -> Done:
        raise AssertionError(f"unit {unit.number} is done again")


@needs_ray
def test_ray_gives_the_same_bytes(expected: dict[str, list[bytes]], tmp_path: Path) -> None:
    with own_cluster():
        for kind, make in MAKERS.items():
            assert bytes_of(*make(), Where(ray="local")) == expected[kind], kind
        file = own_file(tmp_path)
        sys.path.insert(0, str(tmp_path))
        try:
            game = plies.game(f"{file}:Own")
            found = match(game, "random", "random", games=4, where=Where(ray="local"))
            assert found == match(game, "random", "random", games=4)
            with pytest.raises(plies.PliesError, match="the rules are broken"):
                match(plies.game(f"{file}:Broken"), "random", "reflex", games=2, where=Where(ray="local"))
        finally:
            sys.path.remove(str(tmp_path))


class own_cluster:  # noqa: N801
    """A Ray cluster of some workers on this machine, for all of a test: to start one takes seconds."""

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers

    def __enter__(self) -> None:
        import ray

        os.environ["NUMBA_DISABLE_JIT"] = os.environ.get("NUMBA_DISABLE_JIT", "0")
        settings = {"num_cpus": self.workers, "include_dashboard": False, "log_to_driver": False}
        try:
            ray.init(address="local", **settings)
        except Exception as error:  # Ray gives its processes 30 seconds, which a busy machine may not have
            if "timed out during startup" not in str(error):
                raise
            ray.shutdown()
            ray.init(address="local", **settings)

    def __exit__(self, *_: object) -> None:
        import ray

        ray.shutdown()


# -- Code that travels.


def own_file(folder: Path) -> Path:
    (folder / "beside.py").write_text("MOVES = 'abc'\n")
    file = folder / "own_rules.py"
    file.write_text(
        "import plies\nfrom beside import MOVES\nfrom plies.players import Random\n\n\n"
        "class Own(plies.TicTacToe):\n"
        "    def notation(self, state, action):\n"
        "        return MOVES[0] + super().notation(state, action)\n"
        "    def parse_action(self, state, text):\n"
        "        return super().parse_action(state, text[1:])\n\n\n"
        "class Broken(Own):\n"
        "    def notation(self, state, action):\n"
        "        raise plies.PliesError('the rules are broken')\n\n\n"
        "def player(seed):\n    return Random(seed)\n"
    )
    return file


def test_code_of_a_users_file_travels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    file = own_file(tmp_path)
    game = plies.game(f"{file}:Own")
    player = plies.registry.function(f"{file}:player")
    job = Job.of(Games(game, (player, "reflex"), Conditions()))
    assert set(job.files) == {"own_rules.py", "beside.py"}
    assert json.loads(job.text)["files"]["beside.py"] == "MOVES = 'abc'\n"
    file.rename(tmp_path / "gone.txt")  # the other process has nothing but the text
    (tmp_path / "beside.py").unlink()
    monkeypatch.setenv("PLIES_CACHE_DIR", str(tmp_path / "cache"))
    with Processes(job, 1) as processes:
        done = processes.submit(Unit(0, [0, 1, 0])).result()
    assert all(move.startswith("a") for move in done.result["game"]["moves"])
    (kept,) = (tmp_path / "cache").glob("sources-*")
    assert {file.name for file in kept.glob("*.py")} == set(job.files)
    assert (disk_cache.clear(), kept.exists()) == (0, False)


def test_a_job_that_is_not_as_it_was_sent_is_refused() -> None:
    job = Job.of(games()[0])
    assert Job.read(job.text, job.checksum) == job
    with pytest.raises(plies.PliesError, match="its checksum differs"):
        Job.read(job.text.replace('"seed":5', '"seed":6'), job.checksum)
    other = Job(job.kind, job.facts, job.files, plies="0.0.1")
    with pytest.raises(plies.PliesError, match=r"the job is of Plies 0\.0\.1: install the same version"):
        Job.read(other.text, other.checksum)
    with pytest.raises(plies.PliesError, match="no name of a module"):
        Loader({"../evil.py": "boom"})


def test_games_and_values_come_back_as_they_were() -> None:
    weights = np.linspace(-1, 1, len(plies.Othello().weights))
    for game in (plies.Nim(heaps=(1, 2)), plies.Othello(size=6, weights=weights), plies.Pig(target=20)):
        code = Code()
        described = json.loads(canonical(code.game(game)))
        assert repr(Loader(code.sources.files).game(described)) == repr(game)
    with pytest.raises(plies.BadParameter, match="can be copied"):
        Code().thing(lambda seed: Random(seed))


# -- The file.


def test_what_is_done_while_another_is_kept_is_kept_as_well() -> None:
    futures: list[Future[Done]] = [Future(), Future()]

    class Two:
        room = 2

        def submit(self, unit: Unit) -> Future[Done]:
            return futures[unit.number]

    kept = []

    def keep(unit: Unit, done: Done) -> Done:
        kept.append((unit.number, done.result))
        if not futures[1].done():
            futures[1].set_result(Done("second"))
        return done

    futures[0].set_result(Done("first"))
    found = [done.result for _, done in in_order(Two(), [Unit(0), Unit(1)], keep=keep)]
    assert found == ["first", "second"]
    assert kept == [(0, "first"), (1, "second")]


def test_a_slip_in_the_rules_is_a_sentence_wherever_it_shows() -> None:
    class Slip(Task):
        kind = "games"

        def do(self, unit: Unit) -> Done:
            raise IndexError("no such cell")

    with pytest.raises(plies.PliesError, match=r"^IndexError: no such cell \(test_work.py, line \d+\)$"):
        reply_to(Slip(), Unit(0))


def test_a_result_is_kept_once(tmp_path: Path) -> None:
    task, units = games()
    job = Job.of(task)
    with Store(tmp_path / "units.db") as store:
        assert store.begin(job) == {}
        store.keep(job, units[0], Done({"a": 1}, {"seconds": 2}))
        store.keep(job, units[0], Done({"a": 2}))
        assert store.begin(job) == {units[0].key: Done({"a": 1}, {"seconds": 2})}
        other = Job.of(Games(GAME, ("random", "reflex"), Conditions(seed=6)))
        assert store.begin(other, another=True) == {}
        store.keep(other, units[0], Done({"a": 4}))
    assert merge([tmp_path / "units.db"], tmp_path / "both.db") == (2, 2, 2)
    with sqlite3.connect(tmp_path / "both.db") as base:
        for row in list(base.execute("SELECT rowid, * FROM units")):
            row = (*row[:5], "[" * 100_000, row[6])
            base.execute("UPDATE units SET result = ? WHERE rowid = ?", (row[5], row[0]))
            base.execute("UPDATE units SET checksum = ? WHERE rowid = ?", (_checksum(row[1:]), row[0]))
    with (
        Store(tmp_path / "both.db") as store,
        pytest.raises(plies.PliesError, match="is damaged: what is in it is no JSON"),
    ):
        store.begin(job)
    with Store(tmp_path / "other.db") as store:
        store.begin(job)
        store.keep(job, units[0], Done({"a": 3}))
    with pytest.raises(plies.PliesError, match="has another result of unit 0 than the files before"):
        merge([tmp_path / "units.db", tmp_path / "other.db"], tmp_path / "whole.db")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"no database at all, but long enough to be taken for one", "cannot be used as a file of units"),
        (None, "is another database, not a file of units"),
    ],
)
def test_a_file_that_is_none_of_ours_is_refused(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    file = tmp_path / "other.db"
    if content is None:
        with sqlite3.connect(file) as base:
            base.execute("CREATE TABLE mine (number)")
    else:
        file.write_bytes(content)
    before = file.read_bytes()
    done = program("tournament", "nim", "random", "reflex", "--games", "2", "--save", str(file))
    assert (done.code, done.out) == (2, "")
    assert sentence in done.error
    assert done.error.count("\n") == 1
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ({"shard": "3/2", "units": Path("x")}, "a shard is NUMBER/COUNT"),
        ({"shard": "0/2", "units": Path("x")}, "a shard is NUMBER/COUNT"),
        ({"shard": "half", "units": Path("x")}, "not 'half'"),
        ({"shard": "1/2"}, "a shard keeps its results in a file of units"),
        ({"jobs": 2, "ray": "local"}, "a Ray cluster has its own workers"),
        ({"jobs": 257}, "jobs must be between 0"),
    ],
)
def test_what_cannot_be(where: dict[str, Any], sentence: str) -> None:
    with pytest.raises(plies.BadParameter, match=sentence):
        Where(**where)


def test_without_ray_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(plies.PliesError, match=r"Ray is not installed: pip install 'plies\[ray\]'"):
        match(GAME, "random", "random", games=2, where=Where(ray="local"))


@needs_ray
def test_where_no_cluster_is_a_sentence_says_so() -> None:
    with pytest.raises(plies.PliesError, match=r"there is no Ray cluster at '127\.0\.0\.1:1'"):
        match(GAME, "random", "random", games=2, where=Where(ray="127.0.0.1:1"))


# -- What is made of units.


def test_a_training_in_parts_does_not_depend_on_where(tmp_path: Path) -> None:
    made = []
    for jobs, stop in ((1, 0), (2, 0), (1, 200)):
        training: Any = WeightsTraining(GAME, games=400, seed=4)
        training.parts = 2
        file = tmp_path / f"{len(made)}.npz"
        with rounds(training, Where(jobs=jobs)):
            training.go(file, lambda run, end=stop: run.stop() if run.done == end else None, measured=False)
        if stop:
            assert training.done == stop
            training = resume(file, GAME)
            with rounds(training, Where()):
                training.go(file, measured=False)
        made.append(training)
    assert [one.done for one in made] == [400] * 3
    assert made[0].weights == made[1].weights == made[2].weights
    assert made[0].parts == made[2].parts == 2
    alone = WeightsTraining(GAME, games=400, seed=4)
    alone.go(measured=False)
    assert alone.weights != made[0].weights
    for where, sentence in (
        (Where(jobs=2), "a training on several cores has parts"),
        (Where(shard="1/2", units=tmp_path / "x"), "a training has no shards"),
        (Where(units=tmp_path / "x"), "a training keeps its own checkpoint"),
    ):
        with pytest.raises(plies.BadParameter, match=sentence), rounds(alone, where):
            pass


def test_a_proof_in_parts_is_the_proof() -> None:
    for game, plies_ in ((plies.Nim(heaps=(1, 2, 3)), 2), (plies.Nim(heaps=(1, 2, 4)), 1), (SMALL, 1)):
        for distance in (False, True):
            *_, found = solve_in_parts(game, None, plies_, Where(), distance=distance, memory=1)
            whole = plies.solve(game, distance=distance, memory=1)
            assert isinstance(found, plies.Solution)
            assert (found.value.utility, found.value.plies) == (whole.value.utility, whole.value.plies)
            after = game.result(game.initial(), found.action)
            assert -plies.solve(game, after, memory=1).value.utility == whole.value.utility
    state = SMALL.result(SMALL.initial(), 0)
    *_, found = solve_in_parts(SMALL, state, 2, Where(), memory=1)
    assert isinstance(found, plies.Solution)
    assert found.value.utility == plies.solve(SMALL, state, memory=1).value.utility
    assert "positions after 2 plies, each proved" in found.rests_on


def test_a_book_in_shards_is_the_book(tmp_path: Path) -> None:
    words = [
        "book",
        "connect-four",
        "width=3",
        "height=3",
        "--plies",
        "1",
        "--memory",
        "1",
        "--out",
        str(tmp_path / "ours.book"),
    ]
    units = ["--units", str(tmp_path / "units.db")]
    for shard in ("1/2", "2/2"):
        done = program(*words, *units, "--shard", shard)
        assert done.code == 0, done.error
        assert "merge the files of all shards" in done.out
        assert not (tmp_path / "ours.book").exists()
    assert program(*words, *units).code == 0
    book, whole = open_book(SMALL, tmp_path / "ours.book"), plies.make_opening_book(SMALL, 1, memory=1)
    assert {state: entry[:2] for state, entry in book.entries()} == {
        state: entry[:2] for state, entry in whole.entries()
    }
    done = program(*words, "--jobs", "2", "--time", "1")
    assert (done.code, done.out) == (2, "")


# -- Kills.


def killed_workers(count: int) -> None:
    """Kill a worker again and again; a unit is in progress each time, for several are submitted."""
    task = Numbers(find(["matrix"]))  # whose workers start quickly
    units = [Unit(number, sorted(task.entries)[number % 7]) for number in range(3 * count)]
    kills = 0
    with Processes(Job.of(task), 1) as processes:
        found = []
        for number, future in enumerate([processes.submit(unit) for unit in units]):
            found.append(future.result())
            if number % 3 == 1 and kills < count:
                os.kill(processes.processes[0].pid, signal.SIGKILL)
                kills += 1
    assert kills == count
    assert [one.result for one in found] == [task.do(unit).result for unit in units]


def killed_drivers(folder: Path, count: int, games: int, jobs: int = 1) -> None:
    """Kill a tournament again and again, at any moment: it ends as one that nobody has killed. Two writers at
    once end alike, too."""
    program = [sys.executable, Path(__file__).with_name("forked_drivers.py"), folder]
    done = subprocess.run([*map(str, [*program, count, games, jobs])], stdout=subprocess.PIPE, env=UNTRACED)
    assert done.stdout.split() == [b"-%d" % signal.SIGALRM] * count + [b"0"] * 3
    settings: dict[str, Any] = {"games": games, "seed": 3}
    whole = tournament(GAME, PLAYERS, **settings)
    for name in ("killed.db", "shared.db"):
        with sqlite3.connect(folder / name) as base:
            rows = base.execute("SELECT count(*), count(DISTINCT number) FROM units").fetchone()
        assert rows == (3 * games, 3 * games), name
        again = tournament(GAME, PLAYERS, **settings, where=Where(units=folder / name))
        assert [one.game.score for one in again.games] == [one.game.score for one in whole.games]
        assert [one.game.moves for one in again.games] == [one.game.moves for one in whole.games]


def test_three_killed_workers_cost_nothing() -> None:
    killed_workers(3)


def test_seven_killed_drivers_cost_nothing(tmp_path: Path) -> None:
    killed_drivers(tmp_path, 7, 40)


@pytest.mark.long
def test_seventy_killed_workers_cost_nothing() -> None:
    killed_workers(70)


@pytest.mark.long
def test_thirty_killed_drivers_cost_nothing(tmp_path: Path) -> None:
    killed_drivers(tmp_path, 30, 1200, 2)


@pytest.mark.long
@needs_ray
def test_killed_ray_workers_cost_nothing() -> None:
    units = [Unit(number, [0, 1, number]) for number in range(24)]
    long = Conditions(seed=1, openings=Openings(0))  # some of them take a second: the workers are never idle
    task = Games(GAME, ("random", "book:minimax:6"), long)
    kills = 0
    with own_cluster(2):
        found = []
        for unit, done in done_in_order(task, units, Where(ray="local")):
            found.append(done.result)
            if unit.number % 8 == 3:
                for pid in busy(os.getpid()):
                    os.kill(pid, signal.SIGKILL)
                    kills += 1
    assert kills
    assert found == [task.do(unit).result for unit in units]


def busy(pid: int) -> Iterator[int]:
    """The workers of our own Ray cluster that do a unit: descendants of this process."""
    for folder in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, folder.read_text().split()):
            if b"ray::_reply" in Path(f"/proc/{child}/cmdline").read_bytes():
                yield child
            yield from busy(child)
