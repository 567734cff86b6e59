"""docs/configuration.md shows what the models have, unasked; the example configuration can be used."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import BaseModel, ConfigDict, Field

from controller.app.check import examine
from controller.app.config import TableConfig, load_config
from controller.app.config_page import config_page

DOCS = Path(__file__).resolve().parents[2] / "docs"


class Lamp(BaseModel):
    """``[light.lamp]``: one lamp of several."""

    model_config = ConfigDict(use_attribute_docstrings=True)
    power_w: float = Field(gt=0)
    """how strong it is (W)"""


class Light(BaseModel):
    """``[light]``: what shines on the felt."""

    model_config = ConfigDict(use_attribute_docstrings=True)
    colour: str | None = None
    """its colour, as ``warm``"""
    lamp: tuple[Lamp, ...] = ()
    """the lamps"""


class Table(BaseModel):
    """A configuration with sections of its own."""

    model_config = ConfigDict(use_attribute_docstrings=True)
    light: Light | None = None
    steps: Annotated[tuple[int, ...], Field(max_length=3)] = (1, 2)
    """a key that is in no section"""


def test_sections_and_keys_that_a_model_gets_show_by_themselves() -> None:
    page = config_page(Table)
    assert "\n## `[light]`\n\nWhat shines on the felt.\n" in page
    assert "| `colour` | text |  | none | its colour, as `warm` |\n" in page
    assert "\n## `[[light.lamp]]`\n\nOne lamp of several.\n" in page
    assert "| `power_w` | number | above 0 | needed | how strong it is (W) |\n" in page
    assert "\n## `[steps]`\n\nA key that is in no section.\n" in page
    assert "| `lamp` |" not in page


def test_every_key_of_a_table_has_a_meaning() -> None:
    page = config_page()
    assert page.count("\n## `[") >= len(TableConfig.model_fields)
    assert "|  |\n" not in page
    assert "| `simulation` | true or false | `true`, `false` | `false` | devices that say they are simulators" in page
    assert "| `TABLEWATCH_MQTT_PASSWORD` | " in page


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The example, copied as a reader would."""
    return Path(shutil.copy(DOCS / "examples/table.toml", tmp_path / "bj-012.toml"))


def test_the_example_can_be_used_once_its_devices_are_there(example: Path) -> None:
    checked = examine(example)
    assert checked.problems == ()
    assert [line for line in checked.warnings if "is not there now" not in line and "surrender" not in line] == []


def test_what_the_example_leaves_out_can_be_used_too(example: Path) -> None:
    text = example.read_text("utf-8")
    for line in text.splitlines():
        key, equals, _ = line.removeprefix("# ").partition(" = ")
        if line.startswith("# ") and (line.startswith("# [") or (equals and key.isidentifier())):
            text = text.replace(line, line.removeprefix("# "))
    example.write_text(text.replace('"…"', f'"{"0" * 64}"'))
    config = load_config(example)
    assert config.table.simulation
    assert config.broker.urls[0].startswith("mqtts://")
    assert config.journal.key == Path("/etc/tablewatch/bj-012.key")
    assert config.device[0].trace == example.parent / "shoe.trace"
    assert config.camera
    assert config.camera.calibration == example.parent / "camera.json"
    assert config.staff[1].public_key
