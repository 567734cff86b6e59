"""Opens the port of a device and says in one line why it cannot.

A port is a pyserial URL (``/dev/ttyUSB0``, ``socket://host:port``, ``rfc2217://host:port``, ``spy:///dev/ttyUSB0``)
or the USB identity of an adapter, ``usb:VID:PID`` or ``usb:VID:PID:SERIAL`` with VID and PID in hex, looked up at every
opening, so that a re-plugged adapter is found under its new name.
"""

from __future__ import annotations

import errno
import os
import select
import socket
import stat
import termios
import warnings
from collections.abc import Sequence
from enum import StrEnum
from urllib.parse import urlsplit

import serial
from serial.tools import list_ports

from drivers.api import LineSettings
from drivers.port_holders import Holder, holders, is_locked, is_recycled, others_with

READ_BYTES = 4096
WRITE_TIMEOUT_S = 1.0
"""A port that takes no bytes for this long is as good as lost."""

BLOCKING_READ_S = 0.02
"""Wait of one read where pyserial gives nothing to poll (rfc2217://): also how late a wake-up comes there."""

KEEPALIVE_IDLE_S, KEEPALIVE_INTERVAL_S, KEEPALIVE_PROBES = 10, 5, 3
"""TCP keep-alive: a host that vanished is noticed after 25 s, not after the two hours of the system's default."""

_TCP_SCHEMES = ("socket", "rfc2217")
_POLLABLE_SCHEMES = ("", "socket", "spy")
_SCHEMES = frozenset(_TCP_SCHEMES + _POLLABLE_SCHEMES)
"""What a device is reached by; pyserial's other handlers raise anything for a URL they do not like."""


class PortFault(StrEnum):
    """What is wrong with a port."""

    BAD_URL = "bad_url"
    MISSING = "missing"
    IN_USE = "in_use"
    NOT_PERMITTED = "not_permitted"
    NOT_A_PORT = "not_a_port"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    LOST = "lost"
    FAILED = "failed"


class PortError(Exception):
    """A port cannot be opened or was lost. ``fault`` is for programs; ``reason`` one line: what, where, what to do."""

    def __init__(self, fault: PortFault, reason: str) -> None:
        super().__init__(reason)
        self.fault = fault
        self.reason = " ".join(reason.split())

    def __str__(self) -> str:
        """The one line."""
        return self.reason


class Port:
    """An open port. Not for several threads at once."""

    __slots__ = ("_device", "_hung_up", "_poll", "url")

    def __init__(self, url: str, device: serial.Serial, *, pollable: bool) -> None:
        self.url = url
        self._device = device
        self._hung_up = False
        self._poll: select.poll | None = None
        if pollable:
            self._poll = select.poll()
            self._poll.register(device.fileno(), select.POLLIN)

    def read(self, wait_ms: int, wake_fd: int | None = None) -> bytes:
        """Bytes that are there, waiting at most ``wait_ms`` for the first; empty when none came. Returns early when
        ``wake_fd`` becomes readable (on rfc2217:// at the next 20 ms). Raises PortError (``lost``)."""
        try:
            if self._poll is None:
                return bytes(self._device.read(max(1, self._device.in_waiting)))
            if self._ready(self._poll, wait_ms, wake_fd):
                return bytes(self._device.read(READ_BYTES))
        except (serial.SerialException, OSError) as error:
            gone = self._hung_up and _scheme(self.url) not in _TCP_SCHEMES
            what = "the device is gone: unplugged, switched off, or its program ended" if gone else error
            raise PortError(PortFault.LOST, f"{self.url}: connection lost: {what}") from error
        return b""

    def write(self, data: bytes) -> None:
        """Write all bytes. Raises PortError (``lost``), also when the far end takes none for `WRITE_TIMEOUT_S`."""
        try:
            self._device.write(data)
        except (serial.SerialException, OSError) as error:
            raise PortError(PortFault.LOST, f"{self.url}: cannot write: {error}") from error

    def close(self) -> None:
        """Close the port and what it stands on; never raises. TCP ports take 0.3 s."""
        connection = getattr(self._device, "_socket", None)
        try:
            self._device.close()
        except (serial.SerialException, OSError, termios.error):
            return  # a device that vanished cannot be closed better than this
        finally:
            # pyserial forgets the socket unclosed when the peer was faster
            if isinstance(connection, socket.socket):
                connection.close()

    def _ready(self, poll: select.poll, wait_ms: int, wake_fd: int | None) -> bool:
        if wake_fd is not None:
            poll.register(wake_fd, select.POLLIN)
        found = [event for fd, event in poll.poll(wait_ms) if fd != wake_fd]
        self._hung_up = any(event & select.POLLHUP for event in found)
        return bool(found)


