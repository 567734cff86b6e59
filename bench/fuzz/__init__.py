"""Hostile bytes for every decoder: no exception, no buffer without a bound, nothing accepted that is corrupt."""
