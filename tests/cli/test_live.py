"""The live view: what it shows at which size, and that no payload can break it."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from controller.app.picture import state_payload
from controller.bus.payloads import payload_bytes
from controller.cli.live import Picture, render
from controller.cli.live_lines import gauge
from controller.core.inputs import ChipsPaid, DecisionSignalled, DeviceOffline, WagerPlaced
from controller.core.words import Tone, line

SIZES = ((80, 24), (120, 40), (60, 16))


def shown(picture: Picture, width: int = 80, height: int = 24, *, colour: bool = False) -> str:
    console = Console(
        file=io.StringIO(),
        width=width,
        height=height,
        force_terminal=colour,
        color_system="truecolor" if colour else None,
        legacy_windows=False,
        _environ={},
    )
    console.print(render(picture))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def picture_of(table: Any, **more: Any) -> Picture:
    state = json.loads(payload_bytes(state_payload(table.engine.game, table.engine.state, table.journal.head(), "EUR")))
    meta = {"devices": [{"name": "shoe"}, {"name": "console"}, {"name": "bets"}]}
    told = tuple(line(f"event line {number}", Tone.PLAIN) for number in range(1, 60))
    return Picture("lv1", "bj-012", state, meta, told, "ready", "", "connected", True, **more)


@pytest.fixture
def seven(table: Any) -> Any:
    """Seven boxes dealt, box 2 to decide."""
    table.open()
    for box in range(1, 8):
        table.bet(box, 2500)
    table.bet(3, 1000, person=2)
    table.signals("no_more_bets")
    table.cards("KD TS 9H QD 6C AS 8D 7H AD JC 5D 8S TH 9C TC")
    return table


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_it_fills_the_screen_and_no_more(seven: Any, width: int, height: int) -> None:
    lines = shown(picture_of(seven, progress="round 1 of 3", done_permille=333), width, height).splitlines()
    assert len(lines) == height
    assert all(len(text) <= width for text in lines)


def test_what_a_round_shows(seven: Any) -> None:
    text = shown(picture_of(seven))
    assert "lv1/bj-012 · armenian · round 1-1 · players" in text
    assert text.splitlines()[0].rstrip().endswith(" READY")
    assert "7♥  7" in text
    assert "16/312 cut 208" in text
    for part in ("─ ▶ 2 ─", "K♦ A♦", "blackjack", "T♠ J♣", "soft 20", "35.00 (2)", "+37.50"):
        assert part in text
    assert " next  box 2 decides on 20" in text
    assert "hit  stand  double  split  surrender" in text
    assert " owed  pay 37.50 box 1 (blackjack +37.50)" in text
    assert "event line 59" in text
    assert "● shoe  ● console  ● bets  ● broker: connected  event" in text


def test_the_newest_events_are_beside_on_a_wide_screen(seven: Any) -> None:
    text = shown(picture_of(seven), 120, 40)
    (row,) = [row for row in text.splitlines() if "what is due" in row]
    assert "events ─" in row
    assert "event line 59" in text
    assert "event line 35" in text


def test_a_held_table_stands_out_with_its_ways_out(seven: Any) -> None:
    seven.cards("2C")
    picture = picture_of(seven)
    text = shown(picture)
    assert " HELD  v1 " in text
    assert "expected: " in text
    assert "ways out: 1 " in text
    assert "\x1b[1;37;41m HELD " in shown(picture, colour=True)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40)])
@pytest.mark.parametrize("place", [0, 1])
def test_every_way_out_of_a_hold_is_readable_whole(seven: Any, width: int, height: int, place: int) -> None:
    seven.cards("2C")
    picture = picture_of(seven)
    (held,) = picture.state["verdicts"]
    ways = [f"{number} way_out_number_{number}" for number in range(1, 6)]
    held["corrections"] = [{"kind": way.partition(" ")[2], "needs_card": True} for way in ways]
    others = [{**held, "id": f"v{number}", "severity": "open"} for number in range(2, 6)]
    text = shown(
        replace(picture, state={**picture.state, "verdicts": [*others[:place], held, *others[place:]]}), width, height
    )
    above = text.partition(" open ")[0]
    assert " HELD  v1 " in above
    assert all(f"{way} + card" in above for way in ways)


def test_split_hands_stand_in_one_box_and_differences_are_owed(table: Any) -> None:
    table.open()
    table.bet(1, 2500)
    table.bet(4, 2500)
    table.signals("no_more_bets")
    table.cards("8D 9S 6H 8S KC")
    table.say(DecisionSignalled("console", 1, "split"), WagerPlaced("bets", 1, 1, "split", 2500))
    table.cards("3C")
    text = shown(picture_of(table))
    assert "▸8♦ 3♣  11" in text
    assert "  8♠  8" in text
    table.say(DecisionSignalled("console", 1, "stand"))
    table.cards("TD")
    table.say(DecisionSignalled("console", 1, "stand", hand=2), DecisionSignalled("console", 4, "stand"))
    table.cards("TC 2D")
    table.say(ChipsPaid("bets", 4, 1, "main", 5000))
    text = shown(picture_of(table))
    assert " open  v1 PAY_AMOUNT  came: 50.00 paid at box 4" in text
    assert "take 25.00 box 4 (win +25.00, moved +50.00)" in text
    assert "win +25.00" in text


def test_offline_devices_and_a_lost_broker_are_seen(table: Any) -> None:
    table.open()
    table.say(DeviceOffline("bets", "unplugged"))
    state = picture_of(table).state
    text = shown(Picture("lv1", "bj-012", state, {"devices": [{"name": "bets"}]}, broker="connection lost"))
    assert "○ bets  ○ broker: connection lost" in text
    assert "no bets" in text


def test_before_anything_was_heard(table: Any) -> None:
    text = shown(Picture("lv1", "bj-012", {}))
    assert "the table is not heard of yet" in text
    assert text.splitlines()[-1].rstrip() == " ○ broker: not connected yet"
    assert "the table is closed" in shown(picture_of(table))


def test_cards_are_red_and_white(seven: Any) -> None:
    text = shown(picture_of(seven), colour=True)
    assert "\x1b[1;91mK♦" in text
    assert "\x1b[1;97mT♠" in text


def test_more_boxes_than_fit_are_counted(seven: Any) -> None:
    assert "+2 more" in shown(picture_of(seven), 60, 16)


@pytest.mark.parametrize(
    ("drawn", "cut_at", "bar"),
    [
        (0, 0, "░░░░░░░░░░"),
        (50, 0, "█████░░░░░"),
        (100, 100, "█████████┃"),
        (999, 50, "█████┃████"),
        (0, 200, "░" * 10),
    ],
)
def test_the_gauge(drawn: int, cut_at: int, bar: str) -> None:
    assert gauge(drawn, 100, cut_at, 10).plain == bar


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("KD") | st.floats(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["boxes", "hands", "cards", "box", "turn", "total", "stakes"]), inner)
    ),
    max_leaves=10,
)
KEYS = ["phase", "round", "view", "expected", "dues", "verdicts", "offline", "as_of", "service"]
VIEW = st.dictionaries(st.sampled_from(["boxes", "dealer", "shoe"]), JSON, max_size=3)


@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=9), VIEW, st.sampled_from([*SIZES, (20, 5), (1, 1)]))
def test_no_payload_breaks_it(state: dict[str, Any], view: dict[str, Any], size: tuple[int, int]) -> None:
    text = shown(Picture("lv1", "bj-012", {"view": view, **state}, state), *size)
    assert text.replace("\n", "").isprintable()
