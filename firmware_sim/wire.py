"""The device's end of a wire: a pty, a raw TCP device server, or an RFC 2217 device server; and the thread that runs
a firmware on it."""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import threading
from typing import Protocol

from serial import rfc2217

from firmware_sim.clock import Clock
from firmware_sim.faults import FaultInjector, Faults
from firmware_sim.ptys import PtyPort

POLL_S = 0.005
"""Real time between two looks at the firmware's timers."""

STOP_TIMEOUT_S = 2.0
RESET = struct.pack("ii", 1, 0)
"""SO_LINGER of a connection that is ended by RST."""


class Firmware(Protocol):
    """A device without I/O. Its methods are called by the runner's thread; what a person does to the device comes from
    other threads, so a firmware locks itself."""

    def connected(self, now_ms: int) -> None:
        """A host opened the port."""
        ...

    def receive(self, data: bytes, now_ms: int) -> None:
        """Bytes from the host, split anywhere."""
        ...

    def tick(self, now_ms: int) -> None:
        """Time passed."""
        ...

    def outgoing(self) -> bytes:
        """Take the next unit for the host (a copy, a frame); empty when there is none now. Asked until it is empty."""
        ...


class Wire(Protocol):
    """The device's end of a wire. What is sent while no host is attached is lost, as on a real one."""

    @property
    def url(self) -> str:
        """What a host opens with pyserial."""
        ...

    @property
    def attached(self) -> bool:
        """Whether a host has the port open."""
        ...

    def read(self) -> bytes:
        """Bytes from the host, at once; empty when there are none."""
        ...

    def write(self, data: bytes) -> None:
        """Send to the host."""
        ...

    def wait(self, timeout_s: float) -> None:
        """Wait for something from the host, at most ``timeout_s``."""
        ...

    def unplug(self) -> None:
        """The host loses the port and cannot open it."""
        ...

    def replug(self, *, renamed: bool = False) -> None:
        """The port is there again, under the same URL; with ``renamed`` the system calls it otherwise than before,
        where it has a name."""
        ...

    def close(self) -> None:
        """Unplug for good."""
        ...


class PtyWire(PtyPort):
    """A pty at a path."""

    @property
    def url(self) -> str:
        """The path."""
        return str(self.path)


