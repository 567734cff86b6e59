"""All targets by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bench.fuzz.files import FILES
from bench.fuzz.payloads import PAYLOADS
from bench.fuzz.streams import STREAMS
from bench.fuzz.target import Target
from bench.fuzz.whole import WHOLE

TARGETS: Final[Mapping[str, Target]] = MappingProxyType(
    {target.name: target for target in (*STREAMS, *PAYLOADS, *WHOLE, *FILES)}
)
"""Every decoder of bytes from outside."""
