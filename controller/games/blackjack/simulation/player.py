"""A player who plays blackjack alone: he does what the game says comes next, and nothing that the game would refuse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from controller.core.cards import DECK, Card
from controller.core.expectation import Expected, Kind
from controller.core.inputs import (
    CardDrawn,
    ChipsCollected,
    ChipsPaid,
    CutCardDrawn,
    DealerSignalled,
    DecisionSignalled,
    DeckSpread,
    WagerPlaced,
)
from controller.core.simulation import SelfPlayed
from controller.games.blackjack import settlement, view
from controller.games.blackjack.lookup import deciding_hand
from controller.games.blackjack.policies import Policy
from controller.games.blackjack.rules import Rules
from controller.games.blackjack.simulation.tally import Tally
from controller.games.blackjack.state import BlackjackState, Phase

PERSON: Final = 1
PLAYED_IN: Final = frozenset({Phase.DEALING, Phase.INSURANCE, Phase.PLAYERS, Phase.DEALER})


@dataclass(frozen=True, slots=True)
class Setup:
    """What is simulated. On each box lies ``stake_minor`` and, unless it is 0, ``side_minor`` on every side bet. With
    ``rounds_a_shoe`` a shoe is left after so many rounds, so that each round is dealt as from a fresh shoe; 0 deals to
    the cut card, as a live table does. ``exact``: the expectation is worked out by counting, too."""

    policy_name: str
    policy: Policy
    boxes: int
    stake_minor: int
    side_minor: int
    rounds_a_shoe: int
    exact: bool = False


class Player:
    """Everybody at one table, and its dealer."""

    def __init__(self, table: SelfPlayed, setup: Setup) -> None:
        self.setup = setup
        self.table, self.put, self.chance = table, table.put, table.chance
        self.cards: list[Card] = []
        self.rules: Rules = table.rules

    @property
    def at(self) -> BlackjackState:
        """The game's state."""
        state: BlackjackState = self.table.game
        return state

    def shoe(self, rounds: int, tally: Tally) -> None:
        """A fresh shoe and at most ``rounds`` rounds of it, each one told to ``tally``. Raises SimulationError."""
        self._prepare()
        wanted = min(rounds, self.setup.rounds_a_shoe or rounds)
        played = 0
        tally.begin_shoe()
        while played < wanted and self.at.phase is Phase.BETTING and not self._at_cut_card:
            self._round(tally)
            played += 1
        if self.at.phase is Phase.BETTING:
            self.put(CutCardDrawn("shoe"))
        tally.end_shoe()

    @property
    def _at_cut_card(self) -> bool:
        """The cut card is what would come next; a shoe that is left after some rounds is never dealt so far."""
        shoe = self.at.shoe
        return not self.setup.rounds_a_shoe and shoe is not None and shoe.drawn >= shoe.cut_card_at

    def _prepare(self) -> None:
        self.cards = [card for card in DECK for _ in range(self.rules.decks)]
        while self.at.phase is not Phase.BETTING:
            expected = self._expected()
            if expected.kind is Kind.CARD and self.at.burned < self.rules.burn_min:
                self._draw()
            elif expected.kind is Kind.PROCEDURE:
                self._procedure(expected.options[0])
            else:
                self.put(DealerSignalled("console", "next_round"))

    def _procedure(self, signal: str) -> None:
        rules = self.rules
        if signal == "spread":
            self.put(DeckSpread("console", (rules.decks,) * len(DECK)))
        else:
            values = {"player_cut": 26 * rules.decks, "second_cut": rules.second_cut_at}
            self.put(DealerSignalled("console", signal, values.get(signal, 0)))

    def _expected(self) -> Expected:
        return view.expectation(self.rules, self.at)[0]

    def _draw(self) -> None:
        """The next card of the shuffled shoe; the cut card before it where it is due."""
        cards, shoe = self.cards, self.at.shoe
        if self._at_cut_card and shoe is not None and not shoe.cut_card_seen:
            self.put(CutCardDrawn("shoe"))
        at = int(self.chance() * len(cards))
        cards[at], cards[-1] = cards[-1], cards[at]
        self.put(CardDrawn("shoe", cards.pop()))

    def _round(self, tally: Tally) -> None:
        for box in range(1, self.setup.boxes + 1):
            self._bet(box)
        self._draw()
        while self.at.phase in PLAYED_IN:
            self._next(tally)
        dues = settlement.dues(self.rules, self.at)
        tally.round(dues)
        for due in dues:
            self._move(due.box, due.person, due.bet, due.difference_minor)
        self.put(DealerSignalled("console", "collect"))

    def _bet(self, box: int) -> None:
        person = self._person(box)
        self.put(WagerPlaced("bets", box, person, "main", self.setup.stake_minor))
        if self.setup.side_minor:
            for bet in self.rules.pay_tables:
                self.put(WagerPlaced("bets", box, person, bet, self.setup.side_minor))

    def _person(self, box: int) -> int:
        """A person plays as many boxes side by side as the rules let one."""
        most = self.rules.hands_per_player
        return 1 + (box - 1) // most if most else PERSON

    def _next(self, tally: Tally) -> None:
        expected = self._expected()
        match expected.kind:
            case Kind.CARD:
                self._draw()
            case Kind.DECISION:
                self._decide(expected, tally)
            case Kind.WAGER if "no_more_bets" in expected.options:
                self._insurance(expected.options, tally)
            case Kind.WAGER:
                self.put(WagerPlaced("bets", expected.box, expected.person, expected.options[0], expected.amount_minor))
            case Kind.PAYMENT:
                for due in settlement.dues(self.rules, self.at):
                    self._move(due.box, due.person, due.bet, due.difference_minor)
            case Kind.PROCEDURE | Kind.COMMAND:
                self.put(DealerSignalled("console", expected.options[0]))

    def _decide(self, expected: Expected, tally: Tally) -> None:
        found = deciding_hand(self.at)
        assert found is not None
        action = self.setup.policy.decide(found[1].cards, self.at.dealer[0], expected.options, self.chance)
        tally.decision(action)
        self.put(DecisionSignalled("console", expected.box, action))

    def _insurance(self, offered: tuple[str, ...], tally: Tally) -> None:
        for box in self.at.boxes:
            natural = box.hands[0].status == "blackjack"
            if natural and "even_money" in offered and self.setup.policy.wants("even_money", self.chance):
                tally.decision("even_money")
                self.put(DecisionSignalled("console", box.number, "even_money"))
            elif "insurance" in offered and self.setup.policy.wants("insurance", self.chance):
                tally.decision("insurance")
                half = box.main_of(box.decider) // 2
                self.put(WagerPlaced("bets", box.number, box.decider, "insurance", half))
        self.put(DealerSignalled("console", "no_more_bets"))

    def _move(self, box: int, person: int, bet: str, net_minor: int) -> None:
        if net_minor > 0:
            self.put(ChipsPaid("bets", box, person, bet, net_minor))
        elif net_minor < 0:
            self.put(ChipsCollected("bets", box, person, bet, -net_minor))
