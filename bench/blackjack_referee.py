"""A second settlement of blackjack, written from the rules alone: it imports nothing of the product.

It is given what an auditor would have: the rule set's keys as plain data and the record of a round as plain words, and
works out for itself what every bet brought. Amounts are net, in the bettor's sign.

The record is a list of tuples: ``bet box person name amount``; ``card box hand face`` with a face such as ``KD`` (box 0
is the dealer, whose hidden card is None until ``dealer faces``); ``decision box hand person word``; and
``split box hand new_hand``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Keys = Mapping[str, Any]
Record = Iterable[tuple[Any, ...]]
Bets = dict[tuple[int, int, str], int]
"""Net by box, person and the name of the bet."""


@dataclass(slots=True)
class PaperHand:
    """A hand as the auditor writes it down; ``chips`` and ``raised`` by person."""

    number: int
    faces: list[str] = field(default_factory=list)
    chips: dict[int, int] = field(default_factory=dict)
    raised: dict[int, int] = field(default_factory=dict)
    divided: bool = False
    given_up: bool = False

    def points(self) -> int:
        """The best total."""
        return count(self.faces)


@dataclass(slots=True)
class PaperBox:
    """A box as the auditor writes it down."""

    hands: dict[int, PaperHand] = field(default_factory=dict)
    insured: dict[int, int] = field(default_factory=dict)
    sides: dict[tuple[int, str], int] = field(default_factory=dict)
    laid_to_split: dict[int, int] = field(default_factory=dict)
    follows: set[int] = field(default_factory=set)
    took_even: set[int] = field(default_factory=set)
    opening: list[str] = field(default_factory=list)


def count(faces: list[str]) -> int:
    """Best total: as many aces as 11 as fit."""
    total, aces = 0, 0
    for face in faces:
        if face[0] == "A":
            aces += 1
            total += 11
        else:
            total += int(face[0]) if face[0].isdigit() else 10
    while total > 21 and aces:
        total, aces = total - 10, aces - 1
    return total


def natural(faces: list[str]) -> bool:
    """An ace and a ten-value, and nothing more."""
    return len(faces) == 2 and any(f[0] == "A" for f in faces) and any(f[0] in "TJQK" for f in faces)


def read(record: Record) -> tuple[dict[int, PaperBox], list[str]]:
    """The boxes and the dealer's cards at the end of a round."""
    boxes: dict[int, PaperBox] = {}
    dealer: list[str] = []
    for step in record:
        match step:
            case ("bet", number, person, name, amount):
                _bet(boxes.setdefault(number, PaperBox()), person, name, amount)
            case ("card", 0, _, face):
                dealer.append(face)
            case ("card", number, hand, face):
                box = boxes[number]
                box.hands[hand].faces.append(face)
                if len(box.opening) < 2:
                    box.opening.append(face)
            case ("decision", number, hand, person, word):
                _decided(boxes[number], hand, person, word)
            case ("split", number, hand, new):
                _split(boxes[number], hand, new)
            case ("dealer", faces):
                dealer = list(faces)
            case _:
                raise AssertionError(f"no such step: {step}")
    return boxes, dealer


def _bet(box: PaperBox, person: int, name: str, amount: int) -> None:
    kind, _, which = name.partition(":")
    if kind == "main":
        first = box.hands.setdefault(1, PaperHand(1))
        first.chips[person] = first.chips.get(person, 0) + amount
    elif kind == "side":
        box.sides[person, name] = box.sides.get((person, name), 0) + amount
    elif kind == "insurance":
        box.insured[person] = box.insured.get(person, 0) + amount
    elif kind == "double":
        hand = box.hands[int(which or 1)]
        hand.raised[person] = hand.raised.get(person, 0) + amount
    else:
        box.laid_to_split[person] = box.laid_to_split.get(person, 0) + amount


def _decided(box: PaperBox, hand: int, person: int, word: str) -> None:
    if word == "surrender":
        box.hands[hand].given_up = True
    elif word == "even_money":
        box.took_even.add(person)
    elif word == "second_hand":
        box.follows.add(person)


