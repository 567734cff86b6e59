"""What the corner network is fitted to."""

from __future__ import annotations

import numpy as np
import pytest

from vision.faces import RANKS, SUITS
from vision.train.corner_batch import BATCH, BLACK, BLACK_SHARE, batch, bent, jittered, out_of_focus
from vision.train.printed import printed
from vision.train.samples import NO_RANK, NO_SUIT, Sample


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return printed(60, ["sans", "serif"], np.random.default_rng(2))


def test_printed_samples_are_half_indices_and_half_none(samples: list[Sample]) -> None:
    none = [sample for sample in samples if sample.rank == NO_RANK]
    assert len(none) == 30
    assert all(sample.suit == NO_SUIT for sample in none)


def test_a_batch_follows_from_its_seed_and_has_its_share_of_black_suits(samples: list[Sample]) -> None:
    black = [sample for sample in samples if sample.suit in BLACK]
    first, again = (batch(samples, black, np.random.default_rng(1)) for _ in range(2))
    assert first.patches.shape == (BATCH, 52, 36, 3)
    assert first.poses.shape == (BATCH, 4)
    assert np.array_equal(first.patches, again.patches)
    unsharp = first.suits[: round(BATCH * BLACK_SHARE)]
    assert set(unsharp.tolist()) <= {*BLACK, NO_SUIT}
    assert np.isin(unsharp, BLACK).mean() > 0.5


def test_a_bent_index_keeps_its_place_and_its_name(samples: list[Sample]) -> None:
    rng = np.random.default_rng(4)
    for sample in samples[:20]:
        moved = bent(sample, rng)
        assert (moved.rank, moved.suit) == (sample.rank, sample.suit)
        assert not np.array_equal(moved.window, sample.window)
        before, after = (255 - picture.window[24:72, 24:72].astype(float).mean(axis=2) for picture in (sample, moved))
        middles = [(ink.sum(axis=0) @ np.arange(48) / ink.sum()) for ink in (before, after)]
        assert abs(middles[0] - middles[1]) < 3


def test_out_of_focus_takes_fine_print_away_and_leaves_what_is_broad() -> None:
    rng, columns = np.random.default_rng(5), np.arange(36)
    stripes = np.broadcast_to(np.uint8(255) * (columns % 2)[None, :, None].astype(np.uint8), (52, 36, 3))
    halves = np.broadcast_to(np.uint8(255) * (columns > 17)[None, :, None].astype(np.uint8), (52, 36, 3))
    both = [np.mean([out_of_focus(np.array(shown), rng) for _ in range(12)], axis=0) for shown in (stripes, halves)]
    fine, broad = both
    assert float(fine[:, 4:-4].std()) < 15
    assert float(broad[:, 24:].mean() - broad[:, :12].mean()) > 100


def test_the_pose_given_with_a_patch_puts_it_right(samples: list[Sample]) -> None:
    real = next(sample for sample in samples if sample.rank == RANKS.index("A") or sample.suit == SUITS.index("S"))
    poses = np.stack([jittered(real, np.random.default_rng(seed))[1] for seed in range(200)])
    assert np.abs(poses.mean(axis=0)).max() < 0.03
    assert 0.08 < poses[:, 2].std() < 0.14
