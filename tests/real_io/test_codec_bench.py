"""What the bench says of codecs counts only where every frame was found."""

from __future__ import annotations

import random

import pytest

from bench import card_cost, codecs
from drivers.readers.rdm6300_frames import TagReader


@pytest.mark.parametrize("codec", codecs.CODECS, ids=lambda codec: codec.name)
def test_each_codec_finds_the_frames_of_another_encoder(codec: codecs.Codec, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codecs, "AT_LEAST_S", 0.001)
    found = codecs.rate(codec, 1)
    assert found.decoded > 0
    assert found.carried == pytest.approx(codec.baudrate / 10 / found.frame_bytes)


def test_a_codec_that_misses_frames_has_no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codecs, "AT_LEAST_S", 0.001)
    half = codecs.Codec("half", 9600, TagReader, lambda rng: b"\x020A00A1B2C3DA\x03" if rng.random() < 0.5 else b"x")
    with pytest.raises(card_cost.CodecError, match="of 5000 frames were found"):
        codecs.rate(half, 1)


def test_a_card_is_three_copies_of_eight_bytes_and_is_told_once() -> None:
    (telegram,) = card_cost.cards(1, random.Random(1))
    assert len(telegram) == 8
    assert card_cost.driver_alone_ms(20, 1) > 0
    assert card_cost.in_session_ms(2, 1, 4800) > 0
