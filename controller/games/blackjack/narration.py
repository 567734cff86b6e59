"""The words for the facts of a blackjack table."""

from __future__ import annotations

from typing import assert_never

from controller.core.words import Line, Tone, bettor, line, money, plural, signed, spot
from controller.games.blackjack import facts as f

PayoutFact = f.PayoutDue | f.PayoutMade | f.PayoutMismatch | f.PayoutConfirmed
ReadyFact = f.ShoeInspected | f.ShoeShuffled | f.ShoeCut | f.CutDeclined | f.ShoeLoaded
EndedFact = (
    f.ShoeExhausted
    | f.ShoeChanged
    | f.CardPutBack
    | f.ShoeReconciled
    | f.ShoeRacked
    | f.ShoeRefilled
    | f.ShoeHandedOver
    | f.PacksQuarantined
)
ShoeFact = ReadyFact | EndedFact
CorrectedFact = f.CardConfirmed | f.CardSetAside | f.CardCorrected | f.HandCorrected
CardFact = f.CardBurned | f.CardDealt | CorrectedFact | f.CardsDiscarded
RoundFact = f.RoundOpened | f.BetsClosed | f.RoundSettled | f.RoundCorrected | f.RoundVoided
HandFact = f.HandDecision | f.HandSplit | f.HandBusted | f.HandBlackjack | f.HandWon | f.DealerPeeked | f.DealerDone
ChipsFact = f.BoxBet | f.BetWithdrawn | f.BoxDead | f.ChipsExchanged | f.ReturnsWrittenOff
MoneyFact = ChipsFact | PayoutFact
BlackjackFact = ShoeFact | CardFact | RoundFact | HandFact | MoneyFact


def tell(fact: BlackjackFact, currency: str) -> Line:
    """The line for a fact of the game; ``currency`` stands behind amounts."""
    if isinstance(fact, ReadyFact):
        return line(_ready(fact), Tone.STEP)
    if isinstance(fact, EndedFact):
        return line(_ended(fact), Tone.STEP)
    if isinstance(fact, CardFact):
        return _card(fact)
    if isinstance(fact, RoundFact):
        return _round(fact, currency)
    if isinstance(fact, HandFact):
        return line(_hand(fact), Tone.PLAIN)
    return _payout(fact, currency) if isinstance(fact, PayoutFact) else _money(fact, currency)


def _ready(fact: ReadyFact) -> str:
    match fact:
        case f.ShoeInspected():
            return f"packs inspected: {fact.decks} packs, {fact.cards} cards, complete"
        case f.ShoeShuffled():
            return f"shuffled for shoe {fact.shoe}"
        case f.ShoeCut():
            return f"a player cut shoe {fact.shoe} at {fact.position}"
        case f.CutDeclined():
            return f"every player declined to cut shoe {fact.shoe}"
        case f.ShoeLoaded():
            return f"shoe {fact.shoe} loaded: {fact.cards} cards, cut card at {fact.cut_card_at}"
        case _:
            assert_never(fact)


def _ended(fact: EndedFact) -> str:
    match fact:
        case f.ShoeReconciled():
            gone = f"{fact.burned} burned, {fact.dealt} dealt in {plural(fact.rounds, 'round')}, {fact.left} left"
            gone += f", {fact.put_back} put back undealt" if fact.put_back else ""
            unread = f", {fact.unread} of them never read" if fact.unread else ""
            return f"shoe {fact.shoe}: {fact.cards} cards, {gone}{unread}"
        case f.ShoeRacked():
            return f"shoe {fact.shoe}: {fact.cards} cards are out of it, {fact.read} were read in their places"
        case f.CardPutBack():
            what = fact.card.pretty if fact.card is not None else "a card"
            return f"shoe {fact.shoe}: {what} was never dealt and goes back to its packs"
        case f.ShoeRefilled():
            return f"shoe {fact.shoe} was empty: {fact.cards} discards shuffled, cut and put into it"
        case f.ShoeHandedOver():
            out = f"{fact.burned} burned, {fact.on_table} in round {fact.round}, {fact.discarded} of earlier rounds"
            return f"shoe {fact.shoe} handed over: of {fact.cards} cards {out}, {fact.left} left in it and kept apart"
        case f.PacksQuarantined():
            return f"packs of shoe {fact.shoe} in quarantine; rounds since the last good count: {fact.rounds}"
        case f.ShoeChanged():
            return f"shoe {fact.shoe} ended after {fact.drawn} cards: {fact.reason.replace('_', ' ')}"
        case f.ShoeExhausted():
            last = f"; round {fact.last_round} is its last" if fact.last_round else ""
            return f"shoe {fact.shoe}: the cut card came after {fact.drawn} cards{last}"
        case _:
            assert_never(fact)


def _card(fact: CardFact) -> Line:
    match fact:
        case f.CardBurned():
            why = "" if fact.why == "start" else f" ({fact.why.replace('_', ' ')})"
            return line(f"{fact.card or 'a card face down'} burned{why}, {fact.count} of this shoe", Tone.CARD)
        case f.CardDealt():
            return line(f"{fact.card or 'a card face down'} to {spot(fact.box, fact.hand)}: {fact.total}", Tone.CARD)
        case f.CardsDiscarded():
            counted = f", {fact.counted} counted" if fact.counted else ""
            return line(f"{fact.cards} cards of round {fact.round} collected{counted}", Tone.STEP)
        case _:
            return _corrected(fact)


