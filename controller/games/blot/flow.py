"""From one stage of a match to the next: what follows by itself."""

from __future__ import annotations

from functools import lru_cache

from controller.core.cards import Card
from controller.core.facts import CardRevealed
from controller.core.records import replace
from controller.games.blot.rules import Rules
from controller.games.blot.state import SEATS, TABLE, BlotState, Deal, Match, Phase, Play, Work


@lru_cache(maxsize=64)
def first_plan(pattern: tuple[int, ...], dealer: int) -> tuple[int, ...]:
    """Where the first thirteen cards go: packets in turn, N's first, then the card face up."""
    opponent = 3 - dealer
    plan: list[int] = []
    for size in pattern:
        plan += [opponent] * size + [dealer] * size
    return (*plan, TABLE)


@lru_cache(maxsize=64)
def second_plan(dealer: int, taker: int, *, kept: bool, taker_first: bool) -> tuple[int, ...]:
    """Where the cards of the second deal go; the turned-up one comes first when the taker keeps it."""
    first = taker if taker_first else 3 - dealer
    size = {seat: 2 if kept and seat == taker else 3 for seat in SEATS}
    packets = (first,) * size[first] + (3 - first,) * size[3 - first]
    return ((taker,) if kept else ()) + packets


def advance(w: Work) -> None:
    """Go to what comes between two rounds: payments, a new match, its dealer and fees, or the next deal. The cards are
    together and complete."""
    match = w.state.match
    if match.winner and any(owed_minor(w.rules, match, seat) != settled_minor(match, seat) for seat in SEATS):
        w.state = replace(_cleared(w.state), phase=Phase.SETTLEMENT)
        return
    if match.winner:
        match = next_match(match)
    ready = match.dealer and all(fee == w.rules.fee_minor for fee in match.fees)
    phase = Phase.DEALING if ready else Phase.OPENING
    deal = new_deal(w.rules, match) if ready else None
    w.state = replace(_cleared(w.state), phase=phase, match=match, deal=deal)


def next_match(match: Match) -> Match:
    """A match after this one; one of which no card was dealt keeps its number."""
    return Match(match.number + bool(match.rounds))


def new_deal(rules: Rules, match: Match) -> Deal:
    """The next round of a match, before its first card."""
    return Deal(f"{match.number}-{match.rounds + 1}", match.dealer, first_plan(rules.deal_pattern, match.dealer))


def _cleared(state: BlotState) -> BlotState:
    return BlotState(match=state.match)


def recount(state: BlotState, match: Match | None = None) -> BlotState:
    """All cards are taken together: the 24 are checked before they are dealt again."""
    return BlotState(phase=Phase.INSPECTION, match=match or state.match)


def owed_minor(rules: Rules, match: Match, seat: int) -> int:
    """What the house owes a seat beside its own fee once the match has ended; negative: its fee (minor units)."""
    if not match.winner:
        return 0
    return rules.fee_minor - rules.rake_minor if seat == match.winner else -rules.fee_minor


def settled_minor(match: Match, seat: int) -> int:
    """What has moved on a seat's fee or was let stand (minor units)."""
    return match.moved[seat - 1] + match.waived[seat - 1]


def open_play(w: Work, deal: Deal) -> None:
    """Both have nine cards: N leads."""
    public = deal.named | (1 << deal.up if deal.kept else 0)
    play = Play(deal.hands, deal.unknown, deal.hands, deal.opponent, public)
    w.state = replace(w.state, phase=Phase.PLAY, deal=deal, play=play)


def reveal(w: Work, deal: Deal, play: Play, seat: int, card: Card) -> Play:
    """A card is seen by everybody: say so when it was hidden."""
    index = card.index
    if play.public >> index & 1:
        return play
    say_revealed(w, deal, seat, card)
    return replace(play, public=play.public | 1 << index)


def say_revealed(w: Work, deal: Deal, seat: int, card: Card) -> None:
    """The fact that opens a card's seal; none for a card that was never sealed."""
    index = card.index
    for number, sealed in deal.sealed:
        if sealed == index:
            w.facts.append(CardRevealed(f"{deal.round}:{number}", card, seat))
            return


def step_dealer(rules: Rules, dealer: int, winner: int) -> int:
    """The seat that deals the round after one that ``winner`` won."""
    match rules.next_dealer:
        case "alternate":
            return 3 - dealer
        case "winner":
            return winner
        case "loser":
            return 3 - winner
