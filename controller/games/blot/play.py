"""The nine tricks: every card that is laid down, the duties it must keep, giving up."""

from __future__ import annotations

from typing import Final

from controller.core.cards import DECK, Card
from controller.core.inputs import CardShown
from controller.core.records import replace
from controller.games.blot import announce, flow, scoring, unread
from controller.games.blot.cards import HAND, LAST_TRICK, POINTS, beats, bits, points_of
from controller.games.blot.facts import GivenUp, TrickWon
from controller.games.blot.legal import denied, legal
from controller.games.blot.state import (
    MOST_WAITING,
    SEATS,
    BlotState,
    Deal,
    Denial,
    Phase,
    Play,
    Waiting,
    Work,
    with_seat,
)

PLAYED: Final = 1
"""Number of the hand in CardShown for a card laid to the trick; any higher one is a card laid open beside it."""

_SUIT_NAMES: Final = ("a spade", "a heart", "a diamond", "a club")


def seen(w: Work, event: CardShown) -> None:
    """A card was seen at a seat; while the table is held it waits."""
    waiting = w.state.waiting
    if not w.held:
        card_shown(w, event.box, event.card, event.hand)
    elif event.box in SEATS and len(waiting) < MOST_WAITING:
        item = Waiting(0, event.card.index, event.box, event.hand)
        w.state = replace(w.state, waiting=(*waiting, item))


def card_shown(w: Work, seat: int, card: Card, hand: int) -> None:
    """A card was seen at a seat: laid to the trick, or laid open."""
    state = w.state
    play, deal = state.play, state.deal
    if play is None or deal is None or state.phase is not Phase.PLAY:
        return _not_now(w, f"{card} at seat {seat}")
    if seat not in SEATS:
        return w.refuse("WRONG_DESTINATION", "a card at seat 1 or 2", f"{card} at place {seat}")
    index = card.index
    if play.played >> index & 1:
        if index == play.led:
            return w.note("CARD_SEEN_AGAIN", "each card seen once", f"{card} seen again")
        return w.refuse("DUPLICATE_CARD", "a card that was not played before", f"{card} again by seat {seat}")
    if hand > PLAYED:
        return announce.laid_open(w, deal, play, seat, card)
    if seat != play.turn:
        return w.refuse("OUT_OF_TURN", f"seat {play.turn} plays", f"{card} by seat {seat}")
    known = play.hands[seat - 1]
    if not known >> index & 1 and not unread.owned(w, deal, play, seat, card):
        return None
    beat_plain = w.rules.must_beat_plain
    if not play.unknown[seat - 1]:
        if not legal(known, play.led, deal.contract, beat_plain=beat_plain) >> index & 1:
            return _illegal(w, deal, play, card, known)
        return _lay(w, deal, play, card)
    return _lay_unchecked(w, deal, play, card)


def _not_now(w: Work, actual: str) -> None:
    deal = w.state.deal
    if deal is not None and w.state.phase in {Phase.DEALING, Phase.SECOND_DEAL} and deal.drawn:
        missing = len(deal.plan) - deal.dealt
        return w.refuse("INCOMPLETE_DEAL", f"{missing} more cards are dealt first", actual)
    return w.refuse("WRONG_PHASE", f"no card is played in {w.state.phase}", actual)


def _illegal(w: Work, deal: Deal, play: Play, card: Card, known: int) -> None:
    for code, cards in denied(card.index, play.led, deal.contract, beat_plain=w.rules.must_beat_plain):
        if cards & known:
            return w.refuse(code, _wanted(code, cards, play), f"{card} by seat {play.turn}", unread.TAKE_BACK)
    raise AssertionError("a card that breaks no duty is legal")


