"""A command of the bus becomes an input, and its sender hears what became of it."""

from __future__ import annotations

import pytest

from controller.app.bus import command_specs
from controller.app.commands import answer_to, command_of
from controller.bus.commands import CommandRequest, CommandSpec, argument_fault
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


def test_a_text_is_bounded_and_a_number_becomes_one() -> None:
    assert command_of(asked(reason="x" * 500)).reason == "x" * 200
    assert command_of(asked(serial=4711)).serial == "4711"


@pytest.mark.parametrize("spec", command_specs(), ids=lambda spec: spec.name)
def test_every_argument_that_a_command_takes_reaches_the_table(spec: CommandSpec) -> None:
    for name in spec.arguments:
        assert argument_fault(spec, {name: "KD"}) == ""
        assert command_of(asked(**{name: "KD"})) != command_of(asked()), name


def test_the_sender_hears_whether_it_was_carried_out() -> None:
    rejected = CommandRejected("void-round", "17", "r-1", "no round is dealt")
    signed = CommandSigned("void-round", "17", "r-1", "", "", None, "1-1", "")
    assert answer_to([]) == {"status": "ok", "stage": "executed"}
    assert answer_to([signed]) == {"status": "ok", "stage": "pending", "request": "r-1"}
    assert answer_to([rejected]) == {"status": "denied", "stage": "rejected", "reason": "no round is dealt"}
