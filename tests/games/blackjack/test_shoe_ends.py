"""The shoe's life: counts, its end and what becomes of every card of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from controller.core.cards import DECK, Card
from controller.core.inputs import CardDrawn, CardLaid, CardUnreadable, CutCardDrawn, DeckSpread, DeviceGap, Input

Table = Callable[..., Any]


def finish(table: Any) -> None:
    table.settle()
    table.play("collect")


def test_a_wrong_count_names_the_rounds_since_the_last_good_one(felt: Table) -> None:
    table = felt()
    for _ in range(2):
        table.play("B1:500 TS TH 8D stand 8H")
        finish(table)
    table.play("B1:500 TC TD 8C stand 8S collect:3")
    table.resume("recount")
    finish(table)
    table.play("B1:500 9C 9D 9S stand 9H")
    table.settle()
    assert table.play("collect:3") == ["CARD_MISSING"]
    assert table.state.verdicts[0].actual == "3 counted; rounds since the last good count: 1-1 to 1-4"
    assert table.resume("new_shoe") == ""
    assert table.put(DeckSpread("console", (5,) * 52)) == ["DECK_INCOMPLETE"]
    assert table.ways == ["respread", "quarantine"]
    assert table.resume("quarantine") == ""
    assert [f.rounds for f in table.said("shoe.quarantined")] == ["1-1 to 1-4"]
    assert table.put(DeckSpread("console", (6,) * 52)) == []
    assert table.game.uncounted == ()


@pytest.mark.parametrize(("face", "actual"), [(11, "J♠ was found"), (0, "a card was found")])
def test_a_card_found_elsewhere_stops_the_table(felt: Table, face: int, actual: str) -> None:
    table = felt()
    table.play("B1:500 TS TH 8D")
    assert table.play(f"found:{face}") == ["CARD_MISSING"]
    assert table.state.verdicts[0].actual == f"{actual}; rounds since the last good count: 1-1"
    assert table.resume("put_back") == ""
    assert table.play("stand found:53") == ["BAD_COUNT"]


def test_every_card_of_a_shoe_that_ended_is_accounted_for(felt: Table) -> None:
    table = felt()
    table.play("B1:500 TS TH 8D cut stand 8H")
    finish(table)
    (fact,) = table.said("shoe.reconciled")
    assert (fact.cards, fact.burned, fact.dealt, fact.left, fact.unread, fact.rounds) == (312, 1, 4, 307, 0, 1)
    assert table.phase == "shuffle"


@pytest.mark.parametrize("signal", ["shoe_change", "new_packs"])
def test_a_card_kept_for_the_next_round_is_not_forgotten_when_its_shoe_ends(felt: Table, signal: str) -> None:
    table = felt()
    table.play("B1:500 TS TH 8D stand 8H")
    finish(table)
    assert table.play("KS") == ["EXTRA_CARD"]
    assert table.resume("next_card") == ""
    assert len(table.game.kept) == 1
    assert table.signal(signal) == []
    (back,) = table.said("card.put_back")
    assert (back.shoe, back.card) == (1, None), "nobody has seen it"
    (fact,) = table.said("shoe.reconciled")
    assert (fact.burned, fact.dealt, fact.left, fact.put_back) == (1, 4, 306, 1)
    assert fact.burned + fact.dealt + fact.left + fact.put_back == fact.cards


def test_a_card_that_waits_for_a_supervisor_goes_back_with_a_new_shoe(felt: Table) -> None:
    table = felt()
    assert table.put(CardUnreadable("shoe")) == ["CARD_UNREADABLE"]
    assert table.play("KS") != []
    assert table.put(DeviceGap("shoe", "unplugged")) == ["SHOE_UNALIGNED"]
    assert table.resume("new_shoe") == ""
    assert [fact.card for fact in table.said("card.put_back")] == [None, None]
    (fact,) = table.said("shoe.reconciled")
    assert (fact.burned, fact.dealt, fact.left, fact.unread, fact.put_back) == (1, 0, 309, 1, 2)


def test_packs_are_counted_after_every_shoe_where_the_rules_say_so(felt: Table) -> None:
    table = felt(count_after_shoe=True)
    assert table.play("cut") == []
    assert table.phase == "inspection"


@pytest.mark.parametrize(("signal", "phase"), [("shoe_change", "shuffle"), ("new_packs", "inspection")])
def test_a_shoe_is_changed_between_two_rounds(felt: Table, signal: str, phase: str) -> None:
    table = felt()
    assert table.play(f"B1:500 {signal}") == ["WRONG_PHASE"]
    table.back(1, 500)
    assert table.play(signal) == []
    assert (table.phase, [f.reason for f in table.said("shoe.changed")]) == (phase, [signal])


def test_cards_in_the_order_of_new_packs_are_noted_once(felt: Table) -> None:
    table = felt()
    codes = table.play("B1:500 B2:500 B3:500 B4:500 AS 2S 3S 4S 5S 6S 7S 8S 9S")
    assert codes == ["LIKE_NEW_PACKS"]
    assert felt().play("B1:500 B2:500 B3:500 B4:500 AS 2S 3S 4S 5H 6S 7S 8S 9S") == []


def auto(table: Any, deck: list[Card]) -> None:
    """Deal until a shoe is empty or the round is to be settled; everybody stands."""
    while table.phase in {"betting", "dealing", "insurance", "players", "dealer"}:
        table.play({"betting": "no", "players": "stand", "insurance": "no"}.get(table.phase) or deck.pop().text)


def test_discards_are_shuffled_when_the_shoe_is_empty_but_not_the_cards_in_play(felt: Table) -> None:
    deck = list(DECK)
    random.Random(8).shuffle(deck)
    table = felt(decks=1, burn_min=0, burn_max=0)
    everybody = " ".join(f"B{box}:500" for box in range(1, 8))
    before = 0
    while table.phase != "held":
        before = table.game.discarded
        table.play(everybody)
        auto(table, deck)
        finish(table)
    assert table.open_codes() == ["SHOE_EMPTY"]
    assert table.ways == ["shuffle_discards", "void_round"]
    in_play = [c for box in table.game.boxes for h in box.hands for c in h.cards] + list(table.game.dealer)
    assert table.resume("shuffle_discards") == ""
    assert (table.game.shoe.left, table.game.discarded) == (before, 0)
    assert table.play(in_play[0].text) == ["CARD_DISPUTED"]
    again = next(c for c in DECK if c not in in_play)
    assert table.resume("name_card", again.text) == ""
    gone = {*in_play, again}
    auto(table, [c for c in DECK if c not in gone])
    finish(table)
    assert table.phase == "inspection"  # the packs are counted after such a round


@pytest.mark.parametrize(
    "before",
    [CardLaid("bets", 1), CardUnreadable("shoe"), CardDrawn("shoe", Card("TS"))],
    ids=["lies", "unread", "dealt"],
)
def test_the_cut_card_is_not_the_first_card_where_another_is_out(felt: Table, before: Input) -> None:
    """Also one that lies there and that no source has announced: the round is played."""
    table = felt(cut_card_first="shuffle_now")
    table.play("B1:1000")
    table.put(before)
    assert table.put(CutCardDrawn("shoe")) == []
    assert table.said("round.voided") == []
    assert [box.number for box in table.game.boxes] == [1]


def test_the_cut_card_first_calls_the_round_off(felt: Table) -> None:
    table = felt(cut_card_first="shuffle_now")
    assert table.play("B1:1000 cut") == ["CHIPS_NOT_RETURNED"]
    assert len(table.said("round.voided")) == 1
