"""A simulated bet sensor with the chips that really lie on the layout."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.bets import BetsCodec
from drivers.messages import CardLaid, ChipsCollected, PayoutMade, WagerPlaced, WagerTakenBack
from firmware_sim.native import NativeFirmware, Profile
from firmware_sim.nvram import Nvram

Spot = tuple[int, int, str]
"""Box, seat, bet."""


class SimBetSensor(NativeFirmware):
    """A sensor under chips that a script moves. Every action returns its event's number, None without power (the chips
    are moved all the same). Amounts are minor units, above 0. Raises ValueError for chips that are not there."""

    def __init__(
        self,
        serial: str = "BETS-SIM-1",
        nvram: Nvram | None = None,
        memory_id: int | None = None,
        profile: Profile | None = None,
    ) -> None:
        """Switch the sensor on over an empty layout; ``profile`` replaces the usual one with this serial number."""
        self._wagers: dict[Spot, int] = {}
        self._paid: dict[Spot, int] = {}
        super().__init__(profile or Profile("TW-BETS", serial), BetsCodec(), nvram, memory_id)

    @property
    def wagers(self) -> Mapping[Spot, int]:
        """What lies on every spot as a wager, in minor units; spots without chips are left out."""
        with self._lock:
            return dict(self._wagers)

    @property
    def paid(self) -> Mapping[Spot, int]:
        """What was paid to every spot since the layout was cleared last."""
        with self._lock:
            return dict(self._paid)

    def place(self, box: int, seat: int, bet: str, amount_minor: int) -> int | None:
        """A bettor lays chips."""
        with self._lock:
            number = self.record(WagerPlaced(box, seat, bet, amount_minor))
            self._wagers[box, seat, bet] = self._wagers.get((box, seat, bet), 0) + amount_minor
            return number

    def take_back(self, box: int, seat: int, bet: str, amount_minor: int) -> int | None:
        """A bettor takes chips of a wager back."""
        with self._lock:
            self._check(box, seat, bet, amount_minor)
            number = self.record(WagerTakenBack(box, seat, bet, amount_minor))
            self._remove(box, seat, bet, amount_minor)
            return number

    def collect(self, box: int, seat: int, bet: str, amount_minor: int) -> int | None:
        """The dealer takes chips of a wager into the float."""
        with self._lock:
            self._check(box, seat, bet, amount_minor)
            number = self.record(ChipsCollected(box, seat, bet, amount_minor))
            self._remove(box, seat, bet, amount_minor)
            return number

    def pay(self, box: int, seat: int, bet: str, amount_minor: int) -> int | None:
        """The dealer pays chips from the float to this spot."""
        with self._lock:
            number = self.record(PayoutMade(box, seat, bet, amount_minor))
            self._paid[box, seat, bet] = self._paid.get((box, seat, bet), 0) + amount_minor
            return number

    def lay_card(self, box: int, hand: int = 1) -> int | None:
        """A card is laid before this box; box 0 is the dealer's place."""
        return self.record(CardLaid(box, hand))

    def clear_layout(self) -> None:
        """Between rounds the bettors pick up what is theirs; the sensor does not say so."""
        with self._lock:
            self._wagers.clear()
            self._paid.clear()

    def _check(self, box: int, seat: int, bet: str, amount_minor: int) -> None:
        lying = self._wagers.get((box, seat, bet), 0)
        if amount_minor > lying:
            raise ValueError(f"{amount_minor} cannot be taken from box {box}, seat {seat}, {bet}: {lying} lie there")

    def _remove(self, box: int, seat: int, bet: str, amount_minor: int) -> None:
        left = self._wagers[box, seat, bet] - amount_minor
        if left:
            self._wagers[box, seat, bet] = left
        else:
            del self._wagers[box, seat, bet]
