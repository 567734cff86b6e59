"""A dealt table whose controller and broker are killed loses nothing, doubles nothing and stands where its record does;
the same campaign fails with each of three planted bugs. `make soak` runs the long form."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.kills import Kills, kill_all

pytestmark = [pytest.mark.broker, pytest.mark.slow]
PLANTED = Path(__file__).with_name("planted.py")


def test_kills_at_random_moments_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    figures = kill_all(tmp_path, Kills(kills=8, broker_kills=2, seed=20))
    assert figures.findings == []
    assert (figures.kills, figures.broker_kills) == (8, 2)
    assert figures.native_events > 20
    assert figures.cards > 3


def test_the_controllers_own_broker_may_die_with_it(tmp_path: Path) -> None:
    figures = kill_all(tmp_path, Kills(kills=4, broker_kills=2, seed=25, embedded=True))
    assert figures.findings == []
    assert (figures.kills, figures.broker_kills) == (4, 2)


def test_the_cursor_alone_loses_nothing_when_nobody_asks_for_what_is_missing(tmp_path: Path) -> None:
    figures = kill_all(tmp_path, Kills(kills=4, broker_kills=0, seed=21, silent=True))
    assert figures.findings == []
    assert figures.kills == 4


@pytest.mark.parametrize(
    ("bug", "kills", "silent", "finding"),
    [
        ("acknowledge-before-commit", 30, False, "was acknowledged and is not on the disk"),
        ("cursor-before-acknowledgement", 6, True, "never reached the subscriber"),
        ("duplicates-not-recognised", 30, False, "recorded twice"),
    ],
)
def test_the_campaign_finds_a_planted_bug(tmp_path: Path, bug: str, kills: int, silent: bool, finding: str) -> None:
    """The cursor's loss shows at the end only, the others after the kill that did it."""
    launcher = (str(PLANTED), bug)
    plan = Kills(kills=kills, broker_kills=0, seed=22, silent=silent, until_found=True, launcher=launcher)
    figures = kill_all(tmp_path, plan)
    assert any(finding in found for found in figures.findings), figures.findings
