"""``tablewatch vision``: reading cards with a camera, and what it takes to set that up.

The package `vision` and its libraries are loaded when a command needs them: a machine without OpenCV runs the rest.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.table import Table

from controller.app.camera.settings import not_installed
from controller.cli.guard import CannotError, ExitCode
from controller.cli.screen import complain, output
from controller.cli.vision_text import set_labels, sighting_json, sighting_table
from controller.core.words import clean

if TYPE_CHECKING:
    from vision.pictures import Image
    from vision.score import Score
    from vision.table import TableReader

app = typer.Typer(help="Read the cards on the table with a camera.", no_args_is_help=True, rich_markup_mode=None)

Deck = Annotated[Path | None, typer.Option("--deck", help="The enrolled deck (see `vision enrol`).")]
Calibrated = Annotated[Path | None, typer.Option("--calibration", help="The camera's calibration.")]
CardWidth = Annotated[
    float, typer.Option("--card-width", min=0, max=4000, help="Width of a card in pixels, 0 if unknown.")
]


@contextmanager
def _clear() -> Iterator[None]:
    """Turn what the vision package says into one line; say what to install where it cannot be loaded."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    try:
        from vision.errors import VisionError

        try:
            yield
        except VisionError as error:
            raise CannotError(str(error)) from None
    except ImportError as error:
        raise CannotError(not_installed(error)) from None


def _reader(deck: Path | None, calibration: Path | None, card_width: float) -> TableReader:
    from vision.calibrate import check_size, load_calibration
    from vision.enrol import load_enrolment
    from vision.recognizer import Recognizer, Settings
    from vision.table import TableReader

    view = load_calibration(calibration) if calibration else None
    if view is not None:
        check_size(view)
    enrolled = load_enrolment(deck) if deck else None
    return TableReader(Recognizer(Settings(card_width_px=card_width, deck=enrolled)), view)


