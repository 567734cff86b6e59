"""Pages that are made from the code say what the code says; `make pages` writes them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tools import pages


def test_every_page_is_as_the_code_makes_it() -> None:
    assert [path.name for path, _ in pages.stale()] == [], "run make pages"


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the pages, which the tool writes and compares."""
    for name in pages.PAGES:
        shutil.copy(pages.DOCS / name, tmp_path / name)
    monkeypatch.setattr(pages, "DOCS", tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", pages.PAGES)
def test_a_page_that_differs_is_named_and_written_anew(
    docs: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path = docs / name
    right = path.read_text("utf-8")
    wrong = "--- |\n| not ".join(right.rsplit("--- |\n| ", 1))
    path.write_text(wrong)
    assert pages.main(["--check"]) == 1
    assert capsys.readouterr().err == f"{path}: not as the code makes it; run make pages\n"
    assert path.read_text("utf-8") == wrong
    assert pages.main([]) == 0
    assert capsys.readouterr().out == f"{path}: written\n"
    assert path.read_text("utf-8") == right
    assert pages.main(["--check"]) == 0
