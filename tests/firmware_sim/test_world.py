"""The record of what really happened at a simulated table."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.messages import (
    CardLaid,
    CardNamed,
    ChipsCollected,
    DeckSpread,
    KeyPressed,
    PayoutMade,
    StaffCardPresented,
    WagerPlaced,
    WagerTakenBack,
)
from firmware_sim.entries import (
    CardLeft,
    CardPut,
    CutCardLeft,
    DeviationPlanted,
    Entry,
    Place,
    Remark,
    RoundPlayed,
    Said,
    ShoeFilled,
    from_json,
    to_json,
)
from firmware_sim.world import World

ENTRIES: tuple[Entry, ...] = (
    ShoeFilled(1, 312, 208),
    CardLeft(1, 1, 13, "H"),
    CardPut(1, 1, Place.BURNED),
    CardLeft(1, 2, 1, "S", readable=False),
    CardPut(1, 2, Place.HAND, box=3),
    CardLeft(1, 3, 7, "D", exposed=False),
    CardPut(1, 3, Place.ASIDE),
    CutCardLeft(1, 3),
    Said("console", KeyPressed("collect", value=12), "native:CONSOLE-SIM-1:65537:9"),
    Said("console", CardNamed(1, "S", "assign"), "native:CONSOLE-SIM-1:65537:10"),
    Said("console", DeckSpread((6,) * 52), "native:CONSOLE-SIM-1:65537:11"),
    Said("console", StaffCardPresented("STAFF-1"), ""),
    Said("bets", WagerPlaced(3, 1, "main", 500), "native:BETS-SIM-1:1:1"),
    Said("bets", WagerTakenBack(3, 1, "main", 500), "native:BETS-SIM-1:1:2"),
    Said("bets", ChipsCollected(3, 1, "main", 500), "native:BETS-SIM-1:1:3"),
    Said("bets", PayoutMade(3, 1, "main", 750), "native:BETS-SIM-1:1:4"),
    Said("bets", CardLaid(0, 1), "native:BETS-SIM-1:1:5"),
    DeviationPlanted("wrong_order", 2, ("WRONG_BOX",)),
    RoundPlayed(2, 1, (3, 5), 9),
    Remark("the lamp flickered"),
)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{type(entry).__name__}")
def test_an_entry_comes_back_from_its_line(entry: Entry) -> None:
    line = to_json(entry)
    assert "\n" not in line
    assert from_json(line) == entry


def test_a_line_has_names_a_stranger_can_read() -> None:
    assert to_json(CardPut(1, 2, Place.HAND, 3)) == (
        '{"what":"CardPut","shoe":1,"number":2,"place":"hand","box":3,"hand":1}'
    )
    assert to_json(Said("bets", CardLaid(0, 1), "native:B:1:5")) == (
        '{"what":"Said","device":"bets","message":{"type":"CardLaid","box":0,"hand":1},"identity":"native:B:1:5"}'
    )


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "3",
        "{",
        '{"what":"Nothing"}',
        '{"text":"who?"}',
        '{"what":"Remark","text":"x","more":1}',
        '{"what":"Remark"}',
        '{"what":"CardPut","shoe":1,"number":2,"place":"pocket","box":3,"hand":1}',
        '{"what":"Said","device":"bets","message":7,"identity":""}',
        '{"what":"Said","device":"bets","message":{"type":"KeyPressed"},"identity":""}',
    ],
)
def test_a_wrong_line_is_refused_in_one_line(line: str) -> None:
    with pytest.raises(ValueError, match="is no line of a simulated table's record") as refusal:
        from_json(line)
    assert "\n" not in str(refusal.value)


def test_the_file_tells_another_process_everything_at_once(tmp_path: Path) -> None:
    path = tmp_path / "world.jsonl"
    with World(path) as world:
        for number, entry in enumerate(ENTRIES, 1):
            world.add(entry)
            assert World.read(path).entries == ENTRIES[:number]
    assert world.identities == tuple(e.identity for e in ENTRIES if isinstance(e, Said) and e.identity)


def test_a_line_still_being_written_is_left_out_and_a_wrong_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "world.jsonl"
    path.write_text(to_json(ENTRIES[0]) + "\n" + to_json(ENTRIES[1])[:20])
    assert World.read(path).entries == ENTRIES[:1]
    path.write_text(to_json(ENTRIES[0]) + "\nrubbish\n")
    with pytest.raises(ValueError, match=r"world\.jsonl, line 2: 'rubbish' is no line"):
        World.read(path)


def test_where_the_cards_lie() -> None:
    world = World()
    for entry in ENTRIES[:8]:
        world.add(entry)
    assert (world.shoe, len(world.cards), world.cut_card_out, world.on_table) == (1, 3, True, 2)
    assert [card.number for card in world.at(3)] == [2]
    assert world.at(0) == ()
    assert [card.number for card in world.lying(Place.ASIDE, Place.BURNED)] == [1, 3]
    world.add(CardLeft(1, 4, 2, "C"))
    assert [card.number for card in world.lying(Place.DEALERS_FINGERS)] == [4]
    world.add(CardPut(1, 2, Place.HAND, box=0))
    assert ([c.number for c in world.at(0)], world.at(3)) == ([2], ())
    assert (world.collect(), world.on_table) == (2, 0)
    assert [card.number for card in world.lying(Place.RACK)] == [2, 3]


def test_a_new_shoe_begins_anew_and_a_card_of_the_old_one_changes_nothing() -> None:
    world = World()
    for entry in ENTRIES[:8]:
        world.add(entry)
    world.add(ShoeFilled(2, 312, 208))
    world.add(CardPut(1, 2, Place.HAND, box=3))
    assert (world.shoe, world.cards, world.cut_card_out, world.on_table) == (2, (), False, 0)
