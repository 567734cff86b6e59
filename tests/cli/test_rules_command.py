"""``tablewatch rules``: every key is on the card, faults are told all at once, differences are those there are."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from controller.app.rulesets import load_rules, shipped
from controller.games.blackjack import GAME
from controller.games.blackjack.rules import Rules

Cli = Callable[..., tuple[int, str, str]]

CHANGED: dict[str, Any] = {
    "decks": 8,
    "inspection": False,
    "player_cut": False,
    "cut_margin": 20,
    "second_cut_share": "3:4",
    "second_cut_tolerance": 13,
    "burn_min": 2,
    "burn_max": 5,
    "burn_face_down": True,
    "cut_card_first": "shuffle_now",
    "count_after_shoe": True,
    "count_racked": True,
    "spare_shoe": "void_round",
    "boxes": 5,
    "persons_per_box": 2,
    "hands_per_player": 2,
    "box_min": 1000,
    "box_max": 50_000,
    "person_max": 60_000,
    "chip_quantum": 100,
    "rounding": "player",
    "rebet": True,
    "exchange": "pause",
    "deal_order": "two_then_dealer",
    "hole_card": "dealt",
    "dealer_skipped": "may_withdraw",
    "peek_on_ace": True,
    "peek_on_ten": True,
    "blackjack_pays": "6:5",
    "blackjack_after_split": True,
    "dealer_hits_soft_17": True,
    "draw_on_21": True,
    "double_on": "none",
    "double_min": 9,
    "double_max": 10,
    "double_after_split": False,
    "split_by": "rank",
    "split_hands": 5,
    "split_aces_hands": 2,
    "split_aces_one_card": False,
    "back_bet_no_split": "choose",
    "decision_timeout_s": 60,
    "surrender": "none",
    "surrender_against_ace": False,
    "insurance": "up_to_half",
    "insurance_pays": "3:2",
    "insurance_survives_surrender": False,
    "even_money": False,
    "dealer_blackjack_takes": "original_only",
    "dealer_draws_for_nobody": True,
    "bust_collect": "end",
    "bonus_three_sevens": "2:1",
    "bonus_six_cards": "2:1",
    "bonus_suited_678": "2:1",
    "bonus_suited_blackjack": "2:1",
    "bonus_instead": True,
    "bonus_needs_win": True,
    "bonus_on_split": True,
    "six_cards": "win",
    "side_bets": {"trilux": {"flush": "9:1"}},
    "side_min": 200,
    "side_max": 500,
    "settlement_gate": "warn",
}
"""Another value for every key."""
BESIDE: dict[str, dict[str, Any]] = {
    "peek_on_ace": {"hole_card": "dealt", "surrender": "none"},
    "peek_on_ten": {"hole_card": "dealt", "surrender": "none"},
    "double_min": {"double_on": "total"},
    "double_max": {"double_on": "total"},
    "bonus_instead": {"bonus_six_cards": "1:1"},
    "bonus_needs_win": {"bonus_six_cards": "1:1"},
    "bonus_on_split": {"bonus_six_cards": "1:1"},
    "side_min": {"side_bets": {"trilux": {"flush": "5:1"}}},
    "side_max": {"side_bets": {"trilux": {"flush": "5:1"}}},
}
"""What a key needs before it means anything."""


def rules_of(**keys: Any) -> Rules:
    rules: Rules = load_rules(GAME, "armenian", keys).rules
    return rules


@pytest.mark.parametrize("key", Rules.model_fields)
def test_every_key_shows_on_the_card(key: str) -> None:
    beside = BESIDE.get(key, {})
    assert GAME.wall_card(rules_of(**beside)) != GAME.wall_card(rules_of(**(beside | {key: CHANGED[key]})))


def rule_file(tmp_path: Path, *lines: str, end: str = "") -> Path:
    text = resources.files("controller.rulesets").joinpath("blackjack", "armenian.toml").read_text("utf-8")
    kept = [line for line in text.splitlines() if not any(line.startswith(new.split(" ")[0] + " ") for new in lines)]
    path = tmp_path / "house.toml"
    at = kept.index("[rules]") + 1
    path.write_text("\n".join([*kept[:at], *lines, *kept[at:], end]) + "\n")
    return path


def words(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def test_the_list_names_every_rule_set_and_its_game(cli: Cli) -> None:
    code, out, _ = cli("rules", "list")
    assert code == 0
    lines = words(out)
    assert [line.split()[0] for line in lines] == [
        f"{game}/{name}" for game in ("blackjack", "blot") for name in shipped(game)
    ]
    assert "blot/armenian Standard Blot for two, Armenian rules" in lines


def test_a_card_has_limits_odds_and_what_the_owner_must_know(cli: Cli) -> None:
    code, out, err = cli("rules", "show", "armenian")
    assert (code, err) == (0, "")
    lines = words(out)
    assert lines[0] == "Blackjack, Armenian regulation"
    assert "blackjack pays 3:2" in lines
    assert "on a box 5.00 to 1000.00" in lines
    assert "surrender half the stake, against any card, before the dealer's blackjack" in lines
    assert lines[-1].startswith("warning: surrender against an ace ")
    assert [line for line in lines if line in {"Limits", "Odds", "Dealer", "Players", "Shoe", "Settlement"}] == [
        "Limits",
        "Odds",
        "Dealer",
        "Players",
        "Shoe",
        "Settlement",
    ]


def test_the_card_of_blot_has_its_match_points_and_score(cli: Cli) -> None:
    code, out, _ = cli("rules", "show", "blot/armenian")
    assert code == 0
    lines = words(out)
    assert "won by who first has 101 points, counted after each round" in lines
    assert "trumps J 20, 9 14, A 11, T 10, K 4, Q 3" in lines
    assert "capot 21 when the other side has no card point" in lines
    assert lines[-1].startswith("warning: a player who gives up ")


def test_differences_are_those_that_there_are(cli: Cli) -> None:
    code, out, _ = cli("rules", "diff", "armenian", "armenian_no_ace_surrender")
    assert code == 0
    lines = words(out)
    assert lines[0] == "key armenian armenian_no_ace_surrender meaning"
    assert [line.split()[:3] for line in lines[1:] if "surrender" in line.split()[0]] == [
        ["surrender_against_ace", "yes", "no"]
    ]
    assert words(cli("rules", "diff", "greek", "greek")[1]) == ["the two rule sets say the same"]


def test_a_file_can_be_compared_with_a_shipped_rule_set(cli: Cli, tmp_path: Path) -> None:
    path = rule_file(tmp_path, 'blackjack_pays = "6:5"', end='[rules.side_bets.trilux]\nflush = "9:1"')
    out = words(cli("rules", "diff", "armenian", path)[1])
    assert out[0] == "key armenian house meaning"
    assert any(line.startswith("blackjack_pays 3:2 6:5 ") for line in out)
    assert any(line.startswith("side_bets none trilux: flush: 9:1 ") for line in out)


def test_a_good_file_is_usable_and_what_it_leaves_out_is_named(cli: Cli, tmp_path: Path) -> None:
    path = rule_file(tmp_path, "box_min = 2000")
    code, out, err = cli("rules", "check", path)
    assert (code, err) == (0, "")
    lines = words(out)
    assert lines[0].startswith("warning: surrender against an ace ")
    assert lines[-1] == f"{path}: a table can play blackjack by this"
    path.write_text('title = "t"\ngame = "blackjack"\n[rules]\ndecks = 4\n')
    assert any(
        line.startswith("not said, so as by default: inspection, ") for line in words(cli("rules", "check", path)[1])
    )


def test_all_faults_of_a_file_are_told_at_once(cli: Cli, tmp_path: Path) -> None:
    path = rule_file(tmp_path, "boxes = 0", "dekcs = 6", 'peek_on_ace = "yes"')
    code, out, err = cli("rules", "check", path)
    assert (code, out) == (2, "")
    problems = err.splitlines()
    assert len(problems) == 3
    assert all(line.startswith(f"tablewatch: {path}: ") for line in problems)
    assert any("dekcs: unknown key; did you mean decks?" in line for line in problems)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("show", "armenia"), "no rule set 'armenia'; shipped: blackjack/armenian, "),
        (
            ("diff", "armenian", "blot/armenian"),
            "armenian is of blackjack, blot/armenian of blot: compare two of one game",
        ),
        (("strategy", "blot/armenian"), "blot/armenian is of blot: a basic strategy is one of blackjack"),
        (("check", "armenian"), "armenian: a rule set is a file that ends in .toml"),
        (("check", "no/such.toml"), "no/such.toml: cannot be read: No such file or directory"),
    ],
)
def test_what_cannot_be_used_is_one_line(cli: Cli, arguments: tuple[str, ...], problem: str) -> None:
    code, out, err = cli("rules", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"tablewatch: {problem}")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("game = 7\n[rules]\n", "game = 7 is not a name"),
        ('game = "whist"\n[rules]\n', "game: 'whist' is not installed; installed: blackjack, blot"),
        ("not toml", "not TOML: "),
        ('game = "blackjack"\n', "needs a [rules] table"),
    ],
)
def test_a_file_that_is_no_rule_set_is_one_line(cli: Cli, tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(text)
    code, out, err = cli("rules", "check", path)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith(f"tablewatch: {path}: {problem}")


def test_the_strategy_is_a_table_of_every_total(cli: Cli) -> None:
    code, out, _ = cli("rules", "strategy", "hebrew")
    assert code == 0
    lines = words(out)
    assert lines[1] == "2 3 4 5 6 7 8 9 10 A"
    assert "hard 16 S S S S S H H H H H" in lines
    assert "hard 11 DH DH DH DH DH DH DH DH DH H" in lines
    assert "pair A PH PH PH PH PH PH PH PH PH PH" in lines
