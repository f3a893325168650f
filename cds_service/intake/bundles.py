"""Bundles, arrays, wrappers and single resources to one list of resources, with what is wrong with the list."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from cds_service.intake.fhir.values import Resource, items, mapping, objects, text


class Entry(Struct, frozen=True):
    """One resource of a list. `included` marks a resource that came along and matches nothing asked."""

    resource: Resource
    where: str
    full_url: str | None = None
    included: bool = False


@dataclass(slots=True)
class Opened:
    """The resources of a value in received order, and why the list is not whole."""

    entries: list[Entry] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def open_value(value: Any, where: str) -> Opened:
    """The resources in a prefetch value or an order list: a Bundle of any type or none, an array, a `{response, resource}` wrapper, one resource."""
    opened = Opened()
    _open(value, where, opened)
    return opened


def _open(value: Any, where: str, opened: Opened, full_url: str | None = None, included: bool = False) -> None:
    if value is None:
        return
    if isinstance(value, list):
        for i, v in enumerate(value):
            if v is None:
                opened.faults.append(f"entry {i} is null")
            _open(v, f"{where}[{i}]", opened)
        return
    if not isinstance(value, dict):
        opened.faults.append(f"holds {_called(value)} where a FHIR resource is expected")
        return
    kind = text(value.get("resourceType"))
    if kind == "OperationOutcome":
        opened.faults.append(f"holds an OperationOutcome{_issue_codes(value)}: the data could not be retrieved in full")
    elif kind == "Bundle" or (kind is None and isinstance(value.get("entry"), list | dict)):
        _open_bundle(value, where, opened)
    elif kind is not None:
        opened.entries.append(Entry(value, where, full_url, included))
    elif "resource" in value:
        _open_wrapper(value, where, opened)
    elif any(k.startswith("medication") for k in value):
        opened.entries.append(Entry({"resourceType": "MedicationRequest", **value}, where, full_url, included))
    else:
        opened.faults.append("holds an object without resourceType")


def _open_wrapper(value: Resource, where: str, opened: Opened) -> None:
    """`{response, resource}`: some servers copy a batch entry. A response other than 2xx is a failure."""
    status = text(mapping(value.get("response")).get("status"))
    if status is not None and not status.startswith("2"):
        opened.faults.append(f"response status {status[:20]}")
    if value["resource"] is None:
        opened.faults.append("wrapper without a resource")
    _open(value["resource"], where, opened, text(value.get("fullUrl")))


def _open_bundle(bundle: Resource, where: str, opened: Opened) -> None:
    before = len(opened.entries)
    for i, entry in enumerate(items(bundle.get("entry"))):
        place = f"{where}.entry[{i}]"
        body = mapping(entry)
        mode = text(mapping(body.get("search")).get("mode"))
        if "resource" in body:
            status = text(mapping(body.get("response")).get("status"))
            if status is not None and not status.startswith("2"):
                opened.faults.append(f"entry {i} has response status {status[:20]}")
            if mode == "outcome" and mapping(body["resource"]).get("resourceType") != "OperationOutcome":
                opened.faults.append(f"entry {i} is an outcome of the search")
            elif body["resource"] is None:
                opened.faults.append(f"entry {i} has no resource")
            else:
                _open(body["resource"], place, opened, text(body.get("fullUrl")), mode == "include")
        elif "resourceType" in body:
            _open(body, place, opened, text(body.get("fullUrl")), mode == "include")
        else:
            opened.faults.append(f"entry {i} has no resource")
    if any(text(link.get("relation")) == "next" for link in objects(bundle.get("link"))):
        opened.faults.append("the list goes on at a next link, which was not followed")
    total = bundle.get("total")
    matched = sum(not e.included for e in opened.entries[before:])
    if isinstance(total, int) and not isinstance(total, bool) and total > matched and not opened.faults:
        opened.faults.append(f"the list counts {total} and {matched} were received")


def _issue_codes(outcome: Resource) -> str:
    codes = [c for issue in objects(outcome.get("issue")) if (c := text(issue.get("code"))) and len(c) < 30]
    return f" ({', '.join(dict.fromkeys(codes))})" if codes else ""


def _called(value: object) -> str:
    if isinstance(value, str):
        return "an HTML page" if "<html" in value[:500].lower() else "text"
    return "a truth value" if isinstance(value, bool) else "a number"
