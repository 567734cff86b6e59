"""The picture of a table: the retained ``state`` on the bus and what the dealer's console shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from controller.app.payloads import SignedView, StatePayload
from controller.app.shoes import NO_SHOES, Shoes, console_text
from controller.app.sources import picture
from controller.core.bookkeeping import holds
from controller.core.expectation import Kind
from controller.core.game import Game
from controller.core.state import Service, TableState
from controller.core.table import phase
from controller.core.verdicts import Severity

WIDTH: Final = 40
"""Characters of a console line."""


def state_payload(
    game: Game, state: TableState, sequence: int, currency: str, shoes: Shoes = NO_SHOES
) -> StatePayload[Any]:
    """The ``state`` topic: phase, hands, shoe, what is expected, what is owed, open verdicts, as of ``sequence``."""
    playing = state.game is not None and state.service is Service.OPEN
    return StatePayload(
        phase=phase(game, state),
        service=state.service,
        round=game.round_id(state.game) if playing else "",
        as_of=sequence,
        epoch=state.epoch,
        rules=state.rules_name,
        rules_sha256=state.rules_sha256,
        game=game.name,
        currency=currency,
        view=game.view(state.rules, state.game) if playing else None,
        expected=game.expectation(state.rules, state.game) if playing else (),
        dues=game.dues(state.rules, state.game) if playing else (),
        verdicts=state.verdicts,
        held=next(iter(holds(state)), None),
        signed=tuple(SignedView.of(s) for s in state.signed),
        offline=state.offline,
        shoes=shoes,
        sources=picture(state) if playing else None,
    )


SECOND_PERSON: Final = "2nd person: staff card, then approve"
"""What a console shows while a command that was keyed at one waits for a second person."""


@dataclass(frozen=True, slots=True)
class Display:
    """What the dealer's console shows: four lines of text and the lamps that are on (0) or blink (1)."""

    lines: tuple[str, str, str, str]
    lamps: tuple[str, str, str, str]
    """following, held, card due, payment wrong: each ``off``, ``on`` or ``blink``"""


DARK: Final = Display(("", "", "", ""), ("off", "off", "off", "off"))


def display(game: Game, state: TableState, refused: str, shoes: Shoes = NO_SHOES) -> Display:
    """The display of a table; ``refused`` is the code of the last refusal, empty when the last input was accepted. A
    shoe in use that is away stands in place of the card that cannot come, else of the counts, and its lamp blinks."""
    if state.game is None or state.service is not Service.OPEN:
        return Display((state.service.value, "", "", ""), ("off", "off", "off", "off"))
    held = holds(state)
    expected = game.expectation(state.rules, state.game)
    view = game.view(state.rules, state.game)
    title = f"{phase(game, state)} {game.round_id(state.game)}"
    last = f"! {refused}" if refused else ""
    if held:
        title = f"held {held[0].id} {held[0].code}"
        last = " ".join(f"{n} {c.kind}" for n, c in enumerate(held[0].corrections, 1))
    asked = any(s.command.device for s in state.signed)
    card_due = bool(expected) and expected[0].kind is Kind.CARD
    due = SECOND_PERSON if asked else expected[0].text if expected else ""
    counts = f"shoe {view.shoe.number} drawn {view.shoe.drawn} table {view.cards_on_table}"
    if missing := console_text(shoes, WIDTH):
        due, counts = (missing, counts) if (card_due or held) and not asked else (due, missing)
    wrong = any(v.severity is Severity.OPEN for v in state.verdicts)
    card_lamp = "blink" if missing else _on(card_due and not held)
    lamps = ("off" if held else "on", "blink" if held else "off", card_lamp, _on(wrong))
    return Display(tuple(line.strip()[:WIDTH] for line in (title, due, counts, last)), lamps)  # type: ignore[arg-type]


def _on(value: bool) -> str:
    return "on" if value else "off"
