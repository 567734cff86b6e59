"""Dealing shoes; one driver a wire, found through the entry point group ``tablewatch.shoes``."""
