"""Codes and bodies of the discard rack, and the simulated one on the link."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.messages import CardGone, DeviceMessage, Lock, RackCounted, ReadFailed, TagSeen
from drivers.native.fields import NakReason, PayloadError
from drivers.rack import DRIVER, UNREAD_TAG, RackCodec
from firmware_sim.bench import Bench, LineRates
from firmware_sim.rack import SimRack

CODEC = RackCodec()
uids = st.binary(min_size=4, max_size=10).map(lambda raw: raw.hex().upper())
events = st.one_of(
    st.builds(RackCounted, st.integers(0, 65535)),
    st.builds(TagSeen, st.just("discard"), uids),
    st.just(ReadFailed("discard", UNREAD_TAG)),
)


@given(events)
def test_events_survive_their_bytes(message: DeviceMessage) -> None:
    assert CODEC.decode_event(*CODEC.encode_event(message)) == message


@pytest.mark.parametrize(
    ("code", "body", "nak"),
    [
        (0x43, "", NakReason.UNKNOWN_CODE),
        (0x40, "01", NakReason.MALFORMED),
        (0x40, "0001 00", NakReason.MALFORMED),
        (0x41, "03 010203", NakReason.MALFORMED),
        (0x41, "0B 0102030405060708090A0B", NakReason.MALFORMED),
        (0x41, "04 010203", NakReason.MALFORMED),
        (0x42, "00", NakReason.MALFORMED),
    ],
)
def test_bodies_that_are_no_event_are_named(code: int, body: str, nak: NakReason) -> None:
    with pytest.raises(PayloadError) as caught:
        CODEC.decode_event(code, bytes.fromhex(body))
    assert caught.value.nak is nak


@pytest.mark.parametrize(
    "message",
    [
        RackCounted(65536),
        RackCounted(-1),
        TagSeen("box-1", "01020304"),
        TagSeen("discard", "0102030"),
        TagSeen("discard", "01 2 34 5"),
        TagSeen("discard", "abcdef01"),
        ReadFailed("discard", "something else"),
        CardGone("discard"),
    ],
)
def test_what_a_rack_cannot_say_is_refused(message: DeviceMessage) -> None:
    with pytest.raises(ValueError, match="a rack does not say"):
        CODEC.encode_event(message)


def test_a_rack_takes_no_command() -> None:
    with pytest.raises(ValueError, match="cannot Lock"):
        CODEC.encode_command(Lock())
    with pytest.raises(PayloadError):
        CODEC.decode_command(0x40, b"")


def test_cards_put_in_are_counted_and_named_over_a_bad_line() -> None:
    rack = SimRack(memory_id=1)
    bench = Bench(DRIVER({"allow_simulated": True}), rack, LineRates(100, 100, 50, 50, 200, 50), seed=5)
    bench.connect()
    rack.put("04A1B2C3")
    rack.put("04A1B2C4", readable=False)
    rack.put()
    rack.empty()
    assert bench.run_until(lambda: rack.acked == rack.last_event, 60_000)
    assert [report.message for report in bench.durable] == [
        TagSeen("discard", "04A1B2C3"),
        RackCounted(1),
        ReadFailed("discard", UNREAD_TAG),
        RackCounted(2),
        RackCounted(3),
        RackCounted(0),
    ]


def test_a_card_put_in_without_power_is_in_the_next_count() -> None:
    rack = SimRack()
    rack.power_loss()
    assert rack.put() is None
    assert rack.count == 1
    rack.power_on()
    rack.put()
    assert rack.count == 2
