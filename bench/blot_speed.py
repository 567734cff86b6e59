"""``python -m bench.blot_speed``: validated rounds of Blot per second of processor time, beside two other engines.

``colver`` (compiled; its ``Env`` driven from Python) and ``belote-cli`` play the four-player game, 32 cards a round,
and check moves as this game does; they are measured where they are installed, in the same run.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import random
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from bench.blot_rounds import Dealer
from bench.stamp import commit, machine
from controller.core.game import Outcome
from controller.core.inputs import CommandReceived, GameInput, Input, RulesChosen, SystemStarted
from controller.core.state import EMPTY
from controller.core.table import step
from controller.games.blot import GAME

BATCH: Final = 100
"""Rounds between two looks at the clock."""


class Recorder(Dealer):
    """A dealer that keeps the inputs it has given."""

    def __init__(self, keys: dict[str, Any], rng: random.Random) -> None:
        self.inputs: list[GameInput] = []
        super().__init__(keys, rng)

    def put(self, event: GameInput) -> Outcome:
        """Hand an input to the game and keep it."""
        self.inputs.append(event)
        return super().put(event)


def recorded(rounds: int, seed: int) -> list[GameInput]:
    """The inputs of so many rounds."""
    dealer = Recorder({}, random.Random(seed))
    for _ in range(rounds):
        dealer.round()
        dealer.finish()
    return dealer.inputs


def game_alone(inputs: list[GameInput]) -> None:
    """The game judges recorded inputs."""
    rules = GAME.parse_rules({})
    state = GAME.start(rules)
    for event in inputs:
        state = GAME.handle(rules, state, event, held=False).state


def through_step(inputs: list[GameInput]) -> None:
    """The table's whole step over recorded inputs."""
    opening: list[Input] = [
        SystemStarted(1, "1"),
        RulesChosen("blot", "bench", {}, "0"),
        CommandReceived("open-table", "12", "supervisor"),
    ]
    state = EMPTY
    for event in (*opening, *inputs):
        state = step(GAME, state, event, 1).state


def driven(dealer: Dealer) -> None:
    """Rounds with players who look up what they may play, as the other engines are driven."""
    for _ in range(BATCH):
        dealer.round(gives_up=0.0)
        dealer.finish()


def colver_rounds(seed: int) -> Callable[[], None]:
    """Random rounds of colver's environment."""
    env, rng = importlib.import_module("colver").Env(), random.Random(seed)

    def play() -> None:
        for _ in range(BATCH):
            env.reset()
            while not env.is_terminal():
                env.step(rng.choice(env.legal_actions()))
            env.rewards()

    return play


def belote_cli_rounds(seed: int) -> Callable[[], None]:
    """Random rounds of belote-cli: dealt, taken by the first who speaks, played and scored."""
    game, scoring = importlib.import_module("belote.game"), importlib.import_module("belote.scoring")
    rng = random.Random(seed)

    def play() -> None:
        for _ in range(BATCH):
            state = game.start_round(game.new_game(), rng)
            state = game.place_bid(state, state.up_card.suit)
            while state.phase is game.Phase.PLAYING:
                state = game.play_card(state, rng.choice(game.legal_cards(state, state.turn)))
            scoring.apply_round_score(state, scoring.score_round(state))

    return play


OTHERS: Final[dict[str, tuple[str, Callable[[int], Callable[[], None]]]]] = {
    "colver": ("colver", colver_rounds),
    "belote-cli": ("belote", belote_cli_rounds),
}
"""The other engines by their package: the module, and what makes a batch of rounds from a seed."""


def rate(play: Callable[[], object], rounds: int, seconds: float) -> float:
    """Rounds per second of processor time of a call that plays so many, the best of three."""
    best = 0.0
    for _ in range(3):
        began_s, played = time.process_time(), 0
        while time.process_time() - began_s < seconds / 3:
            play()
            played += rounds
        best = max(best, played / (time.process_time() - began_s))
    return best


def compared(seconds: float, seed: int) -> Table:
    """Ours and the other engines beside each other, ``seconds`` of processor time for each that is installed."""
    inputs = recorded(BATCH, seed)
    dealer = Dealer({}, random.Random(seed))
    rows = Table(title="Rounds of Blot per second of processor time, beside other engines")
    for name in ("engine", "rounds", "ours by theirs"):
        rows.add_column(name, justify="left" if name == "engine" else "right")
    rows.add_row("ours, the game alone", f"{rate(lambda: game_alone(inputs), BATCH, seconds):,.0f}", "")
    ours = rate(lambda: through_step(inputs), BATCH, seconds)
    rows.add_row(f"ours, validated: through step, {len(inputs) / BATCH:.1f} inputs a round", f"{ours:,.0f}", "")
    rows.add_row("ours, driven: what is legal is looked up", f"{rate(lambda: driven(dealer), BATCH, seconds):,.0f}", "")
    for package, (module, make) in OTHERS.items():
        if importlib.util.find_spec(module):
            theirs = rate(make(seed), BATCH, seconds)
            rows.add_row(f"{package} {version(package)}", f"{theirs:,.0f}", f"{ours / theirs:.2f}")
        else:
            rows.add_row(f"{package} is not installed: pip install 'tablewatch\\[bench]'", "-", "-")
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.blot_speed", description=__doc__)
    parser.add_argument("--seconds", type=float, default=6.0, help="for each measurement (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of cards and people (default: %(default)s)")
    given = parser.parse_args()
    console = Console()
    console.print(compared(given.seconds, given.seed))
    console.print(f"seed {given.seed}, commit {commit()}\n{machine()}", markup=False)


if __name__ == "__main__":
    main()
