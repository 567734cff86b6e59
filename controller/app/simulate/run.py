"""Simulations in jobs: the same seed gives the same cards and the same result for any number of processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Final

from controller.app.rulesets import LoadedRules
from controller.app.simulate.table import Setup, SimulatedTable, SimulationError
from controller.app.simulate.tally import Tally
from controller.games.blackjack import GAME
from controller.games.blackjack.policies import policy_for
from controller.games.blackjack.rules import Rules

PART_ROUNDS: Final = 4000
"""Rounds of one part, about two seconds of work; each part has a table and chances of its own."""
CARDS_A_HAND: Final = 2.9
"""Cards that a hand takes on average, splits included."""
DEALT_SHARE: Final = 0.6
"""Part of a shoe that is dealt on average before it is left: far from its end even when hands are long."""
MOST_TRIED: Final = 1000


@dataclass(frozen=True, slots=True)
class Part:
    """A share of a simulation."""

    setup: Setup
    seed: int
    number: int
    rounds: int


def setup_for(
    loaded: LoadedRules,
    policy: str,
    boxes: int,
    *,
    stake_minor: int = 0,
    side_minor: int = 0,
    to_cut_card: bool = False,
) -> Setup:
    """What to simulate. ``stake_minor`` 0 stakes the least that every payout is a whole amount of. Raises ValueError
    naming what is allowed: for a policy or a number of boxes that there is not, or a stake that is refused."""
    rules: Rules = loaded.rules
    if not 1 <= boxes <= rules.boxes:
        raise ValueError(f"{boxes} boxes: this rule set has 1 to {rules.boxes}")
    stake = stake_minor or _stake(rules)
    if not rules.box_min <= stake <= min(rules.box_max, rules.person_max):
        raise ValueError(f"a stake of {stake}: this rule set takes {rules.box_min} to {rules.box_max}")
    if side_minor and not rules.pay_tables:
        raise ValueError("this rule set has no side bet")
    if side_minor and not rules.side_min <= side_minor <= rules.side_max:
        raise ValueError(f"a side bet of {side_minor}: this rule set takes {rules.side_min} to {rules.side_max}")
    rounds = 0 if to_cut_card else max(1, int(DEALT_SHARE * 52 * rules.decks / (CARDS_A_HAND * (boxes + 1))))
    return Setup(loaded.name, loaded.data, policy_for(policy, rules), boxes, stake, side_minor, rounds)


def _stake(rules: Rules) -> int:
    first = -(-rules.box_min // rules.chip_quantum) * rules.chip_quantum
    stakes = range(first, first + MOST_TRIED * rules.chip_quantum, rules.chip_quantum)
    return next((stake for stake in stakes if rules.divisible(stake)), first)


def parts(setup: Setup, rounds: int, seed: int) -> Iterator[Part]:
    """The parts of a simulation."""
    for number, begin in enumerate(range(0, rounds, PART_ROUNDS)):
        yield Part(setup, seed, number, min(PART_ROUNDS, rounds - begin))


def play(part: Part) -> Tally:
    """Play one part. Raises SimulationError."""
    tally = Tally(part.setup.stake_minor)
    table = SimulatedTable(GAME, part.setup, f"{part.seed}:{part.number}")
    while tally.rounds < part.rounds:
        table.shoe(part.rounds - tally.rounds, tally)
    return tally


def simulate(setup: Setup, rounds: int, seed: int, jobs: int, progress: Callable[[int], None]) -> Tally:
    """Play ``rounds`` rounds in ``jobs`` processes; ``progress`` is told how many are done. Raises SimulationError,
    also when one of the processes is ended from outside."""
    whole = Tally(setup.stake_minor)
    work = list(parts(setup, rounds, seed))
    if jobs == 1 or len(work) == 1:
        for part in work:
            whole.add(play(part))
            progress(whole.rounds)
        return whole
    with ProcessPoolExecutor(min(jobs, len(work)), mp_context=get_context("spawn")) as pool:
        futures: list[Future[Tally]] = [pool.submit(play, part) for part in work]
        try:
            for future in as_completed(futures):
                whole.add(future.result())
                progress(whole.rounds)
        except BrokenProcessPool:
            raise SimulationError("a process was ended from outside; run it again, with fewer jobs") from None
        except (SimulationError, KeyboardInterrupt):
            pool.shutdown(cancel_futures=True)
            raise
    return whole
