"""A second scorer of Blot, written from the rules for the tests alone: it shares no code with the game.

It reads a round as words (the steps of `bench.blot_rounds.Round`), works on lists of cards as text, in the slowest and
plainest way, and says what the round came to. It trusts the steps: whether a step was legal is not its matter.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

DEFAULTS: Mapping[str, Any] = {
    "deal_pattern": [3, 3],
    "second_deal_first": "N",
    "winner_scores": "all",
    "zero_four": "ignored",
    "equal_fours": "strength",
    "overlap": False,
    "form": "short",
    "tie": "taker_fails",
    "fail_total": "162",
    "blot_moves_on_fail": True,
    "capot_trigger": "no_points",
    "capot_long": 212,
    "rounding": "six_up",
    "give_up_counts": "shown",
}
WORDS = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C", "no_trump": "NT", "all_trump": "AT"}
PACK = [rank + suit for suit in "SHDC" for rank in "9TJQKA"]
WORTH = {
    "trump": {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3},
    "plain": {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0},
    "NT": {"A": 19, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0},
    "AT": {"J": 14, "9": 9, "A": 6, "T": 5, "K": 3, "Q": 1},
}
FOUR = {"J": 200, "9": 140, "A": 110, "T": 100, "K": 100, "Q": 100}
FOUR_NT = {"A": 190, "T": 100, "J": 100, "Q": 100, "K": 100, "9": 0}
PIPS = {1: "A", 9: "9", 10: "T", 11: "J", 12: "Q", 13: "K"}


def worth(card: str, contract: str) -> int:
    """Points of a card."""
    if contract in {"NT", "AT"}:
        return WORTH[contract][card[0]]
    return WORTH["trump" if card[1] == contract else "plain"][card[0]]


def wins(led: str, reply: str, contract: str) -> bool:
    """Whether the reply takes the trick."""
    if reply[1] != led[1]:
        return reply[1] == contract
    order = "QKTA9J" if contract in {led[1], "AT"} else "9JQKTA"
    return order.index(reply[0]) > order.index(led[0])


@dataclass
class Combo:
    """A combination: its cards, points, and what compares it."""

    cards: frozenset[str]
    points: int
    rank: tuple[int, ...]


def four_of(rank: str, contract: str, keys: Mapping[str, Any]) -> Combo | None:
    """Four of a rank as a combination."""
    points = (FOUR_NT if contract == "NT" else FOUR)[rank]
    if not points and keys["zero_four"] == "ignored":
        return None
    order = "9TJQKA" if keys["equal_fours"] == "natural" else "9JQKTA" if contract == "NT" else "QKTA9J"
    return Combo(frozenset(rank + suit for suit in "SHDC"), points, (2, points, order.index(rank)))


def run_of(top: int, length: int, suit: str, contract: str) -> Combo:
    """A run by the place of its top card in the order of runs."""
    names = "9TJQKA"[top - length + 1 : top + 1]
    cards = frozenset(rank + suit for rank in names)
    return Combo(cards, {3: 20, 4: 50, 5: 100}[length], (1, length, top, int(suit == contract)))


def whole_runs(cards: Iterable[str]) -> list[tuple[str, int, int]]:
    """The longest runs of three or more: suit, place of the top card, length."""
    held = set(cards)
    found = []
    for suit in "SHDC":
        places = [i for i, rank in enumerate("9TJQKA") if rank + suit in held]
        for _, group in itertools.groupby(enumerate(places), lambda pair: pair[1] - pair[0]):
            block = [place for _, place in group]
            if len(block) >= 3:
                found.append((suit, block[-1], len(block)))
    return found


def best_reading(
    claims: Sequence[tuple[str, int]], cards: Iterable[str], contract: str, keys: Mapping[str, Any]
) -> list[Combo | None]:
    """What the claims are at best among these cards: every way to match them is tried, the most claims first, then the
    strongest in the order of length."""
    held = set(cards)
    found: list[Combo | None] = [None] * len(claims)
    rest = set(held)
    for i, (kind, size) in enumerate(claims):
        if kind == "four" and (size, kind) not in {(s, k) for k, s in claims[:i]}:
            four = four_of(PIPS[size], contract, keys)
            if four is not None and four.cards <= held:
                found[i] = four
                if not keys["overlap"]:
                    rest -= four.cards
    runs = whole_runs(rest)
    asked = [i for i, (kind, _) in enumerate(claims) if kind == "run"]
    asked.sort(key=lambda i: -claims[i][1])
    best: tuple[Any, ...] = ()
    for choice in itertools.permutations([*range(len(runs)), *([-1] * len(asked))], len(asked)):
        fits = [n for n in choice if n >= 0]
        if any(n >= 0 and runs[n][2] < claims[i][1] for i, n in zip(asked, choice, strict=True)):
            continue
        strong = [(runs[n][1], runs[n][0] == contract or contract == "AT") if n >= 0 else (-1, False) for n in choice]
        # Among equal runs of plain suits the first one counts; which one it is changes no score.
        candidate = (len(fits), strong, [-n for n in choice], choice)
        best = max(best, candidate)
    if best:
        for i, n in zip(asked, best[3], strict=True):
            if n >= 0:
                found[i] = run_of(runs[n][1], claims[i][1], runs[n][0], contract)
    return found


@dataclass
class Result:
    """What a round came to; pairs are of seat 1 and 2."""

    contract: str = ""
    taker: int = 0
    status: str = ""
    cards: list[int] = field(default_factory=lambda: [0, 0])
    tricks: list[int] = field(default_factory=lambda: [0, 0])
    combinations: list[int] = field(default_factory=lambda: [0, 0])
    blot: list[int] = field(default_factory=lambda: [0, 0])
    undealt: int = 0
    points: list[int] = field(default_factory=lambda: [0, 0])
    hands: list[set[str]] = field(default_factory=lambda: [set(), set()])
    winner: int = 0


class Referee:
    """Reads one round from its steps."""

    def __init__(self, keys: Mapping[str, Any], dealer: int) -> None:
        self.keys = {**DEFAULTS, **keys}
        self.n, self.d = 3 - dealer, dealer
        self.result = Result()
        self.up = ""
        self.kept = False
        self.places: list[int] = []
        for size in self.keys["deal_pattern"]:
            self.places += [self.n] * size + [self.d] * size
        self.places.append(0)
        self.claims: list[list[tuple[str, int]]] = [[], []]
        self.showed: list[list[int]] = [[], []]
        self.played: list[tuple[int, str]] = []
        self.gave_up = 0

    def judge(self, steps: Sequence[tuple[Any, ...]]) -> Result:
        """The result of the round."""
        for step in steps:
            getattr(self, "_" + step[0])(*step[1:])
        self._tricks()
        self._combinations()
        self._score()
        return self.result

    def _card(self, card: str) -> None:
        place = self.places.pop(0)
        if place == 0:
            self.up = card
        else:
            self.result.hands[place - 1].add(card)

    def _bid(self, seat: int, word: str, value: int) -> None:
        if word == "pass":
            return
        self.kept = word == "take" or value == 1
        self.result.taker = seat
        self.result.contract = self.up[1] if word == "take" else WORDS[word]
        if self.kept:
            self.result.hands[seat - 1].add(self.up)
        first = seat if self.keys["second_deal_first"] == "taker" else self.n
        for place in (first, 3 - first):
            self.places += [place] * (2 if self.kept and place == seat else 3)

    def _announce(self, seat: int, kind: str, size: int) -> None:
        self.claims[seat - 1].append((kind, size))

    def _show(self, seat: int, number: int) -> None:
        self.showed[seat - 1].append(number)

    def _play(self, seat: int, card: str) -> None:
        self.played.append((seat, card))

    def _give_up(self, seat: int) -> None:
        self.gave_up = seat

    def _tricks(self) -> None:
        r = self.result
        pairs = list(zip(self.played[::2], self.played[1::2], strict=False))
        for (leader, led), (other, reply) in pairs:
            winner = other if wins(led, reply, r.contract) else leader
            r.tricks[winner - 1] += 1
            r.cards[winner - 1] += worth(led, r.contract) + worth(reply, r.contract)
        last = winner if pairs else 0
        if self.gave_up:
            last = 3 - self.gave_up
            done = {card for pair in pairs for _, card in pair}
            left = (r.hands[0] | r.hands[1]) - done
            r.cards[last - 1] += sum(worth(card, r.contract) for card in left)
            r.tricks[last - 1] += 9 - len(pairs)
        r.cards[last - 1] += 10
        out = [card for card in PACK if card not in r.hands[0] | r.hands[1]]
        r.undealt = sum(worth(card, r.contract) for card in out)

    def _counting(self, seat: int) -> list[Combo]:
        """The combinations that the seat may count."""
        claims = self.claims[seat - 1]
        hand = self.result.hands[seat - 1]
        mine = sum(1 for who, _ in self.played if who == seat)
        if self.gave_up and self.keys["give_up_counts"] == "announced" and mine < 2:
            visible = set(hand)
        else:
            whole = best_reading(claims, hand, self.result.contract, self.keys)
            visible = set()
            for number in self.showed[seat - 1]:
                for combo in whole[number - 1 : number] if number else whole:
                    visible |= combo.cards if combo else set()
        return [c for c in best_reading(claims, visible, self.result.contract, self.keys) if c is not None]

    def _combinations(self) -> None:
        r = self.result
        sets = {seat: self._counting(seat) for seat in (1, 2)}
        tops = {seat: max((c.rank for c in sets[seat]), default=None) for seat in (1, 2)}
        mine, theirs = tops[self.n], tops[self.d]
        best = self.n if theirs is None or (mine is not None and mine >= theirs) else self.d
        if sets[best]:
            counted = sets[best]
            if self.keys["winner_scores"] == "best":
                counted = [max(counted, key=lambda c: c.rank)]
            r.combinations[best - 1] = sum(c.points for c in counted)
        if len(r.contract) == 1:
            for seat in (1, 2):
                if {"K" + r.contract, "Q" + r.contract} <= r.hands[seat - 1]:
                    r.blot[seat - 1] = 20

    def _tens(self, points: int) -> int:
        return points // 10 if self.keys["form"] == "short" else points

    def _rounded(self, points: int) -> int:
        if self.keys["form"] == "long":
            return points
        return points // 10 + (points % 10 > (5 if self.keys["rounding"] == "six_up" else 4))

    def _score(self) -> None:
        r, keys, tens = self.result, self.keys, self._tens
        t = r.taker - 1
        o = 1 - t
        full, capot = (16, 21) if keys["form"] == "short" else (162, keys["capot_long"])
        empty = r.cards if keys["capot_trigger"] == "no_points" else r.tricks
        stays = 0 if keys["blot_moves_on_fail"] else r.blot[t]
        to_other = r.combinations[0] + r.combinations[1] + r.blot[0] + r.blot[1] - stays
        mine, theirs = (r.cards[i] + r.combinations[i] + r.blot[i] for i in (t, o))
        if empty[o] == 0:
            r.status, r.winner = "capot_by_taker", t + 1
            r.points[t] = capot + tens(r.combinations[t] + r.blot[t])
            r.points[o] = tens(r.combinations[o] + r.blot[o])
        elif empty[t] == 0:
            r.status, r.winner = "capot_by_opponent", o + 1
            r.points[o], r.points[t] = capot + tens(to_other), tens(stays)
        elif mine > theirs or (mine == theirs and keys["tie"] == "taker_makes"):
            r.status, r.winner = "made", t + 1
            r.points[o] = self._rounded(r.cards[o]) + tens(r.combinations[o] + r.blot[o])
            r.points[t] = full - self._rounded(r.cards[o]) + tens(r.combinations[t] + r.blot[t])
        else:
            r.status, r.winner = "failed", o + 1
            base = full if keys["fail_total"] == "162" else self._rounded(r.cards[0] + r.cards[1])
            r.points[o], r.points[t] = base + tens(to_other), tens(stays)


def judge(keys: Mapping[str, Any], dealer: int, steps: Sequence[tuple[Any, ...]]) -> Result:
    """What a round came to, by the second scorer."""
    return Referee(keys, dealer).judge(steps)
