"""Hepatic function as the record words it."""

from __future__ import annotations

import re

from cds_service.audit.clinical import signs
from cds_service.audit.profile.demographics import Demographics
from ontology.model.facts import Axis, Known, Unknown, UnknownReason, needs_of

_CHILD_PUGH = re.compile(r"child[\s-]*(?:turcotte[\s-]*)?pugh\s*(?:class|grade|score)?\s*[(:]?\s*([ABC])\b", re.IGNORECASE)
_GRADES = {"A": "mild", "B": "moderate", "C": "severe"}


def liver(who: Demographics, axis: Axis) -> Known | Unknown:
    """Child-Pugh class as the record words it; without any liver disease on a whole problem list, `none`."""
    named = False
    for c in who.prescription.patient.conditions:
        if c.status != "active":
            continue
        if found := _CHILD_PUGH.search(c.text):
            grade = found[1].upper()
            return Known(grade if axis is Axis.CHILD_PUGH else _GRADES[grade], c.source.date, c.source.reference)
        named = named or signs("hepatic").names(c.codes, c.text)
    if named or (axis is Axis.CHILD_PUGH and not who.complete):
        return Unknown(UnknownReason.NOT_RECORDED, needs_of(axis))
    if not who.complete:
        return Unknown(UnknownReason.NOT_RETRIEVED, needs_of(axis))
    return Known("none")
