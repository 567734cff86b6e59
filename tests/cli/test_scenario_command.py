"""``tablewatch scenario``: what it prints and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., tuple[int, str, str]]


def write(path: Path, net: int = 3750) -> Path:
    path.write_text(
        "title: A blackjack\nrules: armenian\nsteps: [bet 1 2500, cards AS 7D KD, finish]\n"
        f"expect: {{net: {{1: {net}}}}}\n"
    )
    return path


@pytest.mark.parametrize("options", [(), ("--core",), ("--bad-lines", "3")])
def test_a_scenario_that_holds(cli: Cli, tmp_path: Path, options: tuple[str, ...]) -> None:
    code, out, err = cli("scenario", write(tmp_path / "a.yaml"), *options)
    assert (code, err) == (0, "")
    assert "a.yaml" in out
    assert "holds" in out
    assert "1 of 1 scenarios hold\n" in out


@pytest.mark.parametrize("options", [(), ("--core",)])
def test_one_that_does_not_is_a_readable_difference(cli: Cli, tmp_path: Path, options: tuple[str, ...]) -> None:
    path = write(tmp_path / "a.yaml", net=3700)
    code, out, err = cli("scenario", path, *options)
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0] == f"{path}:4: A blackjack"
    assert lines[1:5] == [
        "  at the end",
        "    net  expected  1: +3700",
        "         found     1: +3750",
        "  the table then: betting, expected next: bets",
    ]
    assert "fails at line 4" in out
    assert out.endswith("0 of 1 scenarios hold\n")


def test_files_that_cannot_be_used_are_told_and_the_others_played(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "a.yaml")
    write(tmp_path / "c.yml", net=0)
    (tmp_path / "b.yaml").write_text("title: t\nrulez: armenian\nsteps: [bett 1]\n")
    (tmp_path / "note.txt").write_text("no scenario")
    code, out, err = cli("scenario", tmp_path, "--core")
    assert code == 2
    assert [line.partition(": ")[0] for line in err.splitlines()] == [
        f"{tmp_path}/b.yaml:1",
        f"{tmp_path}/b.yaml:3",
        f"{tmp_path}/b.yaml:2",
    ]
    lines = out.splitlines()
    assert lines[0].startswith(f"{tmp_path}/c.yml:")
    assert [line.split()[0] for line in lines[-4:-1]] == ["a.yaml", "b.yaml", "c.yml"]
    assert out.endswith("1 of 3 scenarios hold, 1 cannot be used\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("gone.yaml",), "gone.yaml: cannot be read: No such file or directory"),
        ((".",), ".: no scenario (.yaml or .yml) in this folder"),
        (("a.yaml", "--core", "--bad-lines", "1"), "the core has no cables"),
        ((), "Missing argument"),
    ],
)
def test_a_command_line_that_cannot_be_used(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = cli("scenario", *arguments)
    assert code == 2
    assert words in " ".join(err.split())
    assert "Traceback" not in err


def test_text_of_strangers_is_harmless(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text('title: "red \\e[31m [bold]x[/bold]"\nrules: armenian\nsteps: [hit 1]\n')
    code, out, _ = cli("scenario", path, "--core")
    assert code == 1
    assert "\x1b" not in out
    assert "[bold]x[/bold]" in out


def test_bad_lines_are_really_bad(cli: Cli, tmp_path: Path) -> None:
    _, out, _ = cli("scenario", write(tmp_path / "a.yaml"), "--bad-lines", "3")
    suffered = next(line for line in out.splitlines() if line.startswith("the lines lost or damaged"))
    assert int(suffered.split()[5]) > 10
    _, out, _ = cli("scenario", tmp_path / "a.yaml")
    assert "the lines" not in out
