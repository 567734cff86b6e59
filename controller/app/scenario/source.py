"""A scenario file's text as plain data with the line of every value: YAML without its surprises.

Only what people mean is kept of YAML: texts, whole numbers, true, false, null, lists and mappings. ``no`` is a text,
``1:30`` is a text, a key twice is an error, and there are no aliases, tags or several documents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import yaml

from controller.app.config import ConfigError

MAX_BYTES: Final = 256 * 1024
"""The largest scenario file; the longest of ours has a few thousand bytes."""
MAX_DEPTH: Final = 12

Location = tuple[int | str, ...]

_STR: Final = "tag:yaml.org,2002:str"
_INT: Final = "tag:yaml.org,2002:int"
_BOOL: Final = "tag:yaml.org,2002:bool"
_NULL: Final = "tag:yaml.org,2002:null"
_MAP: Final = "tag:yaml.org,2002:map"
_SEQ: Final = "tag:yaml.org,2002:seq"
_SCALARS: Final[Mapping[str, Callable[[str], object]]] = {
    _STR: str,
    _INT: int,
    _BOOL: lambda text: text == "true",
    _NULL: lambda text: None,
}
_HINTS: Final[Mapping[str, str]] = {
    "mapping values are not allowed here": "; a text with a colon and a space is put in quotes",
}
"""What to do about faults that people make."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file's data. ``name`` is how messages call the file; ``lines`` has the line (from 1) of every value by its
    place. Keys of mappings are texts. What it names is looked for from ``folder``."""

    name: str
    data: Any
    lines: Mapping[Location, int]
    folder: Path = Path()

    def line_of(self, location: Location) -> int:
        """The line of a place, or of the nearest one around it."""
        while location and location not in self.lines:
            location = location[:-1]
        return self.lines.get(location, 1)


class _NotReadError(Exception):
    """YAML that a scenario does not need."""

    def __init__(self, event: yaml.Event, problem: str) -> None:
        super().__init__(problem)
        self.line = event.start_mark.line + 1 if event.start_mark else 1


class _Loader(yaml.SafeLoader):
    """PyYAML's parser with the few kinds of values that a scenario has."""

    yaml_implicit_resolvers: Any = {}  # noqa: RUF012 - the parser's own table, replaced whole
    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            raise _NotReadError(event, "aliases (*name) are not read: write the value again")
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _NotReadError(event, f"nested deeper than {MAX_DEPTH}")
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


_Loader.add_implicit_resolver(_BOOL, re.compile(r"^(true|false)$"), list("tf"))
_Loader.add_implicit_resolver(_INT, re.compile(r"^[-+]?(0|[1-9][0-9]{0,17})$"), list("-+0123456789"))
_Loader.add_implicit_resolver(_NULL, re.compile(r"^(null|~|)$"), ["n", "~", ""])


def read_source(path: Path, name: str = "") -> Source:
    """Read a file. Raises ConfigError with one line a fault: file, line, what is wrong."""
    name = name or str(path)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError((f"{name}: cannot be read: {error.strerror}",)) from None
    if len(raw) > MAX_BYTES:
        raise ConfigError((f"{name}: {len(raw)} bytes, a scenario has at most {MAX_BYTES}",))
    try:
        return replace(parse_source(raw.decode("utf-8"), name), folder=path.parent)
    except UnicodeDecodeError as error:
        raise ConfigError((f"{name}: not UTF-8 text (byte {error.start})",)) from None


def parse_source(text: str, name: str) -> Source:
    """The data of a text. Raises ConfigError."""
    try:
        node = _Loader(text).get_single_node()
    except _NotReadError as error:
        raise ConfigError((f"{name}:{error.line}: {error}",)) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        problem = error.problem or error.context or "cannot be parsed"
        raise ConfigError((f"{name}:{line}: not YAML: {problem}{_HINTS.get(problem, '')}",)) from None
    except yaml.YAMLError as error:
        raise ConfigError((f"{name}: not YAML: {' '.join(str(error).split())}",)) from None
    if node is None:
        raise ConfigError((f"{name}: empty; a scenario needs title, rules and steps",))
    reader = _Reader(name)
    data = reader.value(node, ())
    if reader.problems:
        raise ConfigError(tuple(reader.problems))
    return Source(name, data, reader.lines)


@dataclass(slots=True)
class _Reader:
    name: str
    lines: dict[Location, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def value(self, node: Any, at: Location) -> Any:
        self.lines[at] = node.start_mark.line + 1
        if isinstance(node, yaml.MappingNode) and node.tag == _MAP:
            return self._mapping(node, at)
        if isinstance(node, yaml.SequenceNode) and node.tag == _SEQ:
            return [self.value(item, (*at, number)) for number, item in enumerate(node.value)]
        if isinstance(node, yaml.ScalarNode) and node.tag in _SCALARS:
            return _SCALARS[node.tag](node.value)
        self._fault(node, f"tag {node.tag!r} is not read")
        return None

    def _mapping(self, node: yaml.MappingNode, at: Location) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._fault(key_node, "a key is a word or a number")
                continue
            key = str(key_node.value)
            if key in found:
                first = self.lines[*at, key]
                self._fault(key_node, f"key {key!r} is given twice, first in line {first}: keep one")
                continue
            found[key] = self.value(value_node, (*at, key))
            self.lines[*at, key] = key_node.start_mark.line + 1
        return found

    def _fault(self, node: Any, text: str) -> None:
        self.problems.append(f"{self.name}:{node.start_mark.line + 1}: {text}")
