"""What to train, whether this machine has what it takes, and by what a run is known again."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass
from pathlib import Path

import vision
from vision.errors import VisionError
from vision.train.decks import FONT_PACKAGES, font_files

MARK_CHARACTERS = 10
CODE = ("train/*.py", "synth/*.py", "detect.py", "patches.py")
"""Sources, within the package, that scenes and samples follow from."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to train. ``npm`` is the ``node_modules`` folder with the decks, ``work`` keeps art, scenes and unfinished
    fits between runs, ``out`` gets the weights; everything follows from ``seed`` and the weights in the folder
    ``start``, where there is one to go on from."""

    npm: Path
    work: Path
    out: Path
    seed: int = 1
    scenes: int = 4000
    dense_steps: int = 5000
    corner_steps: int = 28_000
    start: Path | None = None


def check_folders(plan: Plan) -> None:
    """Make the folders that are written to. Raises VisionError where one cannot be."""
    for folder in (plan.work, plan.out):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise VisionError(f"{folder}: cannot be written to: {error.strerror}; name another folder") from None


def check_fonts() -> str:
    """A line that says how many fonts indices are printed in. Raises VisionError where some are not installed: weights
    fitted without them would be others."""
    found = font_files()
    lacking = [package for package in FONT_PACKAGES if not found[package]]
    if lacking:
        raise VisionError(f"fonts are missing: apt-get install {' '.join(lacking)}")
    return f"{sum(len(files) for files in found.values())} fonts"


def code_mark() -> str:
    """A word that changes when the code does which renders scenes: those of other code are not used again."""
    home = Path(vision.__file__).parent
    digest = hashlib.sha256()
    for pattern in CODE:
        for path in sorted(home.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:MARK_CHARACTERS]


def run_mark(plan: Plan, torch: str) -> str:
    """A word for everything that the weights of a plan follow from, this version of torch included: a run that was
    stopped is known again by it."""
    digest = hashlib.sha256(f"{code_mark()} {torch} {plan.seed} {plan.scenes}".encode())
    digest.update(f"{plan.corner_steps} {plan.dense_steps}".encode())
    if plan.start is not None:
        for name in ("corner", "dense"):
            digest.update((plan.start / f"{name}.onnx").read_bytes())
    return digest.hexdigest()[:MARK_CHARACTERS]
