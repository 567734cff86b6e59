"""What a person sees of a demo while it is dealt: what an observer on the bus sees."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from rich.live import Live

from controller.cli.demo.play import Play
from controller.cli.demo.summary import Played
from controller.cli.follow import TableFollower
from controller.cli.live import Picture, render
from controller.cli.screen import Screen
from controller.cli.viewer import Mode, Viewer

FRAME_S: Final = 0.1
BURST: Final = 200
"""Messages taken before the play gets its turn again."""


def show(play: Play, screen: Screen, *, live: bool) -> Played:
    """Play and show: a live view on a terminal, else a line an event. Raises KeyboardInterrupt as it comes."""
    follower = TableFollower((play.endpoint,), play.topics, first=1)
    viewer = Viewer(play.topics, screen, Mode.LIVE if live else Mode.LINES, starting=True)
    follower.start()
    try:
        if live:
            return _live(play, screen, follower, viewer)
        screen.print(f"simulated table in {play.folder}: shoe, console and bet sensor on ptys, two processes beside it")
        return play.run(lambda: _take(follower, viewer))
    finally:
        follower.stop()


def _take(follower: TableFollower, viewer: Viewer) -> None:
    for _ in range(BURST):
        news = follower.next(0.0)
        if not news:
            return
        for item in news:
            viewer.take(item)


def _live(play: Play, screen: Screen, follower: TableFollower, viewer: Viewer) -> Played:
    next_s = 0.0
    with Live(console=screen, screen=True, auto_refresh=False) as view:

        def turn() -> None:
            nonlocal next_s
            _take(follower, viewer)
            if time.monotonic() >= next_s:
                next_s = time.monotonic() + FRAME_S
                view.update(render(_picture(play, viewer.picture)), refresh=True)

        return play.run(turn)


def _picture(play: Play, picture: Picture) -> Picture:
    wanted = play.wishes.rounds
    done = min(wanted, len(play.table.world.rounds))
    deaths = "; the controller was killed and came back" if play.deaths else ""
    return replace(picture, progress=f"demo: {play.note}{deaths}", done_permille=1000 * done // wanted)
