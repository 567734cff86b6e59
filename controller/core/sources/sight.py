"""One sighting of the watch, judged: it confirms a card, names one, or is a verdict."""

from __future__ import annotations

from typing import Any, Final

from controller.core.bookkeeping import absorb, close, holds, raise_finding
from controller.core.cards import Card
from controller.core.game import Game, Outcome
from controller.core.records import replace
from controller.core.sources import SettleOn
from controller.core.sources.findings import (
    COUNT_IT,
    NAME_CARD,
    NO_CARD,
    believe_record,
    believe_source,
    disagree,
    not_drawn,
    read_by,
    twice,
)
from controller.core.sources.fusion import (
    Doubt,
    Fit,
    Followed,
    Sighting,
    fit,
    follow,
    late_word,
    other_tag,
    place_in_hand,
    saw,
)
from controller.core.sources.sightings import ASIDE
from controller.core.state import TableState
from controller.core.verdicts import NEW_SHOE, VOID_ROUND, Correction, Finding, OpenVerdict, Severity

MOST_EARLY: Final = 8
"""Sightings that may wait for their card; a source is a card or two ahead of the one that draws."""
MOST_AGAIN: Final = 40
"""Sightings kept that may be nothing new; the oldest goes for one more. A table has some twenty cards in play."""
MOST_DOUBTS: Final = 40
"""Sightings remembered for open verdicts; the table keeps no more of those either."""
_MAY_BE_LATE: Final = frozenset({Fit.DIFFERS, Fit.READS, Fit.MAY_READ, Fit.MISLAID, Fit.UNKNOWN})
"""Fits that a word about the round before may have by chance."""


def judge(
    game: Game,
    state: TableState,
    s: Sighting,
    evidence: str,
    facts: list[Any],
    *,
    late: bool = False,
    waited: bool = False,
) -> TableState:
    """Take one sighting. ``late``: the card that explains it would have been drawn by now; ``waited``: and its source
    would have said by now what lies there."""
    assert game.sightings is not None
    fusion = state.fusion
    found, card = fit(fusion, s, decided=game.sightings.decided(state.game))
    if not s.again and found in _MAY_BE_LATE and (told := late_word(fusion, s)) is not None:
        state, s = replace(state, fusion=told), replace(s, again=True)
    late = late and not any(c.box == ASIDE and not c.seen for c in fusion.cards)  # it may be the one that lies aside
    if s.again:
        return _doubtful(game, state, s, (found, card), evidence, facts, late=late, waited=waited)
    match found, card:
        case Fit.SEEN, Followed():
            return replace(state, fusion=fusion.with_card(saw(card, s)))
        case Fit.READS | Fit.MAY_READ, Followed():
            return _reads(game, state, card, s, evidence, facts, sure=found is Fit.READS and not s.hidden)
        case Fit.DIFFERS, Followed():
            return _disagreed(game, state, card, s, evidence, facts)
        case Fit.AGAIN, Followed():
            return state  # its tag tells that it is the very card
        case Fit.AGAIN, _:
            return state if late or not fusion.cards else _maybe(state, s)
        case Fit.MISLAID, Followed():
            return _maybe(_mislaid(game, state, card, s, evidence, facts), s)
        case Fit.TWICE, Followed():
            finding = twice(card, s, _key(s), and_void(game, state, NO_CARD))
            return _doubted(state, s, 0, finding, evidence, facts)
        case _:
            full = sum(not other.again for other in fusion.early) >= MOST_EARLY
            return _unexplained(game, state, s, evidence, facts) if late or full else _early(state, s)


def _doubtful(
    game: Game,
    state: TableState,
    s: Sighting,
    fits: tuple[Fit, Followed | None],
    evidence: str,
    facts: list[Any],
    *,
    late: bool,
    waited: bool,
) -> TableState:
    """Take a sighting that may be nothing new. It confirms a card that comes, and speaks against one of which its
    source has said nothing else for long enough; where there is none it is forgotten when it is ``late``."""
    match fits:
        case Fit.SEEN, Followed() as card:
            return replace(state, fusion=state.fusion.with_card(saw(card, s)))
        case ((Fit.READS | Fit.MAY_READ), Followed() as card):
            return _reads(game, state, card, s, evidence, facts, sure=False)
        case Fit.DIFFERS, Followed() as card:
            if late and (waited or card.passed >= state.fusion.silence_cards):
                return _disagreed(game, state, card, s, evidence, facts)
            return _maybe(state, s)
        case Fit.MISLAID, Followed() as card if late:
            return _mislaid(game, state, card, s, evidence, facts)
        case _:
            return state if late else _maybe(state, s)


