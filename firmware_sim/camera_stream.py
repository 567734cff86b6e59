"""The simulated camera on the network: looks at a simulated table and gives an MJPEG stream on loopback.

A controller opens ``url`` as that of any network camera. Needs the extra ``vision``.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from contextlib import ExitStack

from drivers.messages import ChipsCollected, WagerPlaced, WagerTakenBack
from firmware_sim.camera import TableCamera
from firmware_sim.entries import CardLeft, Entry, RoundPlayed, Said
from firmware_sim.players import BOXES, SMALLEST_STAKE_MINOR
from firmware_sim.world import World
from vision.layout import Layout, Marker, Region
from vision.readings import Sighting
from vision.stream import LiveView, served

FRAMES_PER_S = 8.0
HAND_FRAMES = 2
"""Frames for which the hand that has laid a card is still over it."""

PLACE_MM = (190.0, 185.0)
"""Width and height of the place for each hand: six cards, as `firmware_sim.camera_scene` lays them."""

COLUMNS = 4
MARKER_MM = 24.0
INSET_MM = 6.0
STOP_TIMEOUT_S = 5.0


def position_of(box: int, hand: int = 1) -> str:
    """The name of a spot's region, as readers name their positions: ``dealer``, ``box-3``, ``box-3-2``."""
    if box == 0:
        return "dealer"
    return f"box-{box}" if hand == 1 else f"box-{box}-{hand}"


def table_layout(boxes: int = BOXES) -> Layout:
    """A table just large enough for the dealer and ``boxes`` boxes, four places a row, with a marker in each corner:
    so small that 1444 × 703 pixels show every card 110 pixels wide."""
    names = [position_of(box) for box in range(boxes + 1)]
    wide, tall = PLACE_MM
    rows = -(-len(names) // COLUMNS)
    regions = []
    for number, name in enumerate(names):
        left, top = number % COLUMNS * wide + INSET_MM, number // COLUMNS * tall + INSET_MM
        right, bottom = left + wide - 2 * INSET_MM, top + tall - 2 * INSET_MM
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        regions.append(Region(name=name, kind="box" if number else "dealer", polygon_mm=corners))
    width, height, edge = COLUMNS * wide, rows * tall, MARKER_MM * 1.2
    middles = ((edge, edge), (width - edge, edge), (width - edge, height - edge), (edge, height - edge))
    markers = tuple(Marker(id=n, x_mm=x, y_mm=y, size_mm=MARKER_MM) for n, (x, y) in enumerate(middles))
    return Layout(width_mm=width, height_mm=height, marker=markers, region=tuple(regions))


def code_of(card: CardLeft) -> str:
    """How a camera sees a card that lies in a hand: ``KH``, ``TS``, or ``face_down`` where nobody saw its face."""
    return f"{'A23456789TJQK'[card.rank - 1]}{card.suit}" if card.exposed else "face_down"


class Eyes:
    """What a camera finds on the table of a world, look by look."""

    def __init__(self, world: World, boxes: int = BOXES) -> None:
        """``boxes`` places are looked at, and the dealer's."""
        self._world = world
        self._boxes = boxes
        self._heard = 0
        self._stakes: Counter[int] = Counter()
        self._hands: dict[str, int] = {}
        self._before: dict[str, tuple[str, ...]] = {}

    def lying(self) -> dict[str, tuple[str, ...]]:
        """The cards at every place that has some, lowest first."""
        found = {position_of(box): tuple(map(code_of, self._world.at(box))) for box in range(self._boxes + 1)}
        lying = {name: codes for name, codes in found.items() if codes}
        for name in set(lying) | set(self._before):
            if lying.get(name) != self._before.get(name):
                self._hands[name] = HAND_FRAMES
        self._before = lying
        return lying

    def hands(self) -> frozenset[str]:
        """Where a hand still is, having laid or taken a card; to be asked once a frame."""
        self._hands = {name: left - 1 for name, left in self._hands.items() if left > 0}
        return frozenset(self._hands)

    def chips(self) -> dict[str, int]:
        """How many chips lie before each place."""
        entries = self._world.entries
        for entry in entries[self._heard :]:
            self._count(entry)
        self._heard = len(entries)
        return {position_of(box): -(-minor // SMALLEST_STAKE_MINOR) for box, minor in self._stakes.items() if minor > 0}

    def _count(self, entry: Entry) -> None:
        match entry:
            case RoundPlayed():
                self._stakes.clear()
            case Said(message=WagerPlaced() as laid):
                self._stakes[laid.box] += laid.amount_minor
            case Said(
                message=WagerTakenBack(box=box, amount_minor=minor) | ChipsCollected(box=box, amount_minor=minor)
            ):
                self._stakes[box] -= minor
            case _:
                pass


class CameraStream:
    """A thread that looks and a server that gives the pictures; `start` it, `stop` it, unplug it in between."""

    def __init__(self, camera: TableCamera, eyes: Eyes, frames_per_s: float = FRAMES_PER_S) -> None:
        """Nothing is served yet."""
        self.camera = camera
        self._eyes = eyes
        self._every_s = 1 / frames_per_s
        self._plug = threading.Lock()
        self._served: ExitStack | None = None
        self._view = LiveView()
        self._address = ""
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    @property
    def url(self) -> str:
        """What a host opens; known once started, the same after every `replug`."""
        return f"{self._address}stream"

    def start(self) -> None:
        """Plug it in and look. Raises VisionError where no port can be had."""
        self.replug()
        self._thread.start()

    def stop(self) -> bool:
        """End it for good; whether the thread ended in time."""
        self._stopping.set()
        self._thread.join(STOP_TIMEOUT_S)
        self.unplug()
        return not self._thread.is_alive()

    def unplug(self) -> None:
        """The camera is gone: streams end, connections are refused."""
        with self._plug:
            if self._served is not None:
                self._served.close()
                self._served = None

    def replug(self) -> None:
        """It is there again, at the same address."""
        with self._plug:
            if self._served is None:
                port = int(self._address.rsplit(":", 1)[1].rstrip("/")) if self._address else 0
                self._view = LiveView()
                self._served = ExitStack()
                self._address = self._served.enter_context(served(self._view, port))

    def _run(self) -> None:
        empty = Sighting((), self.camera.width, self.camera.height)
        while not self._stopping.is_set():
            began_s = time.monotonic()
            picture = self.camera.frame(self._eyes.lying(), self._eyes.chips(), self._eyes.hands())
            self._view.show(picture, empty)
            self._stopping.wait(max(0.0, began_s + self._every_s - time.monotonic()))
