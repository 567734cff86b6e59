"""`tablewatch demo`: the whole way from the shoe's wire to an MQTT subscriber, dealt by people who make mistakes."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.app.camera.settings import not_installed
from controller.cli.faults import fault_record
from controller.cli.guard import CannotError, ExitCode
from controller.cli.screen import Screen, output, program

if TYPE_CHECKING:
    from controller.cli.demo.play import Play
    from controller.cli.demo.summary import Played


class DemoGame(StrEnum):
    """A game that the simulated people can play."""

    BLACKJACK = "blackjack"
    BLOT = "blot"


def demo(
    game: Annotated[DemoGame, typer.Option(help="What is played.")] = DemoGame.BLACKJACK,
    rounds: Annotated[
        int | None, typer.Option(min=1, max=1000, help="Rounds to deal. [default: 7, with a camera 3]")
    ] = None,
    speed: Annotated[
        float | None, typer.Option(min=0.2, max=20.0, help="1 is a dealer's own pace. [default: 6, with a camera 1]")
    ] = None,
    camera: Annotated[bool, typer.Option("--camera", help="A camera sees where the cards come to lie.")] = False,
    faults: Annotated[
        str,
        typer.Option("--faults", help="What goes wrong on the wires: clean, nominal, harsh, hostile, or a TOML file."),
    ] = "clean",
    deviations: Annotated[bool, typer.Option(help="Whether dealer and players make planted mistakes.")] = True,
    kill: Annotated[
        bool | None,
        typer.Option(help="Whether the controller is killed once on the way. [default: yes, with a camera no]"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Order of the cards, what people do, faults.")] = 1,
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep",
            metavar="DIR",
            help="New folder for journal, archive and logs; default: one below /tmp.",
            show_default=False,
        ),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Lines instead of the live view.")] = False,
) -> None:
    """Deal a simulated table: firmware on ptys, the controller and a subscriber as processes, a real broker."""
    # Here and not above, so that a live table never loads the simulator.
    from controller.cli.demo.play import Play, Wishes, new_folder
    from controller.cli.demo.show import show

    if camera:
        _need_camera(game)
    record = fault_record(faults, seed)
    folder = keep or new_folder()
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise typer.BadParameter(f"{folder} is not empty: name a new folder", param_hint="--keep")
    screen = output()
    rounds, speed = rounds or (3 if camera else 7), speed or (1.0 if camera else 6.0)
    kill = not camera if kill is None else kill
    play = Play(Wishes(rounds, speed, record, deviations, seed, kill, game.value, camera), folder)
    played = show(play, screen, live=screen.is_terminal and not plain)
    _tell(screen, play, played, folder)


def _tell(screen: Screen, play: Play, played: Played, folder: Path) -> None:
    """What came of it, and where it lies. Raises Exit where something was wrong."""
    from controller.cli.demo.summary import checks, summary_table

    found = checks(played, play.journal, play.archive)
    screen.print(summary_table(found, played))
    screen.print(f"journal, archive and logs: {folder}")
    screen.print("the rounds as a person reads them:")
    screen.print(f"{program()} replay {play.journal}")
    if not all(check.ok for check in found):
        for actor, name in ((play.controller, "controller"), (play.subscriber, "subscriber")):
            screen.print(f"the last lines of the {name}:\n{actor.last_lines()}")
        raise typer.Exit(ExitCode.WRONG)


def _need_camera(game: DemoGame) -> None:
    """Refuses a camera where none can be had, before anything is started."""
    if game is not DemoGame.BLACKJACK:
        raise typer.BadParameter("the simulated camera looks at blackjack only", param_hint="--camera")
    try:
        import vision  # noqa: F401 - only whether it can be
    except ImportError as error:
        raise CannotError(not_installed(error)) from None
