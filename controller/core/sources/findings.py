"""What the watch of several sources finds, in words: codes, texts and corrections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from controller.core.limits import MAX_TEXT
from controller.core.sources import SettleOn, Source
from controller.core.sources.fusion import Followed, Fusion, Sighting
from controller.core.sources.sightings import ASIDE
from controller.core.verdicts import Correction, Finding, OpenVerdict, Severity, VerdictCode

NO_CARD: Final = Correction("no_card", "the source was wrong, or the card was taken away: the record stands")
COUNT_IT: Final = Correction("count_it", "the card left the shoe unseen: it counts as the next one due")
CONFIRM_READ: Final = Correction("confirm_read", "it is the card that the source read")
CONFIRM_CARDS: Final = Correction("confirm_cards", "the cards lie as they are on record; say why you are sure")
NAME_FIRST: Final = Correction("name_card", "the first of these cards is another one: name it", needs_card=True)
NAME_CARD: Final = Correction("name_card", "a supervisor names the card after looking at it", needs_card=True)

DISAGREE: Final = "SOURCES_DISAGREE"
NOT_DRAWN: Final = "CARD_NOT_DRAWN"
TWICE: Final = "CARD_SEEN_TWICE"
UNCONFIRMED: Final = "CARDS_UNCONFIRMED"
SILENT: Final = "SOURCE_SILENT"
OFFLINE: Final = "SOURCE_OFFLINE"

CODES: Final = (
    VerdictCode(
        DISAGREE,
        (Severity.HOLD,),
        "The source that draws and one that sees the card lie read different faces of it.",
        "Look at the card; believe the one or the other, or name it.",
    ),
    VerdictCode(
        NOT_DRAWN,
        (Severity.HOLD,),
        "A card was seen at a place, and no card that was drawn explains it.",
        "Take it away (`no_card`), or count it as the next card where it left the shoe unseen.",
    ),
    VerdictCode(
        TWICE,
        (Severity.HOLD,),
        "One card was seen at two places.",
        "Look where it lies; where there are two of the face, count the second one.",
    ),
    VerdictCode(
        UNCONFIRMED,
        (Severity.HOLD,),
        "The round is decided, and cards that two sources should have seen were seen by one "
        "(`settle_on = two_sources`).",
        "Wait for the source, or look at the cards and confirm them with a reason; name one that is another.",
    ),
    VerdictCode(
        SILENT,
        (Severity.NOTE, Severity.OPEN),
        "A source says nothing of a card that lies where it sees cards. Open where two sources are asked for.",
        "Look whether the card lies on the reader and whether the reader works.",
    ),
    VerdictCode(
        OFFLINE,
        (Severity.NOTE,),
        "A source that sees cards lie is offline: its cards have one source less.",
        "Plug it in; where two sources are asked for, a supervisor confirms what it did not see.",
    ),
)


def face(fusion: Fusion, card: Followed, *, hidden: bool) -> str:
    """A card of the record for a person, with its place."""
    what = "a card" if hidden or card.card is None else str(card.card)
    return f"{what} {place(card.box, card.hand)}"


def place(box: int, hand: int) -> str:
    """A place for a person."""
    if box == ASIDE:
        return "aside"
    return "at the dealer" if box == 0 else f"at box {box}" + (f" hand {hand}" if hand > 1 else "")


def seen(s: Sighting) -> str:
    """A sighting for a person."""
    what = "a card" if s.hidden else str(s.card)
    return f"{s.device} sees {what} {place(s.box, s.hand)}"


def disagree(fusion: Fusion, card: Followed, s: Sighting, key: str, ways: tuple[Correction, ...]) -> Finding:
    """Two sources read two faces of one card."""
    hidden = s.hidden or card.down
    other = f"{seen(s)}, another face" if hidden else seen(s)
    return Finding(DISAGREE, Severity.HOLD, f"{fusion.drawing}: {face(fusion, card, hidden=hidden)}", other, ways, key)


def believe_record(fusion: Fusion, card: Followed, s: Sighting) -> Correction:
    """The face on record is right."""
    what = "" if s.hidden or card.down else f", it is {card.card}"
    return Correction(
        "believe_record", f"{fusion.drawing} is right{what}; {s.device} misread, or the card is put right"
    )


def believe_source(s: Sighting) -> Correction:
    """The face that the other source read is right."""
    return Correction("believe_source", f"{s.device} is right, it is {s.card}: the record is corrected")


def twice(card: Followed, s: Sighting, key: str, ways: tuple[Correction, ...]) -> Finding:
    """One card at two places."""
    wanted = f"each card at one place: {'a card' if s.hidden else s.card} lies {place(card.box, card.hand)}"
    return Finding(TWICE, Severity.HOLD, wanted, seen(s), ways, key)


def not_drawn(fusion: Fusion, s: Sighting, key: str, ways: tuple[Correction, ...]) -> Finding:
    """A card that no drawn one explains."""
    return Finding(NOT_DRAWN, Severity.HOLD, f"cards that {fusion.drawing} has drawn", seen(s), ways, key)


def read_by(verdict: OpenVerdict, s: Sighting) -> Finding:
    """A card that the drawing source could not read, with the word of one that could."""
    ways = (CONFIRM_READ, *(way for way in verdict.corrections if way.kind != CONFIRM_READ.kind))
    actual = f"{verdict.actual}; {seen(s)}"[:MAX_TEXT]
    return Finding(verdict.code, verdict.severity, verdict.expected, actual, ways, verdict.key)


def silent(fusion: Fusion, card: Followed, source: Source) -> Finding:
    """A source says nothing of a card it should see."""
    two = fusion.settle_on is SettleOn.TWO_SOURCES
    severity = Severity.OPEN if two else Severity.NOTE
    wanted = f"{source.name} sees {face(fusion, card, hidden=False)}"
    return Finding(SILENT, severity, wanted, "it says nothing", (), silent_key(source.name) if two else "")


def silent_key(device: str) -> str:
    """The key of the verdict about a silent source."""
    return f"silent:{device}"


def offline(source: Source, reason: str) -> Finding:
    """A source that sees cards lie is away."""
    spots = ", ".join(place(box, hand).removeprefix("at ") for box, hand in source.spots[:8])
    return Finding(OFFLINE, Severity.NOTE, f"{source.name} sees the cards of {spots}"[:MAX_TEXT], f"offline: {reason}")


def still_unconfirmed(
    fusion: Fusion, cards: Iterable[Followed], away: Iterable[str], ways: tuple[Correction, ...]
) -> Finding:
    """The round is decided and these cards have been seen by one source alone."""
    missing = ", ".join(face(fusion, card, hidden=False) for card in cards)
    gone = "; offline: " + ", ".join(away) if away else ""
    wanted = "every card seen by two sources before the bets are settled"
    return Finding(UNCONFIRMED, Severity.HOLD, wanted, f"seen by one: {missing}{gone}"[:MAX_TEXT], ways, "unconfirmed")
