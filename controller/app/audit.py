"""The audit of a journal's meaning: every fact concluded again, and the state compared at every checkpoint."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.app.config import ConfigError
from controller.app.plugins import load_game
from controller.app.record import RecordError, Standing, fold_events
from controller.app.snapshot import state_fault
from controller.app.stretches import Walk, nobody
from controller.core.codec import Codec
from controller.core.game import Game
from controller.core.inputs import RulesChosen
from controller.journal.chain import StoredEvent
from controller.journal.reader import JournalReader
from controller.journal.sealing import Secret
from controller.journal.verify import Finding

HEAD_EVENTS: Final = 100
"""Where the first rule set is looked for: the controller writes it with its first start."""


@dataclass(slots=True)
class Audit:
    """A fold check for `controller.journal.verify.verify`. ``progress`` hears the event it has come to; afterwards
    ``events`` are folded and the state was equal to the signed one at ``states`` checkpoints."""

    journal: Path
    progress: Callable[[int], None] = nobody
    events: int = 0
    states: int = 0

    def _secret(self, sealed: str) -> Secret | None:
        with JournalReader(self.journal) as reader:
            return reader.secret(sealed)

    def __call__(self, events: Iterator[StoredEvent]) -> Iterator[Finding]:
        """Fold; stops at the first contradiction, because everything after it follows from it."""
        head = list(itertools.islice(events, HEAD_EVENTS))
        if not head:
            return
        try:
            game = game_of(head)
        except ConfigError as error:
            yield Finding(head[0].sequence, f"cannot be folded: {error}")
            return
        codec, standing = Codec.of(game), Standing()
        walk = Walk(itertools.chain(head, events), self.progress)
        while walk.more:
            try:
                standing = fold_events(game, codec, walk.to_checkpoint(), standing, self._secret)
            except RecordError as error:
                yield Finding(0, str(error))
                return
            self.events = walk.reached
            if walk.malformed:
                yield Finding(walk.malformed, "its data is not an object")
                return
            if walk.checkpoint is not None:
                fault = state_fault(game, standing, walk.checkpoint)
                if fault:
                    yield Finding(walk.checkpoint.sequence, fault)
                    return
                self.states += 1


def game_of(events: list[StoredEvent]) -> Game:
    """The game that the first rule set on record names. Raises ConfigError when there is none, or it is not here."""
    for event in events:
        data = event.parsed().get("data")
        if event.type == RulesChosen.TYPE and isinstance(data, dict):
            return load_game(str(data.get("game")))
    raise ConfigError((f"no rule set is named in its first {len(events)} events",))
