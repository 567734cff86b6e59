"""A scenario file is read whole, or every fault of it is told with its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.app.config import ConfigError
from controller.app.scenario.acts import Drawn, Manner
from controller.app.scenario.load import Scenario, load_scenario
from controller.core.cards import Card
from controller.core.sources import SettleOn
from controller.core.verdicts import Severity

Written = Callable[[str], Scenario]
Faults = Callable[[str], list[str]]

ALL = """\
title: every key
about: shows them
game: blackjack
rules: armenian
overrides: {box_min: 100}
staff: {anna: supervisor}
burn: 5H 6D
readers: 1 2.2 dealer discard
sources: {settle_on: two_sources, silence_cards: 2}
spare: true
start: burn
steps:
  - bet 1 500
  - [bet 2 500, staff anna]
  - do: resume burn by anna
    find: [hold EXTRA_CARD, LATE_BET]
    rejected: nothing
    phase: betting
    next: bets
    decisions: {1.1: hit stand}
    owed: {1.2/2: 5, 3 insurance: -5}
    returns: {}
    holds: [EXTRA_CARD burn next_card, WRONG_BOX]
    open: []
    cards: {dealer: K♦ 7H, 1: ""}
    view: {shoe.left: 3}
    journal: [round.opened, {type: box.bet, box: 1}]
    net: {1: 0}
