"""The verdict codes of blackjack: the one list behind docs/verdicts.md."""

from __future__ import annotations

from typing import Final

from controller.core.verdicts import Severity, VerdictCode


def _refused(code: str, meaning: str, remedy: str) -> VerdictCode:
    return VerdictCode(code, (Severity.REFUSED,), meaning, remedy)


def _hold(code: str, meaning: str, remedy: str) -> VerdictCode:
    return VerdictCode(code, (Severity.HOLD,), meaning, remedy)


def _note(code: str, meaning: str, remedy: str) -> VerdictCode:
    return VerdictCode(code, (Severity.NOTE,), meaning, remedy)


def _open(code: str, meaning: str, remedy: str) -> VerdictCode:
    return VerdictCode(code, (Severity.OPEN,), meaning, remedy)


_NOTHING: Final = "Nothing: it is on record."
_BACK: Final = "The chips go back to the bettor."
_MOVE_OR_ACCEPT: Final = "Move the difference, or a supervisor accepts it."

_SHOE: Final = (
    _hold(
        "DECK_INCOMPLETE",
        "The spread packs are not complete; the rounds dealt from them since the last good count are named.",
        "Complete them (`respread`) and count again, or put them in `quarantine` and spread others.",
    ),
    _note(
        "RACK_DIFFERS",
        "Readers in the burn and discard places have read another number of cards than went there by the record.",
        "Spread and count the packs before they are shuffled.",
    ),
    _note(
        "LIKE_NEW_PACKS", "The first cards of a shoe come in the order of new packs; it may not be shuffled.", _NOTHING
    ),
    _refused("NOT_INSPECTED", "A shuffle before the packs were counted.", "Spread and count the packs."),
    _refused("CUT_RANGE", "The player's cut is too near an end.", "Offer the cut again."),
    _refused("CUT_MISSING", "No player has cut.", "A player cuts."),
    _refused("CUTCARD_POSITION", "The second cut card is not where it belongs.", "Put it in again."),
    _refused("CUTCARD_MISSING", "The shoe is loaded without the second cut card.", "Put it in first."),
    _hold("CUT_CARD_EARLY", "The cut card came among the first cards.", "`shuffle_again`."),
    VerdictCode("CUT_CARD_AGAIN", (Severity.NOTE,), "A second cut card of one shoe.", _NOTHING),
    VerdictCode(
        "BURN_MISSING",
        (Severity.REFUSED, Severity.HOLD),
        "A bet or a deal before the burn, or a card of the burn laid at a box.",
        "Burn the cards first; a laid one goes `to_the_rack`, or `lies_right` when the sensor erred.",
    ),
    _hold("BURN_TOO_MANY", "More cards burned than the rules allow.", "`burn` it too, or it is the `next_card`."),
    _refused("SHUFFLE_DUE", "A bet while no shoe is ready.", "Shuffle, cut, load and burn. " + _BACK),
    _note("EXPOSED_BURN", "A burned card was seen that lies face down.", _NOTHING),
    _hold(
        "SHOE_EMPTY",
        "A card is due and the shoe has none.",
        "`shuffle_discards`, not the cards in play, and finish the round; without discards `new_shoe`.",
    ),
)