def _split(box: PaperBox, number: int, new: int) -> None:
    old = box.hands[number]
    other = PaperHand(new, [old.faces.pop()], divided=True)
    old.divided = True
    for person, chips in list(old.chips.items()):
        if person in box.laid_to_split:
            other.chips[person] = box.laid_to_split[person]
        elif person in box.follows:
            other.chips[person] = chips
            del old.chips[person]
    box.hands[new] = other
    box.laid_to_split, box.follows = {}, set()


class Referee:
    """Settles rounds of one rule set; ``keys`` holds every key."""

    def __init__(self, keys: Keys) -> None:
        self.keys = keys
        self.grain: int = keys["chip_quantum"]

    def settle(self, record: Record) -> Bets:
        """What every bet of a finished round brings."""
        boxes, dealer = read(record)
        paid: Bets = {}
        for number, box in boxes.items():
            for hand in box.hands.values():
                tail = "" if hand.number == 1 else f":{hand.number}"
                for person, chips in hand.chips.items():
                    net, bonus = self._hand(box, hand, person, chips, dealer)
                    paid[number, person, "main" + tail] = net
                    if bonus:
                        paid[number, person, "bonus" + tail] = bonus
            for person, chips in box.insured.items():
                paid[number, person, "insurance"] = self._insurance(box, chips, dealer)
            for (person, name), chips in box.sides.items():
                paid[number, person, name] = self._side(name, box.opening, dealer[0], chips)
        return paid

    def share(self, chips: int, odds: str) -> int:
        """Chips times odds in whole grains, the odd part for whom the rules say."""
        top, bottom = (int(part) for part in odds.split(":"))
        grains = chips * top // (bottom * self.grain)
        if self.keys["rounding"] == "player" and grains * bottom * self.grain < chips * top:
            grains += 1
        return grains * self.grain

    def special(self, hand: PaperHand) -> str:
        """``natural`` or ``six``, for hands that win by themselves; else empty."""
        if natural(hand.faces) and (not hand.divided or self.keys["blackjack_after_split"]):
            return "natural"
        six = self.keys["six_cards"] == "win" and len(hand.faces) > 5 and hand.points() < 22
        return "six" if six and (not hand.divided or self.keys["bonus_on_split"]) else ""

    def asks(self, box: PaperBox) -> bool:
        """Whether a bet of the box depends on nothing but whether the dealer has a blackjack."""
        insured = box.insured and (self.keys["insurance_survives_surrender"] or not _gave_up(box))
        late = _gave_up(box) and self.keys["surrender"] == "late"
        return bool(insured or late) or any(
            self.special(hand) == "natural" and set(hand.chips) - (set() if hand.divided else box.took_even)
            for hand in box.hands.values()
        )

    def _hand(self, box: PaperBox, hand: PaperHand, person: int, chips: int, dealer: list[str]) -> tuple[int, int]:
        """Net of a person's stake on a hand, and the bonus beside it."""
        extra = hand.raised.get(person, 0)
        on_first, on_extra, won = self._plain(box, hand, person, chips, extra, dealer)
        odds = self._bonus_odds(hand)
        if not odds or (self.keys["bonus_needs_win"] and not won):
            return on_first + on_extra, 0
        bonus = self.share(chips, odds)
        if self.keys["bonus_instead"] and bonus:
            return bonus + on_extra, 0
        return on_first + on_extra, bonus

    def _plain(
        self, box: PaperBox, hand: PaperHand, person: int, chips: int, extra: int, dealer: list[str]
    ) -> tuple[int, int, bool]:
        """Net of the first stake and of what was added, and whether the hand has won."""
        if hand.given_up:
            lost_all = self.keys["surrender"] == "late" and natural(dealer)
            return (-chips if lost_all else self.share(chips, "1:2") - chips), 0, False
        if hand.points() > 21:
            return -chips, -extra, False
        special = self.special(hand)
        if special == "six":
            return chips, extra, True
        if special == "natural":
            if person in box.took_even and not hand.divided:
                return chips, 0, True
            return (0, 0, False) if natural(dealer) else (self.share(chips, self.keys["blackjack_pays"]), 0, True)
        if natural(dealer):
            return *self._to_blackjack(box, hand, person, chips, extra), False
        theirs, mine = count(dealer), hand.points()
        if theirs > 21 or mine > theirs:
            return chips, extra, True
        return (0, 0, False) if mine == theirs else (-chips, -extra, False)

    def _to_blackjack(self, box: PaperBox, hand: PaperHand, person: int, chips: int, extra: int) -> tuple[int, int]:
        if self.keys["dealer_blackjack_takes"] == "all":
            return -chips, -extra
        mine = [h for h in box.hands.values() if person in h.chips]
        busted = [h for h in mine if h.points() > 21]
        if busted and self.keys["dealer_blackjack_takes"] == "original_only":
            return 0, 0
        standing = [h for h in mine if h not in busted and not h.given_up and not self.special(h)]
        return (-chips, 0) if min(h.number for h in standing) == hand.number else (0, 0)

    def _bonus_odds(self, hand: PaperHand) -> str:
        """Odds of the bonus that a hand earns, empty for none."""
        if hand.given_up or hand.points() > 21 or (hand.divided and not self.keys["bonus_on_split"]):
            return ""
        faces, suits = sorted(face[0] for face in hand.faces), {face[1] for face in hand.faces}
        if self.special(hand) == "natural":
            name = "suited_blackjack" if len(suits) == 1 else ""
        elif len(faces) > 5:
            name = "six_cards"
        elif faces == ["7", "7", "7"]:
            name = "three_sevens"
        else:
            name = "suited_678" if faces == ["6", "7", "8"] and len(suits) == 1 else ""
        odds: str = self.keys[f"bonus_{name}"] if name else "off"
        return "" if odds == "off" else odds

    def _insurance(self, box: PaperBox, chips: int, dealer: list[str]) -> int:
        if not self.keys["insurance_survives_surrender"] and _gave_up(box):
            return 0
        return self.share(chips, self.keys["insurance_pays"]) if natural(dealer) else -chips

    def _side(self, name: str, opening: list[str], up: str, chips: int) -> int:
        kind = name.removeprefix("side:")
        table: dict[str, str] = self.keys["side_bets"][kind]
        rows = _eleven(opening) if kind == "perfect11" else _poker([*opening, up])
        paying = [self.share(chips, table[row]) for row in rows if row in table]
        return max(paying, default=-chips)


