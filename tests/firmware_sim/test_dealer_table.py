"""The whole simulated table over real ports, read by the real drivers: what they report is what happened."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.waiting import until
from drivers.api import Driver, LineSettings, Report
from drivers.bets import DRIVER as BETS
from drivers.console import DRIVER as CONSOLE
from drivers.messages import (
    CardDrawn,
    CardUnreadable,
    CutCardDrawn,
    DeviceIdentified,
    LinkChanged,
    SetLamp,
    ShoeStarted,
    ShowText,
)
from drivers.session import DeviceSession
from drivers.shoes.angel_eye import DRIVER as SHOE
from firmware_sim.entries import CardLeft, CardPut, CutCardLeft, Place, Said, ShoeFilled
from firmware_sim.faults import Faults
from firmware_sim.table import SimTable

SPEED = 20.0


class Host:
    """Sessions on the three devices that make everything durable at once."""

    def __init__(self, table: SimTable) -> None:
        self.reports: list[tuple[str, Report]] = []
        self._lock = threading.Lock()
        made: dict[str, tuple[Driver, LineSettings]] = {
            "shoe": (SHOE({}), SHOE.line),
            "console": (CONSOLE({"allow_simulated": True}), CONSOLE.line),
            "bets": (BETS({"allow_simulated": True}), BETS.line),
        }
        self.sessions = {
            name: DeviceSession(name, table.urls[name], driver, self._take, line=line)
            for name, (driver, line) in made.items()
        }

    def _take(self, device: str, report: Report) -> None:
        with self._lock:
            self.reports.append((device, report))
        if report.reliable and report.identity:
            self.sessions[device].committed(report.identity)

    def of(self, device: str, *kinds: type) -> list[object]:
        with self._lock:
            return [r.message for name, r in self.reports if name == device and isinstance(r.message, kinds)]

    @property
    def identities(self) -> list[str]:
        with self._lock:
            return [report.identity for name, report in self.reports if name != "shoe" and report.identity]

    def start(self) -> None:
        for session in self.sessions.values():
            session.start()

    def stop(self) -> None:
        stopped = [session.stop() for session in self.sessions.values()]
        assert all(stopped)


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SimTable]:
    """On ptys, unless the test asks for another transport."""
    made = SimTable(tmp_path, seed=3, speed=SPEED, transport=getattr(request, "param", "pty"))
    made.start()
    yield made
    assert made.stop()


@pytest.fixture
def host(table: SimTable) -> Iterator[Host]:
    made = Host(table)
    made.start()
    until(lambda: made.of("console", DeviceIdentified) != [] and made.of("bets", DeviceIdentified) != [])
    until(lambda: LinkChanged in {type(message) for message in made.of("shoe", LinkChanged)})
    yield made
    made.stop()


def play_a_little(table: SimTable) -> None:
    """Some of everything that hands do at a table."""
    table.show_staff_card("STAFF-DEALER-1")
    table.press("open_table")
    table.spread((6,) * 52)
    table.press("player_cut", value=100)
    table.load_shoe(100, second_cut_at=10)
    table.place(3, 1, "main", 500)
    for _ in range(4):
        card = table.draw()
        assert isinstance(card, CardLeft)
        table.lay(card, 3)
    named = table.draw(readable=False)
    assert isinstance(named, CardLeft)
    table.shoe.clear_error()
    table.name_card(named)
    table.press("hit", box=3, hand=1)
    for _ in range(6):
        table.draw()
    table.place(3, 1, "double", 500)
    table.take_back(3, 1, "double", 500)
    table.pay(3, 1, "main", 750)
    table.take(3, 1, "main", 500)


def cards_left(table: SimTable) -> list[tuple[int, str]]:
    return [(e.rank, e.suit) for e in table.world.entries if isinstance(e, CardLeft) and e.readable]


@pytest.mark.parametrize("table", ["pty", "tcp"], indirect=True)
def test_what_the_drivers_report_is_what_happened(table: SimTable, host: Host) -> None:
    play_a_little(table)
    until(lambda: table.acknowledged and table.shoe.quiet)
    until(lambda: len(host.of("shoe", CardDrawn)) == 9)
    said = [entry for entry in table.world.entries if isinstance(entry, Said)]
    for device in ("console", "bets"):
        mine = [entry.message for entry in said if entry.device == device]
        assert host.of(device, *{type(message) for message in mine}) == mine
    assert sorted(host.identities) == sorted(table.world.identities)
    assert [(m.rank, m.suit) for m in host.of("shoe", CardDrawn) if isinstance(m, CardDrawn)] == cards_left(table)
    assert len(host.of("shoe", CutCardDrawn)) == 1
    assert len(host.of("shoe", CardUnreadable)) == 1
    assert CutCardLeft(1, 10) in table.world.entries
    assert len(table.world.cards) == 10


def test_a_person_sees_what_the_host_shows_and_that_it_is_gone(table: SimTable, host: Host) -> None:
    before = table.console.interruptions
    for line, text in enumerate(("held v1 EXTRA_CARD", "card to box 3", "shoe 1 drawn 5 table 5", "1 burn")):
        host.sessions["console"].command(ShowText(line, text))
    host.sessions["console"].command(SetLamp(1, "blink"))
    until(lambda: table.look().held and table.console.lamps[1] == "blink" and table.look().corrections == ("burn",))
    assert (table.look().code, table.look().drawn, table.look().following) == ("EXTRA_CARD", 5, True)
    assert table.console.interruptions == before + 1
    host.sessions["console"].stop()
    until(lambda: not table.look().following)


def test_events_of_an_unplugged_and_rebooted_device_come_later(table: SimTable, host: Host) -> None:
    table.press("shuffled")
    until(lambda: table.acknowledged)
    table.unplug("console")
    table.press("player_cut", value=77)
    table.reboot("console")
    table.press("second_cut", value=208)
    assert not table.acknowledged
    table.replug("console")
    until(lambda: table.acknowledged)
    assert host.identities == list(table.world.identities)
    assert len({identity.rsplit(":", 1)[0] for identity in host.identities}) == 2


@pytest.mark.parametrize("lost", [True, False])
def test_spoiled_copies_still_bring_the_card_once(table: SimTable, host: Host, lost: bool) -> None:
    table.load_shoe(50)
    with table.spoiled_copies(lost=lost):
        table.draw()
        assert dict(table.fault_counts) == {} or set(table.fault_counts) <= {"drop_copy", "corrupt_copy"}
    assert table.fault_counts == {"drop_copy" if lost else "corrupt_copy": 2}
    table.draw()
    until(lambda: len(host.of("shoe", CardDrawn)) == 2 and table.shoe.quiet)
    assert [(m.rank, m.suit) for m in host.of("shoe", CardDrawn) if isinstance(m, CardDrawn)] == cards_left(table)


def test_a_shoe_that_restarts_says_so(table: SimTable, host: Host) -> None:
    table.load_shoe(50)
    table.reboot("shoe")
    until(lambda: table.shoe.quiet)
    table.draw()
    until(lambda: len(host.of("shoe", CardDrawn)) == 1)
    assert len(host.of("shoe", ShoeStarted)) == 1


def test_the_order_of_the_cards_follows_from_the_seed_and_the_cut(tmp_path: Path) -> None:
    def order(seed: int, cut_at: int) -> list[tuple[int, str]]:
        table = SimTable(tmp_path, seed=seed)
        table.load_shoe(cut_at)
        while table.draw() is not None:
            pass
        assert table.world.entries[0] == ShoeFilled(1, 312, 208)
        assert [e.after for e in table.world.entries if isinstance(e, CutCardLeft)] == [208]
        cards = cards_left(table)
        assert sorted(cards) == sorted([(rank, suit) for rank in range(1, 14) for suit in "SHDC"] * 6)
        return cards

    assert order(1, 100) == order(1, 100)
    assert order(1, 100) == order(1, 0)[100:] + order(1, 0)[:100]
    assert sorted(order(1, 100)[:50]) != sorted(order(2, 100)[:50])


def test_the_cut_card_can_be_drawn_again(tmp_path: Path) -> None:
    table = SimTable(tmp_path)
    table.load_shoe(0, second_cut_at=2)
    drawn = [table.draw() for _ in range(3)]
    assert isinstance(drawn[2], CutCardLeft)
    table.put_cut_card_back()
    assert table.cut_card_next
    again, after = table.draw(), table.draw()
    assert again == drawn[2]
    assert isinstance(after, CardLeft)
    assert after.number == 3


def test_a_card_without_a_sensor_is_only_in_the_record(tmp_path: Path) -> None:
    table = SimTable(tmp_path)
    table.load_shoe(0)
    card = table.draw()
    assert isinstance(card, CardLeft)
    table.put(card, Place.BURNED)
    assert table.world.entries[-1] == CardPut(1, 1, Place.BURNED)
    assert table.bets.last_event == 0


def test_a_device_without_power_has_no_event_but_the_chips_lie_there(tmp_path: Path) -> None:
    table = SimTable(tmp_path)
    table.bets.power_loss()
    table.place(3, 1, "main", 500)
    last = table.world.entries[-1]
    assert isinstance(last, Said)
    assert last.identity == ""
    assert table.world.identities == ()


def test_bad_lines_lose_no_card_and_no_event(tmp_path: Path) -> None:
    faults = Faults(seed=4, drop_copy=0.3, corrupt_copy=0.3, drop_frame=0.15, corrupt_frame=0.1, split=0.2, noise=0.2)
    table = SimTable(tmp_path, seed=9, speed=SPEED, faults=faults)
    table.start()
    host = Host(table)
    host.start()
    try:
        until(lambda: len(host.of("console", DeviceIdentified)) > 0 and len(host.of("shoe", LinkChanged)) > 0)
        play_a_little(table)
        until(lambda: table.acknowledged and len(host.of("shoe", CardDrawn)) == 9)
        assert sorted(host.identities) == sorted(table.world.identities)
        assert [(m.rank, m.suit) for m in host.of("shoe", CardDrawn) if isinstance(m, CardDrawn)] == cards_left(table)
        assert sum(table.fault_counts.values()) > 0
    finally:
        host.stop()
        assert table.stop()
