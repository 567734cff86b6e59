"""The simulated table with a native shoe: the same hands, another wire."""

from __future__ import annotations

import threading
from pathlib import Path

from bench.waiting import until
from drivers.api import Report
from drivers.messages import CardDrawn, CutCardDrawn, ShoeStarted
from drivers.session import DeviceSession
from drivers.shoes.native import DRIVER
from firmware_sim.entries import CardLeft, CutCardLeft
from firmware_sim.table import SimTable


def test_cards_cut_card_and_a_restart_on_the_native_link(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    table = SimTable(tmp_path, seed=3, speed=50, shoe="native")
    table.start()
    table.load_shoe(cut_at=100, second_cut_at=3)
    heard: list[Report] = []

    def take(_name: str, report: Report) -> None:
        heard.append(report)
        if report.reliable:
            session.committed(report.identity)

    session = DeviceSession(
        "shoe",
        table.urls["shoe"],
        DRIVER({"allow_simulated": True}),
        take,
        line=DRIVER.line,
    )
    session.start()
    try:
        drawn = [table.draw() for _ in range(5)]
        assert [type(card) for card in drawn] == [CardLeft, CardLeft, CardLeft, CutCardLeft, CardLeft]
        table.reboot("shoe")
        table.draw(readable=False)
        until(lambda: table.shoe.quiet and len([r for r in heard if r.reliable]) >= 9)
    finally:
        assert session.stop()
        assert table.stop()
    messages = [report.message for report in heard if report.reliable]
    cards = [(message.rank, message.suit) for message in messages if isinstance(message, CardDrawn)]
    assert cards == [(card.rank, card.suit) for card in drawn if isinstance(card, CardLeft)]
    assert [type(message) for message in messages].count(CutCardDrawn) == 1
    assert [message.reason for message in messages if isinstance(message, ShoeStarted)] == ["power_on", "software"]
    assert set(threading.enumerate()) <= before
