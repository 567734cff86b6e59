"""What a console says of games with tricks, as inputs."""

from __future__ import annotations

import pytest

from controller.adapters.console import inputs_of
from controller.adapters.link import Wiring
from controller.core.cards import Card
from controller.core.inputs import CardShown, CommandReceived, DealerSignalled, DecisionSignalled, Input
from drivers import messages as m
from drivers.console import DRIVER

CONSOLE = Wiring("console", "console", DRIVER({}).capabilities)


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        (m.KeyPressed("first_dealer", value=2), DealerSignalled("console", "first_dealer", 2)),
        (m.KeyPressed("hearts", 2, value=1), DecisionSignalled("console", 2, "hearts", amount_minor=1)),
        (m.KeyPressed("score", 1, value=18), DecisionSignalled("console", 1, "score", amount_minor=18)),
        (m.CardNamed(11, "S", "shown", 1), CardShown("console", 1, Card("JS"), 1)),
        (m.CardNamed(11, "S", "shown", 2, 2), CardShown("console", 2, Card("JS"), 2)),
        (m.CardNamed(11, "S", "found"), DealerSignalled("console", "card_found", 11)),
        (
            m.CardNamed(11, "S", "assign", 2),
            CommandReceived("assign-card", "", "", card=Card("JS"), device="console", reason="named at the console"),
        ),
    ],
)
def test_a_console_message_is_one_input(message: m.KeyPressed | m.CardNamed, wanted: Input) -> None:
    assert inputs_of(CONSOLE, message, {}) == (wanted,)
