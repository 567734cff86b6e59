"""Corrections a supervisor may choose, and voiding a round."""

from __future__ import annotations

from typing import Literal, assert_never, cast

from controller.core.cards import Card
from controller.core.records import replace
from controller.core.verdicts import NEW_SHOE, OpenVerdict
from controller.games.blackjack import dealing, facts, flow, laying, procedure, returns, settlement
from controller.games.blackjack.state import Aside, Phase, Work

Kind = Literal[
    "respread",
    "recount",
    "lies_right",
    "to_the_rack",
    "aligned",
    "burn",
    "next_card",
    "name_card",
    "set_aside",
    "no_card",
    "move",
    "shuffle_again",
    "new_shoe",
    "accept",
    "write_off",
]


def correct(w: Work, verdict: OpenVerdict, kind: str, card: Card | None) -> None:
    """Carry out the correction chosen for a verdict that offered it."""
    chosen = cast(Kind, kind)
    match chosen:
        case "respread" | "recount" | "lies_right" | "to_the_rack" | "aligned":
            pass
        case "burn":
            _burn(w, verdict)
        case "next_card":
            _keep(w, verdict)
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
        case "shuffle_again" | "new_shoe":
            _start_anew(w, chosen)
        case "accept":
            settlement.accept(w, verdict.key)
        case "write_off":
            returns.write_off(w)
        case _:
            assert_never(chosen)


def finish(w: Work) -> None:
    """What follows by itself once nothing holds the table: kept cards are dealt, a shoe that is over is taken out, and
    an empty one stops the round."""
    flow.deal_kept(w)
    state = w.state
    if state.shoe is None or w.stopped:
        return
    idle = state.phase is Phase.BETTING and not state.boxes and not state.on_table
    if (idle and state.shoe.over) or (state.phase is Phase.BURN and state.shoe.doubtful):
        procedure.end_shoe(w, "doubtful" if state.shoe.doubtful else "")
    elif not state.shoe.left and flow.next_spot(state) is not None:
        w.hold("SHOE_EMPTY", "a card for the hand that is due one", "the shoe is empty", NEW_SHOE, key="empty")


def _taken(asides: tuple[Aside, ...], key: str) -> tuple[Aside, tuple[Aside, ...]]:
    """The card that a verdict of this key is about, and the others."""
    found = next(a for a in asides if a.key == key)
    return found, tuple(a for a in asides if a is not found)


def _burn(w: Work, verdict: OpenVerdict) -> None:
    """The card goes to the rack; where it had been laid at a spot, that spot is free again."""
    aside, rest = _taken(w.state.loose, verdict.key)
    assert aside.card is not None
    w.state = replace(w.state, loose=rest, early=w.state.early[1:])
    procedure.burn_one(w, aside.card, "correction")


def _keep(w: Work, verdict: OpenVerdict) -> None:
    aside, rest = _taken(w.state.loose, verdict.key)
    kept = sorted((*w.state.kept, aside), key=lambda a: a.number)
    w.state = replace(w.state, loose=rest, kept=tuple(kept))


def _name(w: Work, verdict: OpenVerdict, card: Card) -> None:
    """A person names a card: one that came out unread, or one that lies at a spot and was never announced."""
    if verdict.code == "CARD_UNSEEN":
        early = w.state.early
        dealing.named_unseen(w, card)
        if w.state.early == early:
            _next_early(w)
        return None
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


def _start_anew(w: Work, kind: str) -> None:
    if w.state.voidable:
        void(w, kind, doubtful=True)
    procedure.end_shoe(w, kind)


def void(w: Work, reason: str, *, doubtful: bool) -> None:
    """Every stake goes back, what was paid or taken is undone, the cards are collected."""
    state = w.state
    staked = sum(s.amount_minor for b in state.boxes for s in (*b.insurance, *b.splitting))
    staked += sum(s.amount_minor for b in state.boxes for h in b.hands for s in (*h.stakes, *h.raises))
    staked += sum(b.staked_minor for b in state.boxes if not b.hands)
    w.facts.append(facts.RoundVoided(state.round_id, reason, staked))
    shoe = state.shoe
    if shoe is not None and (doubtful or state.unnamed):
        shoe = replace(shoe, doubtful=True)
    w.state = replace(
        procedure.fresh(state),
        phase=Phase.COLLECTION,
        round_open=True,
        shoe=shoe,
        burned=state.burned,
        discarded=state.discarded,
        pile=state.on_table + len(state.kept),
        to_return=state.to_return,
    )
    for chips in state.moved:
        returns.remember(w, chips.box, chips.person, chips.bet, -chips.net_minor, undone=True)
    if not w.state.pile:
        procedure.end_round(w)
