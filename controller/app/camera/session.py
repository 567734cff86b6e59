"""Runs the camera's process, for ever: starts it, hands on what it says, and starts it again when it ended."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import IO, Final

from controller.adapters.camera import MAX_LINE, report_of
from controller.app.camera.hearing import SILENCE_S, lines
from controller.app.camera.settings import EyeSettings
from controller.core.cards import Card
from controller.core.words import clean
from drivers.api import Report
from drivers.messages import CardGone, CardPresent, LineFault, LinkChanged, LinkState
from drivers.running import Running
from drivers.session import Backoff, Sink

EYE: Final = ("-m", "controller.app.camera.eye")
BACKOFF: Final = Backoff(initial_s=1.0, maximum_s=30.0)
"""Each start of the process loads networks and takes a core for a second."""
STOP_TIMEOUT_S: Final = 5.0


class CameraSession(Running):
    """One camera: its process and the thread that listens to it. `start` it, `stop` it; both once."""

    def __init__(
        self,
        name: str,
        settings: EyeSettings,
        sink: Sink,
        *,
        command: Sequence[str] = EYE,
        backoff: Backoff = BACKOFF,
        silence_s: float = SILENCE_S,
    ) -> None:
        """``sink`` takes the camera's name and one report, in the session's thread. It may block: then the process
        waits. ``command`` are the arguments of the interpreter that runs the process, which is ended and started again
        when it has said nothing for ``silence_s``."""
        super().__init__(f"camera-{name}")
        self.name = name
        self._settings = settings
        self._sink = sink
        self._command = command
        self._backoff = backoff
        self._silence_s = silence_s
        self._lying: dict[str, list[str]] = {}
        self._faults: dict[str, str] = {}
        self._down = False
        self._process: subprocess.Popen[bytes] | None = None

    def anew(self) -> CameraSession:
        """A session in place of this one that has ended, which knows what was reported."""
        session = CameraSession(
            self.name,
            self._settings,
            self._sink,
            command=self._command,
            backoff=self._backoff,
            silence_s=self._silence_s,
        )
        session.resume(self._lying)
        return session

    @property
    def positions(self) -> tuple[str, ...]:
        """The positions that are looked at."""
        return tuple(self._settings.positions.values())

    def resume(self, lying: Mapping[str, Sequence[str]]) -> None:
        """Before `start`: the faces that were reported before and still lie there, by position. They are not reported
        again."""
        self._lying = {position: list(faces) for position, faces in lying.items()}

    def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> bool:
        """End process and thread; whether they ended in time."""
        self._stopping.set()
        process = self._process
        if process is not None:
            process.kill()
        return self._ended_within(timeout_s)

    def _run(self) -> None:
        attempt = 0
        while not self._stopping.is_set():
            try:
                heard, reason = self._listen_once()
            except OSError as error:
                heard, reason = False, f"the camera's process cannot be started: {error.strerror}"
            self._over(reason)
            attempt = 0 if heard else attempt + 1
            self._stopping.wait(self._backoff.delay_s(attempt))

    def _listen_once(self) -> tuple[bool, str]:
        """One life of the process: whether it ever saw the table, and why it ended."""
        with tempfile.TemporaryFile() as errors, self._process_of(errors) as process:
            self._process = process
            if self._stopping.is_set():
                process.kill()
            assert process.stdin is not None
            assert process.stdout is not None
            heard, reason = False, ""
            lying = {position: tuple(faces) for position, faces in self._lying.items()}
            line = replace(self._settings, lying=lying).to_json().encode() + b"\n"
            try:
                with contextlib.suppress(BrokenPipeError):
                    process.stdin.write(line)
                    process.stdin.flush()
                for said in lines(process.stdout, self._silence_s):
                    heard |= self._take(report_of(said.decode("utf-8", "replace")))
            except ValueError as error:
                reason = str(error)
                process.kill()
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            status = process.wait()
            return heard, reason or f"the camera's process ended with status {status}{_last_line(errors)}"

    def _process_of(self, errors: IO[bytes]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, *self._command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
        )

    def _take(self, report: Report) -> bool:
        """Hand a report on; whether it says that the table is seen."""
        up = False
        match report.message:
            case LinkChanged(state):
                up = state is LinkState.UP
                self._down = not up
            case LineFault(code, reason, False):
                if self._faults.get(code) == reason:
                    return False
                self._faults[code] = reason
            case LineFault(code):
                self._faults.pop(code, None)
            case CardPresent(position, rank, suit):
                self._lying.setdefault(position, []).append(Card.of(rank, suit).text)
            case CardGone(position, face) if face in self._lying.get(position, ()):
                self._lying[position].remove(face)
            case _:
                pass
        self._sink(self.name, report)
        if up:
            self._clear_faults()
        return up

    def _clear_faults(self) -> None:
        """What an earlier process said of itself is over when the table is seen."""
        for code, reason in self._faults.items():
            self._sink(self.name, Report(LineFault(code, reason, cleared=True)))
        self._faults.clear()

    def _over(self, reason: str) -> None:
        if not self._down and not self._stopping.is_set():
            self._down = True
            self._sink(self.name, Report(LinkChanged(LinkState.DOWN, reason)))


def _last_line(errors: IO[bytes]) -> str:
    """The last thing that the process said of its own failure, after a colon; empty where it said nothing."""
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - MAX_LINE))
    lines = errors.read().decode("utf-8", "replace").split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "")
    return f": {clean(last)}" if last else ""
