"""A table's state in the words of a scenario: what is expected, what is owed, what waits, where the cards lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, Final, assert_never

from controller.app.scenario.places import DEALER, bet_text, bettor_text, hand_text
from controller.core.expectation import Due, Expected, Kind
from controller.core.game import Game
from controller.core.state import Service, TableState
from controller.core.table import expected, phase
from controller.core.verdicts import OpenVerdict, Severity

FACE_DOWN: Final = "XX"
"""A card whose face nobody has seen."""


class Look:
    """One look at a table. Every answer is plain text and numbers."""

    def __init__(self, game: Game, state: TableState) -> None:
        self._game = game
        self._state = state
        self.playing = state.game is not None and state.service is Service.OPEN

    @property
    def phase(self) -> str:
        """The phase, ``held`` while verdicts hold the table."""
        return phase(self._game, self._state)

    @property
    def expected(self) -> tuple[Expected, ...]:
        """What must or may come next, as the table says it."""
        return expected(self._game, self._state)

    @property
    def next(self) -> tuple[str, ...]:
        """`expected` in the scenario's words."""
        return tuple(expected_text(e) for e in self.expected)

    @property
    def decisions(self) -> dict[str, tuple[str, ...]]:
        """The hand that decides and what is open to it."""
        return {hand_text(e.box, e.hand): e.options for e in self.expected if e.kind is Kind.DECISION}

    @property
    def owed(self) -> dict[str, int]:
        """What every bet is owed (minor units), bets that are owed nothing left out."""
        return {bet_text(d.box, d.person, d.bet): d.owed_minor for d in self._dues if d.owed_minor}

    @property
    def open_amounts(self) -> tuple[tuple[int, int, str, int], ...]:
        """Box, person, bet and what still has to move on it (minor units, the bettor's sign), in the table's order."""
        return tuple((d.box, d.person, d.bet, d.difference_minor) for d in self._dues if d.difference_minor)

    @property
    def view(self) -> Mapping[str, Any]:
        """The public picture."""
        return asdict(self._game.view(self._state.rules, self._state.game)) if self.playing else {}

    @property
    def returns(self) -> dict[str, int]:
        """Chips that must go back (minor units)."""
        found: dict[str, int] = {}
        for entry in self.view.get("to_return", ()):
            key = bet_text(entry["box"], entry["person"], entry["bet"])
            found[key] = found.get(key, 0) + entry["net_minor"]
        return found

    @property
    def cards(self) -> dict[str, tuple[str, ...]]:
        """The cards of every hand and of the dealer, or of every seat; `FACE_DOWN` for each that is hidden."""
        view = self.view
        if "seats" in view:
            return {hand_text(seat["seat"]): _faces(seat["cards"]) for seat in view["seats"]}
        found = {
            hand_text(box["box"], hand["hand"]): _faces(hand["cards"])
            for box in view.get("boxes", ())
            for hand in box["hands"]
        }
        return {DEALER: _faces(view.get("dealer", {}).get("cards", ())), **found}

    def waiting(self, severity: Severity) -> tuple[OpenVerdict, ...]:
        """The open verdicts of this severity, oldest first."""
        return tuple(v for v in self._state.verdicts if v.severity is severity)

    def at(self, path: str) -> Any:
        """The value of the public picture at ``shoe.left`` or ``boxes.0.decider``; None where there is none now. Raises
        LookupError with the names there are where the picture never has such a one."""
        value: Any = self.view
        for part in path.split("."):
            if isinstance(value, Mapping) and value:
                if part not in value:
                    raise LookupError(f"no {part}; there are {', '.join(map(str, value))}")
                value = value[part]
            elif isinstance(value, list | tuple) and part.isdecimal() and int(part) < len(value):
                value = value[int(part)]
            else:
                return None
        return value

    @property
    def _dues(self) -> tuple[Due, ...]:
        return self._game.dues(self._state.rules, self._state.game) if self.playing else ()


def _faces(cards: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(FACE_DOWN if card is None else card for card in cards)


def expected_text(e: Expected) -> str:
    """One thing that may come next: ``card 3``, ``decide 3.2``, ``pay 3 3750``, ``take 3/2 500``, ``bets``,
    ``lay 3 double 2500``; a dealer's step or a command by its own word."""
    match e.kind:
        case Kind.CARD:
            return f"card {hand_text(e.box, e.hand or 1)}" if e.hand or e.box else "card"
        case Kind.DECISION:
            return f"decide {hand_text(e.box, e.hand)}"
        case Kind.WAGER if e.box:
            return " ".join(("lay", bettor_text(e.box, e.person), *e.options, str(e.amount_minor)))
        case Kind.WAGER:
            return next((word for word in ("insurance", "withdraw") if word in e.options), "bets")
        case Kind.PAYMENT:
            verb = "pay" if e.amount_minor > 0 else "take"
            return f"{verb} {bettor_text(e.box, e.person)} {abs(e.amount_minor)}"
        case Kind.PROCEDURE | Kind.COMMAND:
            return " ".join(e.options) or e.text
        case _:
            assert_never(e.kind)
