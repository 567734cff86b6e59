"""The table's record: an append-only SQLite file with a hash chain, signed checkpoints and a publisher's
cursor.

``chain`` makes envelopes, ``store`` writes, ``reader`` reads, ``checkpoint`` signs, ``verify`` checks,
``outbox`` remembers what was published, ``sealing`` hides cards until they are shown. docs/journal.md is
its description.
"""
