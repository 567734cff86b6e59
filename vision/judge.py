"""From the indices of one card to a reading: what is accepted, and why the rest is not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.corners import fits_ink
from vision.faces import FACES, is_red
from vision.group import Group
from vision.readings import Kind, Reason


@dataclass(frozen=True, slots=True)
class Limits:
    """What it takes to be accepted; chances 0..1, heights in pixels."""

    one_end: float = 0.90
    """chance that a single index must reach"""
    two_ends: float = 0.95
    """chance that two agreeing indices must reach together, taken as independent"""
    each_end: float = 0.50
    """chance that the weaker of two agreeing indices must reach"""
    black: float = 0.92
    """chance that the surest index of a spade or a club must reach: blurred, they are one shape"""
    dissent: float = 0.60
    """a second index at least this sure of another face makes the card unknown"""
    none: float = 0.5
    """chance of being no index at all above which a candidate is dropped"""
    least_height_px: float = 13.0
    """an index lower than this is too small"""
    two_coloured: bool = True
    """whether red suits and only they are printed red"""


STRICT = Limits()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome for one card."""

    kind: Kind
    face: str
    chance: float
    reasons: tuple[Reason, ...]
    guess: str


def judge(group: Group, limits: Limits = STRICT) -> Verdict:
    """Accept the card or say why not."""
    corners = sorted(group.corners, key=lambda c: -c.chance)
    best = corners[0]
    logs = sum(np.log(c.chances + 1e-6) for c in corners)
    joint = np.exp(logs - logs.max())
    joint /= joint.sum()
    face = FACES[int(joint.argmax())]
    reasons: list[Reason] = []
    if max(c.pose.height_px for c in corners) < limits.least_height_px:
        reasons.append(Reason.TOO_SMALL)
    if len(corners) == 2:
        chance = 1.0 - float(np.prod([1.0 - c.chances[FACES.index(face)] for c in corners]))
        weaker = min(float(c.chances[FACES.index(face)]) for c in corners)
        if any(c.face != face and c.chance >= limits.dissent for c in corners):
            reasons.append(Reason.DISAGREEMENT)
        elif weaker >= limits.each_end:
            if chance < limits.two_ends:
                reasons.append(Reason.UNSURE)
        elif best.chance < limits.one_end:
            reasons.append(Reason.UNSURE)
    else:
        chance = best.chance
        if chance < limits.one_end:
            reasons.append(Reason.UNSURE)
    if not reasons and not is_red(face) and best.chance < limits.black:
        reasons.append(Reason.UNSURE)
    if limits.two_coloured and not all(fits_ink(c.patch, is_red(face)) for c in corners):
        reasons.append(Reason.INK)
    if reasons:
        return Verdict(Kind.UNKNOWN, "", chance, tuple(reasons), face)
    return Verdict(Kind.CARD, face, chance, (), face)
