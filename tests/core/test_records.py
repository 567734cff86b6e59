"""Copies of frozen records."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from controller.core.records import quick, replace
from controller.core.state import EMPTY
from controller.games.blackjack.hand import Hand, Stake
from controller.games.blackjack.state import BlackjackState


@dataclass(frozen=True, slots=True)
class One:
    """A record of one field."""

    only: int


@quick
@dataclass(frozen=True, slots=True)
class Quick:
    """A record with a constant, defaults and a property."""

    TYPE: ClassVar[str] = "quick"
    first: int
    second: str = "two"
    third: tuple[int, ...] = ()

    @property
    def twice(self) -> int:
        """Twice the first."""
        return 2 * self.first


def test_a_copy_is_what_dataclasses_make_of_it() -> None:
    state, hand = BlackjackState(dealt=2), Hand(1, asked="hit", stakes=(Stake(1, 500),))
    assert replace(state, dealt=3) == dataclasses.replace(state, dealt=3)
    assert replace(hand, asked="", raises=hand.stakes) == dataclasses.replace(hand, asked="", raises=hand.stakes)
    assert replace(EMPTY, epoch=2) == dataclasses.replace(EMPTY, epoch=2)
    assert replace(One(1), only=2) == One(2)
    assert replace(One(1)) == One(1)


def test_the_record_itself_stays_as_it_was() -> None:
    state = BlackjackState()
    copy = replace(state, dealt=3)
    assert (state.dealt, copy.dealt) == (0, 3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        copy.dealt = 4  # type: ignore[misc]


def test_an_unknown_field_is_a_mistake() -> None:
    with pytest.raises(AttributeError, match="delt"):
        replace(BlackjackState(), delt=3)  # type: ignore[call-arg]


def test_a_quick_record_is_made_as_any_other() -> None:
    record = Quick(1, third=(3,))
    assert (record.first, record.second, record.third, record.twice, record.TYPE) == (1, "two", (3,), 2, "quick")
    assert type(record) is Quick
    assert record == Quick(1, "two", (3,)) != Quick(2)
    assert hash(record) == hash(Quick(1, "two", (3,)))
    assert repr(record) == "Quick(first=1, second='two', third=(3,))"
    assert pickle.loads(pickle.dumps(record)) == record
    assert dataclasses.replace(record, second="2") == replace(record, second="2") == Quick(1, "2", (3,))
    assert list(inspect.signature(Quick).parameters) == ["first", "second", "third"]


def test_a_quick_record_stays_frozen_and_wants_its_fields() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Quick(1).first = 2  # type: ignore[misc]
    with pytest.raises(TypeError, match="first"):
        Quick()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="fourth"):
        Quick(1, fourth=4)  # type: ignore[call-arg]


def test_a_quick_record_has_plain_defaults_only() -> None:
    @dataclass(frozen=True, slots=True)
    class Listed:
        """A record whose default is made anew."""

        several: list[int] = field(default_factory=list)

    with pytest.raises(TypeError, match="Listed: a quick record has plain defaults only"):
        quick(Listed)
