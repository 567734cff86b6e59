"""Corrections: every hold has a way out, and no card and no chip is lost on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.core.cards import Card
from controller.core.inputs import CardDrawn, CardLaid, CardUnreadable, DeviceGap, DeviceOffline, DeviceOnline

Table = Callable[..., Any]

HIT_DUE = "B1:500 8S 7H 3D hit"
DECIDES = "B1:500 8S 7H 3D"


def test_an_unread_card_is_named_and_dealt_where_it_was_due(felt: Table) -> None:
    table = felt()
    table.play(HIT_DUE)
    assert table.play("unread") == ["CARD_UNREADABLE"]
    assert table.resume("name_card", approver="17").startswith("a second, different person")
    assert table.resume("name_card") == "name_card needs a card"
    assert table.resume("name_card", "5C") == ""
    assert [c.text for c in table.game.boxes[0].hands[0].cards] == ["8S", "3D", "5C"]
    assert table.phase == "players"


def test_two_unread_cards_are_two_matters(felt: Table) -> None:
    table = felt()
    table.play(HIT_DUE)
    table.play("unread unread")
    assert table.open_codes() == ["CARD_UNREADABLE", "CARD_UNREADABLE"]
    assert table.resume("name_card", "5C") == ""
    assert table.phase == "held"
    assert table.resume("name_card", "6C") == ""
    assert table.open_codes() == ["EXTRA_CARD"]  # it came while the table was held
    assert table.resume("next_card") == ""
    assert table.play("hit") == []
    assert [c.text for c in table.game.boxes[0].hands[0].cards] == ["8S", "3D", "5C", "6C"]


def test_an_unread_card_named_like_one_that_came_after_it_is_another_card(felt: Table) -> None:
    table = felt()
    table.play(DECIDES)
    assert table.play("unread 5C") == ["CARD_UNREADABLE", "EXTRA_CARD"]
    assert table.resume("name_card", "5C", "v1") == ""
    assert table.open_codes() == ["EXTRA_CARD", "EXTRA_CARD"]
    assert table.resume("burn") == ""
    assert table.resume("burn") == ""
    assert table.phase == "players"


def test_a_card_nobody_can_name_is_set_aside_and_the_packs_are_counted(felt: Table) -> None:
    table = felt()
    table.play(HIT_DUE)
    table.play("unread")
    assert table.resume("set_aside") == ""
    assert table.play("5C stand TC") == []
    table.settle()
    table.play("collect")
    assert table.phase == "inspection"
    assert [f.reason for f in table.said("shoe.changed")] == ["doubtful"]


def test_a_seventh_king_is_disputed_and_cannot_be_named_king(felt: Table) -> None:
    table = felt()
    table.play(DECIDES)
    for _ in range(6):
        assert table.play("KD") == ["EXTRA_CARD"]
        assert table.resume("burn") == ""
    assert table.play("hit KD") == ["CARD_DISPUTED"]
    assert table.resume("name_card", "KD") == ""
    assert table.open_codes() == ["CARD_DISPUTED"]
    assert table.resume("name_card", "QD") == ""
    assert table.phase == "dealer"


def test_an_extra_card_is_the_next_card_of_whoever_draws(felt: Table) -> None:
    table = felt()
    table.play("B1:500 B2:500 8S 9S 7H 9D 9C")
    assert table.play("2C") == ["EXTRA_CARD"]
    assert table.play("hit") == ["TABLE_HELD"]
    assert table.resume("next_card") == ""
    assert table.play("stand hit") == []
    assert table.game.boxes[1].hands[0].cards[-1].text == "2C"


def test_cards_kept_back_are_dealt_in_the_order_they_came(felt: Table) -> None:
    table = felt()
    table.play(DECIDES)
    table.play("2C 3C")
    assert table.resume("next_card", verdict="v2") == ""
    assert table.resume("next_card", verdict="v1") == ""
    table.play("hit hit")
    assert [c.text for c in table.game.boxes[0].hands[0].cards] == ["8S", "3D", "2C", "3C"]


def test_a_card_kept_back_may_begin_the_next_round(felt: Table) -> None:
    table = felt()
    table.play(DECIDES)
    table.play("2C")
    table.resume("next_card")
    table.play("stand TC")
    assert table.game.kept == ()  # the dealer took it
    table.settle()
    table.play("collect KC")
    table.resume("next_card")
    assert table.play("B1:500 no") == []
    assert table.game.boxes[0].hands[0].cards == (Card("KC"),)


def test_a_card_drawn_while_locked_waits_for_a_supervisor(felt: Table) -> None:
    table = felt()
    table.play(HIT_DUE)
    assert table.put(CardDrawn("shoe", Card("5C"), outside="locked")) == ["EXTRA_CARD"]
    assert table.resume("next_card") == ""
    assert table.game.boxes[0].hands[0].cards[-1] == Card("5C")


def test_a_card_announced_again_is_the_same_card(felt: Table) -> None:
    table = felt()
    table.play(HIT_DUE)
    drawn = table.game.shoe.drawn
    assert table.put(CardDrawn("shoe", Card("3D"), again=True)) == ["READ_AGAIN"]
    assert table.game.shoe.drawn == drawn
    assert table.put(CardDrawn("shoe", Card("KC"), again=True)) == ["EXTRA_CARD"]


def test_a_card_before_the_shoe_is_loaded_means_shuffling_again(felt: Table) -> None:
    table = felt(ready=False, inspection=False)
    assert table.play("shuffled KC") == ["CARD_OUTSIDE_PLAY"]
    assert table.resume("shuffle_again") == ""
    assert table.phase == "shuffle"
    assert table.play("KC") == ["CARD_OUTSIDE_PLAY"]
    assert table.phase == "shuffle"


def test_after_a_gap_missing_cards_are_named_in_order(felt: Table) -> None:
    table = felt()
    table.play("B1:500 8S")
    table.put(DeviceOffline("shoe", "unplugged"))
    assert table.put(DeviceGap("shoe", "the link was down")) == ["SHOE_UNALIGNED"]
    assert table.command("assign-card", card=Card("7H")) == ""
    assert table.command("confirm-card", card=Card("3D")) == ""
    assert "offline" in table.resume("aligned")
    table.put(DeviceOnline("shoe"))
    assert table.resume("aligned") == ""
    assert table.phase == "players"


def test_a_gap_holds_in_every_phase_with_a_loaded_shoe_and_cards_named_then_count(felt: Table) -> None:
    for script in ("", "B1:500", "B1:500 8S", "B1:500 8S AH 3D", DECIDES, HIT_DUE, "B1:500 8S 7H TD stand"):
        table = felt()
        table.play(script)
        assert table.put(DeviceGap("shoe", "gap")) == ["SHOE_UNALIGNED"]
        table.command("assign-card", card=Card("TC"))
        table.resume("aligned")
        table.resume("next_card")
        assert table.game.accounted == table.game.shoe.drawn


def test_a_round_can_be_voided_while_the_shoe_is_away(felt: Table) -> None:
    table = felt()
    table.play(DECIDES)
    table.put(DeviceOffline("shoe", "dead"))
    table.put(DeviceGap("shoe", "gap"))
    assert table.command("void-round", reason="the shoe is dead") == ""
    assert table.play("collect") == ["CHIPS_NOT_RETURNED"]
    assert table.phase == "inspection"


def test_voiding_undoes_what_was_paid_and_takes_two_people(felt: Table) -> None:
    table = felt()
    table.play("B1:500 B2:500 TS 9S 7H 6D 9D hit KD")
    table.pay(1, -500)
    assert table.command("void-round", approver="") == ""
    assert (len(table.said("command.signed")), table.said("round.voided")) == (1, [])
    assert "second" in table.command("void-round", approver="17")
    assert "role" in table.command("void-round", role="dealer")
    assert table.command("void-round", reason="foreign object") == ""
    assert [f.returned_minor for f in table.said("round.voided")] == [1000]
    assert table.expected() == "box 1 person 1: 5.00 main goes back"
    assert table.play("collect:5") == ["CARD_MISSING"]
    assert table.resume("recount") == ""
    assert table.play("collect:6") == ["CHIPS_NOT_RETURNED"]
    assert table.pay(1, 500) == []
    assert (table.back(1, 500), table.open_codes()) == ([], ["CHIPS_NOT_RETURNED"])
    assert (table.back(2, 500), table.open_codes()) == ([], [])
    assert table.phase == "betting"


def test_voiding_before_any_card_needs_no_collecting(felt: Table) -> None:
    table = felt()
    table.play("B1:500")
    assert table.command("void-round") == ""
    assert (table.phase, table.game.round_id) == ("betting", "")


def test_voiding_with_cards_aside_leaves_none_behind(felt: Table) -> None:
    table = felt()
    table.play(DECIDES)
    table.play("2C 3C unread")
    table.resume("next_card", verdict="v1")
    assert table.command("void-round") == ""
    assert table.open_codes() == []
    assert table.game.pile == 6
    assert table.play("collect:6") == ["CHIPS_NOT_RETURNED"]
    assert table.phase == "inspection"  # a card of the shoe was never named


def test_chips_that_never_went_back_are_written_off(felt: Table) -> None:
    table = felt()
    table.play("B1:500 TS B2:700")
    table.play("TH 8D stand 8H")
    assert table.play("collect") == ["CHIPS_NOT_RETURNED"]
    assert "verdicts are open" in table.command("close-table", role="dealer")
    assert table.resume() == ""
    assert table.game.to_return == ()
    assert table.command("close-table", role="dealer") == ""


def test_refused_chips_are_remembered_up_to_a_limit(felt: Table) -> None:
    table = felt()
    table.play("B1:500 TS")
    for person in range(1, 33):
        assert table.chips(2, 500, person=person) == ["LATE_BET"]
    assert table.chips(3, 500) == ["LATE_BET", "CHIPS_NOT_RETURNED"]
    assert table.phase == "held"
    assert table.resume("write_off") == ""


def test_chips_laid_and_taken_back_while_held_are_followed(felt: Table) -> None:
    table = felt()
    table.play(DECIDES)
    table.play("2C")
    assert table.chips(1, 500, "double") == ["TABLE_HELD"]
    assert len(table.game.to_return) == 1
    assert table.back(1, 500, "double") == []
    assert table.game.to_return == ()


def test_a_difference_may_be_let_stand(felt: Table) -> None:
    table = felt()
    table.play("B1:2500 B2:500 TS 9S TH 9D TC stand stand 8H")
    assert table.pay(1, 3000) == ["PAY_AMOUNT"]
    assert table.resume("accept", verdict="v1") == ""
    assert table.dues()["1.1 main"] == 0
    assert table.play("next") == ["SETTLEMENT_OPEN"]
    assert table.resume() == ""
    assert table.phase == "collection"
    assert [f.house_minor for f in table.said("round.settled")] == [-3000]


def test_an_early_payment_is_no_difference_to_let_stand(felt: Table) -> None:
    table = felt()
    table.play("B1:2500 TS TH 9D")
    table.pay(1, 2500)
    assert table.resume("accept") == "nothing waits for a correction"


def test_so_many_matters_that_only_a_new_shoe_helps(felt: Table) -> None:
    table = felt()
    table.play("B1:500 TS TH 9D stand 8H")
    codes = [code for person in range(2, 60) for code in table.pay(1, 100, person=person)]
    assert "TOO_MANY_VERDICTS" in codes
    assert table.phase == "held"
    assert len(table.state.verdicts) == 41
    assert table.resume("new_shoe") == ""
    assert (table.phase, table.open_codes(), len(table.game.to_return)) == ("inspection", ["CHIPS_NOT_RETURNED"], 0)


def test_more_cards_aside_than_can_be_followed(felt: Table) -> None:
    table = felt()
    table.play(DECIDES)
    for _ in range(30):
        table.put(CardUnreadable("shoe"))
    assert (len(table.game.unnamed), table.game.pile) == (24, 6)
    assert table.command("void-round") == ""
    assert table.play("collect:33") == ["CHIPS_NOT_RETURNED"]


def laid(table: Any, *spots: int | tuple[int, int]) -> list[str]:
    codes = []
    for spot in spots:
        box, hand = spot if isinstance(spot, tuple) else (spot, 1)
        codes += table.put(CardLaid("bets", box, hand))
    return codes


def test_cards_laid_where_they_are_due_say_nothing(felt: Table) -> None:
    table = felt()
    table.play("B1:500")
    for card, spot in (("8S", 1), ("7H", 0), ("8D", 1)):
        assert table.play(card) == []
        assert laid(table, spot) == []
    table.play("+split 9C")
    assert laid(table, 1) == []
    table.play("stand 9D")
    assert laid(table, (1, 2)) == []


def test_a_card_laid_at_the_wrong_box_is_moved(felt: Table) -> None:
    table = felt()
    table.play("B1:500 B3:500 8S")
    assert laid(table, 3) == ["WRONG_BOX"]
    assert table.resume("move") == ""
    assert [(f.box, f.found_at) for f in table.said("card.corrected")] == [(1, 3)]
    assert table.play("8C") == []


def test_a_card_noticed_before_it_is_announced(felt: Table) -> None:
    table = felt()
    table.play("B1:500 B3:500")
    assert laid(table, 1) == []
    assert table.play("8S") == []
    assert laid(table, 1) == []
    assert table.play("8C") == ["WRONG_BOX"]
    assert table.resume("lies_right") == ""


def test_a_card_from_the_sleeve_is_seen_by_nobody_but_the_sensor(felt: Table) -> None:
    table = felt()
    table.play(HIT_DUE)
    assert laid(table, 1, 0, 1) == []
    table.play("5C")
    assert laid(table, 1, 1) == []
    assert table.play("stand") == ["CARD_UNSEEN"]
    assert table.resume("no_card") == ""
    assert table.play("stand") == []


def test_an_unseen_card_is_named_and_dealt(felt: Table) -> None:
    table = felt()
    table.play(HIT_DUE)
    laid(table, 1, 0, 1)
    laid(table, 1)
    assert table.signal("dealer_stand") == ["CARD_UNSEEN"]
    assert table.resume("name_card", "5C") == ""
    assert table.game.boxes[0].hands[0].cards[-1].text == "5C"
    assert (table.phase, table.game.early) == ("players", ())


def test_an_unseen_card_that_was_not_due_lies_aside(felt: Table) -> None:
    table = felt()
    table.play("B1:500 8S 7H 3D")
    laid(table, 1, 0, 1)
    laid(table, 1)
    assert table.play("stand") == ["CARD_UNSEEN"]
    assert table.resume("name_card", "5C") == ""
    assert table.open_codes() == ["EXTRA_CARD"]
    assert table.resume("burn") == ""
    assert table.play("stand") == []


def test_two_unseen_cards_are_asked_for_one_after_the_other(felt: Table) -> None:
    table = felt()
    table.play("B1:500")
    assert laid(table, 1) == []
    assert laid(table, 3) == ["CARD_UNSEEN"]
    assert table.resume("no_card") == ""
    assert table.open_codes() == ["CARD_UNSEEN"]
    assert table.resume("no_card") == ""
    assert table.phase == "betting"


def test_a_burned_card_laid_at_a_box_holds_the_table(felt: Table) -> None:
    for order in ("after", "before"):
        table = felt(burn_min=0)
        table = felt(ready=False, inspection=False)
        table.signal("shuffled")
        table.signal("player_cut", 100)
        table.signal("second_cut", 208)
        table.signal("shoe_loaded")
        codes = table.play("9C") + laid(table, 1) if order == "after" else laid(table, 1) + table.play("9C")
        assert codes == ["BURN_MISSING"]
        assert table.resume("to_the_rack") == ""
        assert table.game.burned == 1


def test_a_table_without_sensors_remembers_few_spots(felt: Table) -> None:
    table = felt()
    table.play("B1:500 B2:500 B3:500 B4:500 B5:500 B6:500 B7:500 2S 3S 4S 5S 6S 7S 8S 9S 2C 3C 4C 5C 6C 7C 8C")
    assert len(table.game.unlaid) == 8
