"""Every installed shoe: over any line the truth comes out once and in order, or a gap is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from controller.app.plugins import DRIVER_GROUPS, names
from drivers.api import Capabilities, Driver, LinkCounters, Report
from drivers.messages import CardDrawn, DeviceCommand
from firmware_sim.profiles import PROFILES
from firmware_sim.trials.registry import TRIALS
from firmware_sim.trials.rig import Result

SHOES = names(DRIVER_GROUPS["shoe"])
ACTS = 200
Play = Callable[..., Result]


def test_every_installed_shoe_has_a_trial() -> None:
    assert {name for kind, name in TRIALS if kind == "shoe"} == set(SHOES)


@pytest.mark.parametrize("profile_name", PROFILES)
@pytest.mark.parametrize("name", SHOES)
def test_the_truth_comes_out_once_or_a_gap_is_named(play: Play, name: str, profile_name: str) -> None:
    result = play("shoe", name, profile_name, ACTS)
    assert result.judgement.wrong == ""
    assert result.judgement.facts > ACTS * 3 // 4
    if profile_name in ("clean", "nominal"):
        assert result.judgement.lost == 0
    assert bool(result.counts) == (profile_name != "clean")


@pytest.mark.parametrize("name", SHOES)
def test_most_cards_survive_a_harsh_line(play: Play, name: str) -> None:
    judgement = play("shoe", name, "harsh", ACTS, seed=2).judgement
    assert judgement.wrong == ""
    assert judgement.heard > judgement.facts * 9 // 10


@pytest.mark.parametrize("name", SHOES)
def test_the_same_seed_gives_the_same_run(play: Play, name: str) -> None:
    assert play("shoe", name, "hostile", 60, seed=7) == play("shoe", name, "hostile", 60, seed=7)
    assert play("shoe", name, "hostile", 60, seed=7) != play("shoe", name, "hostile", 60, seed=8)


class Liar:
    """A driver around another one that spoils what is reported about every tenth card."""

    def __init__(self, inner: Driver, spoil: Callable[[Report], Sequence[Report]]) -> None:
        self._inner = inner
        self._spoil = spoil
        self._cards = 0

    @property
    def capabilities(self) -> Capabilities:
        return self._inner.capabilities

    @property
    def counters(self) -> LinkCounters:
        return self._inner.counters

    def connected(self, connection: str, now_ms: int) -> Sequence[Report]:
        return self._inner.connected(connection, now_ms)

    def disconnected(self, reason: str, now_ms: int) -> Sequence[Report]:
        return self._inner.disconnected(reason, now_ms)

    def receive(self, data: bytes, now_ms: int) -> Sequence[Report]:
        reports: list[Report] = []
        for report in self._inner.receive(data, now_ms):
            is_card = isinstance(report.message, CardDrawn)
            self._cards += is_card
            reports += self._spoil(report) if is_card and self._cards % 10 == 0 else (report,)
        return reports

    def tick(self, now_ms: int) -> Sequence[Report]:
        return self._inner.tick(now_ms)

    def outgoing(self) -> bytes:
        return self._inner.outgoing()

    def committed(self, identity: str) -> None:
        self._inner.committed(identity)

    def command(self, command: DeviceCommand, request: int) -> None:
        self._inner.command(command, request)


def another_face(report: Report) -> Sequence[Report]:
    assert isinstance(report.message, CardDrawn)
    changed = CardDrawn(report.message.rank % 13 + 1, report.message.suit, draw_index=report.message.draw_index)
    return (Report(changed, report.identity, report.reliable),)


@pytest.mark.parametrize(
    "spoil", [lambda report: (), lambda report: (report, report), another_face], ids=["lost", "twice", "another face"]
)
@pytest.mark.parametrize("name", SHOES)
def test_a_driver_that_loses_doubles_or_changes_a_card_is_found_out(
    play: Play, name: str, spoil: Callable[[Report], Sequence[Report]]
) -> None:
    assert play("shoe", name, "nominal", 60, wrap=lambda driver: Liar(driver, spoil)).judgement.wrong
