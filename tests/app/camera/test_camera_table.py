"""A running table with a camera on the network: what it sees is on record, and its coming and going."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench.trial_table import trial_table
from controller.app.check import usable
from controller.app.runner import Runner
from controller.journal.chain import StoredEvent
from controller.journal.reader import JournalReader
from controller.journal.verify import verify
from firmware_sim.camera import TableCamera
from firmware_sim.camera_stream import CameraStream, Eyes
from firmware_sim.entries import CardLeft, CardPut, Place, ShoeFilled
from firmware_sim.world import World


@pytest.mark.slow
def test_what_the_camera_sees_and_that_it_was_away_are_on_record(
    tmp_path: Path, camera: TableCamera, calibration: Path, until: Callable[..., None]
) -> None:
    world = World()
    world.add(ShoeFilled(1, 312, 208))
    stream = CameraStream(camera, Eyes(world, 3))
    stream.start()
    section = f'[camera]\nname = "eye"\nsource = "{stream.url}"\ncalibration = "{calibration.name}"\n'
    (tmp_path / "table.toml").write_text(trial_table(section, simulation=False))
    shown: list[StoredEvent] = []
    said: list[str] = []
    runner = Runner(usable(tmp_path / "table.toml"), said.append, shown.append)
    thread = threading.Thread(target=runner.run)
    thread.start()

    def of_camera() -> list[tuple[str, Any]]:
        told = [(event.type, event.data()) for event in shown]
        return [(kind, data.get("card", "")) for kind, data in told if data.get("device") == "eye"]

    def come(*wanted: tuple[str, str]) -> None:
        until(lambda: of_camera()[-len(wanted) :] == list(wanted), of_camera)

    try:
        come(("device.online", ""))
        world.add(CardLeft(1, 1, 13, "H"))
        world.add(CardPut(1, 1, Place.HAND, 2))
        come(("card.shown", "KH"))
        stream.unplug()
        come(("device.offline", ""))
        stream.replug()
        come(("device.online", ""))
    finally:
        runner.stop()
        thread.join(30)
        assert stream.stop()
    assert not thread.is_alive()
    path = tmp_path / "table.sqlite"
    with JournalReader(path) as reader:
        cards = [event.data() for event in reader.events() if event.type == "card.shown"]
        chosen = [event.data() for event in reader.events() if event.type == "sources.changed"]
    assert [(card["device"], card["box"], card["card"]) for card in cards] == [("eye", 2, "KH")]
    assert [source["name"] for source in chosen[0]["sources"]] == ["eye"]
    assert verify(path, None).ok
