"""Scenes to train on: the same from a seed, whole or not at all, gone on with where a run was stopped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from vision.errors import VisionError
from vision.train.backs import varied_back
from vision.train.decks import BOGUS_RANKS, Supply
from vision.train.dense_batch import GRID, batch, load_scene, targets
from vision.train.stock import make_stock

SEED = 5


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def supply(work: Path, names: Sequence[str]) -> Supply:
    return Supply(work / "art", names)


def test_a_stopped_stock_is_gone_on_with_and_comes_out_the_same(tmp_path: Path, supply: Supply) -> None:
    make_stock(supply, tmp_path / "whole", 4, SEED, lambda _: None)

    def stop(number: int) -> None:
        if number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_stock(supply, tmp_path / "stopped", 4, SEED, stop)
    (tmp_path / "stopped" / "1.jpg").unlink()
    made: list[int] = []
    make_stock(supply, tmp_path / "stopped", 4, SEED, made.append)
    assert made == [1, 3]
    assert contents(tmp_path / "stopped") == contents(tmp_path / "whole")
    assert len(contents(tmp_path / "whole")) == 12


def test_scenes_that_cannot_be_written_are_one_line(tmp_path: Path, supply: Supply) -> None:
    (tmp_path / "full" / "scene.part").mkdir(parents=True)
    with pytest.raises(VisionError, match=r"0\.jpg: cannot be written: .*; the same command goes on then"):
        make_stock(supply, tmp_path / "full", 1, SEED, lambda _: None)


def test_a_batch_of_crops_follows_from_its_seed(tmp_path: Path, supply: Supply) -> None:
    make_stock(supply, tmp_path, 2, SEED, lambda _: None)
    scenes = [load_scene(tmp_path, number) for number in range(2)]
    first, again = (batch(scenes, np.random.default_rng(1)) for _ in range(2))
    assert [part.shape[0] for part in first] == [12] * 5
    assert all(np.array_equal(one, other) for one, other in zip(first, again, strict=True))
    assert set(np.unique(first[4])) <= {0, 1, 2}


def test_an_index_is_taught_where_it_lies_and_a_covered_one_is_not() -> None:
    seen, covered = (40.0, 80.0, 0.3, 20.0, 1.0), (200.0, 200.0, 0.0, 20.0, 0.5)
    heat, pose, counts = targets(np.array([seen, covered], np.float32))
    row, column = np.unravel_index(int(heat.argmax()), heat.shape)
    assert (heat.shape, heat.max()) == ((GRID, GRID), 1.0)
    assert abs(4 * (column + pose[0, row, column] + 0.5) - 40) < 0.01
    assert abs(4 * (row + pose[1, row, column] + 0.5) - 80) < 0.01
    assert (heat[49, 49], counts[49, 49]) == (-1.0, 0.0)


def test_backs_are_of_many_designs_and_never_plain(supply: Supply) -> None:
    rng, back = np.random.default_rng(3), supply.art[0].back
    made = [varied_back(back, rng) for _ in range(30)]
    assert all(picture.shape[1] == back.shape[1] and abs(len(picture) - len(back)) <= 1 for picture in made)
    assert len({picture.tobytes() for picture in made}) == 30
    assert np.median([float(picture[40:-40, 40:-40, :3].std()) for picture in made]) > 20
    assert all(picture[0, 0, 3] == 0 for picture in made if picture.shape == back.shape)


def test_letters_that_were_taken_for_a_rank_are_among_those_that_are_none() -> None:
    often = Counter(BOGUS_RANKS)
    assert min(often[letter] for letter in ("U", "0", "O", "12")) >= 3
    assert not set(BOGUS_RANKS) & {*"A23456789JQK", "10"}
