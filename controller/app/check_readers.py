"""What is wrong with the card sources of a configuration: shoe, readers and the register of their tags."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from controller.adapters.link import Wiring
from controller.app.config import SourcesSection
from controller.app.deckregister import DeckRegister
from controller.app.deckregister_file import RegisterError
from controller.core.sources import SettleOn

Told = tuple[tuple[str, ...], tuple[str, ...]]
"""Problems and warnings, one line each."""


def card_sources(wirings: Mapping[str, Wiring], kinds: Collection[str]) -> Told:
    """What the table lacks, and what its cards come from: one shoe, or one reader that each card passes. ``wirings``
    are the usable devices by their key, ``kinds`` those of all devices."""
    problems, warnings = [], []
    swipes = {key: w for key, w in wirings.items() if w.kind == "reader" and w.sees_cards}
    lacks = [kind for kind in ("shoe", "console", "bets") if kind not in kinds and not (kind == "shoe" and swipes)]
    if lacks:
        warnings.append(f"device: the table has no {', no '.join(lacks)}")
    for number, (key, swipe) in enumerate(swipes.items()):
        if "shoe" in kinds or number:
            other = "a shoe" if "shoe" in kinds else "another swipe reader"
            position = f"set options.position of {swipe.name} to the place it reads"
            problems.append(f"{key}: each card would be counted twice, by {other} and by {swipe.name}; {position}")
        elif not swipe.capabilities.lock:
            say = "cannot be locked: a held table is told by the console's lamp and text alone"
            warnings.append(f"{key}: {swipe.name} {say}")
    return tuple(problems), tuple(warnings)


def second_source(section: SourcesSection, wirings: Mapping[str, Wiring], *, camera: bool) -> tuple[str, ...]:
    """A warning where a table that settles on two sources has no second one. ``camera``: a camera looks on."""
    if section.settle_on is not SettleOn.TWO_SOURCES or camera or any(w.spots for w in wirings.values()):
        return ()
    say = "two_sources, and no source sees cards lie: every round is settled on one"
    return (f"sources.settle_on: {say}; add a reader at a place, or [camera]",)


def tags_without_register(wirings: Mapping[str, Wiring]) -> tuple[str, ...]:
    """A warning, one line, for each reader that reads tags, at a table that knows no tag."""
    say = "reads tags, and without [decks] no tag is a card; name the deck register in decks.path"
    tagged = {key: w.name for key, w in wirings.items() if w.kind == "reader" and w.capabilities.card_identity}
    return tuple(f"{key}: {name} {say}" for key, name in tagged.items())


def register_faults(path: Path) -> Told:
    """What is wrong with the deck register at ``path``; a warning where no deck in it can be played."""
    try:
        with DeckRegister(path, lambda: 0) as register:
            playable = any(deck.playable for deck in register.decks())
    except RegisterError as error:
        return (f"decks.path: {error}",), ()
    return (), () if playable else (f"decks.path: {path.name} has no complete deck: `tablewatch decks enrol`",)
