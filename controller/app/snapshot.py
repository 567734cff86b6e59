"""The standing of a table as bytes, for the snapshot beside a signed checkpoint, and back."""

from __future__ import annotations

import json

from controller.app.record import RecordError, Standing, fold_events
from controller.core.codec import Codec
from controller.core.fold import state_bytes, state_from
from controller.core.game import Game, RulesError
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


def restore(game: Game, codec: Codec, journal: JournalReader, public_key: str) -> Standing:
    """The standing at the end of the journal: from the newest snapshot a signed checkpoint vouches for, else from the
    beginning. Raises RecordError and JournalError."""
    kept = trusted_snapshot(journal, public_key)
    standing = Standing()
    if kept is not None:
        try:
            standing = standing_from(game, kept.state, kept.sequence)
        except RecordError:
            # A snapshot is only a cache; one of another version is passed over and the whole journal is folded.
            standing = Standing()
    return fold_events(game, codec, journal.events(standing.sequence + 1), standing, journal.secret)
