"""What the people of a simulated Blot table know of the game is what the rules of the house say, computed apart."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from controller.app.rulesets import load_rules
from controller.core.cards import Card
from controller.games.blot import GAME
from controller.games.blot import declarations as real
from controller.games.blot.cards import CONTRACTS
from controller.games.blot.legal import legal as real_legal
from controller.games.blot.score import Counted, score_round
from firmware_sim import blot_rules as own
from firmware_sim.blot_players import KEEP, LEAVE, BlotPlayer, Style

RULES = GAME.parse_rules(load_rules(GAME, "armenian", {}).data)
UP = (11, "S")
HIGH = [(11, "H"), (9, "H"), (1, "C"), (10, "D"), (12, "D"), (13, "S")]


def mask(faces: Iterable[own.Face]) -> int:
    return sum(1 << Card.of(*face).index for face in faces)


@pytest.mark.parametrize("contract", own.CONTRACT_KEYS)
def test_duties_combinations_and_score_agree_with_the_game(contract: str) -> None:
    rng, number = Random(contract), CONTRACTS.index(contract)
    for _ in range(400):
        pack = list(own.PACK)
        rng.shuffle(pack)
        nines = {1: pack[:9], 2: pack[9:18]}
        hand = nines[1][: rng.randint(1, 9)]
        led = nines[2][0]
        assert mask(own.legal(hand, led, contract)) == real_legal(mask(hand), Card.of(*led).index, number)
        counted = {seat: own.combinations(nine, contract) for seat, nine in nines.items()}
        theirs = [real.all_in(RULES, number, mask(nines[seat])) for seat in (1, 2)]
        for mine, other in zip(counted.values(), theirs, strict=True):
            said = sorted((c.kind, c.size, c.points) for c in mine)
            assert said == sorted((c.kind, c.size, c.points) for c in other)
        _, one, two = real.contest(RULES, number, *theirs)
        blots = (real.blot_points(number, mask(nines[1])), real.blot_points(number, mask(nines[2])))
        bonus = own.bonuses(1, counted, nines, contract)
        assert (bonus[1], bonus[2]) == (one + blots[0], two + blots[1])
        captured = rng.choice([(0, 140), (150, 0), (rng.randint(1, 80), rng.randint(1, 80))])
        taker = rng.choice((1, 2))
        written = own.score(taker, dict(zip((1, 2), captured, strict=True)), bonus)
        result = score_round(RULES, taker - 1, Counted(captured, (one, two), blots, (5, 4)))
        assert (written[1], written[2]) == result.points


@pytest.mark.parametrize("style", ["random", "greedy"])
def test_players_do_what_is_allowed(style: Style) -> None:
    player = BlotPlayer(style, Random(1))
    for _ in range(200):
        named = player.names(HIGH, UP, forced=True)
        assert named is not None
        assert named[0] in set(own.CONTRACT_KEYS) - {UP[1]}
        assert named[1] in {KEEP, LEAVE}
        assert player.plays(HIGH, (10, "H"), "H") in [(11, "H"), (9, "H")]
        assert player.plays(HIGH, (9, "D"), "H") in [(10, "D"), (12, "D")]


def test_a_greedy_player_takes_with_jack_and_nine_and_wins_cheaply() -> None:
    player = BlotPlayer("greedy", Random(1))
    assert player.names(HIGH, UP, forced=False) == ("H", KEEP)
    assert player.takes(HIGH, (1, "H"))
    assert not player.takes(HIGH, (1, "D"))
    assert player.names(HIGH[2:], (1, "H"), forced=False) is None
    assert player.plays(HIGH, None, "H") == (1, "C")
    assert player.plays(HIGH, (11, "D"), "H") == (12, "D")
    assert not player.gives_up(8)


def test_a_random_player_does_everything_sometimes() -> None:
    player = BlotPlayer("random", Random(1))
    assert {player.takes(HIGH, UP) for _ in range(50)} == {True, False}
    assert {player.gives_up(3) for _ in range(500)} == {True, False}
    assert not any(player.gives_up(2) for _ in range(500))
    said = {player.names(HIGH, UP, forced=False) for _ in range(300)}
    assert said == {None, *((contract, kept) for contract in ("H", "D", "C", "NT") for kept in (KEEP, LEAVE))}
