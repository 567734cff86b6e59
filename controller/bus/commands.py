"""Who may tell a table what: judging the payloads that arrive on ``cmd/{name}`` (docs/mqtt.md).

The judge keeps what it needs to refuse a repetition; it does no I/O and reads no clock. Whether a second person must
approve is the table's own business, which knows what is asked of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import assert_never

from controller.bus.keys import Role, StaffMember, Target, signature_fits
from controller.bus.topics import is_id
from controller.bus.wire import BadJsonError, from_json, time_us_of, to_json
from controller.core.cards import Card
from controller.core.problems import unknown_key
from controller.core.words import clean

MAX_COMMAND_BYTES = 16 * 1024
MAX_LIFE_US = 30_000_000
MAX_SKEW_US = 2_000_000
"""How far ahead a sender's clock may be."""
MAX_TEXT = 64
MAX_NONCES = 4096
"""Nonces remembered: not by time, since the clock may be set back and an old command would be good again."""
REFUSALS_AT_ONCE = 20
REFUSALS_PER_S = 2
"""How many refusals are handed on (and journaled): a flood must not fill the disk."""


class Status(StrEnum):
    """The ``status`` of an answer."""

    OK = "ok"
    ERROR = "error"
    DENIED = "denied"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A command, the ``roles`` that may give it, and the names of the ``arguments`` that it takes."""

    name: str
    roles: frozenset[Role]
    arguments: tuple[str, ...]


READ_ONLY = frozenset({"ping", "rebirth", "replay"})
"""Commands that change nothing: open to any connected client, unsigned."""


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A command that everything speaks for; the table still decides whether it is legal now.

    ``request`` is unique for ever. ``args`` are as `argument_fault` allows them.
    """

    request: str
    name: str
    client: str
    corr: str
    actor: str
    role: Role
    args: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class CommandRefusal:
    """A payload that is not followed. ``name``, ``client``, ``corr`` and ``actor`` are as claimed, cleaned,
    maybe empty;
    ``suppressed`` counts earlier refusals that were not handed on because they came in a flood.
    """

    name: str
    client: str
    corr: str
    actor: str
    status: Status
    reason: str
    suppressed: int = 0


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """A command that only reads."""

    name: str
    client: str
    corr: str
    args: Mapping[str, object]


Judgement = CommandRequest | CommandRefusal | ReadRequest


