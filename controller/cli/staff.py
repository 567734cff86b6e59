"""``tablewatch keygen`` and ``tablewatch command``: a person's key, and a signed command with its answer."""

from __future__ import annotations

import secrets
import shlex
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from controller.app.bus import command_specs
from controller.bus.commands import READ_ONLY, argument_fault
from controller.bus.follower import Follower
from controller.bus.keys import StaffKey, Target, load_staff_key, new_staff_key, sign_command, unsigned_request
from controller.bus.link import Received
from controller.bus.wire import BadJsonError, Message, from_json
from controller.cli.guard import CannotError, ExitCode
from controller.cli.screen import complain, output
from controller.cli.where import BrokerOption, InsecureOption, SiteOption, TableOption, Where, find_table
from controller.clock import now_us
from controller.core.words import clean

MAX_ANSWER_BYTES: Final = 16 * 1024
GONE: Final = frozenset({"lost", "offline"})
"""States in which a table answers nothing."""
SECOND_KEY: Final = "second-person.key"
"""Stands for the file that only the approver knows."""
FINAL_STAGES: Final = frozenset({"executed", "rejected", "refused", "pending"})


def keygen(
    file: Annotated[Path, typer.Argument(help="The new file for the private key.", show_default=False)],
) -> None:
    """Make a person's key pair for signed commands."""
    key = new_staff_key()
    key.save(file)
    screen = output()
    screen.print(Text(f"private key written to {file}; only its owner may have it", "green"))
    screen.print(f'for TABLE.toml, in the person\'s [[staff]]:\npublic_key = "{key.public_key}"')


def command(
    name: Annotated[str, typer.Argument(help="The command, such as resume or void-round.", show_default=False)],
    arguments: Annotated[list[str] | None, typer.Argument(help="Its arguments, key=value.", show_default=False)] = None,
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="The table's TABLE.toml.", show_default=False)
    ] = None,
    broker: BrokerOption = "",
    site: SiteOption = "",
    table: TableOption = "",
    insecure_lab: InsecureOption = False,
    key: Annotated[Path | None, typer.Option("--key", help="The file of your private key.", show_default=False)] = None,
    actor: Annotated[str, typer.Option("--actor", help="Who you are; found by your key in TABLE.toml.")] = "",
    wait_s: Annotated[float, typer.Option("--wait", min=0.1, max=600, help="Seconds to wait for the answer.")] = 10.0,
) -> None:
    """Send a signed command to a table, show the answer."""
    args = parse_arguments(arguments or [])
    if not all(c.isascii() and (c.isalnum() or c == "-") for c in name) or not 1 <= len(name) <= 32:
        raise typer.BadParameter(f"{name!r} is no command's name: 1 to 32 of a-z, 0-9 and '-'", param_hint="NAME")
    if name not in READ_ONLY:
        _check(name, args)
    staff_key = load_staff_key(key) if key is not None else None
    if staff_key is None and name not in READ_ONLY:
        raise typer.BadParameter(f"{name} must be signed: give your key", param_hint="--key")
    where = find_table(config, broker, site, table, insecure_lab=insecure_lab)
    actor = actor or _actor_of(where, staff_key)
    if staff_key is not None and not actor:
        raise typer.BadParameter("nobody in TABLE.toml has this key: say who you are", param_hint="--actor")
    with_answer = _Sending(where, name, args, staff_key, actor)
    answer = with_answer.run(wait_s)
    _tell(name, answer, _way(config, broker, site, table, insecure_lab=insecure_lab))


def parse_arguments(arguments: list[str]) -> dict[str, object]:
    """``key=value`` as an object; a whole number becomes one, unless it is a ``reason``. Raises BadParameter."""
    found: dict[str, object] = {}
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if not equals or not key:
            raise typer.BadParameter(f"{argument!r} is not key=value", param_hint="ARGUMENTS")
        whole = value.isascii() and value.isdecimal() and len(value) <= 15 and key != "reason"
        found[key] = int(value) if whole else value
    return found


def _check(name: str, args: Mapping[str, object]) -> None:
    """Raises BadParameter for arguments that the table would refuse, before anything is sent. A command that this
    version does not know is left to the table."""
    fault = next((argument_fault(spec, args) for spec in command_specs() if spec.name == name), "")
    if fault:
        raise typer.BadParameter(fault, param_hint="ARGUMENTS")


