"""Rounds per second of processor time: the inputs of a recorded table folded again and again, without any device."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.app.audit import game_of
from controller.app.record import take
from controller.core.codec import Codec
from controller.core.game import Game
from controller.core.state import EMPTY
from controller.core.table import step
from controller.journal.chain import Origin, genesis_hash, seal
from controller.journal.reader import JournalReader
from controller.journal.sealing import Secret

AT_LEAST_S = 2.0
"""Processor time of one measurement."""
ORIGIN = Origin("01JX0000000000000000000000", "bench", "rounds", 1)


@dataclass(frozen=True, slots=True)
class RoundFigures:
    """Rounds a second of processor time, through `step` alone and with envelopes and hash chain; inputs a round."""

    step_only: float
    with_encoder: float
    inputs_a_round: float


def measure(journal: Path) -> RoundFigures:
    """Fold the recorded inputs until `AT_LEAST_S` have been spent, both ways. Raises ValueError without a round."""
    with JournalReader(journal) as reader:
        events = list(reader.events())
    game = game_of(events)
    codec = Codec.of(game)
    inputs = [(codec.decode(e.type, e.data()), e.time_us) for e in events if codec.is_input(e.type)]
    rounds = sum(event.type == "card.discarded" for event in events)
    if not rounds:
        raise ValueError(f"journal {journal}: no round was played to its end; deal more cards")
    return RoundFigures(
        rounds * _passes_a_second(lambda: _step_over(game, inputs)),
        rounds * _passes_a_second(lambda: _record(game, inputs)),
        len(inputs) / rounds,
    )


def _passes_a_second(work: Callable[[], None]) -> float:
    work()
    began_s, passes = time.process_time(), 0
    while time.process_time() - began_s < AT_LEAST_S:
        work()
        passes += 1
    return passes / (time.process_time() - began_s)


def _step_over(game: Game, inputs: list[tuple[Any, int]]) -> None:
    state = EMPTY
    for event, at_us in inputs:
        state = step(game, state, event, at_us).state


def _record(game: Game, inputs: list[tuple[Any, int]]) -> None:
    """What the engine does for each input, but for the disk."""

    def never(_sealed: str) -> Secret | None:
        return None

    state, sequence, hash_ = EMPTY, 0, genesis_hash(ORIGIN.journal_id)
    seals: dict[str, str] = {}
    for event, at_us in inputs:
        taken = take(game, state, event, at_us, "cause", "identity", seals, never)
        state, seals = taken.state, taken.seals
        for draft in taken.drafts:
            sequence += 1
            hash_ = seal(draft, ORIGIN, sequence, hash_).hash
