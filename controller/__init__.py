"""The controller of a card table: pure core and games, journal, bus, adapters, app and command line."""
