"""Secrets that are kept until shown: a hole card, a face-down burn card, the composition of the shoe.

In the event (and so on the bus) stands the salted hash only; the salt comes with the reveal, so that anyone
can check that nothing was swapped. Until then salt and content lie in the journal's own table, which is
never published.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

SALT_BYTES = 16
"""128 bits: 52 cards are guessed at once, 2^128 salts are not."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A sealed text with what opens it. ``salt`` is 32 hexadecimal digits."""

    sealed: str
    salt: str
    content: str


def seal_text(content: str, salt: str) -> str:
    """The seal: HMAC-SHA-256 of the UTF-8 ``content`` under the salt's bytes, in hexadecimal."""
    return hmac.new(bytes.fromhex(salt), content.encode(), hashlib.sha256).hexdigest()


def new_secret(content: str) -> Secret:
    """``content`` sealed with a fresh random salt."""
    salt = secrets.token_hex(SALT_BYTES)
    return Secret(seal_text(content, salt), salt, content)


def opens(sealed: str, salt: str, content: str) -> bool:
    """True when ``salt`` and ``content`` are what was sealed. Never raises for any text."""
    try:
        return hmac.compare_digest(seal_text(content, salt), sealed)
    except (ValueError, TypeError):
        return False
