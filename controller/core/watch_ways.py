"""Corrections of what the watch of several sources found."""

from __future__ import annotations

from typing import Any, Final

from controller.core.bookkeeping import absorb
from controller.core.cards import Card
from controller.core.evidence import describe
from controller.core.fusion import Doubt, Followed, awaited, saw
from controller.core.game import Game
from controller.core.inputs import CommandReceived
from controller.core.records import replace
from controller.core.state import TableState
from controller.core.verdicts import Correction, OpenVerdict
from controller.core.watch_findings import CODES, CONFIRM_CARDS, CONFIRM_READ, COUNT_IT, DISAGREE, UNCONFIRMED
from controller.core.watch_sight import complete, followed, judge, refused, renamed

BELIEVE_SOURCE: Final = "believe_source"
TWO_PEOPLE: Final = frozenset({BELIEVE_SOURCE, COUNT_IT.kind})
"""Corrections that give the record a card, beside those that name one: a second person approves them."""

_MINE: Final = frozenset(code.code for code in CODES)


def is_mine(verdict: OpenVerdict, correction: Correction) -> bool:
    """Whether a correction is the watch's to carry out, and not the game's."""
    return verdict.code in _MINE or correction.kind == CONFIRM_READ.kind


def refusal(game: Game, state: TableState, verdict: OpenVerdict, correction: Correction, event: CommandReceived) -> str:
    """Why this correction cannot be carried out now, for a person; empty when it can."""
    if correction.kind == CONFIRM_CARDS.kind and not event.reason:
        return "say why you are sure that the cards lie so: a reason is needed"
    face = _face(state, verdict, correction.kind, event.card)
    if verdict.code != DISAGREE or face is None:
        return ""
    card = _card(state, verdict)
    return "the card is not on the table any more" if card is None else refused(renamed(game, state, card, face))


def correct(
    game: Game, state: TableState, verdict: OpenVerdict, kind: str, event: CommandReceived, facts: list[Any]
) -> TableState:
    """Carry out a correction that was offered; its verdict is closed already."""
    doubt = _doubt(state, verdict)
    doubts = tuple(d for d in state.fusion.doubts if d is not doubt)
    evidence = describe(event)
    state = replace(state, fusion=replace(state.fusion, doubts=doubts))
    if verdict.code == UNCONFIRMED:
        return _confirmed(state)
    if doubt is None:
        return state
    if kind == CONFIRM_READ.kind:
        return _looked_at(complete(game, state, verdict, doubt, evidence, facts), doubt)
    if verdict.code == DISAGREE:
        face = doubt.sighting.card if kind == BELIEVE_SOURCE else event.card
        if face is not None and kind != "believe_record":
            state = _rename(game, state, doubt, face, evidence, facts)
        return _looked_at(state, doubt)
    if kind == COUNT_IT.kind:
        outcome = game.name_card(state.rules, state.game, doubt.sighting.card)
        state = followed(game, absorb(state, outcome, evidence, facts))
        return judge(game, state, doubt.sighting, evidence, facts)
    return state


def _doubt(state: TableState, verdict: OpenVerdict) -> Doubt | None:
    return next((d for d in state.fusion.doubts if d.key == verdict.key), None)


def _card(state: TableState, verdict: OpenVerdict) -> Followed | None:
    doubt = _doubt(state, verdict)
    return None if doubt is None else state.fusion.card(doubt.number)


def _face(state: TableState, verdict: OpenVerdict, kind: str, named: Card | None) -> Card | None:
    """The face that the correction gives the card on record; None when it leaves it."""
    doubt = _doubt(state, verdict)
    return doubt.sighting.card if doubt is not None and kind == BELIEVE_SOURCE else named


def _rename(game: Game, state: TableState, doubt: Doubt, face: Card, evidence: str, facts: list[Any]) -> TableState:
    card = state.fusion.card(doubt.number)
    if card is None or card.card == face:
        return state
    outcome = renamed(game, state, card, face)
    named = replace(card, card=face, seen=() if face != doubt.sighting.card else saw(card, doubt.sighting).seen)
    state = replace(state, fusion=state.fusion.with_card(named))
    return followed(game, absorb(state, outcome, evidence, facts))


def _looked_at(state: TableState, doubt: Doubt) -> TableState:
    card = state.fusion.card(doubt.number)
    if card is None:
        return state
    return replace(state, fusion=state.fusion.with_card(replace(card, confirmed=True)))


def _confirmed(state: TableState) -> TableState:
    """Every card that lacked a source is as it is on record."""
    lacking = {card.number for card, _ in awaited(state.fusion)}
    cards = tuple(replace(c, confirmed=c.confirmed or c.number in lacking) for c in state.fusion.cards)
    return replace(state, fusion=replace(state.fusion, cards=cards))
