"""The camera among the sources of a table: where it sees cards, and what it has reported already."""

from __future__ import annotations

from controller.adapters.camera import camera_wiring
from controller.app.config import SourcesSection
from controller.app.sources import reported, sources_of
from controller.core.cards import Card
from controller.core.sources import EVERY_HAND
from controller.core.sources.fusion import Followed, Fusion
from controller.core.sources.sightings import ASIDE

POSITIONS = ("dealer", "box-1", "box-3", "box-3-2", "discard")
CHOSEN = sources_of(SourcesSection(), (camera_wiring("eye", POSITIONS),))


def test_it_is_a_source_that_sees_where_cards_lie_and_draws_none() -> None:
    (source,) = CHOSEN.sources
    assert (source.name, source.draws, source.tags) == ("eye", False, False)
    assert source.spots == ((0, 1), (1, EVERY_HAND), (3, 1), (3, 2))


def test_what_it_has_reported_of_the_cards_that_lie_is_known_by_position() -> None:
    cards = (
        Followed(1, 0, 1, Card("KH"), seen=("eye",)),
        Followed(2, 1, 1, Card("7C"), seen=("other", "eye")),
        Followed(3, 1, 2, Card("9D"), seen=("eye",)),
        Followed(4, 3, 2, Card("AS"), seen=("eye",)),
        Followed(5, 3, 1, Card("2S"), seen=("other",)),
        Followed(6, 3, 1, None, seen=("eye",)),
        Followed(7, ASIDE, 1, Card("5D"), seen=("eye",)),
    )
    told = reported(Fusion(sources=CHOSEN.sources, cards=cards), "eye", POSITIONS)
    assert told == {"dealer": ("KH",), "box-1": ("7C", "9D"), "box-3": (), "box-3-2": ("AS",)}


def test_a_camera_that_is_new_has_reported_nothing() -> None:
    assert reported(Fusion(), "eye", POSITIONS) == {}
