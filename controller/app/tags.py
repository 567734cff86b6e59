"""The deck register's tags as a running table knows them: looked up in memory, renewed by a thread of its own.

The table's writer never waits for the register's file, which other tables and an enrolment may be writing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from controller.app.deckregister import DeckRegister
from controller.app.deckregister_file import RegisterError
from controller.clock import now_us
from controller.core.cards import Card

RENEW_S: Final = 2.0
"""How often the file is looked at; a deck is enrolled or retired in the minutes between two rounds."""
SETTLED_NS: Final = 1_000_000_000
STOP_S: Final = 10.0
"""Longer than SQLite waits for a file that another program holds locked."""


class KnownTags:
    """The tags that are cards now. `card_of` may be called from any thread and never waits. A context manager that
    keeps the knowledge fresh while it is entered."""

    def __init__(self, path: Path, say: Callable[[str], None]) -> None:
        """Reads the register once. ``say`` prints a line of trouble with it. Raises RegisterError."""
        self._path = path
        self._say = say
        self._tags: Mapping[str, Card] = {}
        self._trouble = ""
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="deck-register", daemon=True)
        with DeckRegister(path, now_us) as register:
            self._tags = register.tags()

    def card_of(self, uid: str) -> Card | None:
        """The card of a tag (upper-case hex); None for a tag of no enrolled deck, and the register is looked at again
        soon."""
        card = self._tags.get(uid)
        if card is None:
            self._wake.set()
        return card

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._wake.set()
        self._thread.join(STOP_S)

    def _follow(self) -> None:
        """Until stopped; while the register cannot be read, what was known stays."""
        seen: tuple[int, ...] = ()
        while not self._stopping.is_set():
            asked = self._wake.wait(RENEW_S)
            self._wake.clear()
            now = self._stamp()
            if asked or now != seen or not now:
                self._renew()
            # a change within the clock's tick of the one that was read would bear the same stamp
            seen = now if now and now_us() * 1000 - now[0] > SETTLED_NS else ()

    def _renew(self) -> None:
        try:
            with DeckRegister(self._path, now_us) as register:
                self._tags = register.tags()
            self._trouble = ""
        except RegisterError as error:
            self._tell(str(error))

    def _stamp(self) -> tuple[int, ...]:
        """What differs after the file was written or exchanged; empty when it is not there."""
        try:
            found = self._path.stat()
        except OSError:
            return ()
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _tell(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._say(f"{trouble}; the tags known so far stay")
        self._trouble = trouble
