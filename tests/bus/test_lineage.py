"""What an archive believes: the chain that the table's checkpoints confirm, whoever published something else first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.bus import lineage
from controller.bus.history import ArchivedEvent, History, read_event
from controller.bus.topics import Topics
from controller.journal.chain import EventDraft, Origin, StoredEvent, genesis_hash, seal
from controller.journal.checkpoint import CHECKPOINT
from controller.journal.signing import Signer, checkpoint_message

TOPICS = Topics("lv1", "bj-012")
JOURNAL = "01JX0000000000000000000000"
TABLE = Signer(Ed25519PrivateKey.generate())
FORGER = Signer(Ed25519PrivateKey.generate())


class Chain:
    """Events of a journal, one after the other, from the first or from where another one had come to."""

    def __init__(self, journal_id: str = JOURNAL, events: Iterable[StoredEvent] = ()) -> None:
        self.origin = Origin(journal_id, TOPICS.site, TOPICS.table, 1)
        self.events = list(events)

    def add(self, kind: str, data: dict[str, object]) -> StoredEvent:
        last = self.events[-1].hash if self.events else genesis_hash(self.origin.journal_id)
        number = len(self.events) + 1
        self.events.append(seal(EventDraft(kind, data, number), self.origin, number, last))
        return self.events[-1]

    def say(self, *texts: str) -> Chain:
        for text in texts:
            self.add("table.opened", {"actor": text})
        return self

    def checkpoint(self, signer: Signer = TABLE) -> Chain:
        through, digest = len(self.events), self.events[-1].hash
        signature = signer.sign(checkpoint_message(self.origin.journal_id, through, digest, "00"))
        data: dict[str, object] = {"through": through, "hash": digest, "state_sha256": "00"}
        self.add(CHECKPOINT, {**data, "public_key": signer.public_key, "signature": signature})
        return self

    def fork(self, at: int) -> Chain:
        return Chain(self.origin.journal_id, self.events[:at])


def read(events: Iterable[StoredEvent]) -> list[ArchivedEvent]:
    return [read_event(TOPICS, event.envelope) for event in events]


def kept(history: History) -> list[str]:
    return [digest for _, digest, _ in history.events(JOURNAL)]


def hashes(chain: Chain) -> list[str]:
    return [event.hash for event in chain.events]


def undisputed(history: History) -> int:
    return history.progress()[-1].undisputed


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    opened = History(tmp_path / "h.db")
    yield opened
    opened.close()


def test_a_forged_event_that_came_first_gives_way_to_the_longer_chain(history: History) -> None:
    true = Chain().say("a", "b")
    forged = true.fork(2).say("a lie")
    history.add(TOPICS, read(forged.events))
    assert (history.contiguous(JOURNAL), undisputed(history)) == (3, 3)
    history.add(TOPICS, read(true.say("c").events))
    assert (history.contiguous(JOURNAL), undisputed(history)) == (3, 2)
    history.add(TOPICS, read(true.say("d").events))
    assert (kept(history), undisputed(history)) == (hashes(true), 2)
    whats = [finding.what for finding in history.findings()]
    assert f"another event of this number came, {true.events[2].hash}" in whats
    assert f"event {true.events[2].hash} takes the place of the one kept until now" in whats


def test_a_checkpoint_of_the_table_ends_every_dispute(history: History) -> None:
    true = Chain().say("a").checkpoint()
    forged = true.fork(2).say("lie", "lie", "lie").checkpoint(FORGER).say("lie", "lie")
    history.add(TOPICS, read(forged.events))
    assert history.contiguous(JOURNAL) == 8
    true.say("b", "c").checkpoint()
    history.add(TOPICS, read(true.events))
    assert kept(history) == hashes(true)
    assert (history.contiguous(JOURNAL), undisputed(history)) == (5, 5)
    history.add(TOPICS, read(forged.events))
    assert (kept(history)[:5], undisputed(history)) == (hashes(true), 5)


def test_what_is_confirmed_is_never_replaced(history: History) -> None:
    true = Chain().say("a", "b").checkpoint()
    history.add(TOPICS, read(true.events))
    history.add(TOPICS, read(true.fork(1).say("lie", "lie", "lie", "lie", "lie").events))
    assert (kept(history)[:3], history.contiguous(JOURNAL), undisputed(history)) == (hashes(true), 3, 3)


def test_an_event_that_fits_only_a_rival_is_kept_for_it(history: History) -> None:
    true = Chain().say("a", "b", "c", "d")
    history.add(TOPICS, read([true.events[0], *true.fork(1).say("lie").events[1:], true.events[3]]))
    assert (kept(history)[:2], history.contiguous(JOURNAL)) == (hashes(true.fork(1).say("lie")), 2)
    history.add(TOPICS, read([true.events[2]]))
    history.add(TOPICS, read([true.events[1]]))
    assert kept(history) == hashes(true)


def test_a_key_that_is_given_is_believed_before_the_first_checkpoint(history: History) -> None:
    history.trust(TOPICS, TABLE.public_key)
    true = Chain().say("a")
    forged = true.fork(1).checkpoint(FORGER).say("lie", "lie")
    history.add(TOPICS, read(forged.events))
    history.add(TOPICS, read(true.checkpoint().events))
    assert kept(history)[:2] == hashes(true)
    assert any("signed with another key" in finding.what for finding in history.findings())


def test_a_key_that_is_given_later_opens_again_what_another_one_confirmed(history: History) -> None:
    true = Chain().say("a")
    history.add(TOPICS, read(true.fork(1).checkpoint(FORGER).events))
    history.trust(TOPICS, TABLE.public_key)
    history.add(TOPICS, read(true.checkpoint().events))
    assert kept(history) == hashes(true)
    assert history.progress()[0].confirmed


def test_a_checkpoint_that_is_not_signed_so_confirms_nothing(history: History) -> None:
    chain = Chain().say("a")
    chain.add(CHECKPOINT, {"through": 1, "hash": chain.events[0].hash, "state_sha256": "00", "public_key": "00"})
    history.add(TOPICS, read(chain.events))
    assert (history.contiguous(JOURNAL), history.progress()[0].confirmed) == (2, False)


def test_rivals_have_a_limit_and_the_true_chain_comes_through(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lineage, "MOST_RIVALS", 5)
    true = Chain().say("a", "b").checkpoint()
    history.add(TOPICS, read(true.events[:1]))
    for number in range(20):
        history.add(TOPICS, read(true.fork(1).say(f"lie {number}").events))
    assert (history.contiguous(JOURNAL), undisputed(history)) == (2, 1)
    history.add(TOPICS, read(true.events))
    assert history.contiguous(JOURNAL) == 2
    history.add(TOPICS, read(true.fork(1).say("a longer lie", "a longer lie").events))
    assert undisputed(history) == 1
