"""The historian against real brokers: nothing is lost, and nothing false is believed."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.bus.backoff import Backoff
from controller.bus.broker import EmbeddedBroker
from controller.bus.endpoint import Endpoint
from controller.bus.historian import KEPT_UNCONFIRMED, Historian, HistorianPace
from controller.bus.history import ArchivedEvent, BadEventError, History, HistoryFinding, read_event
from controller.bus.lineage import genesis_of
from controller.bus.topics import Topics, host_status
from controller.bus.wire import to_json
from controller.journal.chain import EventDraft, Origin, StoredEvent, genesis_hash, seal
from controller.journal.checkpoint import write_checkpoint
from controller.journal.signing import Signer

if TYPE_CHECKING:
    from bench.brokers import Mosquitto
    from tests.bus.conftest import Subscriber, Table

TOPICS = Topics("lv1", "bj-012")
PACE = HistorianPace(patience_s=0.1, ask_s=0.5, repeat_s=0.5)
Make = Callable[..., Historian]
Until = Callable[..., None]


@pytest.fixture
def historian(tmp_path: Path) -> Iterator[Make]:
    made: list[Historian] = []

    def make(endpoint: Endpoint, *, ask_gaps: bool = True) -> Historian:
        path = tmp_path / "history.db"
        made.append(Historian([endpoint], "lv1", path, ask_gaps=ask_gaps, pace=PACE, backoff=Backoff(0.05, 0.3)))
        made[-1].start()
        return made[-1]

    yield make
    for one in made:
        one.stop()


@pytest.fixture
def archive(mosquitto: Mosquitto, historian: Make, until: Until) -> Historian:
    """One that hears the broker."""
    made = historian(mosquitto.endpoint)
    until(lambda: not made.trouble, "the archive connected")
    return made


@pytest.fixture
def stranger(mosquitto: Mosquitto, subscribe: Callable[..., Subscriber]) -> Subscriber:
    """Somebody who listens to the table, and may publish as it."""
    return subscribe(mosquitto.port, TOPICS.evt, TOPICS.ack("historian"))


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    opened = History(tmp_path / "h.db")
    yield opened
    opened.close()


def archived(table: Table, path: Path) -> list[bytes]:
    history = History(path)
    try:
        return [envelope for _, _, envelope in history.events(table.journal.journal_id)]
    finally:
        history.close()


@pytest.mark.broker
def test_the_archive_is_the_journal(
    mosquitto: Mosquitto,
    table: Table,
    historian: Make,
    subscribe: Callable[..., Subscriber],
    until: Until,
    tmp_path: Path,
) -> None:
    table.append(500)
    publisher = table.publish(mosquitto.endpoint)
    until(lambda: publisher.health().acknowledged == 500, "published before there was an archive")
    archive = historian(mosquitto.endpoint)
    journal_id = table.journal.journal_id
    until(lambda: archive.stored().get(journal_id) == 500, "the past, asked for")
    table.append(50)
    until(lambda: archive.stored().get(journal_id) == 550, "the present")
    until(lambda: publisher.health().archived == 550, "the archive's acknowledgement")
    late = subscribe(mosquitto.port, TOPICS.ack("historian"), host_status("lv1", "historian"))
    until(lambda: late.json(TOPICS.ack("historian")), "the retained ack")
    assert late.json(TOPICS.ack("historian"))[-1]["sequences"] == {journal_id: 550}
    archive.stop()
    until(lambda: late.json(host_status("lv1", "historian"))[-1]["state"] == "offline", "the archive's goodbye")
    assert archived(table, tmp_path / "history.db") == [event.envelope for event in table.journal.events()]


@pytest.mark.broker
@pytest.mark.parametrize("ask_gaps", [True, False])
def test_brokers_and_publishers_die_and_nothing_is_lost(
    mosquitto: Mosquitto, table: Table, historian: Make, until: Until, ask_gaps: bool
) -> None:
    """Without asking for gaps it is the table alone that rewinds to the archive's acknowledgement."""
    archive = historian(mosquitto.endpoint, ask_gaps=ask_gaps)
    until(lambda: not archive.trouble, "the archive connected")
    for life in range(3):
        table.publish(mosquitto.endpoint)
        table.append(300)
        until(lambda: archive.stored().get(table.journal.journal_id, 0) > 0, "the archive at work")
        if life == 1:
            mosquitto.hang()
            table.append(200)
        mosquitto.kill()
        if life < 2:
            table.stop()
        mosquitto.start()
    until(lambda: archive.stored()[table.journal.journal_id] == table.journal.head(), "everything archived")
    assert table.journal.head() == 1100


@pytest.mark.broker
def test_the_archive_catches_up_over_nats_killed_in_the_middle(
    nats: EmbeddedBroker, table: Table, historian: Make, until: Until
) -> None:
    endpoint = nats.endpoint()
    assert endpoint is not None
    archive = historian(endpoint)
    table.publish(endpoint)
    table.append(400)
    until(lambda: archive.stored().get(table.journal.journal_id, 0) > 50, "the archive at work")
    pid = nats.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    table.append(400)
    until(lambda: nats.state().starts == 2, "the broker back")
    until(lambda: archive.stored()[table.journal.journal_id] == 800, "everything archived")


def chain(count: int, origin: Origin | None = None) -> list[StoredEvent]:
    origin = origin or Origin("01JX0000000000000000000000", "lv1", "bj-012", 1)
    events: list[StoredEvent] = []
    digest = genesis_hash(origin.journal_id)
    for number in range(1, count + 1):
        events.append(seal(EventDraft("card.dealt", {"n": number}, number), origin, number, digest))
        digest = events[-1].hash
    return events


def read(*events: StoredEvent) -> list[ArchivedEvent]:
    return [read_event(TOPICS, event.envelope) for event in events]


