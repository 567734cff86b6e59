"""The single writer against a real journal: commit before effect, each event once, and the same state after any end."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller import __version__
from controller.adapters.link import Wiring
from controller.app import notes
from controller.app.audit import Audit
from controller.app.record import RecordError
from controller.app.rulesets import LoadedRules, load_rules
from controller.core.cards import Card
from controller.core.fold import FOLD
from controller.core.game import Game
from controller.core.state import Service
from controller.core.table import phase
from controller.journal.chain import EventDraft
from controller.journal.checkpoint import trusted_snapshot, write_checkpoint
from controller.journal.errors import JournalFullError
from controller.journal.store import Journal
from controller.journal.verify import verify
from drivers import messages as m
from drivers.api import Capabilities


def test_a_round_is_followed_and_nothing_is_let_out_before_it_is_on_the_disk(table: Any) -> None:
    table.open_shoe()
    table.play_to_the_dealer()
    table.finish_round()
    assert table.outlet.missing == []
    assert phase(table.game, table.engine.state) == "betting"
    assert table.engine.state.verdicts == ()
    assert [data["round"] for data in table.of_type("round.settled")] == ["1-1"]
    told = [event.sequence for event in table.outlet.committed_]
    assert told == list(range(1, len(table.events()) + 1))
    said = [e["data"]["identity"] for e in table.events() if "identity" in e["data"]]
    assert table.outlet.acknowledged_ == said


def test_an_event_that_comes_twice_is_acknowledged_twice_and_recorded_once(table: Any) -> None:
    table.open_shoe()
    identity = table.says("bets", m.WagerPlaced(1, 1, "main", 2500))
    before = table.engine.state
    head = len(table.events())
    table.says("bets", m.WagerPlaced(1, 1, "main", 2500), identity)
    assert (table.engine.state, len(table.events())) == (before, head)
    assert table.outlet.acknowledged_[-2:] == [identity, identity]
    assert table.engine.duplicates == 1


def test_a_restarted_engine_knows_what_its_predecessor_has_heard(table: Any) -> None:
    table.open_shoe()
    identity = table.says("bets", m.WagerPlaced(1, 1, "main", 2500))
    table.again()
    head = len(table.events())
    table.says("bets", m.WagerPlaced(1, 1, "main", 2500), identity)
    assert len(table.events()) == head
    assert table.outlet.acknowledged_[-1] == identity
    assert table.engine.heard["bets"] == identity


def test_equal_faces_are_different_cards(table: Any) -> None:
    table.open_shoe()
    table.card("9C")
    table.card("9C")
    assert [data["card"] for data in table.of_type("card.burned")] == ["9C", "9C", "9C"]


def test_a_restart_from_a_snapshot_and_a_fold_from_the_beginning_stand_the_same(table: Any) -> None:
    table.open_shoe()
    table.play_to_the_dealer()
    table.finish_round()
    table.play_to_the_dealer()
    assert trusted_snapshot(table.journal, table.signer.public_key) is not None
    standing = table.engine.standing_bytes()
    assert table.folded() == standing
    table.again()
    assert table.engine.standing_bytes() == standing
    assert phase(table.game, table.engine.state) == "dealer"


def test_a_restart_after_every_single_event_of_a_round_changes_nothing(table: Any) -> None:
    def restart() -> None:
        standing = table.engine.standing_bytes()
        assert table.folded() == standing
        table.again()
        assert table.engine.standing_bytes() == standing
        table.engine.start(table.now_us())
        assert [v.code for v in table.engine.state.verdicts] == ["SHOE_UNALIGNED"]
        table.key("choose", value=1)
        assert table.engine.state.verdicts == ()

    table.open_shoe()
    table.says("console", m.StaffCardPresented("S1"))
    restart()
    table.says("bets", m.WagerPlaced(1, 1, "main", 2500))
    restart()
    table.key("no_more_bets")
    for box, face in ((1, "KH"), (0, "7D"), (1, "QS")):
        restart()
        table.card(face)
        restart()
        table.says("bets", m.CardLaid(box))
    assert phase(table.game, table.engine.state) == "players"
    table.key("stand", box=1)
    restart()
    table.finish_round()
    restart()
    assert [data["round"] for data in table.of_type("round.settled")] == ["1-1"]


def test_a_start_counts_and_leaves_a_gap_that_holds_a_table_with_a_loaded_shoe(table: Any) -> None:
    assert table.engine.start(table.now_us()) == 1
    assert table.engine.state.verdicts == ()
    table.again()
    table.open_shoe()
    assert table.engine.state.epoch == 2
    table.again()
    table.engine.start(table.now_us())
    assert [v.code for v in table.engine.state.verdicts] == ["SHOE_UNALIGNED"]
    assert table.of_type("device.gap")[-1]["device"] == "shoe"


def test_the_rules_are_put_on_record_when_they_differ_and_only_then(table: Any, game: Game, rules: LoadedRules) -> None:
    table.engine.start(table.now_us())
    table.again()
    table.engine.start(table.now_us())
    assert [data["sha256"] for data in table.of_type("rules.changed")] == [rules.sha256]
    dearer = load_rules(game, "armenian", {"box_min": 1000})
    table.again(dearer)
    table.engine.start(table.now_us())
    assert [data["sha256"] for data in table.of_type("rules.changed")] == [rules.sha256, dearer.sha256]
    assert table.engine.state.rules_sha256 == dearer.sha256


def test_rules_do_not_change_under_a_stake(table: Any, game: Game, rules: LoadedRules) -> None:
    table.open_shoe()
    table.says("bets", m.WagerPlaced(1, 1, "main", 2500))
    table.again(load_rules(game, "armenian", {"box_min": 1000}))
    table.engine.start(table.now_us())
    assert table.engine.state.rules_sha256 == rules.sha256
    assert table.of_type("violation.raised")[0]["code"] == "RULES_REFUSED"


def test_a_checkpoint_closes_each_round_and_vouches_for_the_standing(table: Any) -> None:
    table.open_shoe()
    table.play_to_the_dealer()
    assert table.of_type("system.checkpoint") == []
    table.finish_round()
    assert len(table.of_type("system.checkpoint")) == 1
    kept = trusted_snapshot(table.journal, table.signer.public_key)
    assert kept is not None
    assert kept.state == table.engine.standing_bytes()
    report = verify(table.path, table.signer.public_key)
    assert (report.lines()[1:], report.checkpoints) == ([], 1)


def test_a_note_changes_nothing_on_the_table(table: Any) -> None:
    table.open_shoe()
    standing = table.engine.standing_bytes()
    table.engine.note(notes.JournalLowSpace(4096), table.now_us())
    assert table.engine.standing_bytes() == standing
    table.again()
    assert table.engine.standing_bytes() == standing


def rewritten(table: Any, folder: Path, change: Callable[[EventDraft], EventDraft | None]) -> Path:
    """The journal once more with the same key and a sound chain, each event changed or left out."""
    path = folder / "rewritten.sqlite"
    with Journal.open(path, "lv1", "bj-012", signer=table.signer) as journal:
        first, *_ = table.journal.read(0, 1)
        journal.start(first.time_us)
        for stored in table.journal.events():
            whole = stored.parsed()
            draft = EventDraft(stored.type, whole["data"], stored.time_us, causation=whole.get("causationid", ""))
            changed = None if stored.type == "system.checkpoint" else change(draft)
            if changed is not None:
                journal.append((changed,))
    return path


def test_a_changed_fact_is_named_though_its_chain_is_sound(table: Any, tmp_path: Path) -> None:
    table.open_shoe()
    table.play_to_the_dealer()
    table.finish_round()

    def richer(draft: EventDraft) -> EventDraft:
        owed = draft.type == "payout.due"
        return replace(draft, data={**draft.data, "owed_minor": 250_000}) if owed else draft

    path = rewritten(table, tmp_path, richer)
    assert verify(path, None).ok
    due = next(e for e in table.journal.events() if e.type == "payout.due").sequence
    table.journal.close()
    shutil.copy(path, table.path)
    with pytest.raises(
        RecordError,
        match=rf"^journal {table.path}: event {due}: the record says payout\.due .*250000.*; have the record",
    ):
        table.open()


def test_a_fact_left_out_or_put_in_is_named(table: Any, tmp_path: Path) -> None:
    table.open_shoe()
    table.play_to_the_dealer()
    table.journal.close()
    table.open()
    dealt = next(e for e in table.journal.events() if e.type == "card.dealt").sequence
    path = rewritten(table, tmp_path, lambda draft: None if draft.type == "card.dealt" else draft)
    table.journal.close()
    table.path.unlink()
    shutil.copy(path, table.path)
    with pytest.raises(
        RecordError, match=rf"^journal {table.path}: event {dealt - 1}: this version concludes card\.dealt from it"
    ):
        table.open()


def test_an_input_that_this_version_cannot_read_is_named(table: Any, tmp_path: Path) -> None:
    table.open_shoe()
    drawn = next(e for e in table.journal.events() if e.type == "card.drawn").sequence

    def foreign(draft: EventDraft) -> EventDraft:
        return replace(draft, data={**draft.data, "card": "14X"}) if draft.type == "card.drawn" else draft

    path = rewritten(table, tmp_path, foreign)
    table.journal.close()
    shutil.copy(path, table.path)
    with pytest.raises(
        RecordError, match=rf"^journal {table.path}: event {drawn}: card\.drawn: card.*use the version that wrote it"
    ):
        table.open()


def test_a_failed_commit_changes_nothing_is_raised_and_stays(make_table: Callable[..., Any]) -> None:
    table = make_table(max_bytes=160 * 1024)
    table.open_shoe()

    def until_full() -> None:
        for _ in range(2000):
            before.append(table.engine.state)
            told.append(len(table.outlet.acknowledged_))
            heard.append(dict(table.engine.heard))
            table.says("bets", m.WagerPlaced(1, 1, "main", 100))

    before: list[Any] = []
    told: list[int] = []
    heard: list[dict[str, str]] = []
    with pytest.raises(JournalFullError, match="the disk or the size limit is full; free space"):
        until_full()
    assert table.engine.state is before[-1]
    assert len(table.outlet.acknowledged_) == told[-1]
    assert table.engine.heard == heard[-1]
    with pytest.raises(JournalFullError):
        table.key("no_more_bets")
    lost = f"native:BETS-1:65537:{len(before)}"
    table.again()
    assert verify(table.path, table.signer.public_key).ok
    table.engine.start(table.now_us())
    table.says("bets", m.WagerPlaced(1, 1, "main", 100), lost)
    assert [e["data"].get("identity") for e in table.events()].count(lost) == 1
    assert table.outlet.missing == []


def test_whatever_comes_at_a_closed_table_is_kept_and_judged(table: Any) -> None:
    table.engine.start(table.now_us())
    for message in (m.CardDrawn(1, "S"), m.CutCardDrawn(), m.CardUnreadable("smudge")):
        table.says("shoe", message)
    assert table.engine.state.service is Service.CLOSED
    assert [data["code"] for data in table.of_type("violation.raised")] == ["TABLE_CLOSED"] * 3


def test_a_tag_is_the_card_that_the_deck_register_says(table: Any) -> None:
    table.wire("swipe", Wiring("swipe", "reader", Capabilities(card_identity=True)), {"04A1B2C3": Card("KH")})
    table.open_shoe()
    table.says("swipe", m.TagSeen("swipe", "04A1B2C3"))
    assert table.of_type("card.drawn")[-1]["card"] == "KH"
    table.says("swipe", m.TagSeen("swipe", "04FFFFFF"))
    assert (
        table.of_type("card.unreadable")[-1]["detail"] == "tag 04FFFFFF is of no enrolled deck: enrol it, or remove it"
    )


def test_the_tag_of_a_card_that_was_drawn_in_error_is_sealed(table: Any) -> None:
    reader = Wiring("box-1", "reader", Capabilities(card_identity=True, position=True), ((1, 1),))
    table.wire("box-1", reader, {"04A1B2C3": Card("KH"), "04A1B2C4": Card("KD")})
    table.open_shoe()
    table.key("next_round")
    table.card("KH")
    table.says("box-1", m.TagSeen("box-1", "04A1B2C3"))
    table.says("box-1", m.TagSeen("box-1", "04A1B2C4"))
    secret, other = table.of_type("card.shown")
    assert (secret["card"], secret["tag"], len(secret["sealed"])) == (None, "", 64)
    assert (other["card"], other["tag"]) == ("KD", "04A1B2C4")
    assert "KH" not in json.dumps(table.events())
    table.again()
    assert table.folded() == table.engine.standing_bytes()


OLDER = (
    f"version 0.1.0 wrote it with rules engine 0, this one has {FOLD}: finish the shift and verify with the version "
    "that wrote it, close the table, then give this one a new journal (journal.path; docs/operations.md, Upgrading)"
)


def older(draft: EventDraft) -> EventDraft:
    """The event as a rules engine from before there were revisions wrote it, which owed more."""
    if draft.type == "system.started":
        started = {key: value for key, value in draft.data.items() if key != "fold"}
        return replace(draft, data={**started, "version": "0.1.0"})
    owed = draft.type == "payout.due"
    return replace(draft, data={**draft.data, "owed_minor": 250_000}) if owed else draft


def test_a_record_of_another_rules_engine_is_named_as_such(table: Any, tmp_path: Path) -> None:
    table.open_shoe()
    table.play_to_the_dealer()
    table.finish_round()

    path = rewritten(table, tmp_path, older)
    table.journal.close()
    shutil.copy(path, table.path)
    with pytest.raises(RecordError, match=re.escape(OLDER)):
        table.open()
    (finding,) = verify(path, None, fold_check=Audit(path)).findings
    assert finding.what.endswith(OLDER)


def test_a_snapshot_of_another_rules_engine_does_not_hide_what_it_concluded(table: Any, tmp_path: Path) -> None:
    """Started from it, a table would go on in a record that no version can verify as a whole."""
    table.open_shoe()
    table.play_to_the_dealer()
    table.finish_round()
    path = rewritten(table, tmp_path, older)
    with Journal.open(path, "lv1", "bj-012", signer=table.signer) as journal:
        journal.start()
        write_checkpoint(journal, table.signer, table.engine.standing_bytes(), table.now_us())
    table.journal.close()
    shutil.copy(path, table.path)
    with pytest.raises(RecordError, match=re.escape(OLDER)):
        table.open()


def test_what_another_rules_engine_wrote_and_this_one_cannot_read_is_told_the_same_way(
    table: Any, tmp_path: Path
) -> None:
    table.open_shoe()

    def foreign(draft: EventDraft) -> EventDraft:
        return replace(older(draft), data={**draft.data, "card": "14X"}) if draft.type == "card.drawn" else older(draft)

    path = rewritten(table, tmp_path, foreign)
    table.journal.close()
    shutil.copy(path, table.path)
    with pytest.raises(RecordError, match=rf"^journal {table.path}: event \d+: card\.drawn: card.*{re.escape(OLDER)}$"):
        table.open()


@pytest.mark.parametrize("version", [__version__, "0.1.0"])
def test_a_restart_folds_to_the_states_that_are_signed(table: Any, tmp_path: Path, version: str) -> None:
    """Without snapshots the record is folded from the beginning; a state signed by another version is not judged."""
    table.open_shoe()
    table.play_to_the_dealer()
    table.finish_round()
    path = rewritten(
        table,
        tmp_path,
        lambda draft: replace(draft, data={**draft.data, "version": version}) if "version" in draft.data else draft,
    )
    with Journal.open(path, "lv1", "bj-012", signer=table.signer) as journal:
        journal.start()
        write_checkpoint(journal, table.signer, b'{"another":"state"}', table.now_us())
    table.journal.close()
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM snapshots")
    connection.commit()
    connection.close()
    shutil.copy(path, table.path)
    if version == __version__:
        with pytest.raises(RecordError, match=r"the checkpoint signs the state .*; have the record examined"):
            table.open()
    else:
        table.open()
