"""Firmware of an Angel Eye II-EX shoe, and what hands and keys do to it.

The sans-IO end (`receive`, `tick`, `outgoing`) is for a `firmware_sim.wire.FirmwareRunner`; everything else is for the
dealer, from any thread. Times are milliseconds of the simulation's clock.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from drivers.messages import DrawTarget
from drivers.shoes.angel_eye.host_command import BccSpan, HostCommand, Refusal, Reply
from drivers.shoes.angel_eye.meaning import ErrorCode, card_payload, error_payload
from drivers.shoes.angel_eye.telegram import Kind
from firmware_sim.pack import Pack
from firmware_sim.shoe_line import ShoeLine


@dataclass(frozen=True, slots=True)
class ShoeCard:
    """A playing card in the shoe. ``rank`` 1 (ace) .. 13 (king), ``suit`` one of ``S H D C``; ``deck_code`` is what it
    says about its deck to a shoe that reads such codes."""

    rank: int
    suit: str
    deck_code: str = ""


@dataclass(frozen=True, slots=True)
class CutCard:
    """The coloured card without a face."""


CUT_CARD = CutCard()
Loaded = ShoeCard | CutCard


class AngelEyeShoe(Pack):
    """A shoe with cards in order of drawing. All methods are thread-safe.

    `dealt` is the truth: what really left the shoe, in order.
    """

    def __init__(self, cards: Iterable[Loaded] = (), *, command_bcc_span: BccSpan = BccSpan.WITH_STX) -> None:
        self._lock = threading.RLock()
        self._line = ShoeLine(command_bcc_span)
        self._cards: deque[Loaded] = deque(cards)
        self._dealt: list[Loaded] = []
        self._host_locked = False
        self._key_locked = False
        self._throat_full = False
        self._setting_mode = False
        self._error: ErrorCode | None = None
        self._in_error_mode = False
        self._overdrawn: ShoeCard | None = None
        self._forced: deque[str] = deque()
        self._deaf = False
        self._powered = True

    @property
    def quiet(self) -> bool:
        """Whether every copy of every telegram is on the wire."""
        with self._lock:
            return self._line.quiet

    def draw(self, target: DrawTarget = DrawTarget.PLAYER, draw_index: int = 0) -> Loaded | None:
        """Draw the next card. None: the shoe is empty, off, or locked with nothing in its throat. A card drawn while
        locked, in error or in setting mode is announced as drawn outside the game."""
        with self._lock:
            card = self._pull()
            if card == CUT_CARD:
                self._line.say(Kind.CUT_CARD)
            elif isinstance(card, ShoeCard):
                reason = self._why_outside()
                kind = Kind.DRAWN if reason is None else Kind.DRAWN_OUTSIDE
                self._line.say(kind, card_payload(reason or target, draw_index, card.suit, card.rank))
            return card

    def draw_unreadable(self, *, in_error_mode: bool = True) -> Loaded | None:
        """Draw the next card, which the shoe fails to read. None as in `draw`."""
        with self._lock:
            card = self._pull()
            if card is not None:
                self._fail(ErrorCode.UNREADABLE, in_error_mode=in_error_mode)
            return card

    def draw_misread(self, seen: ShoeCard) -> Loaded | None:
        """Draw the next card, which the shoe takes for another one. None as in `draw`."""
        with self._lock:
            card = self._pull()
            if card is not None:
                reason = self._why_outside()
                kind = Kind.DRAWN if reason is None else Kind.DRAWN_OUTSIDE
                self._line.say(kind, card_payload(reason or DrawTarget.PLAYER, 0, seen.suit, seen.rank))
            return card

    def draw_unseen(self) -> Loaded | None:
        """Draw the next card, of which the shoe notices nothing. None as in `draw`."""
        with self._lock:
            return self._pull()

    def overdraw(self) -> Loaded | None:
        """Draw a card that is one too many by the shoe's own game; it is read again once the error is cleared."""
        with self._lock:
            self._fail(ErrorCode.OVERDRAW, in_error_mode=True)
            card = self.draw()
            self._overdrawn = card if isinstance(card, ShoeCard) else None
            return card

    def fail(self, code: ErrorCode, *, in_error_mode: bool = True) -> None:
        """Any error: a card pushed back, a button misused, a foreign deck code, a draw too slow."""
        with self._lock:
            self._fail(code, in_error_mode=in_error_mode)

    def clear_error(self) -> None:
        """The button at the shoe."""
        with self._lock:
            self._clear()

    def turn_key(self, *, locked: bool) -> None:
        """The key switch."""
        with self._lock:
            self._throat_full = locked and not self.locked
            self._key_locked = locked
            self._line.say(Kind.KEY_LOCK, bytes((int(locked),)))

    def set_setting_mode(self, *, on: bool) -> None:
        """Enter or leave the setting mode."""
        with self._lock:
            self._setting_mode = on

    def change_setting(self, name: str, value: str) -> None:
        """Change a setting at the shoe; ``name`` has 2 ASCII characters, ``value`` 4."""
        with self._lock:
            self._line.say(Kind.SETTING, (name + value).encode("ascii"))

    def stand_by(self) -> None:
        """The round is over, by the shoe's button."""
        with self._lock:
            self._line.say(Kind.STAND_BY)

    def announce_result(self, value: int) -> None:
        """The shoe's own idea of the result, 0..127."""
        with self._lock:
            self._line.say(Kind.RESULT, bytes((value,)))

    def reboot(self, seq: str = "1") -> None:
        """Restart: copies not yet sent are lost, host lock and errors are forgotten, SEQ begins at ``seq``."""
        with self._lock:
            self._host_locked = self._in_error_mode = self._throat_full = False
            self._error = self._overdrawn = None
            self._line.restart(seq)
            self._line.say(Kind.START)

    def power_off(self) -> None:
        """Silence: nothing is sent, nothing answered, nothing drawn."""
        with self._lock:
            self._powered = False
            self._line.restart("1")

    def power_on(self) -> None:
        """Power again: the shoe boots."""
        with self._lock:
            self._powered = True
            self.reboot()

    def refuse_next(self, code: str, times: int = 1) -> None:
        """Refuse the next commands with these two digits, whatever they are."""
        with self._lock:
            self._forced += [code] * times

    def set_deaf(self, *, on: bool) -> None:
        """Commands do not arrive; cards are announced all the same."""
        with self._lock:
            self._deaf = on

    def connected(self, now_ms: int) -> None:
        """A host opened the port; this shoe cannot notice."""

    def receive(self, data: bytes, now_ms: int) -> None:
        """Bytes from the host."""
        with self._lock:
            if self._powered and not self._deaf:
                for command in self._line.receive(data, now_ms):
                    self._line.reply(self._obey(command))

    def tick(self, now_ms: int) -> None:
        """Time passed: the next copy is due, or a command stayed unfinished."""
        with self._lock:
            self._line.tick(now_ms)

    def outgoing(self) -> bytes:
        """The next copy or reply; empty when none is due."""
        with self._lock:
            return self._line.outgoing()

    def _fail(self, code: ErrorCode, *, in_error_mode: bool) -> None:
        self._error, self._in_error_mode = code, in_error_mode
        self._line.say(Kind.ERROR, error_payload(code, in_error_mode=in_error_mode))

    def _clear(self) -> None:
        if self._error is not None:
            self._line.say(Kind.ERROR_CLEARED, error_payload(self._error, in_error_mode=False))
        self._error, self._in_error_mode = None, False
        again, self._overdrawn = self._overdrawn, None
        if again is not None:
            self._line.say(Kind.READ_AGAIN, card_payload(DrawTarget.PLAYER, 0, again.suit, again.rank))

    def _obey(self, command: HostCommand | Refusal) -> Reply:
        if self._forced:
            return Reply(self._forced.popleft())
        if isinstance(command, Refusal):
            return Reply(command.value)
        match command.type, command.data:
            case "LK", "02":
                self._throat_full = self._throat_full or not self.locked
                self._host_locked = True
            case "LK", _:
                self._host_locked = False
            case "EC", _:
                self._clear()
            case _:
                self._line.say(Kind.STAND_BY)
        return Reply()
