"""Rule sets by name or file, with a table's own limits over them; games and drivers by their entry points."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.app.config import ConfigError, DeviceSection
from controller.app.devices import make_driver
from controller.app.plugins import load_driver, load_game
from controller.app.rulesets import LoadedRules, load_rules, shipped
from controller.core.game import Game


def problems(game: Game, name: str, **overrides: object) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        load_rules(game, name, overrides)
    return caught.value.problems


def test_a_shipped_rule_set_is_found_by_name(game: Game, rules: LoadedRules) -> None:
    assert "armenian" in shipped("blackjack")
    assert rules.name == "armenian"
    assert rules.title == "Blackjack, Armenian regulation"
    assert len(rules.sha256) == 64


def test_a_name_may_say_its_game_as_the_list_does(game: Game, rules: LoadedRules) -> None:
    assert load_rules(game, "blackjack/armenian", {}) == rules
    assert problems(game, "blot/armenian") == (
        "table.ruleset: 'blot/armenian' is of blot, and the game here is blackjack: "
        "set game to blot where this rule set is chosen",
    )
    assert problems(game, "chess/armenian")[0].startswith("table.ruleset: no rule set 'chess/armenian'; shipped: ")


def test_overrides_are_part_of_the_rules_and_of_their_hash(game: Game, rules: LoadedRules) -> None:
    dearer = load_rules(game, "armenian", {"box_min": 1000})
    assert dearer.rules.box_min == 1000
    assert dearer.data["box_min"] == 1000
    assert dearer.sha256 != rules.sha256
    assert load_rules(game, "armenian", {}).sha256 == rules.sha256


def test_a_rule_set_of_ones_own_is_a_file(tmp_path: Path, game: Game) -> None:
    own = tmp_path / "house.toml"
    own.write_text('title = "House"\n[rules]\nbox_min = 700\n', encoding="utf-8")
    loaded = load_rules(game, str(own), {})
    assert (loaded.name, loaded.title, loaded.rules.box_min) == ("house", "House", 700)


def test_faults_name_file_key_and_what_is_allowed(tmp_path: Path, game: Game) -> None:
    assert problems(game, "klingon") == (
        f"table.ruleset: no rule set 'klingon'; shipped: {', '.join(shipped('blackjack'))}; or a path to a .toml",
    )
    two = problems(game, "armenian", decks=0, boxs=5)
    assert len(two) == 2
    assert all(problem.startswith("rule set armenian: ") for problem in two)
    assert any("boxs: unknown key; did you mean boxes?" in problem for problem in two)
    own = tmp_path / "house.toml"
    for text, fault in (
        ('game = "blot"\n[rules]\n', "is of blot, and the game here is blackjack: set game to blot"),
        ("[rules]\n[rulez]\n", "rulez: unknown key; did you mean rules?"),
        ("title = 5\n", "needs a [rules] table"),
    ):
        own.write_text(text, encoding="utf-8")
        (problem,) = problems(game, str(own))
        assert problem.startswith(f"{own}: ")
        assert fault in problem
    own.write_text('game = "blot"\nlevel = 3\n', encoding="utf-8")
    assert len(problems(game, str(own))) == 3
    (missing,) = problems(game, str(tmp_path / "none.toml"))
    assert "No such file" in missing


def test_games_and_drivers_come_from_entry_points_and_unknown_ones_name_the_installed() -> None:
    assert load_game("blackjack").name == "blackjack"
    assert load_driver("shoe", "angel-eye", "device.0.driver").name == "angel-eye"
    with pytest.raises(ConfigError, match=r"^table\.game: 'chess' is not installed; installed: .*blackjack"):
        load_game("chess")
    with pytest.raises(ConfigError, match=r"^device\.3\.driver: 'no-such' is not installed; installed: .*angel-eye"):
        load_driver("shoe", "no-such", "device.3.driver")


def section(**more: object) -> DeviceSection:
    return DeviceSection.model_validate(
        {"name": "shoe", "kind": "shoe", "driver": "angel-eye", "port": "/dev/null", **more}
    )


def test_a_wrong_driver_option_names_key_and_value() -> None:
    with pytest.raises(ConfigError, match=r"^device\.1\.options: .*silence"):
        make_driver(section(options={"silence_limit_s": "soon"}), "device.1", simulation=False)


def test_a_configured_speed_replaces_the_drivers() -> None:
    _driver, usual = make_driver(section(), "device.0", simulation=False)
    _driver, line = make_driver(section(baudrate=9600), "device.0", simulation=False)
    assert line.baudrate == 9600
    assert (line.bytesize, line.parity, line.stopbits) == (usual.bytesize, usual.parity, usual.stopbits)
