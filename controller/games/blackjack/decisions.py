"""Decisions: what the hand whose turn it is may do, and what becomes of it."""

from __future__ import annotations

from typing import Final

from controller.core.inputs import DecisionSignalled
from controller.core.records import replace
from controller.core.verdicts import Correction
from controller.games.blackjack import facts, flow, wagers
from controller.games.blackjack.hand import Box, Hand, Status, hard_total, total, total_text, value
from controller.games.blackjack.lookup import box_of, deciding_hand, hand_of, put_box, put_hand
from controller.games.blackjack.rules import DoubleOn, Rules
from controller.games.blackjack.state import BlackjackState, Phase, Spot, Work

ACTIONS: Final = ("hit", "stand", "double", "split", "surrender")
INSURANCE_WORDS: Final = ("insurance", "decline")
"""What a dealer may key while insurance is offered; the chips say who takes it."""
ABSENT: Final = "absent"
"""The dealer, or a clock, says that the hand whose turn it is gives no decision."""
SECOND_HAND: Final = "second_hand"
"""A person's undivided stake goes with the new hand of the split that is asked for."""
STAND: Final = Correction("stand", "the player gives no decision: the hand stands")
_OVER: Final = frozenset({Phase.SETTLEMENT, Phase.COLLECTION})


def why_not(rules: Rules, state: BlackjackState, box: Box, hand: Hand, action: str) -> tuple[str, str] | None:
    """None when the hand may do this; else the code and what the rules say."""
    match action:
        case "stand":
            return None
        case "hit":
            return _why_not_hit(rules, hand)
        case "double":
            return _why_not_double(rules, hand)
        case "split":
            return _why_not_split(rules, box, hand)
        case "surrender":
            return _why_not_surrender(rules, state, hand)
        case _:
            return "NOT_OFFERED", f"one of {', '.join(ACTIONS)}"


def options(rules: Rules, state: BlackjackState, box: Box, hand: Hand) -> tuple[str, ...]:
    """What the hand may do, in the order a dealer asks."""
    return tuple(a for a in ACTIONS if why_not(rules, state, box, hand, a) is None)


def _why_not_hit(rules: Rules, hand: Hand) -> tuple[str, str] | None:
    if hand.split_aces and rules.split_aces_one_card:
        return "SPLIT_ACE_ONE_CARD", "a split ace gets one card only"
    if total(hand.cards)[0] >= 21 and not rules.draw_on_21:
        return "HIT_ON_21", "no card is drawn to 21"
    return None


def _why_not_double(rules: Rules, hand: Hand) -> tuple[str, str] | None:
    if rules.double_on is DoubleOn.NONE:
        return "NOT_OFFERED", "no doubling at this table"
    if len(hand.cards) != 2:
        return "DOUBLE_LATE", "doubling on the first two cards only"
    if hand.split_aces and rules.split_aces_one_card:
        return "SPLIT_ACE_ONE_CARD", "a split ace gets one card only"
    if hand.from_split and not rules.double_after_split:
        return "DOUBLE_AFTER_SPLIT", "no doubling after a split"
    low, high = rules.double_min, rules.double_max
    if rules.double_on is DoubleOn.TOTAL and not low <= hard_total(hand.cards) <= high:
        return "DOUBLE_TOTAL", f"doubling on {low} to {high}, aces counted 1"
    return None


def _why_not_split(rules: Rules, box: Box, hand: Hand) -> tuple[str, str] | None:
    if rules.split_by == "none":
        return "NOT_OFFERED", "no splitting at this table"
    pair = len(hand.cards) == 2 and (
        hand.cards[0].rank == hand.cards[1].rank
        or (rules.split_by == "value" and value(hand.cards[0]) == value(hand.cards[1]))
    )
    if not pair:
        return "SPLIT_PAIR", f"two cards of equal {rules.split_by}"
    if len(box.hands) >= rules.split_hands:
        return "SPLIT_LIMIT", f"at most {rules.split_hands} hands on a box"
    if hand.cards[0].rank == 1 and len(box.hands) >= rules.split_aces_hands:
        return "SPLIT_LIMIT", f"at most {rules.split_aces_hands} hands of split aces"
    return None


