"""The table's layout file: its size, markers, cards and regions in millimetres."""

from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from vision.errors import VisionError
from vision.geometry import is_simple, shared

Millimetres = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]
Length = Annotated[float, Field(gt=0, le=10_000, allow_inf_nan=False)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,32}$")]


MOST_SHARED = 0.05
"""Share of the smaller of two regions that may lie in the other as well: they are drawn by hand."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Card(_Strict):
    """The cards in use. ``fans`` says whether hands overlap so that only one index of a card is seen."""

    width_mm: Length = 63.0
    height_mm: Length = 88.0
    fans: bool = True


class Marker(_Strict):
    """An ArUco marker (dictionary 4X4_50) on the table: its number, middle and the side of its black square."""

    id: Annotated[int, Field(ge=0, le=49)]
    x_mm: Millimetres
    y_mm: Millimetres
    size_mm: Length


class Region(_Strict):
    """A place where cards lie: its corners in order. ``kind`` is ``box``, ``dealer`` or ``tray``; a tray is watched
    but its cards count for nothing."""

    name: Name
    kind: Annotated[str, Field(pattern="^(box|dealer|tray)$")] = "box"
    polygon_mm: Annotated[tuple[tuple[Millimetres, Millimetres], ...], Field(min_length=3, max_length=16)]


class Layout(_Strict):
    """A whole layout file. The table's origin is its upper left corner as the camera sees it, y grows downwards."""

    width_mm: Length
    height_mm: Length
    decks: Annotated[int, Field(ge=1, le=12)] = 6
    card: Card = Card()
    marker: Annotated[tuple[Marker, ...], Field(max_length=50)] = ()
    region: Annotated[tuple[Region, ...], Field(max_length=64)] = ()

    @model_validator(mode="after")
    def _names_differ(self) -> Layout:
        for what, names in (
            ("region", [region.name for region in self.region]),
            ("marker", [str(marker.id) for marker in self.marker]),
        ):
            doubled = sorted({name for name in names if names.count(name) > 1})
            if doubled:
                raise ValueError(f"{what} {doubled[0]} is there twice")
        return self

    @model_validator(mode="after")
    def _regions_are_places(self) -> Layout:
        for region in self.region:
            if not is_simple(region.polygon_mm):
                raise ValueError(f"region {region.name}: its corners do not go round an area: give them in order")
            if not all(0 <= x <= self.width_mm and 0 <= y <= self.height_mm for x, y in region.polygon_mm):
                raise ValueError(f"region {region.name}: a corner lies outside of the table")
        for first, second in combinations(self.region, 2):
            if shared(first.polygon_mm, second.polygon_mm) > MOST_SHARED:
                raise ValueError(f"regions {first.name} and {second.name} overlap: a card there would be of either")
        return self


def parse_layout(data: dict[str, Any], name: str) -> Layout:
    """A layout from plain data. Raises VisionError naming the file, the key and what is allowed."""
    try:
        return Layout.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = "".join(f"{part}." for part in first["loc"]).removesuffix(".")
        said = first["msg"].removeprefix("Value error, ")
        raise VisionError(": ".join(filter(None, (name, where, said)))) from None


def load_layout(path: Path) -> Layout:
    """A layout from a TOML file. Raises VisionError with one line."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise VisionError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise VisionError(f"{path}: not a TOML file: {error}") from None
    except RecursionError:
        raise VisionError(f"{path}: lists or tables are nested too deeply; it needs four levels") from None
    except ValueError:  # Python reads no number of more than 4,300 digits
        raise VisionError(f"{path}: a number has thousands of digits; no key takes one") from None
    return parse_layout(data, str(path))
