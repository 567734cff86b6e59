"""Blackjack as a game of the table: judges every input by the rule set in force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from controller.core.cards import Card
from controller.core.expectation import Due, Expected
from controller.core.game import Outcome
from controller.core.inputs import (
    CardDrawn,
    CardLaid,
    CardRacked,
    CardShown,
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
from controller.core.limits import MAX_AMOUNT_MINOR
from controller.core.money import format_money
from controller.core.records import replace
from controller.core.simulation import Simulation
from controller.core.sources.sightings import Sightings
from controller.core.verdicts import OpenVerdict, VerdictCode
from controller.core.wall_card import Section
from controller.core.words import Line
from controller.games.blackjack import (
    clearing,
    codes,
    corrections,
    dealer,
    dealing,
    decisions,
    facts,
    flow,
    handover,
    laying,
    misdeals,
    narration,
    procedure,
    racking,
    returns,
    settlement,
    undoing,
    view,
    voiding,
    wagers,
    withdrawals,
)
from controller.games.blackjack.hand import total_text
from controller.games.blackjack.open_cards import OpenCards
from controller.games.blackjack.owner import warnings
from controller.games.blackjack.picture import BlackjackView
from controller.games.blackjack.rules import Rules, parse_rules
from controller.games.blackjack.simulation import SIMULATION
from controller.games.blackjack.state import BlackjackState, Phase, Work
from controller.games.blackjack.wall_card import wall_card


class Blackjack:
    """The game object named by the entry point ``tablewatch.games``."""

    name = "blackjack"
    state_type = BlackjackState
    fact_types = facts.FACTS
    view_type = BlackjackView
    codes: tuple[VerdictCode, ...] = codes.CODES
    simulation: Simulation = SIMULATION
    sightings: Sightings | None = OpenCards()

    def parse_rules(self, data: Mapping[str, Any]) -> Rules:
        """Rules from a rule set's data. Raises RulesError with every fault."""
        return parse_rules(data)

    def warnings(self, rules: Rules) -> tuple[str, ...]:
        """What the owner must be told."""
        return warnings(rules)

    def wall_card(self, rules: Rules) -> tuple[Section, ...]:
        """The rules as a card to hang on the wall."""
        return wall_card(rules)

    def start(self, rules: Rules, before: BlackjackState | None = None) -> BlackjackState:
        """A table just opened: the packs are inspected, or shuffled where no inspection is asked for."""
        return replace(clearing.fresh(before), phase=Phase.INSPECTION if rules.inspection else Phase.SHUFFLE)

    def leave(self, rules: Rules, state: BlackjackState) -> Outcome:
        """Chips that have still to go back stay an open matter."""
        w = Work(rules, state)
        returns.remind(w)
        return w.outcome()

    def adopt(self, rules: Rules, new_rules: Rules, state: BlackjackState) -> BlackjackState:
        """The state under new rules, between rounds: another number of packs is inspected anew."""
        return state if rules.decks == new_rules.decks else self.start(new_rules, state)

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
        return not state.boxes and not state.on_table

    def can_void(self, state: BlackjackState) -> bool:
        """True while a round with stakes is not settled."""
        return state.voidable

    def patience_s(self, rules: Rules, state: BlackjackState) -> int:
        """How long the hand whose turn it is may take; 0 while none decides."""
        return rules.decision_timeout_s if decisions.waits_for_a_decision(state) else 0

    def hidden(self, rules: Rules, state: BlackjackState, event: GameInput, *, held: bool) -> str:
        """The name of a hole card, of a burned card that lies face down, or of a card that was drawn in error."""
        if type(event) is CardDrawn:
            return dealing.hidden(rules, state, event, held=held)
        return dealer.hidden_sight(state, event) if type(event) is CardShown else ""

    def handle(self, rules: Rules, state: BlackjackState, event: GameInput, *, held: bool) -> Outcome:
        """Judge one input."""
        w = Work(rules, state, held)
        _judge(w, event)
        if w.only_refused and not w.facts:
            _undo(w, state)
        corrections.finish(w)
        return w.outcome()

    def correct(
        self,
        rules: Rules,
        state: BlackjackState,
        verdict: OpenVerdict,
        correction: str,
        card: Card | None,
        *,
        held: bool,
    ) -> Outcome:
        """Carry out an offered correction."""
        w = Work(rules, state, held)
        corrections.correct(w, verdict, correction, card)
        corrections.finish(w)
        return w.outcome()

    def name_card(self, rules: Rules, state: BlackjackState, card: Card) -> Outcome:
        """A card that left the shoe unseen is named."""
        w = Work(rules, state, held=True)
        dealing.named_unseen(w, card)
        return w.outcome()

    def void(self, rules: Rules, state: BlackjackState, reason: str, *, doubtful: bool) -> Outcome:
        """Void the round in play."""
        w = Work(rules, state)
        voiding.void(w, reason, doubtful=doubtful)
        corrections.finish(w)
        return w.outcome()

    def hand_over(self, rules: Rules, state: BlackjackState) -> Outcome:
        """Another shoe takes over."""
        w = Work(rules, state)
        handover.hand_over(w)
        corrections.finish(w)
        return w.outcome()

    def tell(self, fact: narration.BlackjackFact, currency: str) -> Line:
        """One line for a person about a fact of the game."""
        return narration.tell(fact, currency)

    def place(self, box: int) -> str:
        """A box, or the dealer's place."""
        return f"box {box}" if box else "the dealer's place"

    def expectation(self, rules: Rules, state: BlackjackState) -> tuple[Expected, ...]:
        """What comes next."""
        return view.expectation(rules, state)

    def dues(self, rules: Rules, state: BlackjackState) -> tuple[Due, ...]:
        """What every bet is owed."""
        return settlement.dues(rules, state)

    def view(self, rules: Rules, state: BlackjackState) -> BlackjackView:
        """The public picture."""
        return view.view(rules, state)


