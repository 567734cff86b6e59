"""The bus's pure parts: topics, JSON of strangers, endpoints, window, board, the archives' watch."""

from __future__ import annotations

import random

import pytest

from controller.bus.archive import ArchiveWatch
from controller.bus.backoff import Backoff
from controller.bus.board import Board
from controller.bus.endpoint import Endpoint, EndpointError, is_loopback, parse_endpoint
from controller.bus.topics import Topics, host_status, table_of
from controller.bus.window import Window
from controller.bus.wire import BadJsonError, from_json, now_text, time_us_of, to_json
from controller.journal.chain import canonical_json, time_text

TOPICS = Topics("lv1", "bj-012")


def test_topics_are_the_documented_ones() -> None:
    base = "tablewatch/v1/lv1/bj-012"
    assert [TOPICS.status, TOPICS.meta, TOPICS.state, TOPICS.evt, TOPICS.heartbeat] == [
        f"{base}/status",
        f"{base}/meta",
        f"{base}/state",
        f"{base}/evt",
        f"{base}/tele/heartbeat",
    ]
    assert [TOPICS.alert("a"), TOPICS.cmd("ping"), TOPICS.rsp("c"), TOPICS.ack("h"), TOPICS.replay("c")] == [
        f"{base}/alert/a",
        f"{base}/cmd/ping",
        f"{base}/rsp/c",
        f"{base}/ack/h",
        f"{base}/replay/c",
    ]
    assert host_status("lv1", "h1") == "tablewatch/v1/lv1/host/h1/status"
    assert table_of(f"{base}/evt") == TOPICS
    assert TOPICS.last_of(f"{base}/cmd/ping", "cmd") == "ping"


@pytest.mark.parametrize("name", ["", "A", "a b", "a/b", "+", "#", "a.b", "ü", "x" * 33, "a\n"])
def test_what_is_no_id_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not an id"):
        TOPICS.rsp(name)
    with pytest.raises(ValueError, match="site"):
        Topics(name, "t")
    assert TOPICS.last_of(f"{TOPICS.base}/cmd/{name}", "cmd") is None


@pytest.mark.parametrize("topic", ["", "tablewatch/v1", "tablewatch/v2/a/b/evt", "tablewatch/v1/A/b/evt"])
def test_foreign_topics_are_nobodys(topic: str) -> None:
    assert table_of(topic) is None


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"", "not JSON"),
        (b"hello", "not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[]", "not a JSON object"),
        (b"null", "not a JSON object"),
        (b'{"a":NaN}', "NaN"),
        (b'{"a":-Infinity}', "Infinity"),
        (b'{"a":1e999}', "out of range"),
        (b'{"a":1,"a":2}', "stands twice"),
        (b'{"a":' + b"9" * 5000 + b"}", "not JSON"),
        (b'{"a":"\\ud800"}', "not JSON"),
        (b'{"a":' * 20 + b"1" + b"}" * 20, "deeper than 16"),
        (b"[" * 9000, "deeper than 16"),
        (b'{"a":"' + b"x" * 10_000 + b'"}', "more than"),
    ],
)
def test_strangers_json_is_refused_with_a_reason(payload: bytes, reason: str) -> None:
    with pytest.raises(BadJsonError, match=reason):
        from_json(payload, 10_000)


def test_brackets_in_text_are_not_depth() -> None:
    assert from_json(b'{"a":"' + b"[{" * 50 + b'\\"["}', 10_000) == {"a": "[{" * 50 + '"['}


def test_both_canonical_forms_are_the_same() -> None:
    value = {"ü": [1, None, True, "7♦\n"], "a": {"z": -1, "b": {}}}
    assert to_json(value) == canonical_json(value)
    assert now_text(1_767_268_800_123_456) == time_text(1_767_268_800_123_456)
    assert time_us_of(now_text(5)) == 5
    assert time_us_of("1970-01-01T01:00:00+01:00") == 0


@pytest.mark.parametrize("text", [None, 5, "", "yesterday", "2026-01-01T00:00:00", "2" * 100])
def test_other_times_are_refused(text: object) -> None:
    with pytest.raises(ValueError):
        time_us_of(text)