expect: {phase: betting}
"""


def test_every_key_is_read(written: Written) -> None:
    scenario = written(ALL)
    step = scenario.file.steps[2]
    assert scenario.title == "every key"
    assert scenario.rules.rules.box_min == 100
    assert scenario.file.readers == ("box-1", "box-2-2", "dealer", "discard")
    assert (scenario.file.sources.settle_on, scenario.file.sources.silence_s) == (SettleOn.TWO_SOURCES, 8)
    assert scenario.file.spare
    assert scenario.staff["anna"].role == "supervisor"
    assert [str(f) for f in step.find] == ["hold EXTRA_CARD", "LATE_BET"]
    assert (step.find[0].severity, step.find[1].severity) == (Severity.HOLD, None)
    assert step.decisions == {"1": ("hit", "stand")}
    assert step.owed == {"1.2/2": 5, "3 insurance": -5}
    assert step.holds is not None
    assert [str(w) for w in step.holds] == ["EXTRA_CARD burn next_card", "WRONG_BOX"]
    assert step.cards == {"dealer": ("KD", "7H"), "1": ()}
    assert step.journal is not None
    assert str(step.journal[1]) == "box.bet box=1"
    assert scenario.lines == (13, 14, 15)
    assert scenario.end_line == 29
    assert [len(s.do) for s in scenario.file.steps] == [1, 2, 1]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("title: t\nrulez: armenian\nrules: armenian\nsteps: [play]\n", 2, "rulez: unknown key; did you mean rules?"),
        ("title: t\nrules: armenian\nsteps:\n  - play\n  - fnd: X\n", 5, "fnd: unknown key; did you mean find?"),
        ("title: t\nrules: armenian\nsteps: [play]\nexpect: {nett: {}}\n", 4, "did you mean net?"),
        ("title: t\nrules: armenian\nsteps: [play]\nexpect: {find: X}\n", 4, "expect.find: unknown key"),
        ("title: t\nrules: armenian\n", 1, "steps: missing"),
        ("title: t\nrules: armenian\nsteps: []\n", 3, "a list of 1 to 500 steps"),
        ("title: t\nrules: armenian\nsteps:\n  - bett 1 1\n", 4, "did you mean bet?"),
        ("title: t\nrules: armenian\nsteps:\n  - play\n  - do: play\n    find: bad X\n", 6, "a verdict is a code, or"),
        ("title: t\nrules: armenian\nsteps:\n  - find: 7\n", 4, "a verdict is a text"),
        ("title: t\nrules: armenian\nsteps:\n  - holds: ''\n", 4, "a verdict that waits is a code"),
        ("title: t\nrules: armenian\nsteps:\n  - journal: {code: X}\n", 4, "an event is its type"),
        ("title: t\nrules: armenian\nsteps:\n  - owed: {x: 5}\n", 4, "'x' is no place"),
        ("title: t\nrules: armenian\nsteps:\n  - owed: {1: '5'}\n", 4, "valid integer"),
        ("title: t\nrules: armenian\nsteps:\n  - cards: {1: KX}\n", 4, "'KX' is not a card"),
        ("title: t\nrules: armenian\nsteps:\n  - do: 5\n", 4, "a line is a text"),
        ("title: t\nrules: armenian\nstart: lunch\nsteps: [play]\n", 3, "start: Input should be 'closed'"),
        ("title: t\nrules: armenian\nsteps: [prepare lunch]\n", 3, "prepare leads to inspection, shuffle"),
        ("title: t\nrules: armenian\nstaff: {bob: king}\nsteps: [play]\n", 3, "staff.bob: Input should be 'dealer'"),
        ("title: t\nrules: armenian\nsteps: [play]\nshoe: 4X\n", 4, "shoe: '4X' is no card"),
        ("title: t\nrules: armenian\nsteps: [draw]\n", 3, "draw needs shoe or seed"),
        ("title: t\nrules: armenian\nshoe: KD\nsteps: [cards KD]\n", 4, "the scenario has a shoe: write draw"),
        ("title: t\nrules: armenian\nseed: 1\nshoe: KD\nsteps: [draw]\n", 3, "leave seed out"),
        ("title: t\nrules: armenian\ncut_card: 9\nsteps: [play]\n", 3, "cut_card goes with seed"),
        ("title: t\nrules: armenian\nshoe: KD\nburn: 5C\nsteps: [draw]\n", 4, "leave burn out"),
        ("title: t\nrules: armenian\nsteps: [staff zoe]\n", 3, "nobody is called 'zoe'; staff: dealer, supervisor"),
        ("title: t\nrules: armenian\nsteps: [resume burn with zoe]\n", 3, "nobody is called 'zoe'"),
        ("title: t\nrules: armenia\nsteps: [play]\n", 2, "rules: no rule set 'armenia'; shipped: "),
        ("title: t\ngame: whist\nrules: armenian\nsteps: [play]\n", 2, "game: 'whist' is not installed"),
        ("title: t\nrules: armenian\noverrides: {deckz: 2}\nsteps: [play]\n", 3, "deckz: unknown key; did you mean"),
        ("title: t\nrules: armenian\noverrides: {decks: 99}\nsteps: [play]\n", 3, "decks: "),
        ("title: t\nrules: armenian\nsources: two_sources\nsteps: [play]\n", 3, "keys of its own: settle_on, silence"),
        ("- play\n", 1, "a scenario is a mapping"),
    ],
)
def test_a_fault_is_told_with_its_line(faults: Faults, text: str, line: int, words: str) -> None:
    first, *_ = faults(text)
    assert first.startswith(f"s.yaml:{line}: ")
    assert words in first


def test_a_fault_of_one_line_is_told_once_and_a_long_value_is_cut(faults: Faults) -> None:
    assert faults("title: t\nrules: armenian\nsteps: [see 1 TS 9C 7H]\n") == [
        "s.yaml:3: no reader lies at 1: write readers: 1"
    ]
    (long,) = faults(f"title: t\nrules: armenian\nreaders: {'1 ' * 5000}\nsteps: [play]\n")
    assert long.startswith("s.yaml:3: readers: one reader at a place (is '1 1 ")
    assert len(long) < 200


def test_all_faults_at_once(faults: Faults) -> None:
    text = "title: ''\nruls: x\nrules: armenian\nsteps:\n  - bett 1\n  - find: bad X\n    fond: y\n"
    lines = sorted(problem.split(":")[1] for problem in faults(text))
    assert lines == ["1", "2", "5", "6", "7"]


def test_a_seed_fills_whole_packs_the_same_way_each_time(written: Written) -> None:
    text = "title: t\nrules: armenian\noverrides: {decks: 2}\nseed: 7\nsteps: [draw]\n"
    first, again = written(text).shoe, written(text).shoe
    assert first == again
    assert first is not None
    assert len(first) == 105
    assert first[69] == Drawn(None, Manner.CUT_CARD)
    faces = [drawn.card for drawn in first if drawn.card is not None]
    assert {faces.count(card) for card in faces} == {2}
    assert written(text.replace("seed: 7", "seed: 8")).shoe != first
    cut = written(text.replace("seed: 7", "seed: 7\ncut_card: 3")).shoe
    assert cut is not None
    assert cut[3].manner is Manner.CUT_CARD


def test_a_shoe_given_card_by_card(written: Written) -> None:
    shoe = written("title: t\nrules: armenian\nshoe: [AS KD, CUT XX]\nsteps: [draw]\n").shoe
    assert shoe == (
        Drawn(Card("AS")),
        Drawn(Card("KD")),
        Drawn(None, Manner.CUT_CARD),
        Drawn(None, Manner.UNREADABLE),
    )


def test_a_rule_set_of_ones_own_lies_beside_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('game = "blackjack"\n[rules]\nboxes = 3\n')
    path = tmp_path / "s.yaml"
    path.write_text("title: t\nrules: mine.toml\nsteps: [bet 1 500]\n")
    assert load_scenario(path).rules.rules.boxes == 3
    (tmp_path / "mine.toml").unlink()
    with pytest.raises(ConfigError, match=r"s\.yaml:2: rules: .*mine\.toml: cannot be read"):
        load_scenario(path)


@pytest.mark.parametrize(
    ("head", "line", "problem"),
    [
        ("", "see 3 KD", "s.yaml:3: no reader lies at 3: write readers: 3"),
        ("readers: 1\n", "deal KD@3.2", "s.yaml:4: no reader lies at 3.2: write readers: 3.2"),
        ("readers: 1\n", "unplug dealer", "s.yaml:4: no reader lies at dealer: write readers: dealer"),
        ("", "from spare KD", "s.yaml:3: the table has one shoe: write spare: true"),
        ("", "unplug spare", "s.yaml:3: the table has one shoe: write spare: true"),
        ("readers: 1 1\n", "play", "s.yaml:3: readers: one reader at a place"),
        ("readers: 1/2\n", "play", "s.yaml:3: readers: '1/2': a reader lies at a box or a hand, not at a person"),
        ("sources: {silence_s: 9}\n", "play", "s.yaml:3: sources are compared where readers lie: write readers"),
        ("sources: {settle_on: three}\n", "play", "s.yaml:3: sources.settle_on: "),
    ],
)
def test_a_device_that_is_not_at_the_table_is_told(faults: Faults, head: str, line: str, problem: str) -> None:
    (told,) = faults(f"title: t\nrules: armenian\n{head}steps: [{line}]\n")
    assert told.startswith(problem)
