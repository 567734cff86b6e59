"""Exact numbers of the game from a fresh shoe, computed by the same functions that judge a live table."""
