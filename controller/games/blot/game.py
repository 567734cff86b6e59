"""Blot as a game of the table: judges every input by the rule set in force."""

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
from controller.core.simulation import Simulation
from controller.core.sources.sightings import Sightings
from controller.core.verdicts import OpenVerdict, VerdictCode
from controller.core.wall_card import Section
from controller.core.words import Line
from controller.games.blot import (
    announce,
    bidding,
    chips,
    codes,
    corrections,
    dealing,
    facts,
    flow,
    laying,
    narration,
    play,
    procedure,
    scoring,
    view,
)
from controller.games.blot.owner import warnings
from controller.games.blot.picture import BlotView
from controller.games.blot.rules import Rules, parse_rules
from controller.games.blot.simulation import SIMULATION
from controller.games.blot.state import SEATS, BlotState, Match, Phase, Work
from controller.games.blot.wall_card import wall_card


class Blot:
    """The game object named by the entry point ``tablewatch.games``."""

    name = "blot"
    state_type = BlotState
    fact_types = facts.FACTS
    view_type = BlotView
    codes: tuple[VerdictCode, ...] = codes.CODES
    simulation: Simulation = SIMULATION
    sightings: Sightings | None = None

    def parse_rules(self, data: Mapping[str, Any]) -> Rules:
        """Rules from a rule set's data. Raises RulesError with every fault."""
        return parse_rules(data)

    def warnings(self, rules: Rules) -> tuple[str, ...]:
        """What the owner must be told."""
        return warnings(rules)

    def wall_card(self, rules: Rules) -> tuple[Section, ...]:
        """The rules as a card to hang on the wall."""
        return wall_card(rules)

    def start(self, rules: Rules, before: BlotState | None = None) -> BlotState:
        """A table just opened: the 24 cards are counted, then a new match begins."""
        del rules
        return BlotState(match=Match() if before is None else flow.next_match(before.match))

    def leave(self, rules: Rules, state: BlotState) -> Outcome:
        """Nothing is owed: a table with a fee on it is not left."""
        return Work(rules, state).outcome()

    def adopt(self, rules: Rules, new_rules: Rules, state: BlotState) -> BlotState:
        """The state under new rules, between rounds: a match that was begun under others ends without a winner."""
        del rules, new_rules
        phase = Phase.INSPECTION if state.phase is Phase.INSPECTION else Phase.OPENING
        return BlotState(phase=phase, match=flow.next_match(state.match))

    def phase(self, state: BlotState) -> str:
        """The phase as a word."""
        return state.phase.value

    def round_id(self, state: BlotState) -> str:
        """Match and round number, empty between rounds."""
        return state.deal.round if state.deal is not None and state.deal.drawn else ""

    def cards_expected(self, state: BlotState) -> bool:
        """True while a deal is on, so that a card could be missed."""
        return state.phase in {Phase.DEALING, Phase.BIDDING, Phase.SECOND_DEAL}

    def can_close(self, state: BlotState) -> bool:
        """True when no round is open and no fee is laid."""
        return not state.open and not any(state.match.fees)

    def patience_s(self, rules: Rules, state: BlotState) -> int:
        """Nobody is timed: the rules know no limit."""
        del rules, state
        return 0

    def can_void(self, state: BlotState) -> bool:
        """True while a round is not scored, or between two rounds of a match with fees."""
        return state.voidable

    def hidden(self, rules: Rules, state: BlotState, event: GameInput, *, held: bool) -> str:
        """Every card of a deal comes face down but the turned-up one."""
        del rules, held
        return dealing.hidden(state, event) if isinstance(event, CardDrawn) else ""

    def handle(self, rules: Rules, state: BlotState, event: GameInput, *, held: bool) -> Outcome:
        """Judge one input."""
        w = Work(rules, state, held)
        _judge(w, event)
        if w.state.waiting:
            dealing.settle_waiting(w)
        return w.outcome()

    def correct(
        self,
        rules: Rules,
        state: BlotState,
        verdict: OpenVerdict,
        correction: str,
        card: Card | None,
        *,
        held: bool,
    ) -> Outcome:
        """Carry out an offered correction."""
        w = Work(rules, state, held)
        corrections.correct(w, verdict, correction, card)
        dealing.settle_waiting(w)
        return w.outcome()

    def name_card(self, rules: Rules, state: BlotState, card: Card) -> Outcome:
        """A card that left the shoe unseen is named; it is dealt once the table is free."""
        w = Work(rules, state, held=True)
        dealing.named(w, card)
        return w.outcome()

    def void(self, rules: Rules, state: BlotState, reason: str, *, doubtful: bool) -> Outcome:
        """Void the round in play, or the match between two rounds; the cards are counted again in either case."""
        del doubtful
        w = Work(rules, state)
        corrections.void(w, reason)
        return w.outcome()

    def hand_over(self, rules: Rules, state: BlotState) -> Outcome:
        """Another shoe takes over: the deal in play does not count, and a pack of 24 is counted for the other shoe."""
        w = Work(rules, state)
        corrections.start_anew(w, "hand_over")
        return w.outcome()

    def tell(self, fact: narration.BlotFact, currency: str) -> Line:
        """One line for a person about a fact of the game."""
        return narration.tell(fact, currency)

    def place(self, box: int) -> str:
        """A seat, or the table, where the turned-up card lies."""
        return laying.place_name(box)

    def expectation(self, rules: Rules, state: BlotState) -> tuple[Expected, ...]:
        """What comes next."""
        return view.expectation(rules, state)

    def dues(self, rules: Rules, state: BlotState) -> tuple[Due, ...]:
        """What each fee is owed."""
        return chips.dues(rules, state.match)

    def view(self, rules: Rules, state: BlotState) -> BlotView:
        """The public picture."""
        return view.view(rules, state)


def _judge(w: Work, event: GameInput) -> None:
    match event:
        case CardShown():
            play.seen(w, event)
        case CardDrawn():
            dealing.drawn(w, event)
        case DecisionSignalled():
            _decide(w, event)
        case DealerSignalled():
            procedure.signalled(w, event)
        case CardRacked():
            pass  # it is out of play: on record, under seal
        case CardLaid():
            laying.laid(w, event)
        case DeckSpread():
            scoring.spread(w, event)
        case CardUnreadable():
            dealing.unreadable(w, event)
        case CutCardDrawn():
            w.note("CUT_CARD", "no cut card in this game", "a cut card")
        case WagerPlaced():
            chips.placed(w, event)
        case WagerWithdrawn():
            chips.withdrawn(w, event)
        case ChipsPaid() | ChipsCollected():
            chips.moved(w, event)
        case _:
            assert_never(event)


def _decide(w: Work, event: DecisionSignalled) -> None:
    action = event.action
    if event.box not in SEATS:
        return w.refuse("NO_SUCH_SEAT", "seat 1 or 2", f"{action} at seat {event.box}")
    if action in bidding.BIDS:
        return bidding.bid(w, event)
    match action:
        case "score":
            return scoring.recorded(w, event)
        case "announce_run" | "announce_four":
            return announce.announced(w, event)
        case "show":
            return announce.shown(w, event)
        case "give_up":
            return play.give_up(w, event.box)
        case _:
            known = ", ".join((*sorted(bidding.BIDS), "announce_run", "announce_four", "show", "give_up", "score"))
            return w.refuse("ACTION_UNKNOWN", f"one of {known}", f"{action} at seat {event.box}")


GAME = Blot()
