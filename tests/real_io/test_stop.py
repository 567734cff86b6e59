"""SIGTERM and Ctrl-C end a table cleanly at any moment: status 0, ``offline`` on the bus, a whole record."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Callable
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

from bench.brokers import Mosquitto
from controller.bus.broker import free_port

STATUS = "tablewatch/v1/lv1/bj-1/status"


@pytest.mark.broker
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_in_the_middle_of_a_round_ends_cleanly(
    house: Any, mosquitto: Mosquitto, number: signal.Signals, until: Callable[..., None]
) -> None:
    house.configure(broker=f'urls = ["{mosquitto.url}"]')
    process = house.run()
    house.deal()
    house.plays_on()
    states: list[str] = []

    def heard(_client: Client, _userdata: object, message: MQTTMessage) -> None:
        states.append(json.loads(message.payload)["state"])

    client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv311)
    client.on_message = heard
    client.connect("127.0.0.1", mosquitto.port)
    client.subscribe(STATUS, 1)
    client.loop_start()
    until(lambda: states, "the retained status comes")
    process.send(number)
    assert process.ends() == 0
    until(lambda: states[-1] == "offline", lambda: f"the goodbye; it said {states}")
    client.disconnect()
    client.loop_stop()
    assert "lost" not in states
    assert "Traceback" not in process.text
    assert house.events()[-1]["type"] == "tablewatch.system.stopped"
    again = house.run()
    house.comes_to_rest()
    assert again.stop() == 0
    house.is_whole()


@pytest.mark.broker
def test_a_broker_that_stands_still_holds_no_stop_up(house: Any, until: Callable[..., None]) -> None:
    port = free_port()
    house.configure(broker=f"embedded_port = {port}")
    pid_file = house.folder / "table.sqlite.broker" / "nats.pid"
    process = house.run()

    def connected() -> bool:
        with socket.socket() as probe:
            return pid_file.exists() and probe.connect_ex(("127.0.0.1", port)) == 0

    until(connected, "the embedded broker listens")
    os.kill(int(pid_file.read_text()), signal.SIGSTOP)
    assert process.stop() == 0
    assert "Traceback" not in process.text
    assert house.events()[-1]["type"] == "tablewatch.system.stopped"


def test_a_second_signal_does_not_hurt(house: Any) -> None:
    house.configure()
    process = house.run()
    house.deal()
    house.plays_on(1)
    for _ in range(3):
        process.send(signal.SIGINT)
    assert process.ends() == 0
    assert "Traceback" not in process.text
    assert house.events()[-1]["type"] == "tablewatch.system.stopped"


def test_a_table_without_any_device_stops_at_once(house: Any) -> None:
    path = house.configure()
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.index("[[device]]")], encoding="utf-8")
    process = house.run()
    process.says("controller started")
    assert process.stop() == 0
    assert [e["type"].removeprefix("tablewatch.") for e in house.events()][-1] == "system.stopped"
