"""Frozen records made and copied fast: every input of a table makes a dozen of them.

`dataclasses` sets each field of a frozen record by a guarded call. Here a record is filled as an instance of its twin,
an unguarded class with the same slots, and becomes the record at the end; after that it is as frozen as any. The
functions that do it are made for each class from its fields, as `dataclasses` makes its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, Final, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(record, /, **changes):
        """A copy of a slotted frozen dataclass with these fields changed; it must have no ``__post_init__``. Raises
        AttributeError for a field that it does not have."""
        cls = type(record)
        copy = (_COPIERS.get(cls) or _copier(cls))(record)
        for name, value in changes.items():
            setattr(copy, name, value)
        copy.__class__ = cls
        return copy


def quick(cls: type[T]) -> type[T]:
    """Make a slotted frozen dataclass cheap to construct: a decorator for records that are made at nearly every input.

    The constructor takes what it took before. Raises TypeError, when the class is defined, for a field with a default
    factory.
    """
    if any(f.default_factory is not MISSING for f in fields(cls)):  # type: ignore[arg-type]
        raise TypeError(f"{cls.__name__}: a quick record has plain defaults only")
    names = _names(cls)
    takes = [f.name if f.default is MISSING else f"{f.name}=_d_{f.name}" for f in fields(cls)]  # type: ignore[arg-type]
    body = ["_become(self, _twin)", *(f"self.{name} = {name}" for name in names), "self.__class__ = _cls"]
    known = {f"_d_{f.name}": f.default for f in fields(cls)}  # type: ignore[arg-type]
    known |= {"_become": _BECOME, "_twin": _twin(cls), "_cls": cls}
    made = _function("__init__", ["self", *takes], body, known)
    made.__annotations__ = cls.__init__.__annotations__
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    setattr(cls, "__init__", made)  # noqa: B010
    return cls


_BECOME: Final[Callable[[Any, type[Any]], None]] = object.__dict__["__class__"].__set__
_COPIERS: dict[type[Any], Callable[[Any], Any]] = {}
_TWINS: dict[type[Any], type[Any]] = {}


def _names(cls: type[Any]) -> list[str]:
    return [f.name for f in fields(cls)]


def _twin(cls: type[Any]) -> type[Any]:
    """The class with the same slots and no guard; only while a record is filled is anything an instance of it."""
    if cls not in _TWINS:
        _TWINS[cls] = type(cls.__name__, (), {"__slots__": tuple(_names(cls))})
    return _TWINS[cls]


def _copier(cls: type[Any]) -> Callable[[Any], Any]:
    """What makes a twin with the same values."""
    body = ["copy = _twin()", *(f"copy.{name} = record.{name}" for name in _names(cls)), "return copy"]
    _COPIERS[cls] = _function("copy", ["record"], body, {"_twin": _twin(cls)})
    return _COPIERS[cls]


def _function(name: str, takes: list[str], body: list[str], known: dict[str, Any]) -> Callable[..., Any]:
    """A function made of lines; ``known`` are the names they use."""
    lines = "\n    ".join(body)
    made: dict[str, Any] = {}
    exec(f"def {name}({', '.join(takes)}):\n    {lines}", known, made)
    function: Callable[..., Any] = made[name]
    return function