class _RefusedError(Exception):
    def __init__(self, status: Status, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


@dataclass(slots=True)
class _Claim:
    """What a payload says of itself, as far as it could be read."""

    name: str
    client: str = ""
    corr: str = ""
    actor: str = ""
    content: dict[str, object] = field(default_factory=dict)


class CommandJudge:
    """The judge of one table in one life. Belongs to one thread."""

    def __init__(self, target: Target, staff: Iterable[StaffMember], specs: Iterable[CommandSpec]) -> None:
        self.target = target
        self._staff = {member.actor: member for member in staff}
        self._specs = {spec.name: spec for spec in specs}
        self._nonces: dict[str, int] = {}
        self._forgotten_us = 0

    def judge(self, name: str, payload: bytes, size: int, *, retained: bool, now_us: int) -> Judgement:
        """What is to be made of a payload on ``cmd/{name}``. ``size`` is its true length, ``payload`` may
        be cut to
        nothing when that is too much. Never raises for any payload.
        """
        claim = _Claim(name if is_id(name) else "")
        try:
            self._read(claim, payload, size, retained)
            if claim.name in READ_ONLY:
                return ReadRequest(claim.name, claim.client, claim.corr, _args(claim.content))
            return self._judge_signed(claim, now_us)
        except _RefusedError as error:
            return CommandRefusal(claim.name, claim.client, claim.corr, claim.actor, error.status, error.reason)

    def _read(self, claim: _Claim, payload: bytes, size: int, retained: bool) -> None:
        if size > MAX_COMMAND_BYTES:
            raise _RefusedError(Status.ERROR, f"{size} bytes, more than {MAX_COMMAND_BYTES}")
        try:
            claim.content = from_json(payload, MAX_COMMAND_BYTES)
        except BadJsonError as error:
            raise _RefusedError(Status.ERROR, str(error)) from error
        claim.corr = _text(claim.content, "corr")
        claim.actor = _text(claim.content, "actor")
        client = claim.content.get("client")
        if not is_id(client):
            raise _RefusedError(Status.ERROR, "client is not an id: 1 to 32 of a-z, 0-9 and '-'")
        claim.client = str(client)
        if retained:
            raise _RefusedError(Status.DENIED, "retained: commands are never retained")
        if claim.name not in READ_ONLY and claim.name not in self._specs:
            known = ", ".join(sorted(READ_ONLY | self._specs.keys()))
            raise _RefusedError(Status.ERROR, f"unknown command {claim.name!r}; known are {known}")

    def _judge_signed(self, claim: _Claim, now_us: int) -> Judgement:
        content = claim.content
        here = (claim.name, self.target.site, self.target.table)
        if (content.get("name"), content.get("site"), content.get("table")) != here:
            raise _RefusedError(Status.DENIED, "name, site or table in the payload are not those of the topic")
        member = self._staff.get(claim.actor)
        if member is None:
            raise _RefusedError(Status.DENIED, "unknown actor")
        signed = to_json({key: value for key, value in content.items() if key != "signature"})
        if not signature_fits(member.public_key, str(content.get("signature")), signed):
            raise _RefusedError(Status.DENIED, "the signature is not the actor's")
        if content.get("epoch") != self.target.epoch:
            raise _RefusedError(
                Status.EXPIRED, f"epoch {str(content.get('epoch'))[:20]}, the table is in {self.target.epoch}"
            )
        self._check_time(content, now_us)
        args = _args(content)
        spec = self._specs[claim.name]
        _check_role(spec, member)
        fault = argument_fault(spec, args)
        if fault:
            raise _RefusedError(Status.ERROR, fault)
        request = f"{self.target.epoch}-{content['nonce']}"
        return CommandRequest(request, claim.name, claim.client, claim.corr, member.actor, member.role, args)

    def _check_time(self, content: Mapping[str, object], now_us: int) -> None:
        """Issued and expiring within 30 seconds, and a nonce not seen before: not even where the clock was set back."""
        try:
            issued_us, expires_us = time_us_of(content.get("issued")), time_us_of(content.get("expires"))
        except (ValueError, OverflowError) as error:
            raise _RefusedError(Status.ERROR, f"issued or expires: {error}") from error
        if not 0 < expires_us - issued_us <= MAX_LIFE_US:
            raise _RefusedError(Status.DENIED, "expires is not within 30 s after issued")
        if issued_us > now_us + MAX_SKEW_US:
            raise _RefusedError(Status.DENIED, "issued in the future; set the sender's clock")
        if expires_us <= now_us:
            raise _RefusedError(Status.EXPIRED, "expired")
        nonce = content.get("nonce")
        if not isinstance(nonce, str) or not 16 <= len(nonce) <= MAX_TEXT or not nonce.isalnum() or not nonce.isascii():
            raise _RefusedError(Status.ERROR, f"nonce is not 16 to {MAX_TEXT} letters and digits")
        if nonce in self._nonces:
            raise _RefusedError(Status.DENIED, "this nonce was used before")
        if expires_us <= self._forgotten_us:
            raise _RefusedError(Status.EXPIRED, "older than commands that are forgotten; is the clock set back?")
        if len(self._nonces) >= MAX_NONCES:
            self._forget_oldest(now_us)
        self._nonces[nonce] = expires_us

    def _forget_oldest(self, now_us: int) -> None:
        """Make room for a nonce: the one that expired first goes, and with it everything as old."""
        oldest = min(self._nonces, key=self._nonces.__getitem__)
        if self._nonces[oldest] > now_us:
            raise _RefusedError(Status.ERROR, "too many commands at once; try again in 30 s")
        self._forgotten_us = max(self._forgotten_us, self._nonces.pop(oldest))


class RefusalLimiter:
    """Lets refusals through at a rate that the journal bears, and counts the others."""

    def __init__(self) -> None:
        self._tokens = float(REFUSALS_AT_ONCE)
        self._last_us: int | None = None
        self._suppressed = 0

    def admit(self, refusal: CommandRefusal, now_us: int) -> CommandRefusal | None:
        """The refusal with the number of those held back before it, or None when it is held back itself."""
        if self._last_us is not None:
            gained = max(0, now_us - self._last_us) * REFUSALS_PER_S / 1_000_000
            self._tokens = min(float(REFUSALS_AT_ONCE), self._tokens + gained)
        self._last_us = now_us
        if self._tokens < 1:
            self._suppressed += 1
            return None
        self._tokens -= 1
        suppressed, self._suppressed = self._suppressed, 0
        return CommandRefusal(
            refusal.name, refusal.client, refusal.corr, refusal.actor, refusal.status, refusal.reason, suppressed
        )


def argument_fault(spec: CommandSpec, args: Mapping[str, object]) -> str:
    """Why these cannot be the arguments of the command, one line for a person; empty where they can. What would be
    passed over is a slip of the pen: no command is carried out as half of what was written."""
    for name, value in args.items():
        if name not in spec.arguments:
            return f"{spec.name}: {unknown_key(clean(name, MAX_TEXT), spec.arguments)}"
        if type(value) not in (str, int):
            return f"{spec.name}: {name} is neither a text nor a whole number"
        if name == "card":
            try:
                Card(str(value))
            except ValueError as error:
                return f"{spec.name}: {clean(str(error), 2 * MAX_TEXT)}"
    return ""


def answer_of(judgement: CommandRequest | CommandRefusal) -> dict[str, object]:
    """What is said at once on ``rsp/{client}``; an accepted command gets a second answer when it was
    carried out.
    """
    answer: dict[str, object] = {"corr": judgement.corr, "name": judgement.name}
    match judgement:
        case CommandRequest():
            return answer | {"status": Status.OK, "stage": "accepted", "request": judgement.request}
        case CommandRefusal():
            return answer | {"status": judgement.status, "stage": "refused", "reason": judgement.reason}
        case _:
            assert_never(judgement)


def _check_role(spec: CommandSpec, member: StaffMember) -> None:
    if member.role not in spec.roles:
        raise _RefusedError(Status.DENIED, f"{spec.name} is for {', '.join(sorted(spec.roles))}, not {member.role}")


def _args(content: Mapping[str, object]) -> Mapping[str, object]:
    args = content.get("args", {})
    if not isinstance(args, dict):
        raise _RefusedError(Status.ERROR, "args is not an object")
    return args


def _text(content: Mapping[str, object], key: str) -> str:
    """A short printable text of a stranger's, empty when it is not given. Refuses a long or an odd one."""
    value = content.get(key, "")
    if not isinstance(value, str) or len(value) > MAX_TEXT or not value.isprintable():
        raise _RefusedError(Status.ERROR, f"{key} is not a printable text of at most {MAX_TEXT} characters")
    return value
