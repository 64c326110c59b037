"""Planted faults: does a test fail when a line of the library is wrong? `make mutants` tries them all.

Each fault of `planted` is put into a copy of the library, and the tests named there are run on the copy.
What was found out is kept until the file or those tests change, so that an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import ast
import concurrent.futures
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from planted import PLANTED, Mutant

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = ROOT / "src" / "plies"
RESULTS = ROOT / ".pytest_cache" / "mutants.json"

PATIENCE = 900
"""Seconds after which tests that go on and on have noticed the fault."""

TIMEOUT = "timeout"
"""What has noticed it then."""

CRASH = "crash"
"""What has noticed a fault that brings Python down."""


def planted(mutant: Mutant, library: Path = LIBRARY) -> str:
    """The text of the file with the fault in it; a text that is not there exactly once is an error."""
    source = (library / mutant.file).read_text()
    begin, end = extent(source, mutant.function)
    body = source[begin:end]
    count = body.count(mutant.text)
    if count != 1:
        raise ValueError(
            f"{mutant.file}, {mutant.function or 'module'}: {mutant.text!r} is there {count} times"
        )
    if mutant.text == mutant.replacement:
        raise ValueError(f"{mutant.file}, {mutant.function}: {mutant.text!r} is replaced by itself")
    return source[:begin] + body.replace(mutant.text, mutant.replacement) + source[end:]


@cache
def statements(source: str) -> list[ast.stmt]:
    """The statements of a file; many faults are in the same one."""
    return ast.parse(source).body


def extent(source: str, name: str) -> tuple[int, int]:
    """Where a function or a method, "Class.method", begins and ends; the whole file if there is no name."""
    if not name:
        return 0, len(source)
    body = statements(source)
    for part in name.split("."):
        kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        node = next((node for node in body if isinstance(node, kinds) and node.name == part), None)
        if node is None:
            raise ValueError(f"there is no {name}")
        body = node.body
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts[node.lineno - 1], starts[node.end_lineno or node.lineno]


def identity(mutant: Mutant) -> str:
    """A digest of the fault, of the file it is in and of the tests that may notice it."""
    digest = hashlib.sha256(repr(mutant).encode())
    for path in [LIBRARY / mutant.file, *(ROOT / test.split("::")[0] for test in mutant.tests)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class Nursery:
    """A copy of the library as it is, and for each fault another one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.unsound: list[str] = []
        """Tests that fail without a fault as well."""
        self.checked: set[str] = set()
        shutil.copytree(LIBRARY, folder / "clean" / "plies", ignore=shutil.ignore_patterns("__pycache__"))

    def killer(self, mutant: Mutant) -> str:
        """A test that fails on a copy with the fault in it; "" if none does."""
        copy = self.folder / identity(mutant)
        shutil.copytree(self.folder / "clean" / "plies", copy / "plies")
        text = planted(mutant, self.folder / "clean" / "plies")
        compile(text, mutant.file, "exec")  # or any test would seem to notice it
        (copy / "plies" / mutant.file).write_text(text)
        ignored = [f"--deselect={test}" for test in self.unsound]
        try:
            for tests in filter(None, (mutant.tests[:1], mutant.tests[1:])):  # else pytest has its own order
                if failed := self._failures(copy, ["-x", *tests, *ignored], mutant.compiled):
                    return failed[0]
            if long := self._failures(copy, ["-m", "long", "-x", *mutant.tests, *ignored], mutant.compiled):
                named = [test for test in long if "::" in test]  # not a crash, nor a timeout
                if not named or not self._failures(
                    self.folder / "clean", ["-m", "long", *named], mutant.compiled
                ):
                    return long[0]
            return ""
        finally:
            shutil.rmtree(copy, ignore_errors=True)

    def check(self, tests: list[str], compiled: bool) -> None:
        """Run tests on the library as it is: those that fail there prove nothing, and are ignored."""
        if tests:
            failed = self._failures(self.folder / "clean", tests, compiled, None)
            for test in failed:
                print(f"without a fault, too, this fails: {test}", flush=True)
            self.unsound += failed
            self.checked |= set(tests)

    def _failures(
        self, copy: Path, arguments: list[str], compiled: bool, patience: float | None = PATIENCE
    ) -> list[str]:
        """The tests that fail on a copy, and the files that cannot be imported."""
        environment = {
            **os.environ,
            "PYTHONPATH": str(copy),
            "PLIES_CACHE_DIR": str(copy / "cache"),
            "CI": "1",
        }
        if not compiled:
            environment["NUMBA_DISABLE_JIT"] = "1"
        notes = copy / "pytest"
        shutil.rmtree(notes, ignore_errors=True)
        command = [sys.executable, "-m", "pytest", "-q", "-o", f"cache_dir={notes}", *arguments]
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=patience
            )
        except subprocess.TimeoutExpired:
            return [TIMEOUT]
        if done.returncode in (0, 5):  # 5: all that there was is ignored
            return []
        if done.returncode in (-signal.SIGSEGV, -signal.SIGABRT):
            return [CRASH]
        failed = notes / "v" / "cache" / "lastfailed"
        if not failed.exists():
            raise ValueError(
                f"pytest ends with {done.returncode} for {arguments}: {done.stdout}{done.stderr}"
            )
        return list(json.loads(failed.read_text()))


