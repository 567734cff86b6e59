"""Blackjack as a game of the table: judges every input by the rule set in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, assert_never

from controller.core.cards import Card
from controller.core.expectation import Due, Expected
from controller.core.game import Outcome
from controller.core.inputs import (
    CardDrawn,
    CardLaid,
    CardUnreadable,
    ChipsCollected,
    ChipsPaid,
    CutCardDrawn,
    DealerSignalled,
    DecisionSignalled,
    DeckSpread,
    GameInput,
    WagerPlaced,
    WagerWithdrawn,
)
from controller.core.verdicts import Correction, Finding, OpenVerdict, Severity
from controller.games.blackjack import (
    corrections,
    dealing,
    decisions,
    facts,
    flow,
    procedure,
    settlement,
    view,
    wagers,
)
from controller.games.blackjack.hand import dealer_draws, total_text
from controller.games.blackjack.rules import Rules, parse_rules, warnings
from controller.games.blackjack.state import BlackjackState, Phase, Work

RECOUNT = Correction("recount", "look for the card, put it in the rack and count again")


class Blackjack:
    """The game object named by the entry point ``tablewatch.games``."""

    name = "blackjack"
    state_type = BlackjackState
    fact_types = facts.FACTS

    def parse_rules(self, data: Mapping[str, Any]) -> Rules:
        """Rules from a rule set's data. Raises RulesError with every fault."""
        return parse_rules(data)

    def warnings(self, rules: Rules) -> tuple[str, ...]:
        """What the owner must be told."""
        return warnings(rules)

    def start(self, rules: Rules) -> BlackjackState:
        """A table just opened: the packs are inspected, or shuffled where no inspection is asked for."""
        return BlackjackState(phase=Phase.INSPECTION if rules.inspection else Phase.SHUFFLE)

    def phase(self, state: BlackjackState) -> str:
        """The phase as a word."""
        return state.phase.value

    def round_id(self, state: BlackjackState) -> str:
        """Shoe and round number, empty between rounds."""
        return state.round_id

    def cards_expected(self, state: BlackjackState) -> bool:
        """True while a shoe is loaded."""
        return state.shoe is not None

    def can_close(self, state: BlackjackState) -> bool:
        """True when no stake lies on the table and no cards of a round do."""
        return not state.boxes and not state.on_table and not state.to_return

    def can_void(self, state: BlackjackState) -> bool:
        """True while a round with stakes is not settled."""
        return state.voidable

    def handle(self, rules: Rules, state: BlackjackState, event: GameInput, *, held: bool) -> Outcome:
        """Judge one input."""
        w = Work(rules, state)
        match event:
            case CardDrawn():
                dealing.drawn(w, event, held=held)
            case CardLaid():
                dealing.laid(w, event)
            case DecisionSignalled():
                if not _unseen(w, f"{event.action} at box {event.box}"):
                    decisions.decide(w, event)
            case WagerPlaced():
                wagers.placed(w, event)
            case WagerWithdrawn():
                wagers.withdrawn(w, event)
            case ChipsPaid():
                _chips(w, event, event.amount_minor)
            case ChipsCollected():
                _chips(w, event, -event.amount_minor)
            case DealerSignalled():
                if not _unseen(w, event.signal):
                    _signal(w, event)
            case CardUnreadable():
                dealing.unreadable(w, event)
            case CutCardDrawn():
                dealing.cut_card(w, event)
            case DeckSpread():
                procedure.spread(w, event)
            case _:
                assert_never(event)
        flow.deal_kept(w)
        return w.outcome()

    def correct(
        self, rules: Rules, state: BlackjackState, verdict: OpenVerdict, correction: str, card: Card | None
    ) -> Outcome:
        """Carry out an offered correction."""
        w = Work(rules, state)
        corrections.correct(w, verdict, correction, card)
        flow.deal_kept(w)
        return w.outcome()

    def name_card(self, rules: Rules, state: BlackjackState, card: Card) -> Outcome:
        """A card that left the shoe unseen is named."""
        w = Work(rules, state)
        w.facts.append(facts.CardConfirmed(card))
        dealing.receive(w, card, held=False)
        return w.outcome()

    def void(self, rules: Rules, state: BlackjackState, reason: str) -> Outcome:
        """Void the round in play."""
        w = Work(rules, state)
        corrections.void(w, reason)
        return w.outcome()

    def expectation(self, rules: Rules, state: BlackjackState) -> tuple[Expected, ...]:
        """What comes next."""
        return view.expectation(rules, state)

    def dues(self, rules: Rules, state: BlackjackState) -> tuple[Due, ...]:
        """What every bet is owed."""
        return settlement.dues(rules, state)

    def view(self, rules: Rules, state: BlackjackState) -> dict[str, Any]:
        """The public picture."""
        return view.view(rules, state)


