"""One round as the dealer plays it: bets, deal, decisions, his own hand, payouts, collection; and his mistakes."""

from __future__ import annotations

import re
from random import Random

from firmware_sim.acts import CARD_MS, CHIPS_MS, DECISION_MS, SHOWN_S, Acts, RoundVoided
from firmware_sim.display import Display
from firmware_sim.entries import Place, RoundPlayed
from firmware_sim.hands import DEALER_STANDS_ON, Hand, dealer_draws, owed_minor
from firmware_sim.players import BOXES, LARGEST_STAKE_MINOR, Bet, bets, decide
from firmware_sim.script import Deviation
from firmware_sim.watch import Seen

SEAT = 1
_GOES_BACK = re.compile(r"box (\d+) person (\d+): (\d+)\.(\d\d) (\w+) goes back")


class Round:
    """A round from the first bet to the empty table."""

    def __init__(self, acts: Acts, rng: Random) -> None:
        self._acts = acts
        self._plan = acts.plan
        self._table = acts.table
        self._watch = acts.watch
        self._rng = rng
        self._bets: tuple[Bet, ...] = bets(rng)
        self._hands = [Hand(bet.box, bet.amount_minor) for bet in self._bets]
        self._dealer = Hand(0)
        self._moved: dict[int, int] = {}
        """net of the chips moved at each box, minor units, above 0 to the bettor"""

    def play(self) -> None:
        """Play it to the end."""
        voided = False
        try:
            self._lay_bets()
            self._acts.key("no_more_bets", lambda d: d.phase not in {"burn", "betting"})
            self._deal()
            self._insurance()
            for index, hand in enumerate(self._hands):
                self._play_hand(hand, self._hands[index + 1 :])
            self._dealers_hand()
            self._settle()
        except RoundVoided:
            voided = True
            self._undo()
        self._collect(voided=voided)

    def _lay_bets(self) -> None:
        """Lay the chips; when the controller was interrupted meanwhile nobody knows which of them it took: again."""
        console = self._table.console
        while True:
            self._acts.free()
            before = console.interruptions
            for bet in self._bets:
                self._table.place(bet.box, bet.seat, "main", bet.amount_minor)
                self._watch.pause(CHIPS_MS)
            self._watch.acknowledged()
            self._watch.steady(calm_s=0.1)
            if console.interruptions == before:
                return
            self._acts.free()
            for bet in self._bets:
                self._table.take_back(bet.box, bet.seat, "main", bet.amount_minor)
            self._watch.acknowledged()

    # The deal

    def _deal(self) -> None:
        for number, hand in enumerate((*self._hands, self._dealer, *self._hands)):
            wrong = number == 1 and self._plan.take(Deviation.WRONG_ORDER)
            misread = not wrong and self._plan.take(Deviation.MISREAD)
            self._give(hand, laid_at=self._hands[0].box if wrong else hand.box, misread=misread)
            if number == 0 and self._plan.take(Deviation.LATE_BET):
                self._late_bet()

    def _give(self, hand: Hand, laid_at: int | None = None, *, misread: bool = False) -> None:
        """The next card to this hand; first laid at another box where ``laid_at`` says so. With ``misread`` the shoe
        takes it for another one, and whoever sees it lie holds the table."""
        card = self._acts.next_card(misread=misread)
        hand.ranks.append(card.rank)
        self._watch.pause(CARD_MS)
        box = hand.box if laid_at is None else laid_at
        self._table.lay(card, box)
        if box != hand.box:
            self._acts.held()
            self._table.put(card, Place.HAND, hand.box)
        if card.misread:
            self._acts.held()
        self._watch.acknowledged()

    def _late_bet(self) -> None:
        empty = min(set(range(1, BOXES + 1)) - {hand.box for hand in self._hands})
        self._acts.chips(self._table.place, empty, SEAT, "main", LARGEST_STAKE_MINOR)
        self._acts.chips(self._table.take_back, empty, SEAT, "main", LARGEST_STAKE_MINOR)

    def _insurance(self) -> None:
        """Against an ace insurance is offered; nobody takes it. The first decision closes it as well."""
        if self._dealer.ranks[0] != 1:
            return
        soon = self._plan.wants(Deviation.OUT_OF_TURN, Deviation.EXTRA_CARD, Deviation.EXPOSED_CARD)
        if soon or not any(hand.asked for hand in self._hands) or self._rng.random() < 0.5:
            self._acts.key("no_more_bets", lambda d: d.phase != "insurance")

    # Decisions

    def _play_hand(self, hand: Hand, later: list[Hand]) -> None:
        while hand.asked:
            self._before_decision(hand, later)
            self._watch.pause(DECISION_MS)
            match decide(hand, self._dealer.ranks[0], self._rng):
                case "stand":
                    self._acts.key("stand", lambda d: not _decides(d, hand), box=hand.box)
                    hand.stood = True
                case "double":
                    self._double(hand)
                case _:
                    self._acts.key("hit", self._card_due(hand), box=hand.box)
                    self._give(hand)
        if hand.bust:
            self._move(hand, owed_minor(hand, self._dealer))

    def _before_decision(self, hand: Hand, later: list[Hand]) -> None:
        if self._plan.take(Deviation.OUT_OF_TURN):
            waiting = [other.box for other in later if other.asked]
            empty = min(set(range(1, BOXES + 1)) - {other.box for other in self._hands})
            self._acts.wrong_key("stand", box=(*waiting, empty)[0])
        if self._table.cut_card_next or self._acts.world.lying(Place.NEXT):
            return
        for kind in (Deviation.EXTRA_CARD, Deviation.EXPOSED_CARD):
            if self._plan.take(kind):
                self._acts.card_aside(exposed=kind is Deviation.EXPOSED_CARD)
                return

    def _card_due(self, hand: Hand) -> Seen:
        """What shows that a hit or a double was understood: a card is due, or the one drawn before has come at once."""
        if not self._acts.world.lying(Place.NEXT):
            return lambda d: d.expected.startswith(f"card to box {hand.box}")
        before = self._acts.free().expected
        missing = (before, "for the double", "goes back")
        return lambda d: d.free and not any(words in d.expected for words in missing)

    def _double(self, hand: Hand) -> None:
        """Chips first or the key first, as people do; the console shows which of the two is still missing."""
        chips_first = self._rng.random() < 0.5
        lies = False

        def chips(lay: bool) -> None:
            nonlocal lies
            if lies:
                self._table.take_back(hand.box, SEAT, "double", hand.stake_minor)
            if lay:
                self._table.place(hand.box, SEAT, "double", hand.stake_minor)
            lies = lay
            self._watch.acknowledged()
            self._watch.pause(CHIPS_MS)

        def act(attempt: int, display: Display) -> None:
            if lies and "goes back" in display.expected:
                chips(lay=False)
                display = self._acts.free()
            if "for the double" not in display.expected:
                if chips_first and not lies and display.phase == "players":
                    chips(lay=True)
                self._table.press("double", box=hand.box)
                self._watch.acknowledged()
                if lies:
                    return
                self._watch.until(lambda d: d.held or "for the double" in d.expected, SHOWN_S)
            chips(lay=True)

        self._acts.until_seen("double", act, self._card_due(hand))
        hand.double_minor = hand.stake_minor
        hand.stood = True
        self._give(hand)

    # The dealer's own hand

    def _dealers_hand(self) -> None:
        while dealer_draws(self._dealer, self._hands):
            if not self._acts.world.lying(Place.NEXT):
                self._watch.until(lambda d: d.phase == "dealer")
                below = len(self._dealer.ranks) > 1 and self._dealer.total < DEALER_STANDS_ON
                if below and self._plan.take(Deviation.STAND_ON_16):
                    self._acts.wrong_key("dealer_stand")
            self._give(self._dealer)
        self._watch.until(lambda d: d.phase in {"settlement", "collection"})
        stands = self._dealer.total >= DEALER_STANDS_ON and not self._table.cut_card_next
        if stands and self._plan.take(Deviation.DRAW_ON_17):
            self._acts.card_aside(exposed=False)

    # Chips

    def _move(self, hand: Hand, net_minor: int) -> None:
        """Pay (above 0) or take (below 0) at this hand's box."""
        move = self._table.pay if net_minor > 0 else self._table.take
        self._moved[hand.box] = self._moved.get(hand.box, 0) + net_minor
        self._acts.chips(move, hand.box, SEAT, "main", abs(net_minor))

    def _settle(self) -> None:
        owed = {hand.box: owed_minor(hand, self._dealer) for hand in self._hands if not hand.bust}
        if any(owed.values()) and self._plan.take(Deviation.NEXT_ROUND_EARLY):
            self._acts.wrong_key("next_round")
        for hand in reversed(self._hands):
            net = owed.get(hand.box, 0)
            if hand.bust:
                continue
            if net == 0 and self._plan.take(Deviation.PUSH_PAID):
                self._move(hand, hand.staked_minor)
                self._move(hand, -hand.staked_minor)
            elif net > 0 and self._plan.take(Deviation.WRONG_PAYOUT):
                self._move(hand, net // 2)
                self._move(hand, net - net // 2)
            elif net:
                self._move(hand, net)
        self._watch.until(lambda d: d.phase == "collection")

    def _undo(self) -> None:
        """The round is void: what was paid comes back, what was taken is given back, and the bettors take their
        stakes, which the console names one after the other."""
        for hand in self._hands:
            net = self._moved.pop(hand.box, 0)
            if net:
                self._move(hand, -net)
        while (stake := _GOES_BACK.match(self._acts.free().expected)) is not None:
            box, seat, units, cents, bet = stake.groups()
            self._acts.chips(self._table.take_back, int(box), int(seat), bet, int(units + cents))
            self._watch.until(self._shows_another(stake.string), SHOWN_S)

    def _shows_another(self, expected: str) -> Seen:
        return lambda display: display.expected != expected

    def _collect(self, *, voided: bool) -> None:
        count = self._acts.world.on_table

        def collect(attempt: int, display: Display) -> None:
            self._table.press("collect", value=count if attempt == 0 else max(display.on_table, 0))

        self._acts.until_seen("collect", collect, lambda d: d.phase in {"betting", "shuffle"})
        self._acts.world.collect()
        boxes = tuple(hand.box for hand in self._hands)
        self._acts.world.add(RoundPlayed(self._plan.round, self._acts.world.shoe, boxes, count, voided))


def _decides(display: Display, hand: Hand) -> bool:
    """Whether the console asks for this hand's decision."""
    return display.phase == "insurance" or display.expected.startswith(f"box {hand.box} decides")
