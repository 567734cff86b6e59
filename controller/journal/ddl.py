"""The journal's tables. Append-only is held by triggers, against our own mistakes; the chain finds anybody
else's.
"""

from __future__ import annotations

APPLICATION_ID = 0x74775743
"""``twWC`` in the file's header: what `file` and we recognise a journal by."""
SCHEMA_VERSION = 1

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE starts (epoch INTEGER PRIMARY KEY, time_us INTEGER NOT NULL) STRICT;
CREATE TABLE events (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    time_us INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    hash TEXT NOT NULL,
    envelope BLOB NOT NULL
) STRICT;
CREATE INDEX events_by_type ON events (type, sequence);
CREATE TABLE secrets (sealed TEXT PRIMARY KEY, salt TEXT NOT NULL, content TEXT NOT NULL) STRICT, WITHOUT
ROWID; CREATE TABLE snapshots (sequence INTEGER PRIMARY KEY, sha256 TEXT NOT NULL, state BLOB NOT NULL)
STRICT; CREATE TABLE tip (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    sequence INTEGER NOT NULL,
    hash TEXT NOT NULL,
    signature TEXT NOT NULL
) STRICT;
CREATE TRIGGER events_next BEFORE INSERT ON events
WHEN NEW.sequence IS NOT (SELECT COALESCE(MAX(sequence), 0) + 1 FROM events)
BEGIN SELECT RAISE(ABORT, 'events are appended one after another'); END;
CREATE TRIGGER starts_next BEFORE INSERT ON starts
WHEN NEW.epoch IS NOT (SELECT COALESCE(MAX(epoch), 0) + 1 FROM starts)
BEGIN SELECT RAISE(ABORT, 'starts are counted one by one'); END;
"""

APPEND_ONLY = ("meta", "starts", "events", "secrets")


def create_statements() -> str:
    """The SQL script that makes an empty journal, without its rows; the caller holds the transaction."""
    guards = "".join(
        f"CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END;\n"
        for table in APPEND_ONLY
        for action in ("UPDATE", "DELETE")
    )
    pragmas = f"PRAGMA application_id = {APPLICATION_ID};\nPRAGMA user_version = {SCHEMA_VERSION};\n"
    return TABLES + guards + pragmas
