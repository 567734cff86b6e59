"""A Blot table to write short scripts for: words straight into the table's step."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest

from bench.blot_rounds import SPREAD, game_input
from controller.core.bookkeeping import holds
from controller.core.cards import Card
from controller.core.facts import ViolationRaised
from controller.core.inputs import (
    CardDrawn,
    CommandReceived,
    DealerSignalled,
    DecisionSignalled,
    Input,
    RulesChosen,
    SystemStarted,
)
from controller.core.state import EMPTY, TableState
from controller.core.table import step
from controller.games.blot import GAME
from controller.games.blot.cards import DECK_MASK, cards_of
from controller.games.blot.state import BlotState, Deal, Phase, Play

PACK = [card.text for card in cards_of(DECK_MASK)]


def shipped_rules() -> dict[str, Any]:
    """The keys of the shipped rule set."""
    text = resources.files("controller.rulesets").joinpath("blot", "armenian.toml").read_text("utf-8")
    rules: dict[str, Any] = tomllib.loads(text)["rules"]
    return rules


class Felt:
    """An open table of the shipped rule set with the keys given changed; ``ready`` once the first card may be dealt.
    Seat 2 deals first, so seat 1 is N."""

    def __init__(self, *, ready: bool = True, **keys: Any) -> None:
        self.state: TableState = EMPTY
        self.facts: list[Any] = []
        self.put(SystemStarted(1, "1"))
        self.put(RulesChosen("blot", "test", shipped_rules() | keys, "0"))
        self.put(CommandReceived("open-table", "4711", "dealer"))
        if ready:
            self.put(SPREAD, DealerSignalled("console", "first_dealer", 2))

    def put(self, *events: Input) -> list[str]:
        """Hand inputs to the table; the codes of what it finds wrong in them."""
        codes = []
        for event in events:
            done = step(GAME, self.state, event, 1)
            self.state = done.state
            self.facts += done.facts
            codes += [fact.code for fact in done.facts if isinstance(fact, ViolationRaised)]
        return codes

    def say(self, *lines: str) -> list[str]:
        """Hand in inputs written as words: ``card KD``, ``1 take``, ``1 hearts 1``, ``1 plays KD``, ``1 opens KD``,
        ``1 announce_run 3``, ``1 show 0``, ``1 score 12``, ``collect 24``."""
        codes = []
        for line in lines:
            first, word, last = (*line.split(), "", "")[:3]
            if first == "card":
                codes += self.put(CardDrawn("shoe", Card(word)))
            elif not first.isdigit():
                codes += self.put(DealerSignalled("console", first, int(word or 0)))
            elif word in {"plays", "opens"}:
                shown = game_input(("play", int(first), last))
                codes += self.put(_opened(shown) if word == "opens" else shown)
            else:
                codes += self.put(DecisionSignalled("console", int(first), word, amount_minor=int(last or 0)))
        return codes

    def deal(self, one: str, two: str, up: str, *bids: str) -> list[str]:
        """Deal so that seat 1 and seat 2 have these cards (the turned-up one among the taker's), with these bids
        between; each hand is dealt in the order it is written in."""
        hands = {1: [c for c in one.split() if c != up], 2: [c for c in two.split() if c != up]}
        codes = []
        spoken = list(bids)
        while self.game.phase in {Phase.DEALING, Phase.BIDDING, Phase.SECOND_DEAL}:
            if self.game.phase is Phase.BIDDING:
                if not spoken:
                    break
                codes += self.say(spoken.pop(0))
                continue
            place = self.the_deal.plan[self.the_deal.dealt]
            codes += self.say(f"card {hands[place].pop(0) if place else up}")
            if codes:
                break
        return codes

    def command(self, correction: str = "", card: str = "", name: str = "resume") -> list[str]:
        """A supervisor, with a second person, chooses a correction."""
        named = Card(card) if card else None
        event = CommandReceived(name, "12", "supervisor", "13", "surveillance", "why", "", correction, named)
        return self.put(event)

    def refuses(self, line: str, code: str, expected: str = "") -> None:
        """The line is refused with this code, says what was expected, and changes nothing."""
        before = self.state
        assert self.say(line) == [code]
        assert self.state is before
        raised = self.last(ViolationRaised)
        assert raised.severity == "refused"
        assert raised.actual
        assert expected in raised.expected

    @property
    def game(self) -> BlotState:
        """The game's own state."""
        state: BlotState = self.state.game
        return state

    @property
    def the_deal(self) -> Deal:
        """The deal that is on."""
        assert self.game.deal is not None
        return self.game.deal

    @property
    def the_play(self) -> Play:
        """The play that is on."""
        assert self.game.play is not None
        return self.game.play

    @property
    def phase(self) -> str:
        """The game's phase as a word."""
        return self.game.phase.value

    @property
    def held(self) -> list[str]:
        """Codes of the verdicts that hold the table."""
        return [verdict.code for verdict in holds(self.state)]

    def last(self, cls: type[Any]) -> Any:
        """The newest fact of a class."""
        return [fact for fact in self.facts if isinstance(fact, cls)][-1]

    def count(self, cls: type[Any]) -> int:
        """How many facts of a class there are."""
        return sum(isinstance(fact, cls) for fact in self.facts)


def _opened(event: Any) -> Any:
    return type(event)(event.device, event.box, event.card, 2)


@pytest.fixture(scope="session")
def felt() -> Callable[..., Felt]:
    """Opens a table."""
    return Felt


@pytest.fixture(scope="session")
def keys() -> dict[str, Any]:
    """The keys of the shipped rule set."""
    return shipped_rules()


HANDS = ("KS QS JS TS 9D TC 9C QC JD", "AS AH KH QH JH TH AD AC KC")
"""Nine cards for each seat; undealt are the nine of spades and of hearts, K Q T of diamonds and J of clubs."""
