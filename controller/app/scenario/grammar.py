"""The lines of a scenario: one verb and its words, ``hit 3``, ``bet 1 2500``, ``cards AS 9D@dealer``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Literal

from controller.adapters.console import COMMANDS, SIGNALS
from controller.app.scenario import acts, card_lines
from controller.app.scenario.acts import Act, Manner
from controller.app.scenario.card_lines import MOST_WORDS
from controller.app.scenario.commands import USAGE as COMMAND_WORDS
from controller.app.scenario.commands import command_reader
from controller.app.scenario.places import Place, is_place, is_position, parse_place
from controller.app.scenario.words import Words, card_of, count, number_of
from controller.core.authority import APPROVE, AUTHORITY
from controller.core.cards import DECK, Rank
from controller.core.limits import MAX_AMOUNT_MINOR
from drivers import messages as m
from drivers.bets import BetsCodec
from drivers.console import KEY_CODES, ConsoleCodec
from drivers.native.codec import DeviceCodec

CODECS: Final[Mapping[str, DeviceCodec]] = {"console": ConsoleCodec(), "bets": BetsCodec()}
"""What a device can say at all."""
LONGEST_WAIT_S: Final = 24 * 3600
DECKS_SPREAD: Final = 6
"""Packs of a spread when the line does not say."""
SHORT_PACK: Final = 24
"""Cards of a pack from nine to ace: in a spread this number means one such pack."""
COMMAND_NAMES: Final = tuple(name for name in AUTHORITY if name != APPROVE)
"""Commands of people in a scenario, each with its second person in the line; at the console he presses ``approve``."""
KEYS: Final = tuple(k for k in KEY_CODES if k not in {*COMMAND_NAMES, "take"})
"""Keys of the console that are verbs of their own; the others are pressed by ``key WORD`` (``take`` is about chips)."""
PLACELESS: Final = SIGNALS | frozenset(COMMANDS)
"""Keys that are about the table and not about a hand: a number behind them is their number."""
DEVICES: Final = (acts.SHOE, acts.SPARE, "console", "bets")
FAULTS: Final = ("overdraw", "button_misuse", "reverse_exit", "reverse_midway", "deck_code", "draw_timeout")
"""Errors a shoe may report; the one of an unreadable card is the card ``XX``."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb: how its line is written, what it does, and its reader. ``read`` raises ValueError."""

    usage: str
    meaning: str
    read: Callable[[Words], list[Act]]


def parse_line(line: str) -> tuple[Act, ...]:
    """The acts of a line, in order. Raises ValueError saying what is wrong with it and how it is written."""
    words = line.split()
    if not words:
        raise ValueError("an empty line; write what happens, such as: bet 1 2500")
    if len(words) > MOST_WORDS:
        raise ValueError(f"{len(words)} words, a line has at most {MOST_WORDS}")
    verb = VERBS.get(words[0])
    if verb is None:
        near = get_close_matches(words[0], VERBS, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}?" if near else "docs/scenarios.md lists the verbs"
        raise ValueError(f"{words[0]!r} is no verb; {hint}")
    try:
        found = tuple(verb.read(words[1:]))
        for act in found:
            if isinstance(act, acts.Said):
                CODECS[act.device].encode_event(act.message)
        return found
    except ValueError as error:
        raise ValueError(f"{line!r}: {error}; it is written: {verb.usage}") from None


ChipsType = type[m.WagerPlaced] | type[m.WagerTakenBack] | type[m.ChipsCollected] | type[m.PayoutMade]


def _chips(kind: ChipsType) -> Callable[[Words], list[Act]]:
    def read(words: Words) -> list[Act]:
        count(words, 2, 3)
        place = parse_place(words[0])
        amount_minor = number_of(words[1], 1, MAX_AMOUNT_MINOR * 2, "amount in minor units")
        bet = place.bet(words[2] if len(words) == 3 else "main")
        return [acts.Said("bets", kind(place.box, place.person or 1, bet, amount_minor))]

    return read


def _key(words: Words) -> list[Act]:
    count(words, 1, 3)
    key, *rest = words
    if key not in KEY_CODES:
        raise ValueError(f"{key!r} is no key of the console: {', '.join(KEY_CODES)}")
    place = Place(0)
    if rest and key not in PLACELESS and is_place(rest[0]):
        place = parse_place(rest.pop(0))
    count(rest, 0, 1)
    value = number_of(rest[0], 0, 2**32 - 1, "number") if rest else 0
    return [acts.Said("console", m.KeyPressed(key, place.box, place.hand, place.person, value))]


def _pressed(key: str) -> Callable[[Words], list[Act]]:
    return lambda words: _key([key, *words])


def _spread(words: Words) -> list[Act]:
    if words and words[0] == str(SHORT_PACK):
        words.pop(0)
        counts = [int(card.rank == Rank.ACE or card.rank >= Rank.NINE) for card in DECK]
    else:
        decks = number_of(words.pop(0), 1, 8, "number of packs") if words and words[0].isdecimal() else DECKS_SPREAD
        counts = [decks] * len(DECK)
    for word in words:
        if word[:1] not in {"-", "+"}:
            raise ValueError(f"{word!r}: a card too few is -KD, one too many +KD")
        counts[card_of(word[1:]).index] += 1 if word[0] == "+" else -1
    if min(counts) < 0:
        raise ValueError("fewer than none of a card")
    return [acts.Said("console", m.DeckSpread(tuple(counts)))]


def _staff(words: Words) -> list[Act]:
    count(words, 1, 1)
    return [acts.Said("console", m.StaffCardPresented(words[0]))]


