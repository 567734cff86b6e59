"""Anything may come in any state: no exception, a state that survives being written, and a way out of every hold."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest

from bench.blot_rounds import SPREAD, random_keys
from controller.core.bookkeeping import holds
from controller.core.cards import DECK
from controller.core.codec import Codec, encode
from controller.core.fold import state_bytes, state_from
from controller.core.game import Game
from controller.core.inputs import (
    CardDrawn,
    CardLaid,
    CardShown,
    CardUnreadable,
    ChipsCollected,
    ChipsPaid,
    CommandReceived,
    CutCardDrawn,
    DealerSignalled,
    DecisionSignalled,
    DeckSpread,
    DeviceGap,
    Input,
    WagerPlaced,
    WagerWithdrawn,
)
from controller.core.table import expected, phase, step
from controller.games.blot import GAME, bidding
from controller.games.blot.cards import DECK_MASK, bits
from controller.games.blot.state import BlotState, Phase

TABLE: Game = GAME
OURS = [DECK[index] for index in bits(DECK_MASK)]
WORDS = (*sorted(bidding.BIDS), "announce_run", "announce_four", "show", "give_up", "score", "dance")


def strange(rng: random.Random) -> Input:
    """An input that has nothing to do with what is expected."""
    seat, card = rng.randint(-1, 3), rng.choice(DECK)
    amount = rng.choice((-1, 0, 1, 2, 3, 5, 13, 24, 5000, 2**60))
    makers: list[Callable[[], Input]] = [
        lambda: CardDrawn("shoe", card, rng.choice(("", "", "locked")), rng.random() < 0.2),
        lambda: CardUnreadable("shoe"),
        lambda: CutCardDrawn("shoe"),
        lambda: CardLaid("sensor", seat),
        lambda: CardShown("camera", seat, card, rng.randint(0, 3)),
        lambda: DeckSpread("console", rng.choice((SPREAD.counts, (1,) * 52, ()))),
        lambda: WagerPlaced("bets", seat, 1, rng.choice(("main", "side:x")), amount),
        lambda: WagerWithdrawn("bets", seat, 1, "main", amount),
        lambda: ChipsPaid("bets", seat, 1, "main", amount),
        lambda: ChipsCollected("bets", seat, 1, "main", amount),
        lambda: DecisionSignalled("console", seat, rng.choice(WORDS), rng.randint(0, 2), 0, amount),
        lambda: DealerSignalled("console", rng.choice(("collect", "first_dealer", "shuffled", "dance")), amount),
        lambda: DeviceGap("shoe", "the cable was out"),
        lambda: CommandReceived(
            rng.choice(("void-round", "close-table", "open-table")), "12", "supervisor", "13", "pit"
        ),
    ]
    return rng.choice(makers)()


def sensible(rng: random.Random, state: BlotState, fee_minor: int) -> Input:
    """Something that moves the game on, more often right than wrong."""
    play = state.play
    match state.phase:
        case Phase.INSPECTION:
            return SPREAD
        case Phase.OPENING:
            seat = rng.choice((1, 2))
            if rng.random() < 0.5:
                return DealerSignalled("console", "first_dealer", seat)
            return WagerPlaced("bets", seat, 1, "main", fee_minor)
        case Phase.DEALING | Phase.SECOND_DEAL:
            deal = state.deal
            assert deal is not None
            out = deal.hands[0] | deal.hands[1] | (1 << deal.up if deal.up >= 0 else 0)
            inside = [card for card in OURS if not out >> card.index & 1]
            return CardDrawn("shoe", rng.choice(inside)) if rng.random() < 0.97 else CardUnreadable("shoe")
        case Phase.BIDDING:
            return DecisionSignalled("console", rng.choice((1, 2)), rng.choice(WORDS[:8]), 0, 0, rng.choice((0, 1, 2)))
        case Phase.PLAY:
            assert play is not None
            if rng.random() < 0.1:
                word = rng.choice(WORDS[8:])
                return DecisionSignalled("console", rng.choice((1, 2)), word, 0, 0, rng.choice((0, 1, 3, 4)))
            hand = list(bits(play.hands[play.turn - 1])) or list(bits(DECK_MASK))
            return CardShown("camera", play.turn, DECK[rng.choice(hand)], rng.choice((1, 1, 1, 1, 2)))
        case Phase.SCORE:
            assert state.score is not None
            seat = rng.choice((1, 2))
            return DecisionSignalled("console", seat, "score", 0, 0, state.score.points[seat - 1])
        case Phase.COLLECTION:
            return DealerSignalled("console", "collect", rng.choice((0, 24, 23)))
        case Phase.SETTLEMENT:
            winner = state.match.winner
            if rng.random() < 0.5:
                return ChipsPaid("bets", winner, 1, "main", rng.choice((4000, 500)))
            return ChipsCollected("bets", 3 - winner, 1, "main", rng.choice((5000, 1000)))


def ways_out(rng: random.Random, table: Any) -> Input | None:
    """A correction of something that is open, with a card where one is needed."""
    open_verdicts = [v for v in table.state.verdicts if v.corrections]
    if not open_verdicts:
        return None
    verdict = rng.choice(open_verdicts)
    mild = [c for c in verdict.corrections if c.kind not in {"void_round", "new_shoe", "shuffle_again"}]
    chosen = rng.choice(mild if mild and rng.random() < 0.95 else verdict.corrections)
    card = rng.choice(DECK) if chosen.needs_card else None
    return CommandReceived("resume", "12", "supervisor", "13", "pit", "", verdict.id, chosen.kind, card)


def consistent(state: BlotState) -> None:
    """Cards are where they can be: each known one once, nine to each player in play."""
    deal, play = state.deal, state.play
    if deal is not None:
        assert not deal.hands[0] & deal.hands[1]
        assert not (deal.hands[0] | deal.hands[1]) & ~DECK_MASK
        assert deal.dealt <= len(deal.plan)
    if play is not None and deal is not None:
        assert not play.hands[0] & play.hands[1]
        assert not play.start[0] & play.start[1]
        assert not (play.hands[0] | play.hands[1]) & play.played
        if not play.gave_up:
            assert play.left(1) + play.left(2) == 18 - play.cards


@pytest.mark.parametrize("seed", range(16))
def test_anything_in_any_state(felt: Callable[..., Any], seed: int) -> None:
    rng = random.Random(seed)
    keys = random_keys(rng) if seed % 2 else {}
    keys |= {"unread_cards": rng.choice(("hold", "blind")), "fee_minor": rng.choice((0, 5000)), "rake_bp": 1000}
    table = felt(ready=False, **keys)
    codec, phases = Codec.of(TABLE), set()
    for number in range(1500):
        out = ways_out(rng, table) if rng.random() < 0.5 else None
        if table.state.service.value == "closed":
            out = CommandReceived("open-table", "12", "supervisor")
        event = out or (strange(rng) if rng.random() < 0.04 else sensible(rng, table.game, keys["fee_minor"]))
        done = step(TABLE, table.state, event, 1)
        table.state = done.state
        for fact in done.facts:
            assert codec.decode(fact.TYPE, encode(fact)) == fact
        consistent(table.game)
        phases.add(phase(TABLE, table.state))
        assert all(verdict.corrections for verdict in holds(table.state))
        assert expected(TABLE, table.state)
        json.dumps(asdict(GAME.view(table.state.rules, table.game)))
        if number % 50 == 0:
            assert state_from(TABLE, state_bytes(TABLE, table.state)) == table.state
    assert len(phases) >= 6


def test_every_hold_can_be_ended_by_a_new_shoe_or_a_void_round(felt: Callable[..., Any]) -> None:
    ended = set()
    for seed in range(40):
        rng = random.Random(seed)
        table = felt(fee_minor=0)
        for _ in range(60):
            table.put(strange(rng) if rng.random() < 0.3 else sensible(rng, table.game, 0))
            held = holds(table.state)
            if held:
                ways = [c.kind for v in held for c in v.corrections]
                last = next((word for word in ("void_round", "new_shoe", "shuffle_again") if word in ways), ways[-1])
                table.command(last)
                ended.add((held[0].code, last))
                if last in {"void_round", "new_shoe", "shuffle_again"}:
                    assert not holds(table.state)
                    assert table.phase == Phase.INSPECTION
    assert len(ended) >= 6