def _gave_up(box: PaperBox) -> bool:
    return any(hand.given_up for hand in box.hands.values())


_ORDER = "A23456789TJQKA"


def _poker(faces: list[str]) -> list[str]:
    """Rows of a three-card table that the cards fill."""
    ranks, suits = {face[0] for face in faces}, {face[1] for face in faces}
    rows = ["flush"] if len(suits) == 1 else []
    if len(ranks) == 1:
        rows += ["trips", "suited_trips"] if rows else ["trips"]
    runs = [set(_ORDER[i : i + 3]) for i in range(12)]
    if ranks in runs:
        rows += ["straight", "straight_flush"] if rows else ["straight"]
        if ranks == set("QKA") and len(suits) == 1:
            rows.append("royal")
    return rows


def _low(face: str) -> int:
    """Points with an ace as 1."""
    return 1 if face[0] == "A" else int(face[0]) if face[0].isdigit() else 10


def _eleven(faces: list[str]) -> list[str]:
    """Rows of the two-card table that the cards fill."""
    points = sum(_low(face) for face in faces)
    if points != 11 or natural(faces):
        return []
    suits = {face[1] for face in faces}
    rows = ["any_11"]
    if suits in ({"H"}, {"D"}, {"H", "D"}, {"S"}, {"C"}, {"S", "C"}):
        rows.append("coloured_11")
    return [*rows, "suited_11"] if len(suits) == 1 else rows


def dealer_fault(keys: Keys, record: Record) -> str:
    """What the dealer did wrong with his own hand; empty when nothing."""
    steps = list(record)
    boxes, dealer = read(steps)
    referee = Referee(keys)
    hands = [h for box in boxes.values() for h in box.hands.values()]
    live = any(not h.given_up and h.points() < 22 and not referee.special(h) for h in hands)
    before = dealer[:-1]
    soft = count(before) != sum(_low(face) for face in before)
    may = count(before) < 17 or (keys["dealer_hits_soft_17"] and soft and count(before) == 17)
    if len(dealer) > 2 and not may:
        return f"drew to {before}"
    if live and count(dealer) < 17:
        return f"stood on {dealer}"
    if len(dealer) == 1 and dealer[0][0] in "ATJQK" and any(referee.asks(box) for box in boxes.values()):
        return f"drew no card to {dealer} although a bet depends on a blackjack"
    return ""
