"""The table around a game: service, rules, staff, commands, holds. Played with the one game there is."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

import pytest

from controller.core.cards import Card
from controller.core.codec import Codec, UnknownEventError, encode
from controller.core.evidence import describe
from controller.core.expectation import Kind
from controller.core.fold import fold, state_bytes, state_from, state_sha256
from controller.core.inputs import (
    CardDrawn,
    CardLaid,
    CardShown,
    CardUnreadable,
    ChipsCollected,
    ChipsPaid,
    CommandReceived,
    CutCardDrawn,
    DealerSignalled,
    DecisionSignalled,
    DeckSpread,
    DeviceFault,
    DeviceGap,
    DeviceOffline,
    DeviceOnline,
    GameInput,
    Input,
    RulesChosen,
    StaffPresented,
    SystemStarted,
    WagerPlaced,
    WagerWithdrawn,
)
from controller.core.state import EMPTY, Service, TableState
from controller.core.table import MOST_OFFLINE, expected, phase, step
from controller.games.blackjack import GAME

DATA = tomllib.loads(resources.files("controller.rulesets").joinpath("blackjack", "armenian.toml").read_text("utf-8"))
RULES = RulesChosen("blackjack", "armenian", DATA["rules"], "0" * 64)
OPEN = CommandReceived("open-table", "4711", "dealer")


def run(*events: Input, state: TableState = EMPTY, at_us: int = 0) -> tuple[TableState, list[Any]]:
    facts: list[Any] = []
    for event in events:
        done = step(GAME, state, event, at_us)
        state = done.state
        facts += done.facts
    return state, facts


def types(facts: list[Any]) -> list[str]:
    return [f.TYPE for f in facts]


def rejection(facts: list[Any]) -> str:
    return next((f.reason for f in facts if f.TYPE == "command.rejected"), "")


def test_a_table_opens_with_rules_only() -> None:
    _, facts = run(OPEN)
    assert rejection(facts) == "no rule set is in force"
    state, facts = run(RULES, OPEN)
    assert types(facts) == ["rules.in_force", "table.opened", "command.executed"]
    assert phase(GAME, state) == "inspection"
    assert rejection(run(OPEN, state=state)[1]) == "the table is open already"


def test_nothing_is_judged_before_it_is_open() -> None:
    state, _ = run(RULES)
    after, facts = run(WagerPlaced("bets", 1, 1, "main", 500), state=state)
    assert [f.code for f in facts] == ["TABLE_CLOSED"]
    assert after is state


def test_what_an_onlooker_sees_at_a_closed_table_is_nobodys_fault() -> None:
    state, _ = run(RULES)
    after, facts = run(CardShown("camera", 1, Card("6S")), state=state)
    assert facts == []
    assert after is state


@pytest.mark.parametrize(
    ("event", "came"),
    [
        (CardDrawn("shoe", Card("6S")), "6♠ out of shoe"),
        (CardUnreadable("shoe", "smudge"), "an unreadable card out of shoe"),
        (CutCardDrawn("shoe"), "the cut card out of shoe"),
        (CardLaid("bets", 3, 2), "a card at box 3 hand 2"),
        (DeckSpread("console", (6,) * 52), "312 cards spread"),
        (WagerPlaced("bets", 1, 1, "main", 500), "5.00 at box 1 laid"),
        (WagerWithdrawn("bets", 1, 2, "main", 500), "5.00 at box 1 person 2 taken back"),
        (ChipsCollected("bets", 1, 1, "insurance", 250), "2.50 at box 1 insurance taken"),
        (ChipsPaid("bets", 1, 1, "main", 7550), "75.50 at box 1 paid"),
        (DecisionSignalled("console", 3, "even_money"), "even money at box 3"),
        (DealerSignalled("console", "next_round", 3), "next round"),
    ],
)
def test_what_came_before_it_is_open_is_told_in_words(event: GameInput, came: str) -> None:
    """As evidence every field stands by its name; a person reads a sentence."""
    state, _ = run(RULES)
    (fact,) = run(event, state=state)[1]
    assert fact.actual == came
    assert fact.evidence == describe(event)


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        (RulesChosen("blot", "x", {}, "0"), "this table runs blackjack, not blot"),
        (RulesChosen("blackjack", "x", {"deks": 6}, "0"), "deks: unknown key; did you mean decks?"),
        (RulesChosen("blackjack", "x", {"decks": 6.0}, "0"), "unrecordable"),
    ],
)
def test_a_rule_set_that_cannot_be_used_changes_nothing(chosen: RulesChosen, why: str) -> None:
    state, _ = run(RULES)
    after, facts = run(chosen, state=state)
    assert after is state
    assert why in facts[0].actual


def test_expected_says_what_frees_the_table() -> None:
    assert expected(GAME, EMPTY)[0].options == ("open-table",)
    state, _ = run(RULES, OPEN, DeckSpread("console", (5,) * 52))
    assert [(e.kind, e.options) for e in expected(GAME, state)] == [(Kind.COMMAND, ("respread",))]
    state, facts = run(CommandReceived("resume", "17", "supervisor"), state=state)
    assert types(facts)[-1] == "table.resumed"
    assert facts[-1].actor == "17"
    assert expected(GAME, state)[0].options == ("spread",)


def test_out_of_service_closes_what_is_open_and_says_so() -> None:
    state, _ = run(RULES, OPEN, DeckSpread("console", (5,) * 52))
    assert rejection(run(CommandReceived("close-table", "4711", "dealer"), state=state)[1]).startswith(
        "verdicts are open"
    )
    state, facts = run(CommandReceived("out-of-service", "3", "technician"), state=state)
    assert types(facts) == ["table.out_of_service", "violation.resolved", "command.executed", "table.resumed"]
    assert phase(GAME, state) == "out_of_service"
    assert expected(GAME, state)[0].options == ("back-in-service",)
    state, _ = run(CommandReceived("back-in-service", "3", "technician"), state=state)
    assert state.service is Service.CLOSED


def test_rounds_have_names_of_their_own_across_openings() -> None:
    def a_round(state: TableState) -> tuple[TableState, str]:
        signals = [("shuffled", 0), ("player_cut", 100), ("second_cut", 208), ("shoe_loaded", 0)]
        state, _ = run(
            DeckSpread("console", (6,) * 52),
            *(DealerSignalled("console", *s) for s in signals),
            CardDrawn("shoe", Card("2D")),
            WagerPlaced("bets", 1, 1, "main", 500),
            state=state,
        )
        name = GAME.round_id(state.game)
        void = CommandReceived("void-round", "17", "supervisor", "4711", "dealer")
        back = WagerWithdrawn("bets", 1, 1, "main", 500)
        state, _ = run(void, back, CommandReceived("close-table", "4711", "dealer"), OPEN, state=state)
        return state, name

    state, first = a_round(run(RULES, OPEN)[0])
    _, second = a_round(state)
    assert (first, second) == ("1-1", "2-1")


def test_a_command_of_the_console_is_given_by_whoever_showed_a_card_there() -> None:
    state, _ = run(RULES)
    console = CommandReceived("open-table", "", "", device="console")
    assert "show a staff card" in rejection(run(console, state=state)[1])
    state, _ = run(StaffPresented("console", "4711", "dealer"), state=state, at_us=1)
    late = 121 * 1_000_000
    assert "show a staff card" in rejection(run(console, state=state, at_us=late)[1])
    assert "show a staff card" in rejection(run(console, state=state, at_us=0)[1])
    _, facts = run(console, state=state, at_us=late - 1_000_000)
    assert facts[0].actor == "4711"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (CommandReceived("reboot", "17", "supervisor"), "no such command"),
        (CommandReceived("resume", "4711", "dealer"), "role dealer may not"),
        (CommandReceived("void-round", "17", "supervisor"), "no round is open"),
        (CommandReceived("void-round", "17", "supervisor", "17", "supervisor"), "a second, different person"),
        (CommandReceived("void-round", "17", "supervisor", "9", "technician"), "role technician may not approve"),
        (CommandReceived("void-round", "17", "supervisor", "4711", "dealer"), "no round is open"),
        (CommandReceived("resume", "17", "supervisor"), "nothing waits for a correction"),
        (CommandReceived("resume", "17", "supervisor", verdict="v9"), "by the name v9"),
        (CommandReceived("ack-alert", "17", "supervisor", verdict="v9"), "no open verdict v9"),
        (CommandReceived("back-in-service", "17", "supervisor"), "the table is open"),
    ],
)
def test_a_command_that_cannot_be_carried_out_changes_nothing(command: CommandReceived, why: str) -> None:
    state, _ = run(RULES, OPEN)
    after, facts = run(command, state=state)
    assert why in rejection(facts)
    assert types(facts) == ["command.rejected"]
    assert after is state


@pytest.mark.parametrize("choice", ["#2", "#0", "#", "#²", "#" + "9" * 5000, "burn"])
def test_a_correction_that_is_not_offered_is_answered_with_those_that_are(choice: str) -> None:
    state, _ = run(RULES, OPEN, DeckSpread("console", (5,) * 52))
    _, facts = run(CommandReceived("resume", "17", "supervisor", correction=choice), state=state)
    assert rejection(facts).endswith("is not offered; offered: respread")


def test_a_verdict_is_acknowledged_without_being_closed() -> None:
    state, _ = run(RULES, OPEN, DeckSpread("console", (5,) * 52))
    after, facts = run(CommandReceived("ack-alert", "5", "surveillance", verdict="v1"), state=state)
    assert types(facts) == ["violation.acknowledged", "command.executed"]
    assert after is state


def test_the_same_matter_twice_is_one_verdict_and_a_changed_one_replaces_it() -> None:
    state, _ = run(RULES, OPEN)
    loaded = state.game
    assert not GAME.cards_expected(loaded)
    assert run(DeviceGap("shoe", "down"), state=state)[0] is state


def test_devices_offline_are_remembered_and_forgotten() -> None:
    state, _ = run(DeviceOffline("shoe", "x"), DeviceOffline("bets", "x"), DeviceOffline("shoe", "y"))
    assert state.offline == ("bets", "shoe")
    assert run(DeviceOnline("bets"), state=state)[0].offline == ("shoe",)
    assert run(SystemStarted(2, "1"), state=state)[0].offline == ()
    many, _ = run(*(DeviceOffline(f"d{n}", "x") for n in range(100)))
    assert len(many.offline) == MOST_OFFLINE
    assert run(DeviceFault("shoe", "x", "y"), state=state)[0] is state


def test_the_state_is_written_and_read_back() -> None:
    events = (RULES, OPEN, DeckSpread("console", (5,) * 52), StaffPresented("console", "1", "dealer"))
    state, _ = run(*events)
    data = state_bytes(GAME, state)
    assert state_from(GAME, data) == state
    assert state_bytes(GAME, state_from(GAME, data)) == data
    assert len(state_sha256(data)) == 64
    assert fold(GAME, [(e, 0) for e in events]) == state
    assert state_from(GAME, state_bytes(GAME, EMPTY)) == EMPTY
    with pytest.raises(ValueError):
        state_from(GAME, data.replace(b'"phase":"inspection"', b'"phase":"nap"'))


def test_the_codec_reads_what_it_wrote_and_says_what_it_cannot() -> None:
    codec = Codec.of(GAME)
    event = CardDrawn("shoe", Card("KD"), again=True)
    assert encode(event) == {"device": "shoe", "card": "KD", "outside": "", "again": True}
    assert codec.decode("card.drawn", encode(event)) == event
    assert codec.is_input("card.drawn")
    assert not codec.is_input("card.dealt")
    with pytest.raises(UnknownEventError, match=r"'card\.eaten' is not known"):
        codec.decode("card.eaten", {})
    with pytest.raises(UnknownEventError, match=r"card\.drawn: card: .*'XX' is not a card"):
        codec.decode("card.drawn", {"device": "shoe", "card": "XX"})


def test_evidence_is_one_line_without_what_is_empty() -> None:
    assert describe(CardDrawn("shoe", Card("KD"))) == "card.drawn device=shoe card=K♦ again=False"
    assert describe(DeckSpread("console", (6,) * 52)) == "dealer.spread device=console"
