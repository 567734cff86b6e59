"""A whole simulated table: shoe, console and bet sensor on their wires, and the hands that move cards and chips.

Every act goes through here, so that the world's record and the devices never disagree. Thread-safe.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Literal

from drivers.messages import (
    CardLaid,
    CardNamed,
    ChipsCollected,
    DeckSpread,
    DeviceCommand,
    KeyPressed,
    PayoutMade,
    ShowText,
    StaffCardPresented,
    WagerPlaced,
    WagerTakenBack,
)
from drivers.native.payloads import Refusal
from drivers.native.stream import EventIdentity
from firmware_sim.bets import SimBetSensor
from firmware_sim.clock import RealClock
from firmware_sim.console import SimConsole
from firmware_sim.display import Display
from firmware_sim.entries import CardLeft, CardPut, CutCardLeft, NativeMessage, Place, Said, ShoeFilled
from firmware_sim.faults import Faults
from firmware_sim.native import NativeFirmware
from firmware_sim.native_shoe import NativeShoe
from firmware_sim.shoe import CUT_CARD, AngelEyeShoe, Loaded, ShoeCard
from firmware_sim.wire import Firmware, FirmwareRunner, PtyWire, TcpWire, Wire
from firmware_sim.world import World

DEALER_CARD = "STAFF-DEALER-1"
SUPERVISOR_CARD = "STAFF-FLOOR-1"
"""Numbers of the staff cards; the controller's configuration gives them to a dealer and to a supervisor."""

DECKS = 6
SECOND_CUT_AT = 208
"""Cards before the second cut card: two thirds of six packs."""

DEVICES = ("shoe", "console", "bets")
QUIET_TIMEOUT_S = 5.0


class TableConsole(SimConsole):
    """A console that also knows how often the dealer was interrupted: a host that came anew, or a hold."""

    def __init__(self, serial: str = "CONSOLE-SIM-1") -> None:
        """Switch the console on."""
        self.interruptions = 0
        self.interrupted_s = 0.0
        """when that was the last time, on `time.monotonic`"""
        self.changed = threading.Condition()
        """notified after every change of lamps and lines"""
        super().__init__(serial)

    def connected(self, now_ms: int) -> None:
        """A host opened the port."""
        super().connected(now_ms)
        self._interrupt()

    def apply(self, command: DeviceCommand) -> Refusal:
        """Set a lamp or show a text."""
        if isinstance(command, ShowText) and command.text.startswith("held") and command.text != self._texts[0]:
            self._interrupt()
        refusal = super().apply(command)
        with self.changed:
            self.changed.notify_all()
        return refusal

    def _interrupt(self) -> None:
        self.interruptions += 1
        self.interrupted_s = time.monotonic()


