"""`fire`: sends a request file to a running service and prints its cards."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from typing import Any

import click

from cds_service.cli.exits import REFUSED, sentences, stop
from cds_service.cli.readable import render_cards
from cds_service.cli.request_file import read_request_file
from cds_service.errors import NotJson, ServerUnreachable

STEP = 0.2


@click.command()
@click.argument("request_file", metavar="REQUEST.json")
@click.option("--url", default="http://127.0.0.1:8080", show_default=True, help="Base URL of the service.")
@click.option("--wait", default=0.0, type=click.FloatRange(0), help="Seconds to wait until the service is ready.")
@click.option("--timeout", default=30.0, type=click.FloatRange(0.1), help="Seconds to wait for the answer.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as received.")
@sentences
def fire(request_file: str, url: str, wait: float, timeout: float, as_json: bool) -> None:
    """Signs the orders of a CDS Hooks request at a running service (`-` reads standard input)."""
    raw = read_request_file(request_file)
    base = url.rstrip("/")
    await_ready(base, wait)
    status, body = _send(f"{base}/cds-services/{_service(base, raw, timeout)}", raw, timeout)
    if as_json or status != 200:
        click.echo(body.decode("utf-8", "replace"))
    if status != 200:
        raise stop(f"the service answered {status}: {_diagnostics(body)}", REFUSED)
    if not as_json:
        click.echo(render_cards(json.loads(body)["cards"]))


def await_ready(base: str, seconds: float) -> None:
    """Returns when /health answers 200. Raises ServerUnreachable when it does not within the seconds."""
    end = time.monotonic() + seconds
    while True:
        try:
            status, body = _send(f"{base}/health", None, 5)
            if status == 200:
                return
            said = f"answers {status}: {_diagnostics(body)}"
        except ServerUnreachable as e:
            said = str(e)
        if time.monotonic() >= end:
            raise ServerUnreachable(f"{base} is not ready: {said}; start it with cds-service serve, or give --wait SECONDS")
        time.sleep(STEP)


def _service(base: str, raw: bytes, timeout: float) -> str:
    """The id of the service that discovery lists for the request's hook; the first for a hook it does not list."""
    try:
        hook = json.loads(raw).get("hook")
    except (ValueError, AttributeError, RecursionError) as e:
        raise NotJson("the request file is not a JSON object") from e
    services = json.loads(_send(f"{base}/cds-services", None, timeout)[1]).get("services") or [{}]
    return str(next((s["id"] for s in services if s.get("hook") == hook), services[0].get("id", "")))


def _send(url: str, body: bytes | None, timeout: float) -> tuple[int, bytes]:
    if not url.startswith(("http://", "https://")):
        raise ServerUnreachable(f"{url} is not an http address")
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"} if body is not None else {})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:  # noqa: S310
            return answer.status, answer.read()
    except urllib.error.HTTPError as e:
        return e.code, e.read()
    except (OSError, urllib.error.URLError) as e:
        raise ServerUnreachable(f"no answer from {url} ({getattr(e, 'reason', e)})") from e


def _diagnostics(body: bytes) -> str:
    """What an OperationOutcome says, or the beginning of the body."""
    try:
        found: Any = json.loads(body)
        return "; ".join(str(i.get("diagnostics", i.get("code"))) for i in found["issue"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return body[:200].decode("utf-8", "replace")
