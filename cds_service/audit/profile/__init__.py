"""The patient profile: every axis of a label's conditions answered from the record, one module a family of data."""

from cds_service.audit.profile.order_facts import OrderFacts, PatientProfile

__all__ = ["OrderFacts", "PatientProfile"]
