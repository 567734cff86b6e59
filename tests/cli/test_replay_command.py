"""``tablewatch replay``: rounds as text and as JSON, cut short, picked out, and of strange journals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.app.rulesets import load_rules
from controller.cli.rounds import Loose, Round, rounds_of
from controller.core.inputs import (
    ChipsPaid,
    CommandReceived,
    DealerSignalled,
    DecisionSignalled,
    DeviceOffline,
    RulesChosen,
    SystemStarted,
    WagerPlaced,
    WagerWithdrawn,
)
from controller.games.blackjack import GAME
from controller.journal.chain import EventDraft
from controller.journal.store import Journal

Cli = Callable[..., tuple[int, str, str]]


def lines(text: str) -> list[str]:
    """The lines without what stands at their right end and with single spaces."""
    return [" ".join(line.split()) for line in text.splitlines()]


def test_rounds_read_as_a_person_would_tell_them(cli: Cli, played: Any) -> None:
    code, out, err = cli("replay", played.path)
    assert (code, err) == (0, "")
    said = lines(out)
    assert said[:4] == [
        "12:00:00 controller started: start 1, version 0.1.0, simulated devices",
        said[1],
        "12:00:01 table opened by 4711",
        "12:00:01 command open-table by 4711: done",
    ]
    start = next(index for index, line in enumerate(said) if line.startswith("Round 1-1"))
    assert said[start].startswith("Round 1-1 2026-01-01 12:00:06 – 12:00:21 UTC events ")
    assert said[start + 1 : start + 8] == [
        "cards total decisions bet stake owed moved outcome",
        "box 1 K♦ Q♦ 20 stand main 25.00 +25.00 +25.00 win",
        "box 3 T♠ 6♣ 8♦ bust 24 hit main 10.00 -10.00 -10.00 bust",
        "dealer 9♥ T♣ 19",
        "! v1 PAY_AMOUNT (open): expected win: pay 25.00; came: 50.00 paid at box 1 person 1 main → put right",
        "house -15.00 of 35.00 staked",
        "",
    ]
    assert "override of the round → void_round by 12 and 47: misdeal" in said
    assert "void: misdeal; 5.00 go back" in said
    assert "\x1b" not in out


def test_json_has_one_object_a_line(cli: Cli, played: Any) -> None:
    code, out, _ = cli("replay", played.path, "--json")
    assert code == 0
    items = [json.loads(line) for line in out.splitlines()]
    first, second = (item for item in items if item["kind"] == "round")
    assert (first["round"], first["house_minor"], first["void"], first["finished"]) == ("1-1", -1500, None, True)
    assert first["dealer"] == {"cards": ["9♥", "T♣"], "total": "19"}
    assert first["hands"][1] == {
        "box": 3,
        "hand": 1,
        "cards": ["T♠", "6♣", "8♦"],
        "total": "bust 24",
        "decisions": ["hit"],
    }
    assert first["bets"][0]["moved_minor"] == first["bets"][0]["owed_minor"] == 2500
    assert first["verdicts"][0]["how"] == "put right"
    assert (second["void"], second["returned_minor"], second["house_minor"]) == ("misdeal", 500, None)
    outside = [item for item in items if item["kind"] == "event"]
    covered = sum(item["events"][1] - item["events"][0] + 1 for item in (first, second))
    assert len(outside) + covered >= played.journal.head() - 2
    assert outside[0]["event"]["type"] == "tablewatch.system.started"


def test_until_an_event_or_a_time_leaves_the_round_unfinished(cli: Cli, played: Any) -> None:
    dealt = [event for event in played.journal.events() if event.type == "card.dealt"][2]
    for until in (str(dealt.sequence), "2026-01-01T12:00:11Z", "2026-01-01 12:00:11", "2026-01-01T14:00:11+02:00"):
        code, out, _ = cli("replay", played.path, "--until", until)
        assert code == 0
        assert lines(out)[-2:] == ["not finished", ""]
        assert "dealer 9♥ 9" in lines(out)
        assert "Q♦" not in out


@pytest.mark.parametrize("until", ["yesterday", "-1", "1.5", "٣x"])
def test_a_malformed_until_is_a_usage_error(cli: Cli, played: Any, until: str) -> None:
    code, out, err = cli("replay", played.path, f"--until={until}")
    assert (code, out) == (2, "")
    assert "neither an event number nor a time" in err


def test_one_round_alone(cli: Cli, played: Any) -> None:
    code, out, _ = cli("replay", played.path, "--round", "1-2")
    assert code == 0
    assert lines(out)[0].startswith("Round 1-2")
    assert "K♦" not in out
    code, out, err = cli("replay", played.path, "--round", "9-9")
    assert (code, out) == (1, "")
    assert "there is no round 9-9" in err


def test_split_and_double_are_told_by_hand(table: Any) -> None:
    table.open()
    table.bet(1, 2000)
    table.signals("no_more_bets")
    table.cards("8D 6H 8S")
    table.say(DecisionSignalled("console", 1, "split"), WagerPlaced("bets", 1, 1, "split", 2000))
    table.cards("3C")
    table.say(DecisionSignalled("console", 1, "double"), WagerPlaced("bets", 1, 1, "double", 2000))
    table.cards("TD TH")
    table.say(DecisionSignalled("console", 1, "stand", hand=2))
    table.cards("TS 9D")
    (played,) = (item for item in rounds_of(table.journal.events()) if isinstance(item, Round))
    hands = {key: (hand.cards, hand.total, hand.decisions) for key, hand in played.hands.items() if key[0]}
    assert hands == {
        (1, 1): (["8♦", "3♣", "T♦"], "21", ["split", "double"]),
        (1, 2): (["8♠", "T♥"], "18", ["stand"]),
    }
    assert {key[2]: (bet.stake_minor, bet.owed_minor) for key, bet in played.bets.items()} == {
        "main": (4000, 4000),
        "main:2": (2000, 2000),
    }
    assert not played.finished


def test_a_hole_card_is_face_down_until_it_is_shown_and_a_misdeal_is_put_right(table: Any) -> None:
    rules = load_rules(GAME, "hebrew", {"inspection": False, "player_cut": False})
    table.say(RulesChosen("blackjack", rules.name, rules.data, rules.sha256))
    table.open()
    table.bet(1, 2000)
    table.bet(2, 2000)
    table.signals("no_more_bets")
    table.cards("8D 6H 5C 8S 9S")
    table.say(DecisionSignalled("console", 2, "skipped"))
    table.cards("TD")

    def dealer_and_second() -> tuple[list[str], list[str]]:
        (played,) = (item for item in rounds_of(table.journal.events()) if isinstance(item, Round))
        return played.hands[0, 1].cards, played.hands[2, 1].cards

    assert dealer_and_second() == (["5♣", "9♠"], ["6♥", "T♦"])
    table.say(
        CommandReceived("void-round", "12", "supervisor", "4711", "dealer"),
        WagerWithdrawn("bets", 1, 1, "main", 2000),
        WagerWithdrawn("bets", 2, 1, "main", 2000),
        DealerSignalled("console", "collect"),
    )
    table.bet(1, 2000)
    table.cards("8D 5C 8S 9S")
    last = [item for item in rounds_of(table.journal.events()) if isinstance(item, Round)][-1]
    assert last.hands[0, 1].cards == ["5♣", "▮"]
    table.say(DecisionSignalled("console", 1, "stand"))
    last = [item for item in rounds_of(table.journal.events()) if isinstance(item, Round)][-1]
    assert last.hands[0, 1].cards == ["5♣", "9♠"]


def test_a_bet_taken_back_is_not_in_the_table(table: Any) -> None:
    table.open()
    table.bet(1, 2000)
    table.bet(2, 1000)
    table.say(WagerWithdrawn("bets", 1, 1, "main", 2000))
    (played,) = (item for item in rounds_of(table.journal.events()) if isinstance(item, Round))
    assert {key: bet.stake_minor for key, bet in played.bets.items()} == {(2, 1, "main"): 1000}
    assert [line.text for line in played.lines] == ["20.00 taken back at box 1"]


def test_what_happens_meanwhile_is_told_in_the_round(table: Any) -> None:
    table.open()
    table.bet(1, 2000)
    table.say(DeviceOffline("bets", "unplugged\x1b[2J"))
    (played,) = (item for item in rounds_of(table.journal.events()) if isinstance(item, Round))
    assert [line.text for line in played.lines] == ["bets is offline: unplugged?[2J"]


def test_events_of_another_version_are_told_as_they_are(cli: Cli, tmp_path: Path) -> None:
    with Journal.open(tmp_path / "odd.journal", "lv1", "bj-012") as journal:
        journal.start()
        odd = {"round": 7, "x": "\x1b]0;t\x07"}
        for event_type in ("round.opened", "card.dealt", "payout.due", "hand.split", "verdict.new"):
            journal.append([EventDraft(event_type, odd, 1_767_268_800_000_000, correlation="7")])
    code, out, err = cli("replay", tmp_path / "odd.journal")
    assert (code, err) == (0, "")
    assert out.startswith("Round 7 ")
    assert "event round=7 x=?]0;t?" in out
    assert "verdict.new round=7" in out
    assert "\x1b" not in out


def test_an_empty_journal_prints_nothing(cli: Cli, tmp_path: Path) -> None:
    Journal.open(tmp_path / "new.journal", "lv1", "bj-012").close()
    assert cli("replay", tmp_path / "new.journal") == (0, "", "")


def test_what_is_no_journal_cannot_be_replayed(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    for path, said in (
        (tmp_path / "text", "not a SQLite database"),
        (tmp_path, "directory"),
        (tmp_path / "no", "no such"),
    ):
        code, out, err = cli("replay", path)
        assert (code, out) == (3, "")
        assert said in err
        assert err.count("\n") == 1


def test_a_long_line_of_a_round_stays_whole_where_no_terminal_is(table: Any, cli: Cli) -> None:
    """Docs/cli.md: output that is no terminal is plain lines, never wrapped."""
    table.open()
    table.bet(1, 2500)
    table.say(ChipsPaid("bets", 7, 3, "side:" + "trilux" * 20, 100))
    out = cli("replay", table.path)[1]
    (told,) = [line for line in out.splitlines() if line.startswith("  ! ")]
    assert len(told) > 160
    assert told.endswith("trilux" * 20 + " → still open")


def test_loose_events_between_rounds_keep_their_order(played: Any) -> None:
    sequences = [
        item.event.sequence if isinstance(item, Loose) else item.first for item in rounds_of(played.journal.events())
    ]
    assert sequences == sorted(sequences)


def test_amounts_have_the_currency_that_is_on_record(table: Any, cli: Cli) -> None:
    table.say(SystemStarted(1, "0.1.0", simulated=True, currency="GEL"))
    table.open()
    table.won_and_lost()
    code, out, _ = cli("replay", table.path)
    assert code == 0
    assert "of 35.00 GEL staked" in out
    code, out, _ = cli("replay", table.path, "--json")
    assert [item["currency"] for item in map(json.loads, out.splitlines()) if item["kind"] == "round"] == ["GEL"]
