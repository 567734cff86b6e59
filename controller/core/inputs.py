"""Inputs: what devices, people and the controller's own start said. The only things that change a table.

The journal keeps every input; the table's state is the fold of `controller.core.table.step` over them. ``TYPE`` is the
event type on record and on the bus. ``device`` is the name of the device in the table's configuration, empty when a
person said it through a command.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from controller.core.cards import Card
from controller.core.records import quick
from controller.core.sources import SettleOn, Source


@dataclass(frozen=True, slots=True)
class SystemStarted:
    """The controller started; ``epoch`` counts starts of this journal. ``fold`` is the revision of the rules engine
    that concludes from now on (0: from before it was recorded); ``currency`` that of every amount until the next start
    (three capital letters; empty: from before it was recorded)."""

    TYPE: ClassVar[str] = "system.started"
    epoch: int
    version: str
    simulated: bool = False
    fold: int = 0
    currency: str = ""


@dataclass(frozen=True, slots=True)
class RulesChosen:
    """The rule set the table plays from now on, whole, so that a record explains itself. ``sha256`` is of ``rules``."""

    TYPE: ClassVar[str] = "rules.changed"
    game: str
    name: str
    rules: dict[str, Any]
    sha256: str


@dataclass(frozen=True, slots=True)
class SourcesChosen:
    """The sources of cards that the table has from now on, and what a round is settled on. ``silence_s`` and
    ``silence_cards``: so long, and so many further cards, a source may be silent about a card it should see."""

    TYPE: ClassVar[str] = "sources.changed"
    settle_on: SettleOn
    silence_s: int
    silence_cards: int
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class SourcesWaited:
    """The clock says: for ``waited_s`` seconds no source has said anything new, and one is still waited for."""

    TYPE: ClassVar[str] = "sources.waited"
    device: str
    waited_s: int


@dataclass(frozen=True, slots=True)
class ShoesChosen:
    """The names of the table's shoes where it has several: the first one is in use until another takes over, the others
    are spares."""

    TYPE: ClassVar[str] = "shoes.chosen"
    shoes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeviceOnline:
    """A device answered and said who it is. ``forgets``: cards leave it, and it keeps nothing of those that left while
    its link was down."""

    TYPE: ClassVar[str] = "device.online"
    device: str
    model: str = ""
    serial: str = ""
    firmware: str = ""
    simulated: bool = False
    boot: int = 0
    forgets: bool = False


@dataclass(frozen=True, slots=True)
class DeviceStranger:
    """A device whose serial number does not belong on this wire is there and was refused: nothing it says is taken.
    ``sees_cards``: cards leave it; ``sees_chips``: it tells of chips."""

    TYPE: ClassVar[str] = "device.stranger"
    device: str
    serial: str
    reason: str
    sees_cards: bool = False
    sees_chips: bool = False


@dataclass(frozen=True, slots=True)
class DeviceOffline:
    """The link to a device is down."""

    TYPE: ClassVar[str] = "device.offline"
    device: str
    reason: str


@dataclass(frozen=True, slots=True)
class DeviceFault:
    """A device or its wire reports a fault; ``code`` is a word of docs/devices.md. ``cleared``: it is over."""

    TYPE: ClassVar[str] = "device.fault"
    device: str
    code: str
    reason: str
    cleared: bool = False


@dataclass(frozen=True, slots=True)
class DeviceGap:
    """Events of a card source may be missing and cannot be asked for again; with ``chips``, events of a sensor that
    tells of chips. ``missing`` 0 means unknown."""

    TYPE: ClassVar[str] = "device.gap"
    device: str
    reason: str
    missing: int = 0
    chips: bool = False


@dataclass(frozen=True, slots=True)
class DeviceReported:
    """Something a device says about itself that changes nothing on the table (stand-by, key switch, setting)."""

    TYPE: ClassVar[str] = "device.reported"
    device: str
    what: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class StaffPresented:
    """A staff card was held to the console. ``role`` is the role of that person in the configuration at that time."""

    TYPE: ClassVar[str] = "staff.presented"
    device: str
    staff: str
    role: str


@quick
@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A card left the shoe and was read. ``outside`` says why the shoe itself counts it out of the game (locked,
    in_error, setting_mode), empty normally; ``again``: the shoe announces it again."""

    TYPE: ClassVar[str] = "card.drawn"
    device: str
    card: Card
    outside: str = ""
    again: bool = False


@dataclass(frozen=True, slots=True)
class CardUnreadable:
    """A card left the shoe and could not be read."""

    TYPE: ClassVar[str] = "card.unreadable"
    device: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class CutCardDrawn:
    """The cut card left the shoe."""

    TYPE: ClassVar[str] = "shoe.cut_card_seen"
    device: str


