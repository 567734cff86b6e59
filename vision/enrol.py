"""Enrolment: the deck in use, shown face by face, becomes masters that every later index is compared with."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import cv2
import numpy as np
import numpy.typing as npt

from vision.corners import FEATURES, RANK_OF, SUIT_OF, Corner
from vision.errors import VisionError
from vision.faces import FACE_INDEX, FACES
from vision.geometry import TYPICAL, CardShape
from vision.models import mark
from vision.patches import INDEX_HEIGHT_PX, PATCH_HEIGHT_PX, PATCH_WIDTH_PX, Image

Floats = npt.NDArray[np.float32]

SPREAD = 0.05
"""Share of the mean variance added to every feature's: few examples say little of the rare directions."""

TEMPERATURE = 4.0
"""By how much distances in the feature space overstate how sure they are: the features are not independent."""

NETWORK_SHARE = 1.0
"""Weight of the network's own word beside the enrolled deck's."""

LEAST_WORD = 0.6
"""Chance below which the network's own word for a face forbids what the masters say of it."""

VETOED = 0.45
"""Factor of the chances of an index where the masters or the network forbid it: too little to be accepted, to confirm
another or to contradict it."""

FOREIGN = 10.0
"""An index this many times as far from the nearest master as the enrolled ones mostly are is none of this deck's."""

LEAST_ENROL_PX = INDEX_HEIGHT_PX * 0.55
"""An index lower than this is too small to enrol from."""

MAX_FILE_BYTES = 8 * 1024 * 1024

FIRST_MARK = "737151cc55f5"
"""The weights (see `models.mark`) of files that do not name theirs: they were made before others shipped."""


