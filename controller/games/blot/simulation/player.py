"""Two players and a croupier who play Blot alone, match after match; they announce and show all that they have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from controller.core.cards import DECK
from controller.core.expectation import Kind
from controller.core.inputs import (
    CardDrawn,
    CardShown,
    ChipsCollected,
    ChipsPaid,
    DealerSignalled,
    DecisionSignalled,
    DeckSpread,
    Input,
    WagerPlaced,
)
from controller.core.simulation import SelfPlayed
from controller.games.blot import bidding, view
from controller.games.blot.cards import DECK_MASK, HAND, bits
from controller.games.blot.chips import BET
from controller.games.blot.declarations import all_in
from controller.games.blot.legal import legal
from controller.games.blot.policies import Policy
from controller.games.blot.rules import Rules
from controller.games.blot.scoring import CARDS
from controller.games.blot.simulation.tally import Tally
from controller.games.blot.state import IN_DEAL, SEATS, BlotState, Phase, Play

SPREAD: Final = DeckSpread("console", tuple(DECK_MASK >> index & 1 for index in range(len(DECK))))
DECK_INDEXES: Final = tuple(bits(DECK_MASK))


@dataclass(frozen=True, slots=True)
class Setup:
    """What is simulated: how both players decide."""

    policy_name: str
    policy: Policy


class Player:
    """Everybody at one table."""

    def __init__(self, table: SelfPlayed, setup: Setup) -> None:
        self._table, self._policy = table, setup.policy
        self._rules: Rules = table.rules
        self._facts: list[Any] = []

    @property
    def _at(self) -> BlotState:
        state: BlotState = self._table.game
        return state

    def _put(self, event: Input) -> None:
        self._facts += self._table.put(event)

    def _keys(self, seat: int, word: str, number: int = 0) -> None:
        self._put(DecisionSignalled("console", seat, word, amount_minor=number))

    def round(self, tally: Tally) -> None:
        """The next round, from its first card to the cards gathered. Raises SimulationError."""
        while self._at.phase is not Phase.DEALING:
            self._prepare()
        self._facts.clear()
        dealer = self._at.match.dealer
        shoe = list(DECK_INDEXES)
        while (score := self._at.score) is None:
            self._next(shoe)
        for seat in SEATS:
            self._keys(seat, "score", score.points[seat - 1])
        self._put(DealerSignalled("console", "collect", CARDS))
        tally.round(self._facts, dealer)

    def _prepare(self) -> None:
        """What comes between two rounds, and before the first."""
        expected = view.expectation(self._rules, self._at)[0]
        match expected.kind:
            case Kind.WAGER:
                self._put(WagerPlaced("bets", expected.box, expected.person, BET, expected.amount_minor))
            case Kind.PAYMENT:
                moved = ChipsPaid if expected.amount_minor > 0 else ChipsCollected
                self._put(moved("bets", expected.box, expected.person, BET, abs(expected.amount_minor)))
            case Kind.PROCEDURE if expected.options == ("spread",):
                self._put(SPREAD)
            case _:
                self._put(DealerSignalled("console", expected.options[0], 1 + int(2 * self._table.chance())))

    def _next(self, shoe: list[int]) -> None:
        state = self._at
        if state.phase in IN_DEAL:
            at = int(self._table.chance() * len(shoe))
            shoe[at], shoe[-1] = shoe[-1], shoe[at]
            self._put(CardDrawn("shoe", DECK[shoe.pop()]))
        elif state.phase is Phase.BIDDING:
            self._bid(state)
        else:
            self._play(state)

    def _bid(self, state: BlotState) -> None:
        deal = state.deal
        assert deal is not None
        seat = bidding.turn(deal)
        options = bidding.options(self._rules, deal)
        word, number = self._policy.bid(deal.hands[seat - 1], deal.up, options, self._table.chance)
        self._keys(seat, word, number)

    def _play(self, state: BlotState) -> None:
        deal, play = state.deal, state.play
        assert deal is not None
        assert play is not None
        seat = play.turn
        left = play.left(seat)
        if left >= HAND - 1:
            self._declare(play, deal.contract, first=left == HAND)
        if self._policy.gives_up(self._table.chance):
            return self._keys(seat, "give_up")
        may = legal(play.hands[seat - 1], play.led, deal.contract, beat_plain=self._rules.must_beat_plain)
        card = self._policy.card(may, play.led, deal.contract, self._table.chance)
        return self._put(CardShown("camera", seat, DECK[card]))

    def _declare(self, play: Play, contract: int, *, first: bool) -> None:
        """Announce before the first card, show before the second."""
        seat = play.turn
        if first:
            for found in all_in(self._rules, contract, play.start[seat - 1]):
                self._keys(seat, f"announce_{found.kind}", found.size)
        elif play.claims[seat - 1]:
            self._keys(seat, "show")