def _corrected(fact: CorrectedFact) -> Line:
    match fact:
        case f.CardConfirmed():
            return line(f"{fact.card} confirmed by a supervisor", Tone.GOOD)
        case f.CardSetAside():
            return line(f"card {fact.number} of shoe {fact.shoe} set aside without a name", Tone.WARN)
        case f.CardCorrected():
            moved = f"from {spot(fact.found_at)} to {spot(fact.box, fact.hand)}"
            return line(f"a card was moved {moved}", Tone.GOOD)
        case f.HandCorrected():
            cards = " ".join(str(card) for card in fact.cards)
            return line(
                f"{spot(fact.box, fact.hand)} has {cards or 'no card'} now: {fact.total or 'nothing'}", Tone.GOOD
            )
        case _:
            assert_never(fact)


def _round(fact: RoundFact, currency: str) -> Line:
    match fact:
        case f.RoundOpened():
            return line(f"round {fact.round} opened", Tone.STEP)
        case f.BetsClosed():
            boxes = ", ".join(str(box) for box in fact.boxes)
            return line(f"no more bets: boxes {boxes}, {money(fact.staked_minor, currency)} staked", Tone.STEP)
        case f.RoundSettled():
            return line(f"round {fact.round} settled: house {signed(fact.house_minor, currency)}", Tone.GOOD)
        case f.RoundCorrected():
            return line(f"round {fact.round} corrected: house {signed(fact.house_minor, currency)}", Tone.WARN)
        case f.RoundVoided():
            back = money(fact.returned_minor, currency)
            reason = f": {fact.reason}" if fact.reason else ""
            return line(f"round {fact.round} void, {back} go back{reason}", Tone.WARN)
        case _:
            assert_never(fact)


def _hand(fact: HandFact) -> str:
    match fact:
        case f.HandDecision():
            return f"{spot(fact.box, fact.hand)}: {fact.action.replace('_', ' ')} on {fact.total}"
        case f.HandSplit():
            return f"{spot(fact.box, fact.hand)} split: the second card begins hand {fact.new_hand}"
        case f.HandBusted():
            return f"{spot(fact.box, fact.hand)} is bust with {fact.total}"
        case f.HandBlackjack():
            return f"{spot(fact.box, fact.hand)} has blackjack"
        case f.HandWon():
            return f"{spot(fact.box, fact.hand)} has six cards and wins: {fact.total}"
        case f.DealerPeeked():
            return f"dealer looked at the hole card: {'blackjack' if fact.blackjack else 'no blackjack'}"
        case f.DealerDone():
            cards = " ".join(str(card) for card in fact.cards)
            return f"dealer done: {cards}: {fact.total}" if cards else "dealer done without a card"
        case _:
            assert_never(fact)


def _money(fact: ChipsFact, currency: str) -> Line:
    match fact:
        case f.BoxBet():
            amount, whose = money(fact.amount_minor, currency), bettor(fact.box, fact.person, fact.bet)
            total = "" if fact.total_minor == fact.amount_minor else f" (now {money(fact.total_minor, currency)})"
            return line(f"{amount} bet at {whose}{total}", Tone.MONEY)
        case f.BetWithdrawn():
            amount, whose = money(fact.amount_minor, currency), bettor(fact.box, fact.person, fact.bet)
            return line(f"{amount} {'refused and back' if fact.refused else 'taken back'} at {whose}", Tone.MONEY)
        case f.BoxDead():
            return line(f"box {fact.box} is out: {money(fact.returned_minor, currency)} go back", Tone.WARN)
        case f.ChipsExchanged():
            return line(
                f"{money(fact.amount_minor, currency)} in notes changed into chips at box {fact.box}", Tone.MONEY
            )
        case f.ReturnsWrittenOff():
            what = f"{fact.entries} amounts that should have gone back"
            return line(f"{what} written off: {signed(fact.net_minor, currency)}", Tone.WARN)
        case _:
            assert_never(fact)


def _payout(fact: PayoutFact, currency: str) -> Line:
    whose = bettor(fact.box, fact.person, fact.bet)
    match fact:
        case f.PayoutDue():
            return line(f"{whose}: {fact.outcome}, owed {signed(fact.owed_minor, currency)}", Tone.MONEY)
        case f.PayoutMade():
            verb = "paid to" if fact.moved_minor > 0 else "taken from"
            left = f", {money(fact.left_minor, currency)} still to move" if fact.left_minor else ""
            return line(f"{money(fact.moved_minor, currency)} {verb} {whose}{left}", Tone.MONEY)
        case f.PayoutMismatch():
            owed, moved = signed(fact.owed_minor, currency), signed(fact.moved_minor, currency)
            return line(f"{whose}: owed {owed}, moved {moved}", Tone.WARN)
        case f.PayoutConfirmed():
            return line(f"{whose}: a difference of {signed(fact.waived_minor, currency)} was let stand", Tone.STEP)
        case _:
            assert_never(fact)