def test_any_order_and_repetition_ends_contiguous(history: History) -> None:
    events = chain(6)
    journal_id = "01JX0000000000000000000000"
    assert genesis_of(journal_id) == genesis_hash(journal_id)
    history.add(TOPICS, read(events[4], events[1], events[1]))
    assert [(p.contiguous, p.next_stored) for p in history.progress()] == [(0, 2)]
    history.add(TOPICS, read(events[0]))
    assert [(p.contiguous, p.next_stored) for p in history.progress()] == [(2, 5)]
    history.add(TOPICS, read(*reversed(events)))
    assert history.contiguous(journal_id) == 6
    assert history.contiguous("other") == 0
    assert history.events(journal_id) == [(e.sequence, e.hash, e.envelope) for e in events]
    assert history.findings() == []


def test_another_history_is_a_finding_and_not_kept(history: History) -> None:
    events = chain(4)
    forged = seal(
        EventDraft("card.dealt", {"n": 99}, 0), Origin("01JX0000000000000000000000", "lv1", "bj-012", 1), 2, "00"
    )
    history.add(TOPICS, read(events[0], forged))
    assert history.contiguous("01JX0000000000000000000000") == 1
    history.add(TOPICS, read(*events))
    assert history.contiguous("01JX0000000000000000000000") == 4
    rival = seal(
        EventDraft("card.dealt", {"n": 7}, 0), Origin("01JX0000000000000000000000", "lv1", "bj-012", 1), 3, "00"
    )
    history.add(TOPICS, read(rival))
    assert history.findings() == [
        HistoryFinding("01JX0000000000000000000000", 2, f"event {forged.hash} does not follow event 1"),
        HistoryFinding("01JX0000000000000000000000", 3, f"another event of this number came, {rival.hash}"),
    ]
    assert history.events("01JX0000000000000000000000", 3, 3)[0][1] == events[2].hash


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda payload: payload.replace(b'"n":1', b'"n":2'), "the hash is not"),
        (lambda payload: payload + b" ", "not canonical"),
        (lambda payload: b"{", "not JSON"),
        (lambda payload: payload.replace(b"bj-012", b"bj-013"), "the hash is not"),
        (lambda payload: b'{"a":"' + b"x" * 300_000 + b'"}', "more than"),
    ],
)
def test_what_is_no_event_is_refused(change: Callable[[bytes], bytes], reason: str) -> None:
    with pytest.raises(BadEventError, match=reason):
        read_event(TOPICS, change(chain(1)[0].envelope))


def test_an_event_of_another_table_is_refused() -> None:
    (event,) = chain(1, Origin("01JX0000000000000000000000", "lv1", "bj-099", 1))
    with pytest.raises(BadEventError, match="source '/site/lv1/table/bj-099'"):
        read_event(TOPICS, event.envelope)


@pytest.mark.broker
def test_rubbish_on_the_bus_does_not_stop_the_archive(
    mosquitto: Mosquitto, table: Table, archive: Historian, stranger: Subscriber, until: Until, tmp_path: Path
) -> None:
    for payload in (b"x", b"{}", b"x" * 1_000_000, json.dumps({"hash": "0"}).encode()):
        stranger.publish(TOPICS.evt, payload)
        stranger.publish(TOPICS.heartbeat, payload)
    stranger.publish(TOPICS.heartbeat, to_json({"journalid": "J-liar", "head": 10**15}))
    table.append(20)
    table.publish(mosquitto.endpoint)
    until(lambda: archive.stored().get(table.journal.journal_id) == 20, "the true events")
    archive.stop()
    history = History(tmp_path / "history.db")
    findings = history.findings()
    history.close()
    assert len(findings) == 3
    assert all("tablewatch/v1/lv1/bj-012" in finding.what for finding in findings)


@pytest.mark.broker
def test_an_event_that_a_stranger_publishes_first_does_not_stay(
    mosquitto: Mosquitto, table: Table, archive: Historian, stranger: Subscriber, until: Until, tmp_path: Path
) -> None:
    table.append(20)
    table.publish(mosquitto.endpoint)
    journal_id = table.journal.journal_id
    until(lambda: archive.stored().get(journal_id) == 20, "the past")
    last = list(table.journal.events())[-1]
    lie = seal(EventDraft("card.dealt", {"n": 99}, 0), Origin(journal_id, "lv1", "bj-012", 1), 21, last.hash)
    stranger.publish(TOPICS.evt, lie.envelope)
    until(lambda: archive.stored()[journal_id] == 21, "the lie")
    table.append(20)
    until(lambda: archive.stored()[journal_id] == 40, "the true events")
    key = Signer(Ed25519PrivateKey.generate())
    write_checkpoint(table.journal, key, b"state", 1)
    table.append(1)

    def acknowledged() -> dict[str, int]:
        return dict(stranger.json(TOPICS.ack("historian"))[-1]["sequences"])

    until(lambda: acknowledged().get(journal_id) == 42, "everything acknowledged")
    for number in range(100):
        name = f"7ZZZZZZZZZZZZZZZZZZZZZZ{number:03d}"
        stranger.publish(TOPICS.evt, chain(1, Origin(name, "lv1", "bj-012", 1))[0].envelope)
    until(lambda: len(archive.stored()) == 101, "the invented journals")
    table.append(1)
    until(lambda: acknowledged().get(journal_id) == 43, "the true journal still acknowledged")
    assert len(acknowledged()) <= 1 + KEPT_UNCONFIRMED
    archive.stop()
    assert archived(table, tmp_path / "history.db") == [event.envelope for event in table.journal.events()]


def test_an_archive_that_cannot_be_opened_says_so(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.Error):
        History(tmp_path)
