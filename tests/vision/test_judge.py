"""What is accepted: one end alone, two that agree, and the suits that blur makes alike."""

from __future__ import annotations

import numpy as np
import pytest

from vision.corners import Corner
from vision.faces import FACES
from vision.group import Group
from vision.judge import judge
from vision.patches import IndexPose
from vision.readings import Kind, Reason


def corner(face: str, chance: float, height_px: float = 30.0) -> Corner:
    chances = np.full(52, (1 - chance) / 51, np.float32)
    chances[FACES.index(face)] = chance
    nothing_seen = np.zeros((52, 36, 3), np.uint8)
    return Corner(IndexPose(50, 50, 0.0, height_px), chances, 0.0, 0.9, nothing_seen, np.zeros(128, np.float32))


@pytest.mark.parametrize(
    ("ends", "kind"),
    [
        ((("KH", 0.91),), Kind.CARD),
        ((("KH", 0.88),), Kind.UNKNOWN),
        ((("KH", 0.80), ("KH", 0.80)), Kind.CARD),
        ((("KH", 0.70), ("KH", 0.70)), Kind.UNKNOWN),
        ((("KH", 0.99), ("QH", 0.55)), Kind.CARD),
        ((("KH", 0.99), ("QH", 0.70)), Kind.UNKNOWN),
        ((("AC", 0.91),), Kind.UNKNOWN),
        ((("AC", 0.80), ("AC", 0.80)), Kind.UNKNOWN),
        ((("AC", 0.93),), Kind.CARD),
        ((("KS", 0.96), ("KS", 0.60)), Kind.CARD),
    ],
)
def test_what_it_takes_to_be_accepted(ends: tuple[tuple[str, float], ...], kind: Kind) -> None:
    verdict = judge(Group(tuple(corner(face, chance) for face, chance in ends)))
    assert verdict.kind is kind
    assert verdict.guess == ends[0][0]


def test_the_reason_is_said() -> None:
    assert judge(Group((corner("KH", 0.99), corner("QH", 0.7)))).reasons == (Reason.DISAGREEMENT,)
    assert judge(Group((corner("AC", 0.91),))).reasons == (Reason.UNSURE,)
    assert judge(Group((corner("KH", 0.99, height_px=9.0),))).reasons == (Reason.TOO_SMALL,)
