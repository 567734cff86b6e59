"""What really happened beside what is on record: every event of a device and every card, exactly once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from controller.core.cards import Card
from controller.core.inputs import ChipsCollected, ChipsPaid, WagerPlaced, WagerWithdrawn
from controller.journal.chain import StoredEvent
from controller.journal.reader import JournalReader
from drivers import messages as m
from drivers.native.stream import EventIdentity
from firmware_sim.entries import CardLeft, Said
from firmware_sim.world import World

SHOWN = 5
"""Examples that a finding names."""
Move = tuple[str, int, int, str, int]
"""Chips that moved: type on record, box, person, bet, amount in minor units."""


@dataclass(slots=True)
class Recorded:
    """What a journal holds, read on from where it was read last. ``identities`` are those of native events in the
    record's order; ``cards`` are (shoe counted from 1, face) as read by the shoe or named by a person; ``chips`` are
    moves with their number."""

    sequence: int = 0
    identities: list[str] = field(default_factory=list)
    cards: list[tuple[int, str]] = field(default_factory=list)
    shoes: int = 0
    hashes: list[tuple[int, str]] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)
    """native identities that came once more"""
    chips: Counter[Move] = field(default_factory=Counter)
    online: set[str] = field(default_factory=set)
    """devices that the table hears, by the record so far"""
    absences: Counter[str] = field(default_factory=Counter)
    """how often each device went away"""
    gaps: Counter[str] = field(default_factory=Counter)
    """how often something of each device may be missing"""
    _numbers: dict[str, set[int]] = field(default_factory=dict)

    def read_on(self, path: Path) -> None:
        """Read what was appended. Raises JournalError."""
        with JournalReader(path) as reader:
            for event in reader.events(self.sequence + 1):
                self._take(event, reader)

    def through(self, serial: str) -> int:
        """The highest number such that this device's events up to it are all on record."""
        numbers = self._numbers.get(serial, set())
        reached = 0
        while reached + 1 in numbers:
            reached += 1
        return reached

    def _take(self, event: StoredEvent, reader: JournalReader) -> None:
        data = event.data()
        self.sequence = event.sequence
        self.hashes.append((event.sequence, event.hash))
        identity = str(data.get("identity", ""))
        if identity.startswith("native:"):
            self.identities.append(identity)
            parsed = EventIdentity.parse(identity)
            numbers = self._numbers.setdefault(parsed.serial, set())
            if parsed.number in numbers:
                self.repeated.append(identity)
            numbers.add(parsed.number)
        device = str(data.get("device", ""))
        match event.type:
            case "system.started":
                self.online.clear()
            case "device.online":
                self.online.add(device)
            case "device.offline":
                self.absences[device] += device in self.online
                self.online.discard(device)
            case "device.gap":
                self.gaps[device] += 1
            case WagerPlaced.TYPE | WagerWithdrawn.TYPE | ChipsCollected.TYPE | ChipsPaid.TYPE:
                self.chips[event.type, data["box"], data["person"], data["bet"], data["amount_minor"]] += 1
            case "shoe.loaded":
                self.shoes += 1
            case "card.drawn" if not data["again"]:
                secret = reader.secret(str(data.get("sealed", "")))
                self.cards.append((self.shoes, str(data["card"]) if secret is None else secret.content))
            case "card.confirmed":
                self.cards.append((self.shoes, str(data["card"])))


def face(card: CardLeft) -> str:
    """A card of the world as the record writes it."""
    return Card.of(card.rank, card.suit).text


def differences(world: World, recorded: Recorded) -> list[str]:
    """One line a kind of difference between the world and the record; empty when every event, card and move of chips is
    on record exactly once, each device's events in the order in which they happened."""
    said = [entry.identity for entry in world.entries if isinstance(entry, Said) and entry.identity]
    cards = [(entry.shoe, face(entry)) for entry in world.entries if isinstance(entry, CardLeft)]
    found = _compared("native event", said, recorded.identities)
    found += _compared("card", cards, recorded.cards)
    found += _compared("chip move", list(moves(world)), list(recorded.chips.elements()))
    if not found:
        found += _disordered(said, recorded.identities)
    return found


def moves(world: World) -> Iterator[Move]:
    """Every move of chips that the sensor kept."""
    for entry in world.entries:
        if not isinstance(entry, Said) or not entry.identity:
            continue
        match entry.message:
            case m.WagerPlaced(box, seat, bet, amount_minor):
                yield WagerPlaced.TYPE, box, seat, bet, amount_minor
            case m.WagerTakenBack(box, seat, bet, amount_minor):
                yield WagerWithdrawn.TYPE, box, seat, bet, amount_minor
            case m.ChipsCollected(box, seat, bet, amount_minor):
                yield ChipsCollected.TYPE, box, seat, bet, amount_minor
            case m.PayoutMade(box, seat, bet, amount_minor):
                yield ChipsPaid.TYPE, box, seat, bet, amount_minor
            case _:
                continue


def _compared(what: str, happened: Sequence[object], recorded: Sequence[object]) -> list[str]:
    truth, record = Counter(happened), Counter(recorded)
    lines = []
    for fault, surplus in (("missing from the record", truth - record), ("on record too often", record - truth)):
        if surplus:
            examples = ", ".join(str(item) for item in list(surplus)[:SHOWN])
            lines.append(f"{surplus.total()} {what}(s) {fault}: {examples}")
    return lines


def _disordered(happened: Iterable[str], recorded: Iterable[str]) -> list[str]:
    def by_device(identities: Iterable[str]) -> dict[str, list[str]]:
        streams: dict[str, list[str]] = {}
        for identity in identities:
            streams.setdefault(EventIdentity.parse(identity).serial, []).append(identity)
        return streams

    truth, record = by_device(happened), by_device(recorded)
    return [
        f"the events of {device} are on record in another order" for device in truth if truth[device] != record[device]
    ]
