"""A simulated dealer's console: keys, named cards, the counted spread, staff cards; lamps and text lines."""

from __future__ import annotations

from collections.abc import Sequence

from drivers.console import LAMPS, TEXT_LINES, ConsoleCodec
from drivers.messages import (
    CardNamed,
    DeckSpread,
    DeviceCommand,
    KeyPressed,
    SetLamp,
    ShowText,
    StaffCardPresented,
)
from drivers.native.payloads import Refusal
from firmware_sim.native import NativeFirmware, Profile
from firmware_sim.nvram import Nvram


class SimConsole(NativeFirmware):
    """A console whose keys a script presses. Every action returns its event's number, None without power."""

    def __init__(
        self,
        serial: str = "CONSOLE-SIM-1",
        nvram: Nvram | None = None,
        memory_id: int | None = None,
        profile: Profile | None = None,
    ) -> None:
        """Switch the console on; ``profile`` replaces the usual one with this serial number."""
        self._lamps = ["off"] * LAMPS
        self._texts = [""] * TEXT_LINES
        super().__init__(profile or Profile("TW-CONSOLE", serial), ConsoleCodec(), nvram, memory_id)

    def press_key(self, key: str, box: int = 0, hand: int = 0, person: int = 0, value: int = 0) -> int | None:
        """A key is pressed; words as in `drivers.console.KEY_CODES`. Raises ValueError for a key that there is not."""
        return self.record(KeyPressed(key, box, hand, person, value))

    def name_card(self, rank: int, suit: str, purpose: str, box: int = 0, hand: int = 0) -> int | None:
        """A person types in a card; see `drivers.messages.CardNamed`."""
        return self.record(CardNamed(rank, suit, purpose, box, hand))

    def report_spread(self, counts: Sequence[int]) -> int | None:
        """The spread packs were counted: 52 numbers, suits S H D C, each ace .. king."""
        return self.record(DeckSpread(tuple(counts)))

    def present_staff_card(self, card_id: str) -> int | None:
        """A staff card is held to the reader: printable ASCII, at most 32 characters."""
        return self.record(StaffCardPresented(card_id))

    @property
    def lamps(self) -> tuple[str, ...]:
        """What each lamp does: off, on or blink."""
        with self._lock:
            return tuple(self._lamps)

    @property
    def texts(self) -> tuple[str, ...]:
        """What each line of the display shows."""
        with self._lock:
            return tuple(self._texts)

    def apply(self, command: DeviceCommand) -> Refusal:
        """Set a lamp or show a text."""
        match command:
            case SetLamp(lamp, mode):
                self._lamps[lamp] = mode
            case ShowText(line, text):
                self._texts[line] = text
            case _:
                return Refusal.UNKNOWN_COMMAND
        return Refusal.NONE

    def power_loss(self) -> None:
        """The power goes: lamps and display go dark, the memory of events stays."""
        with self._lock:
            self._lamps = ["off"] * LAMPS
            self._texts = [""] * TEXT_LINES
            super().power_loss()
