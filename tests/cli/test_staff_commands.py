"""``tablewatch keygen`` and ``command`` against a running table on a real broker."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.app.check import usable
from controller.app.config import TableConfig
from controller.app.engine import Engine, TableSetup
from controller.app.plugins import load_game
from controller.app.rulesets import load_rules
from controller.app.runner import Runner
from controller.bus.endpoint import Endpoint
from controller.bus.follower import Follower
from controller.bus.keys import load_staff_key
from controller.bus.topics import Topics
from controller.clock import now_us
from controller.core.cards import Card
from controller.core.inputs import CardDrawn, CommandReceived, DealerSignalled, DeckSpread, Input, WagerPlaced
from controller.core.state import TableState
from controller.journal.chain import StoredEvent
from controller.journal.signing import load_or_make_key
from controller.journal.store import Journal

Cli = Callable[..., tuple[int, str, str]]
Until = Callable[[Callable[[], object], str], None]


@dataclass
class Running:
    """A running table, its configuration and the folder of its people's keys."""

    config: Path
    keys: Path
    runner: Runner


@pytest.fixture
def config(tmp_path: Path, broker: Endpoint, cli: Cli) -> Path:
    staff = ""
    for person, role in (("12", "supervisor"), ("47", "surveillance"), ("4711", "dealer")):
        code, out, _ = cli("keygen", tmp_path / f"{person}.key")
        assert code == 0
        (public_key,) = re.findall('public_key = "([0-9a-f]{64})"', out)
        staff += f'[[staff]]\nid = "{person}"\nrole = "{role}"\npublic_key = "{public_key}"\n'
    config = tmp_path / "TABLE.toml"
    config.write_text(
        '[table]\nsite = "lv1"\nid = "bj-012"\nruleset = "armenian"\n[journal]\npath = "table.journal"\n'
        f'[broker]\nurls = ["mqtt://127.0.0.1:{broker.port}"]\n{staff}'
    )
    return config


@pytest.fixture
def running(tmp_path: Path, config: Path, until: Until) -> Iterator[Running]:
    with _running(tmp_path, config, until) as running:
        yield running


@pytest.fixture
def in_a_round(tmp_path: Path, config: Path, until: Until) -> Iterator[Running]:
    """The table was left in a round with one stake."""
    lay_a_stake(usable(config).config)
    with _running(tmp_path, config, until) as running:
        yield running


def lay_a_stake(config: TableConfig) -> None:
    """What a controller had on record when it ended."""
    signer = load_or_make_key(config.journal.path.with_suffix(".key"))
    game = load_game("blackjack")
    setup = TableSetup(game, load_rules(game, "armenian", {}), {}, {}, "1")
    signals = (("shuffled", 0), ("player_cut", 100), ("second_cut", 208), ("shoe_loaded", 0))
    with Journal.open(config.journal.path, "lv1", "bj-012", signer=signer) as journal:
        engine = Engine(setup, journal, signer, NobodyIsTold())
        engine.start(now_us())
        inputs: list[Input] = [CommandReceived("open-table", "4711", "dealer"), DeckSpread("console", (6,) * 52)]
        inputs += [DealerSignalled("console", *signal) for signal in signals]
        inputs += [CardDrawn("shoe", Card("2D")), WagerPlaced("bets", 1, 1, "main", 500)]
        engine.apply(inputs, now_us())


class NobodyIsTold:
    """An outlet without anybody behind it."""

    def acknowledged(self, device: str, identity: str) -> None:
        """Nothing."""

    def committed(self, events: tuple[StoredEvent, ...], state: TableState) -> None:
        """Nothing."""


@contextlib.contextmanager
def _running(folder: Path, config: Path, until: Until) -> Iterator[Running]:
    runner = Runner(usable(config), lambda line: None, lambda event: None)
    thread = threading.Thread(target=runner.run)
    thread.start()
    until(lambda: (health := runner.health()) is not None and health.connected, "the table is connected")
    try:
        yield Running(config, folder, runner)
    finally:
        runner.stop()
        thread.join()


def test_a_key_pair_is_made_once(cli: Cli, tmp_path: Path) -> None:
    code, out, err = cli("keygen", tmp_path / "me.key")
    assert (code, err) == (0, "")
    assert load_staff_key(tmp_path / "me.key").public_key in out
    assert (tmp_path / "me.key").stat().st_mode & 0o077 == 0
    before = (tmp_path / "me.key").read_bytes()
    code, out, err = cli("keygen", tmp_path / "me.key")
    assert (code, out) == (2, "")
    assert err.startswith(f"tablewatch: key {tmp_path / 'me.key'}: ")
    assert (tmp_path / "me.key").read_bytes() == before


def test_a_signed_command_is_carried_out_or_refused_with_the_reason(cli: Cli, running: Running) -> None:
    def say(person: str, *words: object) -> tuple[int, str, str]:
        return cli("command", *words, "--config", running.config, "--key", running.keys / f"{person}.key", "--wait", 25)

    assert say("4711", "open-table") == (0, "open-table: executed\n", "")
    code, out, err = say("4711", "open-table")
    assert (code, out) == (1, "")
    assert err == "open-table: denied: the table is open already\n"
    code, _, err = say("4711", "resume", "correction=#1")
    assert code == 1
    assert "resume is for" in err
    code, _, err = say("12", "resume", "correction=#1")
    assert (code, err) == (1, "resume: denied: nothing waits for a correction\n")