_CARDS: Final = (
    VerdictCode(
        "CARD_OUTSIDE_PLAY",
        (Severity.NOTE, Severity.HOLD),
        "A card left the shoe while none is loaded; after the shuffle this holds the table.",
        "`shuffle_again` with the card put back, or `new_shoe`.",
    ),
    VerdictCode("READ_AGAIN", (Severity.NOTE,), "The shoe announced a card a second time.", _NOTHING),
    _hold(
        "EXTRA_CARD",
        "A card came that was not due. Its face is secret until it is dealt, burned or said to have been seen.",
        "Unexposed: `next_card`. Seen by the players: `exposed`, offered to the hands that still draw, or `burn`.",
    ),
    _hold("HOLE_CARD", "A second card of the dealer before his turn, where he has none.", "`next_card` or `exposed`."),
    _hold("SPLIT_ORDER", "The card of a later hand of a split.", "It `stays` with that hand, or `burn` it."),
    _note(
        "CARD_FACE_UP", "A card lay face up in the shoe; keyed `exposed` 1 before it was drawn.", "It goes to the rack."
    ),
    _note("EXPOSED_HOLE", "The hole card was seen before the dealer turned it.", _NOTHING),
    _refused("NOTHING_HIDDEN", "A card said to be exposed while none lies face down.", _NOTHING),
    _hold(
        "BOX_SKIPPED",
        "A box was skipped with its first card.",
        "`move` the card while nothing was dealt since; later it is a `dead_box` and its stake goes back.",
    ),
    _note("SECOND_CARD_SKIPPED", "A box was skipped with its second card.", "It gets the card after the others."),
    VerdictCode(
        "DEALER_SKIPPED",
        (Severity.HOLD, Severity.NOTE),
        "The dealer missed his own card. With a hole card he gets both after the players, and it is only noted.",
        "`dealer_later`: he draws all his cards at his turn. With `dealer_skipped = may_withdraw` also that word: "
        "players who have decided nothing may then take their stakes back.",
    ),
    _hold("NO_STAKE", "Cards were dealt to a box without a stake.", "`void_hand`: they go to the rack."),
    _refused("NOT_SKIPPED", "A place said to be skipped, or dealt to without a stake, that cannot be.", _NOTHING),
    _hold(
        "COLLECTED_EARLY",
        "The cards were collected before the round was decided; how they lay is on record.",
        "Lay them out again (`rebuilt`).",
    ),
    _hold("DEALER_OVERDRAW", "A card was drawn after the dealer's hand was complete.", "`burn`; the total stands."),
    _hold(
        "CARD_UNREADABLE",
        "A card came out that no source could read.",
        "A supervisor and a second person name it (`name_card`), or it is `set_aside` and the packs are counted.",
    ),
    _hold(
        "CARD_DISPUTED",
        "More of one face than the decks hold: a misread or a foreign card.",
        "As for CARD_UNREADABLE.",
    ),
    _hold(
        "CARD_UNSEEN",
        "A card was laid that the shoe never announced.",
        "`name_card`, or `no_card` when the sensor erred.",
    ),
    _hold("TOO_MANY_CARDS", "More cards wait for a supervisor than can be followed.", "`void_round` or `new_shoe`."),
    _hold(
        "WRONG_BOX",
        "A card was laid at another spot than it was due at.",
        "`move` it while nothing was dealt since, or `lies_right` when the sensor erred.",
    ),
    _hold(
        "CARD_MISSING",
        "Fewer cards came to the rack than the round had, or one was found elsewhere. The rounds since the last good "
        "count are named.",
        "Look for it and `recount`, or `put_back` the one found; or `new_shoe`: all are counted.",
    ),
    _hold("CARD_SURPLUS", "More cards came to the rack than the round had.", "`recount`, or `new_shoe`."),
    _refused("CARDS_WAIT", "A shoe is handed over while cards wait for a supervisor.", "Settle those first."),
    _refused("BAD_COUNT", "A count of cards below nothing.", "Count again."),
    _refused("CARDS_ON_TABLE", "The next round before the cards are collected.", "Collect them."),
)

_BETS: Final = (
    _refused("NO_SUCH_BOX", "Chips at a box the table does not have.", _BACK),
    _refused("BAD_WAGER", "Chips of no amount, or of nobody.", _BACK),
    _refused("AMOUNT_TOO_LARGE", "More chips than the table can follow.", _BACK),
    _refused("BET_NOT_OFFERED", "A bet that the rule set does not have.", _BACK),
    _refused("LATE_BET", "A new stake after the first card.", _BACK),
    _refused("BET_CHANGED", "A stake raised after the first card.", _BACK),
    _refused("BET_WITHDRAWN", "A stake taken back after the first card.", "The bettor puts it back."),
    _refused("NO_SUCH_STAKE", "Chips taken back that were not there.", _NOTHING),
    _refused("NEXT_ROUND_EARLY", "A stake for the next round before this one is finished.", _BACK),
    _refused("BOX_FULL", "More persons on a box than allowed.", _BACK),
    _refused("PERSON_MAXIMUM", "More of one person on a box than allowed.", _BACK),
    _refused("HANDS_LIMIT", "More boxes of one person than allowed.", _BACK),
    _refused("NOT_ADJACENT", "Boxes of one person that are not side by side.", _BACK),
    VerdictCode(
        "SIDE_WITHOUT_MAIN",
        (Severity.REFUSED, Severity.NOTE),
        "A side bet without a first stake, or whose first stake was taken back.",
        _BACK,
    ),
    _refused("SIDE_MAXIMUM", "More on a side bet than allowed.", _BACK),
    _refused("NO_REBET", "A rebet with no stakes of the round before, or with some laid already.", "Lay them."),
    _refused("CHANGE_IN_ROUND", "Notes to be changed into chips while a round is in play.", "After the round."),
    _refused("BOX_MAXIMUM", "More on a box than allowed.", _BACK),
    _refused("UNDER_MINIMUM", "A stake below the minimum when the bets close.", "Raise it or take it back."),
    _refused("ODD_STAKE", "A stake whose payout is not a whole number of chips.", _BACK),
    _refused("NO_BETS", "Bets closed with no stake on the table.", "Wait for bets."),
    _refused("DOUBLE_NOT_NOW", "Chips for a double when that hand does not decide.", _BACK),
    _refused("SPLIT_NOT_NOW", "Chips for a split when that hand does not decide.", _BACK),
    _refused("DOUBLE_AMOUNT", "Chips for a double unlike the first stake.", _BACK),
    _refused("SPLIT_AMOUNT", "Chips for a split unlike the first stake.", _BACK),
    _refused("INS_LATE", "Insurance after the first decision.", _BACK),
    _refused("INS_NOT_NOW", "Insurance while none is offered.", _BACK),
    _refused("INS_AMOUNT", "Insurance of another amount than the rules say.", _BACK),
    VerdictCode(
        "CHIPS_NOT_RETURNED",
        (Severity.OPEN, Severity.HOLD, Severity.REFUSED),
        "Refused chips, or chips of a void round, have not gone back by the end of the round; or a stake for the next "
        "round before they have.",
        "Return them, or a supervisor says `write_off`. A refused stake goes back, too.",
    ),
)

