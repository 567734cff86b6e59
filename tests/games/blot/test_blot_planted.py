"""Planted bugs: each one is noticed by the campaign, the given cases or a short script; without one, nothing is."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.blot_campaign import run
from bench.blot_rounds import UnexpectedVerdictError
from controller.core.cards import Card
from controller.core.inputs import CardDrawn, CardUnreadable
from controller.games.blot import GAME, announce, cards, declarations, flow, legal, play, score, scoring
from controller.games.blot.declarations import Combination
from controller.games.blot.rules import Rules
from controller.games.blot.score import Counted, RoundScore
from controller.games.blot.state import Phase, Work

GIVEN: dict[str, list[dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parent / "given_cases.toml").read_text(encoding="utf-8")
)
ONE = "KS QS JS TS 9D TC 9C QC JD"
TWO = "AS AH KH QH JH TH AD AC KC"
Patches = dict[str, Any]


class Real:
    """What the game does without a bug."""

    counted = staticmethod(announce.counted)
    contest = staticmethod(declarations.contest)
    strength = staticmethod(declarations.strength)
    run = staticmethod(declarations._run)
    blot_points = staticmethod(declarations.blot_points)
    fall = staticmethod(score._fall)
    rounded = staticmethod(score.rounded)
    score_round = staticmethod(score.score_round)
    match_winner = staticmethod(score.match_winner)
    open_play = staticmethod(flow.open_play)
    second_plan = staticmethod(flow.second_plan)
    give_up = staticmethod(play.give_up)
    recorded = staticmethod(scoring.recorded)
    legal = staticmethod(legal.legal)


def wrong_scores() -> Iterator[str]:
    """Given scores and matches that do not come out."""
    for form, target in (("short", 101), ("long", 1001)):
        rules = Rules.model_validate({"form": form, "target": target})
        for case in GIVEN["scoring"]:
            pairs = [(case[f"{what}_N"], case[f"{what}_D"]) for what in ("cards", "combos", "blot", "tricks")]
            result = vars(scoring)["score_round"](rules, "ND".index(case["taker"]), Counted(*pairs))
            if (result.status, *result.points) != (case["status"], case[f"{form}_N"], case[f"{form}_D"]):
                yield case["id"]
    for case in GIVEN["match"]:
        totals = (case["after_N"], case["after_D"])
        winner = vars(scoring)["match_winner"](Rules(target=case["target"]), totals, (0, 0), 0)
        if winner != {"N": 0, "D": 1}.get(case["result"], -1):
            yield case["id"]


def wrong_words(felt: Callable[..., Any]) -> Iterator[str]:
    """Things that must be refused and are not, in one short round and a blind one."""
    table = felt()
    table.deal(ONE, TWO, "QH")
    lines = {
        "1 hearts 1": "BID_NOT_ALLOWED",
        "1 pass": "",
        "2 pass": "",
        "1 hearts 2": "BID_NOT_ALLOWED",
        "1 pass ": "",
        "2 pass ": "MUST_TAKE",
        "2 diamonds 1": "",
        "card 9H": "",
        "card KD": "",
        "card QD": "",
        "card KC": "",
        "card TD": "",
        "1 announce_run 5": "FALSE_COMBINATION",
        "1 plays KS": "",
        "1 announce_run 4": "LATE_COMBINATION",
        "2 plays KC": "REVOKE",
        "1 plays QS": "OUT_OF_TURN",
        "2 plays AS": "",
        "1 give_up": "OUT_OF_TURN",
        "2 give_up": "",
        "1 score 20": "WRONG_SCORE",
    }
    for line, code in lines.items():
        if table.say(line) != ([code] if code else []):
            yield f"{line}: not {code or 'accepted'}"
            return
    points = table.game.score.points
    table.say(f"1 score {points[0]}", f"2 score {points[1]}", "collect 24")
    if table.the_deal.dealer != 1:
        yield "the dealer does not change"


def wrong_duties(felt: Callable[..., Any]) -> Iterator[str]:
    """Trumps that must be played, and beaten."""
    table = felt()
    table.deal("KS QS JS TS 9S TC 9C QC 9H", TWO, "QH", "1 pass", "2 take")
    lines = {"1 plays 9H": "", "2 plays AH": "MUST_OVERTRUMP", "2 plays JH": "", "2 plays AS": "", "1 plays KS": ""}
    lines |= {"2 plays AC": "", "1 plays 9C": "", "2 plays KC": "", "1 plays TC": "", "1 plays QS": ""}
    lines |= {"2 plays AD": "MUST_TRUMP"}
    for line, code in lines.items():
        if table.say(line) != ([code] if code else []):
            yield f"{line}: not {code or 'accepted'}"
            return


def wrong_blind(felt: Callable[..., Any]) -> Iterator[str]:
    """A revoke that only comes to light later, a card of the other hand, and secrets that are none."""
    table = felt(unread_cards="blind")
    hands, bids = {0: ["QH"], 1: ONE.split(), 2: TWO.replace("QH ", "").split()}, ["1 pass", "2 take"]
    while table.game.phase is not Phase.PLAY:
        if table.game.phase is Phase.BIDDING:
            table.say(bids.pop(0))
            continue
        place = table.the_deal.plan[table.the_deal.dealt]
        event = CardDrawn("shoe", Card(hands[place].pop(0)))
        if bool(GAME.hidden(table.state.rules, table.game, event, held=False)) is not bool(place):
            yield "a card that should be hidden is public, or the other way round"
            return
        table.put(CardUnreadable("shoe") if event.card.text == "AS" else event)
    table.say("1 plays KS", "2 plays QH", "2 plays AD", "1 plays 9D")
    if table.say("2 plays AS") != ["REVOKE"]:
        yield "a revoke that came to light goes unnoticed"
    table.command("accept")
    if table.say("1 plays KC") != ["CARD_NOT_OWNED"]:
        yield "a card of the other hand is accepted"


def anything_wrong(felt: Callable[..., Any]) -> bool:
    """True when anything notices anything."""
    try:
        if any(
            True for found in (wrong_scores(), wrong_words(felt), wrong_duties(felt), wrong_blind(felt)) for _ in found
        ):
            return True
        for seed in range(6):
            if run(rounds=80, checked=40, positions=60, seed=seed).wrong:
                return True
    except UnexpectedVerdictError:
        return True
    return False


def higher(orders: Callable[[int, int], tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """A table of higher cards by another order."""
    tables = []
    for contract in range(6):
        table = [0] * 52
        for suit in range(4):
            ranks = orders(contract, suit)
            for place, rank in enumerate(ranks):
                above = ranks[place + 1 :]
                table[13 * suit + rank - 1] = sum(1 << (13 * suit + other - 1) for other in above)
        tables.append(tuple(table))
    return tuple(tables)


def nine_below_ace(contract: int, suit: int) -> tuple[int, ...]:
    return (12, 13, 10, 9, 1, 11) if cards.is_trump(contract, suit) else (9, 11, 12, 13, 10, 1)


def ten_below_king(contract: int, suit: int) -> tuple[int, ...]:
    return cards.order(contract, suit) if cards.is_trump(contract, suit) else (9, 11, 12, 10, 13, 1)


def points_with(contract: int, card: str, points: int) -> Patches:
    tables = [list(table) for table in cards.POINTS]
    tables[contract][Card(card).index] = points
    return {"play.POINTS": tables, "cards.POINTS": tables}


def order_table(orders: Callable[[int, int], tuple[int, ...]]) -> Patches:
    return {"cards.HIGHER": higher(orders), "legal.HIGHER": higher(orders)}


def with_rules(**changes: Any) -> Callable[..., RoundScore]:
    def scored(rules: Rules, taker: int, counted: Counted) -> RoundScore:
        return Real.score_round(rules.model_copy(update=changes), taker, counted)

    return scored


def undealt_forgotten(rules: Rules, taker: int, counted: Counted, bonus: list[int]) -> RoundScore:
    both = [counted.cards[p] + bonus[p] for p in (0, 1)]
    points = [Real.rounded(rules, p) for p in both] if rules.form == "short" else both
    return RoundScore("made", taker, (points[0], points[1]))


def blot_in_the_contest(*given: Any) -> list[Combination]:
    found = Real.counted(*given)
    _, deal, now, seat = given
    worth = Real.blot_points(deal.contract, now.start[seat - 1])
    return [*found, Combination("run", 3, 13, deal.contract, 0, worth)] if worth else found


def everything_announced_counts(rules: Rules, deal: Any, now: Any, seat: int) -> list[Combination]:
    return Real.counted(rules, deal, replace(now, shown=now.start), seat)


def second_wins_ties(rules: Rules, contract: int, first: Any, second: Any) -> tuple[int, int, int]:
    who, mine, theirs = Real.contest(rules, contract, second, first)
    return who, theirs, mine


def both_count(rules: Rules, contract: int, first: Any, second: Any) -> tuple[int, int, int]:
    return 1, sum(c.points for c in first), sum(c.points for c in second)


def runs_beat_fours(*given: Any) -> tuple[int, ...]:
    kind, *rest = Real.strength(*given)
    return (1 - kind, *rest)


def four_by_points_alone(*given: Any) -> tuple[int, ...]:
    kind, points, place, trump = Real.strength(*given)
    return (kind, points, 0, 0) if kind else (kind, points, place, trump)


def trump_run_is_no_better(*given: Any) -> tuple[int, ...]:
    return (*Real.strength(*given)[:3], 0)


def no_combinations_of_the_taker(rules: Rules, status: Any, winner: int, counted: Counted, total: int) -> RoundScore:
    own = counted.combinations[winner]
    only = (own, 0) if winner == 0 else (0, own)
    return Real.fall(rules, status, winner, replace(counted, combinations=only), total)


def taker_leads(w: Work, deal: Any) -> None:
    Real.open_play(w, deal)
    assert w.state.play is not None
    w.state = replace(w.state, play=replace(w.state.play, turn=deal.taker))


def led_card_is_forgotten(w: Work, seat: int) -> None:
    if w.state.play is not None:
        w.state = replace(w.state, play=replace(w.state.play, led=-1))
    Real.give_up(w, seat)


def one_more_for_the_taker(dealer: int, taker: int, *, kept: bool, taker_first: bool) -> tuple[int, ...]:
    plan = Real.second_plan(dealer, taker, kept=kept, taker_first=taker_first)
    return (*plan, taker) if kept else plan


def any_score_is_right(w: Work, event: Any) -> None:
    result = w.state.score
    if result is not None:
        event = replace(event, amount_minor=result.points[event.box - 1])
    Real.recorded(w, event)


def blot_in_no_trump(contract: int, nine: int) -> int:
    return Real.blot_points(0 if contract == 4 else contract, nine)


def over_the_target(rules: Rules, totals: Any, wins: Any, taker: int) -> int:
    return Real.match_winner(rules.model_copy(update={"target": rules.target + 1}), totals, wins, taker)


def must_trump_only_with_the_suit(hand: int, led: int, contract: int, *, beat_plain: bool = False) -> int:
    same = hand & cards.SUIT_MASKS[led // 13] if led >= 0 else 0
    return Real.legal(hand, led, contract, beat_plain=beat_plain) if same else hand


def longest_run_is_worth_150(*given: Any) -> Combination:
    run_found: Combination = Real.run(*given)
    return replace(run_found, points=150) if run_found.size == 5 else run_found


BUGS: dict[str, Patches] = {
    "undealt points forgotten": {"score._made": undealt_forgotten},
    "five rounded up": {"score.rounded": lambda _rules, points: (points + 5) // 10},
    "rounded down": {"score.rounded": lambda _rules, points: points // 10},
    "made or failed decided on rounded points": {
        "scoring.score_round": lambda rules, taker, c: Real.score_round(
            rules, taker, replace(c, cards=(10 * (c.cards[0] // 10), 10 * (c.cards[1] // 10)))
        )
    },
    "Blot inside the contest": {"announce.counted": blot_in_the_contest},
    "Blot in no-trump": {"scoring.blot_points": blot_in_no_trump},
    "Blot stays with a taker who fails": {"scoring.score_round": with_rules(blot_moves_on_fail=False)},
    "nine below ace in trumps": order_table(nine_below_ace),
    "ten below king in plain suits": order_table(ten_below_king),
    "overtrump not required": {"legal._must_beat": lambda *_: False},
    "beating required in plain suits": {"legal._must_beat": lambda *_: True},
    "void of the suit, any card goes": {
        "play.legal": must_trump_only_with_the_suit,
        "legal.legal": must_trump_only_with_the_suit,
    },
    "anything may be played": {"play.legal": lambda hand, *_, **__: hand},
    "tie made": {"scoring.score_round": with_rules(tie="taker_makes")},
    "capot not seen": {"score._capot": lambda *_: -1},
    "capot by tricks": {"scoring.score_round": with_rules(capot_trigger="no_tricks")},
    "capot worth a normal round": {"score._capot_points": lambda rules: 16 if rules.form == "short" else 162},
    "failed contract gives only what was captured": {"scoring.score_round": with_rules(fail_total="captured")},
    "the taker's combinations vanish": {"score._fall": no_combinations_of_the_taker},
    "no 10 for the last trick": {"play.LAST_TRICK": 0},
    "jack of trumps counts 2": points_with(1, "JH", 2),
    "ace in no-trump counts 11": points_with(4, "AS", 11),
    "the dealer wins equal combinations": {"scoring.contest": second_wins_ties},
    "both sides score combinations": {"scoring.contest": both_count},
    "runs beat fours": {"declarations.strength": runs_beat_fours},
    "equal fours by points alone": {"declarations.strength": four_by_points_alone},
    "a run of trumps is no better": {"declarations.strength": trump_run_is_no_better},
    "five in a run are 150": {"declarations._run": longest_run_is_worth_150},
    "only the best one scores": {"declarations._scored": lambda _r, _c, found: max(c.points for c in found)},
    "unshown combinations count": {"announce.counted": everything_announced_counts},
    "announcements at any time": {"announce.may_announce": lambda *_: True},
    "any combination is believed": {"announce.resolve": lambda _r, _c, _cards, claims: (object(),) * len(claims)},
    "the taker leads": {"flow.open_play": taker_leads},
    "the taker gets one card too many": {"flow.second_plan": one_more_for_the_taker},
    "a Jack may be passed": {"bidding.JACK": 99},
    "the last may pass": {"bidding._forced": lambda _deal: False},
    "the turned-up suit may be named again": {"bidding.why_not_contract": lambda *_: ""},
    "giving up forgets the card led": {"play.give_up": led_card_is_forgotten},
    "any record of the score is right": {"scoring.recorded": any_score_is_right},
    "a match ends above its target": {"scoring.match_winner": over_the_target},
    "the same player deals for ever": {"flow.step_dealer": lambda _rules, dealer, _winner: dealer},
    "nothing is hidden": {"dealing.hidden": lambda *_: ""},
    "denied suits are forgotten": {"unread.find_denial": lambda *_: None},
    "any card is one's own": {"unread.owned": lambda *_: True},
}


def test_nothing_is_noticed_where_nothing_is_wrong(felt: Callable[..., Any]) -> None:
    assert not anything_wrong(felt)


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_noticed(felt: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, bug: str) -> None:
    for name, value in BUGS[bug].items():
        monkeypatch.setattr(f"controller.games.blot.{name}", value)
    assert anything_wrong(felt)
