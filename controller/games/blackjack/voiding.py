"""Rounds that do not count: every stake goes back."""

from __future__ import annotations

from controller.core.records import replace
from controller.games.blackjack import clearing, facts, returns, undoing
from controller.games.blackjack.hand import Box
from controller.games.blackjack.state import BlackjackState, Phase, Rack, Work


def void(w: Work, reason: str, *, doubtful: bool) -> None:
    """Every stake goes back, what was paid or taken is undone, the cards are collected."""
    state = w.state
    w.facts.append(facts.RoundVoided(state.round_id, reason, _staked(state)))
    shoe = state.shoe
    if shoe is not None and (doubtful or state.unnamed):
        shoe = replace(shoe, doubtful=True)
    w.state = replace(
        clearing.between(state),
        phase=Phase.COLLECTION,
        round_open=True,
        shoe=shoe,
        kept=(),
        pile=state.on_table + len(state.kept),
    )
    undoing.round_of(w, state)
    if not w.state.pile:
        clearing.end_round(w)


def call_off(w: Work, reason: str) -> None:
    """A round of which no card is dealt yet does not take place: its stakes are to go back."""
    state = w.state
    w.facts.append(facts.RoundVoided(state.round_id, reason, _staked(state)))
    w.state = clearing.between(state)
    undoing.round_of(w, state)
    returns.remind(w)


def give_back(w: Work, box: Box) -> int:
    """Remember that the first stakes and side bets of a box are to go back; their sum (minor units)."""
    undoing.stakes_of(w, box)
    return box.staked_minor + sum(s.amount_minor for s in box.sides)


def new_shoe(w: Work, kind: str) -> None:
    """Void what is open and take all cards together, to be counted or shuffled anew."""
    if w.state.voidable:
        void(w, kind, doubtful=True)
    returns.remind(w)
    clearing.end_shoe(w, kind)


def discards(state: BlackjackState) -> int:
    """Cards that may be shuffled when the shoe is empty: those burned or of earlier rounds; 0 when cards of unknown
    faces lie together."""
    return 0 if state.pile or state.carried else state.burned + state.discarded


def shuffle_discards(w: Work) -> None:
    """The discards are shuffled, cut and put into the shoe, to finish the round; the packs are counted after it."""
    state = w.state
    shoe = state.shoe
    assert shoe is not None
    cards = discards(state)
    hands = [c for b in state.boxes for h in b.hands for c in h.cards]
    aside = [a.card for a in (*state.loose, *state.kept) if a.card is not None]
    in_play = (*hands, *state.dealer, *aside)
    refilled = replace(shoe.with_returned(cards, in_play), doubtful=True)
    w.state = replace(state, shoe=refilled, burned=0, discarded=0, face_down=(), rack=Rack())
    w.facts.append(facts.ShoeRefilled(shoe.number, cards))


def _staked(state: BlackjackState) -> int:
    staked = sum(s.amount_minor for b in state.boxes for s in (*b.insurance, *b.splitting))
    staked += sum(s.amount_minor for b in state.boxes for s in b.sides)
    staked += sum(s.amount_minor for b in state.boxes for h in b.hands for s in (*h.stakes, *h.raises))
    return staked + sum(b.staked_minor for b in state.boxes if not b.hands)
