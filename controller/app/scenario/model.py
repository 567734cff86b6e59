"""What a scenario file may say: Pydantic models of its keys. docs/scenarios.md explains them with examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator

from controller.app.config import DEFAULT_GAME, SourcesSection
from controller.app.scenario.acts import Act, Drawn
from controller.app.scenario.card_lines import parse_out
from controller.app.scenario.grammar import parse_line
from controller.app.scenario.look import FACE_DOWN
from controller.app.scenario.places import canonical_bet, canonical_bettor, canonical_hand, position_of
from controller.core.cards import Card
from controller.core.verdicts import Severity

MOST_STEPS: Final = 500
"""Steps of a scenario; a whole shoe played through has some fifty rounds."""

Phase = Literal["closed", "inspection", "shuffle", "cut", "load", "burn", "betting"]
"""Where a scenario may begin."""

Role = Literal["dealer", "supervisor", "pit", "surveillance", "technician"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a scenario and the acts it stands for."""

    text: str
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A verdict to be found: its code, and its severity where the file says it."""

    code: str
    severity: Severity | None = None

    def __str__(self) -> str:
        return f"{self.severity.value} {self.code}" if self.severity else self.code


@dataclass(frozen=True, slots=True)
class Waiting:
    """A verdict that waits: its code, and the corrections it must offer where the file names any."""

    code: str
    corrections: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.code, *self.corrections))


@dataclass(frozen=True, slots=True)
class OnRecord:
    """An event to be found in the journal: its type and the fields that the file names."""

    type: str
    fields: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return f"{self.type} " + " ".join(f"{name}={value}" for name, value in self.fields)


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{what} is a text")
    return value


def _line(value: object) -> Line:
    text = _text(value, "a line")
    return Line(text, parse_line(text))


def _found(value: object) -> Found:
    words = _text(value, "a verdict").split()
    if len(words) == 1:
        return Found(words[0])
    if len(words) != 2 or words[0] not in list(Severity):
        raise ValueError(f"a verdict is a code, or one of {', '.join(Severity)} and a code")
    return Found(words[1], Severity(words[0]))


def _waiting(value: object) -> Waiting:
    words = _text(value, "a verdict that waits").split()
    if not words:
        raise ValueError("a verdict that waits is a code and the corrections it offers")
    return Waiting(words[0], tuple(words[1:]))


def _on_record(value: object) -> OnRecord:
    if isinstance(value, str):
        return OnRecord(value)
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        raise ValueError("an event is its type, or a mapping with type and fields of it")
    return OnRecord(value["type"], tuple((k, v) for k, v in value.items() if k != "type"))


def _words(value: object) -> tuple[str, ...]:
    return tuple(_text(value, "a list of words").split())


def _faces(value: object) -> tuple[str, ...]:
    return tuple(word if word == FACE_DOWN else Card(word).text for word in _words(value))


def _shoe(value: object) -> tuple[Drawn, ...]:
    lines = value if isinstance(value, list) else [value]
    return tuple(parse_out(word) for line in lines for word in _words(line))


def _readers(value: object) -> tuple[str, ...]:
    words = [str(value)] if isinstance(value, int) else _words(value)
    found = tuple(position_of(word) for word in words)
    if len(set(found)) != len(found):
        raise ValueError("one reader at a place")
    return found


def _many(value: object) -> object:
    return value if isinstance(value, list) else [value]


def _keys(canonical: Callable[[str], str]) -> BeforeValidator:
    def read(value: object) -> object:
        return {canonical(k): v for k, v in value.items()} if isinstance(value, dict) else value

    return BeforeValidator(read)


Whole = Annotated[int, Field(strict=True)]
Bets = Annotated[dict[str, Whole], _keys(canonical_bet)]
Words = Annotated[tuple[str, ...], PlainValidator(_words)]
Faces = Annotated[tuple[str, ...], PlainValidator(_faces)]
Lines = Annotated[tuple[Annotated[Line, PlainValidator(_line)], ...], BeforeValidator(_many)]
Verdicts = Annotated[tuple[Annotated[Found, PlainValidator(_found)], ...], BeforeValidator(_many)]
Waits = Annotated[tuple[Annotated[Waiting, PlainValidator(_waiting)], ...], BeforeValidator(_many)]
Records = Annotated[tuple[Annotated[OnRecord, PlainValidator(_on_record)], ...], BeforeValidator(_many)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Expect(_Section):
    """What must be found. A key that is not given is not looked at."""

    phase: str | None = None
    """the phase of the table"""
    next: Annotated[tuple[str, ...], BeforeValidator(_many)] | None = None
    """the first things that are expected next, in order"""
    decisions: Annotated[dict[str, Words], _keys(canonical_hand)] | None = None
    """the hand that decides and every decision open to it; ``{}`` when none does"""
    owed: Bets | None = None
    """what each bet is owed now (minor units, the bettor's sign); a bet that is not named is owed nothing"""
    returns: Bets | None = None
    """chips that must go back (minor units), all of them"""
    holds: Waits | None = None
    """the verdicts that hold the table, oldest first, with their corrections; ``[]`` for none"""
    open: Waits | None = None
    """the verdicts that are to be put right while play goes on"""
    cards: Annotated[dict[str, Faces], _keys(canonical_hand)] | None = None
    """the cards of these hands as the record has them"""
    view: dict[str, Any] | None = None
    """values of the public picture by their path, ``shoe.left: 308``"""
    journal: Records | None = None
    """events on record in this order, others may lie between them"""
    net: Annotated[dict[str, Whole], _keys(canonical_bettor)] | None = None
    """the change of every bettor's bankroll since the scenario began (minor units)"""


class Step(Expect):
    """One step: what is done, and what must be found after it."""

    do: Lines = ()
    """lines, in order"""
    find: Verdicts = ()
    """the verdicts that the lines raise, in order, and none else"""
    rejected: str | None = None
    """a command of the lines is rejected, with this in its reason"""


def _step(value: object) -> object:
    return {"do": value} if isinstance(value, str | list) else value


def _some(value: object) -> object:
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_STEPS:
        raise ValueError(f"a list of 1 to {MOST_STEPS} steps")
    return value


class ScenarioFile(_Section):
    """A scenario file."""

    title: str = Field(min_length=1, max_length=200)
    """what it shows, in one line"""
    about: str = ""
    """what a reader should know"""
    game: str = DEFAULT_GAME
    """a game of the entry point group ``tablewatch.games``"""
    rules: str = Field(min_length=1)
    """a shipped rule set, or the path of a TOML file"""
    overrides: dict[str, Any] = Field(default_factory=dict)
    """keys of the rule set that differ in this scenario"""
    staff: dict[str, Role] = Field(default_factory=dict)
    """more people than the usual ones (one of each role, called by it)"""
    shoe: Annotated[tuple[Drawn, ...], PlainValidator(_shoe)] = ()
    """the shoe in dealing order, for ``draw``; without shoe and seed ``cards`` says which card comes"""
    seed: Whole | None = None
    """instead of ``shoe``: whole packs in an order that follows from this number"""
    cut_card: Whole | None = Field(None, ge=0, le=416)
    """with ``seed``: cards in front of the cut card; default: where the rules want it"""
    burn: Annotated[tuple[Drawn, ...], PlainValidator(_shoe)] = ()
    """cards burned on the way to the betting; default: as few as the rules allow"""
    readers: Annotated[tuple[str, ...], PlainValidator(_readers)] = ()
    """the places where a card reader lies, by their positions: a second source of cards"""
    sources: SourcesSection = SourcesSection()
    """what is done with a second source's word, as in a table's configuration"""
    spare: Annotated[bool, Field(strict=True)] = False
    """whether a second shoe, called spare, waits to take over"""
    start: Phase = "betting"
    """the phase in which it begins; the way there is done rightly"""
    steps: Annotated[tuple[Annotated[Step, BeforeValidator(_step)], ...], BeforeValidator(_some)]
    """what is done, in order"""
    expect: Expect = Expect()
    """what must be found at the end"""
