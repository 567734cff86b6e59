"""What dealer and players of the simulated table know and want, without any device."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from firmware_sim.display import Display
from firmware_sim.hands import Hand, dealer_draws, owed_minor, points
from firmware_sim.players import bets, decide
from firmware_sim.script import BLOT_ONLY, CAMERA_ONLY, EXPECTED, Deviation, Planned, Script

STAKE = 1000
SEVENTEEN, BLACKJACK, BUST, TWENTY = [10, 7], [1, 13], [10, 6, 12], [11, 12]


def hand(ranks: list[int], double: bool = False) -> Hand:
    return Hand(3, STAKE, STAKE if double else 0, list(ranks))


@pytest.mark.parametrize(
    ("ranks", "total", "soft"),
    [
        ([], 0, False),
        ([1], 11, True),
        ([1, 1], 12, True),
        ([1, 6], 17, True),
        ([1, 6, 10], 17, False),
        ([11, 12, 13], 30, False),
        ([1, 13], 21, True),
        ([1, 1, 9], 21, True),
        ([1, 1, 10, 9], 21, False),
    ],
)
def test_totals(ranks: list[int], total: int, soft: bool) -> None:
    assert points(ranks) == (total, soft)


@pytest.mark.parametrize(
    ("ranks", "double", "dealer", "owed"),
    [
        (TWENTY, False, SEVENTEEN, STAKE),
        (TWENTY, True, SEVENTEEN, 2 * STAKE),
        (TWENTY, False, BUST, STAKE),
        (TWENTY, False, TWENTY, 0),
        (SEVENTEEN, True, TWENTY, -2 * STAKE),
        (TWENTY, True, BLACKJACK, -2 * STAKE),
        ([7, 7, 7], False, BLACKJACK, -STAKE),
        (BLACKJACK, False, TWENTY, STAKE * 3 // 2),
        (BLACKJACK, False, [7, 7, 7], STAKE * 3 // 2),
        (BLACKJACK, False, BLACKJACK, 0),
        (BUST, True, BUST, -2 * STAKE),
    ],
)
def test_what_is_owed(ranks: list[int], double: bool, dealer: list[int], owed: int) -> None:
    assert owed_minor(hand(ranks, double), Hand(0, ranks=list(dealer))) == owed


@pytest.mark.parametrize(
    ("dealer", "hands", "draws"),
    [
        ([10], [TWENTY], True),
        ([10, 6], [TWENTY, BUST], True),
        ([1, 6], [TWENTY], False),
        ([10, 7], [TWENTY], False),
        ([10], [BUST, BUST], False),
        ([10], [BLACKJACK, BUST], True),
        ([1], [BLACKJACK], True),
        ([9], [BLACKJACK], False),
        ([10, 2], [BLACKJACK], False),
        ([10, 2], [BLACKJACK, TWENTY], True),
    ],
)
def test_when_the_dealer_draws(dealer: list[int], hands: list[list[int]], draws: bool) -> None:
    assert dealer_draws(Hand(0, ranks=dealer), [hand(ranks) for ranks in hands]) is draws


def test_who_is_asked() -> None:
    assert hand([10, 6]).asked
    assert not hand([7, 7, 7]).asked
    assert not hand(BLACKJACK).asked
    assert not hand(BUST).asked
    stood = hand([10, 2])
    stood.stood = True
    assert not stood.asked


def test_stakes_pay_in_whole_units_on_two_to_four_boxes() -> None:
    rng = Random(5)
    counts = Counter[int]()
    for _ in range(300):
        laid = bets(rng)
        counts[len(laid)] += 1
        assert [bet.box for bet in laid] == sorted({bet.box for bet in laid})
        assert all(1 <= bet.box <= 7 and bet.seat == 1 for bet in laid)
        assert all(500 <= bet.amount_minor <= 10_000 and bet.amount_minor * 3 % 2 == 0 for bet in laid)
    assert set(counts) == {2, 3, 4}


def test_players_double_only_on_two_cards_and_stand_on_hard_17() -> None:
    rng = Random(5)
    asked = [([5, 6], 6), ([2, 3, 6], 6), ([10, 7], 10), ([10, 6], 10), ([10, 4], 6), ([1, 6], 9), ([1, 8], 9)]
    said = {str(ranks): {decide(hand(ranks), up, rng) for _ in range(300)} for ranks, up in asked}
    assert said["[5, 6]"] == {"double", "hit"}
    assert said["[2, 3, 6]"] == {"hit"}
    assert said["[10, 7]"] == {"stand"}
    assert "hit" in said["[10, 6]"]
    assert "stand" in said["[10, 4]"]
    assert said["[1, 6]"] == {"hit", "stand"}
    assert said["[1, 8]"] == {"stand"}


def test_every_deviation_says_what_must_be_found() -> None:
    assert set(EXPECTED) == set(Deviation)
    assert {planned.kind for planned in Script.demo().planned} == set(Deviation) - BLOT_ONLY - CAMERA_ONLY
    assert {planned.kind for planned in Script.blot().planned} > BLOT_ONLY
    assert {planned.kind for planned in Script.camera().planned} > CAMERA_ONLY
    assert Planned(2, Deviation.EXPOSED_CARD).expected == ("EXTRA_CARD",)
    silent = {kind for kind, codes in EXPECTED.items() if not codes}
    assert silent == {Deviation.LOST_COPIES, Deviation.CORRUPT_COPY}


def test_a_random_script_depends_on_its_seed_alone() -> None:
    assert Script.random(7, 200) == Script.random(7, 200)
    assert Script.random(7, 200) != Script.random(8, 200)
    rounds = [planned.round for planned in Script.random(7, 200).planned]
    assert rounds == sorted(rounds)
    assert 1 <= min(rounds) <= max(rounds) <= 200
    assert 40 < len(rounds) < 100
    assert Script.random(7, 0) == Script()


@pytest.mark.parametrize(
    ("planned", "reason"),
    [
        ((0, "late_bet"), "deviation 'late_bet' is planned for round 0; rounds count from 1"),
        ((1, "theft"), "deviation 'theft' is unknown; allowed are wrong_order, "),
    ],
)
def test_a_wrong_script_is_refused(planned: tuple[int, str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Script.of(planned)


FOLLOWING = ("on", "off", "on", "off")
HELD = ("off", "blink", "off", "off")
DARK = ("off",) * 4


def test_the_display_in_play() -> None:
    display = Display.read(("players 1-3", "card to box 3", "shoe 1 drawn 123 table 7", "! OUT_OF_TURN"), FOLLOWING)
    assert display.free
    assert (display.phase, display.round_id, display.expected) == ("players", "1-3", "card to box 3")
    assert (display.shoe, display.drawn, display.on_table, display.corrections) == (1, 123, 7, ())


def test_the_display_of_a_held_table() -> None:
    texts = ("held v5 EXTRA_CARD", "card to box 3", "shoe 1 drawn 9 table 7", "1 next_card 2 burn 3 void_round")
    display = Display.read(texts, HELD)
    assert (display.following, display.held, display.free) == (True, True, False)
    assert (display.phase, display.verdict, display.code) == ("held", "v5", "EXTRA_CARD")
    assert display.corrections == ("next_card", "burn", "void_round")


def test_a_display_that_nobody_writes_is_not_followed() -> None:
    assert not Display.read(("", "", "", ""), DARK).following
    assert not Display.read(("players 1-3", "", "", ""), FOLLOWING, linked=False).free
    assert not Display.read(("JOURNAL FAILED", "stop dealing", "", ""), DARK).free
    assert Display.read(("players 1-3", "", "", ""), FOLLOWING).drawn == -1


def test_a_closed_table_is_followed_without_a_lamp() -> None:
    assert Display.read(("closed", "", "", ""), DARK).free
