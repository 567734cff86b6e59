"""Each card is reported once; what is covered, moving or unread is neither a card nor "no card"."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.app.camera.noticing import (
    DOUBLE_MS,
    GONE_MS,
    HOLD_BACK_MS,
    UNREAD_MS,
    Came,
    Change,
    Noticer,
    Unread,
    Went,
)
from vision.compose import full_shoe
from vision.readings import Kind, Reading, Reason


def card(face: str, x: float = 0.0, region: str = "box-1") -> Reading:
    """A card 100 × 140 pixels large whose middle is at x."""
    corners = ((x - 50, 0.0), (x + 50, 0.0), (x + 50, 140.0), (x - 50, 140.0))
    return Reading(Kind.CARD, corners, face, 990, region=region)


def unread(x: float = 0.0, reason: Reason = Reason.UNSURE) -> Reading:
    return replace(card("KH", x), kind=Kind.UNKNOWN, face="", reasons=(reason,))


class Table:
    """A noticer with a clock."""

    def __init__(self, **lying: tuple[str, ...]) -> None:
        before = {name.replace("_", "-"): faces for name, faces in lying.items()}
        self.noticer = Noticer(("box-1", "box-2"), before, full_shoe(2))
        self.now_ms = 0

    def see(self, *readings: Reading, moving: tuple[str, ...] = (), for_ms: int = 0) -> list[Change]:
        """The same sighting every 100 ms, at least once."""
        found: list[Change] = []
        for _ in range(for_ms // 100 + 1):
            found += self.noticer.look(readings, moving, self.now_ms)
            self.now_ms += 100
        return found


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_card_is_reported_once(table: Table) -> None:
    assert table.see(card("KH"), for_ms=3000) == [Came("box-1", "KH")]


def test_each_card_of_a_hand_is_reported_in_its_own_region(table: Table) -> None:
    table.see(card("KH"))
    assert table.see(card("KH"), card("7C", 30), card("AS", 400, "box-2")) == [
        Came("box-1", "7C"),
        Came("box-2", "AS"),
    ]


def test_cards_of_a_hand_are_reported_from_the_lowest_up(table: Table) -> None:
    hand = (replace(card("AS", 30), order=1), card("KH"))
    assert table.see(*hand) == [Came("box-1", "KH"), Came("box-1", "AS")]


def test_a_card_that_settles_holds_back_those_above_it_for_a_while(table: Table) -> None:
    top, lowest = replace(card("7C", 30), order=1), unread(reason=Reason.SETTLING)
    assert table.see(lowest, top, for_ms=HOLD_BACK_MS - 300) == []
    assert table.see(card("KH"), top) == [Came("box-1", "KH"), Came("box-1", "7C")]
    others = replace(card("9D", 90), order=3), replace(unread(60, Reason.MOVING), order=2)
    assert table.see(card("KH"), top, *others, for_ms=HOLD_BACK_MS + 100) == [Came("box-1", "9D")]


def test_a_card_that_is_nudged_is_the_same_card(table: Table) -> None:
    table.see(card("KH"))
    assert table.see(card("KH", 60), moving=("box-1",), for_ms=300) == []
    assert table.see(card("KH", 60), for_ms=3000) == []


def test_a_second_card_of_a_face_is_another_card_once_it_has_lain_there(table: Table) -> None:
    table.see(card("KH"))
    both = (card("KH"), card("KH", 40))
    assert table.see(*both, for_ms=DOUBLE_MS - 200) == []
    assert table.see(*both, for_ms=400) == [Came("box-1", "KH")]
    assert table.see(*both, for_ms=3000) == []


def test_a_card_too_many_for_the_shoe_is_not_reported_until_there_is_room() -> None:
    table = Table(box_1=("KH",))
    both = (card("KH"), card("KH", 0, "box-2"))
    assert table.see(*both) == [Came("box-2", "KH")]
    three = (*both, card("KH", 200, "box-2"))
    assert table.see(*three, for_ms=5000) == []
    assert table.see(*three[1:], for_ms=GONE_MS + 500) == [Went("box-1", "KH"), Came("box-2", "KH")]


def test_a_card_seen_twice_for_a_moment_is_one_card(table: Table) -> None:
    table.see(card("KH"))
    table.see(card("KH"), card("KH", 40), for_ms=500)
    table.see(card("KH", 40), for_ms=500)
    assert table.see(card("KH"), card("KH", 40), for_ms=DOUBLE_MS - 200) == []


def test_a_card_is_gone_when_its_place_has_been_bare_and_still_for_a_while(table: Table) -> None:
    table.see(card("KH"))
    assert table.see(for_ms=GONE_MS - 100) == []
    assert table.see(for_ms=300) == [Went("box-1", "KH")]
    assert table.see(card("KH")) == [Came("box-1", "KH")]


@pytest.mark.parametrize("over", [card("7C", 10), unread(10), unread(10, Reason.MOVING)], ids=lambda r: r.text)
def test_a_covered_card_is_not_gone(table: Table, over: Reading) -> None:
    table.see(card("KH"))
    assert Went("box-1", "KH") not in table.see(over, for_ms=10_000)


def test_a_card_under_moving_hands_is_not_gone(table: Table) -> None:
    table.see(card("KH"))
    assert table.see(moving=("box-1",), for_ms=10_000) == []
    assert table.see(card("KH"), for_ms=1000) == []


def test_what_was_hidden_while_the_camera_could_not_be_believed_is_not_gone(table: Table) -> None:
    table.see(card("KH"))
    table.see(for_ms=GONE_MS - 200)
    table.noticer.pause()
    assert table.see(for_ms=GONE_MS - 200) == []


def test_what_was_reported_before_a_restart_is_not_reported_again() -> None:
    table = Table(box_1=("KH", "7C"))
    assert table.see(card("KH"), card("7C", 30), for_ms=3000) == []
    assert table.see(card("KH"), card("7C", 30), card("9D", 60)) == [Came("box-1", "9D")]


def test_what_was_taken_away_during_a_restart_is_gone() -> None:
    table = Table(box_1=("KH",))
    assert table.see(for_ms=GONE_MS + 200) == [Went("box-1", "KH")]


def test_a_card_that_cannot_be_read_is_told_once_after_a_while(table: Table) -> None:
    assert table.see(unread(), for_ms=UNREAD_MS - 100) == []
    assert table.see(unread(), for_ms=5000) == [Unread("box-1", Reason.UNSURE.sentence)]
    table.see()
    assert table.see(unread(), for_ms=UNREAD_MS + 100) == [Unread("box-1", Reason.UNSURE.sentence)]


@pytest.mark.parametrize("reason", [Reason.SETTLING, Reason.MOVING, Reason.COVERED])
def test_a_card_that_settles_or_shows_no_index_is_not_unread(table: Table, reason: Reason) -> None:
    assert table.see(unread(reason=reason), for_ms=20_000) == []


def test_pips_of_a_card_that_is_read_are_no_card(table: Table) -> None:
    assert table.see(card("TD"), unread(5), for_ms=20_000) == [Came("box-1", "TD")]


def test_backs_and_cut_cards_are_no_cards_to_report(table: Table) -> None:
    backs = tuple(replace(card("KH", x), kind=kind, face="") for x, kind in ((0, Kind.FACE_DOWN), (90, Kind.CUT_CARD)))
    assert table.see(*backs, for_ms=10_000) == []
