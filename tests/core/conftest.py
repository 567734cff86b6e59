"""A table with the one game there is: inputs straight into its step."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

import pytest

from controller.core.cards import Card
from controller.core.inputs import (
    CardDrawn,
    CommandReceived,
    DealerSignalled,
    DeckSpread,
    DeviceGap,
    Input,
    RulesChosen,
    StaffPresented,
    SystemStarted,
    WagerPlaced,
    WagerWithdrawn,
)
from controller.core.state import EMPTY, TableState
from controller.core.table import step
from controller.games.blackjack import GAME

SECOND_US = 1_000_000


class Table:
    """An open table in its first round: one stake is laid. Every input comes a second after the one before it."""

    def __init__(self) -> None:
        text = resources.files("controller.rulesets").joinpath("blackjack", "armenian.toml").read_text("utf-8")
        self.state: TableState = EMPTY
        self.at_us = 0
        self.facts: list[Any] = []
        self.put(
            SystemStarted(1, "1"),
            RulesChosen("blackjack", "armenian", tomllib.loads(text)["rules"], "0" * 64),
            CommandReceived("open-table", "4711", "dealer"),
            DeckSpread("console", (6,) * 52),
        )
        for signal, value in (("shuffled", 0), ("player_cut", 100), ("second_cut", 208), ("shoe_loaded", 0)):
            self.put(DealerSignalled("console", signal, value))
        self.put(CardDrawn("shoe", Card("2D")), WagerPlaced("bets", 1, 1, "main", 500))

    def put(self, *events: Input) -> list[Any]:
        """Inputs one after the other; the facts of all of them."""
        first = len(self.facts)
        for event in events:
            self.at_us += SECOND_US
            done = step(GAME, self.state, event, self.at_us)
            self.state = done.state
            self.facts += done.facts
        return self.facts[first:]

    def play_another_round(self) -> None:
        """The cards of a voided round are collected, its stakes go back, and a stake of the next one is laid."""
        self.put(
            DealerSignalled("console", "collect"),
            WagerWithdrawn("bets", 1, 1, "main", 500),
            WagerPlaced("bets", 1, 1, "main", 500),
        )

    def gap(self) -> str:
        """The shoe may have let a card out unseen: the number of the verdict that holds the table."""
        self.put(DeviceGap("shoe", "a telegram is lost"))
        return self.state.verdicts[-1].id

    def command(self, name: str, actor: str = "12", role: str = "supervisor", **fields: Any) -> list[Any]:
        """A command over the bus."""
        return self.put(CommandReceived(name, actor, role, **fields))

    def approve(self, request: str, actor: str = "13", role: str = "pit") -> list[Any]:
        """The second person's word over the bus."""
        return self.command("approve", actor, role, approves=request, request=f"{request}-approval")

    def key(self, name: str, device: str = "console", **fields: Any) -> list[Any]:
        """A command keyed at a console."""
        return self.put(CommandReceived(name, "", "", device=device, **fields))

    def card_of(self, staff: str, role: str, device: str = "console") -> list[Any]:
        """A staff card is shown."""
        return self.put(StaffPresented(device, staff, role))


@pytest.fixture
def table() -> Table:
    return Table()
