"""Lines about cards: leaving a shoe, being laid, being read where they lie. Each reader of a line takes the words
behind the verb and raises ValueError, one line, for words that cannot stand there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.app.scenario import acts
from controller.app.scenario.acts import Act, Manner
from controller.app.scenario.places import parse_place, position_of
from controller.app.scenario.words import Words, card_of, count, number_of
from controller.core.records import replace
from drivers import messages as m

MOST_WORDS: Final = 400
"""Words in a line; a whole shoe has 312 cards."""
SHOES: Final = (acts.SHOE, acts.SPARE)


def parse_out(word: str) -> acts.Drawn:
    """What leaves a shoe: a card, ``XX`` or ``CUT``. Raises ValueError."""
    if word == "CUT":
        return acts.Drawn(None, Manner.CUT_CARD)
    return acts.Drawn(None, Manner.UNREADABLE) if word == "XX" else acts.Drawn(card_of(word))


def cards(words: Words) -> list[Act]:
    """``cards AS 9D@dealer``: each leaves the shoe in use, and a sensor notices where it is laid."""
    count(words, 1, MOST_WORDS)
    found: list[Act] = []
    for word in words:
        face, at, where = word.partition("@")
        found.append(parse_out(face))
        if at:
            found.extend(lay([where]))
    return found


def deal(words: Words) -> list[Act]:
    """``deal AS@3 9D@dealer``: each leaves the shoe in use, and the reader where it is laid reads it."""
    count(words, 1, MOST_WORDS)
    found: list[Act] = []
    for word in words:
        face, at, where = word.partition("@")
        if not at:
            raise ValueError(f"{word!r} says not where the card is laid, such as {word}@3")
        out = parse_out(face)
        found += [out, acts.Seen(position_of(where), out.card)]
    return found


def see(words: Words) -> list[Act]:
    """``see 3 AS 9D``: the reader there reads these cards, one after the other."""
    count(words, 2, MOST_WORDS)
    device = position_of(words[0])
    return [acts.Seen(device, None if word == "XX" else card_of(word)) for word in words[1:]]


def from_shoe(words: Words) -> list[Act]:
    """``from spare AS``: cards leave this shoe, whether it is in use or not."""
    count(words, 2, MOST_WORDS)
    if words[0] not in SHOES:
        raise ValueError(f"{words[0]!r} is no shoe: {', '.join(SHOES)}")
    return [replace(parse_out(word), shoe=words[0]) for word in words[1:]]


def one_card(manner: Manner) -> Callable[[Words], list[Act]]:
    """The reader of a line with one card that leaves the shoe in this manner."""

    def read(words: Words) -> list[Act]:
        count(words, 1, 1)
        return [acts.Drawn(card_of(words[0]), manner)]

    return read


def draw(words: Words) -> list[Act]:
    """``draw 3``: so many cards of the scenario's shoe."""
    count(words, 0, 1)
    return [acts.DrawNext(number_of(words[0], 1, 416, "number of cards") if words else 1)]


def lay(words: Words) -> list[Act]:
    """``lay 3``: a sensor notices a card."""
    count(words, 1, 1)
    place = parse_place(words[0])
    return [acts.Said("bets", m.CardLaid(place.box, place.hand or 1))]
