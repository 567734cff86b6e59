"""A trial for each kind of device and driver."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from firmware_sim.reader_pn532 import SimPn532
from firmware_sim.reader_rdm6300 import SimRdm6300
from firmware_sim.trials.angel_eye import AngelEyeTrial
from firmware_sim.trials.natives import BetsScene, ConsoleScene, NativeTrial, RackScene, ShoeScene
from firmware_sim.trials.readers import BarcodeTrial, TagTrial
from firmware_sim.trials.rig import Trial

TRIALS: Mapping[tuple[str, str], Callable[[], Trial]] = MappingProxyType(
    {
        ("shoe", "angel-eye"): AngelEyeTrial,
        ("shoe", "native"): lambda: NativeTrial(ShoeScene),
        ("console", "native"): lambda: NativeTrial(ConsoleScene),
        ("bets", "native"): lambda: NativeTrial(BetsScene),
        ("rack", "native"): lambda: NativeTrial(RackScene),
        ("reader", "barcode"): BarcodeTrial,
        ("reader", "pn532"): lambda: TagTrial(SimPn532(), "04"),
        ("reader", "rdm6300"): lambda: TagTrial(SimRdm6300(), "0A00"),
    }
)
"""By kind of device and name of the driver's entry point; each call makes a fresh one."""
