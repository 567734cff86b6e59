"""The camera of a demo: above the simulated table, on the network, and in the table's configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from firmware_sim.camera import TILT_DEG, TableCamera
from firmware_sim.camera_stream import CameraStream, Eyes, table_layout
from firmware_sim.world import World
from vision.calibrate import save_calibration

NAME: Final = "camera"
PX_PER_MM: Final = 1.9
"""Cards are 116 pixels wide and more: overlapping ones need 110."""

_CONFIG = """
[sources]
silence_s = 20
silence_cards = 8

[camera]
name = "{name}"
source = "{url}"
calibration = "camera.json"
"""


class DemoCamera:
    """A simulated camera that is running; `stop` it."""

    def __init__(self, world: World, folder: Path, seed: int) -> None:
        """Starts at once, and writes its calibration into ``folder``."""
        camera = TableCamera(table_layout(), PX_PER_MM, seed=seed, tilt_deg=TILT_DEG)
        save_calibration(folder / "camera.json", camera.calibration())
        self._stream = CameraStream(camera, Eyes(world))
        self._stream.start()

    @property
    def config(self) -> str:
        """Its sections of TABLE.toml. The machine that plays the demo draws the pictures as well: silence is borne for
        longer than at a real table."""
        return _CONFIG.format(name=NAME, url=self._stream.url)

    def stop(self) -> None:
        """Unplug it for good."""
        self._stream.stop()