def _why_not_surrender(rules: Rules, state: BlackjackState, hand: Hand) -> tuple[str, str] | None:
    if rules.surrender == "none":
        return "NOT_OFFERED", "no surrender at this table"
    if len(hand.cards) != 2 or hand.from_split:
        return "SURRENDER_LATE", "surrender is the first decision on the first two cards"
    if state.dealer and state.dealer[0].rank == 1 and not rules.surrender_against_ace:
        return "SURRENDER_ACE", "no surrender against an ace"
    return None


def decide(w: Work, event: DecisionSignalled) -> None:
    """A decision was keyed: check whose turn it is and what the rules allow, and act."""
    actual = f"{event.action} at box {event.box}" + (f" hand {event.hand}" if event.hand > 1 else "")
    if w.state.phase is Phase.INSURANCE:
        return _during_insurance(w, event, actual)
    found = deciding_hand(w.state)
    if found is None:
        return _not_deciding(w, event, "", actual)
    box, hand = found
    if event.box != box.number or event.hand not in {0, hand.number}:
        turn = f"box {box.number}" + (f" hand {hand.number}" if len(box.hands) > 1 else "")
        return _not_deciding(w, event, f"{turn} decides", actual)
    if event.action == SECOND_HAND:
        return _follow(w, event, box, hand)
    if event.person not in {0, box.decider}:
        return w.refuse("WRONG_DECIDER", f"person {box.decider} decides for box {box.number}", f"person {event.person}")
    if flow.next_spot(w.state) is not None:
        return w.refuse("CARD_DUE", "the card that is due to this hand comes first", actual)
    if event.action == ABSENT:
        return _no_decision(w, box, hand, "no decision")
    problem = why_not(w.rules, w.state, box, hand, event.action)
    if problem:
        return w.refuse(problem[0], problem[1], f"{actual} with {total_text(hand.cards)}")
    return _act(w, event, box, hand)


def waits_for_a_decision(state: BlackjackState) -> bool:
    """True while a hand is to say what it does; not while a card or chips for what it said are due."""
    found = deciding_hand(state)
    return found is not None and not found[1].asked


def time_over(w: Work, waited_s: int) -> None:
    """The clock says that nothing has happened for so long."""
    found = deciding_hand(w.state)
    limit_s = w.rules.decision_timeout_s
    if found is None or not waits_for_a_decision(w.state) or not 0 < limit_s <= waited_s:
        return w.refuse("DECISION_NOT_NOW", "a hand that decides, and the time it may take", f"{waited_s} s are over")
    return _no_decision(w, *found, f"no decision for {waited_s} s")


def _no_decision(w: Work, box: Box, hand: Hand, actual: str) -> None:
    where = Spot(box.number, hand.number)
    w.hold("NO_DECISION", f"{where} decides", actual, STAND, key=f"decision:{where.box}:{where.hand}")


def stand_for(w: Work) -> None:
    """A supervisor stands the hand of a player who gives no decision."""
    found = deciding_hand(w.state)
    assert found is not None
    box, hand = found
    w.facts.append(facts.HandDecision(box.number, hand.number, box.decider, "stand", total_text(hand.cards)))
    w.state = put_hand(w.state, box.number, replace(hand, status=Status.STOOD, asked=""))
    flow.return_unused(w, "stand")
    flow.advance(w)


def _follow(w: Work, event: DecisionSignalled, box: Box, hand: Hand) -> None:
    """A back bettor who lays no chips for a split chooses the new hand for his stake."""
    if w.rules.back_bet_no_split != "choose":
        return w.refuse("NOT_OFFERED", "a stake that is not split stays on the first hand", event.action)
    mine = event.person != box.decider and hand.stake_of(event.person) and not box.splitting_of(event.person)
    if hand.asked != "split" or not mine:
        return w.refuse("DECISION_NOT_NOW", "a back bettor without chips for the split that is asked for", event.action)
    following = tuple(sorted({*box.following, event.person}))
    w.state = put_box(w.state, replace(box, following=following))
    w.facts.append(facts.HandDecision(box.number, hand.number, event.person, event.action, total_text(hand.cards)))
    return None


