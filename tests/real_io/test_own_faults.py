"""A fault of the controller itself: what it ends is noticed, put on record and begun again, or the shoe is locked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bench.brokers import Mosquitto

BUG = 70


def test_a_device_whose_thread_died_holds_the_table_and_comes_back(house: Any, until: Callable[..., None]) -> None:
    house.configure()
    process = house.run(bug=("session-dies",), TMPDIR=str(house.folder))
    house.deal()
    said = process.says("ended the connection to shoe")
    assert "(ZeroDivisionError: planted in the driver); it is made anew" in said
    until(lambda: any(e["type"] == "tablewatch.table.held" for e in house.events()), "the table is held")
    house.plays_on(8)
    house.comes_to_rest()
    assert process.stop() == 0
    told = [e["data"] for e in house.events() if e["type"] == "tablewatch.device.fault"]
    assert [(data["device"], data["code"]) for data in told if data["code"] == "controller_fault"] == [
        ("shoe", "controller_fault")
    ]
    assert "Traceback" not in process.text
    (crash,) = house.folder.glob("tablewatch-*.crash")
    assert "planted in the driver" in crash.read_text(encoding="utf-8")
    house.is_whole()


@pytest.mark.broker
def test_a_publication_that_died_goes_on(house: Any, mosquitto: Mosquitto, until: Callable[..., None]) -> None:
    house.configure(broker=f'urls = ["{mosquitto.url}"]')
    process = house.run(bug=("publication-dies",), TMPDIR=str(house.folder))
    process.says("a fault of the controller ended the publication; it is begun again")
    house.lay_chips(3)
    house.acknowledged()
    heard = house.tablewatch("tail", str(house.toml), "--from", "1")
    heard.says("controller started")
    assert process.stop() == 0
    assert "Traceback" not in process.text


def test_a_fault_that_ends_the_writer_locks_the_shoe(house: Any, until: Callable[..., None]) -> None:
    house.configure()
    process = house.run(bug=("writer-dies",), TMPDIR=str(house.folder))
    process.says("shoe.*online")
    process.says("console.*online")
    until(lambda: house.table.console.texts[0], "the console shows the table")
    house.table.press("open_table")
    assert process.ends() == BUG
    assert "tablewatch: a fault of tablewatch itself: ZeroDivisionError: planted in the writer" in process.text
    assert house.table.console.texts[:2] == ("CONTROLLER FAILED", "stop dealing, call a supervisor")
    assert house.table.shoe.locked
    again = house.run()
    house.acknowledged()
    assert again.stop() == 0
    house.is_whole()
