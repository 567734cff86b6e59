"""Simulations in jobs: the same seed gives the same cards and the same result for any number of processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from controller.app.plugins import load_game
from controller.app.rulesets import LoadedRules
from controller.app.simulate.table import SimulatedTable
from controller.core.game import Game
from controller.core.simulation import SimulationError, Tally


@dataclass(frozen=True, slots=True)
class Plan:
    """A simulation: a game by its installed name, the rule set, and the game's own setup."""

    game: str
    rules_name: str
    rules_data: dict[str, Any]
    setup: Any


@dataclass(frozen=True, slots=True)
class Part:
    """A share of a simulation, with a table and chances of its own."""

    plan: Plan
    seed: int
    number: int
    rounds: int


def plan_for(game: Game, loaded: LoadedRules, policy: str = "", options: Mapping[str, int] | None = None) -> Plan:
    """What to simulate. ``policy`` empty is the game's first one; ``options`` by their keys (``to_cut_card``). Raises
    ValueError naming what is allowed: for a policy or an option that the game does not have, or a value it refuses."""
    simulation, given = game.simulation, options or {}
    foreign = [key for key in given if key not in simulation.options]
    if foreign:
        has = ", ".join(_flag(key) for key in simulation.options) or "no options of its own"
        raise ValueError(f"{_flag(foreign[0])} means nothing in {game.name}, which has {has}")
    wanted = policy or simulation.policies[0]
    if wanted not in simulation.policies:
        raise ValueError(f"no policy {wanted!r}: one of {', '.join(simulation.policies)}")
    return Plan(game.name, loaded.name, loaded.data, simulation.setup(loaded.rules, wanted, given))


def _flag(key: str) -> str:
    return "--" + key.replace("_", "-")


def parts(plan: Plan, rounds: int, seed: int) -> Iterator[Part]:
    """The parts of a simulation."""
    size = load_game(plan.game).simulation.part_rounds
    for number, begin in enumerate(range(0, rounds, size)):
        yield Part(plan, seed, number, min(size, rounds - begin))


def play(part: Part) -> Tally:
    """Play one part. Raises SimulationError."""
    plan, game = part.plan, load_game(part.plan.game)
    table = SimulatedTable(game, plan.rules_name, plan.rules_data, f"{part.seed}:{part.number}")
    return game.simulation.play(plan.setup, table, part.rounds)


def simulate(plan: Plan, rounds: int, seed: int, jobs: int, progress: Callable[[int], None]) -> Tally:
    """Play ``rounds`` rounds in ``jobs`` processes; ``progress`` is told how many are done. Raises SimulationError,
    also when one of the processes is ended from outside."""
    whole = load_game(plan.game).simulation.tally(plan.setup)
    work = list(parts(plan, rounds, seed))
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
