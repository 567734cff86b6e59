"""Faults of the line that need time, profiles and files of faults, the dice for mishaps, and the judge of trials."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from firmware_sim.faults import RATES, FaultInjector, Faults
from firmware_sim.mishaps import CardFault, Mishap, Mishaps
from firmware_sim.profiles import PROFILES, load_faults, profile
from firmware_sim.trials.judge import Gap, judge


def arrivals(faults: Faults, units: list[bytes], every_ms: int = 100) -> list[tuple[int, bytes]]:
    """When what arrives of units that are sent one after the other."""
    injector, found = FaultInjector(faults), []
    for now_ms in range(0, 100_000, 5):
        if units and now_ms % every_ms == 0:
            injector.push(units.pop(0))
        if piece := injector.take(now_ms):
            found.append((now_ms, piece))
    return found


def units(count: int) -> list[bytes]:
    return [b"<%03d>" % number for number in range(count)]


def test_a_duplicate_comes_at_once() -> None:
    assert arrivals(Faults(duplicate=1.0), [b"ab"]) == [(0, b"abab")]


def test_a_delayed_duplicate_comes_within_its_bound() -> None:
    found = arrivals(Faults(delay_duplicate=1.0, delay_ms=700), units(20), every_ms=1000)
    first, again = found[0::2], found[1::2]
    assert [piece for _at, piece in first] == [piece for _at, piece in again] == units(20)
    assert all(0 < late - early <= 705 for (early, _), (late, _) in zip(first, again, strict=True))


def test_a_unit_is_overtaken_by_the_next_one() -> None:
    found = b"".join(piece for _at, piece in arrivals(Faults(reorder=0.5, seed=2), units(40)))
    order = [int(number) for number in re.findall(rb"\d+", found)]
    assert sorted(order) == list(range(40))
    assert order != sorted(order)
    assert all(abs(place - number) <= 1 for place, number in enumerate(order))


def test_the_last_unit_does_not_wait_for_ever() -> None:
    assert [piece for _at, piece in arrivals(Faults(reorder=1.0), [b"a"])] == [b"a"]


def test_a_stall_holds_everything_back_and_loses_nothing() -> None:
    faults = Faults(stall=0.05, stall_min_ms=2000, stall_max_ms=4000, seed=3)
    found = arrivals(faults, units(60))
    assert b"".join(piece for _at, piece in found) == b"".join(units(60))
    pauses = [late - early for (early, _), (late, _) in pairwise(found)]
    assert max(pauses) >= 1900


def test_a_second_opener_takes_a_part_of_a_unit() -> None:
    sent = units(30)
    found = [piece for _at, piece in arrivals(Faults(steal=1.0), list(sent))]
    assert {len(piece) for piece in found} >= {1, 2, 3, 4}
    prefixes = {unit[:begin] + unit[end:] for unit in sent for begin in range(5) for end in range(begin + 1, 6)}
    assert set(found) <= prefixes


def test_an_unplugged_cable_loses_what_is_on_its_way() -> None:
    injector = FaultInjector(Faults(stall=1.0))
    injector.push(b"abc")
    assert injector.take(10) == b""
    injector.cut()
    assert injector.take(100_000) == b""


@pytest.mark.parametrize("name", PROFILES)
def test_profiles_have_names_and_take_a_seed(name: str) -> None:
    assert profile(name, 9).seed == 9
    assert load_faults(name, 4) == profile(name, 4)


def test_profiles_get_worse() -> None:
    sums = [sum(getattr(faults, rate) for rate in RATES) for faults in PROFILES.values()]
    assert sums == sorted(sums)
    assert sums[0] == 0
    assert all(getattr(PROFILES["hostile"], rate) > 0 for rate in RATES)


def test_a_file_of_faults(tmp_path: Path) -> None:
    path = tmp_path / "faults.toml"
    path.write_text('profile = "harsh"\nstall = 0\nseed = 3\ndelay_ms = 50\nmisread = 1\n')
    faults = load_faults(str(path), seed=8)
    assert (faults.seed, faults.stall, faults.delay_ms, faults.misread) == (3, 0, 50, 1)
    assert faults.drop_frame == PROFILES["harsh"].drop_frame


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("dropframe = 0.1", "dropframe is no fault; did you mean drop_frame?"),
        ("xyz = 1", "xyz is no fault; allowed are profile, seed"),
        ("stall = 2.0", "fault stall is 2.0, must be from 0 to 1"),
        ('stall = "often"', "stall is 'often', must be a number"),
        ("delay_ms = 0.5", "delay_ms is 0.5, must be a whole number"),
        ("stall_min_ms = 0", "must be above 0"),
        ('profile = "bad"', "known are clean, nominal, harsh, hostile"),
        ("= 1", "not TOML"),
    ],
)
def test_a_bad_file_of_faults_is_one_line(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "faults.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=re.escape(reason)) as caught:
        load_faults(str(path))
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_no_file_names_the_profiles(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="name a fault profile"):
        load_faults(str(tmp_path / "none.toml"))


def test_mishaps_follow_their_rates_and_seed() -> None:
    faults = Faults(unplug=0.2, swap=0.1, misread=0.5, seed=1)
    dice, same = Mishaps(faults), Mishaps(faults)
    thrown = [(dice.before_act(), dice.of_card()) for _ in range(500)]
    assert thrown == [(same.before_act(), same.of_card()) for _ in range(500)]
    acts, cards = Counter(act for act, _ in thrown), Counter(card for _, card in thrown)
    assert set(acts) == {None, Mishap.UNPLUG, Mishap.SWAP}
    assert set(cards) == {None, CardFault.MISREAD}
    assert dice.counts["unplug"] == acts[Mishap.UNPLUG] > 50
    assert 100 <= dice.duration_ms(100, 200) <= 200


TRUTH = ["a", "b", "b", "c", "d"]


@pytest.mark.parametrize(
    ("heard", "is_right"),
    [
        (["a", "b", "b", "c", "d"], True),
        (["a", "b", "c", "d"], False),
        (["a", "b", "b", "b", "c", "d"], False),
        (["a", "b", "b", "d", "c"], False),
        (["a", Gap(), "c", "d"], True),
        (["a", "b", Gap(), "c", "d"], True),
        (["a", Gap(2), "c", "d"], True),
        (["a", Gap(1), "c", "d"], False),
        (["a", Gap(1), Gap(1), "c", "d"], True),
        (["a", Gap(1), Gap(), "d"], True),
        ([Gap(), "b", "b", "c", "d"], True),
        (["a", "b", "b", "c", Gap()], True),
        (["a", "b", "b", "c"], False),
        ([Gap(), "x"], False),
        ([Gap()], True),
        ([], False),
    ],
)
def test_the_judge(heard: list[str | Gap], is_right: bool) -> None:
    assert (judge(TRUTH, heard).wrong == "") is is_right


def test_the_judge_allows_repeats_only_where_they_may_be() -> None:
    assert judge(["a", "b"], ["a", "a", "b"]).wrong
    judgement = judge(["a", "b"], ["a", "a", "b"], may_repeat=True)
    assert (judgement.wrong, judgement.repeats, judgement.heard, judgement.lost) == ("", 1, 2, 0)
    assert judge(["a", "b"], ["a", "b", "a"], may_repeat=True).wrong
