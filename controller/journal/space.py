"""How much room the disk of the journal has left."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from controller.journal.errors import JournalIoError

LOW_BYTES = 256 * 1024 * 1024
"""Below this a person is told: about a year of one table's events still fits, and the disk is surely
filling.
"""


@dataclass(frozen=True, slots=True)
class DiskSpace:
    """Room left for an unprivileged writer, in bytes, and whether that is little."""

    free_bytes: int
    low: bool


def disk_space(path: Path, low_bytes: int = LOW_BYTES) -> DiskSpace:
    """The room left where ``path`` lies (a file that may not exist yet). Raises JournalIoError if nobody
    can say.
    """
    where = path if path.exists() else path.parent
    try:
        stat = os.statvfs(where)
    except OSError as error:
        raise JournalIoError(f"journal {path}: its disk does not answer ({error.strerror}); check the mount") from error
    free_bytes = stat.f_bavail * stat.f_frsize
    return DiskSpace(free_bytes, free_bytes < low_bytes)
