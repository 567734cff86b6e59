"""Copies of frozen records."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import pytest

from controller.core.records import replace
from controller.core.state import EMPTY
from controller.games.blackjack.hand import Hand, Stake
from controller.games.blackjack.state import BlackjackState


@dataclass(frozen=True, slots=True)
class One:
    """A record of one field."""

    only: int


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
    with pytest.raises(KeyError, match="delt"):
        replace(BlackjackState(), delt=3)  # type: ignore[call-arg]
