"""What the owner of a table must be told of its rules: combinations that are ruinous, idle or that need care."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final

from controller.core.money import Rounding, format_money, parse_ratio
from controller.core.words import plural
from controller.games.blackjack.odds.side import house_edge
from controller.games.blackjack.rules import Bonus, DealerBlackjackTakes, Rules
from controller.games.blackjack.side_bets import Category, SideBet

CARDS_A_BOX: Final = 3
"""Cards that a box and the dealer take in a round, a little more than the average."""


GENEROUS_PERCENT: Final = 0.25
"""A bonus that gives more than this share of the first stakes is told: against the best play the shipped rule sets keep
0.2 to 0.5 percent, or nothing."""


def warnings(rules: Rules) -> tuple[str, ...]:
    """One line for each thing that the owner of a table with these rules must know."""
    return (*_odds(rules), *_bonuses(rules), *_side_bets(rules), *_idle(rules), *_chips(rules), *_cards(rules))


def _odds(rules: Rules) -> Iterator[str]:
    if rules.surrender == "early" and rules.surrender_against_ace:
        yield (
            "surrender against an ace before the dealer's second card makes the game favourable to the player "
            "(+0.19 % with six decks and these defaults); set surrender_against_ace = false to keep an edge (-0.20 %)"
        )
    if parse_ratio(rules.blackjack_pays) >= 2:
        yield f"blackjack_pays {rules.blackjack_pays} costs the house more than it earns: 3:2 is usual"
    if parse_ratio(rules.blackjack_pays) < 1:
        yield f"blackjack_pays {rules.blackjack_pays} is less than any other win: 3:2 is usual"
    cards, tens = 52 * rules.decks - 1, 16 * rules.decks
    if rules.insurance != "none" and parse_ratio(rules.insurance_pays) > (cards - tens) / tens:
        yield f"insurance_pays {rules.insurance_pays} gives the player an edge on insurance: 2:1 is usual"


def _bonuses(rules: Rules) -> Iterator[str]:
    """Bonuses that cost more than such a table keeps. How often six cards come is the player's choice: not told."""
    cards = 52 * rules.decks
    three = cards * (cards - 1) * (cards - 2)
    sevens = 4 * rules.decks
    often = {
        Bonus.SUITED_BLACKJACK: Fraction(2 * 4 * rules.decks * 4 * rules.decks, cards * (cards - 1)),
        Bonus.THREE_SEVENS: Fraction(sevens * (sevens - 1) * (sevens - 2), three),
        Bonus.SUITED_678: Fraction(4 * 6 * rules.decks**3, three),
    }
    for bonus, odds in rules.bonuses.items():
        won = parse_ratio(rules.blackjack_pays) if bonus is Bonus.SUITED_BLACKJACK else Fraction(1)
        percent = float(100 * often.get(bonus, 0) * (odds - won if rules.bonus_instead else odds))
        if percent > GENEROUS_PERCENT:
            text = f"bonus_{bonus.value} {odds.numerator}:{odds.denominator} gives the player up to {percent:.2f} %"
            yield f"{text} of the first stakes; these rules hardly keep as much"


def _side_bets(rules: Rules) -> Iterator[str]:
    for bet, table in rules.side_bets.items():
        percent = 100 * _edge(rules.decks, bet, tuple(sorted(table.items())))
        decks = plural(rules.decks, "deck")
        text = f"side bet {bet}: with {decks} this pay table keeps {percent:.2f} % of the stake"
        if percent <= 0:
            text += "; it pays the player more than he stakes"
        yield text + "; an example table has to be replaced by the licensed one"


@lru_cache(maxsize=64)
def _edge(decks: int, bet: SideBet, table: tuple[tuple[Category, str], ...]) -> float:
    return float(house_edge(decks, bet, {row: parse_ratio(odds) for row, odds in table}))


def _idle(rules: Rules) -> Iterator[str]:
    if rules.peek_on_ace and rules.peek_on_ten and rules.dealer_blackjack_takes is not DealerBlackjackTakes.ALL:
        yield "dealer_blackjack_takes has no effect: the peek finds every blackjack before a stake is added"
    if rules.hole_card == "dealt" and rules.dealer_skipped == "may_withdraw":
        yield "dealer_skipped has no effect: with a hole card the dealer gets both cards before anybody decides"
    if not rules.bonuses and (rules.bonus_instead or rules.bonus_needs_win or rules.bonus_on_split):
        yield "no bonus is on: bonus_instead, bonus_needs_win and bonus_on_split have no effect"


def _chips(rules: Rules) -> Iterator[str]:
    quantum = rules.chip_quantum
    if rules.box_min % quantum:
        yield f"box_min {rules.box_min} is no whole number of chips of {quantum}"
    odd = quantum * (-(-rules.box_min // quantum) | 1)
    refused = rules.rounding is Rounding.REJECT_BET
    # With a quantum of one minor unit no smallest chip is named, and what really lies there halves.
    if rules.insurance == "exact_half" and quantum > 1 and odd <= min(rules.person_max, rules.box_max) and not refused:
        yield (
            f"insurance exact_half: a first stake of an odd number of chips of {format_money(quantum)}, such as "
            f'{format_money(odd)}, can never be insured: its half cannot be laid; rounding = "reject_bet" refuses '
            'such stakes, insurance = "up_to_half" lets less be laid'
        )


def _cards(rules: Rules) -> Iterator[str]:
    behind = 52 * rules.decks - rules.second_cut_at
    round_ = CARDS_A_BOX * (rules.boxes + 1)
    if behind < round_:
        yield (
            f"{behind} cards lie behind the second cut card and a round of {rules.boxes} boxes takes about {round_}: "
            "the shoe may be empty before the round is finished"
        )
