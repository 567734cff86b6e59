"""The house measures: sizes, docstrings, purity and words. Each measure is shown to catch an offender."""

from __future__ import annotations

import ast
import re
import statistics
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("controller", "drivers", "firmware_sim", "vision")
PURE = ("controller/core", "controller/games")
NOT_OURS = {
    ".git",
    ".venv",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
    "build",
    "dist",
    "__pycache__",
}

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
MAX_MEDIAN_LINES = 140
LONG_FILE_LINES = 250
MAX_LONG_SHARE_PERMILLE = 200
KINDS_OF_TESTS = {"contract", "golden", "property", "exhaustive", "independent", "planted", "real_io", "browser"}
"""Folders of tests that hold a kind of test instead of mirroring a package."""

Source = Mapping[str, str]
"""File contents by path relative to the root, with forward slashes."""


def tracked(root: Path) -> list[str]:
    """Paths of the project's own files: what git tracks, or without a checkout all but build results."""
    git = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=False)
    if git.returncode == 0 and (root / ".git").exists():
        paths = [path for path in git.stdout.decode().split("\0") if path]
    else:
        found = (path.relative_to(root) for path in root.rglob("*"))
        paths = [path.as_posix() for path in found if not NOT_OURS & set(path.parts)]
    return sorted(path for path in paths if (root / path).is_file())


def read(root: Path, suffix: str = "") -> Source:
    """Contents of the tracked text files whose name ends with ``suffix``; binary files are left out."""
    texts = {}
    for path in tracked(root):
        data = (root / path).read_bytes() if path.endswith(suffix) else b"\0"
        if b"\0" not in data:
            texts[path] = data.decode("utf-8")
    return texts


def under(path: str, *folders: str) -> bool:
    """Whether the path lies in one of the folders."""
    return any(path.startswith(folder + "/") for folder in folders)


Function = ast.FunctionDef | ast.AsyncFunctionDef


def docstring_lines(node: Function) -> int:
    """How many lines the docstring of a function takes; 0 without one."""
    if ast.get_docstring(node, clean=False) is None:
        return 0
    return (node.body[0].end_lineno or 0) - node.body[0].lineno + 1


def long_functions(tree: ast.Module, _text: str) -> Iterator[str]:
    """Functions that do not fit a screen, the docstring not counted."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            lines = (node.end_lineno or 0) - node.lineno + 1 - docstring_lines(node)
            if lines > MAX_FUNCTION_LINES:
                yield f"{node.lineno}: {node.name} has {lines} lines, {MAX_FUNCTION_LINES} are allowed"


def long_files(_tree: ast.Module, text: str) -> Iterator[str]:
    """The file itself, when it has too many lines."""
    lines = text.count("\n")
    if lines > MAX_FILE_LINES:
        yield f"{lines} lines, {MAX_FILE_LINES} are allowed: split it"


def broad_excepts(tree: ast.Module, _text: str) -> Iterator[str]:
    """Handlers of everything that do not end by raising again."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            caught = {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)} if node.type else {"Exception"}
            last = node.body[-1]
            again = isinstance(last, ast.Raise) and last.exc is None
            if caught & {"Exception", "BaseException"} and not again:
                yield f"{node.lineno}: catches everything: name the exceptions that can be answered"


UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|NotImplementedError)\b")


def unfinished(_tree: ast.Module, text: str) -> Iterator[str]:
    """Marks of work left undone."""
    for number, line in enumerate(text.splitlines(), 1):
        if found := UNFINISHED.search(line):
            yield f"{number}: {found[0]}"


def undocumented(tree: ast.Module, _text: str) -> Iterator[str]:
    """The module, and its public classes and functions, where they have no docstring."""
    if ast.get_docstring(tree) is None:
        yield "1: the module has no docstring"
    for node in tree.body:
        if (
            isinstance(node, Function | ast.ClassDef)
            and not node.name.startswith("_")
            and ast.get_docstring(node) is None
        ):
            yield f"{node.lineno}: {node.name} has no docstring"


