"""The configuration of a table for a trial, as TOML: section by section, so that a trial says only what is its own."""

from __future__ import annotations

from typing import Final

NO_BROKER: Final = "embedded = false"


def trial_table(
    *sections: str, broker: str = NO_BROKER, journal: object = "table.sqlite", simulation: bool = True
) -> str:
    """A table ``lv1/bj-1`` by the Armenian rules; ``broker`` are the lines of that section, ``sections`` follow."""
    simulated = "simulation = true\n" if simulation else ""
    head = f'[table]\nsite = "lv1"\nid = "bj-1"\nruleset = "armenian"\n{simulated}'
    return "".join((head, f'[journal]\npath = "{journal}"\n[broker]\n{broker}\n', *sections))


def device(name: str, driver: str, port: object, kind: str = "", options: str = "{}") -> str:
    """A device's section; ``kind`` is the ``name`` unless it is given, ``options`` an inline table of TOML."""
    return (
        f'[[device]]\nname = "{name}"\nkind = "{kind or name}"\ndriver = "{driver}"\nport = "{port}"\n'
        f"options = {options}\n"
    )


def person(name: str, role: str, card: str, public_key: str = "") -> str:
    """A person's section."""
    key = f'public_key = "{public_key}"\n' if public_key else ""
    return f'[[staff]]\nid = "{name}"\nrole = "{role}"\ncard = "{card}"\n{key}'
