"""The one exception by which the package says that something cannot be done."""

from __future__ import annotations


class VisionError(Exception):
    """Something given is unusable. The text is one line for a person: what, where and what to do."""
