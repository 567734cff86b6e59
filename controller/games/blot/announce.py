"""Combinations at the table: announced before one's own first card, shown in trick 2 before one's own card.

``announce_run`` with the length 3, 4 or 5; ``announce_four`` with the rank (1 ace, 9 to 13); ``show`` with the number
of the announced combination, 0 for all: the croupier has seen its cards. Cards laid open one by one show it, too.
"""

from __future__ import annotations

from typing import Final

from controller.core.cards import Card
from controller.core.inputs import DecisionSignalled
from controller.core.records import replace
from controller.games.blot import flow, unread
from controller.games.blot.cards import HAND, cards_of
from controller.games.blot.declarations import Claim, Combination, Kind, four_points, possible, resolve
from controller.games.blot.facts import Declaration
from controller.games.blot.rules import Rules
from controller.games.blot.state import Deal, Phase, Play, Work, with_seat

MOST_CLAIMS: Final = 3
"""Nine cards hold at most three combinations (three runs of three)."""
RANK_NAMES: Final = {1: "aces", 9: "nines", 10: "tens", 11: "jacks", 12: "queens", 13: "kings"}


def _in_play(w: Work, event: DecisionSignalled) -> tuple[Deal, Play] | None:
    deal, state = w.state.deal, w.state.play
    if w.state.phase is Phase.PLAY and deal is not None and state is not None:
        return deal, state
    w.refuse("WRONG_PHASE", f"combinations belong to the first tricks, not {w.state.phase}", _text(event))
    return None


def _text(event: DecisionSignalled) -> str:
    return f"{event.action} {event.amount_minor} by seat {event.box}"


def describe(claim: Claim) -> str:
    """A combination for people."""
    return f"a run of {claim.size}" if claim.kind == "run" else f"four {RANK_NAMES.get(claim.size, str(claim.size))}"


def points(contract: int, claim: Claim) -> int:
    """What a possible combination is worth."""
    return {3: 20, 4: 50, 5: 100}[claim.size] if claim.kind == "run" else four_points(contract, claim.size)


def announced(w: Work, event: DecisionSignalled) -> None:
    """A combination is announced; it must lie in the nine cards the seat began with."""
    found = _in_play(w, event)
    if found is None:
        return None
    deal, now = found
    seat = event.box
    if not may_announce(w.rules, now, seat):
        wanted = "before the own first card" if w.rules.announce_by == "own_first_card" else "before the end of trick 1"
        return w.refuse("LATE_COMBINATION", f"combinations are announced {wanted}", _text(event))
    kind: Kind = "run" if event.action == "announce_run" else "four"
    claim = Claim(kind, event.amount_minor)
    claims = (*now.claims[seat - 1], claim)
    fits = possible(w.rules, deal.contract, claim) and len(claims) <= MOST_CLAIMS
    read = not now.unknown[seat - 1]
    if not fits or (read and None in resolve(w.rules, deal.contract, now.start[seat - 1], claims)):
        wanted = "a combination of the nine cards in the hand"
        return w.refuse("FALSE_COMBINATION", wanted, f"{describe(claim)} by seat {seat}")
    both = (claims, now.claims[1]) if seat == 1 else (now.claims[0], claims)
    w.facts.append(Declaration(seat, "announced", kind, claim.size, points(deal.contract, claim)))
    w.state = replace(w.state, play=replace(now, claims=both))
    return None


def may_announce(rules: Rules, now: Play, seat: int) -> bool:
    """True while the seat may still announce."""
    return now.left(seat) == HAND or (rules.announce_by == "first_trick" and now.cards < 2)


def may_show(now: Play, seat: int) -> bool:
    """True in trick 2 while the seat has not played to it."""
    return now.cards in {2, 3} and now.left(seat) == HAND - 1


