import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

SIGN = "/cds-services/pharmgraph-order-sign"
Start = Callable[..., Any]


def test_orders_signed_side_by_side_are_all_answered_and_traced(start: Start, sample: bytes, tmp_path: Path) -> None:
    server = start("--workers", 2, environ={"TMPDIR": str(tmp_path)})
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: server.post(SIGN, sample), range(80)))
    assert {status for status, _ in answers} == {200}
    traces = {json.loads(body)["cards"][0]["extension"]["org.pharmgraph.trace"] for _, body in answers}
    assert len(traces) == 80
    summaries = {json.dumps([c["summary"] for c in json.loads(body)["cards"]]) for _, body in answers}
    assert len(summaries) == 1
    figures = server.get("/metrics")[1].decode()
    assert 'pharmgraph_requests_total{service="pharmgraph-order-sign",status="200"} 80.0' in figures
    assert json.loads(server.get("/ready")[1])["state"] == "writable"
    assert len(list(tmp_path.glob("pharmgraph-metrics-*"))) == 1
    assert server.stop() == 0
    assert not list(tmp_path.glob("pharmgraph-metrics-*"))


def test_the_link_of_a_card_opens_in_any_worker_and_shows_the_recheck(start: Start, sample: bytes) -> None:
    server = start("--workers", 2)
    cards = json.loads(server.post(SIGN, sample)[1])["cards"]
    path = cards[0]["links"][0]["url"].removeprefix(server.url).split("#")[0]
    end = time.monotonic() + 20
    while "quotes stand" not in (page := server.get(path)[1].decode()) and time.monotonic() < end:
        time.sleep(0.1)
    assert "Lovastatin and simvastatin are contraindicated" in page
    assert re.search(r"(\d+) of \1 quotes stand", re.sub(r"<[^>]+>", "", page))


def test_a_body_of_30_megabytes_hears_its_refusal(start: Start) -> None:
    server = start("--workers", 1)
    status, body = server.post(SIGN, b'{"a": "' + b"x" * 30_000_000 + b'"}')
    assert (status, json.loads(body)["resourceType"]) == (413, "OperationOutcome")
    host = server.url.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=60)
    connection.request("POST", SIGN, body=iter([b"x" * 100_000] * 300), headers={"Content-Type": "application/json"}, encode_chunked=True)
    assert connection.getresponse().status == 413
    assert server.get("/health")[0] == 200


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_that_dies_is_replaced_and_its_figures_are_kept(start: Start, sample: bytes, how: signal.Signals) -> None:
    server = start("--workers", 1)
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(server.process.pid)], capture_output=True, text=True, check=False).stdout.split()
    if not children:
        pytest.skip("absent: ps, to find the worker")
    assert server.post(SIGN, sample)[0] == 200
    os.kill(int(children[0]), how)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            if server.post(SIGN, sample)[0] == 200:
                break
        except OSError:
            time.sleep(0.1)
    else:
        pytest.fail("no worker came back")
    assert 'pharmgraph_requests_total{service="pharmgraph-order-sign",status="200"} 2.0' in server.get("/metrics")[1].decode()


def test_the_log_is_json_without_patient_data_and_the_key_is_told(start: Start, sample: bytes) -> None:
    server = start("--workers", 1)
    body = sample.replace(b"warfarin-knee-pain", b"zaphod-beeblebrox")
    cards = json.loads(server.post(SIGN, body)[1])["cards"]
    server.get(cards[0]["links"][0]["url"].removeprefix(server.url).split("#")[0])
    server.get("/evidence/zaphod-beeblebrox")
    server.stop()
    log = server.log.read_text()
    lines = [json.loads(line) for line in log.splitlines()]
    assert "beeblebrox" not in log
    assert "eyJ" not in log
    assert any("site key" in line["message"] for line in lines)
    assert sum(line["message"] == "request" for line in lines) == 3


def test_state_survives_a_restart(start: Start, sample: bytes, tmp_path: Path) -> None:
    first = start("--workers", 1, state=tmp_path / "kept")
    url = json.loads(first.post(SIGN, sample)[1])["cards"][0]["links"][0]["url"]
    first.stop()
    second = start("--workers", 1, state=tmp_path / "kept")
    status, page = second.get(url.removeprefix(first.url).split("#")[0])
    assert (status, b"contraindicated" in page) == (200, True)


@pytest.mark.shared
def test_recorded_requests_are_answered_by_the_specification(start: Start, shared: Path) -> None:
    server = start("--workers", 1)
    tool = [sys.executable, str(shared / "benchmark" / "check_wire.py"), "--base-url", server.url, str(shared / "data" / "cds-hooks")]
    checked = subprocess.run(tool, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
    assert " 0 breaches" in checked.stdout


@pytest.mark.shared
@pytest.mark.slow
def test_every_answer_says_which_data_are_missing(start: Start, shared: Path) -> None:
    server = start("--workers", 2, "--reference-time-from-request")
    for way in ("drop", "fail"):
        for kind in ("medications", "conditions", "allergies", "observations"):
            tool = [
                sys.executable,
                str(shared / "benchmark" / "run_cases.py"),
                "run",
                str(shared / "benchmark" / "cases-dev"),
                "--base-url",
                server.url,
                "--variant",
                f"{way}:{kind}",
            ]
            checked = subprocess.run(tool, capture_output=True, text=True, check=False)
            assert checked.returncode == 0, checked.stdout


def answer_on(connection: socket.socket) -> tuple[int, bytes]:
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    return answer.status, answer.read()


def test_clients_that_send_slowly_or_not_at_all_do_not_keep_the_threads(start: Start, sample: bytes) -> None:
    server = start("--workers", 1, "--threads", 1, environ={"PHARMGRAPH_READ_SECONDS": "1"})
    host, port = server.url.removeprefix("http://").split(":")
    head = f"POST {SIGN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n"
    with socket.create_connection((host, int(port)), timeout=30) as slow, socket.create_connection((host, int(port)), timeout=30) as slower:
        slow.sendall(f'{head}\r\n{{"a"'.encode())
        slower.sendall(head.encode())
        time.sleep(0.2)
        assert server.post(SIGN, sample)[0] == 200
        status, body = answer_on(slow)
        assert status == 400
        assert b"ended after 4 of 100 bytes, or came too slowly" in body


def test_a_body_that_is_not_framed_as_http_is_a_refusal(start: Start) -> None:
    server = start("--workers", 1)
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as client:
        client.sendall(f"POST {SIGN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n".encode())
        status, body = answer_on(client)
    assert (status, json.loads(body)["resourceType"]) == (400, "OperationOutcome")
    assert "request broke" not in server.log.read_text()
