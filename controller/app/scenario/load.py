"""From a file to a scenario that can be played: every fault of it at once, with its line."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from pydantic import ValidationError

from controller.adapters.console import Person
from controller.app.config import ConfigError, SourcesSection
from controller.app.plugins import load_game
from controller.app.rulesets import LoadedRules, load_rules
from controller.app.scenario.acts import SPARE, Cable, Commanded, Drawn, DrawNext, Manner, Prepared, Said, Seen
from controller.app.scenario.grammar import DEVICES
from controller.app.scenario.model import ScenarioFile, Step
from controller.app.scenario.source import Location, Source, read_source
from controller.core.cards import DECK
from controller.core.game import Game
from controller.core.problems import problems_of
from drivers.messages import StaffCardPresented

USUAL_STAFF: Final = ("dealer", "supervisor", "pit", "surveillance", "technician")
"""One person of each role, called by it."""
_PREPARED: Final = (
    "inspection",
    "shuffle",
    "cut",
    "load",
    "burn",
    "betting",
    "dealing",
    "insurance",
    "players",
    "dealer",
)
"""Phases that ``prepare`` leads to; those of a round, where a spare shoe's packs are made ready in it."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario ready to be played. ``lines`` has the line in the file of each step; ``end_line`` that of what must be
    found at the end. ``shoe`` are the cards that ``draw`` draws, None when the lines name every card."""

    name: str
    file: ScenarioFile
    game: Game
    rules: LoadedRules
    staff: Mapping[str, Person]
    shoe: tuple[Drawn, ...] | None
    lines: tuple[int, ...]
    end_line: int

    @property
    def title(self) -> str:
        """What it shows."""
        return self.file.title


def load_scenario(path: Path, name: str = "") -> Scenario:
    """Read a scenario; ``name`` is how messages call it (default: the path). Raises ConfigError with one line a fault:
    file, line, key, what is allowed."""
    return scenario_of(read_source(path, name))


def scenario_of(source: Source) -> Scenario:
    """The scenario of a file's data. Raises ConfigError."""
    if not isinstance(source.data, dict):
        raise ConfigError((f"{source.name}:1: a scenario is a mapping with title, rules and steps",))
    try:
        file = ScenarioFile.model_validate(source.data)
    except ValidationError as error:
        texts = problems_of(error, ScenarioFile)
        places = [tuple(fault["loc"]) for fault in error.errors()]
        lines = [f"{source.name}:{source.line_of(at)}: {text}" for at, text in zip(places, texts, strict=True)]
        raise ConfigError(tuple(lines)) from None
    staff = {name: Person(name, name) for name in USUAL_STAFF}
    staff |= {name: Person(name, role) for name, role in file.staff.items()}
    problems = [f"{source.name}:{source.line_of(at)}: {text}" for at, text in _faults(file, staff)]
    if problems:
        raise ConfigError(tuple(dict.fromkeys(problems)))
    game, rules = _rules(source, file)
    count = len(file.steps)
    return Scenario(
        source.name,
        file,
        game,
        rules,
        staff,
        _shoe(file, rules),
        tuple(source.line_of(("steps", n)) for n in range(count)),
        source.line_of(("expect",)),
    )


def _rules(source: Source, file: ScenarioFile) -> tuple[Game, LoadedRules]:
    """The game and its rule set; their faults get the line of the key."""
    key = "game"
    try:
        game = _game(file.game)
        key = "rules"
        rules = load_rules(game, _beside(source, file.rules), {})
        key = "overrides"
        return game, load_rules(game, _beside(source, file.rules), file.overrides) if file.overrides else rules
    except ConfigError as error:
        line = source.line_of((key,))
        texts = (problem.removeprefix("table.ruleset: ").removeprefix("table.game: ") for problem in error.problems)
        raise ConfigError(tuple(f"{source.name}:{line}: {key}: {text}" for text in texts)) from None


@functools.cache
def _game(name: str) -> Game:
    return load_game(name)


def _beside(source: Source, rules: str) -> str:
    """A rule set of one's own is looked for beside the scenario."""
    return str(source.folder / rules) if rules.endswith(".toml") else rules


def _faults(file: ScenarioFile, staff: Mapping[str, Person]) -> Iterator[tuple[Location, str]]:
    """What no single key can know: people that are not there, cards that the shoe's order already says."""
    for number, step in enumerate(file.steps):
        for at, act in _acts(number, step):
            match act:
                case Said("console", StaffCardPresented(name)) if name not in staff:
                    yield at, _nobody(name, staff)
                case Commanded():
                    yield from ((at, _nobody(n, staff)) for n in (act.by, act.approved) if n and n not in staff)
                case Drawn() if _has_shoe(file):
                    yield at, "a card is named although the scenario has a shoe: write draw"
                case DrawNext() if not _has_shoe(file):
                    yield at, "draw needs shoe or seed; without them write cards"
                case Prepared(phase) if phase not in _PREPARED:
                    yield at, f"prepare leads to {', '.join(_PREPARED)}, not to {phase!r}"
                case _ if missing := _missing(file, act):
                    yield at, missing
                case _:
                    pass
    if file.sources != SourcesSection() and not file.readers:
        yield ("sources",), "sources are compared where readers lie: write readers"
    if file.shoe and file.seed is not None:
        yield ("seed",), "the shoe is given card by card: leave seed out"
    if file.cut_card is not None and file.seed is None:
        yield ("cut_card",), "cut_card goes with seed; in a shoe the cut card is written CUT"
    if file.burn and _has_shoe(file):
        yield ("burn",), "the burned cards are the first of the shoe: leave burn out"


def _missing(file: ScenarioFile, act: object) -> str:
    """Why the device that an act is about is not at the table; empty when it is, or the act is about none."""
    match act:
        case Seen(device) | Cable(device) if device not in DEVICES:
            place = device.removeprefix("box-").replace("-", ".")
            return "" if device in file.readers else f"no reader lies at {place}: write readers: {place}"
        case Cable(device) | Drawn(shoe=device) if device == SPARE and not file.spare:
            return "the table has one shoe: write spare: true"
        case _:
            return ""


def _has_shoe(file: ScenarioFile) -> bool:
    return bool(file.shoe) or file.seed is not None


def _acts(number: int, step: Step) -> Iterator[tuple[Location, object]]:
    for n, line in enumerate(step.do):
        for act in line.acts:
            yield ("steps", number, "do", n), act


def _nobody(name: str, staff: Mapping[str, Person]) -> str:
    return f"nobody is called {name!r}; staff: {', '.join(staff)}"


def _shoe(file: ScenarioFile, rules: LoadedRules) -> tuple[Drawn, ...] | None:
    if file.seed is None:
        return file.shoe or None
    pack = [Drawn(card) for card in DECK] * rules.rules.decks
    Random(file.seed).shuffle(pack)
    at = rules.rules.second_cut_at if file.cut_card is None else file.cut_card
    return (*pack[:at], Drawn(None, Manner.CUT_CARD), *pack[at:])
