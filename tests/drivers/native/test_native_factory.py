"""Configuration of native drivers: wrong options are named with what is allowed."""

from __future__ import annotations

import pytest

from drivers.bets import DRIVER as BETS
from drivers.console import DRIVER as CONSOLE


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baud": 9600}, "console: option 'baud' is unknown; allowed are serial, resume, allow_simulated"),
        ({"allow_simulated": "yes"}, "console: allow_simulated is 'yes'; allowed are true and false"),
        ({"serial": ""}, "console: serial is ''; 1 to 32 letters, digits, dots, underscores and hyphens are allowed"),
        ({"serial": "a:b"}, "console: serial is 'a:b'; 1 to 32 letters"),
        ({"serial": 7}, "console: serial is 7; 1 to 32 letters"),
        ({"resume": 7}, "console: resume is 7; an event identity or a list of them is allowed"),
        ({"resume": ["native:A:1:1", 7]}, "console: resume is ['native:A:1:1', 7]; an event identity"),
        ({"resume": "ae:1"}, "console: resume: 'ae:1' is no identity of a native event; native:SERIAL:BOOT:NUMBER"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError) as raised:
        CONSOLE(options)
    assert str(raised.value).startswith(message)


def test_factories_say_their_name_and_line() -> None:
    assert (CONSOLE.name, CONSOLE.line.baudrate, CONSOLE.line.parity) == ("console", 115_200, "N")
    assert (BETS.name, BETS.line.baudrate) == ("bets", 115_200)


def test_capabilities_are_those_of_the_class_until_hello() -> None:
    assert CONSOLE({}).capabilities.replay
    assert not CONSOLE({}).capabilities.position
    assert BETS({"resume": ["native:A:1:1"]}).capabilities.position
