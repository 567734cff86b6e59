"""Acts of two people: the second one approves what the first one signed, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from controller.core.approval import MOST_SIGNED
from controller.core.cards import Card
from controller.core.facts import CommandExecuted, CommandRejected, CommandSigned, SupervisorOverride
from controller.core.inputs import CardUnreadable, CommandReceived, DealerSignalled, StaffPresented, SystemStarted
from controller.core.table import step
from controller.games.blackjack import GAME

if TYPE_CHECKING:
    from tests.core.conftest import Table


def why(facts: list[Any]) -> str:
    return "".join(f.reason for f in facts if isinstance(f, CommandRejected))


def overrides(facts: list[Any]) -> list[tuple[str, str, str, str]]:
    return [(f.verdict, f.correction, f.actor, f.approver) for f in facts if isinstance(f, SupervisorOverride)]


def test_what_is_approved_is_what_was_signed(table: Table) -> None:
    verdict = table.gap()
    (signed,) = table.command("resume", correction="new_shoe", request="1-a", reason="dropped")
    assert signed == CommandSigned("resume", "12", "1-a", verdict, "new_shoe", None, "1-1", "dropped")
    assert [v.id for v in table.state.verdicts] == [verdict]
    facts = table.approve("1-a")
    assert overrides(facts) == [(verdict, "new_shoe", "12", "13")]
    assert CommandExecuted("resume", "12", "1-a") in facts
    assert [v.code for v in table.state.verdicts] == ["CHIPS_NOT_RETURNED"]
    assert "no command of request 1-a waits" in why(table.approve("1-a"))


def test_the_same_person_does_not_approve_and_nor_does_a_technician(table: Table) -> None:
    table.command("void-round", request="1-a")
    assert why(table.approve("1-a", "12", "supervisor")) == "a second, different person must approve it"
    assert "role technician may not" in why(table.approve("1-a", "3", "technician"))
    assert overrides(table.approve("1-a", "4711", "dealer")) == [("", "void_round", "12", "4711")]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (CommandReceived("void-round", "4711", "dealer", request="1-a"), "role dealer may not; it needs pit"),
        (CommandReceived("assign-card", "99", "surveillance", request="1-a", card=Card("KD")), "may not; it needs pit"),
        (CommandReceived("assign-card", "12", "supervisor", request="1-a", card=Card("KD")), "nothing waits for"),
        (CommandReceived("resume", "12", "supervisor", request="1-a", correction="new_shoe"), "nothing waits for"),
    ],
)
def test_what_may_not_be_is_refused_to_the_first_person(table: Table, command: CommandReceived, reason: str) -> None:
    before = table.state
    assert reason in why(table.put(command))
    assert table.state is before
    assert "no command of request 1-a waits" in why(table.approve("1-a"))


def test_a_card_is_named_with_the_command_that_names_it(table: Table) -> None:
    table.put(DealerSignalled("console", "no_more_bets"), CardUnreadable("shoe"))
    assert why(table.command("assign-card", request="1-a")) == "name_card needs a card"
    table.command("assign-card", request="1-a", card=Card("KD"))
    (override,) = [f for f in table.approve("1-a") if isinstance(f, SupervisorOverride)]
    assert (override.card, override.verdict) == (Card("KD"), "v1")


def test_an_approval_does_not_land_on_a_later_verdict(table: Table) -> None:
    table.put(DealerSignalled("console", "no_more_bets"), CardUnreadable("shoe"))
    table.command("assign-card", request="1-a", card=Card("KD"))
    table.command("resume", correction="set_aside")
    table.put(CardUnreadable("shoe"))
    assert [v.id for v in table.state.verdicts] == ["v2"]
    reason = why(table.approve("1-a"))
    assert reason == "no command of request 1-a waits for approval: it must be signed first, within two minutes"
    assert [v.id for v in table.state.verdicts] == ["v2"]


def test_an_approval_is_refused_once_its_verdict_was_closed_by_a_void(table: Table) -> None:
    verdict = table.gap()
    table.command("resume", correction="new_shoe", request="1-a")
    table.command("void-round", request="1-b")
    assert overrides(table.approve("1-b")) == [("", "void_round", "12", "13")]
    expected = f"the table has moved since 12 signed resume: {verdict} is closed; sign it anew"
    assert why(table.approve("1-a")) == expected


def test_an_approval_does_not_void_a_later_round(table: Table) -> None:
    table.command("void-round", request="1-a")
    table.command("void-round", request="1-b")
    table.approve("1-b")
    table.play_another_round()
    reason = why(table.approve("1-a"))
    assert reason == "the table has moved since 12 signed void-round: round 1-1 is over; sign it anew"
    assert table.state.game.round_id == "1-2"
    assert table.state.game.voidable


def test_two_cards_named_for_one_gap_are_each_signed_for_the_gap_as_it_is(table: Table) -> None:
    table.gap()
    table.command("assign-card", request="1-a", card=Card("KD"))
    table.command("assign-card", request="1-b", card=Card("9C"))
    assert why(table.approve("1-b")) == ""
    assert "no command of request 1-a waits" in why(table.approve("1-a"))


def test_a_signature_waits_two_minutes_and_not_beyond_a_start(table: Table) -> None:
    table.command("void-round", request="1-a")
    table.at_us += 120_000_000
    assert "no command of request 1-a waits" in why(table.approve("1-a"))
    table.command("void-round", request="1-b")
    table.put(SystemStarted(2, "1"))
    assert "no command of request 1-b waits" in why(table.approve("1-b"))


def test_only_so_many_wait(table: Table) -> None:
    for n in range(MOST_SIGNED):
        assert why(table.command("void-round", request=f"1-{n}")) == ""
    assert f"{MOST_SIGNED} commands wait for a second person" in why(table.command("void-round", request="1-x"))


def test_at_the_console_the_second_card_is_shown_for_this_act(table: Table) -> None:
    table.card_of("4711", "dealer")
    table.card_of("12", "supervisor")
    (signed,) = table.key("void-round")
    assert isinstance(signed, CommandSigned)
    assert (signed.actor, signed.round) == ("12", "1-1")
    reason = why(table.key("approve"))
    assert reason == "a second, different person must approve it"
    table.card_of("4711", "dealer")
    assert overrides(table.key("approve")) == [("", "void_round", "12", "4711")]


def test_whoever_waits_does_not_approve_even_when_shown_last(table: Table) -> None:
    table.card_of("12", "supervisor")
    table.key("void-round")
    table.card_of("13", "pit")
    table.card_of("12", "supervisor")
    assert overrides(table.key("approve")) == [("", "void_round", "12", "13")]


def test_cards_and_approvals_count_at_their_own_console(table: Table) -> None:
    table.card_of("12", "supervisor", "other")
    assert "show a staff card first" in why(table.key("void-round"))
    table.card_of("12", "supervisor")
    table.key("void-round")
    table.card_of("13", "pit", "other")
    assert "at this console waits for approval" in why(table.key("approve", "other"))
    assert why(table.key("approve")) == "a second, different person must approve it"
    assert "no command of request" in why(table.approve("1-a"))


def test_what_is_chosen_anew_at_a_console_takes_the_place_of_what_waited(table: Table) -> None:
    verdict = table.gap()
    table.card_of("12", "supervisor")
    table.key("void-round")
    table.key("resume", correction="#3")
    table.card_of("4711", "dealer")
    assert overrides(table.key("approve")) == [(verdict, "new_shoe", "12", "4711")]


def test_a_card_shown_before_the_clock_was_set_back_speaks_for_nobody(table: Table) -> None:
    table.card_of("12", "supervisor")
    table.key("void-round")
    shown_us = table.at_us
    table.at_us -= 3_600_000_000
    table.put(DealerSignalled("console", "no_more_bets"))
    assert (table.state.staff, table.state.signed) == ((), ())
    table.at_us = shown_us
    assert "show a staff card first" in why(table.key("void-round"))


def test_both_words_in_one_record_count_as_before(table: Table) -> None:
    facts = table.command("void-round", approver="4711", approver_role="dealer")
    assert overrides(facts) == [("", "void_round", "12", "4711")]


def test_staff_cards_remembered_are_few(table: Table) -> None:
    state = table.state
    for n in range(50):
        state = step(GAME, state, StaffPresented("console", str(n), "dealer"), table.at_us).state
    assert [s.staff for s in state.staff] == [str(n) for n in range(42, 50)]
