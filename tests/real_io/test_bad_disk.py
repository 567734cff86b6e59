"""A disk that is full or fails: the table stops with one clear line, the dealer is told, and the devices keep what the
journal could not take until there is room again."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

CANNOT = 3
SMALL_BYTES = 1024 * 1024
FULL = "the disk or the size limit is full; free space and start again"
FAILED = "reading or writing failed (SQLITE_IOERR_WRITE); check the disk and start again"


@dataclass(frozen=True, slots=True)
class SmallDisk:
    """A place with little room. ``before`` are the words that limit a process started there; ``says`` is what a full
    one is called."""

    folder: Path
    before: Sequence[str]
    says: str
    mounted: bool

    def grow(self) -> Sequence[str]:
        """Make room; the words with which a process is started then."""
        if self.mounted:
            subprocess.run(["mount", "-o", "remount,size=64m", self.folder], check=True)
        return ()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """A small tmpfs; where nobody may mount one, a limit on the size of files, which fails the same write."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SMALL_BYTES}", "tmpfs", str(folder)]
    with contextlib.suppress(OSError):
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            yield SmallDisk(folder, (), FULL, mounted=True)
            subprocess.run(["umount", "-l", folder], check=True)
            return
    yield limited(folder)


def limited(folder: Path) -> SmallDisk:
    """A folder in which no file of a process can grow beyond the limit."""
    return SmallDisk(folder, ("prlimit", f"--fsize={SMALL_BYTES // 4}"), FAILED, mounted=False)


def stops_and_loses_nothing(house: Any, disk: SmallDisk) -> None:
    house.configure(journal=disk.folder / "table.sqlite")
    process = house.run(before=disk.before)
    process.says("console.*online")
    bets, console = house.table.bets, house.table.console
    for _ in range(2000):
        if not process.running or console.texts[0] == "JOURNAL FAILED":
            break
        # The sensor keeps its newest 512 events: a slow controller must not be outrun here.
        if bets.last_event - bets.acked < 200:
            house.lay_chips(16)
        house.table.clock.sleep(400)
    assert process.complaint() == f"journal {disk.folder}/table.sqlite: {disk.says}"
    assert process.ends() == CANNOT
    assert house.table.console.texts[:2] == ("JOURNAL FAILED", "stop dealing, call a supervisor")
    assert not house.table.acknowledged
    house.lay_chips(5)
    again = house.run(before=disk.grow())
    house.acknowledged()
    assert again.stop() == 0
    house.is_whole()


def test_a_full_disk_stops_the_table_and_loses_nothing(house: Any, small_disk: SmallDisk) -> None:
    stops_and_loses_nothing(house, small_disk)


def test_a_disk_that_fails_stops_the_table_and_loses_nothing(house: Any, tmp_path: Path) -> None:
    folder = tmp_path / "limited"
    folder.mkdir()
    stops_and_loses_nothing(house, limited(folder))


def test_a_disk_that_is_full_from_the_beginning_says_so(house: Any, small_disk: SmallDisk) -> None:
    if small_disk.mounted:
        ballast = small_disk.folder / "ballast"
        with contextlib.suppress(OSError), ballast.open("wb") as file:
            while True:
                file.write(bytes(4096))
                file.flush()
    house.configure(journal=small_disk.folder / "table.sqlite")
    before = ("prlimit", "--fsize=4096") if not small_disk.mounted else ()
    process = house.run(before=before)
    assert str(small_disk.folder) in process.complaint()
    assert process.ends() == CANNOT
    assert "Traceback" not in process.text


def test_little_room_is_a_warning_and_no_stop(house: Any) -> None:
    path = house.configure()
    text = path.read_text(encoding="utf-8").replace("[broker]", "low_space_mb = 1000000000\n[broker]")
    path.write_text(text, encoding="utf-8")
    process = house.run()
    process.says("only [0-9]+ MiB free")
    house.lay_chips(1)
    house.acknowledged()
    assert process.stop() == 0
    assert [e["type"] for e in house.events()].count("tablewatch.system.journal_low_space") == 1
    house.is_whole()
