"""Random rounds of Blot, dealt, bid and played through the game itself: what campaigns, tests and `bench` run on.

A round is written down as plain words (`Round.steps`), so that a second scorer needs no code of the game.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from controller.core.cards import DECK, Card
from controller.core.game import Outcome
from controller.core.inputs import CardDrawn, CardShown, DealerSignalled, DecisionSignalled, DeckSpread, GameInput
from controller.core.verdicts import Finding
from controller.games.blot import GAME, bidding
from controller.games.blot.cards import DECK_MASK, bits, cards_of
from controller.games.blot.declarations import all_in
from controller.games.blot.facts import RoundScored
from controller.games.blot.legal import legal
from controller.games.blot.rules import Rules
from controller.games.blot.state import BlotState, Phase

CARDS: Final = tuple(card.text for card in cards_of(DECK_MASK))
SPREAD: Final = DeckSpread("console", tuple(DECK_MASK >> i & 1 for i in range(52)))
Step = tuple[Any, ...]

ALTERNATIVES: Final[Mapping[str, Sequence[Any]]] = {
    "next_dealer": ("alternate", "winner", "loser"),
    "deal_pattern": ([3, 3], [2, 2, 2], [1, 1, 1, 1, 1, 1]),
    "second_deal_first": ("N", "taker"),
    "no_trump": ("round2", "never"),
    "all_trump": (False, True),
    "must_beat_plain": (False, True),
    "announce_by": ("own_first_card", "first_trick"),
    "winner_scores": ("all", "best"),
    "zero_four": ("ignored", "contested"),
    "equal_fours": ("strength", "natural"),
    "overlap": (False, True),
    "tie": ("taker_fails", "taker_makes"),
    "fail_total": ("162", "captured"),
    "blot_moves_on_fail": (True, False),
    "capot_trigger": ("no_points", "no_tricks"),
    "capot_long": (212, 210),
    "rounding": ("six_up", "five_up"),
    "give_up_counts": ("shown", "announced"),
    "match_tie": ("higher", "taker"),
}
"""Every key of a rule set that changes how a round is dealt, played or scored, with all its values."""
RELUCTANCE: Final = {"pass": 2, "no_trump": 3, "all_trump": 3}
"""How often a word is bid beside one of weight 1, so that the second round and its contracts come up."""
TARGETS: Final = (("points", "short", 101), ("points", "long", 1001), ("rounds", "short", 3), ("points", "short", 51))


class UnexpectedVerdictError(AssertionError):
    """The game refused, noted or held something in a round in which nothing was wrong."""


@dataclass(slots=True)
class Round:
    """A round as it was dealt and played. ``steps``: ``card KD``, ``bid seat word value``, ``play seat KD``,
    ``announce seat kind size``, ``show seat number``, ``give_up seat``, as tuples."""

    keys: dict[str, Any]
    dealer: int
    steps: list[Step] = field(default_factory=list)
    scored: RoundScored | None = None
    states: list[BlotState] = field(default_factory=list)


def random_keys(rng: random.Random) -> dict[str, Any]:
    """A rule set with every key drawn by chance."""
    keys: dict[str, Any] = {key: rng.choice(values) for key, values in ALTERNATIVES.items()}
    keys["match_by"], keys["form"], keys["target"] = rng.choice(TARGETS)
    return keys


def game_input(step: Step) -> GameInput:
    """The input a step stands for."""
    match step:
        case ("card", text):
            return CardDrawn("shoe", Card(text))
        case ("play", seat, text):
            return CardShown("camera", seat, Card(text))
        case ("bid", seat, word, value):
            return DecisionSignalled("console", seat, word, amount_minor=value)
        case ("announce", seat, kind, size):
            return DecisionSignalled("console", seat, f"announce_{kind}", amount_minor=size)
        case ("show", seat, number):
            return DecisionSignalled("console", seat, "show", amount_minor=number)
        case ("give_up", seat):
            return DecisionSignalled("console", seat, "give_up")
        case _:
            raise AssertionError(f"no such step: {step}")


class Dealer:
    """A table of one rule set that plays round after round. ``keep`` collects the state after every step."""

    def __init__(self, keys: dict[str, Any], rng: random.Random, *, first_dealer: int = 2, keep: bool = False) -> None:
        self.keys, self.rng, self.keep = keys, rng, keep
        self.rules: Rules = GAME.parse_rules(keys)
        self.state = GAME.start(self.rules)
        self.facts: list[Any] = []
        self.unshown = 0
        self.put(SPREAD)
        self.put(DealerSignalled("console", "first_dealer", first_dealer))

    def put(self, event: GameInput) -> Outcome:
        """Hand an input to the game. Raises UnexpectedVerdictError."""
        outcome = GAME.handle(self.rules, self.state, event, held=False)
        for finding in outcome.findings:
            if not isinstance(finding, Finding) or finding.code != "UNSHOWN_COMBINATION":
                raise UnexpectedVerdictError(f"{event}: {finding}")
            self.unshown += 1
        self.state = outcome.state
        self.facts.extend(outcome.facts)
        return outcome

    def round(self, *, careless: float = 0.1, gives_up: float = 0.01, rich: bool = False) -> Round:
        """Deal, bid and play a round to its score; from a `rich_shoe` if asked to. Players announce what they have and
        show it, but for the share ``careless`` of it; on each turn they give up with the chance ``gives_up``."""
        if not self.state.match.dealer:
            self.put(DealerSignalled("console", "first_dealer", self.rng.choice((1, 2))))
        self.facts.clear()
        played = Round(self.keys, self.state.match.dealer)
        shoe = list(CARDS)
        self.rng.shuffle(shoe)
        if rich:
            shoe = rich_shoe(self.rng, self.rules.deal_pattern, self.state.match.dealer)
        while self.state.phase is not Phase.SCORE:
            for step in self._next(shoe, careless, gives_up):
                played.steps.append(step)
                self.put(game_input(step))
                if self.keep:
                    played.states.append(self.state)
        played.scored = next(fact for fact in self.facts if isinstance(fact, RoundScored))
        return played

    def finish(self) -> None:
        """Record the right score and collect the cards."""
        score = self.state.score
        assert score is not None
        for seat in (1, 2):
            self.put(DecisionSignalled("console", seat, "score", amount_minor=score.points[seat - 1]))
        self.put(DealerSignalled("console", "collect", 24))

    def _next(self, shoe: list[str], careless: float, gives_up: float) -> list[Step]:
        deal, play = self.state.deal, self.state.play
        assert deal is not None
        if self.state.phase in {Phase.DEALING, Phase.SECOND_DEAL}:
            return [("card", shoe.pop())]
        if self.state.phase is Phase.BIDDING:
            seat, words = bidding.turn(deal), bidding.options(self.rules, deal)
            word = self.rng.choices(words, [RELUCTANCE.get(word, 1) for word in words])[0]
            value = 0 if word in {"take", "pass"} else self.rng.choice((bidding.KEEP, bidding.LEAVE))
            return [("bid", seat, word, value)]
        assert play is not None
        seat = play.turn
        steps: list[Step] = []
        if play.left(seat) == 9:
            for combination in all_in(self.rules, deal.contract, play.start[seat - 1]):
                if self.rng.random() >= careless:
                    steps.append(("announce", seat, combination.kind, combination.size))
        if play.left(seat) == 8 and play.claims[seat - 1]:
            numbers = range(1, len(play.claims[seat - 1]) + 1)
            steps += [("show", seat, n) for n in numbers if self.rng.random() >= careless]
        if self.rng.random() < gives_up:
            return [*steps, ("give_up", seat)]
        may = legal(play.hands[seat - 1], play.led, deal.contract, beat_plain=self.rules.must_beat_plain)
        card = DECK[self.rng.choice(list(bits(may)))]
        return [*steps, ("play", seat, card.text)]


def rich_shoe(rng: random.Random, pattern: Sequence[int], dealer: int) -> list[str]:
    """A shoe (its first card last) that deals fours and long runs to both players, as far as the bidding lets it."""
    groups = [[c for c in CARDS if c[0] == rank] for rank in "9TJQKA"] + [
        [c for c in CARDS if c[1] == s] for s in "SHDC"
    ]
    rng.shuffle(groups)
    rest = list(CARDS)
    rng.shuffle(rest)
    hands: dict[int, list[str]] = {1: [], 2: []}
    for place, group in enumerate(groups):
        seat = place % 2 + 1
        cards = [card for card in group if card in rest][: 9 - len(hands[seat])]
        if rng.random() < 0.3:
            cards = cards[:3]
        hands[seat] += cards
        rest = [card for card in rest if card not in cards]
    order = [seat for size in pattern for seat in (*[3 - dealer] * size, *[dealer] * size)]
    order += [0, *[3 - dealer] * 3, *[dealer] * 3]
    for hand in hands.values():
        rng.shuffle(hand)
    shoe: list[str] = []
    for seat in order:
        source = hands[seat] if seat and hands[seat] else rest
        if source:
            shoe.append(source.pop())
    left = [card for card in CARDS if card not in shoe]
    return (shoe + left)[::-1]
