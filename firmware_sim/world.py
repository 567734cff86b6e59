"""The truth of a simulated table: what really happened, whatever any controller saw of it."""

from __future__ import annotations

import threading
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from firmware_sim.entries import (
    CardLeft,
    CardPut,
    CutCardLeft,
    Entry,
    Place,
    RoundPlayed,
    Said,
    ShoeFilled,
    from_json,
    to_json,
)

_ON_TABLE = frozenset({Place.HAND, Place.ASIDE})


class World:
    """Entries in the order in which they happened. All methods are thread-safe. With a path every entry is appended
    to that file as a line of JSON at once, for other processes; then close it, or use it as a context manager."""

    def __init__(self, path: Path | None = None) -> None:
        """An empty world. Raises OSError when ``path`` cannot be written."""
        self._lock = threading.RLock()
        self._entries: list[Entry] = []
        self._cards: list[CardLeft] = []
        self._places: dict[int, CardPut] = {}
        self._cut_card_out = False
        self._shoe = 0
        self._file: TextIO | None = None if path is None else path.open("w", encoding="ascii")

    @classmethod
    def read(cls, path: Path) -> Self:
        """The world that another one wrote to ``path``; an unfinished last line is left out. Raises OSError, and
        ValueError naming file and line."""
        world = cls()
        lines = path.read_text(encoding="ascii").split("\n")
        for number, line in enumerate(lines[:-1], 1):
            try:
                world.add(from_json(line))
            except ValueError as problem:
                raise ValueError(f"{path}, line {number}: {problem}") from None
        return world

    def close(self) -> None:
        """Close the file, if there is one."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(self, entry: Entry) -> None:
        """Something happened."""
        with self._lock:
            self._entries.append(entry)
            match entry:
                case ShoeFilled():
                    self._shoe = entry.shoe
                    self._cards.clear()
                    self._places.clear()
                    self._cut_card_out = False
                case CardLeft():
                    self._cards.append(entry)
                case CutCardLeft():
                    self._cut_card_out = True
                case CardPut() if entry.shoe == self._shoe:
                    self._places[entry.number] = entry
                case _:
                    pass
            if self._file is not None:
                self._file.write(to_json(entry) + "\n")
                self._file.flush()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything so far."""
        with self._lock:
            return tuple(self._entries)

    @property
    def shoe(self) -> int:
        """Number of the shoe that is loaded, 0 before the first."""
        with self._lock:
            return self._shoe

    @property
    def cards(self) -> tuple[CardLeft, ...]:
        """Cards that left the shoe since it was loaded."""
        with self._lock:
            return tuple(self._cards)

    @property
    def cut_card_out(self) -> bool:
        """Whether the cut card left the shoe that is loaded."""
        with self._lock:
            return self._cut_card_out

    def lying(self, *places: Place) -> tuple[CardLeft, ...]:
        """Cards of this shoe that lie at one of these places now, in the order in which they left the shoe."""
        with self._lock:
            return tuple(card for card in self._cards if self._place(card) in places)

    def at(self, box: int, hand: int = 1) -> tuple[CardLeft, ...]:
        """Cards of a hand that lie on the table now; box 0 is the dealer."""
        with self._lock:
            return tuple(card for card in self.lying(Place.HAND) if self._spot(card) == (box, hand))

    @property
    def on_table(self) -> int:
        """Cards of the round: in hands, or lying aside."""
        return len(self.lying(*_ON_TABLE))

    def collect(self) -> int:
        """Every card of the round goes to the rack; how many they were."""
        with self._lock:
            cards = self.lying(*_ON_TABLE)
            for card in cards:
                self.add(CardPut(card.shoe, card.number, Place.RACK))
            return len(cards)

    @property
    def identities(self) -> tuple[str, ...]:
        """Identities of every event that a native device recorded, in order of happening."""
        return tuple(entry.identity for entry in self.entries if isinstance(entry, Said) and entry.identity)

    @property
    def rounds(self) -> tuple[RoundPlayed, ...]:
        """Rounds that ended."""
        return tuple(entry for entry in self.entries if isinstance(entry, RoundPlayed))

    def _place(self, card: CardLeft) -> Place:
        put = self._places.get(card.number)
        return Place.DEALERS_FINGERS if put is None else put.place

    def _spot(self, card: CardLeft) -> tuple[int, int]:
        put = self._places[card.number]
        return put.box, put.hand
