"""A blackjack table in memory whose cards are read by a shoe and seen by readers at their places; for tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from controller.app.rulesets import load_rules
from controller.core.cards import Card
from controller.core.facts import CommandRejected, ViolationRaised
from controller.core.fold import fold, state_bytes, state_from
from controller.core.inputs import (
    CardDrawn,
    CardShown,
    CommandReceived,
    DealerSignalled,
    DecisionSignalled,
    DeckSpread,
    Input,
    RulesChosen,
    SourcesChosen,
    SourcesWaited,
    SystemStarted,
    WagerPlaced,
)
from controller.core.records import replace
from controller.core.sources import SettleOn, Source
from controller.core.state import EMPTY, TableState
from controller.core.table import phase, step
from controller.games.blackjack import GAME

SHOE = Source("shoe", draws=True)
DATA = load_rules(GAME, "armenian", {}).data


def reader(box: int, hand: int = 1, *, tags: bool = False) -> Source:
    """The reader of one place."""
    return Source(f"reader-{box}" if hand == 1 else f"reader-{box}-{hand}", spots=((box, hand),), tags=tags)


READERS = tuple(reader(box) for box in range(8))


@dataclass
class SightedTable:
    """A table open for bets, one card burned. Every method answers with the codes of the verdicts it caused."""

    sources: tuple[Source, ...] = (SHOE, *READERS)
    settle_on: SettleOn = SettleOn.ONE_SOURCE
    rules: dict[str, Any] = field(default_factory=dict)
    state: TableState = EMPTY
    inputs: list[tuple[Input, int]] = field(default_factory=list)
    facts: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.put(SystemStarted(1, "1"))
        self.put(RulesChosen("blackjack", "armenian", {**DATA, **self.rules}, "0"))
        self.put(SourcesChosen(self.settle_on, 8, 3, self.sources))
        self.put(CommandReceived("open-table", "4711", "dealer"))
        self.put(DeckSpread("console", (6,) * 52))
        for signal, value in (("shuffled", 0), ("player_cut", 140), ("second_cut", 208), ("shoe_loaded", 0)):
            self.put(DealerSignalled("console", signal, value))
        self.draw("2C")
        assert self.phase == "burn"

    @property
    def phase(self) -> str:
        return phase(GAME, self.state)

    @property
    def held(self) -> list[str]:
        return [v.code for v in self.state.verdicts]

    def put(self, event: Input) -> list[str]:
        at_us = len(self.inputs) * 100_000
        self.inputs.append((event, at_us))
        done = step(GAME, self.state, event, at_us)
        self.state = done.state
        self.facts = list(done.facts)
        return [f.code for f in done.facts if isinstance(f, ViolationRaised)]

    def bet(self, *boxes: int) -> None:
        for box in boxes:
            assert self.put(WagerPlaced("bets", box, 1, "main", 1000)) == []
        assert self.put(DealerSignalled("console", "no_more_bets")) == []

    def draw(self, face: str) -> list[str]:
        return self.put(CardDrawn("shoe", Card(face)))

    def see(self, box: int, face: str, device: str = "", tag: str = "", hand: int = 1) -> list[str]:
        return self.put(CardShown(device or f"reader-{box}", box, Card(face), hand, tag))

    def deal(self, *cards: tuple[int, str]) -> None:
        """Cards that leave the shoe and are seen where they lie."""
        for box, face in cards:
            assert self.draw(face) == []
            assert self.see(box, face) == []

    def key(self, action: str, box: int, hand: int = 0) -> list[str]:
        return self.put(DecisionSignalled("console", box, action, hand))

    def waited(self) -> list[str]:
        return self.put(SourcesWaited("clock", 8))

    def resume(self, correction: str, face: str = "", *, alone: bool = False, reason: str = "looked") -> list[str]:
        """The supervisor chooses a correction, and the dealer approves it where that is needed unless ``alone``."""
        named, request = Card(face) if face else None, f"r{len(self.inputs)}"
        command = CommandReceived("resume", "12", "supervisor", reason=reason, correction=correction, card=named)
        found = self.put(replace(command, request=request))
        if self.state.signed and not alone:
            found += self.put(CommandReceived("approve", "4711", "dealer", approves=request, request="a"))
        return found

    @property
    def rejected(self) -> str:
        """Why the last command was rejected; empty when it was not."""
        return next((f.reason for f in self.facts if isinstance(f, CommandRejected)), "")

    def cards(self, box: int, hand: int = 1) -> str:
        """A hand by the record."""
        game = self.state.game
        if box == 0:
            return " ".join(c.text for c in game.dealer)
        hands = [h for b in game.boxes if b.number == box for h in b.hands if h.number == hand]
        return " ".join(c.text for c in hands[0].cards)

    def seen_by(self, box: int, hand: int = 1) -> list[tuple[str, ...]]:
        """Who has seen each card of a hand."""
        return [c.seen for c in self.state.fusion.cards if (c.box, c.hand) == (box, hand)]

    def check(self) -> None:
        """The fold is the live state, and the state survives being written."""
        assert fold(GAME, self.inputs) == self.state
        written = state_bytes(GAME, self.state)
        assert state_bytes(GAME, state_from(GAME, written)) == written
        assert state_from(GAME, written) == self.state