def _unseen(w: Work, actual: str) -> bool:
    if w.state.early:
        dealing.unseen(w, f"{actual} before it")
        return True
    return False


def _chips(w: Work, event: ChipsPaid | ChipsCollected, net_minor: int) -> None:
    if net_minor == 0 or event.amount_minor < 0:
        w.refuse("BAD_AMOUNT", "an amount above nothing", str(event.amount_minor))
    elif wagers.returned(w, event.box, event.person, event.bet, net_minor):
        bet = facts.BetWithdrawn(event.box, event.person, event.bet, event.amount_minor, refused=True)
        w.facts.append(bet)
    else:
        settlement.moved(w, event.box, event.person, event.bet, net_minor)


def _signal(w: Work, event: DealerSignalled) -> None:
    match event.signal:
        case "shuffled":
            procedure.shuffled(w)
        case "player_cut":
            procedure.player_cut(w, event.value)
        case "second_cut":
            procedure.second_cut(w, event.value)
        case "shoe_loaded":
            procedure.loaded(w)
        case "no_more_bets":
            _no_more_bets(w)
        case "next_round":
            _next_round(w)
        case "dealer_stand":
            _dealer_stand(w)
        case "collect":
            _collect(w, event.value)
        case _:
            w.refuse("SIGNAL_UNKNOWN", "a signal of this game", event.signal)


def _no_more_bets(w: Work) -> None:
    if w.state.phase is Phase.INSURANCE:
        flow.close_insurance(w)
    elif w.state.phase is Phase.BURN:
        if procedure.burn_done(w):
            wagers.close_bets(w)
    elif w.state.phase is Phase.BETTING:
        wagers.close_bets(w)
    else:
        w.refuse("WRONG_PHASE", f"bets are not open in {w.state.phase}", "no more bets")


def _next_round(w: Work) -> None:
    phase = w.state.phase
    if phase is Phase.BURN:
        procedure.burn_done(w)
    elif phase is Phase.SETTLEMENT and w.rules.settlement_gate == "warn":
        open_bets = sum(1 for d in settlement.dues(w.rules, w.state) if d.difference_minor)
        note = Finding("SETTLEMENT_OPEN", Severity.NOTE, "every bet paid and taken", f"{open_bets} bets still open")
        w.findings.append(note)
        w.state = replace(w.state, phase=Phase.COLLECTION)
    elif phase is Phase.SETTLEMENT:
        w.refuse("SETTLEMENT_OPEN", "every bet paid and taken before the next round", "next round")
    elif phase is Phase.COLLECTION:
        w.refuse("CARDS_ON_TABLE", f"{w.state.on_table} cards are collected first", "next round")
    elif phase is not Phase.BETTING:
        w.refuse("WRONG_PHASE", f"the round is in {phase}", "next round")


def _dealer_stand(w: Work) -> None:
    if w.state.phase is Phase.DEALER:
        total = total_text(w.state.dealer)
        if dealer_draws(w.state.dealer, w.rules.dealer_hits_soft_17):
            return w.refuse("MUST_DRAW", f"the dealer draws on {total}", "the dealer stands")
    if w.state.phase not in {Phase.SETTLEMENT, Phase.COLLECTION}:
        return w.refuse("WRONG_PHASE", f"the dealer does not stand in {w.state.phase}", "the dealer stands")
    return None


def _collect(w: Work, counted: int) -> None:
    state = w.state
    if state.phase is not Phase.COLLECTION:
        code = "SETTLEMENT_OPEN" if state.phase is Phase.SETTLEMENT else "WRONG_PHASE"
        return w.refuse(code, f"cards are collected after the settlement, not in {state.phase}", "cards collected")
    if counted and counted != state.on_table:
        wanted = f"{state.on_table} cards of this round in the rack"
        return w.hold("CARD_MISSING", wanted, f"{counted} counted", RECOUNT, key="count")
    w.facts.append(facts.CardsDiscarded(state.round_id, state.on_table, counted))
    over = state.shoe is None or state.shoe.cut_card_seen
    w.state = BlackjackState(
        phase=Phase.SHUFFLE if over else Phase.BETTING,
        shoe=None if over else state.shoe,
        shoe_number=state.shoe_number,
        round_number=state.round_number,
        burned=state.burned,
        kept=() if over else state.kept,
        to_return=state.to_return,
    )
    return None


GAME = Blackjack()
