"""What comes next, and the public picture of the table: hidden cards are null in it."""

from __future__ import annotations

from controller.core.cards import DECK
from controller.core.expectation import Expected, Kind
from controller.core.money import format_money
from controller.games.blot import announce, bidding, chips, laying
from controller.games.blot.cards import CONTRACTS, as_held, cards_of
from controller.games.blot.picture import BlotView, DeckView, MatchView, SeatView, TrickView
from controller.games.blot.rules import Rules
from controller.games.blot.scoring import CARDS
from controller.games.blot.state import SEATS, BlotState, Deal, Phase, Play


def expectation(rules: Rules, state: BlotState) -> tuple[Expected, ...]:
    """What must or may come next, most likely first."""
    match state.phase:
        case Phase.INSPECTION:
            text = f"spread the {CARDS} cards face up"
            return (Expected(Kind.PROCEDURE, text, options=("spread",)),)
        case Phase.OPENING:
            return _opening(rules, state)
        case Phase.DEALING | Phase.SECOND_DEAL:
            deal = state.deal
            assert deal is not None
            place = deal.plan[deal.dealt]
            return (Expected(Kind.CARD, f"card to {laying.place_name(place)}", place),)
        case Phase.BIDDING:
            assert state.deal is not None
            seat, words = bidding.turn(state.deal), bidding.options(rules, state.deal)
            return (Expected(Kind.DECISION, f"seat {seat} speaks: {', '.join(words)}", seat, options=words),)
        case Phase.PLAY:
            return _play(rules, state)
        case Phase.SCORE:
            return _score(state)
        case Phase.COLLECTION:
            return (Expected(Kind.PROCEDURE, f"collect {CARDS} cards", options=("collect", "spread")),)
        case Phase.SETTLEMENT:
            return _payments(rules, state)


def _opening(rules: Rules, state: BlotState) -> tuple[Expected, ...]:
    found = []
    for seat in SEATS:
        if state.match.fees[seat - 1] != rules.fee_minor:
            text = f"fee of {format_money(rules.fee_minor)} at seat {seat}"
            found.append(Expected(Kind.WAGER, text, seat, person=1, amount_minor=rules.fee_minor))
    if not state.match.dealer:
        text = "state who deals first: seat 1 or 2"
        found.append(Expected(Kind.PROCEDURE, text, options=("first_dealer",)))
    return tuple(found)


def _play(rules: Rules, state: BlotState) -> tuple[Expected, ...]:
    play = state.play
    assert play is not None
    seat = play.turn
    card = f"seat {seat} leads" if play.led < 0 else f"seat {seat} answers {DECK[play.led]}"
    found = [
        Expected(Kind.CARD, card, seat),
        Expected(Kind.DECISION, f"seat {seat} gives up", seat, options=("give_up",)),
    ]
    for other in SEATS:
        if announce.may_announce(rules, play, other):
            options = ("announce_run", "announce_four")
            found.append(Expected(Kind.DECISION, f"seat {other} may announce combinations", other, options=options))
        if announce.may_show(play, other) and play.claims[other - 1]:
            found.append(Expected(Kind.DECISION, f"seat {other} shows combinations", other, options=("show",)))
    return tuple(found)


def _score(state: BlotState) -> tuple[Expected, ...]:
    result = state.score
    assert result is not None
    return tuple(
        Expected(Kind.DECISION, f"record {points} for seat {seat}", seat, options=("score",), amount_minor=points)
        for seat, points, done in zip(SEATS, result.points, state.recorded, strict=True)
        if done != points
    )


def _payments(rules: Rules, state: BlotState) -> tuple[Expected, ...]:
    found = []
    for due in chips.dues(rules, state.match):
        left = due.difference_minor
        if left:
            text = f"{'pay' if left > 0 else 'take'} {format_money(abs(left))} at seat {due.box} ({due.outcome})"
            found.append(Expected(Kind.PAYMENT, text, due.box, person=1, amount_minor=left))
    return tuple(found)


def view(rules: Rules, state: BlotState) -> BlotView:
    """The table as everybody may see it."""
    deal, play = state.deal, state.play
    out = _out(deal) if deal is not None else 0
    return BlotView(
        phase=state.phase.value,
        round=deal.round if deal is not None and state.open else "",
        match=_match(rules, state),
        dealer=deal.dealer if deal is not None else state.match.dealer,
        seats=tuple(_seat(state, seat) for seat in SEATS),
        turn_up=DECK[deal.up].text if deal is not None and deal.up >= 0 else "",
        taker=deal.taker if deal is not None else 0,
        contract=CONTRACTS[deal.contract] if deal is not None and deal.contract >= 0 else "",
        kept=deal is not None and deal.kept,
        turn=_turn(state),
        trick=TrickView(
            number=min(sum(play.tricks) + 1, 9) if play is not None else 0,
            led=DECK[play.led].text if play is not None and play.led >= 0 else "",
        ),
        score=tuple(state.score.points) if state.score is not None else (),
        shoe=DeckView(state.match.rounds, CARDS, deal.drawn if deal is not None else 0, CARDS - out),
        cards_on_table=out,
        waiting=len(state.waiting),
    )


def _match(rules: Rules, state: BlotState) -> MatchView:
    match = state.match
    return MatchView(
        number=match.number,
        form=rules.form,
        match_by=rules.match_by,
        target=rules.target,
        totals=match.totals,
        wins=match.wins,
        winner=match.winner,
        fees_minor=match.fees,
    )


def _out(deal: Deal) -> int:
    return min(deal.dealt, CARDS) - int(deal.kept)


def _turn(state: BlotState) -> int:
    if state.phase is Phase.BIDDING and state.deal is not None:
        return bidding.turn(state.deal)
    return state.play.turn if state.phase is Phase.PLAY and state.play is not None else 0


def _seat(state: BlotState, seat: int) -> SeatView:
    deal, play = state.deal, state.play
    return SeatView(
        seat=seat,
        role="" if deal is None else "D" if seat == deal.dealer else "N",
        cards=_hand(deal, play, seat) if deal is not None else (),
        announced=tuple(announce.describe(claim) for claim in play.claims[seat - 1]) if play is not None else (),
        shown=tuple(card.text for card in as_held(cards_of(play.shown[seat - 1]))) if play is not None else (),
        tricks=play.tricks[seat - 1] if play is not None else 0,
        points=play.points[seat - 1] if play is not None else 0,
    )


def _hand(deal: Deal, play: Play | None, seat: int) -> tuple[str | None, ...]:
    """The hand: what everybody has seen of it, then null for each hidden card."""
    hands, unknown = (deal.hands, deal.unknown) if play is None else (play.hands, play.unknown)
    public = play.public if play is not None else deal.named | (1 << deal.up if deal.kept else 0)
    known = hands[seat - 1]
    hidden = (known & ~public).bit_count() + unknown[seat - 1]
    return (*(card.text for card in as_held(cards_of(known & public))), *[None] * hidden)
