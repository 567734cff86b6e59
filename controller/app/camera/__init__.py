"""The camera of a running table: its settings, the process that looks, and the session that listens to it."""
