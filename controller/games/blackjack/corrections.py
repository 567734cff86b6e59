"""Corrections a supervisor may choose, and voiding a round."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, assert_never, cast

from controller.core.cards import Card
from controller.core.verdicts import OpenVerdict
from controller.games.blackjack import dealing, facts, procedure
from controller.games.blackjack.state import Moved, Phase, Work

Kind = Literal["respread", "burn", "next_card", "name_card", "move", "recount", "shuffle_again"]


def correct(w: Work, verdict: OpenVerdict, kind: str, card: Card | None) -> None:
    """Carry out the correction chosen for a verdict that offered it."""
    chosen = cast(Kind, kind)
    match chosen:
        case "respread" | "recount":
            pass
        case "burn":
            loose = _take_loose(w, verdict)
            procedure.burn_one(w, loose, "correction")
        case "next_card":
            kept = _take_loose(w, verdict)
            w.state = replace(w.state, kept=(*w.state.kept, kept))
        case "name_card":
            assert card is not None
            _name(w, verdict, card)
        case "move":
            _move(w, verdict)
        case "shuffle_again":
            w.state = replace(w.state, phase=Phase.SHUFFLE, shoe=None)
        case _:
            assert_never(chosen)


def _take_loose(w: Work, verdict: OpenVerdict) -> Card:
    """The loose card this verdict is about, taken off the table."""
    card = Card(verdict.key.split(":")[1])
    loose = list(w.state.loose)
    loose.remove(card)
    w.state = replace(w.state, loose=tuple(loose), on_table=w.state.on_table - 1)
    return card


def _name(w: Work, verdict: OpenVerdict, card: Card) -> None:
    shoe = w.state.shoe
    assert shoe is not None
    if shoe.would_exceed(card):
        actual = f"{card} was named, and {shoe.held_each} of it are out already"
        return w.hold(verdict.code, "a card the shoe can hold", actual, dealing.NAME_CARD, key=verdict.key)
    w.facts.append(facts.CardConfirmed(card))
    if verdict.code == "CARD_UNSEEN":
        w.state = replace(w.state, shoe=shoe.with_drawn(card))
    else:
        w.state = replace(w.state, shoe=shoe.with_named(card), unnamed=w.state.unnamed - 1)
    return dealing.judge(w, card, held=False)


def _move(w: Work, verdict: OpenVerdict) -> None:
    parts = verdict.key.split(":")
    if len(parts) == 4:
        w.facts.append(facts.CardCorrected(int(parts[1]), int(parts[2]), int(parts[3])))


def void(w: Work, reason: str) -> None:
    """Every stake goes back, what was paid or taken is undone, the cards are collected."""
    state = w.state
    undo = tuple(Moved(m.box, m.person, m.bet, -m.net_minor) for m in state.moved)
    staked = sum(s.amount_minor for b in state.boxes for s in (*b.insurance, *b.splitting))
    staked += sum(s.amount_minor for b in state.boxes for h in b.hands for s in (*h.stakes, *h.raises))
    staked += sum(b.staked_minor for b in state.boxes if not b.hands)
    w.facts.append(facts.RoundVoided(state.round_id, reason, staked))
    w.state = replace(
        state,
        phase=Phase.COLLECTION,
        boxes=(),
        moved=(),
        turn=(0, 0),
        plan=(),
        dealt=0,
        unlaid=(),
        early=(),
        loose=(),
        kept=(),
        unnamed=0,
        on_table=state.on_table + len(state.kept) + state.unnamed,
        to_return=(*state.to_return, *undo),
    )
