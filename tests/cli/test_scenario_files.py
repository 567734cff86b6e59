"""Every scenario of the repository: on the core and through the drivers, with the same result at every step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.app.config import ConfigError
from controller.app.plugins import load_game, names
from controller.app.scenario.core_bench import CoreBench
from controller.app.scenario.load import Scenario, load_scenario
from controller.app.scenario.play import play
from controller.cli.scenario_devices import Workshop
from controller.core.codes import CODES

FOLDER = Path(__file__).resolve().parents[1] / "scenarios"
FILES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.yaml"))


def reasons(name: str) -> dict[str, str]:
    """The first word of each line of a list with reasons, with the rest of the line."""
    lines = (FOLDER / name).read_text("utf-8").splitlines()
    return {line.split(maxsplit=1)[0]: line.split(maxsplit=1)[1] for line in lines if line and not line.startswith("#")}


PENDING = reasons("pending.txt")
HOLDING = [name for name in FILES if name not in PENDING]

GIVEN = [
    word
    for line in (FOLDER / "given.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
    for word in line.split()
]


@pytest.fixture(scope="module")
def workshop() -> Iterator[Workshop]:
    with Workshop() as made:
        yield made


@pytest.fixture(scope="module")
def bad_lines() -> Iterator[Workshop]:
    with Workshop(bad_lines=2026) as made:
        yield made


@pytest.mark.parametrize("name", HOLDING)
def test_it_holds_on_the_core_and_through_the_drivers(name: str, workshop: Workshop) -> None:
    scenario = load_scenario(FOLDER / name, name)
    core = play(scenario, CoreBench)
    devices = play(scenario, workshop.bench)
    assert core.failure is None
    assert devices.failure is None
    assert core.trace == devices.trace


@pytest.mark.parametrize("name", HOLDING[::8])
def test_it_holds_over_lines_that_lose_and_damage(name: str, bad_lines: Workshop) -> None:
    assert play(load_scenario(FOLDER / name, name), bad_lines.bench).failure is None


def why_not(name: str) -> str:
    """Why a scenario does not hold on the core; empty when it does."""
    try:
        failure = play(load_scenario(FOLDER / name, name), CoreBench).failure
    except ConfigError as error:
        return error.problems[0]
    return str(failure.mismatches[0]) if failure else ""


def test_a_pending_one_still_does_not_hold() -> None:
    for name in PENDING:
        assert (FOLDER / name).is_file(), f"{name} is gone: take it off pending.txt"
        assert why_not(name), f"{name} holds now: take it off pending.txt"


def test_a_pending_one_has_a_reason_and_one_that_holds_none() -> None:
    assert all(len(reason) > 10 for reason in PENDING.values())
    assert why_not(HOLDING[0]) == ""


def test_every_given_case_is_a_file() -> None:
    folders = {"P": "payouts", "S": "dealing"}
    assert [name for name in GIVEN if f"{folders[name[0]]}/{name}.yaml" not in FILES] == []
    assert len(GIVEN) == 87


def test_there_are_many_of_our_own() -> None:
    assert len([name for name in FILES if not name.startswith(("payouts/", "dealing/"))]) >= 60


def looked_for(scenario: Scenario) -> set[str]:
    """The verdict codes that the steps of a scenario find, or find waiting."""
    found: set[str] = set()
    for step in scenario.file.steps:
        found |= {verdict.code for verdict in step.find}
        found |= {waiting.code for waiting in (*(step.holds or ()), *(step.open or ()))}
    return found


def test_every_verdict_code_is_looked_for_by_some_scenario_or_it_says_why_not() -> None:
    games = [load_game(name) for name in names("tablewatch.games")]
    known = {code.code for code in (*CODES, *(code for game in games for code in game.codes))}
    found = set().union(*(looked_for(load_scenario(FOLDER / name, name)) for name in HOLDING))
    unnamed = reasons("unnamed.txt")
    assert sorted(known - found - unnamed.keys()) == [], "write a scenario, or say why not in unnamed.txt"
    assert sorted(unnamed.keys() & found) == [], "take it off unnamed.txt"
    assert sorted(unnamed.keys() - known) == [], "no such code"
