"""The dealer's final total with no hole card, exactly, by up card and all together."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from controller.core.cards import Card
from controller.games.blackjack.hand import dealer_draws, is_blackjack, total

FACES: Final = tuple(Card(text) for text in ("AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS"))
"""One face for each value; ten stands for the sixteen ten-values of a deck."""
PER_DECK: Final = (4,) * 9 + (16,)

BLACKJACK: Final = "blackjack"
BUST: Final = "bust"


def finals_after(up: int, counts: tuple[int, ...], *, hits_soft_17: bool = False) -> dict[str, Fraction]:
    """Chances of 17 to 20, 21 (three or more cards), blackjack and bust, for the up card ``FACES[up]``; ``counts`` are
    the cards left by value, the up card taken out already."""
    found: dict[str, Fraction] = {}
    for outcome, chance in _play((FACES[up],), list(counts), Fraction(1), hits_soft_17):
        found[outcome] = found.get(outcome, Fraction(0)) + chance
    return found


def fresh_counts(decks: int, *out: int) -> tuple[int, ...]:
    """Cards by value of a fresh shoe without those of the values ``out`` (indices of FACES)."""
    counts = [n * decks for n in PER_DECK]
    for value in out:
        counts[value] -= 1
    return tuple(counts)


def finals(decks: int, up: int, *, hits_soft_17: bool = False) -> dict[str, Fraction]:
    """As `finals_after`, from a fresh shoe."""
    return finals_after(up, fresh_counts(decks, up), hits_soft_17=hits_soft_17)


def finals_of_all(decks: int, *, hits_soft_17: bool = False) -> dict[str, Fraction]:
    """All up cards together."""
    found: dict[str, Fraction] = {}
    for up in range(len(FACES)):
        weight = Fraction(PER_DECK[up], 52)
        for outcome, chance in finals(decks, up, hits_soft_17=hits_soft_17).items():
            found[outcome] = found.get(outcome, Fraction(0)) + weight * chance
    return found


def insurance_value(decks: int, pays: Fraction) -> Fraction:
    """What insurance brings per unit staked when only the dealer's ace is known."""
    counts = fresh_counts(decks, 0)
    ten = Fraction(counts[9], sum(counts))
    return pays * ten - (1 - ten)


def _play(
    cards: tuple[Card, ...], counts: list[int], chance: Fraction, hits_soft_17: bool
) -> Iterator[tuple[str, Fraction]]:
    if not dealer_draws(cards, hits_soft_17):
        points = total(cards)[0]
        yield BLACKJACK if is_blackjack(cards) else BUST if points > 21 else str(points), chance
        return
    left = sum(counts)
    for value, count in enumerate(counts):
        if count:
            counts[value] -= 1
            yield from _play((*cards, FACES[value]), counts, chance * Fraction(count, left), hits_soft_17)
            counts[value] += 1
