"""A real Bolt server for the session, and the small release of the store's tests."""

from __future__ import annotations

import importlib.util
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ontology.model.errors import StoreError
from ontology.store.graph_bolt import BoltGraph

sys.path.insert(0, str(Path(__file__).parent.parent / "ontology" / "store"))

START_SECONDS = 60


@dataclass(frozen=True)
class BoltServer:
    """Where the server listens, and who may come in."""

    url: str
    user: str
    password: str
    database: str
    scratch: str  # a second database, for what is loaded and thrown away


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def bolt_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoltServer]:
    """An ArcadeDB process with its Bolt plugin on free ports, stopped at the end of the session."""
    found = importlib.util.find_spec("arcadedb_embedded")
    if found is None or found.origin is None:
        pytest.skip("absent: the Bolt test server (pip install arcadedb-embedded, part of the extra 'dev')")
    if importlib.util.find_spec("neo4j") is None:
        pytest.skip("absent: the neo4j driver (pip install 'pharmgraph-cds[cluster]')")
    home = Path(found.origin).parent
    folder = tmp_path_factory.mktemp("bolt-server")
    port, password = _free_port(), secrets.token_hex(8)
    settings = {
        "arcadedb.server.rootPath": str(folder),
        "arcadedb.server.rootPassword": password,
        "arcadedb.server.mode": "production",
        "arcadedb.server.httpIncomingHost": "127.0.0.1",
        "arcadedb.server.httpIncomingPort": str(_free_port()),
        "arcadedb.server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        "arcadedb.bolt.host": "127.0.0.1",
        "arcadedb.bolt.port": str(port),
        "arcadedb.server.defaultDatabases": "kb[root];scratch[root]",
        "arcadedb.command.timeout": "5000",
    }
    command = [
        str(home / "jre" / "bin" / "java"),
        *("-Xms128m", "-Xmx768m", "--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"),
        *("--add-opens", "java.base/java.nio=ALL-UNNAMED", "--add-exports", "java.management/sun.management=ALL-UNNAMED"),
        *(f"-D{name}={value}" for name, value in settings.items()),
        *("-cp", f"{home}/jars/*", "com.arcadedb.server.ArcadeDBServer"),
    ]
    log = folder / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, cwd=folder)
    try:
        server = BoltServer(f"bolt://127.0.0.1:{port}", "root", password, "kb", "scratch")
        _await(server, process, log)
        yield server
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _await(server: BoltServer, process: subprocess.Popen[bytes], log: Path) -> None:
    """Returns when the server answers a query: it listens before its database is open."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        if process.poll() is not None:
            pytest.fail(f"the Bolt test server ended with {process.returncode}:\n{log.read_text(errors='replace')[-2000:]}")
        stores = [BoltGraph(server.url, server.user, server.password, database=name) for name in (server.database, server.scratch)]
        try:
            for store in stores:
                store.run("MATCH (n:Drug) RETURN n.code AS code", {})
        except StoreError:
            time.sleep(0.3)
        else:
            return
        finally:
            for store in stores:
                store.close()
    pytest.fail(f"the Bolt test server did not answer within {START_SECONDS} s:\n{log.read_text(errors='replace')[-2000:]}")
