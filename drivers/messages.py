"""Device messages: what any device of the table says and can be told, whatever its wire.

Every driver decodes its own telegrams into this small vocabulary; nothing above a driver ever sees bytes.
Messages carry device facts only: no box rules, no game, no judgement. All are frozen and hashable.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class DrawTarget(StrEnum):
    """Where the shoe itself says a card goes (Angel Eye b1, bits 6-4); a hint, never trusted for blackjack."""

    PLAYER = "player"
    BANKER = "banker"
    BURN = "burn"
    FIRST_CARD = "first_card"
    BURN_COUNT = "burn_count"
    NONE = "none"


class OutOfGame(StrEnum):
    """Why a card was drawn outside the game."""

    LOCKED = "locked"
    IN_ERROR = "in_error"
    SETTING_MODE = "setting_mode"


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A card left the shoe and was read. ``rank`` 1 (ace) .. 13 (king); ``suit`` one of ``S H D C``."""

    rank: int
    suit: str
    target: DrawTarget = DrawTarget.NONE
    draw_index: int | None = None
    out_of_game: OutOfGame | None = None
    read_again: bool = False
    deck_code: str = ""


@dataclass(frozen=True, slots=True)
class CardUnreadable:
    """A card left the shoe and could not be read; it is never skipped and never guessed."""

    detail: str = ""


@dataclass(frozen=True, slots=True)
class CutCardDrawn:
    """The cut card left the shoe."""


@dataclass(frozen=True, slots=True)
class ShoeStarted:
    """The shoe booted or was reset; counting in the shoe starts anew."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class ShoeStandBy:
    """The shoe is between rounds."""


@dataclass(frozen=True, slots=True)
class ShoeResult:
    """The shoe's own idea of the result (baccarat); recorded, never used."""

    value: int


@dataclass(frozen=True, slots=True)
class ShoeError:
    """An error began (``active``) or was cleared. ``code`` is the wire's number, ``name`` its word:
    unreadable, overdraw, button_misuse, reverse_exit, reverse_midway, deck_code, draw_timeout, double_feed, or
    ``code_N``."""

    code: int
    name: str
    active: bool
    in_error_mode: bool


@dataclass(frozen=True, slots=True)
class KeyLockChanged:
    """The key switch of the shoe was turned."""

    locked: bool


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """A setting of the device was changed at the device."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key on the dealer console. ``key`` is a word of docs/devices.md (``hit``, ``stand``, ``no_more_bets`` ...);
    ``box``, ``hand`` and ``person`` count from 1, 0 means "not given"; ``value`` is the number keyed in, if any."""

    key: str
    box: int = 0
    hand: int = 0
    person: int = 0
    value: int = 0


@dataclass(frozen=True, slots=True)
class CardNamed:
    """A card typed in at the console by a person (alignment, unreadable card). Rank and suit as in CardDrawn;
    ``purpose`` is ``confirm``, ``assign``, ``found`` (it lay where none belongs) or ``shown`` (it lies face up at box
    and hand); box and hand as in KeyPressed (box 0 = dealer)."""

    rank: int
    suit: str
    purpose: str
    box: int = 0
    hand: int = 0


@dataclass(frozen=True, slots=True)
class DeckSpread:
    """The packs were spread and counted before loading. ``counts`` has 52 numbers, suits S H D C, each ace .. king."""

    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StaffCardPresented:
    """A staff card was held to the console's reader. ``card_id`` is printable ASCII, at most 32 characters."""

    card_id: str


