"""A blackjack table to write short scripts for: cards, bets and keys as words, straight into the table's step."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from controller.adapters.console import Person
from controller.adapters.link import Wiring
from controller.app.engine import Engine, TableSetup
from controller.app.record import Standing, fold_events
from controller.app.rulesets import load_rules
from controller.app.snapshot import standing_bytes
from controller.core.cards import Card
from controller.core.codec import Codec
from controller.core.facts import CommandRejected, ViolationRaised
from controller.core.fold import state_bytes
from controller.core.inputs import (
    CardDrawn,
    CardUnreadable,
    ChipsCollected,
    ChipsPaid,
    CommandReceived,
    CutCardDrawn,
    DealerSignalled,
    DecisionSignalled,
    DeckSpread,
    Input,
    RulesChosen,
    SystemStarted,
    WagerPlaced,
    WagerWithdrawn,
)
from controller.core.state import EMPTY, TableState
from controller.core.table import phase, step
from controller.games.blackjack import GAME
from controller.games.blackjack.rules import Rules, parse_rules
from controller.games.blackjack.state import BlackjackState
from controller.journal.chain import StoredEvent
from controller.journal.signing import load_or_make_key
from controller.journal.store import Journal
from drivers import messages as m
from drivers.api import Capabilities, Report

ACTIONS = {"hit", "stand", "double", "split", "surrender", "decline", "even_money", "second_hand"}
ACTIONS |= {"absent", "skipped", "no_stake", "rebet", "change"}
SIGNALS = {"no": "no_more_bets", "next": "next_round", "dealer": "dealer_stand", "shuffled": "shuffled"}
SIGNALS |= {word: word for word in ("collect", "exposed", "shoe_change", "new_packs")}
SIGNALS |= {"found": "card_found", "over": "time_over"}


def shipped_rules(name: str = "armenian") -> dict[str, Any]:
    """The keys of a shipped rule set."""
    text = resources.files("controller.rulesets").joinpath("blackjack", f"{name}.toml").read_text("utf-8")
    rules: dict[str, Any] = tomllib.loads(text)["rules"]
    return rules


class Felt:
    """An open table of a shipped rule set with the keys given changed; ``ready`` once the bets are open."""

    def __init__(self, name: str = "armenian", *, ready: bool = True, **keys: Any) -> None:
        self.state: TableState = EMPTY
        self.time_us = 0
        self.facts: list[Any] = []
        rules = shipped_rules(name) | keys
        self.put(SystemStarted(1, "1"))
        self.put(RulesChosen("blackjack", "test", rules, "0"))
        self.put(CommandReceived("open-table", "4711", "dealer"))
        if ready:
            self.prepare()

    def prepare(self) -> None:
        """From the inspection to open bets, with one burned card where the rules want one."""
        rules = self.state.rules
        if rules.inspection:
            self.put(DeckSpread("console", (rules.decks,) * 52))
        self.signal("shuffled")
        if rules.player_cut:
            self.signal("player_cut", 52 * rules.decks // 2)
        self.signal("second_cut", rules.second_cut_at)
        self.signal("shoe_loaded")
        for _ in range(rules.burn_min):
            self.put(CardDrawn("shoe", Card("2D")))
        self.signal("next_round")
        self.facts.clear()

    @property
    def game(self) -> BlackjackState:
        """The game's state."""
        state: BlackjackState = self.state.game
        return state

    @property
    def phase(self) -> str:
        """The table's phase."""
        return phase(GAME, self.state)

    @property
    def ways(self) -> list[str]:
        """The corrections offered now."""
        return [c.kind for v in self.state.verdicts for c in v.corrections]

    def put(self, event: Input) -> list[str]:
        """One input; the codes of what was found. No card and no chip may get lost by it."""
        self.time_us += 1_000_000
        done = step(GAME, self.state, event, self.time_us)
        self.state = done.state
        self.facts.extend(done.facts)
        game = self.state.game
        if game is not None and game.shoe is not None:
            assert game.accounted == game.shoe.drawn
        return [f.code for f in done.facts if isinstance(f, ViolationRaised)]

    def signal(self, signal: str, value: int = 0) -> list[str]:
        """A dealer's key."""
        return self.put(DealerSignalled("console", signal, value))

    def chips(self, box: int, amount_minor: int, bet: str = "main", person: int = 1) -> list[str]:
        """Chips laid."""
        return self.put(WagerPlaced("bets", box, person, bet, amount_minor))

    def back(self, box: int, amount_minor: int, bet: str = "main", person: int = 1) -> list[str]:
        """Chips taken back by the bettor."""
        return self.put(WagerWithdrawn("bets", box, person, bet, amount_minor))

    def pay(self, box: int, amount_minor: int, bet: str = "main", person: int = 1) -> list[str]:
        """Chips paid (positive) or taken (negative)."""
        if amount_minor >= 0:
            return self.put(ChipsPaid("bets", box, person, bet, amount_minor))
        return self.put(ChipsCollected("bets", box, person, bet, -amount_minor))

    def resume(self, correction: str = "", card: str = "", verdict: str = "", **who: str) -> str:
        """A supervisor's correction, approved by a dealer; why it was rejected, empty when it was carried out."""
        people = {"actor": "17", "role": "supervisor", "approver": "4711", "approver_role": "dealer"} | who
        named = Card(card) if card else None
        return self.command("resume", correction=correction, card=named, verdict=verdict, **people)

    def command(self, name: str, **fields: Any) -> str:
        """Any command; why it was rejected, empty when it was carried out."""
        people = {"actor": "17", "role": "supervisor", "approver": "4711", "approver_role": "dealer"}
        before = len(self.facts)
        self.put(CommandReceived(name, **(people | fields)))
        return "".join(f.reason for f in self.facts[before:] if isinstance(f, CommandRejected))

    def play(self, script: str) -> list[str]:
        """Words, each one input, and the codes found.

        ``B3:500`` a stake of person 1 at box 3 (``B3.2:500`` of person 2), ``I3:250`` insurance, ``S3:500`` Trilux,
        ``KD`` a card, ``unread`` and ``cut`` what they say, ``hit`` … of the hand that decides or ``hit@3`` at box 3,
        ``even_money@3.2`` by person 2, ``change@3:500``; ``+double`` and ``+split`` the decision with chips from
        everybody on that hand; ``no``, ``next``, ``dealer`` the dealer's keys, ``collect`` or ``collect:5``.
        """
        return [code for word in script.split() for code in self._word(word)]

    def _word(self, word: str) -> list[str]:
        name, _, number = word.partition(":")
        if word[0] in "BIS" and ":" in word:
            box, _, person = name[1:].partition(".")
            bet = {"B": "main", "I": "insurance", "S": "side:trilux"}[word[0]]
            return self.chips(int(box), int(number), bet, int(person or 1))
        if word.startswith("+"):
            return self._with_chips(word[1:])
        action, _, where = name.partition("@")
        if action in ACTIONS:
            box, _, person = (where or str(self.game.turn[0])).partition(".")
            key = DecisionSignalled("console", int(box), action, 0, int(person or 0), int(number or 0))
            return self.put(key)
        if name in SIGNALS:
            return self.signal(SIGNALS[name], int(number or 0))
        if word == "unread":
            return self.put(CardUnreadable("shoe"))
        return self.put(CutCardDrawn("shoe") if word == "cut" else CardDrawn("shoe", Card(word)))

    def _with_chips(self, action: str) -> list[str]:
        box_number, hand_number = self.game.turn
        box = next(b for b in self.game.boxes if b.number == box_number)
        hand = next(h for h in box.hands if h.number == hand_number)
        codes = self.put(DecisionSignalled("console", box_number, action))
        for stake in hand.stakes:
            codes += self.chips(box_number, stake.amount_minor, action, stake.person)
        return codes

    def dues(self) -> dict[str, int]:
        """What is still to move, by ``box.person bet``."""
        dues = GAME.dues(self.state.rules, self.game)
        return {f"{d.box}.{d.person} {d.bet}": d.difference_minor for d in dues}

    def net(self, box: int, person: int = 1) -> int:
        """What a person is owed in the end, all bets together (minor units)."""
        dues = GAME.dues(self.state.rules, self.game)
        return sum(d.owed_minor for d in dues if (d.box, d.person) == (box, person))

    def settle(self) -> list[str]:
        """Pay and take everything as owed."""
        codes = []
        for due in GAME.dues(self.state.rules, self.game):
            if due.difference_minor:
                codes += self.pay(due.box, due.difference_minor, due.bet, due.person)
        return codes

    def open_codes(self) -> list[str]:
        """Codes of the verdicts that are open."""
        return [v.code for v in self.state.verdicts]

    def expected(self) -> str:
        """The first thing expected, as its text."""
        found = GAME.expectation(self.state.rules, self.game)
        return found[0].text if found else ""

    def said(self, event_type: str) -> list[Any]:
        """The facts of a type so far."""
        return [fact for fact in self.facts if event_type == fact.TYPE]


