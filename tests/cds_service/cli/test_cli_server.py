import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result
from werkzeug.serving import make_server

from cds_service.settings import Settings
from cds_service.wire.app import create_app

Run = Callable[..., Result]


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that another program listens on."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen()
        yield s.getsockname()[1]


@pytest.fixture
def url(starter: Path, tmp_path: Path) -> Iterator[str]:
    """A service in a thread."""
    app = create_app(Settings(release=starter, state=tmp_path / "state"))
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    app.extensions["pharmgraph"].close()


def test_a_busy_port_is_one_sentence(run: Run, starter: Path, tmp_path: Path, taken: int) -> None:
    result = run("serve", "--release", starter, "--port", taken, "--state", tmp_path / "s")
    assert result.exit_code == 5
    assert f"127.0.0.1:{taken}" in result.stderr
    assert "--port" in result.stderr
    assert not (tmp_path / "s").exists()


def test_a_missing_release_is_one_sentence(run: Run, tmp_path: Path) -> None:
    result = run("serve", "--release", tmp_path / "none", "--port", 0, "--state", tmp_path / "s")
    assert result.exit_code == 3
    assert str(tmp_path / "none") in result.stderr
    assert "PROMETHEUS_MULTIPROC_DIR" not in os.environ


def test_settings_that_are_missing_or_wrong_are_named(run: Run) -> None:
    assert run("serve").exit_code == 4
    assert "release" in run("serve").stderr
    assert "port" in run("serve", "--release", "r", "--port", 99999).stderr


def test_fire_prints_the_cards_of_a_running_service(run: Run, url: str, repository: Path) -> None:
    result = run("fire", repository / "fixtures/requests/sample-order-sign.json", "--url", url, "--wait", 10)
    assert result.exit_code == 0, result.stderr
    assert "[CRITICAL] Clarithromycin with simvastatin" in result.stdout
    assert "/evidence/" in result.stdout


def test_fire_finds_the_service_of_the_hook(run: Run, url: str, repository: Path) -> None:
    result = run("fire", repository / "fixtures/requests/order-select-clarithromycin-simvastatin.json", "--url", url, "--json")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith('{"cards":')


def test_fire_says_what_the_service_refused(run: Run, url: str, tmp_path: Path) -> None:
    request = tmp_path / "r.json"
    request.write_text('{"hook": "order-sign"}')
    result = run("fire", request, "--url", url)
    assert result.exit_code == 6
    assert "hookInstance" in result.stderr


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "http://no-such-host.invalid", "file:///etc/passwd"])
def test_fire_without_a_service_is_one_sentence(run: Run, repository: Path, address: str) -> None:
    result = run("fire", repository / "fixtures/requests/sample-order-sign.json", "--url", address)
    assert result.exit_code == 7
    assert address in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_the_commands_explain_themselves(run: Run) -> None:
    listed = run("--help").stdout
    assert all(name in listed for name in ("serve", "audit", "fire", "explain", "work"))
    for name in ("serve", "audit", "fire", "explain", "work"):
        assert run(name, "--help").exit_code == 0
