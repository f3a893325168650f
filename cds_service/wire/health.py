"""Whether the service is ready to audit, and what of it is broken."""

from __future__ import annotations

from typing import Any

from cds_service.errors import NotReady, StateBroken
from cds_service.wire.runtime import Runtime
from ontology.model.errors import OntologyError


def health(runtime: Runtime) -> dict[str, Any]:
    """The release that answers are given from. Raises NotReady when it cannot be read."""
    try:
        next(iter(runtime.release.subjects()), None)
    except OntologyError as e:
        raise NotReady(f"the release cannot be read: {e}") from e
    return {"status": "ready", "release": runtime.release.id}


def readiness(runtime: Runtime) -> dict[str, Any]:
    """The same with the state of each part; a state store that fails makes it degraded, not unready: answers are still given."""
    report = health(runtime)
    try:
        runtime.state.probe()
        runtime.state_fault = None
    except StateBroken as e:
        runtime.state_fault = str(e)
    state = "writable" if runtime.state_fault is None else "broken"
    return {**report, "status": "ready" if runtime.state_fault is None else "degraded", "state": state, "policy": runtime.policy.id}
