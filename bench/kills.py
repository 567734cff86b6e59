"""A simulated table is dealt while its controller and its broker are killed at random moments, again and again."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bench.stage import Figures, Setting, Stage

AT_ONCE = 0.2
"""Share of the kills that come while the controller still starts."""
LIFE_S = 1.5
"""A life ends within so long after its beginning, or after the table was free to play on."""
AWAY_S = 0.4
"""The longest a killed controller or broker stays away."""
SETTLE_S = 0.15
"""What was on its way to a device when the controller died has arrived after so long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kills(Setting):
    """How often what is killed."""

    kills: int
    broker_kills: int


@dataclass(slots=True, kw_only=True)
class KillFigures(Figures):
    """What happened; ``free_s`` are the times from a start of the controller until the dealer could go on, where he
    could before the next kill."""

    kills: int = 0
    broker_kills: int = 0
    free_s: list[float] = field(default_factory=list)


def kill_all(folder: Path, plan: Kills, progress: Callable[[KillFigures], None] = lambda figures: None) -> KillFigures:
    """Play, kill, let everything catch up, and compare. ``folder`` must exist and be empty; ``progress`` hears the
    figures so far after every kill. Raises BrokerMissingError."""
    figures = KillFigures()
    rng = Random(plan.seed)
    with Stage(folder, plan, figures) as stage:
        with_broker = set(rng.sample(range(plan.kills), min(plan.broker_kills, plan.kills)))
        for number in range(plan.kills):
            _live_for_a_while(stage, figures, rng)
            _kill(stage, figures, rng, with_broker=number in with_broker)
            progress(figures)
            if stage.found_enough:
                break
        else:
            stage.finish()
        stage.count()
    return figures


def _live_for_a_while(stage: Stage, figures: KillFigures, rng: Random) -> None:
    if rng.random() >= AT_ONCE:
        stage.wait_free()
        figures.free_s.append(time.monotonic() - stage.started_s)
    time.sleep(rng.uniform(0, LIFE_S))


def _kill(stage: Stage, figures: KillFigures, rng: Random, *, with_broker: bool) -> None:
    if with_broker:
        stage.broker.kill()
        figures.broker_kills += 1
    stage.check_running(f"before kill {figures.kills + 1}")
    stage.controller.kill()
    figures.kills += 1
    time.sleep(SETTLE_S)
    stage.check_acknowledged(f"after kill {figures.kills}")
    time.sleep(rng.uniform(0, AWAY_S))
    if with_broker:
        stage.broker.start()
    stage.start_controller()
