"""Whatever an input holds, it goes on record: numbers beyond any JSON reader and half characters are made harmless."""

from __future__ import annotations

from controller.app.plugins import load_game
from controller.app.record import take
from controller.core.inputs import DecisionSignalled, DeviceFault, Input, WagerPlaced
from controller.core.state import EMPTY
from controller.journal.chain import Origin, seal


def test_an_input_beyond_all_limits_is_sealed() -> None:
    game = load_game("blackjack")
    strange: tuple[Input, ...] = (
        WagerPlaced("bets", 2**70, -(2**70), "main", 2**80),
        DecisionSignalled("console", 1, "hit\ud800", 2**60),
        DeviceFault("shoe", "x" * 100_000, "half a character: \udfff"),
    )
    for event in strange:
        taken = take(game, EMPTY, event, 1, "cause", "", {}, lambda _: None)
        for number, draft in enumerate(taken.drafts, 1):
            assert seal(draft, Origin("J", "lab", "bj-1", 1), number, "0" * 64).sequence == number
