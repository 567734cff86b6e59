"""The documentation holds together: links lead somewhere, and every page can be reached from the first one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\[[^\]]*\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)")


def pages(root: Path) -> Iterator[Path]:
    """The Markdown pages of the root folder and everything under `docs` and `controller`."""
    yield from root.glob("*.md")
    for folder in ("docs", "controller"):
        yield from (root / folder).rglob("*.md")


def links(page: Path) -> Iterator[Path]:
    """Where the links of a page lead inside the repository; code blocks are left out."""
    text = re.sub(r"^\s*```.*?^\s*```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target in LINK.findall(text):
        yield (page.parent / target).resolve()


def dead(root: Path) -> list[str]:
    """``page -> target`` for each link that leads nowhere."""
    return [
        f"{page.relative_to(root)} -> {target}" for page in pages(root) for target in links(page) if not target.exists()
    ]


def lost(root: Path, first: Path) -> list[str]:
    """Pages under `docs` that no chain of links from the first page reaches."""
    reached: set[Path] = set()
    ahead = [first]
    while ahead:
        page = ahead.pop()
        if page not in reached and page.suffix == ".md" and page.is_file():
            reached.add(page)
            ahead.extend(links(page))
    return sorted(str(p.relative_to(root)) for p in (root / "docs").rglob("*.md") if p.resolve() not in reached)


def test_links_lead_somewhere() -> None:
    assert dead(ROOT) == []


def test_every_page_is_reached_from_the_readme() -> None:
    assert lost(ROOT, ROOT / "README.md") == []


def test_a_dead_link_and_a_lost_page_are_seen(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("[a](docs/a.md#part) [web](https://example.org)\n```\n[code](b.md)\n```\n")
    (tmp_path / "docs/a.md").write_text("[gone](gone.md)\n")
    (tmp_path / "docs/c.md").write_text("alone\n")
    assert dead(tmp_path) == [f"docs/a.md -> {tmp_path / 'docs/gone.md'}"]
    assert lost(tmp_path, tmp_path / "README.md") == ["docs/c.md"]
