"""Strict validation of received resources, to warn: two in five real medication requests do not pass it and are read all the same."""

from __future__ import annotations

from collections.abc import Iterator

from fhir.resources.R4B import get_fhir_model_class
from pydantic import ValidationError

from cds_service.intake.request import OpenedRequest

SHOWN = 3


def invalid_resources(opened: OpenedRequest) -> Iterator[tuple[str, str]]:
    """Where a resource stands and what is not valid in it; values are not shown."""
    received = [r for _, r in opened.drafts] + [r for rows in opened.retrieved.by_kind.values() for r in rows] + opened.retrieved.others
    for item in received:
        kind = str(item.resource.get("resourceType"))
        try:
            get_fhir_model_class(kind).model_validate(item.resource)
        except KeyError:
            yield item.where, f"{kind} is not a resource type"
        except ValidationError as e:
            faults = [f"{'.'.join(map(str, f['loc']))}: {f['msg']}" for f in e.errors(include_input=False, include_url=False)]
            more = f" and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
            yield item.where, f"{kind} {'; '.join(faults[:SHOWN])}{more}"
