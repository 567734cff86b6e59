"""A blackjack table whose every step is checked, and a person who does what is likely there, right or wrong.

What is checked: cards and chips are conserved, what is refused changes nothing, a card face down is not told, every
hold has a way out, every verdict is on the list, the state is its bytes and the fold of what came in.
"""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from importlib import resources
from typing import Any

from controller.app.record import hidden_name
from controller.core import codes as core_codes
from controller.core import inputs as i
from controller.core.authority import AUTHORITY
from controller.core.cards import DECK
from controller.core.codec import Codec, encode
from controller.core.expectation import Expected, Kind
from controller.core.facts import CardRevealed, TableHeld, TableResumed, ViolationRaised
from controller.core.fold import fold, state_bytes, state_from
from controller.core.limits import MAX_AMOUNT_MINOR, recordable
from controller.core.state import EMPTY
from controller.core.table import expected, phase, step
from controller.core.verdicts import Severity
from controller.games.blackjack import GAME
from controller.games.blackjack.facts import BoxBet, CardsDiscarded, HandCorrected, ReturnsWrittenOff, RoundVoided
from controller.games.blackjack.state import BlackjackState
from controller.journal.chain import EventDraft, Origin, seal

SHIPPED = resources.files("controller.rulesets").joinpath("blackjack")


def shipped(name: str, **keys: Any) -> dict[str, Any]:
    """The keys of a shipped rule set, some of them changed."""
    rules: dict[str, Any] = tomllib.loads(SHIPPED.joinpath(f"{name}.toml").read_text("utf-8"))["rules"]
    return rules | keys


BONUSES = dict.fromkeys(
    ("bonus_three_sevens", "bonus_six_cards", "bonus_suited_678", "bonus_suited_blackjack"),
    "1:1",
)
TABLES = {"trilux": {"flush": "5:1"}, "21plus3": {"straight": "9:1"}, "perfect11": {"any_11": "3:1"}}
RULE_SETS = {
    "armenian": shipped("armenian"),
    "hebrew": shipped("hebrew"),
    "greek": shipped("greek"),
    "no peek": shipped(
        "hebrew", peek_on_ace=False, peek_on_ten=False, surrender="late", dealer_blackjack_takes="busted_plus_one"
    ),
    "bonuses": shipped("armenian", **BONUSES, six_cards="win", bonus_on_split=True, side_bets=TABLES),
    "instead": shipped(
        "greek",
        **BONUSES,
        bonus_instead=True,
        back_bet_no_split="choose",
        insurance_survives_surrender=False,
        dealer_skipped="may_withdraw",
        rebet=True,
    ),
    "two first": shipped(
        "armenian",
        deal_order="two_then_dealer",
        hole_card="dealt",
        surrender="late",
        peek_on_ace=True,
        dealer_blackjack_takes="original_only",
        cut_card_first="shuffle_now",
        count_after_shoe=True,
        dealer_draws_for_nobody=True,
        hands_per_player=2,
        decision_timeout_s=60,
        bust_collect="end",
        settlement_gate="warn",
    ),
}
"""The shipped rule sets, and others that between them have every alternative of every procedure."""
NAMES = sorted(RULE_SETS)
CODEC = Codec.of(GAME)
ORIGIN = Origin("01JX0000000000000000000000", "lv1", "bj-1", 1)
FINISHED = {"players", "dealer", "settlement", "collection"}
CODES = {c.code: c for c in (*core_codes.CODES, *GAME.codes)}

FEW_CARDS = [c for c in DECK if c.rank in (1, 5, 8, 10, 13)]
"""So few that pairs, blackjacks and equal totals are often there, and faces run out."""
SIGNALS = [
    "shuffled",
    "player_cut",
    "second_cut",
    "shoe_loaded",
    "no_more_bets",
    "next_round",
    "dealer_stand",
    "collect",
    "exposed",
    "shoe_change",
    "new_packs",
    "card_found",
    "time_over",
]
BETS = [
    "main",
    "main:2",
    "main:1",
    "double",
    "split",
    "insurance",
    "double:2",
    "split:2",
    "side:trilux",
    "bonus",
    "side:x",
]
KEYED = ["even_money", "second_hand", "absent", "skipped", "no_stake", "rebet", "change"]
DECISIONS = ["hit", "stand", "double", "split", "surrender", "decline", *KEYED]
Pick = Callable[[Sequence[Any]], Any]


