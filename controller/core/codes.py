"""The verdict codes of the table itself; each game has its own list beside these."""

from __future__ import annotations

from typing import Final

from controller.core.sources.findings import CODES as OF_SOURCES
from controller.core.verdicts import Severity, VerdictCode

_REFUSED: Final = (Severity.REFUSED,)
_HOLD: Final = (Severity.HOLD,)

CODES: Final = (
    VerdictCode("TABLE_CLOSED", _REFUSED, "Something came while the table is not open.", "Open the table."),
    VerdictCode(
        "TABLE_HELD",
        _REFUSED,
        "A bet, a decision or a dealer's step came while the table waits for a supervisor.",
        "Free the table, then repeat it; chips go back.",
    ),
    VerdictCode(
        "RULES_REFUSED",
        _REFUSED,
        "A rule set cannot be used: its faults are listed, or a round or a verdict is open, or it is for another game.",
        "Correct the rule set, or choose it between rounds.",
    ),
    VerdictCode(
        "SHOE_UNALIGNED",
        _HOLD,
        "Events of a card source may be missing: cards may have left the shoe unseen.",
        "Name each missing card in the order it left, then say `aligned`.",
    ),
    VerdictCode(
        "DEVICE_STRANGER",
        _HOLD,
        "A device with another serial number is on the wire of one that belongs to the table; nothing it says counts.",
        "Plug the right one in, or pair this one (`pair_device`).",
    ),
    VerdictCode(
        "CHIPS_UNSEEN",
        _HOLD,
        "Events of the bet sensor are lost, or another one was paired: chips may have been laid, taken or paid unseen.",
        "Compare the stakes with the screen: `aligned` when they agree, else void the round.",
    ),
    VerdictCode(
        "SHOE_NOT_IN_USE",
        _HOLD,
        "A card left a spare shoe, or one that was put out of use.",
        "Put it back to that shoe's packs (`other_packs`), or hand over to that shoe.",
    ),
    VerdictCode(
        "TOO_MANY_VERDICTS",
        _HOLD,
        "So many matters are open that no more can be followed singly: a device is broken, or nobody attends.",
        "Void the round, or start a new shoe.",
    ),
    *OF_SOURCES,
)
"""Codes that the core raises for every game."""