class TcpWire:
    """A serial device server in raw TCP mode for one host at a time; a second one is turned away."""

    scheme = "socket"

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Port 0 takes a free one and keeps it. Raises OSError when the address cannot be had."""
        self._address = (host, port)
        self._listener: socket.socket | None = None
        self._client: socket.socket | None = None
        self.silent = False
        """the cable between device server and device is out: hosts are accepted and hear nothing"""
        self._ghosts: list[socket.socket] = []
        """connections that a host still takes for alive"""
        self._lock = threading.RLock()
        self.replug()

    @property
    def url(self) -> str:
        """``socket://host:port``, or the like."""
        return f"{self.scheme}://{self._address[0]}:{self._address[1]}"

    @property
    def attached(self) -> bool:
        """Whether a host is connected to the device."""
        with self._lock:
            self._accept()
            return self._client is not None and not self.silent

    def read(self) -> bytes:
        """Bytes from the host, at once; empty when there are none."""
        with self._lock:
            self._accept()
            if self._client is None:
                return b""
            try:
                data = self._client.recv(4096)
            except BlockingIOError:
                return b""
            except OSError:
                data = b""
            if not data:
                self._hang_up()
                return b""
            return b"" if self.silent else self._decoded(data)

    def write(self, data: bytes) -> None:
        """Send to the host; lost when there is none."""
        with self._lock:
            if not self.silent:
                self._send_raw(self._encoded(data))

    def wait(self, timeout_s: float) -> None:
        """Wait for bytes or a connection."""
        with self._lock:
            ends = [end for end in (self._client, self._listener) if end is not None]
        if not ends:
            threading.Event().wait(timeout_s)
            return
        with contextlib.suppress(OSError, ValueError):  # unplugged meanwhile
            select.select(ends, [], [], timeout_s)

    def unplug(self) -> None:
        """The device server is gone: the connection ends and new ones are refused."""
        with self._lock:
            self._hang_up()
            self._stop_listening()

    def vanish(self) -> None:
        """The device server loses its power: nothing ends the connection for the host, nobody reads or answers on it
        any more, and new ones are refused. After `replug` the host learns that nobody there knows the connection."""
        with self._lock:
            if self._client is not None:
                self._ghosts.append(self._client)
                self._client = None
            self._stop_listening()

    def replug(self, *, renamed: bool = False) -> None:
        """The device server listens again at the same address, which is all the name it has."""
        with self._lock:
            self._reset_ghosts()
            if self._listener is None:
                self._listener = socket.create_server(self._address, reuse_port=False)
                self._listener.setblocking(False)
                self._address = self._listener.getsockname()[:2]

    def close(self) -> None:
        """Unplug for good."""
        self.unplug()
        with self._lock:
            self._reset_ghosts()

    def _reset_ghosts(self) -> None:
        while self._ghosts:
            ghost = self._ghosts.pop()
            ghost.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            ghost.close()

    def _stop_listening(self) -> None:
        if self._listener is not None:
            # a thread in select would keep a merely closed listener accepting
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None

    def _accept(self) -> None:
        if self._listener is None:
            return
        try:
            connection, _address = self._listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        if self._client is not None:
            connection.close()
            return
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._client = connection
        self._begin()

    def _hang_up(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def _send_raw(self, data: bytes) -> None:
        if self._client is None or not data:
            return
        try:
            self._client.sendall(data)
        except BlockingIOError:
            return  # the host does not read: lost, as in a device server without flow control
        except OSError:
            self._hang_up()

    def _begin(self) -> None:
        """A host connected."""

    def _decoded(self, data: bytes) -> bytes:
        return data

    def _encoded(self, data: bytes) -> bytes:
        return data


class Rfc2217Wire(TcpWire):
    """A serial device server that speaks RFC 2217. ``line`` has the settings that the host asked for."""

    scheme = "rfc2217"

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self.line = _Line()
        self._telnet: rfc2217.PortManager | None = None
        super().__init__(host, port)

    def _begin(self) -> None:
        self._telnet = rfc2217.PortManager(self.line, _RawWriter(self))  # type: ignore[arg-type]

    def _decoded(self, data: bytes) -> bytes:
        return b"".join(self._telnet.filter(data)) if self._telnet else b""

    def _encoded(self, data: bytes) -> bytes:
        return b"".join(self._telnet.escape(data)) if self._telnet else b""


class _Line:
    """What an RFC 2217 server needs of a serial port: settings to keep and modem lines to show."""

    def __init__(self) -> None:
        self.baudrate = 9600
        self.bytesize = 8
        self.parity = "N"
        self.stopbits = 1
        self.xonxoff = self.rtscts = self.break_condition = False
        self.dtr = self.rts = True
        self.cts = self.dsr = self.cd = True
        self.ri = False

    def reset_input_buffer(self) -> None:
        """Nothing is buffered here."""

    def reset_output_buffer(self) -> None:
        """Nothing is buffered here."""


class _RawWriter:
    def __init__(self, wire: Rfc2217Wire) -> None:
        self._wire = wire

    def write(self, data: bytes) -> None:
        """Telnet's own bytes, not escaped."""
        self._wire._send_raw(data)


class FirmwareRunner:
    """Runs one firmware on one wire in a thread, through the faults of the line. Starts at once."""

    def __init__(self, firmware: Firmware, wire: Wire, clock: Clock, faults: Faults | None = None) -> None:
        self.wire = wire
        self.injector = FaultInjector(faults or Faults())
        self._firmware = firmware
        self._clock = clock
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"firmware-{wire.url}", daemon=True)
        self._thread.start()

    def exchange(self, firmware: Firmware) -> Firmware:
        """Pull the cable and plug it into another device; answers the one that was there, which goes on by itself."""
        with self._lock:
            self.wire.unplug()
            self.injector.cut()
            before, self._firmware = self._firmware, firmware
            self.wire.replug()
        return before

    def stop(self) -> bool:
        """End the thread and close the wire; whether it ended in time."""
        self._stopping.set()
        self._thread.join(STOP_TIMEOUT_S)
        self.wire.close()
        return not self._thread.is_alive()

    def _run(self) -> None:
        attached = False
        while not self._stopping.is_set():
            self.wire.wait(POLL_S)
            with self._lock:
                attached = self._turn(self._firmware, attached)

    def _turn(self, firmware: Firmware, was_attached: bool) -> bool:
        """What came goes to the firmware, what it says onto the wire; whether a host has the port open."""
        attached = self.wire.attached
        if attached and not was_attached:
            firmware.connected(self._clock.now_ms())
        data = self.wire.read()
        if data:
            firmware.receive(data, self._clock.now_ms())
        firmware.tick(self._clock.now_ms())
        while unit := firmware.outgoing():
            self.injector.push(unit)
        if piece := self.injector.take(self._clock.now_ms()):
            self.wire.write(piece)
        return attached
