"""A real server over the starter knowledge base, in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

CLI = "from {0}.cli import main; main()"


@dataclass
class Server:
    """A running `cds-service serve`."""

    process: subprocess.Popen[str]
    url: str
    state: Path
    log: Path

    def stop(self) -> int:
        """Ends it the way an operator does; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=20)

    def get(self, path: str) -> tuple[int, bytes]:
        return send(f"{self.url}{path}")

    def post(self, path: str, body: bytes) -> tuple[int, bytes]:
        return send(f"{self.url}{path}", body)


def send(url: str, body: bytes | None = None) -> tuple[int, bytes]:
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as e:
        return e.code, e.read()


def command(package: str, *arguments: Any) -> list[str]:
    return [sys.executable, "-c", CLI.format(package), *(str(a) for a in arguments)]


@pytest.fixture(scope="session")
def knowledge(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter knowledge base as the command line builds it."""
    out = tmp_path_factory.mktemp("knowledge") / "starter"
    subprocess.run(
        command("kb_builder", "build", "--source", repository / "fixtures" / "monographs", "--out", out), check=True, cwd=repository, capture_output=True
    )
    return out


@pytest.fixture
def start(knowledge: Path, repository: Path, tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers; each is ended with the test."""
    running: list[Server] = []

    def run(*arguments: Any, state: Path | None = None, environ: dict[str, str] | None = None) -> Server:
        folder = state or tmp_path / f"state{len(running)}"
        log = tmp_path / f"serve{len(running)}.log"
        with log.open("w") as out:
            process = subprocess.Popen(
                command("cds_service", "serve", "--release", knowledge, "--port", 0, "--state", folder, *arguments),
                stdout=out, stderr=subprocess.STDOUT, text=True, cwd=repository, env={**os.environ, **(environ or {})},
            )  # fmt: skip
        server = Server(process, "", folder, log)
        running.append(server)
        end = time.monotonic() + 60
        while "Listening at: " not in log.read_text() or not log.read_text().split("Listening at: ")[1].split(" ")[0]:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        server.url = log.read_text().split("Listening at: ")[1].split(" ")[0]
        assert send(f"{server.url}/health")[0] == 200
        return server

    yield run
    for server in running:
        server.stop()


@pytest.fixture
def sample(repository: Path) -> bytes:
    return (repository / "fixtures" / "requests" / "sample-order-sign.json").read_bytes()


@pytest.fixture(scope="session")
def command_of() -> Callable[..., list[str]]:
    """The command line of a package, as a list for a process."""
    return command
