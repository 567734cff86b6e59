"""YAML as scenarios read it: few kinds of values, each with its line, and one clear line for anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.app.config import ConfigError
from controller.app.scenario.source import MAX_BYTES, MAX_DEPTH, parse_source, read_source


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        parse_source(text, "s.yaml")
    return caught.value.problems


def test_values_are_texts_whole_numbers_true_false_and_null() -> None:
    text = "a: no\nb: 1:30\nc: 1.2\nd: 012\ne: 2026-01-01\nf: -5\ng: true\nh: ~\ni: '7'\n1: [x, 2]\n"
    assert parse_source(text, "s").data == {
        "a": "no",
        "b": "1:30",
        "c": "1.2",
        "d": "012",
        "e": "2026-01-01",
        "f": -5,
        "g": True,
        "h": None,
        "i": "7",
        "1": ["x", 2],
    }


def test_every_value_has_its_line_and_a_missing_place_that_of_what_is_around_it() -> None:
    source = parse_source("a:\n  - b: 1\n    c:\n      2\n", "s")
    assert source.line_of(("a", 0, "b")) == 2
    assert source.line_of(("a", 0, "c")) == 3
    assert source.line_of(("a", 0, "nothing", 7)) == 2
    assert source.line_of(("nothing",)) == 1


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "key 'a' is given twice, first in line 1"),
        ("a:\n  1: x\n  '1': y\n", 3, "key '1' is given twice, first in line 2"),
        ("a: &x 1\nb: *x\n", 2, "aliases"),
        ("a: !!python/object:os.system x\n", 1, "tag"),
        ("a: 1\nb: !mine x\n", 2, "tag"),
        ("a: !!float 1\n", 1, "tag"),
        ("? [a]\n: b\n", 1, "a key is a word"),
        ("a: [1,\nb: 2\n", 3, "not YAML"),
        ("title: a: b\n", 1, "put in quotes"),
        ("a: 1\n---\nb: 2\n", 2, "found another document"),
        ("a:\n" + "".join("  " * n + "- \n" for n in range(1, MAX_DEPTH + 2)), MAX_DEPTH + 1, "nested deeper"),
    ],
)
def test_what_is_not_read_is_one_line_with_its_place(text: str, line: int, words: str) -> None:
    (problem,) = problems(text)
    assert problem.startswith(f"s.yaml:{line}: ")
    assert words in problem


def test_all_faults_at_once() -> None:
    assert len(problems("a: 1\na: 2\nb: !x 1\nc: !y 2\n")) == 3


@pytest.mark.parametrize("text", ["", "# nothing\n", "\n\n"])
def test_an_empty_file_says_what_a_scenario_needs(text: str) -> None:
    assert problems(text) == ("s.yaml: empty; a scenario needs title, rules and steps",)


def test_control_characters_are_one_line() -> None:
    (problem,) = problems("a: \x07\n")
    assert problem.startswith("s.yaml: not YAML: ")
    assert "\n" not in problem


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes(b"title: caf\xe9\n")
    (tmp_path / "huge.yaml").write_bytes(b"#" * (MAX_BYTES + 1))
    for path, words in (
        (tmp_path / "gone.yaml", "cannot be read: No such file"),
        (tmp_path, "cannot be read: Is a directory"),
        (tmp_path / "latin.yaml", "not UTF-8 text (byte 10)"),
        (tmp_path / "huge.yaml", f"at most {MAX_BYTES}"),
    ):
        with pytest.raises(ConfigError) as caught:
            read_source(path)
        (problem,) = caught.value.problems
        assert problem.startswith(str(path))
        assert words in problem
