"""Measurements and campaigns: what the promises cost, and whether they hold when processes die."""
