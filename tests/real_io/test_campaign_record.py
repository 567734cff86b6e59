"""The comparison of world and record sees what is lost, doubled or out of order; figures are what they are called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.figures import Samples
from bench.record import Recorded, differences
from controller.journal.chain import EventDraft
from controller.journal.sealing import new_secret
from controller.journal.store import Journal
from drivers.messages import KeyPressed, WagerPlaced
from firmware_sim.entries import CardLeft, Said
from firmware_sim.world import World

KEY = KeyPressed("hit", 1)


def identity(number: int, serial: str = "CON-1") -> str:
    return f"native:{serial}:65537:{number}"


@pytest.fixture
def world() -> World:
    made = World()
    for number in (1, 2, 3):
        made.add(Said("console", KEY, identity(number)))
    for number, rank in ((1, 13), (2, 13), (3, 10)):
        made.add(CardLeft(1, number, rank, "D", readable=number != 3))
    return made


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "t.sqlite", "lv1", "bj-1") as opened:
        opened.start()
        yield opened


def write(journal: Journal, numbers: tuple[int, ...], cards: tuple[str, ...], named: tuple[str, ...]) -> Recorded:
    """A journal with these events and cards on it, as read back."""

    def add(event_type: str, data: dict[str, Any]) -> None:
        journal.append((EventDraft(event_type, data, 1_767_268_800_000_000),))

    for number in numbers:
        add("player.decision", {"identity": identity(number)})
    add("shoe.loaded", {"shoe": 1})
    for card in cards:
        add("card.drawn", {"card": card, "again": False})
    add("card.drawn", {"card": "KD", "again": True})
    for card in named:
        add("card.confirmed", {"card": card})
    recorded = Recorded()
    recorded.read_on(journal.path)
    return recorded


def test_a_whole_record_has_no_difference(world: World, journal: Journal) -> None:
    recorded = write(journal, (1, 2, 3), ("KD", "KD"), ("TD",))
    assert differences(world, recorded) == []
    assert recorded.through("CON-1") == 3
    assert recorded.repeated == []


def test_what_is_missing_is_named(world: World, journal: Journal) -> None:
    recorded = write(journal, (1, 3), ("KD",), ("TD",))
    assert differences(world, recorded) == [
        f"1 native event(s) missing from the record: {identity(2)}",
        "1 card(s) missing from the record: (1, 'KD')",
    ]
    assert recorded.through("CON-1") == 1


def test_what_stands_there_too_often_is_named(world: World, journal: Journal) -> None:
    recorded = write(journal, (1, 2, 2, 3), ("KD", "KD"), ("TD", "TD"))
    assert differences(world, recorded) == [
        f"1 native event(s) on record too often: {identity(2)}",
        "1 card(s) on record too often: (1, 'TD')",
    ]
    assert recorded.repeated == [identity(2)]


def test_another_order_is_named(world: World, journal: Journal) -> None:
    recorded = write(journal, (1, 3, 2), ("KD", "KD"), ("TD",))
    assert differences(world, recorded) == ["the events of CON-1 are on record in another order"]


def test_reading_on_takes_only_what_is_new(world: World, journal: Journal) -> None:
    recorded = write(journal, (1, 2), ("KD", "KD"), ("TD",))
    journal.append((EventDraft("player.decision", {"identity": identity(3)}, 1_767_268_800_000_000),))
    recorded.read_on(journal.path)
    recorded.read_on(journal.path)
    assert differences(world, recorded) == []
    assert [sequence for sequence, _ in recorded.hashes] == list(range(1, journal.tip.sequence + 1))


def test_moves_of_chips_are_compared_with_what_they_say(world: World, journal: Journal) -> None:
    world.add(Said("bets", WagerPlaced(1, 2, "main", 500), identity(1, "BET-1")))
    world.add(Said("bets", WagerPlaced(1, 2, "main", 700), ""))
    chips = {"device": "bets", "box": 1, "person": 2, "bet": "main", "amount_minor": 600}
    event = EventDraft("chips.placed", chips | {"identity": identity(1, "BET-1")}, 1_767_268_800_000_000)
    journal.append((event,))
    assert differences(world, write(journal, (1, 2, 3), ("KD", "KD"), ("TD",))) == [
        "1 chip move(s) missing from the record: ('chips.placed', 1, 2, 'main', 500)",
        "1 chip move(s) on record too often: ('chips.placed', 1, 2, 'main', 600)",
    ]


def test_a_sealed_card_counts_as_what_it_is(world: World, journal: Journal) -> None:
    secret = new_secret("KD")
    sealed = {"card": None, "sealed": secret.sealed, "again": False}
    recorded = write(journal, (1, 2, 3), ("KD",), ("TD",))
    journal.append((EventDraft("card.drawn", sealed, 1_767_268_800_000_000),), secrets=(secret,))
    recorded.read_on(journal.path)
    assert differences(world, recorded) == []


def test_absences_are_counted_once_each_and_forgotten_at_a_start(journal: Journal) -> None:
    for event_type in ("device.online", "device.offline", "device.offline", "device.online", "system.started"):
        journal.append((EventDraft(event_type, {"device": "shoe"}, 1_767_268_800_000_000),))
    recorded = Recorded()
    recorded.read_on(journal.path)
    assert (recorded.absences["shoe"], recorded.online) == (1, set())


def test_percentiles_are_of_the_ordered_samples() -> None:
    samples = Samples("x", [float(number) for number in range(100, 0, -1)])
    assert (samples.p50_ms, samples.p99_ms, samples.percentile_ms(1.0)) == (51.0, 100.0, 100.0)
    assert Samples("one", [7.0]).p99_ms == 7.0
