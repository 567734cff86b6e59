"""The verdict codes of Blot: the one list behind docs/verdicts.md."""

from __future__ import annotations

from typing import Final

from controller.core.verdicts import Severity, VerdictCode


def _refused(code: str, meaning: str, remedy: str) -> VerdictCode:
    return VerdictCode(code, (Severity.REFUSED,), meaning, remedy)


def _hold(code: str, meaning: str, remedy: str) -> VerdictCode:
    return VerdictCode(code, (Severity.HOLD,), meaning, remedy)


def _note(code: str, meaning: str) -> VerdictCode:
    return VerdictCode(code, (Severity.NOTE,), meaning, "Nothing: it is on record.")


_BACK: Final = "The chips go back to the player."
_LATE: Final = (
    "The card goes back (`take_back`). Found later, in a hand with unread cards, it holds the table: `accept`, or void "
    "the round."
)


def _duty(code: str, meaning: str) -> VerdictCode:
    return VerdictCode(code, (Severity.REFUSED, Severity.HOLD), meaning, _LATE)


_CARDS: Final = (
    _hold("DECK_INCOMPLETE", "The spread cards are not the 24.", "Complete them (`respread`) and count again."),
    VerdictCode(
        "CARD_NOT_IN_DECK",
        (Severity.HOLD, Severity.REFUSED),
        "A card below 9, in a spread, in the deal or in play.",
        "Misread: `name_card`; foreign: `take_out`, `respread` or `take_back`.",
    ),
    VerdictCode(
        "DUPLICATE_CARD",
        (Severity.HOLD, Severity.REFUSED),
        "A card that is out already, or was played already.",
        "Misread: `name_card` or `deal_unknown`; foreign: `take_out` or `respread`.",
    ),
    _hold("CARD_UNREADABLE", "A card of the deal that no source could read.", "`name_card` or `deal_unknown`."),
    VerdictCode(
        "WRONG_DESTINATION",
        (Severity.HOLD, Severity.REFUSED),
        "A card was laid at another place than it was due at, or at none of the table's.",
        "`move` it while nothing was dealt since, or `lies_right` when the sensor erred.",
    ),
    _hold(
        "CARD_UNSEEN",
        "A card was laid that the shoe never announced.",
        "`name_card`, or `no_card` when the sensor erred.",
    ),
    _hold("EXTRA_CARD", "A card came that was not due.", "`next_card` when nobody saw it, or `put_back`."),
    VerdictCode(
        "CARD_OUTSIDE_PLAY",
        (Severity.NOTE, Severity.HOLD),
        "A card left the shoe while no round is dealt; once the cards are counted this holds the table.",
        "`shuffle_again` with the card put back, or `new_shoe`.",
    ),
    _hold("TOO_MANY_CARDS", "More cards wait for a supervisor than the deck has.", "`void_round` or `new_shoe`."),
    _note("READ_AGAIN", "The shoe announced a card a second time."),
    _note("CUT_CARD", "The cut card came; this game has none."),
    _refused("INCOMPLETE_DEAL", "A bid or a card before the deal is complete.", "Deal the missing cards."),
    _hold("CARD_MISSING", "Fewer than 24 cards came back.", "`recount`, or `new_shoe`."),
    _hold("CARD_SURPLUS", "More than 24 cards came back.", "`recount`, or `new_shoe`."),
)

_PLAY: Final = (
    _refused("WRONG_PHASE", "Something that does not belong to this phase.", "Do what is expected next."),
    _refused("OUT_OF_TURN", "A bid or a card of the player whose turn it is not.", "The other one first."),
    _refused("BID_NOT_ALLOWED", "A bid that this round of the bidding does not have.", "Bid again."),
    _refused("MUST_TAKE", "A pass by the one who cannot pass.", "Take, or name a contract."),
    _hold(
        "CARD_NOT_OWNED",
        "A card that this hand did not get.",
        "`take_back`; `hand_unknown` when the deal was misread.",
    ),
    _duty("REVOKE", "The suit led was not followed by a hand that has it."),
    _duty("MUST_TRUMP", "No trump from a hand that has one and cannot follow suit."),
    _duty("MUST_OVERTRUMP", "A led trump was not beaten by a hand that can."),
    _duty("MUST_BEAT", "A led card was not beaten by a hand that can, where the rules ask for it."),
    _refused("FALSE_COMBINATION", "A combination that the nine cards do not hold.", "It does not count."),
    _refused("LATE_COMBINATION", "Announced or shown after the own card.", "It does not count."),
    _note("UNSHOWN_COMBINATION", "An announced combination was not shown in time and does not count."),
    _refused("HAND_UNREAD", "A hand with unread cards cannot be counted.", "Lay them open one by one."),
    _note("CARD_SEEN_AGAIN", "The card that lies there was seen again."),
    _refused("WRONG_SCORE", "The croupier's record differs from the score.", "Record the score that is expected."),
    _refused("ACTION_UNKNOWN", "A decision that this game does not have.", "One of the words of docs/blot.md."),
    _refused("SIGNAL_UNKNOWN", "A dealer's key that this game does not have.", "One of the words of docs/blot.md."),
    _refused("NO_SUCH_SEAT", "A seat the table does not have.", "Seat 1 or 2."),
)

_CHIPS: Final = (
    _refused("BET_NOT_OFFERED", "Chips where this table takes none.", _BACK),
    _refused("WRONG_FEE", "Another amount than the fee.", _BACK),
    _refused("FEE_NOT_NOW", "A fee laid or taken back during a match.", _BACK),
    _refused("PAYMENT_NOT_DUE", "Chips of a fee moved before the match has ended.", _BACK),
    _refused("BAD_AMOUNT", "An amount of nothing, or more than the table can follow.", "Move the right amount."),
    VerdictCode(
        "PAYOUT_MISMATCH",
        (Severity.OPEN,),
        "More was paid or taken than is owed.",
        "Move the difference, or a supervisor lets it stand (`accept_fee`).",
    ),
)

CODES: Final = (*_CARDS, *_PLAY, *_CHIPS)
"""Every code the game raises."""
