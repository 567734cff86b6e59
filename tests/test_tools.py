"""The shell tools behind make: what they say and do on a machine that lacks something."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[1] / "tools"
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def script(path: Path, body: str) -> None:
    """Write an executable shell script."""
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder with a `bin` that holds all the programs there are on a poor machine."""
    (tmp_path / "bin").mkdir()
    return tmp_path


@pytest.fixture
def run(machine: Path) -> Run:
    """Run one of the tools on the poor machine, with more environment if given."""

    def run(tool: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", str(TOOLS / tool), *arguments],
            cwd=machine,
            env={"PATH": str(machine / "bin")} | environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_need_is_silent_when_nothing_is_missing(machine: Path, run: Run) -> None:
    script(machine / "bin/mosquitto", "exit 0")
    result = run("need", "mosquitto=mosquitto")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize(("listed", "missing"), [("libGL.so.1 (libc6,x86-64) => /lib/libGL.so.1", ""), ("", " libgl1")])
def test_need_finds_a_shared_library(machine: Path, run: Run, listed: str, missing: str) -> None:
    script(
        machine / "bin/ldconfig", f'echo "	{listed}"; echo "	libGLX.so.1.0 (libc6,x86-64) => /lib/libGLX.so.1.0"'
    )
    result = run("need", "libGL.so.1=libgl1")
    assert (result.returncode, missing in result.stderr) == (int(bool(missing)), True)


def test_need_asks_for_no_library_where_nobody_can_say_which_there_are(run: Run) -> None:
    result = run("need", "libGL.so.1=libgl1")
    assert (result.returncode, result.stderr) == (0, "")


def test_need_says_one_line_where_there_is_no_apt(run: Run) -> None:
    result = run("need", "mosquitto=mosquitto", "git=git")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "tablewatch: missing: mosquitto git: install with your system's package manager\n"


def test_need_tells_an_ordinary_user_what_to_run(machine: Path, run: Run) -> None:
    script(machine / "bin/apt-get", "exit 9")
    script(machine / "bin/id", "echo 1000")
    result = run("need", "mosquitto=mosquitto")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "tablewatch: missing: mosquitto: run this first: sudo apt-get install mosquitto\n"


def test_need_installs_as_root(machine: Path, run: Run) -> None:
    script(machine / "bin/apt-get", f'echo "$DEBIAN_FRONTEND $*" >> {machine}/asked')
    script(machine / "bin/id", "echo 0")
    assert run("need", "mosquitto=mosquitto").returncode == 0
    assert (machine / "asked").read_text().splitlines() == [
        "noninteractive update -q",
        "noninteractive install -q -y --no-install-recommends mosquitto",
    ]


def test_need_fails_when_the_installation_fails(machine: Path, run: Run) -> None:
    script(machine / "bin/apt-get", "exit 100")
    script(machine / "bin/id", "echo 0")
    assert run("need", "mosquitto=mosquitto").returncode == 100


def test_venv_wants_a_python(run: Run) -> None:
    result = run("venv", "dev", PYTHON="python9")
    assert result.returncode == 1
    assert result.stderr.startswith("tablewatch: python9 not found: install it (Debian: apt-get install python3")


def test_venv_refuses_an_old_python(machine: Path, run: Run) -> None:
    script(machine / "bin/python3", '[ "$1" = --version ] && echo Python 3.10.13 || exit 1')
    result = run("venv", "dev")
    assert result.returncode == 1
    assert result.stderr.startswith("tablewatch: Python 3.10.13 is too old, 3.11 or newer is needed")


def test_venv_refuses_a_python_without_the_module(machine: Path, run: Run) -> None:
    script(machine / "bin/python3", 'case "$2" in *ensurepip*) exit 1 ;; esac')
    result = run("venv", "dev")
    assert result.returncode == 1
    assert result.stderr == (
        "tablewatch: python3 has no venv module: install it (Debian: apt-get install python3-venv)\n"
    )


def test_venv_says_what_to_do_when_pip_fails(machine: Path, run: Run) -> None:
    (machine / ".venv/bin").mkdir(parents=True)
    script(machine / ".venv/bin/python", 'case "$3" in install) exit 1 ;; esac')
    result = run("venv", "dev")
    assert result.returncode == 1
    assert "check the network" in result.stderr


def test_venv_makes_a_damaged_environment_again(machine: Path, run: Run) -> None:
    (machine / ".venv/bin").mkdir(parents=True)
    os.symlink("/nowhere/python3", machine / ".venv/bin/python")
    script(
        machine / "bin/python3",
        f'case "$2" in venv) exec {sys.executable} -m venv --without-pip --clear .venv ;; esac',
    )
    run("venv", "dev")
    assert (machine / ".venv/bin/python").exists()
    assert shutil.which(str(machine / ".venv/bin/python")) is not None


def make(*arguments: str) -> str:
    """What make prints in the root of the project."""
    result = subprocess.run(["make", *arguments], cwd=TOOLS.parent, capture_output=True, text=True, check=True)
    return result.stdout


def test_make_help_lists_every_target() -> None:
    (targets,) = re.findall(r"^\.PHONY: (.+)$", (TOOLS.parent / "Makefile").read_text(), re.MULTILINE)
    assert re.findall(r"^  ([a-z]+) ", make("help"), re.MULTILINE) == targets.split()


def test_a_commit_is_checked_by_what_make_lint_runs() -> None:
    hooks = re.findall(r"entry: \.venv/bin/(\S+)", (TOOLS.parent / ".pre-commit-config.yaml").read_text())
    assert hooks == re.findall(r"^\.venv/bin/(ruff|mypy|lint-imports)\b", make("-n", "lint"), re.MULTILINE)
