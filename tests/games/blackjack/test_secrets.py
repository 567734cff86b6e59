"""Cards face down on a real journal: no face is on record before it is shown, and the fold is the live state."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from controller.adapters.console import Person
from controller.adapters.link import Wiring
from controller.app.engine import Engine, TableSetup
from controller.app.record import Standing, fold_events
from controller.app.rulesets import load_rules
from controller.app.snapshot import standing_bytes
from controller.core.cards import Card
from controller.core.codec import Codec
from controller.core.fold import state_bytes
from controller.core.state import TableState
from controller.games.blackjack import GAME
from controller.games.blackjack.picture import DealerView
from controller.journal.chain import StoredEvent
from controller.journal.sealing import opens
from controller.journal.signing import load_or_make_key
from controller.journal.store import Journal
from drivers import messages as m
from drivers.api import Capabilities, Report

WIRINGS = {
    "shoe": Wiring("shoe", "shoe", Capabilities(identity=True, replay=True, lock=True)),
    "console": Wiring("console", "console", Capabilities(identity=True, replay=True, heartbeat=True)),
    "bets": Wiring("bets", "bets", Capabilities(identity=True, replay=True, heartbeat=True, position=True)),
    "burn": Wiring("burn", "reader", Capabilities(position=True, card_identity=True)),
}
TAGS = {"04A1B2C3": Card("KC")}
STAFF = {"D1": Person("4711", "dealer"), "S1": Person("12", "supervisor")}


class Nobody:
    """Whom the engine tells."""

    def acknowledged(self, device: str, identity: str) -> None: ...

    def committed(self, events: tuple[StoredEvent, ...], state: TableState) -> None: ...


class Recorded:
    """A table on a journal, with a shoe, a console and a bet sensor."""

    def __init__(self, path: Path, rules: str, **keys: Any) -> None:
        self.path, self.rules = path, load_rules(GAME, rules, keys)
        self.signer = load_or_make_key(path.with_suffix(".key"))
        self.number = 0
        self.open()
        self.says("console", m.StaffCardPresented("D1"))
        self.keys("open_table")
        self.says("console", m.DeckSpread((self.rules.rules.decks,) * 52))
        self.keys(
            "shuffled",
            f"player_cut:{26 * self.rules.rules.decks}",
            f"second_cut:{self.rules.rules.second_cut_at}",
            "shoe_loaded",
        )

    def open(self) -> None:
        self.journal = Journal.open(self.path, "lv1", "bj-1", signer=self.signer)
        setup = TableSetup(GAME, self.rules, WIRINGS, STAFF, "0.0.0", simulated=True, faces=TAGS.get)
        self.engine = Engine(setup, self.journal, self.signer, Nobody())
        self.engine.start(self.now_us())

    def again(self) -> None:
        """The controller dies and comes back."""
        self.journal.close()
        self.open()

    def now_us(self) -> int:
        self.number += 1
        return 1_767_268_800_000_000 + self.number * 1000

    def says(self, device: str, message: m.DeviceMessage) -> None:
        now_us = self.now_us()
        self.engine.report(device, Report(message, f"{device}:{self.number}", reliable=device != "shoe"), now_us)

    def keys(self, *words: str) -> None:
        for word in words:
            key, _, value = word.partition(":")
            name, _, box = key.partition("@")
            self.says("console", m.KeyPressed(name, box=int(box or 0), value=int(value or 0)))

    def bet(self, box: int, amount_minor: int, bet: str = "main") -> None:
        self.says("bets", m.WagerPlaced(box, 1, bet, amount_minor))

    def cards(self, faces: str, *, again: bool = False) -> None:
        for face in faces.split():
            card = Card(face)
            self.says("shoe", m.CardDrawn(int(card.rank), card.suit.value, read_again=again))

    @property
    def state(self) -> TableState:
        return self.engine.state

    def record(self) -> str:
        """Everything on record, as text."""
        return "\n".join(event.envelope.decode() for event in self.journal.events())

    def of_type(self, event_type: str) -> list[dict[str, Any]]:
        return [dict(e.data()) for e in self.journal.events() if e.type == event_type]

    def tells(self, face: str) -> bool:
        """Whether the record, the picture or what is expected next tells this face."""
        card = Card(face)
        view = json.dumps(asdict(GAME.view(self.state.rules, self.state.game)))
        wanted = " ".join(e.text for e in GAME.expectation(self.state.rules, self.state.game))
        said = self.record() + view + wanted
        return f'"{card.text}"' in said or card.pretty in said or f" {card.text} " in said

    def check_fold(self) -> None:
        """The fold of the record is the live state, before and after a restart."""
        codec, live = Codec.of(GAME), state_bytes(GAME, self.state)
        standing = fold_events(GAME, codec, self.journal.events(), Standing(), self.journal.secret)
        assert state_bytes(GAME, standing.state) == live
        assert standing_bytes(GAME, standing)


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[Any]:
    made: list[Recorded] = []

    def make(rules: str, **keys: Any) -> Recorded:
        made.append(Recorded(tmp_path / f"{len(made)}.sqlite", rules, **keys))
        return made[-1]

    yield make
    for table in made:
        table.journal.close()


def shown(table: Recorded, face: str) -> dict[str, Any]:
    """The reveal of this face; its salt opens the seal of the card as it was drawn."""
    (reveal,) = [data for data in table.of_type("card.revealed") if data["card"] == face]
    assert opens(reveal["sealed"], reveal["salt"], face)
    drawn = [data for data in table.of_type("card.drawn") if data.get("sealed") == reveal["sealed"]]
    assert [data["card"] for data in drawn] == [None]
    return reveal


def test_a_hole_card_is_secret_until_the_dealer_turns_it(recorded: Any) -> None:
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards("TS 7H 6D KC")
    assert not table.tells("KC")
    assert GAME.view(table.state.rules, table.state.game).dealer == DealerView(("7H",), 1, "7")
    table.check_fold()
    table.keys("hit@1")
    table.cards("4S")
    table.again()
    table.check_fold()
    assert not table.tells("KC")
    table.keys("stand@1")
    assert shown(table, "KC")["box"] == 0
    assert table.tells("KC")
    table.check_fold()


@pytest.mark.parametrize(("up", "hole"), [("AH", "KC"), ("TH", "AC")])
def test_a_peek_that_finds_a_blackjack_shows_it(recorded: Any, up: str, hole: str) -> None:
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards(f"TS {up} 6D {hole}")
    if up == "AH":
        assert not table.tells(hole)
        table.keys("no_more_bets")
    shown(table, hole)
    assert [data["blackjack"] for data in table.of_type("hand.peeked")] == [True]
    assert table.state.game.phase.value == "settlement"
    table.check_fold()


def test_a_peek_that_finds_nothing_tells_no_face(recorded: Any) -> None:
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards("TS TH 6D KC")
    assert [data["blackjack"] for data in table.of_type("hand.peeked")] == [False]
    assert not table.tells("KC")
    table.keys("stand@1")
    assert table.tells("KC")


def test_a_hole_card_of_a_voided_round_stays_secret(recorded: Any) -> None:
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards("TS 7H 6D KC")
    table.says("console", m.StaffCardPresented("S1"))
    table.keys("void_round")
    table.says("console", m.StaffCardPresented("D1"))
    table.keys("approve", "collect:4")
    assert table.state.game.round_id == ""
    assert not table.tells("KC")
    table.check_fold()


def test_a_hole_card_drawn_while_the_table_is_held_stays_secret(recorded: Any) -> None:
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards("TS 7H 6D")
    table.says("shoe", m.DeviceGap(1, "a telegram is lost"))
    table.cards("KC")
    assert not table.tells("KC")
    table.says("console", m.StaffCardPresented("S1"))
    for _ in range(len(table.state.verdicts)):
        table.keys("choose:1")
    assert not table.tells("KC")
    assert len(table.state.game.dealer) == 2
    table.keys("stand@1")
    shown(table, "KC")
    table.check_fold()


@pytest.mark.parametrize(("choice", "secret"), [(1, True), (2, False), (3, False)])
def test_what_becomes_of_a_hole_card_that_the_shoe_counts_out(recorded: Any, choice: int, secret: bool) -> None:
    """The next card dealt, burned, or exposed."""
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards("TS 7H 6D")
    table.says("shoe", m.CardDrawn(13, "C", out_of_game=m.OutOfGame.LOCKED))
    assert not table.tells("KC")
    table.says("console", m.StaffCardPresented("S1"))
    table.keys(f"choose:{choice}")
    assert table.state.verdicts == ()
    assert table.tells("KC") is not secret
    table.check_fold()


@pytest.mark.parametrize(
    ("before", "way", "after"),
    [
        ("", "next_card", ("hit@1",)),
        ("", "exposed", ()),
        ("", "burn", ()),
        ("", "next_card", ("stand@1",)),
        ("a gap", "next_card", ("hit@1",)),
    ],
)
def test_a_card_drawn_in_error_is_secret_until_it_is_dealt_or_said_to_have_been_seen(
    recorded: Any, before: str, way: str, after: tuple[str, ...]
) -> None:
    table = recorded("armenian")
    table.cards("2D")
    table.bet(1, 500)
    table.cards("TS 7H 6D")
    if before:
        table.says("shoe", m.DeviceGap(1, "a telegram is lost"))
    table.cards("4C")
    assert not table.tells("4C")
    table.again()
    table.check_fold()
    table.says("console", m.StaffCardPresented("S1"))
    if before:
        table.keys("choose:1")
    ways = [c.kind for c in table.state.verdicts[0].corrections]
    table.keys(f"choose:{ways.index(way) + 1}")
    assert table.state.verdicts == ()
    assert table.tells("4C") is not bool(after)
    table.keys(*after)
    shown(table, "4C")
    table.check_fold()


def test_a_card_drawn_in_error_and_announced_again_stays_secret(recorded: Any) -> None:
    table = recorded("armenian")
    table.cards("2D")
    table.bet(1, 500)
    table.cards("TS 7H 6D 4C")
    table.cards("4C", again=True)
    assert [data["code"] for data in table.of_type("violation.raised")] == ["EXTRA_CARD", "READ_AGAIN"]
    assert not table.tells("4C")
    table.check_fold()


def test_a_card_for_a_later_hand_of_a_split_is_shown_when_it_stays_there(recorded: Any) -> None:
    table = recorded("armenian")
    table.cards("2D")
    table.bet(1, 500)
    for face, box in (("8S", 1), ("7H", 0), ("8D", 1)):
        table.cards(face)
        table.says("bets", m.CardLaid(box))
    table.keys("split@1")
    table.bet(1, 500, "split")
    table.cards("3C")
    table.says("bets", m.CardLaid(1))
    table.cards("9S")
    table.says("bets", m.CardLaid(1, 2))
    assert [v.code for v in table.state.verdicts] == ["SPLIT_ORDER"]
    assert not table.tells("9S")
    table.says("console", m.StaffCardPresented("S1"))
    table.keys("choose:1")
    assert shown(table, "9S")["hand"] == 2
    table.check_fold()


def test_a_card_before_the_stakes_are_in_order_is_secret(recorded: Any) -> None:
    table = recorded("armenian")
    table.cards("2D")
    table.bet(1, 400)
    table.cards("4C")
    assert [data["code"] for data in table.of_type("violation.raised")] == ["UNDER_MINIMUM", "EXTRA_CARD"]
    assert not table.tells("4C")


def test_verdicts_about_a_hidden_card_do_not_tell_its_face(recorded: Any) -> None:
    table = recorded("hebrew", decks=1)
    table.bet(1, 500)
    table.cards("TS 7H 6D KC")
    table.cards("KC", again=True)
    assert [data["code"] for data in table.of_type("violation.raised")] == ["READ_AGAIN"]
    assert not table.tells("KC")
    other = recorded("hebrew", decks=1)
    other.bet(1, 500)
    other.cards("KC 7H 6D KC")
    raised = other.of_type("violation.raised")
    assert [data["code"] for data in raised] == ["CARD_DISPUTED"]
    assert "K" not in raised[0]["actual"] + raised[0]["expected"]
    assert "KC" not in raised[0]["evidence"]
    assert "♣" not in raised[0]["evidence"]


def test_a_hole_card_that_was_seen_is_shown_and_noted(recorded: Any) -> None:
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards("TS 7H 6D KC")
    table.keys("exposed")
    shown(table, "KC")
    assert [data["code"] for data in table.of_type("violation.raised")] == ["EXPOSED_HOLE"]
    assert GAME.view(table.state.rules, table.state.game).dealer.cards == ("7H", "KC")
    table.keys("exposed")
    assert table.of_type("violation.raised")[-1]["code"] == "NOTHING_HIDDEN"


def test_a_burned_card_face_down_stays_secret_for_ever(recorded: Any) -> None:
    table = recorded("greek")
    table.cards("QS")
    table.bet(1, 500)
    table.cards("TS 7H 9D")
    table.keys("stand@1")
    table.cards("TC")
    assert not table.tells("QS")
    assert [data["card"] for data in table.of_type("card.burned")] == [None]
    table.check_fold()


def test_one_burned_card_too_many_is_secret_until_it_is_burned_as_well(recorded: Any) -> None:
    table = recorded("greek")
    table.cards("QS KC")
    assert [v.code for v in table.state.verdicts] == ["BURN_TOO_MANY"]
    assert not table.tells("KC")
    table.says("console", m.StaffCardPresented("S1"))
    table.keys("choose:1")
    shown(table, "KC")
    assert not table.tells("QS")


def test_an_exposed_burn_is_shown_and_noted(recorded: Any) -> None:
    table = recorded("greek")
    table.cards("QS")
    table.keys("exposed")
    shown(table, "QS")
    assert [data["code"] for data in table.of_type("violation.raised")] == ["EXPOSED_BURN"]


def test_an_unread_hole_card_that_is_named_lies_open(recorded: Any) -> None:
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards("TS 7H 6D")
    table.says("shoe", m.CardUnreadable())
    table.says("console", m.StaffCardPresented("S1"))
    table.says("console", m.CardNamed(13, "C", "assign"))
    table.says("console", m.StaffCardPresented("D1"))
    table.keys("approve")
    assert GAME.view(table.state.rules, table.state.game).dealer.cards == ("7H", "KC")
    assert table.of_type("card.revealed") == []
    table.check_fold()


READ_THERE = [
    m.TagSeen("burn", "04A1B2C3"),
    m.CardPresent("burn", 13, "C"),
    m.TagSeen("discard", "04A1B2C3"),
    m.CardPresent("discard", 13, "C"),
]


@pytest.mark.parametrize("message", READ_THERE, ids=lambda message: f"{type(message).__name__}-{message.position}")
@pytest.mark.parametrize("rules", ["hebrew", "armenian"])
def test_a_card_read_in_the_burn_or_discard_place_stays_secret(recorded: Any, rules: str, message: Any) -> None:
    """Through the card that lies face down a tag is read; its number would tell the card to whoever saw it before."""
    table = recorded(rules, burn_face_down=True)
    table.cards("KC")
    assert table.state.game.burned == 1
    table.says("burn", message)
    table.says("burn", m.CardGone(message.position, "04A1B2C3"))
    (racked,) = table.of_type("card.racked")
    assert (racked["card"], racked["tag"], racked["place"]) == (None, "", message.position)
    assert table.journal.secret(racked["sealed"]).content == "KC"
    assert not table.tells("KC")
    assert "04A1B2C3" not in table.record()
    assert table.state.verdicts == ()
    table.again()
    table.check_fold()


def test_a_reader_of_the_burn_place_says_no_face_while_the_table_is_held_or_closed(recorded: Any) -> None:
    table = recorded("hebrew")
    table.cards("2D")
    table.says("shoe", m.DeviceGap(1, "a telegram is lost"))
    table.says("burn", m.CardPresent("burn", 13, "C"))
    table.says("console", m.StaffCardPresented("S1"))
    table.keys("choose:1")
    table.says("console", m.StaffCardPresented("D1"))
    table.keys("close_table")
    assert table.state.service.value == "closed"
    table.says("burn", m.CardPresent("burn", 13, "C"))
    assert len(table.of_type("card.racked")) == 2
    assert [data["code"] for data in table.of_type("violation.raised")] == ["SHOE_UNALIGNED"]
    assert not table.tells("KC")
    table.check_fold()
