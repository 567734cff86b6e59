"""One round of Blot as the croupier deals and the two players play it: packets, bids, tricks, the score, collection."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from firmware_sim.acts import CARD_MS, DECISION_MS, KEY_MS, Acts, RoundVoided
from firmware_sim.blot_players import KEEP, BlotPlayer
from firmware_sim.blot_rules import (
    CONTRACT_KEYS,
    JACK,
    LAST_TRICK,
    PACK,
    Combination,
    Face,
    beats,
    bonuses,
    combinations,
    legal,
    points,
    score,
)
from firmware_sim.entries import CardLeft, Place, RoundPlayed
from firmware_sim.script import Deviation
from firmware_sim.watch import Seen

SEATS = (1, 2)
TABLE = 0
PACKET = 3
"""Cards of a packet; two packets each make the first deal."""
TRICKS = 9


class BlotRound:
    """A round from the loaded shoe to the 24 cards gathered. ``dealer`` is D's seat; the other one is N."""

    def __init__(self, acts: Acts, players: Mapping[int, BlotPlayer], dealer: int, rng: Random) -> None:
        self.scored: Mapping[int, int] = {}
        """what each seat has won, once the round is scored"""
        self._acts = acts
        self._plan = acts.plan
        self._table = acts.table
        self._players = players
        self._first = 3 - dealer
        self._rng = rng
        self._hands: dict[int, list[Face]] = {seat: [] for seat in SEATS}
        self._lying: dict[Face, CardLeft] = {}
        self._nines: dict[int, tuple[Face, ...]] = {}
        self._claims: dict[int, tuple[Combination, ...]] = {}
        self._captured = dict.fromkeys(SEATS, 0)
        self._taker = 0
        self._contract = ""

    def play(self) -> None:
        """Play it to the end, or until it is void."""
        voided = False
        try:
            up = self._first_deal()
            kept = self._bidding(up)
            self._second_deal(up, kept=kept)
            self._tricks()
            self._score()
        except RoundVoided:
            voided = True
        self._gather(voided=voided)

    # The deal

    def _first_deal(self) -> Face:
        for seat in (self._first, 3 - self._first) * 2:
            self._packet(seat, PACKET)
        return self._give(TABLE)

    def _packet(self, seat: int, count: int) -> None:
        for _ in range(count):
            self._hands[seat].append(self._give(seat))

    def _give(self, seat: int) -> Face:
        """The next card to a seat or the table; the script may have it laid at the wrong seat first."""
        card = self._acts.next_card()
        face = (card.rank, card.suit)
        self._lying[face] = card
        self._acts.watch.pause(CARD_MS)
        wrong = seat != TABLE and self._plan.take(Deviation.WRONG_SEAT)
        self._table.lay(card, 3 - seat if wrong else seat)
        if wrong:
            self._acts.held()
            self._table.put(card, Place.HAND, seat)
        self._acts.watch.acknowledged()
        return face

    def _second_deal(self, up: Face, *, kept: bool) -> None:
        if kept:
            self._hands[self._taker].append(up)
            self._table.lay(self._lying[up], self._taker)
            self._acts.watch.acknowledged()
        for seat in (self._first, 3 - self._first):
            self._packet(seat, PACKET - (kept and seat == self._taker))
        self._nines = {seat: tuple(hand) for seat, hand in self._hands.items()}

    # The bidding

    def _bidding(self, up: Face) -> bool:
        """Until there is a taker; whether the turned-up card is kept."""
        if self._plan.take(Deviation.OUT_OF_TURN):
            self._acts.wrong_key("pass", box=3 - self._first)
        if self._plan.take(Deviation.EXTRA_CARD):
            self._acts.card_aside(exposed=False)
        for number, seat in enumerate((self._first, 3 - self._first) * 2):
            key, value = self._bid(number, seat, up)
            self._acts.watch.pause(DECISION_MS)
            self._acts.key(key, _gone(f"seat {seat} speaks"), box=seat, value=value)
            if key != "pass":
                self._taker = seat
                return key == "take" or value == KEEP
        raise AssertionError("the last to speak cannot pass")

    def _bid(self, number: int, seat: int, up: Face) -> tuple[str, int]:
        """The key of a bid and its value; ``number`` counts bids from 0."""
        player, hand = self._players[seat], self._hands[seat]
        if number < 2:
            if (number == 1 and up[0] == JACK) or player.takes(hand, up):
                self._contract = up[1]
                return "take", 0
            return "pass", 0
        named = player.names(hand, up, forced=number == 3)
        if named is None:
            return "pass", 0
        self._contract = named[0]
        return CONTRACT_KEYS[named[0]], named[1]

    # The tricks

    def _tricks(self) -> None:
        leader = self._first
        for number in range(1, TRICKS + 1):
            led: Face | None = None
            for seat in (leader, 3 - leader):
                if self._players[seat].gives_up(number - 1):
                    self._give_up(seat, led)
                    return
                self._speak(seat, number)
                card = self._play_card(seat, led)
                if led is None:
                    led = card
                    continue
                winner = seat if beats(led, card, self._contract) else leader
                worth = points(led, self._contract) + points(card, self._contract)
                self._captured[winner] += worth + (LAST_TRICK if number == TRICKS else 0)
                leader = winner

    def _speak(self, seat: int, number: int) -> None:
        """Announce before the own first card, show before the own second one."""
        if number == 1:
            self._claims[seat] = combinations(self._nines[seat], self._contract)
            for claim in self._claims[seat]:
                self._acts.blind_key(f"announce_{claim.kind}", box=seat, value=claim.size)
        elif number == 2 and self._claims[seat]:
            self._acts.blind_key("show", box=seat)

    def _play_card(self, seat: int, led: Face | None) -> Face:
        hand = self._hands[seat]
        if led is not None:
            self._revoke(seat, hand, led)
        face = self._players[seat].plays(hand, led, self._contract)
        hand.remove(face)
        card = self._lying[face]
        self._acts.watch.pause(DECISION_MS)
        before = f"seat {seat} leads" if led is None else f"seat {seat} answers"
        self._acts.until_seen("a card played", lambda _, __: self._table.show_card(card, seat), _gone(before))
        return face

    def _revoke(self, seat: int, hand: list[Face], led: Face) -> None:
        """Where the script wants it: a card of another suit by one who holds the suit; it is taken back."""
        allowed = legal(hand, led, self._contract)
        others = [face for face in hand if face[1] != led[1]]
        if others and allowed[0][1] == led[1] and self._plan.take(Deviation.REVOKE):
            self._acts.free()
            self._table.show_card(self._lying[others[0]], seat)
            self._acts.watch.acknowledged()
            self._acts.watch.pause(KEY_MS)

    def _give_up(self, seat: int, led: Face | None) -> None:
        rest = [*self._hands[1], *self._hands[2], *([] if led is None else [led])]
        self._captured[3 - seat] += sum(points(face, self._contract) for face in rest) + LAST_TRICK
        self._acts.key("give_up", lambda d: d.free and d.phase != "play", box=seat)

    # The end

    def _score(self) -> None:
        bonus = bonuses(self._first, self._claims, self._nines, self._contract)
        scored = score(self._taker, self._captured, bonus)
        if self._plan.take(Deviation.WRONG_SCORE):
            self._acts.wrong_key("score", box=SEATS[0], value=scored[SEATS[0]] + 1)
        for seat in SEATS:
            self._acts.key("score", _written(seat), box=seat, value=scored[seat])
        self.scored = scored

    def _gather(self, *, voided: bool) -> None:
        """Take all 24 cards together; a round that is scored has them counted."""
        world = self._acts.world
        world.collect()
        if not voided:
            try:
                self._acts.key("collect", lambda d: d.phase in {"dealing", "opening"}, value=len(PACK))
            except RoundVoided:
                voided = True
        world.add(RoundPlayed(self._plan.round, world.shoe, SEATS, len(PACK), voided))


def _gone(start: str) -> Seen:
    return lambda d: d.free and not d.expected.startswith(start)


def _written(seat: int) -> Seen:
    return lambda d: d.free and not (d.phase == "score" and d.expected.endswith(f"for seat {seat}"))