def _actor_of(where: Where, key: StaffKey | None) -> str:
    return next((person.id for person in where.staff if key is not None and person.public_key == key.public_key), "")


class _Sending:
    """One command on its way: it waits for the table's epoch, sends once, and waits for the last answer."""

    def __init__(self, where: Where, name: str, args: Mapping[str, object], key: StaffKey | None, actor: str) -> None:
        self._where = where
        self._name = name
        self._args = args
        self._key = key
        self._actor = actor
        self._client = f"cli-{secrets.token_hex(4)}"
        self._corr = secrets.token_hex(8)
        topics = where.topics
        self._follower = Follower(where.endpoints, self._client, (topics.status, topics.rsp(self._client)))

    def run(self, wait_s: float) -> dict[str, Any]:
        """The last answer. Raises CannotError when there is none."""
        self._follower.start()
        try:
            return self._talk(time.monotonic() + wait_s)
        finally:
            self._follower.stop()

    def _talk(self, until_s: float) -> dict[str, Any]:
        topics = self._where.topics
        sent, accepted = False, False
        for message in self._messages(until_s):
            value = _object(message)
            if message.topic == topics.status and not sent:
                if value.get("state") in GONE:
                    continue
                epoch = value.get("epoch")
                if type(epoch) is int:
                    self._follower.send(Message(topics.cmd(self._name), self._payload(epoch)))
                    sent = True
            elif message.topic != topics.status and value.get("corr") == self._corr:
                if self._name in READ_ONLY or value.get("status") != "ok" or value.get("stage") in FINAL_STAGES:
                    return value
                accepted = True
        raise CannotError(self._silence(sent, accepted))

    def _payload(self, epoch: int) -> bytes:
        topics = self._where.topics
        if self._key is None:
            return unsigned_request(self._client, self._corr, self._args)
        return sign_command(
            self._key,
            Target(topics.site, topics.table, epoch),
            name=self._name,
            actor=self._actor,
            client=self._client,
            args=self._args,
            now_us=now_us(),
            corr=self._corr,
        )

    def _messages(self, until_s: float) -> Iterator[Received]:
        while (left_s := until_s - time.monotonic()) > 0:
            message = self._follower.next(min(0.1, left_s))
            if message is not None:
                yield message

    def _silence(self, sent: bool, accepted: bool) -> str:
        table = self._where.topics.base
        if self._follower.trouble:
            return f"{table}: {self._follower.trouble}"
        if not sent:
            return f"{table}: the table is not there (no living status); is the controller running on this broker?"
        what = "accepted the command but has not carried it out" if accepted else "has not answered"
        return f"{table}: the table {what} in time; its journal says what became of it"


def _object(message: Received) -> dict[str, Any]:
    try:
        return from_json(message.payload, MAX_ANSWER_BYTES)
    except BadJsonError:
        return {}


def _way(config: Path | None, broker: str, site: str, table: str, *, insecure_lab: bool) -> list[str]:
    """The options that lead to the same table once more."""
    words = {"--config": str(config) if config else "", "--broker": broker, "--site": site, "--table": table}
    given = [word for option, value in words.items() if value for word in (option, value)]
    return [*given, *(["--insecure-lab"] if insecure_lab else [])]


def _tell(name: str, answer: dict[str, Any], way: list[str]) -> None:
    """Show the answer; ``way`` are the options of a command to the same table."""
    stage = clean(str(answer.get("stage", "")))
    if answer.get("status") != "ok":
        complain(f"{name}: {clean(str(answer.get('status')))}: {clean(str(answer.get('reason', stage)))}")
        raise typer.Exit(ExitCode.WRONG)
    screen = output()
    if stage == "pending":
        screen.print(f"{name}: a second, different person must approve it within two minutes:")
        words = ["tablewatch", "command", "approve", f"request={answer.get('request')}", *way, "--key", SECOND_KEY]
        screen.print(clean(shlex.join(words), 1000))
        return
    hidden = {"corr", "name", "status", "stage", "time", "epoch", "request"}
    more = " ".join(f"{key}={value}" for key, value in sorted(answer.items()) if key not in hidden)
    screen.print(Text(clean(f"{name}: {stage or 'ok'} {more}".rstrip()), "green"))
