"""One connection to one broker, used once: paho's client behind a queue.

What paho 2.x does that this keeps away from the rest: its outgoing queue is in memory and is sent later
even when ``publish`` returned rc 4 (so nothing is published twice, and a broken client is thrown away with
its queue); ``on_publish`` runs under its lock (so callbacks only put into a queue); an exception in a
callback ends its thread.
"""

from __future__ import annotations

import contextlib
import queue
import socket
from collections.abc import Sequence
from dataclasses import dataclass

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.bus.endpoint import Endpoint
from controller.bus.wire import Message

CONNECT_TIMEOUT_S = 5.0
KEEPALIVE_S = 15
MAX_WAITING = 4096
"""Messages received and not yet taken; a flood beyond it is dropped and counted, acknowledgements never
are.
"""
_GOODBYE_S = 1.0


class LinkError(Exception):
    """The connection could not be made. The text is one line: what, where, what to do."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection ended; nothing follows it."""

    reason: str


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The broker acknowledged the QoS 1 message of this number: a hop, not durability."""

    mid: int


@dataclass(frozen=True, slots=True)
class Received:
    """A message came. ``payload`` is empty when ``size`` is beyond what this link takes."""

    topic: str
    payload: bytes
    size: int
    retained: bool


@dataclass(frozen=True, slots=True)
class Denied:
    """The broker refused a subscription."""

    filters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Woken:
    """Somebody called `Link.wake`."""


@dataclass(frozen=True, slots=True)
class _Answered:
    refusal: str


@dataclass(frozen=True, slots=True)
class _Subscribed:
    """The broker's answer to a subscription: which of its filters are refused."""

    mid: int
    refused: tuple[bool, ...]


LinkEvent = Lost | Acknowledged | Received | Denied | Woken


class Link:
    """A connection; its methods belong to one thread, but for `wake`."""

    def __init__(self, endpoint: Endpoint, client_id: str, will: Message | None, max_payload: int) -> None:
        """Prepare. ``max_payload`` bytes is the longest payload handed on. Raises LinkError for useless
        certificates.
        """
        self.endpoint = endpoint
        self.dropped = 0
        self._queue: queue.SimpleQueue[LinkEvent | _Answered | _Subscribed] = queue.SimpleQueue()
        self._max_payload = max_payload
        self._filters: dict[int, tuple[str, ...]] = {}
        client = Client(
            CallbackAPIVersion.VERSION2, client_id, clean_session=True, protocol=MQTTv311, reconnect_on_failure=False
        )
        client.connect_timeout = CONNECT_TIMEOUT_S
        # Our window is the limit; a second one in paho would only reorder.
        client.max_inflight_messages_set(0)
        if will is not None:
            client.will_set(will.topic, will.payload, will.qos, will.retain)
        if endpoint.user:
            client.username_pw_set(endpoint.user, endpoint.password)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_publish = self._on_publish
        client.on_message = self._on_message
        client.on_subscribe = self._on_subscribe
        self._client = client

    def open(self) -> None:
        """Connect. Raises LinkError naming the broker when it is not there, refuses, or does not answer in
        time.
        """
        trouble = self._connect()
        if trouble:
            raise LinkError(f"broker {self.endpoint}: {trouble}; is it running and is the address right?")
        self._client.loop_start()
        refusal = self._first_answer()
        if refusal:
            self.abort()
            raise LinkError(f"broker {self.endpoint}: {refusal}; check user, password and certificate")

    def publish(self, message: Message) -> int:
        """Hand a message to the connection; returns its number, which `Acknowledged` names later (QoS 1)."""
        return self._client.publish(message.topic, message.payload, message.qos, message.retain).mid

    def subscribe(self, filters: Sequence[str]) -> None:
        """Ask for topics, QoS 1."""
        _rc, mid = self._client.subscribe([(name, 1) for name in filters])
        if mid is not None:
            self._filters[mid] = tuple(filters)

    def next(self, timeout_s: float) -> LinkEvent | None:
        """The next thing that happened, or None after ``timeout_s`` seconds."""
        try:
            event = self._queue.get(timeout=max(0.0, timeout_s))
        except queue.Empty:
            return None
        match event:
            case _Answered():
                return None
            case _Subscribed(mid, refused):
                # Looked up here, by the thread that subscribed: the answer may come before `subscribe` has noted it.
                denied = tuple(name for name, no in zip(self._filters.pop(mid, ()), refused, strict=False) if no)
                return Denied(denied) if denied else None
            case _:
                return event

    def wake(self) -> None:
        """Make a waiting `next` return. From any thread."""
        self._queue.put(Woken())

    def close(self) -> None:
        """Say goodbye, so that the will is not sent; `abort` follows."""
        self._client.disconnect()
        with contextlib.suppress(queue.Empty):
            while not isinstance(self._queue.get(timeout=_GOODBYE_S), Lost):
                pass

    def abort(self) -> None:
        """End at once; without a goodbye before it the broker sends the will. Calling it again does
        nothing.
        """
        connection = self._client.socket()
        if isinstance(connection, socket.socket):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._client.loop_stop()

    def _connect(self) -> str:
        """Make the TCP or TLS connection; returns what went wrong, which lets go of the half-made socket at
        once.
        """
        end = self.endpoint
        try:
            if end.tls:
                self._client.tls_set(end.ca or None, end.cert or None, end.key or None)
            self._client.connect(end.host, end.port, KEEPALIVE_S)
            connection = self._client.socket()
            if isinstance(connection, socket.socket):
                # Or an event waits up to 40 ms for the acknowledgement of the one before.
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except (OSError, ValueError) as error:
            return " ".join(str(error).split())
        return ""

    def _first_answer(self) -> str:
        try:
            event = self._queue.get(timeout=CONNECT_TIMEOUT_S)
        except queue.Empty:
            return f"no answer in {CONNECT_TIMEOUT_S:.0f} s"
        match event:
            case _Answered(refusal):
                return refusal
            case Lost(reason):
                return reason
            case _:
                return ""

    def _on_connect(self, _c: Client, _u: object, _f: ConnectFlags, reason: ReasonCode, _p: Properties | None) -> None:
        self._queue.put(_Answered(f"refused ({reason})" if reason.is_failure else ""))

    def _on_disconnect(
        self, _c: Client, _u: object, _f: DisconnectFlags, reason: ReasonCode, _p: Properties | None
    ) -> None:
        self._queue.put(Lost(f"broker {self.endpoint}: connection lost ({reason})"))

    def _on_publish(self, _c: Client, _u: object, mid: int, _r: ReasonCode, _p: Properties) -> None:
        self._queue.put(Acknowledged(mid))

    def _on_message(self, _c: Client, _u: object, message: MQTTMessage) -> None:
        if self._queue.qsize() > MAX_WAITING:
            self.dropped += 1
            return
        size = len(message.payload)
        payload = bytes(message.payload) if size <= self._max_payload else b""
        self._queue.put(Received(_topic(message), payload, size, message.retain))

    def _on_subscribe(self, _c: Client, _u: object, mid: int, reasons: list[ReasonCode], _p: Properties | None) -> None:
        self._queue.put(_Subscribed(mid, tuple(reason.is_failure for reason in reasons)))


def _topic(message: MQTTMessage) -> str:
    """The topic, empty when a broker sent one that is not UTF-8 (paho would raise in its own thread)."""
    try:
        return message.topic
    except UnicodeDecodeError:
        return ""
