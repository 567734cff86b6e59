"""What the parts cost alone: a commit of the journal, a message through the broker and back."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from paho.mqtt.client import Client, ConnectFlags, MQTTMessage, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from bench.figures import Samples
from controller.bus.endpoint import Endpoint
from controller.journal.chain import EventDraft
from controller.journal.signing import load_or_make_key
from controller.journal.store import Journal

TOPIC = "tablewatch/bench"
ANSWER_S = 10.0


def bare_commit(folder: Path, drafts: Sequence[EventDraft], count: int) -> Samples:
    """Append the same events, as one card leaves them, ``count`` times to a journal of its own in ``folder``."""
    durations_ms = []
    signer = load_or_make_key(folder / "bare.key")
    with Journal.open(folder / "bare.sqlite", "bench", "bare", signer=signer) as journal:
        journal.start()
        for _ in range(count):
            began_s = time.perf_counter()
            journal.append(drafts)
            durations_ms.append((time.perf_counter() - began_s) * 1000)
    return Samples("bare commit", durations_ms)


def at_once(client: Client) -> None:
    """Small packets of a connected client go out at once; the kernel would let them wait for each other 40 ms."""
    connection = client.socket()
    if isinstance(connection, socket.socket):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class _Echo:
    """A client that hears what it publishes."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.came = threading.Event()
        self.client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv311)
        self.client.on_connect = self._subscribe
        self.client.on_subscribe = self._ready
        self.client.on_message = self._take
        self.client.connect(endpoint.host, endpoint.port)
        at_once(self.client)
        self.client.loop_start()

    def wait(self) -> None:
        if not self.came.wait(ANSWER_S):
            raise TimeoutError(f"the broker did not answer in {ANSWER_S:.0f} s")
        self.came.clear()

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def _subscribe(self, client: Client, _u: object, _f: ConnectFlags, _r: ReasonCode, _p: Properties | None) -> None:
        client.subscribe(TOPIC, 1)

    def _ready(self, _c: Client, _u: object, _m: int, _r: list[ReasonCode], _p: Properties | None) -> None:
        self.came.set()

    def _take(self, _client: Client, _userdata: object, _message: MQTTMessage) -> None:
        self.came.set()


def bare_round_trip(endpoint: Endpoint, payload: bytes, count: int) -> Samples:
    """Publish ``payload`` with QoS 1 and wait until it comes back, ``count`` times. Raises TimeoutError."""
    echo = _Echo(endpoint)
    durations_ms = []
    try:
        echo.wait()
        for _ in range(count):
            began_s = time.perf_counter()
            echo.client.publish(TOPIC, payload, 1)
            echo.wait()
            durations_ms.append((time.perf_counter() - began_s) * 1000)
    finally:
        echo.close()
    return Samples("bare MQTT round trip", durations_ms)
