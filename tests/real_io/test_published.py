"""What a running table publishes: every payload fits the schema of its channel, and a shoe that is away is told."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from bench.brokers import Mosquitto
from controller.bus.topics import Topics
from firmware_sim.table import DEALER_CARD

if TYPE_CHECKING:
    from tests.real_io.conftest import Stranger

pytestmark = pytest.mark.broker
TOPICS = Topics("lv1", "bj-1")
SCHEMAS = Path(__file__).parents[2] / "docs/schemas"
OWN = ("status", "meta", "state", "alert", "heartbeat", "tele")
"""Channels whose payloads are no events."""
Until = Callable[..., None]
Listen = Callable[..., "Stranger"]


def channel_of(topic: str) -> str:
    first, _, rest = topic.removeprefix(f"{TOPICS.base}/").partition("/")
    return "heartbeat" if rest == "heartbeat" else first


def boxes_of(state: dict[str, Any]) -> list[Any]:
    return state["view"]["boxes"] if state["view"] else []


def validator(channel: str) -> Draft202012Validator:
    """The schema that the AsyncAPI document names for a channel."""
    asyncapi = json.loads((SCHEMAS / "asyncapi.json").read_text("utf-8"))
    reference = asyncapi["channels"][channel]["messages"]["message"]["payload"]["$ref"]
    return Draft202012Validator(json.loads((SCHEMAS / reference).read_text("utf-8")))


def changed(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The payload with a member left out, and with one of another type, for each."""
    for key in payload:
        yield {name: value for name, value in payload.items() if name != key}
        yield {**payload, key: {"other": [1.5]} if not isinstance(payload[key], dict) else "other"}


def test_what_is_published_fits_its_schema_and_nothing_else_does(
    house: Any, mosquitto: Mosquitto, listen: Listen, until: Until
) -> None:
    listener = listen(mosquitto.port, f"{TOPICS.base}/#")
    house.configure(broker=f'urls = ["{mosquitto.url}"]')
    process = house.run()
    house.deal()
    until(lambda: any(boxes_of(state) for state in listener.on(TOPICS.state)), "a bet is laid")
    house.plays_on()
    house.table.unplug("shoe")
    until(lambda: any(state["held"] for state in listener.on(TOPICS.state)), "the table is held")
    house.table.replug("shoe")
    house.comes_to_rest()
    until(lambda: listener.on(TOPICS.tele("shoe")) and listener.on(TOPICS.heartbeat), "counters and a heartbeat")
    assert process.stop() == 0
    heard: dict[str, list[dict[str, Any]]] = {}
    for topic, said, _ in listener.heard:
        if said:
            heard.setdefault(channel_of(topic), []).append(json.loads(said))
    assert set(OWN) <= heard.keys()
    for channel, payloads in heard.items():
        schema = validator(channel)
        for payload in payloads:
            schema.validate(payload)
    for channel in OWN:
        schema = validator(channel)
        accepted = [other for other in changed(heard[channel][-1]) if schema.is_valid(other)]
        assert accepted == [], channel
    played = copy.deepcopy(next(state for state in heard["state"] if boxes_of(state)))
    played["view"]["boxes"][0]["hands"] = "two"
    assert not validator("state").is_valid(played)


def test_a_shoe_that_never_came_is_told_to_the_dealer_and_to_the_floor(
    house: Any, mosquitto: Mosquitto, listen: Listen, until: Until
) -> None:
    console, table = house.table.console, house.table
    listener = listen(mosquitto.port, TOPICS.status, TOPICS.state)
    table.unplug("shoe")
    house.configure(broker=f'urls = ["{mosquitto.url}"]')
    process = house.run()
    until(lambda: console.texts[0] == "closed", "the console is followed")
    table.show_staff_card(DEALER_CARD)
    table.press("open_table")
    until(lambda: console.texts[2] == "shoe is offline: plug it in", lambda: f"it is told; {console.texts}")
    until(lambda: console.lamps[:3] == ("on", "off", "blink"), lambda: f"the lamp; {console.lamps}")
    assert console.texts[0].startswith("inspection"), "what is due stays on the other lines"
    until(lambda: listener.on(TOPICS.state)[-1]["shoes"]["offline"] == ["shoe"], "the state says it")
    assert listener.on(TOPICS.state)[-1]["shoes"]["advice"] == "shoe is offline: plug it in"
    said = ("degraded", "shoe is offline: plug it in")
    until(lambda: (listener.on(TOPICS.status)[-1]["state"], listener.on(TOPICS.status)[-1]["reason"]) == said, "status")
    table.replug("shoe")
    until(lambda: console.texts[2] == "shoe 0 drawn 0 table 0", lambda: f"it is there; {console.texts}")
    until(lambda: listener.on(TOPICS.state)[-1]["shoes"]["advice"] == "", "the state says it")
    assert process.stop() == 0
