"""The publisher against real brokers: everything arrives, in order, whoever dies."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import RootModel

from controller.bus.broker import EmbeddedBroker, free_port
from controller.bus.endpoint import Endpoint
from controller.bus.payloads import Alert, Condition
from controller.bus.topics import Topics
from controller.bus.window import Window
from controller.bus.wire import to_json

if TYPE_CHECKING:
    from bench.brokers import Mosquitto
    from tests.bus.conftest import Subscriber, Table

TOPICS = Topics("lv1", "bj-012")
Subscribe = Callable[..., "Subscriber"]
Until = Callable[..., None]


class Thing(RootModel[dict[str, Any]]):
    """A payload of any members."""


def alert(name: str, code: str) -> Alert:
    return Alert(id=name, code=code, severity="open", expected="this", actual="that", corrections=())


def sequences(subscriber: Subscriber) -> list[int]:
    return [int(event["sequence"]) for event in subscriber.json(TOPICS.evt)]


@pytest.mark.broker
def test_events_arrive_as_they_stand_in_the_journal(
    mosquitto: Mosquitto, table: Table, subscribe: Subscribe, until: Until
) -> None:
    subscriber = subscribe(mosquitto.port, f"{TOPICS.base}/#")
    table.append(200)
    publisher = table.publish(mosquitto.endpoint)
    until(lambda: len(sequences(subscriber)) == 200, "the backlog")
    table.append(3)
    until(lambda: len(sequences(subscriber)) == 203, "the new events")
    assert subscriber.messages(TOPICS.evt) == [event.envelope for event in table.journal.events()]
    until(lambda: publisher.health().acknowledged == 203, "all acknowledged")
    until(lambda: table.outbox().sequence == 203, "the cursor on the disk")
    assert (publisher.health().connected, publisher.health().trouble, publisher.running) == (True, "", True)


@pytest.mark.broker
def test_nats_takes_the_same(nats: EmbeddedBroker, table: Table, subscribe: Subscribe, until: Until) -> None:
    endpoint = nats.endpoint()
    assert endpoint is not None
    subscriber = subscribe(endpoint.port, f"{TOPICS.base}/evt", f"{TOPICS.base}/status")
    table.append(100)
    table.publish(endpoint)
    until(lambda: sequences(subscriber) == list(range(1, 101)), "the events")
    until(lambda: subscriber.json(TOPICS.status), "the status")


@pytest.mark.broker
def test_retained_topics_are_there_for_late_comers(
    mosquitto: Mosquitto, table: Table, subscribe: Subscribe, until: Until
) -> None:
    publisher = table.publish(mosquitto.endpoint)
    publisher.set_status(Condition("ready"))
    publisher.set_meta(Thing({"game": "blackjack"}))
    publisher.set_state(Thing({"phase": "betting", "as_of": 0}))
    publisher.open_alert(alert("a1", "PAY_AMOUNT"))
    publisher.open_alert(alert("a2", "LATE_BET"))
    publisher.telemetry("shoe", Thing({"bad_checksum": 2}))
    publisher.close_alert("a2")
    late = subscribe(mosquitto.port, f"{TOPICS.base}/#")
    until(lambda: late.json(TOPICS.status) and late.json(TOPICS.status)[-1]["state"] == "ready", "ready")
    until(lambda: late.json(TOPICS.meta) == [{"game": "blackjack"}], "meta")
    until(lambda: late.json(TOPICS.state) == [{"as_of": 0, "phase": "betting"}], "state")
    until(lambda: [a["code"] for a in late.json(TOPICS.alert("a1"))] == ["PAY_AMOUNT"], "the open alert")
    until(lambda: late.json(TOPICS.heartbeat), "a heartbeat")
    beat = late.json(TOPICS.heartbeat)[-1]
    assert beat["free_bytes"] == 12345
    assert (beat["head"], beat["acknowledged"], beat["journalid"]) == (0, 0, table.journal.journal_id)
    publisher.stop()
    again = subscribe(mosquitto.port, f"{TOPICS.base}/#")
    until(lambda: again.json(TOPICS.status), "the last status")
    assert again.json(TOPICS.status)[-1]["state"] == "offline"
    assert again.messages(TOPICS.alert("a2")) == []


@pytest.mark.broker
def test_a_table_that_was_lost_is_not_taken_for_one_that_was_switched_off(
    mosquitto: Mosquitto, table: Table, subscribe: Subscribe, until: Until
) -> None:
    publisher = table.publish(mosquitto.endpoint)
    publisher.set_status(Condition("ready"))
    until(lambda: publisher.health().connected, "connected")
    publisher.set_status(Condition("lost", "the disk is full"))
    publisher.stop()
    later = subscribe(mosquitto.port, TOPICS.status)
    until(lambda: later.json(TOPICS.status), "the last status")
    assert [later.json(TOPICS.status)[-1][key] for key in ("state", "reason")] == ["lost", "the disk is full"]


@pytest.mark.broker
def test_state_goes_out_four_times_a_second_and_ends_with_the_newest(
    mosquitto: Mosquitto, table: Table, subscribe: Subscribe, until: Until
) -> None:
    subscriber = subscribe(mosquitto.port, TOPICS.state)
    publisher = table.publish(mosquitto.endpoint)
    until(lambda: publisher.health().connected, "connected")
    for number in range(2000):
        publisher.set_state(Thing({"as_of": number}))
    until(lambda: {"as_of": 1999} in subscriber.json(TOPICS.state), "the newest state")
    # However long the loop took on a busy machine: nothing like 2000 messages.
    assert len(subscriber.json(TOPICS.state)) < 200


@pytest.mark.broker
def test_a_status_that_somebody_overwrote_is_set_right(
    mosquitto: Mosquitto, table: Table, subscribe: Subscribe, until: Until
) -> None:
    subscriber = subscribe(mosquitto.port, f"{TOPICS.base}/#")
    publisher = table.publish(mosquitto.endpoint)
    publisher.set_status(Condition("ready"))
    until(
        lambda: subscriber.json(TOPICS.status)[-1:] and subscriber.json(TOPICS.status)[-1]["state"] == "ready", "ready"
    )
    lost = {"state": "lost", "epoch": 1}
    subscriber.publish(TOPICS.status, to_json(lost), retain=True)
    until(
        lambda: lost in subscriber.json(TOPICS.status) and subscriber.json(TOPICS.status)[-1]["state"] == "ready",
        "ready again",
    )
    subscriber.publish(TOPICS.status, to_json({"state": "held", "epoch": 1}), retain=True)
    until(lambda: "another controller" in publisher.health().trouble, "the rival named")


@pytest.mark.broker
def test_alerts_of_an_earlier_life_are_taken_down(
    mosquitto: Mosquitto, table: Table, subscribe: Subscribe, until: Until
) -> None:
    subscriber = subscribe(mosquitto.port, f"{TOPICS.base}/alert/+")
    subscriber.publish(TOPICS.alert("old"), b"{}", retain=True)
    subscriber.publish(TOPICS.alert("open"), b"{}", retain=True)
    publisher = table.publish(mosquitto.endpoint)
    publisher.open_alert(alert("open", "LATE_BET"))
    until(lambda: subscriber.messages(TOPICS.alert("old"))[-1:] == [b""], "the old alert closed")
    until(
        lambda: [a.get("code") for a in subscriber.json(TOPICS.alert("open"))[-1:]] == ["LATE_BET"],
        "the open alert shown",
    )


@pytest.mark.broker
def test_a_dead_broker_is_named_and_the_next_one_tried(
    mosquitto: Mosquitto, table: Table, subscribe: Subscribe, until: Until
) -> None:
    nowhere = Endpoint("127.0.0.1", free_port())
    subscriber = subscribe(mosquitto.port, TOPICS.evt)
    table.append(5)
    publisher = table.publish(nowhere)
    until(lambda: f"broker {nowhere}" in publisher.health().trouble, "the dead broker named")
    assert not publisher.health().connected
    table.stop()
    table.publish(nowhere, mosquitto.endpoint)
    until(lambda: sequences(subscriber) == [1, 2, 3, 4, 5], "the events by the second broker")


def loss_after_killing_a_frozen_broker(
    mosquitto: Mosquitto, table: Table, subscriber: Subscriber, until: Until
) -> set[int]:
    """Publish into a frozen broker, kill it and the publisher, bring both back; which events never
    arrived?
    """
    publisher = table.publish(mosquitto.endpoint)
    table.append(20)
    until(lambda: len(set(sequences(subscriber))) == 20 and publisher.health().acknowledged == 20, "the first events")
    mosquitto.hang()
    table.append(100)
    until(lambda: publisher.health().published >= 20 + 64, "a full window on its way to nobody")
    subscriber.forget_subscription()
    mosquitto.kill()
    until(lambda: not publisher.health().connected, "the broker missed")
    table.stop()
    mosquitto.start()
    subscriber.wait_subscribed()
    table.publish(mosquitto.endpoint)
    until(lambda: 120 in sequences(subscriber), "the last event")
    return set(range(1, 121)) - set(sequences(subscriber))


@pytest.mark.broker
def test_nothing_is_lost_with_a_killed_broker(
    mosquitto: Mosquitto, table: Table, subscribe: Subscribe, until: Until
) -> None:
    subscriber = subscribe(mosquitto.port, TOPICS.evt)
    assert loss_after_killing_a_frozen_broker(mosquitto, table, subscriber, until) == set()


@pytest.mark.broker
def test_a_cursor_advanced_before_the_acknowledgement_would_lose_events(
    mosquitto: Mosquitto, table: Table, subscribe: Subscribe, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Window, "safe_cursor", lambda window: window.sent_through)
    subscriber = subscribe(mosquitto.port, TOPICS.evt)
    assert loss_after_killing_a_frozen_broker(mosquitto, table, subscriber, until)


PUBLISHER = """
import sys, time
from pathlib import Path
from controller.bus.commands import CommandJudge
from controller.bus.endpoint import Endpoint
from controller.bus.keys import Target
from controller.bus.publisher import Publisher
from controller.bus.topics import Topics
from controller.bus.voice import Identity, Pace
from controller.journal.outbox import Outbox
from controller.journal.reader import JournalReader
folder, port = Path(sys.argv[1]), int(sys.argv[2])
reader = JournalReader(folder / "t.journal")
topics = Topics(reader.site, reader.table)
Publisher(
    [Endpoint("127.0.0.1", port)], Identity(topics, reader.journal_id, 1), reader,
    Outbox(folder / "t.cursor", reader.journal_id), CommandJudge(Target(reader.site, reader.table, 1), [], []),
    None, pace=Pace(cursor_s=0.01),
).start()
time.sleep(600)
"""


@pytest.mark.broker
def test_nothing_is_lost_with_a_killed_publisher(
    mosquitto: Mosquitto, table: Table, subscribe: Subscribe, until: Until, tmp_path: Path
) -> None:
    subscriber = subscribe(mosquitto.port, TOPICS.evt, TOPICS.status)
    table.append(4000)
    for part in (1, 2, 3):
        process = subprocess.Popen([sys.executable, "-c", PUBLISHER, str(tmp_path), str(mosquitto.port)])
        goal = table.outbox().sequence + 300
        until(lambda goal=goal: table.outbox().sequence >= goal, f"some events of part {part}")
        process.send_signal(signal.SIGKILL)
        process.wait()
    until(lambda: any(status["state"] == "lost" for status in subscriber.json(TOPICS.status)), "the will")
    table.publish(mosquitto.endpoint)
    until(lambda: set(sequences(subscriber)) == set(range(1, 4001)), "every event")


@pytest.mark.broker
def test_troubles_are_one_line_each_and_stop_nothing(
    mosquitto: Mosquitto, table: Table, subscribe: Subscribe, until: Until, tmp_path: Path
) -> None:
    subscriber = subscribe(mosquitto.port, TOPICS.evt)
    (tmp_path / "t.cursor.new").mkdir()
    publisher = table.publish(mosquitto.endpoint)
    table.append(5)
    until(lambda: "cursor cannot be written" in publisher.health().trouble, "the cursor's trouble")
    until(lambda: sequences(subscriber) == [1, 2, 3, 4, 5], "the events all the same")
    (tmp_path / "t.cursor.new").rmdir()
    until(lambda: publisher.health().trouble == "" and table.outbox().sequence == 5, "the trouble over")
    ahead = to_json({"sequences": {table.journal.journal_id: 99}})
    subscriber.publish(TOPICS.ack("historian"), ahead, retain=True)
    until(lambda: "has event 99, the journal ends at 5" in publisher.health().trouble, "the lost end named")
    table.journal.close()
    until(lambda: f"journal {tmp_path}" in publisher.health().trouble, "the unreadable journal named")
    assert publisher.running
