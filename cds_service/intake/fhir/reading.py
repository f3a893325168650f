"""What every reader of a resource is given, and how a resource that cannot be used says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from cds_service.intake.fhir.values import Resource, mapping, objects, text
from cds_service.intake.names import Names


class Unreadable(Exception):
    """A resource that cannot be used; the message says what is missing or wrong, without patient data."""


@dataclass(slots=True)
class ResourceIndex:
    """Every resource of the request by `Type/id` and by full URL, for references."""

    by_reference: dict[str, Resource] = field(default_factory=dict)

    def add(self, resource: Resource, full_url: str | None = None) -> None:
        """Makes the resource findable; the first of two with one name stays."""
        kind, identifier = text(resource.get("resourceType")), text(resource.get("id"))
        if kind and identifier:
            self.by_reference.setdefault(f"{kind}/{identifier}", resource)
        if full_url:
            self.by_reference.setdefault(full_url, resource)

    def resolve(self, reference: object, within: Resource) -> Resource | None:
        """The resource a Reference points to: contained, by full URL, else by `Type/id` of a relative or absolute address."""
        address = address_of(reference)
        if address is None:
            return None
        if address.startswith("#"):
            return next((r for r in objects(within.get("contained")) if f"#{r.get('id')}" == address or r.get("id") == address), None)
        return self.by_reference.get(address) or self.by_reference.get(relative(address))


@dataclass(frozen=True, slots=True)
class Reading:
    """The terminology, the resources to resolve in, whose request it is, and the day it counts from."""

    names: Names
    index: ResourceIndex
    patient: str | None
    today: date

    def same_patient(self, resource: Resource, *members: str) -> bool:
        """False when the resource names another patient; a resource without a subject is taken as the request's patient's."""
        if self.patient is None:
            return True
        own = f"Patient/{self.patient}"
        for member in members:
            subject = resource.get(member)
            address = address_of(subject)
            if address is None or address == own:
                continue
            target = self.index.resolve(subject, resource)
            found = text(target.get("id")) if target is not None and not address.startswith("#") else None
            if (found or bare_id(address)) != self.patient or (_type_of(address) or "Patient") != "Patient":
                return False
        return True


def address_of(reference: object) -> str | None:
    """The address in a Reference, a CodeableReference or a bare string."""
    if isinstance(reference, str):
        return text(reference)
    found = mapping(reference)
    inner = found.get("reference")
    return address_of(inner) if isinstance(inner, dict) else text(inner)


def relative(address: str) -> str:
    """`Type/id` of an address, without server and version."""
    parts = [p for p in address.split("/_history/")[0].split("/") if p]
    return "/".join(parts[-2:])


def bare_id(address: str) -> str:
    """The id of an address: its last part without server, type, version and `urn:uuid:`."""
    return relative(address).rsplit("/", 1)[-1].removeprefix("urn:uuid:").removeprefix("#")


def reference_to(resource: Resource) -> str | None:
    """`Type/id` of a resource, or None when it has no id."""
    kind, identifier = text(resource.get("resourceType")), text(resource.get("id"))
    return f"{kind}/{identifier}" if kind and identifier else None


def require_known_modifiers(resource: Resource) -> None:
    """Raises Unreadable when a modifier extension may turn the resource's meaning round: the service knows none."""
    if unknown_modifiers(resource):
        raise Unreadable(f"carries the modifier extension {', '.join(unknown_modifiers(resource))}, which this service does not know")


def unknown_modifiers(*parts: Resource) -> tuple[str, ...]:
    """The URLs of all modifier extensions of the parts."""
    return tuple(dict.fromkeys(url for part in parts for url in _modifier_urls(part)))


def _modifier_urls(part: Mapping[str, Any]) -> Iterator[str]:
    for extension in objects(part.get("modifierExtension")):
        yield text(extension.get("url")) or "(without url)"


def _type_of(address: str) -> str | None:
    parts = relative(address).split("/")
    return parts[0] if len(parts) == 2 and not address.startswith("urn:") else None
