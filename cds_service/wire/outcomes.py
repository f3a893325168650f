"""Every answer other than 2xx: an OperationOutcome that says what was wrong and where."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from flask import Response
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from cds_service.errors import (
    BodyIncomplete,
    BodyTooDeep,
    BodyTooLarge,
    MembersMissing,
    NotJson,
    NotReady,
    PatientMissing,
    ServiceError,
    StateBroken,
    UnknownService,
    WrongContentType,
    WrongHook,
)
from ontology.model.errors import OntologyError

JSON = "application/json; charset=utf-8"

STATUS: tuple[tuple[type[Exception], int, str], ...] = (
    (NotJson, 400, "structure"),
    (MembersMissing, 400, "required"),
    (BodyTooDeep, 400, "structure"),
    (UnknownService, 404, "not-found"),
    (PatientMissing, 412, "required"),
    (BodyIncomplete, 400, "incomplete"),
    (BodyTooLarge, 413, "too-long"),
    (WrongContentType, 415, "not-supported"),
    (WrongHook, 422, "not-supported"),
    (NotReady, 503, "transient"),
    (StateBroken, 503, "transient"),
    (OntologyError, 503, "transient"),
)
"""Error, status code and FHIR issue type; what is not listed is a fault of the service."""

ISSUE_OF_STATUS = {
    400: "invalid",
    401: "login",
    403: "forbidden",
    404: "not-found",
    405: "not-supported",
    413: "too-long",
    415: "not-supported",
    429: "throttled",
}

SAID_OF_STATUS = {404: "nothing is served at this path; discovery is at /cds-services", 405: "this path does not take the method; see the Allow header"}


def refuse(error: ServiceError | OntologyError) -> Response:
    """The answer to an error of ours."""
    status, code = next(((s, c) for kind, s, c in STATUS if isinstance(error, kind)), (500, "exception"))
    text = str(error) if status != 500 else "the request could not be processed"
    return outcome(status, code, text, getattr(error, "where", ()))


def refuse_http(error: HTTPException) -> Response:
    """The answer to an error of the framework (no such path, method not allowed, body too large), with its headers."""
    status = error.code or 500
    if isinstance(error, RequestEntityTooLarge):
        return outcome(413, "too-long", "the body is larger than the limit: send fewer prefetch data")
    answer = outcome(status, ISSUE_OF_STATUS.get(status, "processing"), SAID_OF_STATUS.get(status) or error.description or error.name)
    for name, value in error.get_headers():
        if name.lower() not in ("content-type", "content-length"):
            answer.headers[name] = value
    return answer


def outcome(status: int, code: str, text: str, where: Sequence[str] = ()) -> Response:
    """An answer that is an OperationOutcome with one issue."""
    return json_answer(outcome_body(code, text, where), status)


def outcome_body(code: str, text: str, where: Sequence[str] = ()) -> dict[str, object]:
    """An OperationOutcome with one issue."""
    issue: dict[str, object] = {"severity": "error", "code": code, "diagnostics": text}
    if where:
        issue["expression"] = list(where)
    return {"resourceType": "OperationOutcome", "issue": [issue]}


def json_answer(value: object, status: int = 200) -> Response:
    """A JSON body in UTF-8; decimals are written as the numbers they were read as."""
    return Response(_ENCODER.encode(value), status=status, content_type=JSON)


def encode(value: object) -> bytes:
    """The JSON of an answer."""
    return _ENCODER.encode(value)


_ENCODER = msgspec.json.Encoder(decimal_format="number")
