"""The commands of ``tablewatch`` and the guard around them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from controller import __version__
from controller.cli import (
    check,
    decks,
    devices,
    replay,
    rules,
    scenario,
    schemas,
    sim,
    simulate,
    staff,
    tail,
    verify,
    vision,
    wire,
)
from controller.cli import run as table
from controller.cli.demo import command
from controller.cli.guard import Guard
from controller.cli.screen import output, tolerant

app = typer.Typer(
    name="tablewatch",
    help="A controller for a physical card table.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("run")(table.run)
app.command("check")(check.check)
app.command("verify")(verify.verify)
app.command("replay")(replay.replay)
app.command("tail")(tail.tail)
app.command("keygen")(staff.keygen)
app.command("command")(staff.command)
app.command("schemas")(schemas.schemas)
app.command("demo")(command.demo)
app.command("scenario")(scenario.scenario)
app.command("devices")(devices.devices)
app.command("console")(wire.console)
app.command("sim")(sim.sim)
app.command("simulate")(simulate.simulate)
app.add_typer(wire.trace, name="trace")
app.add_typer(decks.app, name="decks")
app.add_typer(rules.app, name="rules")
app.add_typer(vision.app, name="vision")


def _show_version(wanted: bool) -> None:
    if wanted:
        output().print(f"tablewatch {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and end.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show faults of tablewatch itself whole.")] = False,
) -> None:
    """A controller for a physical card table."""
    guard = context.find_object(Guard)
    if guard is not None:
        guard.debug = debug


def guarded(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (default: the program's own) and return its exit code; raises nothing."""
    guard = Guard()
    with guard:
        tolerant()
        app(args=arguments, prog_name="tablewatch", obj=guard)
    with guard:
        sys.stdout.flush()
    return guard.code
