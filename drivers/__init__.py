"""Drivers: bytes of a device on one side, device messages on the other. Usable alone."""
