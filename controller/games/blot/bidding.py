"""The bidding: N and D in turn, at most twice each; it always ends with a taker."""

from __future__ import annotations

from typing import Final

from controller.core.cards import DECK
from controller.core.inputs import DecisionSignalled
from controller.core.records import replace
from controller.games.blot import facts, flow
from controller.games.blot.cards import ALL_TRUMP, CONTRACT_WORDS, CONTRACTS, NO_TRUMP
from controller.games.blot.rules import Rules
from controller.games.blot.state import IN_DEAL, Deal, Phase, Work, with_seat

BIDS: Final = frozenset({"take", "pass", *CONTRACT_WORDS})
"""The words of a bid; a contract's word names it in the second round."""
KEEP: Final = 1
LEAVE: Final = 2
JACK: Final = 11


def turn(deal: Deal) -> int:
    """The seat that speaks."""
    return deal.opponent if deal.passes % 2 == 0 else deal.dealer


def options(rules: Rules, deal: Deal) -> tuple[str, ...]:
    """The bids that are allowed now; a contract is named with keep (1) or leave (2)."""
    if deal.passes < 2:
        return ("take",) if _forced(deal) else ("take", "pass")
    named = tuple(CONTRACT_WORDS[c] for c in range(6) if why_not_contract(rules, deal, c) == "")
    return named if _forced(deal) else (*named, "pass")


def why_not_contract(rules: Rules, deal: Deal, contract: int) -> str:
    """Why this contract may not be named in the second round; empty when it may."""
    if contract == deal.up // 13:
        return "another suit than the turned-up card's"
    if contract == NO_TRUMP and rules.no_trump == "never":
        return "a suit: no-trump is not played here"
    if contract == ALL_TRUMP and not rules.all_trump:
        return "a suit: all-trump is not played here"
    return ""


def _forced(deal: Deal) -> bool:
    """True when the one who speaks cannot pass."""
    return deal.passes == 3 or (deal.passes == 1 and DECK[deal.up].rank == JACK)


def bid(w: Work, event: DecisionSignalled) -> None:
    """A bid was keyed."""
    deal, action = w.state.deal, event.action
    actual = f"{action} by seat {event.box}"
    if w.state.phase in IN_DEAL and deal is not None and deal.drawn:
        missing = len(deal.plan) - deal.dealt
        return w.refuse("INCOMPLETE_DEAL", f"{missing} more cards are dealt first", actual)
    if w.state.phase is not Phase.BIDDING or deal is None:
        return w.refuse("WRONG_PHASE", f"no bid is due in {w.state.phase}", actual)
    if event.box != turn(deal):
        return w.refuse("OUT_OF_TURN", f"seat {turn(deal)} speaks", actual)
    if action == "pass":
        return _pass(w, deal, event.box)
    if action == "take":
        if deal.passes >= 2:
            return w.refuse("BID_NOT_ALLOWED", "in the second round another contract is named", actual)
        w.facts.append(facts.Bid(event.box, "take"))
        return _contract(w, deal, event.box, deal.up // 13, kept=True)
    return _name(w, deal, event, actual)


def _pass(w: Work, deal: Deal, seat: int) -> None:
    if _forced(deal):
        wanted = "the turned-up Jack is taken" if deal.passes == 1 else "the last to speak names a contract"
        return w.refuse("MUST_TAKE", wanted, f"pass by seat {seat}")
    w.facts.append(facts.Bid(seat, "pass"))
    w.state = replace(w.state, deal=replace(deal, passes=deal.passes + 1))
    return None


def _name(w: Work, deal: Deal, event: DecisionSignalled, actual: str) -> None:
    contract = CONTRACT_WORDS.index(event.action)
    if deal.passes < 2:
        return w.refuse("BID_NOT_ALLOWED", f"the first round is {' or '.join(options(w.rules, deal))}", actual)
    why = why_not_contract(w.rules, deal, contract)
    if why:
        return w.refuse("BID_NOT_ALLOWED", why, actual)
    if event.amount_minor not in {KEEP, LEAVE}:
        wanted = f"the turned-up card is kept ({KEEP}) or left ({LEAVE})"
        return w.refuse("BID_NOT_ALLOWED", wanted, f"{actual} with {event.amount_minor}")
    kept = event.amount_minor == KEEP
    w.facts.append(facts.Bid(event.box, "name", CONTRACTS[contract], kept))
    return _contract(w, deal, event.box, contract, kept=kept)


def _contract(w: Work, deal: Deal, taker: int, contract: int, *, kept: bool) -> None:
    """There is a taker: the turned-up card goes to the hand or out of play, and the second deal begins."""
    more = flow.second_plan(deal.dealer, taker, kept=kept, taker_first=w.rules.second_deal_first == "taker")
    hands = with_seat(deal.hands, taker, deal.hands[taker - 1] | 1 << deal.up) if kept else deal.hands
    after = replace(
        deal,
        plan=deal.plan + more,
        dealt=deal.dealt + kept,
        hands=hands,
        taker=taker,
        contract=contract,
        kept=kept,
    )
    w.facts.append(facts.ContractMade(taker, CONTRACTS[contract], kept))
    w.state = replace(w.state, phase=Phase.SECOND_DEAL, deal=after)
