"""What must hold of every round of Blot: the invariants, the second scorer's word, and that suits are only names.

Each check gives one line for what does not hold; an empty list is the right answer.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final

from bench.blot_referee import judge
from bench.blot_rounds import Dealer, Round, Step, game_input
from controller.core.cards import DECK
from controller.games.blot.cards import CONTRACTS, DECK_MASK, bits, cards_of, points_of
from controller.games.blot.facts import Bid, MatchEnded, RoundScored, ScoreRecorded, TrickWon
from controller.games.blot.legal import legal
from controller.games.blot.rules import Rules
from controller.games.blot.state import BlotState, Deal, Phase, Play

JACK: Final = 11


def agreement(played: Round) -> list[str]:
    """What the second scorer says otherwise."""
    scored = played.scored
    assert scored is not None
    other = judge(played.keys, played.dealer, played.steps)
    pairs = {
        "taker": (scored.taker, other.taker),
        "contract": (scored.contract, other.contract),
        "cards": ([*scored.cards], other.cards),
        "tricks": ([*scored.tricks], other.tricks),
        "combinations": ([*scored.combinations], other.combinations),
        "blot": ([*scored.blot], other.blot),
        "undealt": (scored.undealt, other.undealt),
        "status": (scored.status, other.status),
        "winner": (scored.winner, other.winner),
        "points": ([*scored.points], other.points),
    }
    return [
        f"{what}: {mine}, the second scorer says {theirs}" for what, (mine, theirs) in pairs.items() if mine != theirs
    ]


def replayed(keys: dict[str, Any], dealer: int, steps: Sequence[Step]) -> Dealer:
    """A fresh table after these steps of one round."""
    table = Dealer(keys, random.Random(0), first_dealer=dealer)
    for step in steps:
        table.put(game_input(step))
    return table


def scored_of(table: Dealer) -> RoundScored:
    """The score of the round that a table has just played."""
    return next(fact for fact in table.facts if isinstance(fact, RoundScored))


def permuted(played: Round, suits: str) -> list[str]:
    """What changes when the suits S H D C are called ``suits`` instead."""
    names = dict(zip("SHDC", suits, strict=True))
    words = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
    renamed = {words[old]: words[new] for old, new in names.items()}

    def change(step: Step) -> Step:
        match step:
            case ("card", text):
                return "card", text[0] + names[text[1]]
            case ("play", seat, text):
                return "play", seat, text[0] + names[text[1]]
            case ("bid", seat, word, value):
                return "bid", seat, renamed.get(word, word), value
            case _:
                return step

    before = played.scored
    assert before is not None
    after = scored_of(replayed(played.keys, played.dealer, [change(step) for step in played.steps]))
    fields = ("taker", "status", "winner", "cards", "combinations", "blot", "tricks", "undealt", "points")
    return [
        f"{name} {getattr(before, name)} becomes {getattr(after, name)} with the suits {suits}"
        for name in fields
        if getattr(before, name) != getattr(after, name)
    ]


def invariants(table: Dealer, played: Round) -> list[str]:
    """The invariants that a round breaks. ``table`` has kept the states and stands in SCORE."""
    wrong: list[str] = []
    scored = played.scored
    assert scored is not None
    for state in played.states:
        if state.phase is Phase.PLAY and state.deal is not None and state.play is not None:
            wrong += _in_play(table.rules, state.deal, state.play)
    wrong += _score(table.rules, scored, table.state)
    wrong += _history(table.facts, table.state)
    wrong += _bidding(table.facts, played.states)
    return wrong


def _in_play(rules: Rules, deal: Deal, play: Play) -> list[str]:
    wrong = []
    one, two = play.start
    left = DECK_MASK & ~(one | two)
    if one & two or (one.bit_count(), two.bit_count(), left.bit_count()) != (9, 9, 6):
        wrong.append("1: hands and rest are not 9 + 9 + 6 distinct cards")
    if not deal.kept and not left >> deal.up & 1:
        wrong.append("1: the turned-up card was left and is not among the six")
    held = play.hands[0] | play.hands[1] | (1 << play.led if play.led >= 0 else 0)
    if sum(play.points) + points_of(deal.contract, held) + points_of(deal.contract, left) != 152:
        wrong.append(f"3: after {play.cards} cards the points are not 152")
    hand = play.hands[play.turn - 1]
    may = legal(hand, play.led, deal.contract, beat_plain=rules.must_beat_plain)
    if not may or may & ~hand:
        wrong.append("7: the legal set is empty or not in the hand")
    if play.played & ~(one | two) or play.played.bit_count() != play.cards:
        wrong.append("8: a card was played twice or from no hand")
    return wrong


def _score(rules: Rules, scored: RoundScored, state: BlotState) -> list[str]:
    wrong = []
    contract = CONTRACTS.index(scored.contract)
    low, high = {4: (4, 96), 5: (10, 74)}.get(contract, (6, 78))
    if sum(scored.cards) + scored.undealt != 162 or not low <= scored.undealt <= high:
        wrong.append(f"2: cards {scored.cards} and undealt {scored.undealt} are not 162")
    play = state.play
    assert play is not None
    if scored.undealt != points_of(contract, DECK_MASK & ~(play.start[0] | play.start[1])):
        wrong.append("2: the undealt points are not those of the undealt cards")
    if all(scored.combinations) or all(scored.blot):
        wrong.append("6: both sides have combinations, or both have Blot")
    if sum(scored.tricks) != 9:
        wrong.append("8: the tricks are not nine")
    return wrong + _sums(rules, scored)


def _sums(rules: Rules, scored: RoundScored) -> list[str]:
    bonus = sum(scored.combinations) + sum(scored.blot)
    capot = scored.status.startswith("capot")
    taker = scored.taker - 1
    if scored.status == "failed" and rules.fail_total == "captured":
        return []
    if rules.form == "short":
        wanted = (21 if capot else 16) + bonus // 10
        return [] if sum(scored.points) == wanted else [f"5: the points {scored.points} are not {wanted}"]
    wanted = (rules.capot_long if capot else 162) + bonus
    wrong = [] if sum(scored.points) == wanted else [f"4: the points {scored.points} are not {wanted}"]
    own = scored.cards[taker] + scored.combinations[taker] + scored.blot[taker]
    if scored.status == "made" and scored.points[taker] - own != scored.undealt:
        wrong.append("4: the taker was not paid the undealt cards")
    if scored.status in {"failed", "capot_by_opponent"} and rules.blot_moves_on_fail and scored.points[taker]:
        wrong.append("4: a taker who failed has points")
    return wrong


def _history(facts: Sequence[Any], state: BlotState) -> list[str]:
    wrong = []
    deal = state.deal
    assert deal is not None
    leader = deal.opponent
    for trick in [fact for fact in facts if isinstance(fact, TrickWon)]:
        if trick.leader != leader:
            wrong.append(f"8: trick {trick.number} was not led by the winner of the one before")
        leader = trick.winner
    return wrong


def _bidding(facts: Sequence[Any], states: Sequence[BlotState]) -> list[str]:
    bids = [fact for fact in facts if isinstance(fact, Bid)]
    deal = states[-1].deal
    assert deal is not None
    most = 2 if DECK[deal.up].rank == JACK else 4
    if not 1 <= len(bids) <= most or bids[-1].bid == "pass" or any(b.bid != "pass" for b in bids[:-1]):
        return [f"9: {len(bids)} bids, {most} at most, the last one takes"]
    return [] if bids[-1].seat == deal.taker else ["9: the last to speak is not the taker"]


def totals_never_fall(facts: Sequence[Any], rules: Rules) -> list[str]:
    """Invariant 11, over the facts of several rounds of one table."""
    wrong = []
    before = (0, 0)
    for fact in facts:
        if isinstance(fact, ScoreRecorded):
            if fact.totals[0] < before[0] or fact.totals[1] < before[1]:
                wrong.append(f"11: totals fall from {before} to {fact.totals}")
            before = fact.totals
        elif isinstance(fact, MatchEnded):
            count = fact.wins if rules.match_by == "rounds" else fact.totals
            if count[fact.winner - 1] < rules.target or fact.totals != before:
                wrong.append(f"11: the match ended at {count}, the target is {rules.target}")
            before = (0, 0)
    return wrong


def legal_by_definition(hand: int, led: int, contract: int, *, beat_plain: bool) -> int:
    """The legal set as the rules define it, card by card, on texts."""
    held = [card.text for card in cards_of(hand)]
    if led < 0:
        return hand
    first = DECK[led].text
    trump = CONTRACTS[contract]
    high = "QKTA9J" if trump in {first[1], "AT"} else "9JQKTA"
    same = [card for card in held if card[1] == first[1]]
    above = [card for card in same if high.index(card[0]) > high.index(first[0])]
    beating = trump in {first[1], "AT"} or (beat_plain and trump in {"S", "H", "D", "C"})
    trumps = [card for card in held if card[1] == trump]
    allowed = (above if above and beating else same) if same else trumps or held
    return sum(1 << index for index in bits(hand) if DECK[index].text in allowed)
