"""A slow source says that it saw a card when the round is over: that is no card of the next one, and none too many."""

from __future__ import annotations

import pytest

from controller.core.cards import Card
from controller.core.sources import EVERY_HAND, Source
from controller.core.sources.fusion import Fit, Followed, Fusion, Sighting, fit, follow, saw
from controller.core.sources.sightings import Lying

EYE = Source("eye", spots=((0, 1), (1, EVERY_HAND), (2, EVERY_HAND)))
SHOE = Source("shoe", draws=True)


def lying(*cards: tuple[int, str | None]) -> tuple[Lying, ...]:
    return tuple(Lying(box, 1, Card(face) if face else None) for box, face in cards)


def sighting(box: int, face: str, device: str = "eye") -> Sighting:
    return Sighting(device, box, 1, Card(face))


def found(fusion: Fusion, s: Sighting) -> Fit:
    return fit(fusion, s, decided=False)[0]


@pytest.fixture
def collected() -> Fusion:
    """A round is over of which the eye has seen the dealer's king alone."""
    dealt = follow(Fusion(sources=(SHOE, EYE)), lying((0, "KH"), (1, "7C"), (2, None)))
    dealt = dealt.with_card(saw(dealt.cards[0], sighting(0, "KH")))
    return follow(dealt, ())


def test_a_card_that_lay_there_and_was_not_seen_in_time_is_none_too_many(collected: Fusion) -> None:
    assert found(collected, sighting(1, "7C")) is Fit.AGAIN


@pytest.mark.parametrize(("box", "face"), [(1, "8C"), (2, "7C"), (0, "KH")], ids=("face", "place", "seen in time"))
def test_another_card_is(collected: Fusion, box: int, face: str) -> None:
    assert found(collected, sighting(box, face)) is Fit.UNKNOWN


def test_it_neither_contradicts_nor_names_a_card_of_the_next_round(collected: Fusion) -> None:
    for face in ("9D", None):
        following = follow(collected, lying((1, face)))
        assert found(following, sighting(1, "7C")) is Fit.AGAIN
        assert found(following, sighting(1, "8S")) is (Fit.DIFFERS if face else Fit.READS)


def test_a_card_of_the_next_round_is_seen_whatever_lay_there_before(collected: Fusion) -> None:
    following = follow(collected, lying((1, "7C")))
    assert found(following, sighting(1, "7C")) is Fit.SEEN


def test_only_the_round_before_is_remembered(collected: Fusion) -> None:
    over = follow(follow(collected, lying((2, "QS"))), ())
    assert [card.card for card in over.collected] == [Card("QS")]
    assert found(over, sighting(1, "7C")) is Fit.UNKNOWN


def test_a_table_between_rounds_stays_as_it_is(collected: Fusion) -> None:
    assert follow(collected, ()) is collected
    assert isinstance(collected.collected[0], Followed)