@dataclass(frozen=True, slots=True)
class Enrolment:
    """An enrolled deck: for each of its faces the master patch (BGR 52 × 36); the middle of each rank's and suit's
    features (NaN where none was shown), the inverse of their common spread, the distance that enrolled indices mostly
    have from their master; the shape of its cards; the mark of the weights that the features are of."""

    name: str
    faces: tuple[str, ...]
    patches: Image
    ranks: Floats
    suits: Floats
    precision: Floats
    usual: float
    shape: CardShape | None
    weights: str = FIRST_MARK

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces of 52 that have no master."""
        return tuple(face for face in FACES if face not in self.faces)


def _distances(features: Floats, middles: Floats, precision: Floats) -> Floats:
    """Squared distances from each middle in units of the common spread; infinite where there is no middle."""
    away = features[None] - middles
    found = np.einsum("nd,de,ne->n", away, precision, away)
    return np.asarray(np.where(np.isnan(found), np.inf, found), np.float32)


def compared(enrolment: Enrolment, corner: Corner) -> Corner:
    """The corner with its chances weighed by the enrolled deck: high only where network and deck agree. The masters
    have a veto, however sure the network is, and the network has one where it hardly believes it."""
    ranks = _distances(corner.features, enrolment.ranks, enrolment.precision)
    suits = _distances(corner.features, enrolment.suits, enrolment.precision)
    logs = -(ranks[RANK_OF] + suits[SUIT_OF]) / (2 * TEMPERATURE)
    network = corner.chances / max(1e-6, float(corner.chances.sum()))
    masters = int(logs.argmax())
    logs += NETWORK_SHARE * np.log(network + 1e-4)
    chances = np.exp(logs - logs.max())
    chances /= chances.sum()
    best = int(chances.argmax())
    if masters != best or corner.chances[best] < LEAST_WORD:
        chances *= VETOED
    far = float(ranks.min() + suits.min()) / 2
    none = 1.0 if far > FOREIGN * enrolment.usual else corner.none
    return replace(corner, chances=np.asarray(chances, np.float32), none=none)


def _middles(features: Floats, kinds: npt.NDArray[np.int64], count: int) -> Floats:
    empty = np.full(features.shape[1], np.nan, np.float32)
    found = [features[kinds == kind].mean(axis=0) if (kinds == kind).any() else empty for kind in range(count)]
    return np.asarray(np.stack(found), np.float32)


def enrol(name: str, shown: Mapping[str, Sequence[Corner]], shape: CardShape | None, refuse: bool = True) -> Enrolment:
    """Masters from corners shown for each face (one or more each). Raises VisionError naming faces that cannot be told
    from another, or leaves those out (not ``refuse``)."""
    faces = tuple(face for face in FACES if shown.get(face))
    if not faces:
        raise VisionError(f"{name}: no face was shown")
    patches = np.stack([np.median([c.patch for c in shown[face]], axis=0).round() for face in faces]).astype(np.uint8)
    taken = [(FACE_INDEX[face], corner.features) for face in faces for corner in shown[face]]
    features = np.stack([f for _, f in taken])
    rank_of, suit_of = (kinds[np.array([n for n, _ in taken])] for kinds in (RANK_OF, SUIT_OF))
    ranks, suits = _middles(features, rank_of, 13), _middles(features, suit_of, 4)
    apart = np.concatenate([features - ranks[rank_of], features - suits[suit_of]])
    spread = apart.T @ apart / len(apart)
    spread += np.eye(len(spread), dtype=np.float32) * (SPREAD * float(np.trace(spread)) / len(spread) + 1e-6)
    precision = np.asarray(np.linalg.inv(spread), np.float32)
    usual = float(np.median(np.einsum("nd,de,ne->n", apart, precision, apart)))
    enrolment = Enrolment(name, faces, patches, ranks, suits, precision, usual, shape)
    pairs = confusable(enrolment, shown)
    if pairs and not refuse:
        alike = {face for face, _ in pairs}
        return enrol(name, {face: c for face, c in shown.items() if face not in alike}, shape, refuse)
    if pairs:
        told = ", ".join(f"{a} looks like {b}" for a, b in pairs[:4])
        raise VisionError(f"{name}: faces that cannot be told apart: {told}; show them again, nearer and sharper")
    return enrolment


def confusable(enrolment: Enrolment, shown: Mapping[str, Sequence[Corner]]) -> list[tuple[str, str]]:
    """Faces that the enrolled deck itself would read as another from what was shown of them: the face, the other."""
    found = []
    for face in enrolment.faces:
        read = Counter(compared(enrolment, corner).face for corner in shown[face])
        other, times = read.most_common(1)[0]
        if other != face and 2 * times > len(shown[face]):
            found.append((face, other))
    return found


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
        ranks=enrolment.ranks,
        suits=enrolment.suits,
        precision=enrolment.precision,
        usual=np.array(enrolment.usual),
        shape=np.array(numbers, np.float64),
        weights=np.array(enrolment.weights),
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
        packed = io.BytesIO(path.read_bytes())
        with zipfile.ZipFile(packed) as archive:
            if sum(item.file_size for item in archive.infolist()) > MAX_FILE_BYTES:
                raise VisionError(f"{path}: too large for an enrolment")
        with np.load(packed, allow_pickle=False) as data:
            faces = tuple(str(face) for face in data["faces"])
            patches = np.asarray(data["patches"], np.uint8)
            ranks, suits, precision = (np.asarray(data[k], np.float32) for k in ("ranks", "suits", "precision"))
            numbers = [float(v) for v in data["shape"]]
            name, usual = str(data["name"]), float(data["usual"])
            weights = str(data["weights"]) if "weights" in data else FIRST_MARK
    except OSError as error:
        raise VisionError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise VisionError(f"{path}: not an enrolment: make it with `tablewatch vision enrol`") from None
    sizes = (patches.shape[1:], ranks.shape, suits.shape, precision.shape)
    right = ((PATCH_HEIGHT_PX, PATCH_WIDTH_PX, 3), (13, FEATURES), (4, FEATURES), (FEATURES, FEATURES))
    if not faces or not set(faces) <= set(FACES) or len(patches) != len(faces) or sizes != right:
        raise VisionError(f"{path}: the enrolment is damaged: make it again with `tablewatch vision enrol`")
    if len(numbers) not in (0, 4) or not np.isfinite(precision).all() or not usual > 0:
        raise VisionError(f"{path}: the enrolment is damaged: make it again with `tablewatch vision enrol`")
    shape = CardShape(*numbers) if numbers else None
    return Enrolment(name, faces, patches, ranks, suits, precision, usual, shape, weights)


def check_weights(enrolment: Enrolment, weights: Path | None = None) -> None:
    """Raise VisionError where a deck was enrolled with other weights than those it is to be used with: the shipped
    ones, or those in a folder."""
    if enrolment.weights != mark(weights):
        raise VisionError(f"the deck {enrolment.name} was enrolled with other weights: enrol it again (`vision enrol`)")
