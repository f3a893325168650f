"""From a CDS Hooks request to the prescription instance: tolerant FHIR reading, one resource at a time."""

from cds_service.intake.request import read_request

__all__ = ["read_request"]
