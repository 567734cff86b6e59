"""The live view over real HTTP on loopback: page, frames, readings, too many viewers, a port in use, a clean end."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from urllib.parse import urlsplit

import numpy as np
import pytest

from bench import waiting
from vision.errors import VisionError
from vision.readings import Kind, Reading, Sighting
from vision.stream import MAX_VIEWERS, LiveView, served

QUAD = ((0.0, 0.0), (10.0, 0.0), (10.0, 14.0), (0.0, 14.0))
SIGHTING = Sighting((Reading(Kind.CARD, QUAD, "KH", 990, region="box1"),), 64, 48, 120, 3.0)
PICTURE = np.full((48, 64, 3), 90, np.uint8)


def connect(address: str, path: str) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    parts = urlsplit(address)
    assert parts.hostname == "127.0.0.1"
    link = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    link.request("GET", path)
    return link, link.getresponse()


def get(address: str, path: str) -> tuple[int, bytes]:
    link, answer = connect(address, path)
    try:
        return answer.status, answer.read()
    finally:
        answer.close()
        link.close()


def test_page_state_and_nothing_else() -> None:
    view = LiveView()
    with served(view) as address:
        view.show(PICTURE, SIGHTING)
        assert b"/stream" in get(address, "/")[1]
        assert json.loads(get(address, "/state.json")[1])["cards"] == ["box1: KH"]
        assert get(address, "/etc/passwd")[0] == 404
        assert get(address, "/../../etc/passwd")[0] == 404


def test_frames_arrive_and_the_stream_ends_with_the_view() -> None:
    view = LiveView()
    with served(view) as address:
        view.show(PICTURE, SIGHTING)
        link, answer = connect(address, "/stream")
        assert answer.headers["Content-Type"].startswith("multipart/x-mixed-replace")
        first = answer.read(600)
        assert b"image/jpeg" in first
        assert b"\xff\xd8" in first
    answer.read()
    answer.close()
    link.close()
    assert view.ending


def test_viewers_are_limited_and_a_slow_one_holds_nobody_up() -> None:
    view = LiveView()
    with served(view) as address:
        view.show(PICTURE, SIGHTING)
        links = [connect(address, "/stream") for _ in range(MAX_VIEWERS)]
        assert get(address, "/stream")[0] == 503
        shown = threading.Thread(target=show_often, args=(view,))
        shown.start()
        shown.join(20)
        assert not shown.is_alive()
        for link, answer in links:
            answer.close()
            link.close()
        waiting.until(lambda: get_stream_status(address, view) != 503, "a viewer is let in again")


def show_often(view: LiveView) -> None:
    for _ in range(50):
        view.show(PICTURE, SIGHTING)


def get_stream_status(address: str, view: LiveView) -> int:
    view.show(PICTURE, SIGHTING)
    link, answer = connect(address, "/stream")
    answer.close()
    link.close()
    return answer.status


def test_a_port_in_use_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(VisionError, match=f"port {port}: cannot be opened"), served(LiveView(), port):
            pass
