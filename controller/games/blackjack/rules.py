"""The rule set of a blackjack table: every key with its meaning, unit and range.

A jurisdiction is a TOML file of these keys; the game asks the keys and never knows the jurisdiction's name. The texts
under the fields are what ``docs/rule-sets.md`` and the JSON Schema show.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from controller.core.game import RulesError
from controller.core.limits import MAX_AMOUNT_MINOR
from controller.core.money import Rounding, exact_multiple, parse_ratio
from controller.core.problems import problems_of


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
    """What a dealer's blackjack takes where there is no hole card."""

    ALL = "all"
    ORIGINAL_ONLY = "original_only"


def _ratio(text: str) -> str:
    """``text`` when it is odds. Raises ValueError."""
    if max(parse_ratio(text).as_integer_ratio()) > MOST_ODDS:
        raise ValueError(f"odds have parts up to {MOST_ODDS}")
    return text


MOST_ODDS: Final = 999
"""The largest part of odds; with it the payouts of a whole table stay whole numbers that a record can hold."""
Ratio = Annotated[str, AfterValidator(_ratio)]
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

    boxes: Whole = Field(7, ge=1, le=9)
    """betting boxes on the layout"""
    persons_per_box: Whole = Field(3, ge=1, le=8)
    """people who may bet on one box; the lowest number decides"""
    box_min: Amount = 500
    """smallest stake of a person on a box (minor units)"""
    box_max: Amount = 100_000
    """largest sum of first stakes on a box (minor units)"""
    chip_quantum: Amount = 1
    """smallest chip the table pays with (minor units)"""
    rounding: Rounding = Rounding.HOUSE
    """who gains the part of an amount that is smaller than the chip quantum; ``reject_bet`` refuses stakes that have
    one"""

    deal_order: DealOrder = DealOrder.ONE_BY_ONE
    """order of the first cards: one to each box, one to the dealer, a second to each box; or two to each box, then one
    to the dealer"""
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
    surrender: Literal["none", "early"] = "early"
    """give up half the stake as the first decision on a hand"""
    surrender_against_ace: Flag = True
    """surrender is offered against a dealer's ace, too"""
    insurance: Literal["none", "exact_half", "up_to_half"] = "exact_half"
    """stake on the dealer's blackjack when an ace is up: none, exactly half the first stake, or up to half of it"""
    insurance_pays: Ratio = "2:1"
    """odds of insurance"""
    dealer_blackjack_takes: DealerBlackjackTakes = DealerBlackjackTakes.ALL
    """stakes a dealer's blackjack takes where there is no hole card: all of the box, or the first stake only"""
    bust_collect: Literal["immediate", "end"] = "immediate"
    """when the stake of a busted hand is taken"""
    settlement_gate: Literal["hold", "warn"] = "hold"
    """whether the next round waits until every bet is paid and taken right (``hold``), or only a note says so"""

    @model_validator(mode="after")
    def _fits_together(self) -> Rules:
        faults = []
        if self.burn_min > self.burn_max:
            faults.append(f"burn_min {self.burn_min} is above burn_max {self.burn_max}")
        if self.box_min > self.box_max:
            faults.append(f"box_min {self.box_min} is above box_max {self.box_max}")
        if self.double_min > self.double_max:
            faults.append(f"double_min {self.double_min} is above double_max {self.double_max}")
        if self.split_aces_hands > self.split_hands:
            faults.append(f"split_aces_hands {self.split_aces_hands} is above split_hands {self.split_hands}")
        if not 0 < parse_ratio(self.second_cut_share) < 1:
            faults.append(f"second_cut_share {self.second_cut_share} must be below 1:1")
        if faults:
            raise ValueError("; ".join(faults))
        return self

    @property
    def second_cut_at(self) -> int:
        """Where the second cut card belongs, in cards from the front."""
        return round(52 * self.decks * parse_ratio(self.second_cut_share))

    def divisible(self, amount_minor: int) -> bool:
        """True when blackjack, half and insurance of this stake are whole chips."""
        halves = (parse_ratio(self.blackjack_pays), Fraction(1, 2), Fraction(1))
        return all(exact_multiple(amount_minor, ratio, self.chip_quantum) for ratio in halves)


def parse_rules(data: Mapping[str, Any]) -> Rules:
    """Rules from a rule set's data. Raises RulesError with one line for every fault."""
    try:
        return Rules.model_validate(dict(data))
    except ValidationError as error:
        raise RulesError(problems_of(error, Rules)) from None


def warnings(rules: Rules) -> tuple[str, ...]:
    """What the owner of a table with these rules must know."""
    found = []
    if rules.surrender == "early" and rules.surrender_against_ace:
        found.append(
            "surrender against an ace before the dealer's second card makes the game favourable to the player "
            "(+0.19 % with six decks and these defaults); set surrender_against_ace = false to keep an edge (-0.20 %)"
        )
    return tuple(found)