def _key_card(words: Words) -> list[Act]:
    count(words, 1, 3)
    card, purpose = card_of(words[0]), words[1] if len(words) > 1 else "assign"
    place = parse_place(words[2]) if len(words) > 2 else Place(0)
    return [acts.Said("console", m.CardNamed(int(card.rank), card.suit.value, purpose, place.box, place.hand))]


def _cable(what: Literal["unplug", "plug", "reboot"]) -> Callable[[Words], list[Act]]:
    def read(words: Words) -> list[Act]:
        count(words, 1, 1)
        if words[0] not in DEVICES and not is_position(words[0]):
            raise ValueError(f"{words[0]!r} is no device: {', '.join(DEVICES)}, or a reader such as box-3")
        return [acts.Cable(words[0], what)]

    return read


def _fault(words: Words) -> list[Act]:
    count(words, 1, 2)
    if words[0] not in FAULTS or words[1:] not in ([], ["cleared"]):
        raise ValueError(f"a fault is one of {', '.join(FAULTS)}, with cleared behind it when it is over")
    return [acts.ShoeTrouble(words[0], cleared=len(words) == 2)]


def _wait(words: Words) -> list[Act]:
    if words[1:] == ["s"]:
        words = words[:1]
    count(words, 1, 1)
    return [acts.Waited(number_of(words[0], 1, LONGEST_WAIT_S, "number of seconds") * 1000)]


def _prepare(words: Words) -> list[Act]:
    count(words, 0, 1)
    return [acts.Prepared(words[0] if words else "betting")]


def _alone(act: Act) -> Callable[[Words], list[Act]]:
    def read(words: Words) -> list[Act]:
        count(words, 0, 0)
        return [act]

    return read


_KEY_USAGE: Final = {key: f"{key} [NUMBER]" if key in PLACELESS else f"{key} [PLACE] [NUMBER]" for key in KEYS}

VERBS: Final[Mapping[str, Verb]] = {
    "bet": Verb("bet PLACE AMOUNT [BET]", "a bettor lays chips: main, double, split …", _chips(m.WagerPlaced)),
    "withdraw": Verb("withdraw PLACE AMOUNT [BET]", "a bettor takes chips back", _chips(m.WagerTakenBack)),
    "pay": Verb("pay PLACE AMOUNT [BET]", "the dealer pays chips to a bet", _chips(m.PayoutMade)),
    "take": Verb("take PLACE AMOUNT [BET]", "the dealer takes chips of a bet", _chips(m.ChipsCollected)),
    "cards": Verb(
        "cards CARD[@PLACE] …", "cards leave the shoe, and are laid where a sensor sees it", card_lines.cards
    ),
    "deal": Verb(
        "deal CARD@PLACE …", "cards leave the shoe, and the reader where each is laid reads it", card_lines.deal
    ),
    "see": Verb(
        "see PLACE CARD …", "the reader at a place reads cards that lie there; `XX`: it cannot", card_lines.see
    ),
    "from": Verb("from SHOE CARD …", "cards leave this shoe, in use or not: shoe or spare", card_lines.from_shoe),
    "draw": Verb("draw [COUNT]", "the next cards of the scenario's shoe leave it", card_lines.draw),
    "lay": Verb("lay PLACE", "a card is laid where a sensor sees it", card_lines.lay),
    "draw-locked": Verb(
        "draw-locked CARD", "a card leaves the shoe while its key forbids it", card_lines.one_card(Manner.LOCKED)
    ),
    "overdraw": Verb(
        "overdraw CARD",
        "a card that the shoe calls one too many, and announces again",
        card_lines.one_card(Manner.OVERDRAWN),
    ),
    "lose": Verb(
        "lose CARD", "a card leaves the shoe and no copy of its telegram arrives", card_lines.one_card(Manner.LOST)
    ),
    "spread": Verb(
        "spread [PACKS or 24] [-CARD] [+CARD] …",
        "packs are spread and counted: 6 full ones, or with 24 the 24 cards from nine to ace, but for …",
        _spread,
    ),
    "staff": Verb("staff NAME", "a staff card is held to the console", _staff),
    "key": Verb("key KEY [PLACE] [NUMBER]", "any key of the console", _key),
    "key-card": Verb(
        "key-card CARD [PURPOSE [PLACE]]",
        "a card is named at the console: assign, confirm, found where none belongs, or shown at a place",
        _key_card,
    ),
    "prepare": Verb("prepare [PHASE]", "what is expected is done, rightly, until this phase (betting)", _prepare),
    "settle": Verb("settle", "the dealer pays and takes what is owed now", _alone(acts.Settled(collect=False))),
    "finish": Verb("finish", "settle, then the cards are collected and counted", _alone(acts.Settled(collect=True))),
    "play": Verb("play", "cards as they are due, every hand stands; then finish", _alone(acts.Played())),
    "wait": Verb(
        "wait SECONDS",
        "time passes; when waits in a row are longer than a decision may take (`decision_timeout_s`), or than a source "
        "may be silent (`silence_s`), the table's clock says so",
        _wait,
    ),
    "unplug": Verb("unplug DEVICE", "the cable of shoe, spare, console, bets or a reader is pulled", _cable("unplug")),
    "plug": Verb("plug DEVICE", "it is plugged in again", _cable("plug")),
    "reboot": Verb("reboot DEVICE", "the device restarts", _cable("reboot")),
    "fault": Verb("fault WORD [cleared]", f"the shoe reports an error: {', '.join(FAULTS)}", _fault),
    "restart": Verb("restart", "the controller dies and comes back on its journal", _alone(acts.Restarted())),
    **{name: Verb(f"{name} {COMMAND_WORDS}", "a command of a person", command_reader(name)) for name in COMMAND_NAMES},
    **{key: Verb(_KEY_USAGE[key], "a key of the console", _pressed(key)) for key in KEYS},
}
"""Every verb of a line."""
