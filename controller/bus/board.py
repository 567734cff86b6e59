"""The retained messages of a table: what the broker shows to whoever comes later."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from controller.bus.wire import Message


@dataclass(slots=True)
class _Slot:
    payload: bytes
    interval_s: float
    dirty: bool = True
    sent_s: float = float("-inf")


class Board:
    """The newest value of each retained topic, and which of them the broker still lacks. From any thread.

    An empty payload removes a topic; it is remembered until the broker has acknowledged that.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._slots: dict[str, _Slot] = {}
        self._removing: dict[int, str] = {}
        self._once: dict[str, bytes] = {}

    def put(self, topic: str, payload: bytes, interval_s: float = 0.0) -> None:
        """Show ``payload``; it goes out at most once in ``interval_s`` seconds, then the newest. The same
        again is kept back.
        """
        with self._lock:
            slot = self._slots.get(topic)
            if slot is None:
                self._slots[topic] = _Slot(payload, interval_s)
            elif slot.payload != payload:
                slot.payload, slot.dirty = payload, True

    def remove(self, topic: str) -> None:
        """Take a topic off the broker."""
        self.put(topic, b"")

    def shown(self, topic: str) -> bytes | None:
        """What the topic should show, None when it is not ours to say."""
        with self._lock:
            slot = self._slots.get(topic)
            return slot.payload if slot else None

    def again(self, topic: str) -> None:
        """Send this topic again: somebody else overwrote it."""
        with self._lock:
            if topic in self._slots:
                self._slots[topic].dirty = True

    def refresh(self) -> None:
        """Somebody asked to see everything again; each topic keeps its interval."""
        with self._lock:
            for slot in self._slots.values():
                slot.dirty = True

    def waiting(self) -> bool:
        """True while something has not gone out."""
        with self._lock:
            return bool(self._once) or any(slot.dirty for slot in self._slots.values())

    def all_again(self) -> None:
        """A fresh connection: everything goes out again, at once."""
        with self._lock:
            self._removing.clear()
            for slot in self._slots.values():
                slot.dirty, slot.sent_s = True, float("-inf")

    def take_due(self, now_s: float) -> Message | None:
        """A message that should go out now; it counts as sent."""
        with self._lock:
            for topic, slot in self._slots.items():
                if slot.dirty and now_s - slot.sent_s >= slot.interval_s:
                    slot.dirty, slot.sent_s = False, now_s
                    return Message(topic, slot.payload, 1, retain=True)
        return None

    def wait_s(self, now_s: float) -> float:
        """Seconds until `take_due` has something, infinity if nothing waits."""
        with self._lock:
            waits = [slot.sent_s + slot.interval_s - now_s for slot in self._slots.values() if slot.dirty]
        return max(0.0, min(waits, default=float("inf")))

    def sent(self, message: Message, mid: int) -> None:
        """The message went out under this number."""
        if not message.payload:
            with self._lock:
                self._removing[mid] = message.topic

    def acknowledged(self, mid: int) -> None:
        """The broker has it: a removed topic is forgotten, unless it is shown again by now."""
        with self._lock:
            topic = self._removing.pop(mid, None)
            if topic is not None and not self._slots[topic].payload:
                del self._slots[topic]

    def tell_once(self, topic: str, payload: bytes) -> None:
        """Telemetry: to be sent once, unretained; a newer one replaces one that still waits."""
        with self._lock:
            self._once[topic] = payload

    def take_once(self) -> list[Message]:
        """The telemetry that waits; it counts as sent."""
        with self._lock:
            messages = [Message(topic, payload, 0) for topic, payload in self._once.items()]
            self._once.clear()
        return messages
