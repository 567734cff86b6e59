"""The fold: a table's state from its inputs, and the state as bytes for a checkpoint."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any, Final

from pydantic import TypeAdapter

from controller.core.codec import adapter
from controller.core.game import Game
from controller.core.inputs import Input
from controller.core.records import replace
from controller.core.sources.fusion import NOTHING
from controller.core.state import EMPTY, TableState
from controller.core.table import step

FOLD: Final = 9
"""The revision of the fold: one more whenever `step` concludes anything else from the same inputs, or keeps another
state. It goes on record with every start, so that a record of another revision is told from one that was changed."""
_STATE: TypeAdapter[TableState] = TypeAdapter(TableState)


def fold(game: Game, inputs: Iterable[tuple[Input, int]], state: TableState = EMPTY) -> TableState:
    """The state after these inputs, each with its time in microseconds."""
    for event, at_us in inputs:
        state = step(game, state, event, at_us).state
    return state


def state_bytes(game: Game, state: TableState) -> bytes:
    """The whole state as canonical JSON: equal states give equal bytes."""
    alone = {"fusion"} if state.fusion == NOTHING else set()  # so that a record from before there was any still folds
    data: dict[str, Any] = _STATE.dump_python(state, mode="json", exclude={"rules", "game", *alone})
    data["game"] = None if state.game is None else adapter(game.state_type).dump_python(state.game, mode="json")
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def state_sha256(data: bytes) -> str:
    """The hash that a checkpoint signs."""
    return hashlib.sha256(data).hexdigest()


def state_from(game: Game, data: bytes) -> TableState:
    """The state written by `state_bytes`. Raises ValueError when the bytes are not one."""
    raw = json.loads(data)
    inner = raw.pop("game")
    state = _STATE.validate_python(raw)
    rules = None if state.rules_data is None else game.parse_rules(state.rules_data)
    inner_state = None if inner is None else adapter(game.state_type).validate_python(inner)
    return replace(state, rules=rules, game=inner_state)
