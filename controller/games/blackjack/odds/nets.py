"""What a unit staked on a hand brings for each final hand of the dealer: asked of the settlement itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final as Constant

from controller.core.cards import Card
from controller.core.records import replace
from controller.games.blackjack import settlement
from controller.games.blackjack.hand import Box, Hand, Stake, Status
from controller.games.blackjack.odds.endings import Final
from controller.games.blackjack.rules import Rules
from controller.games.blackjack.state import BlackjackState, Phase

UNIT_MINOR: Constant = 1_000_000
"""The stake that is settled: large enough that no ratio of a rule set leaves a rest that matters."""
DEALERS: Constant[Mapping[Final, str]] = {
    Final.SEVENTEEN: "TS 7S",
    Final.EIGHTEEN: "TS 8S",
    Final.NINETEEN: "TS 9S",
    Final.TWENTY: "TS KS",
    Final.TWENTY_ONE: "TS 5S 6S",
    Final.BUST: "TS 6S 6H",
    Final.BLACKJACK: "TS AS",
}
"""A hand of the dealer for each final."""
Net = tuple[float, ...]
"""Units won or lost, one number for each `Final`."""


@dataclass(frozen=True, slots=True)
class Nets:
    """Nets of one hand of a box. ``stood`` and ``doubled`` by total 4..21; ``bust`` and ``bust_doubled`` do not depend
    on the dealer."""

    stood: Mapping[int, Net]
    doubled: Mapping[int, Net]
    blackjack: Net
    bust: float
    bust_doubled: float
    surrendered: Net


def nets_of(rules: Rules, number: int) -> Nets:
    """Nets of the hand ``number`` of a box (1, or 2 for any further one)."""
    return _nets_of(rules.model_dump_json(), number)


@lru_cache(maxsize=16)
def _nets_of(rules_json: str, number: int) -> Nets:
    exact = Rules.model_validate_json(rules_json).model_copy(update={"chip_quantum": 1})
    stood = {t: _net(exact, _hand(number, t, Status.STOOD)) for t in range(4, 22)}
    doubled = {t: _net(exact, _hand(number, t, Status.STOOD, doubled=True)) for t in range(4, 22)}
    natural = replace(_hand(number, 21, Status.BLACKJACK), cards=(Card("AS"), Card("KS")))
    return Nets(
        stood,
        doubled,
        _net(exact, natural),
        _net(exact, _hand(number, 22, Status.BUST))[0],
        _net(exact, _hand(number, 22, Status.BUST, doubled=True))[0],
        _net(exact, _hand(number, 16, Status.SURRENDERED)),
    )


_TOTALS: Constant = {total: f"2S {total - 2}S" for total in range(4, 12)} | {
    12: "2S TS",
    **{total: f"TS {total - 10}S" for total in range(13, 20)},
    20: "TS KS",
    21: "TS 5S 6S",
    22: "TS 6S 6H",
}


def cards_of(text: str) -> tuple[Card, ...]:
    """Cards written ``TS 7S``."""
    return tuple(Card(word) for word in text.replace("10", "T").split())


def _hand(number: int, total: int, status: Status, *, doubled: bool = False) -> Hand:
    stakes = (Stake(1, UNIT_MINOR),)
    raises = stakes if doubled else ()
    return Hand(number, cards_of(_TOTALS[total]), stakes, raises, status, from_split=number > 1)


def _net(rules: Rules, hand: Hand) -> Net:
    found = []
    first = () if hand.number == 1 else (replace(hand, number=1),)
    for final in Final:
        boxes = (Box(1, hand.stakes, (*first, hand)),)
        state = BlackjackState(phase=Phase.SETTLEMENT, boxes=boxes, dealer=cards_of(DEALERS[final]))
        bet = "main" if hand.number == 1 else f"main:{hand.number}"
        owed = next(d.owed_minor for d in settlement.dues(rules, state) if d.bet == bet)
        found.append(owed / UNIT_MINOR)
    return tuple(found)
