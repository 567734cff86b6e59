"""The live view: frames of a source read, voted on and shown, in a window or as a page."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache

import cv2

from vision.annotate import annotate
from vision.capture import Frame, opened
from vision.errors import VisionError
from vision.gate import RegionGate
from vision.health import CameraHealth, Trouble
from vision.patches import Image
from vision.readings import Sighting
from vision.stream import LiveView, served
from vision.table import TableReader
from vision.track import Tracker

WINDOW = "tablewatch vision (q ends)"
WINDOW_PX = (1280, 800)
"""The largest window that is opened; a person may make it larger."""
PROBE = "import cv2; cv2.namedWindow('probe')"
PROBE_S = 20


@dataclass(frozen=True, slots=True)
class View:
    """How to watch. ``port`` of the page (0: a free one); ``window`` instead of the page; ``seconds`` to watch, 0
    without end; ``pace`` lets a file run at its own speed."""

    port: int = 0
    window: bool = False
    seconds: float = 0.0
    pace: bool = True


def has_screen() -> bool:
    """Whether there is a screen to open a window on."""
    return _opens(os.environ.get("DISPLAY", ""), os.environ.get("WAYLAND_DISPLAY", ""))


@cache
def _opens(display: str, wayland: str) -> bool:
    """Whether a window opens on these displays: tried in another process, because Qt aborts one that finds no
    screen."""
    if not (display or wayland):
        return False
    there = os.environ | {"DISPLAY": display, "WAYLAND_DISPLAY": wayland}
    try:
        done = subprocess.run(
            [sys.executable, "-c", PROBE], env=there, capture_output=True, timeout=PROBE_S, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def watch(text: str, reader: TableReader, view: View, say: Callable[[str], None]) -> int:
    """Watch a source until it ends, ``view.seconds`` pass or the window is closed; how many frames were read. ``say``
    is told the page's address, changes of what is settled, troubles of the camera and why it ended. Raises VisionError
    where the source or the port cannot be opened, and when a camera gives no more pictures."""
    gate, tracker, health = RegionGate(reader), Tracker(), CameraHealth()
    told: tuple[str, ...] = ()
    troubled: tuple[Trouble, ...] = ()
    frames, start = 0, time.monotonic()
    with ExitStack() as stack:
        source = stack.enter_context(opened(text))
        show = _shower(stack, view, say)
        for frame in source.frames:
            if view.pace and not source.live:
                time.sleep(max(0.0, frame.time_ms / 1000 - (time.monotonic() - start)))
            troubles = health.update(frame.picture, frame.time_ms)
            for trouble in troubles:
                if trouble not in troubled:
                    say(f"{frame.name}: {trouble.sentence}")
            troubled = troubles
            sighting = tracker.update(frame.picture, gate.read(frame.picture, frame.time_ms))
            told = _tell(frame, sighting, told, say)
            frames += 1
            late = view.seconds and time.monotonic() - start > view.seconds
            if not show(annotate(frame.picture, sighting), sighting) or late:
                return frames
        if source.ended and source.live:
            raise VisionError(source.ended)
        if source.ended:
            say(source.ended)
    return frames


def _tell(frame: Frame, sighting: Sighting, told: tuple[str, ...], say: Callable[[str], None]) -> tuple[str, ...]:
    settled = tuple(sorted(f"{r.region}: {r.text}" if r.region else r.text for r in sighting.readings if not r.reasons))
    if settled != told:
        say(f"{frame.time_ms} ms: {', '.join(settled) or 'nothing settled'}")
    return settled


def _shower(stack: ExitStack, view: View, say: Callable[[str], None]) -> Callable[[Image, Sighting], bool]:
    if view.window:
        return _window(stack)
    live = LiveView()
    say(f"live view: {stack.enter_context(served(live, view.port))}")

    def on_page(picture: Image, sighting: Sighting) -> bool:
        live.show(picture, sighting)
        return True

    return on_page


def _window(stack: ExitStack) -> Callable[[Image, Sighting], bool]:
    if not has_screen():
        raise VisionError("no window can be opened here: leave --window out and look at the page")
    os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")  # it misses fonts that no window here shows
    cv2.namedWindow(WINDOW, cv2.WINDOW_NORMAL | cv2.WINDOW_KEEPRATIO | cv2.WINDOW_GUI_NORMAL)
    stack.callback(cv2.destroyAllWindows)
    sized = False

    def in_window(picture: Image, _: Sighting) -> bool:
        nonlocal sized
        if not sized:
            height, width = picture.shape[:2]
            scale = min(1.0, WINDOW_PX[0] / width, WINDOW_PX[1] / height)
            cv2.resizeWindow(WINDOW, round(width * scale), round(height * scale))
            sized = True
        cv2.imshow(WINDOW, picture)
        wanted = cv2.waitKey(1) & 0xFF not in (ord("q"), 27)
        return wanted and cv2.getWindowProperty(WINDOW, cv2.WND_PROP_VISIBLE) >= 1

    return in_window
