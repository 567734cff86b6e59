"""What goes wrong at the simulated table, as data: which deviation in which round, and what a controller must say."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Self


class Deviation(StrEnum):
    """A mistake of the dealer, the players or the line."""

    WRONG_ORDER = "wrong_order"
    """a card is laid at the wrong box, then moved"""
    OUT_OF_TURN = "out_of_turn"
    """a decision is keyed for a box whose turn it is not"""
    LATE_BET = "late_bet"
    """chips are laid after the first card, and go back"""
    WRONG_PAYOUT = "wrong_payout"
    """a winner gets too little, and later the rest"""
    PUSH_PAID = "push_paid"
    """a push is paid, and the chips come back"""
    STAND_ON_16 = "stand_on_16"
    """the dealer stands below 17"""
    DRAW_ON_17 = "draw_on_17"
    """the dealer draws though he stands"""
    EXTRA_CARD = "extra_card"
    """a card is drawn when none is due; nobody saw it"""
    EXPOSED_CARD = "exposed_card"
    """the same, and everybody saw it"""
    UNREADABLE_CARD = "unreadable_card"
    """the shoe cannot read a card"""
    LOST_COPIES = "lost_copies"
    """two of the three copies of a telegram are lost"""
    CORRUPT_COPY = "corrupt_copy"
    """two of the three copies of a telegram arrive with a wrong bit"""
    MISSING_BURN = "missing_burn"
    """the dealer wants to deal before the burn"""
    NEXT_ROUND_EARLY = "next_round_early"
    """the next round is begun before every bet is paid and taken"""
    WRONG_SEAT = "wrong_seat"
    """a card is laid at the other player's place, then moved"""
    REVOKE = "revoke"
    """a player who could follow suit plays another one, and takes the card back"""
    WRONG_SCORE = "wrong_score"
    """the croupier writes down a point too many, and puts it right"""
    MISREAD = "misread"
    """the shoe takes a card for another one; a camera sees what it is"""


EXPECTED: dict[Deviation, tuple[str, ...]] = {
    Deviation.WRONG_ORDER: ("WRONG_BOX",),
    Deviation.OUT_OF_TURN: ("OUT_OF_TURN",),
    Deviation.LATE_BET: ("LATE_BET",),
    Deviation.WRONG_PAYOUT: ("PAY_AMOUNT",),
    Deviation.PUSH_PAID: ("PUSH_PAID",),
    Deviation.STAND_ON_16: ("MUST_DRAW",),
    Deviation.DRAW_ON_17: ("DEALER_OVERDRAW",),
    Deviation.EXTRA_CARD: ("EXTRA_CARD",),
    Deviation.EXPOSED_CARD: ("EXTRA_CARD",),
    Deviation.UNREADABLE_CARD: ("CARD_UNREADABLE",),
    Deviation.LOST_COPIES: (),
    Deviation.CORRUPT_COPY: (),
    Deviation.MISSING_BURN: ("BURN_MISSING",),
    Deviation.NEXT_ROUND_EARLY: ("SETTLEMENT_OPEN",),
    Deviation.WRONG_SEAT: ("WRONG_DESTINATION",),
    Deviation.REVOKE: ("REVOKE",),
    Deviation.WRONG_SCORE: ("WRONG_SCORE",),
    Deviation.MISREAD: ("SOURCES_DISAGREE",),
}
"""Codes of the verdicts that each deviation must raise, each once; empty where none may be raised."""

BLOT_ONLY: frozenset[Deviation] = frozenset({Deviation.WRONG_SEAT, Deviation.REVOKE, Deviation.WRONG_SCORE})
"""What only happens at a table of Blot."""

CAMERA_ONLY: frozenset[Deviation] = frozenset({Deviation.MISREAD})
"""What is only found at a table with a camera, or another source that sees cards lie."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A deviation for a round (counted from 1 over all shoes); kept for a later round where it cannot happen in this
    one, for example a push that does not occur."""

    round: int
    kind: Deviation

    @property
    def expected(self) -> tuple[str, ...]:
        """Codes of the verdicts it must raise."""
        return EXPECTED[self.kind]


@dataclass(frozen=True, slots=True)
class Script:
    """Deviations in the order in which they are wanted."""

    planned: tuple[Planned, ...] = ()

    @classmethod
    def of(cls, *planned: tuple[int, str]) -> Self:
        """From pairs of round and kind. Raises ValueError for a round below 1 or an unknown kind."""
        for number, kind in planned:
            if number < 1:
                raise ValueError(f"deviation {kind!r} is planned for round {number}; rounds count from 1")
            if kind not in EXPECTED:
                raise ValueError(f"deviation {kind!r} is unknown; allowed are {', '.join(EXPECTED)}")
        return cls(tuple(Planned(number, Deviation(kind)) for number, kind in planned))

    @classmethod
    def demo(cls) -> Self:
        """Every kind of blackjack once, within seven rounds where the cards allow it."""
        return cls.of(
            (1, "missing_burn"),
            (1, "lost_copies"),
            (2, "wrong_order"),
            (2, "stand_on_16"),
            (2, "push_paid"),
            (3, "wrong_payout"),
            (3, "corrupt_copy"),
            (4, "unreadable_card"),
            (4, "out_of_turn"),
            (5, "late_bet"),
            (5, "next_round_early"),
            (6, "extra_card"),
            (6, "draw_on_17"),
            (7, "exposed_card"),
        )

    @classmethod
    def blot(cls) -> Self:
        """Every kind that can happen at a table of Blot once, within four rounds."""
        return cls.of(
            (1, "lost_copies"),
            (1, "revoke"),
            (1, "wrong_score"),
            (2, "wrong_seat"),
            (2, "out_of_turn"),
            (3, "unreadable_card"),
            (3, "corrupt_copy"),
            (4, "extra_card"),
        )

    @classmethod
    def camera(cls) -> Self:
        """What a camera finds beside a shoe, and a mistake that it cannot see, within two rounds of blackjack."""
        return cls.of((1, "wrong_order"), (2, "misread"), (2, "wrong_payout"))

    @classmethod
    def random(cls, seed: int, rounds: int) -> Self:
        """About one deviation of blackjack in three rounds, the same for the same seed."""
        rng = Random(seed)
        kinds = [kind for kind in Deviation if kind not in BLOT_ONLY | CAMERA_ONLY]
        return cls.of(*((n, rng.choice(kinds)) for n in range(1, rounds + 1) if rng.random() < 0.35))
