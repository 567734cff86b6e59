"""Check characters of barcode lines: one character that follows from those before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

CODE_39 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%"
"""The 43 characters of Code 39 in the order of their values (ISO/IEC 16388, annex A)."""


def mod43(text: str) -> str:
    """The check character of Code 39: the sum of the values modulo 43. Raises ValueError for a character outside it."""
    return CODE_39[sum(CODE_39.index(char) for char in text) % len(CODE_39)]


def mod10(text: str) -> str:
    """The check digit of GS1 codes: digits weighted 3, 1, 3 ... from the right. Raises ValueError for anything but
    digits."""
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"{text!r} has more than digits")
    total = sum(int(digit) * (3 if at % 2 == 0 else 1) for at, digit in enumerate(reversed(text)))
    return str(-total % 10)


CHECKS: Mapping[str, Callable[[str], str] | None] = {
    "none": None,
    "mod43": mod43,
    "mod10": mod10,
}
"""Check characters by the word of the configuration."""


def without_check(text: str, check: str) -> str | None:
    """The text before its check character; None when the check character is wrong or missing. Never raises for any
    text."""
    method = CHECKS[check]
    if method is None:
        return text
    try:
        return text[:-1] if text and method(text[:-1]) == text[-1] else None
    except ValueError:
        return None
