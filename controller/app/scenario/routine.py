"""What a good dealer does without being told: the way to the betting, a settlement, a round that plays itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, assert_never

from controller.app.scenario.acts import Commanded, Drawn, Played, Prepared, Primitive, Said, Settled
from controller.app.scenario.load import Scenario
from controller.app.scenario.look import Look
from controller.core.cards import DECK, Card
from controller.core.expectation import Expected, Kind
from drivers import messages as m

MOST_ACTS: Final = 400
"""Acts of one routine; a shoe has 416 cards at most and a round some forty."""
BURN_CARD: Final = Card("2C")
"""The first card burned when the scenario names none; the next ones are other twos."""


class CannotGoOnError(Exception):
    """A line cannot be carried out as the table stands. ``wanted`` and ``found`` say why."""

    def __init__(self, wanted: str, found: str) -> None:
        super().__init__(f"wanted {wanted}, found {found}")
        self.wanted = wanted
        self.found = found


class Routine:
    """Acts that follow from what the table expects."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._burn = list(scenario.file.burn)
        self._burned = 0

    def acts(
        self, act: Prepared | Settled | Played, look: Callable[[], Look], draw: Callable[[], Drawn]
    ) -> Iterator[Primitive]:
        """The acts, each made from a fresh look at the table. Raises CannotGoOnError when the table expects something
        else than a routine can do."""
        match act:
            case Prepared(phase):
                return self._prepare(phase, look, draw)
            case Settled(collect):
                return self._settle(look, collect=collect)
            case Played():
                return self._play(look, draw)
            case _:
                assert_never(act)

    def _prepare(self, phase: str, look: Callable[[], Look], draw: Callable[[], Drawn]) -> Iterator[Primitive]:
        for _ in range(MOST_ACTS):
            seen = look()
            if seen.phase == phase:
                return
            yield self._preparation(phase, seen, draw)
        raise CannotGoOnError(f"the phase {phase}", look().phase)

    def _preparation(self, phase: str, seen: Look, draw: Callable[[], Drawn]) -> Primitive:
        """The next step on the way to a phase: the first thing expected that a dealer does alone."""
        rules = self._scenario.rules.rules
        values = {"player_cut": rules.decks * 26, "second_cut": rules.second_cut_at}
        options = [word for e in seen.expected for word in e.options]
        burning = seen.phase == "burn"
        if "open-table" in options:
            return Commanded("open-table", "dealer")
        if "spread" in options:
            return Said("console", m.DeckSpread((rules.decks,) * len(DECK)))
        if burning and "next_round" in options and not self._burn:
            return _key("next_round")
        if burning:
            return self._burn_card(draw)
        for word in ("shuffled", "player_cut", "second_cut", "shoe_loaded"):
            if word in options:
                return _key(word, values.get(word, 0))
        raise CannotGoOnError(f"a step towards {phase}", f"{seen.phase}: {', '.join(seen.next)}")

    def _burn_card(self, draw: Callable[[], Drawn]) -> Primitive:
        if self._scenario.shoe is not None:
            return draw()
        if self._burn:
            return self._burn.pop(0)
        card = DECK[(BURN_CARD.index + 13 * self._burned) % len(DECK)]
        self._burned += 1
        return Drawn(card)

    def _settle(self, look: Callable[[], Look], *, collect: bool) -> Iterator[Primitive]:
        """Pay and take once what is owed; what is still owed then is the table's mistake, not the dealer's."""
        for box, person, bet, minor in look().open_amounts:
            chips = m.PayoutMade if minor > 0 else m.ChipsCollected
            yield Said("bets", chips(box, person, bet, abs(minor)))
        if collect:
            seen = look()
            if seen.phase != "collection":
                raise CannotGoOnError(
                    "the round settled", f"{seen.phase}: {', '.join(seen.next) or 'nothing expected'}"
                )
            yield _key("collect", int(seen.at("cards_on_table") or 0))

    def _play(self, look: Callable[[], Look], draw: Callable[[], Drawn]) -> Iterator[Primitive]:
        for _ in range(MOST_ACTS):
            seen = look()
            if seen.phase == "settlement" or seen.phase == "collection":
                yield from self._settle(look, collect=True)
                return
            yield self._playing(seen, draw)
        raise CannotGoOnError("the end of the round", look().phase)

    def _playing(self, seen: Look, draw: Callable[[], Drawn]) -> Primitive:
        first: Expected | None = seen.expected[0] if seen.expected else None
        options = [word for e in seen.expected for word in e.options]
        if first is not None and first.kind is Kind.CARD:
            return draw()
        if first is not None and first.kind is Kind.DECISION:
            return Said("console", m.KeyPressed("stand", first.box, first.hand))
        if "no_more_bets" in options:
            return _key("no_more_bets")
        raise CannotGoOnError("a round that goes on by itself", f"{seen.phase}: {', '.join(seen.next) or 'nothing'}")


def _key(key: str, value: int = 0) -> Primitive:
    return Said("console", m.KeyPressed(key, value=value))
