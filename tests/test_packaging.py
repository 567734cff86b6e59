"""What is shipped: the packages and their data, what they import is declared, and entry points load."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.metadata import EntryPoint, packages_distributions
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PACKAGES = ("controller", "drivers", "firmware_sim", "vision")
EXTRAS = PROJECT["optional-dependencies"]
SEEING = {canonicalize_name(Requirement(line).name) for line in EXTRAS["vision"]}
GROUPS = dict(PROJECT["entry-points"]) | {"console_scripts": PROJECT["scripts"]}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as `pip wheel` would build it but with the build backend that is installed here."""
    folder = tmp_path_factory.mktemp("dist")
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(folder)], cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_exactly_the_packages(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    shipped = {name for name in names if name.partition("/")[0] in PACKAGES}
    assert {f"{package}/py.typed" for package in PACKAGES} <= shipped
    on_disk = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {path for path in on_disk if path.endswith((".py", ".toml", ".onnx"))} <= shipped


def test_the_wheel_runs_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    look = "import controller, drivers.api, firmware_sim, vision; print(controller.__file__)"
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", look],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.startswith(str(tmp_path))


@pytest.mark.parametrize(("group", "name"), [(group, name) for group, names in GROUPS.items() for name in names])
def test_entry_points_load(group: str, name: str) -> None:
    assert EntryPoint(name, GROUPS[group][name], group).load() is not None


def undeclared(tree: ast.Module, declared: set[str], providers: Callable[[str], list[str]]) -> set[str]:
    """Top-level modules that a file imports and that no declared distribution provides."""
    imported = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                imported |= {alias.name.partition(".")[0] for alias in names}
            case ast.ImportFrom(module=str(module)):
                imported.add(module.partition(".")[0])
            case _:
                pass
    foreign = imported - set(sys.stdlib_module_names) - set(PACKAGES)
    return {module for module in foreign if not declared & {canonicalize_name(d) for d in providers(module)}}


def test_only_declared_dependencies_are_imported() -> None:
    declared: set[str] = {canonicalize_name(Requirement(line).name) for line in PROJECT["dependencies"]}
    declared.add("pydantic-core")  # pydantic pins it and documents custom types by it
    provided = dict(packages_distributions()) | {
        name: [name] for name in ("torch", "onnx")
    }  # for training, not installed to test
    for package in PACKAGES:
        more = SEEING if package == "vision" else set()
        for path in (ROOT / package).rglob("*.py"):
            trains = path.is_relative_to(ROOT / "vision" / "train")
            sees = path.match("firmware_sim/camera*.py")
            allowed = declared | more | ({"torch", "onnx"} if trains else set()) | (SEEING if sees else set())
            tree = ast.parse(path.read_text("utf-8"))
            assert undeclared(tree, allowed, lambda module: list(provided.get(module, ()))) == set(), path


def test_an_undeclared_dependency_is_seen() -> None:
    tree = ast.parse("import os, yaml.nodes\nfrom drivers import api\nfrom serial import Serial\nimport nowhere\n")
    provided = {"yaml": ["PyYAML"], "serial": ["pyserial"]}
    assert undeclared(tree, {"pyserial"}, lambda module: provided.get(module, [])) == {"yaml", "nowhere"}


def test_every_dependency_has_a_floor() -> None:
    requirements = [Requirement(line) for line in PROJECT["dependencies"]]
    assert [r.name for r in requirements if not any(s.operator == ">=" for s in r.specifier)] == []