def felt_minor(state: BlackjackState | None) -> int:
    """All chips of the players that are on the felt, stakes and what is to go back, less those paid out on bets."""
    if state is None:
        return 0
    total = sum(m.net_minor for m in state.to_return) - sum(m.net_minor for m in (*state.moved, *state.lifted))
    total += sum(u.stake_minor + u.float_minor for u in state.undone)
    for box in state.boxes:
        stakes = [s for h in box.hands for s in (*h.stakes, *h.raises)] if box.hands else list(box.mains)
        total += sum(s.amount_minor for s in (*stakes, *box.insurance, *box.splitting))
        total += sum(s.amount_minor for s in box.sides)
    return total


def chips_in(event: Any, facts: tuple[Any, ...]) -> int | None:
    """By how much the chips on the felt, less those paid out on bets, must have changed; None where a round ended or
    where so many are to go back that more are not followed."""
    codes = [f.code for f in facts if isinstance(f, ViolationRaised)]
    ended = any(isinstance(f, RoundVoided | CardsDiscarded | ReturnsWrittenOff) for f in facts)
    if ended or "CHIPS_NOT_RETURNED" in codes:
        return None
    refused = any(isinstance(f, ViolationRaised) and f.severity is Severity.REFUSED for f in facts)
    match event:
        case i.WagerPlaced():
            lies = "TABLE_CLOSED" not in codes and 0 < event.amount_minor <= MAX_AMOUNT_MINOR
            return event.amount_minor if lies else 0
        case i.WagerWithdrawn() | i.ChipsPaid():
            return 0 if refused and "BET_WITHDRAWN" not in codes else -event.amount_minor
        case i.ChipsCollected():
            return 0 if refused else event.amount_minor
        case _:
            return sum(f.amount_minor for f in facts if isinstance(f, BoxBet))


