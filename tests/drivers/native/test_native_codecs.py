"""What holds for the codec of every device on the native link: no bytes are guessed, in either direction."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.bets import BetsCodec
from drivers.console import ConsoleCodec
from drivers.native.codec import DeviceCodec
from drivers.native.fields import PayloadError
from drivers.rack import RackCodec
from drivers.shoes.native import ShoeCodec

CODECS: list[DeviceCodec] = [BetsCodec(), ConsoleCodec(), RackCodec(), ShoeCodec()]
codes = st.one_of(st.integers(0, 255), st.integers(1, 0x48))
"""The link's own codes lie below 0x48; any other may come."""
every_codec = pytest.mark.parametrize("codec", CODECS, ids=lambda codec: type(codec).__name__)


@every_codec
@given(code=codes, body=st.binary(max_size=80))
def test_any_bytes_give_a_message_that_encodes_the_same_or_a_reason(codec: DeviceCodec, code: int, body: bytes) -> None:
    try:
        message = codec.decode_event(code, body)
    except PayloadError:
        return
    assert codec.encode_event(message) == (code, body)


@every_codec
@given(code=codes, body=st.binary(max_size=80))
def test_any_command_bytes_give_a_command_that_encodes_the_same_or_a_reason(
    codec: DeviceCodec, code: int, body: bytes
) -> None:
    try:
        command = codec.decode_command(code, body)
    except PayloadError:
        return
    assert codec.encode_command(command) == (code, body)
