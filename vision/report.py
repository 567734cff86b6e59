"""The report of a measurement as one HTML file: the figures, the confusions, every error as a picture."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

import cv2
import numpy as np

from vision.errors import VisionError
from vision.patches import Image
from vision.score import Mistake, Score

CROP_PX = 180
MAX_PICTURES = 400
"""Errors shown at most; a report with more is a broken recognizer, and its file would be too large to open."""

STYLE = """body{font:15px system-ui;margin:2em;max-width:75em}table{border-collapse:collapse;margin:1em 0}
td,th{border:1px solid #ccc;padding:.3em .7em;text-align:right}td{white-space:nowrap}
th:first-child,td:first-child{text-align:left;white-space:normal;overflow-wrap:anywhere}
figure{display:inline-block;margin:.4em;width:190px;vertical-align:top;font-size:13px}figure img{max-width:100%}
.misread,.phantom{background:#fdd}"""


def crop(picture: Image, mistake: Mistake) -> Image:
    """The neighbourhood of a mistake, scaled to fit the report."""
    reach = max(40.0, 1.1 * mistake.size_px)
    x, y = mistake.at
    x0, y0 = max(0, round(x - reach)), max(0, round(y - reach))
    part = picture[y0 : max(y0 + 8, round(y + reach)), x0 : max(x0 + 8, round(x + reach))]
    if part.size == 0:
        return np.zeros((8, 8, 3), np.uint8)
    zoom = CROP_PX / max(part.shape[:2])
    return np.asarray(cv2.resize(part, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA), np.uint8)


def row(name: str, score: Score) -> tuple[str, ...]:
    """The figures of one set as text: name, pictures, cards, exact %, silent, abstained %, bound, counts, times."""
    cards = max(1, score.readable)
    return (
        name,
        str(score.pictures),
        str(score.readable),
        f"{100 * score.exact / cards:.2f} %",
        f"{score.silent} of {score.accepted}",
        f"{score.bound_permille() / 10:.2f} %",
        f"{100 * score.abstained / cards:.2f} %",
        f"{score.count_errors} of {score.regions}",
        f"{score.backs_found} of {score.backs}",
        f"{score.percentile_ms(50):.0f} / {score.percentile_ms(95):.0f} ms",
    )


HEADINGS = (
    *("set", "pictures", "cards", "exact", "silent misreads", "at most (95 %)", "abstained", "count errors"),
    *("backs found", "a look p50 / p95"),
)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(h)}</th>" for h in headings)
    body = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in r) + "</tr>" for r in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def confusion_rows(score: Score) -> list[tuple[str, str, str, str]]:
    """Each confusion seen: what lay there, what was read, how often, the weak pair it belongs to."""
    weak = {pair: Score(confused=score.confused.__class__({pair: 1})).weak() for pair in score.confused}
    return [
        (expected, got, str(times), next(iter(weak[expected, got]), ""))
        for (expected, got), times in score.confused.most_common()
    ]


def _figure(mistake: Mistake, picture: Image) -> str:
    _, coded = cv2.imencode(".jpg", crop(picture, mistake), [cv2.IMWRITE_JPEG_QUALITY, 85])
    data = base64.b64encode(coded.tobytes()).decode()
    text = f"{mistake.kind}: {mistake.expected} → {mistake.got}, {mistake.size_px:.0f} px, {mistake.picture}"
    return f'<figure class="{mistake.kind}"><img src="data:image/jpeg;base64,{data}" alt=""><br>{escape(text)}</figure>'


def write_report(path: Path, scores: Mapping[str, Score], pictures: Mapping[tuple[str, Mistake], Image]) -> None:
    """Write the report of named scores. ``pictures`` has, for each mistake of each set, the picture it was made in.
    Raises VisionError where the file cannot be written."""
    parts = [f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Vision</title><style>{STYLE}</style>']
    parts.append("<h1>What the recognizer read</h1>")
    parts.append(_table(HEADINGS, [row(name, score) for name, score in scores.items()]))
    shown = 0
    for name, score in scores.items():
        if score.confused:
            parts.append(f"<h2>Confusions in {escape(name)}</h2>")
            parts.append(_table(("lay there", "read", "times", "weak pair"), confusion_rows(score)))
        if score.mistakes:
            parts.append(f"<h2>Errors in {escape(name)}</h2>")
        for mistake in sorted(score.mistakes, key=lambda m: m.kind == "abstained"):
            picture = pictures.get((name, mistake))
            if picture is not None and shown < MAX_PICTURES:
                parts.append(_figure(mistake, picture))
                shown += 1
    try:
        path.write_text("\n".join(parts) + "</html>\n", "utf-8")
    except OSError as error:
        raise VisionError(f"{path}: cannot be written: {error.strerror}") from None
