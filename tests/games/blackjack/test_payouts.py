"""Payouts: what a bettor wins or loses over a whole round, dealt card by card and then really paid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

FOUR_HANDS = "B1:1000 8H {up} 8D +split 8S +split 8C +split 3H +double TS TC stand 2D +double 5C AD stand"

CASES: list[tuple[str, dict[str, Any], str, int]] = [
    ("P01", {}, "B1:2500 AS 9H KD", 3750),
    ("P01 house", {"chip_quantum": 100}, "B1:2500 AS 9H KD", 3700),
    ("P01 player", {"chip_quantum": 100, "rounding": "player"}, "B1:2500 AS 9H KD", 3800),
    ("P02", {}, "B1:500 AS 7H TD", 750),
    ("P02 house", {"chip_quantum": 100}, "B1:500 AS 7H TD", 700),
    ("P02 player", {"chip_quantum": 100, "rounding": "player"}, "B1:500 AS 7H TD", 800),
    ("P03", {}, "B1:2500 AS AH KD no KH", 0),
    ("P06", {}, "B1:2500 AS AH KD I1:1250 no KH", 2500),
    ("P07", {}, "B1:2500 AS AH KD I1:1250 no 7H", 2500),
    ("P08", {}, "B1:500 TS AH 6D surrender@1", -250),
    ("P08 house", {"chip_quantum": 100}, "B1:500 TS AH 6D surrender@1", -300),
    ("P08 player", {"chip_quantum": 100, "rounding": "player"}, "B1:500 TS AH 6D surrender@1", -200),
    ("P09", {}, "B1:1500 TS TH 6D surrender", -750),
    ("P11", {}, "B1:1500 TS AH TD I1:750 stand@1 6H", 750),
    ("P13 insurance stays", {}, "B1:1500 TS AH 6D I1:750 surrender@1 KH", 750),
    ("P14", {}, "B1:500 9S AH 9D I1:250 stand@1 9H", -750),
    ("P15", {}, "B1:2500 6S TH 5D +double TC AD", -5000),
    ("P15b", {"dealer_blackjack_takes": "original_only"}, "B1:2500 6S TH 5D +double TC AD", -2500),
    ("P16", {}, "B1:2500 6S TH 5D +double TC 9D", 5000),
    ("P17", {}, "B1:2500 AS 6H 7D +double TC TD 8D", 5000),
    ("P18", {}, FOUR_HANDS.format(up="TH") + " 8H", 1000),
    ("P19", {}, FOUR_HANDS.format(up="TH") + " AH", -6000),
    ("P19b", {"dealer_blackjack_takes": "original_only"}, FOUR_HANDS.format(up="TH") + " AH", -1000),
    ("P20", {}, "B1:1000 AS TH AD +split KC 5C TD", 0),
    ("P20b", {"blackjack_after_split": True}, "B1:1000 AS TH AD +split KC 5C TD", 500),
    ("P22", {}, "B1:1000 AS 7H AD +split KC 9C 7D 7S", -1000),
    ("P24", {}, "B1:2500 TS 6H 6D hit KC", -2500),
    ("P25", {}, "B1:2500 AS 7H KD", 3750),
    ("push", {}, "B1:700 TS TH 8D stand 8H", 0),
    ("dealer bust", {}, "B1:700 TS 6H 3D stand TD KD", 700),
    ("soft 17 stands", {}, "B1:700 TS AH 8D stand@1 6H", 700),
    ("soft 17 hit", {"dealer_hits_soft_17": True}, "B1:700 TS AH 8D stand@1 6H 4D", -700),
    ("6:5", {"blackjack_pays": "6:5"}, "B1:2500 AS 9H KD", 3000),
    ("insurance 3:2", {"insurance_pays": "3:2"}, "B1:1000 TS AH 8D I1:500 stand@1 KH", -250),
]


@pytest.mark.parametrize(("name", "keys", "script", "net_minor"), CASES, ids=[c[0] for c in CASES])
def test_payout(felt: Callable[..., Any], name: str, keys: dict[str, Any], script: str, net_minor: int) -> None:
    table = felt(**keys)
    assert table.play(script) == []
    assert table.net(1) == net_minor
    assert table.settle() == []
    assert table.phase == "collection"
    assert [f.house_minor for f in table.said("round.settled")] == [-net_minor]
    cards = table.game.on_table
    assert table.signal("collect", cards) == []
    assert table.phase == "betting"
    assert table.game.discarded == cards


def test_several_persons_on_a_box_are_paid_each_by_their_own_stakes(felt: Callable[..., Any]) -> None:
    table = felt()
    table.play("B2.1:2000 B2.2:1000 B2.3:500 8S TH 8D")
    assert table.play("split") == []
    assert table.chips(2, 2000, "split", 1) == []
    assert table.chips(2, 1000, "split", 2) == []
    assert table.play("3C") == []  # third person's stake stays on the first hand
    assert table.play("double") == []
    assert table.chips(2, 2000, "double", 1) == []
    assert table.play("TC 9C stand 7D") == []
    assert (table.net(2, 1), table.net(2, 2), table.net(2, 3)) == (4000, 1000, 500)


def test_a_stake_that_cannot_be_paid_in_chips_is_refused_where_the_rules_say_so(felt: Callable[..., Any]) -> None:
    table = felt(rounding="reject_bet", chip_quantum=500)
    assert table.chips(1, 1500) == ["ODD_STAKE"]
    assert table.chips(1, 2000) == []


def test_a_split_hands_chips_are_known_by_what_they_are_owed(felt: Callable[..., Any]) -> None:
    """A chip sensor says box and person, never the hand."""
    table = felt()
    table.play("B1:1000 8S TH 8D +split 3C +double TC 9C stand 7D")
    assert table.dues() == {"1.1 main": 2000, "1.1 main:2": 0}
    assert table.pay(1, 2000, "main") == []
    assert table.phase == "collection"


def test_one_motion_may_pay_all_hands_of_a_box(felt: Callable[..., Any]) -> None:
    table = felt()
    table.play("B1:1000 8S TH 8D +split TC stand TD stand 7D")
    assert table.dues() == {"1.1 main": 1000, "1.1 main:2": 1000}
    assert table.pay(1, 2000) == []
    assert table.phase == "collection"
