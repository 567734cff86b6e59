"""The core alone as a bench: what the devices would say goes through the adapters straight into ``step``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never

from controller.adapters.link import gap_after_start
from controller.adapters.translate import translate
from controller.app.patience import Idle
from controller.app.record import hidden_name
from controller.app.scenario.acts import (
    Cable,
    Commanded,
    Drawn,
    Manner,
    Primitive,
    Restarted,
    Said,
    Seen,
    ShoeTrouble,
    Waited,
)
from controller.app.scenario.bench import START_US, Recorded, command_of, reading, shoe_of, shoe_telegrams, wirings_of
from controller.app.scenario.load import Scenario
from controller.app.sources import NONE, sources_of
from controller.core.codec import encode
from controller.core.inputs import Input, RulesChosen, ShoesChosen, SystemStarted
from controller.core.state import EMPTY, TableState
from controller.core.table import step
from drivers import messages as m

ACT_US: Final = 200_000
"""How long an act takes."""

NUMBERS: Final = 9
"""Numbers that a shoe's telegrams carry in turn (SEQ 1 to 9)."""


class CoreBench:
    """See `controller.app.scenario.bench.Bench`. What a device says while its cable is out comes when it is plugged in
    again, but for cards: their shoe keeps nothing, and its next telegram shows the gap."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._game = scenario.game
        self._state = EMPTY
        self._at_us = START_US
        self._epoch = 0
        self._unplugged: dict[str, list[m.DeviceMessage]] = {}
        self._wirings = wirings_of(scenario)
        self._shoes = tuple(w.name for w in self._wirings.values() if w.kind == "shoe")
        self._next_numbers = dict.fromkeys(self._shoes, 0)
        self._heard_numbers: dict[str, int] = {}
        self._start(self._settings())

    @property
    def state(self) -> TableState:
        """The table as it stands."""
        return self._state

    def perform(self, act: Primitive) -> list[Recorded]:
        """Carry out one act."""
        self._at_us += ACT_US
        match act:
            case Drawn() | ShoeTrouble():
                return self._shoe(act)
            case Seen():
                return self._seen(act)
            case Said(device, message):
                return self._hear(device, (message,))
            case Commanded():
                return self._take([command_of(act, self._scenario)])
            case Cable():
                return self._cable(act)
            case Waited(duration_ms):
                self._at_us += duration_ms * 1000
                self._idle.waits(self._state, duration_ms / 1000)
                said = self._take(self._idle.silent(self._state))
                return said + self._take(self._idle.over(self._state))
            case Restarted():
                return self._start([])
            case _:
                assert_never(act)

    def faults(self) -> tuple[str, ...]:
        """None: nothing is on record but what was looked at."""
        return ()

    def close(self) -> None:
        """Nothing is held."""

    def _settings(self) -> list[Input]:
        """What a first start tells the table."""
        rules = self._scenario.rules
        found: list[Input] = [RulesChosen(self._game.name, rules.name, rules.data, rules.sha256)]
        sources = sources_of(self._scenario.file.sources, self._wirings.values())
        if sources != NONE:
            found.append(sources)
        if len(self._shoes) > 1:
            found.append(ShoesChosen(self._shoes))
        return found

    def _start(self, first: list[Input]) -> list[Recorded]:
        self._epoch += 1
        self._idle = Idle(self._game)
        inputs: list[Input] = [SystemStarted(self._epoch, "scenario", simulated=True), *first]
        inputs += (gap for wiring in self._wirings.values() for gap in gap_after_start(wiring))
        self._heard_numbers.clear()
        found = self._take(inputs)
        for device in self._wirings:
            if device not in self._unplugged:
                found += self._online(device)
        return found

    def _shoe(self, act: Drawn | ShoeTrouble) -> list[Recorded]:
        """Telegrams carry a number from 0 to 8; those that do not arrive show in the next one that does."""
        found: list[Recorded] = []
        shoe = shoe_of(act, self._state)
        lost = shoe in self._unplugged or (isinstance(act, Drawn) and act.manner is Manner.LOST)
        for telegram in shoe_telegrams(act):
            number = self._next_numbers[shoe]
            self._next_numbers[shoe] = (number + 1) % NUMBERS
            if lost:
                continue
            found += self._hear(shoe, (*self._gap_before(shoe, number), *telegram))
            self._heard_numbers[shoe] = number
        return found

    def _gap_before(self, shoe: str, number: int) -> tuple[m.DeviceGap, ...]:
        last = self._heard_numbers.get(shoe)
        missing = 0 if last is None else (number - last - 1) % NUMBERS
        if last is None or not missing:
            return ()
        return (m.DeviceGap(missing, f"SEQ went from {last + 1} to {number + 1}: {missing} telegrams are lost"),)

    def _seen(self, act: Seen) -> list[Recorded]:
        """A reader keeps nothing: what it reads while its cable is out is lost."""
        if act.device in self._unplugged:
            return []
        return self._hear(act.device, (reading(act),))

    def _hear(self, device: str, messages: Iterable[m.DeviceMessage]) -> list[Recorded]:
        if device in self._unplugged:
            self._unplugged[device].extend(messages)
            return []
        wiring, staff = self._wirings[device], self._scenario.staff
        return [event for message in messages for event in self._take(translate(wiring, message, staff))]

    def _cable(self, act: Cable) -> list[Recorded]:
        match act.what:
            case "unplug":
                if act.device in self._unplugged:
                    return []
                found = self._hear(act.device, (m.LinkChanged(m.LinkState.DOWN, "the cable was pulled"),))
                self._unplugged[act.device] = []
                return found
            case "plug":
                kept = self._unplugged.pop(act.device, None)
                return [] if kept is None else [*self._online(act.device), *self._hear(act.device, kept)]
            case "reboot":
                return self._reboot(act.device)
            case _:
                assert_never(act.what)

    def _reboot(self, device: str) -> list[Recorded]:
        if device in self._shoes:
            self._next_numbers[device] = 0
        if device in self._unplugged or self._wirings[device].kind == "reader":
            return []
        if device not in self._shoes:
            return self._online(device)
        self._heard_numbers.pop(device, None)
        return self._hear(device, (m.ShoeStarted(),))

    def _online(self, device: str) -> list[Recorded]:
        wiring = self._wirings[device]
        up: m.DeviceMessage = m.LinkChanged(m.LinkState.UP, "plugged in")
        if wiring.capabilities.identity:
            up = m.DeviceIdentified(
                f"{device} of a scenario", device.upper(), "", "", "", 1, "power_on", 0, simulated=True
            )
        return self._take(translate(wiring, up, self._scenario.staff))

    def _take(self, inputs: Iterable[Input]) -> list[Recorded]:
        found: list[Recorded] = []
        for event in inputs:
            hidden = hidden_name(self._game, self._state, event)
            done = step(self._game, self._state, event, self._at_us)
            self._state = done.state
            data = encode(event)
            found.append(Recorded(event.TYPE, {**data, "card": None} if hidden else data))
            found += (Recorded(fact.TYPE, encode(fact)) for fact in done.facts)
        return found
