"""Every event has its line or is listed as silent; nothing a stranger says can hurt a terminal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from controller.app.narrate import CLASSES, SILENT, narrate
from controller.app.notes import NOTES
from controller.app.plugins import load_game, names
from controller.core import facts, inputs
from controller.core.cards import Card
from controller.core.codec import Codec, encode
from controller.core.verdicts import Correction, Severity
from controller.core.words import LONGEST, Tone, clean
from controller.games.blackjack import facts as game

SILENT_SOMETIMES = {"card.drawn": {"card": "KD"}, "dealer.signal": {"signal": "shuffled"}}
"""Silent when they say nothing beyond what their fact says."""


def sample(cls: type[Any]) -> dict[str, Any]:
    """Data of an event class: text ``x``, number 1, and what its fields need."""
    properties = TypeAdapter(cls).json_schema().get("properties", {})
    data: dict[str, Any] = {}
    for name, schema in properties.items():
        special = {
            "card": "KD",
            "cards": ["KD"] if schema.get("type") == "array" else 1,
            "severity": "hold",
            "settle_on": "one_source",
            "shoes": ["x"],
        }
        kinds: dict[str, Any] = {"string": "x", "integer": 1, "boolean": True, "array": [1], "object": {}}
        if "prefixItems" in schema:
            data[name] = [1] * len(schema["prefixItems"])
        elif "pattern" in schema:
            data[name] = "KD"
        else:
            data[name] = special.get(name, kinds.get(schema.get("type", ""), "KD"))
    return (
        data
        | ({"corrections": []} if "corrections" in data else {})
        | ({"signal": "dealer_stand"} if "signal" in data else {})
        | ({"sources": []} if "sources" in data else {})
    )


def types_of(game: str) -> dict[str, type[Any]]:
    codec = Codec.of(load_game(game))
    return {**codec.inputs, **codec.facts}


def test_every_event_type_of_the_table_and_of_every_game_has_words() -> None:
    known = {event_type for name in names("tablewatch.games") for event_type in types_of(name)}
    assert known | {cls.TYPE for cls in NOTES} == set(CLASSES)


@pytest.mark.parametrize("name", names("tablewatch.games"))
def test_facts_of_a_game_without_words_are_told_as_they_are(name: str) -> None:
    for event_type, cls in types_of(name).items():
        told = narrate(event_type, sample(cls))
        assert told is not None or event_type in SILENT


@pytest.mark.parametrize("event_type", sorted(CLASSES))
def test_every_event_type_has_a_line_or_is_listed_as_silent(event_type: str) -> None:
    told = narrate(event_type, sample(CLASSES[event_type]), "EUR")
    assert (told is None) == (event_type in SILENT)
    if told is not None:
        assert told.text
        assert "cannot be read" not in told.text


@pytest.mark.parametrize("event_type", sorted(SILENT_SOMETIMES))
def test_what_a_fact_repeats_is_not_told_twice(event_type: str) -> None:
    assert narrate(event_type, {"device": "shoe", **SILENT_SOMETIMES[event_type]}) is None


TOLD: list[tuple[Any, str]] = [
    (inputs.SystemStarted(7, "0.1.0", simulated=True), "controller started: start 7, version 0.1.0, simulated devices"),
    (inputs.CardDrawn("shoe", Card("KD"), outside="locked"), "K♦ left shoe, counted out of the game (locked)"),
    (inputs.CardDrawn("shoe", Card("KD"), again=True), "K♦ left shoe, again"),
    (inputs.CardUnreadable("shoe"), "a card left shoe unread"),
    (inputs.CardUnreadable("shoe", "smudge"), "a card left shoe unread: smudge"),
    (inputs.DeviceFault("shoe", "unreadable", "error 1", cleared=True), "shoe: over: unreadable: error 1"),
    (inputs.DeviceGap("shoe", "the link was down", 3), "shoe: 3 events may be missing: the link was down"),
    (inputs.DealerSignalled("console", "second_cut", 208), "second cut card put at 208"),
    (
        facts.ViolationRaised("v3", "WRONG_BOX", Severity.HOLD, "box 2", "box 3", "", (Correction("move", "move it"),)),
        "v3 WRONG_BOX (hold): expected box 2; came: box 3; ways out: move",
    ),
    (
        facts.SupervisorOverride("v3", "WRONG_BOX", "move", "12", "47", "seen", None),
        "override v3 WRONG_BOX → move by 12 and 47: seen",
    ),
    (facts.CommandRejected("resume", "12", "1-a", "nothing holds"), "command resume by 12: refused: nothing holds"),
    (game.CardDealt(2, 2, Card("TS"), "soft 17"), "T♠ to box 2 hand 2: soft 17"),
    (game.CardDealt(0, 1, Card("AH"), "soft 11"), "A♥ to dealer: soft 11"),
    (game.BoxBet(1, 2, "main", 500, 2500), "5.00 EUR bet at box 1 person 2 (now 25.00 EUR)"),
    (game.PayoutDue(1, 1, "main", 500, -500, "lose"), "box 1: lose, owed -5.00 EUR"),
    (game.PayoutMade(1, 1, "insurance", 1000, 0), "10.00 EUR paid to box 1 insurance"),
    (game.PayoutMismatch(1, 1, "main", 3750, 2500), "box 1: owed +37.50 EUR, moved +25.00 EUR"),
    (game.PayoutConfirmed(1, 1, "main", -500), "box 1: a difference of -5.00 EUR was let stand"),
    (game.ReturnsWrittenOff(2, 1500), "2 amounts that should have gone back written off: +15.00 EUR"),
    (game.ShoeChanged(1, 104, "end_shoe"), "shoe 1 ended after 104 cards: end shoe"),
    (game.CardPutBack(1, None), "shoe 1: a card was never dealt and goes back to its packs"),
    (game.CardPutBack(1, Card("KS")), "shoe 1: K♠ was never dealt and goes back to its packs"),
    (
        game.ShoeReconciled(1, 312, 1, 4, 306, 0, 1, 1),
        "shoe 1: 312 cards, 1 burned, 4 dealt in 1 round, 306 left, 1 put back undealt",
    ),
    (game.CardSetAside(1, 17), "card 17 of shoe 1 set aside without a name"),
    (game.RoundSettled("1-3", -2500), "round 1-3 settled: house -25.00 EUR"),
    (game.DealerDone("17", (Card("TS"), Card("7D"))), "dealer done: T♠ 7♦: 17"),
]  # fmt: skip


@pytest.mark.parametrize(("event", "text"), TOLD)
def test_the_words(event: Any, text: str) -> None:
    told = narrate(event.TYPE, encode(event), "EUR")
    assert told is not None
    assert told.text == text


@pytest.mark.parametrize(
    ("game", "box", "text"),
    [
        ("blackjack", 3, "K♦ shown at box 3"),
        ("blackjack", 0, "K♦ shown at the dealer's place"),
        ("blot", 2, "K♦ shown at seat 2"),
        ("blot", 0, "K♦ shown at the table"),
        ("canasta", 2, "K♦ shown"),
        ("", 2, "K♦ shown"),
    ],
)
def test_a_place_is_named_as_the_game_names_it(game: str, box: int, text: str) -> None:
    told = narrate("card.revealed", encode(facts.CardRevealed("1-1:4", Card("KD"), box)), game=game)
    assert told is not None
    assert told.text == text


def test_a_hold_is_an_alarm_and_a_refusal_a_warning() -> None:
    def tone(severity: Severity) -> Tone:
        told = narrate("violation.raised", encode(facts.ViolationRaised("", "C", severity, "a", "b", "")))
        assert told is not None
        return told.tone

    assert [tone(s) for s in Severity] == [Tone.QUIET, Tone.WARN, Tone.WARN, Tone.ALARM]


def test_identity_beside_an_input_does_not_disturb() -> None:
    told = narrate("device.offline", {"device": "shoe", "reason": "unplugged", "identity": "abc"})
    assert told is not None
    assert told.text == "shoe is offline: unplugged"


def test_unknown_types_and_data_of_another_version_are_told_quietly() -> None:
    unknown = narrate("blot.bid", {"seat": 1})
    assert unknown is not None
    assert (unknown.text, unknown.tone) == ("blot.bid seat=1", Tone.QUIET)
    other = narrate("card.dealt", {"card": "1Z"})
    assert other is not None
    assert other.text == "card.dealt cannot be read by this version: card=1Z"


def test_control_characters_of_a_device_reach_no_screen() -> None:
    told = narrate("device.offline", {"device": "shoe", "reason": "\x1b]0;gone\x07\nnext\u202eline" + "x" * 5000})
    assert told is not None
    assert told.text.startswith("shoe is offline: ?]0;gone? next?line")
    assert told.text.endswith("…")
    assert len(told.text) == LONGEST


@given(st.text(max_size=600))
def test_clean_text_is_one_printable_line(text: str) -> None:
    cleaned = clean(text)
    assert cleaned.isprintable()
    assert len(cleaned) <= LONGEST


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(sorted(CLASSES)), st.data())
def test_no_data_whatever_raises(event_type: str, data: st.DataObject) -> None:
    fields = sorted(sample(CLASSES[event_type]))
    drawn = data.draw(st.dictionaries(st.sampled_from(fields) if fields else st.text(max_size=3), JSON, max_size=9))
    told = narrate(event_type, drawn)
    assert told is None or told.text.isprintable()


def test_a_face_down_card_is_told_by_facts_unless_it_should_not_have_come() -> None:
    data = {"device": "shoe", "card": None, "sealed": "00" * 32, "outside": "", "again": False}
    assert narrate("card.drawn", data) is None
    told = narrate("card.drawn", data | {"outside": "locked"})
    assert told is not None
    assert (told.text, told.tone) == ("a face-down card left shoe, counted out of the game (locked)", Tone.WARN)


@pytest.mark.parametrize("event_type", ["card.shown", "card.racked"])
def test_a_card_seen_under_seal_is_silent(event_type: str) -> None:
    assert narrate(event_type, {"device": "box-1", "card": None, "sealed": "ab"}) is None
