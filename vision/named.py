"""Sets to measure with, by name: a folder with ``labels.json``, or ``rendered:WORD,WORD…``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from vision.enrol import Enrolment
from vision.errors import VisionError
from vision.recognizer import Recognizer, Settings
from vision.sets import Example, photographs, rendered
from vision.showing import finished, take_pictures
from vision.synth.deck import Deck
from vision.synth.draw import draw_deck
from vision.synth.exam import Exam, portraits

MAX_SCENES = 10_000
MAX_FRAMES = 100


@dataclass(frozen=True, slots=True)
class NamedSet:
    """A set: the width of its cards in pixels (0: unknown), its examples, the deck enrolled for it (or None)."""

    card_width_px: float
    examples: Iterator[Example]
    enrolled: Enrolment | None = None


@dataclass(frozen=True, slots=True)
class _Words:
    exam: Exam = field(default_factory=Exam)
    scenes: int = 20
    seed: int = 1
    looks: int = 1
    deck: str = ""
    enrolled: bool = False


def _with(words: _Words, word: str) -> _Words:
    """The words so far with one more. Raises VisionError for one that is not known."""
    key, _, value = word.partition("=")
    if word in ("fans", "separate"):
        return replace(words, exam=replace(words.exam, fans=word == "fans"))
    if word in ("hard", "easy"):
        return replace(words, exam=replace(words.exam, hard=word == "hard"))
    if word == "enrolled":
        return replace(words, enrolled=True)
    if word.isdecimal() and 40 <= int(word) <= 300:
        return replace(words, exam=replace(words.exam, card_width_px=float(word)))
    if key == "scenes" and value.isdecimal() and 0 < int(value) <= MAX_SCENES:
        return replace(words, scenes=int(value))
    if key == "seed" and value.isdecimal():
        return replace(words, seed=int(value))
    if key == "frames" and value.isdecimal() and 0 < int(value) <= MAX_FRAMES:
        return replace(words, looks=int(value))
    if key == "deck" and value:
        return replace(words, deck=value)
    raise VisionError(
        f"rendered: {word!r} is not known; words are fans or separate, hard or easy, enrolled, a card width of 40 to "
        f"300, scenes=1..{MAX_SCENES}, frames=1..{MAX_FRAMES}, seed=N, deck=NAME"
    )


def _rendered(text: str, decks: Callable[[str], Deck], weights: Path | None) -> NamedSet:
    words = _Words()
    for word in filter(None, text.split(",")):
        words = _with(words, word)
    deck = decks(words.deck) if words.deck else draw_deck()
    enrolled = None
    if words.enrolled:
        recognizer = Recognizer(Settings(weights=weights))
        enrolled = finished(deck.name, take_pictures(recognizer, portraits(deck, words.seed)))
    examples = rendered(deck, words.exam, words.scenes, words.seed, words.looks)
    return NamedSet(words.exam.card_width_px, examples, enrolled)


def named_set(name: str, decks: Callable[[str], Deck], weights: Path | None = None) -> NamedSet:
    """The set of a name. ``decks`` gives a deck of art by name; ``enrolled`` among the words shows each of its faces
    once before, to a recognizer with ``weights`` (None: the shipped ones). Raises VisionError where there is no such
    set."""
    kind, _, words = name.partition(":")
    if kind == "rendered":
        return _rendered(words, decks, weights)
    folder = Path(name)
    if not folder.is_dir():
        raise VisionError(f"{name}: no such folder; give a folder with labels.json, or rendered:fans,hard,110")
    return NamedSet(0.0, photographs(folder))
