"""What a service is: its id, the hook it answers, and the data it asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SPECIFICATION = "2.0.1"
"""Version of the CDS Hooks specification that the answers follow."""

PREFETCH: Mapping[str, str] = {
    "patient": "Patient/{{context.patientId}}",
    "medications": "MedicationRequest?patient={{context.patientId}}&status=active,on-hold,completed,stopped&_count=200",
    "conditions": "Condition?patient={{context.patientId}}&_count=200",
    "allergies": "AllergyIntolerance?patient={{context.patientId}}&_count=200",
    "observations": "Observation?patient={{context.patientId}}&category=vital-signs,laboratory,social-history&_sort=-date&_count=500",
    "notes": "DocumentReference?patient={{context.patientId}}&status=current&_sort=-date&_count=20",
}
"""What an audit needs, within the query subset that the specification recommends: instance reads, type searches, tokens, `_count`, `_sort`."""

USAGE = (
    "Send the Patient under the prefetch key `patient`, and as many of the other keys as you can: what is missing is named in the answer. With neither the "
    "Patient nor any other key the answer is 412. Orders are read as R4, R4B, R5, STU3 and DSTU2."
)


@dataclass(frozen=True, slots=True)
class HookService:
    """One service of discovery. `accepts` lists the hooks of a body that it answers, its own first."""

    id: str
    hook: str
    title: str
    description: str
    accepts: tuple[str, ...]
    hook_version: str
    prefetch: Mapping[str, str]

    def discovery(self) -> dict[str, Any]:
        """The service as discovery lists it."""
        return {
            "hook": self.hook,
            "id": self.id,
            "title": self.title,
            "description": self.description,
            "version": SPECIFICATION,
            "hookVersion": self.hook_version,
            "usageRequirements": USAGE,
            "prefetch": dict(self.prefetch),
        }
