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

CLONE_NEWNS, CLONE_NEWIPC = 0x00020000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
CAPABILITIES_VERSION = 0x20080522
"""That of capset(2) with 64 capabilities."""

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


def enter_namespaces(libc: ctypes.CDLL, file: str, room: int) -> list[str]:
    """Leave the network, begin a family of processes that ends with its first, and have a folder in memory.

    The folder is that of the file, and has room for so many bytes. Returns what is missing.
    """
    no_network, no_family, no_room = "a network namespace", "a process namespace", "a limit on files in all"
    if not hasattr(libc, "unshare"):
        return [no_network, no_family, no_room]
    if os.geteuid() == 0:  # root may start any number of processes
        os.setresuid(NOBODY, 0, 0)
    user, group = os.geteuid(), os.getegid()
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC) == 0:
        return [] if _folder_in_memory(libc, file, room, user, group) else [no_room]
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWPID) == 0:
        return [no_room]
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0:
        return [no_family, no_room]
    return [no_network, no_family, no_room]


def _folder_in_memory(libc: ctypes.CDLL, file: str, room: int, user: int, group: int) -> bool:
    """Mount a file system in memory over the folder of a file, with the file in it, where that is allowed."""
    try:
        for name, words in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            Path("/proc/self", name).write_text(words)
        source, folder = Path(file).read_bytes(), os.path.dirname(file).encode()
        how = f"size={room},nr_inodes=1000,mode=700,uid={user},gid={group}".encode()
        if libc.mount(b"tmpfs", folder, b"tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, how) != 0:
            return False
        Path(file).write_bytes(source)
    except OSError:
        return False
    return True


def drop_capabilities(libc: ctypes.CDLL) -> None:
    """Give up what a new namespace allows those who made it."""
    if hasattr(libc, "capset"):
        libc.capset(struct.pack("=Ii", CAPABILITIES_VERSION, 0), struct.pack("=6I", *[0] * 6))


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
