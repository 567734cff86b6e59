"""Enrolment: the deck in use, shown face by face, becomes masters that every later index is compared with."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import cv2
import numpy as np
import numpy.typing as npt

from vision.corners import Corner
from vision.errors import VisionError
from vision.faces import FACE_INDEX, FACES
from vision.geometry import TYPICAL, CardShape
from vision.patches import INDEX_HEIGHT_PX, PATCH_HEIGHT_PX, PATCH_WIDTH_PX, Image

Floats = npt.NDArray[np.float32]

SPLIT_ROW = 31
"""Row of a patch between the rank above and the suit below."""

SHIFTS = tuple((dx, dy) for dx in (-2, 0, 2) for dy in (-2, 0, 2))
STEEPNESS = 34.0
"""How strongly a better likeness counts: the chance grows by e for each 1/34 of correlation."""

NETWORK_SHARE = 0.6
"""Weight of the network's word beside the masters'."""

FOREIGN_LIKENESS = 0.45
"""Likeness to the nearest master below which an index is none of this deck's."""

CONFUSABLE = 0.985
"""Likeness of two masters above which the deck cannot be told apart by its indices."""

MAX_FILE_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Enrolment:
    """An enrolled deck: for each of its faces the master patch (BGR 52 × 36) and its vector; the shape of its cards."""

    name: str
    faces: tuple[str, ...]
    patches: Image
    vectors: Floats
    shape: CardShape | None

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces of 52 that have no master."""
        return tuple(face for face in FACES if face not in self.faces)


def vector(patch: Image) -> Floats:
    """A patch as two unit vectors one after the other, of its rank's part and its suit's: how dark and how red."""
    work = cv2.GaussianBlur(patch, (0, 0), 0.8).astype(np.float32)
    paper = np.maximum(np.percentile(work[6:46, 5:31].reshape(-1, 3), 90, axis=0), 20)
    share = np.clip(work / paper, 0, 1.1)
    dark, red = 1 - share.min(axis=2), share[..., 2] - share[..., :2].mean(axis=2)
    both = np.stack([dark, red])[:, 4:48, 5:31]
    parts = [both[:, : SPLIT_ROW - 4], both[:, SPLIT_ROW - 4 :]]
    units = []
    for part in parts:
        flat = (part - part.mean(axis=(1, 2), keepdims=True)).reshape(-1)
        units.append(flat / max(1e-3, float(np.linalg.norm(flat))))
    return np.asarray(np.concatenate(units), np.float32)


def _shifted(patch: Image, dx: int, dy: int) -> Image:
    padded = cv2.copyMakeBorder(patch, 2, 2, 2, 2, cv2.BORDER_REPLICATE)
    return np.asarray(padded[2 + dy : 2 + dy + PATCH_HEIGHT_PX, 2 + dx : 2 + dx + PATCH_WIDTH_PX], np.uint8)


def likeness(enrolment: Enrolment, patch: Image) -> Floats:
    """Correlation (-1..1) of a patch with each enrolled face, at the best small shift."""
    seen = np.stack([vector(_shifted(patch, dx, dy)) for dx, dy in SHIFTS])
    return np.asarray((seen @ enrolment.vectors.T).max(axis=0) / 2, np.float32)


def compared(enrolment: Enrolment, corner: Corner) -> Corner:
    """The corner with its chances weighed by the masters: high only where network and masters agree."""
    alike = likeness(enrolment, corner.patch)
    logs = np.full(len(FACES), -50.0, np.float32)
    logs[[FACE_INDEX[face] for face in enrolment.faces]] = STEEPNESS * (alike - alike.max())
    logs += NETWORK_SHARE * np.log(corner.chances / max(1e-6, float(corner.chances.sum())) + 1e-4)
    chances = np.exp(logs - logs.max())
    chances /= chances.sum()
    best = float(alike.max())
    none = 1.0 if best < FOREIGN_LIKENESS else corner.none * 0.5
    return replace(corner, chances=np.asarray(chances * min(1.0, best / 0.7), np.float32), none=none)


def enrol(name: str, shown: Mapping[str, Sequence[Corner]], shape: CardShape | None) -> Enrolment:
    """Masters from corners shown for each face (one or more each; their patches are averaged). Raises VisionError
    naming faces that cannot be told from another."""
    faces = tuple(face for face in FACES if shown.get(face))
    if not faces:
        raise VisionError(f"{name}: no face was shown")
    patches = np.stack([np.mean([c.patch for c in shown[face]], axis=0).round().astype(np.uint8) for face in faces])
    means = np.stack([np.mean([vector(c.patch) for c in shown[face]], axis=0) for face in faces])
    half = (SPLIT_ROW - 4) * 26 * 2
    for part in (means[:, :half], means[:, half:]):
        part /= np.maximum(1e-6, np.linalg.norm(part, axis=1, keepdims=True))
    enrolment = Enrolment(name, faces, patches, np.asarray(means, np.float32), shape)
    pairs = confusable(enrolment)
    if pairs:
        told = ", ".join(f"{a} and {b}" for a, b in pairs[:4])
        raise VisionError(f"{name}: these faces cannot be told apart: {told}; show them again, nearer and sharper")
    return enrolment


def confusable(enrolment: Enrolment) -> list[tuple[str, str]]:
    """Pairs of faces whose masters are so alike that one would be read for the other, most alike first."""
    half = (SPLIT_ROW - 4) * 26 * 2
    ranks = enrolment.vectors[:, :half] @ enrolment.vectors[:, :half].T
    suits = enrolment.vectors[:, half:] @ enrolment.vectors[:, half:].T
    alike = np.minimum(ranks, suits)
    found = [
        (float(alike[a, b]), enrolment.faces[a], enrolment.faces[b])
        for a in range(len(enrolment.faces))
        for b in range(a + 1, len(enrolment.faces))
        if alike[a, b] > CONFUSABLE
    ]
    return [(first, second) for _, first, second in sorted(found, reverse=True)]


def shape_from(shapes: Sequence[CardShape]) -> CardShape | None:
    """The middle one of the shapes found in single pictures; None without any."""
    if not shapes:
        return None
    right, down = median(s.right for s in shapes), median(s.down for s in shapes)
    return replace(TYPICAL, right=right, down=down)


def contact_sheet(enrolment: Enrolment) -> Image:
    """All masters with their codes, thirteen a row, for a person to look at; a missing face is a grey field."""
    zoom = 2
    cell_h, cell_w = PATCH_HEIGHT_PX * zoom + 22, PATCH_WIDTH_PX * zoom + 8
    sheet = np.full((4 * cell_h, 13 * cell_w, 3), 70, np.uint8)
    for number, face in enumerate(FACES):
        top, left = number // 13 * cell_h, number % 13 * cell_w
        if face in enrolment.faces:
            patch = enrolment.patches[enrolment.faces.index(face)]
            large = cv2.resize(patch, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
            sheet[top + 20 : top + 20 + large.shape[0], left + 4 : left + 4 + large.shape[1]] = large
        cv2.putText(sheet, face, (left + 6, top + 15), cv2.FONT_HERSHEY_DUPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    return sheet


def save_enrolment(path: Path, enrolment: Enrolment) -> None:
    """Write an enrolment as ``.npz``. Raises VisionError where that cannot be done."""
    shape = enrolment.shape
    numbers = [] if shape is None else [shape.right, shape.down, shape.left, shape.top]
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        name=np.array(enrolment.name),
        faces=np.array(enrolment.faces),
        patches=enrolment.patches,
        vectors=enrolment.vectors,
        shape=np.array(numbers, np.float64),
    )
    try:
        path.write_bytes(buffer.getvalue())
    except OSError as error:
        raise VisionError(f"{path}: cannot be written: {error.strerror}") from None


def load_enrolment(path: Path) -> Enrolment:
    """Read an enrolment back. Raises VisionError with one line where the file is not one."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise VisionError(f"{path}: too large for an enrolment")
        with np.load(path, allow_pickle=False) as data:
            faces = tuple(str(face) for face in data["faces"])
            patches, vectors = np.asarray(data["patches"], np.uint8), np.asarray(data["vectors"], np.float32)
            numbers = [float(v) for v in data["shape"]]
            name = str(data["name"])
    except OSError as error:
        raise VisionError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise VisionError(f"{path}: not an enrolment: make it with `tablewatch vision enrol`") from None
    good = set(faces) <= set(FACES) and patches.shape == (len(faces), PATCH_HEIGHT_PX, PATCH_WIDTH_PX, 3)
    size = 2 * 44 * 26
    if not good or vectors.shape != (len(faces), size) or len(numbers) not in (0, 4) or not faces:
        raise VisionError(f"{path}: the enrolment is damaged: make it again with `tablewatch vision enrol`")
    shape = CardShape(*numbers) if numbers else None
    return Enrolment(name, faces, patches, vectors, shape)


LEAST_ENROL_PX = INDEX_HEIGHT_PX * 0.55
"""An index lower than this is too small to enrol from."""
