"""The live view as a page on this machine: an MJPEG stream and the readings as JSON, on loopback only."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2

from vision.errors import VisionError
from vision.patches import Image
from vision.readings import Sighting

LOOPBACK = "127.0.0.1"
MAX_VIEWERS = 4
"""Each viewer costs an encoder's worth of bandwidth."""

JPEG_QUALITY = 80
WAIT_S = 0.5
"""How long a viewer's thread waits for a frame before it looks whether the server ends."""

BOUNDARY = "tablewatchframe"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>tablewatch vision</title>
<style>body{margin:0;background:#161616;color:#eee;font:14px system-ui}img{display:block;max-width:100%}
pre{margin:8px;white-space:pre-wrap}</style>
<img src="/stream" alt="live view"><pre id="state"></pre>
<script>setInterval(async()=>{try{const r=await fetch('/state.json');
document.getElementById('state').textContent=(await r.json()).cards.join('   ')}
catch(e){document.getElementById('state').textContent='the view has ended'}},500)</script></html>
"""


class LiveView:
    """The newest annotated frame, shared between the recognizer's thread and the viewers'."""

    def __init__(self) -> None:
        """Nothing is shown until `show` is called."""
        self._changed = threading.Condition()
        self._frame = b""
        self._state: dict[str, Any] = {"cards": [], "time_ms": 0}
        self._number = 0
        self.ending = False
        self.viewers = threading.BoundedSemaphore(MAX_VIEWERS)

    def show(self, annotated: Image, sighting: Sighting) -> None:
        """Show a frame to all viewers; a slow viewer misses frames and holds nobody up."""
        _, coded = cv2.imencode(".jpg", annotated, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        cards = [f"{r.region}: {r.text}" if r.region else r.text for r in sighting.readings]
        with self._changed:
            self._frame, self._number = coded.tobytes(), self._number + 1
            self._state = {"cards": cards, "time_ms": sighting.time_ms, "look_ms": round(sighting.look_ms, 1)}
            self._changed.notify_all()

    def end(self) -> None:
        """Let every viewer's thread end."""
        with self._changed:
            self.ending = True
            self._changed.notify_all()

    def frames(self) -> Iterator[bytes]:
        """Every newest frame as JPEG until the end."""
        seen = 0
        while not self.ending:
            with self._changed:
                self._changed.wait_for(lambda: self.ending or self._number > seen, WAIT_S)  # noqa: B023
                if self._number == seen or self.ending:
                    continue
                seen, frame = self._number, self._frame
            yield frame

    def state(self) -> bytes:
        """The newest readings as JSON."""
        with self._changed:
            return json.dumps(self._state).encode()


def _handler(view: LiveView) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"
        timeout = 10

        def do_GET(self) -> None:
            if self.path == "/":
                self._answer("text/html; charset=utf-8", PAGE.encode())
            elif self.path == "/state.json":
                self._answer("application/json", view.state())
            elif self.path == "/stream":
                self._stream()
            else:
                self.send_error(404)

        def _answer(self, kind: str, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def _stream(self) -> None:
            if not view.viewers.acquire(blocking=False):
                self.send_error(503, f"at most {MAX_VIEWERS} viewers")
                return
            try:
                self.send_response(200)
                self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY}")
                self.end_headers()
                for frame in view.frames():
                    head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(frame)}\r\n\r\n"
                    self.wfile.write(head.encode() + frame + b"\r\n")
            except (ConnectionError, TimeoutError):
                self.close_connection = True
            finally:
                view.viewers.release()

        def log_message(self, *_: object) -> None:
            """Say nothing: the terminal belongs to the readings."""

    return Handler


@contextmanager
def served(view: LiveView, port: int = 0) -> Iterator[str]:
    """Serve a live view on loopback while the block runs; gives its address. Port 0 takes a free one. Raises
    VisionError where the port cannot be had."""
    try:
        server = ThreadingHTTPServer((LOOPBACK, port), _handler(view))
    except OSError as error:
        raise VisionError(f"port {port}: cannot be opened: {error.strerror}; choose another with --port") from None
    server.daemon_threads = True
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.1}, name="vision-view", daemon=True
    )
    thread.start()
    try:
        yield f"http://{LOOPBACK}:{server.server_address[1]}/"
    finally:
        view.end()
        server.shutdown()
        server.server_close()
        thread.join()
