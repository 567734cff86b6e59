"""Scenarios: what devices and people do at a table and what must be found, as files that run without hardware.

`load.load_scenario` reads a file, `play.play` runs it over a `bench.Bench`; docs/scenarios.md is the format's page.
"""