@pytest.fixture
def felt() -> Callable[..., Felt]:
    return Felt


@pytest.fixture
def shipped() -> dict[str, Any]:
    return shipped_rules()


@pytest.fixture
def rules_data() -> Callable[[str], dict[str, Any]]:
    return shipped_rules


@pytest.fixture
def rules_of() -> Callable[[str], Rules]:
    return lambda name: parse_rules(shipped_rules(name))


@pytest.fixture
def scenario_rules() -> list[tuple[str, dict[str, Any]]]:
    """The shipped rule set and the keys that differ, of every blackjack scenario of the repository."""
    folder = Path(__file__).resolve().parents[2] / "scenarios"
    found = [yaml.safe_load(path.read_text("utf-8")) for path in sorted(folder.rglob("*.yaml"))]
    blackjack = [made for made in found if made.get("game", "blackjack") == "blackjack"]
    return [(made["rules"], made.get("overrides") or {}) for made in blackjack]


WIRINGS = {
    "shoe": Wiring("shoe", "shoe", Capabilities(identity=True, replay=True, lock=True)),
    "console": Wiring("console", "console", Capabilities(identity=True, replay=True, heartbeat=True)),
    "bets": Wiring("bets", "bets", Capabilities(identity=True, replay=True, heartbeat=True, position=True)),
    "burn": Wiring("burn", "reader", Capabilities(position=True, card_identity=True)),
}
TAGS = {"04A1B2C3": Card("KC")}
STAFF = {"D1": Person("4711", "dealer"), "S1": Person("12", "supervisor")}


