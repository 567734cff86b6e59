"""Where cards are seen: another box, another hand, another tag, a place that is not told apart, a card face down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.core.cards import Card
from controller.core.inputs import CardShown, SourcesChosen, WagerPlaced
from controller.core.sources import SettleOn, Source
from controller.games.blackjack import GAME

Table = Any
Make = Callable[..., Table]


def split(table: Table, *, seen: bool) -> None:
    """Box 1 splits eights."""
    table.bet(1)
    table.deal((1, "8H"), (0, "7D"), (1, "8S"))
    assert table.key("split", 1) == []
    assert table.put(WagerPlaced("bets", 1, 1, "split", 1000)) == []
    assert table.draw("TC") == []
    if seen:
        assert table.see(1, "TC") == []
        assert table.see(1, "8S", "reader-1-2", hand=2) == []


def test_a_split_takes_the_card_to_the_reader_of_the_new_hand(make: Make) -> None:
    table = make(hands=True)
    split(table, seen=True)
    assert table.seen_by(1) == [("reader-1",), ("reader-1",)]
    assert table.seen_by(1, 2) == [("reader-1", "reader-1-2")]
    assert table.held == []
    table.check()


def test_a_source_that_does_not_tell_hands_apart_sees_the_box(make: Make) -> None:
    camera = Source("camera", spots=tuple((box, 0) for box in range(8)))
    table = make(more=(camera,), boxes=())
    table.bet(1)
    for box, face in ((1, "8H"), (0, "7D"), (1, "8S")):
        table.draw(face)
        assert table.see(box, face, "camera") == []
    table.key("split", 1)
    table.put(WagerPlaced("bets", 1, 1, "split", 1000))
    assert table.draw("TC") == []
    assert table.see(1, "TC", "camera", hand=2) == []
    assert table.seen_by(1) == [("camera",), ("camera",)]
    table.check()


def test_the_tag_tells_two_equal_faces_apart(make: Make) -> None:
    table = make(tags=True)
    table.bet(1, 2)
    table.draw("KH")
    table.draw("KH")
    assert table.see(2, "KH", tag="B") == []
    assert table.see(1, "KH", tag="B") == ["CARD_SEEN_TWICE"]
    assert table.resume("no_card", alone=True) == []
    assert table.see(1, "KH", tag="A") == []
    assert (table.seen_by(1), table.seen_by(2)) == ([("reader-1",)], [("reader-2",)])
    table.check()


def test_another_card_of_the_same_face_is_not_the_one_that_was_seen(make: Make) -> None:
    table = make(tags=True)
    table.bet(1, 2)
    table.draw("KH")
    assert table.see(1, "KH", tag="A") == []
    assert table.see(1, "KH", tag="Z") == []
    assert table.waited() == ["SOURCE_SILENT", "CARD_NOT_DRAWN"] or table.held == ["CARD_NOT_DRAWN"]
    table.check()


def test_cards_that_are_taken_together_after_the_round_say_nothing(table: Table) -> None:
    table.bet(1)
    table.deal((1, "KH"), (0, "7D"), (1, "QS"))
    table.key("stand", 1)
    table.draw("TD")
    table.see(0, "TD")
    for face in ("KH", "QS"):
        assert table.see(0, face) == []
    assert table.waited() == []


def test_a_card_lies_at_a_box_while_bets_are_open(table: Table) -> None:
    assert table.see(3, "KH") == []
    assert table.waited() == ["CARD_NOT_DRAWN"]
    assert table.resume("no_card", alone=True) == []
    table.check()


def test_what_a_stranger_shows_is_only_recorded(table: Table) -> None:
    table.bet(1)
    table.draw("KH")
    assert table.see(1, "QH", "console") == []
    assert table.see(1, "KH") == []


def test_a_source_that_is_taken_out_is_not_waited_for(table: Table) -> None:
    table.bet(1)
    table.draw("KH")
    assert table.put(SourcesChosen(SettleOn.ONE_SOURCE, 0, 0, ())) == []
    assert table.state.fusion.cards == ()
    assert table.waited() == []
    table.check()


def test_a_second_card_at_the_next_box_is_held_and_put_right_by_hand(table: Table) -> None:
    """Box 1 was skipped in the second pass: the dealer keys it once the table is free."""
    table.bet(1, 2)
    table.deal((1, "2H"), (2, "3H"), (0, "7D"))
    assert table.draw("KH") == []
    assert table.see(2, "KH") == ["WRONG_BOX"]
    assert table.resume("lies_right") == []
    assert table.key("skipped", 1) == ["SECOND_CARD_SKIPPED"]
    assert (table.cards(1), table.cards(2)) == ("2H", "3H KH")
    assert table.draw("9H") == []
    assert table.see(1, "9H") == []
    assert table.cards(1) == "2H 9H"
    table.check()


def test_the_hole_card_stays_secret_in_what_is_said(make: Make) -> None:
    table = make(tags=True, rules={"hole_card": "dealt"})
    table.bet(1)
    table.draw("KH")
    table.see(1, "KH", tag="A")
    table.draw("7D")
    table.see(0, "7D", tag="B")
    table.draw("QS")
    table.see(1, "QS", tag="C")
    table.draw("TD")
    assert table.put(CardShown("reader-0", 0, Card("9D"), 1, "")) == ["SOURCES_DISAGREE"]
    (verdict,) = table.state.verdicts
    said = f"{verdict.expected} {verdict.actual} {' '.join(c.text for c in verdict.corrections)}"
    assert not set("T9").intersection(said)
    assert [c.kind for c in verdict.corrections] == ["believe_record", "void_round"]
    assert all("9" not in getattr(fact, "evidence", "") for fact in table.facts)
    table.check()


def box_one_has_thirteen(make: Make) -> Table:
    """Tags are read where cards lie; that of the last card is not read yet."""
    table = make(tags=True)
    table.bet(1)
    for box, face, tag in ((1, "8H", "A"), (0, "7D", "B")):
        table.draw(face)
        table.see(box, face, tag=tag)
    table.draw("5S")
    return table


def test_a_card_drawn_in_error_stays_secret_where_a_tag_is_read_through_it(make: Make) -> None:
    table = box_one_has_thirteen(make)
    table.see(1, "5S", tag="C")
    assert table.draw("KC") == ["EXTRA_CARD"]
    seen = CardShown("reader-1", 1, Card("KC"), 1, "")
    assert GAME.hidden(table.state.rules, table.state.game, seen, held=True) == "1-1:reader-1:aside"
    other = CardShown("reader-1", 1, Card("KD"), 1, "")
    assert GAME.hidden(table.state.rules, table.state.game, other, held=True) == "", (
        "no card lies hidden with this face"
    )
    assert table.put(seen) == []
    assert table.resume("burn") == []
    assert GAME.hidden(table.state.rules, table.state.game, seen, held=False) == "", "everybody has seen it"
    table.check()


def test_what_is_said_of_a_tag_read_through_a_card_does_not_tell_its_face(make: Make) -> None:
    table = box_one_has_thirteen(make)
    assert table.draw("KC") == ["EXTRA_CARD"]
    assert table.put(CardShown("reader-1", 1, Card("KC"), 1, "")) == ["SOURCES_DISAGREE"]
    verdict = table.state.verdicts[-1]
    said = f"{verdict.expected} {verdict.actual} {' '.join(c.text for c in verdict.corrections)}"
    assert not set("K♣").intersection(said)
    assert [c.kind for c in verdict.corrections] == ["believe_record", "name_card", "void_round"]
    assert all("K" not in getattr(fact, "evidence", "") for fact in table.facts)
    table.check()
