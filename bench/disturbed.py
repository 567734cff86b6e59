"""A simulated table is dealt while its wires are disturbed at random moments, again and again: by `bench.pulls` over
ptys, by `bench.hangs` over TCP."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from bench.stage import Figures, Setting, Stage
from controller.cli.demo.stage import wait_for
from firmware_sim.table import DEVICES

IN_HOLD: Final = 0.2
"""Share of the disturbances that come before the table is free again after the one before."""
LIFE_S: Final = 1.5
"""The next one comes within so long after the table was free to play on."""
BACK_S: Final = 60.0
"""Longer than that no device may need until it is back on record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Setting):
    """How often wires are disturbed, and how often before that a second controller is started."""

    times: int
    rivals: int = 0


@dataclass(slots=True, kw_only=True)
class WireFigures(Figures):
    """What happened. ``counts`` are disturbances by kind; ``back_s`` are the times from the end of each until all
    devices were heard again, where that was waited for; ``due`` are the absences that must be on record, by device."""

    disturbed: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    back_s: list[float] = field(default_factory=list)
    due: Counter[str] = field(default_factory=Counter)

    @property
    def back(self) -> str:
        """Median and longest time until all were back, for a person."""
        return f"{statistics.median(self.back_s):.2f} s, {max(self.back_s):.2f} s" if self.back_s else "-"


Progress = Callable[[WireFigures], None]


@dataclass(frozen=True, slots=True)
class Scene:
    """A stage whose wires are being disturbed."""

    stage: Stage
    figures: WireFigures
    rng: Random

    def look(self) -> None:
        """Read on in the record, and hold it against what the devices were told."""
        self.stage.check_acknowledged(f"after disturbance {self.figures.disturbed}")

    def goes_away(self, devices: Iterable[str]) -> None:
        """These are about to go away: for each that the table hears, that must come on record."""
        self.look()
        for device in self.stage.recorded.online.intersection(devices):
            self.figures.due[device] += 1

    def until_noticed(self, devices: Iterable[str]) -> None:
        """Wait until every absence of these is on record; what takes too long is a finding."""
        if not wait_for(lambda: self._noticed(devices), BACK_S, 0.1):
            silent = ", ".join(devices)
            self.stage.find(
                f"before disturbance {self.figures.disturbed + 1} ended: {silent} not missed in {BACK_S:.0f} s"
            )

    def until_back(self) -> None:
        """Wait until the record has every absence and every device is online again; what takes too long is a
        finding."""
        began_s = time.monotonic()
        if wait_for(self._back, BACK_S, 0.1):
            self.figures.back_s.append(time.monotonic() - began_s)
            return
        away = ", ".join(set(DEVICES) - self.stage.recorded.online) or "nothing"
        said = self.stage.controller.last_lines(3)
        self.stage.find(f"after disturbance {self.figures.disturbed}: {away} away for {BACK_S:.0f} s; {said}")

    def _back(self) -> bool:
        return self._noticed(DEVICES) and self.stage.recorded.online >= set(DEVICES)

    def _noticed(self, devices: Iterable[str]) -> bool:
        self.look()
        return all(self.stage.recorded.absences[device] >= self.figures.due[device] for device in devices)


Disturb = Callable[[Scene], None]


def disturb_all(
    folder: Path, plan: Plan, disturb: Disturb, rival: Disturb, progress: Progress = lambda figures: None
) -> WireFigures:
    """Play and disturb ``plan.times`` times, let everything catch up, and compare. ``folder`` must exist and be empty;
    ``rival`` starts a second controller; ``progress`` hears the figures so far after every disturbance. Raises
    BrokerMissingError."""
    figures = WireFigures()
    with Stage(folder, plan, figures) as stage:
        scene = Scene(stage, figures, Random(plan.seed))
        with_rival = set(scene.rng.sample(range(plan.times), min(plan.rivals, plan.times)))
        stage.wait_free()
        for number in range(plan.times):
            _play_for_a_while(scene)
            if number in with_rival:
                scene.until_back()
                rival(scene)
            disturb(scene)
            figures.disturbed += 1
            stage.check_running(f"after disturbance {figures.disturbed}")
            progress(figures)
            if stage.found_enough:
                break
        else:
            scene.until_back()
            stage.finish()
            _compare_absences(scene)
        stage.count()
    return figures


def _play_for_a_while(scene: Scene) -> None:
    if scene.rng.random() >= IN_HOLD:
        scene.until_back()
        scene.stage.wait_free()
    time.sleep(scene.rng.uniform(0, LIFE_S))


def _compare_absences(scene: Scene) -> None:
    """Each absence is named, and each of the shoe's as a gap: nothing on its wire says what was missed."""
    recorded, due = scene.stage.recorded, scene.figures.due
    for device, count in due.items():
        if recorded.absences[device] < count:
            scene.stage.find(f"{device} was away {count} times, on record are {recorded.absences[device]}")
    if recorded.gaps["shoe"] < due["shoe"]:
        scene.stage.find(f"the shoe was away {due['shoe']} times, on record are {recorded.gaps['shoe']} gaps")
