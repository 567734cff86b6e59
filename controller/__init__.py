"""The controller of a card table: pure core and games, journal, bus, adapters, app and command line."""

__version__ = "0.2.0"
"""The version of the whole distribution. It goes on record with every start of a table."""
