"""Whatever anybody does, the core alone and the real drivers come to the same verdicts, expectations and picture."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from controller.app.scenario.acts import Primitive
from controller.app.scenario.bench import Bench
from controller.app.scenario.compare import Happened
from controller.app.scenario.core_bench import CoreBench
from controller.app.scenario.grammar import parse_line
from controller.app.scenario.load import Scenario, scenario_of
from controller.app.scenario.look import Look
from controller.app.scenario.source import parse_source
from controller.cli.scenario_devices import Workshop
from controller.core.cards import RANK_LETTERS, Suit

BEFORE = (
    "open-table", "spread", "shuffled", "player_cut 140", "second_cut 208", "shoe_loaded", "cards 2C", "next_round",
    "bet 1 500", "bet 2/1 500", "bet 2/2 1000",
)  # fmt: skip
DECISIONS = ("hit", "hit", "stand", "stand", "double", "split", "surrender", "even_money", "second_hand", "absent")
PLACES = ("1", "2", "2/2", "1.2", "3")
KEYS = (
    "no_more_bets", "next_round", "collect", "collect 5", "dealer_stand", "shuffled", "key choose 1", "exposed",
    "skipped 2", "no_stake 3", "rebet 1", "change 1 500", "shoe_change", "new_packs", "key-card JS found",
)  # fmt: skip
CORRECTIONS = (
    "burn", "next_card", "exposed", "void_round", "aligned", "accept", "set_aside", "move", "lies_right", "no_card",
    "new_shoe", "recount", "write_off", "name_card TS", "name_card 5D", "stays", "dead_box", "dealer_later", "stand",
)  # fmt: skip
CABLES = (
    "unplug shoe", "plug shoe", "unplug bets", "plug bets", "unplug console", "plug console", "reboot shoe",
    "reboot bets", "reboot console", "restart", "lose 9C", "overdraw 9C", "draw-locked 9C", "fault reverse_exit",
)  # fmt: skip
PEOPLE = ("staff dealer", "staff supervisor", "key-card 6H", "void-round", "wait 3", "wait 40", "wait 130")


def a_card(random: Random) -> str:
    where = random.choice(("", "", "", "", "@1", "@dealer", "@2"))
    return f"{random.choice(RANK_LETTERS)}{random.choice(list(Suit))}{where}"


def a_line(random: Random) -> str:
    match random.choices(range(7), (30, 25, 20, 12, 8, 8, 6))[0]:
        case 0:
            return "cards " + " ".join([a_card(random), a_card(random), "XX", "CUT"][: random.choice((1, 1, 2, 3))])
        case 1:
            return f"{random.choice(DECISIONS)} {random.choice(PLACES)}"
        case 2:
            verb = random.choice(("bet", "bet", "withdraw", "pay", "take"))
            bet = random.choice(("main", "main", "double", "split", "side:trilux"))
            return f"{verb} {random.choice(PLACES)} {random.choice((250, 500, 1000))} {bet}"
        case 3:
            return f"resume {random.choice(CORRECTIONS)}"
        case 4:
            return random.choice(KEYS)
        case 5:
            return random.choice(CABLES)
        case _:
            return random.choice(PEOPLE)


def outcome(bench: Bench, scenario: Scenario, act: Primitive) -> tuple[object, ...]:
    happened = Happened(list(bench.perform(act)))
    look = Look(scenario.game, bench.state)
    return happened.verdicts, len(happened.rejections), look.phase, look.next, look.owed, look.view


@pytest.fixture(scope="module")
def workshop() -> Iterator[Workshop]:
    with Workshop() as made:
        yield made


@pytest.mark.parametrize("seed", range(30))
def test_both_benches_agree(seed: int, workshop: Workshop) -> None:
    random, rules = Random(seed), ("armenian", "hebrew", "greek")[seed % 3]
    scenario = scenario_of(parse_source(f"title: t\nrules: {rules}\nsteps: [play]\n", "t"))
    core, devices = CoreBench(scenario), workshop.bench(scenario)
    try:
        lines = [*BEFORE, *(a_line(random) for _ in range(random.randrange(10, 30)))]
        for number, line in enumerate(lines):
            for act in parse_line(line):
                found = outcome(core, scenario, act), outcome(devices, scenario, act)  # type: ignore[arg-type]
                assert found[0] == found[1], lines[: number + 1]
        assert devices.faults() == ()
    finally:
        devices.close()
