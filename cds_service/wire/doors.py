"""Who may call, and from which browser page."""

from __future__ import annotations

from typing import Protocol

from flask import Request, Response

ALLOWED_HEADERS = "Authorization, Content-Type"
ALLOWED_METHODS = "GET, POST, OPTIONS"
A_DAY = "86400"


class Doorkeeper(Protocol):
    """Decides about a request before anything of it is read."""

    def admit(self, request: Request) -> Response | None:
        """None to go on, or the refusal."""
        ...


class OpenDoor:
    """Admits every request."""

    def admit(self, request: Request) -> Response | None:
        """None."""
        return None


def add_cross_origin(response: Response) -> Response:
    """The response with the headers that browser clients need, on errors too."""
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Expose-Headers"] = "X-Request-ID"
    return response


def preflight() -> Response:
    """The answer to a browser's OPTIONS, which carries no token and comes before any door."""
    headers = {"Access-Control-Allow-Methods": ALLOWED_METHODS, "Access-Control-Allow-Headers": ALLOWED_HEADERS, "Access-Control-Max-Age": A_DAY}
    return Response(status=204, headers=headers)
