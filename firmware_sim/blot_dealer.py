"""The croupier of a simulated Blot table: counts the 24 cards, states who deals first, and plays matches."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from firmware_sim.acts import CARD_MS
from firmware_sim.blot_players import BlotPlayer, Style
from firmware_sim.blot_round import SEATS, BlotRound
from firmware_sim.blot_rules import PACK, SUITS
from firmware_sim.dealer import Dealer, at, left
from firmware_sim.script import Script
from firmware_sim.supervisor import Supervisor
from firmware_sim.table import SimTable

SPREAD = tuple(int((rank, suit) in PACK) for suit in SUITS for rank in range(1, 14))
STYLES: Sequence[Style] = ("greedy", "random")


class BlotCroupier(Dealer):
    """A person with a thread, as `Dealer`; what he and the players do in a round follows from seed and round alone."""

    def __init__(
        self,
        table: SimTable,
        supervisor: Supervisor,
        script: Script | None = None,
        *,
        rounds: int,
        seed: int = 0,
        styles: Sequence[Style] = STYLES,
        one_match: bool = False,
    ) -> None:
        """``rounds`` to play at most; with ``one_match`` the table is closed when the first match is won. ``styles``
        are of the players at seats 1 and 2."""
        super().__init__(table, supervisor, script, rounds=rounds, seed=seed)
        self._seed = seed
        self._styles = styles
        self._one_match = one_match
        self._matches = 0
        self._button = 0

    def _work(self) -> None:
        """From the closed table to the closed table."""
        self._open()
        while self._plan.round < self._rounds and self._ready():
            self._plan.round += 1
            self._shuffle()
            self._round()
        self._close()

    def _ready(self) -> bool:
        """Have the cards counted and the first dealer stated where the console asks for it; whether to play on."""
        if self._acts.free().phase == "inspection":
            self._acts.until_seen("spread", lambda _, __: self._table.spread(SPREAD), left("inspection"))
        if self._acts.free().phase == "opening":
            if self._one_match and self._matches:
                return False
            self._matches += 1
            self._button = Random(f"{self._seed}/match {self._matches}").choice(SEATS)
            self._acts.key("first_dealer", at("dealing"), value=self._button)
        return True

    def _shuffle(self) -> None:
        """Shuffle the 24 cards and load them; the keys are for the record, nothing waits for them."""
        for key in ("shuffled", "player_cut"):
            self._acts.blind_key(key)
        self._table.load_pack(PACK)
        self._acts.watch.pause(CARD_MS)
        self._acts.blind_key("shoe_loaded")

    def _round(self) -> None:
        rng = Random(f"{self._seed}/round {self._plan.round}")
        players = {seat: BlotPlayer(style, rng) for seat, style in zip(SEATS, self._styles, strict=True)}
        played = BlotRound(self._acts, players, self._button, rng)
        played.play()
        if played.scored:
            self._button = 3 - self._button
