"""What the camera's process is started with, taken from TABLE.toml, and everything that is wrong with it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlsplit, urlunsplit

from controller.app.config import CameraSection, ConfigError, Secrets
from drivers.readers.options import POSITIONS, SWIPE, spot_of

if TYPE_CHECKING:
    from vision.layout import Layout

PASSWORD_VARIABLE: Final = "TABLEWATCH_CAMERA_PASSWORD"
_URL: Final = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EyeSettings:
    """What the camera's process needs to know. ``source`` as in `vision.capture.opened`, with its password; paths are
    absolute, empty where there is none. ``positions`` are words of `drivers.readers.options` by the name of a region of
    the layout. ``lying`` are the faces that were reported before, by position: they are not reported again."""

    source: str = field(repr=False)
    calibration: str
    deck: str
    reference: str
    looks_per_s: int
    positions: Mapping[str, str]
    lying: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def to_json(self) -> str:
        """One line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> EyeSettings:
        """Read what `to_json` made. Raises ValueError for anything else."""
        data = json.loads(line)
        try:
            lying = {position: tuple(faces) for position, faces in data.pop("lying").items()}
            return cls(**data, lying=lying)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"no settings of a camera: {error}") from None


def eye_settings(section: CameraSection) -> EyeSettings:
    """The settings of a ``[camera]``; reads its files, opens no camera. Raises ConfigError with every fault at once:
    what is not installed, a file that cannot be used, cards that would be too small, a region that is no position."""
    problems: list[str] = []
    try:
        source = _with_password(section.source, Secrets().camera_password)
    except ConfigError as error:
        problems += error.problems
        source = ""
    layout = _files(section, problems)
    positions = {} if layout is None else _positions(section, layout, problems)
    if problems:
        raise ConfigError(tuple(problems))
    deck, reference = (str(path) if path else "" for path in (section.deck, section.reference))
    return EyeSettings(source, str(section.calibration), deck, reference, section.looks_per_s, positions)


def not_installed(error: ImportError) -> str:
    """One line for a person: what the vision package lacks, and how to get it."""
    text = str(error)
    if "cannot open shared object file" in text:
        return f"OpenCV needs a library of the system ({text.split(':')[0]}): apt-get install libgl1 libglib2.0-0"
    extra = "train" if error.name in ("torch", "onnx") else "vision"
    return f"{error.name or text} is not installed: pip install 'tablewatch[{extra}]'"


def _files(section: CameraSection, problems: list[str]) -> Layout | None:
    """The layout that the camera was calibrated for; every file of the section is looked at."""
    try:
        from vision.calibrate import check_size, load_calibration
        from vision.enrol import check_weights, load_enrolment
        from vision.errors import VisionError
        from vision.pictures import load
    except ImportError as error:
        problems.append(f"camera: {not_installed(error)}")
        return None
    layout = None
    try:
        calibration = load_calibration(section.calibration)
        layout = calibration.layout
        check_size(calibration)
    except VisionError as error:
        problems.append(f"camera.calibration: {error}")
    try:
        if section.deck is not None:
            check_weights(load_enrolment(section.deck))
    except VisionError as error:
        problems.append(f"camera.deck: {error}")
    try:
        if section.reference is not None:
            load(section.reference)
    except VisionError as error:
        problems.append(f"camera.reference: {error}")
    return layout


def _positions(section: CameraSection, layout: Layout, problems: list[str]) -> dict[str, str]:
    """The position of each region that is not a tray."""
    names = [region.name for region in layout.region if region.kind != "tray"]
    for name in sorted(set(section.spots) - set(names)):
        problems.append(f"camera.spots.{name}: the layout has no such region; it has {', '.join(names) or 'none'}")
    positions = {name: section.spots.get(name, name) for name in names}
    if not positions:
        problems.append("camera.calibration: its layout has no region: nothing would be looked at")
    for name, position in positions.items():
        if not _is_place(position):
            wanted = POSITIONS.removeprefix(f"{SWIPE}, ")
            problems.append(f"camera.spots: region {name} is {position!r}; give it one of {wanted}")
    twice = sorted(position for position, count in Counter(positions.values()).items() if count > 1)
    problems += [f"camera.spots: two regions are {position}" for position in twice]
    return positions


def _is_place(position: str) -> bool:
    try:
        spot_of(position)
    except ValueError:
        return False
    return position != SWIPE


def _with_password(source: str, password: str) -> str:
    """The source as it is opened. Raises ConfigError for a password in it."""
    if not _URL.match(source):
        return source
    try:
        parts = urlsplit(source)
        host, port, user = parts.hostname or "", parts.port, parts.username
    except ValueError as error:
        raise ConfigError((f"camera.source: not a URL: {error}; write rtsp://user@host/path",)) from None
    if parts.password is not None:
        raise ConfigError((f"camera.source: a password in the URL of {host}; put it in {PASSWORD_VARIABLE}",))
    if parts.scheme.lower() not in {"rtsp", "rtsps", "http", "https"} or not host:
        raise ConfigError((f"camera.source: {source!r} is no camera's URL; write rtsp://user@host/path or http://…",))
    if user is None or not password:
        return source
    place = f"[{host}]" if ":" in host else host
    place += f":{port}" if port else ""
    return urlunsplit(parts._replace(netloc=f"{user}:{quote(password, safe='')}@{place}"))