def open_port(url: str, line: LineSettings) -> Port:
    """Open a port for exclusive use where the platform allows that (not on TCP). Takes up to 5 s on
    ``socket://`` and 15 s on ``rfc2217://``, when the host is silent.

    Raises PortError with one line for a person.
    """
    check_url(url)
    target = find_usb(url) if url.startswith("usb:") else url
    scheme = _scheme(target)
    pollable = scheme in _POLLABLE_SCHEMES
    _refuse_no_port(url, target, scheme)
    if scheme == "rfc2217":
        # pyserial 3.5 starts its reader with setDaemon and setName, which Python deprecates
        warnings.filterwarnings("ignore", r"set(Daemon|Name)\(\)", DeprecationWarning, r"serial\.rfc2217")
    try:
        device = serial.serial_for_url(
            target,
            do_not_open=True,
            baudrate=line.baudrate,
            bytesize=line.bytesize,
            parity=line.parity,
            stopbits=line.stopbits,
            timeout=0 if pollable else BLOCKING_READ_S,
            write_timeout=None if scheme == "rfc2217" else WRITE_TIMEOUT_S,
            exclusive=True,
        )
        _open(device)
    except (serial.SerialException, OSError, termios.error, ValueError) as error:
        raise _explained(url, target, error) from error
    _refuse_shared(url, target, scheme, device)
    _keep_alive(device)
    return Port(url, device, pollable=pollable)


def refuse_taken(url: str) -> None:
    """Refuse a port that another process keeps for itself, as every session does: a second controller must not lie in
    wait for it. A port that is away, that another process has open without a lock, or that is reached over TCP passes;
    `open_port` says so in its time. Raises PortError (``in_use``) naming who has it."""
    try:
        target = find_usb(url) if url.startswith("usb:") else url
    except PortError:
        return
    path = _path_of(target, _scheme(target))
    others = others_with(path)
    if others and is_locked(path):
        raise PortError(PortFault.IN_USE, f"{url}: in use by {_named(others)}; end it first")


def check_url(url: str) -> None:
    """Refuse a URL that can name no port at all. Raises PortError (``bad_url``) saying what is expected."""
    if url.startswith("usb:"):
        parts = url.split(":", 3)
        if len(parts) < 3 or not all(_is_hex16(part) for part in parts[1:3]):
            raise PortError(PortFault.BAD_URL, f"{url}: write usb:VID:PID or usb:VID:PID:SERIAL, VID and PID in hex")
        return
    if not url or "\0" in url:
        raise PortError(PortFault.BAD_URL, f"{url!r} names no port; write a path, socket://host:port or usb:VID:PID")
    scheme = _scheme(url)
    if scheme not in _SCHEMES:
        known = "socket://, rfc2217:// and spy:// are known"
        raise PortError(
            PortFault.BAD_URL, f"{url}: {scheme}:// leads to no device; write a path or usb:VID:PID, {known}"
        )
    if scheme == "spy" and not _path_of(url, scheme):
        raise PortError(PortFault.BAD_URL, f"{url}: write spy:// and the path of a port, as in spy:///dev/ttyUSB0")
    if scheme in _TCP_SCHEMES:
        try:
            parts_of_url = urlsplit(url)
            complete = bool(parts_of_url.hostname) and parts_of_url.port is not None
        except ValueError:
            complete = False
        if not complete:
            raise PortError(PortFault.BAD_URL, f"{url}: write {scheme}://HOST:PORT with a port from 1 to 65535")


def find_usb(url: str) -> str:
    """The device path of a USB identity. Raises PortError when none is plugged in, or more than one fits."""
    _usb, vid, pid, *serial_number = url.split(":", 3)
    fitting = [
        port.device
        for port in list_ports.comports()
        if (port.vid, port.pid) == (int(vid, 16), int(pid, 16))
        and (not serial_number or port.serial_number == serial_number[0])
    ]
    if not fitting:
        raise PortError(PortFault.MISSING, f"{url}: no such USB adapter is plugged in; {_present()}")
    if len(fitting) > 1:
        names = ", ".join(sorted(fitting))
        raise PortError(PortFault.BAD_URL, f"{url}: {names} fit; add the serial number as usb:VID:PID:SERIAL")
    return str(fitting[0])


def _scheme(url: str) -> str:
    return url.split("://", 1)[0].lower() if "://" in url else ""


