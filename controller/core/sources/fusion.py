"""Fusion: what several sources say of the cards of a round, matched by place, order and tag.

Pure. One source draws: the game puts its cards where they are due. The others see cards lie. Which device is which is
not known here beyond `sources.Source`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.core.cards import Card
from controller.core.records import replace
from controller.core.sources import SILENCE_CARDS, SILENCE_S, SettleOn, Source
from controller.core.sources.sightings import ASIDE, Lying


@dataclass(frozen=True, slots=True)
class Followed:
    """A card of the round by the record, and who has seen it where it lies. ``number`` counts the cards followed, from
    1; box, hand, card, down and waits as in `sightings.Lying`. ``unread``: the source that draws could not read it;
    ``passed``: cards drawn since; ``confirmed``: a supervisor has looked at it; ``former``: it left a shoe that was
    handed over in mid-round."""

    number: int
    box: int
    hand: int
    card: Card | None
    down: bool = False
    waits: str = ""
    seen: tuple[str, ...] = ()
    tag: str = ""
    unread: bool = False
    passed: int = 0
    confirmed: bool = False
    former: bool = False

    @property
    def enough(self) -> bool:
        """Whether two sources, or a supervisor, stand for it."""
        return self.confirmed or len(self.seen) > self.unread


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a source saw at a place; ``tag`` is empty where it knows none. ``hidden``: the face is secret still;
    ``again``: nothing tells it from a card that this source has seen there already, or that lay there unseen in the
    round before; ``passed``: cards drawn since."""

    device: str
    box: int
    hand: int
    card: Card
    tag: str = ""
    hidden: bool = False
    again: bool = False
    passed: int = 0


@dataclass(frozen=True, slots=True)
class Doubt:
    """A sighting that an open verdict of this key is about, and the card followed that it concerns (0: none)."""

    key: str
    sighting: Sighting
    number: int = 0


