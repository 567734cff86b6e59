"""Where a broker is: ``mqtt://user@host:port``, ``mqtts://host:port?ca=FILE&cert=FILE&key=FILE``."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

PASSWORD_VARIABLE = "TABLEWATCH_MQTT_PASSWORD"
_PORTS = {"mqtt": 1883, "mqtts": 8883}
_FILES = ("ca", "cert", "key")


class EndpointError(ValueError):
    """A broker's URL that cannot or must not be used. The text is one line: what, where, what to do."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A broker. ``ca``, ``cert`` and ``key`` are paths of PEM files, empty when not given."""

    host: str
    port: int
    tls: bool = False
    user: str = ""
    password: str = field(default="", repr=False)
    ca: str = ""
    cert: str = ""
    key: str = ""

    def __str__(self) -> str:
        """The URL without anything secret."""
        user = f"{self.user}@" if self.user else ""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.tls else 'mqtt'}://{user}{host}:{self.port}"


def parse_endpoint(url: str, environ: Mapping[str, str], *, insecure_lab: bool = False) -> Endpoint:
    """The broker that ``url`` names; its password comes from ``environ`` alone (TABLEWATCH_MQTT_PASSWORD).

    Plain or anonymous connections are for loopback, or for ``insecure_lab``. Raises EndpointError.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise EndpointError(f"broker {url!r}: {error}; write mqtt://host:port or mqtts://host:port") from error
    if parts.password is not None:
        raise EndpointError(f"broker at {parts.hostname}: a password in the URL; put it in {PASSWORD_VARIABLE}")
    if parts.scheme not in _PORTS or not parts.hostname or parts.path not in ("", "/") or parts.fragment:
        raise EndpointError(f"broker {url!r}: not a broker's URL; write mqtt://host:port or mqtts://host:port")
    files = dict(parse_qsl(parts.query, keep_blank_values=True))
    if unknown := sorted(files.keys() - set(_FILES)):
        raise EndpointError(f"broker {url!r}: unknown option {unknown[0]!r}; allowed are {', '.join(_FILES)}")
    tls = parts.scheme == "mqtts"
    if files and not tls:
        raise EndpointError(f"broker {url!r}: certificates need mqtts://")
    if ("cert" in files) != ("key" in files):
        raise EndpointError(f"broker {url!r}: cert and key go together")
    user = unquote(parts.username or "")
    endpoint = Endpoint(
        parts.hostname,
        port or _PORTS[parts.scheme],
        tls,
        user,
        environ.get(PASSWORD_VARIABLE, "") if user else "",
        **files,
    )
    if not insecure_lab and not is_loopback(endpoint.host):
        if not tls:
            raise EndpointError(f"broker {endpoint}: not encrypted; use mqtts:// or set insecure_lab in a laboratory")
        if not user and not endpoint.cert:
            raise EndpointError(f"broker {endpoint}: anonymous; give a user or a client certificate (cert, key)")
    return endpoint


def is_loopback(host: str) -> bool:
    """True for this machine's own loopback addresses and ``localhost``."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
