"""What a console is told: the newest display, one set of changes after the other, however slow its wire is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Final

from controller.app.picture import DARK, Display
from drivers.messages import CommandResult, DeviceCommand, SetLamp, ShowText

NOT_ARRIVED: Final = frozenset({"not_sent", "no_answer", "not_received", "memory_lost", "power_lost"})
"""Codes of commands that the wire has lost: they are given again. What a device refused it would refuse again."""


class Screen:
    """The face of one console. Thread-safe: it is shown something by the writer, and hears what came of it from the
    session. While a set is on its way only the newest display waits, so that nothing outdated is ever queued."""

    def __init__(self, tell: Callable[[DeviceCommand], int]) -> None:
        """``tell`` queues a command and answers the number under which its result comes."""
        self._tell = tell
        self._lock = threading.Lock()
        self._online = False
        self._wanted: Display | None = None
        self._told: Display | None = None
        """what was told last; None when it is not known what the console shows"""
        self._under_way: set[int] = set()
        self._overtaken: set[int] = set()
        """commands of before it went away, whose results still come"""
        self._lost = False
        self._complained = False

    def show(self, display: Display, *, at_once: bool = False) -> None:
        """Bring the console up to date when it is online, with ``at_once`` also behind a set that is on its way."""
        with self._lock:
            self._wanted = display
            if at_once or not self._under_way:
                self._send()

    def came_online(self) -> None:
        """The console is there, perhaps another one: it is told everything with the next `show`."""
        with self._lock:
            self._online = True
            self._complained = False
            self._forget()

    def went_offline(self) -> None:
        """The console is away: nothing is told to it until it comes back."""
        with self._lock:
            self._online = False
            self._forget()

    def takes(self, result: CommandResult) -> bool:
        """Whether this came of what is told here and needs no word on the record: it was done, the console went away
        meanwhile, or that the display is not whole was said before."""
        with self._lock:
            if result.request not in self._under_way:
                overtaken = result.request in self._overtaken
                self._overtaken.discard(result.request)
                return overtaken
            self._under_way.discard(result.request)
            failed = result.outcome != "done"
            said = self._complained
            if failed:
                self._told = None
                self._complained = True
                self._lost = self._lost or result.code in NOT_ARRIVED
            if not self._under_way:
                self._settled()
            return said or not failed

    def _settled(self) -> None:
        whole = self._told is not None
        again, self._lost = self._lost, False
        if whole:
            self._complained = False
        if whole or again:
            self._send()

    def _forget(self) -> None:
        self._told = None
        self._lost = False
        self._overtaken |= self._under_way
        self._under_way.clear()

    def _send(self) -> None:
        if not self._online or self._wanted is None:
            return
        told, self._told = self._told, self._wanted
        for command in _changes(told, self._wanted):
            self._under_way.add(self._tell(command))


def _changes(old: Display | None, new: Display) -> Iterator[DeviceCommand]:
    """The commands that make the one of the other; all of them when it is not known what is shown."""
    for number, (before, text) in enumerate(zip((old or DARK).lines, new.lines, strict=True)):
        if old is None or before != text:
            yield ShowText(number, text)
    for number, (before, lamp) in enumerate(zip((old or DARK).lamps, new.lamps, strict=True)):
        if old is None or before != lamp:
            yield SetLamp(number, lamp)
