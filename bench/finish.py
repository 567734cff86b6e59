"""What is looked at after a campaign: the archive, the chain, the fold, and what the table last said of itself."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from paho.mqtt.client import Client, ConnectFlags, MQTTMessage, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from bench.archive import stored
from controller.app.audit import Audit, game_of
from controller.app.picture import state_payload
from controller.app.record import Standing, fold_events
from controller.app.shoes import shoes_of
from controller.bus.endpoint import Endpoint
from controller.bus.payloads import payload_bytes
from controller.bus.topics import Topics
from controller.bus.wire import from_json
from controller.cli.demo.stage import SITE, TABLE, wait_for
from controller.core.codec import Codec
from controller.journal.reader import JournalReader
from controller.journal.signing import load_or_make_key
from controller.journal.verify import verify

STATE_S = 20.0
MAX_BYTES = 512 * 1024
SHOWN = 5


def archive_differences(path: Path, hashes: list[tuple[int, str]]) -> list[str]:
    """Where the archive differs from the journal's sequences and hashes; empty when it has every event once."""
    archived = stored(path)
    lacking = sorted({sequence for sequence, _ in hashes} - {sequence for sequence, _ in archived})
    strange = sorted(set(archived) - set(hashes))
    found = []
    if lacking:
        found.append(f"{len(lacking)} event(s) never reached the subscriber: {lacking[:SHOWN]}")
    if strange:
        found.append(f"the subscriber has {len(strange)} event(s) that the journal has not: {strange[:SHOWN]}")
    return found


def audit_differences(path: Path, *, starts: int) -> tuple[list[str], int]:
    """What is wrong with chain, fold, signed states and the count of starts; and how many checkpoints were compared.
    Fewer starts may be on record than there were: a controller killed early has not counted itself."""
    key = load_or_make_key(path.with_suffix(".key")).public_key
    audit = Audit(path)
    report = verify(path, key, fold_check=audit)
    found = [finding.line() for finding in report.findings]
    with JournalReader(path) as reader:
        epochs = [event.epoch for event in reader.events()]
    if epochs and epochs[-1] > starts:
        found.append(f"the record counts {epochs[-1]} starts, there were {starts}")
    return found, audit.states


def state_differences(path: Path, endpoint: Endpoint) -> list[str]:
    """Where the state that the living controller publishes differs from the fold of what is on the disk."""
    with JournalReader(path) as reader, _Listener(endpoint, Topics(SITE, TABLE).state) as listener:
        if not wait_for(lambda: listener.last.get("as_of") == reader.head(), STATE_S):
            shown = listener.last.get("as_of")
            return [f"the table shows its state as of event {shown}, its journal is at {reader.head()}"]
        said = listener.last
        events = list(reader.events(1, said["as_of"]))
        game = game_of(events)
        standing = fold_events(game, Codec.of(game), iter(events), Standing(), reader.secret)
    shoes = shoes_of(standing.state, [*said["shoes"]["in_use"], *said["shoes"]["spares"]])
    made = state_payload(game, standing.state, standing.sequence, said["currency"], shoes)
    wanted = from_json(payload_bytes(made), MAX_BYTES)
    differing = sorted(key for key in wanted.keys() | said.keys() if wanted.get(key) != said.get(key))
    return [f"the published state differs from the fold in: {', '.join(differing)}"] if differing else []


class _Listener:
    """The newest JSON object on one topic. ``last`` is empty while none came."""

    def __init__(self, endpoint: Endpoint, topic: str) -> None:
        self.last: dict[str, Any] = {}
        self._endpoint = endpoint
        self._topic = topic
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv311)
        self._client.on_message = self._take
        self._client.on_connect = self._ask

    def __enter__(self) -> Self:
        self._client.connect(self._endpoint.host, self._endpoint.port)
        self._client.loop_start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _ask(self, client: Client, _u: object, _f: ConnectFlags, _r: ReasonCode, _p: Properties | None) -> None:
        client.subscribe(self._topic, 1)

    def _take(self, _client: Client, _userdata: object, message: MQTTMessage) -> None:
        self.last = json.loads(message.payload)
