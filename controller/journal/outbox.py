"""The publisher's cursor: how far the journal has been acknowledged, in a file beside it, never in it.

A lost or damaged cursor costs duplicates, which every consumer resolves, and never an event: it starts at 0
again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path


class Outbox:
    """The cursor of one journal in the file ``path``; belongs to one thread.

    ``note`` is one line for a person when the file was there and could not be used, else empty.
    """

    def __init__(self, path: Path, journal_id: str) -> None:
        """Read the cursor. One of another journal counts as none."""
        self._path = path
        self._journal_id = journal_id
        self.note = ""
        self._sequence = self._load()
        self._stored = self._sequence

    @property
    def sequence(self) -> int:
        """The highest event such that it and all before it are acknowledged; 0 when none is."""
        return self._sequence

    def advance(self, sequence: int) -> None:
        """Everything up to ``sequence`` is acknowledged. A lower number than before changes nothing."""
        self._sequence = max(self._sequence, sequence)

    def rewind(self, sequence: int) -> None:
        """An archive has less than was acknowledged: send again from the event after ``sequence``."""
        self._sequence = min(self._sequence, max(0, sequence))

    def flush(self) -> None:
        """Make the cursor durable if it moved. Raises OSError when the file cannot be written."""
        if self._sequence == self._stored:
            return
        draft = self._path.with_name(self._path.name + ".new")
        with draft.open("w", encoding="utf-8") as file:
            json.dump({"journalid": self._journal_id, "sequence": self._sequence}, file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._path)
        self._stored = self._sequence

    def _load(self) -> int:
        try:
            value = json.loads(self._path.read_bytes())
            journal_id, sequence = value["journalid"], value["sequence"]
        except FileNotFoundError:
            return 0
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            self.note = f"cursor {self._path}: it cannot be read; everything is published again"
            return 0
        if journal_id != self._journal_id or type(sequence) is not int or sequence < 0:
            self.note = f"cursor {self._path}: it is of another journal; everything is published again"
            return 0
        return sequence
