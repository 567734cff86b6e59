"""Asks whatever is on a port who it is, in the native link's way; for people who look for a device, not for a table."""

from __future__ import annotations

import secrets
import time

from drivers.native.fields import PayloadError
from drivers.native.frames import PROTOCOL, Frame, FrameReader, Kind
from drivers.native.hello import Hello, HelloRequest
from drivers.ports import Port

ASK_EVERY_S = 0.3
READ_MS = 50


def ask_identity(port: Port, timeout_s: float) -> Hello | None:
    """The HELLO of the native device on this port; None when none answers in time. Events are neither asked for nor
    acknowledged. Raises PortError when the port is lost."""
    nonce = secrets.randbits(31) + 1
    question = Frame(Kind.HELLO_REQ, 0, HelloRequest(nonce, nonce, PROTOCOL, PROTOCOL).to_payload()).to_bytes()
    reader = FrameReader()
    until_s = time.monotonic() + timeout_s
    ask_s = 0.0
    while (now_s := time.monotonic()) < until_s:
        if now_s >= ask_s:
            port.write(b"\x00" + question)
            ask_s = now_s + ASK_EVERY_S
        for item in reader.feed(port.read(READ_MS)):
            if isinstance(item, Frame) and item.kind is Kind.HELLO:
                hello = _read(item)
                if hello is not None and hello.nonce == nonce:
                    return hello
    return None


def _read(frame: Frame) -> Hello | None:
    try:
        return Hello.from_payload(frame.payload)
    except PayloadError:
        return None
