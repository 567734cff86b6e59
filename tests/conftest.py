"""What holds for every test: one profile of Hypothesis (how long an example takes says how busy the machine is), and
programs that a test starts can be interrupted."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell's job in the background has it, and all its children
    signal.signal(signal.SIGINT, signal.default_int_handler)
