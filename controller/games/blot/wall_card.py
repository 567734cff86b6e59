"""A rule set of Blot as a person reads it: a card to hang on the wall. Every key shows in some line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from controller.core.cards import RANK_LETTERS
from controller.core.money import format_money
from controller.core.wall_card import CardLine, Section
from controller.core.words import plural
from controller.games.blot.cards import ALL_TRUMP, FULL, LAST_TRICK, NO_TRUMP, POINTS, RANKS, order
from controller.games.blot.declarations import BLOT, RUN_POINTS, four_points
from controller.games.blot.rules import Rules
from controller.games.blot.score import SHORT_CAPOT, SHORT_FULL

_SPADES, _HEARTS = 0, 1


def wall_card(rules: Rules) -> tuple[Section, ...]:
    """The card, from the match to what is paid for it."""
    return tuple(Section(title, tuple(lines(rules))) for title, lines in _SECTIONS.items())


def _match(rules: Rules) -> Iterator[CardLine]:
    if rules.match_by == "rounds":
        many = plural(rules.target, "round")
        yield "won by", f"who first wins {many}"
        yield "a round is", "the taker's when made, the opponent's when failed, a capot whose it is"
    else:
        yield "won by", f"who first has {rules.target} points, counted after each round"
        yield "both reach it", _MATCH_TIE[rules.match_tie]
    yield "next to deal", _NEXT_DEALER[rules.next_dealer]


def _deal(rules: Rules) -> Iterator[CardLine]:
    packets = ", ".join(str(size) for size in rules.deal_pattern)
    yield "cards", "24, nine to ace; the dealer's opponent gets the first packet and leads the first trick"
    yield "first six", f"in packets of {packets} to each in turn; card 13 is turned up"
    yield "to nine cards", f"{_SECOND_DEAL[rules.second_deal_first]} first; six cards stay undealt"
    yield "unread card", _UNREAD[rules.unread_cards]


def _bidding(rules: Rules) -> Iterator[CardLine]:
    yield "first round", "take the turned-up suit or pass; after a pass the dealer must take a Jack"
    also = ["no-trump"] * (rules.no_trump == "round2") + ["all-trump"] * rules.all_trump
    named = " or ".join(["name another suit", *also])
    yield "second round", f"{named}, keep the card or leave it; the dealer must name one"


def _play(rules: Rules) -> Iterator[CardLine]:
    yield "suit led", "must be followed; who cannot must trump; else any card"
    yield "trump led", "must be beaten by one who can"
    plain = "must be beaten by one who can" if rules.must_beat_plain else "need not be beaten"
    yield "plain suit led", f"{plain} in a trump game"
    counted = f"combinations count that were {rules.give_up_counts}"
    yield "giving up", f"on one's own turn: all cards left and the last trick go to the opponent; {counted}"


def _points(rules: Rules) -> Iterator[CardLine]:
    yield "trumps", _ranking(_SPADES, _SPADES)
    yield "plain suits", _ranking(_SPADES, _HEARTS)
    if rules.no_trump == "round2":
        yield "no-trump", _ranking(NO_TRUMP, _SPADES)
    if rules.all_trump:
        yield "all-trump", _ranking(ALL_TRUMP, _SPADES)
    yield "last trick", f"{LAST_TRICK}; a round holds {FULL}"


def _ranking(contract: int, suit: int) -> str:
    """Ranks from the highest to the lowest with their points: ``J 20, 9 14, …``."""
    ranks = reversed(order(contract, suit))
    return ", ".join(f"{RANK_LETTERS[rank - 1]} {POINTS[contract][13 * suit + rank - 1]}" for rank in ranks)


def _combinations(rules: Rules) -> Iterator[CardLine]:
    yield (
        "runs",
        ", ".join(f"{points} for {size} in a row" for size, points in sorted(RUN_POINTS.items(), reverse=True)),
    )
    yield "fours", _fours(_SPADES)
    if rules.no_trump == "round2":
        nines = "; four nines count 0 and win as a four" if rules.zero_four == "contested" else ""
        yield "in no-trump", _fours(NO_TRUMP) + nines
    yield "Blot", f"king and queen of trumps in one hand: {BLOT}, beside all others"
    yield "announced", _ANNOUNCE[rules.announce_by]
    yield "shown", "in trick 2 before one's own card, else they do not count"
    yield "who scores", f"the side with the best one shown: {_WINNER_SCORES[rules.winner_scores]}"
    yield "the best", f"a four before a run, then length, top card, trump, who leads; {_EQUAL_FOURS[rules.equal_fours]}"
    yield "one card", "may count in two of them" if rules.overlap else "counts in one of them"


def _fours(contract: int) -> str:
    worth = {rank: four_points(contract, rank) for rank in RANKS}
    ranks = sorted((rank for rank in RANKS if worth[rank]), key=lambda rank: -worth[rank])
    return ", ".join(f"{RANK_LETTERS[rank - 1]} {worth[rank]}" for rank in ranks)


def _score(rules: Rules) -> Iterator[CardLine]:
    full, capot = (SHORT_FULL, SHORT_CAPOT) if rules.form == "short" else (FULL, rules.capot_long)
    how = _IN_TENS[rules.rounding] if rules.form == "short" else "in whole points"
    yield "written down", f"{how}: {full} a round"
    equal = "; equal is enough" if rules.tie == "taker_makes" else ""
    yield "made", f"when the taker has more than the opponent, combinations and Blot counted{equal}"
    yield "scored", "the opponent what he took, the taker the rest with the undealt cards; each his own combinations"
    whole = str(full) if rules.fail_total == "162" else "what both took without the undealt cards,"
    blot = "the taker's Blot, too" if rules.blot_moves_on_fail else "the taker keeps his Blot"
    yield "failed", f"all to the opponent: {whole} and all combinations; {blot}"
    yield "capot", f"{capot} when {_CAPOT[rules.capot_trigger]}"


def _fee(rules: Rules) -> Iterator[CardLine]:
    if not rules.fee_minor:
        yield "fee", "none"
        return
    prize = 2 * rules.fee_minor - rules.rake_minor
    yield "fee", f"{format_money(rules.fee_minor)} of each player for a match"
    odd = f"; parts smaller than a chip of {format_money(rules.chip_quantum)} are the {_ODD[rules.rake_rounding]}"
    yield "house", f"keeps {rules.rake_bp / 100:g} % of both fees: {format_money(rules.rake_minor)}{odd}"
    yield "winner", f"gets {format_money(prize)}, the own fee among it"


_SECTIONS: Final[dict[str, Callable[[Rules], Iterator[CardLine]]]] = {
    "Match": _match,
    "Deal": _deal,
    "Bidding": _bidding,
    "Play": _play,
    "Points": _points,
    "Combinations": _combinations,
    "Score": _score,
    "Fee": _fee,
}
_MATCH_TIE: Final = {
    "higher": "in one round: the higher total wins; equal ones play on",
    "taker": "in one round: the taker's points are counted first",
}
_NEXT_DEALER: Final = {
    "alternate": "the other player",
    "winner": "who has won the round",
    "loser": "who has lost the round",
}
_SECOND_DEAL: Final = {"N": "the dealer's opponent", "taker": "the taker"}
_UNREAD: Final = {
    "hold": "holds the table until it is named",
    "blind": "goes to its hand unknown and is judged when it is played",
}
_ANNOUNCE: Final = {"own_first_card": "before one's own first card", "first_trick": "before the end of the first trick"}
_WINNER_SCORES: Final = {"all": "all that it showed", "best": "only that one"}
_EQUAL_FOURS: Final = {
    "strength": "equal fours by the ranks of the contract",
    "natural": "equal fours by the order of runs",
}
_IN_TENS: Final = {"six_up": "in tens, 5 rounded down", "five_up": "in tens, 5 rounded up"}
_CAPOT: Final = {
    "no_points": "the other side has no card point",
    "no_tricks": "the other side has no trick",
}
_ODD: Final = {"house": "house's", "player": "winner's"}
