"""The rule set of a blackjack table: every key with its meaning, unit and range.

A jurisdiction is a TOML file of these keys; the game asks the keys and never knows the jurisdiction's name. The texts
under the fields are what ``docs/rule-sets.md`` and the JSON Schema show.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from controller.core.cards import Card
from controller.core.game import RulesError
from controller.core.limits import MAX_AMOUNT_MINOR
from controller.core.money import NO_RATIO, Rounding, exact_multiple, parse_ratio
from controller.core.problems import MisfitError, all_problems
from controller.games.blackjack.hand import value
from controller.games.blackjack.side_bets import CATEGORIES, Category, SideBet


class DealOrder(StrEnum):
    """Order of the first cards."""

    ONE_BY_ONE = "one_by_one"
    """one to each box, one to the dealer, second to each box"""
    TWO_THEN_DEALER = "two_then_dealer"
    """two to each box in turn, then one to the dealer"""


class DoubleOn(StrEnum):
    """Which hands may be doubled."""

    NONE = "none"
    ANY_TWO = "any_two"
    """any first two cards that are not blackjack"""
    TOTAL = "total"
    """first two cards whose total, aces counted 1, is ``double_min`` to ``double_max``"""


class DealerBlackjackTakes(StrEnum):
    """What a dealer's blackjack takes of a person's stakes on a box when it was not found by a peek."""

    ALL = "all"
    ORIGINAL_ONLY = "original_only"
    """one first stake in all: nothing more where a hand is bust, else of the first hand that is not"""
    BUSTED_PLUS_ONE = "busted_plus_one"
    """busted hands, and one first stake of the first hand that is not bust"""


class Bonus(StrEnum):
    """Hands that may earn a bonus; no hand is two of them."""

    THREE_SEVENS = "three_sevens"
    SIX_CARDS = "six_cards"
    """six cards or more of 21 or less"""
    SUITED_678 = "suited_678"
    SUITED_BLACKJACK = "suited_blackjack"


def _ratio(text: object) -> str:
    """``text`` when it is odds. Raises ValueError."""
    if not isinstance(text, str):
        raise ValueError(NO_RATIO.format(text))
    if max(parse_ratio(text).as_integer_ratio()) > MOST_ODDS:
        raise ValueError(f"odds have parts up to {MOST_ODDS}")
    return text


def _ratio_or_off(text: object) -> str:
    """``text`` when it is odds or the word ``off``. Raises ValueError."""
    return OFF if text == OFF else _ratio(text)


OFF: Final = "off"
MOST_ODDS: Final = 999
"""The largest part of odds; with it the payouts of a whole table stay whole numbers that a record can hold."""
Ratio = Annotated[str, BeforeValidator(_ratio)]
RatioOrOff = Annotated[str, BeforeValidator(_ratio_or_off)]
PayTables = dict[SideBet, dict[Category, Ratio]]
Whole = Annotated[int, Field(strict=True)]
Flag = Annotated[bool, Field(strict=True)]
Amount = Annotated[int, Field(strict=True, ge=1, le=MAX_AMOUNT_MINOR)]


class Rules(BaseModel):
    """All keys of a blackjack rule set. Amounts are whole minor units of the table's currency."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    decks: Whole = Field(6, ge=1, le=8)
    """packs of 52 in the shoe (packs, 1..8)"""
    inspection: Flag = True
    """new packs are spread face up and counted before they are shuffled"""
    player_cut: Flag = True
    """a player cuts; without a recorded cut the shoe is not loaded"""
    cut_margin: Whole = Field(10, ge=0, le=52)
    """a cut nearer than this to an end is offered again (cards, 0..52)"""
    second_cut_share: Ratio = "2:3"
    """part of the pack in front of the second cut card (ratio below 1:1)"""
    second_cut_tolerance: Whole = Field(26, ge=0, le=104)
    """how far the second cut card may lie from that place (cards, 0..104)"""
    burn_min: Whole = Field(1, ge=0, le=20)
    """fewest cards burned from a new shoe (cards)"""
    burn_max: Whole = Field(6, ge=0, le=20)
    """most cards burned from a new shoe (cards)"""
    burn_face_down: Flag = False
    """burned cards lie face down: their faces are secret, and one that is seen is noted"""
    cut_card_first: Literal["shuffle_now", "play_round"] = "play_round"
    """what follows when the cut card is the first thing drawn in a round: the stakes go back and the pack is shuffled,
    or the round is played first"""
    spare_shoe: Literal["go_on", "void_round"] = "go_on"
    """what becomes of a round whose shoe fails and is replaced by a spare one: it goes on once the spare's packs are
    made ready, or it is void and the stakes go back"""
    count_after_shoe: Flag = False
    """the packs are spread and counted after every shoe, before they are shuffled again"""
    count_racked: Flag = False
    """cards read in the burn and discard places are counted, and the number is set against the record before the packs
    of a shoe that ended are spread or shuffled"""

    boxes: Whole = Field(7, ge=1, le=9)
    """betting boxes on the layout"""
    persons_per_box: Whole = Field(3, ge=1, le=8)
    """people who may bet on one box; the lowest number decides"""
    hands_per_player: Whole = Field(0, ge=0, le=9)
    """boxes that one person may bet on, side by side; a person has the same number at each; 0 for as many as there are
    (boxes)"""
    box_min: Amount = 500
    """smallest stake of a person on a box (minor units)"""
    box_max: Amount = 100_000
    """largest sum of first stakes on a box (minor units)"""
    person_max: Amount = 100_000
    """largest first stake of a person on a box (minor units)"""
    chip_quantum: Amount = 1
    """smallest chip the table pays with (minor units)"""
    rounding: Rounding = Rounding.HOUSE
    """who gains the part of an amount that is smaller than the chip quantum; ``reject_bet`` refuses stakes that have
    one"""
    rebet: Flag = False
    """the stakes of the round before may be laid again in one action"""
    exchange: Literal["any_time", "pause"] = "any_time"
    """when notes are changed into chips at the table: at any time, or only while no round is in play"""

    deal_order: DealOrder = DealOrder.ONE_BY_ONE
    """order of the first cards: one to each box, one to the dealer, a second to each box; or two to each box, then one
    to the dealer"""
    hole_card: Literal["none", "dealt"] = "none"
    """whether the dealer's second card is dealt with the first cards, face down, behind the players' second cards"""
    dealer_skipped: Literal["draws_later", "may_withdraw"] = "draws_later"
    """what follows when the dealer, who has no hole card, missed his first card: he draws all his cards at his turn, or
    a supervisor may also let the players who have decided nothing take their stakes back"""
    peek_on_ace: Flag = False
    """with an ace up the dealer looks at the hole card after the insurance; a blackjack ends the round"""
    peek_on_ten: Flag = False
    """with a ten-value up the dealer looks at the hole card before any decision; a blackjack ends the round"""
    blackjack_pays: Ratio = "3:2"
    """odds of a blackjack"""
    blackjack_after_split: Flag = False
    """ace and ten-value after a split count as blackjack"""
    dealer_hits_soft_17: Flag = False
    """the dealer draws on a total of 17 that counts an ace as 11"""
    draw_on_21: Flag = False
    """a player may draw to a total of 21"""
    double_on: DoubleOn = DoubleOn.ANY_TWO
    """which hands may be doubled: none, any first two cards but blackjack, or those of a total from ``double_min`` to
    ``double_max`` with aces counted 1"""
    double_min: Whole = Field(2, ge=2, le=20)
    """lowest total for ``double_on = "total"``"""
    double_max: Whole = Field(11, ge=2, le=20)
    """highest total for ``double_on = "total"``"""
    double_after_split: Flag = True
    """hands from a split may be doubled"""
    split_by: Literal["none", "rank", "value"] = "value"
    """which pairs may be split: none, two of one rank, or two of one value (king and ten)"""
    split_hands: Whole = Field(4, ge=1, le=8)
    """most hands a box may have after splits"""
    split_aces_hands: Whole = Field(4, ge=1, le=8)
    """most hands that may come of split aces"""
    split_aces_one_card: Flag = True
    """each split ace gets one card only"""
    back_bet_no_split: Literal["first_hand", "choose"] = "first_hand"
    """where the stake of a person stays who lays none for a split: on the first hand, or on the hand that he chooses
    before the next card"""
    decision_timeout_s: Whole = Field(0, ge=0, le=3600)
    """how long a hand may take to decide before a supervisor is called, who may stand it; 0 for ever (seconds)"""
    surrender: Literal["none", "early", "late"] = "early"
    """give up half the stake as the first decision on a hand: early, and a dealer's blackjack does not matter any more,
    or late, and a dealer's blackjack takes all of it"""
    surrender_against_ace: Flag = True
    """surrender is offered against a dealer's ace, too"""
    insurance: Literal["none", "exact_half", "up_to_half"] = "exact_half"
    """stake on the dealer's blackjack when an ace is up: none, exactly half the first stake (a stake whose
    half is no whole chips cannot be insured), or up to half of it"""
    insurance_pays: Ratio = "2:1"
    """odds of insurance"""
    insurance_survives_surrender: Flag = True
    """insurance stays when the hand is surrendered; else its stake goes back"""
    even_money: Flag = True
    """a person with a blackjack against an ace may take 1:1 at once"""
    dealer_blackjack_takes: DealerBlackjackTakes = DealerBlackjackTakes.ALL
    """stakes that a dealer's blackjack takes when no peek found it before: all of the box; one first stake and no
    doubled or split ones, nothing more where a hand is bust already; or busted hands and one first stake"""
    dealer_draws_for_nobody: Flag = False
    """the dealer draws to 17 although no stake depends on it"""
    bust_collect: Literal["immediate", "end"] = "immediate"
    """when the stake of a busted hand is taken"""
    bonus_three_sevens: RatioOrOff = OFF
    """bonus of three sevens, a part of the hand's first stake (odds or ``off``)"""
    bonus_six_cards: RatioOrOff = OFF
    """bonus of six cards or more that total 21 or less (odds or ``off``)"""
    bonus_suited_678: RatioOrOff = OFF
    """bonus of six, seven and eight of one suit (odds or ``off``)"""
    bonus_suited_blackjack: RatioOrOff = OFF
    """bonus of a blackjack of one suit (odds or ``off``)"""
    bonus_instead: Flag = False
    """a bonus is paid instead of what the first stake would win or lose, not in addition"""
    bonus_needs_win: Flag = False
    """only a hand that wins earns its bonus"""
    bonus_on_split: Flag = False
    """hands from a split earn bonuses, too"""
    six_cards: Literal["play", "win"] = "play"
    """a hand of six cards that total 21 or less is played on, or wins at once"""
    side_bets: PayTables = Field(default_factory=dict)
    """side bets offered, each with its pay table: rows of a category and its odds; the best row counts"""
    side_min: Amount = 100
    """smallest stake of a person on a side bet (minor units)"""
    side_max: Amount = 10_000
    """largest stake of a person on a side bet (minor units)"""
    settlement_gate: Literal["hold", "warn"] = "hold"
    """whether the next round waits until every bet is paid and taken right (``hold``), or only a note says so"""

    @model_validator(mode="after")
    def _fits_together(self) -> Rules:
        faults = [f"{low} {lo} is above {high} {hi}" for low, lo, high, hi in self._ordered() if lo > hi]
        if not 0 < parse_ratio(self.second_cut_share) < 1:
            faults.append(f"second_cut_share {self.second_cut_share} must be below 1:1")
        elif self.second_cut_at <= self.burn_max:
            faults.append(
                f"second_cut_share {self.second_cut_share} puts the second cut card at {self.second_cut_at}, "
                f"among burned cards (decks {self.decks}, burn_max {self.burn_max})"
            )
        if self.player_cut and 2 * self.cut_margin > 52 * self.decks:
            faults.append(f"cut_margin {self.cut_margin} leaves no place to cut in {52 * self.decks} cards (decks)")
        peek = self.peek_on_ace or self.peek_on_ten
        if peek and self.hole_card == "none":
            faults.append('a peek needs a hole card: set hole_card = "dealt", or no peek_on_ace and peek_on_ten')
        if peek and self.surrender == "early":
            faults.append('with a peek no surrender is early: the peek comes before it, set surrender = "late"')
        for bet, table in self.side_bets.items():
            wrong = ", ".join(row for row in table if row not in CATEGORIES[bet])
            known = ", ".join(CATEGORIES[bet])
            if wrong or not table:
                faults.append(f"side_bets.{bet}: {f'no row {wrong}' if wrong else 'no rows'}; rows are {known}")
        if faults:
            raise MisfitError(faults)
        return self

    def _ordered(self) -> tuple[tuple[str, int, str, int], ...]:
        """Pairs of keys of which the first may not be above the second."""
        pairs = (
            ("burn_min", "burn_max"),
            ("box_min", "box_max"),
            ("box_min", "person_max"),
            ("side_min", "side_max"),
            ("double_min", "double_max"),
            ("split_aces_hands", "split_hands"),
            ("hands_per_player", "boxes"),
        )
        return tuple((low, getattr(self, low), high, getattr(self, high)) for low, high in pairs)

    @property
    def second_cut_at(self) -> int:
        """Where the second cut card belongs, in cards from the front."""
        return round(52 * self.decks * parse_ratio(self.second_cut_share))

    @cached_property
    def bonuses(self) -> Mapping[Bonus, Fraction]:
        """The bonuses that are on, with their odds."""
        texts = {bonus: str(getattr(self, f"bonus_{bonus.value}")) for bonus in Bonus}
        return {bonus: parse_ratio(text) for bonus, text in texts.items() if text != OFF}

    @cached_property
    def pay_tables(self) -> Mapping[str, tuple[SideBet, Mapping[Category, Fraction]]]:
        """The side bets by the name of their bet (``side:trilux``), with their odds."""
        return {
            f"side:{bet.value}": (bet, {row: parse_ratio(odds) for row, odds in table.items()})
            for bet, table in self.side_bets.items()
        }

    def peeks(self, up_card: Card) -> bool:
        """Whether the dealer looks for a blackjack under this up card."""
        points = value(up_card)
        return (points == 1 and self.peek_on_ace) or (points == 10 and self.peek_on_ten)

    def divisible(self, amount_minor: int) -> bool:
        """True when blackjack, half, insurance and bonuses of this first stake are whole chips."""
        parts = (parse_ratio(self.blackjack_pays), Fraction(1, 2), Fraction(1), *self.bonuses.values())
        return all(exact_multiple(amount_minor, ratio, self.chip_quantum) for ratio in parts)


def parse_rules(data: Mapping[str, Any]) -> Rules:
    """Rules from a rule set's data. Raises RulesError with one line for every fault."""
    try:
        return Rules.model_validate(dict(data))
    except ValidationError as error:
        raise RulesError(all_problems(error, Rules, data)) from None