def main() -> int:
    """Try the faults that are not known yet, and tell which no test has noticed."""
    parser = argparse.ArgumentParser(description="Plant faults, and see whether the tests find them.")
    parser.add_argument("--only", default="", help="faults whose file, function or text contains this")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--again", action="store_true", help="those that are known, too")
    parser.add_argument("--list", action="store_true", help="tell what is known, and try nothing")
    asked = parser.parse_args()
    mutants = [mutant for mutant in PLANTED if asked.only in f"{mutant.file} {mutant.function} {mutant.text}"]
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        nursery = Nursery(Path(folder))
        wanted = [mutant for mutant in mutants if asked.again or identity(mutant) not in known]
        while not asked.list:
            tried = {pool.submit(nursery.killer, one): one for one in wanted}
            try:
                for number, done in enumerate(concurrent.futures.as_completed(tried), 1):
                    mutant = tried[done]
                    if RESULTS.exists():  # another run may have added to it
                        known |= json.loads(RESULTS.read_text())
                    known[identity(mutant)] = done.result()
                    RESULTS.parent.mkdir(exist_ok=True)
                    written = RESULTS.with_suffix(f".{os.getpid()}")
                    written.write_text(json.dumps(known))
                    written.replace(RESULTS)  # at once, for another run may read it
                    word = f"killed by {done.result()}" if done.result() else "SURVIVED"
                    print(f"{number}/{len(wanted)} {mutant}: {word}", flush=True)
            except KeyboardInterrupt:
                print("stopped; what is known is kept", flush=True)
                pool.shutdown(cancel_futures=True)
                break
            killers = {one: killer for one in mutants if (killer := known.get(identity(one)))}
            for compiled in (False, True):
                tests = {killer for one, killer in killers.items() if one.compiled == compiled}
                nursery.check(sorted(tests - {TIMEOUT, CRASH, *nursery.checked}), compiled)
            wanted = [one for one, killer in killers.items() if killer in nursery.unsound]
            if not wanted:
                break
    tested = [mutant for mutant in mutants if identity(mutant) in known]
    alive = [mutant for mutant in tested if not known[identity(mutant)]]
    unexplained = [mutant for mutant in alive if not mutant.why]
    for mutant in alive:
        print(f"alive: {mutant}" + (f" ({mutant.why})" if mutant.why else ""))
    print(
        f"{len(tested)} of {len(mutants)} tried, {len(tested) - len(alive)} killed, "
        f"{len(alive) - len(unexplained)} equal in meaning, {len(unexplained)} survived"
    )
    return 1 if unexplained or len(tested) < len(mutants) else 0


if __name__ == "__main__":
    sys.exit(main())
