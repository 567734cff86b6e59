"""Commands of the host to a native shoe, to and from bytes (docs/native-link.md)."""

from __future__ import annotations

import struct
from enum import IntEnum

from drivers.messages import ClearError, ConfirmGame, DeviceCommand, Lock, NewShoe, SetLamp, Unlock
from drivers.native.fields import FieldReader, malformed, unknown

LAMP_MODES = {"off": 0, "on": 1, "blink": 2}
LAMPS = 2
"""0 the signal lamp, 1 the tone."""
_LAMP = struct.Struct(">BB")


class ShoeCommand(IntEnum):
    """Command codes of a shoe; all but SIGNAL have an empty body."""

    LOCK = 0x30
    UNLOCK = 0x31
    CLEAR_ERROR = 0x32
    CONFIRM_GAME = 0x33
    SIGNAL = 0x34
    NEW_SHOE = 0x35


_PLAIN: dict[int, DeviceCommand] = {
    ShoeCommand.LOCK: Lock(),
    ShoeCommand.UNLOCK: Unlock(),
    ShoeCommand.CLEAR_ERROR: ClearError(),
    ShoeCommand.CONFIRM_GAME: ConfirmGame(),
    ShoeCommand.NEW_SHOE: NewShoe(),
}


def encode_command(command: DeviceCommand) -> tuple[int, bytes]:
    """Code and body. Raises ValueError for a command that a shoe cannot carry out."""
    if isinstance(command, SetLamp):
        if not 0 <= command.lamp < LAMPS or command.mode not in LAMP_MODES:
            allowed = f"lamps 0 (signal) and 1 (tone), modes {', '.join(LAMP_MODES)}"
            raise ValueError(f"a shoe has no lamp {command.lamp} {command.mode!r}; it has {allowed}")
        return ShoeCommand.SIGNAL, _LAMP.pack(command.lamp, LAMP_MODES[command.mode])
    for code, known in _PLAIN.items():
        if known == command:
            return code, b""
    raise ValueError(f"a shoe cannot {type(command).__name__}")


def decode_command(code: int, body: bytes) -> DeviceCommand:
    """The command of these bytes. Raises PayloadError."""
    fields = FieldReader(body)
    if code == ShoeCommand.SIGNAL:
        lamp, mode = fields.numbers(_LAMP)
        fields.end()
        modes = {number: word for word, number in LAMP_MODES.items()}
        if lamp >= LAMPS or mode not in modes:
            raise malformed(f"lamp {lamp}, mode {mode} do not exist")
        return SetLamp(lamp, modes[mode])
    if code not in _PLAIN:
        raise unknown("shoe command", code)
    fields.end()
    return _PLAIN[code]