def test_endpoints_are_read() -> None:
    environ = {"TABLEWATCH_MQTT_PASSWORD": "secret"}
    assert parse_endpoint("mqtt://localhost", {}) == Endpoint("localhost", 1883)
    assert parse_endpoint("mqtt://[::1]:1999", environ) == Endpoint("::1", 1999)
    full = parse_endpoint("mqtts://bj%2D1@mq.lv1:8884?ca=/c/ca.pem&cert=/c/t.pem&key=/c/t.key", environ)
    assert full == Endpoint("mq.lv1", 8884, True, "bj-1", "secret", "/c/ca.pem", "/c/t.pem", "/c/t.key")
    assert str(full) == "mqtts://bj-1@mq.lv1:8884"
    assert "secret" not in repr(full)
    assert parse_endpoint("mqtt://10.0.0.1", {}, insecure_lab=True).port == 1883
    assert is_loopback("127.3.4.5")
    assert not is_loopback("localhost.example")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://localhost", "not a broker's URL"),
        ("localhost:1883", "not a broker's URL"),
        ("mqtt://", "not a broker's URL"),
        ("mqtt://localhost/x", "not a broker's URL"),
        ("mqtt://localhost:99999", "write mqtt://host:port"),
        ("mqtt://u:p@localhost", "put it in TABLEWATCH_MQTT_PASSWORD"),
        ("mqtt://10.0.0.1", "not encrypted"),
        ("mqtts://10.0.0.1", "anonymous"),
        ("mqtt://localhost?ca=x", "certificates need mqtts"),
        ("mqtts://localhost?cert=x", "go together"),
        ("mqtts://localhost?tls=1", "unknown option 'tls'"),
    ],
)
def test_other_endpoints_are_one_clear_line(url: str, reason: str) -> None:
    with pytest.raises(EndpointError, match=reason) as caught:
        parse_endpoint(url, {})
    assert "\n" not in str(caught.value)
    assert ":p@" not in str(caught.value)


def test_backoff_doubles_to_its_limit_with_jitter() -> None:
    backoff = Backoff(0.2, 1.0, random.Random(7))
    for full in (0.2, 0.4, 0.8, 1.0, 1.0):
        assert full / 2 <= backoff.next_s() <= full
    backoff.reset()
    assert backoff.next_s() <= 0.2


def test_the_cursor_moves_over_contiguous_acknowledgements_only() -> None:
    window = Window(10, size=4)
    for sequence in (11, 12, 13, 14):
        window.sent(sequence, mid=sequence * 2)
    assert (window.room(), window.sent_through, window.safe_cursor()) == (0, 14, 10)
    window.acknowledged(24)
    window.acknowledged(26)
    assert (window.room(), window.safe_cursor()) == (2, 10)
    window.acknowledged(22)
    assert window.safe_cursor() == 13
    window.acknowledged(22)
    window.acknowledged(999)
    assert (window.room(), window.idle()) == (3, False)


def test_an_acknowledgement_from_before_a_rewind_counts_for_nothing() -> None:
    window = Window(0, size=4)
    window.sent(1, mid=1)
    window.sent(2, mid=2)
    window.rewind(0)
    window.acknowledged(1)
    assert (window.safe_cursor(), window.sent_through, window.room()) == (0, 0, 3)
    window.sent_other(9)
    window.reconnected(1)
    assert (window.room(), window.safe_cursor(), window.idle()) == (4, 1, True)


def test_the_board_sends_the_newest_at_its_interval() -> None:
    board = Board()
    board.put("s", b"1", 0.25)
    first = board.take_due(10.0)
    assert first is not None
    assert (first.payload, first.retain, board.take_due(10.0)) == (b"1", True, None)
    board.put("s", b"2", 0.25)
    board.put("s", b"3", 0.25)
    assert board.take_due(10.1) is None
    assert board.wait_s(10.1) == pytest.approx(0.15)
    second = board.take_due(10.3)
    assert second is not None
    assert second.payload == b"3"
    board.put("s", b"3", 0.25)
    assert not board.waiting()


def test_a_removed_topic_is_forgotten_when_the_broker_knows() -> None:
    board = Board()
    board.put("a", b"x")
    board.take_due(0.0)
    board.remove("a")
    message = board.take_due(0.0)
    assert message is not None
    board.sent(message, 7)
    board.all_again()
    board.acknowledged(7)
    again = board.take_due(0.0)
    assert again == message
    board.sent(message, 8)
    board.acknowledged(8)
    board.all_again()
    assert board.take_due(0.0) is None
    assert board.shown("a") is None


def ack(number: object) -> bytes:
    return to_json({"sequences": {"J": number}})


def test_a_stalled_archive_is_sent_again_from_its_own_number() -> None:
    watch = ArchiveWatch("J", ["historian"], patience_s=5.0)
    assert watch.stored() is None
    watch.heard("historian", ack(7), 100.0)
    watch.heard("spy", ack(1), 100.0)
    assert (watch.stored(), watch.rewind_to(9, 104.0), watch.silent_s(9, 104.0)) == (7, None, 4.0)
    assert watch.rewind_to(9, 105.0) == 7
    assert watch.rewind_to(9, 1000.0) is None  # it has not spoken since
    watch.heard("historian", ack(7), 1001.0)
    assert watch.rewind_to(9, 1002.0) == 7
    watch.heard("historian", ack(9), 1003.0)
    assert watch.rewind_to(9, 1003.0) is None
    assert watch.silent_s(9, 2000.0) == 0.0
    assert watch.ahead_of(9) is None
    assert watch.ahead_of(8) == 9


@pytest.mark.parametrize("payload", [b"", b"x", b"[]", ack("7"), ack(-1), ack(True), to_json({"sequences": 7})])
def test_other_acknowledgements_are_passed_over(payload: bytes) -> None:
    watch = ArchiveWatch("J", ["historian"], patience_s=5.0)
    watch.heard("historian", payload, 0.0)
    assert watch.stored() is None
