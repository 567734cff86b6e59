"""Every rule set that ships loads, names its game and its title, and is found by name."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest

from controller.app.config import ConfigError
from controller.app.plugins import load_game, names
from controller.app.rulesets import load_rules, shipped

CASES = [(game, ruleset) for game in names("tablewatch.games") for ruleset in shipped(game)]


def test_there_are_rule_sets_for_every_game() -> None:
    games = {entry.name for entry in entry_points(group="tablewatch.games")}
    assert games
    assert {game for game, _ in CASES} == games


@pytest.mark.parametrize(("game", "ruleset"), CASES)
def test_a_shipped_rule_set_loads(game: str, ruleset: str) -> None:
    loaded = load_rules(load_game(game), ruleset, {})
    assert loaded.name == ruleset
    assert loaded.title != ruleset
    assert len(loaded.sha256) == 64


@pytest.mark.parametrize(("game", "ruleset"), CASES)
def test_an_unknown_key_is_an_error_with_the_nearest_known_one(game: str, ruleset: str) -> None:
    loaded = load_rules(load_game(game), ruleset, {})
    known = sorted(loaded.data)[0]
    with pytest.raises(ConfigError) as caught:
        load_rules(load_game(game), ruleset, {known + "x": 1})
    assert f"did you mean {known}?" in str(caught.value)


def test_an_override_changes_the_hash_and_the_rules() -> None:
    game = load_game("blackjack")
    plain, changed = load_rules(game, "armenian", {}), load_rules(game, "armenian", {"box_min": 1000})
    assert plain.sha256 != changed.sha256
    assert (plain.rules.box_min, changed.rules.box_min) == (500, 1000)


def test_a_rule_set_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(ConfigError, match="armenian"):
        load_rules(load_game("blackjack"), "atlantis", {})
