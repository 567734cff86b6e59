"""The standing of a table as bytes, for the snapshot beside a signed checkpoint, and back."""

from __future__ import annotations

import hashlib
import json

from controller.app.record import RecordError, Standing, Writer, fold_events, writer_of
from controller.app.stretches import Walk
from controller.core.codec import Codec
from controller.core.fold import FOLD, state_bytes, state_from
from controller.core.game import Game, RulesError
from controller.core.inputs import SystemStarted
from controller.journal.chain import StoredEvent
from controller.journal.checkpoint import trusted_snapshot
from controller.journal.reader import JournalReader


def standing_bytes(game: Game, standing: Standing) -> bytes:
    """Canonical JSON of state and heard identities; equal standings give equal bytes."""
    state = json.loads(state_bytes(game, standing.state))
    data = {"heard": standing.heard, "seals": standing.seals, "state": state}
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def standing_from(game: Game, data: bytes, sequence: int) -> Standing:
    """The standing written by `standing_bytes`. Raises RecordError when the bytes are not one."""
    try:
        raw = json.loads(data)
        state = state_from(game, json.dumps(raw["state"]).encode())
        return Standing(state, _texts(raw["heard"]), sequence, _texts(raw["seals"]))
    except (ValueError, KeyError, TypeError, AttributeError, RulesError) as error:
        raise RecordError(f"snapshot after event {sequence} cannot be read: {error}") from None


def _texts(raw: dict[object, object]) -> dict[str, str]:
    return {str(key): str(value) for key, value in raw.items()}


def state_fault(game: Game, standing: Standing, checkpoint: StoredEvent) -> str:
    """What is wrong with the state that a checkpoint signs, held against what the events before it fold to; empty if it
    is the same."""
    signed = checkpoint.data().get("state_sha256")
    reached = hashlib.sha256(standing_bytes(game, standing)).hexdigest()
    if signed == reached:
        return ""
    return (
        f"the checkpoint signs the state {str(signed)[:12]}…, the events before it fold to {reached[:12]}…; "
        f"{standing.writer.advice}"
    )


def restore(game: Game, codec: Codec, journal: JournalReader, public_key: str) -> Standing:
    """The standing at the end of the journal: from the newest snapshot a signed checkpoint vouches for, else from the
    beginning. Where this very program wrote the record, every state signed on the way must be the one it folds to; of
    another version's record the facts alone are compared. Raises JournalError, and RecordError that names the file."""
    try:
        return _folded(game, codec, journal, public_key)
    except RecordError as error:
        raise RecordError(f"journal {journal.path}: {error}") from error


def _folded(game: Game, codec: Codec, journal: JournalReader, public_key: str) -> Standing:
    standing = _kept(game, journal, public_key)
    walk = Walk(journal.events(standing.sequence + 1))
    while walk.more:
        standing = fold_events(game, codec, walk.to_checkpoint(), standing, journal.secret)
        if walk.checkpoint is not None:
            fault = state_fault(game, standing, walk.checkpoint) if standing.writer == Writer() else ""
            if fault:
                raise RecordError(f"event {walk.checkpoint.sequence}: {fault}")
            standing.sequence = walk.checkpoint.sequence
    return standing


def _kept(game: Game, journal: JournalReader, public_key: str) -> Standing:
    """The newest trusted snapshot; the empty standing when there is none that can be read, or when another revision of
    the rules engine concluded it: then the whole record is held against this one."""
    kept = trusted_snapshot(journal, public_key)
    if kept is None:
        return Standing()
    try:
        standing = standing_from(game, kept.state, kept.sequence)
    except RecordError:
        # A snapshot is only a cache; one of another version is passed over and the whole journal is folded.
        return Standing()
    started = journal.last_of_type(SystemStarted.TYPE, kept.sequence)
    if started is not None:
        standing.writer = writer_of(started.data())
    return standing if standing.writer.fold == FOLD else Standing()
