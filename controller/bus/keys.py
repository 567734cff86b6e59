"""Staff keys and signed commands: what a console or a script needs to be believed by a table."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from controller.bus.wire import now_text, to_json

DEFAULT_LIFE_MS = 20_000


class Role(StrEnum):
    """What somebody is on the floor."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    PIT = "pit"
    SURVEILLANCE = "surveillance"
    TECHNICIAN = "technician"


@dataclass(frozen=True, slots=True)
class StaffMember:
    """Somebody who may command a table. ``actor`` is the person's id in the configuration (``12``); ``public_key`` 64
    hex digits."""

    actor: str
    role: Role
    public_key: str


class StaffKeyError(Exception):
    """A staff key's file cannot be read or made. The text is one line: what, where, what to do."""


class StaffKey:
    """A person's private key. ``public_key`` is 64 hexadecimal digits."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public_key = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def sign(self, message: bytes) -> str:
        """The signature, 128 hexadecimal digits."""
        return self._private.sign(message).hex()

    def save(self, path: Path) -> None:
        """Write a new file (PKCS#8 PEM) that only its owner may read. Raises StaffKeyError, also when it
        exists.
        """
        pem = self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        try:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(fd, "wb") as file:
                file.write(pem)
        except OSError as error:
            raise StaffKeyError(f"key {path}: {error.strerror}; name a new file in an existing folder") from error


def new_staff_key() -> StaffKey:
    """A fresh key pair."""
    return StaffKey(Ed25519PrivateKey.generate())


def load_staff_key(path: Path) -> StaffKey:
    """The key in a file that `StaffKey.save` wrote. Raises StaffKeyError."""
    try:
        private = load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise StaffKeyError(f"key {path}: {error.strerror}; check the path and its permissions") from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise StaffKeyError(f"key {path}: not an unencrypted PEM private key; make a new one") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise StaffKeyError(f"key {path}: not an Ed25519 key; make a new one")
    return StaffKey(private)


def signature_fits(public_key: str, signature: str, message: bytes) -> bool:
    """True when ``signature`` is of ``message`` by ``public_key``. Never raises for any text."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), message)
    except (ValueError, InvalidSignature):
        return False
    return True


@dataclass(frozen=True, slots=True)
class Target:
    """The table a command is for, in its present life."""

    site: str
    table: str
    epoch: int


def unsigned_request(client: str, corr: str, args: Mapping[str, object] | None = None) -> bytes:
    """The payload of ``ping``, ``rebirth`` and ``replay``, which only read."""
    return to_json({"client": client, "corr": corr, "args": dict(args or {})})


def sign_command(
    key: StaffKey,
    target: Target,
    *,
    name: str,
    actor: str,
    client: str,
    args: Mapping[str, object],
    now_us: int,
    life_ms: int = DEFAULT_LIFE_MS,
    corr: str = "",
    nonce: str = "",
) -> bytes:
    """The payload to publish on ``cmd/{name}``, QoS 1, never retained.

    ``client`` is the id under which the answer is awaited on ``rsp/{client}``; ``now_us`` UTC microseconds;
    ``life_ms`` at most 30,000; ``nonce`` and ``corr`` are random unless given.
    """
    nonce = nonce or secrets.token_hex(16)
    content: dict[str, object] = {
        "name": name,
        "client": client,
        "corr": corr or nonce,
        "site": target.site,
        "table": target.table,
        "epoch": target.epoch,
        "actor": actor,
        "nonce": nonce,
        "issued": now_text(now_us),
        "expires": now_text(now_us + life_ms * 1000),
        "args": dict(args),
    }
    return to_json({**content, "signature": key.sign(to_json(content))})
