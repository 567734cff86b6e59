"""The native link, host's side: drivers for a table's own microcontrollers. Bytes: docs/native-link.md.

A device class adds a `DeviceCodec`, and a `NativeFactory` of it is its driver; `drivers.console` and `drivers.bets`
are two.
"""

from drivers.native.codec import DeviceCodec
from drivers.native.factory import NativeFactory
from drivers.native.link import NativeLink
from drivers.native.stream import EventIdentity

__all__ = ["DeviceCodec", "EventIdentity", "NativeFactory", "NativeLink"]
