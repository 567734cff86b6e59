"""Signed checkpoints: the event that closes a round, and the cached state it vouches for."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from controller.journal.chain import EventDraft, StoredEvent
from controller.journal.reader import JournalReader, Snapshot
from controller.journal.signing import Signer, checkpoint_message, signature_valid
from controller.journal.store import Journal

CHECKPOINT = "system.checkpoint"


def write_checkpoint(
    journal: Journal, signer: Signer, state: bytes, time_us: int, correlation: str = ""
) -> StoredEvent:
    """Append a checkpoint of everything so far, with ``state``, the canonical bytes the fold has reached.

    Its data: ``through`` (the last event's sequence), ``hash`` (that event's), ``state_sha256``,
    ``public_key``, ``signature``. Raises what `Journal.append` raises.
    """
    tip = journal.tip
    digest = hashlib.sha256(state).hexdigest()
    data = {
        "through": tip.sequence,
        "hash": tip.hash,
        "state_sha256": digest,
        "public_key": signer.public_key,
        "signature": signer.sign(checkpoint_message(journal.journal_id, tip.sequence, tip.hash, digest)),
    }
    draft = EventDraft(CHECKPOINT, data, time_us, correlation=correlation)
    (event,) = journal.append((draft,), snapshot=Snapshot(tip.sequence, digest, state))
    return event


def checkpoint_fault(data: Mapping[str, object], journal_id: str, before: tuple[int, str], public_key: str) -> str:
    """What is wrong with a checkpoint's data, empty if nothing: ``before`` is sequence and hash of the
    event before it.
    """
    if (data.get("through"), data.get("hash")) != before:
        return f"the checkpoint closes event {data.get('through')} of other content than event {before[0]} before it"
    if data.get("public_key") != public_key:
        return f"the checkpoint is signed with another key ({data.get('public_key')}, expected {public_key})"
    message = checkpoint_message(journal_id, before[0], before[1], str(data.get("state_sha256")))
    if not signature_valid(public_key, str(data.get("signature")), message):
        return "the checkpoint's signature is not of this chain"
    return ""


def trusted_snapshot(journal: JournalReader, public_key: str) -> Snapshot | None:
    """The newest cached state whose bytes are those a checkpoint signed by ``public_key`` names, or None.

    The state after event ``sequence``: the fold goes on from the event after it.
    """
    for snapshot in journal.snapshots():
        events = journal.read(snapshot.sequence - 1, 2) if snapshot.sequence else journal.read(0, 1)
        if not events or events[-1].sequence != snapshot.sequence + 1 or events[-1].type != CHECKPOINT:
            continue
        data = events[-1].data()
        before = (snapshot.sequence, str(events[-1].parsed()["prevhash"]))
        digest = hashlib.sha256(snapshot.state).hexdigest()
        if digest == data.get("state_sha256") and not checkpoint_fault(data, journal.journal_id, before, public_key):
            return snapshot
    return None
