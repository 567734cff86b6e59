"""Acts of two people: what the first one signed is kept, and the second one approves that and nothing else.

The table keeps the command as it would be carried out: with the verdict and the correction that were meant and the
round it was about. When the table has moved on before the second word comes, that word is refused.
"""

from __future__ import annotations

from typing import Any, Final

from controller.core.authority import Refused, second_person
from controller.core.facts import CommandSigned
from controller.core.inputs import CommandReceived
from controller.core.records import replace
from controller.core.state import Signed, TableState

SIGNED_US: Final = 120 * 1_000_000
"""How long a first signature waits for the second: somebody has to walk over and look."""
MOST_SIGNED: Final = 16
"""Commands that may wait for a second person at once; a table has one or two."""


def sign(state: TableState, command: CommandReceived, round_id: str, at_us: int, facts: list[Any]) -> TableState:
    """Keep what the first person has given until the second one approves it. At a console it takes the place of what
    waited there, and only a staff card that is shown after it counts for its approval. Raises Refused."""
    console = command.device
    waiting = [s for s in state.signed if not (console and s.command.device == console)]
    if len(waiting) >= MOST_SIGNED:
        raise Refused(f"{MOST_SIGNED} commands wait for a second person: approve them, or try again in two minutes")
    facts.append(
        CommandSigned(
            command.name,
            command.actor,
            command.request,
            command.verdict,
            command.correction,
            command.card,
            round_id,
            command.reason,
        )
    )
    staff = tuple(s for s in state.staff if not console or s.device != console or s.staff == command.actor)
    return replace(state, signed=(*waiting, Signed(command, round_id, at_us)), staff=staff)


def approved(state: TableState, approval: CommandReceived, round_id: str) -> CommandReceived:
    """The signed command that this approval completes, with its second person. Raises Refused."""
    signed = next((s for s in state.signed if _meant(s, approval)), None)
    if signed is None:
        here = f"of request {approval.approves}" if approval.approves else "at this console"
        raise Refused(f"no command {here} waits for approval: it must be signed first, within two minutes")
    command = signed.command
    completed = replace(command, approver=approval.actor, approver_role=approval.role)
    second_person(completed)
    moved = ""
    if command.verdict and all(v.id != command.verdict for v in state.verdicts):
        moved = f"{command.verdict} is closed"
    elif signed.round != round_id:
        moved = f"round {signed.round} is over" if signed.round else f"round {round_id} has begun"
    if moved:
        raise Refused(f"the table has moved since {command.actor} signed {command.name}: {moved}; sign it anew")
    return completed


def settled(state: TableState, command: CommandReceived) -> TableState:
    """Forget what waited for the matter that a command has just settled: the command itself, and any other about the
    same verdict, which was signed for the table as it stood before."""
    left = tuple(
        s for s in state.signed if not (_same(s.command, command) or (command.verdict == s.command.verdict != ""))
    )
    return state if len(left) == len(state.signed) else replace(state, signed=left)


def aged(state: TableState, at_us: int) -> TableState:
    """The state at this time: signatures that waited too long are gone, and so is everything that was shown or signed
    later than now, for the clock was set back since."""
    staff, signed = state.staff, state.signed
    # Both are in the order of time: every card pays for this look.
    if (staff and staff[-1].at_us > at_us) or (signed and signed[-1].at_us > at_us):
        return replace(state, staff=(), signed=())
    if signed and at_us - signed[0].at_us >= SIGNED_US:
        return replace(state, signed=tuple(s for s in signed if at_us - s.at_us < SIGNED_US))
    return state


def _meant(signed: Signed, approval: CommandReceived) -> bool:
    if approval.device:
        return signed.command.device == approval.device
    return bool(approval.approves) and signed.command.request == approval.approves


def _same(one: CommandReceived, other: CommandReceived) -> bool:
    return (one.request, one.device, one.name) == (other.request, other.device, other.name)
