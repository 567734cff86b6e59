"""One writer a journal: an advisory lock on a file beside it, which the kernel frees however the writer
dies.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from controller.journal.errors import JournalBusyError, JournalLocationError, JournalReadOnlyError


class WriterLock:
    """The lock file ``{journal}.lock``; it holds the writer's process id and is left in place when freed."""

    def __init__(self, journal: Path) -> None:
        """Take the lock. Raises JournalBusyError naming the other process, or says why the file cannot be
        made.
        """
        # Of the file itself: a link to a journal is the same journal.
        file = journal.resolve()
        path = file.with_name(file.name + ".lock")
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except FileNotFoundError as error:
            raise JournalLocationError(f"journal {journal}: folder {path.parent} does not exist; create it") from error
        except OSError as error:
            raise JournalReadOnlyError(
                f"journal {journal}: lock file {path} cannot be made ({error.strerror}); make the folder writable"
            ) from error
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._fd, 32, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(self._fd)
            raise JournalBusyError(
                f"journal {journal}: process {holder} is writing it; stop that process or name another journal"
            ) from error
        os.ftruncate(self._fd, 0)
        os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Free the lock. The object is of no use afterwards."""
        os.ftruncate(self._fd, 0)
        os.close(self._fd)
