"""The program of a process that does units: `plies.work.processes` starts it.

A line of JSON comes in with the job, then a unit a line; what came out of each goes out as a line of JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from functools import lru_cache
from pathlib import Path
from traceback import extract_tb

from plies.errors import PliesError
from plies.work.unit import Job, Task, Unit, canonical

KEPT = 4
"""The tasks that a process keeps ready, with what they have compiled. Not tuned."""


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
    except Exception as error:  # a slip in the user's rules, which would be the same at every attempt
        where = extract_tb(error.__traceback__)[-1]
        words = f"{type(error).__name__}: {error} ({Path(where.filename).name}, line {where.lineno})"
        raise PliesError(words) from error
    return canonical({"result": done.result, "measured": done.measured})


def main() -> None:
    """Do units until the input ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so that programs that play here end, too
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
        if programs := sys.modules.get("plies.protocols.process"):
            programs.end_all()
        os._exit(0)


if __name__ == "__main__":
    main()
