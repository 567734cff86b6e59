"""What a person sees of a demo while it is dealt."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from controller.app.narrate import narrate
from controller.cli.demo.play import Play
from controller.cli.demo.summary import Played
from controller.cli.screen import Screen, styled


def show(play: Play, screen: Screen, *, live: bool) -> Played:
    """Play and show: a live view, or a line an event."""
    del live
    return _lines(play, screen)


def _lines(play: Play, screen: Screen) -> Played:
    screen.print(f"simulated table in {play.folder}: shoe, console and bet sensor on ptys, controller and subscriber")
    shown = 0

    def turn() -> None:
        nonlocal shown
        for envelope in tuple(play.watcher.events)[-(play.watcher.received - shown) or len(play.watcher.events) :]:
            text = event_text(envelope)
            if text is not None:
                screen.print(text)
        shown = play.watcher.received

    return play.run(turn)


def event_text(envelope: dict[str, Any]) -> Text | None:
    """An event from the bus as a line, None for a silent one."""
    kind = str(envelope.get("type", "")).removeprefix("tablewatch.")
    line = narrate(kind, envelope.get("data", {}), "EUR")
    if line is None:
        return None
    return Text.assemble((f"{int(str(envelope['sequence'])):>6} ", "dim"), styled(line))
