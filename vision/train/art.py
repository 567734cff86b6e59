"""Decks whose art comes from Debian and npm packages, rasterised once into a folder and read back from there.

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
from vision.synth.deck import FACE_WIDTH_PX, Deck, Image, IndexPlace, fit_width
from vision.synth.draw import Print, draw_back

GNOME = Path("/usr/share/aisleriot/cards")
KDE = Path("/usr/share/carddecks")

SHEET_SUITS = "CDHS"
"""Order of the suits in the rows of a sheet."""

KDE_RANKS = dict(zip(RANKS, ("1", *"23456789", "10", "jack", "queen", "king"), strict=True))
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


@dataclass(frozen=True, slots=True)
class Source:
    """One deck: how to draw it into a folder, one ``CODE.png`` a face and ``back.png``."""

    name: str
    draw: Callable[[Path], None]


def rasterise(svg: Path, target: Path, *options: str) -> None:
    """Draw an SVG file as PNG with librsvg. Raises VisionError with one line where that does not work."""
    command = ["rsvg-convert", *options, "--keep-aspect-ratio", "-o", str(target), str(svg)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise VisionError("rsvg-convert is missing: apt-get install librsvg2-bin") from None
    if done.returncode:
        raise VisionError(f"{svg}: cannot be drawn: {done.stderr.strip().splitlines()[-1:]}")


def _picture(path: Path) -> Image:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise VisionError(f"{path}: no picture came of it")
    if picture.ndim == 2:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGRA))
    if picture.shape[2] == 3:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA))
    return np.asarray(picture, np.uint8)


def _save(picture: Image, path: Path) -> None:
    rows = np.flatnonzero(picture[..., 3].max(axis=1) > 127)
    columns = np.flatnonzero(picture[..., 3].max(axis=0) > 127)
    tight = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    cv2.imwrite(str(path), fit_width(tight))


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
            sheet = _picture(whole)
        height, width = sheet.shape[0] // 5, sheet.shape[1] // 13
        for row, suit in enumerate(SHEET_SUITS):
            for column, rank in enumerate(RANKS):
                cell = sheet[row * height : (row + 1) * height, column * width : (column + 1) * width]
                _save(cell, folder / f"{rank}{suit}.png")
        for column, extra in enumerate(("joker1", "joker2", "back")):
            cell = sheet[4 * height : 5 * height, column * width : (column + 1) * width]
            if cell[..., 3].max() > 127:
                _save(cell, folder / f"{extra}.png")

    return draw


def _by_id(svg: Path, ids: Callable[[str], str]) -> Callable[[Path], None]:
    def draw(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            plain, piece = _unzipped(svg, Path(scratch)), Path(scratch) / "face.png"
            for code in (*FACES, "back"):
                rasterise(plain, piece, f"--export-id={ids(code)}", "-w", str(FACE_WIDTH_PX))
                _save(_picture(piece), folder / f"{code}.png")

    return draw


def _by_file(files: Callable[[str], Path]) -> Callable[[Path], None]:
    def draw(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            piece = Path(scratch) / "face.png"
            for code in (*FACES, "back"):
                if files(code).exists():
                    rasterise(files(code), piece, "-w", str(FACE_WIDTH_PX))
                    _save(_picture(piece), folder / f"{code}.png")

    return draw


def sources(npm: Path) -> Iterator[Source]:
    """Every deck of the registries; ``npm`` is the ``node_modules`` folder the npm packages are installed in."""
    for name in (*LATIN_SHEETS, *FOREIGN_SHEETS):
        yield Source(f"gnome-{name}", _sheet(name))
    for name, file in (
        ("standard", "standard"),
        ("oxygen-white", "oxygen-white"),
        ("nicu-white", "white"),
        ("jolly-royal",) * 2,
    ):
        svg = KDE / f"svg-{name}" / f"{file}.svgz"

        def element(code: str) -> str:
            return "back" if code == "back" else f"{KDE_RANKS[code[0]]}_{WORD_SUITS[code[1]]}"

        yield Source(f"kde-{name}", _by_id(svg, element))

    heruka = npm / "@heruka_urgyen" / "react-playing-cards" / "src" / "images"
    for kind in ("2color", "2color-bf", "4color", "4color-bf"):
        yield Source(f"npm-heruka-{kind}", _by_file(_heruka(heruka, kind)))
    younes = npm / "@younestouati" / "playing-cards-standard-deck" / "cards"
    number = {rank: str(n) for n, rank in enumerate(RANKS, 1)}
    yield Source(
        "npm-younestouati",
        _by_file(lambda c: younes / ("back.svg" if c == "back" else f"{number[c[0]]}{c[1].lower()}.svg")),
    )


def _heruka(folder: Path, kind: str) -> Callable[[str], Path]:
    return lambda code: folder / "back.svg" if code == "back" else folder / kind / f"{code}.svg"


def _union(first: Image, second: Image) -> Image:
    tall, wide = min(first.shape[0], second.shape[0]), min(first.shape[1], second.shape[1])
    return np.asarray(np.maximum(first[:tall, :wide], second[:tall, :wide]), np.uint8)


def index_place(faces: dict[str, Image]) -> IndexPlace:
    """Where the index lies, from the ink in the upper left corners of the four aces (which have no other ink there).
    Raises VisionError where there is none."""
    corner = None
    for suit in "SHDC":
        ace = faces["A" + suit]
        wide, tall = round(0.24 * ace.shape[1]), round(0.4 * ace.shape[0])
        margin = round(0.025 * ace.shape[1])
        part = ace[margin:tall, margin:wide, :3].astype(np.int16)
        paper = np.median(part.reshape(-1, 3), axis=0)
        ink = (np.abs(part - paper).max(axis=2) > 70).astype(np.uint8)
        corner = ink if corner is None else _union(corner, ink)
    assert corner is not None
    rows = np.flatnonzero(corner.sum(axis=1) > 0) + margin
    columns = np.flatnonzero(corner.sum(axis=0) > 0) + margin
    if not len(rows):
        raise VisionError("no index in the corners of the aces")
    unit = faces["AS"].shape[1]
    height = (rows[-1] + 1 - rows[0]) / unit
    middle_x, middle_y = (columns[0] + columns[-1] + 1) / 2 / unit, (rows[0] + rows[-1] + 1) / 2 / unit
    return IndexPlace(float(middle_x), float(middle_y), float(height), float(columns[-1] + 1 - columns[0]) / unit)


def load(name: str, folder: Path, plain_back: Image) -> Deck:
    """A deck from its folder of pictures; ``plain_back`` where it has no back of its own."""
    faces = {path.stem: _picture(path) for path in sorted(folder.glob("*.png"))}
    back = faces.pop("back", plain_back)
    back = np.asarray(cv2.resize(back, faces["AS"].shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)
    jokers = {code: faces.pop(code) for code in list(faces) if code.startswith("joker")}
    place = index_place(faces)
    sheet = name.removeprefix("gnome-")
    if sheet in FOREIGN_SHEETS:
        other = FOREIGN_RANKS.get(sheet, "JQ")
        jokers |= {f"foreign-{code}": faces.pop(code) for code in list(faces) if code[0] in other}
    return Deck(name, faces, back, place, jokers)


def draw_all(npm: Path, cache: Path, progress: Callable[[str], None]) -> list[str]:
    """Rasterise every deck that is not yet in ``cache``; the names of all. ``progress`` is told each name."""
    names = []
    for source in sources(npm):
        folder = cache / source.name
        if not (folder / "AS.png").exists():
            progress(source.name)
            folder.mkdir(parents=True, exist_ok=True)
            source.draw(folder)
        names.append(source.name)
    return names


def deck_from(cache: Path | None, name: str) -> Deck:
    """A rasterised deck by name. Raises VisionError with one line where it is not there."""
    if cache is None or not (cache / name / "AS.png").exists():
        known = sorted(path.name for path in cache.iterdir() if path.is_dir()) if cache and cache.is_dir() else []
        have = f"there are {', '.join(known)}" if known else "give --art FOLDER, made by `tablewatch vision train`"
        raise VisionError(f"deck {name} is not rasterised: {have}")
    return load(name, cache / name, draw_back(Print()))
