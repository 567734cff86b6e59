"""The import contracts of pyproject.toml: the tree keeps them, and each one catches a planted import."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("controller", "drivers", "firmware_sim", "vision")
CONTRACTS = [
    contract["name"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
]
PLANTED = {
    "storeys: imports go down only": ("controller/journal", "import controller.app"),
    "core and games are pure": ("controller/core", "import sqlite3"),
    "core knows no game": ("controller/core", "import controller.games"),
    "drivers import nothing of ours": ("drivers", "import controller.core"),
    "vision imports nothing of ours": ("vision", "import drivers"),
    "the simulator never imports the controller": ("firmware_sim", "import controller.bus"),
    "run-time code never imports the simulator": ("controller/app", "import firmware_sim"),
    "only adapters and app see drivers": ("controller/bus", "import drivers"),
    "only app, the command line and the simulator see vision": ("controller/adapters", "import vision"),
}


def lint(tree: Path) -> dict[str, bool]:
    """Run import-linter on the packages in ``tree``: whether each contract is kept, by its name."""
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    result = subprocess.run(
        [sys.executable, "-c", command, "--no-cache"], cwd=tree, capture_output=True, text=True, check=False
    )
    verdicts = re.findall(r"^(.+) (KEPT|BROKEN)$", result.stdout, re.MULTILINE)
    assert verdicts, result.stdout + result.stderr
    return {name: verdict == "KEPT" for name, verdict in verdicts}


def test_the_tree_keeps_every_contract() -> None:
    assert lint(ROOT) == dict.fromkeys(CONTRACTS, True)


def test_every_contract_catches_a_planted_import(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    for number, (folder, statement) in enumerate(PLANTED.values()):
        (tmp_path / folder / f"planted_{number}.py").write_text(f"{statement}\n")
    assert lint(tmp_path) == dict.fromkeys(CONTRACTS, False)