class Checked:
    """A table whose every step is checked."""

    def __init__(self) -> None:
        self.state = EMPTY
        self.history: list[tuple[Any, int]] = []

    @property
    def phase(self) -> str:
        return phase(GAME, self.state) if self.state.rules is not None else ""

    def open(self, burned: int, rules: str) -> None:
        """Choose the rules, open the table and make the shoe ready."""
        self.put(i.RulesChosen("blackjack", rules, RULE_SETS[rules], "0"))
        self.put(i.CommandReceived("open-table", "4711", "dealer"))
        self.put(i.DeckSpread("console", (6,) * 52))
        for signal, value in (("shuffled", 0), ("player_cut", 100), ("second_cut", 208), ("shoe_loaded", 0)):
            self.put(i.DealerSignalled("console", signal, value))
        for n in range(burned):
            self.put(i.CardDrawn("shoe", DECK[n]))

    def put(self, event: Any) -> None:
        before = self.state
        at_us = 1_000_000 * len(self.history)
        done = step(GAME, before, event, at_us)
        event = recordable(event)
        self.history.append((event, at_us))
        assert CODEC.decode(event.TYPE, json.loads(json.dumps(encode(event)))) == event
        for fact in (event, *done.facts):
            sealed = seal(EventDraft(fact.TYPE, encode(fact), 0), ORIGIN, 1, "0" * 64)
            assert CODEC.decode(fact.TYPE, sealed.data()) == fact
        self.check_verdicts(done.facts)
        self.check_secret(before, event, done.facts)
        self.check_unchanged(before, done)
        if before.game is not None and type(event) is not i.CommandReceived:
            self.check_chips(before.game, event, done)
        self.state = done.state

    def check_verdicts(self, facts: tuple[Any, ...]) -> None:
        """Every code is on the list with this severity; a hold always has a way out; held and resumed alternate."""
        for fact in facts:
            if isinstance(fact, ViolationRaised):
                assert fact.severity in CODES[fact.code].severities
                assert fact.corrections or fact.severity is not Severity.HOLD
        assert sum(isinstance(f, TableHeld | TableResumed) for f in facts) <= 1

    def check_secret(self, before: Any, event: Any, facts: tuple[Any, ...]) -> None:
        """The face of a card that must stay secret is in nothing that is said, unless it is shown at once."""
        if isinstance(event, i.CardDrawn) and hidden_name(GAME, before, event):
            said = " ".join(str(encode(fact)) for fact in facts if not isinstance(fact, HandCorrected))
            assert any(isinstance(f, CardRevealed) for f in facts) or event.card.pretty not in said
            assert all(getattr(f, "card", None) is None for f in facts if not isinstance(f, CardRevealed))

    def check_unchanged(self, before: Any, done: Any) -> None:
        """What is refused changes nothing, but for chips that are to go back."""
        raised = [f for f in done.facts if isinstance(f, ViolationRaised) and f.severity is Severity.REFUSED]
        if raised and len(raised) == len(done.facts):
            if done.state.game is not before.game:
                game = before.game
                same = replace(done.state.game, to_return=game.to_return, lifted=game.lifted, undone=game.undone)
                assert same == before.game
            assert replace(done.state, game=None) == replace(before, game=None)

    def check_chips(self, before: BlackjackState, event: Any, done: Any) -> None:
        change = chips_in(event, done.facts)
        if change is not None:
            assert felt_minor(done.state.game) - felt_minor(before) == change

    def check_state(self) -> None:
        """Every card is in one place, every verdict about a card has its card, and the state is its bytes."""
        game = self.state.game
        if game is not None:
            assert game.shoe is None or game.accounted == game.shoe.drawn >= sum(game.shoe.seen)
            keys = {a.key for a in (*game.loose, *game.unnamed)}
            assert keys >= {v.key for v in self.state.verdicts if v.key.startswith("card:")}
            assert phase(GAME, self.state) == "held" or not (game.loose or game.unnamed)
            assert not game.hole or (len(game.dealer) == 2 and len(game.up_cards) == 1)
        data = state_bytes(GAME, self.state)
        again = state_from(GAME, data)
        assert again == self.state
        assert state_bytes(GAME, again) == data
        if self.state.rules is not None:
            expected(GAME, self.state)
            json.dumps(asdict(GAME.view(self.state.rules, self.state.game)), allow_nan=False)
            GAME.dues(self.state.rules, self.state.game)

    def check_fold(self) -> None:
        """The fold of all inputs is the live state."""
        assert fold(GAME, self.history) == self.state


def as_input(wanted: Expected, pick: Pick) -> Any:
    """An input that does what is expected."""
    word = pick(wanted.options or ("",))
    match wanted.kind:
        case Kind.CARD:
            return i.CardDrawn("shoe", pick(FEW_CARDS))
        case Kind.DECISION:
            return i.DecisionSignalled("console", wanted.box, word)
        case Kind.WAGER if word in {"double", "split"}:
            return i.WagerPlaced("bets", wanted.box, wanted.person, word, wanted.amount_minor)
        case Kind.WAGER if word in {"even_money", "rebet"}:
            return i.DecisionSignalled("console", pick(range(4)), word)
        case Kind.WAGER if word == "insurance":
            return i.WagerPlaced("bets", pick(range(1, 8)), 1, "insurance", 500)
        case Kind.WAGER:
            return i.WagerPlaced("bets", pick(range(1, 8)), 1, "main", 1000)
        case Kind.PROCEDURE if word == "spread":
            return i.DeckSpread("console", (6,) * 52)
        case Kind.PROCEDURE if word == "decline":
            return i.DecisionSignalled("console", 0, word)
        case Kind.PROCEDURE:
            return i.DealerSignalled("console", word, {"player_cut": 100, "second_cut": 208}.get(word, 0))
        case Kind.PAYMENT:
            kind = i.ChipsPaid if wanted.amount_minor > 0 else i.ChipsCollected
            return kind("bets", wanted.box, wanted.person, "main", abs(wanted.amount_minor))
        case Kind.COMMAND:
            name = word if word in {"open-table", "back-in-service"} else "resume"
            who = ("1", "supervisor", "2", "dealer", "")
            return i.CommandReceived(name, *who, correction=word, card=pick(DECK))


