"""First cards that went astray and cards drawn in error: who has which card, and what is offered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.core.cards import Card
from controller.core.inputs import CardLaid, CardShown

Table = Callable[..., Any]

THREE = "B1:500 B3:500 B5:500 "


def hands(table: Any) -> dict[str, str]:
    """The cards of every hand and of the dealer."""
    found = {f"{b.number}.{h.number}": h.cards for b in table.game.boxes for h in b.hands}
    return {where: " ".join(c.text for c in cards) for where, cards in {**found, "dealer": table.game.dealer}.items()}


def test_a_box_skipped_in_the_first_pass_is_dead_and_the_others_keep_their_cards(felt: Table) -> None:
    table = felt()
    table.play(THREE + "9H 4S 7C 2D")
    assert table.play("skipped@3") == ["BOX_SKIPPED"]
    assert table.ways == ["dead_box", "void_round"]
    assert table.resume("dead_box") == ""
    assert hands(table) == {"1.1": "9H 2D", "5.1": "4S", "dealer": "7C"}
    assert [(u.box, u.stake_minor) for u in table.game.undone] == [(3, 500)]
    assert [(f.box, " ".join(c.text for c in f.cards)) for f in table.said("hand.corrected")] == [
        (1, "9H 2D"),
        (5, "4S"),
        (0, "7C"),
    ]
    assert table.play("TC stand@1 stand@5 TD") == []
    assert table.phase == "settlement"


def test_a_dead_box_gives_back_its_side_bets_too(felt: Table) -> None:
    table = felt("greek")
    table.play("B1:500 B3:500 S3:200 B5:500 9H 4S 7C skipped@3")
    assert table.resume("dead_box") == ""
    assert [(f.box, f.returned_minor) for f in table.said("box.dead")] == [(3, 700)]
    assert [(u.bet, u.stake_minor) for u in table.game.undone] == [("main", 500), ("side:trilux", 200)]


def test_a_box_skipped_and_noticed_at_once_gets_its_card(felt: Table) -> None:
    table = felt()
    table.play(THREE + "9H 4S")
    assert table.play("skipped@3") == ["BOX_SKIPPED"]
    assert table.ways == ["move", "void_round"]
    assert table.resume("move") == ""
    assert hands(table) == {"1.1": "9H", "3.1": "4S", "5.1": "", "dealer": ""}
    assert [(f.box, f.found_at) for f in table.said("card.corrected")] == [(3, 5)]


def test_a_box_skipped_in_the_second_pass_gets_its_card_after_the_others(felt: Table) -> None:
    table = felt()
    table.play(THREE + "9H 4S KD 7C 2D 6C")
    assert table.play("skipped@3") == ["SECOND_CARD_SKIPPED"]
    assert hands(table) == {"1.1": "9H 2D", "3.1": "4S", "5.1": "KD 6C", "dealer": "7C"}
    assert table.play("TH") == []
    assert hands(table)["3.1"] == "4S TH"
    assert table.phase == "players"


def test_the_skipped_second_card_comes_before_the_hole_card(felt: Table) -> None:
    table = felt("hebrew")
    table.play("B1:500 B2:500 B3:500 9H 4S 5C 7C 2D 6C")
    assert table.play("skipped@2") == ["SECOND_CARD_SKIPPED"]
    assert hands(table) == {"1.1": "9H 2D", "2.1": "4S", "3.1": "5C 6C", "dealer": "7C"}
    assert table.play("TH KC") == []
    assert hands(table) == {"1.1": "9H 2D", "2.1": "4S TH", "3.1": "5C 6C", "dealer": "7C KC"}
    assert table.game.hole


def test_the_skipped_second_card_comes_behind_a_hole_card_dealt_instead(felt: Table) -> None:
    table = felt("hebrew")
    table.play("B1:500 B2:500 9H 4S 7C 2D KC")
    assert table.play("skipped@2") == ["SECOND_CARD_SKIPPED"]
    assert hands(table) == {"1.1": "9H 2D", "2.1": "4S", "dealer": "7C KC"}
    assert table.play("TH") == []
    assert (hands(table)["2.1"], table.phase) == ("4S TH", "players")


def test_only_a_box_that_was_due_a_card_can_be_skipped(felt: Table) -> None:
    table = felt()
    assert table.play("skipped@3") == ["NOT_SKIPPED"]
    assert table.play(THREE + "9H skipped@3 skipped@2") == ["NOT_SKIPPED", "NOT_SKIPPED"]


def test_the_only_box_cannot_be_dead(felt: Table) -> None:
    table = felt()
    table.play("B1:500 9H 4S skipped@1")
    assert table.ways == ["void_round"]


def test_the_card_that_makes_the_shorter_deal_too_long_lies_aside(felt: Table) -> None:
    table = felt()
    table.play("B1:500 B3:500 9H 4S 7C 2D skipped@3")
    assert table.resume("dead_box") == ""
    assert hands(table) == {"1.1": "9H 7C", "dealer": "4S"}
    assert table.open_codes() == ["EXTRA_CARD"]
    assert table.resume("next_card") == ""
    table.play("hit")
    assert hands(table)["1.1"] == "9H 7C 2D"


def test_the_dealer_who_missed_his_card_draws_at_his_turn(felt: Table) -> None:
    table = felt()
    assert table.play("B1:500 B3:500 9H 4S 2D skipped@0 TH") == ["DEALER_SKIPPED"]
    assert table.ways == ["dealer_later", "void_round"]
    assert table.resume("dealer_later") == ""
    assert hands(table) == {"1.1": "9H 2D", "3.1": "4S TH", "dealer": ""}
    table.play("stand stand TC 9C")
    assert (table.phase, table.net(1)) == ("settlement", -500)


def test_blackjacks_wait_for_both_cards_of_a_dealer_who_missed_his_own(felt: Table) -> None:
    table = felt()
    table.play("B1:500 AS KD skipped@0")
    assert table.resume("dealer_later") == ""
    assert table.phase == "dealer"
    assert table.dues()["1.1 main"] == 0
    table.play("TC AC")
    assert (table.phase, table.net(1)) == ("collection", 0)


def test_a_dealer_with_a_hole_card_gets_both_after_the_players(felt: Table) -> None:
    table = felt("hebrew")
    assert table.play("B1:500 9H 4S skipped@0") == ["DEALER_SKIPPED"]
    assert table.phase == "dealing"
    assert table.play("7C KD") == []
    assert hands(table) == {"1.1": "9H 4S", "dealer": "7C KD"}
    assert table.game.hole


def test_sensors_show_that_the_dealer_missed_his_card(felt: Table) -> None:
    table = felt()
    table.play("B1:500 9H")
    table.put(CardLaid("bets", 1))
    table.play("4S")
    assert table.put(CardLaid("bets", 1)) == ["DEALER_SKIPPED"]
    assert hands(table) == {"1.1": "9H 4S", "dealer": ""}


def test_cards_dealt_to_a_box_without_a_stake_are_burned(felt: Table) -> None:
    table = felt()
    table.play("B1:500 B3:500 9H 4S 7C")
    assert table.play("no_stake@2") == ["NO_STAKE"]
    assert table.resume("void_hand") == ""
    assert hands(table) == {"1.1": "9H", "3.1": "7C", "dealer": ""}
    assert [(f.card.text, f.why) for f in table.said("card.burned")] == [("4S", "no_stake")]
    assert table.play("TC 2D 5D") == []
    assert hands(table) == {"1.1": "9H 2D", "3.1": "7C 5D", "dealer": "TC"}


def test_a_box_with_a_stake_is_not_one_without(felt: Table) -> None:
    assert felt().play("B1:500 no_stake@2 9H no_stake@1 no_stake@8") == ["NOT_SKIPPED"] * 3


def test_two_to_each_box_has_no_second_pass(felt: Table) -> None:
    table = felt(deal_order="two_then_dealer")
    table.play("B1:500 B3:500 B5:500 9H 4S 7C 2D KD skipped@3")
    assert table.ways == ["dead_box", "void_round"]
    table.resume("dead_box")
    assert hands(table) == {"1.1": "9H 4S", "5.1": "7C 2D", "dealer": "KD"}


EXTRA = "B1:500 B3:500 TS 5D 7C 8S 6D"


def test_an_exposed_card_goes_to_the_first_hand_that_takes_one(felt: Table) -> None:
    table = felt()
    table.play(EXTRA)
    assert table.play("QD") == ["EXTRA_CARD"]
    assert table.ways == ["next_card", "burn", "exposed", "void_round"]
    assert table.resume("exposed") == ""
    table.play("stand hit")
    assert hands(table) == {"1.1": "TS 8S", "3.1": "5D 6D QD", "dealer": "7C"}


def test_an_exposed_card_nobody_takes_is_the_dealers_who_draws(felt: Table) -> None:
    table = felt()
    table.play(EXTRA + " QD")
    table.resume("exposed")
    table.play("stand stand")
    assert (hands(table)["dealer"], table.phase) == ("7C QD", "settlement")


def test_an_exposed_card_that_nobody_draws_is_burned(felt: Table) -> None:
    table = felt()
    table.play("B1:500 TS 5C 6D 2C")
    table.resume("exposed")
    table.play("surrender")
    assert table.game.kept == ()
    assert [(f.card.text, f.why) for f in table.said("card.burned")] == [("2C", "exposed")]


def test_an_exposed_card_never_begins_a_round_but_one_that_was_not_does(felt: Table) -> None:
    table = felt()
    table.play("TS KD")
    assert table.resume("next_card", verdict="v1") == ""
    assert table.resume("exposed", verdict="v2") == ""
    assert [f.card.text for f in table.said("card.burned")] == ["KD"]
    table.play("B1:500 no")
    assert hands(table) == {"1.1": "TS", "dealer": ""}


def test_a_second_card_of_the_dealer_is_recognised_where_he_has_none(felt: Table) -> None:
    table = felt()
    table.play("B1:500 5S 7C 6S 8D")
    assert table.put(CardLaid("bets", 1)) == []
    table = felt()
    table.play("B1:500")
    for card, box in (("5S", 1), ("7C", 0), ("6S", 1)):
        table.play(card)
        table.put(CardLaid("bets", box))
    table.put(CardLaid("bets", 0))
    assert table.play("8D") == ["EXTRA_CARD", "HOLE_CARD"]
    assert table.ways == ["next_card", "exposed", "void_round"]
    table.resume("next_card")
    table.play("hit")
    assert hands(table) == {"1.1": "5S 6S 8D", "dealer": "7C"}


def split_order(felt: Table, *, face: str, pair: str = "8", **keys: Any) -> Any:
    table = felt(**keys)
    table.play(f"B1:500 {pair}S 7H {pair}D +split 3C")
    for where in ((1, 1), (0, 1), (1, 1), (1, 1)):
        table.put(CardLaid("bets", *where))
    table.play(face)
    assert table.put(CardLaid("bets", 1, 2)) == ["SPLIT_ORDER"]
    return table


def test_the_card_of_the_second_hand_may_stay_there(felt: Table) -> None:
    table = split_order(felt, face="9S")
    assert table.ways == ["stays", "burn", "void_round"]
    assert table.resume("stays") == ""
    assert hands(table) == {"1.1": "8S 3C", "1.2": "8D 9S", "dealer": "7H"}
    table.play("stand stand")
    assert table.phase == "dealer"


def test_the_card_of_the_second_hand_may_be_burned(felt: Table) -> None:
    table = split_order(felt, face="9S")
    table.resume("burn")
    table.play("stand 4D")
    assert hands(table)["1.2"] == "8D 4D"


def test_a_card_that_stays_and_makes_21_leaves_nothing_to_decide(felt: Table) -> None:
    table = split_order(felt, face="AC", pair="T")
    table.resume("stays")
    table.play("stand")
    assert table.phase == "dealer"


def test_a_player_who_gives_no_decision_is_stood_by_a_supervisor(felt: Table) -> None:
    table = felt()
    table.play("B1:500 8S 7H 8D split")
    table.chips(1, 200, "split")
    assert table.play("absent@1") == ["NO_DECISION"]
    assert table.resume("stand") == ""
    assert (table.phase, [m.bet for m in table.game.to_return]) == ("dealer", ["split"])
    assert felt().play("B1:500 8S 7H 8D absent@3") == ["OUT_OF_TURN"]


def test_a_hand_that_takes_longer_than_allowed_holds_the_table(felt: Table) -> None:
    table = felt(decision_timeout_s=60)
    assert table.play("B1:500 8S 7H 8D over:59") == ["DECISION_NOT_NOW"]
    assert table.play("over:60") == ["NO_DECISION"]
    assert table.resume("stand") == ""
    assert table.phase == "dealer"
    assert table.play("over:60") == ["DECISION_NOT_NOW"]
    waits = felt(decision_timeout_s=60)
    waits.play("B1:500 8S 7H 8D hit")
    assert waits.play("over:90") == ["DECISION_NOT_NOW"]


def test_cards_collected_too_early_are_laid_out_again_from_the_record(felt: Table) -> None:
    table = felt()
    table.play("B1:500 8S 7H 8D")
    assert table.play("collect") == ["COLLECTED_EARLY"]
    assert "box 1 8S 8D; dealer 7H" in table.state.verdicts[0].expected
    assert table.resume("rebuilt") == ""
    assert table.play("stand") == []


def test_a_camera_sees_what_the_shoe_has_read(felt: Table) -> None:
    table = felt()
    table.play("B1:500 8S 7H 8D")
    assert table.put(CardShown("camera", 1, Card("8S"))) == []