class SimTable:
    """Brings the devices up on `start`; whatever the host does, the table itself goes on.

    ``speed`` is for the people and the shoe; the native link keeps real time, as its host does.
    """

    def __init__(
        self,
        directory: Path,
        *,
        seed: int = 0,
        speed: float = 1.0,
        faults: Faults | None = None,
        transport: Literal["pty", "tcp"] = "pty",
        world: World | None = None,
        shoe: Literal["angel-eye", "native"] = "angel-eye",
        presence: bool = True,
    ) -> None:
        """``directory`` must exist; with ``pty`` it gets the symbolic links ``shoe``, ``console`` and ``bets``. The
        order of the cards follows from ``seed``; without ``presence`` no sensor tells where a card is laid. Raises
        ValueError unless ``speed`` is positive."""
        self.world = world or World()
        self.clock = RealClock(speed)
        self.shoe: AngelEyeShoe | NativeShoe = NativeShoe() if shoe == "native" else AngelEyeShoe()
        self.console = TableConsole()
        self.bets = SimBetSensor()
        self.drawn_s = 0.0
        """when the last card left the shoe, on `time.monotonic`"""
        self._directory = directory
        self._seed = seed
        self._faults = faults or Faults()
        self._transport = transport
        self._presence = presence
        self._order: list[Loaded] = []
        self._taken = 0
        self._lock = threading.RLock()
        self._runners: dict[str, FirmwareRunner] = {}

    # The wires

    def start(self) -> None:
        """Plug everything in. Raises OSError where a wire cannot be made."""
        firmwares: dict[str, Firmware] = {"shoe": self.shoe, "console": self.console, "bets": self.bets}
        for number, (name, firmware) in enumerate(firmwares.items()):
            wire: Wire = PtyWire(self._directory / name) if self._transport == "pty" else TcpWire()
            clock = RealClock() if isinstance(firmware, NativeFirmware) else self.clock
            faults = replace(self._faults, seed=self._faults.seed + number)
            self._runners[name] = FirmwareRunner(firmware, wire, clock, faults)

    def stop(self) -> bool:
        """Unplug everything for good; whether every thread ended in time."""
        stopped = [runner.stop() for runner in self._runners.values()]
        return all(stopped)

    @property
    def urls(self) -> Mapping[str, str]:
        """What a host opens with pyserial, by ``shoe``, ``console`` and ``bets``; known once started."""
        return {name: runner.wire.url for name, runner in self._runners.items()}

    @property
    def wires(self) -> Mapping[str, Wire]:
        """The devices' ends, by ``shoe``, ``console`` and ``bets``; there once started."""
        return {name: runner.wire for name, runner in self._runners.items()}

    @property
    def fault_counts(self) -> Mapping[str, int]:
        """How many faults the lines have suffered, by the name of the rate."""
        counts: dict[str, int] = {}
        for runner in self._runners.values():
            for name, count in runner.injector.counts.items():
                counts[name] = counts.get(name, 0) + count
        return counts

    def unplug(self, device: str) -> None:
        """Pull the cable of ``shoe``, ``console`` or ``bets``."""
        self._runners[device].wire.unplug()

    def replug(self, device: str, *, renamed: bool = False) -> None:
        """Plug it in again, under the same URL; with ``renamed`` a pty behind it has another name than before."""
        self._runners[device].wire.replug(renamed=renamed)

    def exchange(self, device: str, firmware: Firmware) -> Firmware:
        """Plug the cable of ``shoe``, ``console`` or ``bets`` into another device; answers the one it was in."""
        return self._runners[device].exchange(firmware)

    def reboot(self, device: str) -> None:
        """The device restarts: a native one keeps its events, the shoe says that it started."""
        with self._lock:
            {"shoe": self.shoe, "console": self.console, "bets": self.bets}[device].reboot()

    @contextlib.contextmanager
    def spoiled_copies(self, *, lost: bool) -> Iterator[None]:
        """Within the block two of three copies of each telegram of the shoe are lost, or else arrive corrupted."""
        injector = self._runners["shoe"].injector
        usual = injector.faults
        injector.faults = replace(usual, drop_copy=float(lost), corrupt_copy=float(not lost), intact_copies=1)
        try:
            yield
            deadline_s = time.monotonic() + QUIET_TIMEOUT_S
            while not self.shoe.quiet and time.monotonic() < deadline_s:
                self.clock.sleep(20)
        finally:
            injector.faults = usual

    # What a person sees

    def look(self) -> Display:
        """The console as it is now."""
        linked = "console" in self._runners and self._runners["console"].wire.attached
        return Display.read(self.console.texts, self.console.lamps, linked=linked)

    @property
    def acknowledged(self) -> bool:
        """Whether the host has every event of console and bet sensor for good."""
        return self.console.acked == self.console.last_event and self.bets.acked == self.bets.last_event

    # The console

    def press(self, key: str, *, box: int = 0, hand: int = 0, value: int = 0) -> None:
        """A key of the console."""
        self._say(self.console, KeyPressed(key, box, hand, 0, value))

    def name_card(self, card: CardLeft) -> None:
        """A supervisor types in a card."""
        self._say(self.console, CardNamed(card.rank, card.suit, "assign"))

    def show_card(self, card: CardLeft, box: int, hand: int = 1) -> None:
        """The dealer types in a card that lies face up at a box."""
        self._say(self.console, CardNamed(card.rank, card.suit, "shown", box, hand))

    def spread(self, counts: Sequence[int]) -> None:
        """The packs were counted: 52 numbers, suits S H D C, each ace .. king."""
        self._say(self.console, DeckSpread(tuple(counts)))

    def show_staff_card(self, card_id: str) -> None:
        """A staff card is held to the reader."""
        self._say(self.console, StaffCardPresented(card_id))

    # Chips; amounts in minor units

    def place(self, box: int, seat: int, bet: str, amount_minor: int) -> None:
        """A bettor lays chips."""
        self._say(self.bets, WagerPlaced(box, seat, bet, amount_minor))

    def take_back(self, box: int, seat: int, bet: str, amount_minor: int) -> None:
        """A bettor takes chips back."""
        self._say(self.bets, WagerTakenBack(box, seat, bet, amount_minor))

    def pay(self, box: int, seat: int, bet: str, amount_minor: int) -> None:
        """The dealer pays."""
        self._say(self.bets, PayoutMade(box, seat, bet, amount_minor))

    def take(self, box: int, seat: int, bet: str, amount_minor: int) -> None:
        """The dealer takes chips into the float; those of a double go with the stake they were laid beside."""
        self._say(self.bets, ChipsCollected(box, seat, bet, amount_minor))

    # Cards

    def load_shoe(self, cut_at: int, second_cut_at: int = SECOND_CUT_AT) -> None:
        """Shuffle six packs, cut them ``cut_at`` cards from the front, put the cut card in, and load the shoe."""
        with self._lock:
            pack = self._shuffled([ShoeCard(rank, suit) for suit in "SHDC" for rank in range(1, 14)] * DECKS)
            cards = pack[cut_at:] + pack[:cut_at]
            self._fill([*cards[:second_cut_at], CUT_CARD, *cards[second_cut_at:]], len(cards), second_cut_at)

    def load_pack(self, faces: Sequence[tuple[int, str]]) -> None:
        """Shuffle these cards, pairs of rank and suit, and load them; there is no cut card."""
        with self._lock:
            pack = self._shuffled([ShoeCard(rank, suit) for rank, suit in faces])
            self._fill(pack, len(pack), 0)

    def _shuffled(self, pack: list[ShoeCard]) -> list[ShoeCard]:
        Random(f"{self._seed}/{self.world.shoe + 1}").shuffle(pack)
        return pack

    def _fill(self, order: Sequence[Loaded], cards: int, cut_card_at: int) -> None:
        self._order = list(order)
        self._taken = 0
        self.shoe.load(self._order)
        self.world.add(ShoeFilled(self.world.shoe + 1, cards, cut_card_at))

    @property
    def cut_card_next(self) -> bool:
        """Whether the cut card shows at the exit of the shoe."""
        with self._lock:
            return self._order[self._taken : self._taken + 1] == [CUT_CARD]

    def draw(
        self, *, readable: bool = True, exposed: bool = True, misread: bool = False
    ) -> CardLeft | CutCardLeft | None:
        """Draw the next card; None when none comes (locked, off, or empty). It is in the dealer's fingers then. With
        ``misread`` the shoe takes it for the next higher rank of its suit."""
        with self._lock:
            next_up = self._order[self._taken : self._taken + 1]
            if misread and next_up and isinstance(next_up[0], ShoeCard):
                loaded = self.shoe.draw_misread(replace(next_up[0], rank=next_up[0].rank % 13 + 1))
            else:
                misread = False
                loaded = self.shoe.draw() if readable else self.shoe.draw_unreadable()
            if loaded is None:
                return None
            self._taken += 1
            self.drawn_s = time.monotonic()
            count = len(self.world.cards)
            if not isinstance(loaded, ShoeCard):
                cut = CutCardLeft(self.world.shoe, count)
                self.world.add(cut)
                return cut
            card = CardLeft(self.world.shoe, count + 1, loaded.rank, loaded.suit, readable, exposed, misread)
            self.world.add(card)
            return card

    def put(self, card: CardLeft, place: Place, box: int = 0, hand: int = 1) -> None:
        """A card comes to lie somewhere; no sensor is there, or it was told already."""
        self.world.add(CardPut(card.shoe, card.number, place, box, hand))

    def lay(self, card: CardLeft, box: int, hand: int = 1) -> None:
        """Lay a card at a box; 0 is the dealer's place. The sensor of that spot, where there is one, says so."""
        self.put(card, Place.HAND, box, hand)
        if self._presence:
            self._say(self.bets, CardLaid(box, hand))

    def put_cut_card_back(self) -> None:
        """Put the cut card back into the exit of the shoe, to be drawn again."""
        with self._lock:
            self._order.insert(self._taken, CUT_CARD)
            self.shoe.load(self._order[self._taken :])

    def _say(self, firmware: SimConsole | SimBetSensor, message: NativeMessage) -> None:
        with self._lock:
            boot = firmware.boot
            number = firmware.record(message)
            identity = "" if number is None else str(EventIdentity(firmware.profile.serial, boot, number))
            device = "console" if firmware is self.console else "bets"
            self.world.add(Said(device, message, identity))
