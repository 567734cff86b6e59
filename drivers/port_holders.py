"""Who has a device node open, from /proc, and whether for itself; processes that this user may not look into are not
seen."""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_PTYS = "/dev/pts/"
YOUNGER_S = 0.5
"""A pty is there before the link that leads to it: one that is younger by more than the clock's grain is another."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that has the port open."""

    pid: int
    command: str

    def __str__(self) -> str:
        """``minicom (pid 812)``."""
        return f"{self.command} (pid {self.pid})"


def holders(path: str) -> tuple[Holder, ...]:
    """Processes with this device node open, this one included, in order of pid; empty where there is no /proc."""
    real = os.path.realpath(path)
    pids = sorted(int(entry) for entry in _list(_PROC) if entry.isdigit())
    return tuple(Holder(pid, _command(pid)) for pid in pids if _has_open(pid, real))


def others_with(path: str) -> tuple[Holder, ...]:
    """The same without this process; none for an empty path."""
    return tuple(holder for holder in holders(path) if holder.pid != os.getpid()) if path else ()


def is_locked(path: str) -> bool:
    """Whether somebody keeps the port for himself (``flock``). To be asked only of a port that is open already: opening
    one that is free would move its modem lines."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def is_recycled(path: str) -> bool:
    """Whether a symbolic link leads to a pty that was made after it: the one it was made for is gone, its simulator
    ended without taking the link away, and the system gave the name to another program. False where there is no pty."""
    real = os.path.realpath(path)
    if not (os.path.islink(path) and real.startswith(_PTYS)):
        return False
    try:
        return os.stat(real).st_ctime > os.lstat(path).st_ctime + YOUNGER_S
    except OSError:
        return False  # gone meanwhile


def _list(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []  # gone meanwhile, another user's, or no /proc at all


def _has_open(pid: int, real: str) -> bool:
    folder = _PROC / str(pid) / "fd"
    for number in _list(folder):
        try:
            if os.readlink(folder / number) == real:
                return not _is_forked(pid)
        except OSError:
            continue
    return False


def _is_forked(pid: int) -> bool:
    """Whether this is a child of ours that has not become its own program yet: for that moment it has every file of
    ours, and reads none."""
    try:
        status = (_PROC / str(pid) / "stat").read_text("utf-8", "replace")
    except OSError:
        return True  # gone meanwhile
    parent = int(status.rpartition(")")[2].split()[1])
    return parent == os.getpid() and _command(pid) == _command(parent)


def _command(pid: int) -> str:
    try:
        words = (_PROC / str(pid) / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
    except OSError:
        return "a process"
    text = " ".join(word for word in words if word.isprintable()).strip()
    return text[:80] or "a process"