_DECISIONS: Final = (
    _refused("DECISION_NOT_NOW", "A decision while no hand decides.", _NOTHING),
    _refused("OUT_OF_TURN", "A decision of a hand whose turn it is not.", "The hand named decides."),
    _refused("HAND_FINISHED", "A decision of a hand that has finished.", "The hand named decides."),
    _refused("WRONG_DECIDER", "A decision by another person than the box's decider.", "The decider decides."),
    _refused("CARD_DUE", "A decision before the card the hand is owed.", "Give the card."),
    _hold("NO_DECISION", "The hand whose turn it is gives no decision.", "A supervisor says `stand`."),
    _refused("ROUND_OVER", "A decision after the dealer's blackjack ended the round.", _NOTHING),
    _refused("EVEN_MONEY_NOT_NOW", "Even money for a hand that cannot take it, or beside an insurance.", _NOTHING),
    _refused("DOUBLE_BJ", "A double on a blackjack.", _NOTHING),
    _refused("NOT_OFFERED", "A decision the rule set does not have.", _NOTHING),
    _refused("HIT_ON_21", "A card asked for on 21.", _NOTHING),
    _refused("SPLIT_ACE_ONE_CARD", "A further card for a split ace.", _NOTHING),
    _refused("DOUBLE_LATE", "A double after the first two cards.", _NOTHING),
    _refused("DOUBLE_AFTER_SPLIT", "A double after a split where there is none.", _NOTHING),
    _refused("DOUBLE_TOTAL", "A double on a total that may not double.", _NOTHING),
    _refused("SPLIT_PAIR", "A split of two cards that are no pair.", _NOTHING),
    _refused("SPLIT_LIMIT", "A split beyond the most hands.", _NOTHING),
    _refused("SURRENDER_LATE", "A surrender after another decision.", _NOTHING),
    _refused("SURRENDER_ACE", "A surrender against an ace where there is none.", _NOTHING),
    _refused("MUST_DRAW", "The dealer stands on a total that must draw.", "The dealer draws."),
    _refused("WRONG_PHASE", "A dealer's step at a time when it is not due.", "Do what is expected."),
    _refused("SIGNAL_UNKNOWN", "A dealer's step that the game does not have.", _NOTHING),
)

_PAYMENTS: Final = (
    _open("PAY_AMOUNT", "A winner paid another amount than owed.", _MOVE_OR_ACCEPT),
    _open("TAKE_AMOUNT", "A loser's stake taken in another amount than lost.", _MOVE_OR_ACCEPT),
    _open("PAY_EARLY", "A bet paid while it is still open.", "Take it back; after the dealer's hand it is judged."),
    _open("TAKE_EARLY", "A stake taken while it is still open.", "Put it back; after the dealer's hand it is judged."),
    _open("PUSH_PAID", "A push paid.", _MOVE_OR_ACCEPT),
    _open("PUSH_TAKEN", "The stake of a push taken.", _MOVE_OR_ACCEPT),
    _open("BUST_PAID", "A busted hand paid.", _MOVE_OR_ACCEPT),
    _open("LOSER_PAID", "A losing bet paid.", _MOVE_OR_ACCEPT),
    _open("WINNER_TAKEN", "The stake of a winner taken.", _MOVE_OR_ACCEPT),
    _open("PAY_NO_BET", "Chips paid where no bet is.", _MOVE_OR_ACCEPT),
    _open("TAKE_NO_BET", "Chips taken where no bet is.", _MOVE_OR_ACCEPT),
    _refused("BAD_AMOUNT", "Chips of no amount, or of more than the table can follow.", _NOTHING),
    _refused("NO_SUCH_BET", "Chips moved at a box or seat the table does not have.", _NOTHING),
    VerdictCode(
        "SETTLEMENT_OPEN",
        (Severity.OPEN, Severity.NOTE),
        "The next round, or collecting the cards, before every bet is paid and taken.",
        "Pay and take what is owed, or a supervisor accepts the differences. Only noted with `settlement_gate = warn`.",
    ),
)

_CORRECTIONS: Final = (
    _refused(
        "FACE_IMPOSSIBLE",
        "A card on the table is given a face with which the round could not have come to where it is.",
        "Give it the face that it has, or void the round.",
    ),
)

CODES: Final = (*_SHOE, *_CARDS, *_BETS, *_DECISIONS, *_PAYMENTS, *_CORRECTIONS)
"""Every code the game raises, beside those of the core."""