IMPURE_MODULES = {
    *(
        "asyncio",
        "datetime",
        "logging",
        "multiprocessing",
        "os",
        "pathlib",
        "random",
        "secrets",
        "socket",
        "sqlite3",
    ),
    *("subprocess", "tempfile", "threading", "time", "uuid", "paho", "serial"),
}
IMPURE_CALLS = {"open", "print", "input", "id", "hash", "eval", "exec"}
"""Builtins that touch the world; ``hash`` and ``id`` differ between two runs, and so would a fold."""


def impure(tree: ast.Module, _text: str) -> Iterator[str]:
    """Imports and calls by which a pure module would see the clock, chance, the environment or the disk."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                modules = [alias.name for alias in names]
            case ast.ImportFrom(module=str(module)):
                modules = [module]
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                yield f"{node.lineno}: calls {name}()"
                continue
            case _:
                continue
        yield from (f"{node.lineno}: imports {m}" for m in modules if m.partition(".")[0] in IMPURE_MODULES)


GAMES = re.compile(r"blackjack|\bblot\b|baccarat|poker", re.IGNORECASE)
JURISDICTIONS = re.compile(r"armenia|hebrew|israel|greek|greece", re.IGNORECASE)


def words(forbidden: re.Pattern[str], instead: str) -> Callable[[ast.Module, str], Iterator[str]]:
    """A measure that finds forbidden words anywhere in a file."""

    def find(_tree: ast.Module, text: str) -> Iterator[str]:
        for number, line in enumerate(text.splitlines(), 1):
            if found := forbidden.search(line):
                yield f"{number}: says {found[0]!r}: {instead}"

    return find


@dataclass(frozen=True, slots=True)
class Measure:
    """What to find in a file, the folders it holds in (none: everywhere), and what it must catch."""

    find: Callable[[ast.Module, str], Iterator[str]]
    folders: tuple[str, ...]
    offender: str
    innocent: str

    def offences(self, source: Source) -> list[str]:
        """``path:what`` for each offence in the Python files that this measure covers."""
        return [
            f"{path}:{offence}"
            for path, text in source.items()
            if path.endswith(".py") and (not self.folders or under(path, *self.folders))
            for offence in self.find(ast.parse(text), text)
        ]


LONG_BODY = "    x = 1\n" * MAX_FUNCTION_LINES
MEASURES = {
    "files fit": Measure(long_files, (), "x = 1\n" * 401, "x = 1\n" * 400),
    "functions fit a screen": Measure(
        long_functions,
        (),
        f"def f():\n{LONG_BODY}",
        f'def f():\n    """Doc.\n\n    More.\n    """\n{LONG_BODY[10:]}',
    ),
    "exceptions are named": Measure(
        broad_excepts,
        (),
        "try:\n    pass\nexcept (OSError, Exception):\n    x = 1\n",
        "try:\n    pass\nexcept BaseException:\n    undo()\n    raise\n",
    ),
    "nothing is left undone": Measure(unfinished, PRODUCT, "# TO" + "DO: later\n", "# what to do\n"),
    "public names are documented": Measure(
        undocumented, PRODUCT, '"""Doc."""\n\ndef f():\n    pass\n', '"""Doc."""\n\ndef _f():\n    pass\n'
    ),
    "core and games are pure": Measure(
        impure, PURE, "from time import monotonic\n", "from fractions import Fraction\n"
    ),
    "core and games call nothing impure": Measure(impure, PURE, "x = hash('a')\n", "x = sorted('a')\n"),
    "core knows no game": Measure(
        words(GAMES, "core serves every game"),
        ("controller/core",),
        '"""Blackjack."""\n',
        '"""A natural."""\n',
    ),
    "games know no jurisdiction": Measure(
        words(JURISDICTIONS, "a rule set says it"), PURE, "x = 'armenian'\n", "x = 'no_hole_card'\n"
    ),
}


@pytest.fixture(scope="module")
def source() -> Source:
    return read(ROOT)


@pytest.mark.parametrize("name", MEASURES)
def test_the_source_keeps_the_measure(name: str, source: Source) -> None:
    assert MEASURES[name].offences(source) == []


@pytest.mark.parametrize("name", MEASURES)
def test_the_measure_catches_an_offender_and_only_that(name: str) -> None:
    measure = MEASURES[name]
    where = f"{(measure.folders or ('drivers',))[0]}/planted.py"
    assert len(measure.offences({where: measure.offender})) == 1
    assert measure.offences({where: measure.innocent}) == []


def oversize(lines: list[int]) -> list[str]:
    """What is wrong with the lengths of all files together: the median, and how many are long."""
    wrong = []
    median = statistics.median(lines)
    if median > MAX_MEDIAN_LINES:
        wrong.append(f"the median file has {median} lines, {MAX_MEDIAN_LINES} are allowed")
    share_permille = 1000 * sum(n > LONG_FILE_LINES for n in lines) // len(lines)
    if share_permille > MAX_LONG_SHARE_PERMILLE:
        wrong.append(f"{share_permille} permille of files are over {LONG_FILE_LINES} lines")
    return wrong


def test_most_files_are_short(source: Source) -> None:
    lines = [
        text.count("\n")
        for path, text in source.items()
        if path.endswith(".py") and under(path, *PRODUCT) and not path.endswith("__init__.py")
    ]
    assert oversize(lines) == []


def test_too_many_long_files_are_seen() -> None:
    assert oversize([100] * 4 + [LONG_FILE_LINES + 1]) == []
    assert len(oversize([100] * 3 + [LONG_FILE_LINES + 1])) == 1
    assert len(oversize([100, MAX_MEDIAN_LINES + 1, MAX_MEDIAN_LINES + 2])) == 1


def strangers(source: Source) -> list[str]:
    """Folders of tests that mirror no package and are no kind of test."""
    packages = {path.rpartition("/")[0] for path in source if path.endswith(".py") and under(path, *PRODUCT)}
    mirrored = packages | {package.removeprefix("controller/") for package in packages}
    folders = {path.rpartition("/")[0] for path in source if path.endswith(".py") and under(path, "tests")}
    inside = (folder.removeprefix("tests").removeprefix("/") for folder in sorted(folders))
    return [
        folder
        for folder in inside
        if folder and folder not in mirrored and folder.partition("/")[0] not in KINDS_OF_TESTS
    ]


def test_tests_mirror_the_tree(source: Source) -> None:
    assert strangers(source) == []


def test_a_test_folder_without_a_package_is_seen() -> None:
    packages = {"controller/core/cards.py": "", "drivers/shoes/native.py": ""}
    kept = {"tests/core/test_a.py": "", "tests/drivers/shoes/test_b.py": "", "tests/golden/x/test_c.py": ""}
    assert strangers(packages | kept | {"tests/test_d.py": ""}) == []
    assert strangers(packages | kept | {"tests/misc/test_e.py": ""}) == ["misc"]


MACHINE_PATHS = re.compile(r"(?<![\w.])/(?:work|root|home/\w+)/|\bshared/")


def machine_paths(source: Source) -> list[str]:
    """Lines that name a path of one particular machine or of a folder outside the repository."""
    return [
        f"{path}:{number}: {found[0]}"
        for path, text in source.items()
        for number, line in enumerate(text.splitlines(), 1)
        if (found := MACHINE_PATHS.search(line))
    ]


def test_no_file_names_a_path_of_one_machine(source: Source) -> None:
    assert machine_paths(source) == []


def test_a_path_of_one_machine_is_seen() -> None:
    planted = {"docs/a.md": "see /wor" + "k/main\n", "docs/b.md": "in ../share" + "d/specs\n"}
    assert len(machine_paths(planted | {"docs/c.md": "the framework/controller\n"})) == 2


def test_files_are_found_with_and_without_a_checkout(tmp_path: Path) -> None:
    for path in ("a.py", "build/b.py", "sub/c.md"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("x\n")
    assert tracked(tmp_path) == ["a.py", "sub/c.md"]
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run(["git", "-C", str(tmp_path), "add", "a.py"], check=True)
    assert tracked(tmp_path) == ["a.py"]
    assert read(tmp_path, ".md") == {}