class Nobody:
    """Whom the engine tells."""

    def acknowledged(self, device: str, identity: str) -> None: ...

    def committed(self, events: tuple[StoredEvent, ...], state: TableState) -> None: ...


class Recorded:
    """A table on a journal, with a shoe, a console and a bet sensor."""

    def __init__(self, path: Path, rules: str, **keys: Any) -> None:
        self.path, self.rules = path, load_rules(GAME, rules, keys)
        self.signer = load_or_make_key(path.with_suffix(".key"))
        self.number = 0
        self.open()
        self.says("console", m.StaffCardPresented("D1"))
        self.keys("open_table")
        self.says("console", m.DeckSpread((self.rules.rules.decks,) * 52))
        self.keys(
            "shuffled",
            f"player_cut:{26 * self.rules.rules.decks}",
            f"second_cut:{self.rules.rules.second_cut_at}",
            "shoe_loaded",
        )

    def open(self) -> None:
        self.journal = Journal.open(self.path, "lv1", "bj-1", signer=self.signer)
        setup = TableSetup(GAME, self.rules, WIRINGS, STAFF, "0.0.0", simulated=True, faces=TAGS.get)
        self.engine = Engine(setup, self.journal, self.signer, Nobody())
        self.engine.start(self.now_us())

    def again(self) -> None:
        """The controller dies and comes back."""
        self.journal.close()
        self.open()

    def now_us(self) -> int:
        self.number += 1
        return 1_767_268_800_000_000 + self.number * 1000

    def says(self, device: str, message: m.DeviceMessage) -> None:
        now_us = self.now_us()
        self.engine.report(device, Report(message, f"{device}:{self.number}", reliable=device != "shoe"), now_us)

    def keys(self, *words: str) -> None:
        for word in words:
            key, _, value = word.partition(":")
            name, _, box = key.partition("@")
            self.says("console", m.KeyPressed(name, box=int(box or 0), value=int(value or 0)))

    def bet(self, box: int, amount_minor: int, bet: str = "main") -> None:
        self.says("bets", m.WagerPlaced(box, 1, bet, amount_minor))

    def cards(self, faces: str, *, again: bool = False) -> None:
        for face in faces.split():
            card = Card(face)
            self.says("shoe", m.CardDrawn(int(card.rank), card.suit.value, read_again=again))

    @property
    def state(self) -> TableState:
        return self.engine.state

    def record(self) -> str:
        """Everything on record, as text."""
        return "\n".join(event.envelope.decode() for event in self.journal.events())

    def of_type(self, event_type: str) -> list[dict[str, Any]]:
        return [dict(e.data()) for e in self.journal.events() if e.type == event_type]

    def tells(self, face: str) -> bool:
        """Whether the record, the picture or what is expected next tells this face."""
        card = Card(face)
        view = json.dumps(asdict(GAME.view(self.state.rules, self.state.game)))
        wanted = " ".join(e.text for e in GAME.expectation(self.state.rules, self.state.game))
        said = self.record() + view + wanted
        return f'"{card.text}"' in said or card.pretty in said or f" {card.text} " in said

    def check_fold(self) -> None:
        """The fold of the record is the live state, before and after a restart."""
        codec, live = Codec.of(GAME), state_bytes(GAME, self.state)
        standing = fold_events(GAME, codec, self.journal.events(), Standing(), self.journal.secret)
        assert state_bytes(GAME, standing.state) == live
        assert standing_bytes(GAME, standing)
        for event in self.journal.events():
            schema_of(event.type).validate(event.data())


@cache
def schema_of(event: str) -> Draft202012Validator:
    """The published schema of an event type."""
    folder = Path(__file__).parents[3] / "docs/schemas"
    return Draft202012Validator(json.loads((folder / f"{event}.json").read_text("utf-8")))


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[Any]:
    made: list[Recorded] = []

    def make(rules: str, **keys: Any) -> Recorded:
        made.append(Recorded(tmp_path / f"{len(made)}.sqlite", rules, **keys))
        return made[-1]

    yield make
    for table in made:
        table.journal.close()
