"""Rounds of a table with a shoe and readers in any interleaving of what they say, with a known truth on the felt.

Cards are laid as the table asks for them. A person who looks at the felt decides what a verdict asks, and voids the
round where nothing offered gives the truth.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from controller.core.bookkeeping import holds
from controller.core.cards import Card
from controller.core.inputs import (
    CardDrawn,
    CardShown,
    CardUnreadable,
    ChipsCollected,
    ChipsPaid,
    DealerSignalled,
    Input,
    SourcesWaited,
)
from controller.core.sources.fusion import place_in_hand
from controller.games.blackjack import GAME, flow
from controller.games.blackjack.wagers import deal_plan

T = TypeVar("T")
Choose = Callable[[Sequence[T]], T]
"""Takes one of several; the only source of chance."""
Spot = tuple[int, int]

FACES: Final = ("2C", "5D", "8S", "TH", "KH", "KS", "AD", "9C", "3H", "QD")
"""Few faces, so that equal ones meet."""
LONGEST: Final = 400
"""Steps after which a round that is not over has hung."""


@dataclass
class Faults:
    """What goes wrong with one card: ``shoe`` reads this face, ``reader`` reads this face (``XX``: none at all), the
    card is laid ``astray`` at this spot. None: nothing of it."""

    shoe: str | None = None
    reader: str | None = None
    astray: Spot | None = None


@dataclass
class Round:
    """One round in the making. ``table`` is open for bets; ``faults`` by the number of the card, from 0."""

    table: Any
    choose: Choose[Any]
    faults: dict[int, Faults]
    boxes: tuple[int, ...]
    prompt: bool = False
    """every reader speaks at once"""
    lag: int = 2
    """cards that the shoe's word may lag behind the felt in the deal"""
    felt: dict[Spot, list[str]] = field(default_factory=dict)
    shoe: deque[Input] = field(default_factory=deque)
    due: dict[Spot, list[tuple[str, Spot]]] = field(default_factory=dict)
    """the cards that were due at each spot, in order: the face, and where it lies"""
    words: dict[Spot, deque[tuple[str, bool]]] = field(default_factory=dict)
    """what each reader will say: the face, and whether it is the truth; first what it still has to say of the round
    before"""
    spoken: Counter[Spot] = field(default_factory=Counter)
    """true words that the table has heard in time"""
    verdicts: list[str] = field(default_factory=list)
    cards: int = 0
    settled: bool = False
    voided: bool = False

    def play(self) -> None:
        """To the end of the round."""
        self.table.bet(*self.boxes)
        for spot in deal_plan(self.table.state.rules, self.table.state.game.boxes):
            self._lay((spot.box, spot.hand))
            while len(self.shoe) > self.lag or (self.shoe and self.choose((True, False))):
                self._hear_shoe()
            self._some_words()
            if holds(self.table.state):
                break
        while self.shoe:
            self._hear_shoe()
        for _ in range(LONGEST):
            if self.settled or self.voided:
                return
            self._some_words()
            self._go_on()
        raise AssertionError(f"the round hangs in {self.table.phase} {self.table.held}")

    def unsaid(self) -> dict[Spot, deque[tuple[str, bool]]]:
        """What the readers have not said of this round yet; they may say it in the next one, of which it is not the
        truth."""
        return {spot: deque((face, False) for face, _ in words) for spot, words in self.words.items()}

    # The felt

    def _lay(self, due: Spot) -> None:
        """A card leaves the shoe and is laid; shoe and reader will speak of it."""
        face = self.choose([face for face in FACES if self._left(face)])
        fault = self.faults.get(self.cards, Faults())
        self.cards += 1
        read = face if fault.shoe is None else fault.shoe
        self.shoe.append(CardUnreadable("shoe") if read == "XX" else CardDrawn("shoe", Card(read)))
        spot = due if fault.astray is None else fault.astray
        self.felt.setdefault(spot, []).append(face)
        self.due.setdefault(due, []).append((face, spot))
        seen = face if fault.reader is None else fault.reader
        if seen != "XX":
            self.words.setdefault(spot, deque()).append((seen, seen == face))
        if self.prompt:
            self._hear_shoe()
            self._all_words()

    def _left(self, face: str) -> bool:
        """Whether the pack has one more of this face."""
        said = sum(isinstance(word, CardDrawn) and word.card.text == face for word in self.shoe)
        return bool(self.table.state.game.shoe.seen[Card(face).index] + said < 6)

    def _hear_shoe(self) -> None:
        if self.shoe:
            self._put(self.shoe.popleft())

    def _some_words(self) -> None:
        while any(self.words.values()) and self.choose((True, False)):
            self._word(self.choose([spot for spot, words in self.words.items() if words]))

    def _all_words(self) -> None:
        for spot, words in self.words.items():
            while words:
                self._word(spot)

    def _word(self, spot: Spot) -> None:
        face, true = self.words[spot].popleft()
        self.spoken[spot] += true
        self._put(CardShown(f"reader-{spot[0]}", spot[0], Card(face), spot[1]))

    def _put(self, event: Input) -> None:
        self.verdicts += self.table.put(event)

    # The staff

    def _go_on(self) -> None:
        state = self.table.state
        if holds(state):
            return self._supervise()
        match self.table.phase:
            case "players" | "dealer" if flow.next_spot(state.game) is not None:
                spot = flow.next_spot(state.game)
                assert spot is not None
                self._lay((spot.box, spot.hand))
                return self._hear_shoe()
            case "players":
                return self._decide()
            case "insurance":
                return self._put(DealerSignalled("console", "no_more_bets"))
            case "settlement":
                return self._pay()
            case "collection":
                return self._collect()
            case "dealing":
                spot = self.table.state.game.plan[self.table.state.game.dealt]
                self._lay((spot.box, spot.hand))
                return self._hear_shoe()
            case phase:
                raise AssertionError(f"nothing to do in {phase}")

    def _decide(self) -> None:
        box, hand = self.table.state.game.turn
        action = self.choose(("stand", "hit")) if len(self.felt.get((box, hand), ())) < 4 else "stand"
        self.verdicts += self.table.key(action, box, hand)

    def _pay(self) -> None:
        """The clock tells of sources that stay silent, now or never."""
        if self.choose((True, False)):
            return self._put(SourcesWaited("clock", 8))
        state = self.table.state
        for due in GAME.dues(state.rules, state.game):
            if due.difference_minor:
                chips = ChipsPaid if due.difference_minor > 0 else ChipsCollected
                return self._put(chips("bets", due.box, due.person, due.bet, abs(due.difference_minor)))
        return None

    def _collect(self) -> None:
        before = self._record()
        self._put(DealerSignalled("console", "collect"))
        if self.table.phase == "betting":
            self.settled = True
            self.check(before)

    def _supervise(self) -> None:
        verdict = holds(self.table.state)[0]
        offered = {c.kind for c in verdict.corrections}
        way, face = self._way(verdict)
        if way in offered:
            before = len(self.table.held)
            self.verdicts += self.table.resume(way, face)
            if not self.table.rejected:
                self.voided = way == "void_round"
                return
            assert len(self.table.held) == before
        self.verdicts += self.table.resume("void_round" if "void_round" in offered else "new_shoe")
        if self.table.rejected:  # it was settled while the verdict was open: nothing gives the truth any more
            stands = "confirm_cards" if "confirm_cards" in offered else "believe_record"
            self.verdicts += self.table.resume(stands, reason="paid before anybody looked")
            assert not self.table.rejected, self.table.rejected
        self.voided = True

    def _way(self, verdict: Any) -> tuple[str, str]:
        """What gives the record the truth on the felt."""
        match verdict.code:
            case "WRONG_BOX":
                return ("move" if self._moved_back(verdict) else "lies_right"), ""
            case "CARD_NOT_DRAWN" | "CARD_SEEN_TWICE":
                return "no_card", ""
            case "CARDS_UNCONFIRMED":
                same = all(Counter(self.felt.get(spot, ())) == cards for spot, cards in self._record().items())
                return ("confirm_cards" if same else "void_round"), ""
            case "CARD_UNREADABLE" | "CARD_DISPUTED":
                return self._unread(verdict)
            case "SOURCES_DISAGREE":
                return self._disagreed(verdict)
            case "EXTRA_CARD":
                return "next_card", ""
            case _:
                return "void_round", ""

    def _unread(self, verdict: Any) -> tuple[str, str]:
        card = next((c for c in self.table.state.fusion.cards if c.waits == verdict.key), None)
        missing = self._missing((card.box, card.hand)) if card is not None else []
        if len(missing) != 1 or self.table.state.game.shoe.cannot_be(Card(missing[0])):
            return "void_round", ""
        doubt = next((d for d in self.table.state.fusion.doubts if d.key == verdict.key), None)
        if doubt is not None and doubt.sighting.card.text == missing[0]:
            return "confirm_read", ""
        return "name_card", missing[0]

    def _disagreed(self, verdict: Any) -> tuple[str, str]:
        fusion = self.table.state.fusion
        doubt = next(d for d in fusion.doubts if d.key == verdict.key)
        card = fusion.card(doubt.number)
        spot = (card.box, card.hand)
        face, lies = self.due[spot][place_in_hand(fusion, card)]
        if lies != spot:
            return "void_round", ""
        if face == card.card.text:
            return "believe_record", ""
        return ("believe_source", "") if doubt.sighting.card.text == face else ("name_card", face)

    def _missing(self, spot: Spot) -> list[str]:
        """Faces on the felt that the record does not have there."""
        return list((Counter(self.felt.get(spot, ())) - self._record().get(spot, Counter())).elements())

    def _moved_back(self, verdict: Any) -> bool:
        """Whether the card lies astray: then it is taken to where the record has it, and the reader there sees it."""
        _, box, hand, found = verdict.key.split(":")
        wanted, where = (int(box), int(hand)), (int(found), 1)
        for n, (face, lies) in enumerate(self.due[wanted]):
            if lies == where != wanted:
                self.due[wanted][n] = (face, wanted)
                self.felt[where].remove(face)
                self.felt.setdefault(wanted, []).append(face)
                self.words.setdefault(wanted, deque()).append((face, True))
                return True
        return False

    def _record(self) -> dict[Spot, Counter[str]]:
        game = self.table.state.game
        hands = {(b.number, h.number): Counter(c.text for c in h.cards) for b in game.boxes for h in b.hands}
        return {**hands, (0, 1): Counter(c.text for c in game.dealer)}

    # What must be true

    def check(self, record: dict[Spot, Counter[str]]) -> None:
        """No card was settled that is not the card on the felt, unless its reader never said so and one source is
        enough."""
        two = self.table.state.fusion.settle_on == "two_sources"
        for spot, cards in record.items():
            felt = Counter(self.felt.get(spot, ()))
            if cards != felt:
                heard = self.spoken[spot] >= cards.total()
                assert not two, f"{spot}: settled {cards}, on the felt {felt}; {self.verdicts}"
                assert not heard, (
                    f"{spot}: settled {cards}, on the felt {felt}, and the reader said so; {self.verdicts}"
                )
