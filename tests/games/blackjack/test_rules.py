"""Rule sets: every key changes some round, wrong ones are explained, and the page says what the code says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.core.cards import Card
from controller.core.game import RulesError
from controller.core.inputs import CardRacked, DeckSpread, RulesChosen, ShoesChosen
from controller.core.pages import resolved
from controller.games.blackjack.owner import warnings
from controller.games.blackjack.pages import rules_page
from controller.games.blackjack.rules import Rules, parse_rules

SHIPPED = ("armenian", "armenian_no_ace_surrender", "greek", "hebrew")
Table = Callable[..., Any]

PAIR = "B1:1000 8S 7H 8D"
ACES = "B1:1000 AS 7H AD +split"
INSURED = "B1:1000 TS AH TD I1:500 stand@1 KH"

KEYS: dict[str, tuple[dict[str, Any], str]] = {
    "box_min": ({"box_min": 1000}, "B1:500 no"),
    "box_max": ({"box_max": 600}, "B1:700"),
    "boxes": ({"boxes": 3}, "B4:500"),
    "persons_per_box": ({"persons_per_box": 1}, "B1.1:500 B1.2:500"),
    "chip_quantum": ({"chip_quantum": 100}, "B1:500 AS 7H KD"),
    "rounding": ({"chip_quantum": 100, "rounding": "player"}, "B1:500 AS 7H KD"),
    "deal_order": ({"deal_order": "two_then_dealer"}, "B1:500 B2:500 8S 9S"),
    "blackjack_pays": ({"blackjack_pays": "6:5"}, "B1:500 AS 7H KD"),
    "blackjack_after_split": ({"blackjack_after_split": True}, ACES + " KC 5C TC"),
    "dealer_hits_soft_17": ({"dealer_hits_soft_17": True}, "B1:500 TS AH TD no stand 6C"),
    "draw_on_21": ({"draw_on_21": True}, "B1:500 TS 7H 5D hit 6C hit"),
    "double_on": ({"double_on": "none"}, PAIR + " double"),
    "double_min": ({"double_on": "total", "double_min": 10}, "B1:500 4S 7H 5D double"),
    "double_max": ({"double_on": "total", "double_max": 16}, PAIR + " double"),
    "double_after_split": ({"double_after_split": False}, PAIR + " +split 3C double"),
    "split_by": ({"split_by": "rank"}, "B1:500 KS 7H TD split"),
    "split_hands": ({"split_hands": 2, "split_aces_hands": 2}, PAIR + " +split 8C split"),
    "split_aces_hands": ({"split_aces_hands": 2}, ACES + " AC split"),
    "split_aces_one_card": ({"split_aces_one_card": False}, ACES + " 5C hit"),
    "surrender": ({"surrender": "none"}, "B1:500 TS 7H 6D surrender"),
    "surrender_against_ace": ({"surrender_against_ace": False}, "B1:500 TS AH 6D surrender@1"),
    "insurance": ({"insurance": "up_to_half"}, "B1:1000 TS AH TD I1:400"),
    "insurance_pays": ({"insurance_pays": "3:2"}, INSURED),
    "dealer_blackjack_takes": ({"dealer_blackjack_takes": "original_only"}, "B1:1000 8S TH 3D +double 3C AH"),
    "bust_collect": ({"bust_collect": "end"}, "B1:500 B2:500 TS 9S TH 6D 9D hit KD"),
    "settlement_gate": ({"settlement_gate": "warn"}, "B1:500 TS 7H 9D stand TD next"),
    "decision_timeout_s": ({"decision_timeout_s": 60}, "B1:500 TS TH 6D over:60"),
    "burn_face_down": ({"burn_face_down": True}, "exposed"),
    "cut_card_first": ({"cut_card_first": "shuffle_now"}, "B1:500 no cut"),
    "count_after_shoe": ({"count_after_shoe": True}, "cut"),
    "hands_per_player": ({"hands_per_player": 2}, "B1:500 B2:500 B3:500"),
    "person_max": ({"person_max": 600}, "B1:700"),
    "rebet": ({"rebet": True}, "rebet@1"),
    "exchange": ({"exchange": "pause"}, "B1:500 TS change@1:1000"),
    "hole_card": ({"hole_card": "dealt"}, "B1:500 TS 7H 6D 5C"),
    "dealer_skipped": ({"dealer_skipped": "may_withdraw"}, "B1:500 TS 7H skipped@0"),
    "peek_on_ace": ({"hole_card": "dealt", "surrender": "none", "peek_on_ace": True}, "B1:500 TS AH 6D KC no"),
    "peek_on_ten": ({"hole_card": "dealt", "surrender": "none", "peek_on_ten": True}, "B1:500 TS TH 6D AC"),
    "back_bet_no_split": (
        {"back_bet_no_split": "choose"},
        "B1.1:500 B1.2:500 8S 7H 8D split second_hand@1.2",
    ),
    "insurance_survives_surrender": (
        {"insurance_survives_surrender": False},
        "B1:1000 TS AH 6D I1:500 no surrender KC",
    ),
    "even_money": ({"even_money": False}, "B1:500 AS AH KD even_money@1"),
    "dealer_draws_for_nobody": ({"dealer_draws_for_nobody": True}, "B1:500 TS 7H 6D surrender"),
    "bonus_three_sevens": ({"bonus_three_sevens": "1:1"}, "B1:500 7S TH 7D hit 7C KH"),
    "bonus_six_cards": ({"bonus_six_cards": "1:1"}, "B1:500 2S TH 2D hit 2C hit 3C hit 3D hit 3H stand KH"),
    "bonus_suited_678": ({"bonus_suited_678": "2:1"}, "B1:500 8S TH 6S hit 7S KH"),
    "bonus_suited_blackjack": ({"bonus_suited_blackjack": "1:2"}, "B1:500 AS 7H KS"),
    "bonus_instead": ({"bonus_suited_blackjack": "2:1", "bonus_instead": True}, "B1:500 AS 7H KS"),
    "bonus_needs_win": ({"bonus_three_sevens": "1:1", "bonus_needs_win": True}, "B1:500 7S TH 7D hit 7C AH"),
    "bonus_on_split": (
        {"bonus_three_sevens": "1:1", "bonus_on_split": True},
        "B1:500 7S TH 7D +split 7C hit 7H 2S stand KH",
    ),
    "six_cards": ({"six_cards": "win"}, "B1:500 2S TH 2D hit 2C hit 3C hit 3D hit 3H"),
    "side_bets": ({"side_bets": {"trilux": {"flush": "5:1"}}}, "B1:500 S1:500 2S 7S 9S"),
    "side_min": ({"side_bets": {"trilux": {"flush": "5:1"}}, "side_min": 600}, "B1:500 S1:500 no"),
    "side_max": ({"side_bets": {"trilux": {"flush": "5:1"}}, "side_max": 400}, "B1:500 S1:500"),
}
"""What shows a key, by its name: the keys changed, and what is played."""

OTHERS: dict[str, dict[str, Any]] = {
    "double_min": {"double_on": "total"},
    "double_max": {"double_on": "total"},
    "rounding": {"chip_quantum": 100},
    "peek_on_ace": {"hole_card": "dealt", "surrender": "none"},
    "peek_on_ten": {"hole_card": "dealt", "surrender": "none"},
    "bonus_instead": {"bonus_suited_blackjack": "2:1"},
    "bonus_needs_win": {"bonus_three_sevens": "1:1"},
    "bonus_on_split": {"bonus_three_sevens": "1:1"},
    "side_min": {"side_bets": {"trilux": {"flush": "5:1"}}},
    "side_max": {"side_bets": {"trilux": {"flush": "5:1"}}},
}
"""Keys that a key needs before it can show."""

OF_THE_SHOE: dict[str, Any] = {
    "decks": 4,
    "inspection": False,
    "player_cut": False,
    "cut_margin": 52,
    "second_cut_share": "1:2",
    "second_cut_tolerance": 5,
    "burn_min": 3,
    "burn_max": 2,
}
"""Other values of the keys that show before the first bet."""


def trace(table: Any, script: str) -> list[Any]:
    """Everything that was said, and what is owed in the end."""
    table.play(script)
    return [*table.facts, table.phase, table.expected(), table.dues(), table.net(1)]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_changes_a_round(felt: Table, key: str) -> None:
    keys, script = KEYS[key]
    assert key in keys
    assert trace(felt(**OTHERS.get(key, {})), script) != trace(felt(**keys), script)


@pytest.mark.parametrize("key", OF_THE_SHOE)
def test_a_key_of_the_shoe_changes_how_it_is_made_ready(felt: Table, key: str) -> None:
    def walk(**keys: Any) -> list[Any]:
        table = felt(ready=False, **keys)
        said = []
        if key != "inspection":
            said += table.put(DeckSpread("console", (6,) * 52))
        said += table.signal("shuffled")
        if key != "player_cut":
            said += table.signal("player_cut", 20)
        said += table.signal("second_cut", 198)
        said += table.signal("shoe_loaded")
        said += table.play("2C 3C next" if key == "burn_min" else "2C 3C 4C next")
        return [*said, table.phase]

    assert walk() != walk(**{key: OF_THE_SHOE[key]})


def test_a_key_of_a_spare_shoe_changes_what_becomes_of_the_round(felt: Table) -> None:
    def handed_over(spare_shoe: str) -> list[Any]:
        table = felt(spare_shoe=spare_shoe)
        table.put(ShoesChosen(("shoe", "spare")))
        table.play("B1:500 TH 9D 6S")
        return [table.command("hand-over"), table.game.round_id]

    assert handed_over("go_on") == ["", "1-1"]
    assert handed_over("void_round") == ["", ""]


def test_a_key_of_readers_where_cards_are_out_of_the_round_counts_what_they_read(felt: Table) -> None:
    def told_at_the_shuffle(*, count_racked: bool) -> list[str]:
        table = felt(count_racked=count_racked)
        table.play("B1:500 TS 7H cut 8D stand TC")
        table.settle()
        table.play("collect")
        table.put(CardRacked("rack", "discard", Card("TS")))
        return [*table.play("shuffled"), *(f"{f.cards} {f.read}" for f in table.said("shoe.racked"))]

    assert told_at_the_shuffle(count_racked=False) == []
    assert told_at_the_shuffle(count_racked=True) == ["RACK_DIFFERS", "5 1"]


def test_every_key_is_shown_by_a_test() -> None:
    assert KEYS.keys() | OF_THE_SHOE.keys() | {"spare_shoe", "count_racked"} == Rules.model_fields.keys()


def test_every_alternative_of_every_key_is_played_by_a_scenario(
    rules_data: Callable[[str], dict[str, Any]], scenario_rules: list[tuple[str, dict[str, Any]]]
) -> None:
    played: dict[str, set[Any]] = {key: set() for key in Rules.model_fields}
    for name, overrides in scenario_rules:
        for key, value in parse_rules(rules_data(name) | overrides).model_dump(mode="json").items():
            played[key].add(str(value))
    schema = Rules.model_json_schema()
    for key, shape in schema["properties"].items():
        shape = resolved(shape, schema["$defs"])
        words = shape.get("enum", [False, True] if shape.get("type") == "boolean" else [])
        assert played[key] >= {str(word) for word in words}, key
        assert len(played[key]) > 1, key


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"deks": 6}, "deks: unknown key; did you mean decks?"),
        ({"decks": 9}, "decks: Input should be less than or equal to 8 (is 9)"),
        ({"decks": "6"}, "decks: Input should be a valid integer (is '6')"),
        ({"inspection": 1}, "inspection: Input should be a valid boolean (is 1)"),
        (
            {"blackjack_pays": "3-2"},
            "blackjack_pays: '3-2' is not a ratio: write odds as two whole numbers",
        ),
        ({"blackjack_pays": "²:1"}, "blackjack_pays: '²:1' is not a ratio"),
        ({"insurance_pays": "1000:1"}, "insurance_pays: odds have parts up to 999"),
        ({"second_cut_share": "3:2"}, "second_cut_share 3:2 must be below 1:1"),
        ({"burn_min": 7}, "burn_min 7 is above burn_max 6"),
        ({"box_min": 200_000}, "box_min 200000 is above box_max 100000"),
        ({"double_min": 12}, "double_min 12 is above double_max 11"),
        ({"peek_on_ten": True, "surrender": "late"}, "a peek needs a hole card"),
        ({"hole_card": "dealt", "peek_on_ace": True}, "with a peek no surrender is early"),
        ({"hands_per_player": 5, "boxes": 4}, "hands_per_player 5 is above boxes 4"),
        ({"side_min": 5000, "side_max": 100}, "side_min 5000 is above side_max 100"),
        ({"side_bets": {"trilux": {"any_11": "2:1"}}}, "side_bets.trilux: no row any_11; rows are royal"),
        ({"side_bets": {"trilux": {}}}, "side_bets.trilux: no rows"),
        ({"side_bets": {"trilux": {"flush": "5"}}}, "side_bets.trilux.flush: '5' is not a ratio"),
        ({"bonus_six_cards": "no"}, "bonus_six_cards: 'no' is not a ratio"),
        ({"blackjack_pays": 1.5}, 'blackjack_pays: 1.5 is not a ratio: write odds as two whole numbers, such as "3:2"'),
        ({"decks": 1, "cut_margin": 27}, "cut_margin 27 leaves no place to cut in 52 cards"),
        ({"second_cut_share": "1:99"}, "second_cut_share 1:99 puts the second cut card at 3, among burned cards"),
        ({"side_bets": {"quadlux": {}}}, "side_bets.quadlux: unknown name; it should be 'trilux', '21plus3'"),
        ({"split_aces_hands": 5}, "split_aces_hands 5 is above split_hands 4"),
        ({"rounding": "up"}, "rounding: Input should be 'player', 'house' or 'reject_bet' (is 'up')"),
    ],
)
def test_a_wrong_key_is_explained(data: dict[str, Any], problem: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse_rules(data)
    assert any(problem in line for line in caught.value.problems)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(RulesError) as caught:
        parse_rules({"decks": 0, "boxes": 0, "foo": 1})
    assert len(caught.value.problems) == 3


def test_wrong_keys_do_not_hide_that_right_ones_do_not_fit_together() -> None:
    """A misfit that a wrong key may have a part in is not told before that key is right."""
    with pytest.raises(RulesError) as caught:
        parse_rules({"box_max": "many", "box_min": 200_000, "burn_min": 7, "foo": 1})
    told = [line.partition(":")[0] for line in caught.value.problems]
    assert told == ["box_max", "foo", "burn_min 7 is above burn_max 6", "box_min 200000 is above person_max 100000"]


def test_the_shipped_rule_set_says_every_key_it_needs(shipped: dict[str, Any]) -> None:
    assert Rules.model_fields.keys() - shipped.keys() == {"double_min", "double_max"}
    assert parse_rules(shipped) == parse_rules({})


def test_the_owner_is_warned_of_surrender_against_an_ace(rules_of: Callable[[str], Rules]) -> None:
    (text,) = warnings(rules_of("armenian"))
    assert "+0.19 %" in text
    assert warnings(rules_of("armenian_no_ace_surrender")) == ()
    assert warnings(rules_of("hebrew")) == ()


def test_the_owner_is_told_what_the_example_table_of_trilux_keeps(rules_of: Callable[[str], Rules]) -> None:
    (text,) = warnings(rules_of("greek"))
    assert "13.04 %" in text


@pytest.mark.parametrize(
    ("keys", "warning"),
    [
        ({"blackjack_pays": "2:1"}, "blackjack_pays 2:1 costs the house more than it earns"),
        ({"blackjack_pays": "1:2"}, "blackjack_pays 1:2 is less than any other win"),
        ({"bonus_suited_blackjack": "2:1"}, "bonus_suited_blackjack 2:1 gives the player up to 2.37 %"),
        ({"bonus_suited_blackjack": "2:1", "bonus_instead": True}, "up to 0.59 % of the first stakes"),
        ({"bonus_three_sevens": "10:1"}, "bonus_three_sevens 10:1 gives the player up to 0.40 %"),
        ({"bonus_suited_678": "100:1"}, "bonus_suited_678 100:1 gives the player up to 1.72 %"),
        ({"insurance_pays": "3:1"}, "insurance_pays 3:1 gives the player an edge"),
        ({"side_bets": {"perfect11": {"any_11": "30:1"}}}, "pays the player more than he stakes"),
        ({"bonus_instead": True}, "no bonus is on"),
        ({"chip_quantum": 300, "insurance": "none"}, "box_min 500 is no whole number of chips of 300"),
        ({"chip_quantum": 500}, "a first stake of an odd number of chips of 5.00, such as 5.00, can never be insured"),
        ({"chip_quantum": 250}, "a first stake of an odd number of chips of 2.50, such as 7.50, can never be insured"),
        ({"decks": 1}, "17 cards lie behind the second cut card and a round of 7 boxes takes about 24"),
        (
            {
                "hole_card": "dealt",
                "peek_on_ace": True,
                "peek_on_ten": True,
                "dealer_blackjack_takes": "original_only",
            },
            "dealer_blackjack_takes has no effect",
        ),
        ({"hole_card": "dealt", "dealer_skipped": "may_withdraw"}, "dealer_skipped has no effect"),
    ],
)
def test_the_owner_is_warned_of_what_is_ruinous_or_idle(keys: dict[str, Any], warning: str) -> None:
    (text,) = warnings(parse_rules({"surrender": "none"} | keys))
    assert warning in text


@pytest.mark.parametrize(
    "keys",
    [
        {"chip_quantum": 1},
        {"chip_quantum": 500, "insurance": "up_to_half"},
        {"chip_quantum": 500, "insurance": "none"},
        {"chip_quantum": 500, "rounding": "reject_bet"},
        {"chip_quantum": 500, "box_min": 1000, "person_max": 1000},
    ],
)
def test_where_every_stake_can_be_insured_nothing_is_said_of_it(keys: dict[str, Any]) -> None:
    assert warnings(parse_rules({"surrender": "none"} | keys)) == ()


def test_a_bonus_that_a_table_can_afford_is_no_matter_for_its_owner() -> None:
    affordable = {"bonus_three_sevens": "3:1", "bonus_suited_678": "2:1", "bonus_six_cards": "1:1"}
    assert warnings(parse_rules({"surrender": "none"} | affordable)) == ()


def test_the_marked_defaults_of_the_shipped_rule_sets(rules_of: Callable[[str], Rules]) -> None:
    hebrew, greek, armenian = rules_of("hebrew"), rules_of("greek"), rules_of("armenian")
    assert (hebrew.hole_card, hebrew.peek_on_ace, hebrew.peek_on_ten, hebrew.split_hands) == ("dealt", True, True, 2)
    assert (hebrew.hands_per_player, hebrew.persons_per_box, hebrew.rebet, hebrew.surrender) == (3, 1, True, "none")
    assert (greek.persons_per_box, greek.split_hands, greek.split_aces_hands, greek.double_max) == (3, 3, 2, 11)
    assert (greek.burn_face_down, greek.burn_min, greek.burn_max, greek.insurance) == (True, 1, 1, "up_to_half")
    assert (greek.exchange, greek.even_money, greek.back_bet_no_split) == ("pause", True, "first_hand")
    changed = {"surrender_against_ace": False}
    assert rules_of("armenian_no_ace_surrender") == armenian.model_copy(update=changed)


def test_every_shipped_rule_set_says_every_key_it_needs(rules_data: Callable[[str], dict[str, Any]]) -> None:
    for name in SHIPPED:
        assert Rules.model_fields.keys() - rules_data(name).keys() <= {"double_min", "double_max", "side_bets"}


def test_the_page_of_rule_sets_explains_every_key(rules_of: Callable[[str], Rules]) -> None:
    page = rules_page({name: rules_of(name) for name in SHIPPED})
    assert all(f"| `{key}` | " in page for key in Rules.model_fields)
    assert "|  |" not in page  # a key without a meaning


def test_new_rules_with_other_packs_start_with_an_inspection(felt: Table) -> None:
    table = felt()
    same = table.game
    data = dict(table.state.rules_data)
    assert table.put(RulesChosen("blackjack", "b", data | {"box_min": 1000}, "1")) == []
    assert table.game is same
    assert table.put(RulesChosen("blackjack", "c", data | {"decks": 4}, "2")) == []
    assert (table.phase, table.game.shoe) == ("inspection", None)
    table.prepare()
    table.play("B1:1000")
    assert table.put(RulesChosen("blackjack", "d", data, "3")) == ["RULES_REFUSED"]
