"""``tablewatch simulate``: what it prints and how it ends."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Cli = Callable[..., tuple[int, str, str]]


def words(line: str) -> str:
    return " ".join(line.split())


def test_a_simulation_is_shown(cli: Cli) -> None:
    code, out, err = cli("simulate", "greek", "--rounds", 60, "--boxes", 2, "--side", 500, "--policy", "random")
    assert (code, err) == (0, "")
    lines = [words(line) for line in out.splitlines()]
    assert lines[0] == "greek: Blackjack, Greek description: three persons a box, Trilux"
    assert lines[1] == "random, 2 boxes at 5.00, 60 rounds from 3 shoes (21 a shoe), seed 1"
    assert lines[2].startswith("player's expectation ")
    assert lines[2].endswith(" %")
    assert lines[3] == "bet outcome times of the bets net of the stakes"
    together = [line.split()[2] for line in lines if " together " in line and line.startswith("side:trilux")]
    assert together == ["120"]
    assert "decision times a box and round" in lines
    assert lines[-1] == "side:trilux by counting every draw from a fresh shoe: -13.0449 %"


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
        (("armenian", "--policy", "clever"), "armenian: no policy 'clever': one of mimic, never-hit, stand12, basic"),
        (("armenian", "--boxes", 9, "--policy", "mimic"), "armenian: 9 boxes: this rule set has 1 to 7"),
        (("armenian", "--rounds", 0), "Invalid value for '--rounds': Input should be greater than or equal to 1"),
        (("nowhere",), "no rule set 'nowhere'; shipped: armenian"),
        (("nowhere.toml",), "nowhere.toml: cannot be read"),
    ],
)
def test_what_cannot_be_simulated_is_one_line(cli: Cli, arguments: tuple[object, ...], problem: str) -> None:
    code, out, err = cli("simulate", *arguments)
    assert code == 2
    assert out == ""
    assert problem in words(err)
    assert "Traceback" not in err
