"""Whatever order events come in, they are told once and in order, and what is missing is named."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.bus.history import ArchivedEvent
from controller.cli.sequence import MAX_WAITING, Broken, InOrder, Sequencer


def event(sequence: int, journal: str = "J", prevhash: str = "") -> ArchivedEvent:
    return ArchivedEvent(journal, sequence, f"{journal}{sequence}", prevhash or f"{journal}{sequence - 1}", b"{}")


def told(said: list[InOrder | Broken]) -> list[int | str]:
    return [item.event.sequence if isinstance(item, InOrder) else item.text for item in said]


@given(st.permutations(range(1, 9)), st.lists(st.integers(1, 8), max_size=8))
def test_any_order_with_doubles_is_told_once_in_order(order: list[int], doubles: list[int]) -> None:
    sequencer = Sequencer(first=1)
    said = [item for number in [*order, *doubles] for item in sequencer.take(event(number))]
    assert told(said) == list(range(1, 9))
    assert sequencer.gap() is None


def test_the_first_event_that_comes_begins() -> None:
    sequencer = Sequencer()
    assert told(sequencer.take(event(7))) == [7]
    assert told(sequencer.take(event(6))) == []
    assert told(sequencer.take(event(8))) == [8]


def test_a_gap_is_named_and_closes() -> None:
    sequencer = Sequencer()
    sequencer.take(event(7))
    assert told(sequencer.take(event(10))) == []
    assert sequencer.gap() == (8, 9)
    assert told(sequencer.take(event(8))) == [8]
    assert sequencer.gap() == (9, 9)
    assert told(sequencer.take(event(9))) == [9, 10]
    assert sequencer.gap() is None


def test_a_heartbeat_says_that_there_is_more() -> None:
    sequencer = Sequencer()
    assert sequencer.gap() is None
    sequencer.announced("J", 5)
    assert sequencer.gap() is None
    sequencer.announced("J", 7)
    assert sequencer.gap() == (6, 7)
    sequencer.announced("J", 6)
    assert sequencer.gap() == (6, 7)


def test_from_an_event_on_everything_since_is_missing_first() -> None:
    sequencer = Sequencer(first=3)
    sequencer.announced("J", 6)
    assert sequencer.gap() == (3, 6)
    assert told(sequencer.take(event(7))) == []
    assert sequencer.gap() == (3, 6)
    assert told([item for number in (3, 4, 5, 6) for item in sequencer.take(event(number))]) == [3, 4, 5, 6, 7]


def test_a_gap_given_up_is_passed_over_and_said() -> None:
    sequencer = Sequencer()
    sequencer.take(event(1))
    sequencer.take(event(4))
    assert told(sequencer.give_up()) == ["events 2 to 3 could not be had", 4]
    assert sequencer.give_up() == []


def test_an_event_that_does_not_follow_is_said() -> None:
    sequencer = Sequencer()
    sequencer.take(event(1))
    assert told(sequencer.take(event(2, prevhash="other"))) == [
        "event 2 does not follow event 1: the chain is broken",
        2,
    ]


def test_another_journal_is_said_and_begins_at_its_first_event() -> None:
    sequencer = Sequencer()
    sequencer.take(event(40))
    assert told(sequencer.take(event(2, "K"))) == ["the table writes another journal now: K"]
    assert sequencer.gap() == (1, 1)
    assert told(sequencer.take(event(1, "K"))) == [1, 2]


def test_what_waits_has_a_limit() -> None:
    sequencer = Sequencer(first=1)
    for number in range(3, MAX_WAITING + 10):
        sequencer.take(event(number))
    assert told(sequencer.take(event(1))) == [1]
    assert told(sequencer.take(event(2)))[-1] == MAX_WAITING + 2
    assert sequencer.gap() == (MAX_WAITING + 3, MAX_WAITING + 9)
