"""A rule set as a person reads it: a card to hang on the wall. Every key shows in some line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from controller.core.money import Rounding, format_money
from controller.core.wall_card import CardLine, Section
from controller.games.blackjack.rules import OFF, Bonus, DealerBlackjackTakes, DealOrder, DoubleOn, Rules


def wall_card(rules: Rules) -> tuple[Section, ...]:
    """The card, from the limits to the settlement."""
    return tuple(Section(title, tuple(lines(rules))) for title, lines in _SECTIONS.items())


def _limits(rules: Rules) -> Iterator[CardLine]:
    yield "boxes", _boxes(rules)
    yield "on a box", f"{format_money(rules.box_min)} to {format_money(rules.box_max)}"
    yield "a person", f"at most {format_money(rules.person_max)} on a box, up to {rules.persons_per_box} persons each"
    yield (
        "side bets",
        f"{format_money(rules.side_min)} to {format_money(rules.side_max)}" if rules.side_bets else "none",
    )
    yield "smallest chip", f"{format_money(rules.chip_quantum)}, {_ROUNDING[rules.rounding]}"
    yield "same again", "the stakes of the round before in one action" if rules.rebet else "each stake is laid anew"
    yield "notes", _EXCHANGE[rules.exchange]


def _boxes(rules: Rules) -> str:
    most = rules.hands_per_player
    own = f"each person 1 to {most} side by side" if most else "a person may bet on any"
    return f"{rules.boxes}, {own}"


def _odds(rules: Rules) -> Iterator[CardLine]:
    yield "blackjack", f"pays {rules.blackjack_pays}" + ("; after a split, too" if rules.blackjack_after_split else "")
    yield "other wins", "pay 1:1; equal totals stand off"
    yield "insurance", _insurance(rules)
    yield "even money", "a blackjack may take 1:1 against an ace" if rules.even_money else "none"
    for bonus in Bonus:
        odds = getattr(rules, f"bonus_{bonus.value}")
        if odds != OFF:
            yield f"bonus {bonus.value.replace('_', ' ')}", f"pays {odds} of the first stake"
    for bet, table in rules.side_bets.items():
        yield f"side bet {bet}", ", ".join(f"{row.replace('_', ' ')} {odds}" for row, odds in table.items())


def _insurance(rules: Rules) -> str:
    if rules.insurance == "none":
        return "none"
    part = "exactly half" if rules.insurance == "exact_half" else "up to half"
    kept = "stays" if rules.insurance_survives_surrender else "goes back"
    return f"against an ace, {part} the first stake, pays {rules.insurance_pays}; {kept} when the hand is surrendered"


def _dealer(rules: Rules) -> Iterator[CardLine]:
    yield "dealer", "draws to 16, " + ("draws on soft 17, too" if rules.dealer_hits_soft_17 else "stands on every 17")
    yield "second card", _second_card(rules)
    if rules.hole_card == "none":
        yield "missed card", _DEALER_SKIPPED[rules.dealer_skipped]
    yield "his blackjack", _TAKES[rules.dealer_blackjack_takes]
    nobody = "all the same" if rules.dealer_draws_for_nobody else "no further"
    yield "no stake left", f"where none depends on his total he draws {nobody}"


def _second_card(rules: Rules) -> str:
    if rules.hole_card == "none":
        return "when the players have finished"
    ups = [name for name, on in (("an ace", rules.peek_on_ace), ("a ten-value", rules.peek_on_ten)) if on]
    return "face down with the first cards; " + (f"he looks under {' and '.join(ups)}" if ups else "he never looks")


def _players(rules: Rules) -> Iterator[CardLine]:
    yield "on 21", "may draw" if rules.draw_on_21 else "no card"
    yield "double", _double(rules)
    yield "split", _split(rules)
    yield "split aces", _split_aces(rules)
    yield "surrender", _surrender(rules)
    where = "on the first hand" if rules.back_bet_no_split == "first_hand" else "on the hand that he chooses"
    yield "back bettor", f"who does not split leaves his stake {where}"
    yield "six cards", _SIX_CARDS[rules.six_cards]
    limit = rules.decision_timeout_s
    yield "to decide", f"{limit} s, then a supervisor is called" if limit else "as long as it takes"
    if rules.bonuses:
        yield "bonuses", _bonuses(rules)


def _double(rules: Rules) -> str:
    match rules.double_on:
        case DoubleOn.NONE:
            return "none"
        case DoubleOn.ANY_TWO:
            hands = "any first two cards but blackjack"
        case DoubleOn.TOTAL:
            hands = f"first two cards of {rules.double_min} to {rules.double_max}, aces counted 1"
    return f"{hands}; " + ("after a split, too" if rules.double_after_split else "not after a split")


def _split(rules: Rules) -> str:
    if rules.split_by == "none" or rules.split_hands == 1:
        return "none"
    return f"two cards of one {rules.split_by}, up to {rules.split_hands} hands"


def _split_aces(rules: Rules) -> str:
    cards = "one card each" if rules.split_aces_one_card else "played on"
    return f"up to {rules.split_aces_hands} hands, {cards}"


def _surrender(rules: Rules) -> str:
    if rules.surrender == "none":
        return "none"
    when = "before" if rules.surrender == "early" else "not against"
    ace = "against any card" if rules.surrender_against_ace else "not against an ace"
    return f"half the stake, {ace}, {when} the dealer's blackjack"


def _bonuses(rules: Rules) -> str:
    how = "instead of the win" if rules.bonus_instead else "beside the win"
    who = "only hands that win" if rules.bonus_needs_win else "win or lose"
    return f"{how}, {who}, {'split hands, too' if rules.bonus_on_split else 'not on split hands'}"


def _shoe(rules: Rules) -> Iterator[CardLine]:
    yield "packs", f"{rules.decks}, {52 * rules.decks} cards"
    yield "inspection", _inspection(rules)
    yield "cut", f"{_CUT[rules.player_cut]}, {rules.cut_margin} cards or more from an end"
    place = f"{rules.second_cut_share} of the pack, at {rules.second_cut_at} ± {rules.second_cut_tolerance} cards"
    yield "second cut card", place
    yield "cut card first", _CUT_CARD_FIRST[rules.cut_card_first]
    yield "spare shoe", "the round goes on from it" if rules.spare_shoe == "go_on" else "the round is void"
    yield "burn", _burn(rules)
    yield "first cards", _DEAL_ORDER[rules.deal_order]


def _inspection(rules: Rules) -> str:
    first = "spread and counted when they are new" if rules.inspection else "not spread"
    counted = "; counted after every shoe" if rules.count_after_shoe else ""
    return first + counted + ("; cards read in the rack are counted" if rules.count_racked else "")


def _burn(rules: Rules) -> str:
    if not rules.burn_max:
        return "none"
    many = str(rules.burn_max) if rules.burn_min == rules.burn_max else f"{rules.burn_min} to {rules.burn_max}"
    return f"{many}, face {'down' if rules.burn_face_down else 'up'}"


def _settlement(rules: Rules) -> Iterator[CardLine]:
    yield "busted hands", "are taken at once" if rules.bust_collect == "immediate" else "are taken with the others"
    gate = "waits until" if rules.settlement_gate == "hold" else "does not wait; a note says whether"
    yield "next round", f"{gate} every bet is paid and taken"


_SECTIONS: Final[dict[str, Callable[[Rules], Iterator[CardLine]]]] = {
    "Limits": _limits,
    "Odds": _odds,
    "Dealer": _dealer,
    "Players": _players,
    "Shoe": _shoe,
    "Settlement": _settlement,
}
_ROUNDING: Final = {
    Rounding.PLAYER: "odd parts go to the player",
    Rounding.HOUSE: "odd parts go to the house",
    Rounding.REJECT_BET: "a stake that leaves an odd part is refused",
}
_EXCHANGE: Final = {
    "any_time": "changed into chips at any time",
    "pause": "changed into chips only between rounds",
}
_TAKES: Final = {
    DealerBlackjackTakes.ALL: "takes all stakes of a box",
    DealerBlackjackTakes.ORIGINAL_ONLY: "takes one first stake in all",
    DealerBlackjackTakes.BUSTED_PLUS_ONE: "takes busted hands and one first stake",
}
_DEALER_SKIPPED: Final = {
    "draws_later": "he draws his first card at his turn if he missed it",
    "may_withdraw": "he draws his first card at his turn if he missed it, and the players may take their stakes back",
}
_SIX_CARDS: Final = {"play": "are played on", "win": "of 21 or less win at once"}
_CUT: Final = {True: "a player cuts", False: "no player has to cut"}
_CUT_CARD_FIRST: Final = {
    "shuffle_now": "of a round: the stakes go back and the pack is shuffled",
    "play_round": "of a round: that round is played, then the pack is shuffled",
}
_DEAL_ORDER: Final = {
    DealOrder.ONE_BY_ONE: "one to each box, one to the dealer, a second to each box",
    DealOrder.TWO_THEN_DEALER: "two to each box in turn, then the dealer",
}
