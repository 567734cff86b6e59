"""What every bet is owed by the rules: pure arithmetic on hands, stakes and the dealer's cards.

Amounts are net in the bettor's sign: positive, the house pays; negative, the house takes the stake.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from controller.core.expectation import Due
from controller.core.money import paid_to_player, parse_ratio
from controller.games.blackjack.hand import Box, Hand, Status, is_blackjack, may_be_blackjack, total
from controller.games.blackjack.rules import Bonus, DealerBlackjackTakes, Rules
from controller.games.blackjack.side_bets import SideBet, best, cards_of
from controller.games.blackjack.state import BlackjackState, Phase

OPEN: Final = "open"
RETURNED: Final = "returned"
"""The outcome of a stake that goes back whole although the hand has lost."""
SIX: Final = 6
_FINISHED: Final = frozenset({Phase.SETTLEMENT, Phase.COLLECTION})
_LIVE: Final = frozenset({Status.WAITING, Status.PLAYING, Status.STOOD})
_FINAL: Final = frozenset({Status.STOOD, Status.BLACKJACK, Status.WON})
_WINS: Final = frozenset({"win", "blackjack", "even_money", "six_cards"})


@dataclass(frozen=True, slots=True)
class Dealer:
    """What is known of the dealer's hand: whether it is ``finished``, its total, whether it is a ``blackjack``, and
    whether it is certain that it is none."""

    finished: bool
    points: int
    blackjack: bool
    no_blackjack: bool

    @staticmethod
    def of(state: BlackjackState) -> Dealer:
        """The dealer of a round."""
        finished = state.phase in _FINISHED
        blackjack = finished and is_blackjack(state.dealer)
        safe = state.peeked or (finished and not blackjack) or not may_be_blackjack(state.dealer[:1])
        return Dealer(finished, total(state.dealer)[0] if finished else 0, blackjack, safe)


def bets(rules: Rules, state: BlackjackState) -> list[Due]:
    """Every bet of every person without what has moved: hands, bonuses, insurance, side bets."""
    dealer = Dealer.of(state)
    found: list[Due] = []
    for box in state.boxes:
        if not box.hands:
            found += [Due(box.number, s.person, "main", s.amount_minor, 0, 0, OPEN) for s in box.mains]
        for hand in box.hands:
            _of_hand(rules, dealer, box, hand, found)
    for box in state.boxes:
        if box.insurance:
            found += _insurance(rules, dealer, box)
        if box.sides:
            found += _sides(rules, state, box)
    return found


def _of_hand(rules: Rules, dealer: Dealer, box: Box, hand: Hand, found: list[Due]) -> None:
    suffix = "" if hand.number == 1 else f":{hand.number}"
    bonus = bonus_of(rules, hand) if rules.bonuses else None
    for stake in hand.stakes:
        first, extra = stake.amount_minor, hand.raise_of(stake.person)
        outcome, net = _hand(rules, dealer, box, hand, stake.person, first, extra)
        earned = 0
        if bonus is not None and (outcome in _WINS or not rules.bonus_needs_win):
            earned = _pay(rules, first, rules.bonuses[bonus])
        if bonus is not None and earned and rules.bonus_instead:
            outcome, net = _instead(bonus, outcome, net, first, extra, earned)
        found.append(Due(box.number, stake.person, f"main{suffix}", first + extra, net, 0, outcome))
        if bonus is not None and earned and not rules.bonus_instead:
            found.append(Due(box.number, stake.person, f"bonus{suffix}", 0, earned, 0, bonus.value))


def _instead(bonus: Bonus, outcome: str, net: int, first: int, extra: int, earned: int) -> tuple[str, int]:
    """The first stake gets the bonus; what was added by doubling is settled as ever."""
    if not extra:
        return bonus.value, earned
    if outcome == OPEN:
        return OPEN, 0
    return bonus.value, earned + (extra if net > 0 else -extra if net < -first else 0)


def bonus_of(rules: Rules, hand: Hand) -> Bonus | None:
    """The bonus that a finished hand stands for, if it is on."""
    if hand.status not in _FINAL or (hand.from_split and not rules.bonus_on_split):
        return None
    cards = hand.cards
    suited = len({card.suit for card in cards}) == 1
    found: Bonus | None = None
    if hand.status is Status.BLACKJACK:
        found = Bonus.SUITED_BLACKJACK if suited else None
    elif len(cards) >= SIX:
        found = Bonus.SIX_CARDS
    elif len(cards) == 3:
        ranks = sorted(card.rank for card in cards)
        if ranks == [7, 7, 7]:
            found = Bonus.THREE_SEVENS
        elif suited and ranks == [6, 7, 8]:
            found = Bonus.SUITED_678
    return found if found in rules.bonuses else None


def _hand(rules: Rules, dealer: Dealer, box: Box, hand: Hand, person: int, first: int, extra: int) -> tuple[str, int]:
    """Outcome and net of one person's stake on one hand."""
    match hand.status:
        case Status.BUST:
            taken = dealer.finished or rules.bust_collect == "immediate"
            return ("bust", -(first + extra)) if taken else (OPEN, 0)
        case Status.SURRENDERED:
            return _surrendered(rules, dealer, first)
        case Status.WON:
            return "six_cards", first + extra
        case Status.BLACKJACK if person in box.evened:
            return "even_money", first
        case Status.BLACKJACK:
            if dealer.blackjack:
                return "push", 0
            if not dealer.no_blackjack:
                return OPEN, 0
            return "blackjack", _pay(rules, first, parse_ratio(rules.blackjack_pays))
        case _ if not dealer.finished:
            return OPEN, 0
    if dealer.blackjack:
        return _taken(rules, box, hand, person, first, extra)
    points = total(hand.cards)[0]
    if dealer.points > 21 or points > dealer.points:
        return "win", first + extra
    return ("push", 0) if points == dealer.points else ("lose", -(first + extra))


