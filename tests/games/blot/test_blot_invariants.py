"""What must hold of every round: the twelve invariants, the second scorer's word, suits that are only names."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bench.blot_campaign import SUITS, legal_differences, run
from bench.blot_checks import agreement, invariants, permuted, replayed, scored_of, totals_never_fall
from bench.blot_rounds import ALTERNATIVES, TARGETS, Dealer, game_input
from controller.core.cards import DECK
from controller.core.codec import Codec, encode
from controller.core.fold import state_bytes, state_from
from controller.core.game import Game
from controller.core.table import step
from controller.games.blot import GAME
from controller.games.blot.cards import DECK_MASK, bits
from controller.games.blot.facts import Bid, MatchEnded, RoundScored

TABLE: Game = GAME
SEEDS = st.integers(0, 2**32)
KEYS = st.builds(
    lambda keys, target: keys | dict(zip(("match_by", "form", "target"), target, strict=True)),
    st.fixed_dictionaries({key: st.sampled_from(values) for key, values in ALTERNATIVES.items()}),
    st.sampled_from(TARGETS),
)
QUICK = settings(max_examples=60)


def dealt(keys: dict[str, Any], seed: int, *, rich: bool) -> tuple[Dealer, Any]:
    table = Dealer(keys, random.Random(seed), first_dealer=seed % 2 + 1, keep=True)
    return table, table.round(gives_up=0.01, careless=0.2, rich=rich)


@QUICK
@given(KEYS, SEEDS, st.booleans())
def test_the_invariants_hold_under_every_key(keys: dict[str, Any], seed: int, rich: bool) -> None:
    table, played = dealt(keys, seed, rich=rich)
    assert invariants(table, played) == []


@QUICK
@given(KEYS, SEEDS, st.booleans())
def test_the_second_scorer_agrees_under_every_key(keys: dict[str, Any], seed: int, rich: bool) -> None:
    assert agreement(dealt(keys, seed, rich=rich)[1]) == []


@QUICK
@given(KEYS, SEEDS, st.sampled_from(SUITS))
def test_suits_are_only_names(keys: dict[str, Any], seed: int, suits: str) -> None:
    assert permuted(dealt(keys, seed, rich=True)[1], suits) == []


def test_seats_are_not_only_names(felt: Callable[..., Any]) -> None:
    """N wins what is equal: with the hands swapped, the other player's equal run counts."""
    hands = ("QS KS AS TD TC TH 9D 9C JH", "QC KC AC TS JD JC 9S QD 9H")
    scores = []
    for first, second in (hands, hands[::-1]):
        table = felt(form="long", target=1001)
        assert table.deal(first, second, "KH", "1 pass", "2 pass", "1 diamonds 2") == []
        assert table.say("1 announce_run 3", "2 announce_run 3") == []
        clubs = [next(card for card in hand.split() if card[1] == "C") for hand in (first, second)]
        assert table.say(f"1 plays {clubs[0]}", f"2 plays {clubs[1]}") == []
        leader = table.the_play.turn
        other = 3 - leader
        lead = next(DECK[index] for index in bits(table.the_play.hands[leader - 1]) if DECK[index].suit == "C")
        lines = (f"{leader} show 0", f"{leader} plays {lead.text}", f"{other} show 0", f"{other} give_up")
        assert table.say(*lines) == []
        scores.append(table.last(RoundScored).combinations)
    assert scores == [(20, 0), (20, 0)]


@settings(QUICK, max_examples=15)
@given(KEYS, SEEDS)
def test_totals_never_fall_and_a_match_ends_at_its_target(keys: dict[str, Any], seed: int) -> None:
    table, record = Dealer(keys, random.Random(seed)), []
    for _ in range(12):
        table.round(gives_up=0.02, rich=True)
        table.finish()
        record += table.facts
    assert totals_never_fall(record, table.rules) == []


def test_matches_do_end() -> None:
    table, ends = Dealer({"target": 51}, random.Random(3)), 0
    for _ in range(30):
        table.round()
        table.finish()
        ends += sum(isinstance(fact, MatchEnded) for fact in table.facts)
    assert ends >= 4


@settings(QUICK, max_examples=20)
@given(KEYS, SEEDS)
def test_the_record_alone_gives_the_score_again(felt: Callable[..., Any], keys: dict[str, Any], seed: int) -> None:
    _, played = dealt(keys, seed, rich=False)
    table = felt(**keys)
    if played.dealer == 1:
        table.say("first_dealer 1")
    codec, state, written = Codec.of(TABLE), table.state, []
    for line in played.steps:
        event = game_input(line)
        done = step(TABLE, state, event, 1)
        state = state_from(TABLE, state_bytes(TABLE, done.state))
        assert state == done.state
        assert codec.decode(event.TYPE, encode(event)) == event
        written += [codec.decode(fact.TYPE, encode(fact)) for fact in done.facts]
    assert played.scored is not None
    scored = next(fact for fact in written if isinstance(fact, RoundScored))
    assert scored.points == played.scored.points
    again = scored_of(replayed(keys, played.dealer, played.steps))
    assert again == played.scored


@settings(QUICK, max_examples=300)
@given(st.sets(st.sampled_from(list(bits(DECK_MASK))), min_size=2, max_size=10), st.integers(0, 5), st.booleans())
def test_the_legal_set_is_as_defined(cards: set[int], contract: int, lead: bool) -> None:
    first, *rest = sorted(cards)
    assert legal_differences(sum(1 << card for card in rest), -1 if lead else first, contract) == []


def test_every_hand_of_two_suits_is_judged_as_defined() -> None:
    """All hands of up to three cards out of trumps, the led suit and a third one, against every led card."""
    some = [card for card in bits(DECK_MASK) if card // 13 != 3]
    wrong: list[str] = []
    for led in some:
        others = [card for card in some if card != led][::2]
        for size in (1, 2):
            for hand in itertools.combinations(others, size):
                wrong += legal_differences(sum(1 << card for card in hand), led, 1)
    assert wrong == []


def test_a_short_campaign_with_every_outcome_in_it() -> None:
    tally = run(rounds=400, checked=120, positions=500, seed=11)
    assert tally.wrong == []
    assert set(tally.statuses) == {"made", "failed", "capot_by_taker", "capot_by_opponent"}
    assert set(tally.contracts) == {"S", "H", "D", "C", "NT", "AT"}
    assert tally.unshown


def test_the_bidding_has_every_length() -> None:
    lengths = set()
    for seed in range(60):
        table, _ = dealt({}, seed, rich=False)
        lengths.add(sum(isinstance(fact, Bid) for fact in table.facts))
    assert lengths == {1, 2, 3, 4}
