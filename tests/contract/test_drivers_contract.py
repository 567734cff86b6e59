"""Every installed driver: never raises for any bytes, does not care where they are split, refuses unknown options."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from controller.app.plugins import DRIVER_GROUPS, load_driver, names
from drivers.api import Driver, Report

CASES = [(kind, name) for kind, group in DRIVER_GROUPS.items() for name in names(group)]


def make(kind: str, name: str) -> Driver:
    driver: Driver = load_driver(kind, name, "test")({})
    return driver


def fed(driver: Driver, pieces: Sequence[bytes]) -> list[str]:
    """What the reports are; a diagnosis may count the bytes it was made after, so texts are left out."""
    reports: list[Report] = list(driver.connected("c1", 1000))
    for piece in pieces:
        reports += driver.receive(piece, 1000)
    return [type(report.message).__name__ for report in reports]


def test_there_is_a_driver_of_every_kind() -> None:
    assert {kind for kind, _ in CASES} == set(DRIVER_GROUPS)


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_noise_never_raises_and_never_becomes_an_event(kind: str, name: str) -> None:
    chance = random.Random(7)
    driver = make(kind, name)
    driver.connected("c1", 0)
    for at_ms in range(0, 20_000, 100):
        for report in (*driver.receive(chance.randbytes(40), at_ms), *driver.tick(at_ms)):
            assert not report.identity
        driver.outgoing()


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_where_the_bytes_are_split_does_not_matter(kind: str, name: str) -> None:
    chance = random.Random(8)
    data = chance.randbytes(600)
    whole = fed(make(kind, name), [data])
    assert fed(make(kind, name), [data[i : i + 1] for i in range(len(data))]) == whole
    assert fed(make(kind, name), [data[:333], data[333:]]) == whole


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_an_unknown_option_is_named(kind: str, name: str) -> None:
    with pytest.raises(ValueError, match="no_such_option"):
        load_driver(kind, name, "test")({"no_such_option": 1})