@dataclass(frozen=True, slots=True)
class Fusion:
    """The sources of a table and what they have said of the round in play.

    ``early`` are sightings that no drawn card explains yet; ``doubts`` those that a verdict is about; ``silent`` the
    devices whose silence was told in this round. ``count`` numbers cards and doubts. ``collected`` are the cards of the
    round before: a slow source may say only now that it saw one, once.
    """

    settle_on: SettleOn = SettleOn.ONE_SOURCE
    silence_s: int = SILENCE_S
    silence_cards: int = SILENCE_CARDS
    sources: tuple[Source, ...] = ()
    cards: tuple[Followed, ...] = ()
    early: tuple[Sighting, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    silent: tuple[str, ...] = ()
    count: int = 0
    collected: tuple[Followed, ...] = ()

    @property
    def watching(self) -> bool:
        """Whether any source sees where cards lie."""
        return any(source.spots for source in self.sources)

    @property
    def drawing(self) -> str:
        """The name of the source that draws, for a person."""
        return next((source.name for source in self.sources if source.draws), "the shoe")

    def source(self, name: str) -> Source | None:
        """The source of this name."""
        return next((source for source in self.sources if source.name == name), None)

    def card(self, number: int) -> Followed | None:
        """The card followed under this number."""
        return next((card for card in self.cards if card.number == number), None)

    def handed_over(self) -> Fusion:
        """With every card that lies now as one of a former shoe."""
        return replace(self, cards=tuple(replace(card, former=True) for card in self.cards))

    def with_card(self, card: Followed) -> Fusion:
        """With this card instead of the one of its number."""
        return replace(self, cards=tuple(card if c.number == card.number else c for c in self.cards))


NOTHING: Final = Fusion()
"""A table without a second source."""


class Fit(StrEnum):
    """How a sighting fits the cards followed."""

    SEEN = "seen"
    """it is that card, seen for the first time by this source"""
    READS = "reads"
    """it is that card, which the source that draws could not read"""
    MAY_READ = "may_read"
    """the same, or it is another card that this source has yet to see there"""
    AGAIN = "again"
    """it is a card that this source has seen there, or one that lies aside: it says nothing new"""
    DIFFERS = "differs"
    """that card lies there by the record, with another face"""
    MISLAID = "mislaid"
    """that card should lie elsewhere"""
    TWICE = "twice"
    """that very card was seen elsewhere"""
    UNKNOWN = "unknown"
    """no card followed explains it"""


def follow(fusion: Fusion, lying: Iterable[Lying]) -> Fusion:
    """The cards that lie now, each with what was known of it: at its place, else where it came from. What was early
    goes with the last card of a round."""
    now = tuple(lying)
    if len(now) == len(fusion.cards) and all(_same(c, x) for c, x in zip(fusion.cards, now, strict=True)):
        return fusion
    old = list(fusion.cards)
    found: list[Followed | None] = [_claim(old, [c for c in old if _same_card(c, x)]) for x in now]
    for at, x in enumerate(now):
        if found[at] is None:
            moved = [c for c in old if x.card is not None and c.card == x.card]
            named = [c for c in old if c.card is None and (c.box, c.hand) == (x.box, x.hand)]
            found[at] = _claim(old, named or moved)
    count, cards = fusion.count, []
    for x, known in zip(now, found, strict=True):
        if known is None:
            count += 1
            known = Followed(count, x.box, x.hand, x.card, unread=x.card is None)
        cards.append(replace(known, box=x.box, hand=x.hand, card=x.card, down=x.down, waits=x.waits))
    numbers = {card.number for card in cards}
    doubts = tuple(d for d in fusion.doubts if not d.number or d.number in numbers)
    silent = fusion.silent if cards else ()
    over = bool(fusion.cards) and not cards
    return replace(
        fusion,
        cards=tuple(cards),
        early=() if over else fusion.early,
        doubts=doubts,
        silent=silent,
        count=count,
        collected=fusion.cards if over else fusion.collected,
    )


def late_word(fusion: Fusion, s: Sighting) -> Fusion | None:
    """Where the sighting may be a slow source's word of a card that lay there in the round before and that it had not
    seen in time: the fusion in which that card was seen. None where it cannot."""
    for at, card in enumerate(fusion.collected):
        if _at(fusion, card, s) and card.card == s.card and s.device not in card.seen and not other_tag(card, s):
            seen = (*fusion.collected[:at], saw(card, s), *fusion.collected[at + 1 :])
            return replace(fusion, collected=seen)
    return None


def _same(card: Followed, x: Lying) -> bool:
    return (card.box, card.hand, card.card, card.down, card.waits) == (x.box, x.hand, x.card, x.down, x.waits)


def _same_card(card: Followed, x: Lying) -> bool:
    return (card.box, card.hand, card.card) == (x.box, x.hand, x.card)


def _claim(old: list[Followed], candidates: list[Followed]) -> Followed | None:
    """The first candidate that nobody has claimed yet, taken out of ``old``."""
    for card in candidates:
        if card in old:
            old.remove(card)
            return card
    return None


def fit(fusion: Fusion, s: Sighting, *, decided: bool) -> tuple[Fit, Followed | None]:
    """How a sighting fits, and the card it is about. ``decided``: the round is over and cards may be taken together."""
    if decided and not fusion.cards:
        return Fit.AGAIN, None  # the cards of a voided round lie together
    here = [c for c in fusion.cards if _at(fusion, c, s)]
    unseen = [c for c in here if s.device not in c.seen]
    tagged = next((c for c in fusion.cards if s.tag and c.tag == s.tag), None)
    if tagged is not None and not (tagged in unseen and tagged.card == s.card):
        known = tagged in here or decided
        return (Fit.AGAIN if known and tagged.card == s.card else Fit.TWICE), tagged
    exact = [c for c in unseen if c.card == s.card and not other_tag(c, s)]
    if exact:
        return Fit.SEEN, tagged or exact[0]
    unread = [c for c in unseen if c.card is None]
    if unread:
        return (Fit.READS if len(unseen) == 1 else Fit.MAY_READ), unread[0]
    differing = [c for c in unseen if c.card != s.card and not c.confirmed]
    if differing:
        return Fit.DIFFERS, differing[0]
    if decided and any(c.card == s.card and not other_tag(c, s) for c in fusion.cards):
        return Fit.AGAIN, None
    return _elsewhere(fusion, s, here)


def _elsewhere(fusion: Fusion, s: Sighting, here: list[Followed]) -> tuple[Fit, Followed | None]:
    """The fit of a sighting where every card of the record has been seen by this source."""
    same = [c for c in fusion.cards if c.card == s.card and not other_tag(c, s)]
    if any(c in here or c.box == ASIDE for c in same):
        return Fit.AGAIN, None
    newest = max((c.number for c in fusion.cards), default=0)
    astray = [c for c in same if not (c.seen or c.confirmed or c.down) and (_watched(fusion, c) or c.number == newest)]
    return (Fit.MISLAID, astray[-1]) if astray else (Fit.UNKNOWN, None)


def _at(fusion: Fusion, card: Followed, s: Sighting) -> bool:
    source = fusion.source(s.device)
    if source is None or card.box == ASIDE:
        return False
    return source.spot(card.box, card.hand) == source.spot(s.box, s.hand) and (source.tags or not card.down)


def other_tag(card: Followed, s: Sighting) -> bool:
    """Whether the tags tell that it is another physical card."""
    return bool(card.tag and s.tag and card.tag != s.tag)


def _watched(fusion: Fusion, card: Followed) -> bool:
    return any(source.covers(card.box, card.hand) for source in fusion.sources)


def passed(fusion: Fusion) -> Fusion:
    """One more card was drawn."""
    cards = tuple(replace(card, passed=card.passed + 1) for card in fusion.cards)
    early = tuple(replace(s, passed=s.passed + 1) for s in fusion.early)
    return replace(fusion, cards=cards, early=early)


def place_in_hand(fusion: Fusion, card: Followed) -> int:
    """How many cards lie before this one in its hand."""
    hand = [c.number for c in fusion.cards if (c.box, c.hand) == (card.box, card.hand)]
    return hand.index(card.number)


def saw(card: Followed, s: Sighting) -> Followed:
    """The card once this source has seen it."""
    others = tuple(device for device in card.seen if device != s.device)
    return replace(card, seen=(*others, s.device), tag=card.tag or s.tag)


def awaited(fusion: Fusion) -> tuple[tuple[Followed, Source], ...]:
    """Every card that a source should have seen where it lies, and has not; with that source."""
    return tuple(
        (card, source)
        for card in fusion.cards
        if card.card is not None and not (card.down or card.confirmed or card.box == ASIDE)
        for source in fusion.sources
        if source.covers(card.box, card.hand) and source.name not in card.seen
    )


def unconfirmed(fusion: Fusion) -> tuple[Followed, ...]:
    """Every card that a second source could see and for which one source alone stands."""
    waiting = {card.number for card, _ in awaited(fusion) if not card.enough}
    return tuple(card for card in fusion.cards if card.number in waiting)
