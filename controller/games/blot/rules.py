"""The rule set of a Blot table: every key with its meaning, unit and range.

The game asks these keys and never knows whose rules they are. The texts under the fields are those
of ``docs/blot.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from controller.core.game import RulesError
from controller.core.limits import MAX_AMOUNT_MINOR
from controller.core.problems import MisfitError, all_problems

PATTERNS: Final = ((3, 3), (2, 2, 2), (1, 1, 1, 1, 1, 1))
"""Packets in which each player gets the first six cards."""
TARGETS: Final = {
    ("points", "short"): (51, 101, 201),
    ("points", "long"): (501, 1001, 2001),
    ("rounds", "short"): (1, 3, 5),
    ("rounds", "long"): (1, 3, 5),
}
"""The targets of a match, by what is counted and the form of the score."""

Whole = Annotated[int, Field(strict=True)]
Flag = Annotated[bool, Field(strict=True)]


class Rules(BaseModel):
    """All keys of a Blot rule set. N is the dealer's opponent, T the taker, O the taker's opponent."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    next_dealer: Literal["alternate", "winner", "loser"] = "alternate"
    """who deals the next round: the other player, or the winner or loser of this one"""
    deal_pattern: tuple[Whole, ...] = (3, 3)
    """packets of the first six cards, N's first: [3, 3], [2, 2, 2] or [1, 1, 1, 1, 1, 1]"""
    second_deal_first: Literal["N", "taker"] = "N"
    """whose packet of the second deal comes first"""
    no_trump: Literal["round2", "never"] = "round2"
    """whether no-trump may be named, in the second bidding round"""
    all_trump: Flag = False
    """all-trump may be named in the second bidding round; every suit counts J 14, 9 9, A 6, T 5, K 3, Q 1"""
    must_beat_plain: Flag = False
    """a led card of a plain suit of a trump game must be beaten by one who can"""

    announce_by: Literal["own_first_card", "first_trick"] = "own_first_card"
    """until when combinations are announced: one's own first card, or the end of trick 1"""
    winner_scores: Literal["all", "best"] = "all"
    """what the side with the best shown combination scores: all that it showed, or only that one"""
    zero_four: Literal["ignored", "contested"] = "ignored"
    """four nines in no-trump: no combination, or one of 0 points that wins the contest as a four"""
    equal_fours: Literal["strength", "natural"] = "strength"
    """fours of equal points by the rank order of the contract (T > K > Q), or by the order of runs (K > Q > T)"""
    overlap: Flag = False
    """one card may count in two combinations"""

    form: Literal["short", "long"] = "short"
    """the score: 16 a round (points divided by 10), or 162"""
    tie: Literal["taker_fails", "taker_makes"] = "taker_fails"
    """what becomes of a contract when both have equally many points"""
    fail_total: Literal["162", "captured"] = "162"
    """what a failed contract gives O: all 162 points, or what both captured without the undealt cards"""
    blot_moves_on_fail: Flag = True
    """T's Blot goes to O when the contract fails or T has no points"""
    capot_trigger: Literal["no_points", "no_tricks"] = "no_points"
    """what makes a capot: a side without a card point, or without a trick"""
    capot_long: Literal[212, 210] = 212
    """what a capot scores in the long form (21 in the short one)"""
    rounding: Literal["six_up", "five_up"] = "six_up"
    """tens of O's card points in the short form: 6 counts up, or 5 does"""
    give_up_counts: Literal["shown", "announced"] = "shown"
    """combinations of a round given up before they had to be shown: only shown ones count, or announced ones, too"""

    match_by: Literal["points", "rounds"] = "points"
    """what decides a match"""
    target: Whole = 101
    """points to reach (51, 101, 201 short; 501, 1001, 2001 long), or rounds to win (1, 3, 5)"""
    match_tie: Literal["higher", "taker"] = "higher"
    """both reach the target in one round: the higher total wins and equal ones play on, or T's is counted first"""
    match_unit: Literal["round"] = "round"
    """what is won in a match by rounds: a made round is T's, a failed one O's, a capot the scoring side's"""
    fee_minor: Whole = Field(0, ge=0, le=MAX_AMOUNT_MINOR)
    """each player's participation fee for a match (minor units); 0 for none"""
    rake_bp: Whole = Field(0, ge=0, le=10_000)
    """the house's share of both fees (basis points, 0..10000)"""
    rake_rounding: Literal["house", "player"] = "player"
    """who gains the part of the rake that is smaller than the chip quantum"""
    chip_quantum: Whole = Field(1, ge=1, le=MAX_AMOUNT_MINOR)
    """smallest chip the table pays with (minor units)"""

    unread_cards: Literal["hold", "blind"] = "hold"
    """a card of the deal that no source reads holds the table, or goes to its hand unknown and is judged when played"""

    @field_validator("deal_pattern")
    @classmethod
    def _is_pattern(cls, pattern: tuple[int, ...]) -> tuple[int, ...]:
        if pattern not in PATTERNS:
            raise ValueError(f"packets are one of {', '.join(str(list(p)) for p in PATTERNS)}")
        return pattern

    @model_validator(mode="after")
    def _fits_together(self) -> Rules:
        faults = []
        targets = TARGETS[self.match_by, self.form]
        if self.target not in targets:
            wanted = ", ".join(str(t) for t in targets)
            faults.append(f"target {self.target} does not fit a {self.form} match by {self.match_by}: {wanted}")
        if self.fee_minor % self.chip_quantum:
            faults.append(f"fee_minor {self.fee_minor} is not made of chips of {self.chip_quantum}")
        if faults:
            raise MisfitError(faults)
        return self

    @property
    def rake_minor(self) -> int:
        """What the house keeps of both fees, in whole chips (minor units)."""
        quanta, rest = divmod(2 * self.fee_minor * self.rake_bp, 10_000 * self.chip_quantum)
        if rest and self.rake_rounding == "house":
            quanta += 1
        return quanta * self.chip_quantum


def parse_rules(data: Mapping[str, Any]) -> Rules:
    """Rules from a rule set's data. Raises RulesError with one line for every fault."""
    try:
        return Rules.model_validate(dict(data))
    except ValidationError as error:
        raise RulesError(all_problems(error, Rules, data)) from None
