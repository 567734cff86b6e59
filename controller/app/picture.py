"""The picture of a table: the retained ``state`` on the bus and what the dealer's console shows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from controller.app.sources import picture
from controller.core.bookkeeping import holds
from controller.core.expectation import Kind
from controller.core.game import Game
from controller.core.state import Service, Signed, TableState
from controller.core.table import phase
from controller.core.verdicts import Severity

WIDTH: Final = 40
"""Characters of a console line."""


def state_payload(game: Game, state: TableState, sequence: int, currency: str) -> dict[str, Any]:
    """The ``state`` topic: phase, hands, shoe, what is expected, what is owed, open verdicts, as of ``sequence``."""
    playing = state.game is not None and state.service is Service.OPEN
    first_hold = next(iter(holds(state)), None)
    return {
        "phase": phase(game, state),
        "service": state.service.value,
        "round": game.round_id(state.game) if playing else "",
        "as_of": sequence,
        "epoch": state.epoch,
        "rules": state.rules_name,
        "rules_sha256": state.rules_sha256,
        "game": game.name,
        "currency": currency,
        "view": game.view(state.rules, state.game) if playing else None,
        "expected": [_expected(e) for e in game.expectation(state.rules, state.game)] if playing else [],
        "dues": [asdict(d) for d in game.dues(state.rules, state.game)] if playing else [],
        "verdicts": [asdict(v) for v in state.verdicts],
        "held": asdict(first_hold) if first_hold else None,
        "signed": [_signed(s) for s in state.signed],
        "offline": list(state.offline),
        "sources": picture(state) if playing else None,
    }


def _signed(signed: Signed) -> dict[str, Any]:
    """What a second person is asked to approve."""
    command = signed.command
    texts = ("name", "actor", "request", "verdict", "correction", "reason")
    card = command.card.text if command.card else ""
    return {key: getattr(command, key) for key in texts} | {"card": card, "round": signed.round}


def _expected(expected: Any) -> dict[str, Any]:
    data = asdict(expected)
    data["options"] = list(expected.options)
    return data


SECOND_PERSON: Final = "2nd person: staff card, then approve"
"""What a console shows while a command that was keyed at one waits for a second person."""


@dataclass(frozen=True, slots=True)
class Display:
    """What the dealer's console shows: four lines of text and the lamps that are on (0) or blink (1)."""

    lines: tuple[str, str, str, str]
    lamps: tuple[str, str, str, str]
    """following, held, card due, payment wrong: each ``off``, ``on`` or ``blink``"""


DARK: Final = Display(("", "", "", ""), ("off", "off", "off", "off"))


def display(game: Game, state: TableState, refused: str) -> Display:
    """The display of a table; ``refused`` is the code of the last refusal, empty when the last input was accepted."""
    if state.game is None or state.service is not Service.OPEN:
        return Display((state.service.value, "", "", ""), ("off", "off", "off", "off"))
    held = holds(state)
    expected = game.expectation(state.rules, state.game)
    view = game.view(state.rules, state.game)
    shoe = view.get("shoe", {})
    title = f"{phase(game, state)} {game.round_id(state.game)}"
    last = f"! {refused}" if refused else ""
    if held:
        title = f"held {held[0].id} {held[0].code}"
        last = " ".join(f"{n} {c.kind}" for n, c in enumerate(held[0].corrections, 1))
    asked = any(s.command.device for s in state.signed)
    due = SECOND_PERSON if asked else expected[0].text if expected else ""
    counts = f"shoe {shoe.get('number', 0)} drawn {shoe.get('drawn', 0)} table {view.get('cards_on_table', 0)}"
    lines = (title, due, counts, last)
    wrong = any(v.severity is Severity.OPEN for v in state.verdicts)
    card_due = bool(expected) and expected[0].kind is Kind.CARD and not held
    lamps = ("off" if held else "on", "blink" if held else "off", _on(card_due), _on(wrong))
    return Display(tuple(line.strip()[:WIDTH] for line in lines), lamps)  # type: ignore[arg-type]


def _on(value: bool) -> str:
    return "on" if value else "off"
