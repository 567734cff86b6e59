"""Ready-made fault records, from a perfect table to a hostile one, and records of one's own from a TOML file."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from firmware_sim.faults import Faults

PROFILES: Mapping[str, Faults] = MappingProxyType(
    {
        "clean": Faults(),
        "nominal": Faults(
            drop_copy=0.005,
            corrupt_copy=0.005,
            truncate_copy=0.002,
            drop_frame=0.003,
            corrupt_frame=0.003,
            split=0.2,
            glue=0.05,
            noise=0.002,
            duplicate=0.001,
            stall=0.0002,
            unplug=0.0005,
            reboot=0.0003,
            clock_jump=0.0002,
            misread=0.0005,
            double_feed=0.0005,
            unreported=0.0002,
            stall_max_ms=2000,
        ),
        "harsh": Faults(
            drop_copy=0.1,
            corrupt_copy=0.1,
            truncate_copy=0.05,
            drop_frame=0.05,
            corrupt_frame=0.05,
            split=0.3,
            glue=0.2,
            noise=0.05,
            steal=0.01,
            duplicate=0.03,
            delay_duplicate=0.02,
            reorder=0.02,
            stall=0.001,
            unplug=0.005,
            reboot=0.003,
            reboot_blank=0.001,
            swap=0.001,
            clock_jump=0.002,
            misread=0.005,
            double_feed=0.005,
            unreported=0.002,
            stall_max_ms=10_000,
        ),
        "hostile": Faults(
            drop_copy=0.3,
            corrupt_copy=0.2,
            truncate_copy=0.1,
            drop_frame=0.15,
            corrupt_frame=0.1,
            split=0.5,
            glue=0.3,
            noise=0.15,
            steal=0.05,
            duplicate=0.1,
            delay_duplicate=0.05,
            reorder=0.05,
            stall=0.003,
            unplug=0.02,
            reboot=0.01,
            reboot_blank=0.004,
            swap=0.004,
            clock_jump=0.01,
            misread=0.02,
            double_feed=0.02,
            unreported=0.01,
        ),
    }
)
"""By name. ``nominal`` is a table on an ordinary day; ``hostile`` is worse than any that would be played at. All leave
one copy of a telegram: what a restart of an Angel Eye shoe hides when all copies of its `S` are lost, nothing on that
wire tells (docs/devices.md)."""

_ALLOWED = ("profile", *(field.name for field in fields(Faults)))


def profile(name: str, seed: int = 0) -> Faults:
    """The record of this name with this seed. Raises ValueError naming the known ones."""
    if name not in PROFILES:
        raise ValueError(f"fault profile {name!r} is unknown; known are {', '.join(PROFILES)}")
    return replace(PROFILES[name], seed=seed)


def load_faults(source: str, seed: int = 0) -> Faults:
    """A profile's name, or the path of a TOML file: ``profile = "harsh"`` to begin with (default ``clean``), then any
    field of `Faults`. The file's ``seed`` goes before the given one. Raises ValueError, one line, naming what is
    wrong."""
    if source in PROFILES:
        return profile(source, seed)
    try:
        data = tomllib.loads(Path(source).read_bytes().decode("utf-8"))
    except OSError as error:
        known = ", ".join(PROFILES)
        raise ValueError(f"{source}: {error.strerror}; name a fault profile ({known}) or a TOML file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{source}: not TOML: {error}") from None
    except ValueError:  # Python reads no number of more than 4,300 digits
        raise ValueError(f"{source}: a number has thousands of digits; a fault is a number from 0 to 1") from None
    except RecursionError:
        raise ValueError(f"{source}: lists or tables are nested too deeply; a fault is one number") from None
    for key in data:
        if key not in _ALLOWED:
            near = difflib.get_close_matches(key, _ALLOWED, 1)
            hint = f"; did you mean {near[0]}?" if near else f"; allowed are {', '.join(_ALLOWED)}"
            raise ValueError(f"{source}: {key} is no fault{hint}")
    try:
        base = profile(str(data.pop("profile", "clean")), seed)
        numbers: dict[str, Any] = {key: _number(key, value) for key, value in data.items()}
        return replace(base, **numbers)
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None


def _number(key: str, value: object) -> float:
    whole = isinstance(getattr(PROFILES["clean"], key), int)
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
        raise ValueError(f"{key} is {value!r}, must be a {'whole ' if whole else ''}number")
    return value
