"""The camera's session over real processes: what they say, what becomes of those that end, and a clean stop."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bench import waiting
from controller.app.camera.hearing import SILENCE_S
from controller.app.camera.session import CameraSession
from controller.app.camera.settings import EyeSettings
from drivers.api import Report
from drivers.messages import CardGone, CardPresent, LineFault, LinkChanged, LinkState
from drivers.session import Backoff

SETTINGS = EyeSettings("0", "camera.json", "", "", 8, {"box-1": "box-1"})
QUICK = Backoff(initial_s=0.01, maximum_s=0.02)
UP, DOWN = LinkState.UP, LinkState.DOWN
Until = Callable[[Callable[[], object], Callable[[], object]], None]


class Ears:
    """What a session hands on."""

    def __init__(self, until: Until) -> None:
        self.heard: list[Any] = []
        self._until = until

    def __call__(self, name: str, report: Report) -> None:
        assert name == "eye"
        assert not report.identity
        self.heard.append(report.message)

    def wait_for(self, count: int) -> list[Any]:
        self._until(lambda: len(self.heard) >= count, lambda: self.heard)
        return self.heard


@pytest.fixture
def ears(until: Until) -> Ears:
    return Ears(until)


@pytest.fixture
def session(ears: Ears) -> Iterator[Callable[[str], CameraSession]]:
    """Start a session whose process runs this program; its settings are the dictionary ``settings``."""
    made: list[CameraSession] = []

    def start(
        program: str, lying: dict[str, Sequence[str]] | None = None, silence_s: float = SILENCE_S
    ) -> CameraSession:
        head = "import json, os, sys, time\nsettings = json.loads(sys.stdin.readline())\n"
        tell = "def tell(**what): print(json.dumps(what), flush=True)\n"
        one = CameraSession(
            "eye", SETTINGS, ears, command=("-c", head + tell + program), backoff=QUICK, silence_s=silence_s
        )
        one.resume(lying or {})
        one.start()
        made.append(one)
        return one

    yield start
    stopped = [one.stop() for one in made]
    assert all(stopped)
    assert not any(one.alive for one in made)


STAY = "\nsys.stdin.read()"


def test_what_the_process_says_is_handed_on(session: Any, ears: Ears) -> None:
    session('tell(link="up"); tell(card="KH", at="box-1"); tell(gone="KH", at="box-1")' + STAY)
    assert ears.wait_for(3) == [
        LinkChanged(UP, "the table is seen"),
        CardPresent("box-1", 13, "H"),
        CardGone("box-1", "KH"),
    ]


def test_a_process_that_ends_is_started_again_and_told_what_lies_there(
    session: Any, ears: Ears, tmp_path: Path
) -> None:
    starts = tmp_path / "starts"
    session(
        f'open({str(starts)!r}, "a").write(json.dumps(settings["lying"]) + "\\n")\n'
        'tell(link="up")\n'
        'if not settings["lying"].get("box-1"): tell(card="KH", at="box-1"); tell(card="7C", at="box-1")\n'
        'else: tell(gone="KH", at="box-1")\n'
        "sys.exit(7)"
    )
    ears.wait_for(12)
    lying = [json.loads(line) for line in starts.read_text().splitlines()]
    assert lying[:3] == [{}, {"box-1": ["KH", "7C"]}, {"box-1": ["7C"]}]
    downs = [heard for heard in ears.heard if isinstance(heard, LinkChanged) and heard.state is DOWN]
    assert downs[0].reason == "the camera's process ended with status 7"


def test_what_was_reported_before_the_controller_started_is_told_to_the_process(
    session: Any, ears: Ears, tmp_path: Path
) -> None:
    told = tmp_path / "told"
    session(f'open({str(told)!r}, "w").write(json.dumps(settings)); tell(link="up")' + STAY, {"box-1": ["KH"]})
    ears.wait_for(1)
    assert json.loads(told.read_text())["lying"] == {"box-1": ["KH"]}


def test_a_process_that_cannot_start_is_told_once_with_its_last_words(session: Any, ears: Ears, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    program = f'open({str(starts)!r}, "a").write("x"); tell(fault="settings", reason="no such file", cleared=False)\n'
    session(program + 'raise OSError("boom\\x1b")')
    ears.wait_for(2)
    waiting.until(lambda: len(starts.read_text()) >= 4, "the process is started a fourth time")
    assert ears.heard == [
        LineFault("settings", "no such file"),
        LinkChanged(DOWN, "the camera's process ended with status 1: OSError: boom?"),
    ]


def test_a_fault_of_an_earlier_process_is_over_when_the_table_is_seen(session: Any, ears: Ears, tmp_path: Path) -> None:
    once = tmp_path / "once"
    session(
        f'first = not os.path.exists({str(once)!r}); open({str(once)!r}, "w")\n'
        'if first: tell(fault="frozen", reason="restart it", cleared=False); sys.exit(0)\n'
        'tell(link="up")' + STAY
    )
    assert ears.wait_for(4) == [
        LineFault("frozen", "restart it"),
        LinkChanged(DOWN, "the camera's process ended with status 0"),
        LinkChanged(UP, "the table is seen"),
        LineFault("frozen", "restart it", cleared=True),
    ]


@pytest.mark.parametrize("rubbish", ['print("KH at box-1", flush=True)', 'sys.stdout.buffer.write(b"\\xff" * 9999)'])
def test_a_process_that_says_rubbish_is_ended(session: Any, ears: Ears, rubbish: str) -> None:
    session(f'tell(link="up"); {rubbish}; sys.stdout.flush()' + STAY)
    ears.wait_for(2)
    assert ears.heard[1].state is DOWN
    assert ears.heard[1].reason.startswith("not a line of a camera: ")


def test_a_process_that_died_of_a_signal_is_started_again(session: Any, ears: Ears) -> None:
    session('tell(link="up"); tell(card="KH", at="box-1"); os.kill(os.getpid(), 11)')
    ears.wait_for(4)
    assert "status -11" in ears.heard[2].reason
    assert ears.heard[3] == LinkChanged(UP, "the table is seen")


@pytest.mark.parametrize("hangs", ["os.kill(os.getpid(), signal.SIGSTOP)", "time.sleep(600)"])
def test_a_process_that_hangs_is_taken_for_gone_and_started_again(session: Any, ears: Ears, hangs: str) -> None:
    session(f'import signal\ntell(link="up")\n{hangs}', silence_s=1.0)
    assert ears.wait_for(3)[:3] == [
        LinkChanged(UP, "the table is seen"),
        LinkChanged(DOWN, "the camera's process has said nothing for 1 s: it hangs, and is started again"),
        LinkChanged(UP, "the table is seen"),
    ]


def test_a_process_that_only_says_that_it_looks_is_left_alone(session: Any, ears: Ears) -> None:
    session(
        'tell(link="up")\nfor n in range(12): time.sleep(0.25); print(flush=True)\ntell(gone="KH", at="box-1")' + STAY,
        silence_s=2.0,
    )
    assert ears.wait_for(2) == [LinkChanged(UP, "the table is seen"), CardGone("box-1", "KH")]


def test_a_session_that_never_started_stops(ears: Ears) -> None:
    assert CameraSession("eye", SETTINGS, ears).stop()


def test_the_process_ends_with_the_session(session: Any, ears: Ears, tmp_path: Path) -> None:
    number = tmp_path / "number"
    one = session(f'open({str(number)!r}, "w").write(str(os.getpid())); tell(link="up"); time.sleep(600)')
    ears.wait_for(1)
    assert one.stop()
    assert not os.path.exists(f"/proc/{number.read_text()}")


def test_a_machine_that_starts_no_process_is_told_in_one_line(
    ears: Ears, monkeypatch: pytest.MonkeyPatch, until: Until
) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    session = CameraSession("eye", SETTINGS, ears, backoff=QUICK)
    session.start()
    ears.wait_for(1)
    assert session.stop()
    reason = "the camera's process cannot be started: No such file or directory"
    assert ears.heard == [LinkChanged(DOWN, reason)]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_ends_the_thread_and_the_session_in_its_place_knows_what_was_reported(
    ears: Ears, until: Until, tmp_path: Path
) -> None:
    told = tmp_path / "told"
    program = (
        "import json, sys\n"
        f'open({str(told)!r}, "a").write(json.dumps(json.loads(sys.stdin.readline())["lying"]) + "\\n")\n'
        """print('{"card": "KH", "at": "box-1"}\\n{"gone": "KH", "at": "box-1"}', flush=True); sys.stdin.read()"""
    )
    calls = iter(range(1, 9))

    def sink(name: str, report: Report) -> None:
        if next(calls) == 2:
            raise ZeroDivisionError("planted")
        ears(name, report)

    first = CameraSession("eye", SETTINGS, sink, command=("-c", program), backoff=QUICK)
    first.resume({"box-2": ["7C"]})
    first.start()
    until(lambda: not first.alive, lambda: ears.heard)
    assert first.ended_by == "ZeroDivisionError: planted"
    second = first.anew()
    second.start()
    ears.wait_for(3)
    assert second.stop()
    assert second.ended_by == ""
    lying = [json.loads(line) for line in told.read_text().splitlines()]
    assert lying == [{"box-2": ["7C"]}, {"box-2": ["7C"], "box-1": []}]
