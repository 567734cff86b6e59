"""Every input fits the record, whatever a device said."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.codec import encode
from controller.core.inputs import DeckSpread, DeviceFault, Input, RulesChosen, WagerPlaced
from controller.core.limits import MAX_COUNTS, MAX_TEXT, MAX_WHOLE, clean_text, recordable
from controller.journal.chain import EventDraft, Origin, seal

ORIGIN = Origin("01JX0000000000000000000000", "lv1", "bj-1", 1)
json_like = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.floats(), st.binary(max_size=2)),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.one_of(st.text(), st.integers()), inner)),
    max_leaves=20,
)
events = st.one_of(
    st.builds(WagerPlaced, st.text(), st.integers(), st.integers(), st.text(), st.integers()),
    st.builds(DeviceFault, st.text(), st.text(), st.text(), st.booleans()),
    st.builds(DeckSpread, st.text(), st.lists(st.integers(), max_size=200).map(tuple)),
    st.builds(RulesChosen, st.text(), st.text(), st.dictionaries(st.text(), json_like), st.text()),
)


@given(events)
def test_what_is_recordable_can_be_sealed(event: Input) -> None:
    clean = recordable(event)
    assert recordable(clean) is clean or recordable(clean) == clean
    seal(EventDraft(event.TYPE, encode(clean), 0), ORIGIN, 1, "0" * 64)


def test_what_fits_is_the_very_same_input() -> None:
    event = WagerPlaced("bets", 1, 2, "main", MAX_WHOLE)
    assert recordable(event) is event
    spread = DeckSpread("console", (6,) * 52)
    assert recordable(spread) is spread


def test_what_does_not_fit_is_brought_into_the_limits() -> None:
    event = WagerPlaced("be\x1b[31mts\n", -(2**70), 2**70, "x" * 1000, 0)
    clean = recordable(event)
    assert clean == WagerPlaced("be?[31mts?", -MAX_WHOLE, MAX_WHOLE, "x" * MAX_TEXT, 0)
    counts = recordable(DeckSpread("console", (2**70,) * 1000))
    assert counts == DeckSpread("console", (MAX_WHOLE,) * MAX_COUNTS)
    assert clean_text("half \ud800 a character") == "half ? a character"


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ({"a": 1.5}, "float"),
        ({"a": 2**60}, "2^53"),
        ({"a": "x\n"}, "unprintable"),
        ({"a": [[[[[[[[[1]]]]]]]]]}, "deeply"),
        ({"a": list(range(2000))}, "long"),
        ({"a\x00": 1}, "unprintable"),
    ],
)
def test_a_rule_set_that_no_record_can_hold_is_replaced(rules: dict[str, Any], why: str) -> None:
    clean = recordable(RulesChosen("g", "n", rules, "0"))
    assert isinstance(clean, RulesChosen)
    assert why in clean.rules["unrecordable"]
