"""The configuration of one table: Pydantic models of TABLE.toml. Secrets come from the environment only."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from controller.core.problems import MisfitError, problems_of
from controller.core.sources import SILENCE_CARDS, SILENCE_S, SettleOn

DEFAULT_GAME: Final = "blackjack"
"""The game of a table, a scenario or a rule set's file that names none."""

_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|\d{1,3}$")
"""A source that is no file: a URL, the number of a camera."""

Id = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,32}$")]


def _without_nul(text: str) -> str:
    """Raises ValueError for a text that no path can be."""
    if "\0" in text:
        raise ValueError("NUL is in no name; write it without")
    return text


def _named(path: Path) -> Path:
    """Raises ValueError unless the path can name a file at all."""
    if not path.name or "\0" in str(path):
        raise ValueError("names no file; write a file's path without NUL")
    return path


FilePath = Annotated[Path, AfterValidator(_named)]
"""The path of a file, which need not be there."""


class ConfigError(ValueError):
    """A configuration cannot be used. ``problems`` has one line a fault: file, key, what is allowed."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class TableSection(_Section):
    """``[table]``: which table this is and what is played on it."""

    site: Id
    """the house, as in the topics"""
    id: Id
    """the table, as in the topics"""
    game: str = DEFAULT_GAME
    """a game of the entry point group ``tablewatch.games``"""
    ruleset: Annotated[str, AfterValidator(_without_nul)] = Field(min_length=1)
    """a shipped rule set's name, or the path of a TOML file"""
    currency: str = Field("EUR", pattern=r"^[A-Z]{3}$")
    """ISO 4217 code of the table's money"""
    simulation: bool = False
    """devices that say they are simulators are accepted"""


class JournalSection(_Section):
    """``[journal]``: the record of the table."""

    path: FilePath
    """the SQLite file; made when missing"""
    key: FilePath | None = None
    """the Ed25519 key that signs it; made when missing; default: beside the journal"""
    low_space_mb: int = Field(200, ge=1)
    """below this much free space the table warns (MiB)"""


def key_path(journal: JournalSection) -> Path:
    """Where the key of a journal is: as configured, else beside the journal."""
    return journal.key or journal.path.with_suffix(".key")


class BrokerSection(_Section):
    """``[broker]``: where events are published. No url: an embedded broker is started on loopback."""

    urls: tuple[str, ...] = ()
    """mqtt://[user@]host[:port] or mqtts://host?ca=FILE&cert=FILE&key=FILE, tried in order"""
    embedded_port: int = Field(0, ge=0, le=65535)
    """MQTT port of the embedded broker on loopback; 0 picks a free one"""
    embedded: bool = True
    """whether to start one when no url is given"""
    archives: tuple[Id, ...] = ("historian",)
    """consumers whose acknowledgement counts as archived"""
    insecure_lab: bool = False
    """allow plain, anonymous connections beyond loopback; shown on every screen"""


class DecksSection(_Section):
    """``[decks]``: the register that says which card a tag is."""

    path: Path
    """the SQLite file that `tablewatch decks` keeps; several tables may share it"""


class SourcesSection(_Section):
    """``[sources]``: how the cards of the shoe are compared with what readers in the layout or a camera see."""

    settle_on: SettleOn = SettleOn.ONE_SOURCE
    """what a round is settled on: one source's word, or two sources' for every card that a second one sees"""
    silence_s: int = Field(SILENCE_S, ge=2, le=120)
    """seconds that a source may be silent about a card that lies where it sees cards"""
    silence_cards: int = Field(SILENCE_CARDS, ge=1, le=20)
    """further cards drawn, after which it has been silent too long"""


class DeviceSection(_Section):
    """``[[device]]``: one device of the table."""

    name: Id
    """the name on record"""
    kind: Literal["shoe", "console", "bets", "reader", "rack"]
    """what it is"""
    driver: str = Field(min_length=1)
    """a driver of the entry point group of its kind"""
    port: str = Field(min_length=1)
    """path, pyserial URL, or usb:VID:PID[:SERIAL]"""
    baudrate: int | None = Field(None, ge=300, le=4_000_000)
    """line speed; default: the driver's"""
    trace: FilePath | None = None
    """file for the raw bytes"""
    options: dict[str, Any] = Field(default_factory=dict)
    """options of the driver"""


class CameraSection(_Section):
    """``[camera]``: a camera above the table that sees which cards come to lie where; needs the extra ``vision``."""

    name: Id = "camera"
    """the name on record"""
    source: str = Field(min_length=1)
    """rtsp://[user@]host/path, http://…, a number or /dev/video0; for trials a video or a folder of pictures"""
    calibration: FilePath
    """how the camera sees the table, made by `tablewatch vision calibrate`; the layout with its regions is in it"""
    deck: FilePath | None = None
    """the deck in use, made by `tablewatch vision enrol`; an unknown deck is read less often"""
    reference: FilePath | None = None
    """a picture of the camera as it was calibrated; default: the first good picture"""
    looks_per_s: int = Field(8, ge=2, le=30)
    """how often the table is looked at, at most; each look takes a core for up to a tenth of a second"""
    spots: dict[str, str] = Field(default_factory=dict)
    """regions of the layout that are not named as a position (`dealer`, `box-3`, `box-3-2`), and which each is"""