def _disagreed(
    game: Game, state: TableState, card: Followed, s: Sighting, evidence: str, facts: list[Any]
) -> TableState:
    finding = disagree(state.fusion, card, s, f"seen:{card.number}:{s.device}", _ways(game, state, card, s))
    return _doubted(state, s, card.number, finding, evidence, facts)


def _mislaid(game: Game, state: TableState, card: Followed, s: Sighting, evidence: str, facts: list[Any]) -> TableState:
    assert game.sightings is not None
    spots = (card.box, card.hand), (s.box, s.hand)
    outcome = game.sightings.mislaid(state.rules, state.game, *spots, held=bool(holds(state)))
    return followed(game, absorb(state, outcome, evidence, facts))


def _early(state: TableState, s: Sighting) -> TableState:
    """Keep a sighting until the cards that come explain it."""
    return replace(state, fusion=replace(state.fusion, early=(*state.fusion.early, s)))


def _maybe(state: TableState, s: Sighting) -> TableState:
    """Keep a sighting that was understood, and yet may be another card of this face whose draw is still to come. Told
    twice it is kept once."""
    kept = replace(s, again=True)
    others = [e for e in state.fusion.early if not (e.again and replace(e, passed=kept.passed) == kept)]
    over = sum(e.again for e in others) - MOST_AGAIN + 1
    if over > 0:
        others.remove(next(e for e in others if e.again))
    return replace(state, fusion=replace(state.fusion, early=(*others, kept)))


def fit_of(game: Game, state: TableState, s: Sighting) -> Fit:
    """How a sighting fits the cards that lie now."""
    assert game.sightings is not None
    return fit(state.fusion, s, decided=game.sightings.decided(state.game))[0]


def judge_again(
    game: Game, state: TableState, evidence: str, facts: list[Any], *, late: bool = False, waited: bool = False
) -> TableState:
    """Take the sightings again that no card explained so far. ``late``, or so many cards later, they are verdicts;
    those that may be nothing new only so many cards later, or when it was ``waited`` for a source."""
    early = state.fusion.early
    if early:
        state = replace(state, fusion=replace(state.fusion, early=()))
        for s in early:
            over = waited or (late and not s.again) or s.passed >= state.fusion.silence_cards
            state = judge(game, state, s, evidence, facts, late=over, waited=waited)
    return _explained(game, state, evidence, facts)


def _explained(game: Game, state: TableState, evidence: str, facts: list[Any]) -> TableState:
    """Close the verdict about a card that has been drawn after all."""
    assert game.sightings is not None
    for doubt in state.fusion.doubts:
        verdict = next((v for v in state.verdicts if v.key == doubt.key and not doubt.number), None)
        if verdict is not None:
            found, card = fit(state.fusion, doubt.sighting, decided=game.sightings.decided(state.game))
            if found is Fit.SEEN and card is not None:
                fusion = state.fusion.with_card(saw(card, doubt.sighting))
                fusion = replace(fusion, doubts=tuple(d for d in fusion.doubts if d is not doubt))
                state = close(replace(state, fusion=fusion), verdict, "put_right", facts)
                state = went_on(game, state, verdict, evidence, facts)
    return state


def followed(game: Game, state: TableState) -> TableState:
    """With the cards as they lie by the game's record now."""
    assert game.sightings is not None
    fusion = follow(state.fusion, game.sightings.lying(state.rules, state.game))
    return state if fusion is state.fusion else replace(state, fusion=fusion)


def complete(
    game: Game, state: TableState, verdict: OpenVerdict, doubt: Doubt, evidence: str, facts: list[Any]
) -> TableState:
    """Name a card as another source read it that the drawing one could not read; its verdict is closed already."""
    s = doubt.sighting
    outcome = game.correct(state.rules, state.game, verdict, NAME_CARD.kind, s.card, held=bool(holds(state)))
    state = followed(game, absorb(state, outcome, evidence, facts))
    card = state.fusion.card(doubt.number)
    if card is None or card.card != s.card:
        return state
    left = tuple(d for d in state.fusion.doubts if d.key != doubt.key)
    return replace(state, fusion=replace(state.fusion.with_card(saw(card, s)), doubts=left))