def at_the_hand(table: Checked, pick: Pick) -> Any:
    """Something likely, right or wrong, at the hand that decides."""
    box, hand = table.state.game.turn
    action = pick(["hit", "stand", "double", "split", "surrender", "absent", "second_hand"])
    kind, amount = pick(["double", "split", "insurance", "main"]), pick([1000, 1000, 500])
    return pick(
        [
            i.DecisionSignalled("console", box, action),
            i.DecisionSignalled("console", box, action, hand, 1, amount),
            i.WagerPlaced("bets", box, pick([1, 2, 3]), kind, amount),
            i.WagerWithdrawn("bets", box, pick([1, 2, 3]), kind, amount),
        ]
    )


def a_misdeal(table: Checked, pick: Pick) -> Any:
    """Something that goes wrong, or is found to have gone wrong, while the first cards are dealt."""
    plan = table.state.game.plan
    return pick(
        [
            i.DecisionSignalled("console", pick(plan).box, "skipped"),
            i.DecisionSignalled("console", pick(range(1, 8)), "no_stake"),
            i.CardLaid("bets", pick(plan).box),
            i.CardLaid("bets", pick(plan).box),
            i.CutCardDrawn("shoe"),
        ]
    )


def a_payment(table: Checked, pick: Pick) -> Any:
    """A bet paid as owed, or nearly."""
    due = pick(GAME.dues(table.state.rules, table.state.game))
    amount = due.difference_minor + pick([0, 0, 0, 500, -500, -1000])
    kind = i.ChipsPaid if amount >= 0 else i.ChipsCollected
    return kind("bets", due.box, due.person, due.bet, abs(amount))


def anything_likely(pick: Pick) -> Any:
    """An input of any kind, with values that mean something at a table."""
    box, person, bet = pick([1, 2, 3, 7, 0, 8]), pick([1, 1, 2, 0]), pick(BETS)
    amount, card = pick([1000, 500, 2500, 1, 0, 2**60]), pick(DECK)
    signal = pick(SIGNALS)
    word = pick(
        [
            "",
            "#1",
            "#2",
            "#3",
            "aligned",
            "set_aside",
            "lies_right",
            "no_card",
            "accept",
            "write_off",
            "burn",
            "recount",
        ]
    )
    command = pick(["resume", "resume", "resume", *sorted(AUTHORITY)])
    return pick(
        [
            i.CardDrawn("shoe", card, pick(["", "", "locked"]), pick([False, False, False, True])),
            i.CardUnreadable("shoe"),
            pick([i.CutCardDrawn("shoe"), *[i.CardUnreadable("shoe")] * 4]),
            i.CardLaid("bets", pick([0, 1, 2, 3]), pick([1, 1, 2])),
            pick([i.WagerPlaced, i.WagerWithdrawn, i.ChipsPaid, i.ChipsCollected])("bets", box, person, bet, amount),
            i.DecisionSignalled("console", box, pick(DECISIONS), 0, person, pick([0, 0, 500])),
            i.DealerSignalled("console", signal, pick([0, 0, 1, 100, 208, -3])),
            pick([i.DeviceGap("shoe", "gap"), i.DeviceOffline("shoe", "off"), *[i.DeviceOnline("shoe")] * 4]),
            i.CommandReceived(command, "1", pick(["supervisor", "dealer"]), "2", "dealer", correction=word, card=card),
        ]
    )


def walk(seed: int) -> Checked:
    """A long way through one of the rule sets, the same for the same seed. Raises AssertionError at a failed check."""
    chance = random.Random(seed)
    pick: Pick = lambda some: chance.choice(tuple(some))  # noqa: E731
    table = Checked()
    table.put(i.SystemStarted(1, "1"))
    rules = NAMES[seed % len(NAMES)]
    table.open(chance.randint(1, 6), rules)
    for n in range(250):
        options = expected(GAME, table.state)
        match chance.random():
            case likely if likely < 0.7 and options:
                table.put(as_input(pick(options), pick))
            case likely if likely < 0.8 and table.phase == "players":
                table.put(at_the_hand(table, pick))
            case likely if likely < 0.8 and table.phase == "dealing":
                table.put(a_misdeal(table, pick))
            case likely if likely < 0.85 and table.phase in FINISHED and table.state.game.boxes:
                table.put(a_payment(table, pick))
            case _:
                table.put(anything_likely(pick))
        if n % 5 == 0:
            table.check_state()
    table.check_fold()
    return table
