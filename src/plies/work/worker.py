"""The program of a process that does units: `plies.work.processes` starts it.

A line of JSON comes in with the job, then a unit a line; what came out of each goes out as a line of JSON.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import threading
from functools import lru_cache
from pathlib import Path
from traceback import extract_tb
from typing import NoReturn

from plies.errors import PliesError
from plies.work.unit import Job, Task, Unit, canonical

KEPT = 4
"""The tasks that a process keeps ready, with what they have compiled. Not tuned."""


class Stopped(BaseException):
    """The driver wants this process to end, and players to let go of what they hold."""


@lru_cache(maxsize=KEPT)
def task_of(text: str, checksum: str) -> Task:
    """The task of a job, made once."""
    return Job.read(text, checksum).task()


def reply_to(task: Task, unit: Unit) -> str:
    """What came out of a unit, as JSON."""
    try:
        done = task.do(unit)
    except (PliesError, BrokenPipeError):
        raise
    except (Exception, SystemExit) as error:  # a slip in the user's rules, the same at every attempt
        where = extract_tb(error.__traceback__)[-1]
        words = f"{type(error).__name__}: {error} ({Path(where.filename).name}, line {where.lineno})"
        raise PliesError(words) from error
    return canonical({"result": done.result, "measured": done.measured})


def main() -> None:
    """Do units until the input ends."""
    signal.signal(signal.SIGTERM, _stop)
    threading.Thread(target=_end_with_driver, name="plies-driver", daemon=True).start()
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what rules print is no reply
    orders = sys.stdin.buffer
    try:
        if not (first := orders.readline()):  # the driver has ended
            return
        head = json.loads(first)
        sys.path[:] = head["path"]
        task = task_of(head["job"], head["checksum"])
        for line in orders:
            replies.write(reply_to(task, Unit(*json.loads(line))).encode() + b"\n")
            replies.flush()
    except PliesError as error:
        replies.write(json.dumps({"error": str(error)}).encode() + b"\n")
        replies.flush()
    except BrokenPipeError:  # nobody waits any more
        _leave()
    except Stopped:  # programs that play here end, too
        pass


def _stop(*_: object) -> NoReturn:
    raise Stopped


def _end_with_driver() -> None:
    """End this process when the driver's has ended, whatever it is at: a unit may take hours."""
    if hasattr(select, "poll"):  # not on Windows
        waiting = select.poll()
        waiting.register(0, 0)  # which tells that nobody can write there any more
        waiting.poll()
        _leave()


def _leave() -> NoReturn:
    """End at once, but leave no program behind that was started as a player."""
    if programs := sys.modules.get("plies.protocols.process"):
        programs.end_all()
    os._exit(0)


if __name__ == "__main__":
    main()
