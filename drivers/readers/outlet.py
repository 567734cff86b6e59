"""What all readers have in common: reports waiting to be taken, numbered per connection, and the state of the link."""

from __future__ import annotations

from collections.abc import Sequence

from drivers.api import LinkCounters, Report
from drivers.messages import DeviceMessage, LineFault, LinkChanged, LinkState


class Outlet:
    """Reports of one reader. Identities are ``<driver>:<connection>:<n>``, n from 1: the wires have none of their own,
    so an identity never comes twice, but what was lost cannot be asked for again."""

    __slots__ = ("_connection", "_driver", "_numbered", "_pending", "_said", "counters", "state")

    def __init__(self, driver: str) -> None:
        self.counters = LinkCounters()
        self.state = LinkState.DOWN
        self._driver = driver
        self._connection = ""
        self._numbered = 0
        self._pending: list[Report] = []
        self._said: set[str] = set()

    @property
    def is_open(self) -> bool:
        """Whether the port is open."""
        return bool(self._connection)

    def opened(self, connection: str, *, before: bool) -> None:
        """A fresh connection; ``before``: there was one already."""
        self.counters.reconnects += before
        self._connection = connection
        self._numbered = 0
        self._said.clear()

    def closed(self, reason: str) -> None:
        """The port is gone."""
        self._connection = ""
        self.become(LinkState.DOWN, reason)

    def become(self, state: LinkState, reason: str) -> None:
        """Say that the link is in this state, if it was not."""
        if state is not self.state:
            self.state = state
            self._pending.append(Report(LinkChanged(state, reason)))

    def fault(self, code: str, reason: str) -> None:
        """Say a fault of the line, once per connection."""
        if code not in self._said:
            self._said.add(code)
            self._pending.append(Report(LineFault(code, reason)))

    def note(self, message: DeviceMessage) -> None:
        """A message about the line, without an identity."""
        self._pending.append(Report(message))

    def event(self, message: DeviceMessage) -> None:
        """Something that happened at the reader."""
        self._numbered += 1
        self._pending.append(Report(message, f"{self._driver}:{self._connection}:{self._numbered}"))

    def count(self, name: str) -> None:
        """Count one more of ``counters.extra``."""
        self.counters.extra[name] = self.counters.extra.get(name, 0) + 1

    def take(self) -> Sequence[Report]:
        """Everything said since the last time."""
        reports, self._pending = self._pending, []
        return reports
