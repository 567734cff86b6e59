"""Corrections of what the watch of several sources found."""

from __future__ import annotations

from typing import Any, Final

from controller.core.bookkeeping import absorb
from controller.core.cards import Card
from controller.core.evidence import describe
from controller.core.game import Game
from controller.core.inputs import CommandReceived
from controller.core.records import replace
from controller.core.sources.findings import (
    CODES,
    CONFIRM_CARDS,
    CONFIRM_READ,
    COUNT_IT,
    DISAGREE,
    NAME_CARD,
    UNCONFIRMED,
)
from controller.core.sources.fusion import Doubt, Fit, Followed, Fusion, Sighting, awaited, saw, unconfirmed
from controller.core.sources.sight import complete, fit_of, followed, judge, refused, renamed, went_on
from controller.core.state import TableState
from controller.core.verdicts import START_ANEW, Correction, OpenVerdict

BELIEVE_SOURCE: Final = "believe_source"
TWO_PEOPLE: Final = frozenset({BELIEVE_SOURCE, COUNT_IT.kind})
"""Corrections that give the record a card, beside those that name one: a second person approves them."""

_MINE: Final = frozenset(code.code for code in CODES)


def is_mine(verdict: OpenVerdict, correction: Correction) -> bool:
    """Whether a correction is the watch's to carry out, and not the game's."""
    mine = verdict.code in _MINE or correction.kind == CONFIRM_READ.kind
    return mine and correction.kind not in START_ANEW


def refusal(game: Game, state: TableState, verdict: OpenVerdict, correction: Correction, event: CommandReceived) -> str:
    """Why this correction cannot be carried out now, for a person; empty when it can."""
    if correction.kind == CONFIRM_CARDS.kind and not event.reason:
        return "say why you are sure that the cards lie so: a reason is needed"
    face = _face(state, verdict, correction.kind, event.card)
    if face is None or verdict.code not in {DISAGREE, UNCONFIRMED}:
        return ""
    card = _card(state, verdict)
    return "the card is not on the table any more" if card is None else refused(renamed(game, state, card, face))


def correct(
    game: Game, state: TableState, verdict: OpenVerdict, kind: str, event: CommandReceived, facts: list[Any]
) -> TableState:
    """Carry out a correction that was offered; its verdict is closed already."""
    evidence = describe(event)
    doubt = _doubt(state, verdict)
    card, face = _card(state, verdict), _face(state, verdict, kind, event.card)
    doubts = tuple(d for d in state.fusion.doubts if d is not doubt)
    state = replace(state, fusion=replace(state.fusion, doubts=doubts))
    if kind == CONFIRM_CARDS.kind:
        state = _confirmed(state)
    elif verdict.code in {DISAGREE, UNCONFIRMED} and card is not None:
        state = _decided(game, state, card, face, doubt, evidence, facts)
    elif kind == CONFIRM_READ.kind and doubt is not None:
        state = _looked_at(complete(game, state, verdict, doubt, evidence, facts), doubt.number, None)
    elif kind == COUNT_IT.kind and doubt is not None:
        outcome = game.name_card(state.rules, state.game, doubt.sighting.card)
        state = judge(game, followed(game, absorb(state, outcome, evidence, facts)), doubt.sighting, evidence, facts)
    return went_on(game, state, verdict, evidence, facts)


def _doubt(state: TableState, verdict: OpenVerdict) -> Doubt | None:
    """What was seen, in the newest word about it."""
    return next((d for d in reversed(state.fusion.doubts) if d.key == verdict.key), None)


def _card(state: TableState, verdict: OpenVerdict) -> Followed | None:
    """The card on record that the verdict is about."""
    if verdict.code == UNCONFIRMED:
        return next(iter(unconfirmed(state.fusion)), None)
    doubt = _doubt(state, verdict)
    return None if doubt is None else state.fusion.card(doubt.number)


def _face(state: TableState, verdict: OpenVerdict, kind: str, named: Card | None) -> Card | None:
    """The face that the correction gives the card on record; None when it leaves it."""
    doubt = _doubt(state, verdict)
    if kind == BELIEVE_SOURCE and doubt is not None:
        return doubt.sighting.card
    return named if kind == NAME_CARD.kind else None


def _decided(
    game: Game,
    state: TableState,
    card: Followed,
    face: Card | None,
    doubt: Doubt | None,
    evidence: str,
    facts: list[Any],
) -> TableState:
    """A person has looked at the card: it is ``face``, or as it is on record. What was said of another face there may
    be another card of the hand."""
    if face is None or face == card.card:
        if doubt is None:
            return _looked_at(state, card.number, None)
        drawn_meanwhile = fit_of(game, state, doubt.sighting) is Fit.SEEN
        state = _looked_at(state, card.number, None if drawn_meanwhile else doubt)
        other = drawn_meanwhile or fit_of(game, state, doubt.sighting) is Fit.DIFFERS
        return judge(game, state, doubt.sighting, evidence, facts) if other else state
    state = _looked_at(_rename(game, state, card, face, evidence, facts), card.number, doubt)
    for word in _words_of(state.fusion, card):
        state = judge(game, state, word, evidence, facts)
    return state


def _rename(game: Game, state: TableState, card: Followed, face: Card, evidence: str, facts: list[Any]) -> TableState:
    """Another face for a card; who has seen the old one has not seen this."""
    outcome = renamed(game, state, card, face)
    state = replace(state, fusion=state.fusion.with_card(replace(card, card=face, seen=())))
    return followed(game, absorb(state, outcome, evidence, facts))


def _words_of(fusion: Fusion, card: Followed) -> list[Sighting]:
    """What was said of a card under the face it had: each may have been said of the next one there, or have been wrong
    like the shoe. A source that knows the card by its tag spoke of no other."""
    sources = [fusion.source(device) for device in card.seen]
    assert card.card is not None
    spoke = [s for s in sources if s is not None and not (s.tags and card.tag)]
    return [Sighting(s.name, card.box, card.hand, card.card, hidden=card.down, again=True) for s in spoke]


def _looked_at(state: TableState, number: int, doubt: Doubt | None) -> TableState:
    """A person has looked at the card; the source whose word was in doubt has had its word."""
    card = state.fusion.card(number)
    if card is None:
        return state
    seen = card.seen if doubt is None else saw(card, doubt.sighting).seen
    return replace(state, fusion=state.fusion.with_card(replace(card, seen=seen, confirmed=True)))


def _confirmed(state: TableState) -> TableState:
    """Every card that lacked a source is as it is on record."""
    lacking = {card.number for card, _ in awaited(state.fusion)}
    cards = tuple(replace(c, confirmed=c.confirmed or c.number in lacking) for c in state.fusion.cards)
    return replace(state, fusion=replace(state.fusion, cards=cards))
