"""Device servers that become half open: they take connections with nothing behind them, or die without a word."""

from __future__ import annotations

import time
from typing import Final

from bench.disturbed import Scene
from firmware_sim.table import DEVICES
from firmware_sim.wire import TcpWire

WAYS: Final = ("closed", "silent", "died")
AWAY_S: Final = 0.8
"""The longest a device server that says so is away."""
SILENCE_LIMIT_S: Final = 2
"""Of the shoe, which has no heartbeat; half a minute by default."""


def hang(scene: Scene) -> None:
    """One device server closes its connection and comes back, or it falls silent or dies without ending the connection,
    and is there again once the table has noticed."""
    device = scene.rng.choice(DEVICES)
    way = scene.rng.choice(WAYS)
    wire = scene.stage.table.wires[device]
    if not isinstance(wire, TcpWire):
        raise TypeError(f"{device} is at {wire.url}, not behind a device server")
    scene.goes_away((device,))
    match way:
        case "silent":
            wire.silent = True
            scene.until_noticed((device,))
            wire.silent = False
        case "died":
            wire.vanish()
            scene.until_noticed((device,))
            wire.replug()
        case _:
            wire.unplug()
            time.sleep(scene.rng.uniform(0, AWAY_S))
            wire.replug()
    scene.figures.counts[f"device server of {device} {way}"] += 1
