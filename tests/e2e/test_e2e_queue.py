"""The background task through a real broker and a real worker: nothing in the clear in the queue, the verdict on the evidence page."""

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

SIGN = "/cds-services/pharmgraph-order-sign"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[str]:
    """A redis-server of our own."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("absent: redis-server")
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    process = subprocess.Popen([program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)], stdout=subprocess.DEVNULL)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.05)
    yield f"redis://127.0.0.1:{port}/0"
    process.terminate()
    process.wait(10)


@pytest.mark.redis
@pytest.mark.slow
def test_a_recheck_goes_through_the_broker_encrypted_and_its_verdict_comes_back(
    start: Callable[..., Any], sample: bytes, broker: str, knowledge: Path, repository: Path, command_of: Callable[..., list[str]], tmp_path: Path
) -> None:
    import redis

    server = start("--workers", 1, "--broker", broker)
    cards = json.loads(server.post(SIGN, sample)[1])["cards"]
    queue = redis.Redis.from_url(broker)
    (message,) = queue.lrange("pharmgraph", 0, -1)
    assert b"warfarin" not in message
    assert cards[0]["extension"]["org.pharmgraph.trace"].encode() not in message
    path = cards[0]["links"][0]["url"].removeprefix(server.url).split("#")[0]
    assert "quotes stand" not in server.get(path)[1].decode()
    with (tmp_path / "worker.log").open("w") as log:
        worker = subprocess.Popen(
            command_of("cds_service", "work", "--release", knowledge, "--state", server.state, "--broker", broker), stdout=log, stderr=log, cwd=repository
        )
    try:
        end = time.monotonic() + 60
        while "quotes stand" not in server.get(path)[1].decode() and time.monotonic() < end and worker.poll() is None:
            time.sleep(0.2)
        assert "quotes stand" in server.get(path)[1].decode(), (tmp_path / "worker.log").read_text()
        assert queue.llen("pharmgraph") == 0
    finally:
        worker.terminate()
        worker.wait(20)
