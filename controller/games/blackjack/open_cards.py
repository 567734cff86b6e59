"""Where the cards of a round lie, for a table where a second source sees them."""

from __future__ import annotations

from controller.core.cards import Card
from controller.core.game import Outcome
from controller.core.sources.sightings import ASIDE, Lying
from controller.games.blackjack import flow, laying, renaming, wagers
from controller.games.blackjack.rules import Rules
from controller.games.blackjack.state import BlackjackState, Phase, Spot, Work


class OpenCards:
    """See `controller.core.sources.sightings.Sightings`."""

    def lying(self, rules: Rules, state: BlackjackState) -> tuple[Lying, ...]:
        """The cards of hands and dealer, an unread one that is due, and those that lie aside."""
        found = [Lying(b.number, h.number, card) for b in state.boxes for h in b.hands for card in h.cards]
        down = len(state.up_cards)
        found += (Lying(0, 1, card, down=n >= down) for n, card in enumerate(state.dealer))
        due = next((a for a in state.unnamed if a.due), None)
        spot = _due_spot(rules, state) if due is not None else None
        if due is not None and spot is not None:
            found.append(Lying(spot.box, spot.hand, None, waits=due.key))
        found += (Lying(ASIDE, 0, a.card, a.hidden, a.key) for a in (*state.loose, *state.kept))
        return tuple(found)

    def decided(self, state: BlackjackState) -> bool:
        """True from the dealer's last card to the collection of the cards."""
        return state.phase in {Phase.SETTLEMENT, Phase.COLLECTION}

    def rename(
        self, rules: Rules, state: BlackjackState, at: tuple[int, int, int], card: Card, *, former: bool
    ) -> Outcome:
        """Another face for a card on the table."""
        w = Work(rules, state)
        renaming.rename(w, Spot(at[0], at[1]), at[2], card, former=former)
        return w.outcome()

    def mislaid(
        self, rules: Rules, state: BlackjackState, wanted: tuple[int, int], found: tuple[int, int], *, held: bool
    ) -> Outcome:
        """A card at a wrong box, as a sensor would find it. A face alone never deals the cards anew, for an equal one
        may be on its way."""
        w, spot = Work(rules, state, held), Spot(*wanted)
        laying.wrong_box(w, spot, Spot(*found), last=not state.unlaid or state.unlaid[-1] == spot)
        return w.outcome()


def _due_spot(rules: Rules, state: BlackjackState) -> Spot | None:
    """Where the card goes that is due; while bets are open the first card ends them and goes to the first box."""
    if state.phase is Phase.BETTING and state.boxes:
        return wagers.deal_plan(rules, state.boxes)[0]
    return flow.next_spot(state)
