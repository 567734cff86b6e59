"""Brokers that refuse, are away or die, and strangers who send nonsense: the table is dealt on, loses nothing, and says
in one clear line what is wrong."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bench.brokers import Mosquitto
from controller.bus.keys import StaffKey, Target, new_staff_key, sign_command
from controller.bus.topics import Topics
from controller.clock import now_us

if TYPE_CHECKING:
    from tests.real_io.conftest import Stranger

pytestmark = pytest.mark.broker
TOPICS = Topics("lv1", "bj-1")
CLIENT = "stranger"
Until = Callable[..., None]
Listen = Callable[..., "Stranger"]


@pytest.fixture
def stranger(mosquitto: Mosquitto, listen: Listen) -> Stranger:
    return listen(mosquitto.port, TOPICS.rsp(CLIENT), TOPICS.status, TOPICS.evt)


def goes_on_without_a_broker(house: Any, process: Any) -> None:
    """What the table is for works; then it ends well."""
    house.deal()
    house.plays_on()
    house.comes_to_rest()
    assert process.stop() == 0
    assert "Traceback" not in process.text
    house.is_whole()


def test_a_broker_that_is_not_there(house: Any, closed_port: int) -> None:
    house.configure(broker=f'urls = ["mqtt://127.0.0.1:{closed_port}"]')
    process = house.run()
    line = process.says("Connection refused")
    assert (
        line
        == f"broker mqtt://127.0.0.1:{closed_port}: [Errno 111] Connection refused; is it running and is the "
        + ("address right?")
    )
    goes_on_without_a_broker(house, process)
    assert len(process.lines("Connection refused")) == 1


def test_a_broker_that_wants_a_password_and_gets_none(house: Any, tmp_path: Path) -> None:
    with Mosquitto(tmp_path, anonymous=False) as broker:
        house.configure(broker=f'urls = ["{broker.url}"]')
        process = house.run()
        line = process.says("refused")
        assert line == f"broker {broker.url}: refused (Not authorized); check user, password and certificate"
        goes_on_without_a_broker(house, process)
        assert len(process.lines("refused")) == 1


def test_an_embedded_broker_that_cannot_start(house: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        house.configure(broker=f"embedded_port = {port}")
        process = house.run()
        line = process.says("nats-server")
        assert f"on port {port} ended with 1" in line
        assert line.endswith("the table runs and journals, nothing is published")
        goes_on_without_a_broker(house, process)


def test_no_broker_at_all_is_said_once(house: Any) -> None:
    house.configure(broker="embedded = false")
    process = house.run()
    process.says("^no broker configured: the table journals, nothing is published$")
    goes_on_without_a_broker(house, process)
    assert len(process.lines("no broker configured")) == 1


def test_a_broker_that_dies_and_comes_back_gets_everything(
    house: Any, mosquitto: Mosquitto, until: Until, listen: Listen
) -> None:
    house.configure(broker=f'urls = ["{mosquitto.url}"]')
    process = house.run()
    house.deal()
    house.plays_on(2)
    mosquitto.kill()
    process.says("connection lost|Connection refused")
    house.plays_on(2)
    mosquitto.start()
    later = listen(mosquitto.port, TOPICS.evt)
    process.says("^the table is published again$")
    house.comes_to_rest()
    head = len(house.events())
    until(lambda: head in {int(event["sequence"]) for event in later.on(TOPICS.evt)}, "the newest event is published")
    assert process.stop() == 0
    house.is_whole()


def hostile() -> dict[str, bytes]:
    """Payloads by what the refusal on record says of them."""
    half = '{"client":"stranger","corr":"'
    return {
        "10485760 bytes, more than 16384": b"x" * 10 * 1024 * 1024,
        "nested deeper than 16": b'{"a":' * 2000 + b"1" + b"}" * 2000,
        "not JSON": b"rien ne va plus",
        "NaN is not a JSON number": (half + '1","args":{"n":NaN}}').encode(),
        "not UTF-8": b'{"client":"\xff\xfe"}',
        "a key stands twice": b'{"client":"stranger","client":"stranger"}',
        "not a JSON object": b"[1,2,3]",
        "client is not an id": b'{"client":"../../etc/passwd"}',
        "corr is not a printable text": (half + "x" * 100 + '"}').encode(),
        "name, site or table in the payload": (half + '2"}').encode(),
    }


@pytest.fixture
def key() -> StaffKey:
    return new_staff_key()


def published(house: Any, mosquitto: Mosquitto, key: StaffKey) -> Any:
    """A dealt table whose supervisor has this key."""
    house.configure(broker=f'urls = ["{mosquitto.url}"]', extra=f'public_key = "{key.public_key}"\n')
    process = house.run()
    house.deal()
    house.plays_on(1)
    return process


def denials(house: Any) -> list[str]:
    return [e["data"]["reason"] for e in house.events() if e["type"] == "tablewatch.command.denied"]


def test_nonsense_is_refused_recorded_and_changes_nothing(
    house: Any, mosquitto: Mosquitto, stranger: Stranger, key: StaffKey, until: Until
) -> None:
    process = published(house, mosquitto, key)
    payloads = hostile()
    for payload in payloads.values():
        stranger.send("void-round", payload)
    stranger.send("format-disk", b'{"client":"stranger","corr":"3"}')
    wanted = [*payloads, "unknown command 'format-disk'"]
    until(lambda: len(denials(house)) == len(wanted), lambda: f"every refusal is on record; there are {denials(house)}")
    for expected, found in zip(wanted, denials(house), strict=True):
        assert expected in found
    until(lambda: len(stranger.on(TOPICS.rsp(CLIENT))) >= 2, "whoever said who he is, is answered")
    assert {answer["status"] for answer in stranger.on(TOPICS.rsp(CLIENT))} <= {"error", "denied"}
    assert not [e for e in house.events() if e["type"] == "tablewatch.command.received" and not e["data"]["device"]]
    house.plays_on(2)
    house.comes_to_rest()
    assert process.stop() == 0
    assert "Traceback" not in process.text
    assert len(process.lines(r"command \S+ of \S+ (error|denied): ")) == len(wanted)
    house.is_whole()


def test_a_retained_command_is_refused_and_taken_off_the_broker(
    house: Any, mosquitto: Mosquitto, stranger: Stranger, key: StaffKey, until: Until, listen: Listen
) -> None:
    command = sign_command(
        key, Target("lv1", "bj-1", 1), name="void-round", actor="12", client=CLIENT, args={}, now_us=now_us()
    )
    stranger.send("void-round", command, retain=True)
    process = published(house, mosquitto, key)
    until(lambda: denials(house), "the refusal is on record")
    assert denials(house) == ["retained: commands are never retained"]
    last = listen(mosquitto.port, f"{TOPICS.base}/cmd/+", TOPICS.status)
    until(lambda: last.on(TOPICS.status), "the retained status comes")
    assert [name for name, payload, _ in last.heard if payload and "/cmd/" in name] == []
    house.comes_to_rest()
    assert process.stop() == 0
    house.is_whole()


def test_commands_of_another_life_or_another_key_are_refused(
    house: Any, mosquitto: Mosquitto, stranger: Stranger, key: StaffKey, until: Until
) -> None:
    process = published(house, mosquitto, key)

    def send(signer: StaffKey, epoch: int, corr: str) -> None:
        target = Target("lv1", "bj-1", epoch)
        payload = sign_command(
            signer,
            target,
            name="ack-alert",
            actor="12",
            client=CLIENT,
            args={"verdict": "v1"},
            now_us=now_us(),
            corr=corr,
        )
        stranger.send("ack-alert", payload)

    send(key, 9, "late")
    send(new_staff_key(), 1, "forged")
    send(key, 1, "good")
    until(lambda: len(stranger.on(TOPICS.rsp(CLIENT))) >= 4, "every command is answered")
    answers = {(a["corr"], a["stage"]): a for a in stranger.on(TOPICS.rsp(CLIENT))}
    assert answers["late", "refused"]["status"] == "expired"
    assert answers["late", "refused"]["reason"] == "epoch 9, the table is in 1"
    assert answers["forged", "refused"]["reason"] == "the signature is not the actor's"
    assert answers["good", "accepted"]["status"] == "ok"
    assert answers["good", "rejected"]["reason"] == "no open verdict v1"
    house.comes_to_rest()
    assert process.stop() == 0
    house.is_whole()


def test_a_flood_of_nonsense_fills_neither_the_journal_nor_the_queue(
    house: Any, mosquitto: Mosquitto, stranger: Stranger, key: StaffKey
) -> None:
    process = published(house, mosquitto, key)
    for number in range(2000):
        stranger.send("void-round", b"nonsense %d" % number)
    house.plays_on(2)
    house.comes_to_rest()
    assert process.stop() == 0
    assert 1 <= len(denials(house)) < 200
    house.is_whole()
