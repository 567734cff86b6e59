"""Corrections a supervisor may choose, and voiding."""

from __future__ import annotations

from typing import Literal, assert_never, cast

from controller.core.cards import DECK, Card
from controller.core.records import replace
from controller.core.verdicts import OpenVerdict
from controller.games.blot import chips, dealing, facts, flow, laying, play, unread
from controller.games.blot.state import Phase, Waiting, Work

Kind = Literal[
    "respread",
    "recount",
    "aligned",
    "lies_right",
    "move",
    "take_back",
    "accept",
    "name_card",
    "deal_unknown",
    "take_out",
    "put_back",
    "next_card",
    "no_card",
    "hand_unknown",
    "accept_fee",
    "shuffle_again",
    "new_shoe",
]


def correct(w: Work, verdict: OpenVerdict, kind: str, card: Card | None) -> None:
    """Carry out the correction chosen for a verdict that offered it."""
    chosen = cast(Kind, kind)
    match chosen:
        case "respread" | "recount" | "aligned" | "lies_right" | "move" | "take_back" | "accept":
            pass
        case "name_card":
            assert card is not None
            _name(w, verdict, card)
        case "deal_unknown":
            _take(w, verdict.key)
            dealing.deal_unknown(w)
        case "take_out" | "put_back":
            _take(w, verdict.key)
        case "next_card":
            _change(w, verdict.key, kept=True)
        case "no_card":
            laying.next_early(w)
        case "hand_unknown":
            _, seat, index = verdict.key.split(":")
            unread.unread_hand(w, int(seat), int(index))
            play.card_shown(w, int(seat), DECK[int(index)], play.PLAYED)
        case "accept_fee":
            chips.accept(w, int(verdict.key.partition(":")[2]))
        case "shuffle_again" | "new_shoe":
            start_anew(w, chosen)
        case _:
            assert_never(chosen)


def _take(w: Work, key: str) -> None:
    """The card of this verdict waits no more."""
    w.state = replace(w.state, waiting=tuple(item for item in w.state.waiting if item.key != key))


def _change(w: Work, key: str, *, kept: bool = False, card: int = -1) -> None:
    """The card of this verdict is the next one dealt, or has been named."""

    def changed(item: Waiting) -> Waiting:
        if item.key != key:
            return item
        return replace(item, kept=True) if kept else replace(item, card=card, sealed=False)

    w.state = replace(w.state, waiting=tuple(changed(item) for item in w.state.waiting))


def _name(w: Work, verdict: OpenVerdict, card: Card) -> None:
    """A person names a card: one that came out unread or misread, or one that lies at a place unannounced."""
    if verdict.code == "CARD_UNSEEN":
        dealing.named(w, card)
    else:
        _change(w, verdict.key, card=card.index)


def start_anew(w: Work, kind: str) -> None:
    """All cards are taken together: an open round does not count, the 24 are counted again."""
    if w.state.voidable:
        void(w, kind)
    else:
        w.state = flow.recount(w.state)


def void(w: Work, reason: str) -> None:
    """The open round does not count, the same player deals again; between two rounds, the match does not count."""
    state = w.state
    if state.open and state.deal is not None:
        w.facts.append(facts.RoundVoided(state.deal.round, reason))
        w.state = flow.recount(state)
        return
    w.facts.append(facts.MatchVoided(state.match.number, reason))
    match = replace(flow.next_match(state.match), fees=state.match.fees)
    w.state = replace(flow.recount(state, match), phase=Phase.OPENING)
