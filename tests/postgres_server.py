"""A PostgreSQL of its own for tests: made in a temporary folder, on a socket and a free port of this machine, and gone afterwards."""

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path

import pytest

_PATIENCE = 60.0
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    # Tests kill the server, never the machine: what it wrote is there when it starts again.
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "60",
    "autovacuum_naptime": "5s",
}


@cache
def programs() -> Path | None:
    """The folder with `initdb` and `postgres`, of the newest version that is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


def why_not() -> str:
    """Why no server can be started here; empty if one can."""
    if programs() is None:
        return "PostgreSQL is not installed: apt-get install postgresql"
    try:
        import psycopg  # noqa: F401, PLC0415 - it is an extra
    except ImportError:
        return "psycopg is not installed: pip install 'thresher[postgres]'"
    return ""


class PostgresServer:
    """A server that runs until `close`. It can be killed and started again."""

    def __init__(self, **settings: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="thresher-postgres-"))
        self.port = _free_port()
        self.password = secrets.token_hex(8)
        self._settings = _SETTINGS | settings
        # It ends with us, also when we are killed.
        self._as_owner = ["setpriv", "--pdeathsig=QUIT"] if shutil.which("setpriv") else []
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            self._as_owner += ["--reuid=nobody", "--regid=nogroup", "--clear-groups"]
            shutil.chown(self.folder, "nobody", "nogroup")
        secret = self.folder / "password"
        secret.write_text(self.password)
        secret.chmod(0o644)
        self._run(
            "initdb",
            "-D",
            self.data,
            "-U",
            "thresher",
            "-A",
            "scram-sha-256",
            "--pwfile",
            secret,
            "-E",
            "UTF8",
            "--no-sync",
        )
        self.start()

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def url(self, database: str = "postgres", user: str = "thresher", password: str | None = None) -> str:
        """Where to connect to, as a user writes it."""
        return f"postgresql://{user}:{password or self.password}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = [f"-c{name}={value}" for name, value in self._settings.items()]
        command = [programs() / "postgres", "-D", self.data, "-p", str(self.port), "-k", self.folder, *options]
        with (self.folder / "log").open("ab") as log:
            self._server = subprocess.Popen([*self._as_owner, *command], stdout=log, stderr=log, start_new_session=True)
        end = time.monotonic() + _PATIENCE
        while self._answers() != 0:
            if self._server.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"PostgreSQL did not start: {(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill the server and all its processes with -9, as a power cut would; what it had not written is lost."""
        self._server.send_signal(signal.SIGSTOP)  # so that it starts no more of them meanwhile
        children = subprocess.run(["pgrep", "-P", str(self._server.pid)], capture_output=True, text=True, check=False)
        processes = [self._server.pid, *map(int, children.stdout.split())]
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._server.wait()
        while any(map(_runs, processes)):
            time.sleep(0.01)
        # Where no init process clears away the dead, the number in it is still taken, and no server would start.
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def close(self) -> None:
        """Stop the server and remove all that it wrote."""
        if self._server.poll() is None:
            self._server.send_signal(signal.SIGQUIT)
            try:
                self._server.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def cpu_seconds(self) -> float:
        """CPU time of the server and of all its processes, those that ended included."""
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = stat.read_text().rpartition(")")[2].split()
                if int(stat.parent.name) == self._server.pid:
                    ticks += sum(map(int, fields[11:15]))
                elif int(fields[1]) == self._server.pid:
                    ticks += sum(map(int, fields[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def _answers(self) -> int:
        asked = [programs() / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(asked, check=False).returncode

    def _run(self, program: str, *arguments: object) -> None:
        command = [*self._as_owner, str(programs() / program), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=False)
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stderr[-2000:]}")


def _runs(process: int) -> bool:
    """Whether a process is there, and not only what remains of it until somebody clears it away."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _free_port() -> int:
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        return int(some.getsockname()[1])


@contextlib.contextmanager
def running_server(**settings: str):
    """A server for as long as the `with` lasts; the test is skipped with a sentence where there is none."""
    if why := why_not():
        pytest.skip(why)
    server = PostgresServer(**settings)
    try:
        yield server
    finally:
        server.close()


@pytest.fixture(scope="session")
def postgres():
    """One server for all tests of a process."""
    with running_server() as server:
        yield server


@pytest.fixture
def schema():
    """The name of a schema that nobody has."""
    return f"crawl_{secrets.token_hex(6)}"
