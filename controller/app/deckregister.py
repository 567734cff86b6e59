"""The deck register: which tag is which card of which deck, in a SQLite file that the tables of a house may share.

A new deck is enrolled by reading each of its cards once, in the order of `controller.core.cards.DECK`. A tag belongs to
one card for ever: it is refused for any other, also after its card was replaced or its deck retired.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from controller.app.deckregister_file import RegisterError, errors_named, open_file
from controller.core.cards import DECK, Card

DECK_CODE: Final = re.compile(r"[A-Za-z0-9._-]{1,32}")
UID: Final = re.compile(r"(?:[0-9A-F]{2}){4,10}")


@dataclass(frozen=True, slots=True)
class DeckStatus:
    """A deck: how many of its 52 cards are enrolled, and how many tags were replaced. Times are UTC in microseconds
    since 1970, None for what has not happened."""

    code: str
    cards: int
    replaced: int
    began_us: int
    complete_us: int | None
    retired_us: int | None

    @property
    def playable(self) -> bool:
        """Whether it is complete and not retired, so that its tags are cards."""
        return self.complete_us is not None and self.retired_us is None


@dataclass(frozen=True, slots=True)
class Entry:
    """A tag on record; ``replaced_us`` as in DeckStatus."""

    deck: str
    card: Card
    uid: str
    read_us: int
    replaced_us: int | None


@dataclass(frozen=True, slots=True)
class Enrolled:
    """A card was enrolled: ``number`` of 52; ``following`` is the one that must be read next, None when it was the
    last."""

    card: Card
    number: int
    following: Card | None


class DeckRegister:
    """The register in one file. Not for several threads at once; several processes may have it open. Use it as a
    context manager, or close it. Every method raises RegisterError."""

    def __init__(self, path: Path, now_us: Callable[[], int], *, create: bool = False) -> None:
        """Open the file; with ``create`` it is made when there is none. ``now_us`` says the time."""
        self.path = path
        self._now_us = now_us
        self._file = open_file(path, create=create)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def begin(self, deck: str) -> Card | None:
        """Begin or go on with the enrolment of a deck; the card that must be read next, None when it is complete."""
        if not DECK_CODE.fullmatch(deck):
            raise RegisterError(f"deck {deck!r}: a deck's code has 1 to 32 letters, digits, dots, hyphens, underscores")
        with self._transaction():
            if self._status(deck) is None:
                self._file.execute("INSERT INTO deck (code, began_us) VALUES (?, ?)", (deck, self._now_us()))
            return self._due(deck)

    def enrol(self, deck: str, uid: str) -> Enrolled:
        """The tag ``uid`` (upper-case hex) is that of the card due. Refuses a tag that is known, whatever it is."""
        with self._transaction():
            due = self._due(deck)
            if due is None:
                raise RegisterError(f"deck {deck} is complete; `replace` exchanges a card")
            self._claim(deck, due, uid)
            following = self._due(deck)
            if following is None:
                self._file.execute("UPDATE deck SET complete_us = ? WHERE code = ?", (self._now_us(), deck))
            number = len(DECK) if following is None else len(self._faces(deck))
            return Enrolled(due, number, following)

    def replace(self, deck: str, card: Card, uid: str) -> Entry:
        """A card of the deck was exchanged for a new one with the tag ``uid``; answers the old one, which is never a
        card again."""
        with self._transaction():
            self._known(deck)
            found = self._entries("WHERE deck = ? AND face = ? AND replaced_us IS NULL", (deck, card.text))
            if not found:
                raise RegisterError(f"deck {deck}: its {card.pretty} was never enrolled; enrol the deck first")
            when = self._now_us()
            self._file.execute("UPDATE card SET replaced_us = ? WHERE uid = ?", (when, found[0].uid))
            self._claim(deck, card, uid)
            return Entry(deck, card, found[0].uid, found[0].read_us, when)

    def retire(self, deck: str) -> None:
        """The deck is not played any more: its tags are no cards."""
        with self._transaction():
            if self._known(deck).retired_us is not None:
                raise RegisterError(f"deck {deck} is retired already")
            self._file.execute("UPDATE deck SET retired_us = ? WHERE code = ?", (self._now_us(), deck))

    def decks(self) -> tuple[DeckStatus, ...]:
        """All decks by code."""
        with errors_named(self.path):
            rows = self._file.execute(f"{_DECKS} GROUP BY deck.code ORDER BY deck.code").fetchall()
        return tuple(DeckStatus(*row) for row in rows)

    def entries(self, deck: str | None = None) -> tuple[Entry, ...]:
        """Tags of one deck or of all, those that were replaced too, by deck and card."""
        if deck is None:
            return self._entries("", ())
        self._known(deck)
        return self._entries("WHERE deck = ?", (deck,))

    def face_of(self, uid: str) -> Card | None:
        """The card of a tag; None when it is unknown, was replaced, or its deck is incomplete or retired."""
        with errors_named(self.path):
            row = self._file.execute(_FACE, (uid,)).fetchone()
            return None if row is None else Card(row[0])

    def tags(self) -> dict[str, Card]:
        """Every tag that is a card now, as `face_of` has them."""
        with errors_named(self.path):
            rows = self._file.execute(f"SELECT card.uid, card.face FROM {_CARDS_NOW}").fetchall()
        return {uid: Card(face) for uid, face in rows}

    def _claim(self, deck: str, card: Card, uid: str) -> None:
        if not UID.fullmatch(uid):
            raise RegisterError(f"{uid!r} is no tag: 4 to 10 bytes in upper-case hex are expected")
        for known in self._entries("WHERE uid = ?", (uid,)):
            now = "was" if known.replaced_us is not None else "is"
            raise RegisterError(f"tag {uid} {now} the {known.card.pretty} of deck {known.deck}: take another card")
        values = (uid, deck, card.text, self._now_us())
        self._file.execute("INSERT INTO card (uid, deck, face, read_us) VALUES (?, ?, ?, ?)", values)

    def _due(self, deck: str) -> Card | None:
        status = self._known(deck)
        if status.retired_us is not None:
            raise RegisterError(f"deck {deck} is retired; enrol the cards under a new code")
        if status.complete_us is not None:
            return None
        have = self._faces(deck)
        return next((card for card in DECK if card.text not in have), None)

    def _faces(self, deck: str) -> frozenset[str]:
        return frozenset(entry.card.text for entry in self._entries("WHERE deck = ? AND replaced_us IS NULL", (deck,)))

    def _known(self, deck: str) -> DeckStatus:
        status = self._status(deck)
        if status is None:
            known = ", ".join(known.code for known in self.decks()) or "none"
            raise RegisterError(f"deck {deck} is unknown; known are: {known}")
        return status

    def _status(self, deck: str) -> DeckStatus | None:
        with errors_named(self.path):
            row = self._file.execute(f"{_DECKS} WHERE deck.code = ? GROUP BY deck.code", (deck,)).fetchone()
        return None if row is None else DeckStatus(*row)

    def _entries(self, where: str, values: tuple[str, ...]) -> tuple[Entry, ...]:
        with errors_named(self.path):
            rows = self._file.execute(
                f"SELECT deck, face, uid, read_us, replaced_us FROM card {where}", values
            ).fetchall()
            entries = [Entry(deck, Card(face), uid, read, replaced) for deck, face, uid, read, replaced in rows]
        return tuple(sorted(entries, key=lambda entry: (entry.deck, entry.card.index, entry.read_us)))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with errors_named(self.path):
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._file.execute("ROLLBACK")
                raise
            self._file.execute("COMMIT")


_DECKS: Final = (
    "SELECT deck.code, count(card.uid) - count(card.replaced_us), count(card.replaced_us), "
    "deck.began_us, deck.complete_us, deck.retired_us FROM deck LEFT JOIN card ON card.deck = deck.code"
)
_CARDS_NOW: Final = (
    "card JOIN deck ON deck.code = card.deck WHERE card.replaced_us IS NULL "
    "AND deck.complete_us IS NOT NULL AND deck.retired_us IS NULL"
)
_FACE: Final = f"SELECT card.face FROM {_CARDS_NOW} AND card.uid = ?"
