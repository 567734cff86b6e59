"""Trials: a simulated device in a world that is known, a driver, and a line between them on which all goes wrong.

What the driver reports must be the truth, each thing once, or a named gap. `firmware_sim.trials.registry` has a trial
for each kind of device.
"""
