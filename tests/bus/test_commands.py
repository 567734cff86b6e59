"""Commands: who is believed, and what becomes of hostile payloads."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from controller.bus import commands
from controller.bus.commands import (
    REFUSALS_AT_ONCE,
    CommandJudge,
    CommandRefusal,
    CommandRequest,
    CommandSpec,
    Judgement,
    ReadRequest,
    RefusalLimiter,
    Status,
)
from controller.bus.keys import (
    StaffKey,
    StaffKeyError,
    StaffMember,
    Target,
    load_staff_key,
    new_staff_key,
    sign_command,
    unsigned_request,
)
from controller.bus.topics import Topics
from controller.bus.wire import now_text, to_json
from controller.clock import now_us

if TYPE_CHECKING:
    from pathlib import Path

    from bench.brokers import Mosquitto
    from tests.bus.conftest import Subscriber, Table

NOW_US = 1_767_268_800_000_000
TOPICS = Topics("lv1", "bj-012")
HERE = Target("lv1", "bj-012", 7)
Keys = dict[str, StaffKey]


@pytest.fixture
def judge(staff: list[StaffMember], specs: tuple[CommandSpec, ...]) -> CommandJudge:
    return CommandJudge(HERE, staff, specs)


def signed(keys: Keys, name: str, actor: str, *, signer: str = "", target: Target = HERE, **more: Any) -> bytes:
    more = {"client": "desk-1", "args": {}, "now_us": NOW_US, **more}
    return sign_command(keys[signer or actor], target, name=name, actor=actor, **more)


def heard(judge: CommandJudge, name: str, payload: bytes, *, now_us: int = NOW_US, retained: bool = False) -> Judgement:
    return judge.judge(name, payload, len(payload), retained=retained, now_us=now_us)


def test_a_signed_command_is_accepted_once(judge: CommandJudge, keys: Keys) -> None:
    payload = signed(keys, "resume", "supervisor:2", args={"verdict": "v1"}, corr="c1")
    request = heard(judge, "resume", payload)
    assert isinstance(request, CommandRequest)
    assert (request.name, request.actor, request.role, request.args) == (
        "resume",
        "supervisor:2",
        "supervisor",
        {"verdict": "v1"},
    )
    assert (request.client, request.corr) == ("desk-1", "c1")
    again = heard(judge, "resume", payload)
    assert isinstance(again, CommandRefusal)
    assert (again.status, again.reason, again.actor) == (Status.DENIED, "this nonce was used before", "supervisor:2")
    later = heard(judge, "resume", payload, now_us=NOW_US + 31_000_000)
    assert isinstance(later, CommandRefusal)
    assert later.status is Status.EXPIRED


def edited(**change: object) -> Callable[[bytes], bytes]:
    return lambda payload: to_json({**json.loads(payload), **change})


@pytest.mark.parametrize(
    ("change", "status", "reason"),
    [
        (edited(args={"card": "AS"}), "denied", "signature"),
        (edited(actor="pit:3"), "denied", "signature"),
        (edited(actor="nobody:9"), "denied", "unknown actor"),
        (edited(signature=None), "denied", "signature"),
        (edited(signature="00" * 64), "denied", "signature"),
        (edited(table="bj-013"), "denied", "not those of the topic"),
        (edited(name="hold"), "denied", "not those of the topic"),
        (edited(epoch=8), "denied", "signature"),
        (edited(client="A B"), "error", "client is not an id"),
        (edited(client=7), "error", "client is not an id"),
        (edited(corr="x" * 65), "error", "corr is not"),
        (edited(actor="a\x1b[31m"), "error", "actor is not"),
        (lambda payload: b"x" + payload, "error", "not JSON"),
        (lambda payload: payload + b" " * 20_000, "error", "more than 16384"),
        (lambda payload: payload.replace(b'"args":{}', b'"args":{"a":NaN}'), "error", "NaN"),
        (lambda payload: payload.replace(b'"args":{}', b'"args":' + b"[" * 5000 + b"]" * 5000), "error", "deeper"),
        (lambda payload: payload.replace(b'"args":{}', b'"args":{},"args":{}'), "error", "stands twice"),
    ],
)
def test_an_altered_command_is_refused(
    judge: CommandJudge, keys: Keys, change: Callable[[bytes], bytes], status: str, reason: str
) -> None:
    refusal = heard(judge, "resume", change(signed(keys, "resume", "supervisor:2")))
    assert isinstance(refusal, CommandRefusal)
    assert refusal.status == status
    assert reason in refusal.reason
    assert "\n" not in refusal.reason


@pytest.mark.parametrize(
    ("more", "status", "reason"),
    [
        ({"now_us": NOW_US - 25_000_000}, "expired", "expired"),
        ({"now_us": NOW_US + 5_000_000}, "denied", "future"),
        ({"life_ms": 30_001}, "denied", "within 30 s"),
        ({"life_ms": 0}, "denied", "within 30 s"),
        ({"target": Target("lv1", "bj-012", 6)}, "expired", "epoch 6, the table is in 7"),
        ({"nonce": "short"}, "error", "nonce"),
        ({"nonce": "a b" * 10}, "error", "nonce"),
        ({"signer": "pit:3"}, "denied", "signature"),
    ],
)
def test_a_well_signed_command_out_of_its_time_or_place_is_refused(
    judge: CommandJudge, keys: Keys, more: dict[str, Any], status: str, reason: str
) -> None:
    refusal = heard(judge, "resume", signed(keys, "resume", "supervisor:2", **more))
    assert isinstance(refusal, CommandRefusal)
    assert (refusal.status, reason in refusal.reason) == (status, True)


def test_roles_are_held(judge: CommandJudge, keys: Keys) -> None:
    refusal = heard(judge, "resume", signed(keys, "resume", "dealer:1"))
    assert isinstance(refusal, CommandRefusal)
    assert refusal.reason == "resume is for pit, supervisor, not dealer"
    assert isinstance(heard(judge, "approve", signed(keys, "approve", "dealer:1")), CommandRequest)


@pytest.mark.parametrize(
    ("name", "args", "reason"),
    [
        ("resume", {"verdict": "v1", "corection": "burn"}, "resume: corection: unknown key; did you mean correction?"),
        ("hold", {"verdict": "v1"}, "hold: verdict: unknown key; known keys: none"),
        ("ack-alert", {"colour": "red"}, "ack-alert: colour: unknown key; known keys: verdict"),
        ("ack-alert", {"ver\ndict\x1b": "v1"}, "ack-alert: ver dict?: unknown key; did you mean verdict?"),
        ("resume", {"card": "9X"}, "resume: '9X' is not a card: write rank and suit, such as KD, TS or 7♥"),
        ("resume", {"card": None}, "resume: card is neither a text nor a whole number"),
        ("resume", {"reason": ["misdeal"]}, "resume: reason is neither a text nor a whole number"),
        ("resume", {"reason": True}, "resume: reason is neither a text nor a whole number"),
    ],
)
def test_an_argument_that_would_be_passed_over_is_refused(
    judge: CommandJudge, keys: Keys, name: str, args: dict[str, object], reason: str
) -> None:
    refusal = heard(judge, name, signed(keys, name, "supervisor:2", args=args))
    assert isinstance(refusal, CommandRefusal)
    assert (refusal.status, refusal.reason) == (Status.ERROR, reason)


def test_every_argument_of_a_command_is_taken(judge: CommandJudge, keys: Keys) -> None:
    args = {"verdict": "v1", "correction": "#1", "card": "K♦", "reason": 7}
    request = heard(judge, "resume", signed(keys, "resume", "supervisor:2", args=args))
    assert isinstance(request, CommandRequest)
    assert request.args == args


def test_retained_and_unknown_commands_are_refused(judge: CommandJudge, keys: Keys) -> None:
    retained = heard(judge, "resume", signed(keys, "resume", "supervisor:2"), retained=True)
    assert isinstance(retained, CommandRefusal)
    assert retained.reason == "retained: commands are never retained"
    unknown = heard(judge, "open-safe", signed(keys, "open-safe", "supervisor:2"))
    assert isinstance(unknown, CommandRefusal)
    assert "unknown command 'open-safe'; known are ack-alert, approve" in unknown.reason
    huge = judge.judge("resume", b"", 10_000_000, retained=False, now_us=NOW_US)
    assert isinstance(huge, CommandRefusal)
    assert huge.reason == "10000000 bytes, more than 16384"


def test_an_old_command_is_not_good_again_when_the_clock_is_set_back(judge: CommandJudge, keys: Keys) -> None:
    payload = signed(keys, "resume", "supervisor:2")
    assert isinstance(heard(judge, "resume", payload), CommandRequest)
    much_later = NOW_US + 3_600_000_000
    assert isinstance(
        heard(judge, "resume", signed(keys, "resume", "pit:3", now_us=much_later), now_us=much_later), CommandRequest
    )
    again = heard(judge, "resume", payload, now_us=NOW_US + 1_000_000)
    assert isinstance(again, CommandRefusal)
    assert again.reason == "this nonce was used before"


def test_a_command_that_is_forgotten_is_not_good_again_either(
    judge: CommandJudge, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "MAX_NONCES", 2)
    first = signed(keys, "resume", "supervisor:2")
    for payload in (first, signed(keys, "resume", "supervisor:2")):
        assert isinstance(heard(judge, "resume", payload), CommandRequest)
    full = heard(judge, "resume", signed(keys, "resume", "supervisor:2"))
    assert isinstance(full, CommandRefusal)
    assert full.reason.startswith("too many commands at once")
    later = NOW_US + 60_000_000
    for _ in range(2):
        payload = signed(keys, "resume", "pit:3", now_us=later)
        assert isinstance(heard(judge, "resume", payload, now_us=later), CommandRequest)
    again = heard(judge, "resume", first, now_us=NOW_US + 1_000_000)
    assert isinstance(again, CommandRefusal)
    assert (again.status, again.reason) == (
        Status.EXPIRED,
        "older than commands that are forgotten; is the clock set back?",
    )


def test_reading_is_open_to_every_client(judge: CommandJudge) -> None:
    for name in ("ping", "rebirth", "replay"):
        assert heard(judge, name, unsigned_request("c1", "7", {"from": 1})) == ReadRequest(name, "c1", "7", {"from": 1})
    refusal = heard(judge, "ping", to_json({"client": "c1", "args": [1]}))
    assert isinstance(refusal, CommandRefusal)


def test_floods_of_refusals_are_counted_not_kept() -> None:
    limiter = RefusalLimiter()
    refusal = CommandRefusal("x", "c", "", "", Status.ERROR, "no")
    admitted = [limiter.admit(refusal, NOW_US) for _ in range(1000)]
    assert sum(item is not None for item in admitted) == REFUSALS_AT_ONCE
    later = limiter.admit(refusal, NOW_US + 1_000_000)
    assert later is not None
    assert later.suppressed == 1000 - REFUSALS_AT_ONCE


def test_staff_keys_live_in_private_files(tmp_path: Path) -> None:
    key = new_staff_key()
    key.save(tmp_path / "k.pem")
    assert (tmp_path / "k.pem").stat().st_mode & 0o777 == 0o600
    assert load_staff_key(tmp_path / "k.pem").public_key == key.public_key
    with pytest.raises(StaffKeyError, match="name a new file"):
        key.save(tmp_path / "k.pem")
    (tmp_path / "bad").write_text("x")
    with pytest.raises(StaffKeyError, match="make a new one"):
        load_staff_key(tmp_path / "bad")
    with pytest.raises(StaffKeyError, match="check the path"):
        load_staff_key(tmp_path / "none")


@pytest.mark.broker
def test_commands_over_a_broker_are_answered_and_handed_on(
    mosquitto: Mosquitto, table: Table, subscribe: Callable[..., Subscriber], until: Callable[..., None], keys: Keys
) -> None:
    subscriber = subscribe(mosquitto.port, TOPICS.rsp("desk-1"), TOPICS.cmd("hold"))
    retained = sign_command(
        keys["pit:3"], table.target, name="hold", actor="pit:3", client="desk-1", args={}, now_us=NOW_US, corr="kept"
    )
    subscriber.publish(TOPICS.cmd("hold"), retained, retain=True)
    publisher = table.publish(mosquitto.endpoint)
    table.append(10)

    def answers() -> list[dict[str, Any]]:
        return subscriber.json(TOPICS.rsp("desk-1"))

    until(lambda: [a["reason"] for a in answers()] == ["retained: commands are never retained"], "the refusal")
    until(lambda: b"" in subscriber.messages(TOPICS.cmd("hold")), "the retained command taken down")
    for hostile in (b"x" * 10_000_000, b"[" * 16_000, b"\x00\xff", b'{"client":"desk-1","args":NaN}', b"{}"):
        subscriber.publish(TOPICS.cmd("resume"), hostile)
    until(lambda: len(table.sink.refused_) == 6, "every refusal handed on")
    assert [refusal.reason for refusal in table.sink.refused_[1:]] == [
        "10000000 bytes, more than 16384",
        "nested deeper than 16",
        "not UTF-8",
        "NaN is not a JSON number",
        "client is not an id: 1 to 32 of a-z, 0-9 and '-'",
    ]
    subscriber.publish(TOPICS.cmd("ping"), unsigned_request("desk-1", "p1"))
    until(lambda: any(a["corr"] == "p1" and a["head"] == 10 for a in answers()), "the answer to ping")
    good = sign_command(
        keys["pit:3"], table.target, name="resume", actor="pit:3", client="desk-1", args={}, corr="r1", now_us=now_us()
    )
    subscriber.publish(TOPICS.cmd("resume"), good)
    until(lambda: table.sink.accepted_, "the command")
    assert table.sink.accepted_[0].actor == "pit:3"
    publisher.respond("desk-1", "r1", "ok", stage="executed")
    until(lambda: [a["stage"] for a in answers() if a["corr"] == "r1"] == ["accepted", "executed"], "both answers")


@pytest.mark.broker
@pytest.mark.parametrize("kind", ["mosquitto", "nats"])
def test_a_command_kept_by_the_broker_while_the_table_listens_is_refused_and_taken_down(
    request: pytest.FixtureRequest,
    kind: str,
    table: Table,
    subscribe: Callable[..., Subscriber],
    until: Callable[..., None],
    keys: Keys,
) -> None:
    broker = request.getfixturevalue(kind)
    endpoint = broker.endpoint if kind == "mosquitto" else broker.endpoint()
    publisher = table.publish(endpoint)
    until(lambda: publisher.health().connected, "connected")
    subscriber = subscribe(endpoint.port, TOPICS.rsp("desk-1"), TOPICS.cmd("resume"))
    kept = sign_command(
        keys["pit:3"], table.target, name="resume", actor="pit:3", client="desk-1", args={}, corr="r1", now_us=now_us()
    )
    subscriber.publish(TOPICS.cmd("resume"), kept, retain=True)
    until(lambda: table.sink.refused_, "what the broker keeps is refused")
    assert [refusal.reason for refusal in table.sink.refused_] == ["retained: commands are never retained"]
    assert len(table.sink.accepted_) == 1, "it is carried out once at most"
    until(lambda: b"" in subscriber.messages(TOPICS.cmd("resume")), "it is taken down")
    late = subscribe(endpoint.port, TOPICS.cmd("resume"), TOPICS.status)
    until(lambda: late.json(TOPICS.status), "what the broker keeps has come")
    assert late.messages(TOPICS.cmd("resume")) == []


@pytest.mark.broker
def test_a_replay_has_the_bytes_of_the_journal(
    mosquitto: Mosquitto, table: Table, subscribe: Callable[..., Subscriber], until: Callable[..., None]
) -> None:
    subscriber = subscribe(mosquitto.port, TOPICS.rsp("c1"), TOPICS.replay("c1"), TOPICS.status)
    table.append(300)
    table.publish(mosquitto.endpoint)
    until(lambda: subscriber.json(TOPICS.status), "the table listening")
    ask = {"from": 101, "to": 5000, "journalid": table.journal.journal_id}
    subscriber.publish(TOPICS.cmd("replay"), unsigned_request("c1", "a", ask))
    until(lambda: subscriber.json(TOPICS.rsp("c1")), "the end of the replay")
    answer = subscriber.json(TOPICS.rsp("c1"))[0]
    assert (answer["status"], answer["from"], answer["to"], answer["head"]) == ("ok", 101, 300, 300)
    expected = [event.envelope for event in table.journal.events(101)]
    until(lambda: subscriber.messages(TOPICS.replay("c1")) == expected, "the replayed events")
    until(lambda: [detail for _, detail in table.sink.served_] == ["events 101 to 300 to c1"], "the service noted")
    for args in (
        {"from": 0, "to": 5},
        {"from": "1", "to": 5},
        {"from": 9, "to": 5},
        {"from": 1, "to": 2, "journalid": "x"},
    ):
        subscriber.publish(TOPICS.cmd("replay"), unsigned_request("c1", "bad", args))
    until(lambda: len(subscriber.json(TOPICS.rsp("c1"))) == 5, "the refusals")
    assert all(answer["status"] == "error" for answer in subscriber.json(TOPICS.rsp("c1"))[1:])


def test_times_in_commands_are_utc(keys: Keys) -> None:
    value = json.loads(signed(keys, "resume", "pit:3", life_ms=1000))
    assert (value["issued"], value["expires"]) == (now_text(NOW_US), now_text(NOW_US + 1_000_000))