def _during_insurance(w: Work, event: DecisionSignalled, actual: str) -> None:
    """Insurance is asked for before the first decision; that decision ends it, a refused one does not. Where the dealer
    looks at his hole card first, he says that the insurance is over before he does."""
    if event.action in INSURANCE_WORDS:
        return None
    if event.action == "even_money":
        return _even_money(w, event, actual)
    peeks = len(w.state.dealer) == 2 and w.rules.peeks(w.state.dealer[0])
    if event.action not in ACTIONS or peeks or not flow.first_to_play(w.state):
        return w.refuse("DECISION_NOT_NOW", "insurance is asked for before any decision", actual)
    trial = Work(w.rules, w.state)
    flow.close_insurance(trial)
    decide(trial, event)
    w.findings.extend(trial.findings)
    if not trial.refused:
        w.state = trial.state
        w.facts.extend(trial.facts)
    return None


def _even_money(w: Work, event: DecisionSignalled, actual: str) -> None:
    """A person with a blackjack takes 1:1 at once, whatever the dealer gets."""
    box = box_of(w.state, event.box)
    person = event.person or (box.decider if box else 0)
    if not w.rules.even_money:
        return w.refuse("NOT_OFFERED", "no even money at this table", actual)
    if box is None or not box.main_of(person) or box.hands[0].status is not Status.BLACKJACK or person in box.evened:
        return w.refuse("EVEN_MONEY_NOT_NOW", "a person with a blackjack who has not taken it yet", actual)
    if wagers.insured(box, person):
        return w.refuse("EVEN_MONEY_NOT_NOW", "even money or insurance, not both", actual)
    w.state = put_box(w.state, replace(box, evened=tuple(sorted((*box.evened, person)))))
    w.facts.append(facts.HandDecision(box.number, 1, person, "even_money", total_text(box.hands[0].cards)))
    return None


def _not_deciding(w: Work, event: DecisionSignalled, turn: str, actual: str) -> None:
    """It is not this hand's turn: because it is finished, and perhaps for a rule's sake, or because it has to wait."""
    box = box_of(w.state, event.box)
    hand = hand_of(w.state, event.box, event.hand or 1)
    if w.state.phase in _OVER and hand is not None and hand.status is Status.WAITING:
        return w.refuse("ROUND_OVER", "no decision: the dealer's blackjack has ended the round", actual)
    if hand is not None and hand.status is Status.BLACKJACK and event.action == "double":
        return w.refuse("DOUBLE_BJ", "a blackjack is not doubled", actual)
    if box is None or hand is None or hand.status in {Status.WAITING, Status.PLAYING}:
        return w.refuse(
            "OUT_OF_TURN" if turn else "DECISION_NOT_NOW", turn or f"no hand decides in {w.state.phase}", actual
        )
    ruled = why_not(w.rules, w.state, box, hand, event.action) if hand.status is Status.STOOD else None
    code, expected = ruled or ("HAND_FINISHED", turn or "no decision of a hand that has finished")
    return w.refuse(code, expected, f"{actual} with {total_text(hand.cards)}")


def _act(w: Work, event: DecisionSignalled, box: Box, hand: Hand) -> None:
    action = event.action
    decided = facts.HandDecision(box.number, hand.number, event.person or box.decider, action, total_text(hand.cards))
    if action in {"double", "split"} and event.amount_minor:
        if not wagers.add_to_hand(w, action, box.decider, event.amount_minor):
            return
        box, hand = deciding_hand(w.state) or (box, hand)
    w.facts.append(decided)
    match action:
        case "stand":
            w.state = put_hand(w.state, box.number, replace(hand, status=Status.STOOD, asked=""))
        case "surrender":
            w.state = put_hand(w.state, box.number, replace(hand, status=Status.SURRENDERED, asked=""))
        case _:
            w.state = put_hand(w.state, box.number, replace(hand, asked=action))
    flow.return_unused(w, action)
    if action in {"stand", "surrender"}:
        flow.advance(w)
