"""A command of the bus becomes an input, and its sender hears what became of it."""

from __future__ import annotations

import pytest

from controller.app.commands import answer_to, command_of
from controller.bus.commands import CommandRequest
from controller.bus.keys import Role
from controller.core.cards import Card
from controller.core.facts import CommandRejected, CommandSigned
from controller.core.inputs import CommandReceived


def asked(**args: object) -> CommandRequest:
    return CommandRequest("r-1", "confirm-card", "pit", "c-1", "17", Role.SUPERVISOR, args)


def test_arguments_become_what_the_table_reads() -> None:
    made = command_of(asked(card="KD", request="r-0", device="shoe-2", serial="A1", reason="seen by both"))
    assert made == CommandReceived(
        "confirm-card",
        "17",
        "supervisor",
        reason="seen by both",
        card=Card("KD"),
        request="r-1",
        approves="r-0",
        target="shoe-2",
        serial="A1",
    )


@pytest.mark.parametrize("card", ["", "ZZ", 7, None, ["KD"]])
def test_what_is_no_card_is_left_out_and_never_guessed(card: object) -> None:
    assert command_of(asked(card=card)).card is None


def test_a_text_is_bounded_and_unknown_arguments_are_passed_over() -> None:
    made = command_of(asked(reason="x" * 500, colour="red"))
    assert made.reason == "x" * 200
    assert made == command_of(asked(reason="x" * 200))


def test_the_sender_hears_whether_it_was_carried_out() -> None:
    rejected = CommandRejected("void-round", "17", "r-1", "no round is dealt")
    signed = CommandSigned("void-round", "17", "r-1", "", "", None, "1-1", "")
    assert answer_to([]) == {"status": "ok", "stage": "executed"}
    assert answer_to([signed]) == {"status": "ok", "stage": "pending", "request": "r-1"}
    assert answer_to([rejected]) == {"status": "denied", "stage": "rejected", "reason": "no round is dealt"}
