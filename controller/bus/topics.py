"""The topics of a table (docs/mqtt.md). MQTT orders messages within one topic only, hence one ``evt`` for
all events.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

ROOT = "tablewatch/v1"
_ID = re.compile(r"[a-z0-9-]{1,32}")


def is_id(text: object) -> bool:
    """True when ``text`` may stand in a topic: 1 to 32 of a-z, 0-9 and '-'."""
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def valid_id(text: str, what: str) -> str:
    """``text`` if it may stand in a topic. Raises ValueError naming ``what`` and the allowed form."""
    if not is_id(text):
        raise ValueError(f"{what} {text!r} is not an id: 1 to 32 of a-z, 0-9 and '-'")
    return text


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one table. Raises ValueError when site, table or a part asked for is not an id."""

    site: str
    table: str

    def __post_init__(self) -> None:
        valid_id(self.site, "site")
        valid_id(self.table, "table")

    @property
    def base(self) -> str:
        """What every topic of the table begins with."""
        return f"{ROOT}/{self.site}/{self.table}"

    @property
    def status(self) -> str:
        """Retained, and the will: is the table there."""
        return f"{self.base}/status"

    @property
    def meta(self) -> str:
        """Retained: what the table is."""
        return f"{self.base}/meta"

    @property
    def state(self) -> str:
        """Retained: how the table stands, at most 4 a second."""
        return f"{self.base}/state"

    @property
    def evt(self) -> str:
        """All events of the table, in order."""
        return f"{self.base}/evt"

    @property
    def heartbeat(self) -> str:
        """Every 5 seconds: how far journal, publication and archive are."""
        return self.tele("heartbeat")

    def alert(self, alert_id: str) -> str:
        """Retained: an open alert; an empty payload closes it."""
        return f"{self.base}/alert/{valid_id(alert_id, 'alert')}"

    def tele(self, device: str) -> str:
        """Counters of a device's link."""
        return f"{self.base}/tele/{valid_id(device, 'device')}"

    def cmd(self, name: str) -> str:
        """Where a command is sent to."""
        return f"{self.base}/cmd/{valid_id(name, 'command')}"

    def rsp(self, client: str) -> str:
        """Where a client hears what became of its commands."""
        return f"{self.base}/rsp/{valid_id(client, 'client')}"

    def ack(self, consumer: str) -> str:
        """Retained: what an archive has stored without a gap."""
        return f"{self.base}/ack/{valid_id(consumer, 'consumer')}"

    def replay(self, client: str) -> str:
        """Ranges of the journal that a client asked for."""
        return f"{self.base}/replay/{valid_id(client, 'client')}"

    def last_of(self, topic: str, kind: str) -> str | None:
        """The last level of a topic of this table below ``kind`` (``cmd``, ``ack``, ``alert``), None for
        another.
        """
        head, _, last = topic.rpartition("/")
        return last if head == f"{self.base}/{kind}" and is_id(last) else None


def host_status(site: str, host: str) -> str:
    """Retained, and the will: is a historian or dashboard there."""
    return f"{ROOT}/{valid_id(site, 'site')}/host/{valid_id(host, 'host')}/status"


def table_of(topic: str) -> Topics | None:
    """The table a topic belongs to, None when it is nobody's."""
    parts = topic.split("/")
    if len(parts) < 5 or "/".join(parts[:2]) != ROOT or not is_id(parts[2]) or not is_id(parts[3]):
        return None
    return Topics(parts[2], parts[3])
