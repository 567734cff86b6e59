"""The end of a round: its score, the croupier's record of it, the cards together again, the end of the match."""

from __future__ import annotations

from typing import Final

from controller.core.cards import DECK
from controller.core.inputs import DecisionSignalled, DeckSpread
from controller.core.records import replace
from controller.core.verdicts import NEW_SHOE, Correction
from controller.games.blot import announce, facts, flow
from controller.games.blot.cards import CONTRACTS, DECK_MASK, FULL, HAND
from controller.games.blot.declarations import blot_points, contest
from controller.games.blot.score import Counted, match_winner, score_round
from controller.games.blot.state import Deal, Phase, Play, Work, with_seat

CARDS: Final = 24
MOST_TEXTS: Final = 6
"""Faults of a spread that a verdict lists."""
RESPREAD: Final = Correction("respread", "make the 24 cards complete, spread them again and count again")
RECOUNT: Final = Correction("recount", "look for the card and count again")


def count(w: Work, deal: Deal, play: Play) -> Counted:
    """What a finished round came to."""
    first, second = deal.opponent, deal.dealer
    sets = [announce.counted(w.rules, deal, play, seat) for seat in (first, second)]
    _, mine, theirs = contest(w.rules, deal.contract, sets[0], sets[1])
    blot = (blot_points(deal.contract, play.start[0]), blot_points(deal.contract, play.start[1]))
    combinations = (mine, theirs) if first == 1 else (theirs, mine)
    return Counted(play.points, combinations, blot, play.tricks)


def score(w: Work, deal: Deal, play: Play) -> None:
    """The last trick is complete or a player gave up: the score is computed and waits for the croupier's record."""
    counted = count(w, deal, play)
    result = score_round(w.rules, deal.taker - 1, counted)
    undealt = FULL - sum(counted.cards)
    w.facts.append(
        facts.RoundScored(
            deal.round,
            deal.taker,
            CONTRACTS[deal.contract],
            result.status,
            result.winner + 1,
            counted.cards,
            counted.combinations,
            counted.blot,
            counted.tricks,
            undealt,
            result.points,
        )
    )
    w.state = replace(w.state, phase=Phase.SCORE, score=result)


def recorded(w: Work, event: DecisionSignalled) -> None:
    """The croupier wrote down a seat's points of the round: they must be the computed ones."""
    seat, written, result = event.box, event.amount_minor, w.state.score
    actual = f"{written} for seat {seat}"
    if w.state.phase is not Phase.SCORE or result is None:
        return w.refuse("WRONG_PHASE", f"no score is recorded in {w.state.phase}", actual)
    right = result.points[seat - 1]
    if written != right:
        return w.refuse("WRONG_SCORE", f"{right} for seat {seat} ({result.status})", actual)
    both = with_seat(w.state.recorded, seat, written)
    w.state = replace(w.state, recorded=both)
    if both == result.points:
        _close_round(w)
    return None


def _close_round(w: Work) -> None:
    deal, result, match = w.state.deal, w.state.score, w.state.match
    assert deal is not None
    assert result is not None
    totals = (match.totals[0] + result.points[0], match.totals[1] + result.points[1])
    wins = with_seat(match.wins, result.winner + 1, match.wins[result.winner] + 1)
    w.facts.append(facts.ScoreRecorded(deal.round, totals, wins))
    winner = match_winner(w.rules, totals, wins, deal.taker - 1) + 1
    dealer = flow.step_dealer(w.rules, deal.dealer, result.winner + 1)
    match = replace(match, totals=totals, wins=wins, winner=winner, dealer=dealer)
    if winner:
        pays = flow.owed_minor(w.rules, match, winner)
        w.facts.append(facts.MatchEnded(match.number, winner, totals, wins, pays, w.rules.rake_minor))
    w.state = replace(w.state, phase=Phase.COLLECTION, match=match)


def collected(w: Work, counted: int) -> None:
    """The cards of the round are back; ``counted`` of them, 0 when nobody counted."""
    if w.state.phase is not Phase.COLLECTION:
        return w.refuse("WRONG_PHASE", f"cards are collected after the score, not in {w.state.phase}", "collected")
    if counted not in {0, CARDS}:
        code = "CARD_MISSING" if counted < CARDS else "CARD_SURPLUS"
        return w.hold(code, f"{CARDS} cards", f"{counted} counted", RECOUNT, NEW_SHOE, key="count")
    return _reconciled(w, counted)


def _reconciled(w: Work, counted: int) -> None:
    deal, play = w.state.deal, w.state.play
    assert deal is not None
    assert play is not None
    w.facts.append(facts.Reconciled(deal.round, play.cards, CARDS - 2 * HAND, counted))
    flow.advance(w)


def spread(w: Work, event: DeckSpread) -> None:
    """The cards were spread and counted by face: before the first deal, or when those of a round come together."""
    phase = w.state.phase
    if phase not in {Phase.INSPECTION, Phase.COLLECTION}:
        return w.refuse("WRONG_PHASE", f"the cards are counted before a deal, not in {phase}", "a spread")
    wrong = _faults(event.counts)
    if wrong is not None:
        code, actual = wrong
        wanted = f"{CARDS} cards: 9 T J Q K A of four suits, each once"
        return w.hold(code, wanted, actual, RESPREAD, *((NEW_SHOE,) if phase is Phase.COLLECTION else ()), key="deck")
    if phase is Phase.COLLECTION:
        return _reconciled(w, CARDS)
    w.facts.append(facts.DeckChecked(CARDS))
    return flow.advance(w)


def _faults(counts: tuple[int, ...]) -> tuple[str, str] | None:
    """The code and the text of what is wrong with a spread."""
    if len(counts) != len(DECK):
        return "DECK_INCOMPLETE", f"{len(counts)} counts given, {len(DECK)} wanted"
    wrong = [(i, n, DECK_MASK >> i & 1) for i, n in enumerate(counts) if n != DECK_MASK >> i & 1]
    if not wrong:
        return None
    foreign = any(not wanted for _, _, wanted in wrong)
    twice = any(n > 1 for _, n, _ in wrong)
    code = "CARD_NOT_IN_DECK" if foreign else "DUPLICATE_CARD" if twice else "DECK_INCOMPLETE"
    texts = [f"{DECK[i].text} {n} of {wanted}" for i, n, wanted in wrong]
    more = f" and {len(texts) - MOST_TEXTS} more" if len(texts) > MOST_TEXTS else ""
    return code, f"{sum(counts)} cards: {', '.join(texts[:MOST_TEXTS])}{more}"
