"""What a table is: the retained ``meta`` on the bus."""

from __future__ import annotations

from dataclasses import dataclass

from controller import __version__
from controller.adapters.camera import KIND
from controller.app.config import TableConfig
from controller.app.payloads import DeviceNamed, MetaPayload, RulesNamed
from controller.app.rulesets import LoadedRules
from controller.core.state import TableState


@dataclass(frozen=True, slots=True)
class Meta:
    """One life of a table. ``rules`` are those of its configuration, which need not be in force: they may have been
    refused in the middle of a round."""

    config: TableConfig
    rules: LoadedRules
    journal_id: str
    public_key: str
    epoch: int

    def of(self, state: TableState) -> MetaPayload:
        """The payload of ``meta``; the rules in it are those in force."""
        table, eye = self.config.table, self.config.camera
        devices = [DeviceNamed(name=d.name, kind=d.kind, driver=d.driver) for d in self.config.device]
        if eye is not None:
            devices.append(DeviceNamed(name=eye.name, kind=KIND, driver="vision"))
        title = self.rules.title if state.rules_sha256 == self.rules.sha256 else ""
        return MetaPayload(
            site=table.site,
            table=table.id,
            game=table.game,
            currency=table.currency,
            simulation=table.simulation,
            insecure_lab=self.config.broker.insecure_lab,
            rules=RulesNamed(name=state.rules_name, title=title, sha256=state.rules_sha256),
            devices=tuple(devices),
            version=__version__,
            journalid=self.journal_id,
            public_key=self.public_key,
            epoch=self.epoch,
            schemas="urn:tablewatch:1",
        )
