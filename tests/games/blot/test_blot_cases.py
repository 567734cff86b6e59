"""The given cases: what may be played, tricks, combinations, scores, matches and whole rounds."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.core.cards import Card
from controller.games.blot import GAME
from controller.games.blot.cards import CONTRACTS, POINTS, beats, cards_of, mask_of
from controller.games.blot.declarations import all_in, blot_points, contest
from controller.games.blot.facts import RoundScored, TrickWon
from controller.games.blot.legal import legal
from controller.games.blot.rules import Rules
from controller.games.blot.score import Counted, match_winner, score_round
from controller.games.blot.state import Phase

GIVEN: dict[str, list[dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parent / "given_cases.toml").read_text(encoding="utf-8")
)
BIDS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", "NT": "no_trump"}
WORDS = {"TAKE": "take", "PASS": "pass"}


def given(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", GIVEN[kind], ids=[c.get("id", str(n)) for n, c in enumerate(GIVEN[kind])])


def cards(text: str) -> int:
    return mask_of(Card(card) for card in text.split())


def test_all_given_cases_are_here() -> None:
    counts = {kind: len(found) for kind, found in GIVEN.items()}
    assert counts == {"legal": 9, "trick": 3, "declarations": 11, "scoring": 12, "match": 5, "round": 3}


@given("legal")
def test_legal(case: dict[str, Any]) -> None:
    led = Card(case["led"]).index if case["led"] else -1
    assert legal(cards(case["hand"]), led, CONTRACTS.index(case["contract"])) == cards(case["legal"])


@given("trick")
def test_trick(case: dict[str, Any]) -> None:
    contract = CONTRACTS.index(case["contract"])
    led, reply = Card(case["led"]).index, Card(case["reply"]).index
    assert beats(contract, led, reply) is (case["winner"] == "follower")
    assert POINTS[contract][led] + POINTS[contract][reply] == case["points"]


@given("declarations")
def test_declarations(case: dict[str, Any]) -> None:
    rules, contract = Rules(), CONTRACTS.index(case["contract"])
    first, second = cards(case["hand_N"]), cards(case["hand_D"])
    winner, mine, theirs = contest(rules, contract, all_in(rules, contract, first), all_in(rules, contract, second))
    assert {1: "N", 2: "D"}[winner] == case["contest_winner"]
    assert mine + blot_points(contract, first) == case["points_N"]
    assert theirs + blot_points(contract, second) == case["points_D"]


def test_equal_fours_in_natural_order() -> None:
    case = next(c for c in GIVEN["declarations"] if c["id"] == "D8")
    rules = Rules(equal_fours="natural")
    first, second = (all_in(rules, 1, cards(case[f"hand_{who}"])) for who in "ND")
    assert contest(rules, 1, first, second) == (1, 100, 0)


@pytest.mark.parametrize(("form", "target"), [("short", 101), ("long", 1001)])
@given("scoring")
def test_scoring(case: dict[str, Any], form: str, target: int) -> None:
    rules = GAME.parse_rules({"form": form, "target": target})
    pairs = [(case[f"{what}_N"], case[f"{what}_D"]) for what in ("cards", "combos", "blot", "tricks")]
    result = score_round(rules, "ND".index(case["taker"]), Counted(*pairs))
    assert (result.status, *result.points) == (case["status"], case[f"{form}_N"], case[f"{form}_D"])


def test_a_capot_by_tricks_only() -> None:
    rules = Rules(capot_trigger="no_tricks")
    counted = Counted((125, 0), (0, 0), (0, 0), (8, 1))
    assert score_round(rules, 0, counted).points == (16, 0)
    assert score_round(rules.model_copy(update={"form": "long"}), 0, counted).points == (162, 0)


@given("match")
def test_match(case: dict[str, Any]) -> None:
    totals = (case["before_N"] + case["round_N"], case["before_D"] + case["round_D"])
    assert totals == (case["after_N"], case["after_D"])
    winner = match_winner(Rules(target=case["target"]), totals, (0, 0), 0)
    assert winner == {"N": 0, "D": 1}.get(case["result"], -1)


def bid(case: dict[str, Any], number: int, text: str) -> str:
    """A bid of a given round as the table hears it; N is seat 1."""
    seat = number % 2 + 1
    word, *rest = text.split()
    if word != "NAME":
        return f"{seat} {WORDS[word]}"
    return f"{seat} {BIDS[rest[0]]} {1 if rest[1] == 'keep' else 2}"


@pytest.mark.parametrize(("form", "target"), [("short", 101), ("long", 1001)])
@given("round")
def test_a_whole_round(felt: Callable[..., Any], case: dict[str, Any], form: str, target: int) -> None:
    table = felt(form=form, target=target)
    bids = [bid(case, number, text) for number, text in enumerate(case["bids"])]
    assert table.deal(case["handN"], case["handD"], case["up"], *bids) == []
    assert table.phase == Phase.PLAY
    assert table.the_deal.kept is case["kept"]
    for number, trick in enumerate(case["tricks"]):
        leader, led, reply, winner, points = trick.split()
        seats = (1, 2) if leader == "N" else (2, 1)
        for seat, card in zip(seats, (led, reply), strict=True):
            hand = table.the_play.start[seat - 1]
            combos = all_in(GAME.parse_rules({}), table.the_deal.contract, hand)
            assert sorted(" ".join(c.text for c in cards_of(x.cards)) for x in combos) == sorted(
                " ".join(c.text for c in cards_of(cards(text))) for text in case[f"combos_{'ND'[seat - 1]}"]
            )
            if number == 0:
                assert table.say(*[f"{seat} announce_{c.kind} {c.size}" for c in combos]) == []
            if number == 1 and combos:
                assert table.say(f"{seat} show 0") == []
            assert table.say(f"{seat} plays {card}") == []
        won = table.last(TrickWon)
        assert (won.winner, won.points) == ("ND".index(winner) + 1, int(points) + 10 * (number == 8))
    scored = table.last(RoundScored)
    assert scored.taker == "ND".index(case["taker"]) + 1
    assert scored.contract == case["contract"]
    assert scored.status == case["status"]
    assert [*scored.cards] == case["cards"]
    assert [*scored.combinations] == case["counted"]
    assert [*scored.blot] == case["blot"]
    assert [*scored.points] == case[form]
    assert scored.undealt == 162 - sum(case["cards"])
    assert table.say(f"1 score {case[form][0]}", f"2 score {case[form][1]}", "collect 24") == []
    assert list(table.game.match.totals) == case[form]
