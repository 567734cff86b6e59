"""The bench of real drivers: a real journal, real telegrams, and time that only it moves."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from controller.app.scenario.acts import Cable, Drawn, Manner, Prepared, Primitive, Restarted, Said, Waited
from controller.app.scenario.load import Scenario, scenario_of
from controller.app.scenario.look import Look
from controller.app.scenario.routine import Routine
from controller.app.scenario.source import parse_source
from controller.cli.scenario_devices import DeviceBench, Workshop
from controller.core.cards import Card
from drivers.messages import KeyPressed, WagerPlaced


@pytest.fixture
def scenario() -> Scenario:
    return scenario_of(parse_source("title: t\nrules: armenian\nsteps: [play]\n", "t"))


@pytest.fixture
def bench(scenario: Scenario) -> Iterator[DeviceBench]:
    """A table with open bets."""
    with Workshop() as workshop:
        made = workshop.bench(scenario)
        for act in Routine(scenario).acts(Prepared("betting"), lambda: Look(scenario.game, made.state), spare):
            made.perform(act)
        yield made
        made.close()


def spare() -> Drawn:
    return Drawn(Card("2C"))


def types(bench: DeviceBench, act: Primitive) -> list[str]:
    return [event.type for event in bench.perform(act)]


def bet(box: int) -> Said:
    return Said("bets", WagerPlaced(box, 1, "main", 500))


def test_an_act_is_over_when_all_it_causes_is_on_record(bench: DeviceBench) -> None:
    assert types(bench, bet(1)) == ["chips.placed", "round.opened", "box.bet"]
    assert types(bench, Drawn(Card("TS"))) == ["card.drawn", "round.bets_closed", "card.dealt"]
    assert types(bench, Drawn(None, Manner.UNREADABLE))[:2] == ["device.fault", "card.unreadable"]


def test_the_journal_is_a_real_one_and_whole(bench: DeviceBench) -> None:
    bench.perform(bet(1))
    assert bench.faults() == ()
    with sqlite3.connect(f"{bench.journal_path.as_uri()}?mode=ro", uri=True) as reader:
        kinds = [row[0] for row in reader.execute("SELECT type FROM events")]
    reader.close()
    assert "chips.placed" in kinds


def test_a_journal_that_was_changed_is_told(bench: DeviceBench) -> None:
    bench.perform(bet(1))
    with sqlite3.connect(bench.journal_path) as writer:
        guards = [row[0] for row in writer.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
        for guard in guards:
            writer.execute(f"DROP TRIGGER {guard}")
        (envelope,) = writer.execute("SELECT envelope FROM events WHERE type = 'chips.placed'").fetchone()
        changed = envelope.replace(b'"amount_minor":500', b'"amount_minor":900')
        assert changed != envelope
        writer.execute("UPDATE events SET envelope = ? WHERE type = 'chips.placed'", (changed,))
    writer.close()
    assert bench.faults() != ()


def test_time_passes_only_in_acts_and_links_stay_alive(bench: DeviceBench) -> None:
    assert types(bench, Waited(3_600_000)) == []
    assert bench.state.offline == ()
    assert types(bench, bet(1))[0] == "chips.placed"


def test_what_a_native_device_says_while_its_cable_is_out_comes_later(bench: DeviceBench) -> None:
    assert types(bench, Cable("bets", "unplug")) == ["device.offline"]
    assert types(bench, bet(1)) == []
    assert types(bench, Waited(60_000)) == []
    assert types(bench, Cable("bets", "plug")) == ["device.online", "chips.placed", "round.opened", "box.bet"]
    assert types(bench, Cable("bets", "plug")) == []


def test_a_card_drawn_without_a_cable_shows_as_a_gap(bench: DeviceBench) -> None:
    bench.perform(bet(1))
    assert "device.gap" in types(bench, Cable("shoe", "unplug"))
    assert types(bench, Drawn(Card("TS"))) == []
    assert types(bench, Cable("shoe", "plug")) == ["device.online"]
    assert types(bench, Drawn(Card("7H")))[0] == "device.gap"


def test_the_controller_comes_back_and_hears_every_event_once(bench: DeviceBench) -> None:
    bench.perform(bet(1))
    again = types(bench, Restarted())
    assert again[0] == "system.started"
    assert "chips.placed" not in again
    assert types(bench, Said("console", KeyPressed("collect"))) == ["dealer.signal", "violation.raised"]


def test_benches_leave_nothing_behind(scenario: Scenario) -> None:
    with Workshop() as workshop:
        made = workshop.bench(scenario)
        folder = made.journal_path.parent
        assert folder.is_dir()
        made.close()
        assert not folder.exists()
    assert not folder.parent.exists()