def _judge(w: Work, event: GameInput) -> None:
    match event:
        case CardDrawn():
            dealing.drawn(w, event)
        case CardLaid():
            misdeals.laid(w, event)
        case DecisionSignalled() | DealerSignalled():
            _signalled(w, event)
        case WagerPlaced():
            if not withdrawals.put_back(w, event):
                wagers.placed(w, event)
        case WagerWithdrawn():
            withdrawals.withdrawn(w, event)
        case ChipsPaid():
            _chips(w, event, event.amount_minor)
        case ChipsCollected():
            _chips(w, event, -event.amount_minor)
        case CardUnreadable():
            dealing.unreadable(w, event)
        case CutCardDrawn():
            dealing.cut_card(w, event)
        case DeckSpread():
            procedure.spread(w, event)
        case CardRacked():
            racking.read(w)
        case CardShown():
            pass  # every card of this game is read as it leaves the shoe: the table compares a second sight of it
        case _:
            assert_never(event)


def _undo(w: Work, before: BlackjackState) -> None:
    """A refused input changes nothing, but for chips that lie on the felt now, or no longer."""
    now = w.state
    same = (now.to_return, now.lifted, now.undone) == (before.to_return, before.lifted, before.undone)
    chips = before if same else replace(before, to_return=now.to_return, lifted=now.lifted, undone=now.undone)
    w.state = chips


def _signalled(w: Work, event: DecisionSignalled | DealerSignalled) -> None:
    """Nobody decides anything while a card lies on the table that no source has announced."""
    if w.state.early:
        word = f"{event.action} at box {event.box}" if isinstance(event, DecisionSignalled) else event.signal
        laying.unseen(w, f"{word} before it")
    elif isinstance(event, DecisionSignalled):
        _keyed(w, event)
    else:
        _signal(w, event)


def _keyed(w: Work, event: DecisionSignalled) -> None:
    """A player's decision, or what the dealer keys about a box."""
    match event.action:
        case "skipped":
            misdeals.skipped(w, event)
        case "no_stake":
            misdeals.no_stake(w, event)
        case "change":
            wagers.exchange(w, event)
        case "rebet":
            wagers.rebet(w, event.box, event.person)
        case "decline" if w.state.phase is Phase.CUT:
            procedure.cut_declined(w)
        case _:
            decisions.decide(w, event)


def _chips(w: Work, event: ChipsPaid | ChipsCollected, net_minor: int) -> None:
    if not 0 < event.amount_minor <= MAX_AMOUNT_MINOR:
        wanted = f"an amount above nothing, at most {format_money(MAX_AMOUNT_MINOR)}"
        w.refuse("BAD_AMOUNT", wanted, format_money(event.amount_minor))
        return
    if _is_owed(w, event):
        settlement.moved(w, event.box, event.person, event.bet, net_minor)
    elif returns.strike(w, event.box, event.person, event.bet, net_minor):
        bet = facts.BetWithdrawn(event.box, event.person, event.bet, event.amount_minor, refused=True)
        w.facts.append(bet)
    elif not undoing.moved(w, event.box, event.person, event.bet, net_minor):
        settlement.moved(w, event.box, event.person, event.bet, net_minor)


def _is_owed(w: Work, event: ChipsPaid | ChipsCollected) -> bool:
    """A bet of this person lies there and has not been paid or taken right: the chips are judged as its payment, never
    as refused chips that go back."""
    return any(
        (d.box, d.person) == (event.box, event.person)
        and d.stake_minor
        and d.bet.split(":")[0] == event.bet.split(":")[0]
        for d in settlement.dues(w.rules, w.state)
    )


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
            clearing.collect(w, event.value)
        case "exposed":
            procedure.exposed(w, event.value)
        case "time_over":
            decisions.time_over(w, event.value)
        case "shoe_change" | clearing.NEW_PACKS:
            clearing.change_shoe(w, event.signal)
        case "card_found":
            clearing.found(w, event.value)
        case _:
            w.refuse("SIGNAL_UNKNOWN", "a signal of this game", event.signal)


def _no_more_bets(w: Work) -> None:
    if w.state.phase is Phase.INSURANCE:
        flow.close_insurance(w)
    elif w.state.phase is Phase.BURN and w.state.paused is None:
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
        w.note("SETTLEMENT_OPEN", "every bet paid and taken", f"{open_bets} bets still open")
        settlement.conclude(w)
    elif phase is Phase.SETTLEMENT:
        settlement.still_open(w)
    elif phase is Phase.COLLECTION:
        w.refuse("CARDS_ON_TABLE", f"{w.state.on_table} cards are collected first", "next round")
    elif phase is not Phase.BETTING:
        w.refuse("WRONG_PHASE", f"the round is in {phase}", "next round")


def _dealer_stand(w: Work) -> None:
    if w.state.phase is Phase.DEALER:
        w.refuse("MUST_DRAW", f"the dealer draws on {total_text(w.state.dealer)}", "the dealer stands")
    elif w.state.phase not in {Phase.SETTLEMENT, Phase.COLLECTION}:
        w.refuse("WRONG_PHASE", f"the dealer does not stand in {w.state.phase}", "the dealer stands")


GAME = Blackjack()
