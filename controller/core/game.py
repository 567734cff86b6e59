"""What a game gives to the table. A game is a folder with an object of this shape and an entry point.

A game is pure: its rules come from a rule set, its state from inputs. It judges every input in every state and never
raises for one; a Python exception out of a game is a bug of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from controller.core.cards import Card
from controller.core.expectation import Due, Expected
from controller.core.inputs import GameInput
from controller.core.simulation import Simulation
from controller.core.verdicts import Finding, OpenVerdict, Settled, VerdictCode
from controller.core.wall_card import Section
from controller.core.words import Line

if TYPE_CHECKING:
    from controller.core.sources.sightings import Sightings


class Fact(Protocol):
    """A fact on record: a frozen dataclass with its event type."""

    @property
    def TYPE(self) -> str:  # noqa: N802
        """The event type, such as ``card.dealt``."""
        ...


class Pack(Protocol):
    """The shoe or the packet in a picture of the table: its number and how many cards of it are drawn."""

    @property
    def number(self) -> int:
        """Counts from 1; 0 before the first one."""
        ...

    @property
    def drawn(self) -> int:
        """Cards that have left it."""
        ...


class View(Protocol):
    """The public picture of a table, a frozen dataclass of the game; what every game has in it."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def shoe(self) -> Pack:
        """Where the cards come from."""
        ...

    @property
    def cards_on_table(self) -> int:
        """Cards of the round in play."""
        ...


class RulesError(ValueError):
    """A rule set cannot be used. ``problems`` has one line a fault: key, value, what is allowed."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


@dataclass(slots=True)
class Outcome:
    """A game's answer to one input: the state after it, the facts, and the judgements, in order."""

    state: Any
    facts: list[Fact] = field(default_factory=list)
    findings: list[Finding | Settled] = field(default_factory=list)


class Game(Protocol):
    """The seam between a table and a game. What `parse_rules` makes are its rules; its state is frozen."""

    name: str
    state_type: type[Any]
    fact_types: tuple[type[Any], ...]
    view_type: type[Any]
    """the class of the public picture, see `view`"""
    codes: tuple[VerdictCode, ...]
    """every verdict code the game raises"""
    simulation: Simulation
    """who plays at a table of this game that is simulated"""
    sightings: Sightings | None
    """what the fusion of sources asks of the game; None where the game itself judges every card that is shown"""

    def parse_rules(self, data: Mapping[str, Any]) -> Any:
        """Rules from a rule set's data. Raises RulesError with every fault at once."""
        ...

    def warnings(self, rules: Any) -> tuple[str, ...]:
        """What the table's owner must be told about these rules."""
        ...

    def wall_card(self, rules: Any) -> tuple[Section, ...]:
        """The rules as a card to hang on the wall: every key shows in some line."""
        ...

    def start(self, rules: Any, before: Any = None) -> Any:
        """The state of a table that has just been opened: packs to be inspected. Numbers of shoes and rounds go on
        from ``before``, the state it had last, so that no round's name is used twice in a record, and chips that have
        to go back are not forgotten."""
        ...

    def leave(self, rules: Any, state: Any) -> Outcome:
        """The table is closed or taken out of service between two rounds: chips that have still to go back become an
        open verdict, which stays until they have."""
        ...

    def adopt(self, rules: Any, new_rules: Any, state: Any) -> Any:
        """The state under ``new_rules``, taken between rounds with nothing open; packs that no longer fit them are
        inspected anew."""
        ...

    def phase(self, state: Any) -> str:
        """The phase as a word."""
        ...

    def round_id(self, state: Any) -> str:
        """Identifies the round in play within the journal, such as ``1-17`` (shoe and round); empty between rounds."""
        ...

    def cards_expected(self, state: Any) -> bool:
        """True while a shoe is loaded, so that a card could have been missed by a gap in its source."""
        ...

    def can_close(self, state: Any) -> bool:
        """True when no stake is on the table and no round is open."""
        ...

    def can_void(self, state: Any) -> bool:
        """True while a round is open whose stakes could go back."""
        ...

    def patience_s(self, rules: Any, state: Any) -> int:
        """Seconds that whoever decides now may take; after them, with nothing changed, the game is told so once: the
        device ``clock`` signals ``time_over`` with this number. 0: nobody decides, or as long as he likes."""
        ...

    def hidden(self, rules: Any, state: Any, event: GameInput, *, held: bool) -> str:
        """A name, unique in the journal, of the card that this input brings where its face must stay secret until it
        is shown (a hole card, a burned card face down, a card in a player's hand, one drawn in error); empty where it
        may be public. ``held`` as for `handle`.
        Facts, verdicts and views never carry such a face; a fact of type ``card.revealed`` with this name in its
        field ``hidden`` shows it."""
        ...

    def handle(self, rules: Any, state: Any, event: GameInput, *, held: bool) -> Outcome:
        """Judge one input. With ``held`` only physical facts (cards, chips) come in; what happened must be kept."""
        ...

    def correct(
        self, rules: Any, state: Any, verdict: OpenVerdict, correction: str, card: Card | None, *, held: bool
    ) -> Outcome:
        """Carry out a correction that was offered by this verdict, or the core's own ``aligned`` and ``new_shoe``.
        ``card`` is given where it needs one; with ``held`` other verdicts still hold the table."""
        ...

    def name_card(self, rules: Any, state: Any, card: Card) -> Outcome:
        """A supervisor names a card that left the shoe unseen by any source; it was the next one due."""
        ...

    def void(self, rules: Any, state: Any, reason: str, *, doubtful: bool) -> Outcome:
        """Void the round: every stake goes back, all cards on the table are gone. ``doubtful``: cards may be missing
        from the record, so the packs are counted before they are dealt again."""
        ...

    def hand_over(self, rules: Any, state: Any) -> Outcome:
        """Another shoe takes over: the cards left in the one in use are kept apart and counted on record. A round in
        play goes on from the other shoe once its packs are made ready, or is void, as the rules want. A refused finding
        says why it cannot be now."""
        ...

    def tell(self, fact: Any, currency: str) -> Line:
        """One line for a person about a fact of ``fact_types``; ``currency`` stands behind amounts."""
        ...

    def place(self, box: int) -> str:
        """A place of the table by the game's word for it, after ``at``: ``box 3``, ``seat 2``; 0 is the dealer's, or
        that of the cards that belong to nobody."""
        ...

    def expectation(self, rules: Any, state: Any) -> tuple[Expected, ...]:
        """What must or may come next, most likely first."""
        ...

    def dues(self, rules: Any, state: Any) -> tuple[Due, ...]:
        """What every bet of every person is owed at this moment, and what has moved."""
        ...

    def view(self, rules: Any, state: Any) -> View:
        """The public picture of the table for screens and the bus, of ``view_type``; nothing secret in it."""
        ...
