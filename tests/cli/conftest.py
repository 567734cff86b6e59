"""A real journal of real rounds for the commands' tests, played through the engine."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import RootModel

from bench import waiting
from controller.app.engine import Engine, TableSetup
from controller.app.plugins import load_game
from controller.app.rulesets import load_rules
from controller.bus.backoff import Backoff
from controller.bus.broker import free_port
from controller.bus.commands import CommandJudge, CommandRefusal, CommandRequest, ReadRequest
from controller.bus.endpoint import Endpoint
from controller.bus.keys import Target
from controller.bus.payloads import Condition
from controller.bus.publisher import Publisher
from controller.bus.topics import Topics
from controller.bus.voice import Identity, Pace
from controller.cli.main import run
from controller.core.cards import Card
from controller.core.inputs import (
    CardDrawn,
    ChipsCollected,
    ChipsPaid,
    CommandReceived,
    DealerSignalled,
    DecisionSignalled,
    Input,
    WagerPlaced,
    WagerWithdrawn,
)
from controller.core.state import TableState
from controller.journal.chain import StoredEvent
from controller.journal.outbox import Outbox
from controller.journal.signing import load_or_make_key
from controller.journal.store import Journal

PATIENCE_S = 30.0
TIME_US = 1_767_268_800_000_000
"""2026-01-01 12:00 UTC; every input comes a second later."""


class Silent:
    """An outlet that tells nobody."""

    def acknowledged(self, device: str, identity: str) -> None:
        """Nothing."""

    def committed(self, events: tuple[StoredEvent, ...], state: TableState) -> None:
        """Nothing."""


@dataclass
class Play:
    """A table in play whose inputs are given directly."""

    path: Path
    engine: Engine
    journal: Journal
    public_key: str
    at_us: int = TIME_US
    facts: list[Any] = field(default_factory=list)

    def say(self, *inputs: Input) -> None:
        for event in inputs:
            self.at_us += 1_000_000
            device = getattr(event, "device", "")
            self.facts.extend(self.engine.apply((event,), self.at_us, device, f"id-{self.at_us}" if device else ""))

    def signals(self, *signals: str, value: int = 0) -> None:
        self.say(*(DealerSignalled("console", signal, value) for signal in signals))

    def cards(self, text: str) -> None:
        self.say(*(CardDrawn("shoe", Card(card)) for card in text.split()))

    def open(self) -> None:
        """Open, load the first shoe and burn a card."""
        self.say(CommandReceived("open-table", "4711", "dealer"))
        self.signals("shuffled")
        self.signals("second_cut", value=208)
        self.signals("shoe_loaded")
        self.cards("5C")

    def bet(self, box: int, amount_minor: int, person: int = 1) -> None:
        self.say(WagerPlaced("bets", box, person, "main", amount_minor))

    def won_and_lost(self) -> None:
        """Box 1 wins with 20 (paid wrong first), box 3 is bust, the dealer has 19."""
        self.bet(1, 2500)
        self.bet(3, 1000)
        self.signals("no_more_bets")
        self.cards("KD TS 9H QD 6C")
        self.say(DecisionSignalled("console", 1, "stand"), DecisionSignalled("console", 3, "hit"))
        self.cards("8D")
        self.say(ChipsCollected("bets", 3, 1, "main", 1000))
        self.cards("TC")
        self.say(ChipsPaid("bets", 1, 1, "main", 5000), ChipsCollected("bets", 1, 1, "main", 2500))
        self.signals("collect")

    def voided(self) -> None:
        """A round of one bet that is voided by two people after the first card."""
        self.bet(2, 500)
        self.signals("no_more_bets")
        self.cards("AS")
        self.say(CommandReceived("void-round", "12", "supervisor", "47", "surveillance", "misdeal"))
        self.say(WagerWithdrawn("bets", 2, 1, "main", 500))
        self.signals("collect")


@pytest.fixture
def journal_path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


@pytest.fixture
def table(journal_path: Path) -> Iterator[Play]:
    yield from play_of(journal_path, "blackjack", {"inspection": False, "player_cut": False})


@pytest.fixture
def blot_table(journal_path: Path) -> Iterator[Play]:
    """A closed table of Blot."""
    yield from play_of(journal_path, "blot", {})


def play_of(journal_path: Path, game_name: str, keys: dict[str, Any]) -> Iterator[Play]:
    """A table of this game by its rule set ``armenian`` with these keys changed."""
    signer = load_or_make_key(journal_path.with_suffix(".key"))
    game = load_game(game_name)
    rules = load_rules(game, "armenian", keys)
    with Journal.open(journal_path, "lv1", "bj-012", signer=signer) as journal:
        engine = Engine(TableSetup(game, rules, {}, {}, "0.1.0", simulated=True), journal, signer, Silent())
        engine.start(TIME_US)
        yield Play(journal_path, engine, journal, signer.public_key)


@pytest.fixture
def played(table: Play) -> Play:
    """Two rounds: one settled, one void."""
    table.open()
    table.won_and_lost()
    table.voided()
    return table


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    """Run the command line in this process: exit code, standard output, standard error."""
    monkeypatch.delenv("COLUMNS", raising=False)

    def call(*arguments: object) -> tuple[int, str, str]:
        code = run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return int(code), said.out, said.err

    return call


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Poll until ``condition`` holds; fail saying ``what`` was waited for."""
    waiting.until(condition, what, PATIENCE_S)


@pytest.fixture
def until() -> Callable[[Callable[[], object], str], None]:
    return wait_until


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Endpoint]:
    """A real mosquitto on loopback."""
    endpoint = Endpoint("127.0.0.1", free_port())
    config = tmp_path / "mosquitto.conf"
    config.write_text(f"listener {endpoint.port} 127.0.0.1\nallow_anonymous true\npersistence false\nuser root\n")
    quiet = subprocess.DEVNULL
    mosquitto = shutil.which("mosquitto", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    assert mosquitto, "mosquitto is not installed: apt-get install mosquitto"
    with subprocess.Popen([mosquitto, "-c", config], stdout=quiet, stderr=quiet) as process:

        def answers() -> bool:
            with socket.socket() as probe:
                return probe.connect_ex((endpoint.host, endpoint.port)) == 0

        wait_until(answers, "mosquitto listens")
        yield endpoint
        process.kill()


class NoCommands:
    """A sink that takes nothing."""

    def accepted(self, request: CommandRequest) -> None:
        """Nothing."""

    def refused(self, refusal: CommandRefusal) -> None:
        """Nothing."""

    def served(self, request: ReadRequest, detail: str) -> None:
        """Nothing."""


@pytest.fixture
def publisher(table: Play, broker: Endpoint) -> Iterator[Publisher]:
    """The voice of ``table`` on ``broker``, not started yet."""
    topics = Topics("lv1", "bj-012")
    made = Publisher(
        (broker,),
        Identity(topics, table.journal.journal_id, table.journal.epoch),
        table.journal,
        Outbox(table.path.with_suffix(".cursor"), table.journal.journal_id),
        CommandJudge(Target("lv1", "bj-012", table.journal.epoch), (), ()),
        NoCommands(),
        pace=Pace(heartbeat_s=0.2, cursor_s=0.05, farewell_s=0.5),
        backoff=Backoff(0.05, 0.2),
    )
    made.set_status(Condition("ready", service="open"))
    made.set_meta(RootModel[dict[str, Any]]({"currency": "EUR", "devices": [{"name": "shoe"}]}))
    yield made
    if made.running:
        made.stop()
