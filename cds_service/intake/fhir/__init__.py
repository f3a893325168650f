"""Tolerant readers of single FHIR resources: R4, R4B, R5, STU3 and DSTU2 shapes, by shape and not by version."""
