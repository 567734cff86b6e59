"""Which table on which broker: from TABLE.toml, or named on the command line."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from controller.app.bus import endpoints_of
from controller.app.config import ConfigError, StaffSection, TableConfig, load_config
from controller.bus.endpoint import Endpoint, parse_endpoint
from controller.bus.nats import HOST
from controller.bus.topics import Topics

_LISTENER: Final = re.compile(r"mqtt\s*\{[^}]*\bport:\s*(\d+)")

BrokerOption = Annotated[str, typer.Option("--broker", help="mqtt://[user@]host[:port] or mqtts://…")]
SiteOption = Annotated[str, typer.Option("--site", help="The house, as in the topics.")]
TableOption = Annotated[str, typer.Option("--table", help="The table, as in the topics.")]
InsecureOption = Annotated[
    bool, typer.Option("--insecure-lab", help="Allow plain and anonymous connections beyond loopback.")
]


@dataclass(frozen=True, slots=True)
class Where:
    """A table on a broker. ``currency`` and ``staff`` are known from a configuration only."""

    topics: Topics
    endpoints: tuple[Endpoint, ...]
    currency: str = ""
    staff: tuple[StaffSection, ...] = ()


def find_table(config: Path | None, broker: str, site: str, table: str, *, insecure_lab: bool) -> Where:
    """The table meant. What is named on the command line goes before what the configuration says.

    Raises ConfigError or EndpointError.
    """
    loaded = load_config(config) if config is not None else None
    site = site or (loaded.table.site if loaded else "")
    table = table or (loaded.table.id if loaded else "")
    missing = [name for name, value in (("--site", site), ("--table", table)) if not value]
    if loaded is None and not broker:
        missing.append("--broker")
    if missing:
        raise ConfigError((f"name the table's TABLE.toml, or {', '.join(missing)} as well",))
    try:
        topics = Topics(site, table)
    except ValueError as error:
        raise ConfigError((str(error),)) from None
    if broker:
        endpoints: tuple[Endpoint, ...] = (parse_endpoint(broker, os.environ, insecure_lab=insecure_lab),)
    else:
        assert loaded is not None
        endpoints = endpoints_of(loaded) or (_embedded(loaded),)
    return Where(topics, endpoints, loaded.table.currency if loaded else "", loaded.staff if loaded else ())


def _embedded(config: TableConfig) -> Endpoint:
    """The table's embedded broker: its configured port, or the one it picked and keeps to, from its own file."""
    if config.broker.embedded_port:
        return Endpoint(HOST, config.broker.embedded_port)
    file = config.journal.path.with_name(config.journal.path.name + ".broker") / "nats.conf"
    try:
        found = _LISTENER.search(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError):
        found = None
    if found is None:
        why = f"the embedded broker of {config.journal.path} has not run yet ({file})"
        raise ConfigError((f"{why}; start the table or give --broker",))
    return Endpoint(HOST, int(found[1]))
