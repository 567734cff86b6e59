"""What a native device adds to the link: the meaning of its event and command codes."""

from __future__ import annotations

from typing import Protocol

from drivers.api import Capabilities
from drivers.messages import DeviceCommand, DeviceMessage
from drivers.native.hello import DeviceClass


class DeviceCodec(Protocol):
    """Codes and bodies of one class of devices, used by the host's driver and by the firmware alike. A body
    has at most `drivers.native.payloads.BODY_MAX` bytes."""

    @property
    def device_class(self) -> DeviceClass:
        """The class that a device must name in HELLO."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What devices of this class guarantee, as long as HELLO has not said otherwise."""
        ...

    def encode_event(self, message: DeviceMessage) -> tuple[int, bytes]:
        """Code and body of an event. Raises ValueError for a message this class of devices does not say."""
        ...

    def decode_event(self, code: int, body: bytes) -> DeviceMessage:
        """The message of an event. Raises PayloadError; an unknown code is never guessed."""
        ...

    def encode_command(self, command: DeviceCommand) -> tuple[int, bytes]:
        """Code and body of a command. Raises ValueError for one this class of devices does not know or cannot
        do."""
        ...

    def decode_command(self, code: int, body: bytes) -> DeviceCommand:
        """The command of these bytes. Raises PayloadError."""
        ...
