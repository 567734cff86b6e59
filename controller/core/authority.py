"""Who may give a table a command, and who stands behind one that is keyed at the console."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from controller.core.inputs import CommandReceived
from controller.core.records import replace
from controller.core.state import TableState

STAFF_PRESENT_US: Final = 120 * 1_000_000
"""How long a staff card shown at the console speaks for its owner."""
APPROVE: Final = "approve"
"""The second person's word for what a first one has signed."""


class Refused(Exception):  # noqa: N818
    """A command that cannot be carried out now; the text is the reason for the person."""


@dataclass(frozen=True, slots=True)
class Authority:
    """Who may give a command: the roles, and whether a second, different person must approve; and the names of the
    ``arguments`` that it takes over the bus (docs/mqtt.md): a ``reason`` goes on record with any."""

    roles: frozenset[str]
    two_people: bool = False
    arguments: tuple[str, ...] = ("reason",)


_FLOOR: Final = frozenset({"supervisor", "pit"})
_TABLE: Final = _FLOOR | {"dealer"}
APPROVERS: Final = frozenset({"dealer", "supervisor", "pit", "surveillance"})
AUTHORITY: Final = {
    "open-table": Authority(_TABLE),
    "close-table": Authority(_TABLE),
    "out-of-service": Authority(frozenset({"supervisor", "technician"})),
    "back-in-service": Authority(frozenset({"supervisor", "technician"})),
    "resume": Authority(_FLOOR, arguments=("verdict", "correction", "card", "reason")),
    "confirm-card": Authority(_FLOOR, two_people=True, arguments=("card", "verdict", "reason")),
    "assign-card": Authority(_FLOOR, two_people=True, arguments=("card", "verdict", "reason")),
    "void-round": Authority(_FLOOR, two_people=True),
    "pair-device": Authority(_FLOOR, arguments=("device", "serial", "reason")),
    "hand-over": Authority(_FLOOR, two_people=True, arguments=("device", "reason")),
    "ack-alert": Authority(frozenset({"dealer", "supervisor", "surveillance"}), arguments=("verdict", "reason")),
    APPROVE: Authority(APPROVERS, arguments=("request", "reason")),
}
"""Every command a table takes, with who may give it and what it may say."""


def at_console(state: TableState, event: CommandReceived, at_us: int) -> CommandReceived:
    """A command keyed at a console is given by whoever showed a staff card there shortly before, the newest of those
    who may; an approval, by another one than the person who waits for it, if there is one."""
    if event.actor or event.name not in AUTHORITY:
        return event
    wanted = AUTHORITY[event.name].roles
    here = [s for s in state.staff if s.device == event.device and at_us - s.at_us <= STAFF_PRESENT_US]
    able = [s for s in here if s.role in wanted]
    if event.name == APPROVE:
        signers = {s.command.actor for s in state.signed if s.command.device == event.device}
        able = [s for s in able if s.staff not in signers] or able
    return replace(event, actor=able[-1].staff, role=able[-1].role) if able else event


def authorise(event: CommandReceived) -> None:
    """Raises Refused unless whoever gives the command may."""
    authority = AUTHORITY.get(event.name)
    if authority is None:
        raise Refused(f"no such command; commands are {', '.join(sorted(AUTHORITY))}")
    if not event.actor:
        raise Refused(f"show a staff card first: {' or '.join(sorted(authority.roles))}")
    if event.role not in authority.roles:
        raise Refused(f"role {event.role or 'none'} may not; it needs {' or '.join(sorted(authority.roles))}")


def second_person(event: CommandReceived) -> None:
    """Raises Refused unless a second, different person who may has approved the command."""
    if not event.approver or event.approver == event.actor:
        raise Refused("a second, different person must approve it")
    if event.approver_role not in APPROVERS:
        raise Refused(f"role {event.approver_role or 'none'} may not approve; {', '.join(sorted(APPROVERS))} may")
