"""The score of a round and the end of a match. Players are 0 and 1, whoever deals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from controller.games.blot.cards import FULL
from controller.games.blot.rules import Rules

Status = Literal["made", "failed", "capot_by_taker", "capot_by_opponent"]
Pair = tuple[int, int]

SHORT_FULL = 16
SHORT_CAPOT = 21


@dataclass(frozen=True, slots=True)
class Counted:
    """What a round came to, a number for each player: card points with the last trick's 10, counted combinations, Blot,
    tricks won. A round given up has all that was left on the other side."""

    cards: Pair
    combinations: Pair
    blot: Pair
    tricks: Pair


@dataclass(frozen=True, slots=True)
class RoundScore:
    """The score of a round. ``winner`` is the player (0 or 1) whose round it is."""

    status: Status
    winner: int
    points: Pair


def score_round(rules: Rules, taker: int, counted: Counted) -> RoundScore:
    """Score a round in the form of the rules. A capot comes before everything else; made or failed is decided on
    unrounded points without the undealt cards."""
    other = 1 - taker
    capot = _capot(rules, counted)
    bonus = [counted.combinations[p] + counted.blot[p] for p in (0, 1)]
    if capot == taker:
        return _give(rules, "capot_by_taker", taker, _capot_points(rules) + _bonus(rules, bonus[taker]), bonus[other])
    if capot == other:
        return _fall(rules, "capot_by_opponent", other, counted, _capot_points(rules))
    mine, theirs = counted.cards[taker] + bonus[taker], counted.cards[other] + bonus[other]
    if mine > theirs or (mine == theirs and rules.tie == "taker_makes"):
        return _made(rules, taker, counted, bonus)
    total = FULL if rules.fail_total == "162" else sum(counted.cards)
    if rules.form == "short":
        total = SHORT_FULL if rules.fail_total == "162" else rounded(rules, total)
    return _fall(rules, "failed", other, counted, total)


def rounded(rules: Rules, points: int) -> int:
    """Card points in tens, as the short form counts them."""
    return (points + (4 if rules.rounding == "six_up" else 5)) // 10


def _capot(rules: Rules, counted: Counted) -> int:
    """The player who makes a capot, -1 for none."""
    without = counted.cards if rules.capot_trigger == "no_points" else counted.tricks
    for player in (0, 1):
        if not without[player]:
            return 1 - player
    return -1


def _capot_points(rules: Rules) -> int:
    return SHORT_CAPOT if rules.form == "short" else rules.capot_long


def _bonus(rules: Rules, points: int) -> int:
    return points // 10 if rules.form == "short" else points


def _give(rules: Rules, status: Status, winner: int, points: int, other_bonus: int) -> RoundScore:
    return RoundScore(status, winner, _pair(winner, points, _bonus(rules, other_bonus)))


def _fall(rules: Rules, status: Status, winner: int, counted: Counted, total: int) -> RoundScore:
    """The taker has lost: the taker's combinations, and by default the Blot, count for the other side."""
    taker = 1 - winner
    kept = 0 if rules.blot_moves_on_fail else counted.blot[taker]
    bonus = sum(counted.combinations) + sum(counted.blot) - kept
    return _give(rules, status, winner, total + _bonus(rules, bonus), kept)


def _made(rules: Rules, taker: int, counted: Counted, bonus: list[int]) -> RoundScore:
    other = 1 - taker
    captured = counted.cards[other]
    full = FULL
    if rules.form == "short":
        captured, full = rounded(rules, captured), SHORT_FULL
    points = full - captured + _bonus(rules, bonus[taker])
    return RoundScore("made", taker, _pair(taker, points, captured + _bonus(rules, bonus[other])))


def _pair(player: int, points: int, others: int) -> Pair:
    return (points, others) if player == 0 else (others, points)


def match_winner(rules: Rules, totals: Pair, wins: Pair, taker: int) -> int:
    """Who has won the match after a round that ``taker`` took, -1 while it goes on. ``wins`` are rounds won."""
    count = wins if rules.match_by == "rounds" else totals
    reached = [count[player] >= rules.target for player in (0, 1)]
    if not any(reached):
        return -1
    if not all(reached):
        return 0 if reached[0] else 1
    if rules.match_tie == "taker":
        return taker
    return -1 if count[0] == count[1] else int(count[1] > count[0])
