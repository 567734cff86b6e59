"""A device on the wire of another one: the table is held until the right one is back, or a supervisor pairs this one.

Its driver believes nothing it says meanwhile, so none of its events is applied; it keeps them, and tells them once it
is paired.
"""

from __future__ import annotations

from typing import Any, Final

from controller.core.bookkeeping import close_key, raise_finding
from controller.core.facts import DevicePaired
from controller.core.inputs import DeviceOnline, DeviceStranger
from controller.core.records import replace
from controller.core.state import Service, TableState
from controller.core.verdicts import Correction, Finding, Severity
from controller.core.wires import Known, Stranger

PAIR: Final = Correction("pair_device", "this device belongs here from now on: it is let in, and its events count")


def online(state: TableState, event: DeviceOnline, facts: list[Any]) -> TableState:
    """A device was let in by its driver: from now on its serial number belongs here."""
    wires = state.wires
    if not event.serial:
        return state
    if wires.serial_of(event.device) == event.serial and wires.stranger_on(event.device) is None:
        return state
    paired = Known(event.device, event.serial, paired=True) in wires.known
    state = replace(state, wires=wires.with_known(Known(event.device, event.serial, paired)))
    return close_key(state, _key(event.device), "put_right", facts)


def stranger(state: TableState, event: DeviceStranger, facts: list[Any]) -> TableState:
    """A device with another serial number is on the wire and was refused."""
    found = Stranger(event.device, event.serial, event.reason, event.sees_cards, event.sees_chips)
    return quarantined(replace(state, wires=state.wires.with_stranger(found)), facts)


def quarantined(state: TableState, facts: list[Any]) -> TableState:
    """The open table is held for each stranger on its wires; whatever else was done about the verdict, this stays."""
    if state.service is Service.OPEN:
        for found in state.wires.strangers:
            state = raise_finding(state, _finding(found), found.reason, facts)
    return state


def pair(state: TableState, device: str, serial: str, actor: str, facts: list[Any]) -> tuple[TableState, Stranger]:
    """Let the stranger on this device's wire in. Raises LookupError, one line, when it is not there."""
    found = state.wires.stranger_on(device)
    if found is None:
        there = ", ".join(f"{s.device}: {s.serial}" for s in state.wires.strangers) or "none"
        raise LookupError(f"no stranger is on {device or '(no device named)'}; devices that may be paired: {there}")
    if serial and serial != found.serial:
        raise LookupError(f"the device on {device} is {found.serial}, not {serial}")
    facts.append(DevicePaired(device, found.serial, state.wires.serial_of(device), actor))
    wires = state.wires.with_known(Known(device, found.serial, paired=True))
    return close_key(replace(state, wires=wires), _key(device), PAIR.kind, facts), found


def device_of(key: str) -> str:
    """The device that a stranger's verdict with this key is about."""
    return key.partition(":")[2]


def _finding(found: Stranger) -> Finding:
    wanted = f"the device that belongs to {found.device}"
    return Finding("DEVICE_STRANGER", Severity.HOLD, wanted, found.reason, (PAIR,), key=_key(found.device))


def _key(device: str) -> str:
    return f"stranger:{device}"
