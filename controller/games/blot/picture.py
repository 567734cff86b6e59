"""The shape of the public picture of a Blot table, as it stands in ``state`` on the bus. Pairs have seat 1 first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MatchView:
    """The match: its form and target, what each seat has won of it, the ``winner``'s seat (0: none yet), fees laid."""

    number: int
    form: str
    match_by: str
    target: int
    totals: tuple[int, int]
    wins: tuple[int, int]
    winner: int
    fees_minor: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat: ``role`` is D, N or empty before a deal; ``cards`` has what everybody has seen, then null for each hidden
    one; ``announced`` combinations in words, and the cards of those that were ``shown``."""

    seat: int
    role: str
    cards: tuple[str | None, ...]
    announced: tuple[str, ...]
    shown: tuple[str, ...]
    tricks: int
    points: int


@dataclass(frozen=True, slots=True)
class TrickView:
    """The trick in play, 0 before the first one, and the card that was led to it (empty: none yet)."""

    number: int
    led: str


@dataclass(frozen=True, slots=True)
class DeckView:
    """The packet that cards come from, in cards; ``number`` counts rounds of the match."""

    number: int
    cards: int
    drawn: int
    left: int


@dataclass(frozen=True, slots=True)
class BlotView:
    """A table of Blot as everybody may see it. ``dealer``, ``taker`` and ``turn`` are seats (0: none); ``turn_up`` and
    ``contract`` are empty where there is none; ``kept``: the turn-up lies in a hand; ``score``: the round's points of
    both seats once they are known; ``waiting``: cards that wait for a supervisor."""

    phase: str
    round: str
    match: MatchView
    dealer: int
    seats: tuple[SeatView, ...]
    turn_up: str
    taker: int
    contract: str
    kept: bool
    turn: int
    trick: TrickView
    score: tuple[int, ...]
    shoe: DeckView
    cards_on_table: int
    waiting: int
