"""Two sources at one table: what the one says of a card, compared with what the other says."""

from __future__ import annotations

from typing import Any

from controller.core.inputs import CardUnreadable, WagerPlaced

SightedTable = Any


def test_cards_seen_where_they_were_dealt_are_confirmed_without_a_word(table: SightedTable) -> None:
    table.bet(1, 2)
    table.deal((1, "KH"), (2, "9C"), (0, "7D"), (1, "QS"), (2, "9D"))
    assert table.seen_by(1) == [("reader-1",), ("reader-1",)]
    assert table.seen_by(0) == [("reader-0",)]
    assert table.held == []
    table.check()


def test_a_sighting_may_come_before_its_draw(table: SightedTable) -> None:
    table.bet(1, 2)
    assert table.see(1, "KH") == []
    assert table.see(2, "9C") == []
    assert table.draw("KH") == []
    assert table.draw("9C") == []
    assert (table.seen_by(1), table.seen_by(2)) == ([("reader-1",)], [("reader-2",)])
    table.check()


def test_two_faces_of_one_card_hold_the_table_and_both_are_named(table: SightedTable) -> None:
    table.bet(3)
    assert table.draw("KH") == []
    assert table.see(3, "QH") == ["SOURCES_DISAGREE"]
    (verdict,) = table.state.verdicts
    assert (verdict.expected, verdict.actual) == ("shoe: K♥ at box 3", "reader-3 sees Q♥ at box 3")
    assert [c.kind for c in verdict.corrections] == ["believe_record", "believe_source", "name_card", "void_round"]
    table.check()


def test_believing_the_shoe_leaves_the_record(table: SightedTable) -> None:
    table.bet(3)
    table.draw("KH")
    table.see(3, "QH")
    assert table.resume("believe_record", alone=True) == []
    assert (table.cards(3), table.held, table.phase) == ("KH", [], "dealing")
    table.check()


def test_believing_the_reader_corrects_the_record_and_needs_two_people(table: SightedTable) -> None:
    table.bet(3)
    table.draw("KH")
    table.see(3, "QH")
    assert table.resume("believe_source", alone=True) == []
    assert (table.cards(3), table.held) == ("KH", ["SOURCES_DISAGREE"])
    assert table.resume("believe_source") == []
    assert (table.cards(3), table.held) == ("QH", [])
    assert table.state.game.shoe.seen[table.state.game.boxes[0].hands[0].cards[0].index] == 1
    table.check()


def test_a_person_may_name_a_third_face(table: SightedTable) -> None:
    table.bet(3)
    table.draw("KH")
    table.see(3, "QH")
    assert table.resume("name_card", "JH") == []
    assert table.cards(3) == "JH"
    table.check()


def test_the_right_face_at_a_wrong_place_is_a_mislaid_card(table: SightedTable) -> None:
    table.bet(2, 3)
    assert table.draw("KH") == []
    assert table.see(3, "KH") == ["WRONG_BOX"]
    (verdict,) = table.state.verdicts
    assert (verdict.expected, verdict.actual) == ("the card goes to box 2", "it was laid at box 3")
    assert table.resume("move") == []
    assert table.see(2, "KH") == []
    assert table.seen_by(2) == [("reader-2",)]
    table.check()


def test_a_card_that_was_never_drawn_waits_for_the_next_decision_and_is_then_a_verdict(table: SightedTable) -> None:
    table.bet(1)
    table.deal((1, "KH"), (0, "7D"), (1, "2S"))
    assert table.see(1, "5C") == []
    assert table.key("stand", 1) == ["CARD_NOT_DRAWN", "TABLE_HELD"]
    assert [c.kind for c in table.state.verdicts[0].corrections] == ["no_card", "count_it", "void_round"]
    assert table.resume("no_card", alone=True) == []
    assert table.key("stand", 1) == []
    table.check()


def test_a_card_that_left_the_shoe_unseen_is_counted_as_the_next_one(table: SightedTable) -> None:
    table.bet(1)
    table.deal((1, "KH"), (0, "7D"), (1, "2S"))
    assert table.key("hit", 1) == []
    assert table.see(1, "5C") == []
    assert table.waited() == ["CARD_NOT_DRAWN"]
    assert table.resume("count_it") == []
    assert (table.cards(1), table.seen_by(1)[-1]) == ("KH 2S 5C", ("reader-1",))
    table.check()


def test_one_tag_at_two_places_is_a_verdict(table: SightedTable) -> None:
    table.bet(1, 2)
    table.draw("KH")
    table.see(1, "KH", tag="04A1")
    assert table.see(2, "KH", tag="04A1") == ["CARD_SEEN_TWICE"]
    table.check()


def test_one_draw_claimed_at_two_places_is_a_verdict(table: SightedTable) -> None:
    table.bet(1, 2)
    table.deal((1, "KH"), (2, "9C"))
    assert table.see(2, "KH") == []
    assert table.waited() == ["CARD_SEEN_TWICE"]
    table.check()


def test_a_card_read_again_where_it_lies_says_nothing_new(table: SightedTable) -> None:
    table.bet(1, 2)
    table.deal((1, "KH"))
    assert table.see(1, "KH") == []
    assert table.waited() == []


def test_a_silent_reader_is_noted_once_and_holds_nothing(table: SightedTable) -> None:
    table.bet(1, 2)
    assert table.draw("KH") == []
    table.deal((2, "9C"), (0, "7D"))
    assert table.draw("QS") == ["SOURCE_SILENT"]
    assert table.see(1, "QS") == []
    assert table.seen_by(1) == [(), ("reader-1",)]
    assert table.held == []
    table.check()


def test_an_unreadable_card_is_named_by_the_reader_where_it_is_due(table: SightedTable) -> None:
    table.bet(1)
    assert table.put(CardUnreadable("shoe", "smudged")) == ["CARD_UNREADABLE"]
    assert table.see(1, "KH") == []
    assert (table.cards(1), table.held, table.seen_by(1)) == ("KH", [], [("reader-1",)])
    table.check()


def test_an_unreadable_first_card_that_ends_the_bets_is_named_where_it_lies(table: SightedTable) -> None:
    assert table.put(WagerPlaced("bets", 1, 1, "main", 1000)) == []
    assert table.put(CardUnreadable("shoe", "smudged")) == ["CARD_UNREADABLE"]
    assert table.see(1, "KH") == []
    assert (table.cards(1), table.held, table.phase) == ("KH", [], "dealing")
    table.check()
