"""A table of simulated devices on real ptys, and the controller as the process that a person would start."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client, ConnectFlags, MQTTMessage, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from bench import waiting
from bench.brokers import Mosquitto
from bench.finish import audit_differences
from bench.record import Recorded, differences
from bench.trial_table import device, person, trial_table
from controller.bus.broker import free_port
from controller.bus.topics import Topics
from controller.journal.reader import JournalReader
from firmware_sim.dealer import Dealer
from firmware_sim.supervisor import Supervisor
from firmware_sim.table import DEALER_CARD, SUPERVISOR_CARD, SimTable
from firmware_sim.watch import CALM_S

DEADLINE_S = 45.0
SITE, TABLE = "lv1", "bj-1"
TOPICS = Topics(SITE, TABLE)
PLANTED = str(Path(__file__).with_name("planted.py"))


def wait_until(condition: Callable[[], object], what: str | Callable[[], str]) -> None:
    """Poll until it holds; fail with what was waited for."""
    waiting.until(condition, what, DEADLINE_S)


class Process:
    """A process of `tablewatch`, its output in a file. ``arguments`` are Python's."""

    def __init__(self, log: Path, arguments: Sequence[str], before: Sequence[str], environment: dict[str, str]) -> None:
        self.log = log
        command = [*before, sys.executable, *arguments]
        with log.open("wb") as out:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "NO_COLOR": "1", **environment},
            )

    @property
    def text(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def lines(self, pattern: str) -> list[str]:
        """Lines in which the pattern is found."""
        return [line for line in self.text.splitlines() if re.search(pattern, line)]

    def says(self, pattern: str) -> str:
        """Wait for a line with the pattern."""
        wait_until(lambda: self.lines(pattern), lambda: f"a line like {pattern!r}; it said:\n{self.text}")
        return self.lines(pattern)[0]

    def ends(self) -> int:
        """Wait for its end."""
        try:
            return self._process.wait(DEADLINE_S)
        except subprocess.TimeoutExpired:
            pytest.fail(f"it did not end; it said:\n{self.text}")

    def send(self, number: signal.Signals) -> None:
        if self.running:
            self._process.send_signal(number)

    def stop(self) -> int:
        self.send(signal.SIGTERM)
        return self.ends()

    def kill(self) -> None:
        self.send(signal.SIGKILL)
        self._process.wait()

    def complaint(self) -> str:
        """It has ended, and the one line that says why; no traceback."""
        self.ends()
        assert "Traceback" not in self.text, self.text
        (line,) = [line for line in self.text.splitlines() if line.startswith("tablewatch: ")]
        return line.removeprefix("tablewatch: ")


class House:
    """The simulated table and everything that is started for it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = folder / "table.sqlite"
        self.toml = folder / "table.toml"
        self.table = SimTable(folder, seed=5, speed=8.0)
        self.supervisor = Supervisor(self.table)
        self.dealer = Dealer(self.table, self.supervisor, rounds=1000, seed=5)
        self._processes: list[Process] = []
        self._people: list[Dealer | Supervisor] = []
        self.table.start()

    def configure(self, *, broker: str = "embedded = false", journal: Path | None = None, extra: str = "") -> Path:
        """Write TABLE.toml; ``broker`` are the lines of that section."""
        self.journal = journal or self.journal
        drivers = {"shoe": "angel-eye", "console": "native", "bets": "native"}
        devices = [device(name, driver, self.folder / name) for name, driver in drivers.items()]
        people = (person("4711", "dealer", DEALER_CARD), person("12", "supervisor", SUPERVISOR_CARD))
        text = trial_table(*devices, *people, extra, broker=broker, journal=self.journal)
        self.toml.write_text(text, encoding="utf-8")
        return self.toml

    def run(self, before: Sequence[str] = (), bug: Sequence[str] = (), **environment: str) -> Process:
        """`tablewatch run` on the configuration, after the words of ``before``, with a ``bug`` of `planted`."""
        return self.tablewatch("run", str(self.toml), before=before, bug=bug, **environment)

    def tablewatch(
        self, *arguments: str, before: Sequence[str] = (), bug: Sequence[str] = (), **environment: str
    ) -> Process:
        """A command; ``bug`` are the first words for `planted`, which then starts it."""
        log = self.folder / f"output-{len(self._processes)}.log"
        launcher = [PLANTED, *bug] if bug else ["-c", "from controller.cli.main import main; main()"]
        self._processes.append(Process(log, [*launcher, *arguments], before, environment))
        return self._processes[-1]

    def deal(self) -> None:
        """People come to the table and play until they are told to leave."""
        self._people = [self.dealer, self.supervisor]
        self.supervisor.start()
        self.dealer.start()

    def plays_on(self, cards: int = 3) -> None:
        """Wait until so many more cards were dealt."""
        before = self.dealer.report.cards
        wait_until(
            lambda: self.dealer.report.cards >= before + cards, lambda: f"cards; it shows {self.table.console.texts}"
        )

    def lay_chips(self, count: int) -> None:
        for _ in range(count):
            self.table.place(1, 1, "main", 500)

    def acknowledged(self) -> None:
        """Wait until the devices were told that everything they said is kept."""
        wait_until(lambda: self.table.acknowledged, "every event is acknowledged")

    def comes_to_rest(self) -> None:
        """The dealer leaves; wait until the supervisor has put everything right."""
        self.dealer.stop()
        console = self.table.console

        def rests() -> bool:
            display = self.table.look()
            calm = time.monotonic() - console.interrupted_s >= CALM_S
            counted = max(display.drawn, 0) == len(self.table.world.cards)
            return calm and display.free and counted and self.table.acknowledged and self.table.shoe.quiet

        wait_until(rests, lambda: f"the table comes to rest; it shows {console.texts}")

    def events(self) -> list[dict[str, Any]]:
        """Envelopes on record."""
        with JournalReader(self.journal) as reader:
            return [event.parsed() for event in reader.events()]

    def is_whole(self) -> None:
        """The record is intact, folds to what it says, and has every event and card exactly once."""
        recorded = Recorded()
        recorded.read_on(self.journal)
        assert differences(self.table.world, recorded) == []
        found, _checkpoints = audit_differences(self.journal, starts=len(self._processes))
        assert found == []

    def close(self) -> None:
        for somebody in self._people:
            somebody.stop()
        for process in self._processes:
            process.kill()
        self.table.stop()


class Stranger:
    """A bare MQTT client that keeps what it hears on its topics."""

    def __init__(self, port: int, *filters: str) -> None:
        self.heard: list[tuple[str, bytes, bool]] = []
        self._filters = filters
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv311)
        self._client.on_connect = self._subscribe
        self._client.on_message = self._keep
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def send(self, name: str, payload: bytes, *, retain: bool = False) -> None:
        """A payload on ``cmd/{name}``, once the broker has it."""
        self._client.publish(f"{TOPICS.base}/cmd/{name}", payload, 1, retain).wait_for_publish(30)

    def on(self, topic: str) -> list[dict[str, Any]]:
        return [json.loads(payload) for name, payload, _ in tuple(self.heard) if name == topic and payload]

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _subscribe(self, client: Client, _u: object, _f: ConnectFlags, _r: ReasonCode, _p: Properties | None) -> None:
        if self._filters:
            client.subscribe([(name, 1) for name in self._filters])

    def _keep(self, _client: Client, _userdata: object, message: MQTTMessage) -> None:
        self.heard.append((message.topic, bytes(message.payload), message.retain))


@pytest.fixture
def listen() -> Iterator[Callable[..., Stranger]]:
    """Makes clients of a broker's port and topics."""
    made: list[Stranger] = []

    def connect(port: int, *filters: str) -> Stranger:
        made.append(Stranger(port, *filters))
        return made[-1]

    yield connect
    for client in made:
        client.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.close()


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    folder = tmp_path / "mosquitto"
    folder.mkdir()
    with Mosquitto(folder) as broker:
        yield broker


@pytest.fixture
def closed_port() -> int:
    return free_port()


@pytest.fixture
def until() -> Callable[..., None]:
    return wait_until