def _doubted(
    state: TableState, s: Sighting, number: int, finding: Finding, evidence: str, facts: list[Any]
) -> TableState:
    """Raise a finding about a sighting and remember what was seen, for whoever decides. One word of each source."""
    others = (d for d in state.fusion.doubts if (d.key, d.sighting.device) != (finding.key, s.device))
    kept = tuple(others)[1 - MOST_DOUBTS :]
    fusion = replace(state.fusion, doubts=(*kept, Doubt(finding.key, s, number)))
    return raise_finding(replace(state, fusion=fusion), finding, evidence, facts)


def _key(s: Sighting) -> str:
    return f"lies:{s.device}:{s.box}:{s.hand}:{'' if s.hidden else s.card.text}:{s.tag}"


def _reads(
    game: Game, state: TableState, card: Followed, s: Sighting, evidence: str, facts: list[Any], *, sure: bool
) -> TableState:
    """A card that the drawing source could not read: one source's word names it, or is offered to a supervisor."""
    verdict = next((v for v in state.verdicts if v.key == card.waits), None)
    if verdict is None:
        return state
    if not sure or state.fusion.settle_on is SettleOn.TWO_SOURCES:
        return _doubted(state, s, card.number, read_by(verdict, s), evidence, facts)
    others = [d for d in state.fusion.doubts if d.key == verdict.key]
    state = close(state, verdict, f"read_by_{s.device}", facts)
    state = complete(game, state, verdict, Doubt(verdict.key, s, card.number), evidence, facts)
    for other in others:  # what was said of it before is judged by this name
        state = judge(game, state, other.sighting, evidence, facts)
    return state


def _unexplained(game: Game, state: TableState, s: Sighting, evidence: str, facts: list[Any]) -> TableState:
    """A card that no drawn one explains: one that was seen elsewhere, or one that never left the shoe."""
    counted = () if s.hidden or not game.cards_expected(state.game) else (COUNT_IT,)
    ways = and_void(game, state, NO_CARD, *counted)
    elsewhere = next((c for c in state.fusion.cards if c.card == s.card and c.seen and not other_tag(c, s)), None)
    finding = not_drawn(state.fusion, s, _key(s), ways) if elsewhere is None else twice(elsewhere, s, _key(s), ways)
    return _doubted(state, s, 0, finding, evidence, facts)


def _ways(game: Game, state: TableState, card: Followed, s: Sighting) -> tuple[Correction, ...]:
    """How a disagreement may end: with the other face only where the round could have gone the same way with it."""
    if card.down:
        return and_void(game, state, believe_record(state.fusion, card, s))
    other = () if s.hidden or refused(renamed(game, state, card, s.card)) else (believe_source(s),)
    return and_void(game, state, believe_record(state.fusion, card, s), *other, NAME_CARD)


def renamed(game: Game, state: TableState, card: Followed, face: Card) -> Outcome:
    """What the game makes of another face of a card on record."""
    assert game.sightings is not None
    at = (card.box, card.hand, place_in_hand(state.fusion, card))
    return game.sightings.rename(state.rules, state.game, at, face, former=card.former)


def refused(outcome: Outcome) -> str:
    """Why the game does not take it; empty when it does."""
    findings = (f for f in outcome.findings if isinstance(f, Finding) and f.severity is Severity.REFUSED)
    return next((f"{f.actual}: {f.expected}" for f in findings), "")


def and_void(game: Game, state: TableState, *ways: Correction) -> tuple[Correction, ...]:
    """These corrections, and the last resort: voiding the round, or once it is settled taking all cards together."""
    return (*ways, VOID_ROUND if game.can_void(state.game) else NEW_SHOE)


def went_on(game: Game, state: TableState, verdict: OpenVerdict, evidence: str, facts: list[Any]) -> TableState:
    """After this verdict was closed by the watch: where it was the last that held the table, the game goes on with what
    has waited."""
    if verdict.severity is not Severity.HOLD or holds(state):
        return state
    outcome = game.correct(state.rules, state.game, verdict, "aligned", None, held=False)
    return followed(game, absorb(state, outcome, evidence, facts))