@app.command("calibrate")
def calibrate(
    picture: Annotated[Path, typer.Argument(help="A picture of the camera with the markers in sight.")],
    layout: Annotated[Path, typer.Option("--layout", help="The table's layout, LAYOUT.toml.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="Where to write the calibration.")],
    points: Annotated[
        str, typer.Option("--points", help="Instead of markers: the table's four corners, 'x,y x,y x,y x,y'.")
    ] = "",
) -> None:
    """Find out how the camera sees the table; refuse where cards would be too small."""
    with _clear():
        from vision.calibrate import check_size, from_corners, from_markers, save_calibration
        from vision.layout import load_layout
        from vision.pictures import load

        plan, seen = load_layout(layout), load(picture)
        if points:
            found = from_corners(_points(points), (seen.shape[1], seen.shape[0]), plan)
        else:
            found = from_markers(seen, plan)
        said = check_size(found)
        save_calibration(out, found)
        fit = "four points taken" if points else f"markers fit within {found.error_mm:.2f} mm"
        output().print(f"{out}: {fit}; {said}")


def _points(text: str) -> list[tuple[float, float]]:
    try:
        pairs = [tuple(float(v) for v in pair.split(",")) for pair in text.split()]
    except ValueError:
        pairs = []
    if len(pairs) != 4 or any(len(pair) != 2 or not all(map(math.isfinite, pair)) for pair in pairs):
        raise CannotError(f"--points {text!r}: give four points as 'x,y x,y x,y x,y', clockwise from the upper left")
    return [(pair[0], pair[1]) for pair in pairs]


@app.command("enrol")
def enrol(
    sources: Annotated[
        list[str], typer.Argument(help="Pictures, folders or videos: a file named KH.jpg shows that face.")
    ],
    out: Annotated[Path, typer.Option("-o", "--out", help="Where to write the enrolled deck.")],
    sheet: Annotated[Path | None, typer.Option("--sheet", help="Where to write a picture of what was taken.")] = None,
    boxes: Annotated[
        int, typer.Option("--boxes", min=0, help="Use the index boxes of labels.json of so many pictures instead.")
    ] = 0,
) -> None:
    """Learn the deck in use from each of its 52 faces shown once."""
    with _clear():
        from vision.enrol import contact_sheet, save_enrolment
        from vision.pictures import save
        from vision.recognizer import Recognizer
        from vision.sets import photographs
        from vision.showing import finished, take_boxes, take_pictures

        if boxes:
            labelled = (example for source in sources for example in photographs(Path(source)))
            shown = take_boxes(Recognizer(), islice(labelled, boxes))
        else:
            shown = take_pictures(Recognizer(), _frames(sources))
        complain(*(clean(trouble, 500) for trouble in shown.troubles))
        if sheet is not None and shown.corners:
            save(sheet, contact_sheet(finished(out.stem, shown, whole=False)))
        enrolment = finished(out.stem, shown, whole=not boxes)
        save_enrolment(out, enrolment)
        taken = "all 52 faces" if not enrolment.missing else f"{len(enrolment.faces)} of 52 faces"
        output().print(f"{out}: {taken} taken")


def _frames(sources: list[str]) -> Iterator[tuple[str, Image]]:
    """The pictures of all sources by name, one at a time. Raises VisionError for one that gives none."""
    from vision.capture import opened
    from vision.errors import VisionError

    for source in sources:
        given = False
        with opened(source) as frames:
            for frame in frames.frames:
                given = True
                yield frame.name, frame.picture
            if not given:
                raise VisionError(frames.ended)


@app.command("read")
def read(
    pictures: Annotated[list[Path], typer.Argument(help="Pictures to read.", metavar="PICTURE...")],
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Annotated picture (a folder for several).")] = None,
    deck: Deck = None,
    calibration: Calibrated = None,
    card_width: CardWidth = 0.0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a picture.")] = False,
) -> None:
    """Read pictures: a table of what lies there, and an annotated picture."""
    with _clear():
        from vision.annotate import annotate
        from vision.errors import VisionError
        from vision.pictures import load, save

        targets = _targets(out, pictures)
        reader = _reader(deck, calibration, card_width)
        unread: list[str] = []
        for path, target in zip(pictures, targets, strict=True):
            try:
                picture = load(path)
                sighting = reader.read(picture)
            except VisionError as error:
                unread.append(clean(str(error), 500))
                continue
            if as_json:
                sys.stdout.write(json.dumps(sighting_json(str(path), sighting)) + "\n")
            else:
                output().print(clean(str(path)), soft_wrap=True)
                output().print(sighting_table(sighting), soft_wrap=False)
            if target is not None:
                save(target, annotate(picture, sighting))
        complain(*unread)
        if unread:
            raise typer.Exit(ExitCode.CANNOT)


def _targets(out: Path | None, pictures: list[Path]) -> list[Path | None]:
    """Where the annotated picture of each goes: into a folder, made where it is not there, or one into a file."""
    if out is None:
        return [None] * len(pictures)
    if len(pictures) == 1 and not out.is_dir() and out.suffix:
        return [out]
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotError(f"{out}: several pictures need a folder: {error.strerror}") from None
    targets = [out / f"{path.stem}.read.jpg" for path in pictures]
    twice = next((t for n, t in enumerate(targets) if t in targets[:n]), None)
    if twice is not None:
        raise CannotError(f"{twice}: two of the pictures have this name: read them one by one")
    return list(targets)


@app.command("watch")
def watch(
    source: Annotated[str, typer.Argument(help="A video, a folder, a camera (0, /dev/video0) or rtsp://…")],
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port of the page, 0: a free one.")] = 0,
    window: Annotated[bool | None, typer.Option("--window/--page", help="A window, or a page on loopback.")] = None,
    seconds: Annotated[float, typer.Option("--seconds", min=0, help="End after so long, 0: never.")] = 0.0,
    deck: Deck = None,
    calibration: Calibrated = None,
    card_width: CardWidth = 0.0,
) -> None:
    """Show the live view: in a window where there is a screen, otherwise as a page on this machine."""
    with _clear():
        from vision.watch import View, has_screen
        from vision.watch import watch as look

        shown = has_screen() if window is None else window
        reader = _reader(deck, calibration, card_width)
        frames = look(source, reader, View(port, shown, seconds), lambda line: output().print(clean(line, 500)))
        if frames == 0:
            raise typer.Exit(ExitCode.CANNOT)


@app.command("evaluate")
def evaluate(
    sets: Annotated[list[str], typer.Argument(help="Folders with labels.json, or rendered:fans,hard,110,scenes=20.")],
    report: Annotated[Path | None, typer.Option("--report", help="HTML report with every error as a picture.")] = None,
    deck: Deck = None,
    art: Annotated[Path | None, typer.Option("--art", help="Folder of rasterised decks for deck=NAME.")] = None,
    skip: Annotated[int, typer.Option("--skip", min=0, help="Leave out the first pictures of each set.")] = 0,
    bug: Annotated[str, typer.Option("--plant", help="Plant a bug: labels, suits or threshold.")] = "",
    card_width: CardWidth = 0.0,
    weights: Annotated[Path | None, typer.Option("--weights", help="Folder of weights instead of the shipped.")] = None,
) -> None:
    """Measure the recognizer on labelled pictures or rendered scenes."""
    with _clear():
        from vision.enrol import load_enrolment
        from vision.evaluate import NO_LIMITS, measure
        from vision.named import named_set
        from vision.recognizer import Recognizer, Settings
        from vision.report import confusion_rows, write_report
        from vision.train.art import deck_from

        enrolled = load_enrolment(deck) if deck else None
        measured = {}
        for name, label in set_labels(sets).items():
            found = named_set(name, lambda wanted: deck_from(art, wanted), weights)
            width, shown = card_width or found.card_width_px, enrolled or found.enrolled
            settings = Settings(card_width_px=width, deck=shown, weights=weights)
            if bug == "threshold":
                settings = replace(settings, limits=NO_LIMITS)
            measured[label] = measure(islice(found.examples, skip, None), Recognizer(settings).read, bug)
        scores = {name: result.score for name, result in measured.items()}
        output().print(_figures(scores), soft_wrap=False)
        for name, score in scores.items():
            for expected, got, times, weak in confusion_rows(score):
                output().print(f"{clean(name)}: {expected} read as {got}, {times} times{f' ({weak})' if weak else ''}")
        if report is not None:
            pictures = {(n, mistake): p for n, r in measured.items() for mistake, p in r.pictures.items()}
            write_report(report, scores, pictures)
            output().print(f"{report}: every error as a picture")


SET_WIDTH: Final = 20
"""Columns that the name of a set has on the narrowest terminal."""


def _figures(scores: Mapping[str, Score]) -> Table:
    """A row for each set, and one for all together where there are several."""
    from vision.report import HEADINGS, row
    from vision.score import Score

    rows = Table(box=None, padding=(0, 2, 0, 0))
    widest = max(map(len, scores), default=0)
    for heading in HEADINGS:
        least = min(widest, SET_WIDTH) if heading == HEADINGS[0] else None
        rows.add_column(heading, overflow="fold", min_width=least)
    for name, score in scores.items():
        rows.add_row(*row(clean(name), score))
    if len(scores) > 1:
        together = Score()
        for score in scores.values():
            together.add(score)
        rows.add_row(*row("together", together))
    return rows


@app.command("train")
def train(
    npm: Annotated[Path, typer.Option("--npm", help="node_modules with the npm decks.")],
    work: Annotated[Path, typer.Option("--work", help="Folder for rasterised art and rendered scenes.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder to write dense.onnx and corner.onnx to.")],
    seed: Annotated[int, typer.Option("--seed", min=0)] = 1,
    scenes: Annotated[int, typer.Option("--scenes", min=6, max=100_000)] = 4000,
    dense_steps: Annotated[int, typer.Option("--dense-steps", min=1)] = 5000,
    corner_steps: Annotated[int, typer.Option("--corner-steps", min=1)] = 28_000,
    start: Annotated[
        Path | None, typer.Option("--from", help="Folder of weights to go on from, instead of from scratch.")
    ] = None,
) -> None:
    """Train the weights from the registries' art (needs the extra `train`); a run that was stopped goes on."""
    with _clear():
        from vision.train.command import train_all
        from vision.train.plan import Plan

        plan = Plan(npm, work, out, seed, scenes, dense_steps, corner_steps, start)
        train_all(plan, lambda line: output().print(clean(line, 500)))
