"""Playing a scenario: every kind of expectation holds when it is right and is told when it is wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from controller.app.scenario.load import Scenario
from controller.app.scenario.model import Expect, Step
from controller.app.scenario.play import Played

Play = Callable[[str], Played]

DEALT = "  - bet 1 500\n  - bet 2/2 600\n  - cards TS 9C 7H 8D 8C\n"
"""Box 1 has 18, box 2 (its second person) 17, the dealer a seven."""

CASES = [
    ("find", "", "do: hit 2", "find: refused OUT_OF_TURN", "find: refused LATE_BET"),
    ("find", "", "do: hit 2", "find: OUT_OF_TURN", "find: hold OUT_OF_TURN"),
    ("find", "", "do: hit 2", "find: OUT_OF_TURN", "phase: players"),
    ("find", "", "do: stand 1", "find: []", "find: OUT_OF_TURN"),
    ("find", "", "do: [hit 2, cards 5C]", "find: [OUT_OF_TURN, EXTRA_CARD]", "find: [EXTRA_CARD, OUT_OF_TURN]"),
    ("rejected", "", "do: resume burn", "rejected: nothing waits", "rejected: no round"),
    ("rejected", "", "do: resume burn", "rejected: nothing waits", "phase: players"),
    ("rejected", "", "do: stand 1", "phase: players", "rejected: nothing waits"),
    ("phase", "", "do: stand 1", "phase: players", "phase: dealer"),
    ("next", "", "do: stand 1", "next: decide 2", "next: decide 1"),
    ("next", "", "do: stand 1", "next: decide 2", "next: [decide 2, card dealer]"),
    ("decisions", "", "do: stand 1", "decisions: {2: surrender stand double hit}", "decisions: {2: stand}"),
    ("decisions", "", "do: [stand 1, stand 2]", "decisions: {}", "decisions: {2: stand}"),
    ("owed", "", "do: [surrender 1]", "owed: {1: -250}", "owed: {1: -500}"),
    ("owed", "", "do: [surrender 1]", "owed: {1: -250, 2/2: 0}", "owed: {}"),
    ("returns", "", "{do: bet 3 100, find: LATE_BET}", "returns: {3: 100}", "returns: {}"),
    ("holds", "", "{do: cards 5C, find: EXTRA_CARD}", "holds: EXTRA_CARD", "holds: []"),
    (
        "holds",
        "",
        "{do: cards 5C, find: EXTRA_CARD}",
        "holds: EXTRA_CARD void_round exposed burn next_card",
        "holds: X",
    ),
    ("holds", "", "{do: cards 5C, find: EXTRA_CARD}", "holds: EXTRA_CARD", "holds: EXTRA_CARD burn"),
    ("open", "", "{do: pay 1 500, find: PAY_EARLY}", "open: PAY_EARLY", "open: PAY_EARLY accept"),
    ("cards 2", "", "do: stand 1", "cards: {2: 9C 8C, dealer: 7H}", "cards: {2: 9C}"),
    ("cards 5", "", "do: stand 1", "cards: {5: ''}", "cards: {5: 9C}"),
    ("view shoe.left", "", "do: stand 1", "view: {shoe.left: 306}", "view: {shoe.left: 307}"),
    ("view boxes.1.decider", "", "do: stand 1", "view: {boxes.1.decider: 2}", "view: {boxes.1.decider: 1}"),
    ("view boxes.9.decider", "", "do: stand 1", "view: {boxes.9.decider: ~}", "view: {boxes.9.decider: 1}"),
    ("journal", "", "do: stand 1", "journal: {type: hand.decision, action: stand}", "journal: hand.busted"),
    ("journal", "", "do: stand 1", "journal: [player.decision, hand.decision]", "journal: [hand.decision, card.dealt]"),
    ("net", "", "do: [surrender 1, settle]", "net: {1: -250}", "net: {1: -500}"),
    ("net", "", "do: [surrender 1, settle]", "net: {1: -250, 2/2: 0}", "net: {}"),
]


@pytest.mark.parametrize(("key", "before", "done", "right", "wrong"), CASES, ids=[f"{c[0]}-{c[4]}" for c in CASES])
def test_an_expectation_holds_or_is_told(
    played: Play, key: str, before: str, done: str, right: str, wrong: str
) -> None:
    def text(expectation: str) -> str:
        if done.startswith("{"):
            return f"steps:\n{DEALT}  - {done}\n  - {expectation}\n"
        return f"steps:\n{DEALT}  - {done}\n    {expectation}\n"

    assert played(text(right)).failure is None
    failure = played(text(wrong)).failure
    assert failure is not None
    assert [m.key for m in failure.mismatches] == [key]
    (mismatch,) = failure.mismatches
    assert mismatch.expected != mismatch.found


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("shoe.lefft", "no lefft; there are number, cards, drawn, left"),
        ("boxes.1.number", "no number; there are box, decider, mains"),
        ("shoo", "no shoo; there are "),
    ],
)
def test_a_misspelt_path_of_the_picture_never_holds(played: Play, path: str, told: str) -> None:
    """Else ``~``, nothing there, would be true of every slip."""
    failure = played(f"steps:\n{DEALT}  - do: stand 1\n    view: {{{path}: ~}}\n").failure
    assert failure is not None
    assert failure.mismatches[0].found.startswith(told)


def test_every_key_is_shown_to_fail() -> None:
    shown = {key.split()[0] for key, *_ in CASES}
    assert shown == set(Step.model_fields) - {"do"}
    assert set(Expect.model_fields) == set(Step.model_fields) - {"do", "find", "rejected"}


def test_a_failure_says_where_what_and_how_the_table_stood(played: Play) -> None:
    result = played(f"steps:\n{DEALT}  - stand 1\n  - do: hit 1\n    phase: dealer\n")
    failure = result.failure
    assert failure is not None
    assert (failure.line, failure.text) == (8, "hit 1")
    assert {m.key: (m.expected, m.found) for m in failure.mismatches} == {
        "find": ("nothing", "refused HAND_FINISHED"),
        "phase": ("dealer", "players"),
    }
    assert failure.stood == "players, expected next: decide 2; dealer 7H; 1 TS 8D; 2 9C 8C"
    assert result.verdicts == 1


def test_the_first_step_that_does_not_hold_is_the_last_one_played(played: Play) -> None:
    failure = played(f"steps:\n{DEALT}  - hit 2\n  - hit 1\n  - hit 2\nexpect: {{phase: closed}}\n").failure
    assert failure is not None
    assert failure.text == "hit 2"


def test_what_must_be_found_at_the_end(played: Play) -> None:
    text = f"steps:\n{DEALT}expect:\n  journal: [round.opened, round.bets_closed]\n  phase: PHASE\n"
    assert played(text.replace("PHASE", "players")).failure is None
    failure = played(text.replace("PHASE", "betting")).failure
    assert failure is not None
    assert (failure.line, failure.text) == (7, "at the end")


@pytest.mark.parametrize(
    ("steps", "wanted", "found"),
    [
        ("[bet 1 500, cards TS TH 8D, finish]", "the round settled", "players: decide 1"),
        ("[play]", "a round that goes on by itself", "betting: bets"),
        ("[bet 1 500, prepare shuffle]", "a step towards shuffle", "betting: bets, no_more_bets"),
    ],
)
def test_a_routine_that_cannot_go_on_says_so(played: Play, steps: str, wanted: str, found: str) -> None:
    failure = played(f"steps: {steps}\n").failure
    assert failure is not None
    assert [(m.key, m.expected, m.found) for m in failure.mismatches] == [("act", wanted, found)]


def test_an_empty_shoe_ends_the_scenario_with_a_reason(played: Play) -> None:
    failure = played("shoe: 5C KD\nsteps: [bet 1 500, draw 2]\n").failure
    assert failure is not None
    assert [m.found for m in failure.mismatches] == ["it is empty"]


@pytest.mark.parametrize("phase", ["closed", "inspection", "shuffle", "cut", "load", "burn", "betting"])
def test_a_scenario_begins_where_it_says(played: Play, phase: str) -> None:
    assert played(f"start: {phase}\nsteps: [{{phase: {phase}}}]\n").failure is None


def test_a_way_to_the_beginning_that_fails_is_told(played: Play) -> None:
    failure = played("burn: XX\nsteps: [bet 1 500]\n").failure
    assert failure is not None
    assert failure.text == "on the way to betting"
    assert failure.mismatches[0].found == "hold CARD_UNREADABLE"


@pytest.mark.parametrize(("keys", "left", "burned"), [("", 311, 1), ("burn: 5C 6D\n", 310, 2), ("shoe: 5C\n", 311, 1)])
def test_the_burn_is_as_small_as_allowed_or_as_given(played: Play, keys: str, left: int, burned: int) -> None:
    text = f"{keys}steps: [{{view: {{shoe.left: {left}, shoe.burned: {burned}}}}}]\n"
    assert played(text).failure is None


def test_a_seeded_round_plays_itself_and_money_is_conserved(written: Callable[[str], Scenario], played: Play) -> None:
    text = "seed: 3\nsteps:\n  - [bet 1 500, bet 5 1000, play]\nexpect: {phase: betting}\n"
    first, again = played(text), played(text)
    assert first.failure is None
    assert first.trace == again.trace
    changed = played(text.replace("seed: 3", "seed: 4"))
    assert changed.trace != first.trace
