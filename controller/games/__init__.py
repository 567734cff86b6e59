"""Games: one folder each, pure, found through the entry point group ``tablewatch.games``."""
