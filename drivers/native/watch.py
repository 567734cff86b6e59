"""Is anybody there: the link's state from the time of the last good frame."""

from __future__ import annotations

from drivers.messages import LinkState

SUSPECT_AFTER_MS = 2500
DOWN_AFTER_MS = 5000
DEAF_AFTER_MS = 5000
DEAF_AFTER_BYTES = 32
"""so many bytes in so much time and not one frame: not noise, the line settings are wrong"""


class LinkWatch:
    """Up while frames come, suspect after 2.5 s without one, down after 5 s. Begins down, which is told after 5 s in
    which not one byte came."""

    __slots__ = ("_any_frame_ms", "_bytes_since_frame", "_heard_ms", "_untold", "state")

    def __init__(self) -> None:
        self.state = LinkState.DOWN
        self._heard_ms = 0
        self._any_frame_ms = 0
        self._bytes_since_frame = 0
        self._untold = False
        """nobody has been heard since the port was opened, and that was not told yet"""

    def opened(self, now_ms: int) -> None:
        """A fresh connection."""
        self.frame_came(now_ms)
        self._untold = True

    def bytes_came(self, count: int) -> None:
        """So many bytes came, whatever they are."""
        self._untold = False
        self._bytes_since_frame += count

    def frame_came(self, now_ms: int) -> None:
        """A frame with a right checksum came, whoever sent it."""
        self._any_frame_ms = now_ms
        self._bytes_since_frame = 0

    def heard(self, now_ms: int) -> None:
        """A good frame of the identified device came."""
        self._heard_ms = now_ms

    def become(self, state: LinkState) -> bool:
        """Take this state; True when it is another than before."""
        changed = state is not self.state
        self.state = state
        return changed

    def tick(self, now_ms: int) -> LinkState | None:
        """The new state if time has changed it, or the first one if nobody was there from the beginning; else None."""
        if self._untold and now_ms - self._any_frame_ms >= DOWN_AFTER_MS:
            self._untold = False
            return self.state
        silence_ms = now_ms - self._heard_ms
        if self.state is not LinkState.DOWN and silence_ms >= DOWN_AFTER_MS:
            self.state = LinkState.DOWN
            return self.state
        if self.state is LinkState.UP and silence_ms >= SUSPECT_AFTER_MS:
            self.state = LinkState.SUSPECT
            return self.state
        return None

    def is_deaf(self, now_ms: int) -> bool:
        """True while bytes come and frames do not."""
        return now_ms - self._any_frame_ms >= DEAF_AFTER_MS and self._bytes_since_frame >= DEAF_AFTER_BYTES
