"""``tablewatch simulate``: what it prints and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.app.plugins import load_game, names

Cli = Callable[..., tuple[int, str, str]]


def words(line: str) -> str:
    return " ".join(line.split())


def test_a_simulation_is_shown(cli: Cli) -> None:
    code, out, err = cli("simulate", "greek", "--rounds", 60, "--boxes", 2, "--side", 500, "--policy", "random")
    assert (code, err) == (0, "")
    lines = [words(line) for line in out.splitlines()]
    assert lines[0] == "blackjack/greek: Blackjack, Greek description: three persons a box, Trilux"
    assert lines[1] == "random, 2 boxes at 5.00, 60 rounds from 3 shoes (21 a shoe), seed 1"
    assert lines[2].startswith("player's expectation ")
    assert lines[2].endswith(" %")
    assert lines[3] == "bet outcome times of the bets net of the stakes"
    together = [line.split()[2] for line in lines if " together " in line and line.startswith("side:trilux")]
    assert together == ["120"]
    assert "decision times a box and round" in lines
    assert lines[-1] == "side:trilux by counting every draw from a fresh shoe: -13.0449 %"


def test_a_single_shoe_has_no_standard_error(cli: Cli) -> None:
    lines = cli("simulate", "greek", "--rounds", 3)[1].splitlines()
    assert lines[1] == "basic, 1 box at 5.00, 3 rounds from 1 shoe (32 a shoe), seed 1"
    assert lines[2].endswith(" % of the first stake, standard error unknown: it takes more than one shoe")


def test_matches_of_blot_are_shown(cli: Cli) -> None:
    code, out, err = cli("simulate", "blot/armenian", "--rounds", 60, "--seed", 5)
    assert (code, err) == (0, "")
    lines = [words(line) for line in out.splitlines()]
    assert lines[0] == "blot/armenian: Standard Blot for two, Armenian rules"
    assert lines[1].startswith("greedy, 60 rounds, ")
    assert lines[1].endswith(" matches to 101 points finished, seed 5")
    assert lines[2].startswith("takers' success ")
    assert "together 60 100.000 %" in lines
    assert any(line.startswith("rounds of a match ") for line in lines)


def test_a_file_says_which_game_it_is_of(cli: Cli, tmp_path: Path) -> None:
    own = tmp_path / "house.toml"
    own.write_text('title = "Long"\ngame = "blot"\n[rules]\nform = "long"\ntarget = 2001\n')
    code, out, _ = cli("simulate", own, "--rounds", 2, "--policy", "random")
    assert code == 0
    assert words(out.splitlines()[0]) == "blot/house: Long"
    assert "no match to 2001 points was finished: play more rounds to see how long one is" in out


def test_the_help_names_every_policy_and_how_rule_sets_are_told_apart(cli: Cli) -> None:
    helped = words(cli("simulate", "--help")[1])
    for game in map(load_game, names("tablewatch.games")):
        listed = helped.partition(f"{game.name.capitalize()}: ")[2].partition(".")[0]
        first, *others = game.simulation.policies
        assert listed == f"{first} (unless another is named), {', '.join(others)}"
    assert "blot/armenian; armenian alone is blackjack's" in helped


def test_the_exact_value_is_shown_beside_it(cli: Cli) -> None:
    code, out, _ = cli("simulate", "armenian", "--rounds", 200, "--policy", "never-hit", "--exact")
    assert code == 0
    assert "exactly, from a fresh shoe, -15.97466 %; the simulation is " in out


def test_where_chance_decides_no_exact_value_is_claimed(cli: Cli) -> None:
    code, out, _ = cli("simulate", "armenian", "--rounds", 20, "--policy", "random", "--exact", "--to-cut-card")
    assert code == 0
    assert "exactly: only known where no chance decides and no bonus is on" in out
    assert "(to the cut card)" in out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("armenian", "--policy", "clever"), "armenian: no policy 'clever': one of basic, mimic, never-hit, stand12"),
        (("blot/armenian", "--policy", "basic"), "blot/armenian: no policy 'basic': one of greedy, random"),
        (("blot/armenian", "--boxes", 2), "--boxes means nothing in blot, which has no options of its own"),
        (("armenian", "--boxes", 9, "--policy", "mimic"), "armenian: 9 boxes: this rule set has 1 to 7"),
        (("armenian", "--rounds", 0), "Invalid value for '--rounds': Input should be greater than or equal to 1"),
        (("nowhere",), "no rule set 'nowhere'; shipped: blackjack/armenian, "),
        (("blot/greek",), "no rule set 'blot/greek'; shipped: blackjack/armenian, "),
        (("nowhere.toml",), "nowhere.toml: cannot be read"),
    ],
)
def test_what_cannot_be_simulated_is_one_line(cli: Cli, arguments: tuple[object, ...], problem: str) -> None:
    code, out, err = cli("simulate", *arguments)
    assert code == 2
    assert out == ""
    assert problem in words(err)
    assert "Traceback" not in err
