"""Plays a scenario on a bench: every line, what must be found after it, and the first step that does not hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, assert_never

from controller.app.scenario import acts
from controller.app.scenario.acts import Act, Drawn, Primitive, Said
from controller.app.scenario.bench import Bench
from controller.app.scenario.compare import Happened, Mismatch, judge, judge_step
from controller.app.scenario.load import Scenario
from controller.app.scenario.look import Look
from controller.app.scenario.model import Step
from controller.app.scenario.places import bettor_text
from controller.app.scenario.routine import CannotGoOnError, Routine
from drivers import messages as m

AT_THE_END: Final = "at the end"


@dataclass(frozen=True, slots=True)
class Failure:
    """The step that does not hold: its line in the file, its text, what is wrong, and how the table stood then."""

    line: int
    text: str
    mismatches: tuple[Mismatch, ...]
    stood: str


@dataclass(frozen=True, slots=True)
class Traced:
    """What one step came to, for comparing two benches: verdicts, and the picture behind it."""

    verdicts: tuple[str, ...]
    rejections: int
    phase: str
    next: tuple[str, ...]
    owed: tuple[tuple[str, int], ...]
    view: Any


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a scenario. ``failure`` is None when all of it holds; ``verdicts`` counts those raised."""

    scenario: Scenario
    failure: Failure | None
    verdicts: int
    trace: tuple[Traced, ...]


def play(scenario: Scenario, make: Callable[[Scenario], Bench]) -> Played:
    """Play a scenario to its end, or to the first step that does not hold."""
    bench = make(scenario)
    try:
        player = _Player(scenario, bench)
        failure = player.play()
    finally:
        bench.close()
    return Played(scenario, failure, len(player.everything.verdicts), tuple(player.trace))


@dataclass(slots=True)
class _Player:
    scenario: Scenario
    bench: Bench
    everything: Happened = field(default_factory=Happened)
    trace: list[Traced] = field(default_factory=list)
    net: dict[str, int] = field(default_factory=dict)
    routine: Routine = field(init=False)
    shoe: list[Drawn] = field(init=False)

    def __post_init__(self) -> None:
        self.shoe = list(reversed(self.scenario.shoe or ()))
        self.routine = Routine(self.scenario)

    def play(self) -> Failure | None:
        failure = self._begin()
        for number, step in enumerate(self.scenario.file.steps):
            if failure is not None:
                break
            failure = self._step(step, self.scenario.lines[number])
        faults = tuple(Mismatch("record", "intact", line) for line in self.bench.faults())
        if failure is None:
            expect = self.scenario.file.expect
            wrong = (*judge(expect, self._look(), self.everything, self._net()), *faults)
            failure = self._failure(self.scenario.end_line, AT_THE_END, wrong)
        return failure

    def _begin(self) -> Failure | None:
        phase = self.scenario.file.start
        if phase == "closed":
            return None
        return self._step(Step(), self.scenario.lines[0], (acts.Prepared(phase),), f"on the way to {phase}")

    def _step(self, step: Step, line: int, first: Sequence[Act] = (), text: str = "") -> Failure | None:
        happened = Happened()
        text = text or "; ".join(entry.text for entry in step.do) or "(look)"
        stuck: list[Mismatch] = []
        try:
            for act in (*first, *(a for entry in step.do for a in entry.acts)):
                self._act(act, happened)
        except CannotGoOnError as error:
            stuck.append(Mismatch("act", error.wanted, error.found))
        self.everything.events += happened.events
        look = self._look()
        self._note(look, happened)
        wrong = (*judge_step(step, happened), *stuck, *judge(step, look, happened, self._net()))
        return self._failure(line, text, wrong)

    def _act(self, act: Act, happened: Happened) -> None:
        match act:
            case acts.DrawNext(count):
                for _ in range(count):
                    self._perform(self._next_card(), happened)
            case acts.Prepared() | acts.Settled() | acts.Played():
                for primitive in self.routine.acts(act, self._look, self._next_card):
                    self._perform(primitive, happened)
            case (
                acts.Drawn() | acts.Seen() | acts.Said() | acts.Commanded() | acts.Cable() | acts.ShoeTrouble()
                | acts.Waited() | acts.Restarted()
            ):  # fmt: skip
                self._perform(act, happened)
            case _:
                assert_never(act)

    def _perform(self, act: Primitive, happened: Happened) -> None:
        if isinstance(act, Said):
            self._count(act.message)
        happened.events += self.bench.perform(act)

    def _count(self, message: object) -> None:
        """Chips laid stay their owner's; only what goes to the float or comes from it changes a bankroll."""
        match message:
            case m.PayoutMade(box, person, _, amount_minor):
                change = amount_minor
            case m.ChipsCollected(box, person, _, amount_minor):
                change = -amount_minor
            case m.WagerPlaced(box, person, _, _):
                change = 0
            case _:
                return
        key = bettor_text(box, person)
        self.net[key] = self.net.get(key, 0) + change

    def _next_card(self) -> Drawn:
        if not self.shoe:
            raise CannotGoOnError("a card from the scenario's shoe", "it is empty")
        return self.shoe.pop()

    def _net(self) -> dict[str, int]:
        return dict(self.net)

    def _look(self) -> Look:
        return Look(self.scenario.game, self.bench.state)

    def _note(self, look: Look, happened: Happened) -> None:
        verdicts = tuple(str(v) for v in happened.verdicts)
        owed = tuple(sorted(look.owed.items()))
        self.trace.append(Traced(verdicts, len(happened.rejections), look.phase, look.next, owed, look.view))

    def _failure(self, line: int, text: str, wrong: tuple[Mismatch, ...]) -> Failure | None:
        if not wrong:
            return None
        look = self._look()
        cards = "; ".join(f"{hand} {' '.join(cards)}" for hand, cards in look.cards.items() if cards)
        stood = f"{look.phase}, expected next: {', '.join(look.next) or 'nothing'}" + (f"; {cards}" if cards else "")
        return Failure(line, text, wrong, stood)
