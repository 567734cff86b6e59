"""Rounds played by the thousand through the same `step` as a live table, and what they brought."""
