"""Corrections a supervisor may choose."""

from __future__ import annotations

from typing import Final, Literal, assert_never, cast

from controller.core.cards import Card
from controller.core.records import replace
from controller.core.verdicts import NEW_SHOE, Correction, OpenVerdict
from controller.games.blackjack import (
    clearing,
    dealer,
    dealing,
    decisions,
    facts,
    flow,
    laying,
    misdeals,
    procedure,
    returns,
    settlement,
    voiding,
)
from controller.games.blackjack.hand import Status, total_text
from controller.games.blackjack.lookup import hand_of, put_hand
from controller.games.blackjack.state import Aside, Phase, Spot, Work

SHUFFLE_DISCARDS: Final = Correction(
    "shuffle_discards", "shuffle and cut the discards, not the cards in play, load them and finish the round"
)
Nothing = Literal[
    "respread",
    "recount",
    "lies_right",
    "to_the_rack",
    "aligned",
    "dealer_later",
    "rebuilt",
    "put_back",
]
"""Corrections after which the table simply goes on."""
OfACard = Literal["burn", "next_card", "exposed", "stays", "name_card", "set_aside", "no_card", "move"]
OfTheDeal = Literal["dead_box", "void_hand", "may_withdraw", "stand"]
OfTheShoe = Literal["quarantine", "shuffle_discards", "shuffle_again", "new_shoe"]
OfChips = Literal["accept", "write_off"]
Kind = Nothing | OfACard | OfTheDeal | OfTheShoe | OfChips


def correct(w: Work, verdict: OpenVerdict, kind: str, card: Card | None) -> None:
    """Carry out the correction chosen for a verdict that offered it."""
    chosen = cast(Kind, kind)
    match chosen:
        case (
            "respread" | "recount" | "lies_right" | "to_the_rack" | "aligned" | "dealer_later" | "rebuilt" | "put_back"
        ):
            pass
        case "burn" | "next_card" | "exposed" | "stays" | "name_card" | "set_aside" | "no_card" | "move":
            _of_a_card(w, verdict, chosen, card)
        case "dead_box":
            misdeals.dead_box(w, int(verdict.key.partition(":")[2]))
        case "void_hand":
            misdeals.void_hand(w, int(verdict.key.partition(":")[2]))
        case "may_withdraw":
            w.state = replace(w.state, withdrawable=True)
        case "stand":
            decisions.stand_for(w)
        case "quarantine":
            clearing.quarantine(w)
        case "shuffle_discards":
            voiding.shuffle_discards(w)
        case "shuffle_again" | "new_shoe":
            voiding.new_shoe(w, chosen)
        case "accept":
            settlement.accept(w, verdict.key)
        case "write_off":
            returns.write_off(w)
        case _:
            assert_never(chosen)


def _of_a_card(w: Work, verdict: OpenVerdict, kind: OfACard, card: Card | None) -> None:
    match kind:
        case "burn":
            _burn(w, verdict)
        case "next_card":
            _keep(w, verdict, exposed=False)
        case "exposed":
            _keep(w, verdict, exposed=True)
        case "stays":
            _stays(w, verdict)
        case "name_card":
            assert card is not None
            _name(w, verdict, card)
        case "set_aside":
            _set_aside(w, verdict)
        case "no_card":
            _next_early(w)
        case "move":
            _, box, hand, found_at = verdict.key.split(":")
            w.facts.append(facts.CardCorrected(int(box), int(hand), int(found_at)))
        case _:
            assert_never(kind)


def finish(w: Work) -> None:
    """What follows by itself once nothing holds the table: kept cards are dealt, a shoe that is over is taken out, and
    an empty one stops the round."""
    if w.state.kept:
        flow.deal_kept(w)
    state = w.state
    if state.shoe is None or w.stopped:
        return
    idle = state.phase is Phase.BETTING and not state.boxes and not state.on_table
    if (idle and state.shoe.over) or (state.phase is Phase.BURN and state.shoe.doubtful):
        clearing.end_shoe(w, "doubtful" if state.shoe.doubtful else "")
    elif not state.shoe.left and flow.next_spot(state) is not None:
        way = SHUFFLE_DISCARDS if voiding.discards(state) else NEW_SHOE
        w.hold("SHOE_EMPTY", "a card for the hand that is due one", "the shoe is empty", way, key="empty")


