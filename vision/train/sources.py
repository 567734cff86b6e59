"""Where decks come from: Debian and npm packages, whose art is drawn into pictures.

Sources: Debian `gnome-cards-data` (sheets of 13 × 5) and `kdegames-card-data-kf5` (faces by element id), npm
`@heruka_urgyen/react-playing-cards` and `@younestouati/playing-cards-standard-deck`
(a file a face). Debian's `librsvg2-bin` draws them.
"""

from __future__ import annotations

import gzip
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.errors import VisionError
from vision.faces import FACES, RANKS
from vision.pictures import save
from vision.synth.deck import FACE_WIDTH_PX, Image, fit_width

GNOME = Path("/usr/share/aisleriot/cards")
KDE = Path("/usr/share/carddecks")

SHEET_SUITS = "CDHS"
"""Order of the suits in the rows of a sheet."""

KDE_RANKS = dict(zip(RANKS, ("1", *"23456789", "10", "jack", "queen", "king"), strict=True))
KDE_DECKS = (
    ("standard", "standard"),
    ("oxygen-white", "oxygen-white"),
    ("nicu-white", "white"),
    ("jolly-royal", "jolly-royal"),
)
"""Folders of the package and the name of the file in each."""

WORD_SUITS = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}

LATIN_SHEETS = (
    *("anglo", "anglo_modern", "anglo_poker", "atlasnye", "bellot", "guyenne-classic", "neoclassical"),
    *("orell", "ornamental", "paris", "plastic", "simplistic", "anglo_bitmap"),
)
"""Sheets with the indices A 2 .. 10 J Q K."""

FOREIGN_SHEETS = ("ancient_french", "berlin", "lattmann", "rheinland", "swiss-xvii", "Атласные")
"""Sheets with other letters or suits: nothing of theirs that differs from the 52 may be read."""

FOREIGN_RANKS = {"ancient_french": "AJQK", "Атласные": "AJQK", "swiss-xvii": RANKS}
"""Ranks of a foreign sheet that show something else than a Latin index; of the others, jack and queen."""


GNOME_PACKAGE, KDE_PACKAGE = "apt-get install gnome-cards-data", "apt-get install kdegames-card-data-kf5"
HERUKA, YOUNES = "@heruka_urgyen/react-playing-cards", "@younestouati/playing-cards-standard-deck"


@dataclass(frozen=True, slots=True)
class Source:
    """One deck: how to draw it into a folder, one ``CODE.png`` a face and ``back.png``; the files it is drawn from, and
    the command that brings them."""

    name: str
    draw: Callable[[Path], None]
    files: tuple[Path, ...]
    brought_by: str


def rasterise(svg: Path, target: Path, *options: str) -> None:
    """Draw an SVG file as PNG with librsvg. Raises VisionError with one line where that does not work."""
    command = ["rsvg-convert", *options, "--keep-aspect-ratio", "-o", str(target), str(svg)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise VisionError("rsvg-convert is missing: apt-get install librsvg2-bin") from None
    if done.returncode:
        raise VisionError(f"{svg}: cannot be drawn: {done.stderr.strip().splitlines()[-1:]}")


def read_picture(path: Path) -> Image:
    """The picture of a file as BGRA. Raises VisionError where there is none."""
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise VisionError(f"{path}: no picture came of it")
    if picture.ndim == 2:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGRA))
    if picture.shape[2] == 3:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA))
    return np.asarray(picture, np.uint8)


def save_tight(picture: Image, path: Path) -> None:
    """Write a drawn card without what is empty around it, in the width that all faces have."""
    rows = np.flatnonzero(picture[..., 3].max(axis=1) > 127)
    columns = np.flatnonzero(picture[..., 3].max(axis=0) > 127)
    tight = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    save(path, fit_width(tight))


def _unzipped(path: Path, folder: Path) -> Path:
    data = path.read_bytes()
    plain = folder / (path.stem + ".svg")
    plain.write_bytes(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    return plain


def _sheet(name: str) -> Callable[[Path], None]:
    def draw(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            svg = _unzipped(GNOME / f"{name}.svgz", Path(scratch))
            whole = Path(scratch) / "sheet.png"
            rasterise(svg, whole, "-w", str(13 * FACE_WIDTH_PX))
            sheet = read_picture(whole)
        height, width = sheet.shape[0] // 5, sheet.shape[1] // 13
        for row, suit in enumerate(SHEET_SUITS):
            for column, rank in enumerate(RANKS):
                cell = sheet[row * height : (row + 1) * height, column * width : (column + 1) * width]
                save_tight(cell, folder / f"{rank}{suit}.png")
        for column, extra in enumerate(("joker1", "joker2", "back")):
            cell = sheet[4 * height : 5 * height, column * width : (column + 1) * width]
            if cell[..., 3].max() > 127:
                save_tight(cell, folder / f"{extra}.png")

    return draw


def _by_id(svg: Path, ids: Callable[[str], str]) -> Callable[[Path], None]:
    def draw(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            plain, piece = _unzipped(svg, Path(scratch)), Path(scratch) / "face.png"
            for code in (*FACES, "back"):
                rasterise(plain, piece, f"--export-id={ids(code)}", "-w", str(FACE_WIDTH_PX))
                save_tight(read_picture(piece), folder / f"{code}.png")

    return draw


def _by_file(files: dict[str, Path]) -> Callable[[Path], None]:
    def draw(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            piece = Path(scratch) / "face.png"
            for code, svg in files.items():
                rasterise(svg, piece, "-w", str(FACE_WIDTH_PX))
                save_tight(read_picture(piece), folder / f"{code}.png")

    return draw


def _kde_element(code: str) -> str:
    return "back" if code == "back" else f"{KDE_RANKS[code[0]]}_{WORD_SUITS[code[1]]}"


def sources(npm: Path) -> Iterator[Source]:
    """Every deck of the registries; ``npm`` is the ``node_modules`` folder the npm packages are installed in."""
    for name in (*LATIN_SHEETS, *FOREIGN_SHEETS):
        yield Source(f"gnome-{name}", _sheet(name), (GNOME / f"{name}.svgz",), GNOME_PACKAGE)
    for name, file in KDE_DECKS:
        svg = KDE / f"svg-{name}" / f"{file}.svgz"
        yield Source(f"kde-{name}", _by_id(svg, _kde_element), (svg,), KDE_PACKAGE)
    folder = npm / HERUKA / "src" / "images"
    for kind in ("2color", "2color-bf", "4color", "4color-bf"):
        files = {code: folder / kind / f"{code}.svg" for code in FACES} | {"back": folder / "back.svg"}
        yield _npm(f"npm-heruka-{kind}", files, HERUKA, "0.5.0")
    folder, number = npm / YOUNES / "cards", {rank: str(n) for n, rank in enumerate(RANKS, 1)}
    files = {code: folder / f"{number[code[0]]}{code[1].lower()}.svg" for code in FACES}
    yield _npm("npm-younestouati", files | {"back": folder / "back.svg"}, YOUNES, "3.0.0")


def _npm(name: str, files: dict[str, Path], package: str, version: str) -> Source:
    brought_by = f"npm install --ignore-scripts {package}@{version}"
    return Source(name, _by_file(files), tuple(files.values()), brought_by)
