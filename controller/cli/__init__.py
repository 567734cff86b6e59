"""The command line: what a person types."""
