"""``tablewatch tail`` against a real broker: lines, JSON, gaps, liars, a broker that goes, an archive."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

from controller.bus.endpoint import Endpoint
from controller.bus.publisher import Publisher
from controller.bus.topics import Topics
from controller.cli.follow import GapNews, LinkNews, News, TableFollower
from controller.cli.sequence import Broken, InOrder

Cli = Callable[..., tuple[int, str, str]]
Until = Callable[[Callable[[], object], str], None]
TOPICS = Topics("lv1", "bj-012")
TAIL = (sys.executable, "-c", "from controller.cli.main import main; main()", "tail")
HERE = ("--site", "lv1", "--table", "bj-012")


@pytest.fixture
def speak(broker: Endpoint) -> Iterator[Client]:
    """A bare client that may say anything."""
    client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv311)
    client.connect(broker.host, broker.port)
    client.loop_start()
    yield client
    client.disconnect()
    client.loop_stop()


class Listener:
    """A follower that keeps its news."""

    def __init__(self, follower: TableFollower, until: Until) -> None:
        self.follower = follower
        self.news: list[News] = []
        self._until = until

    def hear(self, condition: Callable[[list[News]], object], what: str) -> list[News]:
        def more() -> object:
            self.news += self.follower.next(0.05)
            return condition(self.news)

        self._until(more, what)
        return self.news

    def sequences(self) -> list[int]:
        return [item.event.sequence for item in self.news if isinstance(item, InOrder)]

    def broken(self) -> list[str]:
        return [item.text for item in self.news if isinstance(item, Broken)]


@pytest.fixture
def listen(until: Until) -> Iterator[Callable[..., Listener]]:
    made: list[TableFollower] = []

    def make(broker: Endpoint, first: int | None = None, *, connected: bool = True) -> Listener:
        made.append(TableFollower((broker,), TOPICS, first))
        made[-1].start()
        listener = Listener(made[-1], until)
        if connected:
            listener.hear(lambda news: LinkNews("") in news, "connected")
        return listener

    yield make
    for follower in made:
        follower.stop()


def test_lines_from_the_first_event_on(cli: Cli, played: Any, publisher: Publisher, broker: Endpoint) -> None:
    publisher.start()
    head = played.journal.head()
    code, out, err = cli("tail", "--broker", broker, *HERE, "--from", 1, "--count", head)
    assert (code, err) == (0, "")
    said = [" ".join(line.split()) for line in out.splitlines()]
    assert "connected to the broker" in said
    assert "table ready" in said
    assert any(line.endswith(" K♦ to box 1: 10") for line in said)
    assert any(line.endswith(" 25.00 EUR bet at box 1") for line in said)
    assert any(f" {head} signed checkpoint" in line for line in said)


def test_json_is_the_journal_byte_for_byte(cli: Cli, played: Any, publisher: Publisher, broker: Endpoint) -> None:
    publisher.start()
    events = list(played.journal.events())
    code, out, _ = cli("tail", "--broker", broker, *HERE, "--from", 1, "--count", len(events), "--json")
    assert code == 0
    assert out.encode().splitlines() == [event.envelope for event in events]


def test_only_new_events_without_from(
    played: Any, publisher: Publisher, broker: Endpoint, listen: Any, until: Until
) -> None:
    publisher.start()
    until(lambda: publisher.health().acknowledged == played.journal.head(), "all is published")
    listener = listen(broker)
    head = played.journal.head()
    played.bet(1, 2000)
    publisher.wake()
    listener.hear(lambda _: len(listener.sequences()) == 3, "three new events")
    assert listener.sequences() == [head + 1, head + 2, head + 3]


def test_a_gap_is_asked_for_and_closes(
    table: Any, publisher: Publisher, broker: Endpoint, listen: Any, until: Until
) -> None:
    publisher.start()
    until(lambda: publisher.health().acknowledged == table.journal.head(), "all is published")
    listener = listen(broker, 1)
    table.open()
    publisher.wake()
    listener.hear(lambda _: table.journal.head() in listener.sequences(), "the last event")
    assert listener.sequences() == list(range(1, table.journal.head() + 1))
    assert any(isinstance(item, GapNews) and item.first == 1 for item in listener.news)
    assert listener.broken() == []


def test_a_gap_nobody_fills_is_given_up(
    speak: Client, table: Any, broker: Endpoint, listen: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr("controller.cli.follow.ASK_S", 0.05)
    monkeypatch.setattr("controller.cli.follow.PATIENCE_S", 0.05)
    table.open()
    events = list(table.journal.events())
    listener = listen(broker)
    speak.publish(TOPICS.evt, events[0].envelope, 1)
    speak.publish(TOPICS.evt, events[3].envelope, 1)
    listener.hear(lambda _: 4 in listener.sequences(), "the event behind the gap")
    assert listener.sequences() == [1, 4]
    assert listener.broken() == ["events 2 to 3 could not be had"]


def test_liars_are_named_and_change_nothing(speak: Client, table: Any, broker: Endpoint, listen: Any) -> None:
    table.open()
    first, second = list(table.journal.events())[:2]
    listener = listen(broker)
    speak.publish(TOPICS.evt, first.envelope, 1)
    speak.publish(TOPICS.evt, second.envelope.replace(b"armenian", b"hebrewww"), 1)
    for payload in (b"", b"\xff", b"[" * 100_000, b'{"a":NaN}', b"x" * 300_000):
        speak.publish(TOPICS.evt, payload, 1)
    for topic in (TOPICS.status, TOPICS.state, TOPICS.meta, TOPICS.heartbeat):
        speak.publish(topic, b"[1]", 1)
        speak.publish(topic, b'{"state":7,"head":"x","journalid":[],"reason":{}}', 1)
    speak.publish(TOPICS.evt, second.envelope, 1)
    listener.hear(lambda _: 2 in listener.sequences(), "the true event")
    assert listener.sequences() == [1, 2]
    assert any("the hash is not that of the content" in text for text in listener.broken())
    assert any("300000 bytes on" in text for text in listener.broken())
    assert all(len(text) < 200 for text in listener.broken())


def test_silence_of_the_table_is_noticed(broker: Endpoint, listen: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("controller.cli.follow.STALE_S", 0.3)
    listener = listen(broker)
    listener.hear(lambda _: listener.broken(), "no heartbeat")
    assert "no heartbeat of the table" in listener.broken()[0]


def test_a_broker_that_is_not_there_is_named_once(listen: Any) -> None:
    listener = listen(Endpoint("127.0.0.1", 1), connected=False)
    listener.hear(lambda news: news, "why it is not connected")
    for _ in range(8):
        listener.news += listener.follower.next(0.1)
    (news,) = listener.news
    assert isinstance(news, LinkNews)
    assert news.reason.startswith("broker mqtt://127.0.0.1:1: ")


def test_an_archive_stores_and_acknowledges(
    played: Any, publisher: Publisher, broker: Endpoint, tmp_path: Path, until: Until
) -> None:
    publisher.start()
    store = tmp_path / "archive.sqlite"
    head = played.journal.head()
    command = [*TAIL, "--broker", str(broker), *HERE, "--store", str(store)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        until(lambda: publisher.health().archived == head, "the archive acknowledges the last event")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    connection = sqlite3.connect(store)
    rows = connection.execute("SELECT sequence, hash FROM events ORDER BY sequence").fetchall()
    connection.close()
    assert rows == [(event.sequence, event.hash) for event in played.journal.events()]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_ends_cleanly(
    played: Any, publisher: Publisher, broker: Endpoint, number: signal.Signals
) -> None:
    publisher.start()
    with subprocess.Popen(
        [*TAIL, "--broker", str(broker), *HERE, "--from", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        while "signed checkpoint" not in process.stdout.readline():
            assert process.poll() is None
        process.send_signal(number)
        process.stdout.read()
        assert process.wait(30) == 0
        assert process.stderr.read() == ""


def test_a_store_that_cannot_be_opened_is_one_line(cli: Cli, tmp_path: Path, broker: Endpoint) -> None:
    code, out, err = cli("tail", "--broker", broker, *HERE, "--store", tmp_path)
    assert (code, out) == (3, "")
    assert err.startswith(f"tablewatch: archive {tmp_path}: ")
    assert err.count("\n") == 1


def test_which_table_must_be_said(cli: Cli) -> None:
    code, _, err = cli("tail", "--broker", "mqtt://localhost")
    assert (code, err) == (2, "tablewatch: name the table's TABLE.toml, or --site, --table as well\n")
    code, _, err = cli("tail")
    assert code == 2
    assert "--broker" in err
    code, _, err = cli("tail", "--broker", "mqtt://localhost", "--site", "Las Vegas", "--table", "1")
    assert (code, err) == (2, "tablewatch: site 'Las Vegas' is not an id: 1 to 32 of a-z, 0-9 and '-'\n")
    code, _, err = cli("tail", "--broker", "mqtt://casino.example", *HERE)
    assert code == 2
    assert "not encrypted" in err


TABLE = """
[table]
site = "lv1"
id = "bj-012"
ruleset = "armenian"
[journal]
path = "other.journal"
"""


def test_the_embedded_broker_of_a_configuration_is_found(
    cli: Cli, tmp_path: Path, played: Any, publisher: Publisher, broker: Endpoint
) -> None:
    config = tmp_path / "TABLE.toml"
    config.write_text(TABLE)
    code, _, err = cli("tail", config)
    assert code == 2
    assert "has not run yet" in err
    publisher.start()
    (tmp_path / "other.journal.broker").mkdir()
    nats = tmp_path / "other.journal.broker/nats.conf"
    nats.write_text(f'port: -1\nmqtt {{ host: "127.0.0.1", port: {broker.port}, ack_wait: "10s" }}\n')
    assert cli("tail", config, "--from", 1, "--count", 3)[0] == 0
    config.write_text(f"{TABLE}[broker]\nembedded_port = {broker.port}\n")
    code, out, _ = cli("tail", config, "--from", 1, "--count", 1, "--json")
    assert code == 0
    assert json.loads(out)["sequence"] == "0000000000000001"


@pytest.mark.parametrize("text", ["bj-012", "bj-012=00", "BJ=" + "00" * 32, "=" + "00" * 32])
def test_a_key_to_trust_is_a_table_and_its_key(cli: Cli, tmp_path: Path, text: str) -> None:
    where = ("--broker", "mqtt://127.0.0.1:1", *HERE)
    code, out, err = cli("tail", *where, "--store", tmp_path / "archive.sqlite", "--trust", text)
    assert (code, out) == (2, "")
    assert f"'{text}' is not TABLE=KEY with 64 hexadecimal digits" in " ".join(err.split())
