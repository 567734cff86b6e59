"""Any interleaving of what two sources say: the truth comes out, or a named verdict; a good round is left alone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.sighted_rounds import FACES, Faults, Round
from bench.sighted_table import SightedTable
from controller.core.sources import SettleOn, Source, sight
from controller.core.sources.fusion import Fit, Followed, Fusion, Sighting
from controller.core.sources.sightings import ASIDE

MOST_CARDS = 12
boxes = st.sets(st.integers(1, 3), min_size=1).map(lambda found: tuple(sorted(found)))
read = st.one_of(st.none(), st.sampled_from((*FACES, "XX")))
faults = st.builds(Faults, shoe=read, reader=read, astray=st.one_of(st.none(), st.none(), st.just((4, 1))))
UNHURRIED = settings(
    max_examples=80,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@UNHURRIED
@given(
    policy=st.sampled_from(SettleOn),
    boxes=boxes,
    wrong=st.dictionaries(st.integers(0, MOST_CARDS), faults, min_size=1, max_size=3),
    chance=st.integers(0, 2**32),
)
def test_no_card_is_settled_that_is_not_on_the_felt(
    policy: SettleOn, boxes: tuple[int, ...], wrong: dict[int, Faults], chance: int
) -> None:
    table = SightedTable(settle_on=policy)
    a_round(table, Random(chance).choice, told_apart(wrong), boxes).play()
    table.check()


@UNHURRIED
@given(policy=st.sampled_from(SettleOn), boxes=boxes, chance=st.integers(0, 2**32))
def test_a_good_round_is_never_held_however_late_the_readers_speak(
    policy: SettleOn, boxes: tuple[int, ...], chance: int
) -> None:
    table = SightedTable(settle_on=policy)
    played = a_round(table, Random(chance).choice, {}, boxes, lag=0)
    played.play()
    at_the_end = {"CARDS_UNCONFIRMED", "TABLE_HELD"} if policy is SettleOn.TWO_SOURCES else set()
    assert set(played.verdicts) <= {"SOURCE_SILENT"} | at_the_end
    table.check()


@pytest.mark.parametrize("policy", list(SettleOn))
@pytest.mark.parametrize("seed", range(15))
def test_a_good_round_whose_readers_speak_at_once_has_no_verdict(policy: SettleOn, seed: int) -> None:
    table = SightedTable(settle_on=policy)
    played = a_round(table, Random(seed).choice, {}, (1, 2, 3), prompt=True)
    played.play()
    assert (played.verdicts, played.settled) == ([], True)


@pytest.mark.parametrize("seed", range(50))
def test_a_random_round_with_random_faults(seed: int) -> None:
    random = Random(seed)
    three_rounds(random.choice(list(SettleOn)), random)


ONCE_WRONG = (283, 306, 808, 1108, 1445, 1945, 2082, 2158, 2312, 2941)
"""Seeds whose rounds settled a wrong card on one source although a reader had said so."""


@pytest.mark.parametrize("seed", ONCE_WRONG)
def test_a_card_that_a_reader_spoke_against_is_not_settled(seed: int) -> None:
    three_rounds(SettleOn.ONE_SOURCE, drawn(seed))


@pytest.mark.parametrize("seed", range(25))
def test_a_word_said_a_round_too_late_settles_nothing_wrong(seed: int) -> None:
    random = Random(seed)
    three_rounds(random.choice(list(SettleOn)), random, late=True)


def drawn(seed: int) -> Random:
    """The chance of this seed once it has chosen a policy, as the seeds were found."""
    random = Random(seed)
    random.choice(list(SettleOn))
    return random


def three_rounds(policy: SettleOn, random: Random, *, late: bool = False) -> None:
    """Three rounds with faults; ``late``: a reader says in the next round what it has not said in the one before."""
    table = SightedTable(settle_on=policy)
    unsaid: Any = {}
    for _ in range(3):
        if table.phase in {"betting", "burn"}:
            played = a_round(table, random.choice, some_faults(random), (1, 2, 3), words=unsaid)
            played.play()
            unsaid = played.unsaid() if late else {}
    table.check()


def some_faults(random: Random) -> dict[int, Faults]:
    """Up to three cards with something wrong."""
    words = (None, None, *FACES, "XX")
    return told_apart(
        {
            random.randrange(MOST_CARDS): Faults(
                random.choice(words), random.choice(words), random.choice((None, None, None, (4, 1)))
            )
            for _ in range(random.randint(1, 3))
        }
    )


def told_apart(wrong: dict[int, Faults]) -> dict[int, Faults]:
    """Two sources that agree on a wrong face are beyond what two sources can tell."""
    same = {n: f for n, f in wrong.items() if f.shoe == f.reader and f.shoe not in {None, "XX"}}
    return {**wrong, **{n: Faults(f.shoe, None, f.astray) for n, f in same.items()}}


def a_round(table: Any, choose: Any, wrong: dict[int, Faults], boxes: tuple[int, ...], **how: Any) -> Round:
    return Round(table, choose, wrong, boxes, **how)


def by_face_only(fusion: Fusion, s: Sighting, *, decided: bool) -> tuple[Fit, Followed | None]:
    del decided
    same = next((c for c in fusion.cards if c.card == s.card and not c.seen), None)
    return (Fit.SEEN, same) if same else (Fit.AGAIN, None)


def anywhere(fusion: Fusion, card: Followed, s: Sighting) -> bool:
    return card.box != ASIDE and s.device not in card.seen


def nothing_is_awaited(fusion: Fusion) -> tuple[tuple[Followed, Source], ...]:
    return ()


@pytest.mark.parametrize(
    ("where", "planted"),
    [
        ("controller.core.sources.sight.fit", by_face_only),
        ("controller.core.sources.fusion._at", anywhere),
        ("controller.core.sources.fusion.awaited", nothing_is_awaited),
    ],
)
def test_a_planted_bug_is_caught_by_random_rounds(where: str, planted: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(where, planted)
    with pytest.raises(AssertionError):
        many_rounds(400)


def a_second_look_is_forgotten(*args: Any, **how: Any) -> Any:
    state = args[1]
    return state if args[3][0] is Fit.DIFFERS else DOUBTFUL(*args, **how)


DOUBTFUL = sight._doubtful


@pytest.mark.parametrize(
    ("where", "planted", "seeds"),
    [
        ("controller.core.sources.sight._doubtful", a_second_look_is_forgotten, ONCE_WRONG[:1]),
        ("controller.core.sources.ways._words_of", lambda fusion, card: [], (1945,)),
    ],
    ids=("said too early", "said of a card renamed"),
)
def test_a_word_that_is_dropped_is_caught_by_the_seeds_that_found_it(
    where: str, planted: Any, seeds: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, planted)
    for seed in seeds:
        with pytest.raises(AssertionError, match="the reader said so"):
            three_rounds(SettleOn.ONE_SOURCE, drawn(seed))


def many_rounds(count: int) -> None:
    for seed in range(count):
        random = Random(seed)
        table = SightedTable(settle_on=SettleOn.TWO_SOURCES)
        fault = random.choice((Faults(shoe="8S"), Faults(reader="XX"), Faults(astray=(4, 1))))
        a_round(table, random.choice, {random.randrange(7): fault}, (1, 2, 3)).play()
