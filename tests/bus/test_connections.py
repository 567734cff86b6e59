"""Connections as sites have them: TLS with client certificates, brokers that refuse, outside followers."""

from __future__ import annotations

import datetime
import socket
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from controller.bus.backoff import Backoff
from controller.bus.broker import free_port
from controller.bus.endpoint import Endpoint, parse_endpoint
from controller.bus.follower import Follower
from controller.bus.keys import unsigned_request
from controller.bus.link import Link, LinkError
from controller.bus.nats import find_nats_server
from controller.bus.topics import Topics
from controller.bus.wire import Message, from_json

if TYPE_CHECKING:
    from bench.brokers import Mosquitto
    from tests.bus.conftest import Table

TOPICS = Topics("lv1", "bj-012")
Until = Callable[..., None]
MakeBroker = Callable[..., "Mosquitto"]


@dataclass
class Authority:
    """A certificate authority in a folder."""

    folder: Path

    def __post_init__(self) -> None:
        self._key = Ed25519PrivateKey.generate()
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "floor authority")])
        self._write("ca", self._name, self._key, authority=True)

    def issue(self, common_name: str) -> None:
        self._write(common_name, x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)]), None)

    def _write(self, file: str, name: x509.Name, key: Ed25519PrivateKey | None, *, authority: bool = False) -> None:
        own = key or Ed25519PrivateKey.generate()
        now = datetime.datetime.now(datetime.UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._name)
            .public_key(own.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        )
        certificate = builder.sign(self._key, None)
        (self.folder / f"{file}.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
        pem = own.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (self.folder / f"{file}.key").write_bytes(pem)


@pytest.fixture
def follow() -> Iterator[Callable[..., Follower]]:
    made: list[Follower] = []

    def make(endpoint: Endpoint, *filters: str) -> Follower:
        made.append(Follower([endpoint], "desk-1", filters, backoff=Backoff(0.05, 0.3)))
        made[-1].start()
        return made[-1]

    yield make
    for follower in made:
        follower.stop()


# paho leaves the socket of a failed handshake to the garbage collector.
@pytest.mark.filterwarnings("ignore:unclosed <ssl.SSLSocket:ResourceWarning")
@pytest.mark.broker
def test_tls_with_a_client_certificate(make_mosquitto: MakeBroker, table: Table, until: Until, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    authority.issue("localhost")
    authority.issue("bj-012")
    broker = make_mosquitto(
        f"cafile {tmp_path}/ca.pem\ncertfile {tmp_path}/localhost.pem\nkeyfile {tmp_path}/localhost.key\n"
        "require_certificate true\nuse_identity_as_username true\nuser root\n"
    )
    base = f"mqtts://localhost:{broker.port}?ca={tmp_path}/ca.pem"
    good = parse_endpoint(f"{base}&cert={tmp_path}/bj-012.pem&key={tmp_path}/bj-012.key", {})
    table.append(3)
    publisher = table.publish(good)
    until(lambda: publisher.health().acknowledged == 3, "published over TLS")
    (tmp_path / "other").mkdir()
    Authority(tmp_path / "other")
    for bad in (
        parse_endpoint(base, {}),
        parse_endpoint(f"mqtts://localhost:{broker.port}?ca={tmp_path}/other/ca.pem", {}),
        parse_endpoint(f"mqtts://localhost:{broker.port}?ca={tmp_path}/no-such-file", {}),
        Endpoint("localhost", broker.port),
    ):
        link = Link(bad, "x", None, 1000)
        with pytest.raises(LinkError, match=f"broker {bad}: ") as caught:
            link.open()
        assert "\n" not in str(caught.value)


@pytest.mark.broker
def test_a_broker_that_refuses_is_named(make_mosquitto: MakeBroker, table: Table, until: Until) -> None:
    broker = make_mosquitto("", anonymous=False)
    publisher = table.publish(broker.endpoint)
    until(lambda: "refused" in publisher.health().trouble, "the refusal")
    assert "check user, password and certificate" in publisher.health().trouble


@pytest.fixture
def guarded_nats(tmp_path: Path, until: Until) -> Iterator[int]:
    """A nats-server that knows a table by password and does not let it hear commands; yields its MQTT
    port.
    """
    port = free_port()
    config = tmp_path / "guarded.conf"
    config.write_text(
        f'server_name: "guarded"\nhost: "127.0.0.1"\nport: -1\njetstream {{ store_dir: "{tmp_path}/store" }}\n'
        f'mqtt {{ host: "127.0.0.1", port: {port} }}\n'
        'authorization { users = [{ user: "bj-012", password: "s3cret", permissions: {\n'
        '  publish: ">", subscribe: { deny: ["tablewatch.v1.lv1.bj-012.cmd.*"] } } }] }\n'
    )
    binary = find_nats_server()
    assert binary is not None
    process = subprocess.Popen([binary, "-c", config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: answers(port), "nats listens")
    yield port
    process.kill()
    process.wait()


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.broker
def test_passwords_and_denied_subscriptions_are_named(guarded_nats: int, table: Table, until: Until) -> None:
    url = f"mqtt://bj-012@localhost:{guarded_nats}"
    table.append(2)
    wrong = table.publish(parse_endpoint(url, {"TABLEWATCH_MQTT_PASSWORD": "guess"}))
    until(lambda: "check user, password" in wrong.health().trouble, "the refusal")
    table.stop()
    publisher = table.publish(parse_endpoint(url, {"TABLEWATCH_MQTT_PASSWORD": "s3cret"}))
    until(lambda: f"refused to subscribe {TOPICS.base}/cmd/+" in publisher.health().trouble, "the denial")
    until(lambda: publisher.health().acknowledged == 2, "published all the same")


@pytest.mark.broker
def test_a_follower_hears_and_asks(
    mosquitto: Mosquitto, table: Table, follow: Callable[..., Follower], until: Until
) -> None:
    table.append(2)
    table.publish(mosquitto.endpoint)
    follower = follow(mosquitto.endpoint, f"{TOPICS.base}/status", TOPICS.rsp("desk-1"))
    status = follower.next(30.0)
    assert status is not None
    assert from_json(status.payload, 1000)["state"] == "init"
    follower.send(Message(TOPICS.cmd("ping"), unsigned_request("desk-1", "p")))
    answer = follower.next(30.0)
    assert answer is not None
    assert from_json(answer.payload, 1000)["head"] == 2
    mosquitto.kill()
    until(lambda: "connection lost" in follower.trouble or "is it running" in follower.trouble, "the loss")
    mosquitto.start()
    until(lambda: not follower.trouble, "connected again")
    assert follower.next(30.0) is not None
    assert follower.dropped == 0
