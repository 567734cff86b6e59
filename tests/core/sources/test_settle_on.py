"""What a round is settled on: one source's word, or two sources' for every card that a second one sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.core.inputs import CardUnreadable, ChipsPaid, DealerSignalled, DeviceOffline, DeviceOnline
from controller.core.sources import Source
from controller.core.sources.watch import waits
from controller.core.verdicts import Severity
from controller.games.blackjack import GAME

Table = Any
Make = Callable[..., Table]


def to_the_end(table: Table, *, last_seen: bool) -> None:
    """Box 1 stands on 20, the dealer has 17."""
    table.bet(1)
    table.deal((1, "KH"), (0, "7D"), (1, "QS"))
    assert table.key("stand", 1) == []
    assert table.draw("TD") == []
    if last_seen:
        assert table.see(0, "TD") == []


def pay_and_collect(table: Table) -> list[str]:
    return [*table.put(ChipsPaid("bets", 1, 1, "main", 1000)), *table.put(DealerSignalled("console", "collect", 4))]


@pytest.mark.parametrize("fixture", ["table", "two"])
def test_a_good_round_goes_its_way_without_a_word(fixture: str, request: pytest.FixtureRequest) -> None:
    table: Table = request.getfixturevalue(fixture)
    to_the_end(table, last_seen=True)
    assert pay_and_collect(table) == []
    assert (table.phase, table.held, table.state.fusion.cards) == ("betting", [], ())
    table.check()


def test_one_source_is_enough_where_the_policy_says_so(table: Table) -> None:
    to_the_end(table, last_seen=False)
    assert pay_and_collect(table) == []
    table.check()


def test_two_sources_are_waited_for_before_anything_is_paid(two: Table) -> None:
    to_the_end(two, last_seen=False)
    assert two.held == []
    assert two.put(ChipsPaid("bets", 1, 1, "main", 1000)) == ["CARDS_UNCONFIRMED"]
    (verdict,) = two.state.verdicts
    assert verdict.actual == "seen by one: T♦ at the dealer"
    assert two.put(DealerSignalled("console", "collect", 4)) == ["TABLE_HELD"]
    assert two.see(0, "TD") == []
    assert two.held == []
    assert two.put(DealerSignalled("console", "collect", 4)) == []
    assert two.phase == "betting"
    two.check()


def test_collecting_before_the_second_source_is_refused(two: Table) -> None:
    two.bet(1)
    two.deal((1, "KH"), (0, "7D"), (1, "QS"))
    two.key("stand", 1)
    two.draw("TD")
    assert two.put(DealerSignalled("console", "collect")) == ["CARDS_UNCONFIRMED", "TABLE_HELD"]
    two.check()


def test_a_supervisor_confirms_with_a_reason_what_no_second_source_saw(two: Table) -> None:
    to_the_end(two, last_seen=False)
    assert two.waited() == ["SOURCE_SILENT", "CARDS_UNCONFIRMED"]
    assert two.resume("confirm_cards", reason="") == []
    assert "a reason is needed" in two.rejected
    assert two.resume("confirm_cards", reason="looked at them") == []
    assert two.held == []
    assert pay_and_collect(two) == []
    two.check()


def test_a_silent_source_is_open_until_it_speaks(two: Table) -> None:
    two.bet(1)
    two.draw("KH")
    assert waits(GAME, two.state)
    assert two.waited() == ["SOURCE_SILENT"]
    assert [v.severity for v in two.state.verdicts] == [Severity.OPEN]
    assert not waits(GAME, two.state)
    assert two.see(1, "KH") == []
    assert two.held == []
    two.check()


def test_an_offline_source_is_a_note_and_one_source_goes_on(table: Table) -> None:
    table.bet(1)
    table.deal((1, "KH"))
    assert table.put(DeviceOffline("reader-0", "the cable was pulled")) == ["SOURCE_OFFLINE"]
    assert table.put(DeviceOffline("reader-0", "no answer")) == []
    assert table.draw("7D") == []
    assert not waits(GAME, table.state)
    table.deal((1, "QS"))
    assert table.key("stand", 1) == []
    assert table.draw("TD") == []
    assert pay_and_collect(table) == []
    table.check()


def test_an_offline_source_is_named_where_two_are_asked_for(two: Table) -> None:
    two.bet(1)
    two.put(DeviceOffline("reader-0", "the cable was pulled"))
    two.deal((1, "KH"))
    two.draw("7D")
    two.deal((1, "QS"))
    two.key("stand", 1)
    two.draw("TD")
    assert two.put(ChipsPaid("bets", 1, 1, "main", 1000)) == ["CARDS_UNCONFIRMED"]
    assert two.state.verdicts[0].actual == "seen by one: 7♦ at the dealer, T♦ at the dealer; offline: reader-0"
    two.put(DeviceOnline("reader-0"))
    assert two.see(0, "7D") == []
    assert two.see(0, "TD") == []
    assert two.held == []
    two.check()


def test_an_unread_card_that_a_reader_reads_is_confirmed_by_a_supervisor(two: Table) -> None:
    two.bet(1)
    assert two.put(CardUnreadable("shoe", "smudged")) == ["CARD_UNREADABLE"]
    assert two.see(1, "KH") == ["CARD_UNREADABLE"]
    (verdict,) = two.state.verdicts
    assert verdict.actual == "an unreadable card (smudged); reader-1 sees K♥ at box 1"
    assert [c.kind for c in verdict.corrections] == ["confirm_read", "name_card", "set_aside", "void_round"]
    assert two.resume("confirm_read") == []
    assert (two.cards(1), two.held, two.seen_by(1)) == ("KH", [], [("reader-1",)])
    two.check()


def test_a_card_that_only_the_reader_read_needs_a_person_too(make: Make) -> None:
    """Two sources are not one source twice."""
    table = make(settle_on="two_sources")
    table.bet(1)
    table.put(CardUnreadable("shoe", "smudged"))
    table.see(1, "KH")
    table.resume("name_card", "KH")
    assert table.seen_by(1) == [()]
    assert table.see(1, "KH") == []
    assert table.seen_by(1) == [("reader-1",)]
    table.check()


def test_places_that_no_second_source_sees_ask_for_none(make: Make) -> None:
    table = make(settle_on="two_sources", boxes=(1,))
    to_the_end_without_dealer = ((1, "KH"), (1, "QS"))
    table.bet(1)
    table.deal(to_the_end_without_dealer[0])
    table.draw("7D")
    table.deal(to_the_end_without_dealer[1])
    table.key("stand", 1)
    table.draw("TD")
    assert pay_and_collect(table) == []
    table.check()


def test_two_words_about_a_card_that_nobody_else_read_are_both_kept(make: Make) -> None:
    """Under two sources each word is offered; the newest first."""
    camera = Source("camera", spots=((1, 1),))
    table = make(settle_on="two_sources", more=(camera,))
    table.bet(1)
    table.put(CardUnreadable("shoe", "smudged"))
    assert table.see(1, "KH") == ["CARD_UNREADABLE"]
    assert table.see(1, "QH", "camera") == ["CARD_UNREADABLE"]
    assert [d.sighting.device for d in table.state.fusion.doubts] == ["reader-1", "camera"]
    assert table.resume("confirm_read") == []
    assert (table.cards(1), table.held, table.state.fusion.doubts) == ("QH", [], ())
    table.check()