def shown(w: Work, event: DecisionSignalled) -> None:
    """The croupier has seen announced combinations: number ``amount_minor``, or all."""
    found = _in_play(w, event)
    if found is None:
        return None
    deal, now = found
    seat, number = event.box, event.amount_minor
    claims = now.claims[seat - 1]
    if now.cards < 2:
        return w.refuse("WRONG_PHASE", "combinations are shown in trick 2", _text(event))
    if not may_show(now, seat):
        wanted = "combinations are shown in trick 2, before the own card"
        return w.refuse("LATE_COMBINATION", wanted, _text(event))
    if not claims or not 0 <= number <= len(claims):
        wanted = f"one of the {len(claims)} combinations announced by seat {seat}"
        return w.refuse("FALSE_COMBINATION", wanted, _text(event))
    combinations = resolve(w.rules, deal.contract, now.start[seat - 1], claims)
    wanted_ones = combinations if not number else combinations[number - 1 : number]
    cards = 0
    for combination in wanted_ones:
        if combination is None:
            return w.refuse("HAND_UNREAD", "cards that were not read are laid open one by one", _text(event))
        cards |= combination.cards
    return _show(w, deal, now, seat, cards)


def laid_open(w: Work, deal: Deal, now: Play, seat: int, card: Card) -> None:
    """A card was laid open at a seat: part of a combination, or an unread card that becomes known."""
    bit = 1 << card.index
    held = now.start[seat - 1] & bit
    if not held:
        if not now.unknown[seat - 1]:
            actual = f"{card} by seat {seat}"
            return w.refuse("FALSE_COMBINATION", "a card of the nine the hand began with", actual, unread.TAKE_BACK)
        if not unread.owned(w, deal, now, seat, card):
            return None
        late = unread.find_denial(now, seat, card)
        now = unread.identified(now, seat, card.index)
        if late is not None:
            unread.say_late(w, late, card)
    elif not may_show(now, seat):
        early = now.cards < 2
        code = "WRONG_PHASE" if early else "LATE_COMBINATION"
        return w.refuse(code, "combinations are shown in trick 2, before the own card", f"{card} by seat {seat}")
    if may_show(now, seat):
        return _show(w, deal, now, seat, bit)
    w.state = replace(w.state, play=flow.reveal(w, deal, now, seat, card))
    return None


def _show(w: Work, deal: Deal, now: Play, seat: int, cards: int) -> None:
    """These cards of a seat are shown: say which announced combinations that completes."""
    before = now.shown[seat - 1]
    claims = now.claims[seat - 1]
    had = resolve(w.rules, deal.contract, before, claims) if before else (None,) * len(claims)
    for card in cards_of(cards & ~now.public):
        flow.say_revealed(w, deal, seat, card)
    has = resolve(w.rules, deal.contract, before | cards, claims)
    for old, new in zip(had, has, strict=True):
        if new is not None and old is None:
            w.facts.append(_shown_fact(seat, new))
    shown_now = with_seat(now.shown, seat, before | cards)
    w.state = replace(w.state, play=replace(now, shown=shown_now, public=now.public | cards))


def _shown_fact(seat: int, combination: Combination) -> Declaration:
    c = combination
    return Declaration(seat, "shown", c.kind, c.size, c.points, cards_of(c.cards))


def close(w: Work, deal: Deal, now: Play, seat: int) -> None:
    """A seat plays its card of trick 2: what it announced and has not shown does not count."""
    claims = now.claims[seat - 1]
    if not claims:
        return
    for claim, found in zip(claims, resolve(w.rules, deal.contract, now.shown[seat - 1], claims), strict=True):
        if found is None:
            w.note("UNSHOWN_COMBINATION", f"{describe(claim)} is shown before the own card of trick 2", "it was not")


def counted(rules: Rules, deal: Deal, now: Play, seat: int) -> list[Combination]:
    """The combinations of a seat that take part in the contest."""
    cards = now.shown[seat - 1]
    if now.gave_up and rules.give_up_counts == "announced" and now.left(seat) >= HAND - 1:
        cards = now.start[seat - 1]
    claims = now.claims[seat - 1]
    return [c for c in resolve(rules, deal.contract, cards, claims) if c is not None] if claims and cards else []
