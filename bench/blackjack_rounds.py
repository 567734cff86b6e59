"""Random rounds of blackjack by random rule sets, played through the game itself: what the settlement campaign runs on.

A round is written down as plain words (`Round.record`), so that a second settlement needs no code of the game.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from controller.core.cards import DECK, Card
from controller.core.expectation import Expected, Kind
from controller.core.inputs import CardDrawn, DealerSignalled, DecisionSignalled, DeckSpread, GameInput, WagerPlaced
from controller.core.records import replace
from controller.core.verdicts import Finding, Severity
from controller.games.blackjack import GAME, facts
from controller.games.blackjack.hand import Box
from controller.games.blackjack.lookup import deciding_hand
from controller.games.blackjack.rules import Rules
from controller.games.blackjack.state import BlackjackState, Phase

Step = tuple[Any, ...]

ALTERNATIVES: Final[Mapping[str, Sequence[Any]]] = {
    "decks": (6, 6, 8, 4),
    "chip_quantum": (1, 1, 5, 100),
    "rounding": ("player", "house", "house", "reject_bet"),
    "deal_order": ("one_by_one", "two_then_dealer"),
    "blackjack_pays": ("3:2", "3:2", "6:5", "1:1", "2:1"),
    "blackjack_after_split": (False, True),
    "dealer_hits_soft_17": (False, True),
    "draw_on_21": (False, True),
    "double_on": ("any_two", "any_two", "total", "none"),
    "double_min": (2, 9),
    "double_max": (11, 16),
    "double_after_split": (True, False),
    "split_by": ("value", "rank"),
    "split_hands": (4, 3, 2),
    "split_aces_one_card": (True, False),
    "back_bet_no_split": ("first_hand", "choose"),
    "surrender": ("none", "early", "late"),
    "surrender_against_ace": (True, False),
    "insurance": ("exact_half", "up_to_half", "none"),
    "insurance_pays": ("2:1", "2:1", "3:2"),
    "insurance_survives_surrender": (True, False),
    "even_money": (True, False),
    "dealer_blackjack_takes": ("all", "original_only", "busted_plus_one"),
    "dealer_draws_for_nobody": (False, True),
    "bust_collect": ("immediate", "end"),
    "hole_card": ("none", "dealt"),
    "peek_on_ace": (False, True),
    "peek_on_ten": (False, True),
    "bonus_three_sevens": ("off", "1:1", "7:3"),
    "bonus_six_cards": ("off", "1:1", "1:3"),
    "bonus_suited_678": ("off", "2:1"),
    "bonus_suited_blackjack": ("off", "1:2"),
    "bonus_instead": (False, True),
    "bonus_needs_win": (False, True),
    "bonus_on_split": (False, True),
    "six_cards": ("play", "win"),
}
"""Every key of a rule set that changes what a round pays, with values to try."""
SIDE_BETS: Final[Mapping[str, Mapping[str, str]]] = {
    "trilux": {"royal": "50:1", "straight_flush": "30:1", "trips": "20:1", "straight": "10:1", "flush": "5:1"},
    "21plus3": {"suited_trips": "100:1", "straight_flush": "40:1", "trips": "25:1", "straight": "10:1", "flush": "7:2"},
    "perfect11": {"suited_11": "15:1", "coloured_11": "5:1", "any_11": "3:1"},
}
MOODS: Final[Mapping[str, Sequence[Card]]] = {
    "any": DECK,
    "pairs": [c for c in DECK if c.rank in {1, 7, 8, 10, 12}],
    "small": [c for c in DECK if c.rank in {1, 2, 3, 4, 5}],
    "naturals": [c for c in DECK if c.rank in {1, 10, 11, 13}],
    "runs": [c for c in DECK if c.rank in {6, 7, 8} or (c.suit == "H" and c.rank > 11)],
    "one suit": DECK[:13],
}
"""Faces that a shoe gives first, so that what is rare comes often."""
STAKES: Final = (500, 1000, 1500, 2500, 3000, 700, 505)
DIVISIBLE: Final = 3000
"""A stake that every rule set here can pay in whole chips."""
EAGER: Final = {"split": 4, "double": 2, "surrender": 1, "hit": 3, "stand": 2}


class UnexpectedVerdictError(AssertionError):
    """The game refused, noted or held something in a round in which nothing was wrong."""


@dataclass(slots=True)
class Round:
    """A finished round: every key of its rules as plain data, its record, and what the game says each bet is owed."""

    keys: dict[str, Any]
    record: list[Step] = field(default_factory=list)
    owed: dict[tuple[int, int, str], int] = field(default_factory=dict)


def random_keys(rng: random.Random) -> dict[str, Any]:
    """A rule set with every key drawn by chance, made to fit together."""
    keys: dict[str, Any] = {key: rng.choice(values) for key, values in ALTERNATIVES.items()}
    keys["split_aces_hands"] = rng.randint(2, keys["split_hands"])
    if keys["hole_card"] == "none":
        keys["peek_on_ace"] = keys["peek_on_ten"] = False
    if (keys["peek_on_ace"] or keys["peek_on_ten"]) and keys["surrender"] == "early":
        keys["surrender"] = "late"
    names = rng.sample(list(SIDE_BETS), rng.randint(0, 2))
    keys["side_bets"] = {name: dict(SIDE_BETS[name]) for name in names}
    return keys | {"burn_min": 0, "burn_max": 0, "inspection": False, "player_cut": False}


class RandomTable:
    """A table of one rule set that plays round after round, each from a fresh shoe."""

    def __init__(self, keys: Mapping[str, Any], rng: random.Random) -> None:
        self.rules: Rules = GAME.parse_rules(keys)
        self.keys: dict[str, Any] = self.rules.model_dump(mode="json")
        self.rng = rng
        self.state = GAME.start(self.rules)
        self.facts: list[Any] = []
        if self.rules.inspection:
            self.put(DeckSpread("console", (self.rules.decks,) * 52))
        self.put(DealerSignalled("console", "shuffled"))
        self.put(DealerSignalled("console", "second_cut", self.rules.second_cut_at))
        self.put(DealerSignalled("console", "shoe_loaded"))
        self.ready: BlackjackState = self.state
        self.faces: Sequence[Card] = DECK

    def put(self, event: GameInput, *, may_refuse: bool = False) -> None:
        """Hand an input to the game. Raises UnexpectedVerdictError, but for a refusal that may be."""
        outcome = GAME.handle(self.rules, self.state, event, held=False)
        for finding in outcome.findings:
            if isinstance(finding, Finding) and not (may_refuse and finding.severity is Severity.REFUSED):
                raise UnexpectedVerdictError(f"{event}: {finding}")
        self.state = outcome.state
        self.facts.extend(outcome.facts)

    def round(self) -> Round:
        """Play a round to its settlement."""
        self.state, self.facts = self.ready, []
        self.faces = MOODS[self.rng.choice(list(MOODS))]
        for box in sorted(self.rng.sample(range(1, 8), self.rng.choice((1, 1, 2, 3)))):
            for person in range(1, self.rng.choice((2, 2, 3, 4))):
                self._bet(box, person)
        if not self.state.boxes:
            self._bet(1, 1, DIVISIBLE)
        self._draw()
        while self.state.phase not in {Phase.SETTLEMENT, Phase.COLLECTION}:
            self._next(GAME.expectation(self.rules, self.state)[0])
        dues = GAME.dues(self.rules, self.state)
        owed = {(d.box, d.person, d.bet): d.owed_minor for d in dues}
        return Round(self.keys, record_of(self.facts), owed)

    def _bet(self, box: int, person: int, stake: int = 0) -> None:
        self.put(WagerPlaced("bets", box, person, "main", stake or self.rng.choice(STAKES)), may_refuse=True)
        for bet in self.rules.pay_tables:
            if self.rng.random() < 0.5:
                self.put(WagerPlaced("bets", box, person, bet, self.rng.choice((100, 500, 105))), may_refuse=True)
        self.state = self.state if not self.state.to_return else _without_returns(self.state)

    def _draw(self) -> None:
        shoe = self.state.shoe
        assert shoe is not None
        card = self.rng.choice(self.faces)
        while shoe.would_exceed(card):
            card = self.rng.choice(DECK)
        self.put(CardDrawn("shoe", card))

    def _next(self, wanted: Expected) -> None:
        match wanted.kind:
            case Kind.CARD:
                self._draw()
            case Kind.DECISION:
                word = self.rng.choices(wanted.options, [EAGER[option] for option in wanted.options])[0]
                self.put(DecisionSignalled("console", wanted.box, word))
            case Kind.WAGER if "no_more_bets" in wanted.options:
                for box in self.state.boxes:
                    self._insure(box, wanted.options)
                self.put(DealerSignalled("console", "no_more_bets"))
            case Kind.WAGER:
                self._chips(wanted)
            case _:
                raise UnexpectedVerdictError(f"{wanted} is expected in the middle of a round")

    def _insure(self, box: Box, offered: Sequence[str]) -> None:
        for stake in box.mains:
            natural = box.hands[0].status == "blackjack"
            half = stake.amount_minor // 2
            if natural and "even_money" in offered and self.rng.random() < 0.5:
                self.put(DecisionSignalled("console", box.number, "even_money", person=stake.person))
            elif "insurance" in offered and self.rng.random() < 0.6:
                part = half if self.rules.insurance == "exact_half" else self.rng.randint(1, half)
                self.put(WagerPlaced("bets", box.number, stake.person, "insurance", part), may_refuse=True)
        self.state = _without_returns(self.state)

    def _chips(self, wanted: Expected) -> None:
        """Chips for a double or split: back bettors lay theirs or do not, then the decider does."""
        found = deciding_hand(self.state)
        assert found is not None
        box, hand = found
        kind = wanted.options[0]
        for stake in hand.stakes:
            if stake.person == box.decider:
                continue
            if self.rng.random() < 0.6:
                self.put(WagerPlaced("bets", box.number, stake.person, kind, stake.amount_minor))
            elif kind == "split" and self.rules.back_bet_no_split == "choose" and self.rng.random() < 0.5:
                self.put(DecisionSignalled("console", box.number, "second_hand", person=stake.person))
        self.put(WagerPlaced("bets", box.number, box.decider, kind, wanted.amount_minor))


def _without_returns(state: BlackjackState) -> BlackjackState:
    """Refused chips went back to their bettors."""
    return replace(state, to_return=()) if state.to_return else state


def record_of(said: Sequence[Any]) -> list[Step]:
    """What the table put on record, as plain words."""
    record: list[Step] = []
    for fact in said:
        match fact:
            case facts.BoxBet():
                record.append(("bet", fact.box, fact.person, fact.bet, fact.amount_minor))
            case facts.CardDealt():
                record.append(("card", fact.box, fact.hand, fact.card.text if fact.card else None))
            case facts.HandDecision():
                record.append(("decision", fact.box, fact.hand, fact.person, fact.action))
            case facts.HandSplit():
                record.append(("split", fact.box, fact.hand, fact.new_hand))
            case facts.DealerDone():
                record.append(("dealer", tuple(card.text for card in fact.cards)))
            case _:
                pass
    return record
