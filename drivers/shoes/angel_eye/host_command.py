"""Commands of the host to the Angel Eye shoe and the shoe's replies, to and from bytes.

::

    02 'O' 'P' t1 t2 d1 d2 03 BCC1 BCC2        reply: 06 done, or 15 and two digits refused

The text of the specification lets BCC start at the command field, its own example only fits with STX included:
the span is a setting, with STX by default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from drivers.shoes.angel_eye.telegram import ACK, ETX, NAK, STX, block_check

COMMAND_BYTES = 10
REPLY_TIMEOUT_MS = 3000
"""The shoe answers within this or the outcome is unknown."""


class BccSpan(StrEnum):
    """Which bytes the BCC of a command covers; both end with ETX included."""

    WITH_STX = "with_stx"
    FROM_COMMAND = "from_command"


class Refusal(StrEnum):
    """The two digits after 15."""

    LINE_ERROR = "01"
    BCC = "02"
    NO_ETX = "03"
    FORMAT = "11"
    ADDRESS = "12"
    COMMAND = "13"
    TYPE = "14"
    BUSY = "21"
    WRITING = "22"
    OTHER = "FF"


@dataclass(frozen=True, slots=True)
class Wording:
    """A refusal for programs (``word``) and for people (``text``)."""

    word: str
    text: str


REFUSALS: Mapping[str, Wording] = {
    Refusal.LINE_ERROR: Wording("line_error", "the shoe saw a line error; check cable and line settings"),
    Refusal.BCC: Wording("bad_checksum", "the shoe found the checksum wrong; check the setting command_bcc_span"),
    Refusal.NO_ETX: Wording("no_etx", "the shoe found no end of text; check cable and line settings"),
    Refusal.FORMAT: Wording("bad_format", "the shoe found the format wrong"),
    Refusal.ADDRESS: Wording("bad_address", "the shoe found the address wrong"),
    Refusal.COMMAND: Wording("unknown_command", "the shoe does not know the command; check its model"),
    Refusal.TYPE: Wording("unknown_type", "the shoe does not know this type of command; check its model"),
    Refusal.BUSY: Wording("busy", "the shoe is busy; try again"),
    Refusal.WRITING: Wording("write_in_progress", "the shoe is still writing; try again"),
    Refusal.OTHER: Wording("other", "the shoe gave no reason; look at its display"),
}


def refusal_wording(code: str) -> Wording:
    """Words for a refusal code; also for a code that is in no list."""
    return REFUSALS.get(code) or Wording(f"code_{code}", "a code that the documentation does not list")


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply of the shoe; ``refusal`` is the two digits after 15, empty when the command was done."""

    refusal: str = ""

    def to_bytes(self) -> bytes:
        """06, or 15 and two digits."""
        return bytes((NAK,)) + self.refusal.encode("ascii") if self.refusal else bytes((ACK,))


@dataclass(frozen=True, slots=True)
class HostCommand:
    """A command: ``type`` two characters (LK, EC, GP), ``data`` two digits."""

    type: str
    data: str

    def to_bytes(self, span: BccSpan = BccSpan.WITH_STX) -> bytes:
        """The ten bytes of the command."""
        body = b"OP" + (self.type + self.data).encode("ascii") + bytes((ETX,))
        stx = bytes((STX,))
        return stx + body + block_check(stx + body if span is BccSpan.WITH_STX else body)

    @classmethod
    def from_bytes(cls, raw: bytes, span: BccSpan = BccSpan.WITH_STX) -> HostCommand | Refusal:
        """What a shoe makes of ten bytes that begin with STX: the command, or why it refuses it."""
        if raw[7] != ETX:
            return Refusal.NO_ETX
        covered = raw[:8] if span is BccSpan.WITH_STX else raw[1:8]
        if raw[8:10] != block_check(covered):
            return Refusal.BCC
        if raw[1:3] != b"OP":
            return Refusal.COMMAND
        if not raw[5:7].isdigit():
            return Refusal.FORMAT
        command = cls(raw[3:5].decode("latin-1"), raw[5:7].decode("ascii"))
        if command.type not in ("LK", "EC", "GP"):
            return Refusal.TYPE
        return command if command in KNOWN_COMMANDS else Refusal.FORMAT


LOCK = HostCommand("LK", "02")
UNLOCK = HostCommand("LK", "01")
CLEAR_ERROR = HostCommand("EC", "00")
CONFIRM_GAME = HostCommand("GP", "00")
KNOWN_COMMANDS = frozenset((LOCK, UNLOCK, CLEAR_ERROR, CONFIRM_GAME))
