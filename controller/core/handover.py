"""Several shoes at a table: one is in use, and a supervisor hands over to a spare when it fails, also in mid-round.

What the round and the cards in the former shoe become is the game's affair. A card that leaves a shoe that is not in
use holds the table.
"""

from __future__ import annotations

from typing import Any, Final

from controller.core.authority import Refused
from controller.core.bookkeeping import absorb, close_all, close_key, raise_finding
from controller.core.evidence import describe
from controller.core.facts import ShoeInUse
from controller.core.game import Game
from controller.core.inputs import CardDrawn, CardUnreadable, CommandReceived, CutCardDrawn, GameInput, ShoesChosen
from controller.core.records import replace
from controller.core.sources.findings import DISAGREE, NOT_DRAWN, TWICE
from controller.core.state import Service, TableState
from controller.core.verdicts import Correction, Finding, Severity

OTHER_PACKS: Final = Correction(
    "other_packs", "the card goes back to the packs of that shoe, which are counted before they are dealt"
)
_CARDS_IN_DOUBT: Final = frozenset({DISAGREE, NOT_DRAWN, TWICE})
_NO: Final = frozenset({Severity.REFUSED})
LEAVES_A_SHOE: Final = frozenset({CardDrawn, CardUnreadable, CutCardDrawn})


def chosen(state: TableState, event: ShoesChosen, facts: list[Any]) -> TableState:
    """The table has these shoes."""
    before, wires = state.wires.active, state.wires.with_shoes(event.shoes)
    if wires.active != before:
        facts.append(ShoeInUse(wires.active, before))
    return replace(state, wires=wires)


def stray(state: TableState, event: GameInput, facts: list[Any]) -> TableState:
    """A card left a shoe that is not in use: it is no card of the round."""
    wanted = f"cards from {state.wires.active} only"
    actual = f"a card left {event.device}, which is not in use"
    finding = Finding("SHOE_NOT_IN_USE", Severity.HOLD, wanted, actual, (OTHER_PACKS,), key=f"idle:{event.device}")
    return raise_finding(state, finding, describe(event, hidden=True), facts)


def hand_over(game: Game, state: TableState, event: CommandReceived, facts: list[Any]) -> TableState:
    """Lock the shoe in use and go on from a spare: the people who do it say that the cards that left it are on record.
    Raises Refused."""
    wires = state.wires
    target = _target(state, event.target)
    if state.service is not Service.OPEN or state.game is None:
        raise Refused(f"the table is {state.service.value}: open it first")
    if target in state.offline:
        raise Refused(f"{target} is offline: plug it in first")
    facts.append(ShoeInUse(target, wires.active, event.actor, event.approver))
    outcome = game.hand_over(state.rules, state.game)
    refusal = next((f.expected for f in outcome.findings if isinstance(f, Finding) and f.severity in _NO), "")
    if refusal:
        raise Refused(refusal)
    state = close_key(state, f"gap:{wires.active}", event.name, facts)
    if not game.round_id(state.game) or (game.can_void(state.game) and not game.can_void(outcome.state)):
        state = close_all(state, event.name, facts)
    elif not game.cards_expected(outcome.state):
        state = _going_on(state)
    return absorb(replace(state, wires=replace(wires, active=target)), outcome, describe(event), facts)


def _going_on(state: TableState) -> TableState:
    """The round goes on from other packs, which do not count the cards that lie. Raises Refused while nobody has said
    what one of them is: no shoe can be asked for it any more."""
    open_ones = [v.id for v in state.verdicts if v.code in _CARDS_IN_DOUBT]
    if open_ones:
        raise Refused(f"sources differ about a card ({', '.join(open_ones)}): correct that first, or void the round")
    return replace(state, fusion=state.fusion.handed_over())


def _target(state: TableState, wanted: str) -> str:
    wires = state.wires
    spares = [name for name in wires.shoes if name != wires.active]
    if not spares:
        raise Refused("the table has no spare shoe")
    if wanted == wires.active:
        raise Refused(f"{wanted} is in use already")
    if wanted and wanted not in spares:
        raise Refused(f"no shoe {wanted}; spares are {', '.join(spares)}")
    if not wanted and len(spares) > 1:
        raise Refused(f"name the shoe that takes over: {', '.join(spares)}")
    return wanted or spares[0]
