"""A simulated discard rack: cards go in one by one and come out all together."""

from __future__ import annotations

from drivers.messages import RackCounted, ReadFailed, TagSeen
from drivers.rack import POSITION, UNREAD_TAG, RackCodec
from firmware_sim.native import NativeFirmware, Profile
from firmware_sim.nvram import Nvram


class SimRack(NativeFirmware):
    """A rack that counts cards and reads the tags of those that have one. What is put in without power is noticed at
    the next card: the count is that of the scale, not of the firmware."""

    def __init__(
        self,
        serial: str = "RACK-SIM-1",
        nvram: Nvram | None = None,
        memory_id: int | None = None,
        profile: Profile | None = None,
    ) -> None:
        """Switch an empty rack on; ``profile`` replaces the usual one with this serial number."""
        self._count = 0
        super().__init__(profile or Profile("TW-RACK", serial), RackCodec(), nvram, memory_id)

    @property
    def count(self) -> int:
        """Cards that lie in the rack."""
        with self._lock:
            return self._count

    def put(self, uid: str = "", *, readable: bool = True) -> int | None:
        """Put a card in; ``uid`` is its tag's in upper-case hex, empty when it has none. Returns the number of the last
        event, None without power (the card lies there all the same)."""
        with self._lock:
            self._count += 1
            if uid:
                self.record(TagSeen(POSITION, uid) if readable else ReadFailed(POSITION, UNREAD_TAG))
            return self.record(RackCounted(self._count))

    def empty(self) -> int | None:
        """Take everything out. Returns as `put`."""
        with self._lock:
            self._count = 0
            return self.record(RackCounted(0))
