"""``tablewatch simulate``: rounds by the thousand through the rules of a live table, and what they bring."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Final, TypeVar

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from controller.app.rulesets import LoadedRules, load_rules
from controller.app.simulate import run
from controller.app.simulate.table import Setup, SimulationError
from controller.app.simulate.tally import Sum, Tally
from controller.cli.guard import CannotError
from controller.cli.screen import Screen, output
from controller.core.cards import Card
from controller.core.money import format_money
from controller.core.words import clean
from controller.games.blackjack import GAME
from controller.games.blackjack.odds.dealer import FACES
from controller.games.blackjack.odds.side import house_edge
from controller.games.blackjack.odds.whole import expectation
from controller.games.blackjack.policies import POLICIES, RandomPlay
from controller.games.blackjack.rules import Rules

MOST_ROUNDS: Final = 10**9
MOST_JOBS: Final = 256
T = TypeVar("T")


def simulate(
    ruleset: Annotated[str, typer.Argument(help="A shipped rule set's name, or a TOML file.", show_default=False)],
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds to play.", min=1, max=MOST_ROUNDS)] = 100_000,
    policy: Annotated[str, typer.Option("--policy", help=f"How players decide: {', '.join(POLICIES)}.")] = "basic",
    boxes: Annotated[int, typer.Option("--boxes", help="Boxes in play, one person on each.", min=1)] = 1,
    jobs: Annotated[int, typer.Option("--jobs", help="Processes.", min=1, max=MOST_JOBS)] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Of every card and chance.", min=0)] = 1,
    stake: Annotated[int, typer.Option("--stake", help="Stake of each box (minor units).", show_default=False)] = 0,
    side: Annotated[int, typer.Option("--side", help="Stake of each side bet (minor units).", min=0)] = 0,
    to_cut_card: Annotated[
        bool, typer.Option("--to-cut-card", help="Deal each shoe to its cut card, as a live table does.")
    ] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Work out the expectation exactly, too.")] = False,
) -> None:
    """Play rounds of blackjack and say what they bring the player."""
    loaded = load_rules(GAME, ruleset, {})
    try:
        setup = run.setup_for(loaded, policy, boxes, stake_minor=stake, side_minor=side, to_cut_card=to_cut_card)
    except ValueError as error:
        raise typer.BadParameter(f"{loaded.name}: {error}") from None
    try:
        tally = _with_bar("rounds", rounds, lambda told: run.simulate(setup, rounds, seed, jobs, told))
    except SimulationError as error:
        raise CannotError(f"simulate {loaded.name}: {error}; nothing is counted") from None
    screen = output()
    _head(screen, loaded, setup, tally, policy, seed)
    if exact:
        _exactly(screen, loaded.rules, setup, tally)
    screen.print(outcomes(tally), soft_wrap=False)
    screen.print()
    screen.print(decisions(tally), soft_wrap=False)
    _sides(screen, loaded.rules, setup)


Told = Callable[[int], None]
"""Takes how much of the work is done."""


def _with_bar(what: str, whole: int, work: Callable[[Told], T]) -> T:
    """Do the work with a progress bar on standard error, if that is a terminal."""
    screen = Screen(sys.stderr)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task(what, total=whole)
        return work(lambda done: bar.update(task, completed=done))


def _head(screen: Screen, loaded: LoadedRules, setup: Setup, tally: Tally, policy: str, seed: int) -> None:
    boxes = "1 box" if setup.boxes == 1 else f"{setup.boxes} boxes"
    dealt = f"{setup.rounds_a_shoe} a shoe" if setup.rounds_a_shoe else "to the cut card"
    screen.print(Text(clean(f"{loaded.name}: {loaded.title}"), "bold"))
    screen.print(
        f"{policy}, {boxes} at {format_money(setup.stake_minor)}, {tally.rounds:,} rounds from {tally.shoes:,} shoes "
        f"({dealt}), seed {seed}"
    )
    error = f" of the first stake, standard error {tally.error_percent:.3f} %"
    mean = (f"{tally.expectation_percent:+.3f} %", "bold")
    screen.print(Text.assemble("player's expectation ", mean, error))


def _exactly(screen: Screen, rules: Rules, setup: Setup, tally: Tally) -> None:
    policy = setup.policy
    if isinstance(policy, RandomPlay) or rules.bonuses or rules.six_cards == "win":
        screen.print("exactly: only known where no chance decides and no bonus is on")
        return

    def decide(cards: tuple[Card, ...], up: Card, options: Sequence[str]) -> str:
        return policy.decide(cards, up, options, lambda: 0.0)

    percent = 100 * _with_bar("up cards", len(FACES), lambda told: expectation(rules, decide, told))
    away = (tally.expectation_percent - percent) / tally.error_percent if tally.error_percent else 0.0
    screen.print(f"exactly, from a fresh shoe, {percent:+.5f} %; the simulation is {away:+.1f} standard errors from it")


def outcomes(tally: Tally) -> Table:
    """What every kind of bet came to."""
    rows = _table("bet", "outcome", "times", "of the bets", "net", "of the stakes")
    for bet in tally.bets():
        whole = tally.of(bet)
        mine = [(word, found) for (kind, word), found in tally.outcomes.items() if kind == bet]
        for word, found in sorted(mine, key=lambda pair: -pair[1].times):
            rows.add_row(*_row(bet, word, found, whole))
        rows.add_row(*_row(bet, "together", whole, whole), style="bold", end_section=True)
    return rows


def _row(bet: str, outcome: str, found: Sum, whole: Sum) -> tuple[str, ...]:
    share = f"{100 * found.times / whole.times:.3f} %"
    returned = f"{100 * found.net_minor / whole.staked_minor:+.3f} %" if whole.staked_minor else ""
    return bet, outcome.replace("_", " "), f"{found.times:,}", share, format_money(found.net_minor), returned


def decisions(tally: Tally) -> Table:
    """What players decided, and how often a round on one box."""
    rows = _table("decision", "times", "a box and round")
    for word, times in tally.decisions.most_common():
        rows.add_row(word.replace("_", " "), f"{times:,}", f"{times / tally.box_rounds:.4f}")
    return rows


def _table(*names: str) -> Table:
    rows = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="dim")
    for name in names:
        rows.add_column(name, justify="left" if name in {"bet", "outcome", "decision"} else "right")
    return rows


def _sides(screen: Screen, rules: Rules, setup: Setup) -> None:
    """What the pay tables keep by count, for comparison."""
    if setup.side_minor:
        for name, (bet, odds) in rules.pay_tables.items():
            percent = -100 * float(house_edge(rules.decks, bet, odds))
            screen.print(f"{name} by counting every draw from a fresh shoe: {percent:+.4f} %")
