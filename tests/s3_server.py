"""An S3-compatible store of its own for tests: on loopback, in memory, with users whose signatures and rights are checked."""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
from typing import NamedTuple

import pytest

_PATIENCE = 30.0
_OPEN_REQUESTS = 7
"""So many requests are taken from anybody, while bucket and users are made; then every one is checked."""


def why_not() -> str:
    """Why no store can be started here; empty if one can."""
    try:
        import flask_cors  # noqa: F401, PLC0415 - extras
        import moto.server  # noqa: F401, PLC0415
        import s3fs  # noqa: F401, PLC0415
    except ImportError as lacking:
        return f"there is no S3 store to test with ({lacking}): pip install '.[s3,interop]'"
    return ""


class Login(NamedTuple):
    key: str
    secret: str


class S3Server:
    """A store that runs until `stop`."""

    def __init__(self) -> None:
        """Start it, make a bucket, and a user who may do everything and one who may only read."""
        with socket.socket() as some:
            some.bind(("127.0.0.1", 0))
            self.port = int(some.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.bucket = f"warcs-{secrets.token_hex(4)}"
        ends_with_us = ["setpriv", "--pdeathsig=KILL"] if shutil.which("setpriv") else []
        command = [*ends_with_us, sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]
        environment = os.environ | {"INITIAL_NO_AUTH_ACTION_COUNT": str(_OPEN_REQUESTS)}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._server = subprocess.Popen(command, env=environment, start_new_session=True, **quiet)
        end = time.monotonic() + _PATIENCE
        while not self._answers():
            if self._server.poll() is not None or time.monotonic() > end:
                raise RuntimeError("the S3 store did not start")
            time.sleep(0.05)
        self._client("s3").create_bucket(Bucket=self.bucket)
        self.login, self.reader = self._user("all", ["s3:*"]), self._user("reader", ["s3:GetObject", "s3:ListBucket"])

    def stop(self) -> None:
        """Stop it at once; what it had is gone."""
        self._server.kill()
        self._server.wait()

    def environment(self, login: Login | None = None, url: str = "") -> dict[str, str]:
        """What a worker must have in its environment to use it."""
        login = login or self.login
        return {
            "AWS_ENDPOINT_URL": url or self.url,
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_ACCESS_KEY_ID": login.key,
            "AWS_SECRET_ACCESS_KEY": login.secret,
        }

    def objects(self, prefix: str) -> dict[str, bytes]:
        """What lies under a prefix, as another client sees it."""
        client = self._client("s3", self.login)
        found = client.list_objects_v2(Bucket=self.bucket, Prefix=f"{prefix}/").get("Contents", [])
        return {
            each["Key"].rpartition("/")[2]: client.get_object(Bucket=self.bucket, Key=each["Key"])["Body"].read()
            for each in found
        }

    def put(self, key: str, body: bytes) -> None:
        """As another client does."""
        self._client("s3", self.login).put_object(Bucket=self.bucket, Key=key, Body=body)

    def remove(self, key: str) -> None:
        """As somebody might do by mistake."""
        self._client("s3", self.login).delete_object(Bucket=self.bucket, Key=key)

    def _user(self, name: str, actions: list[str]) -> Login:
        client = self._client("iam")
        client.create_user(UserName=name)
        rights = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": actions, "Resource": "*"}]}
        client.put_user_policy(UserName=name, PolicyName="rights", PolicyDocument=json.dumps(rights))
        made = client.create_access_key(UserName=name)["AccessKey"]
        return Login(made["AccessKeyId"], made["SecretAccessKey"])

    def _client(self, service: str, login: Login | None = None):
        import boto3  # noqa: PLC0415 - moto brings it

        key, secret = login or Login("anybody", "anything")
        return boto3.client(
            service,
            endpoint_url=self.url,
            region_name="us-east-1",
            aws_access_key_id=key,
            aws_secret_access_key=secret,
        )

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False


class Gate:
    """The way to a store. While it is shut, whoever asks is cut off, as when the network is down; open lines are cut as well."""

    def __init__(self, port: int) -> None:
        self.is_open = True
        self._to, self._lines = port, []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        threading.Thread(target=self._let_in, daemon=True).start()

    def shut(self) -> None:
        self.is_open = False
        for line in self._lines:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        self._lines.clear()

    def close(self) -> None:
        self.shut()
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()

    def _let_in(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                guest, _ = self._door.accept()
                if not self.is_open:
                    guest.close()
                    continue
                host = socket.create_connection(("127.0.0.1", self._to))
                self._lines += guest, host
                for here, there in ((guest, host), (host, guest)):
                    threading.Thread(target=_pass_on, args=(here, there), daemon=True).start()


def _pass_on(here: socket.socket, there: socket.socket) -> None:
    with contextlib.suppress(OSError), here:
        while piece := here.recv(1 << 16):
            there.sendall(piece)
    with contextlib.suppress(OSError):
        there.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="session")
def s3_server():
    """One store for all tests of a process; they are skipped with a sentence where there is none."""
    if why := why_not():
        pytest.skip(why)
    server = S3Server()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def s3(s3_server, monkeypatch):
    """The store, with its credentials in the environment."""
    use(s3_server, monkeypatch)
    return s3_server


@pytest.fixture
def gate(s3_server, monkeypatch):
    """The way to the store, which can be shut."""
    gate = Gate(s3_server.port)
    use(s3_server, monkeypatch, url=gate.url)
    yield gate
    gate.close()


def use(server, monkeypatch, login=None, url=""):
    """Have this process use a store, as a certain user; what it knew of others is forgotten."""
    from thresher.warc import file_places  # noqa: PLC0415

    file_places._store.cache_clear()
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    for name, value in server.environment(login, url).items():
        monkeypatch.setenv(name, value)
