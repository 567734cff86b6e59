"""The lines of a scenario: what each verb means, and what is said about one that is written wrong."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from controller.app.scenario import acts
from controller.app.scenario.acts import Cable, Commanded, Drawn, Manner, Said
from controller.app.scenario.bench import ERROR_CODES
from controller.app.scenario.grammar import FAULTS, VERBS, parse_line
from controller.app.scenario.places import bet_text, canonical_bet, hand_text, parse_place
from controller.core.cards import DECK, Card
from drivers import messages as m
from drivers.console import KEY_CODES


def said(device: str, message: m.DeviceMessage) -> object:
    return Said(device, message)  # type: ignore[arg-type]


FULL = (6,) * 52
SHORT = (1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1) * 4
EXAMPLES: dict[str, list[object]] = {
    "bet 3 2500": [said("bets", m.WagerPlaced(3, 1, "main", 2500))],
    "bet 3/2 500 side:trilux": [said("bets", m.WagerPlaced(3, 2, "side:trilux", 500))],
    "bet 3.2 500 double": [said("bets", m.WagerPlaced(3, 1, "double:2", 500))],
    "withdraw 1 500 insurance": [said("bets", m.WagerTakenBack(1, 1, "insurance", 500))],
    "pay 1.2/3 750": [said("bets", m.PayoutMade(1, 3, "main:2", 750))],
    "take 1 500": [said("bets", m.ChipsCollected(1, 1, "main", 500))],
    "cards AS 7H@dealer XX CUT": [
        Drawn(Card("AS")),
        Drawn(Card("7H")),
        said("bets", m.CardLaid(0, 1)),
        Drawn(None, Manner.UNREADABLE),
        Drawn(None, Manner.CUT_CARD),
    ],
    "cards 9♠@1.2": [Drawn(Card("9S")), said("bets", m.CardLaid(1, 2))],
    "deal KD@3 XX@dealer": [
        Drawn(Card("KD")),
        acts.Seen("box-3", Card("KD")),
        Drawn(None, Manner.UNREADABLE),
        acts.Seen("dealer", None),
    ],
    "see 3.2 KD XX": [acts.Seen("box-3-2", Card("KD")), acts.Seen("box-3-2", None)],
    "see discard KD": [acts.Seen("discard", Card("KD"))],
    "from spare KD CUT": [
        Drawn(Card("KD"), shoe="spare"),
        Drawn(None, Manner.CUT_CARD, "spare"),
    ],
    "draw": [acts.DrawNext(1)],
    "draw 12": [acts.DrawNext(12)],
    "lay 0": [said("bets", m.CardLaid(0, 1))],
    "draw-locked KD": [Drawn(Card("KD"), Manner.LOCKED)],
    "overdraw KD": [Drawn(Card("KD"), Manner.OVERDRAWN)],
    "lose KD": [Drawn(Card("KD"), Manner.LOST)],
    "spread": [said("console", m.DeckSpread(FULL))],
    "spread 24 -AS": [said("console", m.DeckSpread((0, *SHORT[1:])))],
    "spread 8 -AS +KC": [said("console", m.DeckSpread((7, *(8,) * 50, 9)))],
    "staff pit": [said("console", m.StaffCardPresented("pit"))],
    "key insurance 2": [said("console", m.KeyPressed("insurance", 2))],
    "key choose 2": [said("console", m.KeyPressed("choose", value=2))],
    "key-card TS": [said("console", m.CardNamed(10, "S", "assign"))],
    "key-card JS shown 2.1": [said("console", m.CardNamed(11, "S", "shown", 2, 1))],
    "key take 2": [said("console", m.KeyPressed("take", 2))],
    "hearts 2 1": [said("console", m.KeyPressed("hearts", 2, value=1))],
    "first_dealer 1": [said("console", m.KeyPressed("first_dealer", value=1))],
    "key-card TS confirm": [said("console", m.CardNamed(10, "S", "confirm"))],
    "prepare": [acts.Prepared("betting")],
    "prepare burn": [acts.Prepared("burn")],
    "settle": [acts.Settled(collect=False)],
    "finish": [acts.Settled(collect=True)],
    "play": [acts.Played()],
    "wait 90 s": [acts.Waited(90_000)],
    "wait 5": [acts.Waited(5_000)],
    "unplug shoe": [Cable("shoe", "unplug")],
    "plug console": [Cable("console", "plug")],
    "reboot bets": [Cable("bets", "reboot")],
    "unplug box-3-2": [Cable("box-3-2", "unplug")],
    "plug spare": [Cable("spare", "plug")],
    "fault reverse_exit": [acts.ShoeTrouble("reverse_exit")],
    "fault reverse_exit cleared": [acts.ShoeTrouble("reverse_exit", cleared=True)],
    "restart": [acts.Restarted()],
    "hit 3.2": [said("console", m.KeyPressed("hit", 3, 2))],
    "double 3/2 500": [said("console", m.KeyPressed("double", 3, 0, 2, 500))],
    "player_cut 140": [said("console", m.KeyPressed("player_cut", value=140))],
    "collect": [said("console", m.KeyPressed("collect"))],
    "open-table": [Commanded("open-table", "dealer")],
    "resume name_card KD v3 by pit with surveillance because it fell": [
        Commanded("resume", "pit", "surveillance", "name_card", Card("KD"), "v3", "it fell")
    ],
    "void-round with nobody": [Commanded("void-round", "supervisor")],
    "pair-device on console": [Commanded("pair-device", "supervisor", "dealer", target="console")],
    "resume #2": [Commanded("resume", "supervisor", "dealer", "#2")],
}


@pytest.mark.parametrize("line", EXAMPLES)
def test_a_line_stands_for_its_acts(line: str) -> None:
    assert parse_line(line) == tuple(EXAMPLES[line])


def test_the_examples_show_every_verb_and_every_act() -> None:
    shown = {line.split()[0] for line in EXAMPLES}
    assert set(VERBS) - set(KEY_CODES) - shown == {
        "close-table",
        "hand-over",
        "out-of-service",
        "back-in-service",
        "confirm-card",
        "assign-card",
        "ack-alert",
    }
    made = {type(act) for found in EXAMPLES.values() for act in found}
    assert made == set(get_args(acts.Act))


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_says_how_it_is_written(verb: str) -> None:
    assert VERBS[verb].usage.split()[0] == verb
    with pytest.raises(ValueError, match=r"it is written: ") as caught:
        parse_line(f"{verb} a b c d KD KD e f g #! by")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "an empty line"),
        ("bett 1 500", "'bett' is no verb; did you mean bet?"),
        ("qqqq", "docs/scenarios.md lists the verbs"),
        ("bet x 500", "'x' is no place: a place is written box, box.hand or box/person"),
        ("bet 300 500", "is no place"),
        ("bet 1 0", "'0' is no amount in minor units from 1"),
        ("bet 1 -5", "is no amount"),
        ("bet 1.2 500 insurance", "is no event of a bet sensor"),
        ("bet 1 500 lucky", "bet 'lucky' is unknown; allowed are main"),
        ("pay 0 500", "is no event of a bet sensor"),
        ("bet 1", "1 words behind the verb"),
        ("cards KX", "'KX' is no card: a card is rank and suit"),
        ("cards", "0 words behind the verb"),
        ("cards KD@x", "is no place"),
        ("draw 0", "no number of cards from 1 to 416"),
        ("spread KD", "one too many +KD"),
        ("spread 1 -KD -KD", "fewer than none"),
        ("key shrug", "is no key of the console"),
        ("key hit 1 x", "'x' is no number from 0"),
        ("key-card TS maybe", "purpose 'maybe' is unknown; allowed are confirm, assign"),
        ("unplug camera", "is no device: shoe, spare, console, bets, or a reader such as box-3"),
        ("deal TS", "'TS' says not where the card is laid, such as TS@3"),
        ("deal TS@9.x", "is no place"),
        ("see 3", "1 words behind the verb"),
        ("see 3 KX", "'KX' is no card"),
        ("see 3/2 KD", "a reader lies at a box or a hand, not at a person"),
        ("see 200 KD", "'box-200' is no position"),
        ("from bets KD", "'bets' is no shoe: shoe, spare"),
        ("fault unreadable", "a fault is one of overdraw"),
        ("wait forever", "is no number of seconds"),
        ("resume burn burn", "'burn' is one word too many"),
        ("resume burn by", "by is followed by a name"),
        ("resume KX", "'KX' is no card"),
        ("hand-over TS", "hand-over has no card; it is given device, reason"),
        ("open-table on shoe", "open-table has no device; it is given reason"),
        ("void-round v2", "void-round has no verdict; it is given reason"),
        ("cards " + "AS " * 401, "at most 400"),
    ],
)
def test_a_wrong_line_is_told_in_one_line(line: str, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)) as caught:
        parse_line(line)
    assert "\n" not in str(caught.value)


def test_every_fault_of_a_line_has_the_number_of_the_wire() -> None:
    assert tuple(ERROR_CODES) == FAULTS


def test_places_are_written_one_way() -> None:
    assert [hand_text(0), hand_text(3), hand_text(3, 2)] == ["dealer", "3", "3.2"]
    assert [canonical_bet(t) for t in ("3", "3.1/1", "3.2/2", " 3 insurance", "3/2 side:x", "3.2 double")] == [
        "3",
        "3",
        "3.2/2",
        "3 insurance",
        "3/2 side:x",
        "3.2 double",
    ]
    assert bet_text(3, 1, "main:2") == "3.2"
    assert parse_place("3.2/4").bet("main") == "main:2"
    assert len(DECK) == 52
