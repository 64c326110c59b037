"""The process of a student's file: it limits itself, then answers requests, lines of JSON, by a program."""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import sys
from typing import Any

from . import limits


def main() -> None:
    """Take the file, two pipes and the settings from the command line; then answer requests to their end."""
    path, incoming, outgoing, told = sys.argv[1:5]
    settings = json.loads(told)
    requests = os.fdopen(int(incoming), "r", encoding="utf-8")
    answers = os.fdopen(int(outgoing), "w", encoding="utf-8")
    folder = os.path.dirname(path)
    libc = ctypes.CDLL(None, use_errno=True)
    wanted = settings["limits"]
    missing = limits.enter_namespaces(libc, path, wanted.pop("folder"))
    os.chdir(folder)
    missing += limits.set_limits(**wanted, alone="a network namespace" not in missing)
    if "a process namespace" not in missing:
        limits.supervise(libc)
    readable = limits.python_folders()
    module = importlib.import_module(settings["module"])
    program = module.Program(path, **settings["setup"])  # which may read what the file must not
    missing += limits.landlock(libc, folder, readable)
    limits.drop_capabilities(libc)
    sys.path.insert(0, folder)
    sys.setrecursionlimit(5_000)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # from here on, errors are the file's own
    process = os.getpid()
    _write(answers, {"missing": missing})
    for line in requests:
        answer = program.answer(json.loads(line))
        if os.getpid() != process:  # one that the file has forked, and that came back as well
            os._exit(0)
        _write(answers, answer)
    os._exit(0)  # without waiting for threads of the file


def _write(answers: Any, data: dict[str, Any]) -> None:
    answers.write(json.dumps(data) + "\n")
    answers.flush()
