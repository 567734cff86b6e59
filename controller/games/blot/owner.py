"""What the owner of a table must be told of its rules: what is ruinous, idle or needs care."""

from __future__ import annotations

from collections.abc import Iterator

from controller.games.blot.rules import Rules


def warnings(rules: Rules) -> tuple[str, ...]:
    """One line for each thing that the owner of a table with these rules must know."""
    return (*_play(rules), *_fee(rules), *_idle(rules))


def _play(rules: Rules) -> Iterator[str]:
    if rules.give_up_counts == "shown":
        yield (
            "a player who gives up before trick 2 deprives the opponent of combinations not yet shown; "
            'set give_up_counts = "announced" to count them'
        )
    if rules.unread_cards == "blind":
        yield "hands with unread cards are checked only by what is played later: a revoke may go unseen"


def _fee(rules: Rules) -> Iterator[str]:
    if rules.rake_minor > rules.fee_minor:
        yield f"rake_bp {rules.rake_bp} leaves the winner of a match less than the fee that he paid"
    if rules.rake_bp and not rules.fee_minor:
        yield "rake_bp has no effect: there is no fee_minor"


def _idle(rules: Rules) -> Iterator[str]:
    if rules.form == "short" and rules.capot_long != 212:
        yield "capot_long has no effect: in the short form a capot is 21"
    if rules.form == "long" and rules.rounding != "six_up":
        yield "rounding has no effect: the long form is not rounded"
    if rules.match_by == "rounds" and rules.match_tie != "higher":
        yield "match_tie has no effect: in a match by rounds both cannot reach the target in one"
    if rules.no_trump == "never" and rules.zero_four != "ignored":
        yield "zero_four has no effect: no-trump is never named"
