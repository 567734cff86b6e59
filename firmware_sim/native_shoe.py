"""Firmware of a dealing shoe on the native link, and what hands and keys do to it; the silhouette of
`firmware_sim.shoe.AngelEyeShoe`, so that a simulated table can have either.

Without power the shutter is closed: no card leaves unseen. A lock cannot recall the card that lies in the throat.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from drivers.messages import (
    CardDrawn,
    CardUnreadable,
    ClearError,
    ConfirmGame,
    CutCardDrawn,
    DeviceCommand,
    DrawTarget,
    KeyLockChanged,
    Lock,
    NewShoe,
    SensorChanged,
    SetLamp,
    ShoeError,
    ShoeStandBy,
    ShoeStarted,
    Unlock,
)
from drivers.native.hello import ResetReason
from drivers.native.payloads import DeviceState, Refusal
from drivers.shoes.native import ERRORS, INDEX_MAX, NOT_READ, STUCK_TOGETHER, ShoeCodec
from firmware_sim.native import NativeFirmware, Profile
from firmware_sim.nvram import Nvram
from firmware_sim.pack import Pack
from firmware_sim.shoe import CUT_CARD, Loaded, ShoeCard

_ERROR_CODES = {word: code for code, word in ERRORS.items()}
_STATES = {"lid": DeviceState.LID_OPEN, "tamper": DeviceState.TAMPER, "throat": DeviceState.CARD_IN_THROAT}


class NativeShoe(Pack, NativeFirmware):
    """A shoe with cards in order of drawing. `dealt` is the truth: what really left the shoe, in order."""

    def __init__(
        self,
        cards: Iterable[Loaded] = (),
        *,
        serial: str = "SHOE-SIM-1",
        deck_code: str = "",
        nvram: Nvram | None = None,
        memory_id: int | None = None,
        profile: Profile | None = None,
    ) -> None:
        """Switch the shoe on. With a ``deck_code`` a card of another one is announced and makes an error."""
        self._cards: deque[Loaded] = deque(cards)
        self._dealt: list[Loaded] = []
        self._deck_code = deck_code
        self._index = 0
        self._host_locked = self._key_locked = self._throat_full = False
        self._setting_mode = False
        self._error = ""
        self._in_error_mode = False
        self._lamps = {0: "off", 1: "off"}
        super().__init__(profile or Profile("TW-SHOE", serial), ShoeCodec(), nvram, memory_id)

    def _boot(self, reason: ResetReason) -> None:
        super()._boot(reason)
        self.record(ShoeStarted(reason.name.lower()))
        if self._sensors & DeviceState.CARD_IN_THROAT:
            self.record(SensorChanged("throat", True))

    # What a person sees

    @property
    def lamps(self) -> tuple[str, str]:
        """What signal lamp and tone do: off, on or blink."""
        with self._lock:
            return self._lamps[0], self._lamps[1]

    @property
    def quiet(self) -> bool:
        """Whether the host has acknowledged everything."""
        with self._lock:
            return self.acked == self.last_event

    # What hands do

    def draw(self, target: DrawTarget = DrawTarget.NONE, draw_index: int = 0) -> Loaded | None:
        """Draw the next card. None: the shoe is empty, off, or locked with nothing in its throat. This shoe says no
        target and counts for itself; the arguments are those of other shoes."""
        with self._lock:
            card = self._pull()
            if card is not None:
                self._announce(card)
            return card

    def draw_unreadable(self, *, in_error_mode: bool = True) -> Loaded | None:
        """Draw the next card, which the shoe fails to read. None as in `draw`."""
        with self._lock:
            card = self._pull()
            if card is not None:
                self.fail("unreadable", in_error_mode=in_error_mode)
                self.record(CardUnreadable(NOT_READ))
            return card

    def draw_misread(self, seen: ShoeCard) -> Loaded | None:
        """Draw the next card, which the shoe takes for another one. None as in `draw`."""
        with self._lock:
            card = self._pull()
            if card is not None:
                self._announce(seen)
            return card

    def draw_unseen(self) -> Loaded | None:
        """Draw the next card, of which the shoe notices nothing. None as in `draw`."""
        with self._lock:
            return self._pull()

    def draw_double(self) -> tuple[Loaded, ...]:
        """Two cards come out together: the shoe notices, reads the first one and cannot read the second. One alone when
        it was the last or nothing more can come; none as in `draw`."""
        with self._lock:
            first = self.draw()
            second = None if first is None else self._pull()
            if first is None or second is None:
                return () if first is None else (first,)
            self.fail("double_feed")
            self.record(CardUnreadable(STUCK_TOGETHER))
            return first, second

    def fail(self, word: str, *, in_error_mode: bool = True) -> None:
        """Any error of `drivers.shoes.native.ERRORS`: a card pushed back, a foreign deck code, a draw too slow."""
        with self._lock:
            self.record(ShoeError(_ERROR_CODES[word], word, True, in_error_mode))
            self._error, self._in_error_mode = word, in_error_mode

    def clear_error(self) -> None:
        """The button at the shoe."""
        with self._lock:
            if self._error:
                self.record(ShoeError(_ERROR_CODES[self._error], self._error, False, False))
            self._error, self._in_error_mode = "", False

    def turn_key(self, *, locked: bool) -> None:
        """The key switch."""
        with self._lock:
            self._throat_full = self._throat_full or not self.locked
            self._key_locked = locked
            self.record(KeyLockChanged(locked))

    def set_setting_mode(self, *, on: bool) -> None:
        """Enter or leave the setting mode."""
        with self._lock:
            self._setting_mode = on

    def stand_by(self) -> None:
        """The round is over, by the shoe's button."""
        self.record(ShoeStandBy())

    def open_lid(self, *, opened: bool) -> None:
        """The lid is opened or closed."""
        self._switch("lid", opened)

    def touch_tamper(self, *, tripped: bool) -> None:
        """The tamper switch is tripped, or armed again by a technician."""
        self._switch("tamper", tripped)

    def half_draw(self, *, inside: bool) -> None:
        """A card is pulled into the throat and left there, or is out of it again."""
        self._switch("throat", inside)

    def power_loss(self) -> None:
        """The power goes: host lock, errors and lamps are forgotten, the shutter closes, the memory stays."""
        with self._lock:
            self._host_locked = self._in_error_mode = self._throat_full = False
            self._error = ""
            self._lamps = {0: "off", 1: "off"}
            super().power_loss()

    def apply(self, command: DeviceCommand) -> Refusal:
        """Lock, unlock, clear an error, end a game, count anew, or set signal lamp and tone."""
        match command:
            case Lock():
                self._throat_full = self._throat_full or not self.locked
                self._host_locked = True
            case Unlock():
                self._host_locked = False
            case ClearError():
                self.clear_error()
            case ConfirmGame():
                self.stand_by()
            case NewShoe():
                self._index = 0
                self.clear_error()
            case SetLamp(lamp, mode):
                self._lamps[lamp] = mode
            case _:
                return Refusal.UNKNOWN_COMMAND
        return Refusal.NONE

    def _switch(self, sensor: str, active: bool) -> None:
        with self._lock:
            self.set_sensor(_STATES[sensor], active)
            self.record(SensorChanged(sensor, active))

    def _pull(self) -> Loaded | None:
        card = super()._pull()
        if isinstance(card, ShoeCard):
            self._index = min(self._index + 1, INDEX_MAX)
        return card

    def _announce(self, card: Loaded) -> None:
        if card == CUT_CARD:
            self.record(CutCardDrawn())
        elif isinstance(card, ShoeCard):
            outside = self._why_outside()
            index = self._index
            self.record(CardDrawn(card.rank, card.suit, DrawTarget.NONE, index, outside, deck_code=card.deck_code))
            if self._deck_code and card.deck_code != self._deck_code:
                self.fail("deck_code")