class StaffSection(_Section):
    """``[[staff]]``: a person who may give commands."""

    id: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,32}$")
    """the person on record"""
    role: Literal["dealer", "supervisor", "pit", "surveillance", "technician"]
    """what the person may do"""
    card: str = Field("", max_length=32)
    """the staff card's number as the console reads it"""
    public_key: str = ""
    """Ed25519 public key for signed commands over MQTT"""


def used_twice(
    devices: Sequence[DeviceSection], camera: CameraSection | None, staff: Sequence[StaffSection]
) -> tuple[str, ...]:
    """A line for each kind of name, port or staff card that stands more than once."""
    found = []
    for what, names in (
        ("device name", [d.name for d in devices] + ([camera.name] if camera else [])),
        ("device port", [d.port for d in devices]),
        ("staff id", [s.id for s in staff]),
        ("staff card", [s.card for s in staff if s.card]),
    ):
        twice = sorted({n for n in names if names.count(n) > 1})
        if twice:
            found.append(f"{what} {', '.join(twice)} is used twice; each needs an own one")
    return tuple(found)


class TableConfig(_Section):
    """TABLE.toml."""

    table: TableSection
    journal: JournalSection
    broker: BrokerSection = BrokerSection()
    decks: DecksSection | None = None
    sources: SourcesSection = SourcesSection()
    device: tuple[DeviceSection, ...] = ()
    camera: CameraSection | None = None
    staff: tuple[StaffSection, ...] = ()
    rules: dict[str, Any] = Field(default_factory=dict)
    """keys of the rule set that differ at this table (limits, chips)"""

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        twice = used_twice(self.device, self.camera, self.staff)
        if twice:
            raise MisfitError(twice)
        return self

    @model_validator(mode="after")
    def _keys_have_one_owner(self) -> Self:
        owners: dict[str, str] = {}
        for person in self.staff:
            owner = owners.setdefault(person.public_key, person.id) if person.public_key else person.id
            if owner != person.id:
                raise ValueError(f"staff {person.id} has the public_key of {owner}; each needs an own one")
        return self


class Secrets(BaseSettings):
    """Secrets, from the environment: ``TABLEWATCH_MQTT_PASSWORD``, ``TABLEWATCH_CAMERA_PASSWORD``."""

    model_config = SettingsConfigDict(env_prefix="TABLEWATCH_", extra="ignore", use_attribute_docstrings=True)
    mqtt_password: str = ""
    """the password at the broker, of the user named in the url"""
    camera_password: str = ""
    """the password at the camera, of the user named in its source"""


def load_config(path: Path) -> TableConfig:
    """Read TABLE.toml; relative paths in it are relative to it. Raises ConfigError with every fault at once."""
    data = read_toml(path)
    try:
        config = TableConfig.model_validate(data)
    except ValidationError as error:
        raise ConfigError(problems_of(error, TableConfig, f"{path}: ")) from None
    return _at(path.resolve().parent, config)


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file's data. Raises ConfigError in one line naming the file, and the place of a syntax fault."""
    try:
        text = path.read_bytes().decode("utf-8")
        return tomllib.loads(text)
    except OSError as error:
        what = "it is a directory; name a TOML file" if path.is_dir() else f"cannot be read: {error.strerror}"
        raise ConfigError((f"{path}: {what}",)) from None
    except UnicodeDecodeError as error:
        raise ConfigError((f"{path}: not UTF-8 text (byte {error.start})",)) from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError((f"{path}: not TOML: {error}",)) from None
    except ValueError:  # Python reads no number of more than 4,300 digits
        raise ConfigError((f"{path}: a number has thousands of digits; no key takes one",)) from None
    except RecursionError:
        raise ConfigError((f"{path}: lists or tables are nested too deeply; it needs four levels",)) from None


def ruleset_at(folder: Path, ruleset: str) -> str:
    """A rule set as `load_rules` takes it: a shipped name as it is, a path relative to the configuration's folder."""
    return str(folder / ruleset) if ruleset.endswith(".toml") else ruleset


def _at(folder: Path, config: TableConfig) -> TableConfig:
    journal = config.journal.model_copy(
        update={
            "path": folder / config.journal.path,
            "key": folder / key_path(config.journal),
        }
    )
    devices = tuple(d.model_copy(update={"trace": folder / d.trace}) if d.trace else d for d in config.device)
    table = config.table.model_copy(update={"ruleset": ruleset_at(folder, config.table.ruleset)})
    decks = config.decks.model_copy(update={"path": folder / config.decks.path}) if config.decks else None
    camera = camera_at(folder, config.camera) if config.camera else None
    placed = {"table": table, "journal": journal, "device": devices, "decks": decks, "camera": camera}
    return config.model_copy(update=placed)


def camera_at(folder: Path, camera: CameraSection) -> CameraSection:
    """A camera's section with the files it names relative to the configuration's folder; its source only where that is
    a file or a folder."""
    found = {name: folder / path for name in ("calibration", "deck", "reference") if (path := getattr(camera, name))}
    source = folder / camera.source
    if not _ADDRESS.match(camera.source) and source.exists():
        return camera.model_copy(update={**found, "source": str(source)})
    return camera.model_copy(update=found)