@dataclass(frozen=True, slots=True)
class WagerPlaced:
    """Chips were laid. ``box``/``seat`` from 1, ``bet`` a word (``main``, ``double``, ``split``, ``insurance``,
    ``bonus``, ``side:<name>``), ``amount_minor`` > 0 in minor units."""

    box: int
    seat: int
    bet: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class WagerTakenBack:
    """The bettor took chips back."""

    box: int
    seat: int
    bet: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class ChipsCollected:
    """The dealer took chips of this bet into the float."""

    box: int
    seat: int
    bet: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class PayoutMade:
    """The dealer paid chips from the float to this bet (the stake itself not counted)."""

    box: int
    seat: int
    bet: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card was laid at a spot that has a presence sensor. ``box`` 0 is the dealer; ``hand`` counts from 1."""

    box: int
    hand: int = 1


@dataclass(frozen=True, slots=True)
class SensorChanged:
    """A switch of the device opened, tripped or was covered (``active``), or is as it should be again. ``sensor`` is
    ``lid``, ``tamper`` or ``throat`` (a card lies in the throat)."""

    sensor: str
    active: bool


@dataclass(frozen=True, slots=True)
class CardPresent:
    """A reader read a card's face. ``position`` is a word of `drivers.readers.options`; rank and suit as in
    CardDrawn; ``deck_code`` is what the card says about its deck, empty when nothing."""

    position: str
    rank: int
    suit: str
    deck_code: str = ""


@dataclass(frozen=True, slots=True)
class TagSeen:
    """A card with a tag came into a reader's field. ``uid`` is upper-case hex; the deck register says which card it
    is."""

    position: str
    uid: str


@dataclass(frozen=True, slots=True)
class CardGone:
    """What lay at a position is not there any more; ``uid`` as in TagSeen, from a camera the face (``KH``); empty where
    the reader knows neither."""

    position: str
    uid: str = ""


@dataclass(frozen=True, slots=True)
class Collision:
    """Two cards or more lie at one position: which is which cannot be told, and it is never "no card". ``uids`` are
    those that could be read, sorted; perhaps none."""

    position: str
    uids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadFailed:
    """Something came to a position and could not be read; ``detail`` is one line for a person."""

    position: str
    detail: str


@dataclass(frozen=True, slots=True)
class RackCounted:
    """So many cards lie in the discard rack now, 0 to 65535."""

    count: int


@dataclass(frozen=True, slots=True)
class DeviceIdentified:
    """The device said who it is (HELLO). ``reset_reason`` is a word; a flag is True when its sensor is open, tripped or
    occupied."""

    model: str
    serial: str
    hardware: str
    firmware: str
    image_hash: str
    boot: int
    reset_reason: str
    last_event: int
    simulated: bool
    lid_open: bool = False
    tamper: bool = False
    card_in_throat: bool = False


@dataclass(frozen=True, slots=True)
class DeviceGap:
    """Events were lost and cannot be replayed: ``missing`` how many (0 = unknown), ``reason`` in words."""

    missing: int
    reason: str


class LinkState(StrEnum):
    """State of the wire as the host sees it."""

    UP = "up"
    SUSPECT = "suspect"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The link changed state; ``reason`` is one line for a person (what, where, what to do)."""

    state: LinkState
    reason: str


@dataclass(frozen=True, slots=True)
class LineFault:
    """Something is wrong with the wire, not the device: wrong line settings, another opener, protocol mismatch; of a
    camera also with its picture. ``code`` is a word, ``reason`` one line for a person; ``cleared``: it is over.
    ``serial`` is the serial number of a ``stranger``: another device of the right kind where one belongs that has
    another number; empty for every other fault."""

    code: str
    reason: str
    cleared: bool = False
    serial: str = ""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What became of a command. ``outcome`` is ``done``, ``refused`` or ``unknown`` (no reply in time)."""

    request: int
    outcome: str
    code: str = ""
    reason: str = ""


DeviceMessage = (
    CardDrawn
    | CardUnreadable
    | CutCardDrawn
    | ShoeStarted
    | ShoeStandBy
    | ShoeResult
    | ShoeError
    | KeyLockChanged
    | SettingChanged
    | KeyPressed
    | CardNamed
    | DeckSpread
    | StaffCardPresented
    | WagerPlaced
    | WagerTakenBack
    | ChipsCollected
    | PayoutMade
    | CardLaid
    | SensorChanged
    | CardPresent
    | TagSeen
    | CardGone
    | Collision
    | ReadFailed
    | RackCounted
    | DeviceIdentified
    | DeviceGap
    | LinkChanged
    | LineFault
    | CommandResult
)


@dataclass(frozen=True, slots=True)
class Lock:
    """Forbid drawing. One card already in the throat may still come."""


@dataclass(frozen=True, slots=True)
class Unlock:
    """Allow drawing again."""


@dataclass(frozen=True, slots=True)
class ClearError:
    """Leave the shoe's error mode."""


@dataclass(frozen=True, slots=True)
class ConfirmGame:
    """Tell the shoe that the round is over."""


@dataclass(frozen=True, slots=True)
class SetLamp:
    """Set a lamp. ``lamp`` is 0..15 of a console; of a shoe 0 the signal lamp, 1 the tone. ``mode`` is ``off``,
    ``on`` or ``blink``."""

    lamp: int
    mode: str


@dataclass(frozen=True, slots=True)
class ShowText:
    """Show a line on the console's display. ``line`` 0..3; ``text`` printable, cut at 40 characters."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class NewShoe:
    """Another set of cards was loaded: the shoe counts its draws from 1 again."""


@dataclass(frozen=True, slots=True)
class SelfTest:
    """Have a reader test itself; the result says what it found."""


DeviceCommand = Lock | Unlock | ClearError | ConfirmGame | SetLamp | ShowText | NewShoe | SelfTest
