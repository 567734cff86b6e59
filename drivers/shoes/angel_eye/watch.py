"""Watches the wire of an Angel Eye shoe, which has no heartbeat: is anybody there, and do we speak the same speed?"""

from __future__ import annotations

from drivers.messages import LineFault, LinkChanged, LinkState

WRONG_LINE_BYTES = 48
"""Bytes without one valid telegram or reply since the port was opened that make wrong line settings certain enough:
two drawn cards have as many. Noise or a damaged copy alone never comes to as many."""


class LineWatch:
    """Silence limit and line settings of one connection. All times in ms of the driver's clock."""

    __slots__ = ("_bytes", "_diagnosed", "_heard_ms", "_limit_ms", "_next_probe_ms", "_valid", "state")

    def __init__(self, silence_limit_s: float) -> None:
        self._limit_ms = round(silence_limit_s * 1000)
        self.state = LinkState.DOWN
        self.opened(0)
        self.state = LinkState.DOWN

    def opened(self, now_ms: int) -> None:
        """A new connection: the port is open, nothing is known to be wrong."""
        self.state = LinkState.UP
        self._bytes = 0
        self._valid = False
        self._diagnosed = False
        self._heard_ms = now_ms
        self._next_probe_ms = 0

    def heard(self, count: int, now_ms: int) -> LinkChanged | None:
        """Bytes came; reports the link up if it was not."""
        self._bytes += count
        self._heard_ms = now_ms
        self._next_probe_ms = 0
        if self.state is LinkState.UP:
            return None
        self.state = LinkState.UP
        return LinkChanged(LinkState.UP, "bytes come from the shoe again")

    def understood(self) -> None:
        """A valid telegram or reply came: the line settings are right."""
        self._valid = True

    def diagnosis(self) -> LineFault | None:
        """Wrong line settings, said once per connection."""
        if self._valid or self._diagnosed or self._bytes < WRONG_LINE_BYTES:
            return None
        self._diagnosed = True
        reason = (
            f"wrong line settings (or only noise): {self._bytes} bytes came and not one telegram; "
            "set the line to 4800 baud 8N1 (one table was seen at 9600), at the device server too"
        )
        return LineFault("wrong_line_settings", reason)

    def probe_due(self, now_ms: int) -> bool:
        """Silent for too long, and not probed in this silence for as long again."""
        if now_ms - self._heard_ms < self._limit_ms or now_ms < self._next_probe_ms:
            return False
        self._next_probe_ms = now_ms + self._limit_ms
        return True

    def cannot_probe(self, now_ms: int) -> LinkChanged | None:
        """Silent, and there is no harmless command to ask with."""
        if self.state is not LinkState.UP:
            return None
        self.state = LinkState.SUSPECT
        silence_s = (now_ms - self._heard_ms) // 1000
        reason = f"nothing from the shoe for {silence_s} s, and no lock state to probe it with; lock or unlock it once"
        return LinkChanged(LinkState.SUSPECT, reason)

    def no_reply(self, now_ms: int) -> LinkChanged | None:
        """A command got no reply; reports the link down if the silence is long enough to believe it."""
        if self.state is LinkState.DOWN or now_ms - self._heard_ms < self._limit_ms:
            return None
        self.state = LinkState.DOWN
        silence_s = (now_ms - self._heard_ms) // 1000
        advice = "check cable, device server and power"
        return LinkChanged(LinkState.DOWN, f"nothing from the shoe for {silence_s} s, no reply to a probe; {advice}")

    def closed(self) -> None:
        """The port is gone."""
        self.state = LinkState.DOWN
