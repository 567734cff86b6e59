"""Frozen records made and copied fast: every input of a table makes a dozen of them.

`dataclasses` sets each field of a frozen record by a guarded call. Here a record is filled as an instance of its twin,
an unguarded dataclass with the same slots, and becomes the record at the end; after that it is as frozen as any.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, field, fields, make_dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(record, /, **changes):
        """A copy of a slotted frozen dataclass with these fields changed; it must have no ``__post_init__``. Raises
        AttributeError for a field that it does not have."""
        cls = type(record)
        twin, read = _PLANS.get(cls) or _plan(cls)
        copy = twin(*read(record))
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
    guarded = cls.__init__
    twin = _plan(cls)[0]
    fill = twin.__init__

    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: N807
        _BECOME(self, twin)
        fill(self, *values, **named)
        self.__class__ = cls

    __init__.__annotations__ = guarded.__annotations__
    __init__.__qualname__ = guarded.__qualname__
    __init__.__wrapped__ = guarded  # type: ignore[attr-defined]
    setattr(cls, "__init__", __init__)  # noqa: B010
    return cls


_BECOME: Final[Callable[[Any, type[Any]], None]] = object.__dict__["__class__"].__set__
_PLANS: Final[dict[type[Any], tuple[type[Any], Callable[[Any], tuple[Any, ...]]]]] = {}


def _plan(cls: type[Any]) -> tuple[type[Any], Callable[[Any], tuple[Any, ...]]]:
    """The class with the same slots and no guard, which only a record being filled is an instance of; and a reader of
    all fields in its order."""
    names = [f.name for f in fields(cls)]
    twin = make_dataclass(
        cls.__name__,
        [(f.name, Any, field(default=f.default, default_factory=f.default_factory)) for f in fields(cls)],
        slots=True,
        eq=False,
        repr=False,
    )
    read = attrgetter(*names) if len(names) > 1 else lambda record: tuple(getattr(record, name) for name in names)
    _PLANS[cls] = twin, read
    return _PLANS[cls]
