"""The sources of cards of a table, as its configuration has them: what each device can do, for the fusion."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from controller.adapters.link import Wiring
from controller.app.config import SourcesSection
from controller.core.inputs import SourcesChosen
from controller.core.sources import SettleOn, Source
from controller.core.sources.fusion import Fusion, unconfirmed
from controller.core.sources.sightings import ASIDE
from controller.core.state import TableState
from drivers.readers.options import spot_of


@dataclass(frozen=True, slots=True)
class SourceView:
    """A source of cards: whether cards are drawn past it, the places it sees (box and hand), whether it is there."""

    name: str
    draws: bool
    spots: tuple[tuple[int, int], ...]
    online: bool


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card on the table and who saw it where it lies; ``card`` is null where it lies face down or is not known.
    ``lacks_second``: a second source should have seen it and has not."""

    box: int
    hand: int
    card: str | None
    seen_by: tuple[str, ...]
    confirmed: bool
    lacks_second: bool


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A sighting of a card that nobody drew."""

    device: str
    box: int
    hand: int


@dataclass(frozen=True, slots=True)
class SourcesView:
    """The sources and what they have said of the cards on the table."""

    settle_on: SettleOn
    sources: tuple[SourceView, ...]
    cards: tuple[SeenCard, ...]
    unexplained: tuple[Unexplained, ...]


NONE: Final = SourcesChosen(SettleOn.ONE_SOURCE, 0, 0, ())
"""A table on which nothing is compared: no source sees cards lie."""


def sources_of(section: SourcesSection, wirings: Iterable[Wiring], more: Iterable[Source] = ()) -> SourcesChosen:
    """What the table is told of its sources; ``more`` are those that are no devices on a wire."""
    found = (*(source for wiring in wirings if (source := _source(wiring)) is not None), *more)
    if not any(source.spots for source in found):
        return NONE
    return SourcesChosen(section.settle_on, section.silence_s, section.silence_cards, found)


def chosen(fusion: Fusion) -> SourcesChosen:
    """The choice in force, as the input that made it."""
    if not fusion.sources:
        return NONE
    return SourcesChosen(fusion.settle_on, fusion.silence_s, fusion.silence_cards, fusion.sources)


def reported(fusion: Fusion, name: str, positions: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The faces that a source of several positions has reported of the cards that lie now, by position."""
    source = fusion.source(name)
    seen = [card for card in fusion.cards if name in card.seen and card.card is not None and card.box != ASIDE]
    if source is None:
        return {}
    places = {position: source.spot(*spot) for position in positions if (spot := spot_of(position)) is not None}
    return {
        position: tuple(card.card.text for card in seen if card.card and source.spot(card.box, card.hand) == place)
        for position, place in places.items()
    }


def picture(state: TableState) -> SourcesView | None:
    """The sources and what they have said of the cards on the table, for screens and the bus; None where nothing is
    compared. The face of a card that lies face down is not in it."""
    fusion = state.fusion
    if not fusion.sources:
        return None
    lacking = {card.number for card in unconfirmed(fusion)}
    return SourcesView(
        fusion.settle_on,
        tuple(SourceView(s.name, s.draws, s.spots, s.name not in state.offline) for s in fusion.sources),
        tuple(
            SeenCard(
                card.box,
                card.hand,
                None if card.down or card.card is None else card.card.text,
                card.seen,
                card.confirmed,
                card.number in lacking,
            )
            for card in fusion.cards
            if card.box != ASIDE
        ),
        tuple(Unexplained(s.device, s.box, s.hand) for s in fusion.early if not s.again),
    )


def _source(wiring: Wiring) -> Source | None:
    if not (wiring.sees_cards or wiring.spots):
        return None
    return Source(wiring.name, wiring.sees_cards, wiring.spots, wiring.capabilities.card_identity)
