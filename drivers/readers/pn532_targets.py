"""The reply of a PN532 to InListPassiveTarget, 106 kbit/s type A: NbTg, then each target.

A target is Tg, SENS_RES (2 bytes), SEL_RES, NFCIDLength, NFCID and, when SEL_RES says ISO 14443-4 (bit 5), ATS with its
length first. UM0701-02, section 7.3.5.
"""

from __future__ import annotations

from collections.abc import Iterable

MAX_TARGETS = 2
UID_SIZES = (4, 7, 10)
_HEAD = 5
_ISO_14443_4 = 0x20


def uids_of(data: bytes) -> frozenset[str] | None:
    """UIDs in upper-case hex of the reply's data (behind its code); None when it is malformed."""
    if not data or data[0] > MAX_TARGETS:
        return None
    uids: list[str] = []
    at = 1
    for _ in range(data[0]):
        head = data[at : at + _HEAD]
        if len(head) < _HEAD or head[4] not in UID_SIZES:
            return None
        uid = data[at + _HEAD : at + _HEAD + head[4]]
        at += _HEAD + head[4]
        if head[3] & _ISO_14443_4:
            at += data[at] if at < len(data) and data[at] else 1
        if len(uid) < head[4] or at > len(data):
            return None
        uids.append(uid.hex().upper())
    if at != len(data) or len(set(uids)) != len(uids):
        return None
    return frozenset(uids)


def targets_to_bytes(uids: Iterable[str]) -> bytes:
    """The reply's data for tags of the simplest kind (no ATS); at most two are listed."""
    raws = [bytes.fromhex(uid) for uid in uids][:MAX_TARGETS]
    body = b"".join(bytes((number, 0, 4, 8, len(raw))) + raw for number, raw in enumerate(raws, 1))
    return bytes((len(raws),)) + body
