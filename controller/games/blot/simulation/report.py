"""The result of a simulation of Blot in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from controller.core.simulation import Report, Row, Sheet
from controller.games.blot.announce import describe
from controller.games.blot.cards import CONTRACT_WORDS, CONTRACTS
from controller.games.blot.declarations import Claim
from controller.games.blot.rules import Rules
from controller.games.blot.simulation.player import Setup
from controller.games.blot.simulation.tally import Mean, Tally, share_error

_OUTCOMES = {
    "made": "made",
    "made_at_tie": "made at equal points",
    "failed": "failed",
    "failed_at_tie": "failed at equal points",
    "capot_by_taker": "capot by the taker",
    "capot_by_opponent": "capot by the opponent",
}


def report(rules: Rules, setup: Setup, tally: Tally) -> Report:
    """Everything that is known after a simulation of at least one round."""
    matches = sum(tally.lengths.values())
    target = f"{rules.target} {rules.match_by}"
    error = 100 * share_error(tally.won, tally.rounds)
    remarks = ["every round has a taker: who speaks last must take or name"]
    if not matches:
        remarks.append(f"no match to {target} was finished: play more rounds to see how long one is")
    return Report(
        f"{setup.policy_name}, {tally.rounds:,} rounds, {matches:,} matches to {target} finished",
        (f"takers' success {100 * tally.won / tally.rounds:.3f} %, standard error {error:.3f} %",),
        (
            Sheet(("outcome", "times", "of the rounds", "standard error"), tuple(_outcomes(tally))),
            _taken("taken", tally, tally.calls, {call: call for call in sorted(tally.calls, reverse=True)}),
            _taken("contract", tally, tally.contracts, dict(zip(CONTRACTS, CONTRACT_WORDS, strict=True))),
            Sheet(("seen", "times", "a round", "standard error"), tuple(_seen(tally))),
            Sheet(("mean", "", "standard error", "over"), tuple(_means(tally))),
        ),
        tuple(remarks),
    )


def _outcomes(tally: Tally) -> Iterator[Row]:
    for status, text in _OUTCOMES.items():
        yield Row((text, *_share(tally.outcomes[status], tally.rounds)))
    yield Row(("together", f"{tally.rounds:,}", "100.000 %", ""), strong=True)


def _share(times: int, whole: int) -> tuple[str, str, str]:
    return f"{times:,}", f"{100 * times / whole:.3f} %", f"{100 * share_error(times, whole):.3f} %"


def _taken(title: str, tally: Tally, found: Counter[str], texts: dict[str, str]) -> Sheet:
    """How often each came, and how often the taker won then."""
    rows = []
    for word, text in texts.items():
        if found[word]:
            of_all, success = _share(found[word], tally.rounds), _share(tally.made[word], found[word])
            rows.append(Row((text.replace("_", " "), *of_all[:2], *success[1:])))
    return Sheet((title, "times", "of the rounds", "takers' success", "standard error"), tuple(rows))


def _seen(tally: Tally) -> Iterator[Row]:
    for kind, size in sorted(tally.combinations, reverse=True):
        claim = Claim("run" if kind == "run" else "four", size)
        yield _rate(f"{describe(claim)} shown", tally.combinations[kind, size], tally.rounds)
    yield _rate("combinations that counted", tally.contested, tally.rounds)
    yield _rate("Blot", tally.blots, tally.rounds)
    yield _rate("round given up", tally.given_up, tally.rounds)


def _rate(text: str, times: int, rounds: int) -> Row:
    """``times`` are so few beside ``rounds`` that they are taken for independent (Poisson)."""
    return Row((text, f"{times:,}", f"{times / rounds:.5f}", f"{times**0.5 / rounds:.5f}"))


def _means(tally: Tally) -> Iterator[Row]:
    names = {"taker": "points of the taker", "other": "points of the opponent", "N": "points of N", "D": "points of D"}
    for who, text in names.items():
        yield _mean(text, tally.points[who], "rounds")
    if tally.lengths:
        yield _mean("rounds of a match", tally.length, "matches")
        yield Row(("shortest and longest match", f"{min(tally.lengths)} and {max(tally.lengths)}", "", ""))


def _mean(text: str, found: Mean, over: str) -> Row:
    return Row((text, f"{found.mean:.3f}", f"{found.error:.3f}", f"{found.times:,} {over}"))