def _taken(asides: tuple[Aside, ...], key: str) -> tuple[Aside, tuple[Aside, ...]]:
    """The card that a verdict of this key is about, and the others."""
    found = next(a for a in asides if a.key == key)
    return found, tuple(a for a in asides if a is not found)


def _burn(w: Work, verdict: OpenVerdict) -> None:
    aside, rest = _taken(w.state.loose, verdict.key)
    w.state = replace(w.state, loose=rest)
    procedure.burn_one(w, aside, "correction")


def _keep(w: Work, verdict: OpenVerdict, *, exposed: bool) -> None:
    """The card is dealt next. An exposed one is offered: a hand that stands has refused it and gets no more cards."""
    aside, rest = _taken(w.state.loose, verdict.key)
    if exposed and aside.hidden:
        dealer.reveal(w, aside, Spot(0, 0))
    aside = replace(aside, exposed=exposed, hidden=aside.hidden and not exposed)
    kept = sorted((*w.state.kept, aside), key=lambda a: a.number)
    w.state = replace(w.state, loose=rest, kept=tuple(kept))


def _stays(w: Work, verdict: OpenVerdict) -> None:
    """A card laid at the second hand of a split before its turn is that hand's second card."""
    aside, rest = _taken(w.state.loose, verdict.key)
    assert aside.at is not None
    assert aside.card is not None
    spot, hand = aside.at, hand_of(w.state, aside.at.box, aside.at.hand)
    assert hand is not None
    cards = (*hand.cards, aside.card)
    if aside.hidden:
        dealer.reveal(w, aside, spot)
    w.facts.append(facts.CardDealt(spot.box, spot.hand, aside.card, total_text(cards)))
    status = flow.status_with(w, spot, replace(hand, cards=cards))
    waits = Status.WAITING if status is Status.PLAYING else status
    w.state = put_hand(replace(w.state, loose=rest), spot.box, replace(hand, cards=cards, status=waits))


def _name(w: Work, verdict: OpenVerdict, card: Card) -> None:
    """A person names a card: one that came out unread, or one that lies at a spot and was never announced."""
    if verdict.code == "CARD_UNSEEN":
        early = w.state.early
        dealing.named_unseen(w, card)
        if w.state.early == early:
            return _next_early(w)
        return laying.unseen(w, "another card lies there") if w.state.early else None
    shoe = w.state.shoe
    assert shoe is not None
    aside, rest = _taken(w.state.unnamed, verdict.key)
    if shoe.cannot_be(card):
        actual = f"{card} was named, and {shoe.held_each} of it are out already"
        ways = (dealing.NAME_CARD, dealing.SET_ASIDE)
        return w.hold(verdict.code, "a card the shoe can hold", actual, *ways, key=verdict.key)
    w.facts.append(facts.CardConfirmed(card))
    w.state = replace(w.state, shoe=shoe.with_named(card), unnamed=rest)
    named = replace(aside, card=card)
    if aside.due:
        return dealing.judge(w, named)
    return dealing.extra(w, named, "no card while the table is held")


def _set_aside(w: Work, verdict: OpenVerdict) -> None:
    shoe = w.state.shoe
    assert shoe is not None
    aside, rest = _taken(w.state.unnamed, verdict.key)
    w.facts.append(facts.CardSetAside(shoe.number, aside.number))
    w.state = replace(w.state, unnamed=rest, burned=w.state.burned + 1, shoe=replace(shoe, doubtful=True))


def _next_early(w: Work) -> None:
    """The first unannounced card is dealt with; another one that was noticed meanwhile is next."""
    w.state = replace(w.state, early=w.state.early[1:])
    if w.state.early:
        laying.unseen(w, "another card lies there")