def _path_of(target: str, scheme: str) -> str:
    """The device path behind a target; empty on TCP and other wires without one."""
    if scheme == "spy":
        parts = urlsplit(target)
        return parts.netloc + parts.path
    return target if not scheme else ""


def _is_hex16(text: str) -> bool:
    return 1 <= len(text) <= 4 and all(digit in "0123456789abcdefABCDEF" for digit in text)


def _present() -> str:
    names = sorted(str(port.device) for port in list_ports.comports())
    return f"present: {', '.join(names[:8])}" if names else "no serial port is present"


def _open(device: serial.Serial) -> None:
    try:
        device.open()
    except termios.error:
        # a pty has no parity and no 7-bit characters: EINVAL
        if not os.path.realpath(str(device.port)).startswith("/dev/pts/"):
            raise
        device.parity, device.bytesize, device.stopbits = serial.PARITY_NONE, serial.EIGHTBITS, serial.STOPBITS_ONE
        device.open()


def _refuse_no_port(url: str, target: str, scheme: str) -> None:
    path = _path_of(target, scheme)
    if not path:
        return
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise _explained(url, target, error) from error
    if stat.S_ISDIR(mode):
        raise PortError(PortFault.NOT_A_PORT, f"{url}: is a directory, not a serial port")
    if not stat.S_ISCHR(mode):
        raise PortError(PortFault.NOT_A_PORT, f"{url}: is a file, not a serial port")
    if is_recycled(path):
        what = f"leads to {os.path.realpath(path)}, which is another program's by now"
        raise PortError(PortFault.MISSING, f"{url}: {what}; what the link was made for has ended: start it again")


def _refuse_shared(url: str, target: str, scheme: str, device: serial.Serial) -> None:
    """Somebody who opened the port without a lock would take bytes away from us."""
    others = others_with(_path_of(target, scheme))
    if others:
        device.close()
        raise PortError(PortFault.IN_USE, f"{url}: in use by {_named(others)}; end it first")


def _named(found: Sequence[Holder]) -> str:
    return ", ".join(str(holder) for holder in found)


def _keep_alive(device: serial.Serial) -> None:
    connection = getattr(device, "_socket", None)
    if isinstance(connection, socket.socket):
        if connection.gettimeout():
            connection.settimeout(WRITE_TIMEOUT_S)  # rfc2217:// has its own 5 s; socket:// does not block
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_KEEPIDLE"):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, KEEPALIVE_IDLE_S)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, KEEPALIVE_INTERVAL_S)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, KEEPALIVE_PROBES)


def _explained(url: str, target: str, error: Exception) -> PortError:
    """The one line for an error of the system or of pyserial, which hides the system's error as its context."""
    cause = error.__context__ if isinstance(error.__context__, OSError) else error
    number = getattr(error, "errno", None) or getattr(cause, "errno", None)
    if isinstance(cause, socket.gaierror):
        return PortError(PortFault.UNREACHABLE, f"{url}: the host name is not known; check the name and the network")
    if isinstance(cause, ConnectionRefusedError):
        advice = "is the device server on, and its serial port free?"
        return PortError(PortFault.REFUSED, f"{url}: connection refused; {advice}")
    if isinstance(cause, TimeoutError) or number in (errno.EHOSTUNREACH, errno.ENETUNREACH):
        return PortError(PortFault.UNREACHABLE, f"{url}: no answer from the host; check its address, cable and power")
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ENOTDIR):
        return PortError(PortFault.MISSING, f"{url}: there is no such port; is it plugged in? {_present()}")
    if number in (errno.EACCES, errno.EPERM):
        advice = "add the user to the group of the device (often dialout)"
        return PortError(PortFault.NOT_PERMITTED, f"{url}: not permitted; {advice}")
    if number in (errno.EBUSY, errno.EAGAIN):
        who = _named(holders(_path_of(target, _scheme(target))))
        return PortError(PortFault.IN_USE, f"{url}: in use by {who or 'another process'}; end it first")
    if isinstance(error.__context__, termios.error) and error.__context__.args[0] == errno.ENOTTY:
        return PortError(PortFault.NOT_A_PORT, f"{url}: is a device, but not a serial port")
    if isinstance(error, ValueError):
        return PortError(PortFault.BAD_URL, f"{url}: {error}")
    if _scheme(target) == "rfc2217" and number is None:
        advice = "does not answer as RFC 2217 asks; a raw TCP port wants socket://"
        return PortError(PortFault.FAILED, f"{url}: the host {advice}")
    return PortError(PortFault.FAILED, f"{url}: cannot be opened: {error}")
