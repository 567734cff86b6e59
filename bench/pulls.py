"""Cables that are pulled and plugged in again, also under another name, and a second controller on the same ports."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from bench.disturbed import Scene
from bench.stage import STAFF
from controller.cli.demo.stage import Actor, wait_for, write_config
from controller.cli.guard import ExitCode
from firmware_sim.table import DEVICES

PULLS: Final[Sequence[tuple[str, ...]]] = (("shoe",), ("console",), ("bets",), ("shoe", "bets"), DEVICES)
"""What is pulled at once: several may hang on one hub."""
RENAMED: Final = 0.5
"""Share of the pulls after which the system calls the port otherwise."""
AWAY_S: Final = 0.8
"""The longest a cable is out."""
ENDS_S: Final = 60.0
"""Longer than that no second controller may take until it has said why it cannot run."""


def pull(scene: Scene) -> None:
    """Pull one cable or several, and plug them in again."""
    pulled = scene.rng.choice(PULLS)
    renamed = scene.rng.random() < RENAMED
    table = scene.stage.table
    scene.goes_away(pulled)
    for device in pulled:
        table.unplug(device)
    time.sleep(scene.rng.uniform(0, AWAY_S))
    for device in pulled:
        table.replug(device, renamed=renamed)
        scene.figures.counts[f"{device} unplugged"] += 1
    scene.figures.counts["plugged in under another name" if renamed else "plugged in under the same name"] += 1


def rival(scene: Scene) -> None:
    """Start a second controller, with a journal of its own, on the ports of the first: it must say who has them and
    end, and the first must not notice."""
    stage, figures = scene.stage, scene.figures
    folder = stage.folder / "rival"
    folder.mkdir(exist_ok=True)
    path = write_config(folder, dict(stage.table.urls), STAFF)
    text = path.read_text(encoding="utf-8").replace("embedded_port = 0\n", "embedded = false\n")
    path.write_text(text, encoding="utf-8")
    second = Actor(("run", str(path)), folder / "controller.log")
    second.start()
    ended = wait_for(lambda: not second.running, ENDS_S)
    status, said = second.stop(), second.last_lines(1)
    pid = stage.controller.process.pid if stage.controller.process is not None else 0
    if not ended or status != ExitCode.CANNOT or "in use by " not in said or f"(pid {pid})" not in said:
        stage.find(f"a second controller ended with status {status} and said: {said}")
    figures.counts["second controllers turned away"] += 1
