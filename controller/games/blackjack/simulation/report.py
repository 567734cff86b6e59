"""The result of a simulation in words: what the rules bring the player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from controller.core.cards import Card
from controller.core.money import format_money
from controller.core.simulation import Report, Row, Sheet, Told
from controller.core.words import plural
from controller.games.blackjack.odds.dealer import FACES
from controller.games.blackjack.odds.side import house_edge
from controller.games.blackjack.odds.whole import expectation
from controller.games.blackjack.policies import RandomPlay
from controller.games.blackjack.rules import Rules
from controller.games.blackjack.simulation.player import Setup
from controller.games.blackjack.simulation.tally import Sum, Tally


def report(rules: Rules, setup: Setup, tally: Tally, told: Told) -> Report:
    """Everything that is known after a simulation."""
    boxes = plural(setup.boxes, "box", "boxes")
    dealt = f"{setup.rounds_a_shoe} a shoe" if setup.rounds_a_shoe else "to the cut card"
    stake = format_money(setup.stake_minor)
    shoes = plural(tally.shoes, "shoe")
    return Report(
        f"{setup.policy_name}, {boxes} at {stake}, {tally.rounds:,} rounds from {shoes} ({dealt})",
        tuple(_figures(rules, setup, tally, told)),
        (_outcomes(tally), _decisions(tally)),
        tuple(_sides(rules)) if setup.side_minor else (),
    )


def _figures(rules: Rules, setup: Setup, tally: Tally, told: Told) -> Iterator[str]:
    error = tally.error_percent
    known = "unknown: it takes more than one shoe" if error is None else f"{error:.3f} %"
    yield f"player's expectation {tally.expectation_percent:+.3f} % of the first stake, standard error {known}"
    if setup.exact:
        yield _exactly(rules, setup, tally, told)


def _exactly(rules: Rules, setup: Setup, tally: Tally, told: Told) -> str:
    policy = setup.policy
    if isinstance(policy, RandomPlay) or rules.bonuses or rules.six_cards == "win":
        return "exactly: only known where no chance decides and no bonus is on"

    def decide(cards: tuple[Card, ...], up: Card, options: Sequence[str]) -> str:
        return policy.decide(cards, up, options, lambda: 0.0)

    percent = 100 * expectation(rules, decide, lambda done: told("up cards", done, len(FACES)))
    text = f"exactly, from a fresh shoe, {percent:+.5f} %"
    if not tally.error_percent:
        return text
    away = (tally.expectation_percent - percent) / tally.error_percent
    return f"{text}; the simulation is {away:+.1f} standard errors from it"


def _outcomes(tally: Tally) -> Sheet:
    """What every kind of bet came to."""
    rows: list[Row] = []
    for bet in tally.bets():
        whole = tally.of(bet)
        mine = [(word, found) for (kind, word), found in tally.outcomes.items() if kind == bet]
        rows += [Row(_cells(bet, word, found, whole)) for word, found in sorted(mine, key=lambda pair: -pair[1].times)]
        rows.append(Row(_cells(bet, "together", whole, whole), strong=True))
    return Sheet(("bet", "outcome", "times", "of the bets", "net", "of the stakes"), tuple(rows), words=2)


def _cells(bet: str, outcome: str, found: Sum, whole: Sum) -> tuple[str, ...]:
    share = f"{100 * found.times / whole.times:.3f} %"
    returned = f"{100 * found.net_minor / whole.staked_minor:+.3f} %" if whole.staked_minor else ""
    return bet, outcome.replace("_", " "), f"{found.times:,}", share, format_money(found.net_minor), returned


def _decisions(tally: Tally) -> Sheet:
    """What players decided, and how often a round on one box."""
    rows = [
        Row((word.replace("_", " "), f"{times:,}", f"{times / tally.box_rounds:.4f}"))
        for word, times in tally.decisions.most_common()
    ]
    return Sheet(("decision", "times", "a box and round"), tuple(rows))


def _sides(rules: Rules) -> Iterator[str]:
    """What the pay tables keep by count, for comparison."""
    for name, (bet, odds) in rules.pay_tables.items():
        percent = -100 * float(house_edge(rules.decks, bet, odds))
        yield f"{name} by counting every draw from a fresh shoe: {percent:+.4f} %"
