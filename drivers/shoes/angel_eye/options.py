"""Options of the Angel Eye driver, as they come from a configuration file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from drivers.shoes.angel_eye.copies import COPY_WINDOW_MS, SPAN_MS
from drivers.shoes.angel_eye.host_command import BccSpan

DEFAULT_SILENCE_S = 30.0
"""Longer than a usual pause between cards, far shorter than the 7 minutes a device server's keep-alive can take."""

MIN_SILENCE_S = 1.0
MAX_SILENCE_S = 3600.0


@dataclass(frozen=True, slots=True)
class AngelEyeOptions:
    """``silence_limit_s``: seconds without a byte after which the driver asks whether the shoe is still there.
    ``command_bcc_span``: which bytes the BCC of a command covers; try the other one if commands are refused with 02.
    ``copies_within_ms``: how long after the first copy of a telegram another one may still come; what differs from it
    in two bits until then is in doubt. More for a line that holds bytes back, 0 for a simulation faster than a shoe."""

    silence_limit_s: float = DEFAULT_SILENCE_S
    command_bcc_span: BccSpan = BccSpan.WITH_STX
    copies_within_ms: int = SPAN_MS

    @classmethod
    def read(cls, options: Mapping[str, object]) -> AngelEyeOptions:
        """Raises ValueError, one line, naming a wrong option, its value and the allowed ones."""
        known = ("command_bcc_span", "copies_within_ms", "silence_limit_s")
        for name in options:
            if name not in known:
                raise ValueError(f"option {name!r} is not known; an angel-eye shoe has {', '.join(known)}")
        return cls(
            silence_limit_s=_silence(options.get("silence_limit_s", DEFAULT_SILENCE_S)),
            command_bcc_span=_span(options.get("command_bcc_span", BccSpan.WITH_STX.value)),
            copies_within_ms=_copies(options.get("copies_within_ms", SPAN_MS)),
        )


def _silence(value: object) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not MIN_SILENCE_S <= float(str(value)) <= MAX_SILENCE_S:
        allowed = f"a number of seconds from {MIN_SILENCE_S:g} to {MAX_SILENCE_S:g}"
        raise ValueError(f"option silence_limit_s is {value!r}, must be {allowed}")
    return float(str(value))


def _copies(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= COPY_WINDOW_MS:
        allowed = f"a whole number of milliseconds from 0 to {COPY_WINDOW_MS}"
        raise ValueError(f"option copies_within_ms is {value!r}, must be {allowed}")
    return value


def _span(value: object) -> BccSpan:
    if not isinstance(value, str) or value not in [span.value for span in BccSpan]:
        allowed = " or ".join(repr(span.value) for span in BccSpan)
        raise ValueError(f"option command_bcc_span is {value!r}, must be {allowed}")
    return BccSpan(value)
