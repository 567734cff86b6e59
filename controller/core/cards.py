"""Cards: fifty-two singletons, compared by identity, written ``KD`` in records and ``K♦`` for people."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler


class Suit(StrEnum):
    """A suit by its letter."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


class Rank(IntEnum):
    """A rank by its pip number, ace 1 to king 13."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13


RANK_LETTERS: Final = "A23456789TJQK"
SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_BY_SIGN: Final = {sign: letter for letter, sign in SUIT_SIGNS.items()}


class Card:
    """One of the 52 faces; ``Card("KD")`` is always the same object. ``index`` is 0..51, suits S H D C, ace to king.

    A face never identifies a physical card: six decks hold six of each.
    """

    __slots__ = ("index", "pretty", "rank", "suit", "text")
    text: str
    pretty: str
    rank: Rank
    suit: Suit
    index: int

    def __new__(cls, text: str) -> Card:
        """Return the card written ``KD`` or ``K♦``. Raises ValueError for anything else."""
        card = _BY_TEXT.get(text)
        if card is None:
            raise ValueError(f"{text!r} is not a card: write rank and suit, such as KD, TS or 7♥")
        return card

    @staticmethod
    def of(rank: int, suit: str) -> Card:
        """Return the card of rank 1..13 and suit letter S, H, D or C. Raises ValueError otherwise."""
        if not 1 <= rank <= 13:
            raise ValueError(f"rank {rank} is not one of 1 (ace) to 13 (king)")
        return Card(RANK_LETTERS[rank - 1] + suit)

    def __repr__(self) -> str:
        return f"Card({self.text!r})"

    def __str__(self) -> str:
        return self.pretty

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return (Card, (self.text,))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> Any:
        from pydantic_core import core_schema

        def parse(value: Any) -> Card:
            if isinstance(value, Card):
                return value
            if isinstance(value, str):
                return Card(value)
            raise ValueError("a card is written as text, such as KD")

        return core_schema.no_info_plain_validator_function(
            parse,
            serialization=core_schema.plain_serializer_function_ser_schema(
                _text_of, return_schema=core_schema.str_schema()
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "pattern": "^[A2-9TJQK][SHDC]$", "description": "rank and suit of a card"}


def _text_of(card: Card) -> str:
    return card.text


_BY_TEXT: dict[str, Card] = {}


def _make_deck() -> tuple[Card, ...]:
    cards: list[Card] = []
    for suit in Suit:
        for rank in Rank:
            card = object.__new__(Card)
            letter = RANK_LETTERS[rank - 1]
            card.text, card.pretty = letter + suit.value, letter + SUIT_SIGNS[suit.value]
            card.rank, card.suit, card.index = rank, suit, len(cards)
            _BY_TEXT[card.text] = _BY_TEXT[card.pretty] = card
            cards.append(card)
    return tuple(cards)


DECK: Final[tuple[Card, ...]] = _make_deck()
"""The 52 cards in index order."""
