"""``tablewatch replay`` of Blot: rounds as a person would tell them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from controller.cli.rounds import rounds_of
from controller.cli.rounds_seats import SeatRound
from controller.core.cards import DECK, Card
from controller.core.inputs import CardShown, CommandReceived, DecisionSignalled, DeckSpread
from controller.journal.chain import StoredEvent

Cli = Callable[..., tuple[int, str, str]]

SPREAD = tuple(int(card.rank in {1, 9, 10, 11, 12, 13}) for card in DECK)
FIRST = "JH 9H TS QS KS 9C AS TD JD AC TC 9D AH"
"""Seat 1 has the packets 1 and 3, seat 2 the others; the ace of hearts is turned up."""
SECOND = "KH QH JS 9S QD"


def decide(action: str, seat: int, value: int = 0) -> DecisionSignalled:
    return DecisionSignalled("console", seat, action, amount_minor=value)


@pytest.fixture
def played(blot_table: Any) -> Any:
    """Two rounds: one given up in trick 2, one void."""
    blot_table.say(CommandReceived("open-table", "4711", "dealer"), DeckSpread("console", SPREAD))
    blot_table.signals("first_dealer", value=2)
    blot_table.cards(FIRST)
    blot_table.say(decide("pass", 2), decide("take", 1))
    blot_table.cards(SECOND)
    blot_table.say(decide("announce_run", 1, 3))
    blot_table.say(*(CardShown("console", seat, Card(card)) for seat, card in ((1, "JH"), (2, "AC"), (1, "9H"))))
    blot_table.say(decide("give_up", 2), decide("score", 1, 23), decide("score", 2, 0))
    blot_table.signals("collect", value=24)
    blot_table.cards("AS KS")
    blot_table.say(CommandReceived("void-round", "12", "supervisor", "47", "surveillance", "misdeal"))
    return blot_table


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def test_a_round_reads_as_a_person_would_tell_it(cli: Cli, played: Any) -> None:
    code, out, err = cli("replay", played.path)
    assert (code, err) == (0, "")
    said = lines(out)
    start = next(index for index, line in enumerate(said) if line.startswith("Round 1-1"))
    assert said[start + 1 : start + 8] == [
        "seat 2 deals; A♥ is turned up; seat 1: take",
        "trick 1",
        "seat 1 ▸J♥",
        "seat 2 A♣",
        "points 31 to 1",
        "seat 1 announced a run of 3 for 20",
        "seat 2 gives up after 1 trick: 97 points to the other",
    ]
    assert said[start + 8].startswith("! OUT_OF_TURN (refused): expected seat 1 speaks; came: pass by seat 2")
    assert "void: misdeal" in said
    assert "K♠" not in out, "what was never shown is never told"


def test_json_has_the_round_as_an_object(cli: Cli, played: Any) -> None:
    code, out, _ = cli("replay", played.path, "--json", "--round", "1-1")
    assert code == 0
    (found,) = (json.loads(line) for line in out.splitlines())
    assert found["kind"] == "round"
    assert (found["dealer"], found["turn_up"], found["taker"], found["contract"]) == (2, "A♥", 1, "H")
    assert found["tricks"] == [{"number": 1, "leader": 1, "cards": ["J♥", "A♣"], "winner": 1, "points": 31}]
    assert (found["status"], found["points"], found["totals"]) == ("capot by taker", [23, 0], [23, 0])
    assert found["given_up"].startswith("seat 2 gives up")
    assert found["finished"]
    assert found["void"] is None


def test_data_of_another_version_is_shown_as_it_is(played: Any) -> None:
    def stranger(event: StoredEvent) -> dict[str, Any]:
        data = dict(event.data())
        return {"number": "x"} if event.type == "deal.trick" else data

    (first, *_) = (item for item in rounds_of(played.journal.events()) if isinstance(item, SeatRound))
    copy = SeatRound(first.round, first.first, first.last, first.from_us, first.to_us)
    for event in played.journal.events(first.first, first.last):
        copy.take(event.type, stranger(event))
    assert copy.tricks == []
    assert any("number=x" in said.text for said in copy.lines)
    assert copy.points == first.points
