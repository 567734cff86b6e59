"""The journal's Ed25519 key: a file made on first use, signatures of checkpoints and of the tip."""

from __future__ import annotations

import contextlib
import os
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

from controller.journal.errors import KeyFileError


class Signer:
    """A private key. ``public_key`` is 64 hexadecimal digits."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public_key = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def sign(self, message: bytes) -> str:
        """The signature, 128 hexadecimal digits."""
        return self._private.sign(message).hex()


def load_or_make_key(path: Path) -> Signer:
    """The key in the file ``path`` (PKCS#8 PEM); made there, readable by its owner alone, if there is none.

    Raises KeyFileError when the file cannot be made or read, is no Ed25519 key, or others may read it.
    """
    try:
        if not path.exists():
            _make(path)
        mode = path.stat().st_mode
        text = path.read_bytes()
    except OSError as error:
        raise KeyFileError(f"key {path}: {error.strerror}; check the path and its permissions") from error
    if mode & 0o077:
        raise KeyFileError(
            f"key {path}: others may read it (mode {mode & 0o777:04o}); run chmod 600 and make a new key"
        )
    try:
        private = load_pem_private_key(text, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeyFileError(f"key {path}: not an unencrypted PEM private key; restore it from its backup") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise KeyFileError(f"key {path}: not an Ed25519 key; restore it from its backup")
    return Signer(private)


def signature_valid(public_key: str, signature: str, message: bytes) -> bool:
    """True when ``signature`` is of ``message`` by ``public_key`` (both hexadecimal). Never raises for any
    text.
    """
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        key.verify(bytes.fromhex(signature), message)
    except (ValueError, InvalidSignature):
        return False
    return True


def tip_message(journal_id: str, sequence: int, digest: str) -> bytes:
    """What the tip's signature signs: that the journal reached this event."""
    return f"tablewatch-tip-1\n{journal_id}\n{sequence}\n{digest}".encode()


def checkpoint_message(journal_id: str, through: int, digest: str, state_sha256: str) -> bytes:
    """What a checkpoint signs: the chain up to and with event ``through``, and the state it folds to."""
    return f"tablewatch-checkpoint-1\n{journal_id}\n{through}\n{digest}\n{state_sha256}".encode()


def _make(path: Path) -> None:
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(pem)
            file.flush()
            os.fsync(file.fileno())
        # A link, not a rename: of two processes that make a key at once, the first one's stays.
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
