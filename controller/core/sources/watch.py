"""The watch of several sources: what each says of a card is compared with what the others said of it.

Called by `controller.core.table` around every input, at tables that have a source besides the one that draws.
"""

from __future__ import annotations

from typing import Any, Final

from controller.core.bookkeeping import close, holds, raise_finding
from controller.core.evidence import describe
from controller.core.game import Game
from controller.core.inputs import (
    CardDrawn,
    CardLaid,
    CardRacked,
    CardShown,
    CardUnreadable,
    CutCardDrawn,
    DeviceOffline,
    GameInput,
    Input,
    SourcesWaited,
)
from controller.core.records import replace
from controller.core.sources import SettleOn
from controller.core.sources.findings import (
    CONFIRM_CARDS,
    NAME_FIRST,
    UNCONFIRMED,
    offline,
    silent,
    silent_key,
    still_unconfirmed,
)
from controller.core.sources.fusion import Sighting, awaited, passed, unconfirmed
from controller.core.sources.sight import and_void, followed, judge, judge_again, went_on
from controller.core.state import Service, TableState

_OF_CARDS: Final = (CardDrawn, CardUnreadable, CutCardDrawn, CardLaid, CardShown, CardRacked)
_GAME_INPUTS: Final = frozenset(GameInput.__args__)


def before(game: Game, state: TableState, event: GameInput, facts: list[Any]) -> TableState:
    """Before chips, a decision or a dealer's step: nobody goes on while a card lies there that no source has drawn,
    nor, once the round is decided, while a card lacks its second source."""
    if not _active(game, state) or isinstance(event, _OF_CARDS):
        return state
    evidence = describe(event)
    assert game.sightings is not None
    decided = game.sightings.decided(state.game)
    state = judge_again(game, state, evidence, facts, late=True, waited=decided)
    return _settlement(game, state, evidence, facts)


def after(game: Game, was: TableState, state: TableState, event: Input, facts: list[Any]) -> TableState:
    """After the table has taken ``event``; ``was`` is the table before it."""
    if not _active(game, state):
        return state
    if isinstance(event, CardDrawn | CardUnreadable):
        state = replace(state, fusion=passed(state.fusion))
    if state.game is not was.game:
        state = followed(game, state)
    match event:
        case CardShown():
            state = _shown(game, was, state, event, facts)
        case CardDrawn() | CardUnreadable():
            evidence = describe(event, hidden=True)
            state = judge_again(game, state, evidence, facts)
            state = _silence(state, state.fusion.silence_cards, evidence, facts)
        case DeviceOffline(device, reason) if device not in was.offline:
            source = state.fusion.source(device)
            if source is not None and source.spots:
                state = raise_finding(state, offline(source, reason), describe(event), facts)
        case SourcesWaited():
            evidence = describe(event)
            state = _silence(judge_again(game, state, evidence, facts, waited=True), 0, evidence, facts)
            state = _settlement(game, state, evidence, facts)
        case _ if state.game is not was.game:
            state = judge_again(game, state, describe(event), facts)
        case _:
            pass
    return _put_right(game, state, describe(event, hidden=True), facts) if state.verdicts else state


def waits(game: Game, state: TableState) -> bool:
    """Whether something is still to come of a source, so that the clock has to tell when it does not come."""
    if not _active(game, state) or holds(state):
        return False
    fusion = state.fusion
    away = (*fusion.silent, *state.offline)
    early = any(not s.again for s in fusion.early)
    return early or _lacking(game, state) or any(s.name not in away for _, s in awaited(fusion))


def _active(game: Game, state: TableState) -> bool:
    return state.fusion.watching and game.sightings is not None and state.service is Service.OPEN


def _shown(game: Game, was: TableState, state: TableState, event: CardShown, facts: list[Any]) -> TableState:
    source = state.fusion.source(event.device)
    if source is None or not source.spots or not game.cards_expected(state.game):
        return state
    hidden = bool(game.hidden(was.rules, was.game, event, held=bool(holds(was))))
    sighting = Sighting(event.device, event.box, event.hand, event.card, event.tag, hidden)
    return judge(game, state, sighting, describe(event, hidden=hidden), facts)


def _silence(state: TableState, cards: int, evidence: str, facts: list[Any]) -> TableState:
    """Name each source, once a round, that has said nothing of a card since so many further ones."""
    for card, source in awaited(state.fusion):
        if card.passed >= cards and source.name not in (*state.fusion.silent, *state.offline):
            state = raise_finding(state, silent(state.fusion, card, source), evidence, facts)
            state = replace(state, fusion=replace(state.fusion, silent=(*state.fusion.silent, source.name)))
    return state


def _lacking(game: Game, state: TableState) -> bool:
    """Whether what is owed waits for second sources."""
    assert game.sightings is not None
    two = state.fusion.settle_on is SettleOn.TWO_SOURCES and game.sightings.decided(state.game)
    return two and bool(unconfirmed(state.fusion))


def _settlement(game: Game, state: TableState, evidence: str, facts: list[Any]) -> TableState:
    """Hold a decided round whose cards lack their second source."""
    if not _lacking(game, state) or any(v.code == UNCONFIRMED for v in state.verdicts):
        return state
    cards = unconfirmed(state.fusion)
    sources = {source.name for card, source in awaited(state.fusion) if card in cards}
    away = [name for name in state.offline if name in sources]
    ways = and_void(game, state, CONFIRM_CARDS, NAME_FIRST)
    return raise_finding(state, still_unconfirmed(state.fusion, cards, away, ways), evidence, facts)


def _put_right(game: Game, state: TableState, evidence: str, facts: list[Any]) -> TableState:
    """Close what the sources themselves have put right meanwhile."""
    lacks = {silent_key(source.name) for _, source in awaited(state.fusion)}
    if unconfirmed(state.fusion):
        lacks.add("unconfirmed")
    for verdict in state.verdicts:
        mine = verdict.key.startswith(silent_key("")) or verdict.code == UNCONFIRMED
        if mine and verdict.key not in lacks:
            state = went_on(game, close(state, verdict, "put_right", facts), verdict, evidence, facts)
    return state
