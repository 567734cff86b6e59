"""What may be played: the duties to follow suit, to trump and to beat, on sets of cards (see `cards`)."""

from __future__ import annotations

from typing import Final

from controller.games.blot.cards import HIGHER, SUIT_MASKS, is_trump

REVOKE: Final = "REVOKE"
MUST_TRUMP: Final = "MUST_TRUMP"
MUST_OVERTRUMP: Final = "MUST_OVERTRUMP"
MUST_BEAT: Final = "MUST_BEAT"


def legal(hand: int, led: int, contract: int, *, beat_plain: bool = False) -> int:
    """The cards of ``hand`` that may answer the card of index ``led``; -1 is the lead, to which any card may be laid.

    ``beat_plain``: a led card of a plain suit of a trump game must be beaten as well, if it can be.
    """
    if led < 0:
        return hand
    suit = led // 13
    same = hand & SUIT_MASKS[suit]
    if same:
        return same & HIGHER[contract][led] or same if _must_beat(contract, suit, beat_plain) else same
    if contract < 4:
        return hand & SUIT_MASKS[contract] or hand
    return hand


def denied(card: int, led: int, contract: int, *, beat_plain: bool = False) -> tuple[tuple[str, int], ...]:
    """What a player who answers ``led`` with ``card`` says not to hold: pairs of the duty's code and the cards.

    The answer is legal when none of these cards is in the hand; the first pair that is names the duty broken.
    """
    if led < 0:
        return ()
    suit = led // 13
    if card // 13 == suit:
        if not _must_beat(contract, suit, beat_plain) or HIGHER[contract][led] >> card & 1:
            return ()
        code = MUST_OVERTRUMP if is_trump(contract, suit) else MUST_BEAT
        return ((code, HIGHER[contract][led]),)
    if contract >= 4 or contract in {suit, card // 13}:
        return ((REVOKE, SUIT_MASKS[suit]),)
    return (REVOKE, SUIT_MASKS[suit]), (MUST_TRUMP, SUIT_MASKS[contract])


def _must_beat(contract: int, suit: int, beat_plain: bool) -> bool:
    return is_trump(contract, suit) or (beat_plain and contract < 4)
