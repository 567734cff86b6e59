"""A slow source says that it saw a card when the round is over: that is no card of the next one, and none too many."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.cards import Card
from controller.core.inputs import CardUnreadable, ChipsPaid, CommandReceived, DealerSignalled
from controller.core.records import replace
from controller.core.sources import EVERY_HAND, Source
from controller.core.sources.fusion import Fit, Followed, Fusion, Sighting, fit, follow, late_word, saw
from controller.core.sources.sight import MOST_AGAIN
from controller.core.sources.sightings import Lying

Table = Any

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


def test_a_card_that_lay_there_and_was_not_seen_in_time_may_be_spoken_of_once(collected: Fusion) -> None:
    told = late_word(collected, sighting(1, "7C"))
    assert told is not None
    assert told.collected[1].seen == ("eye",)
    assert late_word(told, sighting(1, "7C")) is None


@pytest.mark.parametrize(("box", "face"), [(1, "8C"), (2, "7C"), (0, "KH")], ids=("face", "place", "seen in time"))
def test_another_card_is_none_of_the_round_before(collected: Fusion, box: int, face: str) -> None:
    assert late_word(collected, sighting(box, face)) is None
    assert found(collected, sighting(box, face)) is Fit.UNKNOWN


def test_a_card_of_the_next_round_is_seen_whatever_lay_there_before(collected: Fusion) -> None:
    following = follow(collected, lying((1, "7C")))
    assert found(following, sighting(1, "7C")) is Fit.SEEN


def test_only_the_round_before_is_remembered(collected: Fusion) -> None:
    over = follow(follow(collected, lying((2, "QS"))), ())
    assert [card.card for card in over.collected] == [Card("QS")]
    assert late_word(over, sighting(1, "7C")) is None


def test_a_table_between_rounds_stays_as_it_is(collected: Fusion) -> None:
    assert follow(collected, ()) is collected
    assert isinstance(collected.collected[0], Followed)


@pytest.fixture
def second(table: Table) -> Table:
    """A round is over in which nobody saw the second card of box 1, a queen of spades; bets for the next one lie."""
    table.bet(1, 2)
    table.deal((1, "KH"), (2, "9C"), (0, "7D"))
    assert table.draw("QS") == []
    table.deal((2, "9D"))
    assert [table.key("stand", 1), table.key("stand", 2), table.draw("TC"), table.see(0, "TC")] == [[], [], [], []]
    for box in (1, 2):
        assert table.put(ChipsPaid("bets", box, 1, "main", 1000)) == []
    assert table.put(DealerSignalled("console", "collect")) == []
    table.bet(1, 2)
    return table


def test_a_late_word_between_rounds_is_none_too_many_and_is_forgotten(second: Table) -> None:
    assert second.see(1, "QS") == []
    second.deal((1, "5D"), (2, "6C"), (0, "7D"), (1, "5H"), (2, "6D"))
    assert (second.state.fusion.early, second.held) == ((), [])
    second.check()


def test_a_card_that_was_seen_before_its_draw_speaks_against_the_shoe_that_misread_it(second: Table) -> None:
    """Seed 283: a queen of spades had lain there in the round before, too, and her reader had missed it."""
    assert second.see(1, "QS") == []
    assert second.draw("5D") == []
    second.deal((2, "6C"), (0, "7D"))
    assert second.draw("5H") == ["SOURCES_DISAGREE", "SOURCE_SILENT"]
    assert second.state.verdicts[0].actual == "reader-1 sees Q♠ at box 1"
    assert second.resume("believe_source") == []
    assert second.cards(1) == "QS 5H"
    second.check()


def test_a_card_that_was_seen_before_its_draw_is_confirmed_by_it(second: Table) -> None:
    assert second.see(1, "QS") == []
    assert second.draw("QS") == []
    assert (second.seen_by(1), second.state.fusion.early) == ([("reader-1",)], ())


def test_a_word_that_may_be_late_is_offered_for_an_unread_card_and_names_none(second: Table) -> None:
    assert second.put(CardUnreadable("shoe", "smudged")) == ["CARD_UNREADABLE"]
    assert second.see(1, "QS") == ["CARD_UNREADABLE"]
    assert [c.kind for c in second.state.verdicts[0].corrections][:2] == ["confirm_read", "name_card"]
    assert second.cards(1) == ""
    assert second.see(1, "5D") == []  # what it says now is of this round
    assert (second.cards(1), second.held, second.state.fusion.doubts) == ("5D", [], ())
    second.check()


def test_a_word_about_a_card_that_is_renamed_is_taken_for_the_next_one(table: Table) -> None:
    """Seed 1945: the shoe misread two cards running, and the second one's face was the first one's on record."""
    table.bet(1)
    table.deal((1, "KH"), (0, "7D"), (1, "9C"))
    table.key("stand", 1)
    assert [table.draw("3H"), table.draw("2C"), table.draw("5D")] == [[], [], []]
    assert table.see(0, "2D") == ["SOURCES_DISAGREE"]
    assert table.see(0, "3H") == []  # of the second card; the record has that face for the first
    assert table.resume("believe_source") == []
    assert table.see(0, "5D") == []
    assert table.waited() == ["SOURCES_DISAGREE", "SOURCE_SILENT"]
    assert table.state.verdicts[0].expected == "shoe: 2♣ at the dealer"
    table.check()


def test_what_waits_for_its_draw_goes_with_a_voided_round(table: Table) -> None:
    table.bet(1)
    table.deal((1, "KH"))
    assert table.see(2, "5C") == []
    assert table.see(1, "KH") == []
    assert len(table.state.fusion.early) == 2
    assert table.put(CommandReceived("void-round", "12", "supervisor", "4711", "dealer", "fire alarm")) == []
    assert table.state.fusion.early == ()
    table.check()


def test_what_a_source_says_again_and_again_is_bounded(table: Table) -> None:
    table.bet(1)
    table.deal((1, "KH"))
    for _ in range(3):
        assert table.see(1, "KH") == []
    assert len(table.state.fusion.early) == 1
    heard = tuple(replace(sighting(1, "KH", f"d{n}"), again=True) for n in range(MOST_AGAIN))
    table.state = replace(table.state, fusion=replace(table.state.fusion, early=heard))
    assert table.see(1, "KH") == []
    assert [s.device for s in table.state.fusion.early] == [f"d{n}" for n in range(1, MOST_AGAIN)] + ["reader-1"]
