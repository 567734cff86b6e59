"""The words for the facts of a Blot table."""

from __future__ import annotations

from typing import assert_never

from controller.core.words import Line, Tone, line, money, plural, signed
from controller.games.blot import facts as f
from controller.games.blot.announce import describe
from controller.games.blot.cards import as_held
from controller.games.blot.declarations import Claim

MatchFact = f.FirstDealer | f.FeeLaid | f.MatchEnded | f.FeeMoved | f.FeeWaived | f.MatchVoided
DealFact = f.DeckChecked | f.RoundOpened | f.DealPacket | f.TurnUp | f.Bid | f.ContractMade | f.RoundVoided
PlayFact = f.Declaration | f.TrickWon | f.GivenUp | f.RoundScored | f.ScoreRecorded | f.Reconciled
BlotFact = MatchFact | DealFact | PlayFact

_CONTRACTS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣", "NT": "no-trump", "AT": "all-trump"}


def tell(fact: BlotFact, currency: str) -> Line:
    """The line for a fact of the game; ``currency`` stands behind amounts."""
    if isinstance(fact, MatchFact):
        return line(_match(fact, currency), Tone.MONEY if isinstance(fact, f.FeeLaid | f.FeeMoved) else Tone.STEP)
    if isinstance(fact, DealFact):
        return line(_deal(fact), Tone.CARD if isinstance(fact, f.TurnUp) else Tone.STEP)
    return line(_play(fact), Tone.GOOD if isinstance(fact, f.RoundScored) else Tone.PLAIN)


def _match(fact: MatchFact, currency: str) -> str:
    match fact:
        case f.FirstDealer():
            return f"match {fact.match}: seat {fact.dealer} deals first"
        case f.FeeLaid():
            if not fact.amount_minor:
                return f"seat {fact.seat} took the fee back"
            return f"seat {fact.seat} laid the fee of {money(fact.amount_minor, currency)}"
        case f.MatchEnded():
            score = f"{fact.totals[0]} to {fact.totals[1]}, rounds {fact.wins[0]} to {fact.wins[1]}"
            prize = f"; {money(fact.pays_minor, currency)} to it" if fact.pays_minor else ""
            rake = f", the house keeps {money(fact.rake_minor, currency)}" if fact.rake_minor else ""
            return f"match {fact.match} to seat {fact.winner}: {score}{prize}{rake}"
        case f.FeeMoved():
            moved, owed = signed(fact.net_minor, currency), signed(fact.owed_minor, currency)
            return f"seat {fact.seat}: {moved} moved of {owed} owed"
        case f.FeeWaived():
            return f"seat {fact.seat}: a difference of {signed(fact.difference_minor, currency)} is let stand"
        case f.MatchVoided():
            return f"match {fact.match} does not count: {fact.reason}"
        case _:
            assert_never(fact)


def _deal(fact: DealFact) -> str:
    match fact:
        case f.DeckChecked():
            return f"deck checked: {fact.cards} cards, each once"
        case f.RoundOpened():
            return f"round {fact.round}: seat {fact.dealer} deals"
        case f.DealPacket():
            return f"{fact.cards} cards to seat {fact.seat}"
        case f.TurnUp():
            return f"{fact.card} is turned up"
        case f.Bid():
            if fact.bid == "name":
                kept = "keeps" if fact.kept else "leaves"
                return f"seat {fact.seat} names {_CONTRACTS.get(fact.contract, fact.contract)} and {kept} the card"
            return f"seat {fact.seat}: {fact.bid}"
        case f.ContractMade():
            return f"seat {fact.taker} plays {_CONTRACTS.get(fact.contract, fact.contract)}"
        case f.RoundVoided():
            return f"round {fact.round} is void: {fact.reason}"
        case _:
            assert_never(fact)


def _play(fact: PlayFact) -> str:
    match fact:
        case f.Declaration():
            cards = "".join(f" {card}" for card in as_held(fact.cards))
            what = describe(Claim("four" if fact.kind == "four" else "run", fact.size))
            did = "showed" if fact.step == "shown" else fact.step
            return f"seat {fact.seat} {did} {what}{cards} for {fact.points}"
        case f.TrickWon():
            return f"trick {fact.number}: {fact.led} {fact.reply} to seat {fact.winner}, {fact.points} points"
        case f.GivenUp():
            tricks = plural(fact.tricks_played, "trick")
            return f"seat {fact.seat} gives up after {tricks}: {fact.points} points to the other"
        case f.RoundScored():
            status = fact.status.replace("_", " ")
            return f"round {fact.round}: {status}, {fact.points[0]} to {fact.points[1]} points"
        case f.ScoreRecorded():
            return f"score on the sheet: {fact.totals[0]} to {fact.totals[1]}"
        case f.Reconciled():
            return f"cards back: {fact.played} played, {fact.undealt} undealt, {fact.counted} counted"
        case _:
            assert_never(fact)
