"""Errors of the service package. Only `wire` and `cli` translate them to status codes and exit codes.

ServiceError
├── SettingsError          a setting that cannot be used
├── RequestRefused         a request that is not answered, and why
│   ├── BodyTooLarge       more bytes than the limit
│   ├── BodyIncomplete     a body that ends before its announced length, comes too slowly or is not framed as HTTP
│   ├── BodyTooDeep        nested deeper than the limit
│   ├── NotJson            not JSON, or JSON that is not an object
│   ├── WrongContentType   a content type or encoding that is not read
│   ├── MembersMissing     a required member is absent or of the wrong type
│   ├── UnknownService     no service has this id
│   ├── WrongHook          the hook is not the one of the service
│   └── PatientMissing     the patient can be supplied neither by prefetch nor by a server
├── NotReady               no release is open
├── StateBroken            the state store cannot read or write
│   └── TraceMissing       no trace has this id
├── TraceUnreadable        a trace that the site key does not open
├── ReplayImpossible       a trace that the release at hand cannot reproduce
├── LinkRefused            an evidence link that opens nothing
│   ├── LinkMalformed      not the form of a link's token
│   ├── LinkForged         a token that this service did not sign
│   └── LinkExpired        a token whose time is over
├── FormularyUnreadable    a formulary file that cannot be read
├── DemoUnusable           a demo folder or patient file that cannot be read
└── ServerUnreachable      `fire` got no answer
"""

from __future__ import annotations


class ServiceError(Exception):
    """Root of the service's error tree."""


class SettingsError(ServiceError):
    """A setting that cannot be used: which, its value, what to do."""


class RequestRefused(ServiceError):
    """A request that is not answered. `where` names the members (FHIRPath-like) the refusal is about."""

    def __init__(self, message: str, where: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.where = where


class BodyTooLarge(RequestRefused):
    """More bytes than the limit."""


class BodyIncomplete(RequestRefused):
    """A body that ends before its announced length, comes too slowly or is not framed as HTTP."""


class BodyTooDeep(RequestRefused):
    """Nested deeper than the limit."""


class NotJson(RequestRefused):
    """Not JSON, or JSON that is not an object."""


class WrongContentType(RequestRefused):
    """A content type or encoding that is not read."""


class MembersMissing(RequestRefused):
    """A required member is absent or of the wrong type."""


class UnknownService(RequestRefused):
    """No service has this id."""


class WrongHook(RequestRefused):
    """The hook is not the one of the service."""


class PatientMissing(RequestRefused):
    """The patient can be supplied neither by prefetch nor by a server."""


class NotReady(ServiceError):
    """No release is open."""


class StateBroken(ServiceError):
    """The state store cannot read or write."""


class TraceMissing(StateBroken):
    """No trace has this id: it never existed, or its time is over."""


class TraceUnreadable(ServiceError):
    """A trace that the site key does not open."""


class ReplayImpossible(ServiceError):
    """A trace that the release at hand cannot reproduce."""


class ServerUnreachable(ServiceError):
    """No server answered at the address."""


class LinkRefused(ServiceError):
    """An evidence link that opens nothing."""


class LinkMalformed(LinkRefused):
    """Text that does not have the form of a link's token."""


class LinkForged(LinkRefused):
    """A token that this service did not sign with its present key."""


class LinkExpired(LinkRefused):
    """A token whose time is over."""


class FormularyUnreadable(ServiceError):
    """A formulary file that cannot be read: which line, what it says, what to do."""


class DemoUnusable(ServiceError):
    """A demo folder or patient file that cannot be read: which, what is wrong, what to do."""