@quick
@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card was laid at a spot; box 0 is the dealer."""

    TYPE: ClassVar[str] = "card.laid"
    device: str
    box: int
    hand: int = 1


@quick
@dataclass(frozen=True, slots=True)
class CardShown:
    """A card was seen face up at a spot, by a reader, a camera or a person; box and hand as in CardLaid. What a hand's
    number means where a box has no several hands, the game says. ``tag`` is the physical card's own, where the source
    knows it."""

    TYPE: ClassVar[str] = "card.shown"
    device: str
    box: int
    card: Card
    hand: int = 1
    tag: str = ""


@dataclass(frozen=True, slots=True)
class CardRacked:
    """A card was read in a ``place`` of cards that are out of the round: ``burn`` or ``discard``. It may have got there
    face down, so that its face is never public; ``tag`` as in CardShown."""

    TYPE: ClassVar[str] = "card.racked"
    device: str
    place: str
    card: Card
    tag: str = ""


@dataclass(frozen=True, slots=True)
class DeckSpread:
    """The packs were spread and counted, by face: 52 numbers in the order of `cards.DECK`."""

    TYPE: ClassVar[str] = "dealer.spread"
    device: str
    counts: tuple[int, ...]


@quick
@dataclass(frozen=True, slots=True)
class WagerPlaced:
    """Chips were laid. ``bet``: ``main``, ``double``, ``split``, ``insurance`` (``double:2`` at the second hand),
    ``side:<name>``."""

    TYPE: ClassVar[str] = "chips.placed"
    device: str
    box: int
    person: int
    bet: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class WagerWithdrawn:
    """The bettor took chips back."""

    TYPE: ClassVar[str] = "chips.withdrawn"
    device: str
    box: int
    person: int
    bet: str
    amount_minor: int


@quick
@dataclass(frozen=True, slots=True)
class ChipsCollected:
    """The dealer took chips of a bet into the float."""

    TYPE: ClassVar[str] = "chips.collected"
    device: str
    box: int
    person: int
    bet: str
    amount_minor: int


@quick
@dataclass(frozen=True, slots=True)
class ChipsPaid:
    """The dealer paid chips to a bet (stake not counted)."""

    TYPE: ClassVar[str] = "chips.paid"
    device: str
    box: int
    person: int
    bet: str
    amount_minor: int


@quick
@dataclass(frozen=True, slots=True)
class DecisionSignalled:
    """A player's decision as the dealer keyed it, or what the dealer keys about a box. ``action`` is a word (hit,
    stand, double … even_money, second_hand, absent, skipped, no_stake, rebet, change); ``person`` 0 is the decider;
    ``amount_minor`` 0 means "as the rules fix it"."""

    TYPE: ClassVar[str] = "player.decision"
    device: str
    box: int
    action: str
    hand: int = 0
    person: int = 0
    amount_minor: int = 0


@quick
@dataclass(frozen=True, slots=True)
class DealerSignalled:
    """The dealer's own step. ``signal``: shuffled, player_cut, second_cut, shoe_loaded, shoe_change, new_packs,
    no_more_bets, next_round, dealer_stand, collect, exposed, card_found, first_dealer; and time_over, which the device
    ``clock`` says. ``value`` is a number of cards or of seconds where the signal has one, of ``card_found`` the face,
    1 to 52 in the order of `cards.DECK` (0: not known), of ``first_dealer`` the seat."""

    TYPE: ClassVar[str] = "dealer.signal"
    device: str
    signal: str
    value: int = 0


@dataclass(frozen=True, slots=True)
class CommandReceived:
    """A command of a person, already authenticated: ``actor`` and ``role`` are certain; empty for what is keyed at the
    console ``device``, where staff cards say who it is. ``name`` is a word of docs/mqtt.md; ``request`` ties the answer
    to it.
    ``approver`` and ``approver_role`` are the second person where both gave their word together, else the second one
    gives the command ``approve``: over the bus ``approves`` is the request meant, at a console what waits there.
    ``target`` is the device a command is about, and ``serial`` the serial number it names."""

    TYPE: ClassVar[str] = "command.received"
    name: str
    actor: str
    role: str
    approver: str = ""
    approver_role: str = ""
    reason: str = ""
    verdict: str = ""
    correction: str = ""
    card: Card | None = None
    request: str = ""
    device: str = ""
    approves: str = ""
    target: str = ""
    serial: str = ""


GameInput = (
    CardDrawn
    | CardUnreadable
    | CutCardDrawn
    | CardLaid
    | CardShown
    | CardRacked
    | DeckSpread
    | WagerPlaced
    | WagerWithdrawn
    | ChipsCollected
    | ChipsPaid
    | DecisionSignalled
    | DealerSignalled
)
"""What a game judges."""

Input = (
    GameInput
    | SystemStarted
    | RulesChosen
    | SourcesChosen
    | SourcesWaited
    | ShoesChosen
    | DeviceOnline
    | DeviceStranger
    | DeviceOffline
    | DeviceFault
    | DeviceGap
    | DeviceReported
    | StaffPresented
    | CommandReceived
)
"""Everything the table accepts."""
