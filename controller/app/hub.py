"""After a commit: devices are acknowledged, consoles and shoes told, the bus woken, lines printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from controller.app.bus import Bus
from controller.app.config import TableConfig
from controller.app.devices import Devices
from controller.app.meta import Meta
from controller.app.picture import DARK, Display, display, state_payload
from controller.app.shoes import NO_SHOES, Shoes, shoes_of
from controller.bus.payloads import Alert, Condition
from controller.core.bookkeeping import holds
from controller.core.game import Game
from controller.core.state import Service, TableState
from controller.core.verdicts import OpenVerdict, Severity
from controller.journal.chain import StoredEvent

JOURNAL_FAILED: Final = Display(("JOURNAL FAILED", "stop dealing, call a supervisor", "", ""), DARK.lamps)
CONTROLLER_FAILED: Final = Display(("CONTROLLER FAILED", "stop dealing, call a supervisor", "", ""), DARK.lamps)


class Hub:
    """The engine's outlet. Belongs to the writer's thread."""

    def __init__(self, config: TableConfig, game: Game, say: Callable[[StoredEvent], None]) -> None:
        """``say`` prints an event for whoever watches the terminal."""
        self._config = config
        self._game = game
        self._say = say
        self._refused = ""
        self._shoe_errors: set[str] = set()
        self._round = ""
        self._rules: tuple[str, str] | None = None
        """name and hash of the rule set in the ``meta`` that was published last"""
        self.devices: Devices | None = None
        self.bus: Bus | None = None
        self.meta: Meta | None = None
        self.low_space = False

    def acknowledged(self, device: str, identity: str) -> None:
        """The event of this identity is durable."""
        if self.devices is not None:
            self.devices.acknowledged(device, identity)

    def committed(self, events: tuple[StoredEvent, ...], state: TableState) -> None:
        """These events are durable and the table stands so."""
        self._look_at(events)
        self.refresh(state, events[-1].sequence)
        self._forget_unheard(events)
        for event in events:
            self._say(event)

    def refresh(self, state: TableState, sequence: int) -> None:
        """Bring consoles, shoes and bus up to this state."""
        shoes = shoes_of(state, self.devices.card_sources) if self.devices is not None else NO_SHOES
        if self.devices is not None:
            self._tell_devices(self.devices, state, shoes)
        if self.bus is not None:
            self._tell_bus(self.bus, state, sequence, shoes)

    def failed(self, reason: str, shown: Display) -> None:
        """The controller ends because it must: the dealer is told, the shoes are locked."""
        if self.devices is not None:
            self.devices.show(shown, at_once=True)
            self.devices.lock(True)
        if self.bus is not None:
            self.bus.lost(reason)

    def _look_at(self, events: tuple[StoredEvent, ...]) -> None:
        self._refused = ""
        for event in events:
            if event.type == "violation.raised":
                self._refused = str(event.data()["code"])
            elif self.devices is not None and event.type.startswith("device."):
                self._look_at_device(self.devices, event.type, event.data())

    def _look_at_device(self, devices: Devices, kind: str, data: Mapping[str, Any]) -> None:
        match kind, data.get("what"):
            case ("device.online", _) | ("device.reported", "started"):
                devices.came_online(str(data["device"]))
            case "device.paired", _:
                devices.pair(str(data["device"]), str(data["serial"]))
            case "device.offline", _:
                devices.went_offline(str(data["device"]))
            case "device.fault", _:
                self._note_fault(devices, data)

    def _forget_unheard(self, events: tuple[StoredEvent, ...]) -> None:
        """After the refresh and not before it: a device that refuses is not told again because of its refusal."""
        for event in events:
            if self.devices is not None and event.type == "device.fault":
                data = event.data()
                if str(data["code"]).startswith("command_"):
                    self.devices.forget(str(data["device"]))

    def _note_fault(self, devices: Devices, data: Mapping[str, Any]) -> None:
        device = str(data["device"])
        if devices.wirings[device].sees_cards:
            (self._shoe_errors.discard if data["cleared"] else self._shoe_errors.add)(device)

    def _tell_devices(self, devices: Devices, state: TableState, shoes: Shoes) -> None:
        held = bool(holds(state))
        devices.show(display(self._game, state, self._refused, shoes))
        devices.lock(held or state.service is Service.OUT_OF_SERVICE, state.wires.idle)
        if self._shoe_errors and not held:
            self._shoe_errors.clear()
            devices.clear_errors()
        playing = self._game.round_id(state.game) if state.game is not None else ""
        if self._round and not playing:
            devices.round_over()
        self._round = playing

    def _tell_bus(self, bus: Bus, state: TableState, sequence: int, shoes: Shoes) -> None:
        if self.meta is not None and self._rules != (state.rules_name, state.rules_sha256):
            self._rules = (state.rules_name, state.rules_sha256)
            bus.set_meta(self.meta.of(state))
        payload = state_payload(self._game, state, sequence, self._config.table.currency, shoes)
        bus.committed(condition_of(state, self.low_space, shoes), payload)
        bus.alerts(tuple(_alert(v) for v in state.verdicts))


def _alert(verdict: OpenVerdict) -> Alert:
    return Alert(
        id=verdict.id,
        code=verdict.code,
        severity="hold" if verdict.severity is Severity.HOLD else "open",
        expected=verdict.expected,
        actual=verdict.actual,
        corrections=tuple(c.kind for c in verdict.corrections),
    )


def condition_of(state: TableState, low_space: bool, shoes: Shoes = NO_SHOES) -> Condition:
    """How a table is, for ``status``."""
    held = holds(state)
    if held:
        return Condition("held", f"{held[0].code}: expected {held[0].expected}; came: {held[0].actual}")
    if shoes.missing:
        others = [name for name in state.offline if name != shoes.missing]
        return Condition("degraded", "; ".join([shoes.advice, *([f"offline: {', '.join(others)}"] if others else [])]))
    if state.offline:
        return Condition("degraded", f"offline: {', '.join(state.offline)}")
    if low_space:
        return Condition("degraded", "little room on the journal's disk")
    return Condition("ready", service=state.service.value)
