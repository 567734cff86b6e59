"""The cards in a simulated shoe, whatever its wire: what left it, what forbids to draw, and the pull of a hand."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from threading import RLock
from typing import TYPE_CHECKING

from drivers.messages import OutOfGame

if TYPE_CHECKING:
    from firmware_sim.shoe import Loaded


class Pack:
    """What both simulated shoes have in common; each sets these when it is switched on. All methods are thread-safe."""

    _lock: RLock
    _cards: deque[Loaded]
    _dealt: list[Loaded]
    _powered: bool
    _host_locked: bool
    _key_locked: bool
    _throat_full: bool
    _setting_mode: bool
    _in_error_mode: bool

    @property
    def dealt(self) -> tuple[Loaded, ...]:
        """What left the shoe since it was loaded."""
        with self._lock:
            return tuple(self._dealt)

    @property
    def remaining(self) -> int:
        """Cards still in the shoe, the cut card counted."""
        with self._lock:
            return len(self._cards)

    @property
    def locked(self) -> bool:
        """Whether the host or the key forbids drawing."""
        with self._lock:
            return self._host_locked or self._key_locked

    @property
    def in_error_mode(self) -> bool:
        """Whether an error has to be cleared first."""
        with self._lock:
            return self._in_error_mode

    def load(self, cards: Iterable[Loaded]) -> None:
        """Put other cards in; nothing is said about it on the wire."""
        with self._lock:
            self._cards = deque(cards)
            self._dealt.clear()

    def _pull(self) -> Loaded | None:
        """A hand pulls: the next card, or None where none comes. A lock cannot recall the card in the throat."""
        if not self._powered or not self._cards:
            return None
        if self.locked:
            if not self._throat_full:
                return None
            self._throat_full = False
        card = self._cards.popleft()
        self._dealt.append(card)
        return card

    def _why_outside(self) -> OutOfGame | None:
        """Why a card that is drawn now is counted out of the game."""
        if self.locked:
            return OutOfGame.LOCKED
        if self._in_error_mode:
            return OutOfGame.IN_ERROR
        return OutOfGame.SETTING_MODE if self._setting_mode else None