def test_a_command_of_two_people_waits_for_the_second(cli: Cli, in_a_round: Running) -> None:
    def say(person: str, *words: object) -> tuple[int, str, str]:
        key = in_a_round.keys / f"{person}.key"
        return cli("command", *words, "--config", in_a_round.config, "--key", key, "--wait", 25)

    code, out, _ = say("12", "void-round", "reason=misdeal")
    assert code == 0
    assert "a second, different person must approve" in out
    (request,) = re.findall(r"tablewatch command approve (request=\S+)", out)
    assert say("12", "approve", request) == (1, "", "approve: denied: a second, different person must approve it\n")
    (line,) = [line for line in out.splitlines() if line.startswith("tablewatch ")]
    pasted = shlex.split(line.replace("second-person.key", shlex.quote(str(in_a_round.keys / "47.key"))))
    assert cli(*pasted[1:], "--wait", 25) == (0, "approve: executed\n", "")
    code, _, err = say("47", "approve", request)
    assert code == 1
    assert "no command of request" in err
    assert say("12", "void-round") == (1, "", "void-round: denied: no round is open\n")


def test_questions_need_no_key(cli: Cli, running: Running) -> None:
    code, out, err = cli("command", "ping", "--config", running.config, "--wait", 25)
    assert (code, err) == (0, "")
    assert re.fullmatch(r"ping: ok head=\d+ journalid=\w{26}\n", out)
    code, out, _ = cli("command", "replay", "from=1", "to=2", "--config", running.config, "--wait", 25)
    assert code == 0
    assert "from=1 " in out
    code, _, err = cli("command", "replay", "from=x", "to=2", "--config", running.config, "--wait", 25)
    assert code == 1
    assert "from and to are not whole numbers" in err


def test_a_stranger_is_refused(cli: Cli, running: Running) -> None:
    cli("keygen", running.keys / "stranger.key")
    words = ("command", "open-table", "--config", running.config, "--key", running.keys / "stranger.key", "--wait", 25)
    code, _, err = cli(*words)
    assert code == 2
    assert "nobody in TABLE.toml has this key" in err
    code, _, err = cli(*words, "--actor", "4711")
    assert (code, err) == (1, "open-table: denied: the signature is not the actor's\n")


@pytest.mark.parametrize(("port", "said"), [(0, "the table is not there"), (1, "broker mqtt://127.0.0.1:1: ")])
def test_a_table_or_broker_that_is_not_there_is_one_line(
    cli: Cli, broker: Endpoint, until: Until, port: int, said: str
) -> None:
    def told() -> bool:
        url = f"mqtt://127.0.0.1:{port or broker.port}"
        code, out, err = cli("command", "ping", "--broker", url, "--site", "lv1", "--table", "bj-099", "--wait", 0.5)
        assert (code, out, err.count("\n")) == (3, "", 1)
        return err.startswith(f"tablewatch: tablewatch/v1/lv1/bj-099: {said}")

    until(told, said)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["resume"], "resume must be signed: give your key"),
        (["resume", "--key", "missing.key"], "key missing.key: No such file or directory"),
        (["ping", "nonsense"], "'nonsense' is not key=value"),
        (["ping", "=x"], "'=x' is not key=value"),
        (["resume", "verdict=v1", "corection=burn"], "corection: unknown key; did you mean correction?"),
        (["open-table", "colour=red"], "open-table: colour: unknown key; known keys: reason"),
        (["void-round", "card=KD"], "void-round: card: unknown key; known keys: reason"),
        (["assign-card", "card=9X"], "'9X' is not a card: write rank and suit"),
        (["re/sume"], "'re/sume' is no command's name"),
        (["ping", "--wait", "0"], "--wait"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(cli: Cli, words: list[str], said: str) -> None:
    code, out, err = cli("command", *words, "--broker", "mqtt://localhost", "--site", "a", "--table", "b")
    assert (code, out) == (2, "")
    assert said in err


def test_meta_shows_the_rules_in_force_and_not_those_that_were_refused(
    tmp_path: Path, config: Path, broker: Endpoint, until: Until
) -> None:
    lay_a_stake(usable(config).config)
    config.write_text(config.read_text().replace("[journal]", "[rules]\nbox_max = 300000\n[journal]"))
    wanted, in_force = usable(config).rules.sha256, load_rules(load_game("blackjack"), "armenian", {}).sha256
    assert wanted != in_force
    follower = Follower((broker,), "looker", (Topics("lv1", "bj-012").meta,))
    heard: list[str] = []

    def hears_rules() -> bool:
        message = follower.next(0.1)
        if message is not None:
            heard.append(json.loads(message.payload)["rules"]["sha256"])
        return bool(heard)

    with _running(tmp_path, config, until):
        follower.start()
        try:
            until(hears_rules, "the meta")
        finally:
            follower.stop()
    assert heard[0] == in_force
