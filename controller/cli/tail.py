"""``tablewatch tail``: follow a table over MQTT, as lines, as JSON or as the live view; or archive it."""

from __future__ import annotations

import contextlib
import re
import signal
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Annotated, Final, NoReturn

import typer
from rich.live import Live

from controller.bus.historian import Historian
from controller.bus.topics import Topics, is_id
from controller.cli.follow import TableFollower
from controller.cli.guard import CannotError
from controller.cli.live import render
from controller.cli.screen import Screen, output
from controller.cli.viewer import Mode, Viewer
from controller.cli.where import BrokerOption, InsecureOption, SiteOption, TableOption, Where, find_table

POLL_S: Final = 0.1
FRAME_S: Final = 0.1
"""The live view is drawn at most so often."""


def tail(
    table_toml: Annotated[Path | None, typer.Argument(help="The table's configuration.", show_default=False)] = None,
    broker: BrokerOption = "",
    site: SiteOption = "",
    table: TableOption = "",
    insecure_lab: InsecureOption = False,
    first: Annotated[
        int | None, typer.Option("--from", min=1, help="Begin with this event.", show_default=False)
    ] = None,
    count: Annotated[int, typer.Option("--count", min=0, help="End after so many events; 0 never ends.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="The envelopes, one a line.")] = False,
    live: Annotated[bool, typer.Option("--live", help="The live view instead of lines.")] = False,
    store: Annotated[
        Path | None,
        typer.Option(
            "--store", help="Archive all tables of the site in this file and acknowledge.", show_default=False
        ),
    ] = None,
    trust: Annotated[
        list[str] | None,
        typer.Option(
            "--trust",
            help="With --store: TABLE=KEY, a table's public key; else that of its first checkpoint is believed.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Follow a table over MQTT until Ctrl-C."""
    where = find_table(table_toml, broker, site, table, insecure_lab=insecure_lab)
    keys = _trusted(where, trust or [])
    screen = output()
    mode = Mode.JSON if as_json else Mode.LIVE if live and screen.is_terminal else Mode.LINES
    viewer = Viewer(where.topics, screen, mode, where.currency)
    follower = TableFollower(where.endpoints, where.topics, first)
    with contextlib.suppress(KeyboardInterrupt), _terminated_like_interrupted(), _archive(where, store, keys):
        follower.start()
        try:
            if mode is Mode.LIVE:
                _watch_live(viewer, follower, screen, count)
            else:
                _watch(viewer, follower, count)
        finally:
            follower.stop()


def _watch(viewer: Viewer, follower: TableFollower, count: int) -> None:
    """Show what comes, until ``count`` events are shown (0: for ever)."""
    while True:
        for news in follower.next(POLL_S):
            viewer.take(news)
            if count and viewer.shown >= count:
                return


def _watch_live(viewer: Viewer, follower: TableFollower, screen: Screen, count: int) -> None:
    next_s = 0.0
    with Live(console=screen, screen=True, auto_refresh=False) as live:
        while not count or viewer.shown < count:
            for news in follower.next(POLL_S):
                viewer.take(news)
            if time.monotonic() >= next_s:
                next_s = time.monotonic() + FRAME_S
                live.update(render(viewer.picture), refresh=True)


def _trusted(where: Where, given: Sequence[str]) -> dict[Topics, str]:
    """The tables' public keys. Raises BadParameter."""
    keys: dict[Topics, str] = {}
    for text in given:
        name, _, key = text.partition("=")
        if not is_id(name) or re.fullmatch("[0-9a-fA-F]{64}", key) is None:
            raise typer.BadParameter(f"{text!r} is not TABLE=KEY with 64 hexadecimal digits", param_hint="--trust")
        keys[Topics(where.topics.site, name)] = key.lower()
    return keys


@contextlib.contextmanager
def _archive(where: Where, store: Path | None, keys: Mapping[Topics, str]) -> Iterator[None]:
    if store is None:
        yield
        return
    try:
        historian = Historian(where.endpoints, where.topics.site, store, trusted=keys)
    except sqlite3.Error as error:
        raise CannotError(f"archive {store}: {error}; name a file of its own in an existing folder") from error
    historian.start()
    try:
        yield
    finally:
        historian.stop()


@contextlib.contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """SIGTERM ends the command as Ctrl-C does."""

    def stop(_number: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
