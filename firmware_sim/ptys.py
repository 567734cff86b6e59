"""A serial port that is not there: a pty behind a path that survives unplugging and plugging in again."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import threading
import tty
from pathlib import Path


class PtyPort:
    """The device's end of a pty. ``path`` is a symbolic link to the host's end.

    As on a real wire, what is written while nobody has the port open is lost. Thread-safe. Raises OSError where the
    system has no more ptys or the path cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bytes_lost = 0
        self._lock = threading.Lock()
        self._master = -1
        self._name = ""
        """what the system calls, or called last, the port that the path leads to"""
        self.replug()

    @property
    def plugged(self) -> bool:
        """Whether the path leads to a port."""
        return self._master >= 0

    @property
    def attached(self) -> bool:
        """Whether a host has the port open."""
        with self._lock:
            return self._opened()

    def read(self) -> bytes:
        """Bytes from the host, at once; empty when there are none."""
        with self._lock, contextlib.suppress(BlockingIOError):
            if self._opened():
                return self._read_now()
        return b""

    def write(self, data: bytes) -> None:
        """Send to the host. What does not fit in the kernel's buffer is lost, as on a line without flow control."""
        with self._lock:
            written = 0
            if self._opened():
                with contextlib.suppress(BlockingIOError, OSError):
                    written = os.write(self._master, data)
            self.bytes_lost += len(data) - written

    def wait(self, timeout_s: float) -> None:
        """Wait until the host wrote something, at most ``timeout_s``."""
        with self._lock:
            master = self._master if self._opened() else -1
        if master < 0:
            # a pty without a host end is always ready
            threading.Event().wait(timeout_s)
            return
        with contextlib.suppress(OSError):
            select.select([master], [], [], timeout_s)

    def unplug(self) -> None:
        """Pull the adapter: the path vanishes and whoever has the port open loses it."""
        with self._lock:
            if self._master < 0:
                return
            os.close(self._master)
            self._master = -1
            self.path.unlink(missing_ok=True)

    def replug(self, *, renamed: bool = False) -> None:
        """Plug the adapter in again, under the same path. With ``renamed`` the path leads to a port that the system
        calls otherwise than before."""
        with self._lock:
            if self._master >= 0:
                return
            self._master, self._name = _opened_pty(self._name if renamed else "")
            fresh = self.path.with_name(f".{self.path.name}.{os.getpid()}")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(self._name)
            os.replace(fresh, self.path)

    def close(self) -> None:
        """Unplug for good."""
        self.unplug()

    def _opened(self) -> bool:
        if self._master < 0:
            return False
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        return not any(event & select.POLLHUP for _fd, event in poll.poll(0))

    def _read_now(self) -> bytes:
        try:
            return os.read(self._master, 4096)
        except BlockingIOError:
            raise
        except OSError:
            return b""  # EIO: the host closed its end meanwhile


def _opened_pty(other_than: str) -> tuple[int, str]:
    """A raw pty that is not called so: its master, which does not block, and its name."""
    master, slave = pty.openpty()
    name = os.ttyname(slave)
    try:
        if name == other_than:
            # the name stays taken until another pty has got another one
            second = _opened_pty("")
            os.close(master)
            return second
        tty.setraw(slave)
        os.set_blocking(master, False)
        return master, name
    finally:
        os.close(slave)
