"""Limits on a process that runs a student's file: time, memory, files, processes, folders, network."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
"""Numbers of system calls, the same on every architecture (Linux 5.13)."""

ACCESS_BY_ABI = ((1, 0x1FFF), (2, 0x3FFF), (3, 0x7FFF), (5, 0xFFFF))
"""The kinds of access to files that Landlock knows from a version of its interface on, as bits."""

READ = 0b1101
"""Landlock: execute, read a file, read a folder."""

READ_FILE = 0b0100
WRITE_DEVICE = 0b0110

NOBODY = 65534
"""The user without rights."""

DEVICES = ("/dev/null", "/dev/urandom", "/dev/random", "/dev/zero")
SYSTEM = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime")
"""What Python itself reads, beside its own folders."""


def set_limits(
    cpu: int, memory: int, file_size: int, processes: int, files: int, *, alone: bool = False
) -> list[str]:
    """Limit this process and what it starts, in seconds, bytes and numbers; returns what is missing."""
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_CPU, cpu)
    _limit(resource.RLIMIT_FSIZE, file_size)
    _limit(resource.RLIMIT_NOFILE, files)
    _limit(resource.RLIMIT_NPROC, processes + (0 if alone else _running()))  # alone in its namespace or not
    try:
        _limit(resource.RLIMIT_AS, memory)
    except ValueError:  # macOS has no such limit
        return ["a limit on memory"]
    return []


def _limit(which: int, wanted: int) -> None:
    """Lower a limit; nobody may raise one."""
    _, hard = resource.getrlimit(which)
    least = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(which, (least, least))


def _running() -> int:
    """The threads of this user: the limit on processes counts them all."""
    user, count = os.getuid(), 0
    for entry in os.scandir("/proc") if os.path.isdir("/proc") else ():
        try:
            if entry.name.isdigit() and entry.stat().st_uid == user:
                count += len(os.listdir(f"/proc/{entry.name}/task"))
        except OSError:  # it has just ended
            continue
    return count


def enter_namespaces(libc: ctypes.CDLL) -> list[str]:
    """Leave the network, and begin a family of processes that ends with its first: what is missing?"""
    if not hasattr(libc, "unshare"):
        return ["a network namespace", "a process namespace"]
    if os.geteuid() == 0:  # root may start any number of processes
        os.setresuid(NOBODY, 0, 0)
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWPID) == 0:
        return []
    missing = []
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
        missing.append("a network namespace")
    return [*missing, "a process namespace"]


def supervise(libc: ctypes.CDLL) -> None:
    """Go on in a process of the new family; this one, and the first of the family, wait for its end.

    If this one is killed, so is the first of the family, and with it all the others, whatever they do.
    """
    for _ in range(2):
        child = os.fork()
        if child:
            _, status = os.waitpid(child, 0)
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def landlock(libc: ctypes.CDLL, folder: str, readable: Iterable[str]) -> list[str]:
    """Leave this process a folder to write to, and some to read; returns what is missing."""
    abi = libc.syscall(LANDLOCK_CREATE_RULESET, None, 0, 1) if sys.platform == "linux" else -1
    if abi < 1:
        return ["Landlock"]
    access = [bits for version, bits in ACCESS_BY_ABI if version <= abi][-1]
    words = [access, *([0b11] if abi >= 4 else []), *([0b11] if abi >= 6 else [])]
    wanted = struct.pack(f"{len(words)}Q", *words)  # files, TCP ports, and signals and sockets of others
    rules = libc.syscall(LANDLOCK_CREATE_RULESET, wanted, len(wanted), 0)
    if rules < 0:
        return ["Landlock"]
    _allow(libc, rules, folder, access)
    for path in (*readable, *SYSTEM):
        _allow(libc, rules, path, READ if os.path.isdir(path) else READ_FILE)
    for path in DEVICES:
        _allow(libc, rules, path, WRITE_DEVICE)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    failed = libc.syscall(LANDLOCK_RESTRICT_SELF, rules, 0) != 0
    os.close(rules)
    return ["Landlock"] if failed else []


def _allow(libc: ctypes.CDLL, rules: int, path: str, access: int) -> None:
    """Allow access to a file, or to all below a folder, if there is one."""
    try:
        file = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    libc.syscall(LANDLOCK_ADD_RULE, rules, 1, struct.pack("=Qi", access, file), 0)
    os.close(file)


def python_folders() -> list[str]:
    """The folders of this Python and its packages."""
    paths = {sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values(), *sys.path}
    paths.add(os.path.dirname(os.path.realpath(sys.executable)))
    return sorted(path for path in paths if path and Path(path).exists())
