"""Watching the archives' own acknowledgements, the only ones that mean durability."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from controller.bus.wire import BadJsonError, from_json

MAX_ACK_BYTES = 4096
MOST_PATIENCE_S = 60.0


@dataclass(slots=True)
class _Archive:
    stored: int
    progress_s: float
    patience_s: float
    tried_s: float = float("-inf")
    spoke: bool = True


class ArchiveWatch:
    """What each archive has stored of one journal. ``names`` are the consumers that count; others are not
    heard.
    """

    def __init__(self, journal_id: str, names: Iterable[str], patience_s: float) -> None:
        """``patience_s``: an archive that is behind and does not get on for so long has lost something."""
        self._journal_id = journal_id
        self._names = frozenset(names)
        self._patience_s = patience_s
        self._archives: dict[str, _Archive] = {}

    def heard(self, name: str, payload: bytes, now_s: float) -> None:
        """A payload came on ``ack/{name}``; anything but an acknowledgement of this journal is passed
        over.
        """
        if name not in self._names:
            return
        try:
            sequences = from_json(payload, MAX_ACK_BYTES).get("sequences")
        except BadJsonError:
            return
        stored = sequences.get(self._journal_id, 0) if isinstance(sequences, dict) else None
        if type(stored) is not int or stored < 0:
            return
        archive = self._archives.get(name)
        if archive is None:
            self._archives[name] = _Archive(stored, now_s, self._patience_s)
            return
        archive.spoke = True
        if stored != archive.stored:
            archive.stored, archive.progress_s, archive.patience_s = stored, now_s, self._patience_s

    def stored(self) -> int | None:
        """What every heard archive has; None when none was heard."""
        return min((archive.stored for archive in self._archives.values()), default=None)

    def ahead_of(self, head: int) -> int | None:
        """The sequence of an archive that has more than the journal: the journal lost its end or was rolled
        back.
        """
        most = max((archive.stored for archive in self._archives.values()), default=0)
        return most if most > head else None

    def rewind_to(self, cursor: int, now_s: float) -> int | None:
        """Where to send from again because an archive behind ``cursor`` stalls, else None.

        Once, until that archive speaks again: one that is switched off does not get everything every
        minute. Each time it does not help, the patience with it doubles, up to a minute.
        """
        stalled: list[int] = []
        for archive in self._archives.values():
            if archive.stored >= cursor:
                archive.progress_s = now_s
            elif archive.spoke and now_s - max(archive.progress_s, archive.tried_s) >= archive.patience_s:
                archive.tried_s, archive.spoke = now_s, False
                archive.patience_s = min(archive.patience_s * 2, MOST_PATIENCE_S)
                stalled.append(archive.stored)
        return min(stalled, default=None)

    def silent_s(self, cursor: int, now_s: float) -> float:
        """How long an archive has been behind ``cursor`` without getting on, 0 when none is behind."""
        return max(
            (now_s - archive.progress_s for archive in self._archives.values() if archive.stored < cursor), default=0.0
        )