def _surrendered(rules: Rules, dealer: Dealer, first: int) -> tuple[str, int]:
    """Half goes back; a late surrender loses all to a dealer's blackjack."""
    if rules.surrender == "late":
        if dealer.blackjack:
            return "lose", -first
        if not dealer.no_blackjack:
            return OPEN, 0
    return "surrender", _pay(rules, first, Fraction(1, 2)) - first


def _taken(rules: Rules, box: Box, hand: Hand, person: int, first: int, extra: int) -> tuple[str, int]:
    """What a dealer's blackjack takes of a hand that is neither bust nor a blackjack."""
    if rules.dealer_blackjack_takes is DealerBlackjackTakes.ALL:
        return "lose", -(first + extra)
    mine = [h for h in box.hands if h.stake_of(person)]
    bust = any(h.status is Status.BUST for h in mine)
    if bust and rules.dealer_blackjack_takes is DealerBlackjackTakes.ORIGINAL_ONLY:
        return RETURNED, 0
    lowest = min(h.number for h in mine if h.status in _LIVE)
    return ("lose", -first) if hand.number == lowest else (RETURNED, 0)


def insurance_stands(rules: Rules, box: Box) -> bool:
    """False when the insurance of a box has gone back because its hand was surrendered."""
    return rules.insurance_survives_surrender or all(h.status is not Status.SURRENDERED for h in box.hands)


def _insurance(rules: Rules, dealer: Dealer, box: Box) -> list[Due]:
    found = []
    for stake in box.insurance:
        outcome, net = OPEN, 0
        if not insurance_stands(rules, box):
            outcome = RETURNED
        elif dealer.blackjack:
            outcome, net = "win", _pay(rules, stake.amount_minor, parse_ratio(rules.insurance_pays))
        elif dealer.no_blackjack:
            outcome, net = "lose", -stake.amount_minor
        found.append(Due(box.number, stake.person, "insurance", stake.amount_minor, net, 0, outcome))
    return found


def _sides(rules: Rules, state: BlackjackState, box: Box) -> list[Due]:
    """Side bets are decided once the first cards lie."""
    deals = state.phase is Phase.DEALING and state.dealt < len(state.plan)
    waits = deals or not state.up_cards or state.phase is Phase.BETTING
    found = []
    for side in box.sides:
        outcome, net = OPEN, 0
        if not waits:
            outcome, net = _side(rules, state, box, side.bet, side.amount_minor)
        found.append(Due(box.number, side.person, side.bet, side.amount_minor, net, 0, outcome))
    return found


def _side(rules: Rules, state: BlackjackState, box: Box, name: str, amount_minor: int) -> tuple[str, int]:
    bet, odds = rules.pay_tables[name]
    first = box.first_two
    row = best(SideBet(bet), cards_of(bet, first, state.up_cards[0]), odds)
    return ("lose", -amount_minor) if row is None else (row.value, _pay(rules, amount_minor, odds[row]))


def _pay(rules: Rules, amount_minor: int, ratio: Fraction) -> int:
    return paid_to_player(amount_minor, ratio, rules.chip_quantum, rules.rounding)