def _wanted(code: str, cards: int, play: Play) -> str:
    """The duty, without a word about which cards the hand holds."""
    led = DECK[play.led]
    suit = _SUIT_NAMES[next(bits(cards)) // 13]
    match code:
        case "REVOKE":
            return f"{suit}, the suit of {led}, which the hand holds"
        case "MUST_TRUMP":
            return f"{suit}, as trump on {led}, which the hand holds"
        case _:
            return f"{suit} that beats {led}, which the hand holds"


def _lay_unchecked(w: Work, deal: Deal, play: Play, card: Card) -> None:
    """A card out of a hand with unread ones: what is known is judged now, the rest when it comes to light."""
    seat, index = play.turn, card.index
    known = play.hands[seat - 1]
    duties = denied(index, play.led, deal.contract, beat_plain=w.rules.must_beat_plain)
    if any(cards & known for _, cards in duties):
        return _illegal(w, deal, play, card, known)
    late = unread.find_denial(play, seat, card)
    if not known >> index & 1:
        play = unread.identified(play, seat, index)
    if play.unknown[seat - 1]:
        trick = sum(play.tricks) + 1
        denials = tuple(Denial(seat, trick, code, cards) for code, cards in duties)
        play = replace(play, denials=play.denials + denials)
    _lay(w, deal, play, card)
    if late is not None:
        unread.say_late(w, late, card)
    return None


def _lay(w: Work, deal: Deal, play: Play, card: Card) -> None:
    """The card is played: the first of a trick, or the second, which completes it."""
    seat, index = play.turn, card.index
    bit = 1 << index
    if not play.public & bit:
        flow.say_revealed(w, deal, seat, card)
    if play.cards in {2, 3}:
        announce.close(w, deal, play, seat)
    one, two = play.hands
    hands = (one & ~bit, two) if seat == 1 else (one, two & ~bit)
    points, tricks, turn, led = play.points, play.tricks, 3 - seat, index
    number = play.cards + 1
    if play.led >= 0:
        led = -1
        turn = seat if beats(deal.contract, play.led, index) else 3 - seat
        table = POINTS[deal.contract]
        worth = table[play.led] + table[index] + (LAST_TRICK if number == 2 * HAND else 0)
        if turn == 1:
            points, tricks = (points[0] + worth, points[1]), (tricks[0] + 1, tricks[1])
        else:
            points, tricks = (points[0], points[1] + worth), (tricks[0], tricks[1] + 1)
        w.facts.append(TrickWon(number // 2, 3 - seat, DECK[play.led], card, turn, worth))
    after = Play(
        hands,
        play.unknown,
        play.start,
        turn,
        play.public | bit,
        led,
        play.played | bit,
        number,
        tricks,
        points,
        play.claims,
        play.shown,
        play.denials,
    )
    state = w.state
    w.state = BlotState(state.phase, state.match, deal, after, None, state.recorded, state.waiting, state.early)
    if number == 2 * HAND:
        scoring.score(w, deal, after)


def give_up(w: Work, seat: int) -> None:
    """A player gives up on the own turn: all cards left, both hands, and the last trick's 10 go to the other."""
    play, deal = w.state.play, w.state.deal
    actual = f"seat {seat} gives up"
    if w.state.phase is not Phase.PLAY or play is None or deal is None:
        return _not_now(w, actual)
    if seat != play.turn:
        return w.refuse("OUT_OF_TURN", f"seat {play.turn} plays or gives up", actual)
    if any(play.unknown):
        wanted = "the unread cards of both hands are laid open first, so that they can be counted"
        return w.refuse("HAND_UNREAD", wanted, actual)
    rest = play.hands[0] | play.hands[1] | (1 << play.led if play.led >= 0 else 0)
    worth = points_of(deal.contract, rest) + LAST_TRICK
    other = 3 - seat
    won = play.tricks[seat - 1]
    after = replace(
        play,
        points=with_seat(play.points, other, play.points[other - 1] + worth),
        tricks=with_seat(play.tricks, other, HAND - won),
        gave_up=seat,
    )
    w.facts.append(GivenUp(seat, sum(play.tricks), worth))
    w.state = replace(w.state, play=after)
    return scoring.score(w, deal, after)
