"""Hidden cards: no fact, verdict or picture tells a face before it is shown, and each reveal opens its own seal."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest

from bench.blot_rounds import Dealer, game_input
from controller.core.cards import DECK, SUIT_SIGNS
from controller.core.codec import encode
from controller.core.facts import CardRevealed
from controller.core.inputs import CardDrawn, CardLaid
from controller.core.table import expected, step
from controller.games.blot import GAME
from controller.games.blot.cards import DECK_MASK, bits
from controller.games.blot.facts import Declaration

ONE = "KS QS JS TS 9D TC 9C QC JD"
TWO = "AS AH KH QH JH TH AD AC KC"
FACES = {DECK[index].text for index in bits(DECK_MASK)}
SIGNS = {sign: letter for letter, sign in SUIT_SIGNS.items()}


def faces_in(text: str) -> set[str]:
    """Card faces in a text, whichever way they are written."""
    found = {rank + SIGNS.get(suit, suit) for rank, suit in re.findall(r"\b([9TJQKA])([SHDC♠♥♦♣])", text)}
    return found & FACES


def test_faces_are_found_whichever_way_they_are_written() -> None:
    assert faces_in("K♥ by seat 1, 'KD', card=T♣ QSX 7H") == {"KH", "KD", "TC", "QS"}


@pytest.mark.parametrize("seed", range(25))
def test_a_whole_round_tells_only_what_lies_open(felt: Callable[..., Any], seed: int) -> None:
    rng = random.Random(seed)
    played = Dealer({}, rng, first_dealer=2).round(rich=seed % 2 == 0, gives_up=0.02)
    table = felt()
    open_faces: set[str] = set()
    sealed: dict[str, str] = {}
    for line in played.steps:
        event = game_input(line)
        name = GAME.hidden(table.state.rules, table.game, event, held=False)
        if line[0] == "card":
            if name:
                assert name not in sealed
                sealed[name] = line[1]
            else:
                open_faces.add(line[1])
        elif line[0] == "play":
            assert name == ""
            open_faces.add(line[2])
        done = step(GAME, table.state, event, 1)
        table.state = done.state
        for fact in done.facts:
            if isinstance(fact, CardRevealed):
                assert sealed.pop(fact.hidden) == fact.card.text
                open_faces.add(fact.card.text)
        said = json.dumps([encode(fact) for fact in done.facts], ensure_ascii=False)
        seen = json.dumps(asdict(GAME.view(table.state.rules, table.game)))
        wanted = " ".join(e.text for e in expected(GAME, table.state))
        assert faces_in(said + seen + wanted) <= open_faces
        assert sum(len(seat.cards) for seat in GAME.view(table.state.rules, table.game).seats) <= 18
    assert len(open_faces) + len(sealed) == 19 - table.the_deal.kept


def test_the_cards_of_a_hand_are_null_but_those_seen(felt: Callable[..., Any]) -> None:
    table = felt()
    table.deal(ONE, TWO, "QH", "1 pass", "2 take")
    seats = GAME.view(table.state.rules, table.game).seats
    assert seats[0].cards == (None,) * 9
    assert seats[1].cards == ("QH", *[None] * 8)
    table.say("1 announce_run 4", "1 plays TC", "2 plays AC", "2 plays AD", "1 show 0")
    seats = GAME.view(table.state.rules, table.game).seats
    assert seats[0].cards == ("TS", "JS", "QS", "KS", None, None, None, None)
    assert seats[0].announced == ("a run of 4",)


@pytest.mark.parametrize("again", ["KS", "7H"])
def test_a_verdict_about_a_hidden_card_does_not_tell_its_face(felt: Callable[..., Any], again: str) -> None:
    table = felt()
    table.say("card KS", f"card {again}")
    said = json.dumps([encode(fact) for fact in table.facts], ensure_ascii=False)
    assert not re.search(r"K[S♠]|7[H♥]", said)
    assert table.held


def test_verdicts_in_the_deal_and_at_places_do_not_tell_faces(felt: Callable[..., Any]) -> None:
    table = felt()
    table.say("card KS")
    table.put(CardDrawn("shoe", DECK[12], again=True), CardDrawn("shoe", DECK[11], outside="locked"))
    table.put(CardLaid("sensor", 2))
    assert len(table.held) == 2
    assert not faces_in(json.dumps([encode(fact) for fact in table.facts], ensure_ascii=False))


def test_a_broken_duty_does_not_tell_what_else_the_hand_holds(felt: Callable[..., Any]) -> None:
    table = felt()
    table.deal(ONE, TWO, "QH", "1 pass", "2 take")
    table.say("1 plays KS")
    before = len(table.facts)
    assert table.say("2 plays AD") == ["REVOKE"]
    assert faces_in(json.dumps([encode(f) for f in table.facts[before:]], ensure_ascii=False)) == {"KS", "AD"}


def test_the_picture_in_every_phase_is_json(felt: Callable[..., Any]) -> None:
    table = felt(ready=False)
    phases = set()
    rng = random.Random(4)
    dealer = Dealer({}, rng, keep=True)
    for state in (table.game, *dealer.round().states, dealer.state):
        picture = GAME.view(dealer.rules, state)
        assert json.loads(json.dumps(asdict(picture)))["phase"] == picture.phase
        assert GAME.expectation(dealer.rules, state)
        phases.add(picture.phase)
    assert phases >= {"inspection", "dealing", "bidding", "second_deal", "play", "score"}


def test_a_name_of_a_hidden_card_comes_once_in_a_journal(felt: Callable[..., Any]) -> None:
    table, names = felt(), []
    for text in ("KS", "KS", "QS", "7D", "JS", "AS"):
        event = CardDrawn("shoe", next(card for card in DECK if card.text == text))
        names.append(GAME.hidden(table.state.rules, table.game, event, held=False))
        table.put(event)
    table.command(name="void-round")
    assert len(set(names)) == len(names)
    assert all(name.startswith("1-1:") for name in names)


def test_cards_that_lie_open_are_read_nine_to_ace(felt: Callable[..., Any]) -> None:
    table = felt()
    table.deal("KS QS JS TS AS TC 9C QC JD", "9S AH KH QH JH TH AD AC KC", "TC", "1 take")
    table.say("1 announce_run 5", "1 plays TC", "2 plays AC", "2 plays 9S", "1 show 0", "1 plays TC")
    view = GAME.view(table.state.rules, table.game)
    assert [seat.shown for seat in view.seats] == [("TS", "JS", "QS", "KS", "AS"), ()]
    told = GAME.tell(table.last(Declaration), "EUR").text
    assert told == "seat 1 showed a run of 5 T♠ J♠ Q♠ K♠ A♠ for 100"
