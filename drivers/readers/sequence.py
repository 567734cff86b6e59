"""Line numbers of a reader that counts its lines: what came twice, what is missing, and whether it began anew."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum, auto

RESTART_AFTER = 3
"""So many lines in a row that count on from a late one: the reader began to count anew."""


class Verdict(Enum):
    """What a numbered line is."""

    NEW = auto()
    COPY = auto()
    LATE = auto()
    """it should have come before; its place was reported as a gap then"""
    RESTARTED = auto()
    """as NEW, but the reader counts anew: what was lost cannot be counted"""


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, and how many lines are ``missing`` before a new one."""

    verdict: Verdict
    missing: int = 0


class LineNumbers:
    """Judges the lines of one reader, which counts modulo 10 to the power of its digits."""

    __slots__ = ("_late", "_late_run", "_modulo", "_next", "_recent")

    def __init__(self) -> None:
        self._modulo = 0
        self._next = 0
        self._recent: deque[tuple[int, str]] = deque()
        self._late = -1
        self._late_run = 0

    def judge(self, digits: str, text: str) -> Judged:
        """What the line ``text`` with this number is. The first line ever is new."""
        modulo, number = 10 ** len(digits), int(digits)
        if modulo != self._modulo:
            first = not self._modulo
            self._modulo = modulo
            self._recent = deque(maxlen=modulo // 2)
            return self._new(number, text, Judged(Verdict.NEW if first else Verdict.RESTARTED))
        if (number, text) in self._recent:
            return Judged(Verdict.COPY)
        ahead = (number - self._next) % modulo
        if ahead < modulo // 2:
            return self._new(number, text, Judged(Verdict.NEW, ahead))
        self._late_run = self._late_run + 1 if number == (self._late + 1) % modulo else 1
        self._late = number
        if self._late_run < RESTART_AFTER:
            return Judged(Verdict.LATE)
        self._recent.clear()
        return self._new(number, text, Judged(Verdict.RESTARTED))

    def _new(self, number: int, text: str, judged: Judged) -> Judged:
        self._next = (number + 1) % self._modulo
        self._recent.append((number, text))
        self._late, self._late_run = -1, 0
        return judged
