"""Compares what a driver reported with what really happened."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

Fact = Hashable
"""Something that happened, as it can be told from a message."""

GAP_MAX = 1000
"""A gap of unknown length explains at most so many facts."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A message that says: something may be missing here. ``missing`` is how many facts exactly, 0 = unknown."""

    missing: int = 0


@dataclass(frozen=True, slots=True)
class Judgement:
    """``facts`` happened, ``heard`` of them were reported, the others lie in ``gaps`` that were named. ``repeats`` are
    reports of what was there before, where a device may say so. ``wrong`` is empty, or what is wrong."""

    facts: int
    heard: int
    gaps: int
    repeats: int = 0
    wrong: str = ""

    @property
    def lost(self) -> int:
        """Facts that lie in named gaps."""
        return self.facts - self.heard


def judge(truth: Sequence[Fact], heard: Sequence[Fact | Gap], *, may_repeat: bool = False) -> Judgement:
    """Whether ``heard`` tells the truth in order, each fact once, with a gap wherever one is missing. ``may_repeat``:
    the same fact twice in a row may be one that went on."""
    places = {0}
    pending: list[Gap] = []
    facts = gaps = repeats = 0
    last: Fact | None = None
    for number, item in enumerate(heard):
        if isinstance(item, Gap):
            pending.append(item)
            gaps += 1
            continue
        found = _advance(truth, places, pending, item)
        if not found and may_repeat and item == last:
            repeats += 1
            continue
        if not found:
            return Judgement(len(truth), facts, gaps, repeats, _mistake(truth, places, pending, item, number))
        places, pending, last = found, [], item
        facts += 1
    if len(truth) not in places and not pending:
        nearest = max(places)
        wrong = f"{len(truth) - nearest} facts at the end were never told, the first is {truth[nearest]}"
        return Judgement(len(truth), facts, gaps, repeats, wrong)
    return Judgement(len(truth), facts, gaps, repeats)


def _advance(truth: Sequence[Fact], places: set[int], pending: Sequence[Gap], fact: Fact) -> set[int]:
    """Where in the truth one can be after this fact, from each place where one can have been before it."""
    exactly = sum(gap.missing for gap in pending)
    if not pending or all(gap.missing for gap in pending):
        reach = {place: range(place + exactly, place + exactly + 1) for place in places}
    else:
        reach = {place: range(place + exactly, place + exactly + GAP_MAX) for place in places}
    return {at + 1 for steps in reach.values() for at in steps if at < len(truth) and truth[at] == fact}


def _mistake(truth: Sequence[Fact], places: set[int], pending: Sequence[Gap], fact: Fact, number: int) -> str:
    place = max(places)
    ahead = ", ".join(str(due) for due in truth[place : place + 3]) or "nothing"
    gap = f" (after gaps {[gap.missing for gap in pending]})" if pending else ""
    return f"report {number} is {fact}{gap}, true was {ahead} (fact {place} of {len(truth)})"
